/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rcu_barrier() (mechanics 3.12): what it waits for, how it asks, what it costs. */
#include "tests/model/model_fixture.h"

enum { ID_SLEEP = 1, ID_CALL, ID_BARRIER, ID_WAIT, ID_OTHER };

/* A task on CPU 0 that sleeps 7.3 jiffies and calls rcu_barrier(). */
static struct run_record lone_barrier(struct model_config *cfg, int64_t own_cbs,
				      struct sim_arena *arena)
{
	const struct step steps[] = {
		step_timed(STEP_SLEEP, ID_SLEEP, fixture_jiffy_ns(cfg) * 73 / 10),
		step_counted(STEP_CALL_RCU, ID_CALL, own_cbs > 0 ? own_cbs : 1),
		step_of(STEP_RCU_BARRIER, ID_BARRIER),
	};
	const struct step without[] = { steps[0], steps[2] };
	const struct task_config task = { "caller", 0, own_cbs > 0 ? steps : without,
					  own_cbs > 0 ? 3u : 2u };
	struct run_record r;

	fixture_tasks(cfg, &task, 1);
	r = fixture_run(cfg, 1, 0, arena, NULL);
	fixture_tasks(cfg, NULL, 0);
	return r;
}

START_TEST(a_barrier_without_callbacks_waits_for_nothing_and_asks_nobody)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	struct run_record r;

	fixture_booted(&cfg, "v6.1", 250, 4);
	r = lone_barrier(&cfg, 0, arena);
	ck_assert_int_lt(wait_ns(record_wait(&r, ID_BARRIER, 0)), 5 * NS_PER_US);
	ck_assert_int_eq(r.totals.ipi_barrier, 0);
	ck_assert_int_eq(r.totals.gp_normal, 0);
	sim_arena_destroy(arena);
}
END_TEST

/* Its callback rides with the one before it: as long as call_rcu() and wait, expedited or not. */
START_TEST(a_barrier_lasts_as_long_as_the_callback_before_it)
{
	static const char *const profiles[] = { "v3.19", "v4.4", "v4.9", "v6.1" };
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;

	for (int expedited = 0; expedited <= 1; expedited++) {
		for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
			struct run_record r;
			sim_time_ns jiffy_ns, took_ns;

			fixture_booted(&cfg, profiles[i], 250, 4);
			cfg.kernel.rcu_expedited = expedited;
			jiffy_ns = fixture_jiffy_ns(&cfg);
			r = lone_barrier(&cfg, 1, arena);
			took_ns = wait_ns(record_wait(&r, ID_BARRIER, 0));
			/* (1 - phi) + j1 + w + 1 with phi = 0.3 */
			EXPECT(llabs(took_ns - jiffy_ns * 27 / 10 -
				     jiffy_ns * cfg.kernel.profile.timer_extra_jiffies) <
				       jiffy_ns / 50 + 30 * NS_PER_US,
			       "%s expedited %d: %lld ns", profiles[i], expedited,
			       (long long)took_ns);
			ck_assert_int_eq(r.totals.gp_normal, 1);
			ck_assert_int_eq(r.totals.ipi_barrier, 0);
			sim_arena_reset(arena);
		}
	}
	sim_arena_destroy(arena);
}
END_TEST

/* Other CPUs' callbacks: one waiting IPI for each on-line CPU that has any. */
START_TEST(a_barrier_asks_each_cpu_that_has_callbacks_by_ipi)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;

	for (int offloaded = 0; offloaded <= 1; offloaded++) {
		const struct step other[] = {
			step_timed(STEP_SLEEP, ID_OTHER, 29 * NS_PER_MS),
			step_counted(STEP_CALL_RCU, ID_CALL, 3),
		};
		const struct step caller[] = {
			step_timed(STEP_SLEEP, ID_SLEEP, 30 * NS_PER_MS),
			step_of(STEP_RCU_BARRIER, ID_BARRIER),
		};
		const struct task_config tasks[] = { { "caller", 0, caller, 2 },
						     { "b", 1, other, 2 },
						     { "c", 2, other, 2 } };
		struct run_record r;

		/* 4.x entrains an offloaded CPU itself; later kernels always ask */
		fixture_booted(&cfg, "v4.4", 250, 4);
		if (offloaded)
			fixture_offload_all(&cfg);
		fixture_tasks(&cfg, tasks, 3);
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		ck_assert_int_eq(r.totals.ipi_barrier, offloaded ? 0 : 2);
		ck_assert_int_gt(wait_ns(record_wait(&r, ID_BARRIER, 0)), NS_PER_MS);
		/* 6 callbacks and a barrier callback on each of the two CPUs */
		ck_assert_int_eq(r.totals.callbacks_invoked, 8);
		sim_arena_reset(arena);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* Callers that come while one is under way share the next one. */
START_TEST(concurrent_barriers_share)
{
	const struct step steps[] = {
		step_timed(STEP_SLEEP, ID_SLEEP, 30 * NS_PER_MS),
		step_counted(STEP_CALL_RCU, ID_CALL, 1),
		step_of(STEP_RCU_BARRIER, ID_BARRIER),
	};
	struct sim_arena *arena = sim_arena_create(0);
	struct task_config tasks[16];
	struct model_config cfg;
	struct run_record r;

	fixture_booted(&cfg, "v6.1", 250, 4);
	for (int i = 0; i < 16; i++)
		tasks[i] = (struct task_config){ "caller", i % 4, steps, 3 };
	fixture_tasks(&cfg, tasks, 16);
	r = fixture_run(&cfg, 1, 0, arena, NULL);
	ck_assert_uint_eq(r.wait_count, 16);
	/* at most two rounds, each asking at most three other CPUs */
	ck_assert_int_le(r.totals.ipi_barrier, 6);
	ck_assert_int_le(r.totals.gp_normal, 4);
	sim_arena_destroy(arena);
}
END_TEST

/* Who is woken runs where its waker says: an idle CPU that was only entrained wakes nobody. */
START_TEST(a_barrier_at_any_moment_leaves_offloading_awake)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;

	for (sim_time_ns at_ns = 2 * NS_PER_MS; at_ns < 12 * NS_PER_MS; at_ns += NS_PER_US) {
		const struct step other[] = { step_counted(STEP_CALL_RCU, ID_CALL, 1) };
		const struct step caller[] = {
			step_timed(STEP_SLEEP, ID_SLEEP, at_ns),
			step_of(STEP_RCU_BARRIER, ID_BARRIER),
		};
		const struct step later[] = {
			step_timed(STEP_SLEEP, ID_OTHER, 40 * NS_PER_MS),
			step_of(STEP_CALL_RCU_WAIT, ID_WAIT),
		};
		const struct task_config tasks[] = { { "caller", 3, caller, 2 },
						     { "b", 1, other, 1 },
						     { "later", 0, later, 2 } };
		struct run_record r;

		fixture_booted(&cfg, "v4.9", 250, 4);
		fixture_offload_all(&cfg);
		fixture_tasks(&cfg, tasks, 3);
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		ck_assert_uint_eq(r.wait_count, 2);
		sim_arena_reset(arena);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* 5.4 to early 6.1: mark_readonly() waits, before what comes after it. */
START_TEST(the_read_only_marking_waits_where_the_profile_says_so)
{
	const struct step boot[] = {
		step_at(LEVEL_START_KERNEL, step_timed(STEP_RUN, 1, 3 * NS_PER_MS)),
		step_at(LEVEL_LATE, step_counted(STEP_CALL_RCU, 2, 1)),
		step_at(LEVEL_READONLY, step_mark(3, "write-protecting")),
	};
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;

	for (int64_t kind = READONLY_WAIT_NONE; kind < READONLY_WAIT_COUNT; kind++) {
		struct run_record r;

		fixture_boot(&cfg, "v6.1", 250, 1);
		cfg.kernel.profile.readonly_wait = kind;
		cfg.boot_steps = boot;
		cfg.boot_step_count = 3;
		cfg.end_mark = boot[2].label;
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		if (kind == READONLY_WAIT_BARRIER) {
			ck_assert_uint_eq(r.wait_count, 1);
			ck_assert_int_eq(r.waits[0].path, WAIT_BARRIER);
			ck_assert_int_gt(r.totals.boot_time_ns, 7 * NS_PER_MS);
		} else {
			ck_assert_uint_eq(r.wait_count, 0);
			ck_assert_int_lt(r.totals.boot_time_ns, 4 * NS_PER_MS);
		}
		sim_arena_reset(arena);
	}
	sim_arena_destroy(arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("barrier");
	TCase *tc = tcase_create("barrier");

	tcase_add_test(tc, a_barrier_without_callbacks_waits_for_nothing_and_asks_nobody);
	tcase_add_test(tc, a_barrier_lasts_as_long_as_the_callback_before_it);
	tcase_add_test(tc, a_barrier_asks_each_cpu_that_has_callbacks_by_ipi);
	tcase_add_test(tc, concurrent_barriers_share);
	tcase_add_test(tc, a_barrier_at_any_moment_leaves_offloading_awake);
	tcase_add_test(tc, the_read_only_marking_waits_where_the_profile_says_so);
	return fixture_main(suite, tc);
}
