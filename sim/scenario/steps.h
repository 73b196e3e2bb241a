/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Step lists: the boot program and the workload's tasks. Ids are given to the
 * nodes of the tree once, in file order, so a step keeps its id (and with it
 * its random stream) in every variant and cell in which it occurs.
 */
#ifndef SCENARIO_STEPS_H
#define SCENARIO_STEPS_H

#include "sim/scenario/load.h"

/* A decoded `boot:` or `workload:`. Shared by all configs made of the same nodes. */
struct boot_program {
	/* what it was decoded from: the identity of the program */
	const struct tree_node *steps, *begin, *finish, *end;
	bool is_workload;
	bool ok;
	const struct step *boot_steps;
	size_t boot_step_count;
	const struct task_config *tasks;
	size_t task_count;
	const bool *task_is_sensitive; /* by task */
	const char *end_mark;
	size_t total_steps;
	struct boot_program *next;
};

/* Gives ids to all steps below the root of a scenario, in file order. */
void steps_number(struct load *load, const struct tree_node *root);

/* Gives ids to the steps in the value that an override puts at path. */
void steps_number_value(struct load *load, const char *path, struct tree_node *value);

/* The node of a step, or NULL. */
struct tree_node *steps_node(const struct load *load, uint32_t step_id);

/* The program of the `boot:` or `workload:` in root, or NULL after an error. */
const struct boot_program *steps_decode(struct load *load, struct tree_node *root);

/* The label of each step by id, index 0 unused; owned by the arena. */
const char *const *steps_labels(struct load *load);

/* What a step takes after its name; for documentation and the schema. */
enum step_arg {
	ARG_NONE, ARG_DIST, ARG_COUNT, ARG_BOOL, ARG_NAME, ARG_EACH, ARG_LOOP, ARG_SPAWN, ARG_WORK,
	ARG_SECTION, ARG_RUN, ARG_HOTPLUG, ARG_SMT, ARG_WRITE
};

struct step_info {
	const char *key; /* as in the file */
	enum step_kind kind;
	enum step_arg arg;
	bool arg_optional;
	bool has_do; /* `do:` beside the key */
	const char *help;
};

/* The kinds of steps, NULL after the last. Static memory. */
const struct step_info *steps_info(size_t idx);

#endif
