/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps that change the expedite controls (models/rcu_flags.h): the nestable
 * counter, the sysfs files, suspend and resume. An unbalanced one is an error of
 * the workload and ends the run. Facts: mechanics 2.5, 2.6.
 */
#include "models/oracle.h"
#include "models/rcu.h"

static void pm_step(struct machine *m, bool prepare)
{
	if (prepare) {
		rcu_flags_pm_prepare(&m->flags);
		return;
	}
	if (!rcu_flags_pm_post(&m->flags))
		machine_stop(m, RUN_MODEL_ERROR, "PM post without prepare: rcu_expedited_nesting "
						 "would fall below 0");
}

static void unexpedite(struct machine *m)
{
	if (!rcu_unexpedite_gp(&m->flags))
		machine_stop(m, RUN_MODEL_ERROR,
			     "rcu_unexpedite_gp() without rcu_expedite_gp(): the counter would "
			     "fall below 0");
}

/* Writes to the expedite controls. */
void workload_control_step(struct machine *m, const struct step *s)
{
	if (s->kind == STEP_EXPEDITE)
		rcu_expedite_gp(&m->flags);
	else if (s->kind == STEP_UNEXPEDITE)
		unexpedite(m);
	else if (s->kind == STEP_SET_EXPEDITED)
		rcu_flags_set_expedited(&m->flags, (int)s->count);
	else if (s->kind == STEP_SET_NORMAL)
		rcu_flags_set_normal(&m->flags, (int)s->count);
	else
		pm_step(m, s->kind == STEP_PM_PREPARE);
}
