/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read-side critical sections, and regions with preemption, softirqs or
 * interrupts off.
 *
 * Without CONFIG_PREEMPT_RCU a reader is such a region: its task keeps the CPU,
 * no quiescent state can fall inside. With it a reader may be switched out: the
 * task then goes on the blkd_tasks list of its CPU's leaf and holds grace
 * periods itself, until its outermost rcu_read_unlock(). Follows
 * kernel/rcu/tree_plugin.h rcu_note_context_switch, rcu_preempt_ctxt_queue
 * (to 4.3 inside rcu_preempt_note_context_switch), rcu_read_unlock_special,
 * rcu_preempt_deferred_qs_irqrestore, rcu_flavor_sched_clock_irq (to 4.20
 * rcu_preempt_check_callbacks), rcu_initiate_boost, rcu_boost, and tree_exp.h
 * rcu_exp_handler (to 4.19 sync_rcu_exp_handler). Facts: mechanics 3.7, 4.5, 5.
 *
 * R1: newest first; gp_tasks' task and all after it hold the normal grace period,
 *     exp_tasks' and all after it the expedited one. More than need be may be held.
 * R2: a node passes its bit up only when no CPU below owes and no task is held.
 * R3: what an unlock owes is reported at once, or (4.20+) as soon as preemption,
 *     softirqs and interrupts are all enabled.
 *
 * Simplified: rcub's priority is the real-time class itself; one rcub lends to
 * one task; a task blocked on a mutex's owner does not exist.
 */
#include "models/oracle.h"
#include "models/rcu.h"

/* rcu_boost_kthread(): so many in a row, then it yields for two jiffies. */
#define BOOSTS_IN_A_ROW_MAX 10
#define BOOST_YIELD_JIFFIES 2

/* From 4.20 on regions with preemption or softirqs off are readers as well. */
static bool one_flavour(const struct machine *m)
{
	return m->cfg->kernel.profile.version >= 420;
}

/* --- blkd_tasks --- */

/* Puts t just before `at`; NULL: last. */
static void blkd_insert(struct rcu_node *rnp, struct task *t, struct task *at)
{
	struct task *prev = at ? at->blkd_prev : rnp->blkd_tail;

	t->blkd_prev = prev;
	t->blkd_next = at;
	if (prev)
		prev->blkd_next = t;
	else
		rnp->blkd_head = t;
	if (at)
		at->blkd_prev = t;
	else
		rnp->blkd_tail = t;
	t->blkd_node = rnp;
}

static void blkd_remove(struct rcu_node *rnp, struct task *t)
{
	if (t->blkd_prev)
		t->blkd_prev->blkd_next = t->blkd_next;
	else
		rnp->blkd_head = t->blkd_next;
	if (t->blkd_next)
		t->blkd_next->blkd_prev = t->blkd_prev;
	else
		rnp->blkd_tail = t->blkd_prev;
	if (rnp->gp_tasks == t)
		rnp->gp_tasks = t->blkd_next;
	if (rnp->exp_tasks == t)
		rnp->exp_tasks = t->blkd_next;
	if (rnp->boost_tasks == t)
		rnp->boost_tasks = t->blkd_next;
	t->blkd_prev = t->blkd_next = NULL;
	t->blkd_node = NULL;
}

/* To 4.3: before gp_tasks, or first. */
static void blkd_queue_old(struct rcu_node *rnp, struct task *t, bool owes_gp)
{
	struct task *at = owes_gp && rnp->gp_tasks ? rnp->gp_tasks : rnp->blkd_head;

	blkd_insert(rnp, t, at);
	if (!owes_gp)
		return;
	if (rnp->boost_tasks)
		rnp->boost_tasks = t;
	rnp->gp_tasks = t;
}

/*
 * The table of rcu_preempt_ctxt_queue(), 4.4+: in front of what it holds and
 * behind what it does not, as far as one list allows.
 */
static void blkd_queue(struct rcu_node *rnp, struct task *t, bool owes_gp, bool owes_exp)
{
	struct task *at; /* NULL: last */

	if (!owes_exp && (!owes_gp || (!rnp->gp_tasks && rnp->exp_tasks)))
		at = rnp->blkd_head;
	else if (!owes_exp && rnp->gp_tasks)
		at = rnp->gp_tasks->blkd_next;
	else if (owes_exp && rnp->exp_tasks && !(owes_gp && rnp->gp_tasks))
		at = rnp->exp_tasks->blkd_next;
	else
		at = NULL;
	blkd_insert(rnp, t, at);
	if (owes_gp && !rnp->gp_tasks)
		rnp->gp_tasks = t;
	if (owes_exp && !rnp->exp_tasks)
		rnp->exp_tasks = t;
}

/* c's task leaves it inside a reader for the first time. */
static void reader_blocks(struct cpu *c, struct task *t)
{
	struct machine *m = c->m;
	struct rcu_node *rnp = c->rdp->mynode;
	bool owes_gp = (rnp->qsmask & c->rdp->grpmask) != 0;
	bool owes_exp = (rnp->expmask & c->rdp->grpmask) != 0;

	cpu_charge(c, m->cost->node_walk_ns);
	if (m->cfg->kernel.profile.version < 404)
		blkd_queue_old(rnp, t, owes_gp);
	else
		blkd_queue(rnp, t, owes_gp, owes_exp);
	m->totals->readers_preempted++;
	ORACLE(m, oracle_blkd_tasks(c, rnp));
	/* the number of the grace period it holds, or of the next one */
	TRACE_CALL(m, trace_rcu_blocked(c, t, "rcu_preempt_task",
					owes_gp ? rnp->gp_seq : rcu_seq_snap(rnp->gp_seq)));
}

static void unboost(struct cpu *c, struct rcu_node *rnp, struct task *t)
{
	rnp->boosted = NULL;
	t->rcu_boosted = false;
	sched_set_class(c->m, t, t->own_class, c);
	task_wake(c->m, rnp->boost_kthread, c); /* it has the mutex: next, if any */
}

/* The reader that was switched out ends: it may have been the last one to hold a grace period. */
static void reader_unblocks(struct cpu *c, struct task *t)
{
	struct rcu_node *rnp = t->blkd_node;
	bool held_gp = rnp->gp_tasks != NULL;
	bool held_exp = rnp->exp_tasks != NULL;

	cpu_charge(c, c->m->cost->node_walk_ns);
	TRACE_CALL(c->m, trace_rcu_blocked(c, t, "rcu_unlock_preempted_task", rnp->gp_seq));
	blkd_remove(rnp, t);
	ORACLE(c->m, oracle_blkd_tasks(c, rnp));
	if (held_gp && !rnp->gp_tasks) {
		TRACE_CALL(c->m, trace_rcu_qs_report(c, rnp, 0));
		rcu_report_unblock_qs_rnp(c, rnp);
	}
	if (held_exp && !rnp->exp_tasks)
		rcu_report_exp_up(c, rnp);
	if (rnp->boosted == t)
		unboost(c, rnp, t);
}

/* --- sections --- */

/* rcu_read_unlock_special.s */
static bool unlock_is_special(const struct task *t)
{
	return t->rcu_need_qs || t->rcu_exp_hint || t->blkd_node;
}

/* rcu_preempt_need_deferred_qs() */
static bool owes_deferred(const struct cpu *c, const struct task *t)
{
	return t->rcu_depth == 0 && (c->rdp->exp_no_qs || unlock_is_special(t));
}

/* rcu_preempt_deferred_qs_irqrestore(): reports all that t's reader owes. */
static void report_owed(struct cpu *c, struct task *t)
{
	bool need_qs = t->rcu_need_qs;

	t->rcu_need_qs = t->rcu_exp_hint = false;
	ORACLE(c->m, oracle_unlocked(c));
	if (need_qs)
		rcu_qs(c);
	if (c->rdp->exp_no_qs) {
		c->rdp->exp_no_qs = false;
		rcu_report_exp_rnp(c, c->rdp->mynode, c->rdp->grpmask);
	}
	if (t->blkd_node)
		reader_unblocks(c, t);
}

/* The unlock stands in a region with something off: sees to it that it is made up for. */
static void defer_report(struct cpu *c, struct task *t)
{
	const struct rcu_node *rnp = t->blkd_node;
	bool urgent = (rnp && rnp->exp_tasks) || (c->rdp->mynode->expmask & c->rdp->grpmask) ||
		      (rnp && rnp->boost_kthread && t->irqs_off);

	if (urgent && !t->irqs_off) {
		cpu_raise_softirq(c, SOFTIRQ_RCU);
		return;
	}
	c->need_resched = true;
	if (urgent)
		cpu_interrupt(c, IRQ_RESCHED); /* irq_work: runs when interrupts are enabled */
}

static int *section_depth(struct task *t, enum section section)
{
	switch (section) {
	case SECTION_RCU:
		return &t->rcu_depth;
	case SECTION_PREEMPT:
		return &t->preempt_off;
	case SECTION_BH:
		return &t->bh_off;
	case SECTION_IRQS:
		return &t->irqs_off;
	case SECTION_COUNT:
		break;
	}
	RS_BUG("no such section: %d", (int)section);
}

static bool keeps_cpu(const struct task *t, enum section section)
{
	return section != SECTION_RCU || !t->machine->preempt_rcu;
}

void section_enter(struct task *t, enum section section)
{
	++*section_depth(t, section);
	t->atomic += keeps_cpu(t, section);
	ORACLE(t->machine, oracle_section(t, section, 1));
}

void section_leave(struct cpu *c, struct task *t, enum section section)
{
	--*section_depth(t, section);
	t->atomic -= keeps_cpu(t, section);
	ORACLE(c->m, oracle_section(t, section, -1));
	if (section != SECTION_RCU || !c->m->preempt_rcu || t->rcu_depth > 0 || !unlock_is_special(t))
		return;
	if (one_flavour(c->m) && t->atomic)
		defer_report(c, t);
	else
		report_owed(c, t);
}

/* --- what the CPU meets while readers run --- */

void rcu_preempt_switch(struct cpu *c)
{
	struct task *t = c->curr;

	if (t->rcu_depth > 0) {
		if (!t->blkd_node)
			reader_blocks(c, t);
	} else if (one_flavour(c->m) && owes_deferred(c, t)) {
		report_owed(c, t);
	}
}

/* Is preemption, or are softirqs, off where the interrupt came? The idle loop has the former off. */
static bool off_below(const struct task *t, enum cpu_ctx over)
{
	if (over != CTX_TASK)
		return true;
	RS_REQUIRE(t != NULL);
	return t->preempt_off || t->bh_off;
}

void rcu_preempt_tick(struct cpu *c, enum cpu_ctx over)
{
	const struct rcu_state *rs = c->m->rcu;
	struct task *t = c->curr;
	int depth = t ? t->rcu_depth : 0;
	bool off = one_flavour(c->m) && off_below(t, over);

	if (depth == 0 && !off) {
		if (one_flavour(c->m) && t && owes_deferred(c, t))
			report_owed(c, t);
		else
			rcu_qs(c);
		return;
	}
	if (depth == 0) {
		if (t && owes_deferred(c, t))
			c->need_resched = true;
		return;
	}
	/* before 4.19 without regard to the grace period's age */
	if (c->rdp->core_needs_qs && c->rdp->cpu_no_qs &&
	    (c->m->cfg->kernel.profile.version < 419 ||
	     machine_jiffies(c->m) > rs->gp_start_jiffies + c->m->hz))
		t->rcu_need_qs = true;
}

void rcu_preempt_exp_handler(struct cpu *c, enum cpu_ctx over)
{
	struct task *t = c->curr;
	struct rcu_data *rdp = c->rdp;

	if (t && t->rcu_depth > 0 && (one_flavour(c->m) || !t->blkd_node)) {
		rdp->exp_no_qs = true;
		t->rcu_exp_hint = true;
		return;
	}
	if (!one_flavour(c->m) || over == CTX_IDLE || !off_below(t, over)) {
		rcu_report_exp_rnp(c, rdp->mynode, rdp->grpmask);
		return;
	}
	rdp->exp_no_qs = true;
	c->need_resched = true;
}

void rcu_preempt_core(struct cpu *c)
{
	struct task *t = c->curr;

	if (!t || !one_flavour(c->m) || !owes_deferred(c, t))
		return;
	if (t->preempt_off)
		c->need_resched = true;
	else
		report_owed(c, t);
}

/* --- grace periods meet blocked readers --- */

void rcu_preempt_gp_init(struct machine *m, struct rcu_node *rnp)
{
	int64_t delay_jiffies = (m->cfg->kernel.rcu_boost_delay_ms * m->hz + 999) / 1000;

	rnp->gp_tasks = rnp->blkd_head;
	rnp->boost_time_jiffies = machine_jiffies(m) + delay_jiffies;
}

bool rcu_preempt_exp_init(struct rcu_node *rnp)
{
	rnp->exp_tasks = rnp->blkd_head;
	return rnp->exp_tasks != NULL;
}

/* --- boosting --- */

void rcu_initiate_boost(struct cpu *c, struct rcu_node *rnp)
{
	bool normal = rnp->gp_tasks && !rnp->boost_tasks && !rnp->qsmask &&
		      machine_jiffies(c->m) >= rnp->boost_time_jiffies;

	if (!rnp->boost_kthread || (!rnp->exp_tasks && !normal))
		return;
	if (!rnp->exp_tasks)
		rnp->boost_tasks = rnp->gp_tasks;
	task_wake(c->m, rnp->boost_kthread, c);
}

/* rcub: lends its priority to one task after the other, each until its unlock. */
static void boost_fn(struct machine *m, struct task *t)
{
	struct rcu_node *rnp = t->data;
	struct task *next = rnp->exp_tasks ? rnp->exp_tasks : rnp->boost_tasks;

	if (!next)
		rnp->boosts_in_a_row = 0;
	if (!next || rnp->boosted) {
		task_sleep(m, t);
		return;
	}
	if (++rnp->boosts_in_a_row > BOOSTS_IN_A_ROW_MAX) {
		rnp->boosts_in_a_row = 0;
		task_sleep_jiffies(m, t, BOOST_YIELD_JIFFIES);
		return;
	}
	rnp->boosted = next;
	next->rcu_boosted = true;
	next->own_class = next->class;
	m->totals->readers_boosted++;
	if (next->class > CLASS_RT)
		sched_set_class(m, next, CLASS_RT, &m->cpus[t->cpu]);
	task_sleep(m, t);
}

void rcu_spawn_boost_kthreads(struct machine *m, struct cpu *waker)
{
	struct rcu_state *rs = m->rcu;

	if (!m->cfg->kernel.rcu_boost || !m->preempt_rcu)
		return;
	for (int i = 0; i < rs->leaves; i++) {
		struct rcu_node *rnp = &rs->leaf[i];

		rnp->boost_kthread = task_create(m, "rcub/%", boost_fn, rnp, waker ? waker->id : 0, -1,
						 CLASS_RT);
		rnp->boost_kthread->name_cpu = i;
		rnp->boost_kthread->is_rcu = true;
	}
}
