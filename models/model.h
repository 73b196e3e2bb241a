/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model's one entry point: a config in, a record out. */
#ifndef MODELS_MODEL_H
#define MODELS_MODEL_H

#include "models/config.h"
#include "models/results.h"
#include "sim/engine/arena.h"
#include "sim/engine/trace.h"

struct run_options {
	uint64_t seed;
	uint64_t replication;
	bool check;                      /* run the correctness oracle (mechanics section 8) */
	bool shuffle_ties;               /* same-time events of different CPUs in random order, */
	uint64_t tie_seed;               /* which depends on this and the replication */
	const struct trace_sink *trace;  /* receives the run's events; NULL: none */
};

/*
 * Runs one replication of config (already checked by model_config_check) and
 * fills *record. All memory comes from arena, which the caller resets when it
 * has read the record's arrays. Same config, seed and replication: same record.
 * Thread rule: one arena per thread, config shared read-only.
 */
void model_run(const struct model_config *config, const struct run_options *options,
	       struct sim_arena *arena, struct run_record *record);

#endif
