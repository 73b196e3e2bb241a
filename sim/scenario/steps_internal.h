/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between steps.c, which decodes lists of steps, and program.c, which joins them. */
#ifndef SCENARIO_STEPS_INTERNAL_H
#define SCENARIO_STEPS_INTERNAL_H

#include "sim/scenario/steps.h"

struct decoder {
	struct load *load;
	const char *group; /* innermost named group or task; NULL: none */
	bool in_workload;
	bool levels_allowed;        /* steps may carry `level:` */
	enum boot_level last_level; /* of the step before */
	size_t total_steps;
};

/* Decodes a list of steps that starts at *level and leaves the last step's level there. */
bool decode_steps(struct decoder *decoder, struct tree_node *list, const char *what,
		  enum boot_level *level, struct step **out, size_t *count) RS_MUST_CHECK;

/* A CPU number or `any` (-1); node NULL: any. */
bool decode_cpu(struct load *load, struct tree_node *node, int *cpu) RS_MUST_CHECK;

/* A body: the steps of `do`, inside a group, loop or task called `group` (NULL: none of its own). */
bool decode_body(struct decoder *decoder, struct tree_node *node, const char *group,
		 struct step *step) RS_MUST_CHECK;

/* The values of offline and online, of smt, of percpu_write. */
bool decode_hotplug(struct decoder *decoder, const char *what, struct tree_node *arg,
		    struct step *step) RS_MUST_CHECK;
bool decode_smt(struct decoder *decoder, struct tree_node *arg, struct step *step) RS_MUST_CHECK;
bool decode_write(struct decoder *decoder, struct tree_node *arg, struct step *step) RS_MUST_CHECK;

/* Gives node the next id. */
void steps_add_node(struct load *load, struct tree_node *node);

#endif
