/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whom an expedited grace period disturbs: each CPU that is busy, never an idle
 * one, never the caller's. Measured on real 6.1 kernels (4 and 8 virtual CPUs,
 * function trace of rcu_exp_handler): 0 IPIs when idle, 1.00 for each busy CPU
 * besides the caller's, user or kernel mode alike; those kernels had one leaf.
 * With more, a CPU that selects its own leaf for the driver needs no IPI.
 * docs/expedited.md.
 */
#include "tests/model/model_fixture.h"

#define CALLS 5
#define STEP_ID_CALL 2
#define CPUS_TEST_MAX 256

enum hog { HOG_USER, HOG_KERNEL };

struct load {
	const char *profile;
	int hz;
	int cpus;
	int busy; /* CPUs 1..busy run a hog */
	enum hog hog;
	int preempt;
};

/*
 * Runs CALLS expedited waits on CPU 0, 3.3 ms apart, while CPUs 1..busy are
 * busy; the hogs outlive the calls.
 */
static struct run_record run_load(const struct load *load, struct sim_arena *arena)
{
	const struct step piece = load->hog == HOG_USER ?
					  step_timed(STEP_RUN_USER, 10, NS_PER_S) :
					  step_timed(STEP_RUN, 10, 50 * NS_PER_US);
	const struct step hog = step_loop(11, -1, &piece, 1);
	const struct step round[] = {
		step_timed(STEP_SLEEP, 1, 3300 * NS_PER_US),
		step_of(STEP_SYNC_EXPEDITED, STEP_ID_CALL),
	};
	const struct step calls[] = {
		step_timed(STEP_SLEEP, 3, 20 * NS_PER_MS),
		step_loop(4, CALLS, round, 2),
		step_mark(5, "end"),
	};
	struct task_config tasks[CPUS_TEST_MAX];
	struct model_config cfg;

	fixture_booted(&cfg, load->profile, load->hz, load->cpus);
	cfg.machine.preempt = load->preempt;
	tasks[0] = (struct task_config){ "caller", 0, calls, 3 };
	for (int i = 1; i <= load->busy; i++)
		tasks[i] = (struct task_config){ "hog", i, &hog, 1 };
	fixture_tasks(&cfg, tasks, (size_t)load->busy + 1);
	cfg.end_mark = calls[2].label;
	return fixture_run(&cfg, 3, 0, arena, NULL);
}

/*
 * Busy CPUs that select their leaf themselves: a worker on the leaf's first CPU,
 * for all leaves but the last; CPU 0 is the caller's.
 */
static int busy_selectors(const struct load *load)
{
	const struct rcu_profile *p = profile_find(load->profile);
	int selectors = 0;

	if (p->exp_driver != EXP_DRIVER_RCU_GP_WQ)
		return 0;
	for (int cpu = (int)p->leaf_fanout; cpu <= load->busy; cpu += (int)p->leaf_fanout)
		selectors += cpu + (int)p->leaf_fanout < load->cpus;
	return selectors;
}

static void one_ipi_for_each_busy_cpu(const struct load *load, struct sim_arena *arena)
{
	struct run_record r = run_load(load, arena);
	bool stoppers = profile_find(load->profile)->exp_engine == EXP_STOPPERS;
	int64_t want = (int64_t)CALLS * (load->busy - (stoppers ? 0 : busy_selectors(load)));

	EXPECT(r.totals.gp_expedited == CALLS && r.totals.wait_expedited == CALLS &&
		       r.totals.exp_fallbacks == 0,
	       "%s %d CPUs: %lld expedited grace periods for %d calls", load->profile, load->cpus,
	       (long long)r.totals.gp_expedited, CALLS);
	EXPECT(r.totals.ipi_exp == (stoppers ? 0 : want),
	       "%s %d CPUs, %d busy (hog %d, preempt %d): %lld IPIs in %d grace periods",
	       load->profile, load->cpus, load->busy, (int)load->hog, load->preempt,
	       (long long)r.totals.ipi_exp, CALLS);
	EXPECT(r.totals.stopper_wakeups == (stoppers ? want : 0),
	       "%s %d CPUs, %d busy (hog %d, preempt %d): %lld stopper works in %d grace periods",
	       load->profile, load->cpus, load->busy, (int)load->hog, load->preempt,
	       (long long)r.totals.stopper_wakeups, CALLS);
	/* each is woken by an IPI: who counts IPIs need not add the works */
	EXPECT(r.totals.ipi_resched >= r.totals.stopper_wakeups,
	       "%s %d CPUs: %lld reschedule IPIs for %lld stopper works", load->profile, load->cpus,
	       (long long)r.totals.ipi_resched, (long long)r.totals.stopper_wakeups);
}

static const char *const profiles[] = { "v3.19", "v4.1", "v4.4", "v4.9", "v6.1" };
#define PROFILES ((int)(sizeof(profiles) / sizeof(profiles[0])))

START_TEST(each_busy_cpu_of_16_is_disturbed_once)
{
	struct sim_arena *arena = sim_arena_create(0);

	for (int busy = 0; busy <= 15; busy++) {
		for (int preempt = PREEMPT_NONE; preempt <= PREEMPT_FULL; preempt++) {
			struct load load = { profiles[_i], 250, 16, busy, HOG_USER, preempt };

			one_ipi_for_each_busy_cpu(&load, arena);
			load.hog = HOG_KERNEL;
			one_ipi_for_each_busy_cpu(&load, arena);
		}
	}
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(each_busy_cpu_of_64_and_256_is_disturbed_once)
{
	static const int busy64[] = { 0, 1, 7, 33, 63 };
	static const int busy256[] = { 0, 1, 100, 255 };
	struct sim_arena *arena = sim_arena_create(0);

	for (int hog = HOG_USER; hog <= HOG_KERNEL; hog++) {
		for (int i = 0; i < 5; i++) {
			struct load load = { profiles[_i], 250,	      64,
					     busy64[i],	   (enum hog)hog, PREEMPT_NONE };

			one_ipi_for_each_busy_cpu(&load, arena);
		}
		for (int i = 0; i < 4; i++) {
			struct load load = { profiles[_i], 250,	      256,
					     busy256[i],   (enum hog)hog, PREEMPT_NONE };

			one_ipi_for_each_busy_cpu(&load, arena);
		}
	}
	sim_arena_destroy(arena);
}
END_TEST

/* Longest and shortest of the run's waits. */
static void wait_bounds(const struct run_record *r, sim_time_ns *min_ns, sim_time_ns *max_ns)
{
	*min_ns = SIM_TIME_MAX;
	*max_ns = 0;
	for (size_t i = 0; i < r->wait_count; i++) {
		sim_time_ns ns = wait_ns(&r->waits[i]);

		*min_ns = ns < *min_ns ? ns : *min_ns;
		*max_ns = ns > *max_ns ? ns : *max_ns;
	}
}

START_TEST(an_expedited_wait_takes_microseconds_whatever_hz_is)
{
	static const int hz[] = { 100, 250, 1000 };
	struct sim_arena *arena = sim_arena_create(0);
	sim_time_ns first_min_ns[2] = { 0, 0 };

	for (int i = 0; i < 3; i++) {
		for (int busy = 0; busy <= 3; busy += 3) {
			const struct load load = { profiles[_i], hz[i],	      4,
						   busy,	 HOG_USER, PREEMPT_VOLUNTARY };
			struct run_record r = run_load(&load, arena);
			sim_time_ns min_ns, max_ns;

			wait_bounds(&r, &min_ns, &max_ns);
			/* idle: the scan and at most a worker's wake-up and two switches; busy:
			 * an IPI or a stopper there and back as well */
			EXPECT(min_ns > 0 && max_ns < 50 * NS_PER_US,
			       "%s HZ=%d, %d busy: waits of %lld to %lld ns", profiles[_i], hz[i], busy,
			       (long long)min_ns, (long long)max_ns);
			if (i == 0)
				first_min_ns[busy / 3] = min_ns;
			EXPECT(min_ns == first_min_ns[busy / 3],
			       "%s HZ=%d, %d busy: %lld ns, at HZ=100 %lld", profiles[_i], hz[i], busy,
			       (long long)min_ns, (long long)first_min_ns[busy / 3]);
		}
	}
	sim_arena_destroy(arena);
}
END_TEST

/* Each busy CPU is asked in turn: the time grows with them, by more than nothing. */
START_TEST(an_expedited_wait_grows_with_the_busy_cpus)
{
	struct sim_arena *arena = sim_arena_create(0);
	sim_time_ns before_ns = 0;

	for (int busy = 0; busy <= 15; busy += 3) {
		const struct load load = { profiles[_i], 250,	   16,
					   busy,	 HOG_USER, PREEMPT_VOLUNTARY };
		struct run_record r = run_load(&load, arena);
		sim_time_ns min_ns, max_ns;

		wait_bounds(&r, &min_ns, &max_ns);
		EXPECT(min_ns > before_ns, "%s: %d busy CPUs: %lld ns, with fewer %lld",
		       profiles[_i], busy, (long long)min_ns, (long long)before_ns);
		before_ns = min_ns;
	}
	sim_arena_destroy(arena);
}
END_TEST

/*
 * A kernel loop on PREEMPT_NONE holds an expedited grace period until its next
 * reschedule point; PREEMPT reports in the handler. From 4.4 on; a stopper on
 * PREEMPT_FULL preempts, so v3.19 and v4.1 behave alike there.
 */
START_TEST(an_unbroken_kernel_loop_delays_the_wait_without_preemption_only)
{
	const struct step spin = step_timed(STEP_RUN, 10, 5 * NS_PER_MS);
	const struct step hog = step_loop(11, -1, &spin, 1);
	const struct step calls[] = {
		step_timed(STEP_SLEEP, 1, 22 * NS_PER_MS), /* 2 ms into a piece */
		step_of(STEP_SYNC_EXPEDITED, STEP_ID_CALL),
		step_mark(5, "end"),
	};
	const struct task_config tasks[] = { { "caller", 0, calls, 3 }, { "hog", 1, &hog, 1 } };
	struct sim_arena *arena = sim_arena_create(0);

	for (int preempt = PREEMPT_NONE; preempt <= PREEMPT_FULL; preempt += 2) {
		struct model_config cfg;
		struct run_record r;
		sim_time_ns ns;

		fixture_booted(&cfg, profiles[_i], 250, 2);
		cfg.machine.preempt = preempt;
		fixture_tasks(&cfg, TASKS(tasks));
		cfg.end_mark = calls[2].label;
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		ns = wait_ns(record_wait(&r, STEP_ID_CALL, 0));
		if (preempt == PREEMPT_NONE)
			EXPECT(ns > 2 * NS_PER_MS && ns < 5 * NS_PER_MS, "%s: %lld ns",
			       profiles[_i], (long long)ns);
		else
			EXPECT(ns < 50 * NS_PER_US, "%s PREEMPT: %lld ns", profiles[_i],
			       (long long)ns);
	}
	sim_arena_destroy(arena);
}
END_TEST

/*
 * Requests that overlap share: of k callers that call at once, the first's grace
 * period may have begun, all others are served by the next one.
 */
START_TEST(simultaneous_requests_cost_two_grace_periods_at_most)
{
	struct sim_arena *arena = sim_arena_create(0);
	const struct step call[] = {
		step_timed(STEP_SLEEP, 1, 21 * NS_PER_MS),
		step_of(STEP_SYNC_EXPEDITED, STEP_ID_CALL),
	};
	struct task_config tasks[32];
	struct model_config cfg;
	struct run_record r;

	fixture_booted(&cfg, profiles[_i], 250, 32);
	for (int i = 0; i < 32; i++)
		tasks[i] = (struct task_config){ "caller", i, call, 2 };
	fixture_tasks(&cfg, tasks, 32);
	r = fixture_run(&cfg, 1, 0, arena, NULL);
	ck_assert_int_eq(r.totals.wait_expedited + r.totals.exp_fallbacks, 32);
	EXPECT(r.totals.gp_expedited <= 2, "%s: %lld grace periods for 32 simultaneous callers",
	       profiles[_i], (long long)r.totals.gp_expedited);
	sim_arena_destroy(arena);
}
END_TEST

/* The way of the IPI is no interruption; the report and the wake-up of the driver are. */
START_TEST(an_ipi_steals_its_handler_with_all_it_does)
{
	struct sim_arena *arena = sim_arena_create(0);
	const struct step calls[] = { step_timed(STEP_SLEEP, 1, 21 * NS_PER_MS),
				      step_of(STEP_SYNC_EXPEDITED, STEP_ID_CALL),
				      step_mark(3, "end") };
	const struct step hog = step_timed(STEP_RUN_USER, 4, NS_PER_S);
	const struct task_config tasks[] = { { "caller", 0, calls, 3 }, { "hog", 1, &hog, 1 } };

	for (int i = 2; i < PROFILES; i++) {
		struct model_config cfg;
		const struct platform_costs *cost = &cfg.machine.costs;
		struct run_record r;

		fixture_booted(&cfg, profiles[i], 250, 2);
		cfg.machine.preempt = PREEMPT_FULL;
		fixture_tasks(&cfg, TASKS(tasks));
		cfg.end_mark = "end";
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		ck_assert_int_eq(r.totals.ipi_exp, 1);
		/* a caller still on its way to sleep needs no IPI to come back */
		ck_assert_int_ge(r.totals.ipi_stolen_ns,
				 cost->ipi_handle_ns + cost->node_walk_ns + cost->wakeup_ns);
		ck_assert_int_le(r.totals.ipi_stolen_ns,
				 cost->ipi_handle_ns + cost->node_walk_ns + cost->wakeup_ns +
					 cost->ipi_send_ns);
		ck_assert_int_eq(r.totals.interruption_max_ns, r.totals.ipi_stolen_ns);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* No IPI takes anything here: the task's own callbacks interrupt it. */
START_TEST(callbacks_in_softirq_interrupt_the_running_task)
{
	struct sim_arena *arena = sim_arena_create(0);
	const struct step steps[] = { step_counted(STEP_CALL_RCU, 1, 5000),
				      step_timed(STEP_RUN_USER, 2, 100 * NS_PER_MS) };
	const struct task_config task = { "caller", 0, steps, 2 };

	for (int i = 0; i < PROFILES; i++) {
		struct model_config cfg;
		struct run_record r;

		fixture_booted(&cfg, profiles[i], 250, 1);
		cfg.kernel.blimit = 5000;
		fixture_tasks(&cfg, &task, 1);
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		ck_assert_int_eq(r.totals.callbacks_invoked, 5000);
		ck_assert_int_ge(r.totals.interruption_max_ns,
				 5000 * cfg.machine.costs.callback_ns);
		ck_assert_int_le(r.totals.interruption_max_ns,
				 5000 * cfg.machine.costs.callback_ns + 10 * NS_PER_US);
	}
	sim_arena_destroy(arena);
}
END_TEST

/*
 * The stop mutex is only tried. A holder whose stoppers are slow makes the second
 * caller spin ten times, 1 to 10 times the CPUs on line in us, and give up; a fast
 * one does not.
 */
START_TEST(a_busy_stop_mutex_makes_the_second_caller_give_up)
{
	const struct step piece = step_timed(STEP_RUN_USER, 10, NS_PER_S);
	const struct step hog = step_loop(11, -1, &piece, 1);
	const struct step first[] = { step_timed(STEP_SLEEP, 1, 21 * NS_PER_MS),
				      step_of(STEP_SYNC_EXPEDITED, 2) };
	const struct step second[] = { step_timed(STEP_SLEEP, 3, 21 * NS_PER_MS + 30000),
				       step_of(STEP_SYNC_EXPEDITED, 4),
				       step_timed(STEP_SLEEP, 5, 50 * NS_PER_MS),
				       step_mark(6, "end") };
	const struct task_config tasks[] = { { "first", 0, first, 2 },
					     { "second", 1, second, 4 },
					     { "hog", 2, &hog, 1 } };
	struct sim_arena *arena = sim_arena_create(0);

	for (int slow = 0; slow <= 1; slow++) {
		struct model_config cfg;
		struct run_record r;

		fixture_booted(&cfg, profiles[_i], 250, 3);
		/* ten tries take 55 * 3 us */
		cfg.machine.costs.stopper_ns = (slow ? 300 : 60) * NS_PER_US;
		fixture_tasks(&cfg, tasks, 3);
		cfg.end_mark = second[3].label;
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		EXPECT(r.totals.exp_fallbacks == slow, "%s, stopper %s: %lld fallbacks",
		       profiles[_i], slow ? "slow" : "fast", (long long)r.totals.exp_fallbacks);
		ck_assert_int_eq(record_wait(&r, 2, 0)->path, WAIT_EXPEDITED);
		ck_assert_int_eq(record_wait(&r, 4, 0)->path,
				 slow ? WAIT_NORMAL : WAIT_EXPEDITED);
	}
	sim_arena_destroy(arena);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("expedited");

	tcase_add_test(tcase, an_ipi_steals_its_handler_with_all_it_does);
	tcase_add_test(tcase, callbacks_in_softirq_interrupt_the_running_task);
	tcase_add_loop_test(tcase, each_busy_cpu_of_16_is_disturbed_once, 0, PROFILES);
	tcase_add_loop_test(tcase, each_busy_cpu_of_64_and_256_is_disturbed_once, 0, PROFILES);
	tcase_add_loop_test(tcase, an_expedited_wait_takes_microseconds_whatever_hz_is, 0, PROFILES);
	tcase_add_loop_test(tcase, an_expedited_wait_grows_with_the_busy_cpus, 0, PROFILES);
	tcase_add_loop_test(tcase, an_unbroken_kernel_loop_delays_the_wait_without_preemption_only,
			    0, PROFILES);
	tcase_add_loop_test(tcase, simultaneous_requests_cost_two_grace_periods_at_most, 2, PROFILES);
	tcase_add_loop_test(tcase, a_busy_stop_mutex_makes_the_second_caller_give_up, 0, 2);
	return fixture_main(suite_create("exp_ipis"), tcase);
}
