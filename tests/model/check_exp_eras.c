/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who drives an expedited grace period, and what that costs: the caller, a work
 * item among others, kthread workers fair and FIFO; leaves one after the other
 * or at once; sharing by many callers; a CPU that is just going off line; an IPI
 * that gets lost. docs/expedited.md.
 */
#include <time.h>

#include "tests/model/model_fixture.h"
#include "tests/model/oracle_bench.h"

#define CPUS_TEST_MAX 4096
#define STEP_ID_CALL 2

struct era {
	const char *name;
	const char *profile;
	int64_t driver;
	bool fifo; /* CONFIG_RCU_EXP_KTHREAD */
};

static const struct era eras[] = {
	{ "caller (4.4)", "v4.4", EXP_DRIVER_CALLER, false },
	{ "system_wq (4.9)", "v4.9", EXP_DRIVER_SYSTEM_WQ, false },
	{ "system_wq (4.14)", "v6.1", EXP_DRIVER_SYSTEM_WQ, false },
	{ "rcu_gp_wq (4.19-6.8)", "v6.1", EXP_DRIVER_RCU_GP_WQ, false },
	{ "FIFO kthreads (6.1)", "v6.1", EXP_DRIVER_RCU_GP_WQ, true },
	{ "kthreads (6.12)", "v6.1", EXP_DRIVER_KTHREAD, false },
	{ "FIFO kthreads (6.12)", "v6.1", EXP_DRIVER_KTHREAD, true },
};
#define ERAS ((int)(sizeof(eras) / sizeof(eras[0])))
enum { ERA_CALLER, ERA_4_9, ERA_4_14, ERA_6_1, ERA_6_1_FIFO, ERA_6_12, ERA_6_12_FIFO };

/* The eras differ in who drives; everything else is that of the profile. */
static void era_booted(struct model_config *cfg, const struct era *era, int cpus)
{
	fixture_booted(cfg, era->profile, 250, cpus);
	cfg->kernel.profile.exp_driver = era->driver;
	if (era->driver == EXP_DRIVER_KTHREAD)
		cfg->kernel.profile.version = 612;
	cfg->machine.preempt = PREEMPT_FULL;
	cfg->kernel.rcu_exp_kthread = era->fifo;
	cfg->kernel.rcu_boost = era->fifo;
}

/* --- the worker pool --- */

/*
 * A work item of 15 ms is queued to CPU 0's workers at 21 ms; a caller on that
 * CPU asks at 26 ms. A driver in the same pool comes after it, whoever has the
 * CPU; a kthread worker goes to an idle one.
 */
static sim_time_ns wait_behind_work(const struct era *era, const struct step *work,
				    size_t work_steps, struct sim_arena *arena)
{
	const struct step queue = { .kind = STEP_QUEUE_WORK, .id = 10, .cpu = 0, .body = work,
				    .body_count = work_steps };
	const struct step feeder[] = { step_timed(STEP_SLEEP, 1, 21 * NS_PER_MS), queue };
	const struct step caller[] = { step_timed(STEP_SLEEP, 3, 26 * NS_PER_MS),
				       step_of(STEP_SYNC_EXPEDITED, STEP_ID_CALL) };
	const struct task_config tasks[] = { { "feeder", 1, feeder, 2 },
					     { "caller", 0, caller, 2 } };
	struct model_config cfg;
	struct run_record r;

	era_booted(&cfg, era, 4);
	fixture_tasks(&cfg, TASKS(tasks));
	r = fixture_run(&cfg, 1, 0, arena, NULL);
	return wait_ns(record_wait(&r, STEP_ID_CALL, 0));
}

static bool in_pool(const struct era *era)
{
	return !era->fifo &&
	       (era->driver == EXP_DRIVER_SYSTEM_WQ || era->driver == EXP_DRIVER_RCU_GP_WQ);
}

START_TEST(a_driver_in_a_workqueue_waits_for_the_items_before_it)
{
	const struct step run = step_timed(STEP_RUN, 11, 15 * NS_PER_MS);
	struct sim_arena *arena = sim_arena_create(0);
	sim_time_ns ns = wait_behind_work(&eras[_i], &run, 1, arena);

	/* the item shares the CPU with nobody but the caller, who sleeps */
	if (in_pool(&eras[_i]))
		EXPECT(ns > 9 * NS_PER_MS && ns < 11 * NS_PER_MS, "%s: %lld ns", eras[_i].name,
		       (long long)ns);
	else
		EXPECT(ns < 50 * NS_PER_US, "%s: %lld ns", eras[_i].name, (long long)ns);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(an_item_that_sleeps_lets_the_driver_pass)
{
	const struct step nap[] = { step_timed(STEP_RUN, 11, 100 * NS_PER_US),
				    step_timed(STEP_SLEEP, 12, 10 * NS_PER_MS),
				    step_timed(STEP_RUN, 13, 100 * NS_PER_US) };
	struct sim_arena *arena = sim_arena_create(0);
	sim_time_ns ns = wait_behind_work(&eras[_i], nap, 3, arena);

	EXPECT(ns < 50 * NS_PER_US, "%s: %lld ns", eras[_i].name, (long long)ns);
	sim_arena_destroy(arena);
}
END_TEST

/* An item that itself waits for a grace period gives way to its driver. */
START_TEST(an_item_may_wait_for_an_expedited_grace_period)
{
	const struct step sync[] = { step_of(STEP_SYNC_EXPEDITED, 11),
				     step_of(STEP_SYNC_EXPEDITED, 12) };
	struct sim_arena *arena = sim_arena_create(0);
	sim_time_ns ns = wait_behind_work(&eras[_i], sync, 2, arena);

	EXPECT(ns < 50 * NS_PER_US, "%s: %lld ns", eras[_i].name, (long long)ns);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(work_items_run_in_the_order_they_were_queued)
{
	const struct step pieces[2][2] = {
		{ step_timed(STEP_RUN, 11, 3 * NS_PER_MS), step_mark(12, "first") },
		{ step_timed(STEP_RUN, 13, 1 * NS_PER_MS), step_mark(14, "second") },
	};
	const struct step feeder[] = {
		step_timed(STEP_SLEEP, 1, 21 * NS_PER_MS),
		{ .kind = STEP_QUEUE_WORK, .id = 2, .cpu = 1, .body = pieces[0], .body_count = 2 },
		{ .kind = STEP_QUEUE_WORK, .id = 3, .cpu = 1, .body = pieces[1], .body_count = 2 },
	};
	const struct task_config tasks[] = { { "feeder", 0, feeder, 3 } };
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	struct run_record r;
	sim_time_ns gap_ns;

	era_booted(&cfg, &eras[ERA_6_1], 2);
	fixture_tasks(&cfg, TASKS(tasks));
	r = fixture_run(&cfg, 1, 0, arena, NULL);
	gap_ns = record_mark_ns(&r, "second") - record_mark_ns(&r, "first");
	EXPECT(gap_ns >= NS_PER_MS && gap_ns < NS_PER_MS + 100 * NS_PER_US, "%lld ns",
	       (long long)gap_ns);
	sim_arena_destroy(arena);
}
END_TEST

/*
 * The first item sleeps, the second begins; they share the CPU, the second ends
 * first, and its worker leaves the third to the other one.
 */
START_TEST(two_workers_awake_take_no_third_item)
{
	const struct step one[] = { step_timed(STEP_RUN, 11, NS_PER_MS),
				    step_timed(STEP_SLEEP, 12, NS_PER_MS),
				    step_timed(STEP_RUN, 13, 40 * NS_PER_MS), step_mark(14, "one") };
	const struct step two[] = { step_timed(STEP_RUN, 15, 20 * NS_PER_MS),
				    step_mark(16, "two") };
	const struct step three[] = { step_mark(17, "three") };
	const struct step feeder[] = {
		step_timed(STEP_SLEEP, 1, 21 * NS_PER_MS),
		{ .kind = STEP_QUEUE_WORK, .id = 2, .cpu = 1, .body = one, .body_count = 4 },
		{ .kind = STEP_QUEUE_WORK, .id = 3, .cpu = 1, .body = two, .body_count = 2 },
		{ .kind = STEP_QUEUE_WORK, .id = 4, .cpu = 1, .body = three, .body_count = 1 },
	};
	const struct task_config tasks[] = { { "feeder", 0, feeder, 4 } };
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	struct run_record r;

	era_booted(&cfg, &eras[ERA_6_1], 2);
	fixture_tasks(&cfg, TASKS(tasks));
	r = fixture_run(&cfg, 1, 0, arena, NULL);
	EXPECT(record_mark_ns(&r, "two") < record_mark_ns(&r, "one") &&
		       record_mark_ns(&r, "one") <= record_mark_ns(&r, "three"),
	       "two at %lld ns, one at %lld, three at %lld", (long long)record_mark_ns(&r, "two"),
	       (long long)record_mark_ns(&r, "one"), (long long)record_mark_ns(&r, "three"));
	sim_arena_destroy(arena);
}
END_TEST

/*
 * Both CPUs have a hog and three tasks that sleep 9 ms and run 1.5 ms: a fair
 * worker has slept no longer than they have, and waits for its turn.
 */
START_TEST(only_a_fifo_worker_passes_tasks_that_have_slept_too)
{
	const struct step piece = step_timed(STEP_RUN_USER, 13, NS_PER_S);
	const struct step hog = step_loop(14, -1, &piece, 1);
	const struct step burst[] = { step_timed(STEP_RUN_USER, 10, 1500 * NS_PER_US),
				      step_timed(STEP_SLEEP, 11, 9 * NS_PER_MS) };
	const struct step busy = step_loop(12, -1, burst, 2);
	const struct step round[] = { step_timed(STEP_SLEEP, 1, 7700 * NS_PER_US),
				      step_of(STEP_SYNC_EXPEDITED, STEP_ID_CALL) };
	const struct step caller[] = { step_loop(3, 100, round, 2), step_mark(4, "end") };
	struct task_config tasks[9];
	struct sim_arena *arena = sim_arena_create(0);
	sim_time_ns mean_ns[2];

	tasks[0] = (struct task_config){ "caller", 0, caller, 2 };
	for (int i = 0; i < 8; i++)
		tasks[1 + i] = (struct task_config){ "busy", i % 2, i < 2 ? &hog : &busy, 1 };
	for (int fifo = 0; fifo <= 1; fifo++) {
		struct model_config cfg;
		struct run_record r;
		sim_time_ns sum_ns = 0;

		era_booted(&cfg, &eras[fifo ? ERA_6_12_FIFO : ERA_6_12], 2);
		fixture_tasks(&cfg, tasks, 9);
		cfg.end_mark = caller[1].label;
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		/* to the grace period's end: the caller is fair in both and waits for its own turn */
		for (size_t i = 0; i < r.gp_count; i++)
			sum_ns += r.gps[i].end_ns - r.gps[i].start_ns;
		EXPECT(r.gp_count == 100, "%zu grace periods", r.gp_count);
		mean_ns[fifo] = sum_ns / 100;
	}
	EXPECT(mean_ns[1] < 50 * NS_PER_US, "FIFO: %lld ns", (long long)mean_ns[1]);
	EXPECT(mean_ns[0] > 5 * mean_ns[1], "fair: %lld ns, FIFO: %lld", (long long)mean_ns[0],
	       (long long)mean_ns[1]);
	sim_arena_destroy(arena);
}
END_TEST

/* --- leaves --- */

/* One wait of CPU 0 with `busy` others in user mode; its grace period's length. */
static sim_time_ns gp_ns_with_busy(const struct era *era, int cpus, int busy,
				   struct sim_arena *arena, struct run_record *record)
{
	static struct task_config tasks[CPUS_TEST_MAX];
	const struct step piece = step_timed(STEP_RUN_USER, 10, NS_PER_S);
	const struct step hog = step_loop(11, -1, &piece, 1);
	const struct step caller[] = { step_timed(STEP_SLEEP, 1, 23 * NS_PER_MS),
				       step_of(STEP_SYNC_EXPEDITED, STEP_ID_CALL),
				       step_mark(5, "end") };
	struct model_config cfg;

	era_booted(&cfg, era, cpus);
	tasks[0] = (struct task_config){ "caller", 0, caller, 3 };
	for (int i = 1; i <= busy; i++)
		tasks[i] = (struct task_config){ "hog", i, &hog, 1 };
	fixture_tasks(&cfg, tasks, (size_t)busy + 1);
	cfg.end_mark = caller[2].label;
	*record = fixture_run(&cfg, 1, 0, arena, NULL);
	for (size_t i = 0; i < record->gp_count; i++)
		if (record->gps[i].expedited)
			return record->gps[i].end_ns - record->gps[i].start_ns;
	ck_abort_msg("no expedited grace period");
	return 0;
}

START_TEST(leaves_at_once_are_faster_than_one_after_the_other)
{
	static const int cpus[] = { 64, 256, 4096 };
	struct sim_arena *arena = sim_arena_create(0);
	struct run_record r;
	sim_time_ns before_ns = 0;

	for (int i = 0; i < 3; i++) {
		sim_time_ns serial_ns = gp_ns_with_busy(&eras[ERA_4_14], cpus[i], cpus[i] - 1, arena, &r);
		int64_t serial_ipis = r.totals.ipi_exp;
		sim_time_ns parallel_ns = gp_ns_with_busy(&eras[ERA_6_1], cpus[i], cpus[i] - 1, arena, &r);

		EXPECT(serial_ipis == cpus[i] - 1, "%d CPUs, serial: %lld IPIs", cpus[i],
		       (long long)serial_ipis);
		/* the first CPU of each leaf but the first and the last selects for itself */
		EXPECT(r.totals.ipi_exp == cpus[i] - 1 - (cpus[i] / 16 - 2), "%d CPUs, parallel: %lld IPIs",
		       cpus[i], (long long)r.totals.ipi_exp);
		EXPECT(parallel_ns < serial_ns, "%d CPUs: parallel %lld ns, serial %lld", cpus[i],
		       (long long)parallel_ns, (long long)serial_ns);
		EXPECT(serial_ns - parallel_ns > before_ns, "%d CPUs: gain %lld ns, with fewer %lld",
		       cpus[i], (long long)(serial_ns - parallel_ns), (long long)before_ns);
		before_ns = serial_ns - parallel_ns;
		if (getenv("RCUSIM_TEST_FIGURES"))
			fprintf(stderr, "%d CPUs: serial %lld ns, parallel %lld ns\n", cpus[i],
				(long long)serial_ns, (long long)parallel_ns);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* One leaf: nothing to hand out. With all others idle handing out costs more than it brings. */
START_TEST(one_leaf_or_idle_leaves_gain_nothing)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct run_record r;
	sim_time_ns serial_ns = gp_ns_with_busy(&eras[ERA_4_14], 16, 15, arena, &r);
	sim_time_ns parallel_ns = gp_ns_with_busy(&eras[ERA_6_1], 16, 15, arena, &r);

	EXPECT(serial_ns == parallel_ns, "16 CPUs: %lld ns and %lld", (long long)serial_ns,
	       (long long)parallel_ns);
	serial_ns = gp_ns_with_busy(&eras[ERA_4_14], 64, 0, arena, &r);
	EXPECT(r.totals.idle_wakeups == 0, "serial: %lld idle CPUs woken",
	       (long long)r.totals.idle_wakeups);
	parallel_ns = gp_ns_with_busy(&eras[ERA_6_1], 64, 0, arena, &r);
	/* leaves 1 and 2; leaf 0's worker is on the driver's CPU, leaf 3 the driver's own */
	EXPECT(r.totals.idle_wakeups == 2, "parallel: %lld idle CPUs woken",
	       (long long)r.totals.idle_wakeups);
	EXPECT(parallel_ns > serial_ns, "64 idle CPUs: %lld ns, serial %lld", (long long)parallel_ns,
	       (long long)serial_ns);
	sim_arena_destroy(arena);
}
END_TEST

/* To 6.8 one kthread worker selects all leaves but the last; later each leaf has one. */
START_TEST(kthread_workers_are_one_or_one_for_each_leaf)
{
	struct sim_arena *arena = sim_arena_create(0);

	for (int i = ERA_6_1_FIFO; i <= ERA_6_12_FIFO; i++) {
		const struct step caller[] = { step_timed(STEP_SLEEP, 1, 23 * NS_PER_MS),
					       step_of(STEP_SYNC_EXPEDITED, STEP_ID_CALL) };
		const struct task_config tasks[] = { { "caller", 0, caller, 2 } };
		struct trace_log log = { 0 };
		struct model_config cfg;
		size_t woken;

		era_booted(&cfg, &eras[i], 64);
		fixture_tasks(&cfg, TASKS(tasks));
		fixture_run(&cfg, 1, 0, arena, &log);
		woken = trace_log_count(&log, -1, "sched_waking", "comm=rcu_exp_par_gp_");
		EXPECT(woken == (i == ERA_6_1_FIFO ? 1 : 3), "%s: %zu wake-ups", eras[i].name, woken);
		EXPECT(trace_log_count(&log, -1, "sched_waking", "comm=kworker") == 0,
		       "%s: a kworker is woken", eras[i].name);
		trace_log_fini(&log);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* Before the core initcalls the caller does it all itself, whatever the era. */
START_TEST(in_the_init_phase_the_caller_selects_every_leaf)
{
	const struct step boot[] = {
		step_at(LEVEL_SMP, step_timed(STEP_BRING_UP, 1, 100 * NS_PER_US)),
		step_at(LEVEL_SMP, step_mark(2, "init")),
		step_at(LEVEL_SMP, step_of(STEP_SYNC, 3)),
		step_at(LEVEL_DEVICE, step_mark(4, "running")),
		step_at(LEVEL_DEVICE, step_of(STEP_SYNC, 5)),
		step_at(LEVEL_DEVICE, step_mark(6, "end")),
	};
	struct sim_arena *arena = sim_arena_create(0);
	struct trace_log log = { 0 };
	struct model_config cfg;
	struct run_record r;
	size_t early = 0, late = 0;

	fixture_boot(&cfg, "v6.1", 250, 48);
	cfg.boot_steps = boot;
	cfg.boot_step_count = 6;
	cfg.end_mark = boot[5].label;
	r = fixture_run(&cfg, 1, 0, arena, &log);
	for (size_t i = 0; i < log.count; i++) {
		if (strcmp(log.entry[i].event, "sched_waking") != 0 ||
		    !strstr(log.entry[i].detail, "comm=kworker"))
			continue;
		*(log.entry[i].at_ns < record_mark_ns(&r, "running") ? &early : &late) += 1;
	}
	EXPECT(early == 0 && late >= 3, "kworkers woken: %zu in INIT, %zu in RUNNING", early, late);
	ck_assert_int_eq(record_wait(&r, 3, 0)->path, WAIT_EXPEDITED);
	ck_assert_int_eq(record_wait(&r, 5, 0)->path, WAIT_EXPEDITED);
	trace_log_fini(&log);
	sim_arena_destroy(arena);
}
END_TEST

/* --- sharing --- */

/* Ends of expedited grace periods while the wait lasted. */
static int ends_during(const struct run_record *r, const struct wait_record *w)
{
	int ends = 0;

	for (size_t i = 0; i < r->gp_count; i++)
		ends += r->gps[i].expedited && r->gps[i].end_ns > w->start_ns &&
			r->gps[i].end_ns <= w->end_ns;
	return ends;
}

START_TEST(any_number_of_simultaneous_callers_cost_two_grace_periods)
{
	static const int callers[] = { 2, 7, 32, 200 };
	struct sim_arena *arena = sim_arena_create(0);
	const struct step call[] = { step_timed(STEP_SLEEP, 1, 21 * NS_PER_MS),
				     step_of(STEP_SYNC_EXPEDITED, STEP_ID_CALL) };
	struct task_config tasks[200];

	for (int fanout = 2; fanout <= 16; fanout += 14) {
		for (int i = 0; i < 4; i++) {
			struct model_config cfg;
			struct run_record r;

			era_booted(&cfg, &eras[_i], 32);
			cfg.kernel.rcu_fanout_leaf = fanout;
			for (int k = 0; k < callers[i]; k++)
				tasks[k] = (struct task_config){ "caller", k % 32, call, 2 };
			fixture_tasks(&cfg, tasks, (size_t)callers[i]);
			r = fixture_run(&cfg, 1, 0, arena, NULL);
			ck_assert_int_eq(r.totals.wait_expedited, callers[i]);
			/* those that share a CPU come one after the other: a few more */
			if (callers[i] <= 32)
				EXPECT(r.totals.gp_expedited <= 2, "%s, %d callers: %lld grace periods",
				       eras[_i].name, callers[i], (long long)r.totals.gp_expedited);
			else
				EXPECT(r.totals.gp_expedited < 20, "%s, %d callers: %lld grace periods",
				       eras[_i].name, callers[i], (long long)r.totals.gp_expedited);
			/* the second end is the one that proves it; a third may follow before
			 * the caller has the CPU again */
			for (size_t w = 0; w < r.wait_count; w++)
				EXPECT(ends_during(&r, &r.waits[w]) <= 2 + callers[i] / 32,
				       "%s, %d callers: a wait through %d ends", eras[_i].name,
				       callers[i], ends_during(&r, &r.waits[w]));
		}
	}
	sim_arena_destroy(arena);
}
END_TEST

/* Callers that never rest, on a tree of many levels: the oracle watches (condition 13). */
START_TEST(callers_in_loops_share_and_none_waits_for_a_third_end)
{
	struct sim_arena *arena = sim_arena_create(0);
	const struct step round[] = { { .kind = STEP_RUN_USER, .id = 1, .cpu = -1,
					.duration = { .kind = DIST_EXPONENTIAL, .a = 30000.0 } },
				      step_of(STEP_SYNC_EXPEDITED, STEP_ID_CALL) };
	const struct step loop = step_loop(3, 100, round, 2);
	struct task_config tasks[64];
	struct model_config cfg;
	struct run_record r;

	era_booted(&cfg, &eras[_i], 64);
	cfg.kernel.rcu_fanout_leaf = 2;
	cfg.kernel.profile.fanout = 4;
	for (int i = 0; i < 64; i++)
		tasks[i] = (struct task_config){ "caller", i, &loop, 1 };
	fixture_tasks(&cfg, tasks, 64);
	r = fixture_run(&cfg, 5, 0, arena, NULL);
	ck_assert_int_eq(r.totals.wait_expedited, 6400);
	EXPECT(r.totals.gp_expedited < 6400 / 4, "%s: %lld grace periods for 6400 waits",
	       eras[_i].name, (long long)r.totals.gp_expedited);
	sim_arena_destroy(arena);
}
END_TEST

/*
 * 31 callers share a grace period whose end wakes them at 20 us each, while one
 * more waits for the next: that one starts when the first of them, who asked for
 * the last one, is awake, on another CPU than the driver's.
 */
START_TEST(the_next_grace_period_overlaps_with_the_last_ones_wake_ups)
{
	struct sim_arena *arena = sim_arena_create(0);
	const struct step long_read = step_timed(STEP_RUN, 10, 30 * NS_PER_MS);
	const struct step reader[] = { { .kind = STEP_READ, .id = 9, .cpu = -1, .body = &long_read,
				      .body_count = 1 } };
	const struct step call[] = { step_timed(STEP_SLEEP, 1, 20 * NS_PER_MS),
				     step_of(STEP_SYNC_EXPEDITED, STEP_ID_CALL) };
	/* asks while the grace period of the others waits for the second reader */
	const struct step late[] = { step_timed(STEP_SLEEP, 3, 32 * NS_PER_MS),
				     step_of(STEP_SYNC_EXPEDITED, 4) };
	const struct step first[] = { step_timed(STEP_SLEEP, 5, 15 * NS_PER_MS),
				      step_of(STEP_SYNC_EXPEDITED, 6) };
	/* holds the grace period that begins at 30 ms until 36 ms */
	const struct step read = step_timed(STEP_RUN, 8, 7 * NS_PER_MS);
	const struct step again[] = { step_timed(STEP_SLEEP, 7, 29 * NS_PER_MS),
				      { .kind = STEP_READ, .id = 11, .cpu = -1, .body = &read,
					.body_count = 1 } };
	struct task_config tasks[35];
	struct model_config cfg;
	struct run_record r;
	sim_time_ns gap_ns;

	era_booted(&cfg, &eras[ERA_6_1], 36);
	cfg.kernel.rcu_fanout_leaf = 64;
	cfg.machine.costs.wakeup_ns = 20 * NS_PER_US;
	tasks[0] = (struct task_config){ "first", 0, first, 2 };
	tasks[1] = (struct task_config){ "reader", 1, reader, 1 };
	tasks[2] = (struct task_config){ "again", 2, again, 2 };
	tasks[3] = (struct task_config){ "late", 3, late, 2 };
	for (int i = 4; i < 35; i++)
		tasks[i] = (struct task_config){ "caller", -1, call, 2 };
	fixture_tasks(&cfg, tasks, 35);
	r = fixture_run(&cfg, 1, 0, arena, NULL);
	ck_assert_int_eq(r.totals.gp_expedited, 3);
	EXPECT(r.gps[1].end_ns > 35 * NS_PER_MS, "the second ends at %lld ns",
	       (long long)r.gps[1].end_ns);
	gap_ns = r.gps[2].start_ns - r.gps[1].end_ns;
	EXPECT(gap_ns > 0 && gap_ns < 5 * 20 * NS_PER_US, "the third starts %lld ns later",
	       (long long)gap_ns);
	/* nothing holds the third, but its end comes after the last of the second's wake-ups */
	gap_ns = r.gps[2].end_ns - r.gps[1].end_ns;
	EXPECT(gap_ns > 31 * 20 * NS_PER_US, "the third ends %lld ns later", (long long)gap_ns);
	sim_arena_destroy(arena);
}
END_TEST

/* --- what goes wrong --- */

/* CPU 1 runs on while the task on CPU 0 waits; the caller asks at 30 ms. */
static void start_going_off(struct bench *b, struct step *hog, struct task_config tasks[2])
{
	bench_config(b, "v6.1", 4);
	b->config.machine.preempt = PREEMPT_FULL;
	b->steps[0] = (struct step){ .kind = STEP_SLEEP, .id = 1,
				     .duration = dist_constant(30 * NS_PER_MS) };
	b->steps[1] = (struct step){ .kind = STEP_SYNC_EXPEDITED, .id = 2 };
	b->task.step_count = 2;
	*hog = (struct step){ .kind = STEP_RUN_USER, .id = 3, .duration = dist_constant(NS_PER_S) };
	tasks[0] = b->task;
	tasks[1] = (struct task_config){ .name = "hog", .cpu = 1, .steps = hog, .step_count = 1 };
	b->config.tasks = tasks;
	b->config.task_count = 2;
	bench_start(b);
	bench_program(b);
	bench_run_to(b, 25 * NS_PER_MS);
}

/*
 * A CPU that RCU counts as on line and that takes no IPIs any more is tried again
 * after a jiffy; when it is off line for RCU as well, nobody waits for it.
 */
START_TEST(a_cpu_going_off_line_is_tried_again)
{
	struct bench b;
	struct step hog;
	struct task_config tasks[2];
	struct rcu_node *leaf;

	start_going_off(&b, &hog, tasks);
	leaf = b.m->cpus[1].rdp->mynode;
	b.m->cpus[1].online = false;
	bench_run_to(&b, 43 * NS_PER_MS);
	bench_check_silent(&b);
	EXPECT(b.m->totals->gp_expedited == 0 && b.m->totals->ipi_exp == 0,
	       "%lld grace periods, %lld IPIs", (long long)b.m->totals->gp_expedited,
	       (long long)b.m->totals->ipi_exp);
	if (_i == 0) {
		b.m->cpus[1].online = true; /* it stayed after all */
	} else {
		leaf->qsmaskinitnext &= ~b.m->cpus[1].rdp->grpmask;
		b.m->cpus[1].eqs_seq++; /* as it is in the end */
		oracle_quiescent(&b.m->cpus[1]);
	}
	bench_run_to(&b, 53 * NS_PER_MS);
	bench_check_silent(&b);
	EXPECT(b.m->totals->gp_expedited == 1 && b.m->totals->ipi_exp == 1 - _i,
	       "%lld grace periods, %lld IPIs", (long long)b.m->totals->gp_expedited,
	       (long long)b.m->totals->ipi_exp);
	bench_stop(&b);
}
END_TEST

/*
 * The second of three waits loses its only IPI. From 5.8 on the call is found
 * when the CPU next leaves its idle loop; before, the grace period never ends.
 */
START_TEST(a_lost_ipi_holds_the_grace_period_until_the_target_has_been_idle)
{
	const struct step piece[] = { step_timed(STEP_RUN_USER, 10, 50 * NS_PER_MS),
				      step_timed(STEP_SLEEP, 11, 10 * NS_PER_MS) };
	const struct step hog = step_loop(12, -1, piece, 2);
	const struct step calls[] = { step_timed(STEP_SLEEP, 1, 21 * NS_PER_MS),
				      step_of(STEP_SYNC_EXPEDITED, 2),
				      step_of(STEP_SYNC_EXPEDITED, 3),
				      step_of(STEP_SYNC_EXPEDITED, 4), step_mark(5, "end") };
	const struct task_config tasks[] = { { "caller", 0, calls, 5 }, { "hog", 1, &hog, 1 } };
	struct sim_arena *arena = sim_arena_create(0);
	bool found = _i >= ERA_4_14;

	for (int preempt = PREEMPT_NONE; preempt <= PREEMPT_FULL; preempt += 2) {
		struct model_config cfg;
		struct run_record r;

		if (preempt == PREEMPT_NONE && eras[_i].fifo)
			continue; /* no RCU_BOOST */
		era_booted(&cfg, &eras[_i], 2);
		cfg.machine.preempt = preempt;
		cfg.faults.lose_ipi = 2;
		cfg.time_limit_ns = NS_PER_S;
		fixture_tasks(&cfg, TASKS(tasks));
		cfg.end_mark = calls[4].label;
		r = fixture_run_any(&cfg, 1, 0, arena, NULL);
		EXPECT(r.stop == (found ? RUN_COMPLETED : RUN_TIME_LIMIT), "%s: %s: %s",
		       eras[_i].name, run_stop_name(r.stop), r.stop_text);
		EXPECT(wait_ns(record_wait(&r, 2, 0)) < 50 * NS_PER_US, "%s: the first: %lld ns",
		       eras[_i].name, (long long)wait_ns(record_wait(&r, 2, 0)));
		if (!found)
			continue;
		/* the hog leaves idle at 60 ms */
		EXPECT(record_wait(&r, 3, 0)->end_ns > 60 * NS_PER_MS &&
			       record_wait(&r, 3, 0)->end_ns < 60 * NS_PER_MS + 100 * NS_PER_US,
		       "%s: the second ends at %lld ns", eras[_i].name,
		       (long long)record_wait(&r, 3, 0)->end_ns);
		EXPECT(wait_ns(record_wait(&r, 4, 0)) < 50 * NS_PER_US, "%s: the third: %lld ns",
		       eras[_i].name, (long long)wait_ns(record_wait(&r, 4, 0)));
	}
	sim_arena_destroy(arena);
}
END_TEST

/* --- size --- */

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/*
 * 4,096 CPUs, all but the caller's busy, oracle on: a normal and an expedited
 * grace period. The figures are in docs/expedited.md.
 */
START_TEST(a_machine_of_4096_cpus_has_both_kinds_of_grace_period)
{
	static struct task_config tasks[CPUS_TEST_MAX];
	const struct step piece = step_timed(STEP_RUN_USER, 10, NS_PER_S);
	const struct step hog = step_loop(11, -1, &piece, 1);
	const struct step caller[] = { step_timed(STEP_SLEEP, 1, 23 * NS_PER_MS),
				       step_of(STEP_SYNC, STEP_ID_CALL),
				       step_of(STEP_SYNC_EXPEDITED, 3), step_mark(5, "end") };
	struct sim_arena *arena = sim_arena_create(0);
	double start_s = seconds();
	struct model_config cfg;
	struct run_record r;

	fixture_booted(&cfg, "v6.1", 250, 4096);
	tasks[0] = (struct task_config){ "caller", 0, caller, 4 };
	for (int i = 1; i < 4096; i++)
		tasks[i] = (struct task_config){ "hog", i, &hog, 1 };
	fixture_tasks(&cfg, tasks, 4096);
	cfg.end_mark = caller[3].label;
	r = fixture_run(&cfg, 1, 0, arena, NULL);
	ck_assert_int_ge(r.totals.gp_normal, 1);
	ck_assert_int_eq(r.totals.gp_expedited, 1);
	/* 256 leaves; the first CPUs of 254 select for themselves */
	ck_assert_int_eq(r.totals.ipi_exp, 4095 - 254);
	if (getenv("RCUSIM_TEST_FIGURES"))
		fprintf(stderr, "4096 CPUs: %.3f s, %lld events, normal %lld ns, expedited %lld ns\n",
			seconds() - start_s, (long long)r.totals.events,
			(long long)wait_ns(record_wait(&r, STEP_ID_CALL, 0)),
			(long long)wait_ns(record_wait(&r, 3, 0)));
	sim_arena_destroy(arena);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("eras");

	tcase_add_loop_test(tcase, a_driver_in_a_workqueue_waits_for_the_items_before_it, 0, ERAS);
	tcase_add_loop_test(tcase, an_item_that_sleeps_lets_the_driver_pass, 0, ERAS);
	tcase_add_loop_test(tcase, an_item_may_wait_for_an_expedited_grace_period, 0, ERAS);
	tcase_add_test(tcase, work_items_run_in_the_order_they_were_queued);
	tcase_add_test(tcase, two_workers_awake_take_no_third_item);
	tcase_add_test(tcase, only_a_fifo_worker_passes_tasks_that_have_slept_too);
	tcase_add_test(tcase, leaves_at_once_are_faster_than_one_after_the_other);
	tcase_add_test(tcase, one_leaf_or_idle_leaves_gain_nothing);
	tcase_add_test(tcase, kthread_workers_are_one_or_one_for_each_leaf);
	tcase_add_test(tcase, in_the_init_phase_the_caller_selects_every_leaf);
	tcase_add_loop_test(tcase, any_number_of_simultaneous_callers_cost_two_grace_periods, 0, ERAS);
	tcase_add_loop_test(tcase, callers_in_loops_share_and_none_waits_for_a_third_end, 0, ERAS);
	tcase_add_test(tcase, the_next_grace_period_overlaps_with_the_last_ones_wake_ups);
	tcase_add_loop_test(tcase, a_cpu_going_off_line_is_tried_again, 0, 2);
	tcase_add_loop_test(tcase, a_lost_ipi_holds_the_grace_period_until_the_target_has_been_idle,
			    0, ERAS);
	tcase_add_test(tcase, a_machine_of_4096_cpus_has_both_kinds_of_grace_period);
	return fixture_main(suite_create("exp_eras"), tcase);
}
