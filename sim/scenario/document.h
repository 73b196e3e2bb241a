/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The top level of a scenario file, before any config is made from it. */
#ifndef SCENARIO_DOCUMENT_H
#define SCENARIO_DOCUMENT_H

#include "sim/scenario/overrides.h"

struct doc_variant {
	const char *name;
	struct tree_node *key; /* NULL: the implied one of a file without variants */
	struct override_list overrides;
};

struct doc_axis {
	const char *path;
	struct tree_node *key;
	struct tree_node **values;   /* of the axis `case`: the cases' names */
	struct override_list *cases; /* of the axis `case`: what each sets; else NULL */
	size_t value_count;
};

struct document {
	struct tree_node *root; /* with top-level --set in place */
	const char *title;      /* NULL: none */
	int64_t seed;
	int64_t replications;
	struct doc_variant variants[LOAD_VARIANTS_MAX];
	size_t variant_count;
	size_t baseline_idx;
	struct doc_axis axes[LOAD_AXES_MAX];
	size_t axis_count;
	size_t case_overrides_max; /* most overrides of a case */
	struct override_list sets; /* --set of config paths */
};

/*
 * Reads the top level of root and the --set of overrides. Numbers all steps.
 * False after errors; doc is then usable as far as it got (for more errors).
 */
bool document_read(struct load *load, struct tree_node *root,
		   const struct scenario_overrides *overrides, struct document *doc) RS_MUST_CHECK;

/* Decodes the block `question:` against the variants that are left in doc. */
bool document_question(struct load *load, const struct document *doc,
		       struct scenario_question *question) RS_MUST_CHECK;

/* The keys of the top level, NULL-terminated; for hints and the schema. */
const char *const *document_keys(void);

#define DOCUMENT_REPLICATIONS_DEFAULT 200
#define DOCUMENT_REPLICATIONS_MAX 1000000

#endif
