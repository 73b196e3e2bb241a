/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expedited grace periods by stopper threads, 3.19-4.2: kernel/rcu/tree.c
 * synchronize_sched_expedited(), tree_plugin.h synchronize_rcu_expedited()
 * (CONFIG_PREEMPT_RCU), kernel/stop_machine.c try_stop_cpus(). Facts: mechanics 4.1.
 *
 * A ticket is taken; if CPU hotplug is under way the request becomes a normal one.
 * CPUs that are on line, not the caller's and not in an EQS are stopped, each by
 * its stopper thread: the switch to it is the quiescent state. Nobody to stop:
 * nobody is disturbed. The system-wide stop mutex is only tried; while it is busy
 * the caller spins, longer each time, and after ten tries gives up to a normal
 * grace period.
 */
#include "models/hotplug.h"
#include "models/oracle.h"
#include "models/rcu.h"

/* synchronize_sched_expedited(): trycount < 10, udelay(trycount * num_online_cpus()) */
#define STOP_TRIES_MAX 10

enum { STOP_BEGIN, STOP_LOCK_RCU, STOP_TICKET, STOP_TRY, STOP_STOPPED, STOP_WALKED };

struct stopper {
	struct task *task;
	struct rcu_wait *work; /* NULL: none */
};

struct stop_state {
	int64_t start, done;     /* tickets of the sched flavour */
	int64_t rcu_count;       /* PREEMPT: sync_rcu_preempt_exp_count */
	bool rcu_mutex_held;     /* PREEMPT: sync_rcu_preempt_exp_mutex */
	bool stop_mutex_held;
	struct stopper *stoppers;
};

void rcu_stop_init(struct machine *m)
{
	m->stop_threads = sim_arena_alloc(m->arena, sizeof(*m->stop_threads));
	m->stop_threads->stoppers =
		sim_arena_array(m->arena, (size_t)m->nr_cpu_ids, sizeof(struct stopper));
}

/* A stopper thread: runs its work, tells the last one's caller. */
static void stopper_fn(struct machine *m, struct task *t)
{
	struct cpu *c = &m->cpus[t->cpu];
	struct stopper *s = t->data;
	struct rcu_wait *w = s->work;

	if (!w) {
		task_sleep(m, t);
		return;
	}
	if (t->state_idx == 0) {
		t->state_idx = 1;
		task_run(m, t, m->cost->stopper_ns, false);
		return;
	}
	t->state_idx = 0;
	s->work = NULL;
	ORACLE(m, oracle_stop_worked(c, w));
	if (c->rq.head[CLASS_FAIR] || c->rq.head[CLASS_RT]) {
		/* a task was running here: there and back is what it lost */
		sim_time_ns lost_ns = m->cost->resched_handle_ns +
				      2 * m->cost->context_switch_ns + m->cost->stopper_ns;

		m->totals->ipi_stolen_ns += lost_ns - m->cost->resched_handle_ns;
		if (lost_ns > m->totals->interruption_max_ns)
			m->totals->interruption_max_ns = lost_ns;
	}
	if (--w->targets_left == 0)
		task_wake(m, w->task, c);
	task_run(m, t, 0, false);
}

static void queue_stop(struct machine *m, struct cpu *c, int cpu, struct rcu_wait *w)
{
	struct stopper *s = &m->stop_threads->stoppers[cpu];

	if (!s->task) {
		s->task = task_create(m, "migration/%", stopper_fn, s, cpu, cpu, CLASS_STOP);
		s->task->is_rcu = true;
	}
	s->work = w;
	w->targets_left++;
	m->totals->stopper_wakeups++;
	ORACLE(m, oracle_stop_queued(m, w, cpu));
	cpu_charge(c, m->cost->work_item_ns);
	task_wake(m, s->task, c);
}

/* try_get_online_cpus() */
static bool stop_pin(struct machine *m, struct rcu_wait *w)
{
	if (!w->pins_hotplug)
		w->pins_hotplug = hotplug_try_read_lock(m, w->task);
	return w->pins_hotplug;
}

/* put_online_cpus() */
static void stop_unpin(struct machine *m, struct rcu_wait *w)
{
	if (w->pins_hotplug)
		hotplug_read_unlock(m, &m->cpus[w->task->cpu]);
	w->pins_hotplug = false;
}

/* Gives up: the request is a normal one from here. */
static bool stop_fall_back(struct machine *m, struct task *t, struct rcu_wait *w)
{
	if (w->holds_rcu_mutex)
		m->stop_threads->rcu_mutex_held = false;
	w->holds_rcu_mutex = false;
	stop_unpin(m, w);
	m->totals->exp_fallbacks++;
	rcu_wait_begin_normal(m, t, w);
	return true;
}

/* Busy-waits before the next try; true: tried too often. */
static bool stop_spin(struct machine *m, struct task *t, struct rcu_wait *w)
{
	if (++w->tries > STOP_TRIES_MAX)
		return true;
	task_run(m, t, (sim_time_ns)w->tries * m->online * NS_PER_US, false);
	return false;
}

static int64_t cpus_to_stop(struct machine *m, struct cpu *c, struct rcu_wait *w)
{
	int64_t count = 0;

	w->mask = sim_arena_alloc(m->arena, sizeof(*w->mask));
	for (int cpu = 0; cpu < m->nr_cpu_ids; cpu++) {
		struct cpu *target = &m->cpus[cpu];

		if (!target->online || target == c)
			continue;
		cpu_charge(c, m->cost->cpu_scan_ns);
		if (cpu_in_eqs(target))
			continue;
		cpu_mask_set(w->mask, cpu);
		count++;
	}
	ORACLE(m, oracle_stop_mask(c, w));
	return count;
}

/*
 * sync_rcu_preempt_exp_init() for all nodes: every reader that ran is on a list
 * now, and the lists are waited for. No CPU owes anything.
 */
static void snapshot_blocked(struct machine *m, struct cpu *c)
{
	struct rcu_state *rs = m->rcu;

	for (int i = 0; i < rs->geometry.nodes; i++)
		rs->node[i].expmask = 0;
	for (int i = 1; i < rs->geometry.nodes; i++)
		rs->node[i].parent->expmask |= rs->node[i].grpmask;
	ORACLE(m, oracle_stop_snapshot(m));
	for (int i = 0; i < rs->leaves; i++) {
		if (rcu_preempt_exp_init(&rs->leaf[i]))
			rcu_initiate_boost(c, &rs->leaf[i]);
		else
			rcu_report_exp_up(c, &rs->leaf[i]);
	}
}

/* The sched part is over: PREEMPT walks the tree for blocked readers, then it is done. */
static bool stop_finish(struct machine *m, struct task *t, struct rcu_wait *w)
{
	struct stop_state *st = m->stop_threads;

	if (st->done < w->seq)
		st->done = w->seq;
	if (m->preempt_rcu && w->state_idx != STOP_WALKED) {
		w->state_idx = STOP_WALKED;
		snapshot_blocked(m, &m->cpus[t->cpu]);
		stop_unpin(m, w);
		task_run(m, t, m->rcu->geometry.nodes * m->cost->node_walk_ns, false);
		return false;
	}
	if (m->preempt_rcu && !rcu_exp_wait_root(m, t))
		return false;
	if (w->holds_rcu_mutex) {
		w->holds_rcu_mutex = false;
		st->rcu_mutex_held = false;
		st->rcu_count++;
	}
	stop_unpin(m, w);
	machine_record_gp(m, true, w->gp_start_ns);
	ORACLE(m, oracle_stop_end(m, w));
	w->done = true;
	return true;
}

static bool stop_done_by_others(struct machine *m, struct rcu_wait *w)
{
	struct stop_state *st = m->stop_threads;

	if (st->done < w->first_seq)
		return false;
	w->done = true;
	if (w->holds_rcu_mutex)
		st->rcu_mutex_held = false;
	stop_unpin(m, w);
	return true;
}

/* Stops the CPUs of w->mask; -EAGAIN when the stop mutex is busy. */
static bool stop_try(struct machine *m, struct task *t, struct rcu_wait *w)
{
	struct stop_state *st = m->stop_threads;
	struct cpu *c = &m->cpus[t->cpu];

	if (st->stop_mutex_held) {
		if (!m->preempt_rcu)
			stop_unpin(m, w);
		if (stop_done_by_others(m, w))
			return true;
		return stop_spin(m, t, w) ? stop_fall_back(m, t, w) : false;
	}
	st->stop_mutex_held = true;
	w->targets_left = 0;
	for (int cpu = 0; cpu < m->nr_cpu_ids; cpu++) {
		if (!cpu_mask_has(w->mask, cpu))
			continue;
		if (m->cpus[cpu].online)
			queue_stop(m, c, cpu, w);
		else /* gone since the mask was made */
			ORACLE(m, oracle_stop_gone(m, w, cpu));
	}
	w->state_idx = STOP_STOPPED;
	if (w->targets_left == 0)
		return rcu_stop_step(m, t, w);
	task_sleep(m, t);
	return false;
}

bool rcu_stop_step(struct machine *m, struct task *t, struct rcu_wait *w)
{
	struct stop_state *st = m->stop_threads;
	struct cpu *c = &m->cpus[t->cpu];

	switch (w->state_idx) {
	case STOP_BEGIN:
		w->first_seq = st->rcu_count + 1;
		w->state_idx = m->preempt_rcu ? STOP_LOCK_RCU : STOP_TICKET;
		return rcu_stop_step(m, t, w);
	case STOP_LOCK_RCU:
		if (!stop_pin(m, w))
			return stop_fall_back(m, t, w);
		if (st->rcu_count > w->first_seq) {
			w->done = true;
			stop_unpin(m, w);
			return true;
		}
		if (st->rcu_mutex_held)
			return stop_spin(m, t, w) ? stop_fall_back(m, t, w) : false;
		st->rcu_mutex_held = true;
		w->holds_rcu_mutex = true;
		w->tries = 0;
		w->state_idx = STOP_TICKET;
		return rcu_stop_step(m, t, w);
	case STOP_TICKET:
		w->seq = w->first_seq = ++st->start;
		w->gp_start_ns = machine_now(m);
		if (!stop_pin(m, w))
			return stop_fall_back(m, t, w);
		if (cpus_to_stop(m, c, w) == 0)
			return stop_finish(m, t, w);
		w->state_idx = STOP_TRY;
		return stop_try(m, t, w);
	case STOP_TRY: /* after a spin: later tickets ride along, the mask stays */
		if (stop_done_by_others(m, w))
			return true;
		if (!stop_pin(m, w))
			return stop_fall_back(m, t, w);
		w->seq = st->start;
		return stop_try(m, t, w);
	case STOP_STOPPED:
		st->stop_mutex_held = false;
		return stop_finish(m, t, w);
	default: /* STOP_WALKED */
		return stop_finish(m, t, w);
	}
}
