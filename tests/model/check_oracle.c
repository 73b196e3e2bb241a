/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The oracle is silent on thousands of random runs and changes none, and it sees
 * a machine whose state is changed between two events. What trips each
 * condition: check_oracle_histories.c.
 */
#include <check.h>
#include <stdlib.h>

#include "models/model.h"
#include "tests/model/oracle_bench.h"
#include "tests/model/random_config.h"

/* --- silence --- */

#define RANDOM_BATCHES 40
#define RANDOM_BATCH_RUNS 200

START_TEST(random_runs_complete_within_300_s_and_break_no_condition)
{
	struct sim_arena *config_arena = sim_arena_create(0);
	struct sim_arena *arena = sim_arena_create(0);

	for (int i = 0; i < RANDOM_BATCH_RUNS; i++) {
		uint64_t number = (uint64_t)_i * RANDOM_BATCH_RUNS + (uint64_t)i;
		const struct run_options options = { .seed = number, .check = true };
		const struct model_config *config;
		struct run_record record;
		char what[200];

		sim_arena_reset(config_arena);
		sim_arena_reset(arena);
		config = random_config(config_arena, number);
		random_config_describe(config, what, sizeof(what));
		model_run(config, &options, arena, &record);
		ck_assert_msg(record.stop == RUN_COMPLETED, "config %llu (%s): %s, %s",
			      (unsigned long long)number, what, run_stop_name(record.stop),
			      record.stop_text);
	}
	sim_arena_destroy(arena);
	sim_arena_destroy(config_arena);
}
END_TEST

START_TEST(watching_changes_no_run)
{
	struct sim_arena *config_arena = sim_arena_create(0);
	struct sim_arena *arena = sim_arena_create(0);

	for (uint64_t number = 0; number < 200; number++) {
		const struct model_config *config;
		struct run_record record[2];

		sim_arena_reset(config_arena);
		config = random_config(config_arena, number);
		for (int check = 0; check <= 1; check++) {
			const struct run_options options = { .seed = number, .check = check };

			sim_arena_reset(arena);
			model_run(config, &options, arena, &record[check]);
		}
		ck_assert_mem_eq(&record[0].totals, &record[1].totals, sizeof(record[0].totals));
		ck_assert_int_eq(record[0].stop, record[1].stop);
	}
	sim_arena_destroy(arena);
	sim_arena_destroy(config_arena);
}
END_TEST

/* --- machines changed between two events --- */

/* A kernel hog on CPU 1 holds up the grace period that the task on CPU 0 waits for. */
static void start_with_hog(struct bench *b, struct step *hog, struct task_config tasks[2],
			   enum step_kind wait)
{
	bench_config(b, "v6.1", 4);
	b->config.machine.preempt = PREEMPT_NONE;
	b->steps[0] = (struct step){ .kind = STEP_SLEEP, .id = 1, .duration = dist_constant(1000000) };
	b->steps[1] = (struct step){ .kind = wait, .id = 2, .count = 1 };
	b->task.step_count = 2;
	*hog = (struct step){ .kind = STEP_RUN, .id = 3, .duration = dist_constant(90000000) };
	tasks[0] = b->task;
	tasks[1] = (struct task_config){ .name = "hog", .cpu = 1, .steps = hog, .step_count = 1 };
	b->config.tasks = tasks;
	b->config.task_count = 2;
	bench_start(b);
	bench_program(b);
	bench_run_to(b, 40000000);
	bench_check_silent(b);
	ck_assert_uint_eq(b->rs->leaf[0].qsmask | b->rs->leaf[0].expmask, 2);
}

START_TEST(a_report_without_its_quiescent_state_is_seen)
{
	struct task_config tasks[2];
	struct step hog;
	struct bench b;

	start_with_hog(&b, &hog, tasks, STEP_SYNC);
	ck_assert(b.rs->data[1].core_needs_qs);
	b.rs->data[1].cpu_no_qs = false;
	bench_run_to(&b, 60000000);
	bench_check_tripped(&b, 7, 1);
	bench_stop(&b);
}
END_TEST

START_TEST(a_grace_period_that_forgets_a_cpu_is_seen)
{
	struct task_config tasks[2];
	struct step hog;
	struct bench b;

	start_with_hog(&b, &hog, tasks, STEP_SYNC);
	b.rs->leaf[0].qsmask = b.rs->node[0].qsmask = 0;
	bench_run_to(&b, 60000000);
	bench_check_tripped(&b, 6, 0);
	bench_stop(&b);
}
END_TEST

START_TEST(an_expedited_grace_period_that_forgets_a_cpu_is_seen)
{
	struct task_config tasks[2];
	struct step hog;
	struct bench b;

	start_with_hog(&b, &hog, tasks, STEP_SYNC_EXPEDITED);
	rcu_report_exp_rnp(&b.m->cpus[2], &b.rs->leaf[0], 2);
	bench_check_tripped(&b, 7, 1);
	bench_stop(&b);
}
END_TEST

START_TEST(a_segment_cut_short_is_seen)
{
	struct task_config tasks[2];
	struct step hog;
	struct bench b;

	bench_config(&b, "v6.1", 2);
	hog = (struct step){ .kind = STEP_RUN, .id = 3, .duration = dist_constant(9000000) };
	tasks[0] = (struct task_config){ .name = "hog", .cpu = 1, .steps = &hog, .step_count = 1 };
	b.config.tasks = tasks;
	bench_start(&b);
	bench_program(&b);
	bench_run_to(&b, 2000000);
	b.m->cpus[1].task_end_ns -= 1;
	bench_run_to(&b, 20000000);
	ck_assert_int_eq(b.m->stop, RUN_COMPLETED);
	oracle_finish(b.m);
	bench_check_tripped(&b, 21, 1);
	bench_stop(&b);
}
END_TEST

START_TEST(a_workloads_own_error_is_not_taken_for_a_violation)
{
	struct bench b;

	bench_config(&b, "v6.1", 2);
	b.steps[0] = (struct step){ .kind = STEP_UNEXPEDITE, .id = 1 };
	b.task.step_count = 1;
	bench_start(&b);
	bench_program(&b);
	bench_run_to(&b, 2000000);
	oracle_finish(b.m);
	ck_assert_int_eq(b.m->stop, RUN_MODEL_ERROR);
	bench_stop(&b);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("oracle");
	TCase *silent = tcase_create("silent");
	TCase *tripped = tcase_create("tripped");
	SRunner *runner;
	int failed;

	tcase_add_loop_test(silent, random_runs_complete_within_300_s_and_break_no_condition, 0,
			    RANDOM_BATCHES);
	tcase_add_test(silent, watching_changes_no_run);
	tcase_set_timeout(silent, 120);
	tcase_add_test(tripped, a_report_without_its_quiescent_state_is_seen);
	tcase_add_test(tripped, a_grace_period_that_forgets_a_cpu_is_seen);
	tcase_add_test(tripped, an_expedited_grace_period_that_forgets_a_cpu_is_seen);
	tcase_add_test(tripped, a_segment_cut_short_is_seen);
	tcase_add_test(tripped, a_workloads_own_error_is_not_taken_for_a_violation);
	suite_add_tcase(suite, silent);
	suite_add_tcase(suite, tripped);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
