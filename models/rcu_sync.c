/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rcu_sync and the percpu_rwsem writers that rest on it. The first writer waits
 * for a grace period, so that all readers see it; the last one's leaving is undone
 * by a callback, and a writer that comes before that has run waits for nothing.
 * Follows kernel/rcu/sync.c (5.2-6.18; 4.4-5.1 the same with two states for what is
 * one here) and kernel/locking/percpu-rwsem.c. Until 4.3 percpu_down_write() and
 * percpu_up_write() each wait for an expedited grace period. Facts: mechanics 3.14,
 * 6.1, 6.2. The CPU hotplug lock is such a semaphore from 4.13 on.
 *
 * S1: at most one writer of a semaphore is inside.
 *
 * Simplified: a semaphore's readers do not exist; before 5.2 writers wait for the
 * sched flavour.
 *
 * Test: tests/model/check_hotplug.c. docs/hotplug.md.
 */
#include <string.h>

#include "models/hotplug.h"
#include "models/rcu.h"

/* Up to 4.3 there is no rcu_sync. */
#define RCU_SYNC_SINCE 404

enum { SYNC_GP_IDLE, SYNC_GP_ENTER, SYNC_GP_PASSED, SYNC_GP_EXIT, SYNC_GP_REPLAY };
enum { LOCK_ENTER, LOCK_MUTEX, LOCK_OWNER };
enum { UNLOCK_BEGIN, UNLOCK_WAITED };

struct percpu_rwsem {
	const char *name; /* borrowed */
	struct rcu_sync sync;
	bool held;
	struct wait_queue queue; /* of writers */
	struct percpu_rwsem *next;
};

enum op_result rcu_sync_enter(struct machine *m, struct rcu_sync *s, struct task *t)
{
	s->writers++;
	switch (s->state) {
	case SYNC_GP_IDLE:
		s->state = SYNC_GP_ENTER;
		return OP_WAITS;
	case SYNC_GP_ENTER:
		wait_queue_add(&s->waiters, t);
		task_sleep(m, t);
		return OP_SLEEPS;
	default:
		return OP_DONE;
	}
}

void rcu_sync_entered(struct machine *m, struct rcu_sync *s, struct cpu *c)
{
	struct task *t;

	s->state = SYNC_GP_PASSED;
	while ((t = wait_queue_pop(&s->waiters)) != NULL)
		task_wake(m, t, c);
}

static void rcu_sync_func(struct machine *m, struct cpu *c, void *arg)
{
	struct rcu_sync *s = arg;

	(void)m;
	if (s->writers > 0) {
		s->state = SYNC_GP_PASSED;
	} else if (s->state == SYNC_GP_REPLAY) {
		s->state = SYNC_GP_EXIT;
		rcu_call(c, rcu_sync_func, s);
	} else {
		s->state = SYNC_GP_IDLE;
	}
}

void rcu_sync_exit(struct rcu_sync *s, struct cpu *c)
{
	if (--s->writers > 0)
		return;
	if (s->state == SYNC_GP_PASSED) {
		s->state = SYNC_GP_EXIT;
		rcu_call(c, rcu_sync_func, s);
	} else if (s->state == SYNC_GP_EXIT) {
		s->state = SYNC_GP_REPLAY;
	}
}

struct percpu_rwsem *percpu_rwsem_find(struct machine *m, const char *name)
{
	struct percpu_rwsem *sem = m->rwsems;

	while (sem && strcmp(sem->name, name) != 0)
		sem = sem->next;
	if (!sem) {
		sem = sim_arena_alloc(m->arena, sizeof(*sem));
		sem->name = name;
		sem->next = m->rwsems;
		m->rwsems = sem;
	}
	return sem;
}

static bool has_rcu_sync(const struct machine *m)
{
	return m->cfg->kernel.profile.version >= RCU_SYNC_SINCE;
}

enum op_result percpu_write_lock(struct machine *m, struct task *t, struct percpu_write *w,
				 struct rcu_sync **sync)
{
	struct percpu_rwsem *sem = w->sem;
	enum op_result entered;

	switch (w->state) {
	case LOCK_ENTER:
		w->state = LOCK_MUTEX;
		if (!has_rcu_sync(m))
			return OP_WAITS_EXPEDITED;
		*sync = &sem->sync;
		entered = rcu_sync_enter(m, &sem->sync, t);
		if (entered != OP_DONE)
			return entered;
		/* fall through */
	case LOCK_MUTEX:
		w->state = LOCK_OWNER;
		if (sem->held) { /* woken as its owner */
			wait_queue_add(&sem->queue, t);
			task_sleep(m, t);
			return OP_SLEEPS;
		}
		sem->held = true;
		break;
	default: /* LOCK_OWNER */
		break;
	}
	return OP_DONE;
}

enum op_result percpu_write_unlock(struct machine *m, struct task *t, struct percpu_write *w)
{
	struct cpu *c = &m->cpus[t->cpu];
	struct task *next;

	if (w->state == UNLOCK_WAITED)
		return OP_DONE;
	next = wait_queue_pop(&w->sem->queue);
	if (next)
		task_wake(m, next, c);
	else
		w->sem->held = false;
	w->state = UNLOCK_WAITED;
	if (!has_rcu_sync(m))
		return OP_WAITS_EXPEDITED;
	rcu_sync_exit(&w->sem->sync, c);
	return OP_DONE;
}
