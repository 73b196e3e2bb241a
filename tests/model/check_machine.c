/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine below RCU, seen through trace events and totals: order of work at
 * interrupt exit, what costs delay, where woken threads run, fair sharing of a
 * CPU, ticks of idle CPUs. docs/machine.md.
 */
#include "tests/model/model_fixture.h"

#define STEP_ID_CALL 2
#define JIFFY_NS (4 * NS_PER_MS) /* HZ=250 */

static const char end[] = "end";

/* A lone synchronize_rcu() on CPU 0 of 4 idle CPUs, called 0.3 jiffies after a tick. */
static struct run_record traced_wait(struct model_config *cfg, const char *profile,
				     struct sim_arena *arena, struct trace_log *log)
{
	const struct step steps[] = { step_timed(STEP_SLEEP, 1, 5 * JIFFY_NS + JIFFY_NS * 3 / 10),
				      step_of(STEP_SYNC, STEP_ID_CALL) };
	const struct task_config task = { "caller", 0, steps, 2 };
	struct run_record r;

	fixture_booted(cfg, profile, 250, 4);
	fixture_tasks(cfg, &task, 1);
	r = fixture_run(cfg, 1, 0, arena, log);
	fixture_tasks(cfg, NULL, 0);
	return r;
}

/* --- interrupt exit --- */

/*
 * At the tick that ends the FQS timeout (to 4.7 one jiffy after the start) CPU 0
 * has both softirqs to run. TIMER comes first: the report waits for it and for the
 * wake-up it pays. The kthread it woke runs after the RCU softirq has reported
 * CPU 0's quiescent state, so its scan finds CPU 0 done.
 */
START_TEST(timer_softirq_runs_before_rcu_and_the_woken_kthread_after_both)
{
	static const char *const profiles[] = { "v3.19", "v4.1", "v4.4" };
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < 3; i++) {
		struct trace_log log = { 0 };
		struct model_config cfg;
		const struct platform_costs *c = &cfg.machine.costs;
		size_t wait, report, run, scan;

		traced_wait(&cfg, profiles[i], arena, &log);
		wait = trace_log_find(&log, 0, 0, "rcu_grace_period", "fqswait");
		report = trace_log_find(&log, wait, 0, "rcu_quiescent_state_report", " 1>");
		ck_assert_uint_lt(report, log.count);
		run = trace_log_find(&log, wait, 0, "sched_switch", "==> next_comm=rcu_sched");
		scan = trace_log_find(&log, wait, 0, "rcu_fqs", "dti");
		ck_assert_uint_lt(report, run);
		ck_assert_uint_lt(run, scan);
		ck_assert_uint_lt(scan, log.count);
		ck_assert_int_eq(log.entry[report].at_ns / JIFFY_NS, log.entry[run].at_ns / JIFFY_NS);
		/* out of idle, the tick, TIMER and the wake-up it pays, RCU */
		ck_assert_int_eq(log.entry[report].at_ns % JIFFY_NS,
				 c->idle_exit_ns + c->tick_ns + c->timer_softirq_ns + c->wakeup_ns +
					 c->rcu_softirq_ns);
		ck_assert_uint_eq(trace_log_count(&log, 0, "rcu_fqs", " 0 dti"), 0);
		trace_log_fini(&log);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* From a tick out of idle to the first instruction of the task it wakes, cost by cost. */
START_TEST(a_callback_wakes_its_caller_after_the_stated_costs)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	struct run_record r = traced_wait(&cfg, "v4.4", arena, NULL);
	const struct platform_costs *c = &cfg.machine.costs;

	ck_assert_int_eq(record_wait(&r, STEP_ID_CALL, 0)->end_ns % JIFFY_NS,
			 c->idle_exit_ns + c->tick_ns + c->rcu_softirq_ns + c->callback_ns +
				 c->wakeup_ns + c->context_switch_ns);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(without_costs_a_wait_is_jiffies_exactly)
{
	struct sim_arena *arena = sim_arena_create(0);
	const struct step call = step_of(STEP_SYNC, STEP_ID_CALL);
	const struct step steps[] = { step_timed(STEP_SLEEP, 1, 5 * JIFFY_NS + JIFFY_NS / 4),
				      step_loop(3, 3, &call, 1) };
	const struct task_config task = { "caller", 0, steps, 2 };
	struct model_config cfg;
	struct run_record r;

	fixture_booted(&cfg, "v4.1", 250, 4);
	cfg.machine.costs = (struct platform_costs){ 0 };
	fixture_tasks(&cfg, &task, 1);
	r = fixture_run(&cfg, 1, 0, arena, NULL);
	ck_assert_int_eq(wait_ns(record_wait(&r, STEP_ID_CALL, 0)), 2 * JIFFY_NS + JIFFY_NS * 3 / 4);
	ck_assert_int_eq(wait_ns(record_wait(&r, STEP_ID_CALL, 1)), 3 * JIFFY_NS);
	ck_assert_int_eq(wait_ns(record_wait(&r, STEP_ID_CALL, 2)), 3 * JIFFY_NS);
	sim_arena_destroy(arena);
}
END_TEST

/* --- tasks --- */

START_TEST(two_tasks_share_a_cpu_fairly)
{
	struct sim_arena *arena = sim_arena_create(0);
	const struct step work[] = { step_timed(STEP_RUN_USER, 1, 100 * NS_PER_MS),
				     step_mark(2, "a") };
	const struct step work2[] = { step_timed(STEP_RUN_USER, 3, 100 * NS_PER_MS),
				      step_mark(4, "b") };
	const struct task_config tasks[] = { { "a", 0, work, 2 }, { "b", 0, work2, 2 } };
	struct trace_log log = { 0 };
	struct model_config cfg;
	struct run_record r;
	sim_time_ns a_ns, b_ns;

	fixture_booted(&cfg, "v4.4", 250, 1);
	fixture_tasks(&cfg, TASKS(tasks));
	r = fixture_run(&cfg, 1, 0, arena, &log);
	a_ns = record_mark_ns(&r, "a");
	b_ns = record_mark_ns(&r, "b");
	/* both end near the sum of their work, not one after the other's hundred */
	ck_assert_int_gt(a_ns < b_ns ? a_ns : b_ns, 185 * NS_PER_MS);
	ck_assert_int_ge(a_ns > b_ns ? a_ns : b_ns, 200 * NS_PER_MS);
	ck_assert_int_lt(a_ns > b_ns ? a_ns : b_ns, 201 * NS_PER_MS);
	ck_assert_uint_ge(trace_log_count(&log, 0, "sched_switch", "prev_state=R ==> next_comm=b"),
			  5);
	trace_log_fini(&log);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(a_task_takes_its_work_plus_the_ticks_it_was_interrupted_by)
{
	struct sim_arena *arena = sim_arena_create(0);
	const struct step work[] = { step_mark(1, "start"),
				     step_timed(STEP_RUN_USER, 2, 100 * NS_PER_MS),
				     step_mark(3, end) };
	const struct task_config task = { "a", 0, work, 3 };
	struct model_config cfg;
	struct run_record r;
	sim_time_ns took_ns;

	fixture_booted(&cfg, "v4.4", 250, 1);
	fixture_tasks(&cfg, &task, 1);
	r = fixture_run(&cfg, 1, 0, arena, NULL);
	took_ns = record_mark_ns(&r, end) - record_mark_ns(&r, "start");
	/* 25 ticks of 2 us; no grace period runs */
	ck_assert_int_ge(took_ns, 100 * NS_PER_MS + 24 * cfg.machine.costs.tick_ns);
	ck_assert_int_le(took_ns, 100 * NS_PER_MS + 26 * cfg.machine.costs.tick_ns);
	sim_arena_destroy(arena);
}
END_TEST

/* --- placement: where the grace-period kthread runs, woken by CPU 2's tick --- */

enum place { PLACE_PREV_IDLE, PLACE_WAKER_IDLE, PLACE_NEXT_IDLE };

/*
 * The kthread last ran on CPU 0. `caller` on CPU 2 queues a callback, and CPU 2's
 * next tick wakes the kthread: CPU 0 if it is idle, else CPU 2 if the tick found it
 * idle, else the next idle CPU after the previous one.
 */
START_TEST(a_woken_thread_goes_to_its_cpu_the_wakers_or_the_next_idle_one)
{
	static const int expected_cpu[] = { [PLACE_PREV_IDLE] = 0,
					    [PLACE_WAKER_IDLE] = 2,
					    [PLACE_NEXT_IDLE] = 1 };
	const struct step hog = step_timed(STEP_RUN_USER, 10, NS_PER_S);
	struct sim_arena *arena = sim_arena_create(0);

	for (int place = PLACE_PREV_IDLE; place <= PLACE_NEXT_IDLE; place++) {
		const struct step caller[] = {
			step_timed(STEP_SLEEP, 1, 22 * NS_PER_MS),
			step_counted(STEP_CALL_RCU, 2, 1),
			step_timed(place == PLACE_NEXT_IDLE ? STEP_RUN_USER : STEP_SLEEP, 3,
				   40 * NS_PER_MS),
			step_mark(4, end),
		};
		const struct task_config tasks[] = { { "caller", 2, caller, 4 },
						     { "hog", 0, &hog, 1 } };
		struct trace_log log = { 0 };
		struct model_config cfg;
		size_t request, run;

		fixture_booted(&cfg, "v4.4", 250, 4);
		fixture_tasks(&cfg, tasks, place == PLACE_PREV_IDLE ? 1 : 2);
		cfg.end_mark = end;
		fixture_run(&cfg, 1, 0, arena, &log);
		request = trace_log_find(&log, 0, 2, "rcu_grace_period", "newreq");
		ck_assert_uint_lt(request, log.count);
		run = trace_log_find(&log, request, -1, "sched_switch", "==> next_comm=rcu_sched");
		ck_assert_uint_lt(run, log.count);
		ck_assert_int_eq(log.entry[run].cpu, expected_cpu[place]);
		trace_log_fini(&log);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* A kthread woken on its own CPU needs no IPI; woken on another idle CPU it needs one. */
START_TEST(a_wake_up_across_cpus_is_one_reschedule_ipi)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	struct run_record r = traced_wait(&cfg, "v4.4", arena, NULL);

	ck_assert_int_eq(r.totals.ipi_resched, 0);
	{
		const struct step steps[] = { step_timed(STEP_SLEEP, 1, 22 * NS_PER_MS),
					      step_of(STEP_SYNC, STEP_ID_CALL) };
		const struct task_config task = { "caller", 2, steps, 2 };

		fixture_tasks(&cfg, &task, 1);
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		/* CPU 2's tick wakes the kthread on CPU 0; CPU 0's scan ends the grace period */
		ck_assert_int_eq(r.totals.ipi_resched, 1);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* Else the first of them shares a CPU with a hog for ever: nothing balances later. */
START_TEST(unbound_tasks_start_on_cpus_that_no_bound_one_takes)
{
	const struct step work[] = { step_timed(STEP_RUN_USER, 1, 100 * NS_PER_MS) };
	const struct task_config tasks[] = {
		{ "free1", -1, work, 1 }, { "on1", 1, work, 1 },  { "on0", 0, work, 1 },
		{ "free2", -1, work, 1 }, { "on2", 2, work, 1 },
	};
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	struct run_record r;

	fixture_booted(&cfg, "v6.1", 250, 5);
	fixture_tasks(&cfg, TASKS(tasks));
	r = fixture_run(&cfg, 1, 0, arena, NULL);
	ck_assert_int_lt(r.totals.boot_time_ns, 101 * NS_PER_MS);
	sim_arena_destroy(arena);
}
END_TEST

/*
 * resched_curr() sends nothing to a CPU whose TIF_NEED_RESCHED is set already. A
 * kernel loop of PREEMPT_NONE keeps it set for its whole segment, here 60 scans of
 * the grace-period kthread and 50 wake-ups of a bound task.
 */
START_TEST(a_cpu_that_was_asked_to_reschedule_is_not_asked_again)
{
	static const char *const profiles[] = { "v3.19", "v4.1", "v4.4", "v4.9", "v6.1" };
	const struct step work[] = { step_timed(STEP_RUN, 1, NS_PER_S) };
	const struct step nap[] = { step_timed(STEP_SLEEP, 2, 20 * NS_PER_MS) };
	const struct step naps[] = { step_loop(3, 50, nap, 1) };
	const struct step wait[] = { step_timed(STEP_SLEEP, 4, NS_PER_MS), step_of(STEP_SYNC, 5) };
	const struct task_config tasks[] = {
		{ "caller", 0, wait, 2 }, { "hog", 1, work, 1 }, { "napper", 1, naps, 1 },
	};
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < 5; i++) {
		struct model_config cfg;
		struct run_record r;

		fixture_booted(&cfg, profiles[i], 250, 3);
		fixture_tasks(&cfg, TASKS(tasks));
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		ck_assert_int_gt(wait_ns(record_wait(&r, 5, 0)), 900 * NS_PER_MS);
		EXPECT(r.totals.ipi_resched <= 6, "%s: %lld IPIs", profiles[i],
		       (long long)r.totals.ipi_resched);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* --- ticks --- */

/* One second of a machine that does nothing until a wait at its end. */
static struct run_record quiet_second(bool periodic, struct sim_arena *arena)
{
	const struct step steps[] = { step_timed(STEP_SLEEP, 1, NS_PER_S),
				      step_of(STEP_SYNC, STEP_ID_CALL) };
	const struct task_config task = { "caller", 0, steps, 2 };
	struct model_config cfg;

	fixture_booted(&cfg, "v4.4", 250, 4);
	cfg.machine.periodic = periodic;
	fixture_tasks(&cfg, &task, 1);
	return fixture_run(&cfg, 1, 0, arena, NULL);
}

START_TEST(ticks_of_idle_cpus_are_counted_but_not_simulated)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct run_record r = quiet_second(true, arena);

	/* 4 CPUs, 250 a second, and 3 jiffies of the wait */
	ck_assert_int_ge(r.totals.ticks, 4 * 250);
	ck_assert_int_le(r.totals.ticks, 4 * 254);
	ck_assert_int_lt(r.totals.events, 200);

	/* nohz: they do not happen at all */
	r = quiet_second(false, arena);
	ck_assert_int_lt(r.totals.ticks, 20);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(the_same_replication_gives_the_same_record)
{
	const struct step steps[] = {
		step_timed(STEP_SLEEP, 1, 20 * NS_PER_MS),
		step_of(STEP_SYNC, STEP_ID_CALL),
	};
	struct task_config tasks[6];
	struct sim_arena *arena = sim_arena_create(0);
	struct sim_arena *other = sim_arena_create(0);
	struct model_config cfg;
	struct run_record a, b;

	fixture_booted(&cfg, "v4.9", 1000, 4);
	cfg.machine.periodic = true;
	cfg.machine.tick_phase.kind = DIST_UNIFORM;
	cfg.machine.tick_phase.a = 0.0;
	cfg.machine.tick_phase.b = 1e6;
	for (int i = 0; i < 6; i++)
		tasks[i] = (struct task_config){ "caller", i < 4 ? i : -1, steps, 2 };
	fixture_tasks(&cfg, tasks, 6);
	for (uint64_t replication = 0; replication < 10; replication++) {
		a = fixture_run(&cfg, 1, replication, arena, NULL);
		b = fixture_run(&cfg, 1, replication, other, NULL);
		ck_assert_mem_eq(&a.totals, &b.totals, sizeof(a.totals));
		ck_assert_uint_eq(a.wait_count, b.wait_count);
		for (size_t i = 0; i < a.wait_count; i++) {
			ck_assert_int_eq(a.waits[i].start_ns, b.waits[i].start_ns);
			ck_assert_int_eq(a.waits[i].end_ns, b.waits[i].end_ns);
		}
	}
	sim_arena_destroy(other);
	sim_arena_destroy(arena);
}
END_TEST

/* --- the end --- */

/* Names are compared by their letters: a scenario file's are not the same pointers. */
START_TEST(the_end_mark_ends_the_run_whatever_else_goes_on)
{
	static const char written_again[] = "end";
	const struct step piece = step_timed(STEP_RUN_USER, 1, NS_PER_MS);
	const struct step hog = step_loop(2, -1, &piece, 1);
	const struct step steps[] = {
		step_spawn(3, 1, &hog, 1), step_timed(STEP_RUN, 4, NS_PER_MS),
		step_mark(5, written_again), step_timed(STEP_RUN, 6, NS_PER_S),
	};
	const struct task_config task = { "main", 0, steps, 4 };
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	struct run_record r;

	for (int is_boot = 0; is_boot <= 1; is_boot++) {
		if (is_boot) {
			fixture_boot(&cfg, "v6.1", 250, 1);
			cfg.boot_steps = &steps[1];
			cfg.boot_step_count = 3;
		} else {
			fixture_booted(&cfg, "v6.1", 250, 2);
			fixture_tasks(&cfg, &task, 1);
		}
		cfg.end_mark = end;
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		ck_assert_uint_eq(r.mark_count, 1);
		ck_assert_int_eq(r.totals.boot_time_ns, r.marks[0].at_ns);
		ck_assert_int_lt(r.totals.boot_time_ns, 2 * NS_PER_MS);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* --- programs --- */

/* Each program's stack is as deep as its steps: those of a spawned task are its own. */
START_TEST(steps_nest_as_deep_as_they_are_written_and_spawned_tasks_stay_small)
{
	enum { LEVELS = 60, SPAWNS = 2000 };
	const struct step work = step_timed(STEP_RUN, 1, 1000);
	const struct step small = step_spawn(4, -1, &work, 1);
	struct step nest[LEVELS];
	const struct step steps[] = { step_spawn(2, -1, &nest[LEVELS - 1], 1),
				      step_loop(3, SPAWNS, &small, 1) };
	const struct task_config task = { "main", 0, steps, 2 };
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;

	for (uint32_t i = 0; i < LEVELS; i++)
		nest[i] = step_loop(10 + i, i % 7 == 0 ? 2 : 1, i == 0 ? &work : &nest[i - 1], 1);
	fixture_booted(&cfg, "v6.1", 250, 2);
	fixture_tasks(&cfg, &task, 1);
	fixture_run(&cfg, 1, 0, arena, NULL);
	ck_assert_uint_lt(sim_arena_used_bytes(arena), (size_t)SPAWNS * 1000);
	sim_arena_destroy(arena);
}
END_TEST

/* --- limits --- */

START_TEST(time_and_event_limits_stop_a_run)
{
	const struct step piece = step_timed(STEP_RUN, 1, NS_PER_MS);
	const struct step steps = step_loop(2, -1, &piece, 1);
	const struct task_config task = { "forever", 0, &steps, 1 };
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	struct run_record r;

	fixture_booted(&cfg, "v4.4", 250, 1);
	fixture_tasks(&cfg, &task, 1);
	cfg.end_mark = NULL;
	cfg.time_limit_ns = 50 * NS_PER_MS;
	r = fixture_run_any(&cfg, 1, 0, arena, NULL);
	ck_assert_int_eq(r.stop, RUN_TIME_LIMIT);
	cfg.time_limit_ns = 100 * NS_PER_S;
	cfg.event_limit = 1000;
	r = fixture_run_any(&cfg, 1, 0, arena, NULL);
	ck_assert_int_eq(r.stop, RUN_EVENT_LIMIT);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(the_end_mark_ends_the_run_by_its_name)
{
	char set[] = "done";
	char asked[] = "done";
	const struct step steps[] = { step_timed(STEP_RUN, 1, NS_PER_MS), step_mark(2, set),
				      step_timed(STEP_RUN, 3, NS_PER_S) };
	const struct task_config task = { "task", 0, steps, 3 };
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;

	fixture_booted(&cfg, "v6.1", 250, 1);
	fixture_tasks(&cfg, &task, 1);
	cfg.end_mark = asked;
	ck_assert_int_lt(fixture_run(&cfg, 1, 0, arena, NULL).totals.boot_time_ns, 2 * NS_PER_MS);
	sim_arena_destroy(arena);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("machine");

	tcase_add_test(tcase, timer_softirq_runs_before_rcu_and_the_woken_kthread_after_both);
	tcase_add_test(tcase, a_callback_wakes_its_caller_after_the_stated_costs);
	tcase_add_test(tcase, without_costs_a_wait_is_jiffies_exactly);
	tcase_add_test(tcase, two_tasks_share_a_cpu_fairly);
	tcase_add_test(tcase, a_task_takes_its_work_plus_the_ticks_it_was_interrupted_by);
	tcase_add_test(tcase, a_woken_thread_goes_to_its_cpu_the_wakers_or_the_next_idle_one);
	tcase_add_test(tcase, a_wake_up_across_cpus_is_one_reschedule_ipi);
	tcase_add_test(tcase, unbound_tasks_start_on_cpus_that_no_bound_one_takes);
	tcase_add_test(tcase, a_cpu_that_was_asked_to_reschedule_is_not_asked_again);
	tcase_add_test(tcase, ticks_of_idle_cpus_are_counted_but_not_simulated);
	tcase_add_test(tcase, the_same_replication_gives_the_same_record);
	tcase_add_test(tcase, the_end_mark_ends_the_run_whatever_else_goes_on);
	tcase_add_test(tcase, steps_nest_as_deep_as_they_are_written_and_spawned_tasks_stay_small);
	tcase_add_test(tcase, time_and_event_limits_stop_a_run);
	tcase_add_test(tcase, the_end_mark_ends_the_run_by_its_name);
	return fixture_main(suite_create("machine"), tcase);
}
