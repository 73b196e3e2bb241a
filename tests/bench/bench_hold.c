/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hold model: N events pending; each one, when it runs, schedules its successor.
 *
 *   bench_hold PENDING EVENTS heap   successor after Exp(1 us), through the heap
 *   bench_hold PENDING EVENTS lane   four constant delays, through four lanes
 *
 * Prints events, seconds and events a second. Instructions come from
 * tests/bench/run.sh, as the difference of two run lengths.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/engine/engine.h"
#include "tests/bench/bench_draw.h"

#define HOLD_MEAN_NS 1000.0
#define HOLD_LANES 4u

struct hold {
	struct bench_rng rng;
	unsigned lanes[HOLD_LANES];
};

static void hold_heap_event(struct sim_engine *engine, void *ptr, int32_t arg)
{
	struct hold *hold = ptr;
	sim_time_ns delay_ns = (sim_time_ns)(HOLD_MEAN_NS * bench_exp(&hold->rng));

	sim_at(engine, sim_now(engine) + delay_ns, 0, hold_heap_event, ptr, arg);
}

static void hold_lane_event(struct sim_engine *engine, void *ptr, int32_t arg)
{
	struct hold *hold = ptr;

	sim_lane_after(engine, hold->lanes[arg], 0, hold_lane_event, ptr, arg);
}

static void hold_lane_start(struct sim_engine *engine, void *ptr, int32_t arg)
{
	hold_lane_event(engine, ptr, arg);
}

static double hold_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static void hold_run(struct sim_engine *engine, struct hold *hold, uint32_t pending,
		     uint64_t events, bool use_lanes)
{
	const sim_time_ns delays_ns[HOLD_LANES] = { NS_PER_MS, 3 * NS_PER_MS, 2 * NS_PER_US,
						    10 * NS_PER_MS };
	double start_s;
	double run_s;

	for (unsigned i = 0; i < HOLD_LANES; i++)
		hold->lanes[i] = sim_lane_open(engine, delays_ns[i]);
	for (uint32_t i = 0; i < pending; i++) {
		double at = bench_exp(&hold->rng) * HOLD_MEAN_NS;

		if (use_lanes)
			sim_at(engine, (sim_time_ns)(at * 1000), 0, hold_lane_start, hold,
			       (int32_t)(i % HOLD_LANES));
		else
			sim_at(engine, (sim_time_ns)at, 0, hold_heap_event, hold, 0);
	}
	start_s = hold_seconds();
	sim_run(engine, SIM_TIME_MAX, events);
	run_s = hold_seconds() - start_s;
	printf("%llu events, %u pending, %.3f s, %.3g events/s\n", (unsigned long long)events,
	       pending, run_s, (double)events / run_s);
}

static bool hold_number(const char *text, uint64_t most, uint64_t *value)
{
	char *end;
	unsigned long long number;

	errno = 0;
	number = strtoull(text, &end, 10);
	*value = number;
	return errno == 0 && *end == '\0' && end != text && number >= 1 && number <= most;
}

int main(int argc, char **argv)
{
	struct bench_zig zig;
	struct hold hold;
	struct sim_arena *arena;
	uint64_t pending;
	uint64_t events;

	if (argc != 4 || !hold_number(argv[1], 4000000, &pending) ||
	    !hold_number(argv[2], UINT64_MAX, &events) ||
	    (strcmp(argv[3], "heap") != 0 && strcmp(argv[3], "lane") != 0)) {
		fprintf(stderr, "usage: %s PENDING EVENTS heap|lane\n", argv[0]);
		return RS_USAGE;
	}
	bench_zig_init(&zig);
	bench_rng_init(&hold.rng, &zig, 1);
	arena = sim_arena_create(0);
	hold_run(sim_engine_create(arena, (uint32_t)pending), &hold, (uint32_t)pending, events,
		 strcmp(argv[3], "lane") == 0);
	sim_arena_destroy(arena);
	return RS_OK;
}
