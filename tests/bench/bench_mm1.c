/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * M/M/1 with patience: arrivals at rate 0.9, service at rate 1, and a waiting
 * customer leaves when a timer of mean 20 runs out; the start of service cancels
 * the timer. This is the cancelable-timer benchmark: a customer is two events
 * run and 0.68 cancelled.
 *
 *   bench_mm1 CUSTOMERS
 *
 * Prints the mean time in system (3.17) and the share that leaves (11.4 %), so
 * that a wrong engine shows, and customers a second.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim/engine/engine.h"
#include "tests/bench/bench_draw.h"

#define MM1_UNIT_NS 1e6
#define MM1_ARRIVAL_MEAN_NS (MM1_UNIT_NS / 0.9)
#define MM1_PATIENCE_MEAN_NS (MM1_UNIT_NS * 20)
#define MM1_CUSTOMERS_MAX 1024 /* in the queue; a power of two */

struct customer {
	sim_time_ns arrived_ns;
	struct sim_handle timer;
	bool has_left;
};

struct mm1 {
	struct bench_rng arrivals;
	struct bench_rng services;
	uint64_t arrivals_left;
	uint64_t served;
	uint64_t left;
	double in_system_ns;
	sim_time_ns serving_since_ns; /* arrival of the customer in service */
	bool is_busy;
	uint32_t head;
	uint32_t tail;
	struct customer queue[MM1_CUSTOMERS_MAX];
};

static void mm1_service_end(struct sim_engine *engine, void *ptr, int32_t arg);

static void mm1_service_start(struct sim_engine *engine, struct mm1 *mm1, sim_time_ns arrived_ns)
{
	sim_time_ns service_ns = (sim_time_ns)(MM1_UNIT_NS * bench_exp(&mm1->services));

	mm1->is_busy = true;
	mm1->serving_since_ns = arrived_ns;
	sim_at(engine, sim_now(engine) + service_ns, 0, mm1_service_end, mm1, 0);
}

static void mm1_service_end(struct sim_engine *engine, void *ptr, int32_t arg)
{
	struct mm1 *mm1 = ptr;

	(void)arg;
	mm1->served++;
	mm1->in_system_ns += (double)(sim_now(engine) - mm1->serving_since_ns);
	mm1->is_busy = false;
	while (mm1->head != mm1->tail) {
		struct customer *next = &mm1->queue[mm1->head++ % MM1_CUSTOMERS_MAX];

		if (next->has_left)
			continue;
		sim_cancel(engine, &next->timer);
		mm1_service_start(engine, mm1, next->arrived_ns);
		return;
	}
}

static void mm1_patience_end(struct sim_engine *engine, void *ptr, int32_t arg)
{
	struct mm1 *mm1 = ptr;
	struct customer *customer = &mm1->queue[arg];

	customer->has_left = true;
	mm1->left++;
	mm1->in_system_ns += (double)(sim_now(engine) - customer->arrived_ns);
}

static void mm1_arrival(struct sim_engine *engine, void *ptr, int32_t arg)
{
	struct mm1 *mm1 = ptr;

	(void)arg;
	if (--mm1->arrivals_left > 0) {
		double gap_ns = MM1_ARRIVAL_MEAN_NS * bench_exp(&mm1->arrivals);

		sim_at(engine, sim_now(engine) + (sim_time_ns)gap_ns, 0, mm1_arrival, mm1, 0);
	}
	if (mm1->is_busy) {
		uint32_t at = mm1->tail++ % MM1_CUSTOMERS_MAX;
		double patience_ns = MM1_PATIENCE_MEAN_NS * bench_exp(&mm1->services);

		RS_REQUIRE(mm1->tail - mm1->head <= MM1_CUSTOMERS_MAX);
		mm1->queue[at].arrived_ns = sim_now(engine);
		mm1->queue[at].has_left = false;
		mm1->queue[at].timer = sim_at(engine, sim_now(engine) + (sim_time_ns)patience_ns,
					      0, mm1_patience_end, mm1, (int32_t)at);
	} else {
		mm1_service_start(engine, mm1, sim_now(engine));
	}
}

static double mm1_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static void mm1_run(struct mm1 *mm1, uint64_t customers)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct sim_engine *engine = sim_engine_create(arena, 0);
	double start_s = mm1_seconds();
	double run_s;

	mm1->arrivals_left = customers;
	sim_at(engine, 0, 0, mm1_arrival, mm1, 0);
	sim_run(engine, SIM_TIME_MAX, 0);
	run_s = mm1_seconds() - start_s;
	printf("%llu customers, %.3f mean time in system, %.2f %% left, %.3f s, %.3g customers/s\n",
	       (unsigned long long)customers, mm1->in_system_ns / (double)customers / MM1_UNIT_NS,
	       100 * (double)mm1->left / (double)customers, run_s, (double)customers / run_s);
	sim_arena_destroy(arena);
}

int main(int argc, char **argv)
{
	struct bench_zig zig;
	struct mm1 mm1 = { 0 };
	unsigned long long customers = 0;
	char *end = NULL;

	errno = 0;
	if (argc == 2)
		customers = strtoull(argv[1], &end, 10);
	if (customers == 0 || errno != 0 || *end != '\0') {
		fprintf(stderr, "usage: %s CUSTOMERS\n", argv[0]);
		return RS_USAGE;
	}
	bench_zig_init(&zig);
	bench_rng_init(&mm1.arrivals, &zig, 1);
	bench_rng_init(&mm1.services, &zig, 2);
	mm1_run(&mm1, customers);
	return RS_OK;
}
