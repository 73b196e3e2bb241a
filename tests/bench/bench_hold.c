/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hold model: N events pending; each one, when it runs, schedules its successor.
 *
 *   bench_hold PENDING EVENTS heap    successor after Exp(1 us), through the heap
 *   bench_hold PENDING EVENTS lane    delays 1 ms, 3 ms, 2 us, 10 ms, a lane each
 *   bench_hold PENDING EVENTS lane-ms delays 1 ms, 3 ms, 2 ms, 10 ms, a lane each
 *
 * A lane has a quarter of the events, spread at random over its delay before the
 * measured events begin. Prints events, bytes of the arena, seconds and events a
 * second. Instructions and bytes for each event come from tests/bench/run.sh, as
 * the difference of two run lengths, and of two sizes.
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

enum hold_kind { HOLD_HEAP, HOLD_LANE, HOLD_LANE_MS, HOLD_KIND_COUNT };

static const char *const hold_names[HOLD_KIND_COUNT] = { "heap", "lane", "lane-ms" };

struct hold {
	struct bench_rng rng;
	unsigned lanes[HOLD_LANES];
	/* Only to start the lanes. */
	sim_time_ns delays_ns[HOLD_LANES];
	uint32_t lane_events[HOLD_LANES];
	uint32_t started[HOLD_LANES];
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

static sim_time_ns hold_longest_ns(const struct hold *hold)
{
	return hold->delays_ns[HOLD_LANES - 1];
}

static void hold_lane_start(struct sim_engine *engine, void *ptr, int32_t arg);

/* Lanes begin so that each one has just been filled when the longest delay has passed. */
static void hold_start_next(struct sim_engine *engine, struct hold *hold, int32_t lane)
{
	double step_ns = (double)hold->delays_ns[lane] / hold->lane_events[lane];
	double phase_ns = step_ns * (hold->started[lane] + bench_unit(&hold->rng));

	if (hold->started[lane]++ < hold->lane_events[lane])
		sim_at(engine,
		       hold_longest_ns(hold) - hold->delays_ns[lane] + (sim_time_ns)phase_ns, 0,
		       hold_lane_start, hold, lane);
}

static void hold_lane_start(struct sim_engine *engine, void *ptr, int32_t arg)
{
	hold_lane_event(engine, ptr, arg);
	hold_start_next(engine, ptr, arg);
}

static double hold_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static void hold_fill(struct sim_engine *engine, struct hold *hold, uint32_t pending,
		      enum hold_kind kind)
{
	const sim_time_ns delays_ns[HOLD_LANES] = {
		NS_PER_MS, 3 * NS_PER_MS, kind == HOLD_LANE_MS ? 2 * NS_PER_MS : 2 * NS_PER_US,
		10 * NS_PER_MS
	};

	if (kind == HOLD_HEAP) {
		for (uint32_t i = 0; i < pending; i++) {
			double at_ns = bench_exp(&hold->rng) * HOLD_MEAN_NS;

			sim_at(engine, (sim_time_ns)at_ns, 0, hold_heap_event, hold, 0);
		}
		return;
	}
	for (uint32_t i = 0; i < HOLD_LANES; i++) {
		hold->delays_ns[i] = delays_ns[i];
		hold->lanes[i] = sim_lane_open(engine, delays_ns[i]);
		hold->lane_events[i] = (pending + i) / HOLD_LANES;
		hold->started[i] = 0;
	}
	for (int32_t i = 0; i < (int32_t)HOLD_LANES; i++)
		hold_start_next(engine, hold, i);
	sim_run(engine, hold_longest_ns(hold) - 1, 0);
}

static void hold_run(struct hold *hold, uint32_t pending, uint64_t events, enum hold_kind kind)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct sim_engine *engine;
	double start_s;
	double run_s;

	/* Lanes have no use for the hint. */
	engine = sim_engine_create(arena, kind == HOLD_HEAP ? pending : 0);
	hold_fill(engine, hold, pending, kind);
	start_s = hold_seconds();
	sim_run(engine, SIM_TIME_MAX, events);
	run_s = hold_seconds() - start_s;
	printf("%llu events, %llu pending, %zu bytes, %.3f s, %.3g events/s\n",
	       (unsigned long long)events, (unsigned long long)sim_events_pending(engine),
	       sim_arena_used_bytes(arena), run_s, (double)events / run_s);
	sim_arena_destroy(arena);
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

static enum hold_kind hold_kind_named(const char *name)
{
	int kind = 0;

	while (kind < HOLD_KIND_COUNT && strcmp(name, hold_names[kind]) != 0)
		kind++;
	return (enum hold_kind)kind;
}

int main(int argc, char **argv)
{
	struct bench_zig zig;
	struct hold hold;
	uint64_t pending;
	uint64_t events;

	if (argc != 4 || !hold_number(argv[1], 4000000, &pending) ||
	    !hold_number(argv[2], UINT64_MAX, &events) ||
	    hold_kind_named(argv[3]) == HOLD_KIND_COUNT) {
		fprintf(stderr, "usage: %s PENDING EVENTS heap|lane|lane-ms\n", argv[0]);
		return RS_USAGE;
	}
	bench_zig_init(&zig);
	bench_rng_init(&hold.rng, &zig, 1);
	hold_run(&hold, (uint32_t)pending, events, hold_kind_named(argv[3]));
	return RS_OK;
}
