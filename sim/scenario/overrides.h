/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Overrides: dotted paths with values, from variants, matrix cells and --set,
 * put into the tree before it is decoded. Trees are never changed: the nodes
 * on the path are copied, all others shared.
 */
#ifndef SCENARIO_OVERRIDES_H
#define SCENARIO_OVERRIDES_H

#include "sim/scenario/load.h"

struct override {
	const char *path;      /* "machine.hz", "boot.steps.2.run" */
	struct tree_node *key; /* for messages */
	struct tree_node *value;
};

struct override_list {
	struct override *items; /* arena */
	size_t count;
	size_t capacity;
};

/*
 * Flattens a mapping of overrides ({machine.hz: 100} or {machine: {hz: 100}})
 * into list. Unknown paths are errors. False if any was found.
 */
bool overrides_collect(struct load *load, struct tree_node *map,
		       struct override_list *list) RS_MUST_CHECK;

/* Appends one override after checking its path. */
bool overrides_add(struct load *load, struct override_list *list, const char *path,
		   struct tree_node *key, struct tree_node *value) RS_MUST_CHECK;

/* The tree with one override put in; NULL after an error. */
struct tree_node *override_apply(struct load *load, struct tree_node *root,
				 const struct override *override);

/* The tree with the whole list put in, in order; NULL after an error. */
struct tree_node *overrides_apply(struct load *load, struct tree_node *root,
				  const struct override_list *list);

#endif
