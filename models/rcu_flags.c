/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expedite controls; see rcu_flags.h. Differences between kernels come from
 * cells of the profile, with one exception: until some release before 5.4 the
 * INIT phase itself counted as expedited, later the counter's initial value
 * alone did that.
 *
 * Invariants:
 *   F1: nesting >= 0;
 *   F2: nesting = initial value + balanced pairs, less one after the end of
 *       in-kernel boot where that has a caller;
 *   F3: rcu_normal beats both rcu_expedited and the counter, except in INIT.
 */
#include "models/rcu_flags.h"

/* rcu_pm_notify of 3.19-4.20 leaves larger machines alone. */
#define PM_CPUS_MAX 256
/* First release read without the INIT term in rcu_gp_is_expedited. */
#define VERSION_NO_INIT_TERM 504

void rcu_flags_init(struct rcu_flags *flags, const struct kernel_config *kernel,
		    const struct machine_config *machine)
{
	const struct rcu_profile *profile = &kernel->profile;

	*flags = (struct rcu_flags){
		.profile = *profile,
		.nr_cpu_ids = machine->cpus,
		.preempt_rcu = machine->preempt == PREEMPT_FULL,
		.expedite_boot = kernel->expedite_boot && profile->expedite_boot_option,
		.normal_after_boot = kernel->rcu_normal_after_boot && profile->has_rcu_normal,
		.expedited = kernel->rcu_expedited,
		.normal = kernel->rcu_normal && profile->has_rcu_normal,
		.scheduler_active = RCU_SCHEDULER_INACTIVE,
	};
	if (profile->has_nesting)
		flags->nesting = profile->nesting_initial + (flags->expedite_boot ? 1 : 0);
}

void rcu_flags_init_booted(struct rcu_flags *flags, const struct kernel_config *kernel,
			   const struct machine_config *machine)
{
	rcu_flags_init(flags, kernel, machine);
	rcu_flags_scheduler_starting(flags);
	rcu_flags_gp_kthread_spawned(flags);
	rcu_flags_runtime_mode(flags);
	if (!rcu_flags_end_inkernel_boot(flags))
		RS_BUG("the end of boot dropped a counter that no boot step touched");
}

void rcu_flags_scheduler_starting(struct rcu_flags *flags)
{
	RS_REQUIRE(flags->scheduler_active == RCU_SCHEDULER_INACTIVE);
	flags->scheduler_active = flags->profile.has_init_phase ? RCU_SCHEDULER_INIT :
								  RCU_SCHEDULER_RUNNING;
}

void rcu_flags_gp_kthread_spawned(struct rcu_flags *flags)
{
	RS_REQUIRE(flags->scheduler_active != RCU_SCHEDULER_INACTIVE);
	RS_REQUIRE(!flags->fully_active);
	flags->fully_active = true;
}

void rcu_flags_runtime_mode(struct rcu_flags *flags)
{
	RS_REQUIRE(flags->fully_active);
	flags->scheduler_active = RCU_SCHEDULER_RUNNING;
}

bool rcu_flags_end_inkernel_boot(struct rcu_flags *flags)
{
	const struct rcu_profile *profile = &flags->profile;
	bool ok = true;

	RS_REQUIRE(!flags->inkernel_boot_ended);
	flags->inkernel_boot_ended = true;
	if (!profile->end_of_boot_drop)
		return true;
	/* 4.9 and 4.10 compile the drop in with EXPEDITE_BOOT only, later kernels always
	 * do it: either way it takes back what the kernel itself put in. */
	if (profile->has_nesting && (profile->nesting_initial > 0 || flags->expedite_boot))
		ok = rcu_unexpedite_gp(flags);
	if (flags->normal_after_boot)
		flags->normal = 1;
	return ok;
}

void rcu_expedite_gp(struct rcu_flags *flags)
{
	RS_REQUIRE(flags->profile.has_nesting);
	flags->nesting++;
}

bool rcu_unexpedite_gp(struct rcu_flags *flags)
{
	RS_REQUIRE(flags->profile.has_nesting);
	if (flags->nesting <= 0)
		return false;
	flags->nesting--;
	return true;
}

void rcu_flags_set_expedited(struct rcu_flags *flags, int value)
{
	flags->expedited = value;
}

void rcu_flags_set_normal(struct rcu_flags *flags, int value)
{
	RS_REQUIRE(flags->profile.has_rcu_normal);
	flags->normal = value;
}

static enum pm_mode pm_mode(const struct rcu_flags *flags)
{
	return (enum pm_mode)flags->profile.pm_mode;
}

void rcu_flags_pm_prepare(struct rcu_flags *flags)
{
	switch (pm_mode(flags)) {
	case PM_FLAG_LE256:
		if (flags->nr_cpu_ids <= PM_CPUS_MAX)
			flags->expedited = 1;
		return;
	case PM_NEST_LE256:
		if (flags->nr_cpu_ids <= PM_CPUS_MAX)
			rcu_expedite_gp(flags);
		return;
	case PM_NEST:
		rcu_expedite_gp(flags);
		return;
	case PM_MODE_COUNT:
		break;
	}
	RS_BUG("unknown pm_mode %d", (int)pm_mode(flags));
}

bool rcu_flags_pm_post(struct rcu_flags *flags)
{
	switch (pm_mode(flags)) {
	case PM_FLAG_LE256:
		/* Whatever the CPU count and the value before: the user's setting is lost.
		 * This is the defect the nestable counter was made for. */
		flags->expedited = 0;
		return true;
	case PM_NEST_LE256:
		return flags->nr_cpu_ids > PM_CPUS_MAX || rcu_unexpedite_gp(flags);
	case PM_NEST:
		return rcu_unexpedite_gp(flags);
	case PM_MODE_COUNT:
		break;
	}
	RS_BUG("unknown pm_mode %d", (int)pm_mode(flags));
}

bool rcu_gp_is_expedited(const struct rcu_flags *flags)
{
	if (flags->expedited || flags->nesting)
		return true;
	return flags->scheduler_active == RCU_SCHEDULER_INIT &&
	       flags->profile.version < VERSION_NO_INIT_TERM;
}

bool rcu_gp_is_normal(const struct rcu_flags *flags)
{
	return flags->normal && flags->scheduler_active != RCU_SCHEDULER_INIT;
}

enum rcu_sync_way rcu_sync_way(const struct rcu_flags *flags, int online_cpus,
			       bool call_is_expedited)
{
	RS_REQUIRE(online_cpus >= 1);

	if (flags->scheduler_active == RCU_SCHEDULER_INACTIVE)
		return SYNC_NOOP;
	if (flags->profile.uniprocessor_noop && !flags->preempt_rcu && online_cpus == 1)
		return SYNC_NOOP;

	/* synchronize_rcu() asks "expedited?" and hands over to the expedited routine, which
	 * asks "normal?": hence the precedence of rcu_normal (F3). */
	if ((!call_is_expedited && !rcu_gp_is_expedited(flags)) || rcu_gp_is_normal(flags))
		return flags->fully_active ? SYNC_NORMAL : SYNC_DEAD_ZONE;

	if (flags->scheduler_active == RCU_SCHEDULER_INIT ||
	    flags->profile.exp_driver == EXP_DRIVER_CALLER)
		return SYNC_EXP_DIRECT;
	return flags->fully_active ? SYNC_EXP_WORKER : SYNC_DEAD_ZONE;
}

const char *rcu_sync_way_name(enum rcu_sync_way way)
{
	switch (way) {
	case SYNC_NOOP:
		return "no-op";
	case SYNC_NORMAL:
		return "normal";
	case SYNC_EXP_DIRECT:
		return "expedited, driven by the caller";
	case SYNC_EXP_WORKER:
		return "expedited, driven by a worker";
	case SYNC_DEAD_ZONE:
		return "dead zone";
	case SYNC_WAY_COUNT:
		break;
	}
	RS_BUG("unknown rcu_sync_way %d", (int)way);
}
