/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Duration distributions through GSL. Every sample is computed in double in a
 * fixed order, rounded once (half to even), and clamped to 0 .. DIST_MOST_NS, so
 * that now + sample cannot overflow whatever a heavy tail gives. A distribution
 * without spread is a constant and draws nothing. Guarded by
 * tests/unit/check_dist.c.
 */
#include "sim/engine/dist.h"

#include <math.h>

#include <gsl/gsl_randist.h>

/* 2^62 ns, 146 years. */
#define DIST_MOST_NS 0x1p62
#define DIST_NEST_MAX 4

struct dist dist_constant(sim_time_ns value_ns)
{
	return (struct dist){ .kind = DIST_CONSTANT, .a = (double)value_ns };
}

static const char *dist_parts_fault(const struct dist *dist, int depth);

/* The fault of the parameters of one distribution, NULL if none. */
static const char *dist_fault(const struct dist *dist, int depth)
{
	if (!isfinite(dist->a) || !isfinite(dist->b))
		return "parameters must be finite numbers";
	switch (dist->kind) {
	case DIST_CONSTANT:
		return dist->a >= 0 ? NULL : "the value must not be negative";
	case DIST_UNIFORM:
		if (dist->a < 0)
			return "the lower bound must not be negative";
		return dist->b >= dist->a ? NULL : "the upper bound is below the lower bound";
	case DIST_EXPONENTIAL:
		return dist->a >= 0 ? NULL : "the mean must not be negative";
	case DIST_NORMAL:
		if (dist->a < 0)
			return "the mean must not be negative";
		return dist->b >= 0 ? NULL : "the standard deviation must not be negative";
	case DIST_LOGNORMAL:
	case DIST_GAMMA:
		if (dist->a <= 0)
			return "the mean must be positive";
		return dist->b >= 0 ? NULL : "the standard deviation must not be negative";
	case DIST_WEIBULL:
		if (dist->a <= 0)
			return "the scale must be positive";
		return dist->b > 0 ? NULL : "the shape must be positive";
	case DIST_PARETO:
		if (dist->a <= 0)
			return "the minimum must be positive";
		return dist->b > 0 ? NULL : "the shape must be positive";
	case DIST_EMPIRICAL:
		if (dist->count == 0 || !dist->values)
			return "the list of values is empty";
		if (dist->count > UINT32_MAX)
			return "the list of values is too long";
		for (size_t i = 0; i < dist->count; i++) {
			if (dist->values[i] < 0)
				return "a value of the list is negative";
		}
		return NULL;
	case DIST_MIXTURE:
		return dist_parts_fault(dist, depth);
	case DIST_KIND_COUNT:
		break;
	}
	return "unknown kind of distribution";
}

static const char *dist_parts_fault(const struct dist *dist, int depth)
{
	double total = 0;

	if (dist->count == 0 || !dist->parts)
		return "the mixture has no parts";
	if (depth >= DIST_NEST_MAX)
		return "mixtures are nested too deeply";
	for (size_t i = 0; i < dist->count; i++) {
		const char *fault;

		if (!(dist->parts[i].weight > 0) || !isfinite(dist->parts[i].weight))
			return "the weight of a part must be positive";
		total += dist->parts[i].weight;
		fault = dist_fault(&dist->parts[i].dist, depth + 1);
		if (fault)
			return fault;
	}
	return isfinite(total) ? NULL : "the weights are too large";
}

bool dist_is_valid(const struct dist *dist, const char **why)
{
	*why = dist_fault(dist, 0);
	return *why == NULL;
}

static sim_time_ns dist_round_ns(double x)
{
	if (!(x > 0))
		return 0;
	if (x >= DIST_MOST_NS)
		return (sim_time_ns)DIST_MOST_NS;
	return (sim_time_ns)rint(x);
}

static double dist_draw_lognormal(double mean, double sd, gsl_rng *rng)
{
	double ratio = sd / mean;
	double log_variance = log1p(ratio * ratio);
	double log_mean = log(mean) - 0.5 * log_variance;

	return gsl_ran_lognormal(rng, log_mean, sqrt(log_variance));
}

static double dist_draw_gamma(double mean, double sd, gsl_rng *rng)
{
	double ratio = mean / sd;

	return gsl_ran_gamma(rng, ratio * ratio, sd / ratio);
}

static const struct dist *dist_draw_part(const struct dist *dist, struct rng_stream *stream)
{
	double total = 0;
	double left;

	for (size_t i = 0; i < dist->count; i++)
		total += dist->parts[i].weight;
	left = rng_uniform(stream) * total;
	for (size_t i = 0; i + 1 < dist->count; i++) {
		if (left < dist->parts[i].weight)
			return &dist->parts[i].dist;
		left -= dist->parts[i].weight;
	}
	return &dist->parts[dist->count - 1].dist;
}

sim_time_ns dist_draw_ns(const struct dist *dist, struct rng_stream *stream)
{
	gsl_rng *rng = &stream->gsl;

	while (dist->kind == DIST_MIXTURE)
		dist = dist_draw_part(dist, stream);

	switch (dist->kind) {
	case DIST_CONSTANT:
		return dist_round_ns(dist->a);
	case DIST_UNIFORM:
		if (dist->a == dist->b)
			return dist_round_ns(dist->a);
		return dist_round_ns(gsl_ran_flat(rng, dist->a, dist->b));
	case DIST_EXPONENTIAL:
		if (dist->a == 0)
			return 0;
		return dist_round_ns(gsl_ran_exponential(rng, dist->a));
	case DIST_NORMAL:
		if (dist->b == 0)
			return dist_round_ns(dist->a);
		return dist_round_ns(dist->a + gsl_ran_gaussian_ziggurat(rng, dist->b));
	case DIST_LOGNORMAL:
		if (dist->b == 0)
			return dist_round_ns(dist->a);
		return dist_round_ns(dist_draw_lognormal(dist->a, dist->b, rng));
	case DIST_GAMMA:
		if (dist->b == 0)
			return dist_round_ns(dist->a);
		return dist_round_ns(dist_draw_gamma(dist->a, dist->b, rng));
	case DIST_WEIBULL:
		return dist_round_ns(gsl_ran_weibull(rng, dist->a, dist->b));
	case DIST_PARETO:
		return dist_round_ns(gsl_ran_pareto(rng, dist->b, dist->a));
	case DIST_EMPIRICAL:
		if (dist->count == 1)
			return dist->values[0];
		return dist->values[gsl_rng_uniform_int(rng, dist->count)];
	case DIST_MIXTURE:
	case DIST_KIND_COUNT:
		break;
	}
	RS_BUG("unknown kind of distribution: %d", (int)dist->kind);
}

double dist_mean_ns(const struct dist *dist)
{
	double sum = 0;
	double total = 0;

	switch (dist->kind) {
	case DIST_CONSTANT:
	case DIST_EXPONENTIAL:
	case DIST_NORMAL:
	case DIST_LOGNORMAL:
	case DIST_GAMMA:
		return dist->a;
	case DIST_UNIFORM:
		return dist->a + 0.5 * (dist->b - dist->a);
	case DIST_WEIBULL:
		return dist->a * tgamma(1.0 + 1.0 / dist->b);
	case DIST_PARETO:
		return dist->b > 1.0 ? dist->a * dist->b / (dist->b - 1.0) : INFINITY;
	case DIST_EMPIRICAL:
		for (size_t i = 0; i < dist->count; i++)
			sum += (double)dist->values[i];
		return sum / (double)dist->count;
	case DIST_MIXTURE:
		for (size_t i = 0; i < dist->count; i++) {
			total += dist->parts[i].weight;
			sum += dist->parts[i].weight * dist_mean_ns(&dist->parts[i].dist);
		}
		return sum / total;
	case DIST_KIND_COUNT:
		break;
	}
	RS_BUG("unknown kind of distribution: %d", (int)dist->kind);
}

const char *dist_kind_name(enum dist_kind kind)
{
	static const char *const names[DIST_KIND_COUNT] = {
		[DIST_CONSTANT] = "constant",
		[DIST_UNIFORM] = "uniform",
		[DIST_EXPONENTIAL] = "exponential",
		[DIST_NORMAL] = "normal",
		[DIST_LOGNORMAL] = "lognormal",
		[DIST_GAMMA] = "gamma",
		[DIST_WEIBULL] = "weibull",
		[DIST_PARETO] = "pareto",
		[DIST_EMPIRICAL] = "empirical",
		[DIST_MIXTURE] = "mixture",
	};

	RS_REQUIRE((unsigned)kind < DIST_KIND_COUNT);
	return names[kind];
}
