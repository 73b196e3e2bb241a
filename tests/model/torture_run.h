/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run with the oracle on, in a process of its own: whatever it does, the caller goes on. */
#ifndef TESTS_MODEL_TORTURE_RUN_H
#define TESTS_MODEL_TORTURE_RUN_H

#include "models/model.h"

struct torture_outcome {
	bool failed;
	uint64_t waits; /* of a run that completed */
	/* What kind of failure: "condition 7", "deadlock", "bug", "killed by signal 11", "hangs". */
	char kind[40];
	char text[240]; /* with time, place and seed, where known */
};

/* With an odd seed same-time events are shuffled: `rcusim run --shuffle-ties SEED`. */
void torture_run(const struct model_config *config, uint64_t seed, struct sim_arena *arena,
		 struct torture_outcome *out);

/* What the end of a child says about the run it was in. */
void torture_died(int wait_status, struct torture_outcome *out);

/* Runs config in a child, silently, for at most limit_s seconds. */
void torture_run_apart(const struct model_config *config, uint64_t seed, unsigned limit_s,
		       struct torture_outcome *out);

#endif
