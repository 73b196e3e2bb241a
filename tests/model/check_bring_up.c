/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Boot programs: which way a wait takes at each level, what CPU bring-up does to
 * grace periods, when ticks leave periodic mode, and what the expedite controls
 * do as steps. docs/machine.md, docs/expedite-controls.md.
 */
#include "tests/model/model_fixture.h"

static const char end[] = "end";

/* Runs a boot program on 4 CPUs whose last step sets the end mark. */
static struct run_record boot(struct model_config *cfg, const struct step *steps, size_t count,
			      uint64_t replication, struct sim_arena *arena, struct trace_log *log)
{
	cfg->boot_steps = steps;
	cfg->boot_step_count = count;
	cfg->end_mark = end;
	return fixture_run_any(cfg, 9, replication, arena, log);
}

static struct step bring_up(uint32_t id, sim_time_ns ns)
{
	return step_at(LEVEL_SMP, step_timed(STEP_BRING_UP, id, ns));
}

/* --- levels --- */

enum option { OPT_NONE, OPT_EXPEDITED, OPT_NORMAL, OPT_EXPEDITE_BOOT };

#define NOOP WAIT_NOOP
#define NORM WAIT_NORMAL
#define EXPD WAIT_EXPEDITED

/* Waits at: start_kernel, early (one CPU), pure, core, device, user. */
static const struct {
	const char *profile;
	int preempt;
	enum option option;
	enum wait_path path[6];
} phase_rows[] = {
	{ "v3.19", PREEMPT_NONE, OPT_NONE, { NOOP, NOOP, NORM, NORM, NORM, NORM } },
	{ "v3.19", PREEMPT_FULL, OPT_NONE, { NOOP, NORM, NORM, NORM, NORM, NORM } },
	{ "v3.19", PREEMPT_NONE, OPT_EXPEDITED, { NOOP, NOOP, EXPD, EXPD, EXPD, EXPD } },
	{ "v3.19", PREEMPT_FULL, OPT_EXPEDITED, { NOOP, EXPD, EXPD, EXPD, EXPD, EXPD } },
	{ "v4.1", PREEMPT_VOLUNTARY, OPT_NONE, { NOOP, NOOP, NORM, NORM, NORM, NORM } },
	{ "v4.1", PREEMPT_VOLUNTARY, OPT_EXPEDITE_BOOT, { NOOP, NOOP, EXPD, EXPD, EXPD, EXPD } },
	{ "v4.1", PREEMPT_FULL, OPT_EXPEDITE_BOOT, { NOOP, EXPD, EXPD, EXPD, EXPD, EXPD } },
	{ "v4.4", PREEMPT_NONE, OPT_NONE, { NOOP, NOOP, NORM, NORM, NORM, NORM } },
	{ "v4.4", PREEMPT_FULL, OPT_EXPEDITE_BOOT, { NOOP, EXPD, EXPD, EXPD, EXPD, EXPD } },
	{ "v4.9", PREEMPT_NONE, OPT_NONE, { NOOP, NOOP, NORM, NORM, NORM, NORM } },
	{ "v4.9", PREEMPT_NONE, OPT_EXPEDITE_BOOT, { NOOP, NOOP, EXPD, EXPD, EXPD, NORM } },
	{ "v4.9", PREEMPT_NONE, OPT_NORMAL, { NOOP, NOOP, NORM, NORM, NORM, NORM } },
	{ "v6.1", PREEMPT_NONE, OPT_NONE, { NOOP, EXPD, EXPD, EXPD, EXPD, NORM } },
	{ "v6.1", PREEMPT_FULL, OPT_NONE, { NOOP, EXPD, EXPD, EXPD, EXPD, NORM } },
	/* rcu_normal does not reach the INIT phase */
	{ "v6.1", PREEMPT_VOLUNTARY, OPT_NORMAL, { NOOP, EXPD, EXPD, NORM, NORM, NORM } },
	{ "v6.1", PREEMPT_NONE, OPT_EXPEDITED, { NOOP, EXPD, EXPD, EXPD, EXPD, EXPD } },
};

static void phase_config(struct model_config *cfg, size_t row)
{
	fixture_boot(cfg, phase_rows[row].profile, 250, 4);
	cfg->machine.preempt = phase_rows[row].preempt;
	cfg->kernel.rcu_expedited = phase_rows[row].option == OPT_EXPEDITED;
	cfg->kernel.rcu_normal = phase_rows[row].option == OPT_NORMAL;
	cfg->kernel.expedite_boot = phase_rows[row].option == OPT_EXPEDITE_BOOT;
}

START_TEST(each_level_takes_the_way_of_its_phase)
{
	const struct step steps[] = {
		step_at(LEVEL_START_KERNEL, step_timed(STEP_RUN, 20, NS_PER_MS)),
		step_at(LEVEL_START_KERNEL, step_of(STEP_SYNC, 1)),
		step_at(LEVEL_EARLY, step_of(STEP_SYNC, 2)),
		bring_up(21, NS_PER_MS),
		step_at(LEVEL_PURE, step_of(STEP_SYNC, 3)),
		step_at(LEVEL_CORE, step_of(STEP_SYNC, 4)),
		step_at(LEVEL_DEVICE, step_of(STEP_SYNC, 5)),
		step_at(LEVEL_USER, step_of(STEP_SYNC, 6)),
		step_at(LEVEL_USER, step_mark(22, end)),
	};
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t row = 0; row < sizeof(phase_rows) / sizeof(phase_rows[0]); row++) {
		struct model_config cfg;
		struct run_record r;

		phase_config(&cfg, row);
		r = boot(&cfg, steps, sizeof(steps) / sizeof(steps[0]), row, arena, NULL);
		EXPECT(r.stop == RUN_COMPLETED, "row %zu: %s", row, r.stop_text);
		for (uint32_t i = 0; i < 6; i++) {
			const struct wait_record *w = record_wait(&r, i + 1, 0);

			EXPECT(w->path == phase_rows[row].path[i],
			       "%s preempt %d option %d, wait %u: %s, expected %s",
			       phase_rows[row].profile, phase_rows[row].preempt,
			       (int)phase_rows[row].option, i + 1, wait_path_name(w->path),
			       wait_path_name(phase_rows[row].path[i]));
			EXPECT((wait_ns(w) == 0) == (w->path == WAIT_NOOP), "row %zu, wait %u", row,
			       i + 1);
			EXPECT(w->path != WAIT_EXPEDITED || wait_ns(w) < NS_PER_MS,
			       "row %zu, wait %u: %lld ns", row, i + 1, (long long)wait_ns(w));
		}
	}
	sim_arena_destroy(arena);
}
END_TEST

/* Up to the core initcalls a caller drives its expedited grace period, then a kworker. */
START_TEST(a_worker_drives_from_the_core_initcalls_on)
{
	const struct step steps[] = {
		step_at(LEVEL_EARLY, step_of(STEP_SYNC, 1)),
		step_at(LEVEL_PURE, step_of(STEP_SYNC, 2)),
		step_at(LEVEL_PURE, step_mark(3, "pure over")),
		step_at(LEVEL_CORE, step_of(STEP_SYNC, 4)),
		step_at(LEVEL_CORE, step_mark(5, end)),
	};
	struct sim_arena *arena = sim_arena_create(0);
	struct trace_log log = { 0 };
	struct model_config cfg;
	struct run_record r;
	size_t worker;

	fixture_boot(&cfg, "v6.1", 250, 1);
	r = boot(&cfg, steps, 5, 0, arena, &log);
	ck_assert_int_eq(r.totals.gp_expedited, 3);
	ck_assert_uint_eq(trace_log_count(&log, -1, "sched_switch", "==> next_comm=kworker"), 1);
	worker = trace_log_find(&log, 0, -1, "sched_switch", "==> next_comm=kworker");
	ck_assert_int_ge(log.entry[worker].at_ns, record_mark_ns(&r, "pure over"));
	trace_log_fini(&log);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(callbacks_wait_for_the_grace_period_kthread)
{
	const struct step steps[] = {
		step_at(LEVEL_START_KERNEL, step_counted(STEP_CALL_RCU, 1, 3)),
		step_at(LEVEL_START_KERNEL, step_timed(STEP_RUN, 2, 60 * NS_PER_MS)),
		step_at(LEVEL_START_KERNEL, step_mark(3, "start_kernel over")),
		step_at(LEVEL_EARLY, step_timed(STEP_SLEEP, 4, 60 * NS_PER_MS)),
		step_at(LEVEL_EARLY, step_mark(5, end)),
	};
	static const char *const profiles[] = { "v3.19", "v4.4", "v6.1" };
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < 3; i++) {
		struct trace_log log = { 0 };
		struct model_config cfg;
		struct run_record r;
		size_t batch, start;

		fixture_boot(&cfg, profiles[i], 250, 1);
		r = boot(&cfg, steps, 5, i, arena, &log);
		ck_assert_int_eq(r.stop, RUN_COMPLETED);
		ck_assert_int_eq(r.totals.callbacks_invoked, 3);
		start = trace_log_find(&log, 0, -1, "rcu_grace_period", " start");
		batch = trace_log_find(&log, 0, -1, "rcu_batch_start", "");
		ck_assert_int_gt(log.entry[start].at_ns, record_mark_ns(&r, "start_kernel over"));
		ck_assert_int_gt(log.entry[batch].at_ns, log.entry[start].at_ns);
		trace_log_fini(&log);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* --- bring-up --- */

/* Real 6.1: with several CPUs exactly one expedited grace period in mode normal, with one none. */
START_TEST(bring_up_waits_for_the_first_secondary_only_and_from_4_13)
{
	const struct step steps[] = {
		bring_up(1, NS_PER_MS),
		step_at(LEVEL_PURE, step_mark(2, end)),
	};
	static const struct {
		const char *profile;
		int cpus;
		size_t waits;
	} rows[] = { { "v3.19", 8, 0 }, { "v4.1", 8, 0 }, { "v4.4", 8, 0 }, { "v4.9", 8, 0 },
		     { "v6.1", 8, 1 },	{ "v6.1", 2, 1 }, { "v6.1", 1, 0 } };
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct model_config cfg;
		struct run_record r;

		fixture_boot(&cfg, rows[i].profile, 250, rows[i].cpus);
		if (strcmp(rows[i].profile, "v6.1") == 0)
			cfg.kernel.rcu_normal = true;
		r = boot(&cfg, steps, 2, 0, arena, NULL);
		EXPECT(r.stop == RUN_COMPLETED && r.wait_count == rows[i].waits &&
			       r.totals.gp_expedited == (int64_t)rows[i].waits,
		       "%s, %d CPUs: %zu waits", rows[i].profile, rows[i].cpus, r.wait_count);
		/* one after the other, each its duration */
		ck_assert_int_ge(r.totals.boot_time_ns, (rows[i].cpus - 1) * NS_PER_MS);
		ck_assert_int_lt(r.totals.boot_time_ns, rows[i].cpus * NS_PER_MS);
	}
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(the_next_grace_period_includes_the_new_cpus)
{
	const struct step steps[] = {
		step_at(LEVEL_EARLY, step_of(STEP_CALL_RCU_WAIT, 1)),
		step_at(LEVEL_EARLY, step_mark(2, "before")),
		bring_up(3, NS_PER_MS),
		step_at(LEVEL_CORE, step_of(STEP_CALL_RCU_WAIT, 4)),
		step_at(LEVEL_CORE, step_mark(5, end)),
	};
	static const char *const profiles[] = { "v3.19", "v4.1", "v4.4", "v4.9", "v6.1" };
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < 5; i++) {
		struct trace_log log = { 0 };
		struct model_config cfg;
		struct run_record r;

		fixture_boot(&cfg, profiles[i], 250, 4);
		cfg.machine.cpus_online = 3; /* maxcpus=3 */
		r = boot(&cfg, steps, 5, i, arena, &log);
		ck_assert_int_eq(r.stop, RUN_COMPLETED);
		for (size_t k = 0; k < log.count; k++) {
			const struct traced *e = &log.entry[k];
			bool before = e->at_ns <= record_mark_ns(&r, "before");

			if (strcmp(e->event, "rcu_grace_period_init") != 0)
				continue;
			if (before)
				ck_assert_str_eq(strrchr(e->detail, ' '), " 1");
		}
		/* the last one's mask: three CPUs on line of four possible */
		for (size_t k = log.count; k-- > 0;) {
			if (strcmp(log.entry[k].event, "rcu_grace_period_init") != 0)
				continue;
			ck_assert_str_eq(strrchr(log.entry[k].detail, ' '), " 7");
			break;
		}
		trace_log_fini(&log);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* An expedited request while a CPU comes up: 3.19 to 4.2 give up to a normal one. */
START_TEST(expedited_requests_fall_back_during_hotplug_up_to_4_2)
{
	const struct step other[] = {
		/* 2.5 ms into the second secondary's bring-up: two CPUs are on line */
		step_timed(STEP_SLEEP, 10, 7500 * NS_PER_US),
		step_of(STEP_SYNC_EXPEDITED, 11),
	};
	const struct step steps[] = {
		step_at(LEVEL_SMP, step_spawn(1, 0, other, 2)),
		bring_up(2, 5 * NS_PER_MS),
		step_at(LEVEL_PURE, step_timed(STEP_SLEEP, 3, 100 * NS_PER_MS)),
		step_at(LEVEL_PURE, step_mark(4, end)),
	};
	static const struct {
		const char *profile;
		int fallbacks;
	} rows[] = { { "v3.19", 1 }, { "v4.1", 1 }, { "v4.4", 0 }, { "v4.9", 0 }, { "v6.1", 0 } };
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < 5; i++) {
		for (int preempt = PREEMPT_NONE; preempt <= PREEMPT_FULL; preempt += 2) {
			struct model_config cfg;
			struct run_record r;

			fixture_boot(&cfg, rows[i].profile, 250, 4);
			cfg.machine.preempt = preempt;
			r = boot(&cfg, steps, 4, 0, arena, NULL);
			EXPECT(r.stop == RUN_COMPLETED, "%s: %s", rows[i].profile, r.stop_text);
			ck_assert_int_eq(r.totals.exp_fallbacks, rows[i].fallbacks);
			ck_assert_int_eq(record_wait(&r, 11, 0)->path,
					 rows[i].fallbacks ? WAIT_NORMAL : WAIT_EXPEDITED);
		}
	}
	sim_arena_destroy(arena);
}
END_TEST

/* --- ticks --- */

/* 4.4, HZ=1000: 3 jiffies back to back while all CPUs tick, 5 once idle ones may stop. */
START_TEST(ticks_stop_on_idle_cpus_from_the_fs_initcalls_on)
{
	enum { BOOTS = 41 };
	const struct step steps[] = {
		bring_up(1, 560 * NS_PER_US),
		step_at(LEVEL_SUBSYS, step_of(STEP_SYNC, 2)),
		step_at(LEVEL_SUBSYS, step_of(STEP_SYNC, 3)),
		step_at(LEVEL_FS, step_timed(STEP_RUN, 4, 5 * NS_PER_MS)),
		step_at(LEVEL_DEVICE, step_of(STEP_SYNC, 5)),
		step_at(LEVEL_DEVICE, step_of(STEP_SYNC, 6)),
		step_at(LEVEL_DEVICE, step_mark(7, end)),
	};
	struct sim_arena *arena = sim_arena_create(0);

	for (int nohz = 0; nohz <= 1; nohz++) {
		sim_time_ns before_ns[BOOTS], after_ns[BOOTS];

		for (uint64_t i = 0; i < BOOTS; i++) {
			struct model_config cfg;
			struct run_record r;

			fixture_boot(&cfg, "v4.4", 1000, 4);
			cfg.kernel.nohz = nohz;
			cfg.kernel.highres = nohz;
			r = boot(&cfg, steps, 7, i, arena, NULL);
			before_ns[i] = wait_ns(record_wait(&r, 3, 0));
			after_ns[i] = wait_ns(record_wait(&r, 6, 0));
		}
		ck_assert_int_eq((fixture_median_ns(before_ns, BOOTS) + 20000) / NS_PER_MS, 3);
		ck_assert_int_eq((fixture_median_ns(after_ns, BOOTS) + 20000) / NS_PER_MS,
				 nohz ? 5 : 3);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* --- controls as steps --- */

START_TEST(the_counter_expedites_between_its_steps)
{
	const struct step steps[] = {
		bring_up(1, NS_PER_MS),
		step_at(LEVEL_CORE, step_of(STEP_SYNC, 2)),
		step_at(LEVEL_CORE, step_of(STEP_EXPEDITE, 3)),
		step_at(LEVEL_CORE, step_of(STEP_EXPEDITE, 4)),
		step_at(LEVEL_CORE, step_of(STEP_SYNC, 5)),
		step_at(LEVEL_CORE, step_of(STEP_UNEXPEDITE, 6)),
		step_at(LEVEL_CORE, step_of(STEP_SYNC, 7)),
		step_at(LEVEL_CORE, step_of(STEP_UNEXPEDITE, 8)),
		step_at(LEVEL_CORE, step_of(STEP_SYNC, 9)),
		step_at(LEVEL_CORE, step_mark(10, end)),
	};
	static const char *const profiles[] = { "v4.1", "v4.4", "v4.9" };
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < 3; i++) {
		struct model_config cfg;
		struct run_record r;

		fixture_boot(&cfg, profiles[i], 250, 4);
		r = boot(&cfg, steps, 10, 0, arena, NULL);
		ck_assert_int_eq(r.stop, RUN_COMPLETED);
		ck_assert_int_eq(record_wait(&r, 2, 0)->path, WAIT_NORMAL);
		ck_assert_int_eq(record_wait(&r, 5, 0)->path, WAIT_EXPEDITED);
		ck_assert_int_eq(record_wait(&r, 7, 0)->path, WAIT_EXPEDITED);
		ck_assert_int_eq(record_wait(&r, 9, 0)->path, WAIT_NORMAL);
	}
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(an_underflow_of_the_counter_stops_the_run_as_an_error)
{
	const struct step steps[] = {
		step_at(LEVEL_CORE, step_of(STEP_UNEXPEDITE, 1)),
		step_at(LEVEL_CORE, step_mark(2, end)),
	};
	/* 6.1: the counter starts at 1, the workload takes the boot's own share away */
	const struct step steps61[] = {
		step_at(LEVEL_CORE, step_of(STEP_UNEXPEDITE, 1)),
		step_at(LEVEL_USER, step_mark(2, end)),
	};
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	struct run_record r;

	fixture_boot(&cfg, "v4.1", 250, 1);
	r = boot(&cfg, steps, 2, 0, arena, NULL);
	ck_assert_int_eq(r.stop, RUN_MODEL_ERROR);
	ck_assert_ptr_nonnull(strstr(r.stop_text, "below 0"));
	fixture_boot(&cfg, "v6.1", 250, 1);
	r = boot(&cfg, steps61, 2, 0, arena, NULL);
	ck_assert_int_eq(r.stop, RUN_MODEL_ERROR);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(resume_clears_the_users_flag_in_3_19_and_not_later)
{
	const struct step steps[] = {
		bring_up(1, NS_PER_MS),
		step_at(LEVEL_USER, step_of(STEP_SYNC, 2)),
		step_at(LEVEL_USER, step_of(STEP_PM_PREPARE, 3)),
		step_at(LEVEL_USER, step_of(STEP_SYNC, 4)),
		step_at(LEVEL_USER, step_of(STEP_PM_POST, 5)),
		step_at(LEVEL_USER, step_of(STEP_SYNC, 6)),
		step_at(LEVEL_USER, step_mark(7, end)),
	};
	static const struct {
		const char *profile;
		bool flag;
		enum wait_path before, asleep, after;
	} rows[] = {
		{ "v3.19", true, EXPD, EXPD, NORM }, { "v3.19", false, NORM, EXPD, NORM },
		{ "v4.1", true, EXPD, EXPD, EXPD },  { "v4.1", false, NORM, EXPD, NORM },
		{ "v6.1", true, EXPD, EXPD, EXPD },  { "v6.1", false, NORM, EXPD, NORM },
	};
	struct sim_arena *arena = sim_arena_create(0);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct model_config cfg;
		struct run_record r;

		fixture_boot(&cfg, rows[i].profile, 250, 4);
		cfg.kernel.rcu_expedited = rows[i].flag;
		r = boot(&cfg, steps, 7, 0, arena, NULL);
		ck_assert_int_eq(r.stop, RUN_COMPLETED);
		ck_assert_int_eq(record_wait(&r, 2, 0)->path, rows[i].before);
		ck_assert_int_eq(record_wait(&r, 4, 0)->path, rows[i].asleep);
		ck_assert_int_eq(record_wait(&r, 6, 0)->path, rows[i].after);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* A boot task that waits for a callback nobody can invoke yet. */
START_TEST(a_wait_before_the_kthread_exists_never_completes)
{
	const struct step steps[] = {
		step_at(LEVEL_START_KERNEL, step_of(STEP_CALL_RCU_WAIT, 1)),
		step_at(LEVEL_CORE, step_mark(2, end)),
	};
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	struct run_record r;

	fixture_boot(&cfg, "v4.1", 250, 1);
	cfg.time_limit_ns = NS_PER_S;
	r = boot(&cfg, steps, 2, 0, arena, NULL);
	ck_assert(r.stop == RUN_DEADLOCK || r.stop == RUN_TIME_LIMIT);
	ck_assert_uint_eq(r.mark_count, 0);
	sim_arena_destroy(arena);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("boot");

	tcase_add_test(tcase, each_level_takes_the_way_of_its_phase);
	tcase_add_test(tcase, a_worker_drives_from_the_core_initcalls_on);
	tcase_add_test(tcase, callbacks_wait_for_the_grace_period_kthread);
	tcase_add_test(tcase, bring_up_waits_for_the_first_secondary_only_and_from_4_13);
	tcase_add_test(tcase, the_next_grace_period_includes_the_new_cpus);
	tcase_add_test(tcase, expedited_requests_fall_back_during_hotplug_up_to_4_2);
	tcase_add_test(tcase, ticks_stop_on_idle_cpus_from_the_fs_initcalls_on);
	tcase_add_test(tcase, the_counter_expedites_between_its_steps);
	tcase_add_test(tcase, an_underflow_of_the_counter_stops_the_run_as_an_error);
	tcase_add_test(tcase, resume_clears_the_users_flag_in_3_19_and_not_later);
	tcase_add_test(tcase, a_wait_before_the_kthread_exists_never_completes);
	return fixture_main(suite_create("bring_up"), tcase);
}
