/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event engine: ties in random order (sim_shuffle_ties). */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/engine.h"

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

#define TIED 24

static int32_t entity_of(const void *ctx, const void *ptr, int32_t arg)
{
	(void)ctx;
	(void)ptr;
	return arg / 100;
}

/* TIED events at one time, three for each entity, by lane and without; earlier and later ones round them. */
static void run_shuffled(uint64_t seed, bool shuffle, struct log *log)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct sim_engine *engine = sim_engine_create(arena, 4);
	unsigned lane;

	*log = (struct log){ 0 };
	if (shuffle)
		sim_shuffle_ties(engine, seed, entity_of, NULL);
	lane = sim_lane_open(engine, 10);
	for (int32_t i = 0; i < TIED; i++) {
		int32_t id = i % 8 * 100 + i / 8;

		if (i % 2)
			sim_lane_after(engine, lane, 5, log_event, log, id);
		else
			sim_at(engine, 10, 5, log_event, log, id);
	}
	sim_at(engine, 10, 6, log_event, log, 2000);
	sim_at(engine, 10, 4, log_event, log, 3000);
	sim_at(engine, 9, 63, log_event, log, 4000);
	ck_assert_int_eq(sim_run(engine, SIM_TIME_MAX, 0), SIM_STOP_EMPTY);
	ck_assert_int_eq(log->count, TIED + 3);
	ck_assert_uint_eq(sim_events_tied(engine), TIED - 1);
	sim_arena_destroy(arena);
}

START_TEST(shuffled_ties_keep_time_priority_and_each_entitys_order)
{
	struct log plain, log, again;
	int moved = 0;

	run_shuffled(0, false, &plain);
	for (uint64_t seed = 0; seed < 50; seed++) {
		int32_t next[8] = { 0 };

		run_shuffled(seed, true, &log);
		run_shuffled(seed, true, &again);
		ck_assert_mem_eq(&log, &again, sizeof(log));
		ck_assert_int_eq(log.ids[0], 4000);
		ck_assert_int_eq(log.ids[1], 3000);
		ck_assert_int_eq(log.ids[TIED + 2], 2000);
		for (int i = 2; i < TIED + 2; i++)
			ck_assert_int_eq(log.ids[i] % 100, next[log.ids[i] / 100]++);
		moved += memcmp(&log, &plain, sizeof(log)) != 0;
	}
	ck_assert_int_ge(moved, 49);
}
END_TEST

START_TEST(handles_work_while_ties_are_shuffled)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct sim_engine *engine = sim_engine_create(arena, 4);
	struct sim_handle handles[8];
	struct log log = { 0 };
	unsigned lane;

	sim_shuffle_ties(engine, 7, entity_of, NULL);
	lane = sim_lane_open(engine, 3);
	for (int32_t i = 0; i < 8; i++)
		handles[i] = i % 2 ? sim_lane_after(engine, lane, 1, log_event, &log, i)
				   : sim_at(engine, 3, 1, log_event, &log, i);
	for (int i = 0; i < 6; i++) {
		ck_assert(sim_is_pending(engine, handles[i]));
		ck_assert(sim_cancel(engine, &handles[i]));
		ck_assert(!sim_cancel(engine, &handles[i]));
	}
	ck_assert_uint_eq(sim_events_pending(engine), 2);
	ck_assert_int_eq(sim_run(engine, SIM_TIME_MAX, 0), SIM_STOP_EMPTY);
	ck_assert_int_eq(log.count, 2);
	ck_assert_int_eq(log.ids[0], 6);
	ck_assert_int_eq(log.ids[1], 7);
	ck_assert(!sim_is_pending(engine, handles[7]));
	sim_arena_destroy(arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ties");
	TCase *tcase = tcase_create("ties");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, shuffled_ties_keep_time_priority_and_each_entitys_order);
	tcase_add_test(tcase, handles_work_while_ties_are_shuffled);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
