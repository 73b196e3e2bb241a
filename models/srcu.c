/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sleepable RCU: synchronize_srcu() on one srcu_struct without readers.
 *
 * From 4.12 (Tree SRCU, kernel/rcu/srcutree.c synchronize_srcu,
 * srcu_might_be_idle, srcu_gp_start_if_needed, process_srcu,
 * srcu_advance_state, srcu_gp_end, srcu_get_delay; 4.14, 5.10, 6.1): a work item
 * counts readers, flips, counts again, and hands callbacks to another work item.
 * Each of the two is delayed by SRCU_INTERVAL = 1 jiffy, unless the grace period
 * is expedited: by the expedite controls, by the call, or because the struct has
 * been idle for exp_holdoff = 25 us. rcu_normal takes all of these away. Before
 * (srcu.c, 3.19-4.11) the caller counts by itself: microseconds, whatever the
 * flags. No CPU is interrupted in any version. Facts: mechanics 3.14.
 *
 * Simplified: no SRCU readers; both work items run in one unbound kworker.
 */
#include "models/oracle.h"
#include "models/rcu.h"

/* DEFAULT_SRCU_EXP_HOLDOFF, kernel/rcu/srcutree.c, 4.12-6.12. */
#define SRCU_EXP_HOLDOFF_NS (25 * NS_PER_US)
/* SRCU_INTERVAL, same file. */
#define SRCU_INTERVAL_JIFFIES 1

enum { SRCU_IDLE, SRCU_DELAYED, SRCU_PROCESSED, SRCU_CALLBACKS_DUE };

struct srcu_state {
	struct task *worker;
	struct wait_queue waiting;  /* callers of the running grace period */
	struct wait_queue later;    /* came while it ran: need the next */
	bool expedited, later_expedited;
	bool has_later;
	sim_time_ns last_end_ns;
};

void srcu_init(struct machine *m)
{
	m->srcu = sim_arena_alloc(m->arena, sizeof(*m->srcu));
	m->srcu->last_end_ns = -NS_PER_S;
}

static void srcu_wake_all(struct machine *m, struct cpu *c)
{
	struct task *t;

	while ((t = wait_queue_pop(&m->srcu->waiting)) != NULL) {
		t->neighbour_done = true;
		task_wake(m, t, c);
	}
}

/* Sleeps a jiffy unless the grace period is expedited. True: fn has ended. */
static bool srcu_delay(struct machine *m, struct task *t, int state_idx)
{
	t->state_idx = state_idx;
	if (m->srcu->expedited)
		return false;
	task_sleep_jiffies(m, t, SRCU_INTERVAL_JIFFIES);
	return true;
}

/* The kworker: process_srcu(), then srcu_invoke_callbacks(). */
static void srcu_worker_fn(struct machine *m, struct task *t)
{
	struct srcu_state *s = m->srcu;
	/* srcu_readers_active_idx_check() reads two counters of each CPU, before and after the flip */
	sim_time_ns scan_ns = 2 * m->nr_cpu_ids * m->cost->cpu_scan_ns;

	switch (t->state_idx) {
	case SRCU_IDLE:
		if (!s->waiting.head) {
			task_sleep(m, t);
			return;
		}
		if (srcu_delay(m, t, SRCU_DELAYED))
			return;
		/* fall through */
	case SRCU_DELAYED:
		t->state_idx = SRCU_PROCESSED;
		task_run(m, t, m->cost->work_item_ns + scan_ns, false);
		return;
	case SRCU_PROCESSED:
		s->last_end_ns = machine_now(m);
		if (srcu_delay(m, t, SRCU_CALLBACKS_DUE))
			return;
		/* fall through */
	default: /* SRCU_CALLBACKS_DUE */
		cpu_charge(&m->cpus[t->cpu], m->cost->work_item_ns + m->cost->callback_ns);
		srcu_wake_all(m, &m->cpus[t->cpu]);
		s->waiting = s->later;
		s->expedited = s->later_expedited;
		s->later = (struct wait_queue){ NULL, NULL };
		s->later_expedited = false;
		t->state_idx = SRCU_IDLE;
		task_run(m, t, 0, false);
		return;
	}
}

void srcu_wait_begin(struct machine *m, struct task *t, struct rcu_wait *w, bool expedited)
{
	struct srcu_state *s = m->srcu;
	struct cpu *c = &m->cpus[t->cpu];
	bool idle = !s->waiting.head &&
		    machine_now(m) - s->last_end_ns >= SRCU_EXP_HOLDOFF_NS;

	rcu_wait_init(m, t, w, WAIT_SRCU);
	ORACLE(m, oracle_wait_begin(m, w, expedited));
	t->neighbour_done = false;
	if (m->flags.scheduler_active == RCU_SCHEDULER_INACTIVE) {
		w->done = true;
		return;
	}
	cpu_charge(c, m->cost->sync_ns);
	if (!m->cfg->kernel.profile.srcu_tree) {
		cpu_charge(c, 2 * m->nr_cpu_ids * m->cost->cpu_scan_ns);
		w->done = true;
		return;
	}
	expedited = (expedited || idle || rcu_gp_is_expedited(&m->flags)) &&
		    !rcu_gp_is_normal(&m->flags);
	cpu_charge(c, m->cost->call_rcu_ns);
	if (s->waiting.head) {
		wait_queue_add(&s->later, t);
		s->later_expedited = s->later_expedited || expedited;
		s->expedited = s->expedited || expedited; /* hurries the running one along */
		return;
	}
	wait_queue_add(&s->waiting, t);
	s->expedited = expedited;
	if (!s->worker) {
		s->worker = task_create(m, "kworker", srcu_worker_fn, NULL, c->id, -1, CLASS_FAIR);
		s->worker->is_rcu = true;
	}
	task_wake(m, s->worker, c);
}
