/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernel profiles: what differs between kernel versions, as rows of one table.
 * Every cell is read by the model; the source of each stands beside it in
 * models/profile.c and is printed by `rcusim list profiles`. A scenario may
 * override any cell (path kernel.<cell>).
 */
#ifndef MODELS_PROFILE_H
#define MODELS_PROFILE_H

#include "sim/engine/base.h"

/* How synchronize_rcu_expedited() reaches the other CPUs (mechanics 4.1-4.3). */
enum exp_engine {
	EXP_STOPPERS, /* 3.19-4.2: try_stop_cpus with tickets */
	EXP_IPI,      /* 4.4+: smp_call_function_single to each CPU that owes */
	EXP_ENGINE_COUNT
};

/* Who runs the expedited grace period once the scheduler is RUNNING. */
enum exp_driver {
	EXP_DRIVER_CALLER,    /* 3.19-4.4 */
	EXP_DRIVER_SYSTEM_WQ, /* 4.9-4.14: a work item on the system workqueue */
	EXP_DRIVER_RCU_GP_WQ, /* 4.19-6.8: rcu_gp_wq, leaves in parallel */
	EXP_DRIVER_KTHREAD,   /* 6.12+: kthread worker */
	EXP_DRIVER_COUNT
};

/* What the PM notifier does on suspend prepare / post (mechanics 2.6). */
enum pm_mode {
	PM_FLAG_LE256, /* 3.19/4.0: writes rcu_expedited = 1 if nr_cpu_ids <= 256, 0 on post always */
	PM_NEST_LE256, /* 4.1-4.20: nesting +-1 if nr_cpu_ids <= 256 */
	PM_NEST,       /* 5.4+: nesting +-1 */
	PM_MODE_COUNT
};

/* The wait before the "Write protecting" message (mechanics 2.1). */
enum readonly_wait {
	READONLY_WAIT_NONE,
	READONLY_WAIT_BARRIER, /* rcu_barrier */
	READONLY_WAIT_FLUSH,   /* flush of deferred module-init freeing; free unless a module was loaded */
	READONLY_WAIT_COUNT
};

/* Can normal waits go without a callback (mechanics 3.11)? */
enum wake_from_gp {
	WAKE_FROM_GP_NONE,
	WAKE_FROM_GP_OPT_IN,   /* 6.10-6.12: rcutree.rcu_normal_wake_from_gp=1 */
	WAKE_FROM_GP_UP_TO_16, /* 6.18: on by default up to 16 possible CPUs */
	WAKE_FROM_GP_COUNT
};

/* Polled grace periods, from get_state_synchronize_rcu() on (mechanics 3.13). */
enum polled_api {
	POLLED_COND_ONLY, /* get_state_..., cond_synchronize_rcu() */
	POLLED_NORMAL,    /* by 5.15: start_poll_..., poll_state_..., by the normal number */
	POLLED_ANY_GP,    /* by 6.1: gp_seq_polled, which expedited grace periods advance, too */
	POLLED_API_COUNT
};

/* What a scan does for a CPU that still owes (mechanics 3.8). */
enum slow_cpu_help {
	HELP_MASK,    /* 3.19-4.4: from jtsq on a mask and a resched IPI, again after half the stall timeout */
	HELP_RESCHED, /* 4.9: the same mask, an IPI at each scan from jtsq on */
	HELP_HEAVY,   /* 4.14: rcu_urgent_qs at once, rcu_need_heavy_qs after jtsq, IPIs after half
	                 the stall timeout */
	HELP_URGENT,  /* 4.20+: rcu_urgent_qs after jtsq, heavy after 2 * jtsq, an IPI each jtsq
	                 after half the stall timeout */
	HELP_COUNT
};

/* When a cond_resched() that does not switch is a quiescent state (no PREEMPT_RCU). */
enum cond_resched_qs {
	COND_RESCHED_NONE,    /* to 3.19 */
	COND_RESCHED_COUNTER, /* 4.0-4.13: cond_resched_rcu_qs() counts, the CPU's tick looks */
	COND_RESCHED_SCAN,    /* 4.14: if rcu_urgent_qs asks; scans look at the count, too */
	COND_RESCHED_URGENT,  /* 4.19+: any cond_resched(), if rcu_urgent_qs asks */
	COND_RESCHED_COUNT
};

struct rcu_profile {
	char name[16];
	int64_t version;                 /* major * 100 + minor: 319, 401, 612 */
	int64_t leaf_fanout;             /* RCU_FANOUT_LEAF of a default config, 64-bit */
	int64_t fanout;                  /* RCU_FANOUT */
	int64_t exp_engine;              /* enum exp_engine */
	int64_t exp_driver;              /* enum exp_driver */
	int64_t has_nesting;             /* rcu_expedited_nesting exists */
	int64_t nesting_initial;         /* its value at power-on without CONFIG_RCU_EXPEDITE_BOOT */
	int64_t expedite_boot_option;    /* CONFIG_RCU_EXPEDITE_BOOT exists (adds 1 to the counter) */
	int64_t end_of_boot_drop;        /* rcu_end_inkernel_boot has a caller */
	int64_t has_init_phase;          /* rcu_scheduler_active has INIT between INACTIVE and RUNNING */
	int64_t has_rcu_normal;          /* rcu_normal, rcu_normal_after_boot exist */
	int64_t pm_mode;                 /* enum pm_mode */
	int64_t hotplug_fallback;        /* expedited falls back to normal during CPU hotplug */
	int64_t final_wakeup;            /* last quiescent state wakes the GP kthread */
	int64_t timer_extra_jiffies;     /* w of mechanics 3.6: 0 to 4.7, 1 from 4.8 */
	int64_t jtsq_hz_div;             /* jiffies_till_sched_qs base: HZ / this */
	int64_t jtsq_from_fqs;           /* 1: max(j1 + 2*jn, HZ/div + n/256) (4.20+) */
	int64_t uniprocessor_noop;       /* !PREEMPT and one CPU online: a wait is a no-op */
	int64_t fast_no_hz;              /* CONFIG_RCU_FAST_NO_HZ can be chosen */
	int64_t hotplug_rcu_sync;        /* cpus_write_lock is a percpu_rwsem with rcu_sync (4.13+) */
	int64_t readonly_wait;           /* enum readonly_wait */
	int64_t idle_ipi_reports;        /* !PREEMPT handler reports at once if it interrupted idle (4.9+) */
	int64_t srcu_tree;               /* Tree SRCU (4.12+) */
	int64_t wake_from_gp;            /* enum wake_from_gp */
	int64_t polled_api;              /* enum polled_api */
	int64_t slow_cpu_help;           /* enum slow_cpu_help */
	int64_t cond_resched_qs;         /* enum cond_resched_qs */
	int64_t exp_stall_timeout;       /* rcupdate.rcu_exp_cpu_stall_timeout exists (5.19+) */
	int64_t nocb_groups;             /* 1: rcuog GP kthread per group + rcuo callback kthread; 0: leader/follower rcuo */
};

/* One cell of the table for one profile. */
struct profile_cell_info {
	const char *name; /* as in scenario files: kernel.<name> */
	size_t offset;    /* of the int64_t in struct rcu_profile */
	int64_t low, high;
	const char *const *value_names; /* NULL for a number; else names for 0.. */
	const char *help;
};

/* All profiles, oldest first; *count of them. Static memory. */
const struct rcu_profile *profile_all(size_t *count);

/* The profile called name ("v4.1"), or NULL. */
const struct rcu_profile *profile_find(const char *name);

/* The cells, in table order; *count of them. */
const struct profile_cell_info *profile_cells(size_t *count);

/* Where profile `profile_idx` has the value of cell `cell_idx` from: kernel file and function, versions read. */
const char *profile_cell_source(size_t profile_idx, size_t cell_idx);

/* Value of a cell; its name if the cell has names, else NULL. */
int64_t profile_cell_value(const struct rcu_profile *profile, size_t cell_idx);
const char *profile_cell_value_name(const struct rcu_profile *profile, size_t cell_idx);

#endif
