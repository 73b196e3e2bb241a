/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Work items and who runs them: the normal-priority worker pool of each CPU,
 * which every per-CPU workqueue shares (system_wq, rcu_gp_wq, rcu_par_gp_wq), and
 * kthread workers, which have a thread of their own. Internal to models/; all of
 * it lives in the run's arena. See models/workqueue.c and docs/expedited.md.
 */
#ifndef MODELS_WORKQUEUE_H
#define MODELS_WORKQUEUE_H

#include "models/machine.h"

/*
 * The item's program, called in the worker's task t. True: the item is done, and
 * may be queued again. False: fn has ended as a task_fn does, in task_run(),
 * task_sleep() or the like, and is called again after that.
 */
typedef bool work_fn(struct machine *m, struct task *t, void *data);

struct work_item {
	work_fn *fn;
	void *data;             /* of fn; borrowed, same arena */
	bool is_rcu;            /* its CPU time is RCU's own work */
	struct work_item *next; /* in the list of its pool */
};

struct kthread_worker;

void workqueue_init(struct machine *m);
/* queue_work_on(): to the pool of CPU `cpu`, by `from`, who pays. The item must not be queued. */
void workqueue_queue_on(struct machine *m, int cpu, struct work_item *item, struct cpu *from);
/* A pool's worker goes to sleep inside its item: another may run. Called by task_sleep(). */
void workqueue_worker_sleeps(struct machine *m, struct task *t);

/* kthread_create_worker(): a thread bound to no CPU; its first place is `cpu`. name as of a task. */
struct kthread_worker *kthread_worker_create(struct machine *m, const char *name, int cpu,
					     enum task_class class);
/* kthread_queue_work(): behind the items it has. */
void kthread_worker_queue(struct machine *m, struct kthread_worker *kw, struct work_item *item,
			  struct cpu *from);

#endif
