/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distributions of durations. Parameters are nanoseconds (double); every sample
 * is rounded once to int64 ns, half to even, and clamped at >= 0. GSL draws
 * where it has the distribution; each sample consumes its own stream.
 */
#ifndef ENGINE_DIST_H
#define ENGINE_DIST_H

#include "sim/engine/base.h"
#include "sim/engine/rng.h"

enum dist_kind {
	DIST_CONSTANT,    /* a = value */
	DIST_UNIFORM,     /* a = low, b = high */
	DIST_EXPONENTIAL, /* a = mean */
	DIST_NORMAL,      /* a = mean, b = standard deviation; clamped at 0 */
	DIST_LOGNORMAL,   /* a = mean, b = standard deviation of the value (not of its log) */
	DIST_GAMMA,       /* a = mean, b = standard deviation */
	DIST_WEIBULL,     /* a = scale, b = shape (no unit) */
	DIST_PARETO,      /* a = minimum, b = shape (no unit, > 1 for a finite mean) */
	DIST_EMPIRICAL,   /* values[count]: one of them, equally likely */
	DIST_MIXTURE,     /* parts[count] with weights */
	DIST_KIND_COUNT
};

struct dist_part;

struct dist {
	enum dist_kind kind;
	double a;
	double b;
	size_t count;
	const sim_time_ns *values;      /* DIST_EMPIRICAL; borrowed */
	const struct dist_part *parts;  /* DIST_MIXTURE; borrowed */
};

struct dist_part {
	double weight; /* > 0; need not sum to 1 */
	struct dist dist;
};

/* A constant of value_ns. */
struct dist dist_constant(sim_time_ns value_ns);

/*
 * Are the parameters allowed (finite, in range, lists non-empty, mixtures not
 * nested deeper than 4)? On false *why is a static text naming the fault.
 */
bool dist_is_valid(const struct dist *dist, const char **why);

/* Draws one duration in ns, >= 0. A constant draws nothing from the stream. */
sim_time_ns dist_draw_ns(const struct dist *dist, struct rng_stream *stream);

/* Mean in ns of the unclamped, unrounded distribution; INFINITY if it has none. */
double dist_mean_ns(const struct dist *dist);

/* Name of the kind as written in scenario files ("lognormal"). */
const char *dist_kind_name(enum dist_kind kind);

#endif
