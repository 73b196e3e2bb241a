/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPUs that are slow to pass a quiescent state: what the grace-period kthread
 * asks of them, and how cond_resched() and the scheduler answer. Follows
 * kernel/rcu/tree.c rcu_implicit_dynticks_qs (6.12 rcu_watching_snap_recheck),
 * rcu_momentary_dyntick_idle, rcu_note_context_switch, rcu_all_qs (since 4.20 in
 * tree_plugin.h). Facts: mechanics 3.7, 3.8. docs/slow-cpus.md.
 *
 * H1: help never passes a quiescent state for a CPU: it asks, and the CPU's own
 *     context switch, cond_resched() or tick answers.
 *
 * Simplified: a nohz_full CPU is helped as any other; no irq_work for diagnosis.
 *
 * Test: tests/model/check_slow_cpus.c.
 */
#include "models/oracle.h"
#include "models/rcu.h"

/* "Re-enable beating": jiffies_resched moves by this, 3.19-4.14. */
#define RESCHED_AGAIN_JIFFIES 5
/* To 4.9 no help for grace periods that young: rcu_implicit_dynticks_qs() returns. */
#define YOUNG_JIFFIES 2

/* resched_cpu() */
static void urge(struct cpu *from, struct cpu *target)
{
	bool asked_before = target->need_resched;

	target->need_resched = true;
	if (from == target || asked_before)
		return;
	ipi_resched(from, target, true);
}

/* rcu_sched_qs_mask, for the grace period that runs */
static void set_mask(struct rcu_data *rdp)
{
	rdp->sched_qs_mask = true;
	rdp->mask_completed = rcu_seq_ctr(rdp->mynode->gp_seq);
}

static void help_mask(struct rcu_state *rs, struct cpu *from, struct cpu *target)
{
	struct rcu_data *rdp = target->rdp;
	int64_t now = machine_jiffies(rs->m);
	int64_t age = now - rs->gp_start_jiffies;

	if (age <= YOUNG_JIFFIES || (age < rs->jtsq && now < rs->jiffies_resched))
		return;
	if (!rdp->sched_qs_mask)
		set_mask(rdp);
	else if (now < rs->jiffies_resched)
		return;
	urge(from, target);
	rs->jiffies_resched += RESCHED_AGAIN_JIFFIES;
}

static void help_resched(struct rcu_state *rs, struct cpu *from, struct cpu *target)
{
	struct rcu_data *rdp = target->rdp;
	int64_t now = machine_jiffies(rs->m);
	int64_t age = now - rs->gp_start_jiffies;

	if (age <= YOUNG_JIFFIES)
		return;
	if (age >= rs->jtsq || now >= rs->jiffies_resched) {
		if (!rdp->sched_qs_mask)
			set_mask(rdp);
		rs->jiffies_resched += RESCHED_AGAIN_JIFFIES;
	}
	if (age >= rs->jtsq)
		urge(from, target);
}

/* 4.12-4.14: at least a jiffy, at most half the stall timeout. */
static int64_t limited_jtsq(const struct rcu_state *rs)
{
	if (rs->jtsq > rs->stall_jiffies / 2)
		return rs->stall_jiffies / 2;
	return rs->jtsq < 1 ? 1 : rs->jtsq;
}

static void help_heavy(struct rcu_state *rs, struct cpu *from, struct cpu *target)
{
	struct rcu_data *rdp = target->rdp;
	int64_t now = machine_jiffies(rs->m);
	int64_t age = now - rs->gp_start_jiffies;

	rdp->urgent_qs = true;
	if (!rdp->need_heavy_qs && (age > limited_jtsq(rs) || now > rs->jiffies_resched)) {
		rdp->need_heavy_qs = true;
		rs->jiffies_resched += RESCHED_AGAIN_JIFFIES;
	}
	if (age > rs->stall_jiffies / 2)
		urge(from, target);
}

static void help_urgent(struct rcu_state *rs, struct cpu *from, struct cpu *target)
{
	struct rcu_data *rdp = target->rdp;
	int64_t now = machine_jiffies(rs->m);
	int64_t age = now - rs->gp_start_jiffies;

	if (!rdp->need_heavy_qs && (age > 2 * rs->jtsq || now > rs->jiffies_resched)) {
		rdp->need_heavy_qs = true;
		rdp->urgent_qs = true;
	} else if (age > rs->jtsq) {
		rdp->urgent_qs = true;
	}
	if (now > rs->jiffies_resched && now > rdp->last_fqs_resched + rs->jtsq) {
		urge(from, target);
		rdp->last_fqs_resched = now;
	}
}

void rcu_help_slow_cpu(struct rcu_state *rs, struct cpu *from, struct cpu *target)
{
	switch ((enum slow_cpu_help)rs->m->cfg->kernel.profile.slow_cpu_help) {
	case HELP_MASK:
		help_mask(rs, from, target);
		return;
	case HELP_RESCHED:
		help_resched(rs, from, target);
		return;
	case HELP_HEAVY:
		help_heavy(rs, from, target);
		return;
	case HELP_URGENT:
		help_urgent(rs, from, target);
		return;
	case HELP_COUNT:
		break;
	}
	RS_BUG("no such help for slow CPUs");
}

bool rcu_counter_credit(const struct rcu_state *rs, const struct rcu_data *rdp)
{
	return rs->m->cfg->kernel.profile.cond_resched_qs == COND_RESCHED_SCAN &&
	       rdp->qs_ctr != rdp->qs_ctr_snap && rdp->gp_seq == rdp->mynode->gp_seq &&
	       machine_jiffies(rs->m) - rs->gp_start_jiffies > limited_jtsq(rs);
}

/* rcu_momentary_dyntick_idle(): the next scan sees a counter that has moved. */
static void momentary_eqs(struct cpu *c)
{
	struct rcu_data *rdp = c->rdp;
	bool stale = rdp->sched_qs_mask &&
		     rdp->mask_completed != rcu_seq_ctr(rdp->mynode->gp_seq);

	rdp->sched_qs_mask = false;
	rdp->need_heavy_qs = false;
	if (stale)
		return; /* asked for by an earlier grace period */
	c->eqs_seq += 2;
	ORACLE(c->m, oracle_quiescent(c));
}

void rcu_switch_helps(struct cpu *c)
{
	struct rcu_data *rdp = c->rdp;

	if (rdp->sched_qs_mask)
		momentary_eqs(c);
	/* rcu_note_context_switch() of PREEMPT_RCU does not look since 4.20 */
	if (!rdp->urgent_qs ||
	    (c->m->preempt_rcu && c->m->cfg->kernel.profile.slow_cpu_help == HELP_URGENT))
		return;
	rdp->urgent_qs = false;
	if (rdp->need_heavy_qs)
		momentary_eqs(c);
}

void rcu_cond_resched(struct cpu *c, bool rcu_qs_variant)
{
	struct rcu_data *rdp = c->rdp;
	enum cond_resched_qs qs = (enum cond_resched_qs)c->m->cfg->kernel.profile.cond_resched_qs;

	if (c->m->preempt_rcu || qs == COND_RESCHED_NONE)
		return;
	if (qs != COND_RESCHED_URGENT && !rcu_qs_variant)
		return;
	if (qs != COND_RESCHED_COUNTER && !rdp->urgent_qs)
		return;
	ORACLE(c->m, oracle_cond_resched(c));
	rdp->urgent_qs = false;
	if (rdp->sched_qs_mask || rdp->need_heavy_qs)
		momentary_eqs(c);
	if (qs == COND_RESCHED_URGENT || rdp->exp_no_qs)
		rcu_qs(c);
	if (qs != COND_RESCHED_URGENT)
		rdp->qs_ctr++;
}
