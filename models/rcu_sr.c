/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rcu_normal_wake_from_gp (6.10+): normal synchronous waits without a callback.
 * The caller queues itself, starts a grace period at once, and is woken by the
 * grace-period kthread: no tick at either end. Follows kernel/rcu/tree.c
 * synchronize_rcu_normal, rcu_sr_normal_gp_init, rcu_sr_normal_gp_cleanup,
 * rcu_sr_normal_gp_cleanup_work; 6.12, 6.18. Facts: mechanics 3.11.
 *
 * A list has no tail: the caller that came last is woken first. Five are woken
 * by the kthread, the rest by a work item. A grace period needs a wait node to
 * tell its callers from later ones; there are five, each in use until its work
 * item has run; without one, callers miss the grace period and ask for another.
 *
 * Simplified: the work item runs in one unbound kworker.
 */
#include "models/rcu.h"

/* SR_MAX_USERS_WAKE_FROM_GP and SR_NORMAL_GP_WAIT_HEAD_MAX, kernel/rcu/tree.h, 6.12. */
#define SR_WAKE_DIRECTLY 5
#define SR_WAIT_NODES 5

struct sr_state {
	struct rcu_wait *next;  /* came after the running grace period began */
	struct rcu_wait *wait;  /* covered by the running grace period */
	struct rcu_wait *late;  /* grace period over, to be woken by the work item */
	int nodes_in_use;
	int nodes_to_free;      /* when the work item has run */
	struct task *worker;
};

void rcu_sr_init(struct machine *m)
{
	const struct kernel_config *k = &m->cfg->kernel;

	m->sr = sim_arena_alloc(m->arena, sizeof(*m->sr));
	switch ((enum wake_from_gp)k->profile.wake_from_gp) {
	case WAKE_FROM_GP_OPT_IN:
		m->wake_from_gp = k->rcu_normal_wake_from_gp > 0;
		break;
	case WAKE_FROM_GP_UP_TO_16:
		m->wake_from_gp = k->rcu_normal_wake_from_gp < 0 ? m->nr_cpu_ids <= 16
								 : k->rcu_normal_wake_from_gp > 0;
		break;
	case WAKE_FROM_GP_NONE:
	case WAKE_FROM_GP_COUNT:
		break;
	}
}

static void sr_wake(struct machine *m, struct cpu *c, struct rcu_wait **list)
{
	struct rcu_wait *w = *list;

	*list = w->sr_next;
	w->done = true;
	task_wake(m, w->task, c);
}

/* rcu_sr_normal_gp_cleanup_work() */
static void worker_fn(struct machine *m, struct task *t)
{
	struct sr_state *sr = m->sr;

	if (!sr->nodes_to_free) {
		task_sleep(m, t);
		return;
	}
	while (sr->late)
		sr_wake(m, &m->cpus[t->cpu], &sr->late);
	sr->nodes_in_use -= sr->nodes_to_free;
	sr->nodes_to_free = 0;
	task_run(m, t, m->cost->work_item_ns, false);
}

void rcu_sr_wait(struct cpu *c, struct rcu_wait *w)
{
	struct machine *m = c->m;

	w->sr_next = m->sr->next;
	m->sr->next = w;
	/* start_poll_synchronize_rcu() */
	if (rcu_start_this_gp(c->rdp, rcu_seq_snap(m->rcu->gp_seq)))
		rcu_gp_kthread_wake(c);
}

bool rcu_sr_gp_init(struct machine *m)
{
	struct sr_state *sr = m->sr;

	if (!sr->next)
		return false;
	if (sr->nodes_in_use == SR_WAIT_NODES)
		return true;
	sr->nodes_in_use++;
	sr->wait = sr->next;
	sr->next = NULL;
	return false;
}

void rcu_sr_gp_cleanup(struct machine *m, struct cpu *c)
{
	struct sr_state *sr = m->sr;
	struct rcu_wait **end = &sr->late;

	if (!sr->wait)
		return;
	for (int i = 0; i < SR_WAKE_DIRECTLY && sr->wait; i++)
		sr_wake(m, c, &sr->wait);
	if (!sr->wait) {
		sr->nodes_in_use--;
		return;
	}
	while (*end)
		end = &(*end)->sr_next;
	*end = sr->wait;
	sr->wait = NULL;
	sr->nodes_to_free++;
	if (!sr->worker) {
		sr->worker = task_create(m, "kworker/%:1", worker_fn, NULL, c->id, -1, CLASS_FAIR);
		sr->worker->is_rcu = true;
	}
	cpu_charge(c, m->cost->work_item_ns);
	task_wake(m, sr->worker, c);
}
