/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A CPU goes off line or comes on line, driven by a task: the hotplug lock, the
 * waits for grace periods, the CPU's last context switch, what the survivors take
 * over. Follows kernel/cpu.c _cpu_down, take_cpu_down, takedown_cpu, _cpu_up and
 * kernel/sched/core.c sched_cpu_deactivate; to 4.6 _cpu_down waits itself. Facts:
 * mechanics 5 "Offline CPU", 6.1.
 *
 * The CPU is told by its stopper thread: it is off line from then on, its tasks go
 * elsewhere, its next step is the idle loop's last. What RCU does there:
 * models/rcu_hotplug.c.
 *
 * H1: one CPU comes or goes at a time, and nobody who holds the lock for reading
 *     sees it.
 * H2: a CPU off line has no task, no timer, no callback but offloaded ones.
 *
 * Simplified: all that is not RCU is one time, `takes`; nothing fails half-way; a
 * CPU's threads are neither created nor destroyed.
 *
 * Test: tests/model/check_hotplug.c. docs/hotplug.md.
 */
#include "models/hotplug.h"

#include "models/oracle.h"
#include "models/rcu.h"

enum { HP_LOCK, HP_OWNER, HP_READERS, HP_DEACTIVATE, HP_DEACTIVATED, HP_STOP, HP_DEAD, HP_UP };

struct hotplug_state {
	/* cpu_add_remove_lock */
	bool held;
	struct wait_queue queue;
	/* cpus_write_lock() */
	struct rcu_sync sync;
	bool busy;               /* a CPU comes or goes */
	const struct task *task; /* who does it */
	int readers;
	struct wait_queue readers_queue;
	struct task *writer;    /* waits for readers to leave, or for the CPU to die */
	struct task **stoppers; /* by CPU; NULL: not yet needed */
};

void hotplug_init(struct machine *m)
{
	m->hotplug = sim_arena_alloc(m->arena, sizeof(*m->hotplug));
	m->hotplug->stoppers =
		sim_arena_array(m->arena, (size_t)m->nr_cpu_ids, sizeof(struct task *));
}

/* --- the lock --- */

bool hotplug_try_read_lock(struct machine *m, const struct task *t)
{
	struct hotplug_state *h = m->hotplug;

	if (h->busy && h->task != t)
		return false;
	h->readers++;
	return true;
}

bool hotplug_read_lock(struct machine *m, struct task *t)
{
	if (hotplug_try_read_lock(m, t))
		return true;
	wait_queue_add(&m->hotplug->readers_queue, t);
	task_sleep(m, t);
	return false;
}

static void wake_writer(struct hotplug_state *h, struct cpu *c)
{
	struct task *writer = h->writer;

	h->writer = NULL;
	if (writer)
		task_wake(c->m, writer, c);
}

void hotplug_read_unlock(struct machine *m, struct cpu *c)
{
	if (--m->hotplug->readers == 0 && !m->hotplug->busy)
		wake_writer(m->hotplug, c);
}

static void unlock(struct machine *m, struct cpu *c)
{
	struct hotplug_state *h = m->hotplug;
	struct task *next = wait_queue_pop(&h->queue);

	if (next)
		task_wake(m, next, c); /* takes the mutex over */
	else
		h->held = false;
}

/* --- a CPU's end --- */

/* The stopper thread: multi_cpu_stop() of take_cpu_down(). */
static void take_cpu_down(struct machine *m, struct task *t)
{
	struct cpu *c = t->data;

	if (t->state_idx == 0) {
		t->state_idx = 1;
		task_run(m, t, m->cost->stopper_ns, false);
		return;
	}
	t->state_idx = 0;
	sched_cpu_dying(c);
	task_sleep(m, t);
}

static void stop_cpu(struct machine *m, struct cpu *c, struct cpu *from)
{
	struct task **stopper = &m->hotplug->stoppers[c->id];

	if (!*stopper)
		*stopper =
			task_create(m, "migration/%", take_cpu_down, c, c->id, c->id, CLASS_STOP);
	task_wake(m, *stopper, from);
}

void hotplug_cpu_dead(struct cpu *c)
{
	struct task *t;

	while ((t = wait_queue_pop(&c->hrtimer_due)) != NULL)
		cpu_hrtimer_due(sched_first_active(c->m), t);
	wake_writer(c->m->hotplug, c);
}

/* --- an operation --- */

/*
 * Nobody may go on using the CPU because it was active a moment ago. Without
 * CONFIG_PREEMPT one synchronize_rcu(); with it, up to 4.3 one of the sched flavour
 * first, and up to 4.20 both at once by callbacks, which no flag reaches.
 */
static enum op_result wait_deactivated(struct machine *m, struct hotplug_op *op)
{
	int64_t version = m->cfg->kernel.profile.version;

	if (m->preempt_rcu && version < 404 && op->state == HP_DEACTIVATE) {
		op->state = HP_DEACTIVATED;
		return OP_WAITS;
	}
	op->state = HP_STOP;
	return m->preempt_rcu && version >= 404 && version < 500 ? OP_WAITS_FOR_CALLBACK : OP_WAITS;
}

static void op_over(struct machine *m, struct hotplug_op *op, struct cpu *self)
{
	struct hotplug_state *h = m->hotplug;
	struct task *t;

	h->busy = false;
	h->task = NULL;
	while ((t = wait_queue_pop(&h->readers_queue)) != NULL)
		task_wake(m, t, self);
	TRACE(m, self->id, "cpuhp_exit", " cpu: %04d  state: %3d step: %3d ret: %d", op->cpu, 0, 0,
	      0);
	if (m->cfg->kernel.profile.hotplug_rcu_sync)
		rcu_sync_exit(&h->sync, self);
	unlock(m, self);
}

/* The lock is t's: it waits for readers, then the CPU begins to come or go. */
static enum op_result begin(struct machine *m, struct task *t, struct hotplug_op *op)
{
	struct hotplug_state *h = m->hotplug;

	if (h->readers > 0) {
		h->writer = t;
		task_sleep(m, t);
		return OP_SLEEPS;
	}
	h->busy = true;
	h->task = t;
	TRACE(m, t->cpu, "cpuhp_enter", "cpu: %04d target: %3d step: %3d (%s)", op->cpu, 0, 0,
	      op->up ? "bringup_cpu" : "takedown_cpu");
	if (op->up) {
		op->state = HP_UP;
		task_sleep_ns(m, t, op->takes_ns);
		return OP_SLEEPS;
	}
	m->cpus[op->cpu].active = false;
	op->state = HP_DEACTIVATE;
	return wait_deactivated(m, op);
}

/* True: there is nothing to do. */
static bool is_so_already(const struct machine *m, const struct hotplug_op *op)
{
	return m->cpus[op->cpu].online == op->up;
}

enum op_result hotplug_op_step(struct machine *m, struct task *t, struct hotplug_op *op,
			       struct rcu_sync **sync)
{
	struct hotplug_state *h = m->hotplug;
	struct cpu *self = &m->cpus[t->cpu];
	struct cpu *c = &m->cpus[op->cpu];

	switch (op->state) {
	case HP_LOCK:
		op->state = HP_OWNER;
		if (h->held) { /* woken as its owner */
			wait_queue_add(&h->queue, t);
			task_sleep(m, t);
			return OP_SLEEPS;
		}
		h->held = true;
		/* fall through */
	case HP_OWNER:
		if (is_so_already(m, op)) {
			unlock(m, self);
			return OP_DONE;
		}
		op->state = HP_READERS;
		*sync = &h->sync;
		if (m->cfg->kernel.profile.hotplug_rcu_sync &&
		    rcu_sync_enter(m, &h->sync, t) == OP_WAITS)
			return OP_WAITS;
		/* fall through */
	case HP_READERS:
		return begin(m, t, op);
	case HP_DEACTIVATE:
	case HP_DEACTIVATED:
		return wait_deactivated(m, op);
	case HP_STOP:
		op->state = HP_DEAD;
		if (op->takes_ns > 0) {
			task_sleep_ns(m, t, op->takes_ns);
			return OP_SLEEPS;
		}
		/* fall through */
	case HP_DEAD:
		if (c->online) {
			h->writer = t;
			stop_cpu(m, c, self);
			task_sleep(m, t);
			return OP_SLEEPS;
		}
		tick_adopt_timers(self, c);
		rcu_migrate_callbacks(self, c);
		op_over(m, op, self);
		return OP_DONE;
	default: /* HP_UP */
		cpu_start(c, machine_now(m) + m->jiffy_ns);
		op_over(m, op, self);
		return OP_DONE;
	}
}
