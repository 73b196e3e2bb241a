/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Correctness oracle: checks the conditions of the mechanics reference, section
 * 8, on every run that asks for it. It watches from outside: it keeps its own
 * account of what happened and never changes the model. A violation stops the
 * run and names the condition, time, CPU and seed. docs/oracle.md lists which
 * condition is checked where.
 */
#ifndef MODELS_ORACLE_H
#define MODELS_ORACLE_H

#include "models/rcu.h"

void oracle_init(struct machine *m);
void oracle_gp_start(struct machine *m, int64_t seq);
void oracle_gp_end(struct machine *m, int64_t seq);
/* Bits of a node cleared; from_child: reported by a child whose mask is given. */
void oracle_qs_clear(struct machine *m, const struct rcu_node *rnp, uint64_t mask, int cpu);
void oracle_qs_noticed(struct machine *m, int cpu, int64_t gp_seq, int64_t leaf_seq);
void oracle_eqs_credit(struct machine *m, int cpu);
void oracle_cb_queued(struct machine *m, int cpu, struct rcu_cb *cb);
void oracle_cb_invoked(struct machine *m, int cpu, const struct rcu_cb *cb);
void oracle_exp_start(struct machine *m, int64_t seq, int selecting_cpu);
void oracle_exp_end(struct machine *m, int64_t seq);
void oracle_exp_ipi(struct machine *m, int from, int to);
void oracle_exp_clear(struct machine *m, const struct rcu_node *rnp, uint64_t mask);
void oracle_stop_works(struct machine *m, int works, int busy_others);
void oracle_wait_begin(struct machine *m, struct rcu_wait *w);
void oracle_wait_end(struct machine *m, const struct rcu_wait *w);
void oracle_nesting(struct machine *m, int64_t change);
/* At the end of the run: conservation of time, callbacks, balance. */
void oracle_finish(struct machine *m);

#define ORACLE(m, call) \
	do { \
		if (RS_UNLIKELY((m)->oracle != NULL)) \
			call; \
	} while (0)

#endif
