/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distributions, in the manner of GSL's randist/test.c: each is drawn with a
 * fixed seed and held against its cumulative function (Kolmogorov-Smirnov) and
 * its moments. Limits are at a false-alarm rate of 1e-6 a comparison, had the
 * seed not been fixed.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#include "sim/engine/dist.h"

#define DRAWS 40000
/* Kolmogorov: P(sqrt(n) D > x) = 2 exp(-2 x^2) = 1e-6. */
#define KS_LIMIT 2.694
/* Normal: P(|z| > 4.89) = 1e-6. */
#define Z_LIMIT 4.89

struct dist_case {
	struct dist dist;
	double sd;                              /* of the distribution; 0: do not test the mean */
	double (*cdf)(double x, double a, double b);
};

static double cdf_uniform(double x, double a, double b)
{
	return gsl_cdf_flat_P(x, a, b);
}

static double cdf_exponential(double x, double a, double b)
{
	(void)b;
	return -expm1(-x / a);
}

static double cdf_normal(double x, double a, double b)
{
	return x < 0 ? 0 : gsl_cdf_gaussian_P(x - a, b);
}

/* mean = exp(m + s^2 / 2), variance = mean^2 (exp(s^2) - 1). */
static double cdf_lognormal(double x, double a, double b)
{
	double s = sqrt(log(1 + b * b / (a * a)));

	return gsl_cdf_lognormal_P(x, log(a) - s * s / 2, s);
}

static double cdf_gamma(double x, double a, double b)
{
	return gsl_cdf_gamma_P(x, a * a / (b * b), b * b / a);
}

static double cdf_weibull(double x, double a, double b)
{
	return -expm1(-pow(x / a, b));
}

static double cdf_pareto(double x, double a, double b)
{
	return x < a ? 0 : 1 - pow(a / x, b);
}

/* Scales of 1e9 ns make the rounding to 1 ns invisible to the tests. */
static const struct dist_case cases[] = {
	{ { .kind = DIST_UNIFORM, .a = 2e9, .b = 5e9 }, 0.8660254037844387e9, cdf_uniform },
	{ { .kind = DIST_EXPONENTIAL, .a = 3e9 }, 3e9, cdf_exponential },
	{ { .kind = DIST_NORMAL, .a = 9e9, .b = 1e9 }, 1e9, cdf_normal },
	{ { .kind = DIST_NORMAL, .a = 1e9, .b = 2e9 }, 0, cdf_normal },
	{ { .kind = DIST_LOGNORMAL, .a = 4e9, .b = 1e9 }, 1e9, cdf_lognormal },
	{ { .kind = DIST_LOGNORMAL, .a = 4e9, .b = 6e9 }, 6e9, cdf_lognormal },
	{ { .kind = DIST_GAMMA, .a = 4e9, .b = 2e9 }, 2e9, cdf_gamma },
	{ { .kind = DIST_GAMMA, .a = 4e9, .b = 6e9 }, 6e9, cdf_gamma },
	{ { .kind = DIST_WEIBULL, .a = 2e9, .b = 1.5 }, 1.2262e9, cdf_weibull },
	{ { .kind = DIST_PARETO, .a = 1e9, .b = 6.0 }, 0.24494897427831783e9, cdf_pareto },
	{ { .kind = DIST_PARETO, .a = 1e9, .b = 0.5 }, 0, cdf_pareto },
};

static int compare_times(const void *a, const void *b)
{
	sim_time_ns x = *(const sim_time_ns *)a;
	sim_time_ns y = *(const sim_time_ns *)b;

	return (x > y) - (x < y);
}

static sim_time_ns *draw_sorted(const struct dist *dist, uint64_t seed)
{
	sim_time_ns *draws = rs_calloc(DRAWS, sizeof(*draws));
	struct rng_stream stream;

	rng_stream_init(&stream, seed, 0, 0, RNG_TEST);
	for (int i = 0; i < DRAWS; i++)
		draws[i] = dist_draw_ns(dist, &stream);
	qsort(draws, DRAWS, sizeof(*draws), compare_times);
	return draws;
}

static double mean_of(const sim_time_ns *draws)
{
	double sum = 0;

	for (int i = 0; i < DRAWS; i++)
		sum += (double)draws[i];
	return sum / DRAWS;
}

START_TEST(samples_follow_the_cumulative_function)
{
	const struct dist_case *c = &cases[_i];
	sim_time_ns *draws = draw_sorted(&c->dist, (uint64_t)_i + 1);
	double most = 0;

	for (int i = 0; i < DRAWS; i++) {
		double p = c->cdf((double)draws[i], c->dist.a, c->dist.b);

		ck_assert_msg(draws[i] >= 0, "a negative sample");
		/* Below the clamp at 0 there is no density to compare. */
		if (draws[i] == 0)
			continue;
		most = fmax(most, fmax(fabs(p - (double)i / DRAWS),
				       fabs(p - (double)(i + 1) / DRAWS)));
	}
	ck_assert_double_lt(sqrt(DRAWS) * most, KS_LIMIT);
	if (c->sd > 0) {
		double error = mean_of(draws) - dist_mean_ns(&c->dist);

		ck_assert_double_lt(fabs(error), Z_LIMIT * c->sd / sqrt(DRAWS));
	}
	free(draws);
}
END_TEST

START_TEST(constants_draw_nothing)
{
	static const struct dist constants[] = {
		{ .kind = DIST_CONSTANT, .a = 5000 },
		{ .kind = DIST_UNIFORM, .a = 5000, .b = 5000 },
		{ .kind = DIST_NORMAL, .a = 5000 },
		{ .kind = DIST_LOGNORMAL, .a = 5000 },
		{ .kind = DIST_GAMMA, .a = 5000 },
	};
	struct rng_stream used, fresh;

	rng_stream_init(&used, 1, 0, 0, RNG_TEST);
	rng_stream_init(&fresh, 1, 0, 0, RNG_TEST);
	for (size_t i = 0; i < sizeof(constants) / sizeof(constants[0]); i++)
		ck_assert_int_eq(dist_draw_ns(&constants[i], &used), 5000);
	ck_assert_uint_eq(rng_u64(&used), rng_u64(&fresh));
	ck_assert_double_eq(dist_constant(77).a, 77.0);
}
END_TEST

START_TEST(samples_round_half_to_even_and_clamp)
{
	static const struct {
		double value;
		sim_time_ns ns;
	} rows[] = {
		{ 0.5, 0 }, { 1.5, 2 }, { 2.5, 2 }, { 2.500001, 3 }, { 0.0, 0 }, { -3.0, 0 },
		{ 1e300, INT64_C(1) << 62 },
	};
	struct rng_stream stream;

	rng_stream_init(&stream, 1, 0, 0, RNG_TEST);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dist dist = { .kind = DIST_CONSTANT, .a = rows[i].value };

		ck_assert_int_eq(dist_draw_ns(&dist, &stream), rows[i].ns);
	}
}
END_TEST

START_TEST(empirical_values_are_equally_likely)
{
	static const sim_time_ns values_ns[] = { 3, 1000, 3, 70 };
	struct dist dist = { .kind = DIST_EMPIRICAL, .count = 4, .values = values_ns };
	sim_time_ns *draws = draw_sorted(&dist, 3);
	double seen[3] = { 0 };
	double chi = 0;

	for (int i = 0; i < DRAWS; i++)
		seen[draws[i] == 3 ? 0 : draws[i] == 70 ? 1 : 2]++;
	chi += pow(seen[0] - DRAWS * 0.5, 2) / (DRAWS * 0.5);
	chi += pow(seen[1] - DRAWS * 0.25, 2) / (DRAWS * 0.25);
	chi += pow(seen[2] - DRAWS * 0.25, 2) / (DRAWS * 0.25);
	ck_assert_double_lt(chi, gsl_cdf_chisq_Qinv(1e-6, 2));
	ck_assert_int_eq(draws[DRAWS - 1], 1000);
	ck_assert_double_eq(dist_mean_ns(&dist), 269.0);
	free(draws);
}
END_TEST

START_TEST(mixtures_choose_by_weight)
{
	const struct dist_part inner[] = {
		{ .weight = 1, .dist = dist_constant(10) },
		{ .weight = 1, .dist = dist_constant(20) },
	};
	const struct dist_part outer[] = {
		{ .weight = 6, .dist = dist_constant(1) },
		{ .weight = 2, .dist = { .kind = DIST_MIXTURE, .count = 2, .parts = inner } },
	};
	struct dist dist = { .kind = DIST_MIXTURE, .count = 2, .parts = outer };
	sim_time_ns *draws = draw_sorted(&dist, 4);
	double seen[3] = { 0 };
	double chi;

	for (int i = 0; i < DRAWS; i++)
		seen[draws[i] == 1 ? 0 : draws[i] == 10 ? 1 : 2]++;
	chi = pow(seen[0] - DRAWS * 0.75, 2) / (DRAWS * 0.75);
	chi += pow(seen[1] - DRAWS * 0.125, 2) / (DRAWS * 0.125);
	chi += pow(seen[2] - DRAWS * 0.125, 2) / (DRAWS * 0.125);
	ck_assert_double_lt(chi, gsl_cdf_chisq_Qinv(1e-6, 2));
	ck_assert_double_eq(dist_mean_ns(&dist), 4.5);
	free(draws);
}
END_TEST

START_TEST(means_are_those_of_the_closed_forms)
{
	const struct dist weibull = { .kind = DIST_WEIBULL, .a = 1000, .b = 2 };
	const struct dist pareto = { .kind = DIST_PARETO, .a = 1000, .b = 3 };
	const struct dist heavy = { .kind = DIST_PARETO, .a = 1000, .b = 1 };
	const struct dist uniform = { .kind = DIST_UNIFORM, .a = 10, .b = 30 };

	ck_assert_double_eq_tol(dist_mean_ns(&weibull), 886.2269254527580, 1e-9);
	ck_assert_double_eq_tol(dist_mean_ns(&pareto), 1500, 1e-9);
	ck_assert(isinf(dist_mean_ns(&heavy)));
	ck_assert_double_eq(dist_mean_ns(&uniform), 20);
}
END_TEST

START_TEST(faulty_parameters_are_named)
{
	static const sim_time_ns negative[] = { 1, -1 };
	static const struct dist_part weightless[] = { { .weight = 0 } };
	static const struct dist_part faulty[] = { { 1, { .kind = DIST_EXPONENTIAL, .a = -1 } } };
	static const struct dist bad[] = {
		{ .kind = DIST_CONSTANT, .a = -1 },
		{ .kind = DIST_CONSTANT, .a = NAN },
		{ .kind = DIST_UNIFORM, .a = 2, .b = 1 },
		{ .kind = DIST_UNIFORM, .a = -1, .b = 1 },
		{ .kind = DIST_EXPONENTIAL, .a = INFINITY },
		{ .kind = DIST_NORMAL, .a = 1, .b = -1 },
		{ .kind = DIST_NORMAL, .a = -1, .b = 1 },
		{ .kind = DIST_LOGNORMAL, .a = 0, .b = 1 },
		{ .kind = DIST_GAMMA, .a = 1, .b = -1 },
		{ .kind = DIST_WEIBULL, .a = 1, .b = 0 },
		{ .kind = DIST_WEIBULL, .a = 0, .b = 1 },
		{ .kind = DIST_PARETO, .a = 0, .b = 1 },
		{ .kind = DIST_PARETO, .a = 1, .b = 0 },
		{ .kind = DIST_EMPIRICAL },
		{ .kind = DIST_EMPIRICAL, .count = 2, .values = negative },
		{ .kind = DIST_MIXTURE },
		{ .kind = DIST_MIXTURE, .count = 1, .parts = weightless },
		{ .kind = DIST_MIXTURE, .count = 1, .parts = faulty },
		{ .kind = DIST_KIND_COUNT },
	};
	const char *why;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		why = NULL;
		ck_assert_msg(!dist_is_valid(&bad[i], &why), "row %zu is taken", i);
		ck_assert_ptr_nonnull(why);
	}
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ck_assert(dist_is_valid(&cases[i].dist, &why));
		ck_assert_ptr_null(why);
	}
}
END_TEST

START_TEST(mixtures_nest_four_deep_and_no_deeper)
{
	struct dist_part parts[5];
	struct dist dist = dist_constant(1);
	const char *why;

	for (int i = 0; i < 5; i++) {
		parts[i] = (struct dist_part){ .weight = 1, .dist = dist };
		dist = (struct dist){ .kind = DIST_MIXTURE, .count = 1, .parts = &parts[i] };
		ck_assert(dist_is_valid(&dist, &why) == (i < 4));
	}
}
END_TEST

START_TEST(every_kind_has_its_own_name)
{
	for (int i = 0; i < DIST_KIND_COUNT; i++) {
		for (int j = 0; j < i; j++)
			ck_assert_str_ne(dist_kind_name((enum dist_kind)i),
					 dist_kind_name((enum dist_kind)j));
	}
	ck_assert_str_eq(dist_kind_name(DIST_LOGNORMAL), "lognormal");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("dist");
	TCase *tcase = tcase_create("dist");
	SRunner *runner;
	int failed;

	tcase_add_loop_test(tcase, samples_follow_the_cumulative_function, 0,
			    (int)(sizeof(cases) / sizeof(cases[0])));
	tcase_add_test(tcase, constants_draw_nothing);
	tcase_add_test(tcase, samples_round_half_to_even_and_clamp);
	tcase_add_test(tcase, empirical_values_are_equally_likely);
	tcase_add_test(tcase, mixtures_choose_by_weight);
	tcase_add_test(tcase, means_are_those_of_the_closed_forms);
	tcase_add_test(tcase, faulty_parameters_are_named);
	tcase_add_test(tcase, mixtures_nest_four_deep_and_no_deeper);
	tcase_add_test(tcase, every_kind_has_its_own_name);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? 0 : 1;
}
