/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics: S1 (merged equals single pass bit for bit, whatever the grouping),
 * S2 (histogram error bound), closed values of moments, intervals, quantiles.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/rng.h"
#include "sim/engine/stats.h"

#define SAMPLES 5000

static void draw_samples(int64_t *samples, uint64_t seed)
{
	struct rng_stream stream;

	rng_stream_init(&stream, seed, 0, 0, RNG_TEST);
	for (int i = 0; i < SAMPLES; i++) {
		unsigned shift = (unsigned)(rng_u64(&stream) % 53) + 11;

		samples[i] = (int64_t)(rng_u64(&stream) >> shift);
	}
}

static int compare_ints(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a;
	int64_t y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

START_TEST(merged_equals_single_pass_bit_for_bit)
{
	static int64_t samples[SAMPLES];
	struct stat_moments whole = { 0 }, merged = { 0 }, tree = { 0 };
	struct stat_hist *hist = rs_calloc(3, sizeof(*hist));
	int group = 1 + _i * 97;

	draw_samples(samples, (uint64_t)_i);
	for (int i = 0; i < SAMPLES; i++) {
		stat_moments_add(&whole, i % 3 ? samples[i] : -samples[i]);
		stat_hist_add(&hist[0], samples[i]);
	}
	for (int start = 0; start < SAMPLES; start += group) {
		struct stat_moments part = { 0 };

		memset(&hist[2], 0, sizeof(hist[2]));
		for (int i = start; i < SAMPLES && i < start + group; i++) {
			stat_moments_add(&part, i % 3 ? samples[i] : -samples[i]);
			stat_hist_add(&hist[2], samples[i]);
		}
		stat_moments_merge(&merged, &part);
		stat_hist_merge(&hist[1], &hist[2]);
	}
	stat_moments_merge(&tree, &merged);
	ck_assert_mem_eq(&whole, &merged, sizeof(whole));
	ck_assert_mem_eq(&whole, &tree, sizeof(whole));
	ck_assert_mem_eq(&hist[0], &hist[1], sizeof(hist[0]));
	free(hist);
}
END_TEST

START_TEST(merging_nothing_changes_nothing)
{
	struct stat_moments m = { 0 }, empty = { 0 };

	stat_moments_add(&m, 5);
	stat_moments_merge(&m, &empty);
	ck_assert_int_eq(m.count, 1);
	ck_assert_int_eq(m.min, 5);
	stat_moments_merge(&empty, &m);
	ck_assert_int_eq(empty.min, 5);
	ck_assert_int_eq(empty.max, 5);
}
END_TEST

START_TEST(moments_have_their_textbook_values)
{
	/* NIST's Michelson and NumAcc idea: a big offset must not cost digits. */
	static const int64_t offsets[] = { 0, -7, INT64_C(1) << 52, -(INT64_C(1) << 52) };
	static const int64_t values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };

	for (size_t i = 0; i < 4; i++) {
		struct stat_moments m = { 0 };

		for (size_t j = 0; j < 8; j++)
			stat_moments_add(&m, offsets[i] + values[j]);
		ck_assert_double_eq(stat_mean(&m), (double)(offsets[i] + 5));
		ck_assert_double_eq_tol(stat_sd(&m), sqrt(32.0 / 7), 1e-15);
		ck_assert_int_eq(m.min, offsets[i] + 2);
		ck_assert_int_eq(m.max, offsets[i] + 9);
	}
}
END_TEST

START_TEST(sd_of_equal_samples_is_zero)
{
	struct stat_moments m = { 0 };

	for (int i = 0; i < 1000; i++)
		stat_moments_add(&m, 31768000);
	ck_assert_double_eq(stat_sd(&m), 0);
	/* One sample 1 ns off: variance 1/n exactly. */
	stat_moments_add(&m, 31768001);
	ck_assert_double_eq_tol(stat_sd(&m), sqrt(1.0 / 1001), 1e-15);
}
END_TEST

START_TEST(too_few_samples_give_no_number)
{
	struct stat_moments m = { 0 };

	ck_assert(isnan(stat_mean(&m)));
	stat_moments_add(&m, 1);
	ck_assert_double_eq(stat_mean(&m), 1);
	ck_assert(isnan(stat_sd(&m)));
	ck_assert(isnan(stat_half_width(&m, 0.95)));
}
END_TEST

START_TEST(saturated_squares_give_no_deviation)
{
	struct stat_moments m = { 0 }, twice = { 0 };

	for (int i = 0; i < 5; i++)
		stat_moments_add(&m, INT64_MIN);
	ck_assert(isnan(stat_sd(&m)));
	ck_assert_double_eq(stat_mean(&m), (double)INT64_MIN);
	stat_moments_merge(&twice, &m);
	stat_moments_merge(&twice, &m);
	ck_assert(isnan(stat_sd(&twice)));
}
END_TEST

START_TEST(half_width_uses_tabulated_t_values)
{
	/* Two-sided quantiles of Student's t, from the usual tables. */
	static const struct {
		int freedom;
		double level;
		double t;
	} rows[] = {
		{ 1, 0.95, 12.7062 }, { 2, 0.95, 4.3027 },  { 4, 0.95, 2.7764 },
		{ 9, 0.95, 2.2622 },  { 9, 0.99, 3.2498 },  { 19, 0.90, 1.7291 },
		{ 29, 0.95, 2.0452 }, { 119, 0.95, 1.9801 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct stat_moments m = { 0 };
		double n = rows[i].freedom + 1;

		for (int j = 0; j <= rows[i].freedom; j++)
			stat_moments_add(&m, 1000000 * j);
		/* Variance of 0..n-1 is n (n + 1) / 12. */
		ck_assert_double_eq_tol(stat_half_width(&m, rows[i].level) / 1e6,
					rows[i].t * sqrt((n + 1) / 12), 6e-5 * sqrt((n + 1) / 12));
	}
}
END_TEST

START_TEST(buckets_tile_the_integers)
{
	int64_t next = 0;

	for (size_t i = 0; i < STAT_HIST_BUCKETS; i++) {
		int64_t low = stat_hist_low(i);
		int64_t high = stat_hist_high(i);

		ck_assert_int_eq(low, next);
		ck_assert_int_ge(high, low);
		ck_assert_uint_eq(stat_hist_index(low), i);
		ck_assert_uint_eq(stat_hist_index(high), i);
		/* S2: a bucket is at most 1/32 of its values wide. */
		ck_assert_int_le(high - low, low / 32);
		if (i + 1 < STAT_HIST_BUCKETS)
			next = high + 1;
		else
			ck_assert_int_eq(high, INT64_MAX);
	}
	ck_assert_uint_eq(stat_hist_index(-5), 0);
}
END_TEST

START_TEST(histogram_quantiles_keep_their_error_bound)
{
	static int64_t samples[SAMPLES];
	static const double qs[] = { 0, 0.001, 0.05, 0.25, 0.5, 0.75, 0.95, 0.999, 1 };
	static const int ranks[] = { 1, 5, 250, 1250, 2500, 3750, 4750, 4995, 5000 };
	struct stat_hist *hist = rs_calloc(1, sizeof(*hist));

	draw_samples(samples, 9);
	for (int i = 0; i < SAMPLES; i++)
		stat_hist_add(hist, samples[i]);
	qsort(samples, SAMPLES, sizeof(samples[0]), compare_ints);
	for (size_t i = 0; i < sizeof(qs) / sizeof(qs[0]); i++) {
		int64_t exact = samples[ranks[i] - 1];
		int64_t found = stat_hist_quantile(hist, qs[i]);

		ck_assert_int_ge(found, exact);
		ck_assert_int_le(found - exact, exact / 32);
	}
	ck_assert_int_eq(stat_hist_quantile(hist, 1), samples[SAMPLES - 1]);
	free(hist);
}
END_TEST

START_TEST(ranks_are_not_pushed_up_by_rounding)
{
	/* 0.07 * 100 is 7.000000000000001 in doubles, yet the rank is 7. */
	struct stat_hist *hist = rs_calloc(1, sizeof(*hist));

	ck_assert_int_eq(stat_hist_quantile(hist, 0.5), -1);
	for (int i = 0; i < 100; i++)
		stat_hist_add(hist, i < 7 ? 3 : 20);
	ck_assert_int_eq(stat_hist_quantile(hist, 0.07), 3);
	ck_assert_int_eq(stat_hist_quantile(hist, 0.0701), 20);
	stat_hist_add(hist, -4);
	ck_assert_int_eq(stat_hist_quantile(hist, 0), 0);
	free(hist);
}
END_TEST

START_TEST(sorted_quantiles_interpolate_as_type_7)
{
	static const double values[] = { 1, 2, 4, 8, 16 };

	ck_assert_double_eq(stat_quantile_sorted(values, 5, 0), 1);
	ck_assert_double_eq(stat_quantile_sorted(values, 5, 0.5), 4);
	ck_assert_double_eq_tol(stat_quantile_sorted(values, 5, 0.9), 12.8, 1e-12);
	ck_assert_double_eq(stat_quantile_sorted(values, 5, 1), 16);
	ck_assert_double_eq(stat_quantile_sorted(values, 1, 0.3), 1);
	ck_assert(isnan(stat_quantile_sorted(values, 0, 0.5)));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("stats");
	TCase *tcase = tcase_create("stats");
	SRunner *runner;
	int failed;

	tcase_add_loop_test(tcase, merged_equals_single_pass_bit_for_bit, 0, 6);
	tcase_add_test(tcase, merging_nothing_changes_nothing);
	tcase_add_test(tcase, moments_have_their_textbook_values);
	tcase_add_test(tcase, sd_of_equal_samples_is_zero);
	tcase_add_test(tcase, too_few_samples_give_no_number);
	tcase_add_test(tcase, saturated_squares_give_no_deviation);
	tcase_add_test(tcase, half_width_uses_tabulated_t_values);
	tcase_add_test(tcase, buckets_tile_the_integers);
	tcase_add_test(tcase, histogram_quantiles_keep_their_error_bound);
	tcase_add_test(tcase, ranks_are_not_pushed_up_by_rounding);
	tcase_add_test(tcase, sorted_quantiles_interpolate_as_type_7);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? 0 : 1;
}
