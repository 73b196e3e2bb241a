/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Callback offloading. One group kthread serves about sqrt(n) CPUs: it gives
 * queued callbacks their grace period, starts it, waits for it on its leaf and
 * hands ready callbacks on. Follows kernel/rcu/tree_nocb.h nocb_gp_wait(),
 * nocb_cb_wait() (rcuog/rcuoc), and tree_plugin.h nocb_leader_wait(),
 * nocb_follower_wait(), rcu_nocb_wait_gp() of 3.19-4.x, where the group's
 * leader is also the callback kthread of its own CPU. Facts: mechanics 3.4, 3.9.
 *
 * Simplified: the bypass list and its timers are not modelled (they matter only
 * at high call_rcu() rates); deferred wake-ups are immediate.
 */
#include "models/oracle.h"
#include "models/rcu.h"

struct nocb_group {
	int first, last;       /* CPUs; only offloaded ones count */
	int leader;            /* first offloaded CPU */
	struct task *task;     /* rcuog, or the leader's rcuo */
	bool waits_for_gp;     /* sleeps until its grace period ends, not for call_rcu() */
	int64_t wait_seq;      /* the earliest number its CPUs' callbacks wait for */
};

static int int_sqrt(int n)
{
	int root = 0;

	while ((root + 1) * (root + 1) <= n)
		root++;
	return root;
}

void rcu_nocb_init(struct machine *m)
{
	struct rcu_state *rs = m->rcu;
	int stride;
	int groups;

	RS_REQUIRE(m->nr_cpu_ids > 0);
	stride = int_sqrt(m->nr_cpu_ids); /* rcu_nocb_gp_stride / rcu_nocb_leader_stride = -1 */
	groups = (m->nr_cpu_ids + stride - 1) / stride;
	rs->nocb_groups = sim_arena_array(m->arena, (size_t)groups, sizeof(*rs->nocb_groups));
	rs->nocb_group_count = groups;
	for (int g = 0; g < groups; g++) {
		struct nocb_group *group = &rs->nocb_groups[g];

		group->first = g * stride;
		group->last = group->first + stride - 1;
		if (group->last >= m->nr_cpu_ids)
			group->last = m->nr_cpu_ids - 1;
		group->leader = -1;
		for (int cpu = group->first; cpu <= group->last; cpu++) {
			if (!rs->data[cpu].offloaded)
				continue;
			rs->data[cpu].nocb = group;
			if (group->leader < 0)
				group->leader = cpu;
		}
	}
}

int rcu_nocb_cpu(const struct rcu_data *rdp)
{
	return rdp->nocb->task ? rdp->nocb->task->cpu : (int)(rdp - rdp->state->data);
}

/* Invokes all ready callbacks of an offloaded CPU, in the task running on c. */
static void invoke_ready(struct cpu *c, struct rcu_data *rdp)
{
	struct rcu_cb *cb;
	int64_t count = 0;

	TRACE_CALL(c->m, trace_rcu_batch_start(c, rdp, c->m->cfg->kernel.blimit));
	while ((cb = rcu_segcblist_take(&rdp->cblist)) != NULL) {
		ORACLE(c->m, oracle_cb_invoked(c->m, (int)(rdp - c->m->rcu->data), cb));
		rcu_invoke_cb(c, cb);
		count++;
	}
	TRACE_CALL(c->m, trace_rcu_batch_end(c, rdp, count, true));
}

/* rcuoc, or a follower's rcuo: invokes what its group handed on. */
static void nocb_cb_fn(struct machine *m, struct task *t)
{
	struct rcu_data *rdp = t->data;

	if (!rcu_segcblist_ready(&rdp->cblist)) {
		task_sleep(m, t);
		return;
	}
	invoke_ready(&m->cpus[t->cpu], rdp);
	task_run(m, t, 0, false);
}

/* rcuog, or a leader's rcuo. */
static void nocb_gp_fn(struct machine *m, struct task *t)
{
	struct nocb_group *group = t->data;
	struct rcu_state *rs = m->rcu;
	struct cpu *c = &m->cpus[t->cpu];
	struct rcu_data *leader = &rs->data[group->leader];
	bool wake_gp = false;
	bool waits = false;

	if (group->waits_for_gp)
		TRACE_CALL(m, trace_rcu_future_gp(c, leader->mynode, group->wait_seq, "EndWait"));
	group->waits_for_gp = false;

	for (int cpu = group->first; cpu <= group->last; cpu++) {
		struct rcu_data *rdp = &rs->data[cpu];
		int64_t seq;

		if (!rdp->offloaded)
			continue;
		wake_gp = rcu_advance_cbs(rdp) || wake_gp;
		if (rcu_segcblist_nextgp(&rdp->cblist, &seq)) {
			group->wait_seq = waits && group->wait_seq < seq ? group->wait_seq : seq;
			waits = true;
		}
		if (!rcu_segcblist_ready(&rdp->cblist))
			continue;
		if (rdp->nocb_cb_task)
			task_wake(m, rdp->nocb_cb_task, c);
		else
			t->state_idx = 1; /* its own: invoked below */
	}
	if (wake_gp)
		rcu_gp_kthread_wake(c);
	if (t->state_idx == 1) {
		t->state_idx = 0;
		invoke_ready(c, leader);
		task_run(m, t, 0, false);
		return;
	}
	/* sleeps on its leaf for the grace period, or until a call_rcu() wakes it */
	if (waits) {
		TRACE_CALL(m, trace_rcu_future_gp(c, leader->mynode, group->wait_seq, "StartWait"));
		wait_queue_add(&leader->mynode->nocb_gp_wq, t);
	}
	group->waits_for_gp = waits;
	task_sleep(m, t);
}

void rcu_spawn_nocb_kthreads(struct machine *m, struct cpu *waker)
{
	struct rcu_state *rs = m->rcu;
	const char *rcuo = m->preempt_rcu ? "rcuop/%" : "rcuos/%";

	for (int g = 0; g < rs->nocb_group_count; g++) {
		struct nocb_group *group = &rs->nocb_groups[g];

		if (group->leader < 0)
			continue;
		group->task = task_create(m, m->cfg->kernel.profile.nocb_groups ? "rcuog/%" : rcuo,
					  nocb_gp_fn, group, 0, -1, CLASS_FAIR);
		group->task->name_cpu = group->leader;
		group->task->is_rcu = true;
		task_wake(m, group->task, waker);
		for (int cpu = group->first; cpu <= group->last; cpu++) {
			struct rcu_data *rdp = &rs->data[cpu];

			if (!rdp->offloaded ||
			    (cpu == group->leader && !m->cfg->kernel.profile.nocb_groups))
				continue;
			rdp->nocb_cb_task = task_create(m, rcuo, nocb_cb_fn, rdp, 0, -1,
							CLASS_FAIR);
			rdp->nocb_cb_task->name_cpu = cpu;
			rdp->nocb_cb_task->is_rcu = true;
		}
	}
}

void rcu_nocb_wake(struct cpu *c, const struct rcu_data *rdp, bool was_all_done)
{
	struct nocb_group *group = rdp->nocb;

	if (!was_all_done || !group->task || group->waits_for_gp)
		return;
	task_wake(c->m, group->task, c);
}
