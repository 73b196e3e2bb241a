/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of a normal wait, one by one: timer rounding, FQS intervals, the last
 * wake-up, the two-tick rule, help for slow CPUs, sharing, batches, offload
 * groups, and who gets no grace period at all. docs/grace-periods.md.
 *
 * Where real 6.1 kernels were measured doing the same, the number stands beside
 * the test.
 */
#include "tests/model/model_fixture.h"

#define STEP_ID_CALL 2

/* One caller on CPU 0: sleeps 3 jiffies and frac of one, then calls `calls` times. */
static struct run_record lone_caller(struct model_config *cfg, enum step_kind kind, double frac,
				     int calls, struct sim_arena *arena, struct trace_log *log)
{
	sim_time_ns tau_ns = fixture_jiffy_ns(cfg);
	const struct step call = step_of(kind, STEP_ID_CALL);
	const struct step steps[] = {
		step_timed(STEP_SLEEP, 1, 3 * tau_ns + (sim_time_ns)(frac * (double)tau_ns)),
		step_loop(3, calls, &call, 1),
	};
	const struct task_config task = { "caller", 0, steps, 2 };
	struct run_record r;

	fixture_tasks(cfg, &task, 1);
	r = fixture_run(cfg, 1, 0, arena, log);
	fixture_tasks(cfg, NULL, 0);
	return r;
}

/* The second of two waits back to back, in jiffies. */
static double b2b_jiffies(struct model_config *cfg, struct sim_arena *arena)
{
	struct run_record r = lone_caller(cfg, STEP_SYNC, 0.3, 2, arena, NULL);

	return (double)wait_ns(record_wait(&r, STEP_ID_CALL, 1)) / (double)fixture_jiffy_ns(cfg);
}

static void expect_near(double got, double want, double slack, const char *what)
{
	EXPECT(got >= want - slack && got <= want + slack, "%s: %.3f, expected %.3f", what, got,
	       want);
}

/* --- the FQS wait --- */

START_TEST(a_timeout_of_j_jiffies_ends_at_tick_j_and_from_4_8_on_one_later)
{
	static const struct {
		const char *profile;
		int extra;
	} rows[] = { { "v3.19", 0 }, { "v4.1", 0 }, { "v4.4", 0 }, { "v4.9", 1 }, { "v6.1", 1 } };
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;

	for (size_t i = 0; i < 5; i++) {
		for (int64_t j = 1; j <= 9; j += 4) {
			struct trace_log log = { 0 };
			double frac = 0.1 * (double)j;
			sim_time_ns tau_ns, armed_ns, fired_ns;
			size_t at;

			fixture_booted(&cfg, rows[i].profile, 250, 4);
			fixture_offload_all(&cfg);
			cfg.kernel.jiffies_till_first_fqs = j;
			tau_ns = fixture_jiffy_ns(&cfg);
			lone_caller(&cfg, STEP_SYNC, frac, 1, arena, &log);
			at = trace_log_find(&log, 0, -1, "rcu_grace_period", "fqswait");
			ck_assert_uint_lt(at, log.count);
			armed_ns = log.entry[at].at_ns;
			at = trace_log_find(&log, at + 1, -1, "rcu_fqs", "dti");
			ck_assert_uint_lt(at, log.count);
			fired_ns = log.entry[at].at_ns;
			/* the first tick is at tau_ns, so ticks are the multiples of tau_ns */
			EXPECT(fired_ns / tau_ns == armed_ns / tau_ns + j + rows[i].extra &&
				       fired_ns % tau_ns < 50 * NS_PER_US,
			       "%s, %lld jiffies: armed at %.3f, fired at %.3f jiffies",
			       rows[i].profile, (long long)j, (double)armed_ns / (double)tau_ns,
			       (double)fired_ns / (double)tau_ns);
			trace_log_fini(&log);
		}
	}
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(the_fqs_interval_grows_with_hz_and_possible_cpus)
{
	static const struct {
		int hz, possible, interval;
	} rows[] = {
		{ 100, 4, 1 },	 { 250, 255, 1 },  { 100, 256, 2 },   { 250, 511, 2 },
		{ 250, 1024, 5 }, { 100, 1279, 5 }, { 250, 4096, 17 }, { 300, 4, 2 },
		{ 300, 256, 3 },  { 300, 1024, 6 }, { 300, 4096, 18 }, { 1000, 4, 3 },
		{ 1000, 300, 4 }, { 1000, 1100, 7 }, { 1000, 4096, 19 },
	};
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fixture_booted(&cfg, "v4.4", rows[i].hz, rows[i].possible);
		/* possible CPUs decide, not those on line */
		cfg.machine.cpus_online = 4;
		fixture_offload_all(&cfg);
		expect_near(b2b_jiffies(&cfg, arena), rows[i].interval, 0.02, "interval");
	}
	sim_arena_destroy(arena);
}
END_TEST

/* Real 6.1, 4 CPUs, HZ=250, first_fqs=0: 12.00 ms back to back, that is 3 jiffies. */
START_TEST(jiffies_till_first_fqs_is_obeyed_and_capped_at_one_second)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;

	for (int64_t j1 = 0; j1 <= 6; j1++) {
		fixture_booted(&cfg, "v6.1", 250, 4);
		cfg.kernel.jiffies_till_first_fqs = j1;
		expect_near(b2b_jiffies(&cfg, arena), 3.0 + (double)j1, 0.02, "first_fqs");
	}
	fixture_booted(&cfg, "v6.1", 100, 4);
	cfg.kernel.jiffies_till_first_fqs = 100000;
	expect_near(b2b_jiffies(&cfg, arena), 3.0 + 100.0, 0.02, "first_fqs capped");
	sim_arena_destroy(arena);
}
END_TEST

/* Ticking CPUs report by themselves; to 4.1 nobody tells the sleeping kthread. */
START_TEST(up_to_4_1_the_end_is_noticed_by_timeout_only)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;

	for (int wakes = 0; wakes <= 1; wakes++) {
		fixture_booted(&cfg, "v4.1", 1000, 1);
		cfg.machine.preempt = PREEMPT_FULL; /* one CPU: else no grace period at all */
		cfg.machine.periodic = true;
		cfg.kernel.profile.final_wakeup = wakes;
		/* start 1, then 3 jiffies to the timeout or 1 to its own report, callback 1 */
		expect_near(b2b_jiffies(&cfg, arena), wakes ? 3.0 : 5.0, 0.02, "one CPU, HZ=1000");
	}
	sim_arena_destroy(arena);
}
END_TEST

/* --- quiescent states --- */

/*
 * On ticking, idle CPUs a report by the CPU itself comes a tick after the tick at
 * which it noticed: 1 jiffy, whatever the phase. The kthread's CPU notices in
 * rcu_gp_init(), so its report may come sooner.
 */
START_TEST(a_cpu_reports_one_tick_after_it_noticed)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	int reports = 0;

	for (uint64_t replication = 0; replication < 20; replication++) {
		const struct step call = step_of(STEP_SYNC, STEP_ID_CALL);
		const struct step steps[] = { step_timed(STEP_SLEEP, 1, 7 * NS_PER_MS),
					      step_loop(3, 5, &call, 1) };
		const struct task_config task = { "caller", 0, steps, 2 };
		sim_time_ns noticed_ns[4] = { 0, 0, 0, 0 };
		struct trace_log log = { 0 };

		fixture_booted(&cfg, "v4.4", 1000, 4);
		cfg.machine.periodic = true;
		cfg.machine.tick_phase.kind = DIST_UNIFORM;
		cfg.machine.tick_phase.a = 0.0;
		cfg.machine.tick_phase.b = 1e6;
		fixture_tasks(&cfg, &task, 1);
		fixture_run(&cfg, 5, replication, arena, &log);
		for (size_t i = 0; i < log.count; i++) {
			const struct traced *e = &log.entry[i];

			if (strcmp(e->event, "rcu_grace_period") == 0 &&
			    strstr(e->detail, "cpustart"))
				noticed_ns[e->cpu] = e->at_ns;
			if (strcmp(e->event, "rcu_quiescent_state_report") != 0 || e->cpu == 0 ||
			    !e->softirq)
				continue;
			EXPECT(e->at_ns - noticed_ns[e->cpu] > 980 * NS_PER_US,
			       "CPU %d reported %lld ns after it noticed", e->cpu,
			       (long long)(e->at_ns - noticed_ns[e->cpu]));
			reports++;
		}
		trace_log_fini(&log);
	}
	ck_assert_int_gt(reports, 200);
	sim_arena_destroy(arena);
}
END_TEST

/*
 * From 4.20 on preemption is off in the idle loop of a PREEMPT kernel, so ticks
 * there are no quiescent states and the end waits for the scan. One CPU needs no
 * scan: its kthread's context switch counts. Real 6.1 PREEMPT, HZ=1000: 6.0 back
 * to back on 4 CPUs, 3.0 on one.
 */
START_TEST(idle_ticks_of_a_preemptible_kernel_count_up_to_4_19_only)
{
	static const struct {
		const char *profile;
		int preempt;
		int cpus;
		double jiffies;
	} rows[] = {
		{ "v4.9", PREEMPT_FULL, 4, 3 }, { "v4.9", PREEMPT_VOLUNTARY, 4, 3 },
		{ "v6.1", PREEMPT_FULL, 4, 6 }, { "v6.1", PREEMPT_VOLUNTARY, 4, 3 },
		{ "v6.1", PREEMPT_FULL, 1, 3 }, { "v6.1", PREEMPT_VOLUNTARY, 1, 3 },
	};
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		enum { RUNS = 41 };
		sim_time_ns ns[RUNS];

		for (uint64_t k = 0; k < RUNS; k++) {
			const struct step call = step_of(STEP_SYNC, STEP_ID_CALL);
			const struct step steps[] = { step_timed(STEP_SLEEP, 1, 7 * NS_PER_MS),
						      step_loop(3, 2, &call, 1) };
			const struct task_config task = { "caller", 0, steps, 2 };
			struct model_config cfg;
			struct run_record r;

			fixture_booted(&cfg, rows[i].profile, 1000, rows[i].cpus);
			cfg.machine.preempt = rows[i].preempt;
			cfg.machine.periodic = true;
			cfg.machine.tick_phase.kind = DIST_UNIFORM;
			cfg.machine.tick_phase.a = 0.0;
			cfg.machine.tick_phase.b = 1e6;
			fixture_tasks(&cfg, &task, 1);
			r = fixture_run(&cfg, 3, k, arena, NULL);
			ns[k] = wait_ns(record_wait(&r, STEP_ID_CALL, 1));
		}
		expect_near((double)fixture_median_ns(ns, RUNS) / 1e6, rows[i].jiffies, 0.02,
			    rows[i].profile);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* Waits of a lone caller in jiffies, CPUs 1..busy running pieces of `piece`. */
static void beside_hogs(struct model_config *cfg, int busy, struct step piece, int calls,
			double *jiffies, struct sim_arena *arena)
{
	sim_time_ns tau_ns = fixture_jiffy_ns(cfg);
	const struct step hog = step_loop(11, -1, &piece, 1);
	const struct step round[] = { step_timed(STEP_SLEEP, 1, 2 * tau_ns + tau_ns / 7),
				      step_of(STEP_SYNC, STEP_ID_CALL) };
	const struct step steps[] = { step_timed(STEP_SLEEP, 3, 5 * tau_ns),
				      step_loop(4, calls, round, 2), step_mark(5, "end") };
	struct task_config tasks[8];
	struct run_record r;

	tasks[0] = (struct task_config){ "caller", 0, steps, 3 };
	for (int i = 1; i <= busy; i++)
		tasks[i] = (struct task_config){ "hog", i, &hog, 1 };
	fixture_tasks(cfg, tasks, (size_t)busy + 1);
	cfg->end_mark = steps[2].label;
	r = fixture_run(cfg, 1, 0, arena, NULL);
	fixture_tasks(cfg, NULL, 0);
	for (int i = 0; i < calls; i++)
		jiffies[i] = (double)wait_ns(record_wait(&r, STEP_ID_CALL, (size_t)i)) /
			     (double)tau_ns;
}

/* Real 6.1, 4 CPUs, HZ=250, 3 and 4 of them in user mode: 2.3 to 3.7 jiffies, idle 2.3 to 4. */
START_TEST(cpus_busy_in_user_mode_do_not_delay_a_grace_period)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	double jiffies[21];

	fixture_booted(&cfg, "v6.1", 250, 4);
	cfg.machine.preempt = PREEMPT_VOLUNTARY;
	beside_hogs(&cfg, 3, step_timed(STEP_RUN_USER, 10, NS_PER_S), 21, jiffies, arena);
	for (int i = 0; i < 21; i++)
		EXPECT(jiffies[i] > 2.0 && jiffies[i] < 4.02, "wait %d: %.3f jiffies", i, jiffies[i]);
	sim_arena_destroy(arena);
}
END_TEST

/*
 * A CPU in kernel mode without preemption is forced at jiffies_till_sched_qs. The
 * age is only looked at by a re-scan, every jn + w jiffies; to it come the start,
 * the forced switch, the report's way to the kthread and the callback's tick.
 * Real 6.1: HZ=250 median 28.9 jiffies (28.5-29.2 on a lean kernel), HZ=100 13.4.
 */
START_TEST(a_kernel_loop_is_forced_at_jiffies_till_sched_qs)
{
	static const struct {
		const char *profile;
		int hz;
		double jtsq;
	} rows[] = {
		{ "v3.19", 250, 12 }, { "v4.1", 250, 12 },   { "v4.4", 250, 12 },
		{ "v4.4", 1000, 50 }, { "v4.9", 100, 5 },    { "v4.9", 250, 12 },
		{ "v4.9", 1000, 50 }, { "v6.1", 100, 10 },   { "v6.1", 250, 25 },
		{ "v6.1", 1000, 100 },
	};
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct model_config cfg;
		double jiffies[5], most;
		int64_t scan;

		fixture_booted(&cfg, rows[i].profile, rows[i].hz, 4);
		scan = 1 + (rows[i].hz > 250) + (rows[i].hz > 500) +
		       cfg.kernel.profile.timer_extra_jiffies;
		/* start 1, a scan's interval, the tick that obeys, a scan that sees it, callback 1 */
		most = rows[i].jtsq + (double)(2 * scan) + 4;
		beside_hogs(&cfg, 1, step_timed(STEP_RUN, 10, 50 * NS_PER_US), 5, jiffies, arena);
		for (int k = 0; k < 5; k++)
			EXPECT(jiffies[k] >= rows[i].jtsq && jiffies[k] <= most,
			       "%s HZ=%d: %.2f jiffies, expected %.0f to %.0f", rows[i].profile,
			       rows[i].hz, jiffies[k], rows[i].jtsq, most);
	}
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(jiffies_till_sched_qs_is_obeyed)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	double jiffies[3];

	fixture_booted(&cfg, "v6.1", 250, 4);
	cfg.kernel.jiffies_till_sched_qs = 60;
	beside_hogs(&cfg, 1, step_timed(STEP_RUN, 10, 50 * NS_PER_US), 3, jiffies, arena);
	for (int k = 0; k < 3; k++)
		EXPECT(jiffies[k] >= 60 && jiffies[k] < 68, "%.2f jiffies", jiffies[k]);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(a_preemptible_kernel_loop_does_not_delay_a_grace_period)
{
	static const char *const profiles[] = { "v3.19", "v4.1", "v4.4", "v4.9", "v6.1" };
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < 5; i++) {
		struct model_config cfg;
		double jiffies[5];

		fixture_booted(&cfg, profiles[i], 250, 4);
		cfg.machine.preempt = PREEMPT_FULL;
		beside_hogs(&cfg, 3, step_timed(STEP_RUN, 10, 50 * NS_PER_US), 5, jiffies, arena);
		for (int k = 0; k < 5; k++)
			EXPECT(jiffies[k] < 5.02, "%s: %.2f jiffies", profiles[i], jiffies[k]);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* --- sharing --- */

START_TEST(callers_at_the_same_time_share_grace_periods)
{
	struct sim_arena *arena = sim_arena_create(0);
	const struct step steps[] = { step_timed(STEP_SLEEP, 1, 30 * NS_PER_MS),
				      step_of(STEP_SYNC, STEP_ID_CALL) };
	struct task_config tasks[32];
	struct model_config cfg;
	struct run_record r;

	fixture_booted(&cfg, "v6.1", 250, 8);
	for (int i = 0; i < 32; i++)
		tasks[i] = (struct task_config){ "caller", i % 8, steps, 2 };
	fixture_tasks(&cfg, tasks, 32);
	r = fixture_run(&cfg, 1, 0, arena, NULL);
	ck_assert_int_eq(r.totals.wait_normal, 32);
	ck_assert_int_le(r.totals.gp_normal, 2);
	for (size_t i = 0; i < r.wait_count; i++)
		ck_assert_int_le(wait_ns(&r.waits[i]), 8 * 4 * NS_PER_MS + NS_PER_MS);
	sim_arena_destroy(arena);
}
END_TEST

/* A request during a grace period needs the rest of it and a whole one. */
START_TEST(joining_a_running_grace_period_costs_up_to_one_more)
{
	struct sim_arena *arena = sim_arena_create(0);
	const struct step first[] = { step_timed(STEP_SLEEP, 1, 30 * NS_PER_MS),
				      step_of(STEP_SYNC, STEP_ID_CALL) };
	const struct step second[] = { step_timed(STEP_SLEEP, 3, 33 * NS_PER_MS),
				       step_of(STEP_SYNC, 4) };
	const struct task_config tasks[] = { { "first", 0, first, 2 }, { "second", 1, second, 2 } };
	struct model_config cfg;
	struct run_record r;
	sim_time_ns late_ns;

	/* offloaded: a grace period starts at once, so the first's runs from 30 to 36 ms */
	fixture_booted(&cfg, "v6.1", 250, 4);
	fixture_offload_all(&cfg);
	fixture_tasks(&cfg, TASKS(tasks));
	r = fixture_run(&cfg, 1, 0, arena, NULL);
	ck_assert_int_eq(r.totals.gp_normal, 2);
	late_ns = record_wait(&r, 4, 0)->end_ns;
	/* its own grace period begins when the first ends, at the tick of 36 ms: + 8 ms */
	ck_assert_int_ge(late_ns, 44 * NS_PER_MS);
	ck_assert_int_le(late_ns, 44 * NS_PER_MS + 200 * NS_PER_US);
	sim_arena_destroy(arena);
}
END_TEST

/* --- callbacks --- */

/* Queues `count` callbacks on CPU 0 and runs in user mode (or sleeps) on it for a while. */
static void queue_callbacks(struct model_config *cfg, int64_t count, bool busy,
			    struct sim_arena *arena, struct trace_log *log)
{
	const struct step steps[] = {
		step_timed(STEP_SLEEP, 1, 21 * NS_PER_MS),
		step_counted(STEP_CALL_RCU, 2, count),
		step_mark(3, "queued"),
		step_timed(busy ? STEP_RUN_USER : STEP_SLEEP, 4, 500 * NS_PER_MS),
	};
	const struct task_config task = { "caller", 0, steps, 4 };
	struct run_record r;

	fixture_tasks(cfg, &task, 1);
	r = fixture_run(cfg, 1, 0, arena, log);
	fixture_tasks(cfg, NULL, 0);
	EXPECT(r.totals.callbacks_invoked == count, "%lld of %lld callbacks invoked",
	       (long long)r.totals.callbacks_invoked, (long long)count);
}

START_TEST(a_batch_ends_at_the_limit_if_the_cpu_has_something_else_to_do)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct trace_log log = { 0 };
	struct model_config cfg;

	fixture_booted(&cfg, "v4.4", 250, 2);
	queue_callbacks(&cfg, 35, true, arena, &log);
	ck_assert_uint_eq(trace_log_count(&log, 0, "rcu_batch_end", "CBs-invoked=10"), 3);
	ck_assert_uint_eq(trace_log_count(&log, 0, "rcu_batch_end", "CBs-invoked=5"), 1);
	trace_log_fini(&log);

	queue_callbacks(&cfg, 35, false, arena, &log);
	ck_assert_uint_eq(trace_log_count(&log, 0, "rcu_batch_end", "CBs-invoked=35"), 1);
	trace_log_fini(&log);

	/* 5.4+: at least 1/128 of what is queued */
	fixture_booted(&cfg, "v6.1", 250, 2);
	queue_callbacks(&cfg, 2560, true, arena, &log);
	ck_assert_uint_ge(trace_log_count(&log, 0, "rcu_batch_end", "CBs-invoked=20"), 1);
	trace_log_fini(&log);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(more_than_qhimark_callbacks_start_a_grace_period_at_once)
{
	static const struct {
		int64_t count;
		bool at_once;
	} rows[] = { { 10000, false }, { 10001, true } };
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;

	for (size_t i = 0; i < 2; i++) {
		struct trace_log log = { 0 };
		size_t at;
		sim_time_ns start_ns;

		fixture_booted(&cfg, "v4.4", 100, 2);
		cfg.machine.costs.call_rcu_ns = 1;
		queue_callbacks(&cfg, rows[i].count, true, arena, &log);
		at = trace_log_find(&log, 0, -1, "rcu_grace_period", " start");
		ck_assert_uint_lt(at, log.count);
		start_ns = log.entry[at].at_ns;
		/* the call comes at 21 ms, the next tick at 30 ms */
		ck_assert_int_eq(start_ns < 29 * NS_PER_MS, rows[i].at_once);
		/* beyond qhimark the limit is lifted */
		ck_assert_uint_eq(trace_log_count(&log, 0, "rcu_batch_end", "CBs-invoked=10001"),
				  rows[i].at_once ? 1 : 0);
		trace_log_fini(&log);
	}
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(call_rcu_is_never_expedited)
{
	static const char *const profiles[] = { "v3.19", "v4.1", "v4.4", "v4.9", "v6.1" };
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < 5; i++) {
		struct model_config cfg;
		struct run_record r;
		const struct wait_record *w;

		fixture_booted(&cfg, profiles[i], 250, 4);
		cfg.kernel.rcu_expedited = true;
		r = lone_caller(&cfg, STEP_CALL_RCU_WAIT, 0.5, 2, arena, NULL);
		w = record_wait(&r, STEP_ID_CALL, 1);
		ck_assert_int_eq(w->path, WAIT_CALLBACK);
		ck_assert_int_eq(r.totals.gp_expedited, 0);
		ck_assert_int_ge(wait_ns(w), 3 * 4 * NS_PER_MS - 50 * NS_PER_US);
		/* while synchronize_rcu() of the same machine is */
		r = lone_caller(&cfg, STEP_SYNC, 0.5, 2, arena, NULL);
		ck_assert_int_eq(record_wait(&r, STEP_ID_CALL, 1)->path, WAIT_EXPEDITED);
		ck_assert_int_eq(r.totals.gp_normal, 0);
	}
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(an_offload_group_is_the_square_root_of_the_possible_cpus)
{
	static const struct {
		int cpus;
		size_t groups;
	} rows[] = { { 1, 1 }, { 3, 3 }, { 4, 2 }, { 5, 3 }, { 8, 4 }, { 9, 3 }, { 16, 4 }, { 64, 8 } };
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct trace_log log = { 0 };
		const struct step pause = step_timed(STEP_SLEEP, 1, 20 * NS_PER_MS);
		const struct task_config task = { "caller", 0, &pause, 1 };
		struct model_config cfg;

		/* each group's kthread runs once when it is made, and nobody calls */
		fixture_booted(&cfg, "v6.1", 250, rows[i].cpus);
		fixture_offload_all(&cfg);
		fixture_tasks(&cfg, &task, 1);
		fixture_run(&cfg, 1, 0, arena, &log);
		ck_assert_uint_eq(trace_log_count(&log, -1, "sched_switch", "==> next_comm=rcuog"),
				  rows[i].groups);
		trace_log_fini(&log);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* --- what a wait's time consists of --- */

START_TEST(a_wait_begins_when_the_callers_earlier_work_is_paid)
{
	static const enum step_kind kinds[] = { STEP_SYNC, STEP_SYNC_EXPEDITED, STEP_CALL_RCU_WAIT };
	static const char *const profiles[] = { "v3.19", "v4.9", "v6.1" };
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < 9; i++) {
		const struct step steps[] = { step_counted(STEP_CALL_RCU, 1, 5000),
					      step_of(kinds[i % 3], 2) };
		const struct task_config task = { "caller", 0, steps, 2 };
		struct model_config cfg;
		struct run_record r;

		fixture_booted(&cfg, profiles[i / 3], 250, 4);
		fixture_tasks(&cfg, &task, 1);
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		ck_assert_int_ge(record_wait(&r, 2, 0)->start_ns,
				 5000 * cfg.machine.costs.call_rcu_ns);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* No event is executed in such a loop, or no time passes: neither limit would end it. */
START_TEST(a_loop_in_which_no_time_passes_stops_the_run)
{
	const struct step wait = step_of(STEP_SYNC, 1);
	const struct step mark = step_mark(1, "again");
	const struct step run = step_timed(STEP_RUN, 1, 0);
	const struct step loops[] = { step_loop(2, 1000000000, &wait, 1),
				      step_loop(2, 1000000000, &mark, 1),
				      step_loop(2, 1000000000, &run, 1) };
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < 3; i++) {
		const struct task_config task = { "spinner", 0, &loops[i], 1 };
		struct model_config cfg;
		struct run_record r;

		fixture_booted(&cfg, "v4.4", 250, 1);
		cfg.machine.costs = (struct platform_costs){ 0 };
		cfg.event_limit = INT64_MAX;
		fixture_tasks(&cfg, &task, 1);
		r = fixture_run_any(&cfg, 1, 0, arena, NULL);
		ck_assert_int_eq(r.stop, RUN_MODEL_ERROR);
		ck_assert_ptr_nonnull(strstr(r.stop_text, "task spinner: 1000000 steps"));
	}
	sim_arena_destroy(arena);
}
END_TEST

/* --- one CPU --- */

/*
 * Real 6.1 on one CPU: 3.00 jiffies back to back at HZ=250 and 1000; offloaded
 * 0.05 to 0.96, back to back 1.00 (112 ticks in 107 jiffies: its tick never stopped).
 */
START_TEST(one_cpu_without_preemption_waits_for_nothing_up_to_4_9)
{
	static const struct {
		const char *profile;
		int preempt;
		bool nothing;
	} rows[] = {
		{ "v3.19", PREEMPT_NONE, true },   { "v3.19", PREEMPT_VOLUNTARY, true },
		{ "v3.19", PREEMPT_FULL, false },  { "v4.1", PREEMPT_NONE, true },
		{ "v4.1", PREEMPT_FULL, false },   { "v4.4", PREEMPT_VOLUNTARY, true },
		{ "v4.4", PREEMPT_FULL, false },   { "v4.9", PREEMPT_NONE, true },
		{ "v4.9", PREEMPT_FULL, false },   { "v6.1", PREEMPT_NONE, false },
		{ "v6.1", PREEMPT_VOLUNTARY, false }, { "v6.1", PREEMPT_FULL, false },
	};
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct model_config cfg;
		struct run_record r;

		fixture_booted(&cfg, rows[i].profile, 250, 1);
		cfg.machine.preempt = rows[i].preempt;
		r = lone_caller(&cfg, STEP_SYNC, 0.5, 3, arena, NULL);
		EXPECT(r.totals.wait_noop == (rows[i].nothing ? 3 : 0) &&
			       r.totals.gp_normal == (rows[i].nothing ? 0 : 3),
		       "%s preempt %d: %lld no-ops, %lld grace periods", rows[i].profile,
		       rows[i].preempt, (long long)r.totals.wait_noop,
		       (long long)r.totals.gp_normal);
		EXPECT((r.totals.wait_ns == 0) == rows[i].nothing, "%s preempt %d: %lld ns",
		       rows[i].profile, rows[i].preempt, (long long)r.totals.wait_ns);
	}
	for (int hz = 250; hz <= 1000; hz += 750) {
		struct model_config cfg;

		fixture_booted(&cfg, "v6.1", hz, 1);
		expect_near(b2b_jiffies(&cfg, arena), 3.0, 0.02, "6.1, one CPU");
		fixture_offload_all(&cfg);
		cfg.machine.periodic = true;
		expect_near(b2b_jiffies(&cfg, arena), 1.0, 0.02, "6.1, one offloaded CPU");
	}
	sim_arena_destroy(arena);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("normal");

	tcase_add_test(tcase, a_timeout_of_j_jiffies_ends_at_tick_j_and_from_4_8_on_one_later);
	tcase_add_test(tcase, the_fqs_interval_grows_with_hz_and_possible_cpus);
	tcase_add_test(tcase, jiffies_till_first_fqs_is_obeyed_and_capped_at_one_second);
	tcase_add_test(tcase, up_to_4_1_the_end_is_noticed_by_timeout_only);
	tcase_add_test(tcase, a_cpu_reports_one_tick_after_it_noticed);
	tcase_add_test(tcase, idle_ticks_of_a_preemptible_kernel_count_up_to_4_19_only);
	tcase_add_test(tcase, cpus_busy_in_user_mode_do_not_delay_a_grace_period);
	tcase_add_test(tcase, a_kernel_loop_is_forced_at_jiffies_till_sched_qs);
	tcase_add_test(tcase, jiffies_till_sched_qs_is_obeyed);
	tcase_add_test(tcase, a_preemptible_kernel_loop_does_not_delay_a_grace_period);
	tcase_add_test(tcase, callers_at_the_same_time_share_grace_periods);
	tcase_add_test(tcase, joining_a_running_grace_period_costs_up_to_one_more);
	tcase_add_test(tcase, a_batch_ends_at_the_limit_if_the_cpu_has_something_else_to_do);
	tcase_add_test(tcase, more_than_qhimark_callbacks_start_a_grace_period_at_once);
	tcase_add_test(tcase, call_rcu_is_never_expedited);
	tcase_add_test(tcase, an_offload_group_is_the_square_root_of_the_possible_cpus);
	tcase_add_test(tcase, a_wait_begins_when_the_callers_earlier_work_is_paid);
	tcase_add_test(tcase, a_loop_in_which_no_time_passes_stops_the_run);
	tcase_add_test(tcase, one_cpu_without_preemption_waits_for_nothing_up_to_4_9);
	return fixture_main(suite_create("waits"), tcase);
}
