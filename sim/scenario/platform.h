/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Platform files: named sets of costs, scenarios/platforms/NAME.yaml. */
#ifndef SCENARIO_PLATFORM_H
#define SCENARIO_PLATFORM_H

#include "sim/scenario/load.h"

#define PLATFORM_COSTS_MAX 32

/* Where a cost comes from. */
enum cost_basis { COST_MEASURED, COST_PUBLISHED, COST_ASSUMPTION, COST_BASIS_COUNT };

const char *cost_basis_name(enum cost_basis basis); /* "assumption" */

struct platform_cost {
	sim_time_ns value_ns;
	enum cost_basis basis;
	const char *source;
	bool has_range;
	sim_time_ns low_ns, high_ns;
	const char *text; /* the value as written */
};

struct platform {
	const char *name;
	const char *description;
	const char *path;
	struct platform_cost costs[PLATFORM_COSTS_MAX]; /* in the order of param_costs() */
	size_t cost_count;
	const char *origin; /* "platform kvm-x86" */
	bool ok;            /* false: its errors were reported */
	struct platform *next;
};

/*
 * The platform called by node's text, read once for each load. Returns NULL
 * when it is missing or wrong; the errors are in load->diag.
 */
const struct platform *platform_get(struct load *load, struct tree_node *node);

/*
 * For `rcusim list`: reads the platform called name from the folder dir (NULL:
 * searched for as in scenario_load(), from the current folder). The result is
 * owned by arena.
 */
const struct platform *platform_read(struct sim_arena *arena, const char *name, const char *dir,
				     struct rs_diag *diag);

#endif
