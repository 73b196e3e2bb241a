/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An experiment: every replication of every variant in every cell of a
 * scenario, compared pair by pair.
 *
 * X1 (common random numbers): all variants of a cell, and all cells, run with
 *     the same seed and replication number, so replication r of a variant pairs
 *     with replication r of the baseline.
 * X2 (order): the result does not depend on the number of jobs. Totals are
 *     stored in one slot for each replication and reduced in replication order;
 *     everything else is a sum, minimum or maximum of integers, which has no order.
 * X3 (whole replications): a cell holds replications 0..n-1, each with all its
 *     variants, also after an interrupt.
 * X4 (only completed runs count): a run that ended in any other way keeps its
 *     stop reason, and is left out of every statistic together with its pair.
 *
 * What the compared metrics mean stands in docs/experiments.md.
 */
#ifndef EXPERIMENT_EXPERIMENT_H
#define EXPERIMENT_EXPERIMENT_H

#include <stdatomic.h>

#include "models/metrics.h"
#include "models/model.h"
#include "sim/engine/stats.h"
#include "sim/scenario/scenario.h"

/* How one run is made; model_run() outside of tests. */
typedef void xp_model_fn(const struct model_config *config, const struct run_options *options,
			 struct sim_arena *arena, struct run_record *record);

struct xp_options {
	xp_model_fn *model;            /* NULL: model_run */
	int jobs;                      /* workers, >= 1; 0 means 1 */
	bool check;                    /* run the correctness oracle in each run */
	bool shuffle_ties;             /* see struct run_options */
	uint64_t tie_seed;
	const atomic_bool *stop_asked; /* set (by a signal handler) to stop early; NULL: never */
	/* Called after each (cell, replication), from one worker at a time; NULL: never. */
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *progress_ctx;
};

/* All waits made by one step of the scenario, over the completed runs of a variant. */
struct xp_wait {
	struct stat_moments latency_ns; /* of all its waits; count 0: the step made none */
	int64_t path_count[WAIT_PATH_COUNT];
	int64_t boot_path_count; /* how many of them were made on the boot path */
};

/* Times at which a mark was reached. */
struct xp_mark {
	const char *name; /* borrowed from the scenario */
	struct stat_moments at_ns;
};

/* Interruptions of latency-sensitive tasks for one cause, over the completed runs. */
struct xp_interruptions {
	struct stat_moments ns;
	struct stat_hist *hist_ns; /* NULL: none */
};

/* Stall warnings: how many runs had any, and the first of the smallest such replication. */
struct xp_stalls {
	int64_t runs;
	int64_t replication; /* -1: none */
	int64_t at_ns;
	char text[240];
};

/* The first run (smallest replication) that did not complete. */
struct xp_stopped {
	int64_t replication; /* -1: all completed */
	enum run_stop stop;
	char text[200];
};

struct xp_variant {
	/* One slot for each replication; xp_cell.replications of them are filled. */
	struct run_totals *totals;
	uint8_t *stops; /* enum run_stop */
	int64_t stop_count[RUN_STOP_COUNT];
	struct xp_stopped first_stopped;
	struct stat_hist *wait_latency_ns[WAIT_PATH_COUNT]; /* NULL: no such wait */
	struct stat_hist *gp_latency_ns[2];                 /* [expedited]; NULL: none */
	struct xp_interruptions interruptions[INTERRUPTION_CAUSE_COUNT];
	struct xp_stalls stalls;                            /* of all runs, completed or not */
	struct xp_wait *waits;                              /* indexed by step id */
	size_t wait_slots;                                  /* ids 0..wait_slots-1; id 0 unused */
	struct xp_mark *marks;                              /* ascending by name */
	size_t mark_count;
};

struct xp_cell {
	struct xp_variant *variants; /* scenario->variant_count */
	int64_t replications;        /* whole ones that were run */
};

struct xp_result {
	const struct scenario *scenario; /* borrowed: outlives the result */
	struct xp_cell *cells;           /* scenario->cell_count */
	int64_t replications_asked;
	bool interrupted; /* stopped before all replications were run */
	bool checked;     /* the correctness oracle was on */
};

/* Runs the experiment. Never fails; owned by the caller (xp_result_destroy). */
struct xp_result *xp_run(const struct scenario *scenario, const struct xp_options *options);

void xp_result_destroy(struct xp_result *result);

/* Did every run complete? */
bool xp_all_completed(const struct xp_result *result);

/* Why a metric has no value. */
enum xp_undefined {
	XP_DEFINED,
	XP_IS_BASELINE,   /* compares a variant with the baseline, and this is the baseline */
	XP_NO_RUNS,       /* no completed run, or no completed pair */
	XP_NO_EXTRA_IPIS, /* a ratio to extra IPIs, and there are none */
	XP_NO_SAVING,     /* break-even of a variant that saves nothing */
	XP_UNDEFINED_COUNT
};

/* "no extra IPIs"; for people. */
const char *xp_undefined_text(enum xp_undefined undefined);

/* A metric of one variant over its replications. Doubles are in the metric's unit. */
struct xp_summary {
	enum xp_undefined undefined; /* anything else is valid only when XP_DEFINED */
	int64_t n;                   /* completed runs (pairs) it rests on */
	bool has_values; /* one value for each replication exists; else a ratio of means:
	                                only mean and half_width are set, the rest is NAN */
	double mean;
	double half_width; /* 95 % Student-t interval of the mean; NAN when n < 2 */
	double sd;         /* NAN when n < 2 */
	double min, p2_5, p50, p97_5, max;
};

/* Fills *summary for a metric of a variant. */
void xp_summarize(const struct xp_result *result, size_t cell_idx, size_t variant_idx,
		  const struct metric_info *metric, struct xp_summary *summary);

/*
 * Value of a metric in one replication. False when there is none: the run (or
 * its pair) did not complete, or the metric has no value for a single run.
 */
bool xp_value(const struct xp_result *result, size_t cell_idx, size_t variant_idx,
	      const struct metric_info *metric, int64_t replication, double *value);

/* Does the metric have integer values for single replications (all but percentages and ratios)? */
bool xp_is_integer(const struct metric_info *metric);

/*
 * IPIs of a run that RCU caused: ipi_exp + ipi_resched. What wakes a stopper is one
 * of the latter.
 */
int64_t xp_ipis(const struct run_totals *totals);

/* Mean extra IPIs of a variant against the baseline over completed pairs; NAN without any. */
double xp_extra_ipis(const struct xp_result *result, size_t cell_idx, size_t variant_idx);

/* What a cell's 95 % range says about the question's value. */
enum xp_answer {
	XP_POSSIBLE,  /* p2.5 <= value <= p97.5 */
	XP_TOO_SMALL, /* the whole range lies below the value */
	XP_TOO_LARGE, /* the whole range lies above the value */
	XP_UNKNOWN,   /* no value */
	XP_ANSWER_COUNT
};

/* Answer of a cell to scenario->question (asked). */
enum xp_answer xp_answer(const struct xp_result *result, size_t cell_idx);

#endif
