/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a config that fails in some way smaller, as long as it fails in that way. */
#ifndef TESTS_MODEL_MINIMISE_H
#define TESTS_MODEL_MINIMISE_H

#include "models/config.h"
#include "sim/engine/arena.h"

/* Does the config, which is valid, still fail in the way that is looked for? */
typedef bool minimise_fails_fn(const struct model_config *config, void *arg);

struct minimise_result {
	const struct model_config *config; /* in the arena given */
	int tries;                         /* configs that were run */
	bool is_minimal;                   /* no single cut is left; else the tries ran out */
};

/*
 * Cuts tasks, steps, CPUs, options and costs, one after the other, until no cut
 * leaves a config that fails, or tries_max configs were run. `config` itself
 * fails. Memory grows with the tries.
 */
struct minimise_result minimise(struct sim_arena *arena, const struct model_config *config,
				int tries_max, minimise_fails_fn *fails, void *arg);

/* Steps of all programs, those in bodies included. */
size_t config_step_count(const struct model_config *config);

#endif
