/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of profiles and metrics: complete, sourced, in range, and with the values of the docs. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "models/metrics.h"
#include "models/profile.h"

#define PROFILES 8

/* docs/kernel-profiles.md, cell by cell: v3.19, v4.1, v4.4, v4.9, v4.14, v5.10, v6.1, v6.12. */
static const struct {
	const char *cell;
	int64_t value[PROFILES];
} expected[] = {
	{ "leaf_fanout", { 16, 16, 64, 64, 16, 16, 16, 16 } },
	{ "fanout", { 64, 64, 64, 64, 64, 64, 64, 64 } },
	{ "exp_engine",
	  { EXP_STOPPERS, EXP_STOPPERS, EXP_IPI, EXP_IPI, EXP_IPI, EXP_IPI, EXP_IPI, EXP_IPI } },
	{ "exp_driver",
	  { EXP_DRIVER_CALLER, EXP_DRIVER_CALLER, EXP_DRIVER_CALLER, EXP_DRIVER_SYSTEM_WQ,
	    EXP_DRIVER_SYSTEM_WQ, EXP_DRIVER_RCU_GP_WQ, EXP_DRIVER_RCU_GP_WQ,
	    EXP_DRIVER_KTHREAD } },
	{ "has_nesting", { 0, 1, 1, 1, 1, 1, 1, 1 } },
	{ "nesting_initial", { 0, 0, 0, 0, 1, 1, 1, 1 } },
	{ "expedite_boot_option", { 0, 1, 1, 1, 0, 0, 0, 0 } },
	{ "end_of_boot_drop", { 0, 0, 0, 1, 1, 1, 1, 1 } },
	{ "has_init_phase", { 0, 0, 0, 0, 1, 1, 1, 1 } },
	{ "has_rcu_normal", { 0, 0, 0, 1, 1, 1, 1, 1 } },
	{ "pm_mode",
	  { PM_FLAG_LE256, PM_NEST_LE256, PM_NEST_LE256, PM_NEST_LE256, PM_NEST_LE256, PM_NEST,
	    PM_NEST, PM_NEST } },
	{ "hotplug_fallback", { 1, 1, 0, 0, 0, 0, 0, 0 } },
	{ "final_wakeup", { 0, 0, 1, 1, 1, 1, 1, 1 } },
	{ "timer_extra_jiffies", { 0, 0, 0, 1, 1, 1, 1, 1 } },
	{ "jtsq_hz_div", { 20, 20, 20, 20, 20, 10, 10, 10 } },
	{ "jtsq_from_fqs", { 0, 0, 0, 0, 0, 1, 1, 1 } },
	{ "uniprocessor_noop", { 1, 1, 1, 1, 1, 1, 0, 0 } },
	{ "fast_no_hz", { 1, 1, 1, 1, 1, 1, 0, 0 } },
	{ "hotplug_rcu_sync", { 0, 0, 0, 0, 1, 1, 1, 1 } },
	{ "readonly_wait",
	  { READONLY_WAIT_NONE, READONLY_WAIT_NONE, READONLY_WAIT_NONE, READONLY_WAIT_NONE,
	    READONLY_WAIT_NONE, READONLY_WAIT_BARRIER, READONLY_WAIT_FLUSH,
	    READONLY_WAIT_FLUSH } },
	{ "idle_ipi_reports", { 0, 0, 0, 1, 1, 1, 1, 1 } },
	{ "srcu_tree", { 0, 0, 0, 0, 1, 1, 1, 1 } },
	{ "wake_from_gp", { 0, 0, 0, 0, 0, 0, 0, WAKE_FROM_GP_OPT_IN } },
	{ "polled_api",
	  { 0, 0, 0, 0, 0, 0, POLLED_ANY_GP, POLLED_ANY_GP } },
	{ "slow_cpu_help",
	  { HELP_MASK, HELP_MASK, HELP_MASK, HELP_RESCHED, HELP_HEAVY, HELP_URGENT, HELP_URGENT,
	    HELP_URGENT } },
	{ "cond_resched_qs",
	  { COND_RESCHED_NONE, COND_RESCHED_COUNTER, COND_RESCHED_COUNTER, COND_RESCHED_COUNTER,
	    COND_RESCHED_SCAN, COND_RESCHED_URGENT, COND_RESCHED_URGENT, COND_RESCHED_URGENT } },
	{ "exp_stall_timeout", { 0, 0, 0, 0, 0, 0, 1, 1 } },
	{ "nocb_groups", { 0, 0, 0, 0, 0, 1, 1, 1 } },
};

START_TEST(profiles_stand_oldest_first_and_are_found_by_name)
{
	static const char *const names[PROFILES] = { "v3.19", "v4.1",  "v4.4", "v4.9",
						     "v4.14", "v5.10", "v6.1", "v6.12" };
	size_t count;
	const struct rcu_profile *all = profile_all(&count);

	ck_assert_uint_eq(count, PROFILES);
	for (size_t i = 0; i < count; i++) {
		ck_assert_str_eq(all[i].name, names[i]);
		ck_assert_ptr_eq(profile_find(names[i]), &all[i]);
		if (i > 0)
			ck_assert_int_gt(all[i].version, all[i - 1].version);
	}
	ck_assert_ptr_null(profile_find("v4.2"));
	ck_assert_ptr_null(profile_find(""));
}
END_TEST

START_TEST(every_cell_has_the_value_of_the_documented_table)
{
	size_t cell_count, count;
	const struct profile_cell_info *cells = profile_cells(&cell_count);
	const struct rcu_profile *all = profile_all(&count);

	ck_assert_uint_eq(cell_count, sizeof(expected) / sizeof(expected[0]));
	for (size_t c = 0; c < cell_count; c++) {
		ck_assert_str_eq(cells[c].name, expected[c].cell);
		for (size_t p = 0; p < count; p++)
			ck_assert_msg(profile_cell_value(&all[p], c) == expected[c].value[p],
				      "%s %s is %lld, not %lld", all[p].name, cells[c].name,
				      (long long)profile_cell_value(&all[p], c),
				      (long long)expected[c].value[p]);
	}
}
END_TEST

START_TEST(every_cell_is_in_range_named_and_explained)
{
	size_t cell_count, count;
	const struct profile_cell_info *cells = profile_cells(&cell_count);
	const struct rcu_profile *all = profile_all(&count);

	for (size_t c = 0; c < cell_count; c++) {
		ck_assert_ptr_nonnull(cells[c].help);
		ck_assert_int_le(cells[c].low, cells[c].high);
		if (cells[c].value_names) {
			ck_assert_int_eq(cells[c].low, 0);
			for (int64_t v = 0; v <= cells[c].high; v++)
				ck_assert_ptr_nonnull(cells[c].value_names[v]);
			ck_assert_ptr_null(cells[c].value_names[cells[c].high + 1]);
		}
		for (size_t p = 0; p < count; p++) {
			int64_t value = profile_cell_value(&all[p], c);
			const char *name = profile_cell_value_name(&all[p], c);

			ck_assert_int_ge(value, cells[c].low);
			ck_assert_int_le(value, cells[c].high);
			ck_assert(!name == !cells[c].value_names);
		}
	}
	ck_assert_str_eq(profile_cell_value_name(&all[0], 2), "stoppers");
	ck_assert_str_eq(profile_cell_value_name(&all[3], 3), "system_wq");
	ck_assert_str_eq(profile_cell_value_name(&all[6], 3), "rcu_gp_wq");
	ck_assert_str_eq(profile_cell_value_name(&all[7], 3), "kthread");
}
END_TEST

/* Does the source name a release of this series? "4.14" is none of v4.1's. */
static bool names_series(const char *source, const char *series)
{
	size_t length = strlen(series);

	for (const char *at = source; (at = strstr(at, series)) != NULL; at++)
		if ((at == source || !strchr("0123456789.", at[-1])) &&
		    strspn(at + length, "0123456789") == 0)
			return true;
	return false;
}

START_TEST(every_cell_names_a_kernel_release_as_its_source)
{
	size_t cell_count, count;
	const struct profile_cell_info *cells = profile_cells(&cell_count);
	const struct rcu_profile *all = profile_all(&count);

	for (size_t p = 0; p < count; p++)
		for (size_t c = 0; c < cell_count; c++) {
			const char *source = profile_cell_source(p, c);

			ck_assert_msg(source != NULL, "%s %s has no source", all[p].name,
				      cells[c].name);
			ck_assert_msg(names_series(source, all[p].name + 1),
				      "%s %s: source names no release: %s", all[p].name,
				      cells[c].name, source);
		}
}
END_TEST

START_TEST(a_value_out_of_range_has_no_name)
{
	struct rcu_profile profile = *profile_find("v6.1");

	profile.exp_engine = EXP_ENGINE_COUNT;
	ck_assert_ptr_null(profile_cell_value_name(&profile, 2));
	profile.exp_engine = -1;
	ck_assert_ptr_null(profile_cell_value_name(&profile, 2));
}
END_TEST

START_TEST(metrics_cover_the_totals_and_the_paired_ones_once_each)
{
	static const char *const paired[] = { "saved_ns", "saved_pct", "saved_per_ipi_ns",
					      "break_even_ipi_ns" };
	bool seen[sizeof(struct run_totals) / sizeof(int64_t)] = { false };
	size_t count, totals = 0;
	const struct metric_info *all = metric_all(&count);

	for (size_t i = 0; i < count; i++) {
		ck_assert_ptr_eq(metric_find(all[i].name), &all[i]);
		ck_assert_ptr_nonnull(all[i].title);
		ck_assert_ptr_nonnull(all[i].help);
		if (all[i].source == METRIC_PAIRED)
			continue;
		ck_assert_uint_eq(all[i].offset % sizeof(int64_t), 0);
		ck_assert(!seen[all[i].offset / sizeof(int64_t)]);
		seen[all[i].offset / sizeof(int64_t)] = true;
		totals++;
	}
	ck_assert_uint_eq(totals, sizeof(seen) / sizeof(seen[0]));
	for (size_t i = 0; i < sizeof(paired) / sizeof(paired[0]); i++) {
		ck_assert_ptr_nonnull(metric_find(paired[i]));
		ck_assert_int_eq(metric_find(paired[i])->source, METRIC_PAIRED);
	}
	ck_assert_ptr_null(metric_find("saved"));
}
END_TEST

START_TEST(a_metric_reads_its_own_field_of_the_totals)
{
	struct run_totals totals = { .boot_time_ns = 7, .ipi_exp = 3, .events = 11 };

	ck_assert_int_eq(metric_total(metric_find("boot_time_ns"), &totals), 7);
	ck_assert_int_eq(metric_total(metric_find("ipi_exp"), &totals), 3);
	ck_assert_int_eq(metric_total(metric_find("events"), &totals), 11);
	ck_assert_int_eq(metric_total(metric_find("ticks"), &totals), 0);
	ck_assert_str_eq(metric_unit_name(metric_find("boot_time_ns")->unit), "ns");
	ck_assert_str_eq(metric_unit_name(metric_find("saved_pct")->unit), "percent");
	ck_assert_str_eq(metric_unit_name(metric_find("ipi_exp")->unit), "count");
}
END_TEST

START_TEST(every_way_a_run_or_a_wait_ends_has_its_own_name)
{
	for (int i = 0; i < RUN_STOP_COUNT; i++)
		for (int j = 0; j < i; j++)
			ck_assert_str_ne(run_stop_name((enum run_stop)i),
					 run_stop_name((enum run_stop)j));
	for (int i = 0; i < WAIT_PATH_COUNT; i++)
		for (int j = 0; j < i; j++)
			ck_assert_str_ne(wait_path_name((enum wait_path)i),
					 wait_path_name((enum wait_path)j));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("profile");
	TCase *tcase = tcase_create("tables");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, profiles_stand_oldest_first_and_are_found_by_name);
	tcase_add_test(tcase, every_cell_has_the_value_of_the_documented_table);
	tcase_add_test(tcase, every_cell_is_in_range_named_and_explained);
	tcase_add_test(tcase, every_cell_names_a_kernel_release_as_its_source);
	tcase_add_test(tcase, a_value_out_of_range_has_no_name);
	tcase_add_test(tcase, metrics_cover_the_totals_and_the_paired_ones_once_each);
	tcase_add_test(tcase, a_metric_reads_its_own_field_of_the_totals);
	tcase_add_test(tcase, every_way_a_run_or_a_wait_ends_has_its_own_name);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
