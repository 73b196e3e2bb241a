/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scenario files: YAML text -> complete, validated, immutable configs.
 * Format: docs/formats/scenario.md. Errors accumulate in a struct rs_diag and
 * are reported all at once as file:line:column.
 */
#ifndef SCENARIO_SCENARIO_H
#define SCENARIO_SCENARIO_H

#include "models/config.h"
#include "sim/scenario/diag.h"

/*
 * A setting in force that did not come from the defaults, as path and text:
 * written in the file, the variant, the cell or --set, or a platform's cost.
 */
struct scenario_setting {
	const char *path;   /* "machine.hz" */
	const char *value;  /* "250" */
	const char *origin; /* "kvm-2015.yaml:12", "--set", "platform kvm-x86" */
};

struct scenario_variant {
	const char *name;
	struct model_config config;
	const struct scenario_setting *settings;
	size_t setting_count;
};

/* One point of the matrix: one value for each axis. A file without matrix has one cell. */
struct scenario_cell {
	const char *const *axis_values;          /* axis_count texts, as written */
	const struct scenario_variant *variants; /* variant_count */
};

/*
 * The question a matrix answers (block `question:`): in which cells does the
 * 95 % range of `metric` (variant against baseline) contain value?
 */
struct scenario_question {
	bool asked;
	const char *metric; /* "saved_ns" */
	size_t variant_idx;
	int64_t value;    /* in the metric's unit */
	const char *text; /* shown as headline; may be NULL */
};

struct scenario {
	const char *path; /* as given */
	const char *name; /* file name without folder and .yaml */
	const char *title;
	const char *text; /* the file's bytes */
	size_t text_bytes;
	uint64_t hash; /* FNV-1a 64 of text and overrides: identity of the scenario */
	uint64_t seed;
	int64_t replications;
	size_t variant_count; /* same in every cell */
	size_t baseline_idx;
	const char *const *axis_paths; /* axis_count */
	size_t axis_count;
	const struct scenario_cell *cells;
	size_t cell_count; /* >= 1 */
	struct scenario_question question;
	const char *const
		*notes; /* assumptions and remarks in force: `assumed:` texts, costs that are
	                             assumptions, command-line words that RCU does not read */
	size_t note_count;
	/* Labels of steps by id, for per-wait output: "init_ladder: synchronize_rcu". */
	const char *const *step_labels;
	size_t step_label_count; /* ids are 1..count; index 0 unused */
	struct sim_arena *arena; /* owns everything above */
};

/* What the command line may override; all borrowed. */
struct scenario_overrides {
	const char *const *sets; /* "path=value", applied to every variant after the file */
	size_t set_count;
	const char *cmdline;      /* appended to every variant's kernel.cmdline; NULL: none */
	const char *only_variant; /* keep this variant and the baseline; NULL: all */
	int64_t replications;     /* 0: as in the file */
	bool has_seed;
	uint64_t seed;
};

/*
 * Loads and validates path. On success *out owns the scenario (free with
 * scenario_destroy) and true is returned; diag may still hold warnings. On
 * failure *out is NULL and diag holds the errors. platform_dir: folder of
 * platform files; NULL: found from RCUSIM_DATA, the scenario's folder upwards
 * (scenarios/platforms/), the current folder upwards, then the installed data
 * folder. *diag must hold no errors yet.
 */
bool scenario_load(const char *path, const struct scenario_overrides *overrides,
		   const char *platform_dir, struct scenario **out,
		   struct rs_diag *diag) RS_MUST_CHECK;

/* As scenario_load() on bytes in memory, named `name` in messages (tests, fuzzing). */
bool scenario_load_bytes(const char *name, const char *bytes, size_t size,
			 const struct scenario_overrides *overrides, const char *platform_dir,
			 struct scenario **out, struct rs_diag *diag) RS_MUST_CHECK;

void scenario_destroy(struct scenario *scenario);

#endif
