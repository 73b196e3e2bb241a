/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The controls that decide whether a synchronous wait is expedited, as pure
 * logic: the user's flags, the nestable counter, the scheduler phase, and the
 * order in which a call asks them. Follows kernel/rcu/update.c
 * (rcu_gp_is_expedited, rcu_gp_is_normal, rcu_expedite_gp, rcu_unexpedite_gp,
 * rcu_end_inkernel_boot), kernel/rcu/tree.c (rcu_blocking_is_gp,
 * rcu_scheduler_starting, rcu_pm_notify) and kernel/ksysfs.c, 3.19-6.1.
 *
 * The flags steer synchronize_rcu() and synchronize_rcu_expedited() only:
 * call_rcu() and what is built on it never asks them. A call asks once, at
 * entry; changing a flag during a wait changes nothing for that wait.
 *
 * Facts: docs/expedite-controls.md. Test: tests/model/check_rcu_flags.c.
 */
#ifndef MODELS_RCU_FLAGS_H
#define MODELS_RCU_FLAGS_H

#include "models/config.h"

enum rcu_scheduler_phase {
	RCU_SCHEDULER_INACTIVE, /* start_kernel: no context switch so far */
	RCU_SCHEDULER_INIT,     /* profiles with has_init_phase: to the core initcalls */
	RCU_SCHEDULER_RUNNING,
	RCU_SCHEDULER_PHASE_COUNT
};

/* Which way a synchronous call goes. */
enum rcu_sync_way {
	SYNC_NOOP,       /* returns at once: the grace period is vacuous */
	SYNC_NORMAL,     /* a callback of its own, and a normal grace period */
	SYNC_EXP_DIRECT, /* expedited; the caller drives it */
	SYNC_EXP_WORKER, /* expedited; the profile's exp_driver drives it */
	SYNC_DEAD_ZONE,  /* would wait for a kthread or workqueue that does not exist yet */
	SYNC_WAY_COUNT
};

struct rcu_flags {
	struct rcu_profile profile;
	int64_t nr_cpu_ids;
	bool preempt_rcu;            /* CONFIG_PREEMPT_RCU */
	bool expedite_boot;          /* CONFIG_RCU_EXPEDITE_BOOT, where it exists */
	bool normal_after_boot;      /* rcupdate.rcu_normal_after_boot, where it exists */
	int expedited;               /* rcu_expedited: boot parameter, then sysfs */
	int normal;                  /* rcu_normal: likewise; 0 where it does not exist */
	int64_t nesting;             /* rcu_expedited_nesting; never negative here */
	enum rcu_scheduler_phase scheduler_active;
	bool fully_active;           /* rcu_scheduler_fully_active: the GP kthread exists */
	bool inkernel_boot_ended;
};

/* State at power-on. Copies what it needs; the configs may go away. */
void rcu_flags_init(struct rcu_flags *flags, const struct kernel_config *kernel,
		    const struct machine_config *machine);

/* State after boot (machine.booted): every boot event below has happened. */
void rcu_flags_init_booted(struct rcu_flags *flags, const struct kernel_config *kernel,
			   const struct machine_config *machine);

/* Boot events, in order. Each may happen once. */
void rcu_flags_scheduler_starting(struct rcu_flags *flags); /* rest_init */
void rcu_flags_gp_kthread_spawned(struct rcu_flags *flags); /* an early_initcall */
void rcu_flags_runtime_mode(struct rcu_flags *flags);       /* a core_initcall; no effect
                                                               without an INIT phase */
/*
 * Before init is executed. Drops the boot's share of the counter and sets
 * rcu_normal if rcu_normal_after_boot; nothing where the profile has no caller
 * (end_of_boot_drop 0). False: the counter would fall below zero, because the
 * boot program dropped the kernel's share itself; it stays 0.
 */
bool rcu_flags_end_inkernel_boot(struct rcu_flags *flags) RS_MUST_CHECK;

/* The nestable counter; the profile must have it (has_nesting). */
void rcu_expedite_gp(struct rcu_flags *flags);
/* False: underflow, a workload error; the counter stays 0. */
bool rcu_unexpedite_gp(struct rcu_flags *flags) RS_MUST_CHECK;

/* Writes to /sys/kernel/rcu_expedited and rcu_normal (the profile must have the latter). */
void rcu_flags_set_expedited(struct rcu_flags *flags, int value);
void rcu_flags_set_normal(struct rcu_flags *flags, int value);

/* The PM notifier. post: false on underflow (a post without its prepare). */
void rcu_flags_pm_prepare(struct rcu_flags *flags);
bool rcu_flags_pm_post(struct rcu_flags *flags) RS_MUST_CHECK;

/* Do the controls ask for expedited waits? Does rcu_normal forbid them? */
bool rcu_gp_is_expedited(const struct rcu_flags *flags);
bool rcu_gp_is_normal(const struct rcu_flags *flags);

/*
 * The way synchronize_rcu() takes now (call_is_expedited:
 * synchronize_rcu_expedited()). What a way meets later (hotplug, contention)
 * may still turn an expedited wait into a normal one.
 */
enum rcu_sync_way rcu_sync_way(const struct rcu_flags *flags, int online_cpus,
			       bool call_is_expedited);

const char *rcu_sync_way_name(enum rcu_sync_way way); /* "no-op", "normal", ... */

#endif
