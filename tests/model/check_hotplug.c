/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPUs that go off line and come back: what the driving task waits for, by
 * version; what becomes of the CPU's tasks, timers, callbacks and of grace periods
 * that wait for it; percpu_rwsem writers. Every run has the oracle on.
 */
#include <check.h>

#include "models/model.h"
#include "models/rcu.h"
#include "tests/model/model_fixture.h"

#define MS NS_PER_MS

static struct step step_cpu(enum step_kind kind, uint32_t id, int cpu, sim_time_ns takes_ns)
{
	struct step s = step_timed(kind, id, takes_ns);

	s.cpu = cpu;
	return s;
}

static struct step step_with(enum step_kind kind, uint32_t id, const char *label,
			     const struct step *body, size_t body_count)
{
	struct step s = step_of(kind, id);

	s.label = label;
	s.body = body;
	s.body_count = body_count;
	return s;
}

static size_t waits_of(const struct run_record *r, uint32_t step_id)
{
	size_t count = 0;

	for (size_t i = 0; i < r->wait_count; i++)
		count += r->waits[i].step_id == step_id;
	return count;
}

/* --- what the driver waits for --- */

START_TEST(going_off_line_waits_by_version)
{
	static const struct {
		const char *profile;
		int preempt;
		bool expedited;
		size_t first, second; /* waits of two in a row */
		enum wait_path path;  /* of the last */
	} rows[] = {
		{"v3.19", PREEMPT_NONE, false, 1, 1, WAIT_NORMAL},
		{"v3.19", PREEMPT_NONE, true, 1, 1, WAIT_EXPEDITED},
		{"v4.1", PREEMPT_FULL, false, 2, 2, WAIT_NORMAL},
		{"v4.1", PREEMPT_FULL, true, 2, 2, WAIT_EXPEDITED},
		{"v4.4", PREEMPT_NONE, true, 1, 1, WAIT_EXPEDITED},
		{"v4.9", PREEMPT_FULL, false, 1, 1, WAIT_CALLBACK},
		{"v4.9", PREEMPT_FULL, true, 1, 1, WAIT_CALLBACK},
		{"v6.1", PREEMPT_NONE, false, 2, 1, WAIT_NORMAL},
		{"v6.1", PREEMPT_FULL, true, 2, 1, WAIT_EXPEDITED},
	};
	const struct step steps[] = {step_cpu(STEP_OFFLINE, 1, 1, MS),
				     step_cpu(STEP_OFFLINE, 2, 2, MS)};
	const struct task_config tasks[] = {{"admin", 0, steps, 2}};
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct model_config cfg;
		struct run_record r;

		fixture_booted(&cfg, rows[i].profile, 250, 4);
		cfg.machine.preempt = rows[i].preempt;
		cfg.kernel.rcu_expedited = rows[i].expedited;
		fixture_tasks(&cfg, tasks, 1);
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		ck_assert_uint_eq(waits_of(&r, 1), rows[i].first);
		ck_assert_uint_eq(waits_of(&r, 2), rows[i].second);
		ck_assert_int_eq(r.waits[r.wait_count - 1].path, rows[i].path);
		ck_assert_int_eq(r.totals.exp_fallbacks, 0);
	}
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(coming_on_line_waits_for_the_lock_only)
{
	const struct step steps[] = {
		step_cpu(STEP_OFFLINE, 1, 1, MS),    step_cpu(STEP_ONLINE, 2, 1, MS),
		step_timed(STEP_SLEEP, 3, 100 * MS), step_cpu(STEP_OFFLINE, 4, 1, MS),
		step_timed(STEP_SLEEP, 5, 100 * MS), step_cpu(STEP_ONLINE, 6, 1, MS),
		step_cpu(STEP_ONLINE, 7, 1, MS), /* it is already */
	};
	const struct task_config tasks[] = {{"admin", 0, steps, 7}};
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	struct run_record r;

	fixture_booted(&cfg, "v6.1", 250, 4);
	fixture_tasks(&cfg, tasks, 1);
	r = fixture_run(&cfg, 1, 0, arena, NULL);
	ck_assert_uint_eq(waits_of(&r, 2), 0); /* the callback of the exit is still queued */
	ck_assert_uint_eq(waits_of(&r, 4), 2);
	ck_assert_uint_eq(waits_of(&r, 6), 1);
	ck_assert_uint_eq(waits_of(&r, 7), 0);
	cfg.kernel.profile = *profile_find("v4.9");
	r = fixture_run(&cfg, 1, 0, arena, NULL);
	ck_assert_uint_eq(waits_of(&r, 2) + waits_of(&r, 6), 0);
	sim_arena_destroy(arena);
}
END_TEST

/*
 * Three CPUs, one after the other, as measured on 6.1 guests of four CPUs: median
 * 16 ms at HZ=250, 50 at 100, 5.98 at 1000; expedited 1.54 to 1.56 ms, of which all but
 * microseconds is `takes`.
 */
START_TEST(latencies_are_those_measured_within_a_quarter)
{
	static const struct {
		int hz, preempt;
		double measured_ms;
	} rows[] = {{250, PREEMPT_VOLUNTARY, 16.0},
		    {100, PREEMPT_NONE, 50.0},
		    {1000, PREEMPT_FULL, 5.98}};
	const sim_time_ns takes_ns = 1530 * NS_PER_US;
	const struct step steps[] = {
		step_mark(1, "0"), step_cpu(STEP_OFFLINE, 2, 1, takes_ns),
		step_mark(3, "1"), step_cpu(STEP_OFFLINE, 4, 2, takes_ns),
		step_mark(5, "2"), step_cpu(STEP_OFFLINE, 6, 3, takes_ns),
		step_mark(7, "3"),
	};
	const struct task_config tasks[] = {{"admin", 0, steps, 7}};
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < 6; i++) {
		struct model_config cfg;
		struct run_record r;
		sim_time_ns ns[3];
		double median_ms;
		double measured_ms = i < 3 ? rows[i].measured_ms : 1.54;

		fixture_booted(&cfg, "v6.1", rows[i % 3].hz, 4);
		cfg.machine.preempt = rows[i % 3].preempt;
		cfg.kernel.rcu_expedited = i >= 3;
		fixture_tasks(&cfg, tasks, 1);
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		for (int k = 0; k < 3; k++)
			ns[k] = r.marks[k + 1].at_ns - r.marks[k].at_ns;
		median_ms = (double)fixture_median_ns(ns, 3) / 1e6;
		EXPECT(median_ms > 0.75 * measured_ms && median_ms < 1.25 * measured_ms,
		       "HZ=%d: %.3f ms, measured %.3f", rows[i % 3].hz, median_ms, measured_ms);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* --- what the CPU leaves behind --- */

START_TEST(tasks_and_sleeps_go_on_elsewhere)
{
	const struct step admin[] = {step_cpu(STEP_OFFLINE, 1, 1, 0), step_mark(2, "down")};
	const struct step user[] = {step_timed(STEP_RUN_USER, 3, 200 * MS), step_mark(4, "ran")};
	const struct step sleeper[] = {step_timed(STEP_SLEEP, 5, 150 * MS), step_mark(6, "slept")};
	const struct step waiter[] = {step_timed(STEP_SLEEP, 7, MS),
				      step_counted(STEP_CALL_RCU, 8, 5),
				      step_of(STEP_CALL_RCU_WAIT, 9), step_mark(10, "called")};
	const struct task_config tasks[] = {
		{"admin", 0, admin, 2},
		{"user", 1, user, 2},
		{"sleeper", 1, sleeper, 2},
		{"waiter", 1, waiter, 4},
	};
	static const char *const profiles[] = {"v3.19", "v4.9", "v6.1"};
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < 3; i++) {
		struct model_config cfg;
		struct run_record r;

		fixture_booted(&cfg, profiles[i], 250, 3);
		fixture_tasks(&cfg, tasks, 4);
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		ck_assert_int_lt(record_mark_ns(&r, "down"), 60 * MS);
		ck_assert_int_gt(record_mark_ns(&r, "ran"), 200 * MS);
		ck_assert_int_lt(record_mark_ns(&r, "ran"), 210 * MS);
		ck_assert_int_gt(record_mark_ns(&r, "slept"), 150 * MS);
		ck_assert_int_lt(record_mark_ns(&r, "slept"), 175 * MS);
		ck_assert_int_ge(r.totals.callbacks_invoked, 6);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* CPU 1 has callbacks and no tick to come when it goes: the driver's CPU runs them. */
START_TEST(callbacks_run_on_the_drivers_cpu)
{
	const struct step admin[] = {step_of(STEP_SYNC_EXPEDITED, 1),
				     step_cpu(STEP_OFFLINE, 2, 1, 9 * MS)};
	const struct step caller[] = {step_timed(STEP_RUN_USER, 3, 8 * MS),
				      step_counted(STEP_CALL_RCU, 4, 7),
				      step_of(STEP_CALL_RCU_WAIT, 5), step_mark(6, "called")};
	const struct task_config tasks[] = {{"admin", 0, admin, 2}, {"caller", 1, caller, 4}};
	static const char *const profiles[] = {"v4.1", "v4.9", "v6.1"};
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < 6; i++) {
		struct model_config cfg;
		struct run_record r;

		fixture_booted(&cfg, profiles[i % 3], 100, 2);
		cfg.kernel.rcu_expedited = true;
		if (i >= 3) /* the survivor's are offloaded, those that come to it too */
			cpu_mask_set(&cfg.machine.nocb, 0);
		fixture_tasks(&cfg, tasks, 2);
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		ck_assert_int_ge(r.totals.callbacks_invoked, 8);
		ck_assert_int_gt(record_mark_ns(&r, "called"), 10 * MS);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* Callbacks first_id, first_id + 1, ...; the first `ready` of them are. */
static void list_fill(struct rcu_segcblist *l, struct rcu_cb *cbs, int64_t first_id, int count,
		      int ready)
{
	rcu_segcblist_init(l);
	for (int i = 0; i < count; i++) {
		cbs[i].id = first_id + i;
		rcu_segcblist_enqueue(l, &cbs[i]);
		if (i + 1 == ready) {
			rcu_segcblist_accelerate(l, 4);
			rcu_segcblist_advance(l, 4);
		}
	}
}

START_TEST(moved_callbacks_that_are_ready_stay_so_and_others_lose_their_number)
{
	for (int ready_first = 0; ready_first <= 1; ready_first++) {
		struct rcu_segcblist to, from;
		struct rcu_cb a[3] = {0}, b[3] = {0};
		struct rcu_cb *cb;
		int64_t seq;

		list_fill(&to, a, 1, 3, 2);
		list_fill(&from, b, 11, 3, 1);
		rcu_segcblist_accelerate(&from, 8);
		ck_assert_int_eq(rcu_segcblist_merge(&to, &from, ready_first), 1);
		ck_assert_int_eq(from.len, 0);
		ck_assert(!rcu_segcblist_pending(&from) && !rcu_segcblist_ready(&from));
		ck_assert_int_eq(to.len, 6);
		ck_assert(!rcu_segcblist_nextgp(&to, &seq)); /* none has a number */
		for (int i = 0; i < 3; i++) {
			static const int64_t ready[2][3] = {{1, 2, 11}, {11, 1, 2}};

			cb = rcu_segcblist_take(&to);
			ck_assert_int_eq(cb->id, ready[ready_first][i]);
		}
		ck_assert_ptr_null(rcu_segcblist_take(&to));
		rcu_segcblist_accelerate(&to, 12);
		rcu_segcblist_advance(&to, 12);
		ck_assert_int_eq(rcu_segcblist_take(&to)->id, 3);
		ck_assert_int_eq(rcu_segcblist_take(&to)->id, 12);
		ck_assert_int_eq(rcu_segcblist_take(&to)->id, 13);
	}
}
END_TEST

/* --- grace periods that run --- */

/* CPU 1 dies in the first jiffy of a grace period, which it has not noticed. */
START_TEST(a_dying_cpu_reports_from_4_19_on_and_is_found_by_a_scan_before)
{
	const struct step admin[] = {step_cpu(STEP_OFFLINE, 1, 1, 20500 * NS_PER_US)};
	const struct step user[] = {step_timed(STEP_RUN_USER, 2, 60 * MS)};
	const struct step waiter[] = {step_timed(STEP_SLEEP, 3, 11 * MS),
				      step_of(STEP_CALL_RCU_WAIT, 4)};
	const struct task_config tasks[] = {
		{"admin", 0, admin, 1},
		{"user", 1, user, 1},
		{"waiter", 2, waiter, 2},
	};
	struct sim_arena *arena = sim_arena_create(0);

	for (int late = 0; late <= 1; late++) {
		struct trace_log log = {0};
		struct model_config cfg;
		size_t down, report;

		fixture_booted(&cfg, late ? "v6.1" : "v4.9", 100, 4);
		cfg.kernel.rcu_expedited = true;
		fixture_tasks(&cfg, tasks, 3);
		fixture_run(&cfg, 1, 0, arena, &log);
		down = trace_log_find(&log, 0, -1, "cpuhp_exit", "cpu: 0001");
		ck_assert_uint_lt(down, log.count);
		report = trace_log_find(&log, 0, 1, "rcu_quiescent_state_report", "");
		while (report < log.count && log.entry[report].at_ns < 20 * MS)
			report = trace_log_find(&log, report + 1, 1, "rcu_quiescent_state_report",
						"");
		ck_assert_int_eq(report < down, late);
		ck_assert_uint_eq(trace_log_count(&log, -1, "rcu_fqs", " 1 dti") > 0, !late);
		trace_log_fini(&log);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* A leaf without CPUs, on it a task that was switched out in a reader. */
START_TEST(a_reader_left_behind_holds_grace_periods)
{
	const struct step reader_body[] = {step_timed(STEP_RUN, 5, 60 * MS)};
	const struct step admin[] = {step_cpu(STEP_OFFLINE, 1, 2, 0),
				     step_cpu(STEP_OFFLINE, 2, 3, 50 * MS), step_mark(3, "down")};
	const struct step reader[] = {step_timed(STEP_RUN, 4, 40 * MS),
				      step_with(STEP_READ, 6, NULL, reader_body, 1),
				      step_mark(7, "read")};
	const struct step waiter[] = {step_timed(STEP_SLEEP, 8, 90 * MS), step_of(STEP_SYNC, 9)};
	const struct task_config tasks[] = {
		{"admin", 0, admin, 3},
		{"reader", 3, reader, 3},
		{"waiter", 1, waiter, 2},
	};
	static const char *const profiles[] = {"v4.1", "v4.4", "v6.1"};
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < 6; i++) {
		struct model_config cfg;
		struct run_record r;

		fixture_booted(&cfg, profiles[i % 3], 1000, 4);
		cfg.machine.preempt = PREEMPT_FULL;
		cfg.kernel.rcu_fanout_leaf = 2;
		cfg.kernel.rcu_expedited = true;
		fixture_tasks(&cfg, tasks, 3);
		if (i >= 3)
			cfg.kernel.profile.has_rcu_normal = cfg.kernel.rcu_normal = true;
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		ck_assert_int_lt(record_mark_ns(&r, "down"), 90 * MS);
		ck_assert_int_ge(record_mark_ns(&r, "read"), 100 * MS);
		ck_assert_int_ge(record_wait(&r, 9, 0)->end_ns, record_mark_ns(&r, "read"));
		ck_assert_int_lt(record_wait(&r, 9, 0)->end_ns,
				 record_mark_ns(&r, "read") + 10 * MS);
	}
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(nobody_waits_for_a_cpu_off_line_and_it_gets_no_ipi)
{
	const struct step admin[] = {
		step_cpu(STEP_OFFLINE, 1, 1, 0), step_cpu(STEP_OFFLINE, 2, 2, 0),
		step_of(STEP_SYNC_EXPEDITED, 3), step_of(STEP_SYNC, 4),
		step_cpu(STEP_ONLINE, 5, 1, 0),  step_of(STEP_SYNC, 6),
	};
	const struct step user[] = {step_timed(STEP_RUN_USER, 7, 200 * MS)};
	const struct task_config tasks[] = {{"admin", 0, admin, 6}, {"user", 1, user, 1}};
	static const char *const profiles[] = {"v3.19", "v4.1", "v4.4", "v4.9", "v6.1"};
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < 5; i++) {
		struct model_config cfg;
		struct run_record r;

		fixture_booted(&cfg, profiles[i], 1000, 3);
		fixture_tasks(&cfg, tasks, 2);
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		/* one CPU is left, and the task that was on CPU 1 shares it */
		ck_assert_int_eq(record_wait(&r, 3, 0)->path, i == 4 ? WAIT_EXPEDITED : WAIT_NOOP);
		ck_assert_int_eq(record_wait(&r, 4, 0)->path, i == 4 ? WAIT_NORMAL : WAIT_NOOP);
		ck_assert_int_eq(record_wait(&r, 6, 0)->path, WAIT_NORMAL);
		ck_assert_int_eq(r.totals.ipi_exp, 0);
	}
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(expedited_requests_of_others_fall_back_during_hotplug_up_to_4_2)
{
	const struct step admin[] = {step_cpu(STEP_OFFLINE, 1, 1, 20 * MS)};
	const struct step other[] = {step_timed(STEP_SLEEP, 2, 5 * MS), step_of(STEP_SYNC, 3)};
	const struct task_config tasks[] = {{"admin", 0, admin, 1}, {"other", 2, other, 2}};
	static const char *const profiles[] = {"v3.19", "v4.1", "v4.4", "v6.1"};
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < 4; i++) {
		struct model_config cfg;
		struct run_record r;

		fixture_booted(&cfg, profiles[i], 250, 4);
		cfg.kernel.rcu_expedited = true;
		fixture_tasks(&cfg, tasks, 2);
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		ck_assert_int_eq(r.totals.exp_fallbacks, i < 2 ? 1 : 0);
		ck_assert_int_eq(record_wait(&r, 1, 0)->path, WAIT_EXPEDITED);
		ck_assert_int_eq(record_wait(&r, 3, 0)->path, i < 2 ? WAIT_NORMAL : WAIT_EXPEDITED);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* --- rcu_barrier() --- */

START_TEST(a_barrier_waits_for_hotplug_up_to_5_17)
{
	const struct step admin[] = {step_cpu(STEP_OFFLINE, 1, 1, 20 * MS), step_mark(2, "down")};
	const struct step other[] = {step_timed(STEP_SLEEP, 3, 5 * MS),
				     step_of(STEP_RCU_BARRIER, 4)};
	const struct task_config tasks[] = {{"admin", 0, admin, 2}, {"other", 2, other, 2}};
	struct sim_arena *arena = sim_arena_create(0);

	for (int late = 0; late <= 1; late++) {
		struct model_config cfg;
		struct run_record r;

		fixture_booted(&cfg, late ? "v6.1" : "v4.9", 250, 4);
		cfg.kernel.rcu_expedited = true;
		fixture_tasks(&cfg, tasks, 2);
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		if (late)
			ck_assert_int_lt(wait_ns(record_wait(&r, 4, 0)), 15 * MS);
		else
			ck_assert_int_ge(record_wait(&r, 4, 0)->end_ns, record_mark_ns(&r, "down"));
	}
	sim_arena_destroy(arena);
}
END_TEST

/*
 * The barrier has visited the driver's CPU and spins for CPU 2, which has its
 * interrupts off, while CPU 3 goes and its callbacks come to the driver. They wait
 * for a later grace period than those of CPU 2 do.
 */
START_TEST(a_barrier_catches_callbacks_that_move_behind_it)
{
	const struct step off_body[] = {step_timed(STEP_RUN, 20, 40 * MS)};
	const struct step admin[] = {step_cpu(STEP_OFFLINE, 1, 3, 30 * MS),
				     step_timed(STEP_RUN, 2, 100 * MS)};
	const struct step barrier[] = {step_timed(STEP_SLEEP, 3, 14 * MS),
				       step_of(STEP_RCU_BARRIER, 4)};
	const struct step off[] = {
		step_timed(STEP_RUN, 5, 3 * MS), step_counted(STEP_CALL_RCU, 6, 1),
		step_timed(STEP_RUN, 11, 8 * MS), step_with(STEP_IRQS_OFF, 7, NULL, off_body, 1)};
	const struct step caller[] = {step_timed(STEP_RUN, 8, 12 * MS),
				      step_counted(STEP_CALL_RCU, 9, 3),
				      step_timed(STEP_RUN_USER, 10, 100 * MS)};
	const struct task_config tasks[] = {
		{"barrier", 0, barrier, 2},
		{"admin", 1, admin, 2},
		{"off", 2, off, 4},
		{"caller", 3, caller, 3},
	};
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	struct run_record r;

	fixture_booted(&cfg, "v6.1", 100, 4);
	cfg.machine.preempt = PREEMPT_VOLUNTARY;
	cfg.kernel.rcu_expedited = true;
	fixture_tasks(&cfg, tasks, 4);
	r = fixture_run(&cfg, 1, 0, arena, NULL); /* the oracle judges: condition 11 */
	ck_assert_int_gt(record_wait(&r, 4, 0)->end_ns, 51 * MS);
	sim_arena_destroy(arena);
}
END_TEST

/* --- SMT, writers --- */

START_TEST(smt_takes_the_siblings_one_at_a_time_and_brings_them_back)
{
	struct step steps[] = {step_timed(STEP_SMT, 1, MS), step_mark(2, "off"),
			       step_timed(STEP_SMT, 3, MS), step_mark(4, "on")};
	const struct task_config tasks[] = {{"admin", 0, steps, 4}};
	struct sim_arena *arena = sim_arena_create(0);
	struct trace_log log = {0};
	struct model_config cfg;

	steps[0].cpu = steps[2].cpu = 4;
	steps[2].count = 1;
	fixture_booted(&cfg, "v6.1", 250, 8);
	fixture_tasks(&cfg, tasks, 1);
	fixture_run(&cfg, 1, 0, arena, &log);
	ck_assert_uint_eq(trace_log_count(&log, -1, "cpuhp_enter", "takedown_cpu"), 6);
	ck_assert_uint_eq(trace_log_count(&log, -1, "cpuhp_enter", "bringup_cpu"), 6);
	ck_assert_uint_eq(trace_log_count(&log, -1, "cpuhp_enter", "cpu: 0004"), 0);
	ck_assert_uint_eq(trace_log_count(&log, -1, "cpuhp_enter", "cpu: 0007"), 2);
	trace_log_fini(&log);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(writers_wait_twice_up_to_4_3_and_once_if_idle_later)
{
	const struct step body[] = {step_timed(STEP_RUN, 9, MS)};
	const struct step steps[] = {
		step_with(STEP_PERCPU_WRITE, 1, "sem", body, 1),
		step_with(STEP_PERCPU_WRITE, 2, "sem", body, 1),
		step_timed(STEP_SLEEP, 3, 100 * MS),
		step_with(STEP_PERCPU_WRITE, 4, "sem", body, 1),
		step_with(STEP_PERCPU_WRITE, 5, "other", body, 1),
	};
	const struct task_config tasks[] = {{"writer", 0, steps, 5}};
	static const struct {
		const char *profile;
		size_t waits[4];
		enum wait_path path;
	} rows[] = {
		{"v3.19", {2, 2, 2, 2}, WAIT_EXPEDITED},
		{"v4.1", {2, 2, 2, 2}, WAIT_EXPEDITED},
		{"v4.4", {1, 0, 1, 1}, WAIT_NORMAL},
		{"v6.1", {1, 0, 1, 1}, WAIT_NORMAL},
	};
	static const uint32_t ids[] = {1, 2, 4, 5};
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < 4; i++) {
		struct model_config cfg;
		struct run_record r;

		fixture_booted(&cfg, rows[i].profile, 250, 4);
		fixture_tasks(&cfg, tasks, 1);
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		for (int k = 0; k < 4; k++)
			ck_assert_uint_eq(waits_of(&r, ids[k]), rows[i].waits[k]);
		ck_assert_int_eq(r.waits[0].path, rows[i].path);
	}
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(writers_share_a_grace_period_and_exclude_each_other)
{
	const struct step body[] = {step_mark(1, "in"), step_timed(STEP_SLEEP, 2, 10 * MS),
				    step_mark(3, "out")};
	const struct step writer[] = {step_with(STEP_PERCPU_WRITE, 4, "sem", body, 3)};
	const struct task_config tasks[] = {
		{"a", 0, writer, 1}, {"b", 1, writer, 1}, {"c", 2, writer, 1}};
	static const char *const profiles[] = {"v4.4", "v6.1"};
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < 2; i++) {
		struct model_config cfg;
		struct run_record r;

		fixture_booted(&cfg, profiles[i], 250, 4);
		fixture_tasks(&cfg, tasks, 3);
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		ck_assert_uint_eq(waits_of(&r, 4), 1);
		ck_assert_uint_eq(r.mark_count, 6);
		for (size_t k = 0; k < 6; k++)
			ck_assert_str_eq(r.marks[k].name, k % 2 ? "out" : "in");
	}
	sim_arena_destroy(arena);
}
END_TEST

/* --- mistakes --- */

static void check_refused(const struct step *step, const char *part)
{
	const struct task_config tasks[] = {{"task", 0, step, 1}};
	struct model_config cfg;
	char why[240];
	uint32_t id;

	fixture_booted(&cfg, "v6.1", 250, 4);
	fixture_tasks(&cfg, tasks, 1);
	EXPECT(!model_config_check(&cfg, why, sizeof(why), &id), "accepted: %s", part);
	EXPECT(strstr(why, part), "'%s' does not say '%s'", why, part);
}

START_TEST(mistakes_are_refused)
{
	const struct step none = step_cpu(STEP_OFFLINE, 1, 0, 0);
	const struct step beyond = step_cpu(STEP_ONLINE, 1, 4, 0);
	const struct step one = step_cpu(STEP_SMT, 1, 1, 0);
	const struct step down = step_cpu(STEP_OFFLINE, 1, 1, 0);
	const struct step inside = step_with(STEP_READ, 2, NULL, &down, 1);
	const struct step run = step_timed(STEP_RUN, 1, 1);
	const struct step inner = step_with(STEP_PERCPU_WRITE, 2, "sem", &run, 1);
	const struct step outer = step_with(STEP_PERCPU_WRITE, 3, "sem", &inner, 1);
	const struct step nameless = step_with(STEP_PERCPU_WRITE, 4, "", &run, 1);

	check_refused(&none, "CPU 0");
	check_refused(&beyond, "CPUs 0 to 3");
	check_refused(&one, "at least 2");
	check_refused(&inside, "offline inside read");
	check_refused(&outer, "inside itself");
	check_refused(&nameless, "without a name");
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("hotplug");

	tcase_add_test(tcase, going_off_line_waits_by_version);
	tcase_add_test(tcase, coming_on_line_waits_for_the_lock_only);
	tcase_add_test(tcase, latencies_are_those_measured_within_a_quarter);
	tcase_add_test(tcase, tasks_and_sleeps_go_on_elsewhere);
	tcase_add_test(tcase, callbacks_run_on_the_drivers_cpu);
	tcase_add_test(tcase, moved_callbacks_that_are_ready_stay_so_and_others_lose_their_number);
	tcase_add_test(tcase, a_dying_cpu_reports_from_4_19_on_and_is_found_by_a_scan_before);
	tcase_add_test(tcase, a_reader_left_behind_holds_grace_periods);
	tcase_add_test(tcase, nobody_waits_for_a_cpu_off_line_and_it_gets_no_ipi);
	tcase_add_test(tcase, expedited_requests_of_others_fall_back_during_hotplug_up_to_4_2);
	tcase_add_test(tcase, a_barrier_waits_for_hotplug_up_to_5_17);
	tcase_add_test(tcase, a_barrier_catches_callbacks_that_move_behind_it);
	tcase_add_test(tcase, smt_takes_the_siblings_one_at_a_time_and_brings_them_back);
	tcase_add_test(tcase, writers_wait_twice_up_to_4_3_and_once_if_idle_later);
	tcase_add_test(tcase, writers_share_a_grace_period_and_exclude_each_other);
	tcase_add_test(tcase, mistakes_are_refused);
	return fixture_main(suite_create("hotplug"), tcase);
}
