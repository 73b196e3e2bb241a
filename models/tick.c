/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ticks, jiffies and the timer wheel's rounding.
 *
 * Until clocksource_done_booting (an fs_initcall) ticks are periodic, each CPU
 * with the phase its bring-up gave it. Then, at its next tick, a CPU leaves
 * periodic mode: its tick moves to the jiffy edge (plus skew_tick's offset) and
 * an idle CPU may stop it (kernel/time/tick-sched.c tick_setup_sched_timer(),
 * tick_nohz_stop_sched_tick(); the same in 3.19-6.1). Jiffies are counted by
 * CPU 0's series, as tick_do_timer_cpu is CPU 0 during boot and every updater
 * keeps its edges.
 *
 * A tick that can change nothing is accounted, not simulated: an idle CPU's
 * tick is parked until something may need it (tick_recheck()).
 *
 * Timers: kernel/time/timer.c. Armed when jiffies reads J for j jiffies, a timer
 * runs in the tick that makes it J + j, from 4.8 on J + j + 1 (mechanics 3.6).
 */
#include "models/machine.h"
#include "models/rcu.h"

static void tick_event(struct sim_engine *e, void *ptr, int32_t arg);

void tick_init(struct machine *m)
{
	m->jiffy_ns = NS_PER_S / m->hz;
	m->hres_allowed = m->cfg->kernel.highres || m->cfg->kernel.nohz;
}

int64_t machine_jiffies(const struct machine *m)
{
	sim_time_ns since_ns = machine_now(m) - m->first_edge_ns;

	return since_ns < 0 ? 0 : since_ns / m->jiffy_ns + 1;
}

/* When jiffies becomes `jiffies`. */
static sim_time_ns jiffy_edge_ns(const struct machine *m, int64_t jiffies)
{
	return m->first_edge_ns + (jiffies - 1) * m->jiffy_ns;
}

/* First tick of c's series strictly after now and not before at_ns. */
static sim_time_ns series_at_ns(const struct cpu *c, sim_time_ns at_ns)
{
	sim_time_ns now_ns = machine_now(c->m);
	sim_time_ns next_ns = c->tick_next_ns;

	if (at_ns <= now_ns)
		at_ns = now_ns + 1;
	if (next_ns < at_ns)
		next_ns += (at_ns - next_ns + c->m->jiffy_ns - 1) / c->m->jiffy_ns * c->m->jiffy_ns;
	return next_ns;
}

/* Moves the series' next tick to next_ns; ticks passed over count if they really happen. */
static void series_skip(struct cpu *c, sim_time_ns next_ns, bool happened)
{
	int64_t skipped = (next_ns - c->tick_next_ns) / c->m->jiffy_ns;

	if (happened && skipped > 0) {
		c->m->totals->ticks += skipped;
		c->eqs_seq += 2u * (uint32_t)skipped;
	}
	c->tick_next_ns = next_ns;
}

static void tick_queue(struct cpu *c)
{
	c->tick_event = sim_at(c->m->engine, c->tick_next_ns, PRIO_IRQ, tick_event, c, 0);
	c->tick_queued = true;
}

static void tick_unqueue(struct cpu *c)
{
	if (c->tick_queued) {
		sim_cancel(c->m->engine, &c->tick_event);
		c->tick_queued = false;
	}
}

void tick_start(struct cpu *c, sim_time_ns first_ns)
{
	c->tick_next_ns = first_ns;
	c->tick_queued = false;
	c->tick_stopped = false;
	c->highres = false;
}

void tick_stop(struct cpu *c)
{
	tick_unqueue(c);
	c->tick_stopped = false;
}

static void tick_event(struct sim_engine *e, void *ptr, int32_t arg)
{
	struct cpu *c = ptr;

	(void)arg;
	c->tick_next_ns = sim_now(e) + c->m->jiffy_ns;
	c->tick_event = sim_lane_after(e, c->m->lane_tick, PRIO_IRQ, tick_event, c, 0);
	cpu_interrupt(c, IRQ_TICK);
}

static bool tick_timer_due(const struct cpu *c)
{
	return c->timers && c->timers->timer_expires <= machine_jiffies(c->m);
}

/* Leaves periodic mode: hrtimer_switch_to_hres() / tick_nohz_switch_to_nohz(). */
static void tick_leave_periodic(struct cpu *c)
{
	struct machine *m = c->m;
	sim_time_ns skew_ns = 0;

	c->highres = true;
	if (m->cfg->kernel.skew_tick)
		skew_ns = m->jiffy_ns / 2 / m->nr_cpu_ids * c->id;
	tick_unqueue(c);
	c->tick_next_ns = jiffy_edge_ns(m, machine_jiffies(m) + 1) + skew_ns;
	tick_queue(c);
}

void tick_handle(struct cpu *c, enum cpu_ctx over)
{
	struct machine *m = c->m;

	m->totals->ticks++;
	if (tick_timer_due(c))
		cpu_raise_softirq(c, SOFTIRQ_TIMER);
	rcu_sched_clock_irq(c, over);
	sched_tick(c);
	if (m->hres_ready && !c->highres)
		tick_leave_periodic(c);
}

void tick_highres_ready(struct machine *m)
{
	if (!m->hres_allowed)
		return;
	m->hres_ready = true;
	for (int i = 0; i < m->nr_cpu_ids; i++)
		tick_recheck(&m->cpus[i]);
}

/* --- timers --- */

static void timer_insert(struct cpu *c, struct task *t)
{
	struct task **link = &c->timers;

	t->timer_cpu = c->id;
	t->timer_armed = true;
	while (*link && (*link)->timer_expires <= t->timer_expires)
		link = &(*link)->timer_next;
	t->timer_next = *link;
	*link = t;
}

void tick_timer_add(struct machine *m, struct task *t, int64_t jiffies)
{
	t->timer_expires = machine_jiffies(m) + jiffies + m->cfg->kernel.profile.timer_extra_jiffies;
	timer_insert(&m->cpus[t->cpu], t);
}

void tick_adopt_timers(struct cpu *c, struct cpu *dead)
{
	struct task *t;

	while ((t = dead->timers) != NULL) {
		tick_timer_del(c->m, t);
		timer_insert(c, t);
	}
}

void tick_timer_del(struct machine *m, struct task *t)
{
	struct task **link;

	if (!t->timer_armed)
		return;
	link = &m->cpus[t->timer_cpu].timers;
	while (*link != t)
		link = &(*link)->timer_next;
	*link = t->timer_next;
	t->timer_armed = false;
}

void tick_run_timers(struct cpu *c)
{
	while (tick_timer_due(c)) {
		struct task *t = c->timers;

		tick_timer_del(c->m, t);
		t->timed_out = true;
		task_wake(c->m, t, c);
	}
}

/* --- idle --- */

void tick_idle_enter(struct cpu *c)
{
	struct machine *m = c->m;
	bool nohz = c->highres && m->cfg->kernel.nohz;
	sim_time_ns wake_ns = SIM_TIME_MAX;
	int64_t rcu_jiffies = nohz ? rcu_needs_cpu(c) : rcu_tick_matters(c) ? 1 : -1;

	if (rcu_jiffies == 1 || (m->hres_ready && !c->highres)) {
		/* the tick goes on */
		c->tick_stopped = false;
		if (!c->tick_queued) {
			series_skip(c, series_at_ns(c, 0), !nohz);
			tick_queue(c);
		}
		return;
	}
	if (rcu_jiffies > 1)
		wake_ns = jiffy_edge_ns(m, machine_jiffies(m) + rcu_jiffies);
	if (c->timers && jiffy_edge_ns(m, c->timers->timer_expires) < wake_ns)
		wake_ns = jiffy_edge_ns(m, c->timers->timer_expires);
	c->tick_stopped = nohz;
	if (wake_ns == SIM_TIME_MAX) {
		tick_unqueue(c);
		return;
	}
	wake_ns = series_at_ns(c, wake_ns);
	if (c->tick_queued && c->tick_next_ns == wake_ns)
		return;
	tick_unqueue(c);
	series_skip(c, wake_ns, !nohz);
	tick_queue(c);
}

void tick_idle_exit(struct cpu *c)
{
	bool stopped = c->tick_stopped;
	sim_time_ns next_ns;

	c->tick_stopped = false;
	next_ns = series_at_ns(c, 0);
	if (c->tick_queued && c->tick_next_ns == next_ns)
		return;
	tick_unqueue(c);
	series_skip(c, next_ns, !stopped);
	tick_queue(c);
}

void tick_recheck(struct cpu *c)
{
	bool leaves_periodic = c->m->hres_ready && !c->highres;

	if (c->ctx != CTX_IDLE || (c->m->cfg->kernel.nohz && c->highres))
		return; /* what others do gives a nohz idle CPU no reason to tick */
	if (leaves_periodic || !c->tick_queued || c->timers)
		tick_idle_enter(c);
}
