/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The expedite controls against the tables of docs/expedite-controls.md. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "models/rcu_flags.h"

/* Moments of the boot between which the tables distinguish. */
enum moment {
	BEFORE_SCHEDULER,
	BEFORE_GP_KTHREAD,
	BEFORE_CORE,
	IN_BOOT,
	AFTER_BOOT,
	MOMENT_COUNT
};

struct setting {
	bool expedited, normal, normal_after_boot, expedite_boot, preempt;
	int64_t cpus;
};

static void flags_at(struct rcu_flags *flags, const struct rcu_profile *profile,
		     struct setting setting, enum moment moment)
{
	struct model_config config;

	model_config_default(&config);
	config.kernel.profile = *profile;
	config.kernel.rcu_expedited = setting.expedited;
	config.kernel.rcu_normal = setting.normal;
	config.kernel.rcu_normal_after_boot = setting.normal_after_boot;
	config.kernel.expedite_boot = setting.expedite_boot;
	config.machine.preempt = setting.preempt ? PREEMPT_FULL : PREEMPT_VOLUNTARY;
	config.machine.cpus = setting.cpus ? setting.cpus : 4;
	config.machine.cpus_online = config.machine.cpus;
	rcu_flags_init(flags, &config.kernel, &config.machine);
	if (moment >= BEFORE_GP_KTHREAD)
		rcu_flags_scheduler_starting(flags);
	if (moment >= BEFORE_CORE)
		rcu_flags_gp_kthread_spawned(flags);
	if (moment >= IN_BOOT)
		rcu_flags_runtime_mode(flags);
	if (moment >= AFTER_BOOT)
		ck_assert(rcu_flags_end_inkernel_boot(flags));
}

static const struct rcu_profile *find(const char *name)
{
	const struct rcu_profile *profile = profile_find(name);

	ck_assert_ptr_nonnull(profile);
	return profile;
}

static void check_way(const struct rcu_flags *flags, int online, bool expedited,
		      enum rcu_sync_way expected, const char *what)
{
	enum rcu_sync_way way = rcu_sync_way(flags, online, expedited);

	ck_assert_msg(way == expected, "%s %s %s, %d online: %s, not %s", flags->profile.name,
		      expedited ? "synchronize_rcu_expedited" : "synchronize_rcu", what, online,
		      rcu_sync_way_name(way), rcu_sync_way_name(expected));
}

/* Flags, counters and their effect, one row for each profile. */
struct control_row {
	const char *profile;
	int64_t nesting_at_start;       /* without and with EXPEDITE_BOOT */
	int64_t nesting_at_start_boot;
	int64_t nesting_after;          /* after the end of in-kernel boot, likewise */
	int64_t nesting_after_boot;
	bool expedited_in_boot;         /* by default */
	bool expedited_after;           /* by default */
	bool has_normal;
};

static const struct control_row control_rows[] = {
	{ "v3.19", 0, 0, 0, 0, false, false, false },
	{ "v4.1", 0, 1, 0, 1, false, false, false },
	{ "v4.4", 0, 1, 0, 1, false, false, false },
	{ "v4.9", 0, 1, 0, 0, false, false, true },
	{ "v4.14", 1, 1, 0, 0, true, false, true },
	{ "v5.10", 1, 1, 0, 0, true, false, true },
	{ "v6.1", 1, 1, 0, 0, true, false, true },
	{ "v6.12", 1, 1, 0, 0, true, false, true },
};

START_TEST(every_profile_has_a_row_of_controls)
{
	size_t count;
	const struct rcu_profile *all = profile_all(&count);

	ck_assert_uint_eq(count, sizeof(control_rows) / sizeof(control_rows[0]));
	for (size_t i = 0; i < count; i++)
		ck_assert_str_eq(all[i].name, control_rows[i].profile);
}
END_TEST

START_TEST(counter_starts_and_ends_the_boot_as_each_kernel_does)
{
	const struct control_row *row = &control_rows[_i];
	const struct rcu_profile *profile = find(row->profile);
	struct rcu_flags flags;

	flags_at(&flags, profile, (struct setting){ 0 }, BEFORE_SCHEDULER);
	ck_assert_int_eq(flags.nesting, row->nesting_at_start);
	flags_at(&flags, profile, (struct setting){ .expedite_boot = true }, BEFORE_SCHEDULER);
	ck_assert_int_eq(flags.nesting, row->nesting_at_start_boot);
	flags_at(&flags, profile, (struct setting){ 0 }, AFTER_BOOT);
	ck_assert_int_eq(flags.nesting, row->nesting_after);
	flags_at(&flags, profile, (struct setting){ .expedite_boot = true }, AFTER_BOOT);
	ck_assert_int_eq(flags.nesting, row->nesting_after_boot);

	flags_at(&flags, profile, (struct setting){ 0 }, IN_BOOT);
	ck_assert(rcu_gp_is_expedited(&flags) == row->expedited_in_boot);
	flags_at(&flags, profile, (struct setting){ 0 }, AFTER_BOOT);
	ck_assert(rcu_gp_is_expedited(&flags) == row->expedited_after);
}
END_TEST

START_TEST(user_flag_expedites_in_every_profile_at_every_moment)
{
	const struct rcu_profile *profile = find(control_rows[_i].profile);
	struct rcu_flags flags;

	for (int moment = 0; moment < MOMENT_COUNT; moment++) {
		flags_at(&flags, profile, (struct setting){ .expedited = true },
			 (enum moment)moment);
		ck_assert(rcu_gp_is_expedited(&flags));
	}
	rcu_flags_set_expedited(&flags, 0);
	ck_assert(!rcu_gp_is_expedited(&flags));
	rcu_flags_set_expedited(&flags, 1);
	ck_assert(rcu_gp_is_expedited(&flags));
}
END_TEST

START_TEST(rcu_normal_exists_from_4_9_on_only)
{
	const struct control_row *row = &control_rows[_i];
	struct rcu_flags flags;

	flags_at(&flags, find(row->profile),
		 (struct setting){ .normal = true, .normal_after_boot = true }, AFTER_BOOT);
	ck_assert(rcu_gp_is_normal(&flags) == row->has_normal);
	check_way(&flags, 4, false, SYNC_NORMAL, "with rcu_normal=1 after boot");
}
END_TEST

START_TEST(rcu_normal_beats_flag_counter_and_explicit_calls)
{
	static const char *const names[] = { "v4.9", "v4.14", "v5.10", "v6.1", "v6.12" };
	struct rcu_flags flags;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		flags_at(&flags, find(names[i]),
			 (struct setting){ .normal = true, .expedited = true }, IN_BOOT);
		rcu_expedite_gp(&flags);
		ck_assert(rcu_gp_is_expedited(&flags));
		check_way(&flags, 4, false, SYNC_NORMAL, "under rcu_normal");
		check_way(&flags, 4, true, SYNC_NORMAL, "under rcu_normal");
		rcu_flags_set_normal(&flags, 0);
		check_way(&flags, 4, false, SYNC_EXP_WORKER, "after rcu_normal=0");
		check_way(&flags, 4, true, SYNC_EXP_WORKER, "after rcu_normal=0");
	}
}
END_TEST

static const char *const init_profiles[] = { "v4.14", "v5.10", "v6.1", "v6.12" };
#define INIT_PROFILES ((int)(sizeof(init_profiles) / sizeof(init_profiles[0])))

START_TEST(rcu_normal_is_ignored_in_the_init_phase)
{
	struct rcu_flags flags;

	flags_at(&flags, find(init_profiles[_i]), (struct setting){ .normal = true }, BEFORE_CORE);
	ck_assert(!rcu_gp_is_normal(&flags));
	check_way(&flags, 4, false, SYNC_EXP_DIRECT, "in INIT under rcu_normal");
	check_way(&flags, 4, true, SYNC_EXP_DIRECT, "in INIT under rcu_normal");
	rcu_flags_runtime_mode(&flags);
	check_way(&flags, 4, false, SYNC_NORMAL, "RUNNING under rcu_normal");

	/* 4.9 has no such phase: rcu_normal holds from the start. */
	flags_at(&flags, find("v4.9"), (struct setting){ .normal = true, .expedited = true },
		 BEFORE_CORE);
	check_way(&flags, 4, true, SYNC_NORMAL, "before the core initcalls");
}
END_TEST

START_TEST(normal_after_boot_takes_effect_at_the_end_of_boot)
{
	struct setting setting = { .normal_after_boot = true, .expedited = true };
	struct rcu_flags flags;

	flags_at(&flags, find(init_profiles[_i]), setting, IN_BOOT);
	check_way(&flags, 4, false, SYNC_EXP_WORKER, "before the end of boot");
	ck_assert(rcu_flags_end_inkernel_boot(&flags));
	ck_assert_int_eq(flags.normal, 1);
	check_way(&flags, 4, false, SYNC_NORMAL, "after the end of boot");
	check_way(&flags, 4, true, SYNC_NORMAL, "after the end of boot");
}
END_TEST

START_TEST(the_drop_at_the_end_of_boot_leaves_the_callers_own_nesting)
{
	struct rcu_flags flags;

	flags_at(&flags, find(init_profiles[_i]), (struct setting){ 0 }, IN_BOOT);
	ck_assert_int_eq(flags.nesting, 1);
	rcu_expedite_gp(&flags);
	ck_assert(rcu_flags_end_inkernel_boot(&flags));
	ck_assert_int_eq(flags.nesting, 1);
	check_way(&flags, 4, false, SYNC_EXP_WORKER, "after boot, still nested");
	ck_assert(rcu_unexpedite_gp(&flags));
	check_way(&flags, 4, false, SYNC_NORMAL, "after boot, not nested");
}
END_TEST

/* What a call does in each phase: [moment]; CPUs online: 1, 1, 4, 4, 4. */
struct phase_row {
	const char *profile;
	bool preempt;
	bool call_is_expedited;
	bool flag; /* rcu_expedited=1 */
	enum rcu_sync_way way[MOMENT_COUNT];
};

static const int moment_online[MOMENT_COUNT] = { 1, 1, 4, 4, 4 };

#define NOOP SYNC_NOOP
#define NORMAL SYNC_NORMAL
#define DIRECT SYNC_EXP_DIRECT
#define WORKER SYNC_EXP_WORKER
#define DEAD SYNC_DEAD_ZONE

static const struct phase_row phase_rows[] = {
	/* !PREEMPT, default settings */
	{ "v3.19", false, false, false, { NOOP, NOOP, NORMAL, NORMAL, NORMAL } },
	{ "v4.1", false, false, false, { NOOP, NOOP, NORMAL, NORMAL, NORMAL } },
	{ "v4.4", false, false, false, { NOOP, NOOP, NORMAL, NORMAL, NORMAL } },
	{ "v4.9", false, false, false, { NOOP, NOOP, NORMAL, NORMAL, NORMAL } },
	{ "v6.1", false, false, false, { NOOP, DIRECT, DIRECT, WORKER, NORMAL } },
	{ "v4.14", false, false, false, { NOOP, NOOP, DIRECT, WORKER, NORMAL } },
	{ "v5.10", false, false, false, { NOOP, NOOP, DIRECT, WORKER, NORMAL } },
	{ "v6.12", false, false, false, { NOOP, DIRECT, DIRECT, WORKER, NORMAL } },
	/* PREEMPT, default settings */
	{ "v3.19", true, false, false, { NOOP, DEAD, NORMAL, NORMAL, NORMAL } },
	{ "v4.1", true, false, false, { NOOP, DEAD, NORMAL, NORMAL, NORMAL } },
	{ "v4.4", true, false, false, { NOOP, DEAD, NORMAL, NORMAL, NORMAL } },
	{ "v4.9", true, false, false, { NOOP, DEAD, NORMAL, NORMAL, NORMAL } },
	{ "v6.1", true, false, false, { NOOP, DIRECT, DIRECT, WORKER, NORMAL } },
	{ "v4.14", true, false, false, { NOOP, DIRECT, DIRECT, WORKER, NORMAL } },
	{ "v5.10", true, false, false, { NOOP, DIRECT, DIRECT, WORKER, NORMAL } },
	{ "v6.12", true, false, false, { NOOP, DIRECT, DIRECT, WORKER, NORMAL } },
	/* rcu_expedited=1 */
	{ "v3.19", false, false, true, { NOOP, NOOP, DIRECT, DIRECT, DIRECT } },
	{ "v3.19", true, false, true, { NOOP, DIRECT, DIRECT, DIRECT, DIRECT } },
	{ "v4.1", false, false, true, { NOOP, NOOP, DIRECT, DIRECT, DIRECT } },
	{ "v4.1", true, false, true, { NOOP, DIRECT, DIRECT, DIRECT, DIRECT } },
	{ "v4.4", true, false, true, { NOOP, DIRECT, DIRECT, DIRECT, DIRECT } },
	{ "v4.9", false, false, true, { NOOP, NOOP, WORKER, WORKER, WORKER } },
	{ "v4.9", true, false, true, { NOOP, DEAD, WORKER, WORKER, WORKER } },
	{ "v6.1", false, false, true, { NOOP, DIRECT, DIRECT, WORKER, WORKER } },
	{ "v4.14", false, false, true, { NOOP, NOOP, DIRECT, WORKER, WORKER } },
	{ "v5.10", false, false, true, { NOOP, NOOP, DIRECT, WORKER, WORKER } },
	{ "v6.12", false, false, true, { NOOP, DIRECT, DIRECT, WORKER, WORKER } },
	/* synchronize_rcu_expedited(), default settings */
	{ "v3.19", false, true, false, { NOOP, NOOP, DIRECT, DIRECT, DIRECT } },
	{ "v4.1", true, true, false, { NOOP, DIRECT, DIRECT, DIRECT, DIRECT } },
	{ "v4.4", false, true, false, { NOOP, NOOP, DIRECT, DIRECT, DIRECT } },
	{ "v4.9", false, true, false, { NOOP, NOOP, WORKER, WORKER, WORKER } },
	{ "v4.9", true, true, false, { NOOP, DEAD, WORKER, WORKER, WORKER } },
	{ "v6.1", false, true, false, { NOOP, DIRECT, DIRECT, WORKER, WORKER } },
	{ "v4.14", false, true, false, { NOOP, NOOP, DIRECT, WORKER, WORKER } },
	{ "v5.10", false, true, false, { NOOP, NOOP, DIRECT, WORKER, WORKER } },
	{ "v6.12", false, true, false, { NOOP, DIRECT, DIRECT, WORKER, WORKER } },
	{ "v6.1", true, true, false, { NOOP, DIRECT, DIRECT, WORKER, WORKER } },
	{ "v4.14", true, true, false, { NOOP, DIRECT, DIRECT, WORKER, WORKER } },
	{ "v5.10", true, true, false, { NOOP, DIRECT, DIRECT, WORKER, WORKER } },
	{ "v6.12", true, true, false, { NOOP, DIRECT, DIRECT, WORKER, WORKER } },
};

START_TEST(calls_take_the_way_of_the_phase_table)
{
	const struct phase_row *row = &phase_rows[_i];
	static const char *const moments[] = { "before the scheduler", "before the GP kthread",
					       "before the core initcalls", "in boot",
					       "after boot" };
	struct rcu_flags flags;

	for (int moment = 0; moment < MOMENT_COUNT; moment++) {
		flags_at(&flags, find(row->profile),
			 (struct setting){ .preempt = row->preempt, .expedited = row->flag },
			 (enum moment)moment);
		check_way(&flags, moment_online[moment], row->call_is_expedited, row->way[moment],
			  moments[moment]);
	}
}
END_TEST

START_TEST(one_cpu_without_preempt_waits_for_nothing_up_to_5_15)
{
	static const char *const names[] = { "v3.19", "v4.1", "v4.4", "v4.9", "v4.14", "v5.10" };
	struct rcu_flags flags;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (int moment = 0; moment < MOMENT_COUNT; moment++) {
			flags_at(&flags, find(names[i]), (struct setting){ .cpus = 1 },
				 (enum moment)moment);
			check_way(&flags, 1, false, SYNC_NOOP, "on one CPU");
			check_way(&flags, 1, true, SYNC_NOOP, "on one CPU");
		}
		flags_at(&flags, find(names[i]), (struct setting){ .cpus = 1, .preempt = true },
			 AFTER_BOOT);
		check_way(&flags, 1, false, SYNC_NORMAL, "on one PREEMPT CPU");
	}
	flags_at(&flags, find("v6.1"), (struct setting){ .cpus = 1 }, AFTER_BOOT);
	check_way(&flags, 1, false, SYNC_NORMAL, "on one CPU");
	flags_at(&flags, find("v6.12"), (struct setting){ .cpus = 1 }, AFTER_BOOT);
	check_way(&flags, 1, false, SYNC_NORMAL, "on one CPU");
}
END_TEST

START_TEST(balanced_nesting_returns_to_where_it_started)
{
	struct rcu_flags flags;

	flags_at(&flags, find("v4.1"), (struct setting){ 0 }, IN_BOOT);
	rcu_expedite_gp(&flags);
	rcu_expedite_gp(&flags);
	ck_assert_int_eq(flags.nesting, 2);
	check_way(&flags, 2, false, SYNC_EXP_DIRECT, "nested twice");
	ck_assert(rcu_unexpedite_gp(&flags));
	check_way(&flags, 2, false, SYNC_EXP_DIRECT, "nested once");
	ck_assert(rcu_unexpedite_gp(&flags));
	check_way(&flags, 2, false, SYNC_NORMAL, "not nested");
}
END_TEST

START_TEST(unexpedite_below_zero_is_an_error_and_changes_nothing)
{
	struct rcu_flags flags;

	flags_at(&flags, find("v4.1"), (struct setting){ 0 }, IN_BOOT);
	ck_assert(!rcu_unexpedite_gp(&flags));
	ck_assert_int_eq(flags.nesting, 0);
	ck_assert(!rcu_gp_is_expedited(&flags));
}
END_TEST

START_TEST(end_of_boot_reports_a_share_that_the_boot_program_took)
{
	struct rcu_flags flags;

	flags_at(&flags, find(init_profiles[_i]), (struct setting){ 0 }, IN_BOOT);
	ck_assert(rcu_unexpedite_gp(&flags));
	ck_assert(!rcu_flags_end_inkernel_boot(&flags));
	ck_assert_int_eq(flags.nesting, 0);
}
END_TEST

START_TEST(expedite_boot_in_4_1_and_4_4_lasts_for_ever)
{
	struct rcu_flags flags;

	flags_at(&flags, find("v4.1"), (struct setting){ .expedite_boot = true }, AFTER_BOOT);
	check_way(&flags, 4, false, SYNC_EXP_DIRECT, "after boot with EXPEDITE_BOOT");
	flags_at(&flags, find("v4.4"), (struct setting){ .expedite_boot = true }, AFTER_BOOT);
	check_way(&flags, 4, false, SYNC_EXP_DIRECT, "after boot with EXPEDITE_BOOT");
	flags_at(&flags, find("v4.9"), (struct setting){ .expedite_boot = true }, IN_BOOT);
	check_way(&flags, 4, false, SYNC_EXP_WORKER, "in boot with EXPEDITE_BOOT");
	ck_assert(rcu_flags_end_inkernel_boot(&flags));
	check_way(&flags, 4, false, SYNC_NORMAL, "after boot with EXPEDITE_BOOT");
}
END_TEST

START_TEST(init_counts_as_expedited_where_the_phase_is_new)
{
	struct rcu_profile profile = *find("v4.9");
	struct rcu_flags flags;

	/* 4.10: the phase exists, the counter starts at 0. */
	profile.version = 410;
	profile.has_init_phase = 1;
	flags_at(&flags, &profile, (struct setting){ 0 }, BEFORE_CORE);
	ck_assert_int_eq(flags.nesting, 0);
	ck_assert(rcu_gp_is_expedited(&flags));
	check_way(&flags, 4, false, SYNC_EXP_DIRECT, "in INIT");
	rcu_flags_runtime_mode(&flags);
	check_way(&flags, 4, false, SYNC_NORMAL, "RUNNING");

	/* 4.14 says so too, although its counter starts at 1. */
	profile = *find("v4.14");
	profile.nesting_initial = 0;
	flags_at(&flags, &profile, (struct setting){ 0 }, BEFORE_CORE);
	ck_assert(rcu_gp_is_expedited(&flags));
	check_way(&flags, 4, false, SYNC_EXP_DIRECT, "in INIT, counter 0");

	/* 5.10 with a counter that starts at 0: only the counter would have expedited. */
	profile = *find("v5.10");
	profile.nesting_initial = 0;
	flags_at(&flags, &profile, (struct setting){ 0 }, BEFORE_CORE);
	ck_assert(!rcu_gp_is_expedited(&flags));
	check_way(&flags, 4, false, SYNC_NORMAL, "in INIT, counter 0");
	rcu_flags_runtime_mode(&flags);
	ck_assert(rcu_flags_end_inkernel_boot(&flags));
}
END_TEST

START_TEST(suspend_in_3_19_loses_the_users_flag)
{
	struct rcu_flags flags;

	flags_at(&flags, find("v3.19"), (struct setting){ .expedited = true, .cpus = 256 },
		 AFTER_BOOT);
	rcu_flags_pm_prepare(&flags);
	ck_assert_int_eq(flags.expedited, 1);
	ck_assert(rcu_flags_pm_post(&flags));
	ck_assert_int_eq(flags.expedited, 0);

	/* 257 CPUs: not set on prepare, lost on post all the same. */
	flags_at(&flags, find("v3.19"), (struct setting){ .cpus = 257 }, AFTER_BOOT);
	rcu_flags_pm_prepare(&flags);
	ck_assert_int_eq(flags.expedited, 0);
	rcu_flags_set_expedited(&flags, 1);
	ck_assert(rcu_flags_pm_post(&flags));
	ck_assert_int_eq(flags.expedited, 0);
}
END_TEST

START_TEST(suspend_nests_up_to_256_cpus_and_keeps_the_users_flag)
{
	static const struct {
		const char *profile;
		bool at_257;
	} rows[] = { { "v4.1", false }, { "v4.4", false }, { "v4.9", false }, { "v4.14", false },
		     { "v5.10", true }, { "v6.1", true },  { "v6.12", true } };
	struct rcu_flags flags;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (int64_t cpus = 256; cpus <= 257; cpus++) {
			bool nests = cpus == 256 || rows[i].at_257;

			flags_at(&flags, find(rows[i].profile), (struct setting){ .cpus = cpus },
				 AFTER_BOOT);
			rcu_flags_pm_prepare(&flags);
			ck_assert_msg(rcu_gp_is_expedited(&flags) == nests, "%s, %d CPUs",
				      rows[i].profile, (int)cpus);
			rcu_flags_set_expedited(&flags, 1);
			ck_assert(rcu_flags_pm_post(&flags));
			ck_assert_int_eq(flags.nesting, 0);
			ck_assert_int_eq(flags.expedited, 1);
		}
	flags_at(&flags, find("v4.1"), (struct setting){ .cpus = 256 }, AFTER_BOOT);
	ck_assert(!rcu_flags_pm_post(&flags));
	flags_at(&flags, find("v4.1"), (struct setting){ .cpus = 257 }, AFTER_BOOT);
	ck_assert(rcu_flags_pm_post(&flags));
}
END_TEST

START_TEST(a_booted_machine_starts_after_the_end_of_boot)
{
	struct model_config config;
	struct rcu_flags flags;

	model_config_default(&config);
	config.machine.booted = true;
	rcu_flags_init_booted(&flags, &config.kernel, &config.machine);
	ck_assert_int_eq(flags.nesting, 0);
	ck_assert_int_eq(flags.scheduler_active, RCU_SCHEDULER_RUNNING);
	ck_assert(flags.fully_active);
	check_way(&flags, 1, false, SYNC_NORMAL, "booted");
}
END_TEST

int main(void)
{
	const int profiles = (int)(sizeof(control_rows) / sizeof(control_rows[0]));
	Suite *suite = suite_create("rcu_flags");
	TCase *tcase = tcase_create("controls");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, every_profile_has_a_row_of_controls);
	tcase_add_loop_test(tcase, counter_starts_and_ends_the_boot_as_each_kernel_does, 0,
			    profiles);
	tcase_add_loop_test(tcase, user_flag_expedites_in_every_profile_at_every_moment, 0,
			    profiles);
	tcase_add_loop_test(tcase, rcu_normal_exists_from_4_9_on_only, 0, profiles);
	tcase_add_test(tcase, rcu_normal_beats_flag_counter_and_explicit_calls);
	tcase_add_loop_test(tcase, rcu_normal_is_ignored_in_the_init_phase, 0, INIT_PROFILES);
	tcase_add_loop_test(tcase, normal_after_boot_takes_effect_at_the_end_of_boot, 0,
			    INIT_PROFILES);
	tcase_add_loop_test(tcase, the_drop_at_the_end_of_boot_leaves_the_callers_own_nesting, 0,
			    INIT_PROFILES);
	tcase_add_loop_test(tcase, calls_take_the_way_of_the_phase_table, 0,
			    (int)(sizeof(phase_rows) / sizeof(phase_rows[0])));
	tcase_add_test(tcase, one_cpu_without_preempt_waits_for_nothing_up_to_5_15);
	tcase_add_test(tcase, balanced_nesting_returns_to_where_it_started);
	tcase_add_test(tcase, unexpedite_below_zero_is_an_error_and_changes_nothing);
	tcase_add_loop_test(tcase, end_of_boot_reports_a_share_that_the_boot_program_took, 0,
			    INIT_PROFILES);
	tcase_add_test(tcase, expedite_boot_in_4_1_and_4_4_lasts_for_ever);
	tcase_add_test(tcase, init_counts_as_expedited_where_the_phase_is_new);
	tcase_add_test(tcase, suspend_in_3_19_loses_the_users_flag);
	tcase_add_test(tcase, suspend_nests_up_to_256_cpus_and_keeps_the_users_flag);
	tcase_add_test(tcase, a_booted_machine_starts_after_the_end_of_boot);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
