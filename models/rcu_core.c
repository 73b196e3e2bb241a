/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What each CPU does for normal grace periods: notice, pass, report, queue and
 * invoke callbacks. Follows kernel/rcu/tree.c: __call_rcu/call_rcu,
 * rcu_accelerate_cbs, rcu_advance_cbs, rcu_start_this_gp (before 4.19
 * rcu_start_future_gp), __note_gp_changes, rcu_pending, rcu_check_quiescent_state,
 * rcu_report_qs_rdp/_rnp/_rsp, rcu_do_batch, rcu_core (3.19: rcu_process_callbacks),
 * and tree_plugin.h for RCU_FAST_NO_HZ. Facts: mechanics 3.2-3.9.
 *
 * Simplified: what a lock protects happens at one instant, its cost is charged.
 */
#include "models/oracle.h"
#include "models/rcu.h"

static struct rcu_node *rcu_root(struct rcu_state *rs)
{
	return &rs->node[0];
}

/* --- set-up --- */

static void rcu_fqs_intervals(struct rcu_state *rs)
{
	const struct machine *m = rs->m;
	const struct kernel_config *k = &m->cfg->kernel;
	/* rcu_init_geometry(): RCU_JIFFIES_TILL_FORCE_QS + nr_cpu_ids / RCU_JIFFIES_FQS_DIV */
	int64_t d = 1 + (m->hz > 250) + (m->hz > 500) + m->nr_cpu_ids / 256;

	rs->j1 = k->jiffies_till_first_fqs >= 0 ? k->jiffies_till_first_fqs : d;
	rs->jn = k->jiffies_till_next_fqs >= 0 ? k->jiffies_till_next_fqs : d;
	if (rs->j1 > m->hz)
		rs->j1 = m->hz;
	if (rs->jn > m->hz)
		rs->jn = m->hz;
	if (rs->jn < 1)
		rs->jn = 1;
	rs->jtsq = m->hz / k->profile.jtsq_hz_div;
	if (k->profile.jtsq_from_fqs) {
		rs->jtsq += m->nr_cpu_ids / 256;
		if (rs->jtsq < rs->j1 + 2 * rs->jn)
			rs->jtsq = rs->j1 + 2 * rs->jn;
	}
	if (k->jiffies_till_sched_qs >= 0)
		rs->jtsq = k->jiffies_till_sched_qs;
	rs->stall_jiffies = rcu_stall_jiffies(m);
	rs->stall_at_ns = SIM_TIME_MAX;
}

static void rcu_init_nodes(struct rcu_state *rs)
{
	struct rcu_geometry *g = &rs->geometry;

	for (int i = 0; i < g->nodes; i++) {
		struct rcu_node *rnp = &rs->node[i];
		int grpnum = 0;
		int parent = rcu_geometry_parent(g, i, &grpnum);

		rcu_geometry_span(g, rs->m->nr_cpu_ids, i, &rnp->level, &rnp->grplo, &rnp->grphi);
		rnp->parent = parent < 0 ? NULL : &rs->node[parent];
		rnp->grpmask = UINT64_C(1) << grpnum;
		rnp->gp_seq = RCU_SEQ_INITIAL;
		rnp->gp_seq_needed = RCU_SEQ_INITIAL;
	}
	rs->leaves = g->level_nodes[g->levels - 1];
	rs->leaf = &rs->node[g->level_start[g->levels - 1]];
}

void rcu_init(struct machine *m)
{
	const struct kernel_config *k = &m->cfg->kernel;
	struct rcu_state *rs = sim_arena_alloc(m->arena, sizeof(*rs));
	int64_t leaf_fanout = k->rcu_fanout_leaf >= 0 ? k->rcu_fanout_leaf : k->profile.leaf_fanout;

	m->rcu = rs;
	rs->m = m;
	if (!rcu_geometry_init(&rs->geometry, m->nr_cpu_ids, (int)leaf_fanout,
			       (int)k->profile.fanout, k->rcu_fanout_exact))
		RS_BUG("rcu_node tree of %d CPUs exceeds %d levels", m->nr_cpu_ids, RCU_LEVELS_MAX);
	rs->node = sim_arena_array(m->arena, (size_t)rs->geometry.nodes, sizeof(*rs->node));
	rs->data = sim_arena_array(m->arena, (size_t)m->nr_cpu_ids, sizeof(*rs->data));
	rs->gp_seq = RCU_SEQ_INITIAL;
	rcu_fqs_intervals(rs);
	rcu_init_nodes(rs);
	for (int i = 0; i < m->nr_cpu_ids; i++) {
		struct rcu_data *rdp = &rs->data[i];

		rdp->state = rs;
		rdp->mynode = &rs->node[rcu_geometry_leaf(&rs->geometry, i)];
		rdp->grpmask = UINT64_C(1) << (i - rdp->mynode->grplo);
		rdp->gp_seq = RCU_SEQ_INITIAL;
		rdp->last_advance_all = -1;
		rdp->offloaded = cpu_mask_has(&m->cfg->machine.nocb, i);
		rcu_segcblist_init(&rdp->cblist);
		m->cpus[i].rdp = rdp;
	}
	rcu_nocb_init(m);
	rcu_poll_init(m);
}

void rcu_cpu_online(struct cpu *c)
{
	struct rcu_data *rdp = c->rdp;

	rdp->mynode->qsmaskinitnext |= rdp->grpmask;
	rdp->gp_seq = rdp->mynode->gp_seq;
	/* it may still owe from before it went off line: up to 4.18 */
	rdp->core_needs_qs = (rdp->mynode->qsmask & rdp->grpmask) != 0;
	rdp->cpu_no_qs = true;
	if (rdp->core_needs_qs)
		ORACLE(c->m, oracle_qs_noticed(c));
	c->m->rcu->online_changed = true;
	rcu_exp_cpu_online(c);
}

/* --- who needs which grace period --- */

/* Who acts for rdp: its own CPU, or where its offloading kthread runs. */
static struct cpu *acting_cpu(const struct rcu_data *rdp)
{
	const struct rcu_state *rs = rdp->state;

	return &rs->m->cpus[rdp->offloaded ? rcu_nocb_cpu(rdp) : (int)(rdp - rs->data)];
}

bool rcu_start_this_gp(struct rcu_data *rdp, int64_t seq)
{
	struct rcu_state *rs = rdp->state;
	struct rcu_node *root = rcu_root(rs);
	bool running = rcu_gp_in_progress(rs);

	TRACE_CALL(rs->m, trace_rcu_start_gp(acting_cpu(rdp), rdp->mynode, seq));
	if (rdp->mynode->gp_seq_needed < seq)
		rdp->mynode->gp_seq_needed = seq;
	/* Before 4.19 a need recorded in a leaf while a grace period runs stays
	 * there: rcu_start_future_gp() stops at the leaf, the kthread looks at the root. */
	if (running && rs->m->cfg->kernel.profile.version < 419 && rdp->mynode != root)
		return false;
	if (root->gp_seq_needed < seq)
		root->gp_seq_needed = seq;
	if (running || (rs->gp_flags & GP_FLAG_INIT))
		return false;
	rs->gp_flags |= GP_FLAG_INIT;
	return rs->gp_kthread != NULL;
}

bool rcu_accelerate_cbs(struct rcu_data *rdp)
{
	struct rcu_state *rs = rdp->state;
	int64_t seq;
	bool wake = false;

	if (!rcu_segcblist_pending(&rdp->cblist))
		return false;
	seq = rcu_seq_snap(rs->gp_seq);
	if (rcu_segcblist_accelerate(&rdp->cblist, seq))
		wake = rcu_start_this_gp(rdp, seq);
	TRACE_CALL(rs->m, trace_rcu_gp(acting_cpu(rdp), seq,
				       rcu_segcblist_restempty(&rdp->cblist, SEG_WAIT)
					       ? "AccWaitCB"
					       : "AccReadyCB"));
	return wake;
}

bool rcu_advance_cbs(struct rcu_data *rdp)
{
	if (!rcu_segcblist_pending(&rdp->cblist))
		return false;
	rcu_segcblist_advance(&rdp->cblist, rdp->mynode->gp_seq);
	return rcu_accelerate_cbs(rdp);
}

bool rcu_note_gp_changes(struct cpu *c)
{
	struct rcu_data *rdp = c->rdp;
	struct rcu_node *rnp = rdp->mynode;
	bool wake = false;

	if (rdp->gp_seq == rnp->gp_seq)
		return false;
	/* a grace period this CPU knew of, or one it never saw, has ended */
	if (rcu_seq_ctr(rdp->gp_seq) != rcu_seq_ctr(rnp->gp_seq)) {
		if (!rdp->offloaded)
			wake = rcu_advance_cbs(rdp);
		rdp->core_needs_qs = false;
		TRACE_CALL(c->m, trace_rcu_gp(c, rdp->gp_seq, "cpuend"));
	} else if (!rdp->offloaded) {
		wake = rcu_accelerate_cbs(rdp);
	}
	if (rcu_seq_running(rnp->gp_seq)) {
		rdp->core_needs_qs = (rnp->qsmask & rdp->grpmask) != 0;
		rdp->cpu_no_qs = rdp->core_needs_qs;
		rdp->qs_ctr_snap = rdp->qs_ctr;
		TRACE_CALL(c->m, trace_rcu_gp(c, rnp->gp_seq, "cpustart"));
		ORACLE(c->m, oracle_qs_noticed(c));
	}
	rdp->gp_seq = rnp->gp_seq;
	return wake;
}

void rcu_gp_kthread_wake(struct cpu *c)
{
	struct rcu_state *rs = c->m->rcu;

	if (!rs->gp_kthread || !rs->gp_flags)
		return;
	task_wake(c->m, rs->gp_kthread, c);
}

/* --- quiescent states --- */

void rcu_qs(struct cpu *c)
{
	struct rcu_data *rdp = c->rdp;

	ORACLE(c->m, oracle_qs(c));
	if (rdp->cpu_no_qs) {
		rdp->cpu_no_qs = false;
		if (c->curr)
			c->curr->rcu_need_qs = false;
		TRACE_CALL(c->m, trace_rcu_gp(c, rdp->gp_seq, "cpuqs"));
	}
	if (rdp->exp_no_qs) {
		rdp->exp_no_qs = false;
		rcu_report_exp_rnp(c, rdp->mynode, rdp->grpmask);
	}
}

void rcu_note_context_switch(struct cpu *c)
{
	if (c->m->preempt_rcu && c->curr)
		rcu_preempt_switch(c);
	ORACLE(c->m, oracle_context_switch(c));
	rcu_qs(c);
	if (RS_UNLIKELY(c->rdp->urgent_qs || c->rdp->sched_qs_mask))
		rcu_switch_helps(c);
}

/* rcu_report_qs_rsp(): nothing is owed any more. */
static void report_qs_root(struct cpu *c)
{
	struct machine *m = c->m;
	struct rcu_state *rs = m->rcu;

	/* up to 4.1 the wake helper does nothing without a flag */
	if (m->cfg->kernel.profile.final_wakeup)
		rs->gp_flags |= GP_FLAG_FQS;
	if (c->curr != rs->gp_kthread || c->ctx != CTX_TASK)
		rcu_gp_kthread_wake(c);
}

void rcu_report_qs_rnp(struct cpu *c, struct rcu_node *rnp, uint64_t mask)
{
	struct machine *m = c->m;

	for (;;) {
		cpu_charge(c, m->cost->node_walk_ns);
		ORACLE(m, oracle_qs_clear(m, rnp, mask, c->id));
		rnp->qsmask &= ~mask;
		TRACE_CALL(m, trace_rcu_qs_report(c, rnp, mask));
		if (rnp->qsmask || rnp->gp_tasks)
			return;
		if (!rnp->parent)
			break;
		mask = rnp->grpmask;
		rnp = rnp->parent;
	}
	report_qs_root(c);
}

void rcu_report_unblock_qs_rnp(struct cpu *c, struct rcu_node *rnp)
{
	if (rnp->qsmask || rnp->gp_tasks)
		return;
	if (rnp->parent)
		rcu_report_qs_rnp(c, rnp->parent, rnp->grpmask);
	else
		report_qs_root(c);
}

void rcu_disable_urgency(struct rcu_data *rdp)
{
	/* rcu_disable_urgency_upon_qs(), 5.4+ */
	if (rdp->state->m->cfg->kernel.profile.slow_cpu_help == HELP_URGENT)
		rdp->urgent_qs = rdp->need_heavy_qs = false;
}

/* Passed one since it noticed, or, to 4.14, called cond_resched_rcu_qs()? */
static bool has_passed_qs(const struct rcu_data *rdp)
{
	return rdp->core_needs_qs && (!rdp->cpu_no_qs || rdp->qs_ctr != rdp->qs_ctr_snap);
}

static void rcu_check_quiescent_state(struct cpu *c)
{
	struct rcu_data *rdp = c->rdp;
	bool wake = false;

	if (rcu_note_gp_changes(c))
		rcu_gp_kthread_wake(c);
	if (!has_passed_qs(rdp))
		return;
	rdp->core_needs_qs = false;
	if (!(rdp->mynode->qsmask & rdp->grpmask))
		return;
	if (!rdp->offloaded)
		wake = rcu_accelerate_cbs(rdp);
	rcu_disable_urgency(rdp);
	rcu_report_qs_rnp(c, rdp->mynode, rdp->grpmask);
	if (wake)
		rcu_gp_kthread_wake(c);
}

static bool rcu_pending(const struct cpu *c)
{
	const struct rcu_state *rs = c->m->rcu;
	const struct rcu_data *rdp = c->rdp;

	if (has_passed_qs(rdp))
		return true;
	if (!rdp->offloaded) {
		if (rcu_segcblist_ready(&rdp->cblist) && c->m->flags.fully_active)
			return true;
		if (!rcu_gp_in_progress(rs) && rcu_segcblist_unassigned(&rdp->cblist))
			return true;
	}
	return rdp->gp_seq != rdp->mynode->gp_seq;
}

void rcu_sched_clock_irq(struct cpu *c, enum cpu_ctx over)
{
	const struct machine *m = c->m;
	bool user = over == CTX_TASK && c->curr->user_mode;
	bool idle = over == CTX_IDLE;

	ORACLE(m, oracle_tick(c, over));
	if (RS_UNLIKELY(c->rdp->urgent_qs) && m->cfg->kernel.profile.slow_cpu_help == HELP_URGENT) {
		if (!user && !idle)
			c->need_resched = true;
		c->rdp->urgent_qs = false;
	}
	/* Measured: a 6.1 PREEMPT guest's idle CPUs never report at their ticks, a
	 * PREEMPT_VOLUNTARY guest's do. */
	if (m->preempt_rcu)
		rcu_preempt_tick(c, over);
	else if (user || idle)
		rcu_qs(c);
	if (RS_UNLIKELY(machine_now(m) >= m->rcu->stall_at_ns))
		rcu_check_cpu_stall(c);
	if (rcu_pending(c))
		cpu_raise_softirq(c, SOFTIRQ_RCU);
}

/* --- callbacks --- */

static struct rcu_cb *cb_alloc(struct rcu_state *rs)
{
	struct rcu_cb *cb = rs->free_cbs;

	if (cb) {
		rs->free_cbs = cb->next;
		return cb;
	}
	cb = sim_arena_alloc(rs->m->arena, sizeof(*cb));
	cb->id = ++rs->cb_count;
	return cb;
}

/* The queue grew by more than qhimark since last looked at: start or force. */
static void rcu_call_overload(struct cpu *c)
{
	struct rcu_state *rs = c->m->rcu;
	struct rcu_data *rdp = c->rdp;

	if (rdp->cblist.len <= rdp->qlen_last_check + c->m->cfg->kernel.qhimark)
		return;
	rdp->qlen_last_check = rdp->cblist.len;
	rdp->blimit_lifted = true;
	if (rcu_note_gp_changes(c))
		rcu_gp_kthread_wake(c);
	if (!rcu_gp_in_progress(rs)) {
		if (rcu_accelerate_cbs(rdp))
			rcu_gp_kthread_wake(c);
	} else {
		rs->gp_flags |= GP_FLAG_FQS;
		rcu_gp_kthread_wake(c);
	}
}

void rcu_call_as(struct cpu *c, rcu_cb_fn *fn, void *arg, const char *func)
{
	struct machine *m = c->m;
	struct rcu_data *rdp = c->rdp;
	struct rcu_cb *cb = cb_alloc(m->rcu);
	bool was_all_done = !rcu_segcblist_pending(&rdp->cblist);

	cpu_charge(c, m->cost->call_rcu_ns);
	cb->fn = fn;
	cb->arg = arg;
	cb->func = func;
	cb->entrained = false;
	ORACLE(m, oracle_cb_queued(m, c->id, cb));
	rcu_segcblist_enqueue(&rdp->cblist, cb);
	TRACE_CALL(m, trace_rcu_callback(c, rdp, cb));
	if (rdp->offloaded)
		rcu_nocb_wake(c, rdp, was_all_done);
	else
		rcu_call_overload(c);
}

bool rcu_call_entrain_as(struct cpu *c, struct cpu *of, rcu_cb_fn *fn, void *arg, const char *func)
{
	struct machine *m = c->m;
	struct rcu_data *rdp = of->rdp;
	struct rcu_cb *cb;

	if (rdp->cblist.len == 0)
		return false;
	cb = cb_alloc(m->rcu);
	cpu_charge(c, m->cost->call_rcu_ns);
	cb->fn = fn;
	cb->arg = arg;
	cb->func = func;
	cb->entrained = true;
	ORACLE(m, oracle_cb_queued(m, of->id, cb));
	rcu_segcblist_entrain(&rdp->cblist, cb);
	if (rdp->offloaded)
		rcu_nocb_wake(c, rdp, true);
	return true;
}

void rcu_invoke_cb(struct cpu *c, struct rcu_cb *cb)
{
	struct rcu_state *rs = c->m->rcu;
	rcu_cb_fn *fn = cb->fn;
	void *arg = cb->arg;

	TRACE_CALL(c->m, trace_rcu_invoke(c, cb));
	cpu_charge(c, c->m->cost->callback_ns);
	c->m->totals->callbacks_invoked++;
	cb->next = rs->free_cbs;
	rs->free_cbs = cb;
	fn(c->m, c, arg);
}

/* Invokes ready callbacks of c up to the batch limit (mechanics 3.9). */
static void rcu_do_batch(struct cpu *c)
{
	const struct kernel_config *k = &c->m->cfg->kernel;
	struct rcu_data *rdp = c->rdp;
	struct rcu_cb *cb;
	int64_t limit = k->blimit;
	int64_t count = 0;

	if (k->profile.version >= 504 && limit < rdp->cblist.len >> 7)
		limit = rdp->cblist.len >> 7;
	if (rdp->blimit_lifted)
		limit = k->profile.version >= 504 ? 10000 : INT64_MAX;
	TRACE_CALL(c->m, trace_rcu_batch_start(c, rdp, limit));
	while ((cb = rcu_segcblist_take(&rdp->cblist)) != NULL) {
		ORACLE(c->m, oracle_cb_invoked(c->m, c->id, cb));
		rcu_invoke_cb(c, cb);
		if (++count >= limit && (c->need_resched || c->curr))
			break;
	}
	if (rdp->blimit_lifted && rdp->cblist.len <= k->qlowmark)
		rdp->blimit_lifted = false;
	if (rdp->cblist.len < rdp->qlen_last_check)
		rdp->qlen_last_check = rdp->cblist.len;
	TRACE_CALL(c->m, trace_rcu_batch_end(c, rdp, count, false));
}

void rcu_core(struct cpu *c)
{
	struct rcu_data *rdp = c->rdp;

	if (c->m->preempt_rcu)
		rcu_preempt_core(c);
	rcu_check_quiescent_state(c);
	if (rdp->offloaded)
		return;
	if (!rcu_gp_in_progress(c->m->rcu) && rcu_segcblist_unassigned(&rdp->cblist) &&
	    rcu_accelerate_cbs(rdp))
		rcu_gp_kthread_wake(c);
	if (rcu_segcblist_ready(&rdp->cblist) && c->m->flags.fully_active) {
		rcu_do_batch(c);
		if (rcu_segcblist_ready(&rdp->cblist))
			cpu_raise_softirq(c, SOFTIRQ_RCU);
	}
}

/* --- idle --- */

bool rcu_tick_matters(struct cpu *c)
{
	const struct rcu_data *rdp = c->rdp;

	return rdp->core_needs_qs || rdp->gp_seq != rdp->mynode->gp_seq ||
	       (!rdp->offloaded && rdp->cblist.len > 0);
}

/* RCU_FAST_NO_HZ: once a jiffy, notices a grace period's end; true: callbacks are ready. */
static bool rcu_try_advance_all_cbs(struct cpu *c)
{
	struct rcu_data *rdp = c->rdp;

	if (rdp->last_advance_all == machine_jiffies(c->m))
		return false;
	rdp->last_advance_all = machine_jiffies(c->m);
	if (rcu_note_gp_changes(c))
		rcu_gp_kthread_wake(c);
	return rcu_segcblist_ready(&rdp->cblist);
}

static bool rcu_fast_no_hz(const struct machine *m)
{
	return m->cfg->kernel.fast_no_hz && m->cfg->kernel.profile.fast_no_hz;
}

void rcu_cleanup_after_idle(struct cpu *c)
{
	if (rcu_fast_no_hz(c->m) && !c->rdp->offloaded && c->rdp->cblist.len > 0 &&
	    rcu_try_advance_all_cbs(c))
		c->softirq_pending |= 1u << SOFTIRQ_RCU; /* runs when the interrupt ends */
}

int64_t rcu_needs_cpu(struct cpu *c)
{
	struct rcu_data *rdp = c->rdp;
	int64_t jiffies;

	if (rdp->offloaded || rdp->cblist.len == 0)
		return -1;
	if (!rcu_fast_no_hz(c->m))
		return 1;
	/* rcu_needs_cpu() with RCU_FAST_NO_HZ: sleep rcu_idle_gp_delay = 4 jiffies, rounded
	 * up to a multiple of it. Idle entry does not start a grace period: it sets
	 * last_accelerate before rcu_prepare_for_idle() looks at it. */
	if (rcu_try_advance_all_cbs(c)) {
		cpu_raise_softirq(c, SOFTIRQ_RCU);
		return 1;
	}
	jiffies = machine_jiffies(c->m);
	return (4 + jiffies + 3) / 4 * 4 - jiffies;
}
