/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a CPU executes, layer by layer: base (idle loop or task), softirq, hard
 * interrupt. Follows the order of kernel/softirq.c irq_exit() and
 * __do_softirq(), the same in 3.19-6.18: pending softirqs run on interrupt
 * exit, TIMER before RCU; a softirq raised again while a reschedule is due, or
 * for the tenth time, goes to ksoftirqd; a due reschedule follows last.
 *
 * Simplified: hard interrupts do not nest (as since 2.6.35), a context switch
 * and a handler run with interrupts off, NMIs do not exist.
 */
#include "models/machine.h"
#include "models/hotplug.h"
#include "models/oracle.h"
#include "models/rcu.h"

/* __do_softirq(): MAX_SOFTIRQ_RESTART, kernel/softirq.c, 3.19-6.18. */
#define SOFTIRQ_RESTARTS_MAX 10

enum { IRQ_PHASE_EFFECT, IRQ_PHASE_EXIT };
enum { SOFTIRQ_PHASE_EFFECT, SOFTIRQ_PHASE_NEXT };

static void irq_event(struct sim_engine *e, void *ptr, int32_t phase);
static void softirq_event(struct sim_engine *e, void *ptr, int32_t phase);
static void softirq_begin(struct cpu *c);

void wait_queue_add(struct wait_queue *q, struct task *t)
{
	t->wait_next = NULL;
	if (q->tail)
		q->tail->wait_next = t;
	else
		q->head = t;
	q->tail = t;
}

struct task *wait_queue_pop(struct wait_queue *q)
{
	struct task *t = q->head;

	if (t) {
		q->head = t->wait_next;
		if (!q->head)
			q->tail = NULL;
		t->wait_next = NULL;
	}
	return t;
}

/* RCU enters or leaves an extended quiescent state on c. */
static void eqs_flip(struct cpu *c)
{
	c->eqs_seq++;
	ORACLE(c->m, oracle_quiescent(c));
}

static sim_time_ns irq_cost_ns(const struct cpu *c, enum irq_kind kind)
{
	const struct platform_costs *cost = c->m->cost;

	switch (kind) {
	case IRQ_TICK:
	case IRQ_HRTIMER:
		return cost->tick_ns;
	case IRQ_RESCHED:
		return cost->resched_handle_ns;
	case IRQ_CALL:
		return cost->ipi_handle_ns;
	case IRQ_KIND_COUNT:
		break;
	}
	return 0;
}

static bool irq_is_rcu(const struct cpu *c, enum irq_kind kind)
{
	return (kind == IRQ_CALL && (c->call_pending & CALL_EXP_HANDLER)) ||
	       (kind == IRQ_RESCHED && c->resched_by_rcu);
}

/* RCU's own work of ns interrupts what c runs. */
static void rcu_interrupts(struct cpu *c, sim_time_ns ns, bool by_ipi)
{
	struct run_totals *totals = c->m->totals;

	totals->rcu_cpu_ns += ns;
	if (!c->curr)
		return;
	c->stolen_ns += ns;
	if (RS_UNLIKELY(c->m->sensitive))
		sensitive_add(c, by_ipi ? c->irq_cause : INTERRUPTION_SOFTIRQ, ns);
	if (by_ipi)
		totals->ipi_stolen_ns += ns;
}

/* Enters the handler of kind over the layer in c->irq_over. */
static void irq_enter(struct cpu *c, enum irq_kind kind, sim_time_ns extra_ns)
{
	struct machine *m = c->m;
	sim_time_ns cost_ns = irq_cost_ns(c, kind) + extra_ns;

	c->ctx = CTX_HARDIRQ;
	c->over_is_done = false;
	c->irq = kind;
	TRACE_CALL(m, trace_irq(c, (int)kind, true));
	c->irq_by_rcu = irq_is_rcu(c, kind);
	if (c->irq_by_rcu) {
		c->irq_cause = kind == IRQ_CALL ? INTERRUPTION_EXP_IPI : INTERRUPTION_RESCHED_IPI;
		rcu_interrupts(c, cost_ns, true);
		if (!c->curr)
			m->totals->idle_wakeups++;
	} else if (kind == IRQ_CALL && RS_UNLIKELY(m->sensitive)) {
		sensitive_add(c, INTERRUPTION_BARRIER_IPI, cost_ns);
	}
	if (kind == IRQ_TICK && extra_ns == 0)
		sim_lane_after(m->engine, m->lane_tick_cost, PRIO_CPU, irq_event, c,
			       IRQ_PHASE_EFFECT);
	else
		sim_at(m->engine, machine_now(m) + cost_ns, PRIO_CPU, irq_event, c,
		       IRQ_PHASE_EFFECT);
}

void cpu_interrupt(struct cpu *c, enum irq_kind kind)
{
	struct machine *m = c->m;
	sim_time_ns extra_ns = 0;

	if (c->ctx == CTX_OFFLINE)
		return;
	if (c->ctx == CTX_HARDIRQ || c->ctx == CTX_SWITCH) {
		c->irq_pending |= 1u << kind;
		return;
	}
	if (c->ctx == CTX_TASK && RS_UNLIKELY(c->curr->irqs_off)) {
		c->irq_pending |= 1u << kind;
		return;
	}
	c->irq_over = c->ctx;
	switch (c->ctx) {
	case CTX_IDLE:
		eqs_flip(c);
		extra_ns = m->cost->idle_exit_ns;
		rcu_cleanup_after_idle(c);
		break;
	case CTX_TASK:
		sched_account(c);
		c->curr->left_ns = c->task_end_ns - machine_now(m);
		if (c->curr->user_mode)
			ORACLE(m, oracle_quiescent(c));
		break;
	case CTX_SOFTIRQ:
		c->softirq_left_ns = c->softirq_end_ns - machine_now(m);
		sim_cancel(m->engine, &c->softirq_event);
		break;
	case CTX_OFFLINE:
	case CTX_SWITCH:
	case CTX_HARDIRQ:
		break;
	}
	irq_enter(c, kind, extra_ns);
}

bool cpu_take_pending(struct cpu *c)
{
	for (int kind = 0; kind < IRQ_KIND_COUNT; kind++) {
		if (c->irq_pending & (1u << kind)) {
			c->irq_pending &= ~(1u << kind);
			cpu_interrupt(c, (enum irq_kind)kind);
			return true;
		}
	}
	return false;
}

void cpu_hrtimer_due(struct cpu *c, struct task *t)
{
	wait_queue_add(&c->hrtimer_due, t);
	cpu_interrupt(c, IRQ_HRTIMER);
}

/* The idle loop of a CPU off line: arch_cpu_idle_dead(). */
static void cpu_die(struct cpu *c)
{
	c->ctx = CTX_OFFLINE;
	c->dying = c->need_resched = false;
	tick_stop(c);
	/* what others asked for by IPI is done: smpcfd_dying_cpu() */
	if (c->call_pending & CALL_BARRIER)
		rcu_barrier_handler(c);
	rcu_cpu_dead(c);
	c->call_pending = c->irq_pending = c->softirq_pending = c->softirq_run = 0;
	c->resched_by_rcu = false;
	if (c->call_lost)
		c->ipi_in_flight &= ~(1u << IRQ_CALL);
	c->call_lost = false;
	hotplug_cpu_dead(c);
	c->charge_ns = 0;
	c->stolen_ns = 0;
}

/* The idle loop: EQS, then the tick; a task woken on the way in runs at once. */
static void cpu_go_idle(struct cpu *c)
{
	eqs_flip(c);
	c->ctx = CTX_IDLE;
	if (RS_UNLIKELY(c->dying)) {
		cpu_die(c);
		return;
	}
	tick_idle_enter(c);
	if (c->rq.runnable) {
		eqs_flip(c);
		sched_switch(c);
	}
}

/* Everything over the base is done: end the interruption, reschedule or go on. */
static void base_return(struct cpu *c)
{
	struct machine *m = c->m;
	struct task *t = c->curr;

	c->over_is_done = true;
	if (c->stolen_ns > m->totals->interruption_max_ns && t && !t->is_rcu)
		m->totals->interruption_max_ns = c->stolen_ns;
	c->stolen_ns = 0;
	if (!t) {
		if (c->rq.runnable) {
			sched_switch(c);
			return;
		}
		if (c->need_resched) { /* schedule() finds nothing else to run */
			c->need_resched = false;
			rcu_note_context_switch(c);
		}
		cpu_go_idle(c);
		return;
	}
	if (c->need_resched && (t->user_mode || m->preemptible) && !t->atomic) {
		sched_switch(c);
		return;
	}
	cpu_resume_base(c);
}

static void irq_exit(struct cpu *c)
{
	struct machine *m = c->m;

	TRACE_CALL(m, trace_irq(c, (int)c->irq, false));
	for (int kind = 0; kind < IRQ_KIND_COUNT; kind++) {
		if (c->irq_pending & (1u << kind)) {
			c->irq_pending &= ~(1u << kind);
			irq_enter(c, (enum irq_kind)kind, 0);
			return;
		}
	}
	if (c->irq_over == CTX_SOFTIRQ) {
		c->ctx = CTX_SOFTIRQ;
		c->softirq_end_ns = machine_now(m) + c->softirq_left_ns;
		c->softirq_event = sim_at(m->engine, c->softirq_end_ns, PRIO_CPU, softirq_event, c,
					  c->softirq_phase);
		return;
	}
	if (c->softirq_pending && !(c->ksoftirqd && c->curr == c->ksoftirqd) &&
	    !(c->curr && c->curr->bh_off))
		softirq_begin(c);
	else
		base_return(c);
}

static void irq_effect(struct cpu *c)
{
	struct machine *m = c->m;
	struct task *t;

	switch (c->irq) {
	case IRQ_TICK:
		tick_handle(c, c->irq_over);
		break;
	case IRQ_HRTIMER:
		while ((t = wait_queue_pop(&c->hrtimer_due)) != NULL)
			task_wake(m, t, c);
		break;
	case IRQ_RESCHED:
		c->resched_by_rcu = false;
		break;
	case IRQ_CALL:
		if (c->call_pending & CALL_BARRIER) {
			c->call_pending &= ~(unsigned)CALL_BARRIER;
			rcu_barrier_handler(c);
		}
		if (c->call_pending & CALL_EXP_HANDLER) {
			c->call_pending &= ~(unsigned)CALL_EXP_HANDLER;
			rcu_exp_handler(c, c->irq_over);
		}
		break;
	case IRQ_KIND_COUNT:
		break;
	}
}

static void irq_event(struct sim_engine *e, void *ptr, int32_t phase)
{
	struct cpu *c = ptr;
	sim_time_ns owed_ns, charge_ns;

	if (phase == IRQ_PHASE_EFFECT) {
		owed_ns = c->charge_ns;
		irq_effect(c);
		charge_ns = c->charge_ns;
		if (c->irq_by_rcu)
			rcu_interrupts(c, charge_ns - owed_ns, true);
		else if (c->irq == IRQ_CALL && RS_UNLIKELY(c->m->sensitive))
			sensitive_add(c, INTERRUPTION_BARRIER_IPI, charge_ns - owed_ns);
		if (charge_ns > 0) {
			c->charge_ns = 0;
			sim_at(e, sim_now(e) + charge_ns, PRIO_CPU, irq_event, c, IRQ_PHASE_EXIT);
			return;
		}
	}
	irq_exit(c);
}

/* --- softirqs --- */

static struct task *ksoftirqd_of(struct cpu *c);

/* Starts the next softirq of the pass, or ends the pass. */
static void softirq_next(struct cpu *c)
{
	struct machine *m = c->m;
	sim_time_ns cost_ns;

	if (!c->softirq_run) {
		if (!c->softirq_pending) {
			base_return(c);
			return;
		}
		if (c->need_resched || c->rq.runnable > 0 ||
		    ++c->softirq_restarts >= SOFTIRQ_RESTARTS_MAX) {
			task_wake(m, ksoftirqd_of(c), c);
			base_return(c);
			return;
		}
		c->softirq_run = c->softirq_pending;
		c->softirq_pending = 0;
	}
	if (c->softirq_run & (1u << SOFTIRQ_TIMER)) {
		c->softirq = SOFTIRQ_TIMER;
		cost_ns = m->cost->timer_softirq_ns;
	} else {
		c->softirq = SOFTIRQ_RCU;
		cost_ns = m->cost->rcu_softirq_ns;
		rcu_interrupts(c, cost_ns, false);
	}
	c->softirq_run &= ~(1u << c->softirq);
	c->ctx = CTX_SOFTIRQ;
	c->over_is_done = false;
	c->softirq_phase = SOFTIRQ_PHASE_EFFECT;
	TRACE_CALL(m, trace_softirq(c, (int)c->softirq, true));
	c->softirq_end_ns = machine_now(m) + cost_ns;
	c->softirq_event = sim_at(m->engine, c->softirq_end_ns, PRIO_CPU, softirq_event, c,
				  SOFTIRQ_PHASE_EFFECT);
}

static void softirq_begin(struct cpu *c)
{
	c->softirq_restarts = 0;
	c->softirq_run = c->softirq_pending;
	c->softirq_pending = 0;
	softirq_next(c);
}

static void softirq_event(struct sim_engine *e, void *ptr, int32_t phase)
{
	struct cpu *c = ptr;
	sim_time_ns charge_ns;

	c->softirq_event = (struct sim_handle){ 0 };
	if (phase == SOFTIRQ_PHASE_EFFECT) {
		if (c->softirq == SOFTIRQ_TIMER) {
			tick_run_timers(c);
		} else {
			rcu_core(c);
			rcu_interrupts(c, c->charge_ns, false);
		}
		charge_ns = c->charge_ns;
		if (charge_ns > 0) {
			c->charge_ns = 0;
			c->softirq_phase = SOFTIRQ_PHASE_NEXT;
			c->softirq_end_ns = sim_now(e) + charge_ns;
			c->softirq_event = sim_at(e, c->softirq_end_ns, PRIO_CPU, softirq_event, c,
						  SOFTIRQ_PHASE_NEXT);
			return;
		}
	}
	TRACE_CALL(c->m, trace_softirq(c, (int)c->softirq, false));
	softirq_next(c);
}

/* ksoftirqd: one softirq after the other in task context, until none is pending. */
static void ksoftirqd_fn(struct machine *m, struct task *t)
{
	struct cpu *c = &m->cpus[t->cpu];

	if (t->state_idx) {
		if (t->state_idx == 1 + SOFTIRQ_TIMER)
			tick_run_timers(c);
		else
			rcu_core(c);
		t->state_idx = 0;
	}
	if (!c->softirq_pending) {
		task_sleep(m, t);
		return;
	}
	if (c->softirq_pending & (1u << SOFTIRQ_TIMER)) {
		t->state_idx = 1 + SOFTIRQ_TIMER;
		c->softirq_pending &= ~(1u << SOFTIRQ_TIMER);
		task_run(m, t, m->cost->timer_softirq_ns, false);
	} else {
		t->state_idx = 1 + SOFTIRQ_RCU;
		c->softirq_pending &= ~(1u << SOFTIRQ_RCU);
		task_run(m, t, m->cost->rcu_softirq_ns, false);
	}
}

static struct task *ksoftirqd_of(struct cpu *c)
{
	if (!c->ksoftirqd)
		c->ksoftirqd = task_create(c->m, "ksoftirqd/%", ksoftirqd_fn, NULL, c->id, c->id,
					   CLASS_FAIR);
	return c->ksoftirqd;
}

void cpu_raise_softirq(struct cpu *c, enum softirq nr)
{
	c->softirq_pending |= 1u << nr;
	if (RS_UNLIKELY(c->dying))
		return; /* ksoftirqd is parked */
	if (c->ctx == CTX_TASK && c->curr->bh_off)
		return; /* runs when they are enabled */
	if (c->ctx == CTX_TASK || c->ctx == CTX_IDLE || c->ctx == CTX_SWITCH)
		task_wake(c->m, ksoftirqd_of(c), c);
}

/* --- base --- */

static void task_event(struct sim_engine *e, void *ptr, int32_t arg)
{
	struct cpu *c = ptr;
	struct task *t = c->curr;

	(void)arg;
	c->task_event = (struct sim_handle){ 0 };
	if (c->ctx != CTX_TASK)
		return; /* interrupted: the base is armed again when it goes on */
	if (sim_now(e) < c->task_end_ns) {
		cpu_arm_task(c);
		return;
	}
	sched_account(c);
	if (t->user_mode)
		ORACLE(c->m, oracle_quiescent(c));
	t->left_ns = 0;
	t->fn(c->m, t);
}

void cpu_arm_task(struct cpu *c)
{
	struct sim_engine *e = c->m->engine;

	if (c->task_event.slot) {
		if (c->task_event_at_ns <= c->task_end_ns)
			return; /* fires early and re-arms */
		sim_cancel(e, &c->task_event);
	}
	c->task_event = sim_at(e, c->task_end_ns, PRIO_CPU, task_event, c, 0);
	c->task_event_at_ns = c->task_end_ns;
}

void cpu_resume_base(struct cpu *c)
{
	struct machine *m = c->m;
	struct task *t = c->curr;

	if (!t) {
		cpu_go_idle(c);
		return;
	}
	if (RS_UNLIKELY(t->latency_sensitive))
		sensitive_resumes(c);
	c->ctx = CTX_TASK;
	t->ran_since_ns = machine_now(m);
	if (t->call_fn) {
		t->call_fn = false;
		if (t->left_ns == 0) { /* else a charge to pay first */
			t->fn(m, t);
			return;
		}
	}
	c->task_end_ns = machine_now(m) + t->left_ns;
	cpu_arm_task(c);
}

void cpu_sections_left(struct cpu *c, struct task *t)
{
	struct machine *m = c->m;

	t->user_mode = false;
	t->left_ns = c->charge_ns;
	ORACLE(m, oracle_task_asked(t, t->left_ns));
	c->charge_ns = 0;
	c->ctx = CTX_TASK;
	t->ran_since_ns = machine_now(m);
	c->task_end_ns = machine_now(m) + t->left_ns;
	if (c->irq_pending && !t->irqs_off) {
		cpu_take_pending(c);
		return;
	}
	/* local_bh_enable(): do_softirq() */
	if (c->softirq_pending && !t->bh_off && !t->irqs_off && t != c->ksoftirqd) {
		softirq_begin(c);
		return;
	}
	base_return(c);
}

void cpu_start_booted(struct cpu *c, sim_time_ns first_tick_ns, bool highres)
{
	struct machine *m = c->m;

	c->online = c->active = true;
	m->online++;
	c->ctx = CTX_IDLE;
	ORACLE(m, oracle_cpu_online(c));
	tick_start(c, first_tick_ns);
	c->highres = highres;
	rcu_cpu_online(c);
	tick_idle_enter(c);
}

void cpu_start(struct cpu *c, sim_time_ns first_tick_ns)
{
	cpu_start_booted(c, first_tick_ns, false);
}
