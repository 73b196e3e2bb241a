/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Synchronous waits, and expedited grace periods by IPI.
 *
 * A wait asks the controls once, at entry (models/rcu_flags.h), and is then a
 * callback of its own (normal) or a request to the expedited machine. Follows
 * kernel/rcu/tree_exp.h (4.9+; 4.4: tree.c) synchronize_rcu_expedited,
 * exp_funnel_lock, rcu_exp_sel_wait_wake, sync_rcu_exp_select_cpus,
 * rcu_exp_handler, rcu_report_exp_rnp, rcu_exp_wait_wake, and update.c
 * wait_rcu_gp. Facts: mechanics 4.2-4.6.
 *
 * X1: at most one expedited grace period runs; requests with one snapshot share it.
 * X2: an IPI goes to a CPU that is on line, not the selecting one and not in an EQS.
 *
 * Simplified: all leaves are selected by the driver, one after the other, in
 * every version; 4.4's funnel of mutexes is the later one with exp_seq_rq.
 */
#include "models/oracle.h"
#include "models/rcu.h"

enum { EXP_FUNNEL, EXP_HAVE_MUTEX, EXP_DRIVE, EXP_WAIT_WORK, EXP_WAIT_OTHERS };
enum { DRV_RESET, DRV_SELECT, DRV_WAIT, DRV_END };

struct exp_state {
	int64_t seq; /* expedited_sequence */
	bool mutex_held;
	struct wait_queue mutex_queue;
	/* the running grace period */
	int drv_state;
	struct task *driver_waiting; /* sleeps until the root's expmask is 0 */
	sim_time_ns start_ns;
	int work_cpu; /* CPU whose worker has it; -1: none queued */
	struct task **workers;
};

void rcu_exp_init(struct machine *m)
{
	m->exp = sim_arena_alloc(m->arena, sizeof(*m->exp));
	m->exp->work_cpu = -1;
	m->exp->workers = sim_arena_array(m->arena, (size_t)m->nr_cpu_ids, sizeof(struct task *));
}

void rcu_exp_cpu_online(struct cpu *c)
{
	c->rdp->mynode->expmaskinitnext |= c->rdp->grpmask;
}

/* --- the driver --- */

/* rcu_exp_gp_seq_endval() */
static int64_t exp_end_seq(const struct exp_state *x)
{
	return (x->seq | RCU_SEQ_PHASE_MASK) + 1;
}

static void drv_reset(struct machine *m, struct cpu *c)
{
	struct rcu_state *rs = m->rcu;

	TRACE_CALL(m, trace_rcu_exp(c, exp_end_seq(m->exp), "reset"));
	for (int i = 0; i < rs->leaves; i++) {
		struct rcu_node *rnp = &rs->leaf[i];

		rnp->expmaskinit = rnp->expmaskinitnext;
		for (; rnp->parent && rnp->expmaskinit; rnp = rnp->parent)
			rnp->parent->expmaskinit |= rnp->grpmask;
	}
	for (int i = 0; i < rs->geometry.nodes; i++) {
		rs->node[i].expmask = rs->node[i].expmaskinit;
		cpu_charge(c, m->cost->node_walk_ns);
	}
	ORACLE(m, oracle_exp_reset(m));
}

static void drv_select_leaf(struct machine *m, struct cpu *c, struct rcu_node *rnp)
{
	uint64_t done = 0;

	cpu_charge(c, m->cost->node_walk_ns);
	if (rcu_preempt_exp_init(rnp))
		ORACLE(m, oracle_blkd_tasks(c, rnp));
	for (int cpu = rnp->grplo; cpu <= rnp->grphi; cpu++) {
		struct cpu *target = &m->cpus[cpu];
		uint64_t bit = UINT64_C(1) << (cpu - rnp->grplo);

		if (!(rnp->expmask & bit))
			continue;
		cpu_charge(c, m->cost->cpu_scan_ns);
		if (target == c || !target->online || cpu_in_eqs(target)) {
			done |= bit;
			continue;
		}
		ORACLE(m, oracle_exp_ipi(m, c->id, cpu));
		m->totals->ipi_exp++;
		ipi_call(c, target, CALL_EXP_HANDLER);
	}
	if (done)
		rcu_report_exp_rnp(c, rnp, done);
}

/* Ends the grace period: number, and everybody who waits for it. */
static void drv_end(struct machine *m, struct cpu *c)
{
	struct rcu_state *rs = m->rcu;
	int64_t end_seq = exp_end_seq(m->exp);
	struct task *t;

	m->exp->seq = end_seq;
	machine_record_gp(m, true, m->exp->start_ns);
	ORACLE(m, oracle_exp_end(m, end_seq));
	TRACE_CALL(m, trace_rcu_exp(c, end_seq, "end"));
	for (int i = 0; i < rs->geometry.nodes; i++) {
		struct rcu_node *rnp = &rs->node[i];

		cpu_charge(c, m->cost->node_walk_ns);
		if (rnp->exp_seq_rq < end_seq)
			rnp->exp_seq_rq = end_seq;
		while ((t = wait_queue_pop(&rnp->exp_wq[(end_seq >> 2) & 3])) != NULL)
			task_wake(m, t, c);
	}
	TRACE_CALL(m, trace_rcu_exp(c, end_seq, "endwake"));
}

bool rcu_exp_wait_root(struct machine *m, struct task *t)
{
	const struct rcu_node *root = &m->rcu->node[0];

	if (!root->expmask && !root->exp_tasks)
		return true;
	m->exp->driver_waiting = t;
	t->awaited_by_rcu = true;
	task_sleep(m, t);
	return false;
}

/* Drives the running grace period in task t. True: over; false: t's fn has ended. */
static bool exp_drive(struct machine *m, struct task *t)
{
	struct exp_state *x = m->exp;
	struct rcu_state *rs = m->rcu;
	struct cpu *c = &m->cpus[t->cpu];

	switch (x->drv_state) {
	case DRV_RESET:
		drv_reset(m, c);
		x->drv_state = DRV_SELECT;
		task_run(m, t, 0, false);
		return false;
	case DRV_SELECT:
		TRACE_CALL(m, trace_rcu_exp(c, exp_end_seq(x), "select"));
		ORACLE(m, oracle_exp_select(c));
		for (int i = 0; i < rs->leaves; i++) {
			if (rs->leaf[i].expmask)
				drv_select_leaf(m, c, &rs->leaf[i]);
		}
		x->drv_state = DRV_WAIT;
		TRACE_CALL(m, trace_rcu_exp(c, exp_end_seq(x), "startwait"));
		task_run(m, t, 0, false);
		return false;
	case DRV_WAIT:
		if (!rcu_exp_wait_root(m, t))
			return false;
		drv_end(m, c);
		x->drv_state = DRV_END;
		task_run(m, t, 0, false);
		return false;
	default: /* DRV_END */
		return true;
	}
}

/* kworker: runs the work item queued to its CPU. */
static void worker_fn(struct machine *m, struct task *t)
{
	struct exp_state *x = m->exp;

	if (x->work_cpu != t->bound_cpu) {
		task_sleep(m, t);
		return;
	}
	if (!exp_drive(m, t))
		return;
	x->work_cpu = -1;
	task_sleep(m, t);
}

static void queue_work(struct machine *m, struct cpu *c)
{
	struct exp_state *x = m->exp;

	if (!x->workers[c->id]) {
		x->workers[c->id] = task_create(m, "kworker/%:1", worker_fn, NULL, c->id, c->id,
						CLASS_FAIR);
		x->workers[c->id]->is_rcu = true;
	}
	x->work_cpu = c->id;
	cpu_charge(c, m->cost->work_item_ns);
	task_wake(m, x->workers[c->id], c);
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
			wait_queue_add(&rnp->exp_wq[(w->seq >> 2) & 3], t);
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
	ORACLE(m, oracle_exp_start(m, x->seq, c->id));
	x->start_ns = machine_now(m);
	x->drv_state = DRV_RESET;
	TRACE_CALL(m, trace_rcu_exp(c, w->seq, "start"));
	if (w->direct) {
		w->state_idx = EXP_DRIVE;
		return;
	}
	w->state_idx = EXP_WAIT_WORK;
	wait_queue_add(&m->rcu->node[0].exp_wq[(w->seq >> 2) & 3], t);
	queue_work(m, c);
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
			if (!exp_drive(m, t))
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
