/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From slots to numbers: values of single replications, their summaries, the
 * paired metrics and the answer to a matrix's question. Definitions and their
 * reasons: docs/experiments.md. Guarded by tests/unit/check_experiment.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/experiment/experiment.h"

/* Percentages enter the exact integer moments in steps of a billionth of a percent. */
#define PCT_STEPS 1e9
/* stat_moments_add() takes |x| < 2^53. */
#define STEPS_MAX 9007199254740991.0

enum paired {
	PAIRED_SAVED,
	PAIRED_SAVED_PCT,
	PAIRED_SAVED_PER_IPI,
	PAIRED_BREAK_EVEN,
	PAIRED_NONE
};

static enum paired paired_kind(const struct metric_info *metric)
{
	static const char *const names[] = {
		[PAIRED_SAVED] = "saved_ns",
		[PAIRED_SAVED_PCT] = "saved_pct",
		[PAIRED_SAVED_PER_IPI] = "saved_per_ipi_ns",
		[PAIRED_BREAK_EVEN] = "break_even_ipi_ns",
	};

	if (metric->source != METRIC_PAIRED)
		return PAIRED_NONE;
	for (int i = 0; i < PAIRED_NONE; i++)
		if (strcmp(metric->name, names[i]) == 0)
			return (enum paired)i;
	RS_BUG("paired metric %s has no definition", metric->name);
}

static bool is_ratio(enum paired kind)
{
	return kind == PAIRED_SAVED_PER_IPI || kind == PAIRED_BREAK_EVEN;
}

bool xp_is_integer(const struct metric_info *metric)
{
	return metric->unit != METRIC_PCT && !is_ratio(paired_kind(metric));
}

int64_t xp_ipis(const struct run_totals *totals)
{
	return totals->ipi_exp + totals->ipi_resched;
}

/* Totals of a completed run, or NULL. */
static const struct run_totals *completed(const struct xp_cell *cell, size_t variant_idx,
					  int64_t replication)
{
	const struct xp_variant *variant = &cell->variants[variant_idx];

	if (replication < 0 || replication >= cell->replications)
		return NULL;
	if (variant->stops[replication] != RUN_COMPLETED)
		return NULL;
	return &variant->totals[replication];
}

/* A completed run and the completed run of the baseline it pairs with. */
struct pair {
	const struct run_totals *base;
	const struct run_totals *variant;
};

static bool get_pair(const struct xp_result *result, size_t cell_idx, size_t variant_idx,
		     int64_t replication, struct pair *pair)
{
	const struct xp_cell *cell = &result->cells[cell_idx];

	pair->base = completed(cell, result->scenario->baseline_idx, replication);
	pair->variant = completed(cell, variant_idx, replication);
	return pair->base != NULL && pair->variant != NULL;
}

static int64_t saved_ns(const struct pair *pair)
{
	return pair->base->boot_time_ns - pair->variant->boot_time_ns;
}

static int64_t extra_ipis(const struct pair *pair)
{
	return xp_ipis(pair->variant) - xp_ipis(pair->base);
}

static int64_t extra_ipi_cost_ns(const struct pair *pair)
{
	return pair->variant->ipi_send_ns + pair->variant->ipi_stolen_ns - pair->base->ipi_send_ns -
	       pair->base->ipi_stolen_ns;
}

bool xp_value(const struct xp_result *result, size_t cell_idx, size_t variant_idx,
	      const struct metric_info *metric, int64_t replication, double *value)
{
	enum paired kind = paired_kind(metric);
	struct pair pair;

	*value = NAN;
	if (kind == PAIRED_NONE) {
		const struct run_totals *totals =
			completed(&result->cells[cell_idx], variant_idx, replication);

		if (totals == NULL)
			return false;
		*value = (double)metric_total(metric, totals);
		return true;
	}
	if (is_ratio(kind) || variant_idx == result->scenario->baseline_idx ||
	    !get_pair(result, cell_idx, variant_idx, replication, &pair))
		return false;
	if (kind == PAIRED_SAVED) {
		*value = (double)saved_ns(&pair);
		return true;
	}
	if (pair.base->boot_time_ns == 0)
		return false;
	*value = 100.0 * (double)saved_ns(&pair) / (double)pair.base->boot_time_ns;
	return true;
}

/* What the ratio metrics need of all completed pairs. */
struct pair_sums {
	struct stat_moments saved;
	struct stat_moments ipis;
	struct stat_moments cost;
};

static void sum_pairs(const struct xp_result *result, size_t cell_idx, size_t variant_idx,
		      struct pair_sums *sums)
{
	memset(sums, 0, sizeof(*sums));
	for (int64_t r = 0; r < result->cells[cell_idx].replications; r++) {
		struct pair pair;

		if (!get_pair(result, cell_idx, variant_idx, r, &pair))
			continue;
		stat_moments_add(&sums->saved, saved_ns(&pair));
		stat_moments_add(&sums->ipis, extra_ipis(&pair));
		stat_moments_add(&sums->cost, extra_ipi_cost_ns(&pair));
	}
}

double xp_extra_ipis(const struct xp_result *result, size_t cell_idx, size_t variant_idx)
{
	struct pair_sums sums;

	sum_pairs(result, cell_idx, variant_idx, &sums);
	return stat_mean(&sums.ipis);
}

static int64_t clamp_steps(double steps)
{
	if (steps > STEPS_MAX)
		return (int64_t)STEPS_MAX;
	if (steps < -STEPS_MAX)
		return -(int64_t)STEPS_MAX;
	return (int64_t)llrint(steps);
}

/*
 * Half-width of a ratio of means, numerator / extra IPIs, through the residuals
 * numerator_r - ratio * ipis_r (Cochran, Sampling Techniques, 1977, 6.4).
 */
static double ratio_half_width(const struct xp_result *result, size_t cell_idx, size_t variant_idx,
			       bool with_cost, double ratio, double mean_ipis)
{
	struct stat_moments residuals;

	memset(&residuals, 0, sizeof(residuals));
	for (int64_t r = 0; r < result->cells[cell_idx].replications; r++) {
		struct pair pair;
		double numerator;

		if (!get_pair(result, cell_idx, variant_idx, r, &pair))
			continue;
		numerator = (double)saved_ns(&pair);
		if (with_cost)
			numerator += (double)extra_ipi_cost_ns(&pair);
		stat_moments_add(&residuals,
				 clamp_steps(numerator - ratio * (double)extra_ipis(&pair)));
	}
	return stat_half_width(&residuals, 0.95) / mean_ipis;
}

static void summarize_ratio(const struct xp_result *result, size_t cell_idx, size_t variant_idx,
			    enum paired kind, struct xp_summary *summary)
{
	struct pair_sums sums;
	double mean_ipis;
	bool with_cost = kind == PAIRED_BREAK_EVEN;

	sum_pairs(result, cell_idx, variant_idx, &sums);
	summary->n = sums.saved.count;
	if (summary->n == 0) {
		summary->undefined = XP_NO_RUNS;
		return;
	}
	mean_ipis = stat_mean(&sums.ipis);
	if (mean_ipis <= 0.0) {
		summary->undefined = XP_NO_EXTRA_IPIS;
		return;
	}
	if (with_cost && stat_mean(&sums.saved) <= 0.0) {
		summary->undefined = XP_NO_SAVING;
		return;
	}
	summary->mean = stat_mean(&sums.saved) / mean_ipis;
	if (with_cost)
		summary->mean += stat_mean(&sums.cost) / mean_ipis;
	summary->half_width = ratio_half_width(result, cell_idx, variant_idx, with_cost,
					       summary->mean, mean_ipis);
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static void summarize_values(const struct xp_result *result, size_t cell_idx, size_t variant_idx,
			     const struct metric_info *metric, struct xp_summary *summary)
{
	int64_t replications = result->cells[cell_idx].replications;
	double *values = rs_calloc((size_t)replications + 1, sizeof(*values));
	double steps = xp_is_integer(metric) ? 1.0 : PCT_STEPS;
	struct stat_moments moments;
	size_t n = 0;

	memset(&moments, 0, sizeof(moments));
	for (int64_t r = 0; r < replications; r++) {
		if (!xp_value(result, cell_idx, variant_idx, metric, r, &values[n]))
			continue;
		stat_moments_add(&moments, clamp_steps(values[n] * steps));
		n++;
	}
	summary->n = (int64_t)n;
	summary->has_values = true;
	if (n == 0) {
		summary->undefined = XP_NO_RUNS;
	} else {
		qsort(values, n, sizeof(*values), compare_doubles);
		summary->mean = stat_mean(&moments) / steps;
		summary->sd = stat_sd(&moments) / steps;
		summary->half_width = stat_half_width(&moments, 0.95) / steps;
		summary->min = values[0];
		summary->p2_5 = stat_quantile_sorted(values, n, 0.025);
		summary->p50 = stat_quantile_sorted(values, n, 0.5);
		summary->p97_5 = stat_quantile_sorted(values, n, 0.975);
		summary->max = values[n - 1];
	}
	free(values);
}

void xp_summarize(const struct xp_result *result, size_t cell_idx, size_t variant_idx,
		  const struct metric_info *metric, struct xp_summary *summary)
{
	enum paired kind = paired_kind(metric);

	*summary = (struct xp_summary){
		.undefined = XP_DEFINED,
		.mean = NAN,
		.half_width = NAN,
		.sd = NAN,
		.min = NAN,
		.p2_5 = NAN,
		.p50 = NAN,
		.p97_5 = NAN,
		.max = NAN,
	};
	if (kind != PAIRED_NONE && variant_idx == result->scenario->baseline_idx)
		summary->undefined = XP_IS_BASELINE;
	else if (is_ratio(kind))
		summarize_ratio(result, cell_idx, variant_idx, kind, summary);
	else
		summarize_values(result, cell_idx, variant_idx, metric, summary);
}

bool xp_all_completed(const struct xp_result *result)
{
	for (size_t c = 0; c < result->scenario->cell_count; c++)
		for (size_t v = 0; v < result->scenario->variant_count; v++)
			if (result->cells[c].variants[v].first_stopped.replication >= 0)
				return false;
	return true;
}

const char *xp_undefined_text(enum xp_undefined undefined)
{
	switch (undefined) {
	case XP_DEFINED:
		return "";
	case XP_IS_BASELINE:
		return "baseline";
	case XP_NO_RUNS:
		return "no completed run";
	case XP_NO_EXTRA_IPIS:
		return "no extra IPIs";
	case XP_NO_SAVING:
		return "no saving";
	case XP_UNDEFINED_COUNT:
		break;
	}
	RS_BUG("bad enum xp_undefined %d", (int)undefined);
}

enum xp_answer xp_answer(const struct xp_result *result, size_t cell_idx)
{
	const struct scenario_question *question = &result->scenario->question;
	const struct metric_info *metric = metric_find(question->metric);
	struct xp_summary summary;
	double value = (double)question->value;

	RS_REQUIRE(question->asked && metric != NULL);
	xp_summarize(result, cell_idx, question->variant_idx, metric, &summary);
	if (summary.undefined != XP_DEFINED || !summary.has_values)
		return XP_UNKNOWN;
	if (summary.p97_5 < value)
		return XP_TOO_SMALL;
	if (summary.p2_5 > value)
		return XP_TOO_LARGE;
	return XP_POSSIBLE;
}
