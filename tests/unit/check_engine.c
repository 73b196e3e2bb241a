/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Event engine: E1 (total order) against a sorted reference under random
 * schedules, cancels and lanes; E2 (no allocation in the steady state); E3
 * (stale handles); limits, stops, counters.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/engine.h"
#include "sim/engine/rng.h"

#define MODEL_MAX 2500

/* ck_assert() writes a message even when it holds; this one is for inner loops. */
#define must(cond) \
	do { \
		if (!(cond)) \
			ck_abort_msg("failed: %s", #cond); \
	} while (0)

/* One event as the reference sees it. */
struct expected {
	sim_time_ns at_ns;
	unsigned priority;
	int32_t id; /* = sequence: ids are handed out in scheduling order */
	bool is_pending;
	struct sim_handle handle;
};

struct world {
	struct rng_stream rng;
	struct expected events[MODEL_MAX];
	int32_t count;
	int32_t pending;
	unsigned lanes[4];
	sim_time_ns delays_ns[4];
	int32_t spread_ns;       /* of random delays */
	unsigned priorities;     /* how many are used */
	unsigned cancel_percent;
	uint64_t ran;
	uint64_t ties;
	const struct expected *last;
};

static uint32_t draw_below(struct world *world, uint32_t n)
{
	return (uint32_t)(rng_u64(&world->rng) % n);
}

static bool runs_before(const struct expected *a, const struct expected *b)
{
	if (a->at_ns != b->at_ns)
		return a->at_ns < b->at_ns;
	if (a->priority != b->priority)
		return a->priority < b->priority;
	return a->id < b->id;
}

static void world_event(struct sim_engine *engine, void *ptr, int32_t arg);

static void world_schedule(struct sim_engine *engine, struct world *world)
{
	struct expected *event;
	uint32_t how = draw_below(world, 8);

	if (world->count == MODEL_MAX)
		return;
	event = &world->events[world->count];
	event->id = world->count++;
	event->priority = draw_below(world, world->priorities);
	event->is_pending = true;
	world->pending++;
	if (how < 4) {
		event->at_ns = sim_now(engine) + world->delays_ns[how];
		event->handle = sim_lane_after(engine, world->lanes[how], event->priority,
					       world_event, world, event->id);
	} else {
		event->at_ns = sim_now(engine) +
			       (sim_time_ns)draw_below(world, (uint32_t)world->spread_ns);
		event->handle = sim_at(engine, event->at_ns, event->priority, world_event, world,
				       event->id);
	}
	must(sim_is_pending(engine, event->handle));
}

/* Cancels a random event, pending or long gone: the answer must tell which. */
static void world_cancel(struct sim_engine *engine, struct world *world)
{
	struct expected *event = &world->events[draw_below(world, (uint32_t)world->count)];
	struct sim_handle handle = event->handle;
	struct sim_handle stale = event->handle;

	must(sim_is_pending(engine, handle) == event->is_pending);
	must(sim_cancel(engine, &handle) == event->is_pending);
	must(handle.slot == 0);
	must(!sim_cancel(engine, &handle));
	must(!sim_cancel(engine, &stale));
	if (event->is_pending) {
		event->is_pending = false;
		world->pending--;
	}
}

static void world_event(struct sim_engine *engine, void *ptr, int32_t arg)
{
	struct world *world = ptr;
	struct expected *self = &world->events[arg];
	uint32_t children;

	must(self->is_pending);
	must(sim_now(engine) == self->at_ns);
	for (int32_t i = 0; i < world->count; i++) {
		const struct expected *other = &world->events[i];

		if (other->is_pending && other != self)
			must(runs_before(self, other));
	}
	if (world->last && world->last->at_ns == self->at_ns &&
	    world->last->priority == self->priority)
		world->ties++;
	world->last = self;
	self->is_pending = false;
	world->pending--;
	world->ran++;
	must(!sim_is_pending(engine, self->handle));
	must(sim_events_executed(engine) == world->ran);

	children = world->pending < 6 ? 3 : draw_below(world, 3);
	for (uint32_t i = 0; i < children; i++)
		world_schedule(engine, world);
	if (draw_below(world, 100) < world->cancel_percent)
		world_cancel(engine, world);
	must(sim_events_pending(engine) == (uint64_t)world->pending);
}

/* Runs a random world to its end, in random pieces, and checks every step. */
static void world_run(uint64_t seed, unsigned initial, int32_t spread_ns, unsigned priorities,
		      unsigned cancel_percent)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct sim_engine *engine = sim_engine_create(arena, 0);
	struct world *world = rs_calloc(1, sizeof(*world));
	enum sim_stop why;

	rng_stream_init(&world->rng, seed, initial, priorities, RNG_TEST);
	world->spread_ns = spread_ns;
	world->priorities = priorities;
	world->cancel_percent = cancel_percent;
	for (uint32_t i = 0; i < 4; i++) {
		world->delays_ns[i] = (sim_time_ns)i * (spread_ns / 3);
		world->lanes[i] = sim_lane_open(engine, world->delays_ns[i]);
	}
	for (unsigned i = 0; i < initial; i++)
		world_schedule(engine, world);
	do {
		sim_time_ns until_ns = sim_now(engine) + draw_below(world, (uint32_t)spread_ns);
		uint64_t ran = world->ran;
		uint64_t most = 1 + draw_below(world, 50);

		why = sim_run(engine, until_ns, most);
		must(why != SIM_STOP_ASKED);
		if (why == SIM_STOP_EVENT_LIMIT)
			must(world->ran == ran + most);
		if (why == SIM_STOP_TIME_LIMIT) {
			must(sim_now(engine) == until_ns);
			for (int32_t i = 0; i < world->count; i++)
				must(!world->events[i].is_pending ||
					  world->events[i].at_ns > until_ns);
			if (world->last && world->last->at_ns < until_ns)
				world->last = NULL;
		}
		for (int i = 0; i < 3; i++)
			world_cancel(engine, world);
		must(sim_events_pending(engine) == (uint64_t)world->pending);
	} while (why != SIM_STOP_EMPTY);
	must(world->pending == 0);
	must(sim_events_tied(engine) == world->ties);
	free(world);
	sim_arena_destroy(arena);
}

START_TEST(random_schedules_run_in_total_order)
{
	/* Few events, many events, all at the same times, and hardly any ties. */
	static const unsigned initials[] = { 1, 10, 40, 400, 1800 };
	static const int32_t spreads_ns[] = { 3, 40, 1000000 };
	unsigned priorities = (unsigned)_i % 2 ? 3 : 1;
	unsigned cancel_percent = (unsigned)_i % 3 * 45;

	for (size_t i = 0; i < 5; i++) {
		for (size_t j = 0; j < 3; j++)
			world_run((uint64_t)_i, initials[i], spreads_ns[j], priorities,
				  cancel_percent);
	}
}
END_TEST

struct log {
	int32_t ids[64];
	int count;
};

static void log_event(struct sim_engine *engine, void *ptr, int32_t arg)
{
	struct log *log = ptr;

	(void)engine;
	log->ids[log->count++ % 64] = arg;
}

static void assert_log(const struct log *log, int count, const int32_t *ids)
{
	ck_assert_int_eq(log->count, count);
	for (int i = 0; i < count; i++)
		ck_assert_int_eq(log->ids[i], ids[i]);
}

START_TEST(equal_times_run_by_priority_then_by_sequence)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct sim_engine *engine = sim_engine_create(arena, 4);
	unsigned lane = sim_lane_open(engine, 10);
	struct log log = { 0 };

	sim_at(engine, 10, 5, log_event, &log, 1);
	sim_lane_after(engine, lane, 5, log_event, &log, 2);
	sim_lane_after(engine, lane, 2, log_event, &log, 3); /* overtakes inside its lane */
	sim_at(engine, 10, 63, log_event, &log, 4);
	sim_lane_after(engine, lane, 5, log_event, &log, 5);
	sim_at(engine, 10, 0, log_event, &log, 6);
	sim_at(engine, 9, 63, log_event, &log, 7);
	ck_assert_int_eq(sim_run(engine, SIM_TIME_MAX, 0), SIM_STOP_EMPTY);
	assert_log(&log, 7, (const int32_t[]){ 7, 6, 3, 1, 2, 5, 4 });
	ck_assert_int_eq(sim_now(engine), 10);
	ck_assert_uint_eq(sim_events_tied(engine), 2);
	sim_arena_destroy(arena);
}
END_TEST

static void schedule_now(struct sim_engine *engine, void *ptr, int32_t arg)
{
	struct log *log = ptr;

	log_event(engine, ptr, arg);
	sim_at(engine, sim_now(engine), 7, log_event, log, arg + 1);
	sim_at(engine, sim_now(engine), 1, log_event, log, arg + 2);
}

START_TEST(an_event_for_now_runs_before_later_priorities_of_now)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct sim_engine *engine = sim_engine_create(arena, 0);
	struct log log = { 0 };

	sim_at(engine, 4, 3, schedule_now, &log, 10);
	sim_at(engine, 4, 5, log_event, &log, 20);
	sim_run(engine, SIM_TIME_MAX, 0);
	assert_log(&log, 4, (const int32_t[]){ 10, 12, 20, 11 });
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(stale_handles_cancel_nothing)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct sim_engine *engine = sim_engine_create(arena, 0);
	unsigned lane = sim_lane_open(engine, 1);
	struct log log = { 0 };
	struct sim_handle none = { 0 };
	struct sim_handle old[2], copy[2];

	ck_assert(!sim_cancel(engine, &none));
	ck_assert(!sim_is_pending(engine, none));
	old[0] = sim_at(engine, 5, 0, log_event, &log, 1);
	old[1] = sim_lane_after(engine, lane, 0, log_event, &log, 2);
	copy[0] = old[0];
	copy[1] = old[1];
	for (int i = 0; i < 2; i++) {
		ck_assert(sim_cancel(engine, &copy[i]));
		ck_assert(!sim_is_pending(engine, old[i]));
	}
	/* The nodes are reused; the old handles must not name the new events. */
	for (int32_t i = 0; i < 40; i++) {
		sim_at(engine, 6, 0, log_event, &log, i);
		sim_lane_after(engine, lane, 0, log_event, &log, i);
	}
	for (int i = 0; i < 2; i++) {
		copy[i] = old[i];
		ck_assert(!sim_is_pending(engine, old[i]));
		ck_assert(!sim_cancel(engine, &copy[i]));
	}
	ck_assert_uint_eq(sim_events_pending(engine), 80);
	sim_run(engine, SIM_TIME_MAX, 0);
	ck_assert_int_eq(log.count, 80);
	sim_arena_destroy(arena);
}
END_TEST

struct churn {
	struct sim_handle timers[3];
	unsigned lane;
	uint64_t fired;
};

static void churn_timeout(struct sim_engine *engine, void *ptr, int32_t arg)
{
	(void)engine;
	(void)ptr;
	(void)arg;
	ck_abort_msg("a timer that is re-armed in time must not fire");
}

/* Re-arms far timers, by heap and by lane, over and over. */
static void churn_event(struct sim_engine *engine, void *ptr, int32_t arg)
{
	struct churn *churn = ptr;

	churn->fired++;
	for (int i = 0; i < 3; i++)
		sim_cancel(engine, &churn->timers[i]);
	churn->timers[0] = sim_at(engine, sim_now(engine) + NS_PER_S, 0, churn_timeout, churn, 0);
	churn->timers[1] = sim_lane_after(engine, churn->lane, 0, churn_timeout, churn, 0);
	churn->timers[2] = sim_lane_after(engine, churn->lane, 0, churn_timeout, churn, 0);
	sim_at(engine, sim_now(engine) + 1 + (sim_time_ns)(churn->fired % 7), 0, churn_event, ptr,
	       arg);
}

START_TEST(steady_state_takes_no_memory)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct sim_engine *engine = sim_engine_create(arena, 0);
	struct churn churn = { .lane = sim_lane_open(engine, NS_PER_S) };
	size_t used_bytes;

	for (int32_t i = 0; i < 100; i++)
		sim_at(engine, i, 0, churn_event, &churn, i);
	sim_run(engine, SIM_TIME_MAX, 2000);
	used_bytes = sim_arena_used_bytes(arena);
	ck_assert_int_eq(sim_run(engine, SIM_TIME_MAX, 300000), SIM_STOP_EVENT_LIMIT);
	ck_assert_uint_eq(sim_arena_used_bytes(arena), used_bytes);
	ck_assert_uint_eq(sim_events_pending(engine), 103);
	ck_assert_uint_eq(sim_events_executed(engine), 302000);
	sim_arena_destroy(arena);
}
END_TEST

#define CROWD_MAX 20000

/* A lane of many blocks, of which most events are cancelled by those that run. */
struct crowd {
	unsigned lane;
	int32_t scheduled;
	int32_t next; /* id: nothing before it is pending */
	uint64_t ran;
	struct rng_stream rng;
	bool is_pending[CROWD_MAX];
	struct sim_handle handles[CROWD_MAX];
};

static void crowd_event(struct sim_engine *engine, void *ptr, int32_t arg)
{
	struct crowd *crowd = ptr;

	while (!crowd->is_pending[crowd->next])
		crowd->next++;
	must(crowd->next == arg);
	crowd->is_pending[arg] = false;
	crowd->ran++;
	for (int i = 0; i < 5 && crowd->scheduled < CROWD_MAX; i++) {
		int32_t id = crowd->scheduled++;

		crowd->is_pending[id] = true;
		crowd->handles[id] = sim_lane_after(engine, crowd->lane, 0, crowd_event, ptr, id);
	}
	for (int i = 0; i < 6; i++) {
		uint64_t bits = rng_u64(&crowd->rng);
		int32_t first = i < 3 ? arg : 0;
		int32_t id = first + (int32_t)(bits % (uint64_t)(crowd->scheduled - first));

		must(sim_is_pending(engine, crowd->handles[id]) == crowd->is_pending[id]);
		if (i % 3 == 0 || id == crowd->scheduled - 1)
			continue;
		must(sim_cancel(engine, &crowd->handles[id]) == crowd->is_pending[id]);
		crowd->is_pending[id] = false;
	}
}

START_TEST(a_lane_of_many_blocks_keeps_order_and_handles)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct sim_engine *engine = sim_engine_create(arena, 0);
	struct crowd *crowd = rs_calloc(1, sizeof(*crowd));
	uint64_t pending = 0;

	rng_stream_init(&crowd->rng, (uint64_t)_i, 0, 0, RNG_TEST);
	crowd->lane = sim_lane_open(engine, _i);
	for (; crowd->scheduled < 1000; crowd->scheduled++) {
		crowd->is_pending[crowd->scheduled] = true;
		crowd->handles[crowd->scheduled] = sim_lane_after(
			engine, crowd->lane, 0, crowd_event, crowd, crowd->scheduled);
	}
	while (sim_run(engine, SIM_TIME_MAX, 77) == SIM_STOP_EVENT_LIMIT) {
		pending = 0;
		for (int32_t id = 0; id < crowd->scheduled; id++)
			pending += crowd->is_pending[id] ? 1 : 0;
		must(sim_events_pending(engine) == pending);
	}
	ck_assert_uint_eq(sim_events_executed(engine), crowd->ran);
	ck_assert_int_gt(crowd->scheduled, 3000);
	free(crowd);
	sim_arena_destroy(arena);
}
END_TEST

/* Bytes of the arena with n events pending; lane: in a lane, else plain ones. */
static size_t pending_bytes(uint32_t n, bool in_lane)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct sim_engine *engine = sim_engine_create(arena, in_lane ? 0 : n);
	unsigned lane = sim_lane_open(engine, 5);
	struct log log = { 0 };
	size_t used_bytes;

	for (uint32_t i = 0; i < n; i++) {
		if (in_lane)
			sim_lane_after(engine, lane, 0, log_event, &log, 0);
		else
			sim_at(engine, (sim_time_ns)(i * 7919 % 1009), 0, log_event, &log, 0);
	}
	ck_assert_uint_eq(sim_events_pending(engine), n);
	used_bytes = sim_arena_used_bytes(arena);
	sim_arena_destroy(arena);
	return used_bytes;
}

START_TEST(a_pending_event_takes_32_bytes_and_8_for_its_handle)
{
	size_t plain_bytes = pending_bytes(101000, false) - pending_bytes(1000, false);
	size_t lane_bytes = pending_bytes(101000, true) - pending_bytes(1000, true);

	ck_assert_uint_ge(plain_bytes, 40 * 100000 - 64);
	ck_assert_uint_le(plain_bytes, 40 * 100000 + 64);
	ck_assert_uint_ge(lane_bytes, 32 * 100000 - 8192);
	ck_assert_uint_le(lane_bytes, 33 * 100000);
}
END_TEST

struct refill {
	struct log log;
	struct sim_handle next;
	unsigned lane;
};

/* Empties its own lane by cancelling, fills the ring with dead events, and goes on. */
static void refill_event(struct sim_engine *engine, void *ptr, int32_t arg)
{
	struct refill *refill = ptr;

	log_event(engine, &refill->log, arg);
	ck_assert(sim_cancel(engine, &refill->next));
	for (int i = 0; i < 100; i++) {
		struct sim_handle handle = sim_lane_after(engine, refill->lane, 0, log_event,
							  &refill->log, -1);

		ck_assert(sim_cancel(engine, &handle));
	}
	for (int32_t i = 1; i <= 3; i++)
		sim_lane_after(engine, refill->lane, 0, log_event, &refill->log, arg + i);
}

START_TEST(a_lane_emptied_by_its_own_event_goes_on)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct sim_engine *engine = sim_engine_create(arena, 0);
	struct refill refill = { .lane = sim_lane_open(engine, 30) };

	sim_lane_after(engine, refill.lane, 0, refill_event, &refill, 1);
	sim_at(engine, 100, 0, log_event, &refill.log, 5);
	sim_run(engine, 10, 0);
	refill.next = sim_lane_after(engine, refill.lane, 0, log_event, &refill.log, -1);
	ck_assert_int_eq(sim_run(engine, SIM_TIME_MAX, 0), SIM_STOP_EMPTY);
	assert_log(&refill.log, 5, (const int32_t[]){ 1, 2, 3, 4, 5 });
	ck_assert_uint_eq(sim_events_executed(engine), 5);
	sim_arena_destroy(arena);
}
END_TEST

static void stop_event(struct sim_engine *engine, void *ptr, int32_t arg)
{
	log_event(engine, ptr, arg);
	sim_stop(engine);
}

START_TEST(stop_and_limits_end_a_run_where_they_say)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct sim_engine *engine = sim_engine_create(arena, 0);
	unsigned lane = sim_lane_open(engine, 20);
	struct log log = { 0 };

	ck_assert_int_eq(sim_run(engine, 1000, 0), SIM_STOP_EMPTY);
	ck_assert_int_eq(sim_now(engine), 0);
	sim_at(engine, 10, 0, log_event, &log, 1);
	sim_lane_after(engine, lane, 0, stop_event, &log, 2);
	sim_lane_after(engine, lane, 0, log_event, &log, 3);
	sim_at(engine, SIM_TIME_MAX, 0, log_event, &log, 4);
	ck_assert_int_eq(sim_run(engine, 9, 0), SIM_STOP_TIME_LIMIT);
	ck_assert_int_eq(sim_now(engine), 9);
	ck_assert_int_eq(sim_run(engine, 5, 0), SIM_STOP_TIME_LIMIT);
	ck_assert_int_eq(sim_now(engine), 9);
	ck_assert_int_eq(sim_run(engine, 10, 1), SIM_STOP_TIME_LIMIT);
	ck_assert_int_eq(log.count, 1);
	ck_assert_int_eq(sim_run(engine, SIM_TIME_MAX - 1, 5), SIM_STOP_ASKED);
	ck_assert_int_eq(log.count, 2);
	ck_assert_uint_eq(sim_events_executed(engine), 2);
	ck_assert_int_eq(sim_run(engine, SIM_TIME_MAX, 1), SIM_STOP_EVENT_LIMIT);
	ck_assert_int_eq(sim_run(engine, SIM_TIME_MAX, 1), SIM_STOP_EMPTY);
	ck_assert_int_eq(sim_now(engine), SIM_TIME_MAX);
	assert_log(&log, 4, (const int32_t[]){ 1, 2, 3, 4 });
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(pending_events_may_outgrow_the_hint_a_thousandfold)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct sim_engine *engine = sim_engine_create(arena, 1);
	unsigned lane = sim_lane_open(engine, 500);
	struct log log = { 0 };

	for (int32_t i = 0; i < 20000; i++) {
		sim_at(engine, (i * 7919) % 1009, 1, log_event, &log, i);
		sim_lane_after(engine, lane, 1, log_event, &log, i);
	}
	ck_assert_uint_eq(sim_events_pending(engine), 40000);
	sim_run(engine, SIM_TIME_MAX, 0);
	ck_assert_int_eq(log.count, 40000);
	sim_arena_destroy(arena);
}
END_TEST

static void mixed_event(struct sim_engine *engine, void *ptr, int32_t arg)
{
	struct refill *refill = ptr;

	log_event(engine, &refill->log, arg);
	if (arg != 1)
		return;
	/* The lane is empty now, but its event is still at work. */
	sim_lane_after(engine, refill->lane, 9, mixed_event, refill, 4);
	sim_lane_after(engine, refill->lane, 3, mixed_event, refill, 2);
	sim_lane_after(engine, refill->lane, 3, mixed_event, refill, 3);
	sim_lane_after(engine, refill->lane, 9, mixed_event, refill, 5);
}

START_TEST(priorities_may_change_in_a_lane_that_its_own_event_emptied)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct sim_engine *engine = sim_engine_create(arena, 0);
	struct refill refill = { .lane = sim_lane_open(engine, 0) };

	sim_lane_after(engine, refill.lane, 3, mixed_event, &refill, 1);
	ck_assert_int_eq(sim_run(engine, SIM_TIME_MAX, 0), SIM_STOP_EMPTY);
	assert_log(&refill.log, 5, (const int32_t[]){ 1, 2, 3, 4, 5 });
	ck_assert_uint_eq(sim_events_tied(engine), 3);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(a_lane_is_named_by_its_delay)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct sim_engine *engine = sim_engine_create(arena, 0);
	unsigned first = sim_lane_open(engine, 0);

	for (sim_time_ns delay_ns = 1; delay_ns < SIM_LANES_MAX; delay_ns++)
		ck_assert_uint_ne(sim_lane_open(engine, delay_ns), first);
	ck_assert_uint_eq(sim_lane_open(engine, 0), first);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(an_event_in_the_past_is_a_bug)
{
	struct sim_engine *engine = sim_engine_create(sim_arena_create(0), 0);
	struct log log = { 0 };

	sim_at(engine, 7, 0, log_event, &log, 0);
	sim_run(engine, 8, 0);
	sim_run(engine, 7, 0);
	sim_at(engine, 6, 0, log_event, &log, 0);
}
END_TEST

START_TEST(a_function_out_of_reach_is_a_bug)
{
	struct sim_engine *engine = sim_engine_create(sim_arena_create(0), 0);
	uintptr_t address = (uintptr_t)log_event ^ (uintptr_t)1 << 40;
	struct log log = { 0 };
	sim_event_fn *far;

	memcpy(&far, &address, sizeof(far));
	if (_i == 0)
		sim_at(engine, 0, 0, far, &log, 0);
	else
		sim_lane_after(engine, sim_lane_open(engine, 1), 0, far, &log, 0);
}
END_TEST

START_TEST(a_priority_above_63_is_a_bug)
{
	struct log log = { 0 };

	sim_at(sim_engine_create(sim_arena_create(0), 0), 0, SIM_PRIORITY_MAX + 1, log_event, &log,
	       0);
}
END_TEST

START_TEST(a_seventeenth_lane_is_a_bug)
{
	struct sim_engine *engine = sim_engine_create(sim_arena_create(0), 0);

	for (sim_time_ns delay_ns = 0; delay_ns <= SIM_LANES_MAX; delay_ns++)
		sim_lane_open(engine, delay_ns);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("engine");
	TCase *tcase = tcase_create("engine");
	const char *fork_mode = getenv("CK_FORK");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, random_schedules_run_in_total_order, 0, 12);
	tcase_add_test(tcase, equal_times_run_by_priority_then_by_sequence);
	tcase_add_test(tcase, an_event_for_now_runs_before_later_priorities_of_now);
	tcase_add_test(tcase, stale_handles_cancel_nothing);
	tcase_add_test(tcase, steady_state_takes_no_memory);
	tcase_add_test(tcase, a_lane_emptied_by_its_own_event_goes_on);
	tcase_add_test(tcase, stop_and_limits_end_a_run_where_they_say);
	tcase_add_test(tcase, pending_events_may_outgrow_the_hint_a_thousandfold);
	tcase_add_test(tcase, priorities_may_change_in_a_lane_that_its_own_event_emptied);
	tcase_add_loop_test(tcase, a_lane_of_many_blocks_keeps_order_and_handles, 0, 6);
	tcase_add_test(tcase, a_pending_event_takes_32_bytes_and_8_for_its_handle);
	tcase_add_test(tcase, a_lane_is_named_by_its_delay);
	/* They end their process: possible only when each test has its own. */
	if (fork_mode == NULL || strcmp(fork_mode, "no") != 0) {
		tcase_add_exit_test(tcase, an_event_in_the_past_is_a_bug, RS_INTERNAL);
		tcase_add_loop_exit_test(tcase, a_function_out_of_reach_is_a_bug, RS_INTERNAL, 0, 2);
	tcase_add_exit_test(tcase, a_priority_above_63_is_a_bug, RS_INTERNAL);
		tcase_add_exit_test(tcase, a_seventeenth_lane_is_a_bug, RS_INTERNAL);
	}
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? 0 : 1;
}
