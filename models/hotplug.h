/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPUs that go off line and come back while the machine runs, and the lock that
 * keeps it in order; percpu_rwsem writers. What a program's step needs of them is
 * an operation that its task carries on whenever it has the CPU. docs/hotplug.md.
 */
#ifndef MODELS_HOTPLUG_H
#define MODELS_HOTPLUG_H

#include "models/machine.h"

/* What an operation's step ended in. */
enum op_result {
	OP_SLEEPS,             /* the task's fn has ended; go on when it is called again */
	OP_WAITS,              /* wait as synchronize_rcu() does, then go on */
	OP_WAITS_EXPEDITED,    /* as synchronize_rcu_expedited() */
	OP_WAITS_FOR_CALLBACK, /* as call_rcu() and wait: never expedited */
	OP_DONE
};

/* --- rcu_sync.c: kernel/rcu/sync.c --- */

struct rcu_sync {
	int state;
	int writers;
	struct wait_queue waiters; /* for another one's grace period */
};

/* Writer t enters. OP_DONE; OP_WAITS, then rcu_sync_entered(); OP_SLEEPS: t sleeps. */
enum op_result rcu_sync_enter(struct machine *m, struct rcu_sync *s, struct task *t);
void rcu_sync_entered(struct machine *m, struct rcu_sync *s, struct cpu *c);
void rcu_sync_exit(struct rcu_sync *s, struct cpu *c);

struct percpu_rwsem;

/* A write lock that a task takes or releases. */
struct percpu_write {
	struct percpu_rwsem *sem;
	int state;
};

/* The semaphore of this name, free at its first use. */
struct percpu_rwsem *percpu_rwsem_find(struct machine *m, const char *name);
/*
 * percpu_down_write() and percpu_up_write(); state 0 begins. OP_WAITS: *sync is
 * the rcu_sync to tell when the wait is over.
 */
enum op_result percpu_write_lock(struct machine *m, struct task *t, struct percpu_write *w,
				 struct rcu_sync **sync);
enum op_result percpu_write_unlock(struct machine *m, struct task *t, struct percpu_write *w);

/* --- hotplug.c --- */

/* One CPU on its way down or up. */
struct hotplug_op {
	int cpu;
	bool up;
	sim_time_ns takes_ns; /* of it, without the waits for grace periods */
	int state;            /* 0 begins */
};

void hotplug_init(struct machine *m);
/* Carries op on in task t. *sync: as for percpu_write_lock(). */
enum op_result hotplug_op_step(struct machine *m, struct task *t, struct hotplug_op *op,
			       struct rcu_sync **sync);
/* c is off line, with nothing left to do. */
void hotplug_cpu_dead(struct cpu *c);
/* cpus_read_lock(). False: t sleeps, and tries again. */
bool hotplug_read_lock(struct machine *m, struct task *t);
/* try_get_online_cpus(): fails while a CPU comes or goes, but for the task that does it. */
bool hotplug_try_read_lock(struct machine *m, const struct task *t);
void hotplug_read_unlock(struct machine *m, struct cpu *c);

#endif
