/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mergeable statistics.
 *
 * S1: merging in replication order gives bit for bit the result of a single
 *     pass over the same order, whatever the grouping. Moments therefore hold
 *     exact sums (128-bit integers of value and square), not running means.
 * S2: quantiles of the histogram are within 1/32 (relative) of the exact order
 *     statistic, exact below 32.
 */
#ifndef ENGINE_STATS_H
#define ENGINE_STATS_H

#include "sim/engine/base.h"

/* Count, sum, sum of squares, extremes of int64 samples. Zeroed = empty. */
struct stat_moments {
	int64_t count;
	int64_t min;
	int64_t max;
	__extension__ __int128 sum;
	__extension__ unsigned __int128 sum_sq; /* samples limited to |x| < 2^53: overflows after 2^21 samples of that size; saturates */
};

void stat_moments_add(struct stat_moments *m, int64_t value);
void stat_moments_merge(struct stat_moments *into, const struct stat_moments *from);

/* Mean; NAN when empty. */
double stat_mean(const struct stat_moments *m);
/* Unbiased standard deviation; NAN for fewer than two samples. */
double stat_sd(const struct stat_moments *m);
/*
 * Half-width of the Student-t interval for the mean at `level` (0.95), through
 * gsl_cdf_tdist_Pinv; NAN for fewer than two samples.
 */
double stat_half_width(const struct stat_moments *m, double level);

/*
 * Log-linear histogram of non-negative int64 (negative values clamp to 0):
 * 32 linear buckets an octave. About 15 KiB.
 */
#define STAT_HIST_SUB 32
#define STAT_HIST_BUCKETS ((63 - 5 + 1) * STAT_HIST_SUB)
struct stat_hist {
	int64_t count;
	int64_t min;
	int64_t max;
	int64_t bucket[STAT_HIST_BUCKETS];
};

void stat_hist_add(struct stat_hist *h, int64_t value);
void stat_hist_merge(struct stat_hist *into, const struct stat_hist *from);

/*
 * The q-quantile (0 <= q <= 1), nearest-rank (ceil(q*n), at least 1): the upper
 * edge of the bucket that holds it, limited to [min, max]; -1 when empty.
 */
int64_t stat_hist_quantile(const struct stat_hist *h, double q);

/*
 * Exact q-quantile of n values by linear interpolation between order statistics
 * (Hyndman and Fan 1996, type 7; gsl_stats_quantile_from_sorted_data). sorted
 * must be ascending; NAN when n is 0.
 */
double stat_quantile_sorted(const double *sorted, size_t n, double q);

/* Log-linear bucket of a value, and the bounds of a bucket (inclusive); for writers. */
size_t stat_hist_index(int64_t value);
int64_t stat_hist_low(size_t index);
int64_t stat_hist_high(size_t index);

#endif
