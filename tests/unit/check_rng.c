/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random streams: known answers against a plain restatement of the published
 * algorithms, the GSL side of the generator, and independence of streams. The
 * statistical tests have fixed seeds; limits are at a false-alarm rate of 1e-6.
 */
#include <check.h>
#include <math.h>

#include <gsl/gsl_cdf.h>

#include "sim/engine/rng.h"

#define ALARM 1e-6

/* Addition without carries hidden in the type: bits of x rotated left by n. */
static uint64_t plain_rotate(uint64_t x, int n)
{
	for (int i = 0; i < n; i++)
		x = (x << 1) + (x >= UINT64_C(0x8000000000000000) ? 1 : 0);
	return x;
}

/* xoshiro256++ as the paper states it: s0..s3 to their successors. */
static uint64_t plain_xoshiro(uint64_t s[4])
{
	uint64_t s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3];
	uint64_t out = plain_rotate(s0 + s3, 23) + s0;

	s[0] = s0 ^ s1 ^ s3;
	s[1] = s0 ^ s1 ^ s2;
	s[2] = s0 ^ s2 ^ (s1 * 131072);
	s[3] = plain_rotate(s1 ^ s3, 45);
	return out;
}

static uint64_t plain_splitmix(uint64_t *x)
{
	uint64_t z;

	*x += UINT64_C(11400714819323198485); /* 2^64 / golden ratio, odd */
	z = *x;
	z ^= z / (UINT64_C(1) << 30);
	z *= UINT64_C(13787848793156543929);
	z ^= z / (UINT64_C(1) << 27);
	z *= UINT64_C(10723151780598845931);
	return z ^ z / (UINT64_C(1) << 31);
}

START_TEST(splitmix_restatement_matches_the_published_output)
{
	/* First outputs of splitmix64 for seed 1234567, as widely published. */
	uint64_t x = 1234567;

	ck_assert_uint_eq(plain_splitmix(&x), UINT64_C(6457827717110365317));
	ck_assert_uint_eq(plain_splitmix(&x), UINT64_C(3203168211198807973));
	ck_assert_uint_eq(plain_splitmix(&x), UINT64_C(9817491932198370423));
}
END_TEST

START_TEST(output_matches_the_published_algorithm)
{
	struct rng_stream stream;
	uint64_t s[4] = { 1, 2, 3, 4 };

	rng_stream_init(&stream, 0, 0, 0, RNG_TEST);
	for (int i = 0; i < 4; i++)
		stream.state[i] = s[i];
	/* By hand: rotl(1 + 4, 23) + 1; then s = 7, 0, 262146, 6 << 45. */
	ck_assert_uint_eq(rng_u64(&stream), 41943041);
	ck_assert_uint_eq(rng_u64(&stream), 58720359);
	plain_xoshiro(s);
	plain_xoshiro(s);
	for (int i = 0; i < 1000; i++)
		ck_assert_uint_eq(rng_u64(&stream), plain_xoshiro(s));
}
END_TEST

START_TEST(gsl_sees_the_same_numbers)
{
	gsl_rng *rng = gsl_rng_alloc(rng_xoshiro256pp);
	uint64_t x = 42;
	uint64_t s[4];

	gsl_rng_set(rng, 42);
	for (int i = 0; i < 4; i++)
		s[i] = plain_splitmix(&x);
	ck_assert_str_eq(gsl_rng_name(rng), "xoshiro256++");
	ck_assert_uint_eq(gsl_rng_max(rng), 0xffffffffUL);
	ck_assert_uint_eq(gsl_rng_min(rng), 0);
	for (int i = 0; i < 100; i++) {
		ck_assert_uint_eq(gsl_rng_get(rng), plain_xoshiro(s) >> 32);
		ck_assert(gsl_rng_uniform(rng) ==
			  ldexp((double)(plain_xoshiro(s) >> 11), -53));
	}
	gsl_rng_free(rng);
}
END_TEST

START_TEST(a_stream_and_its_gsl_side_share_one_state)
{
	struct rng_stream a, b;

	rng_stream_init(&a, 1, 2, 3, RNG_STEP_DURATION);
	rng_stream_init(&b, 1, 2, 3, RNG_STEP_DURATION);
	for (int i = 0; i < 20; i++) {
		ck_assert_uint_eq(gsl_rng_get(&a.gsl), rng_u64(&b) >> 32);
		ck_assert(rng_uniform(&a) == gsl_rng_uniform(&b.gsl));
	}
}
END_TEST

START_TEST(uniforms_stay_in_their_range)
{
	struct rng_stream stream;
	int bad = 0;

	rng_stream_init(&stream, 5, 0, 0, RNG_TEST);
	for (int i = 0; i < 100000; i++) {
		double u = rng_uniform(&stream);
		double v = rng_uniform_pos(&stream);

		bad += !(u >= 0 && u < 1) || !(v > 0 && v < 1);
	}
	ck_assert_int_eq(bad, 0);
	/* A state whose next output is 0 makes a zero, which _pos must skip. */
	stream.state[0] = 0;
	stream.state[1] = 1;
	stream.state[2] = 2;
	stream.state[3] = 0;
	ck_assert(rng_uniform_pos(&stream) > 0);
}
END_TEST

/* The i-th of the tuples near the origin: each coordinate takes 8 values. */
static void neighbour_init(struct rng_stream *stream, unsigned i)
{
	rng_stream_init(stream, i & 7, i >> 3 & 7, i >> 6 & 7, (enum rng_purpose)(1 + (i >> 9 & 7)));
}

START_TEST(neighbouring_tuples_give_unrelated_streams)
{
	/*
	 * Each bit of the first output, and each bit of the difference to the
	 * neighbour, is a coin: chi-square over the 64 bits and all tuples.
	 */
	const unsigned tuples = 4096;
	double ones[64] = { 0 };
	double flips[64] = { 0 };
	double chi_ones = 0;
	double chi_flips = 0;
	double limit = gsl_cdf_chisq_Qinv(ALARM, 64);
	uint64_t before = 0;

	for (unsigned i = 0; i < tuples; i++) {
		struct rng_stream stream;
		uint64_t bits;

		neighbour_init(&stream, i);
		bits = rng_u64(&stream);
		for (unsigned j = 0; j < 64; j++) {
			ones[j] += (double)(bits >> j & 1);
			flips[j] += (double)((bits ^ before) >> j & 1);
		}
		before = bits;
	}
	for (int j = 0; j < 64; j++) {
		chi_ones += pow(ones[j] - tuples / 2.0, 2) / (tuples / 4.0);
		chi_flips += pow(flips[j] - tuples / 2.0, 2) / (tuples / 4.0);
	}
	ck_assert_double_lt(chi_ones, limit);
	ck_assert_double_lt(chi_flips, limit);
}
END_TEST

START_TEST(coordinates_are_not_interchangeable)
{
	static uint64_t firsts[4096];

	for (unsigned i = 0; i < 4096; i++) {
		struct rng_stream stream;

		neighbour_init(&stream, i);
		firsts[i] = rng_u64(&stream);
	}
	for (unsigned i = 0; i < 4096; i++) {
		unsigned same = 0;

		for (unsigned j = 0; j < i; j++)
			same += firsts[i] == firsts[j];
		ck_assert_uint_eq(same, 0);
	}
}
END_TEST

START_TEST(uniforms_are_uniform)
{
	enum { CELLS = 256, DRAWS = 256000 };
	const double expected = (double)DRAWS / CELLS;
	static double seen[CELLS];
	struct rng_stream stream;
	double chi = 0;

	rng_stream_init(&stream, 7, 0, 0, RNG_TEST);
	for (int i = 0; i < DRAWS; i++)
		seen[(int)(rng_uniform(&stream) * CELLS)]++;
	for (int i = 0; i < CELLS; i++)
		chi += pow(seen[i] - expected, 2) / expected;
	ck_assert_double_lt(chi, gsl_cdf_chisq_Qinv(ALARM, CELLS - 1));
	ck_assert_double_gt(chi, gsl_cdf_chisq_Pinv(ALARM, CELLS - 1));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rng");
	TCase *tcase = tcase_create("rng");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, splitmix_restatement_matches_the_published_output);
	tcase_add_test(tcase, output_matches_the_published_algorithm);
	tcase_add_test(tcase, gsl_sees_the_same_numbers);
	tcase_add_test(tcase, a_stream_and_its_gsl_side_share_one_state);
	tcase_add_test(tcase, uniforms_stay_in_their_range);
	tcase_add_test(tcase, neighbouring_tuples_give_unrelated_streams);
	tcase_add_test(tcase, coordinates_are_not_interchangeable);
	tcase_add_test(tcase, uniforms_are_uniform);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? 0 : 1;
}
