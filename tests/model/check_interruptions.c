/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What RCU interrupts latency-sensitive tasks for: each cause, counted once and
 * as long as its parts. docs/slow-cpus.md.
 */
#include "tests/model/model_fixture.h"

enum { ID_WAIT = 1, ID_RUN, ID_HOG, ID_LOOP, ID_CALL };

#define WAITS 10

/* CPU 0 makes WAITS waits 8 ms apart; the task on CPU 1 is the sensitive one. */
struct rt {
	struct model_config cfg;
	struct step body[3], manager[2], control[1];
	struct task_config task[2];
	bool is_sensitive[2];
	struct sim_arena *arena;
	struct run_record r;
};

static void rt_config(struct rt *rt, const char *profile, enum step_kind wait, enum step_kind control)
{
	memset(rt, 0, sizeof(*rt));
	fixture_booted(&rt->cfg, profile, 250, 2);
	rt->body[0] = step_timed(STEP_SLEEP, ID_RUN, 9 * NS_PER_MS);
	rt->body[1] = step_of(wait, ID_WAIT);
	rt->manager[0] = step_loop(ID_LOOP, WAITS, rt->body, 2);
	rt->manager[1] = step_mark(ID_CALL, "done");
	rt->control[0] = step_timed(control, ID_HOG, 2 * NS_PER_S);
	rt->task[0] = (struct task_config){ "manager", 0, rt->manager, 2 };
	rt->task[1] = (struct task_config){ "control", 1, rt->control, 1 };
	rt->is_sensitive[1] = true;
	fixture_tasks(&rt->cfg, rt->task, 2);
	rt->cfg.task_is_sensitive = rt->is_sensitive;
	rt->cfg.end_mark = "done";
	rt->arena = sim_arena_create(0);
}

static const struct run_record *rt_run(struct rt *rt)
{
	rt->r = fixture_run(&rt->cfg, 1, 0, rt->arena, NULL);
	return &rt->r;
}

/* Counts those of a cause; *ns is the length of the last one. */
static int count_of(const struct run_record *r, enum interruption_cause cause, sim_time_ns *ns)
{
	int count = 0;

	for (size_t i = 0; i < r->interruption_count; i++) {
		if (r->interruptions[i].cause != cause)
			continue;
		count++;
		*ns = r->interruptions[i].ns;
	}
	return count;
}

static void check_totals(const struct run_record *r)
{
	sim_time_ns sum_ns = 0, max_ns = 0;

	for (size_t i = 0; i < r->interruption_count; i++) {
		sum_ns += r->interruptions[i].ns;
		if (r->interruptions[i].ns > max_ns)
			max_ns = r->interruptions[i].ns;
	}
	ck_assert_int_eq(r->totals.sensitive_interruptions, (int64_t)r->interruption_count);
	ck_assert_int_eq(r->totals.sensitive_interruption_ns, sum_ns);
	ck_assert_int_eq(r->totals.sensitive_interruption_max_ns, max_ns);
}

START_TEST(each_expedited_wait_interrupts_a_busy_user_task_once_by_ipi)
{
	struct rt rt;
	struct platform_costs c = fixture_costs();
	sim_time_ns ns = 0;

	rt_config(&rt, "v6.1", STEP_SYNC_EXPEDITED, STEP_RUN_USER);
	rt_run(&rt);
	ck_assert_int_eq(count_of(&rt.r, INTERRUPTION_EXP_IPI, &ns), WAITS);
	ck_assert_uint_eq(rt.r.interruption_count, WAITS);
	/* the handler, the report at the reschedule (a leaf that is the root), the driver's wake-up,
	 * which may need an IPI */
	ck_assert_int_ge(ns, c.ipi_handle_ns + c.node_walk_ns + c.wakeup_ns);
	ck_assert_int_le(ns, c.ipi_handle_ns + c.node_walk_ns + c.wakeup_ns + c.ipi_send_ns);
	check_totals(&rt.r);
	sim_arena_destroy(rt.arena);
}
END_TEST

START_TEST(a_stopper_costs_the_ipi_two_switches_and_its_work)
{
	struct rt rt;
	struct platform_costs c = fixture_costs();
	sim_time_ns ns = 0;

	rt_config(&rt, "v4.1", STEP_SYNC_EXPEDITED, STEP_RUN_USER);
	rt_run(&rt);
	ck_assert_int_eq(count_of(&rt.r, INTERRUPTION_STOPPER, &ns), WAITS);
	ck_assert_int_eq(count_of(&rt.r, INTERRUPTION_RESCHED_IPI, &ns), 0); /* part of the same */
	ck_assert_int_eq(ns, c.resched_handle_ns + 2 * c.context_switch_ns + c.stopper_ns + c.wakeup_ns +
				     c.ipi_send_ns);
	check_totals(&rt.r);
	sim_arena_destroy(rt.arena);
}
END_TEST

START_TEST(normal_waits_cost_softirqs_at_the_tasks_own_ticks)
{
	struct rt rt;
	struct platform_costs c = fixture_costs();
	sim_time_ns ns = 0;

	rt_config(&rt, "v6.1", STEP_SYNC, STEP_RUN_USER);
	rt_run(&rt);
	/* notice and report, maybe apart, and the end */
	ck_assert_int_ge(count_of(&rt.r, INTERRUPTION_SOFTIRQ, &ns), 2 * WAITS - 1);
	ck_assert_int_le(count_of(&rt.r, INTERRUPTION_SOFTIRQ, &ns), 3 * WAITS);
	ck_assert_int_ge(ns, c.rcu_softirq_ns);
	ck_assert_int_eq(count_of(&rt.r, INTERRUPTION_EXP_IPI, &ns), 0);
	/* the last report wakes the kthread */
	ck_assert_int_le(rt.r.totals.sensitive_interruption_max_ns,
			 c.rcu_softirq_ns + c.node_walk_ns + c.wakeup_ns + c.ipi_send_ns);
	check_totals(&rt.r);
	sim_arena_destroy(rt.arena);
}
END_TEST

START_TEST(rcu_barrier_interrupts_a_cpu_that_has_callbacks)
{
	struct rt rt;
	sim_time_ns ns = 0;
	struct step body[] = { step_counted(STEP_CALL_RCU, ID_CALL + 1, 1),
			       step_timed(STEP_RUN, ID_CALL + 2, 3 * NS_PER_MS) };
	struct step control = step_loop(ID_LOOP + 10, 600, body, 2);

	rt_config(&rt, "v6.1", STEP_RCU_BARRIER, STEP_RUN);
	rt.task[1].steps = &control;
	rt_run(&rt);
	ck_assert_int_ge(count_of(&rt.r, INTERRUPTION_BARRIER_IPI, &ns), WAITS / 2);
	ck_assert_int_ge(ns, fixture_costs().ipi_handle_ns);
	check_totals(&rt.r);
	sim_arena_destroy(rt.arena);
}
END_TEST

START_TEST(an_rcu_kthread_that_takes_the_cpu_counts_with_its_switches_and_nothing_else)
{
	struct rt rt;
	struct platform_costs c = fixture_costs();
	sim_time_ns ns = 0;

	/* the only CPU: the grace-period kthread preempts the task */
	rt_config(&rt, "v6.1", STEP_SYNC, STEP_RUN_USER);
	rt.cfg.machine.cpus = rt.cfg.machine.cpus_online = 1;
	rt.task[1].cpu = 0;
	rt_run(&rt);
	ck_assert_int_ge(count_of(&rt.r, INTERRUPTION_KTHREAD, &ns), WAITS);
	for (size_t i = 0; i < rt.r.interruption_count; i++)
		if (rt.r.interruptions[i].cause == INTERRUPTION_KTHREAD) {
			ck_assert_int_ge(rt.r.interruptions[i].ns, c.context_switch_ns);
			ck_assert_int_lt(rt.r.interruptions[i].ns, 50 * NS_PER_US);
		}
	check_totals(&rt.r);
	sim_arena_destroy(rt.arena);
}
END_TEST

START_TEST(an_urged_cpu_counts_the_reschedule_ipi)
{
	struct rt rt;
	sim_time_ns ns = 0;

	/* kernel code of two seconds: from jtsq on each scan of 4.9 sends one, until the first */
	rt_config(&rt, "v4.9", STEP_SYNC, STEP_RUN);
	rt_run(&rt);
	ck_assert_int_ge(count_of(&rt.r, INTERRUPTION_RESCHED_IPI, &ns), 1);
	ck_assert_int_ge(ns, fixture_costs().resched_handle_ns);
	check_totals(&rt.r);
	sim_arena_destroy(rt.arena);
}
END_TEST

START_TEST(nothing_is_recorded_for_tasks_that_are_not_marked)
{
	struct rt rt;

	rt_config(&rt, "v6.1", STEP_SYNC_EXPEDITED, STEP_RUN_USER);
	rt.cfg.task_is_sensitive = NULL;
	rt_run(&rt);
	ck_assert_uint_eq(rt.r.interruption_count, 0);
	rt.cfg.task_is_sensitive = rt.is_sensitive;
	rt.is_sensitive[0] = true; /* the manager: it is asleep, or in the wait itself */
	rt.is_sensitive[1] = false;
	rt_run(&rt);
	ck_assert_int_eq(rt.r.totals.sensitive_interruptions, (int64_t)rt.r.interruption_count);
	for (size_t i = 0; i < rt.r.interruption_count; i++)
		ck_assert_int_ne(rt.r.interruptions[i].cause, INTERRUPTION_EXP_IPI);
	sim_arena_destroy(rt.arena);
}
END_TEST

START_TEST(marking_a_task_changes_nothing_that_happens)
{
	static const char *const profiles[] = { "v3.19", "v4.9", "v6.12" };

	for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
		struct rt rt;
		struct run_totals marked, plain;

		rt_config(&rt, profiles[i], STEP_SYNC_EXPEDITED, STEP_RUN_USER);
		marked = rt_run(&rt)->totals;
		rt.cfg.task_is_sensitive = NULL;
		plain = rt_run(&rt)->totals;
		ck_assert_int_gt(marked.sensitive_interruptions, 0);
		marked.sensitive_interruptions = marked.sensitive_interruption_ns =
			marked.sensitive_interruption_max_ns = 0;
		ck_assert_mem_eq(&marked, &plain, sizeof(plain));
		sim_arena_destroy(rt.arena);
	}
}
END_TEST

START_TEST(a_sensitive_task_must_be_bound)
{
	struct rt rt;
	char why[240];
	uint32_t step_id;

	rt_config(&rt, "v6.1", STEP_SYNC, STEP_RUN_USER);
	rt.task[1].cpu = -1;
	ck_assert(!model_config_check(&rt.cfg, why, sizeof(why), &step_id));
	ck_assert_ptr_nonnull(strstr(why, "bound to no CPU"));
	sim_arena_destroy(rt.arena);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("interruptions");

	tcase_add_test(tcase, each_expedited_wait_interrupts_a_busy_user_task_once_by_ipi);
	tcase_add_test(tcase, a_stopper_costs_the_ipi_two_switches_and_its_work);
	tcase_add_test(tcase, normal_waits_cost_softirqs_at_the_tasks_own_ticks);
	tcase_add_test(tcase, rcu_barrier_interrupts_a_cpu_that_has_callbacks);
	tcase_add_test(tcase, an_rcu_kthread_that_takes_the_cpu_counts_with_its_switches_and_nothing_else);
	tcase_add_test(tcase, an_urged_cpu_counts_the_reschedule_ipi);
	tcase_add_test(tcase, nothing_is_recorded_for_tasks_that_are_not_marked);
	tcase_add_test(tcase, marking_a_task_changes_nothing_that_happens);
	tcase_add_test(tcase, a_sensitive_task_must_be_bound);
	return fixture_main(suite_create("interruptions"), tcase);
}
