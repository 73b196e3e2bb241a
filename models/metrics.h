/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one table of metrics: drives every writer, `list metrics` and the docs. */
#ifndef MODELS_METRICS_H
#define MODELS_METRICS_H

#include "models/results.h"

enum metric_unit { METRIC_NS, METRIC_COUNT, METRIC_PCT, METRIC_UNIT_COUNT };

/* Total of a run, or derived from a variant paired with the baseline. */
enum metric_source {
	METRIC_TOTAL,  /* int64 at `offset` of struct run_totals */
	METRIC_PAIRED  /* computed by sim/experiment from variant and baseline */
};

struct metric_info {
	const char *name;  /* boot_time_ns */
	const char *title; /* "boot time to end mark" */
	enum metric_unit unit;
	enum metric_source source;
	size_t offset;
	bool in_table;     /* shown in the default table */
	const char *help;
};

/* All metrics in output order; *count of them. Paired ones: saved_ns, saved_pct,
 * saved_per_ipi_ns, break_even_ipi_ns. */
const struct metric_info *metric_all(size_t *count);

/* The metric called name, or NULL. */
const struct metric_info *metric_find(const char *name);

/* Value of a METRIC_TOTAL metric. */
int64_t metric_total(const struct metric_info *metric, const struct run_totals *totals);

const char *metric_unit_name(enum metric_unit unit); /* "ns", "count", "percent" */

#endif
