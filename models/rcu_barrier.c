/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rcu_barrier(): waits until every callback queued before it has run.
 *
 * A callback goes behind all others on each CPU that has any; the last one to
 * run ends the wait. On-line CPUs are asked by a waiting IPI, one after the
 * other. Concurrent calls share by a sequence number, as expedited ones do.
 * Follows kernel/rcu/tree.c rcu_barrier, rcu_barrier_entrain,
 * rcu_barrier_handler, rcu_barrier_callback (3.19 _rcu_barrier, where an
 * offloaded CPU is entrained without an IPI). Facts: mechanics 3.12.
 *
 * B1: returns after every callback queued before it, on any CPU, has run.
 */
#include "models/hotplug.h"
#include "models/oracle.h"
#include "models/rcu.h"

/* Before, a barrier keeps CPUs from coming and going while it visits them. */
#define NO_HOTPLUG_LOCK_SINCE 518

enum { BARRIER_LOCK, BARRIER_VISIT, BARRIER_WAIT };

struct barrier_state {
	int64_t seq;
	bool mutex_held;
	struct wait_queue mutex_queue;
	bool visiting;
	int next_cpu;          /* to be visited */
	int left;              /* callbacks that have not run, plus one while visiting */
	struct task *visitor;  /* spins until the IPI's handler has run; NULL: none */
	struct task *waiter;   /* sleeps for the last callback */
};

void rcu_barrier_init(struct machine *m)
{
	m->barrier = sim_arena_alloc(m->arena, sizeof(*m->barrier));
}

static void rcu_barrier_callback(struct machine *m, struct cpu *c, void *arg)
{
	struct barrier_state *b = m->barrier;

	(void)arg;
	b->left--;
	TRACE_CALL(m, trace_rcu_barrier(c, b->left ? "CB" : "LastCB", -1, b->left, b->seq));
	if (b->left == 0 && b->waiter)
		task_wake(m, b->waiter, c);
}

/* Puts the barrier's callback behind what CPU `of` has; c runs this. */
static void barrier_entrain(struct cpu *c, struct cpu *of)
{
	struct barrier_state *b = c->m->barrier;

	TRACE_CALL(c->m, trace_rcu_barrier(c, "IRQ", -1, b->left + 1, b->seq));
	if (rcu_call_entrain(c, of, rcu_barrier_callback, NULL))
		b->left++;
}

void rcu_barrier_handler(struct cpu *c)
{
	struct task *visitor = c->m->barrier->visitor;

	barrier_entrain(c, c);
	c->m->barrier->visitor = NULL;
	task_spin_end(visitor);
}

static void barrier_unlock(struct machine *m, struct cpu *c)
{
	struct task *next = wait_queue_pop(&m->barrier->mutex_queue);

	if (next)
		task_wake(m, next, c); /* takes the mutex over */
	else
		m->barrier->mutex_held = false;
}

/* Visits CPUs from w->cpu on. True: all were visited; false: spins for an IPI. */
static bool barrier_visit(struct machine *m, struct task *t, struct rcu_wait *w)
{
	struct barrier_state *b = m->barrier;
	struct cpu *self = &m->cpus[t->cpu];
	bool entrain_offloaded = m->cfg->kernel.profile.version < 500;

	if (!w->pins_hotplug && m->cfg->kernel.profile.version < NO_HOTPLUG_LOCK_SINCE) {
		if (!hotplug_read_lock(m, t))
			return false;
		w->pins_hotplug = true;
	}
	b->visiting = true;

	while (w->cpu < m->nr_cpu_ids) {
		struct cpu *c = &m->cpus[w->cpu++];

		b->next_cpu = w->cpu;
		cpu_charge(self, m->cost->cpu_scan_ns);
		if (c->rdp->cblist.len == 0) {
			TRACE_CALL(m, trace_rcu_barrier(self, "NQ", c->id, b->left + 1, b->seq));
			continue;
		}
		if (c == self || !c->online || (entrain_offloaded && c->rdp->offloaded)) {
			barrier_entrain(self, c);
			continue;
		}
		m->barrier->visitor = t;
		m->totals->ipi_barrier++;
		ipi_call(self, c, CALL_BARRIER);
		task_spin(m, t);
		return false;
	}
	b->visiting = false;
	if (w->pins_hotplug)
		hotplug_read_unlock(m, self);
	w->pins_hotplug = false;
	return true;
}

void rcu_barrier_migrate(struct cpu *c, struct cpu *dead)
{
	const struct barrier_state *b = c->m->barrier;

	if (b->visiting && dead->id >= b->next_cpu)
		barrier_entrain(c, dead);
}

void rcu_wait_begin_barrier(struct machine *m, struct task *t, struct rcu_wait *w)
{
	rcu_wait_init(m, t, w, WAIT_BARRIER);
	w->seq = rcu_seq_snap(m->barrier->seq);
	TRACE_CALL(m, trace_rcu_barrier(&m->cpus[t->cpu], "Begin", -1, m->barrier->left, w->seq));
	ORACLE(m, oracle_wait_begin(m, w, false));
}

bool rcu_barrier_step(struct machine *m, struct task *t, struct rcu_wait *w)
{
	struct barrier_state *b = m->barrier;
	struct cpu *c = &m->cpus[t->cpu];

	switch (w->state_idx) {
	case BARRIER_LOCK:
		if (b->mutex_held && !w->queued) {
			w->queued = true; /* woken as its owner */
			wait_queue_add(&b->mutex_queue, t);
			task_sleep(m, t);
			return false;
		}
		b->mutex_held = true;
		if (rcu_seq_done(b->seq, w->seq)) { /* somebody else's barrier covered this one */
			TRACE_CALL(m, trace_rcu_barrier(c, "EarlyExit", -1, b->left, b->seq));
			break;
		}
		b->seq++;
		TRACE_CALL(m, trace_rcu_barrier(c, "Inc1", -1, b->left, b->seq));
		b->left = 1;
		w->cpu = b->next_cpu = 0;
		w->state_idx = BARRIER_VISIT;
		return rcu_barrier_step(m, t, w);
	case BARRIER_VISIT:
		if (!barrier_visit(m, t, w))
			return false;
		w->state_idx = BARRIER_WAIT;
		if (--b->left > 0) {
			b->waiter = t;
			task_sleep(m, t);
			return false;
		}
		return rcu_barrier_step(m, t, w);
	default: /* BARRIER_WAIT */
		b->waiter = NULL;
		TRACE_CALL(m, trace_rcu_barrier(c, "Inc2", -1, b->left, b->seq));
		b->seq = (b->seq | RCU_SEQ_PHASE_MASK) + 1;
		break;
	}
	barrier_unlock(m, c);
	w->done = true;
	return true;
}
