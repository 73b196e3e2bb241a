/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Correctness oracle: checks the conditions of docs/oracle.md on every run that
 * asks for it. It watches from outside: it keeps its own account of what
 * happened and never changes the model. A violation stops the run and names the
 * condition, time, CPU, seed and replication. Test: tests/model/check_oracle.c.
 */
#ifndef MODELS_ORACLE_H
#define MODELS_ORACLE_H

#include "models/rcu.h"

void oracle_init(struct machine *m);
/* At the end of the run: what must balance. */
void oracle_finish(struct machine *m);

/* --- quiescent states, as the oracle sees them --- */

/* c enters or leaves an EQS, leaves user mode, or comes on line. */
void oracle_quiescent(struct cpu *c);
void oracle_cpu_online(struct cpu *c);
/* c counts as off line; it is still on its way to its last idle loop. */
void oracle_cpu_dying(struct cpu *c);
/* c is there, in an EQS: nothing waits for it from now on. */
void oracle_cpu_dead(struct cpu *c);
void oracle_context_switch(struct cpu *c);
/* A handler runs over a layer: over idle and user mode it is a quiescent state. */
void oracle_handler(struct cpu *c, enum cpu_ctx over);
void oracle_tick(struct cpu *c, enum cpu_ctx over);
/* c's task calls cond_resched() and the model takes it for a quiescent state. */
void oracle_cond_resched(struct cpu *c);
/* The model records a quiescent state of c. */
void oracle_qs(struct cpu *c);

/* --- readers --- */

/* t entered (change 1) or left (-1) a section. */
void oracle_section(struct task *t, enum section section, int change);
/* c's task is past its reader, all enabled: what it owes is reported. */
void oracle_unlocked(struct cpu *c);
/* rnp's list of blocked tasks, or who of them holds a grace period, has changed. */
void oracle_blkd_tasks(struct cpu *c, const struct rcu_node *rnp);

/* --- normal grace periods --- */

/* After the number went up, before the nodes are initialised. */
void oracle_gp_start(struct machine *m);
void oracle_qs_noticed(struct cpu *c);
/* A scan found that cpu was in an EQS. */
void oracle_eqs_credit(struct machine *m, int cpu);
/* Bits of a node are about to be cleared, on CPU cpu. */
void oracle_qs_clear(struct machine *m, const struct rcu_node *rnp, uint64_t mask, int cpu);
/* Before the nodes get the new number. */
void oracle_gp_end(struct machine *m);

/* --- callbacks; cpu: whose list it is --- */

void oracle_cb_queued(struct machine *m, int cpu, const struct rcu_cb *cb);
void oracle_cb_invoked(struct machine *m, int cpu, const struct rcu_cb *cb);
/* All callbacks of `from` are now those of `to`: the oldest `ready` in front, or behind what was ready. */
void oracle_cbs_moved(struct machine *m, int from, int to, int64_t ready, bool ready_first);

/* --- expedited grace periods by IPI --- */

void oracle_exp_snap(struct machine *m, const struct rcu_wait *w);
void oracle_exp_start(struct machine *m, int64_t seq, int cpu);
/* After the nodes' masks were set. */
void oracle_exp_reset(struct machine *m);
void oracle_exp_select(struct cpu *c);
void oracle_exp_ipi(struct machine *m, int from, int to);
void oracle_exp_clear(struct machine *m, const struct rcu_node *rnp, uint64_t mask);
void oracle_exp_end(struct machine *m, int64_t seq);

/* --- expedited grace periods by stoppers --- */

/* w took its ticket and chose its CPUs, on c. */
void oracle_stop_mask(struct cpu *c, const struct rcu_wait *w);
void oracle_stop_queued(struct machine *m, const struct rcu_wait *w, int cpu);
/* A CPU of the mask is off line by now: nobody is to work there. */
void oracle_stop_gone(struct machine *m, const struct rcu_wait *w, int cpu);
/* The stopper of c has done its work for w. */
void oracle_stop_worked(struct cpu *c, const struct rcu_wait *w);
/* CONFIG_PREEMPT_RCU: all stopped; nodes are about to wait for blocked readers. */
void oracle_stop_snapshot(struct machine *m);
void oracle_stop_end(struct machine *m, const struct rcu_wait *w);

/* --- waits and what steers them --- */

void oracle_wait_begin(struct machine *m, struct rcu_wait *w, bool expedited);
/* The wait's callback is about to be queued on c. */
void oracle_wait_queued(struct cpu *c, const struct rcu_wait *w);
void oracle_wait_end(struct machine *m, const struct rcu_wait *w);
/* A cookie of the polled API is taken: the moment to give back when it is found done. */
int64_t oracle_poll_begin(struct machine *m);
void oracle_poll_done(struct machine *m, int64_t begun, int cpu);
/* A step that may have changed the expedite controls has had its effect. */
void oracle_control(struct machine *m, const struct step *s);
/* In-kernel boot is over. */
void oracle_boot_over(struct machine *m);

/* --- the time of the boot path's task --- */

void oracle_boot_task(struct machine *m, const struct task *t);
/* t's state has changed. */
void oracle_task_state(const struct task *t);
/* t asked for CPU time, or had some. */
void oracle_task_asked(const struct task *t, sim_time_ns ns);
void oracle_task_ran(const struct task *t, sim_time_ns ns);

#define ORACLE(m, call) \
	do { \
		if (RS_UNLIKELY((m)->oracle != NULL)) \
			(call); \
	} while (0)

#endif
