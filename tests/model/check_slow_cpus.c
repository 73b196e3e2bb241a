/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Help for CPUs that do not pass a quiescent state, and cond_resched() as one
 * (mechanics 3.7, 3.8), by version. docs/slow-cpus.md.
 */
#include "models/rcu.h"
#include "tests/model/model_fixture.h"
#include "tests/model/oracle_bench.h"

enum { ID_WAIT = 1, ID_HOG, ID_RUN };

#define HZ 250

/* --- the table, step by step: a CPU that owes, re-scanned at a given age --- */

struct help {
	struct bench b;
	struct cpu *from, *target;
	int64_t start;
};

static void help_start(struct help *h, const char *profile)
{
	memset(h, 0, sizeof(*h));
	bench_config(&h->b, profile, 2);
	h->b.config.machine.hz = HZ;
	bench_start(&h->b);
	h->from = &h->b.m->cpus[0];
	h->target = &h->b.m->cpus[1];
	h->start = machine_jiffies(h->b.m);
	h->b.rs->gp_start_jiffies = h->start;
	rcu_stall_gp_start(h->b.rs);
	h->target->rdp->mynode->gp_seq = 1;
}

/* A re-scan when the grace period is that old; true: it sends a resched IPI. */
static bool help_at(struct help *h, int64_t age)
{
	int64_t before = h->b.record.totals.ipi_resched;

	/* the grace period's beginning moves, not the clock */
	h->b.rs->jiffies_resched -= age - (machine_jiffies(h->b.m) - h->b.rs->gp_start_jiffies);
	h->target->rdp->last_fqs_resched -= age - (machine_jiffies(h->b.m) - h->b.rs->gp_start_jiffies);
	h->b.rs->gp_start_jiffies = machine_jiffies(h->b.m) - age;
	h->target->need_resched = false;
	rcu_help_slow_cpu(h->b.rs, h->from, h->target);
	return h->b.record.totals.ipi_resched > before;
}

START_TEST(to_4_4_a_mask_and_an_ipi_at_jtsq_and_again_after_half_the_stall_timeout)
{
	static const char *const profiles[] = { "v3.19", "v4.1", "v4.4" };

	for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
		struct help h;

		help_start(&h, profiles[i]);
		ck_assert_int_eq(h.b.rs->jtsq, HZ / 20);
		ck_assert(!help_at(&h, HZ / 20 - 1));
		ck_assert(!h.target->rdp->sched_qs_mask);
		ck_assert(help_at(&h, HZ / 20));
		ck_assert(h.target->rdp->sched_qs_mask);
		ck_assert(!help_at(&h, HZ / 20 + 1));
		ck_assert(!help_at(&h, 21 * HZ / 2 + 4)); /* the first one moved it by 5 */
		ck_assert(help_at(&h, 21 * HZ / 2 + 5));
		ck_assert(!help_at(&h, 21 * HZ / 2 + 9));
		ck_assert(help_at(&h, 21 * HZ / 2 + 10));
		bench_stop(&h.b);
	}
}
END_TEST

START_TEST(in_4_9_every_scan_from_jtsq_on_sends_an_ipi)
{
	struct help h;

	help_start(&h, "v4.9");
	ck_assert(!help_at(&h, HZ / 20 - 1));
	for (int64_t age = HZ / 20; age < HZ / 20 + 4; age++)
		ck_assert(help_at(&h, age));
	ck_assert(h.target->rdp->sched_qs_mask);
	bench_stop(&h.b);
}
END_TEST

START_TEST(in_4_14_urgent_at_once_heavy_after_jtsq_and_ipis_after_half_the_stall_timeout)
{
	struct help h;

	help_start(&h, "v4.14");
	ck_assert(!help_at(&h, 1));
	ck_assert(h.target->rdp->urgent_qs);
	ck_assert(!help_at(&h, HZ / 20));
	ck_assert(!h.target->rdp->need_heavy_qs);
	ck_assert(!help_at(&h, HZ / 20 + 1));
	ck_assert(h.target->rdp->need_heavy_qs);
	ck_assert(!help_at(&h, 21 * HZ / 2));
	ck_assert(help_at(&h, 21 * HZ / 2 + 1));
	ck_assert(help_at(&h, 21 * HZ / 2 + 2));
	bench_stop(&h.b);
}
END_TEST

START_TEST(from_4_20_urgent_after_jtsq_heavy_after_twice_that_and_an_ipi_each_jtsq)
{
	static const char *const profiles[] = { "v5.10", "v6.1", "v6.12" };

	for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
		struct help h;
		int64_t jtsq;

		help_start(&h, profiles[i]);
		jtsq = h.b.rs->jtsq;
		ck_assert_int_eq(jtsq, HZ / 10);
		ck_assert(!help_at(&h, jtsq));
		ck_assert(!h.target->rdp->urgent_qs);
		ck_assert(!help_at(&h, jtsq + 1));
		ck_assert(h.target->rdp->urgent_qs && !h.target->rdp->need_heavy_qs);
		ck_assert(!help_at(&h, 2 * jtsq));
		ck_assert(!h.target->rdp->need_heavy_qs);
		ck_assert(!help_at(&h, 2 * jtsq + 1));
		ck_assert(h.target->rdp->need_heavy_qs);
		ck_assert(!help_at(&h, 21 * HZ / 2));
		ck_assert(help_at(&h, 21 * HZ / 2 + 1));
		ck_assert(!help_at(&h, 21 * HZ / 2 + 1 + jtsq));
		ck_assert(help_at(&h, 21 * HZ / 2 + 2 + jtsq));
		bench_stop(&h.b);
	}
}
END_TEST

START_TEST(a_mask_of_an_earlier_grace_period_makes_no_momentary_eqs)
{
	struct help h;
	uint32_t before;

	help_start(&h, "v4.4");
	ck_assert(help_at(&h, HZ / 20));
	before = h.target->eqs_seq;
	h.target->rdp->mynode->gp_seq += RCU_SEQ_STEP;
	rcu_switch_helps(h.target);
	ck_assert_uint_eq(h.target->eqs_seq, before);
	ck_assert(!h.target->rdp->sched_qs_mask);
	ck_assert(help_at(&h, HZ / 20 + 1));
	rcu_switch_helps(h.target);
	ck_assert_uint_eq(h.target->eqs_seq, before + 2);
	bench_stop(&h.b);
}
END_TEST

START_TEST(a_context_switch_answers_a_heavy_request_with_a_momentary_eqs)
{
	struct help h;
	uint32_t before;

	help_start(&h, "v6.1");
	help_at(&h, 2 * HZ / 10 + 1);
	before = h.target->eqs_seq;
	rcu_switch_helps(h.target);
	ck_assert_uint_eq(h.target->eqs_seq, before + 2);
	ck_assert(!h.target->rdp->need_heavy_qs && !h.target->rdp->urgent_qs);
	bench_stop(&h.b);
}
END_TEST

START_TEST(jtsq_is_limited_to_half_the_stall_timeout_in_4_14)
{
	struct help h;

	help_start(&h, "v4.14");
	h.b.rs->jtsq = 100 * HZ;
	help_at(&h, 21 * HZ / 2);
	ck_assert(!h.target->rdp->need_heavy_qs);
	help_at(&h, 21 * HZ / 2 + 1);
	ck_assert(h.target->rdp->need_heavy_qs);
	bench_stop(&h.b);
}
END_TEST

/* --- whole runs: one CPU in kernel code for two seconds, another waits --- */

enum calls { NO_CALLS, COND_RESCHED, COND_RESCHED_RCU_QS };

static sim_time_ns wait_beside_hog_ns(const char *profile, enum step_kind wait, enum calls calls,
				      enum preempt_model preempt)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct step waiter[] = { step_timed(STEP_SLEEP, ID_RUN, 10 * NS_PER_MS), step_of(wait, ID_WAIT) };
	struct step hog = step_timed(STEP_RUN, ID_HOG, 2 * NS_PER_S);
	const struct task_config tasks[] = { { "waiter", 0, waiter, 2 }, { "hog", 1, &hog, 1 } };
	struct model_config cfg;
	struct run_record r;
	sim_time_ns ns;

	hog.cond_resched_ns = calls == NO_CALLS ? 0 : NS_PER_MS;
	hog.cond_resched_rcu_qs = calls == COND_RESCHED_RCU_QS;
	fixture_booted(&cfg, profile, HZ, 2);
	cfg.machine.preempt = preempt;
	fixture_tasks(&cfg, TASKS(tasks));
	r = fixture_run(&cfg, 1, 0, arena, NULL);
	ns = wait_ns(record_wait(&r, ID_WAIT, 0));
	sim_arena_destroy(arena);
	return ns;
}

static const struct {
	const char *profile;
	int64_t plain_jiffies[2];   /* cond_resched() every ms: bounds of a wait */
	int64_t variant_jiffies[2]; /* cond_resched_rcu_qs() */
} runs[] = {
	/* jtsq is 12 jiffies: then need_resched, and the loop switches */
	{ "v3.19", { 12, 20 }, { 12, 20 } },
	/* the counter is looked at by the CPU's own second tick */
	{ "v4.1", { 12, 20 }, { 2, 6 } },
	{ "v4.4", { 12, 20 }, { 2, 6 } },
	{ "v4.9", { 12, 20 }, { 2, 6 } },
	/* no IPI before half the stall timeout: the loop holds it to its end */
	{ "v4.14", { 490, 510 }, { 2, 10 } },
	/* jtsq is 25 jiffies: then urgent */
	{ "v5.10", { 25, 32 }, { 25, 32 } },
	{ "v6.1", { 25, 32 }, { 25, 32 } },
	{ "v6.12", { 25, 32 }, { 25, 32 } },
};
#define RUNS (sizeof(runs) / sizeof(runs[0]))

static void check_jiffies(const char *profile, const char *what, sim_time_ns ns, const int64_t bound[2])
{
	int64_t jiffies = ns / (NS_PER_S / HZ);

	EXPECT(jiffies >= bound[0] && jiffies <= bound[1], "%s, %s: %lld jiffies, not %lld to %lld", profile,
	       what, (long long)jiffies, (long long)bound[0], (long long)bound[1]);
}

START_TEST(a_loop_that_calls_cond_resched_holds_a_grace_period_as_long_as_its_version_says)
{
	for (size_t i = 0; i < RUNS; i++)
		check_jiffies(runs[i].profile, "cond_resched",
			      wait_beside_hog_ns(runs[i].profile, STEP_SYNC, COND_RESCHED, PREEMPT_NONE),
			      runs[i].plain_jiffies);
}
END_TEST

START_TEST(cond_resched_rcu_qs_helps_from_4_0_on)
{
	for (size_t i = 0; i < RUNS; i++)
		check_jiffies(runs[i].profile, "cond_resched_rcu_qs",
			      wait_beside_hog_ns(runs[i].profile, STEP_SYNC, COND_RESCHED_RCU_QS,
						 PREEMPT_NONE),
			      runs[i].variant_jiffies);
}
END_TEST

START_TEST(a_loop_without_calls_holds_it_to_its_end_in_every_version)
{
	static const int64_t bound[] = { 490, 510 };

	for (size_t i = 0; i < RUNS; i++)
		check_jiffies(runs[i].profile, "no calls",
			      wait_beside_hog_ns(runs[i].profile, STEP_SYNC, NO_CALLS, PREEMPT_NONE), bound);
}
END_TEST

START_TEST(an_expedited_wait_ends_at_the_next_cond_resched)
{
	static const char *const profiles[] = { "v4.4", "v4.9", "v4.14", "v5.10", "v6.1", "v6.12" };

	for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
		sim_time_ns ns = wait_beside_hog_ns(profiles[i], STEP_SYNC_EXPEDITED, COND_RESCHED,
						    PREEMPT_NONE);
		sim_time_ns without_ns = wait_beside_hog_ns(profiles[i], STEP_SYNC_EXPEDITED, NO_CALLS,
							    PREEMPT_NONE);

		EXPECT(ns < 2 * NS_PER_MS, "%s: %lld ns", profiles[i], (long long)ns);
		EXPECT(without_ns > NS_PER_S, "%s: %lld ns", profiles[i], (long long)without_ns);
	}
}
END_TEST

START_TEST(a_preemptible_kernel_needs_no_calls)
{
	for (size_t i = 0; i < RUNS; i++) {
		sim_time_ns ns = wait_beside_hog_ns(runs[i].profile, STEP_SYNC, NO_CALLS, PREEMPT_FULL);

		EXPECT(ns <= 6 * (NS_PER_S / HZ), "%s: %lld ns", runs[i].profile, (long long)ns);
	}
}
END_TEST

START_TEST(cond_resched_in_a_section_is_an_error)
{
	struct step run = step_timed(STEP_RUN, ID_RUN, NS_PER_MS);
	struct step read = step_of(STEP_READ, ID_HOG);
	const struct task_config tasks[] = { { "reader", 0, &read, 1 } };
	struct model_config cfg;
	char why[240];
	uint32_t step_id;

	run.cond_resched_ns = NS_PER_US;
	read.body = &run;
	read.body_count = 1;
	fixture_booted(&cfg, "v6.1", HZ, 1);
	fixture_tasks(&cfg, TASKS(tasks));
	ck_assert(!model_config_check(&cfg, why, sizeof(why), &step_id));
	ck_assert_uint_eq(step_id, ID_RUN);
	ck_assert_ptr_nonnull(strstr(why, "cond_resched() inside read"));
}
END_TEST

START_TEST(the_oracle_trips_on_a_cond_resched_in_a_reader)
{
	struct help h;

	help_start(&h, "v6.1");
	h.b.hog.machine = h.b.m;
	h.b.hog.cpu = 1;
	h.target->curr = &h.b.hog;
	h.target->ctx = CTX_TASK;
	section_enter(&h.b.hog, SECTION_RCU);
	h.target->rdp->urgent_qs = true;
	rcu_cond_resched(h.target, false);
	bench_check_tripped(&h.b, 8, 1);
	bench_stop(&h.b);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("slow CPUs");

	tcase_add_test(tcase, to_4_4_a_mask_and_an_ipi_at_jtsq_and_again_after_half_the_stall_timeout);
	tcase_add_test(tcase, in_4_9_every_scan_from_jtsq_on_sends_an_ipi);
	tcase_add_test(tcase, in_4_14_urgent_at_once_heavy_after_jtsq_and_ipis_after_half_the_stall_timeout);
	tcase_add_test(tcase, from_4_20_urgent_after_jtsq_heavy_after_twice_that_and_an_ipi_each_jtsq);
	tcase_add_test(tcase, a_mask_of_an_earlier_grace_period_makes_no_momentary_eqs);
	tcase_add_test(tcase, a_context_switch_answers_a_heavy_request_with_a_momentary_eqs);
	tcase_add_test(tcase, jtsq_is_limited_to_half_the_stall_timeout_in_4_14);
	tcase_add_test(tcase, a_loop_that_calls_cond_resched_holds_a_grace_period_as_long_as_its_version_says);
	tcase_add_test(tcase, cond_resched_rcu_qs_helps_from_4_0_on);
	tcase_add_test(tcase, a_loop_without_calls_holds_it_to_its_end_in_every_version);
	tcase_add_test(tcase, an_expedited_wait_ends_at_the_next_cond_resched);
	tcase_add_test(tcase, a_preemptible_kernel_needs_no_calls);
	tcase_add_test(tcase, cond_resched_in_a_section_is_an_error);
	tcase_add_test(tcase, the_oracle_trips_on_a_cond_resched_in_a_reader);
	return fixture_main(suite_create("slow_cpus"), tcase);
}
