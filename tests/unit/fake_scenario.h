/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scenario built by hand and a model that computes instead of simulating: for
 * tests of the experiment and of the writers, whose numbers can be worked out
 * on paper.
 */
#ifndef TESTS_FAKE_SCENARIO_H
#define TESTS_FAKE_SCENARIO_H

#include "sim/experiment/experiment.h"

#define FAKE_VARIANTS 3
#define FAKE_CELLS 4

struct fake {
	struct scenario scenario;
	struct scenario_cell cells[FAKE_CELLS];
	struct scenario_variant variants[FAKE_CELLS][FAKE_VARIANTS];
	const char *axis_values[FAKE_CELLS][2];
	struct scenario_setting setting;
};

/*
 * One cell, variants "default" (baseline) and "expedited", 50 replications,
 * seed 1. fake_add_variant() and fake_make_matrix() extend it.
 */
void fake_init(struct fake *fake);

/* A third variant; saved_ns and ipis are what the fake model makes of it. */
void fake_set(struct fake *fake, size_t variant_idx, const char *name, int64_t saved_ns,
	      int64_t ipis);

/* Four cells: machine.hz 100, 1000 x machine.cpus 1, 2. With one CPU nothing is saved. */
void fake_make_matrix(struct fake *fake);

/*
 * boot_time_ns = 40 ms + noise(seed, replication) - what fake_set() said; two
 * waits on the boot path (steps 1 and 2) that make up wait_ns, a mark "end".
 * Replication event_limit - 1 deadlocks (0: none).
 */
void fake_model(const struct model_config *config, const struct run_options *options,
		struct sim_arena *arena, struct run_record *record);

/* Noise of a replication: 0..999999 ns. */
int64_t fake_noise_ns(uint64_t seed, uint64_t replication);

/* Runs the scenario with the fake model. */
struct xp_result *fake_run(const struct fake *fake, int jobs);

#endif
