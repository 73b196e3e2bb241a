/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An expedited grace period by IPI, from its start to its wake-ups: who drives
 * it, and how the CPUs are selected. Follows kernel/rcu/tree_exp.h (4.9+; 4.4:
 * tree.c) rcu_exp_sel_wait_wake, sync_exp_reset_tree, sync_rcu_exp_select_cpus,
 * __sync_rcu_exp_select_node_cpus, rcu_exp_wait_wake and kernel/rcu/tree.c
 * rcu_spawn_exp_par_gp_kworker. Facts: mechanics 4.3, 4.8.
 *
 * X1: at most one expedited grace period runs; the wake-ups of the one before it
 *     may still be under way.
 * X2: an IPI goes to a CPU that is on line, not the selecting one, and has been
 *     in no EQS since the scan of its leaf.
 * X3: the root is waited for only when every leaf has been selected.
 *
 * Simplified: kthread workers for leaves keep to no CPUs (6.9+ prefers those of
 * the leaf); holdouts are not forced to tick on nohz_full systems; a wake-up
 * list is walked at one moment, and what that costs is paid after it.
 *
 * Test: tests/model/check_exp_eras.c. docs/expedited.md.
 */
#include "models/oracle.h"
#include "models/rcu_exp_internal.h"

enum { GP_RESET, GP_SELECT, GP_FLUSH, GP_WAIT, GP_HAVE_WAKE_MUTEX, GP_END };

/* CONFIG_RCU_EXP_KTHREAD of a kernel whose leaves share one worker: up to 6.8. */
#define LEAF_KWORKERS_SINCE 609
/* An idle loop that is left flushes the CPU's queue of calls: 5.8+, do_idle(). */
#define IDLE_FLUSHES_SINCE 508

static bool work_gp(struct machine *m, struct task *t, void *data);
static bool work_leaf(struct machine *m, struct task *t, void *data);

void rcu_exp_gp_init(struct machine *m)
{
	struct exp_state *x = m->exp;
	struct rcu_state *rs = m->rcu;

	for (int i = 0; i < 2; i++)
		x->gp[i].work = (struct work_item){ work_gp, &x->gp[i], true, NULL };
	x->leaf = sim_arena_array(m->arena, (size_t)rs->leaves, sizeof(*x->leaf));
	for (int i = 0; i < rs->leaves; i++) {
		x->leaf[i].rnp = &rs->leaf[i];
		x->leaf[i].work = (struct work_item){ work_leaf, &x->leaf[i], true, NULL };
	}
}

enum exp_driver rcu_exp_driver(const struct machine *m)
{
	const struct kernel_config *k = &m->cfg->kernel;

	return k->rcu_exp_kthread ? EXP_DRIVER_KTHREAD : (enum exp_driver)k->profile.exp_driver;
}

struct exp_gp *rcu_exp_gp_of(struct exp_state *x, int64_t end_seq)
{
	return &x->gp[rcu_seq_ctr(end_seq) & 1];
}

/* --- who runs it --- */

/* The name is cut as in task_struct.comm. */
static struct kthread_worker *kworker_create(struct machine *m, const char *name, int cpu)
{
	return kthread_worker_create(m, name, cpu,
				     m->cfg->kernel.rcu_exp_kthread ? CLASS_RT : CLASS_FAIR);
}

static void queue_gp(struct machine *m, struct cpu *c, struct exp_gp *gp)
{
	struct exp_state *x = m->exp;

	if (rcu_exp_driver(m) != EXP_DRIVER_KTHREAD) {
		workqueue_queue_on(m, c->id, &gp->work, c);
		return;
	}
	if (!x->gp_kworker)
		x->gp_kworker = kworker_create(m, "rcu_exp_gp_kthr", c->id);
	kthread_worker_queue(m, x->gp_kworker, &gp->work, c);
}

static struct kthread_worker *leaf_kworker(struct machine *m, struct exp_leaf *leaf)
{
	bool shared = m->cfg->kernel.profile.version < LEAF_KWORKERS_SINCE;
	struct kthread_worker **kw = shared ? &m->exp->par_kworker : &leaf->kworker;

	if (!*kw)
		*kw = kworker_create(m, "rcu_exp_par_gp_", leaf->rnp->grplo);
	return *kw;
}

/* First CPU of the leaf that is on line, or c. */
static int leaf_work_cpu(struct machine *m, const struct rcu_node *rnp, const struct cpu *c)
{
	for (int cpu = rnp->grplo; cpu <= rnp->grphi; cpu++) {
		if (m->cpus[cpu].online)
			return cpu;
	}
	return c->id;
}

static void queue_leaf(struct machine *m, struct cpu *c, struct exp_leaf *leaf)
{
	leaf->queued = true;
	if (rcu_exp_driver(m) == EXP_DRIVER_KTHREAD)
		kthread_worker_queue(m, leaf_kworker(m, leaf), &leaf->work, c);
	else
		workqueue_queue_on(m, leaf_work_cpu(m, leaf->rnp, c), &leaf->work, c);
}

void rcu_exp_gp_begin(struct machine *m, struct cpu *c, bool direct)
{
	int64_t end_seq = (m->exp->seq | RCU_SEQ_PHASE_MASK) + 1;
	struct exp_gp *gp = rcu_exp_gp_of(m->exp, end_seq);

	gp->state = GP_RESET;
	gp->direct = direct;
	gp->end_seq = end_seq;
	gp->start_ns = machine_now(m);
	if (!direct)
		queue_gp(m, c, gp);
}

/* --- reset --- */

static void gp_reset(struct machine *m, struct cpu *c, const struct exp_gp *gp)
{
	struct rcu_state *rs = m->rcu;

	TRACE_CALL(m, trace_rcu_exp(c, gp->end_seq, "reset"));
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

/* --- selection of a leaf --- */

static uint64_t leaf_bit(const struct rcu_node *rnp, int cpu)
{
	return UINT64_C(1) << (cpu - rnp->grplo);
}

/* Under the leaf's lock: who is quiescent already, who is to be asked. */
static void leaf_scan(struct machine *m, struct cpu *c, struct exp_leaf *leaf)
{
	struct rcu_node *rnp = leaf->rnp;

	leaf->ask = leaf->done = 0;
	cpu_charge(c, m->cost->node_walk_ns);
	if (rcu_preempt_exp_init(rnp))
		ORACLE(m, oracle_blkd_tasks(c, rnp));
	for (int cpu = rnp->grplo; cpu <= rnp->grphi; cpu++) {
		struct cpu *target = &m->cpus[cpu];
		uint64_t bit = leaf_bit(rnp, cpu);

		if (!(rnp->expmask & bit))
			continue;
		cpu_charge(c, m->cost->cpu_scan_ns);
		if (target == c || !(rnp->qsmaskinitnext & bit) || cpu_in_eqs(target)) {
			leaf->done |= bit;
			continue;
		}
		target->rdp->exp_eqs_snap = target->eqs_seq;
		leaf->ask |= bit;
	}
}

/* smp_call_function_single(); false: the CPU is off line. */
static bool send_ipi(struct machine *m, struct cpu *c, struct cpu *target)
{
	if (!target->online)
		return false;
	ORACLE(m, oracle_exp_ipi(m, c->id, target->id));
	m->totals->ipi_exp++;
	if (RS_UNLIKELY(++m->exp->ipis == m->cfg->faults.lose_ipi))
		ipi_call_lost(c, target, CALL_EXP_HANDLER);
	else
		ipi_call(c, target, CALL_EXP_HANDLER);
	return true;
}

/* Asks those who owe. False: one is just going off line, and is tried again. */
static bool leaf_ask(struct machine *m, struct cpu *c, struct exp_leaf *leaf)
{
	struct rcu_node *rnp = leaf->rnp;

	for (; leaf->ask; leaf->ask &= leaf->ask - 1) {
		uint64_t bit = leaf->ask & ~(leaf->ask - 1);
		struct cpu *target = &m->cpus[rnp->grplo + __builtin_ctzll(bit)];

		if (target != c && target->eqs_seq == target->rdp->exp_eqs_snap) {
			if (send_ipi(m, c, target))
				continue;
			if ((rnp->qsmaskinitnext & bit) && (rnp->expmask & bit))
				return false;
		}
		leaf->done |= bit;
	}
	return true;
}

/* Selects the leaf's CPUs in task t. True: done; false: t's fn has ended. */
static bool select_leaf(struct machine *m, struct task *t, struct exp_leaf *leaf)
{
	struct cpu *c = &m->cpus[t->cpu];

	ORACLE(m, oracle_exp_select(c));
	if (!leaf->scanned) {
		leaf_scan(m, c, leaf);
		leaf->scanned = true;
		if (leaf->ask) {
			task_run(m, t, 0, false);
			return false;
		}
	}
	if (!leaf_ask(m, c, leaf)) {
		TRACE_CALL(m, trace_rcu_exp(c, (m->exp->seq | RCU_SEQ_PHASE_MASK) + 1, "selectofl"));
		task_sleep_jiffies(m, t, 1);
		return false;
	}
	leaf->scanned = false;
	if (leaf->done)
		rcu_report_exp_rnp(c, leaf->rnp, leaf->done);
	return true;
}

static bool work_leaf(struct machine *m, struct task *t, void *data)
{
	struct exp_leaf *leaf = data;
	struct exp_state *x = m->exp;
	struct task *flusher = x->flusher;

	if (!select_leaf(m, t, leaf))
		return false;
	leaf->queued = false;
	if (flusher && leaf == &x->leaf[x->flush_leaf]) {
		x->flusher = NULL;
		task_wake(m, flusher, &m->cpus[t->cpu]);
	}
	return true;
}

/* --- the driver --- */

/* True: all leaves are selected or on their way; false: t's fn has ended. */
static bool gp_select(struct machine *m, struct task *t, struct exp_gp *gp)
{
	struct exp_state *x = m->exp;
	int last = m->rcu->leaves - 1;
	enum exp_driver driver = rcu_exp_driver(m);
	bool parallel = !gp->direct &&
			(driver == EXP_DRIVER_RCU_GP_WQ || driver == EXP_DRIVER_KTHREAD);

	for (; gp->leaf <= last; gp->leaf++) {
		struct exp_leaf *leaf = &x->leaf[gp->leaf];

		if (!leaf->rnp->expmask && !leaf->scanned)
			continue;
		if (parallel && gp->leaf < last)
			queue_leaf(m, &m->cpus[t->cpu], leaf);
		else if (!select_leaf(m, t, leaf))
			return false;
	}
	return true;
}

/* Waits for the leaves' workers. True: all done; false: t's fn has ended. */
static bool gp_flush(struct machine *m, struct task *t, struct exp_gp *gp)
{
	struct exp_state *x = m->exp;

	for (; gp->leaf < m->rcu->leaves; gp->leaf++) {
		if (!x->leaf[gp->leaf].queued)
			continue;
		x->flusher = t;
		x->flush_leaf = gp->leaf;
		t->awaited_by_rcu = true;
		task_sleep(m, t);
		return false;
	}
	return true;
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

/* Ends the grace period: number, and everybody who waits for it. */
static void gp_end(struct machine *m, struct cpu *c, const struct exp_gp *gp)
{
	struct rcu_state *rs = m->rcu;
	struct task *t;

	m->exp->seq = gp->end_seq;
	rcu_poll_gp_end(m, true);
	machine_record_gp(m, true, gp->start_ns);
	ORACLE(m, oracle_exp_end(m, gp->end_seq));
	TRACE_CALL(m, trace_rcu_exp(c, gp->end_seq, "end"));
	for (int i = 0; i < rs->geometry.nodes; i++) {
		struct rcu_node *rnp = &rs->node[i];

		cpu_charge(c, m->cost->node_walk_ns);
		if (rnp->exp_seq_rq < gp->end_seq)
			rnp->exp_seq_rq = gp->end_seq;
		while ((t = wait_queue_pop(&rnp->exp_wq[(gp->end_seq >> 2) & 3])) != NULL)
			task_wake(m, t, c);
	}
	TRACE_CALL(m, trace_rcu_exp(c, gp->end_seq, "endwake"));
}

static void wake_mutex_unlock(struct machine *m, struct cpu *c)
{
	struct task *next = wait_queue_pop(&m->exp->wake_mutex_queue);

	if (next)
		task_wake(m, next, c); /* takes it over */
	else
		m->exp->wake_mutex_held = false;
}

/* One step of the drive: true if it ended t's fn. */
static bool gp_step(struct machine *m, struct task *t, struct exp_gp *gp)
{
	struct exp_state *x = m->exp;
	struct cpu *c = &m->cpus[t->cpu];

	switch (gp->state) {
	case GP_RESET:
		gp_reset(m, c, gp);
		gp->state = GP_SELECT;
		gp->leaf = 0;
		task_run(m, t, 0, false);
		return true;
	case GP_SELECT:
		if (gp->leaf == 0 && !x->leaf[0].scanned)
			TRACE_CALL(m, trace_rcu_exp(c, gp->end_seq, "select"));
		if (!gp_select(m, t, gp))
			return true;
		gp->state = GP_FLUSH;
		gp->leaf = 0;
		return false;
	case GP_FLUSH:
		if (!gp_flush(m, t, gp))
			return true;
		gp->state = GP_WAIT;
		TRACE_CALL(m, trace_rcu_exp(c, gp->end_seq, "startwait"));
		task_run(m, t, 0, false);
		return true;
	case GP_WAIT:
		if (!rcu_exp_wait_root(m, t)) {
			rcu_exp_stall_begin(m, c->id);
			return true;
		}
		rcu_exp_stall_end(m);
		gp->state = GP_HAVE_WAKE_MUTEX;
		if (x->wake_mutex_held) {
			wait_queue_add(&x->wake_mutex_queue, t);
			task_sleep(m, t);
			return true;
		}
		x->wake_mutex_held = true;
		return false;
	default: /* GP_HAVE_WAKE_MUTEX */
		gp_end(m, c, gp);
		gp->state = GP_END;
		task_run(m, t, 0, false);
		return true;
	}
}

bool rcu_exp_drive(struct machine *m, struct task *t, struct exp_gp *gp)
{
	while (gp->state != GP_END) {
		if (gp_step(m, t, gp))
			return false;
	}
	wake_mutex_unlock(m, &m->cpus[t->cpu]);
	return true;
}

static bool work_gp(struct machine *m, struct task *t, void *data)
{
	return rcu_exp_drive(m, t, data);
}

/* --- a lost IPI --- */

void rcu_exp_flush_lost(struct cpu *c)
{
	struct rcu_data *rdp = c->rdp;

	if (c->m->cfg->kernel.profile.version < IDLE_FLUSHES_SINCE)
		return;
	c->call_lost = false;
	c->ipi_in_flight &= ~(1u << IRQ_CALL);
	if (c->call_pending & CALL_BARRIER)
		rcu_barrier_handler(c);
	/* in the idle task, watched again: the schedule() that follows reports */
	if ((c->call_pending & CALL_EXP_HANDLER) && (rdp->mynode->expmask & rdp->grpmask))
		rdp->exp_no_qs = true;
	c->call_pending = 0;
}
