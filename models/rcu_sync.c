/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rcu_sync of the CPU hotplug lock (cpus_write_lock is a percpu_rwsem from
 * 4.13): the first writer waits for a grace period, the last one's leaving is
 * undone by a callback; a writer that comes before the callback has run waits
 * for nothing. Follows kernel/rcu/sync.c, 5.2-6.18. Facts: mechanics 3.14, 6.1.
 */
#include "models/rcu.h"

enum { SYNC_GP_IDLE, SYNC_GP_PASSED, SYNC_GP_EXIT, SYNC_GP_REPLAY };

bool rcu_sync_enter(struct machine *m)
{
	struct rcu_state *rs = m->rcu;

	rs->sync_writers++;
	return rs->sync_state == SYNC_GP_IDLE;
}

void rcu_sync_entered(struct machine *m)
{
	if (m->rcu->sync_state == SYNC_GP_IDLE)
		m->rcu->sync_state = SYNC_GP_PASSED;
}

static void rcu_sync_func(struct machine *m, struct cpu *c, void *arg)
{
	struct rcu_state *rs = m->rcu;

	(void)arg;
	if (rs->sync_writers > 0) {
		rs->sync_state = SYNC_GP_PASSED;
	} else if (rs->sync_state == SYNC_GP_REPLAY) {
		rs->sync_state = SYNC_GP_EXIT;
		rcu_call(c, rcu_sync_func, NULL);
	} else {
		rs->sync_state = SYNC_GP_IDLE;
	}
}

void rcu_sync_exit(struct machine *m, struct cpu *c)
{
	struct rcu_state *rs = m->rcu;

	if (--rs->sync_writers > 0)
		return;
	if (rs->sync_state == SYNC_GP_PASSED) {
		rs->sync_state = SYNC_GP_EXIT;
		rcu_call(c, rcu_sync_func, NULL);
	} else if (rs->sync_state == SYNC_GP_EXIT) {
		rs->sync_state = SYNC_GP_REPLAY;
	}
}
