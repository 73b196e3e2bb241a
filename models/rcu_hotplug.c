/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RCU's part of a CPU that goes off line: who reports for it, who gets its
 * callbacks. Follows kernel/rcu/tree.c rcu_report_dead (4.1-4.18
 * rcu_cleanup_dying_idle_cpu), rcutree_migrate_callbacks (to 4.13
 * rcu_send_cbs_to_orphanage, rcu_adopt_orphan_cbs). Facts: mechanics 1.4, 3.8, 5.
 *
 * D1: from its last moment on no new grace period waits for the CPU, and what the
 *     running ones still wait for is reported, or found by their next scan.
 * D2: callbacks that were ready stay so; all others wait for a grace period that
 *     has not begun yet.
 *
 * Simplified: up to 4.0 the masks change where the kernel changes them a little
 * later (CPU_DEAD), and blocked tasks stay on their leaf instead of moving to the root.
 *
 * Test: tests/model/check_hotplug.c. docs/hotplug.md.
 */
#include "models/oracle.h"
#include "models/rcu.h"

/* rcu_report_dead() reports; before, the idle CPU is found by a scan. */
#define REPORTS_SINCE 419
/* Callbacks are handed over at once, those that are ready first. */
#define DIRECT_SINCE 414

void rcu_cpu_dead(struct cpu *c)
{
	struct machine *m = c->m;
	struct rcu_data *rdp = c->rdp;
	struct rcu_node *rnp = rdp->mynode;
	bool asked = rdp->exp_no_qs || (c->call_pending & CALL_EXP_HANDLER) != 0;

	rnp->qsmaskinitnext &= ~rdp->grpmask;
	m->rcu->online_changed = true;
	rdp->core_needs_qs = rdp->urgent_qs = rdp->exp_no_qs = false;
	ORACLE(m, oracle_cpu_dead(c));
	if (asked)
		rcu_report_exp_rnp(c, rnp, rdp->grpmask);
	if (m->cfg->kernel.profile.version >= REPORTS_SINCE && (rnp->qsmask & rdp->grpmask)) {
		ORACLE(m, oracle_eqs_credit(m, c->id));
		rcu_report_qs_rnp(c, rnp, rdp->grpmask);
	}
}

void rcu_migrate_callbacks(struct cpu *c, struct cpu *dead)
{
	struct machine *m = c->m;
	struct rcu_data *to = c->rdp;
	struct rcu_data *from = dead->rdp;
	bool direct = m->cfg->kernel.profile.version >= DIRECT_SINCE;
	int64_t ready;

	if (from->offloaded || from->cblist.len == 0)
		return;
	cpu_charge(c, m->cost->node_walk_ns);
	rcu_barrier_migrate(c, dead);
	if (direct)
		rcu_segcblist_advance(&from->cblist, to->mynode->gp_seq);
	if (direct && rcu_advance_cbs(to))
		rcu_gp_kthread_wake(c);
	ready = rcu_segcblist_merge(&to->cblist, &from->cblist, direct);
	ORACLE(m, oracle_cbs_moved(m, dead->id, c->id, ready, direct));
	from->blimit_lifted = false;
	from->qlen_last_check = 0;
	if (direct && rcu_advance_cbs(to))
		rcu_gp_kthread_wake(c);
	if (to->offloaded)
		rcu_nocb_wake(c, to, true);
}
