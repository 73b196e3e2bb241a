/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tasks RCU: waits until every task that was runnable has left the CPU by its
 * own will or gone to user mode. Follows kernel/rcu/tasks.h
 * rcu_tasks_kthread, rcu_tasks_wait_gp, check_all_holdout_tasks (5.10-6.12; before in
 * kernel/rcu/update.c, 3.19-4.20): a synchronize_rcu(), a list of the runnable
 * tasks, polls that start at HZ/10 while one is left, a synchronize_rcu() again,
 * and a sleep of HZ/10 before the next round. Tasks Rude (5.7+): a work item on
 * every on-line CPU, idle ones included. Facts: mechanics 3.14.
 *
 * The expedite controls reach only the two synchronize_rcu() inside. A kernel
 * without preemption has no Tasks RCU: include/linux/rcupdate.h (5.10-6.12) defines
 * synchronize_rcu_tasks() as synchronize_rcu() there, and so does workload.c.
 *
 * Simplified: the wait for exiting tasks (an SRCU grace period) is left out.
 */
#include "models/oracle.h"
#include "models/rcu.h"

enum { TASKS_IDLE, TASKS_PRE, TASKS_POLL, TASKS_POST, TASKS_REST, TASKS_RESTED };

struct rude_work {
	struct task *task;
	bool pending;
};

struct tasks_state {
	struct task *kthread;
	struct wait_queue waiting;  /* of the running grace period */
	struct wait_queue next;
	struct rcu_wait wait;       /* the synchronize_rcu() under way */
	int64_t poll_jiffies;
	/* rude */
	struct rude_work *rude;
	int rude_left;
	struct wait_queue rude_waiting, rude_next;
};

void rcu_tasks_init(struct machine *m)
{
	m->tasks_rcu = sim_arena_alloc(m->arena, sizeof(*m->tasks_rcu));
}

static bool is_runnable(const struct task *t)
{
	return t->state == TASK_RUNNABLE || t->state == TASK_RUNNING;
}

/* Lists the runnable tasks but the kthread; how many. */
static int64_t list_holdouts(struct machine *m, struct cpu *c)
{
	int64_t count = 0;

	for (struct task *t = m->all_tasks; t; t = t->all_next) {
		cpu_charge(c, m->cost->cpu_scan_ns);
		t->is_holdout = is_runnable(t) && t != m->tasks_rcu->kthread;
		t->holdout_nvcsw = t->nvcsw;
		count += t->is_holdout;
	}
	return count;
}

/* check_all_holdout_tasks(): how many are left. */
static int64_t check_holdouts(struct machine *m, struct cpu *c)
{
	int64_t count = 0;

	for (struct task *t = m->all_tasks; t; t = t->all_next) {
		if (!t->is_holdout)
			continue;
		cpu_charge(c, m->cost->cpu_scan_ns);
		/* user mode on a nohz_full CPU would count too; not modelled */
		t->is_holdout = is_runnable(t) && t->nvcsw == t->holdout_nvcsw;
		if (t->is_holdout && t->state == TASK_RUNNING)
			m->cpus[t->cpu].need_resched = true; /* rcu_request_urgent_qs_task() */
		count += t->is_holdout;
	}
	return count;
}

static void poll_again(struct machine *m, struct task *t)
{
	struct tasks_state *s = m->tasks_rcu;

	t->state_idx = TASKS_POLL;
	task_sleep_jiffies(m, t, s->poll_jiffies);
	if (s->poll_jiffies < m->hz)
		s->poll_jiffies++;
}

/* One synchronize_rcu() of the kthread. True: over. */
static bool tasks_sync(struct machine *m, struct task *t, int state_idx)
{
	if (t->state_idx != state_idx) {
		t->state_idx = state_idx;
		rcu_wait_begin(m, t, &m->tasks_rcu->wait, false);
	}
	return rcu_wait_step(m, t, &m->tasks_rcu->wait);
}

static void tasks_wake_all(struct machine *m, struct cpu *c)
{
	struct task *t;

	while ((t = wait_queue_pop(&m->tasks_rcu->waiting)) != NULL) {
		cpu_charge(c, m->cost->callback_ns);
		t->neighbour_done = true;
		task_wake(m, t, c);
	}
}

/* The grace period after the last holdout, then the callers. */
static void tasks_finish(struct machine *m, struct task *t)
{
	if (!tasks_sync(m, t, TASKS_POST))
		return;
	tasks_wake_all(m, &m->cpus[t->cpu]);
	t->state_idx = TASKS_REST;
	task_run(m, t, 0, false);
}

static void tasks_kthread_fn(struct machine *m, struct task *t)
{
	struct tasks_state *s = m->tasks_rcu;
	struct cpu *c = &m->cpus[t->cpu];

	switch (t->state_idx) {
	case TASKS_IDLE:
	case TASKS_RESTED:
		t->state_idx = TASKS_IDLE;
		if (!s->next.head) {
			task_sleep(m, t);
			return;
		}
		s->waiting = s->next;
		s->next = (struct wait_queue){ NULL, NULL };
		/* fall through */
	case TASKS_PRE:
		if (!tasks_sync(m, t, TASKS_PRE))
			return;
		s->poll_jiffies = m->hz / 10;
		if (list_holdouts(m, c) > 0)
			poll_again(m, t);
		else
			tasks_finish(m, t);
		return;
	case TASKS_POLL:
		if (check_holdouts(m, c) > 0)
			poll_again(m, t);
		else
			tasks_finish(m, t);
		return;
	case TASKS_POST:
		tasks_finish(m, t);
		return;
	default: /* TASKS_REST */
		t->state_idx = TASKS_RESTED;
		task_sleep_jiffies(m, t, m->hz / 10);
		return;
	}
}

void rcu_tasks_wait_begin(struct machine *m, struct task *t, struct rcu_wait *w)
{
	struct tasks_state *s = m->tasks_rcu;
	struct cpu *c = &m->cpus[t->cpu];

	rcu_wait_init(m, t, w, WAIT_TASKS);
	ORACLE(m, oracle_wait_begin(m, w, false));
	t->neighbour_done = false;
	cpu_charge(c, m->cost->sync_ns + m->cost->call_rcu_ns);
	wait_queue_add(&s->next, t);
	if (!s->kthread) {
		s->kthread = task_create(m, "rcu_tasks_kthre", tasks_kthread_fn, NULL, c->id, -1,
					 CLASS_FAIR);
		s->kthread->is_rcu = true;
	}
	if (s->kthread->state_idx == TASKS_IDLE)
		task_wake(m, s->kthread, c);
}

/* --- rude --- */

static void rude_queue_all(struct machine *m, struct cpu *c);

static void rude_fn(struct machine *m, struct task *t)
{
	struct tasks_state *s = m->tasks_rcu;
	struct rude_work *work = t->data;
	struct cpu *c = &m->cpus[t->cpu];
	struct task *waiter;

	if (!work->pending) {
		task_sleep(m, t);
		return;
	}
	work->pending = false;
	if (--s->rude_left == 0) {
		while ((waiter = wait_queue_pop(&s->rude_waiting)) != NULL) {
			waiter->neighbour_done = true;
			task_wake(m, waiter, c);
		}
		if (s->rude_next.head) {
			s->rude_waiting = s->rude_next;
			s->rude_next = (struct wait_queue){ NULL, NULL };
			rude_queue_all(m, c);
		}
	}
	task_run(m, t, m->cost->work_item_ns, false);
}

/* schedule_on_each_cpu(rcu_tasks_be_rude) */
static void rude_queue_all(struct machine *m, struct cpu *c)
{
	struct tasks_state *s = m->tasks_rcu;

	if (!s->rude)
		s->rude = sim_arena_array(m->arena, (size_t)m->nr_cpu_ids, sizeof(*s->rude));
	for (int i = 0; i < m->nr_cpu_ids; i++) {
		struct rude_work *work = &s->rude[i];

		if (!m->cpus[i].online)
			continue;
		if (!work->task) {
			work->task = task_create(m, "kworker", rude_fn, work, i, i, CLASS_FAIR);
			work->task->is_rcu = true;
		}
		work->pending = true;
		s->rude_left++;
		cpu_charge(c, m->cost->work_item_ns);
		task_wake(m, work->task, c);
	}
}

void rcu_tasks_rude_wait_begin(struct machine *m, struct task *t, struct rcu_wait *w)
{
	struct tasks_state *s = m->tasks_rcu;
	struct cpu *c = &m->cpus[t->cpu];

	rcu_wait_init(m, t, w, WAIT_TASKS);
	ORACLE(m, oracle_wait_begin(m, w, false));
	t->neighbour_done = false;
	cpu_charge(c, m->cost->sync_ns);
	if (s->rude_left > 0) {
		wait_queue_add(&s->rude_next, t);
		return;
	}
	wait_queue_add(&s->rude_waiting, t);
	rude_queue_all(m, c);
}
