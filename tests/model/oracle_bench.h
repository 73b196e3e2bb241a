/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A booted machine with the oracle on, for tests that break its rules. */
#ifndef TESTS_MODEL_ORACLE_BENCH_H
#define TESTS_MODEL_ORACLE_BENCH_H

#include "models/oracle_internal.h"

struct bench {
	struct sim_arena *arena;
	struct model_config config;
	struct run_record record;
	struct step steps[4];
	struct task_config task;
	struct machine *m;
	struct oracle *o;
	struct rcu_state *rs;
	struct task hog;     /* for CPUs that are to be busy */
	struct rcu_wait wait;
};

/* Two CPUs a leaf, one task with the steps of b on CPU 0, costs of a few microseconds. */
void bench_config(struct bench *b, const char *profile, int cpus);
/* Builds the machine: all CPUs on line and idle, seed 7, replication 3. */
void bench_start(struct bench *b);
/* Starts the kthreads and the tasks. */
void bench_program(struct bench *b);
void bench_stop(struct bench *b);
void bench_run_to(struct bench *b, sim_time_ns at_ns);

void bench_check_silent(const struct bench *b);
/* The run has ended for this condition, naming its time, CPU, seed and replication. */
void bench_check_tripped(const struct bench *b, int condition, int cpu);

#endif
