/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SRCU and Tasks RCU (mechanics 3.14): what the expedite controls reach, and what not. */
#include "tests/model/model_fixture.h"

enum { ID_SLEEP = 1, ID_WAIT, ID_REST };

/* Waits of one kind: after 7.3 jiffies, again at once, and again 200 ms later. */
static void three_waits(struct model_config *cfg, enum step_kind kind, sim_time_ns took_ns[3],
			struct sim_arena *arena)
{
	const struct step steps[] = {
		step_timed(STEP_SLEEP, ID_SLEEP, fixture_jiffy_ns(cfg) * 73 / 10),
		step_of(kind, ID_WAIT),
		step_of(kind, ID_WAIT),
		step_timed(STEP_SLEEP, ID_REST, 200 * NS_PER_MS),
		step_of(kind, ID_WAIT),
	};
	const struct task_config task = { "caller", 0, steps, 5 };
	struct run_record r;

	fixture_tasks(cfg, &task, 1);
	r = fixture_run(cfg, 1, 0, arena, NULL);
	fixture_tasks(cfg, NULL, 0);
	for (size_t i = 0; i < 3; i++)
		took_ns[i] = wait_ns(record_wait(&r, ID_WAIT, i));
	ck_assert_int_eq(r.totals.ipi_exp, 0);
}

/* Real 6.1: 7 us idle in default and expedited modes, about 4 jiffies when just used. */
START_TEST(an_idle_srcu_is_expedited_by_itself_and_a_busy_one_by_the_flag)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	sim_time_ns took_ns[3];

	for (int mode = 0; mode < 3; mode++) { /* default, expedited, normal */
		sim_time_ns jiffy_ns;

		fixture_booted(&cfg, "v6.1", 250, 4);
		cfg.kernel.rcu_expedited = mode == 1;
		cfg.kernel.rcu_normal = mode == 2;
		jiffy_ns = fixture_jiffy_ns(&cfg);
		three_waits(&cfg, STEP_SYNC_SRCU, took_ns, arena);
		if (mode < 2) {
			ck_assert_int_lt(took_ns[0], 50 * NS_PER_US);
			ck_assert_int_lt(took_ns[2], 50 * NS_PER_US);
		} else { /* two delays of 1 + w jiffies, the first from phase 0.3 */
			ck_assert_int_lt(llabs(took_ns[0] - jiffy_ns * 37 / 10), jiffy_ns / 50);
		}
		if (mode == 1)
			ck_assert_int_lt(took_ns[1], 50 * NS_PER_US);
		else
			ck_assert_int_gt(took_ns[1], 3 * jiffy_ns);
	}
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(before_tree_srcu_the_caller_counts_by_itself_whatever_the_flag)
{
	static const char *const profiles[] = { "v3.19", "v4.1", "v4.4", "v4.9" };
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	sim_time_ns took_ns[3], expedited_ns[3];

	for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
		fixture_booted(&cfg, profiles[i], 250, 4);
		three_waits(&cfg, STEP_SYNC_SRCU, took_ns, arena);
		cfg.kernel.rcu_expedited = true;
		three_waits(&cfg, STEP_SYNC_SRCU, expedited_ns, arena);
		for (int k = 0; k < 3; k++) {
			ck_assert_int_gt(took_ns[k], 0);
			ck_assert_int_lt(took_ns[k], 10 * NS_PER_US);
			ck_assert_int_eq(took_ns[k], expedited_ns[k]);
		}
	}
	sim_arena_destroy(arena);
}
END_TEST

/* Expediting shortens the two synchronize_rcu() inside, not the polls at HZ/10. */
START_TEST(the_flag_does_not_reach_the_polls_of_tasks_rcu)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	sim_time_ns took_ns[2];

	for (int expedited = 0; expedited <= 1; expedited++) {
		const struct step caller[] = {
			step_timed(STEP_SLEEP, ID_SLEEP, 30 * NS_PER_MS),
			step_of(STEP_SYNC_TASKS, ID_WAIT),
		};
		const struct step hog[] = { step_timed(STEP_RUN_USER, 9, 150 * NS_PER_MS) };
		const struct task_config tasks[] = { { "caller", 0, caller, 2 },
						     { "hog", 1, hog, 1 } };
		struct run_record r;

		fixture_booted(&cfg, "v6.1", 250, 4);
		cfg.kernel.rcu_expedited = expedited;
		fixture_tasks(&cfg, tasks, 2);
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		took_ns[expedited] = wait_ns(record_wait(&r, ID_WAIT, 0));
		/* the hog leaves at 150 ms: seen by the second poll, 100 + 104 ms after the first scan */
		ck_assert_int_gt(took_ns[expedited], 200 * NS_PER_MS);
		sim_arena_reset(arena);
	}
	ck_assert_int_lt(took_ns[1], took_ns[0]);
	ck_assert_int_lt(took_ns[0] - took_ns[1], 40 * NS_PER_MS);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(without_a_runnable_task_tasks_rcu_lasts_two_grace_periods)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	sim_time_ns took_ns[3];

	fixture_booted(&cfg, "v6.1", 250, 4);
	three_waits(&cfg, STEP_SYNC_TASKS, took_ns, arena);
	ck_assert_int_gt(took_ns[0], 28 * NS_PER_MS);
	ck_assert_int_lt(took_ns[0], 34 * NS_PER_MS);
	/* a second call finds the kthread at rest for HZ/10 */
	ck_assert_int_gt(took_ns[1], 128 * NS_PER_MS);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(tasks_rude_runs_on_every_cpu_and_wakes_idle_ones)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;

	for (int cpus = 1; cpus <= 16; cpus *= 4) {
		const struct step caller[] = {
			step_timed(STEP_SLEEP, ID_SLEEP, 30 * NS_PER_MS),
			step_of(STEP_SYNC_TASKS_RUDE, ID_WAIT),
		};
		const struct task_config task = { "caller", 0, caller, 2 };
		struct run_record r;

		fixture_booted(&cfg, "v6.1", 250, cpus);
		fixture_tasks(&cfg, &task, 1);
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		/* one for each other CPU, and one for the caller if the last worker is elsewhere */
		ck_assert_int_ge(r.totals.idle_wakeups, cpus - 1);
		ck_assert_int_le(r.totals.idle_wakeups, cpus > 1 ? cpus : 0);
		ck_assert_int_eq(r.totals.ipi_resched, r.totals.idle_wakeups);
		ck_assert_int_eq(r.totals.gp_normal + r.totals.gp_expedited, 0);
		sim_arena_reset(arena);
	}
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(only_waits_that_ask_the_controls_are_called_expeditable)
{
	for (int path = 0; path < WAIT_PATH_COUNT; path++)
		ck_assert_int_eq(wait_path_expeditable((enum wait_path)path),
				 path == WAIT_NORMAL || path == WAIT_EXPEDITED ||
					 path == WAIT_SRCU);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("neighbours");
	TCase *tc = tcase_create("neighbours");

	tcase_add_test(tc, an_idle_srcu_is_expedited_by_itself_and_a_busy_one_by_the_flag);
	tcase_add_test(tc, before_tree_srcu_the_caller_counts_by_itself_whatever_the_flag);
	tcase_add_test(tc, the_flag_does_not_reach_the_polls_of_tasks_rcu);
	tcase_add_test(tc, without_a_runnable_task_tasks_rcu_lasts_two_grace_periods);
	tcase_add_test(tc, tasks_rude_runs_on_every_cpu_and_wakes_idle_ones);
	tcase_add_test(tc, only_waits_that_ask_the_controls_are_called_expeditable);
	return fixture_main(suite, tc);
}
