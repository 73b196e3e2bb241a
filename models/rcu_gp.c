/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The grace-period kthread: start, wait for quiescent states with scans, clean
 * up. Follows kernel/rcu/tree.c rcu_gp_kthread, rcu_gp_init, rcu_gp_fqs_loop,
 * rcu_gp_fqs (3.19-4.4 rcu_gp_kthread/rcu_gp_fqs), force_qs_rnp,
 * dyntick_save_progress_counter, rcu_gp_cleanup; what a re-scan does for a CPU
 * that still owes is in models/rcu_slow.c. Facts: mechanics 3.5, 3.6.
 *
 * Simplified: a walk over the tree happens at one instant and its time follows;
 * 3.19's onoff_mutex is therefore never contended, and no CPU goes off line during one.
 */
#include "models/oracle.h"
#include "models/rcu.h"

/* Where the kthread's program stands. */
enum { GP_WAIT_GPS, GP_GPS_WOKEN, GP_BEFORE_FQS_WAIT, GP_FQS_WOKEN, GP_CLEANED };

/* Idle CPUs of a leaf whose tick may now have something to do. */
static void recheck_leaf_ticks(struct machine *m, const struct rcu_node *leaf)
{
	for (int cpu = leaf->grplo; cpu <= leaf->grphi; cpu++)
		tick_recheck(&m->cpus[cpu]);
}

/* Who is on line, and leaves without CPUs while tasks blocked there hold grace periods. */
static void fold_online_cpus(struct rcu_state *rs)
{
	bool held = false;

	if (!rs->online_changed)
		return;
	for (struct rcu_node *rnp = rs->node; rnp < rs->leaf; rnp++)
		rnp->qsmaskinit = 0;
	for (int i = 0; i < rs->leaves; i++) {
		struct rcu_node *rnp = &rs->leaf[i];

		rnp->qsmaskinit = rnp->qsmaskinitnext;
		if (!rnp->qsmaskinit && !rnp->blkd_head)
			continue;
		held = held || !rnp->qsmaskinit; /* wait_blkd_tasks */
		for (; rnp->parent; rnp = rnp->parent)
			rnp->parent->qsmaskinit |= rnp->grpmask;
	}
	rs->online_changed = held;
}

static void gp_init(struct rcu_state *rs, struct cpu *c)
{
	struct machine *m = rs->m;
	struct rcu_node *own = c->rdp->mynode;

	rs->gp_flags = 0;
	rs->gp_start_ns = machine_now(m);
	rs->gp_start_jiffies = machine_jiffies(m);
	rcu_stall_gp_start(rs);
	rs->gp_seq++;
	rcu_poll_gp_start(m, false);
	rs->first_scan = true;
	if (rcu_sr_gp_init(m))
		rcu_start_this_gp(c->rdp, rcu_seq_snap(rs->gp_seq));
	TRACE_CALL(m, trace_rcu_gp(c, rs->gp_seq, "start"));
	fold_online_cpus(rs);
	ORACLE(m, oracle_gp_start(m));
	for (int i = 0; i < rs->geometry.nodes; i++) {
		struct rcu_node *rnp = &rs->node[i];

		rnp->qsmask = rnp->qsmaskinit;
		rnp->gp_seq = rs->gp_seq;
		cpu_charge(c, m->cost->node_walk_ns);
		if (m->preempt_rcu && rnp >= rs->leaf) {
			rcu_preempt_gp_init(m, rnp);
			ORACLE(m, oracle_blkd_tasks(c, rnp));
		}
		if (rnp == own)
			rcu_note_gp_changes(c);
		if (rnp >= rs->leaf)
			recheck_leaf_ticks(m, rnp);
		TRACE_CALL(m, trace_rcu_gp_init(c, rnp));
	}
}

/* One CPU in a scan: why it is quiescent since the grace period began, or NULL. */
static const char *scan_cpu(struct rcu_state *rs, struct cpu *c, int cpu)
{
	struct cpu *target = &rs->m->cpus[cpu];
	struct rcu_data *rdp = target->rdp;

	cpu_charge(c, rs->m->cost->cpu_scan_ns);
	if (rs->first_scan)
		rdp->eqs_snap = target->eqs_seq;
	if (cpu_in_eqs(target) || target->eqs_seq != rdp->eqs_snap)
		return "dti";
	if (rs->first_scan)
		return NULL;
	if (rcu_counter_credit(rs, rdp))
		return "rqc";
	rcu_help_slow_cpu(rs, c, target);
	return NULL;
}

static void gp_fqs(struct rcu_state *rs, struct cpu *c)
{
	struct machine *m = rs->m;

	m->totals->fqs_scans++;
	TRACE_CALL(m, trace_rcu_gp(c, rs->gp_seq, "fqsstart"));
	rs->gp_flags &= ~(unsigned)GP_FLAG_FQS;
	for (int i = 0; i < rs->leaves; i++) {
		struct rcu_node *rnp = &rs->leaf[i];
		uint64_t credit = 0;

		cpu_charge(c, m->cost->node_walk_ns);
		if (!rnp->qsmask && rnp->gp_tasks)
			rcu_initiate_boost(c, rnp);
		for (int cpu = rnp->grplo; rnp->qsmask && cpu <= rnp->grphi; cpu++) {
			uint64_t bit = UINT64_C(1) << (cpu - rnp->grplo);
			const char *why = rnp->qsmask & bit ? scan_cpu(rs, c, cpu) : NULL;

			if (!why)
				continue;
			credit |= bit;
			rcu_disable_urgency(&rs->data[cpu]);
			TRACE_CALL(m, trace_rcu_fqs(c, cpu, why));
			ORACLE(m, oracle_eqs_credit(m, cpu));
		}
		if (credit)
			rcu_report_qs_rnp(c, rnp, credit);
	}
	TRACE_CALL(m, trace_rcu_gp(c, rs->gp_seq, "fqsend"));
	rs->first_scan = false;
}

static bool gp_is_owed(const struct rcu_node *root)
{
	return root->qsmask || root->gp_tasks;
}

static void gp_cleanup(struct rcu_state *rs, struct cpu *c)
{
	struct machine *m = rs->m;
	int64_t new_seq = (rs->gp_seq | RCU_SEQ_PHASE_MASK) + 1;
	struct task *t;
	bool needgp = false;

	ORACLE(m, oracle_gp_end(m));
	rcu_poll_gp_end(m, false);
	for (int i = 0; i < rs->geometry.nodes; i++) {
		struct rcu_node *rnp = &rs->node[i];

		rnp->gp_seq = new_seq;
		cpu_charge(c, m->cost->node_walk_ns);
		if (rnp == c->rdp->mynode)
			needgp = rcu_note_gp_changes(c) || needgp;
		TRACE_CALL(m, trace_rcu_future_gp(c, rnp, new_seq,
						  rnp->gp_seq_needed > new_seq ? "CleanupMore"
									       : "Cleanup"));
		if (rnp >= rs->leaf)
			recheck_leaf_ticks(m, rnp);
		while ((t = wait_queue_pop(&rnp->nocb_gp_wq)) != NULL)
			task_wake(m, t, c);
	}
	TRACE_CALL(m, trace_rcu_gp(c, rs->gp_seq, "end"));
	rs->gp_seq = new_seq;
	rs->stall_at_ns = SIM_TIME_MAX;
	rs->gp_flags &= GP_FLAG_INIT;
	machine_record_gp(m, false, rs->gp_start_ns);
	rcu_sr_gp_cleanup(m, c);
	rs->newreq_traced = false;
	if (!c->rdp->offloaded)
		needgp = rcu_advance_cbs(c->rdp) || needgp;
	if (needgp || rs->node[0].gp_seq_needed > new_seq) {
		rs->gp_flags |= GP_FLAG_INIT;
		if (!rs->newreq_traced)
			TRACE_CALL(m, trace_rcu_gp(c, rs->gp_seq, "newreq"));
	}
}

static void gp_kthread_fn(struct machine *m, struct task *t)
{
	struct rcu_state *rs = m->rcu;
	struct cpu *c = &m->cpus[t->cpu];
	const struct rcu_node *root = &rs->node[0];
	int64_t wait_jiffies;

	switch (t->state_idx) {
	case GP_WAIT_GPS:
	case GP_CLEANED:
		TRACE_CALL(m, trace_rcu_gp(c, rs->gp_seq, "reqwait"));
		t->state_idx = GP_GPS_WOKEN;
		/* fall through */
	case GP_GPS_WOKEN:
		if (!(rs->gp_flags & GP_FLAG_INIT)) {
			task_sleep(m, t);
			return;
		}
		gp_init(rs, c);
		t->state_idx = GP_BEFORE_FQS_WAIT;
		task_run(m, t, 0, false);
		return;
	case GP_FQS_WOKEN:
		if (gp_is_owed(root) && (t->timed_out || (rs->gp_flags & GP_FLAG_FQS))) {
			gp_fqs(rs, c);
			t->state_idx = GP_BEFORE_FQS_WAIT;
			task_run(m, t, 0, false);
			return;
		}
		if (gp_is_owed(root))
			TRACE_CALL(m, trace_rcu_gp(c, rs->gp_seq, "fqswaitsig"));
		break;
	default: /* GP_BEFORE_FQS_WAIT */
		TRACE_CALL(m, trace_rcu_gp(c, rs->gp_seq, "fqswait"));
		break;
	}
	if (!gp_is_owed(root)) {
		gp_cleanup(rs, c);
		t->state_idx = GP_CLEANED;
		task_run(m, t, 0, false);
		return;
	}
	if (rs->gp_flags & GP_FLAG_FQS) { /* set while it was awake: no sleep */
		gp_fqs(rs, c);
		t->state_idx = GP_BEFORE_FQS_WAIT;
		task_run(m, t, 0, false);
		return;
	}
	if (t->state_idx == GP_FQS_WOKEN) { /* stray wake-up: the rest of the wait */
		wait_jiffies = rs->jiffies_force_qs - machine_jiffies(m);
		if (wait_jiffies < 1)
			wait_jiffies = 1;
		TRACE_CALL(m, trace_rcu_gp(c, rs->gp_seq, "fqswait"));
	} else {
		wait_jiffies = rs->first_scan ? rs->j1 : rs->jn;
		rs->jiffies_force_qs = machine_jiffies(m) + wait_jiffies;
	}
	t->state_idx = GP_FQS_WOKEN;
	task_sleep_jiffies(m, t, wait_jiffies);
}

void rcu_spawn_gp_kthread(struct machine *m)
{
	struct rcu_state *rs = m->rcu;
	/* a booted machine starts with it: nobody runs yet who could wake it */
	struct cpu *waker = m->cpus[0].curr ? &m->cpus[0] : NULL;

	rs->gp_kthread = task_create(m, m->preempt_rcu ? "rcu_preempt" : "rcu_sched", gp_kthread_fn,
				     NULL, 0, -1, CLASS_FAIR);
	rs->gp_kthread->is_rcu = true;
	task_wake(m, rs->gp_kthread, waker);
	rcu_spawn_nocb_kthreads(m, waker);
	rcu_spawn_boost_kthreads(m, waker);
}
