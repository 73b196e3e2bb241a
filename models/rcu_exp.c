/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Synchronous waits; requests to the expedited machine by IPI, and reports to it.
 *
 * A wait asks the controls once, at entry (models/rcu_flags.h), and is then a
 * callback of its own (normal) or a request to the expedited machine. Follows
 * kernel/rcu/tree_exp.h (4.9+; 4.4: tree.c) synchronize_rcu_expedited,
 * exp_funnel_lock, rcu_exp_handler, rcu_report_exp_rnp, and update.c
 * wait_rcu_gp. The grace period itself: models/rcu_exp_gp.c. Facts: mechanics 4.2-4.6.
 *
 * X4: requests with one snapshot share one grace period.
 *
 * Simplified: 4.4's funnel of mutexes is the later one with exp_seq_rq.
 */
#include "models/oracle.h"
#include "models/rcu_exp_internal.h"

enum { EXP_FUNNEL, EXP_HAVE_MUTEX, EXP_DRIVE, EXP_WAIT_WORK, EXP_WAIT_OTHERS };
void rcu_exp_init(struct machine *m)
{
	m->exp = sim_arena_alloc(m->arena, sizeof(*m->exp));
	rcu_exp_gp_init(m);
}

void rcu_exp_cpu_online(struct cpu *c)
{
	c->rdp->mynode->expmaskinitnext |= c->rdp->grpmask;
}

/* --- reports --- */

static void clear_exp_bits(struct cpu *c, struct rcu_node *rnp, uint64_t mask)
{
	cpu_charge(c, c->m->cost->node_walk_ns);
	ORACLE(c->m, oracle_exp_clear(c->m, rnp, mask));
	rnp->expmask &= ~mask;
}

void rcu_report_exp_rnp(struct cpu *c, struct rcu_node *rnp, uint64_t mask)
{
	mask &= rnp->expmask;
	if (!mask)
		return;
	clear_exp_bits(c, rnp, mask);
	rcu_report_exp_up(c, rnp);
}

void rcu_report_exp_up(struct cpu *c, struct rcu_node *rnp)
{
	struct machine *m = c->m;
	struct task *driver;

	for (;;) {
		if (rnp->expmask)
			return;
		if (rnp->exp_tasks) {
			rcu_initiate_boost(c, rnp);
			return;
		}
		if (!rnp->parent)
			break;
		clear_exp_bits(c, rnp->parent, rnp->grpmask);
		rnp = rnp->parent;
	}
	driver = m->exp->driver_waiting;
	if (driver) {
		m->exp->driver_waiting = NULL;
		task_wake(m, driver, c);
	}
}

/* Mechanics 4.5; without CONFIG_PREEMPT_RCU a reader only delays the reschedule. */
void rcu_exp_handler(struct cpu *c, enum cpu_ctx over)
{
	struct machine *m = c->m;
	const struct rcu_profile *p = &m->cfg->kernel.profile;
	struct rcu_data *rdp = c->rdp;

	ORACLE(m, oracle_handler(c, over));
	if (!(rdp->mynode->expmask & rdp->grpmask))
		return;
	if (m->preempt_rcu) {
		rcu_preempt_exp_handler(c, over);
		return;
	}
	if (over == CTX_IDLE && p->idle_ipi_reports) {
		rcu_report_exp_rnp(c, rdp->mynode, rdp->grpmask);
		return;
	}
	rdp->exp_no_qs = true;
	c->need_resched = true;
}

/* --- the requester --- */

static void exp_unlock(struct machine *m, struct cpu *c)
{
	struct task *next = wait_queue_pop(&m->exp->mutex_queue);

	if (next)
		task_wake(m, next, c); /* takes the mutex over */
	else
		m->exp->mutex_held = false;
}

/*
 * wait_event() on the node's queue for seq: __add_wait_queue() puts the latest
 * first, so the one who has started the grace period is among the first to wake.
 */
static void exp_wq_add(struct rcu_node *rnp, int64_t seq, struct task *t)
{
	struct wait_queue *q = &rnp->exp_wq[(seq >> 2) & 3];

	t->wait_next = q->head;
	q->head = t;
	if (!q->tail)
		q->tail = t;
}

/*
 * exp_funnel_lock(). True: the request goes on as w->state_idx says; false: it
 * sleeps.
 */
static bool exp_funnel(struct machine *m, struct task *t, struct rcu_wait *w)
{
	struct cpu *c = &m->cpus[t->cpu];
	struct rcu_node *leaf = c->rdp->mynode;
	struct rcu_node *root = &m->rcu->node[0];

	cpu_charge(c, m->cost->node_walk_ns);
	if (leaf->exp_seq_rq < w->seq && root->exp_seq_rq < w->seq && !m->exp->mutex_held) {
		m->exp->mutex_held = true;
		w->state_idx = EXP_HAVE_MUTEX;
		return true;
	}
	for (struct rcu_node *rnp = leaf; rnp; rnp = rnp->parent) {
		if (rcu_seq_done(m->exp->seq, w->seq)) {
			w->done = true;
			return true;
		}
		if (rnp->exp_seq_rq >= w->seq) {
			w->state_idx = EXP_WAIT_OTHERS;
			TRACE_CALL(m, trace_rcu_exp_funnel(c, rnp, "wait"));
			exp_wq_add(rnp, w->seq, t);
			task_sleep(m, t);
			return false;
		}
		rnp->exp_seq_rq = w->seq;
		TRACE_CALL(m, trace_rcu_exp_funnel(c, rnp, "nxtlvl"));
		if (rnp->parent)
			cpu_charge(c, m->cost->node_walk_ns);
	}
	w->state_idx = EXP_HAVE_MUTEX;
	if (m->exp->mutex_held) {
		wait_queue_add(&m->exp->mutex_queue, t);
		task_sleep(m, t);
		return false;
	}
	m->exp->mutex_held = true;
	return true;
}

static void exp_start(struct machine *m, struct task *t, struct rcu_wait *w)
{
	struct exp_state *x = m->exp;
	struct cpu *c = &m->cpus[t->cpu];

	x->seq++;
	rcu_poll_gp_start(m, true);
	ORACLE(m, oracle_exp_start(m, x->seq, c->id));
	TRACE_CALL(m, trace_rcu_exp(c, w->seq, "start"));
	if (!w->direct)
		exp_wq_add(&m->rcu->node[0], w->seq, t);
	rcu_exp_gp_begin(m, c, w->direct);
	w->state_idx = w->direct ? EXP_DRIVE : EXP_WAIT_WORK;
}

/* sync_exp_work_done() */
static bool exp_done(struct machine *m, struct task *t, struct rcu_wait *w)
{
	TRACE_CALL(m, trace_rcu_exp(&m->cpus[t->cpu], w->seq, "done"));
	w->done = true;
	return true;
}

bool rcu_exp_step(struct machine *m, struct task *t, struct rcu_wait *w)
{
	for (;;) {
		switch (w->state_idx) {
		case EXP_FUNNEL:
			w->seq = rcu_seq_snap(m->exp->seq);
			ORACLE(m, oracle_exp_snap(m, w));
			TRACE_CALL(m, trace_rcu_exp(&m->cpus[t->cpu], w->seq, "snap"));
			if (!exp_funnel(m, t, w))
				return false;
			if (w->done)
				return exp_done(m, t, w);
			break;
		case EXP_HAVE_MUTEX:
			if (rcu_seq_done(m->exp->seq, w->seq)) {
				exp_unlock(m, &m->cpus[t->cpu]);
				return exp_done(m, t, w);
			}
			exp_start(m, t, w);
			if (w->state_idx == EXP_WAIT_WORK) {
				task_sleep(m, t);
				return false;
			}
			break;
		case EXP_DRIVE:
			if (!rcu_exp_drive(m, t, rcu_exp_gp_of(m->exp, w->seq)))
				return false;
			/* fall through */
		case EXP_WAIT_WORK:
			exp_unlock(m, &m->cpus[t->cpu]);
			return exp_done(m, t, w);
		default: /* EXP_WAIT_OTHERS: woken by the end of the grace period */
			return exp_done(m, t, w);
		}
	}
}

/* --- any synchronous wait --- */

static void wakeme_after_rcu(struct machine *m, struct cpu *c, void *arg)
{
	struct rcu_wait *w = arg;

	w->done = true;
	task_wake(m, w->task, c);
}

void rcu_wait_init(struct machine *m, struct task *t, struct rcu_wait *w, enum wait_path path)
{
	*w = (struct rcu_wait){ .path = path, .task = t, .start_ns = machine_now(m) };
}

void rcu_wait_begin_callback(struct machine *m, struct task *t, struct rcu_wait *w)
{
	rcu_wait_init(m, t, w, WAIT_CALLBACK);
	ORACLE(m, oracle_wait_begin(m, w, false));
	ORACLE(m, oracle_wait_queued(&m->cpus[t->cpu], w));
	rcu_call(&m->cpus[t->cpu], wakeme_after_rcu, w);
}

void rcu_wait_begin_normal(struct machine *m, struct task *t, struct rcu_wait *w)
{
	w->path = WAIT_NORMAL;
	w->state_idx = 0;
	if (m->wake_from_gp) {
		rcu_sr_wait(&m->cpus[t->cpu], w);
		return;
	}
	ORACLE(m, oracle_wait_queued(&m->cpus[t->cpu], w));
	rcu_call(&m->cpus[t->cpu], wakeme_after_rcu, w);
}

void rcu_wait_begin(struct machine *m, struct task *t, struct rcu_wait *w, bool expedited)
{
	enum rcu_sync_way way = rcu_sync_way(&m->flags, m->online, expedited);

	rcu_wait_init(m, t, w, WAIT_EXPEDITED);
	switch (way) {
	case SYNC_NOOP:
		rcu_poll_noop(m);
		w->path = WAIT_NOOP;
		w->done = true;
		break;
	case SYNC_NORMAL:
		w->path = WAIT_NORMAL;
		cpu_charge(&m->cpus[t->cpu], m->cost->sync_ns);
		break;
	case SYNC_EXP_DIRECT:
	case SYNC_EXP_WORKER:
		w->direct = way == SYNC_EXP_DIRECT;
		cpu_charge(&m->cpus[t->cpu], m->cost->sync_ns);
		break;
	case SYNC_DEAD_ZONE:
	case SYNC_WAY_COUNT:
		machine_stop(m, RUN_DEADLOCK,
			     "task %s waits for a normal grace period before the grace-period "
			     "kthread exists: it would wait for ever",
			     t->name);
		break;
	}
	ORACLE(m, oracle_wait_begin(m, w, expedited));
	if (way == SYNC_NORMAL)
		rcu_wait_begin_normal(m, t, w);
}

bool rcu_wait_step(struct machine *m, struct task *t, struct rcu_wait *w)
{
	t->awaited_by_rcu = true;
	if (w->path == WAIT_SRCU || w->path == WAIT_TASKS)
		w->done = w->done || t->neighbour_done;
	if (!w->done && w->path == WAIT_BARRIER && !rcu_barrier_step(m, t, w))
		return false;
	if (!w->done && w->path == WAIT_EXPEDITED) {
		bool over = m->cfg->kernel.profile.exp_engine == EXP_STOPPERS
				    ? rcu_stop_step(m, t, w)
				    : rcu_exp_step(m, t, w);

		if (!over)
			return false;
	}
	if (!w->done) {
		task_sleep(m, t);
		return false;
	}
	if (w->path != WAIT_NORMAL && w->path != WAIT_CALLBACK && w->path != WAIT_NOOP && m->cpus[t->cpu].charge_ns > 0) {
		task_run(m, t, 0, false); /* the caller's own work is part of the wait */
		return false;
	}
	t->awaited_by_rcu = false;
	ORACLE(m, oracle_wait_end(m, w));
	return true;
}
