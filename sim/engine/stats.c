/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact moments, log-linear histogram, quantiles, Student-t intervals. Sums are
 * integers, so merging is associative to the bit (S1); a double appears only in
 * the last step of each answer. Guarded by tests/unit/check_stats.c.
 */
#include "sim/engine/stats.h"

#include <float.h>
#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>

__extension__ typedef __int128 stat_int128;
__extension__ typedef unsigned __int128 stat_uint128;

#define STAT_SUM_SQ_MOST (~(stat_uint128)0)
#define STAT_SUB_BITS 5

_Static_assert(STAT_HIST_SUB == 1 << STAT_SUB_BITS, "buckets of an octave are a power of two");

/* Saturating, which keeps it associative: S1 holds even past the limit. */
static void moments_sum_sq_add(struct stat_moments *m, stat_uint128 square)
{
	if (__builtin_add_overflow(m->sum_sq, square, &m->sum_sq))
		m->sum_sq = STAT_SUM_SQ_MOST;
}

void stat_moments_add(struct stat_moments *m, int64_t value)
{
	uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	if (m->count == 0 || value < m->min)
		m->min = value;
	if (m->count == 0 || value > m->max)
		m->max = value;
	m->count++;
	m->sum += value;
	moments_sum_sq_add(m, (stat_uint128)size * size);
}

void stat_moments_merge(struct stat_moments *into, const struct stat_moments *from)
{
	if (from->count == 0)
		return;
	if (into->count == 0 || from->min < into->min)
		into->min = from->min;
	if (into->count == 0 || from->max > into->max)
		into->max = from->max;
	into->count += from->count;
	into->sum += from->sum;
	moments_sum_sq_add(into, from->sum_sq);
}

double stat_mean(const struct stat_moments *m)
{
	if (m->count == 0)
		return NAN;
	return (double)m->sum / (double)m->count;
}

double stat_sd(const struct stat_moments *m)
{
	stat_int128 mean;
	stat_int128 rest;
	stat_uint128 centred;
	double n = (double)m->count;
	double squares;

	if (m->count < 2 || m->sum_sq == STAT_SUM_SQ_MOST)
		return NAN;
	/*
	 * With the mean rounded to an integer, sum of (x - mean)^2 is
	 * sum_sq - mean * (sum + rest), exact modulo 2^128; what is left to do
	 * in doubles is small and does not cancel.
	 */
	mean = m->sum / m->count;
	rest = m->sum - mean * m->count;
	if (rest * 2 > m->count) {
		mean++;
		rest -= m->count;
	} else if (rest * 2 < -(stat_int128)m->count) {
		mean--;
		rest += m->count;
	}
	centred = m->sum_sq - (stat_uint128)mean * (stat_uint128)(m->sum + rest);
	squares = (double)centred - (double)rest * ((double)rest / n);
	return squares > 0 ? sqrt(squares / (n - 1)) : 0;
}

double stat_half_width(const struct stat_moments *m, double level)
{
	double n = (double)m->count;

	if (m->count < 2)
		return NAN;
	return gsl_cdf_tdist_Pinv(0.5 + 0.5 * level, n - 1) * stat_sd(m) / sqrt(n);
}

size_t stat_hist_index(int64_t value)
{
	int octave;

	if (value < STAT_HIST_SUB)
		return value < 0 ? 0 : (size_t)value;
	octave = 63 - __builtin_clzll((unsigned long long)value) - STAT_SUB_BITS;
	return (size_t)(octave + 1) * STAT_HIST_SUB +
	       ((size_t)(value >> octave) & (STAT_HIST_SUB - 1));
}

int64_t stat_hist_low(size_t index)
{
	size_t octave = index / STAT_HIST_SUB;
	int64_t sub = (int64_t)(index % STAT_HIST_SUB);

	RS_REQUIRE(index < STAT_HIST_BUCKETS);
	if (octave == 0)
		return sub;
	return (STAT_HIST_SUB + sub) << (octave - 1);
}

int64_t stat_hist_high(size_t index)
{
	return index + 1 < STAT_HIST_BUCKETS ? stat_hist_low(index + 1) - 1 : INT64_MAX;
}

void stat_hist_add(struct stat_hist *h, int64_t value)
{
	if (value < 0)
		value = 0;
	if (h->count == 0 || value < h->min)
		h->min = value;
	if (h->count == 0 || value > h->max)
		h->max = value;
	h->count++;
	h->bucket[stat_hist_index(value)]++;
}

void stat_hist_merge(struct stat_hist *into, const struct stat_hist *from)
{
	if (from->count == 0)
		return;
	if (into->count == 0 || from->min < into->min)
		into->min = from->min;
	if (into->count == 0 || from->max > into->max)
		into->max = from->max;
	into->count += from->count;
	for (size_t i = 0; i < STAT_HIST_BUCKETS; i++)
		into->bucket[i] += from->bucket[i];
}

/* ceil(q * n), at least 1, not thrown one too high by the rounding of q * n. */
static int64_t hist_rank(double q, int64_t n)
{
	double exact = q * (double)n;
	double nearest = rint(exact);
	double rank = fabs(exact - nearest) <= 4 * DBL_EPSILON * exact ? nearest : ceil(exact);

	if (rank < 1)
		return 1;
	return rank < (double)n ? (int64_t)rank : n;
}

int64_t stat_hist_quantile(const struct stat_hist *h, double q)
{
	int64_t rank;
	int64_t seen = 0;
	size_t index = 0;
	int64_t high;

	RS_REQUIRE(q >= 0 && q <= 1);
	if (h->count == 0)
		return -1;
	rank = hist_rank(q, h->count);
	while (index + 1 < STAT_HIST_BUCKETS && seen + h->bucket[index] < rank)
		seen += h->bucket[index++];
	high = stat_hist_high(index);
	if (high > h->max)
		high = h->max;
	return high < h->min ? h->min : high;
}

double stat_quantile_sorted(const double *sorted, size_t n, double q)
{
	RS_REQUIRE(q >= 0 && q <= 1);
	if (n == 0)
		return NAN;
	return gsl_stats_quantile_from_sorted_data(sorted, 1, n, q);
}
