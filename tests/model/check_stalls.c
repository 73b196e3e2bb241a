/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RCU CPU stall warnings (mechanics 4.7): when they come, what they name, and
 * that they end nothing. docs/slow-cpus.md.
 */
#include "tests/model/model_fixture.h"

enum { ID_WAIT = 1, ID_HOG, ID_RUN };

/*
 * CPU 0 waits, CPU 1 is in kernel code of hog_ns from the start. The tasks that
 * wait are long enough off the CPU: nohz leaves them no tick.
 */
struct stall {
	struct model_config cfg;
	struct step waiter[2], hog[1];
	struct task_config task[2];
};

static void stall_config(struct stall *s, const char *profile, enum step_kind wait, sim_time_ns hog_ns)
{
	fixture_booted(&s->cfg, profile, 250, 2);
	s->waiter[0] = step_timed(STEP_SLEEP, ID_RUN, 10 * NS_PER_MS);
	s->waiter[1] = step_of(wait, ID_WAIT);
	s->hog[0] = step_timed(STEP_RUN, ID_HOG, hog_ns);
	s->task[0] = (struct task_config){ "waiter", 0, s->waiter, 2 };
	s->task[1] = (struct task_config){ "hog", 1, s->hog, 1 };
	fixture_tasks(&s->cfg, s->task, 2);
	s->cfg.time_limit_ns = 400 * NS_PER_S;
}

static sim_time_ns jiffies_ns(int64_t jiffies)
{
	return jiffies * (NS_PER_S / 250);
}

START_TEST(a_stalled_cpu_tells_itself_after_21_s_and_again_after_three_times_that)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct trace_log log = { 0 };
	struct stall s;
	struct run_record r;
	sim_time_ns start_ns;

	stall_config(&s, "v6.1", STEP_SYNC, 90 * NS_PER_S);
	r = fixture_run(&s.cfg, 1, 0, arena, &log);
	ck_assert_uint_eq(r.stall_count, 2);
	ck_assert_int_eq(r.totals.stall_warnings, 2);
	start_ns = r.gps[0].start_ns;
	/* the tick that makes jiffies the start's + 21 HZ, and the next one 63 HZ + 3 later */
	ck_assert_int_le(r.stalls[0].at_ns, start_ns + 21 * NS_PER_S + jiffies_ns(1));
	ck_assert_int_gt(r.stalls[0].at_ns, start_ns + 21 * NS_PER_S - jiffies_ns(1));
	ck_assert_int_eq(r.stalls[1].at_ns - r.stalls[0].at_ns, 63 * NS_PER_S + jiffies_ns(3));
	ck_assert_ptr_nonnull(strstr(r.stalls[0].text,
				     "rcu: INFO: rcu_sched self-detected stall on CPU { 1} (t=5250 jiffies g="));
	ck_assert(!r.stalls[0].expedited);
	ck_assert_uint_eq(trace_log_count(&log, 1, "rcu_stall_warning", "rcu_sched SelfDetected"), 2);
	ck_assert_uint_eq(trace_log_count(&log, 1, "console", "self-detected stall"), 2);
	trace_log_fini(&log);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(a_warning_ends_no_grace_period)
{
	static const char *const profiles[] = { "v3.19", "v4.4", "v4.14", "v6.12" };
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
		struct stall s;
		struct run_record r, quiet;

		stall_config(&s, profiles[i], STEP_SYNC, 30 * NS_PER_S);
		r = fixture_run(&s.cfg, 1, 0, arena, NULL);
		ck_assert_int_eq(r.totals.stall_warnings, 1);
		ck_assert_int_ge(record_wait(&r, ID_WAIT, 0)->end_ns, 30 * NS_PER_S);
		s.cfg.kernel.rcu_cpu_stall_suppress = true;
		quiet = fixture_run(&s.cfg, 1, 0, arena, NULL);
		ck_assert_int_eq(quiet.totals.stall_warnings, 0);
		ck_assert_int_ge(record_wait(&quiet, ID_WAIT, 0)->end_ns, 30 * NS_PER_S);
	}
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(the_timeout_is_a_parameter_between_3_and_300_s)
{
	static const struct {
		int64_t given_s;
		int64_t first_s;
	} rows[] = { { 1, 3 }, { 3, 3 }, { 10, 10 }, { 1000, 300 } };
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct stall s;
		struct run_record r;

		stall_config(&s, "v6.1", STEP_SYNC, (rows[i].first_s + 1) * NS_PER_S);
		s.cfg.kernel.rcu_cpu_stall_timeout = rows[i].given_s;
		r = fixture_run(&s.cfg, 1, 0, arena, NULL);
		ck_assert_uint_eq(r.stall_count, 1);
		ck_assert_int_le(llabs(r.stalls[0].at_ns - r.gps[0].start_ns -
				       rows[i].first_s * NS_PER_S), jiffies_ns(1));
	}
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(another_cpu_tells_two_jiffies_later_when_the_stalled_ones_cannot)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct stall s;
	struct run_record r;
	struct step off = step_of(STEP_IRQS_OFF, ID_HOG + 10);
	struct step user = step_timed(STEP_RUN_USER, ID_HOG + 11, 25 * NS_PER_S);
	struct task_config tasks[3];

	stall_config(&s, "v6.1", STEP_SYNC, 25 * NS_PER_S);
	s.cfg.machine.cpus = s.cfg.machine.cpus_online = 3;
	off.body = s.hog;
	off.body_count = 1;
	tasks[0] = s.task[0];
	tasks[1] = (struct task_config){ "hog", 1, &off, 1 };
	tasks[2] = (struct task_config){ "user", 2, &user, 1 };
	fixture_tasks(&s.cfg, tasks, 3);
	r = fixture_run(&s.cfg, 1, 0, arena, NULL);
	ck_assert_uint_eq(r.stall_count, 1);
	ck_assert_ptr_nonnull(strstr(r.stalls[0].text, "detected stalls on CPUs/tasks: { 1} (detected by "));
	ck_assert_ptr_nonnull(strstr(r.stalls[0].text, "t=5252 jiffies, g="));
	ck_assert_int_ge(record_wait(&r, ID_WAIT, 0)->end_ns, 25 * NS_PER_S);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(before_4_19_the_text_has_both_numbers_and_no_prefix)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct stall s;
	struct run_record r;

	stall_config(&s, "v3.19", STEP_SYNC, 22 * NS_PER_S);
	r = fixture_run(&s.cfg, 1, 0, arena, NULL);
	ck_assert_uint_eq(r.stall_count, 1);
	ck_assert_ptr_eq(strstr(r.stalls[0].text, "INFO: rcu_sched self-detected stall on CPU { 1} (t=5250 jiffies "
						  "g=-299 c=-300 q=1)"),
			 r.stalls[0].text);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(expedited_stalls_name_the_holdouts_and_have_a_timeout_of_their_own_from_6_1)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct trace_log log = { 0 };
	struct stall s;
	struct run_record r;
	sim_time_ns start_ns;

	stall_config(&s, "v6.1", STEP_SYNC_EXPEDITED, NS_PER_S);
	s.cfg.kernel.rcu_exp_cpu_stall_timeout = 20;
	r = fixture_run(&s.cfg, 1, 0, arena, &log);
	/* at 5 + 1 jiffies, then each 18 + 1: within a second of 250 */
	start_ns = r.gps[0].start_ns;
	ck_assert_int_eq(r.stalls[1].at_ns - r.stalls[0].at_ns, jiffies_ns(19));
	ck_assert_int_le(r.stalls[0].at_ns, start_ns + jiffies_ns(6));
	ck_assert_int_gt(r.stalls[0].at_ns, start_ns + jiffies_ns(5));
	ck_assert_int_eq(r.totals.stall_warnings, 13);
	ck_assert(r.stalls[0].expedited);
	ck_assert_ptr_nonnull(strstr(r.stalls[0].text,
				     "rcu_sched detected expedited stalls on CPUs/tasks: { 1-... } 6 jiffies s: "));
	ck_assert_ptr_nonnull(strstr(r.stalls[0].text, "root: 0x2/."));
	ck_assert_uint_eq(trace_log_count(&log, -1, "rcu_stall_warning", "ExpeditedStall"), 13);
	ck_assert_int_ge(record_wait(&r, ID_WAIT, 0)->end_ns, NS_PER_S);
	trace_log_fini(&log);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(without_that_parameter_an_expedited_stall_takes_the_normal_timeout_and_stoppers_tell_nothing)
{
	static const struct {
		const char *profile;
		int64_t warnings;
	} rows[] = { { "v4.1", 0 }, { "v4.4", 1 }, { "v4.14", 1 }, { "v5.10", 1 }, { "v6.12", 1 } };
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct stall s;
		struct run_record r;

		stall_config(&s, rows[i].profile, STEP_SYNC_EXPEDITED, 30 * NS_PER_S);
		r = fixture_run(&s.cfg, 1, 0, arena, NULL);
		ck_assert_int_eq(r.totals.stall_warnings, rows[i].warnings);
		ck_assert_int_ge(record_wait(&r, ID_WAIT, 0)->end_ns, 30 * NS_PER_S);
	}
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(blocked_readers_are_named_as_tasks)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct stall s;
	struct step read = step_of(STEP_READ, 20);
	struct step hog = step_timed(STEP_RUN, 21, 40 * NS_PER_S);
	struct task_config tasks[3];
	struct run_record r;

	/* the reader shares its CPU with a task as long, so it is switched out again and again */
	stall_config(&s, "v6.1", STEP_SYNC, 11 * NS_PER_S);
	s.cfg.machine.preempt = PREEMPT_FULL;
	s.cfg.kernel.rcu_cpu_stall_timeout = 3;
	read.body = s.hog;
	read.body_count = 1;
	read.count = SECTION_RCU;
	tasks[0] = s.task[0];
	tasks[0].cpu = 0;
	s.waiter[0].duration = dist_constant(100 * NS_PER_MS);
	tasks[1] = (struct task_config){ "reader", 1, &read, 1 };
	tasks[2] = (struct task_config){ "hog", 1, &hog, 1 };
	fixture_tasks(&s.cfg, tasks, 3);
	r = fixture_run(&s.cfg, 1, 0, arena, NULL);
	ck_assert_uint_ge(r.stall_count, 1);
	ck_assert_ptr_nonnull(strstr(r.stalls[0].text, "rcu_preempt detected stalls on CPUs/tasks: { P"));
	sim_arena_destroy(arena);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("stalls");

	tcase_add_test(tcase, a_stalled_cpu_tells_itself_after_21_s_and_again_after_three_times_that);
	tcase_add_test(tcase, a_warning_ends_no_grace_period);
	tcase_add_test(tcase, the_timeout_is_a_parameter_between_3_and_300_s);
	tcase_add_test(tcase, another_cpu_tells_two_jiffies_later_when_the_stalled_ones_cannot);
	tcase_add_test(tcase, before_4_19_the_text_has_both_numbers_and_no_prefix);
	tcase_add_test(tcase, expedited_stalls_name_the_holdouts_and_have_a_timeout_of_their_own_from_6_1);
	tcase_add_test(
		tcase,
		without_that_parameter_an_expedited_stall_takes_the_normal_timeout_and_stoppers_tell_nothing);
	tcase_add_test(tcase, blocked_readers_are_named_as_tasks);
	return fixture_main(suite_create("stalls"), tcase);
}
