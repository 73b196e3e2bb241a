/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expedited grace periods by IPI: what requesters (rcu_exp.c) and driver (rcu_exp_gp.c) share. */
#ifndef MODELS_RCU_EXP_INTERNAL_H
#define MODELS_RCU_EXP_INTERNAL_H

#include "models/rcu.h"
#include "models/workqueue.h"

/* The selection of one leaf's CPUs; one at a time. */
struct exp_leaf {
	struct rcu_node *rnp;
	bool scanned;         /* its CPUs are sorted into ask and done */
	uint64_t ask;         /* still to be sent an IPI */
	uint64_t done;        /* found quiescent or off line */
	struct work_item work;
	bool queued;          /* the item is not done */
	struct kthread_worker *kworker; /* of this leaf; NULL: none */
};

/* One grace period, driven. */
struct exp_gp {
	int state;
	int leaf;             /* next to select or flush */
	bool direct;          /* its requester drives it */
	int64_t end_seq;      /* rcu_exp_gp_seq_endval() */
	sim_time_ns start_ns;
	struct work_item work;
};

struct exp_state {
	int64_t seq; /* expedited_sequence */
	bool mutex_held;
	struct wait_queue mutex_queue;
	/*
	 * The wake-ups of one grace period may go on while the next one runs, not
	 * when it ends (exp_wake_mutex): two at a time, by the counter's low bit.
	 */
	struct exp_gp gp[2];
	bool wake_mutex_held;
	struct wait_queue wake_mutex_queue;
	struct exp_leaf *leaf; /* by leaf */
	struct task *flusher; /* driver that waits for the item of leaf flush_leaf */
	int flush_leaf;
	struct task *driver_waiting; /* sleeps until the root's expmask is 0 */
	struct kthread_worker *gp_kworker, *par_kworker;
	struct sim_handle stall_event; /* the driver's timeout */
	int64_t wait_start_jiffies;
	int64_t ipis; /* selection IPIs of the run, lost ones included */
};

/* Who drives in state RUNNING: the profile, unless CONFIG_RCU_EXP_KTHREAD. */
enum exp_driver rcu_exp_driver(const struct machine *m);
void rcu_exp_gp_init(struct machine *m);
/* The running grace period, whose end value that is. */
struct exp_gp *rcu_exp_gp_of(struct exp_state *x, int64_t end_seq);
/* Begins the grace period that has started: queues its work item, unless the caller drives it. */
void rcu_exp_gp_begin(struct machine *m, struct cpu *c, bool direct);
/* Drives gp in task t. True: over; false: t's fn has ended. */
bool rcu_exp_drive(struct machine *m, struct task *t, struct exp_gp *gp);

#endif
