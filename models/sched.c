/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A small scheduler with the truth RCU needs: where a woken thread runs, when it
 * preempts, and which switches are quiescent states. Follows kernel/sched/
 * {core,fair}.c of 3.19-6.1: classes stop > rt > fair; fair tasks by vruntime with
 * sleeper credit (place_entity, GENTLE_FAIR_SLEEPERS) and wakeup_preempt_entity;
 * select_task_rq_fair: previous CPU if idle, else the waker's if idle, else the
 * next idle CPU, else the less loaded of the two.
 *
 * Simplified: all CPUs share a cache; no load balancing of running tasks, no
 * groups, no weights; kernel code of PREEMPT_VOLUNTARY reaches a reschedule point
 * at once; of PREEMPT_NONE only between two segments of a task.
 */
#include "models/machine.h"
#include "models/oracle.h"
#include "models/rcu.h"
#include "models/workqueue.h"

static void switch_event(struct sim_engine *e, void *ptr, int32_t arg);

static int ilog2(int n)
{
	int log = 0;

	while (n > 1) {
		n /= 2;
		log++;
	}
	return log;
}

void sched_init(struct machine *m)
{
	/* kernel/sched/fair.c, 3.19-6.5: sysctl_sched_latency 6 ms, _min_granularity 0.75 ms,
	 * _wakeup_granularity 1 ms, each times 1 + ilog2(min(online, 8)). */
	int cpus = (int)(m->cfg->machine.cpus_online < 8 ? m->cfg->machine.cpus_online : 8);
	int64_t factor = 1 + ilog2(cpus);

	m->sched_latency_ns = 6 * NS_PER_MS * factor;
	m->sched_min_gran_ns = 750 * NS_PER_US * factor;
	m->sched_wakeup_gran_ns = NS_PER_MS * factor;
}

struct task *task_create(struct machine *m, const char *name, task_fn *fn, void *data, int cpu,
			 int bound_cpu, enum task_class class)
{
	struct task *t = sim_arena_alloc(m->arena, sizeof(*t));

	t->machine = m;
	t->name = name;
	t->name_cpu = bound_cpu >= 0 ? bound_cpu : cpu;
	t->pid = m->next_pid++;
	t->all_next = m->all_tasks;
	m->all_tasks = t;
	t->fn = fn;
	t->data = data;
	t->cpu = bound_cpu >= 0 ? bound_cpu : cpu;
	t->bound_cpu = bound_cpu;
	t->class = class;
	t->state = TASK_SLEEPING;
	t->vruntime_ns = m->cpus[t->cpu].rq.min_vruntime_ns;
	return t;
}

/* --- run queues --- */

static void rq_add(struct cpu *c, struct task *t, bool at_head)
{
	struct task **link = &c->rq.head[t->class];

	if (t->class == CLASS_FAIR) {
		while (*link && (*link)->vruntime_ns <= t->vruntime_ns)
			link = &(*link)->next;
	} else if (!at_head) {
		while (*link)
			link = &(*link)->next;
	}
	t->next = *link;
	*link = t;
	c->rq.runnable++;
}

static struct task *rq_pick(struct cpu *c)
{
	for (int class = CLASS_STOP; class <= CLASS_FAIR; class++) {
		struct task *t = c->rq.head[class];

		if (t) {
			c->rq.head[class] = t->next;
			t->next = NULL;
			c->rq.runnable--;
			return t;
		}
	}
	return NULL;
}

static void rq_remove(struct cpu *c, struct task *t)
{
	struct task **link = &c->rq.head[t->class];

	while (*link != t)
		link = &(*link)->next;
	*link = t->next;
	t->next = NULL;
	c->rq.runnable--;
}

static void rq_update_min_vruntime(struct cpu *c)
{
	const struct task *first = c->rq.head[CLASS_FAIR];
	const struct task *curr = c->curr;
	sim_time_ns least = c->rq.min_vruntime_ns;

	if (curr && curr->class == CLASS_FAIR && curr->state == TASK_RUNNING) {
		least = curr->vruntime_ns;
		if (first && first->vruntime_ns < least)
			least = first->vruntime_ns;
	} else if (first) {
		least = first->vruntime_ns;
	}
	if (least > c->rq.min_vruntime_ns)
		c->rq.min_vruntime_ns = least;
}

void sched_account(struct cpu *c)
{
	struct task *t = c->curr;
	sim_time_ns ran_ns = machine_now(c->m) - t->ran_since_ns;

	t->ran_since_ns = machine_now(c->m);
	t->vruntime_ns += ran_ns;
	ORACLE(c->m, oracle_task_ran(t, ran_ns));
	if (t->is_rcu)
		c->m->totals->rcu_cpu_ns += ran_ns;
	rq_update_min_vruntime(c);
}

/* --- context switches --- */

void sched_switch(struct cpu *c)
{
	struct machine *m = c->m;
	struct task *prev = c->curr;
	struct task *next;

	if (RS_UNLIKELY(c->call_lost) && !prev)
		rcu_exp_flush_lost(c);
	rcu_note_context_switch(c);
	c->need_resched = false;
	if (prev && prev->state == TASK_RUNNING) {
		prev->state = TASK_RUNNABLE;
		ORACLE(m, oracle_task_state(prev));
		rq_add(c, prev, true);
	}
	next = rq_pick(c);
	if (next && next == prev) {
		if (RS_UNLIKELY(m->sensitive))
			sensitive_charge(c, c->charge_ns);
		prev->state = TASK_RUNNING;
		ORACLE(m, oracle_task_state(prev));
		ORACLE(m, oracle_task_asked(prev, c->charge_ns));
		prev->left_ns += c->charge_ns;
		c->charge_ns = 0;
		cpu_resume_base(c);
		return;
	}
	TRACE_CALL(m, trace_sched_switch(c, prev, next));
	if (RS_UNLIKELY(m->sensitive))
		sensitive_switch(c, prev, next);
	if (!prev)
		tick_idle_exit(c);
	c->switch_to = next;
	c->ctx = CTX_SWITCH;
	if (c->charge_ns > 0) {
		sim_at(m->engine, machine_now(m) + m->cost->context_switch_ns + c->charge_ns,
		       PRIO_CPU, switch_event, c, 0);
		c->charge_ns = 0;
	} else {
		sim_lane_after(m->engine, m->lane_switch, PRIO_CPU, switch_event, c, 0);
	}
}

static void switch_event(struct sim_engine *e, void *ptr, int32_t arg)
{
	struct cpu *c = ptr;
	struct task *t = c->switch_to;

	(void)arg;
	c->curr = t;
	c->switch_to = NULL;
	if (!t) {
		if (c->rq.runnable) { /* woken while switching to idle */
			sched_switch(c);
			return;
		}
		cpu_resume_base(c);
		if (c->ctx == CTX_IDLE)
			cpu_take_pending(c);
		return;
	}
	t->state = TASK_RUNNING;
	ORACLE(c->m, oracle_task_state(t));
	t->cpu = c->id;
	t->slice_start_ns = sim_now(e);
	rq_update_min_vruntime(c);
	if (c->irq_pending) {
		/* interrupts come on before the task's first instruction */
		c->ctx = CTX_TASK;
		t->ran_since_ns = sim_now(e);
		if (!t->call_fn) {
			c->task_end_ns = sim_now(e) + t->left_ns;
			cpu_take_pending(c);
			return;
		}
		c->task_end_ns = sim_now(e);
		cpu_take_pending(c);
		return;
	}
	cpu_resume_base(c);
}

/* --- what a task's fn ends in --- */

void task_run(struct machine *m, struct task *t, sim_time_ns ns, bool user)
{
	struct cpu *c = &m->cpus[t->cpu];

	t->user_mode = user;
	t->left_ns = ns + c->charge_ns;
	ORACLE(m, oracle_task_asked(t, t->left_ns));
	c->charge_ns = 0;
	if (c->need_resched && !t->atomic) {
		sched_switch(c);
		return;
	}
	c->ctx = CTX_TASK;
	t->ran_since_ns = machine_now(m);
	c->task_end_ns = machine_now(m) + t->left_ns;
	cpu_arm_task(c);
}

void task_sleep(struct machine *m, struct task *t)
{
	if (RS_UNLIKELY(t->atomic || t->rcu_depth))
		machine_stop(m, RUN_MODEL_ERROR, "task %s sleeps inside a read-side critical section or "
			     "with preemption, softirqs or interrupts off", t->name);
	if (RS_UNLIKELY(t->worker))
		workqueue_worker_sleeps(m, t);
	t->state = TASK_SLEEPING;
	t->nvcsw++;
	ORACLE(m, oracle_task_state(t));
	t->user_mode = false;
	sched_switch(&m->cpus[t->cpu]);
}

void task_sleep_jiffies(struct machine *m, struct task *t, int64_t jiffies)
{
	t->timed_out = false;
	tick_timer_add(m, t, jiffies);
	task_sleep(m, t);
}

static void hrtimer_event(struct sim_engine *e, void *ptr, int32_t cpu)
{
	struct task *t = ptr;
	struct machine *m = t->machine;
	struct cpu *c = &m->cpus[cpu];

	(void)e;
	t->hrtimer = (struct sim_handle){ 0 };
	t->timed_out = true;
	cpu_hrtimer_due(RS_LIKELY(c->ctx != CTX_OFFLINE) ? c : sched_first_active(m), t);
}

void task_sleep_ns(struct machine *m, struct task *t, sim_time_ns ns)
{
	t->timed_out = false;
	t->hrtimer = sim_at(m->engine, machine_now(m) + m->cpus[t->cpu].charge_ns + ns, PRIO_IRQ,
			    hrtimer_event, t, t->cpu);
	task_sleep(m, t);
}

/* Longer than any run. */
#define SPIN_NS (SIM_TIME_MAX / 4)

void task_spin(struct machine *m, struct task *t)
{
	task_run(m, t, SPIN_NS, false);
}

void task_spin_end(struct task *t)
{
	struct cpu *c = &t->machine->cpus[t->cpu];
	sim_time_ns now_ns = machine_now(t->machine);

	if (t->state == TASK_RUNNING && c->ctx == CTX_TASK) {
		ORACLE(c->m, oracle_task_asked(t, now_ns - c->task_end_ns));
		c->task_end_ns = now_ns;
		cpu_arm_task(c);
	} else { /* interrupted or preempted */
		ORACLE(c->m, oracle_task_asked(t, -t->left_ns));
		t->left_ns = 0;
	}
}

void task_exit(struct machine *m, struct task *t)
{
	t->state = TASK_DEAD;
	ORACLE(m, oracle_task_state(t));
	t->user_mode = false;
	sched_switch(&m->cpus[t->cpu]);
}

/* --- wake-ups --- */

static bool cpu_is_free(const struct cpu *c)
{
	return c->active && !c->curr && !c->switch_to && c->rq.runnable == 0;
}

static int cpu_load(const struct cpu *c)
{
	return c->rq.runnable + (c->curr || c->switch_to ? 1 : 0);
}

struct cpu *sched_first_active(struct machine *m)
{
	int i = 0;

	while (!m->cpus[i].active)
		i++;
	return &m->cpus[i];
}

/* A kernel thread that serves this CPU alone: stays until the CPU is off line. */
static bool keeps_to_cpu(const struct cpu *c, const struct task *t)
{
	return t->worker || t->class == CLASS_STOP || t == c->ksoftirqd;
}

static struct cpu *select_cpu(struct machine *m, struct task *t, struct cpu *waker)
{
	struct cpu *prev = &m->cpus[t->cpu];
	struct cpu *target = prev;

	if (t->bound_cpu >= 0) {
		struct cpu *bound = &m->cpus[t->bound_cpu];

		if (RS_LIKELY(bound->active || (bound->online && keeps_to_cpu(bound, t))))
			return bound;
		if (!t->worker) /* select_fallback_rq(): "no longer affine" */
			t->bound_cpu = -1;
	}
	if (RS_UNLIKELY(!prev->active))
		target = prev = waker && waker->active ? waker : sched_first_active(m);
	if (cpu_is_free(prev))
		return prev;
	if (waker && waker->active) {
		if (cpu_is_free(waker))
			return waker;
		if (cpu_load(waker) < cpu_load(prev))
			target = waker;
	}
	if (m->online > 1) {
		for (int i = 1; i <= m->nr_cpu_ids; i++) {
			struct cpu *c = &m->cpus[(target->id + i) % m->nr_cpu_ids];

			if (cpu_is_free(c))
				return c;
		}
	}
	return target;
}

/* Does t, just queued on c, take the CPU from its running task? */
static bool preempts(struct cpu *c, const struct task *t)
{
	const struct task *curr = c->switch_to ? c->switch_to : c->curr;

	if (!curr)
		return true;
	if (t->class != curr->class)
		return t->class < curr->class;
	if (t->class != CLASS_FAIR)
		return false;
	return curr->vruntime_ns - t->vruntime_ns > c->m->sched_wakeup_gran_ns;
}

void task_wake(struct machine *m, struct task *t, struct cpu *waker)
{
	struct cpu *c;
	bool by_rcu = t->is_rcu || t->awaited_by_rcu;
	bool asked_before;

	if (t->state != TASK_SLEEPING)
		return;
	tick_timer_del(m, t);
	sim_cancel(m->engine, &t->hrtimer);
	if (waker)
		cpu_charge(waker, m->cost->wakeup_ns);
	c = select_cpu(m, t, waker);
	TRACE_CALL(m, trace_sched_waking(waker ? waker : c, t, c));
	if (c->curr && c->ctx == CTX_TASK)
		sched_account(c);
	if (t->class == CLASS_FAIR) {
		sim_time_ns floor_ns = c->rq.min_vruntime_ns - m->sched_latency_ns / 2;

		if (c->id != t->cpu)
			t->vruntime_ns += c->rq.min_vruntime_ns -
					  m->cpus[t->cpu].rq.min_vruntime_ns;
		if (t->vruntime_ns < floor_ns)
			t->vruntime_ns = floor_ns;
	}
	t->cpu = c->id;
	t->state = TASK_RUNNABLE;
	ORACLE(m, oracle_task_state(t));
	t->call_fn = true;
	rq_add(c, t, false);
	asked_before = c->need_resched; /* resched_curr(): one IPI is enough */
	if (preempts(c, t))
		c->need_resched = true;
	if (c == waker)
		return;
	if (!waker)
		cpu_interrupt(c, IRQ_RESCHED);
	else if (c->need_resched && !asked_before)
		ipi_resched(waker, c, by_rcu);
}

/* A runnable task's new CPU, and what its vruntime means there. */
static void rq_move(struct task *t, struct cpu *from, struct cpu *to)
{
	if (t->class == CLASS_FAIR)
		t->vruntime_ns += to->rq.min_vruntime_ns - from->rq.min_vruntime_ns;
	t->cpu = to->id;
	if (to->curr && to->ctx == CTX_TASK)
		sched_account(to);
	rq_add(to, t, false);
	if (!preempts(to, t))
		return;
	to->need_resched = true;
	ipi_resched(from, to, false);
}

void sched_cpu_dying(struct cpu *c)
{
	struct machine *m = c->m;
	struct task *t;

	c->active = c->online = false;
	m->online--;
	c->dying = true;
	ORACLE(m, oracle_cpu_dying(c));
	while ((t = rq_pick(c)) != NULL) {
		if (t == c->ksoftirqd) { /* parked; its softirqs are lost */
			t->state = TASK_SLEEPING;
			t->state_idx = 0;
			t->left_ns = 0;
			continue;
		}
		rq_move(t, c, select_cpu(m, t, NULL));
	}
}

void sched_set_class(struct machine *m, struct task *t, enum task_class class, struct cpu *c)
{
	struct cpu *of = &m->cpus[t->cpu];

	if (t->class == class)
		return;
	if (t->state != TASK_RUNNABLE || of->switch_to == t) {
		t->class = class;
		if (of->curr == t) /* schedule() decides anew */
			of->need_resched = true;
		return;
	}
	rq_remove(of, t);
	t->class = class;
	rq_add(of, t, false);
	if (!preempts(of, t))
		return;
	of->need_resched = true;
	if (of != c)
		ipi_resched(c, of, true);
}

void sched_tick(struct cpu *c)
{
	const struct machine *m = c->m;
	const struct task *t = c->curr;
	const struct task *first = c->rq.head[CLASS_FAIR];
	sim_time_ns slice_ns;

	if (!t || t->class != CLASS_FAIR || !first)
		return;
	slice_ns = m->sched_latency_ns / (c->rq.runnable + 1);
	if (slice_ns < m->sched_min_gran_ns)
		slice_ns = m->sched_min_gran_ns;
	if (machine_now(m) - t->slice_start_ns > slice_ns ||
	    t->vruntime_ns - first->vruntime_ns > slice_ns)
		c->need_resched = true;
}
