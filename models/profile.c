/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of kernel profiles. Each cell stands beside where it was read:
 * file and function of the Linux tree, and the releases it was read in.
 * docs/kernel-profiles.md explains what each cell changes in a run.
 *
 * How each source was read: v3.19 is 3.19.8, v4.1 is 4.1.19, v4.4 is 4.4.11,
 * v4.9 is 4.9, v4.14 is 4.14, v5.10 is 5.10.150, v6.1 is 6.1.192, v6.12 is
 * 6.12.117.
 */
#include "models/profile.h"

#include <string.h>

static const char *const no_yes[] = { "no", "yes", NULL };
static const char *const exp_engine_names[] = { "stoppers", "ipi", NULL };
static const char *const exp_driver_names[] = { "caller", "system_wq", "rcu_gp_wq", "kthread",
						NULL };
static const char *const pm_mode_names[] = { "flag_le256", "nest_le256", "nest", NULL };
static const char *const wake_from_gp_names[] = { "none", "opt_in", "up_to_16_cpus", NULL };
static const char *const polled_api_names[] = { "cond_only", "normal_gps", "any_gp", NULL };
static const char *const slow_cpu_help_names[] = { "mask", "resched", "heavy", "urgent", NULL };
static const char *const cond_resched_qs_names[] = { "no", "counter", "counter_and_scan", "when_urgent",
						     NULL };
static const char *const readonly_wait_names[] = { "none", "barrier", "flush", NULL };

/* Order of the cells in lists; cell_info[] and the sources are indexed by it. */
enum cell_idx {
	IDX_leaf_fanout,
	IDX_fanout,
	IDX_exp_engine,
	IDX_exp_driver,
	IDX_has_nesting,
	IDX_nesting_initial,
	IDX_expedite_boot_option,
	IDX_end_of_boot_drop,
	IDX_has_init_phase,
	IDX_has_rcu_normal,
	IDX_pm_mode,
	IDX_hotplug_fallback,
	IDX_final_wakeup,
	IDX_timer_extra_jiffies,
	IDX_jtsq_hz_div,
	IDX_jtsq_from_fqs,
	IDX_uniprocessor_noop,
	IDX_fast_no_hz,
	IDX_hotplug_rcu_sync,
	IDX_readonly_wait,
	IDX_idle_ipi_reports,
	IDX_srcu_tree,
	IDX_wake_from_gp,
	IDX_polled_api,
	IDX_slow_cpu_help,
	IDX_cond_resched_qs,
	IDX_exp_stall_timeout,
	IDX_nocb_groups,
	CELL_COUNT
};

/* Every int64 of struct rcu_profile but `version`, which names the row, is a cell. */
_Static_assert(CELL_COUNT == (sizeof(struct rcu_profile) - sizeof(((struct rcu_profile *)0)->name)) /
					     sizeof(int64_t) - 1,
	       "each cell of struct rcu_profile has an index");

#define INFO(field, low_, high_, names_, help_) \
	[IDX_##field] = { .name = #field, .offset = offsetof(struct rcu_profile, field), \
			  .low = (low_), .high = (high_), .value_names = (names_), .help = (help_) }

static const struct profile_cell_info cell_info[CELL_COUNT] = {
	INFO(leaf_fanout, 2, 64, NULL, "CPUs for each leaf of the rcu_node tree (RCU_FANOUT_LEAF)"),
	INFO(fanout, 2, 64, NULL, "children for each interior rcu_node (RCU_FANOUT)"),
	INFO(exp_engine, 0, EXP_ENGINE_COUNT - 1, exp_engine_names,
	     "how an expedited grace period reaches the other CPUs"),
	INFO(exp_driver, 0, EXP_DRIVER_COUNT - 1, exp_driver_names,
	     "who runs an expedited grace period once the scheduler is running"),
	INFO(has_nesting, 0, 1, no_yes, "the nestable counter rcu_expedited_nesting exists"),
	INFO(nesting_initial, 0, 1000, NULL, "the counter's value at power-on"),
	INFO(expedite_boot_option, 0, 1, no_yes,
	     "CONFIG_RCU_EXPEDITE_BOOT exists: one more in the counter at power-on"),
	INFO(end_of_boot_drop, 0, 1, no_yes,
	     "rcu_end_inkernel_boot() is called: the counter drops by one before init runs"),
	INFO(has_init_phase, 0, 1, no_yes,
	     "between the scheduler's start and the core initcalls, expedited waits are driven by "
	     "their caller and rcu_normal is ignored"),
	INFO(has_rcu_normal, 0, 1, no_yes, "rcu_normal and rcu_normal_after_boot exist"),
	INFO(pm_mode, 0, PM_MODE_COUNT - 1, pm_mode_names,
	     "what suspend and resume do to the expedite controls"),
	INFO(hotplug_fallback, 0, 1, no_yes,
	     "an expedited wait during CPU hotplug becomes a normal one"),
	INFO(final_wakeup, 0, 1, no_yes,
	     "the last quiescent state wakes the grace-period kthread; without, it sleeps on to "
	     "its timeout"),
	INFO(timer_extra_jiffies, 0, 1, NULL, "jiffies the timer wheel adds to a timeout"),
	INFO(jtsq_hz_div, 1, 1000, NULL,
	     "jiffies_till_sched_qs, age at which slow CPUs get help: HZ divided by this"),
	INFO(jtsq_from_fqs, 0, 1, no_yes,
	     "jiffies_till_sched_qs is at least first + 2 * next FQS interval and grows by nr_cpu_ids / 256"),
	INFO(uniprocessor_noop, 0, 1, no_yes,
	     "without PREEMPT, waits return at once while one CPU is online"),
	INFO(fast_no_hz, 0, 1, no_yes, "CONFIG_RCU_FAST_NO_HZ can be chosen"),
	INFO(hotplug_rcu_sync, 0, 1, no_yes,
	     "the CPU hotplug lock is a percpu_rwsem: taking it for writing waits for a grace period"),
	INFO(readonly_wait, 0, READONLY_WAIT_COUNT - 1, readonly_wait_names,
	     "the wait before read-only data is write-protected"),
	INFO(idle_ipi_reports, 0, 1, no_yes,
	     "without PREEMPT, the expedited IPI handler reports at once when it interrupted idle"),
	INFO(srcu_tree, 0, 1, no_yes,
	     "Tree SRCU: grace periods by work items, a jiffy apart unless expedited"),
	INFO(wake_from_gp, 0, WAKE_FROM_GP_COUNT - 1, wake_from_gp_names,
	     "normal waits without a callback, woken by the grace-period kthread"),
	INFO(polled_api, 0, POLLED_API_COUNT - 1, polled_api_names,
	     "what a cookie of the polled API can be used for, and which grace periods satisfy it"),
	INFO(slow_cpu_help, 0, HELP_COUNT - 1, slow_cpu_help_names,
	     "what scans do for a CPU that does not pass a quiescent state"),
	INFO(cond_resched_qs, 0, COND_RESCHED_COUNT - 1, cond_resched_qs_names,
	     "when a cond_resched() that does not switch is a quiescent state, without PREEMPT"),
	INFO(exp_stall_timeout, 0, 1, no_yes,
	     "rcupdate.rcu_exp_cpu_stall_timeout exists: expedited stalls have a timeout of their own"),
	INFO(nocb_groups, 0, 1, no_yes,
	     "offloading uses a rcuog kthread for each group; otherwise leader and follower rcuo kthreads"),
};

/* clang-format off */

#define ROW_V3_19(CELL) \
	CELL(leaf_fanout, 16, "init/Kconfig RCU_FANOUT_LEAF: default 16, always visible; 3.19.8") \
	CELL(fanout, 64, "init/Kconfig RCU_FANOUT: default 64 if 64BIT; 3.19.8") \
	CELL(exp_engine, EXP_STOPPERS, \
	     "kernel/rcu/tree.c synchronize_sched_expedited: try_stop_cpus; 3.19.8") \
	CELL(exp_driver, EXP_DRIVER_CALLER, \
	     "kernel/rcu/tree.c synchronize_sched_expedited runs in the caller; 3.19.8") \
	CELL(has_nesting, 0, "kernel/rcu/update.c: no rcu_expedited_nesting; 3.19.8, 4.0.5") \
	CELL(nesting_initial, 0, "no counter; 3.19.8, 4.0.5") \
	CELL(expedite_boot_option, 0, "init/Kconfig: no RCU_EXPEDITE_BOOT; 3.19.8, 4.0.5") \
	CELL(end_of_boot_drop, 0, "kernel/rcu/update.c: no rcu_end_inkernel_boot; 3.19.8, 4.0.5") \
	CELL(has_init_phase, 0, \
	     "kernel/rcu/tree.c rcu_scheduler_starting: rcu_scheduler_active is 0 or 1; 3.19.8") \
	CELL(has_rcu_normal, 0, "kernel/rcu/update.c: no rcu_normal; 3.19.8") \
	CELL(pm_mode, PM_FLAG_LE256, \
	     "kernel/rcu/tree.c rcu_pm_notify: rcu_expedited = 1 if nr_cpu_ids <= 256, post writes 0; 3.19.8, 4.0.5") \
	CELL(hotplug_fallback, 1, \
	     "kernel/rcu/tree.c synchronize_sched_expedited: try_get_online_cpus fails; 3.19.8") \
	CELL(final_wakeup, 0, \
	     "kernel/rcu/tree.c rcu_gp_kthread_wake returns when gp_flags is 0; 3.19.8") \
	CELL(timer_extra_jiffies, 0, \
	     "kernel/time/timer.c internal_add_timer: runs in the tick of its expiry; 3.19.8") \
	CELL(jtsq_hz_div, 20, "kernel/rcu/tree.c jiffies_till_sched_qs = HZ / 20; 3.19.8") \
	CELL(jtsq_from_fqs, 0, "kernel/rcu/tree.c jiffies_till_sched_qs: a constant; 3.19.8") \
	CELL(uniprocessor_noop, 1, \
	     "kernel/rcu/tree.c rcu_blocking_is_gp: num_online_cpus() <= 1; 3.19.8") \
	CELL(fast_no_hz, 1, "init/Kconfig RCU_FAST_NO_HZ; 3.19.8") \
	CELL(hotplug_rcu_sync, 0, \
	     "kernel/cpu.c cpu_hotplug_begin: a mutex and a reference count; 3.19.8") \
	CELL(readonly_wait, READONLY_WAIT_NONE, \
	     "init/main.c kernel_init: mark_rodata_ro with no wait before it; 3.19.8") \
	CELL(idle_ipi_reports, 0, "no expedited IPI handler in kernel/rcu/; 3.19.8") \
	CELL(srcu_tree, 0, "kernel/rcu/srcu.c: the caller counts; 3.19.8") \
	CELL(wake_from_gp, WAKE_FROM_GP_NONE, "kernel/rcu/tree.c: no rcu_normal_wake_from_gp; 3.19.8") \
	CELL(polled_api, POLLED_COND_ONLY, "kernel/rcu/tree.c: no start_poll_synchronize_rcu; 3.19.8") \
	CELL(slow_cpu_help, HELP_MASK, \
	     "kernel/rcu/tree.c rcu_implicit_dynticks_qs: rcu_sched_qs_mask, resched_cpu, jiffies_resched += 5; 3.19.8") \
	CELL(cond_resched_qs, COND_RESCHED_NONE, \
	     "include/linux/rcupdate.h cond_resched_rcu_qs: for Tasks RCU only; 3.19.8") \
	CELL(exp_stall_timeout, 0, \
	     "kernel/rcu/tree_plugin.h: stoppers, no expedited stall check; 3.19.8") \
	CELL(nocb_groups, 0, \
	     "kernel/rcu/tree_plugin.h rcu_organize_nocb_kthreads: leaders and followers; 3.19.8")

#define ROW_V4_1(CELL) \
	CELL(leaf_fanout, 16, "init/Kconfig RCU_FANOUT_LEAF: default 16, always visible; 4.1.19") \
	CELL(fanout, 64, "init/Kconfig RCU_FANOUT: default 64 if 64BIT; 4.1.19") \
	CELL(exp_engine, EXP_STOPPERS, \
	     "kernel/rcu/tree.c synchronize_sched_expedited: try_stop_cpus; 4.1.19, 4.2.8") \
	CELL(exp_driver, EXP_DRIVER_CALLER, \
	     "kernel/rcu/tree.c synchronize_sched_expedited runs in the caller; 4.1.19") \
	CELL(has_nesting, 1, "kernel/rcu/update.c rcu_expedited_nesting; 4.1.19") \
	CELL(nesting_initial, 0, \
	     "kernel/rcu/update.c: ATOMIC_INIT(IS_ENABLED(CONFIG_RCU_EXPEDITE_BOOT) ? 1 : 0); 4.1.19") \
	CELL(expedite_boot_option, 1, "init/Kconfig RCU_EXPEDITE_BOOT, default n; 4.1.19") \
	CELL(end_of_boot_drop, 0, \
	     "kernel/rcu/update.c rcu_end_inkernel_boot is defined, no caller in the tree; 4.1.19") \
	CELL(has_init_phase, 0, \
	     "kernel/rcu/tree.c rcu_scheduler_starting: rcu_scheduler_active is 0 or 1; 4.1.19") \
	CELL(has_rcu_normal, 0, "kernel/rcu/update.c: no rcu_normal; 4.1.19") \
	CELL(pm_mode, PM_NEST_LE256, \
	     "kernel/rcu/tree.c rcu_pm_notify: rcu_expedite_gp if nr_cpu_ids <= 256; 4.1.19") \
	CELL(hotplug_fallback, 1, \
	     "kernel/rcu/tree.c synchronize_sched_expedited: try_get_online_cpus fails; 4.1.19") \
	CELL(final_wakeup, 0, \
	     "kernel/rcu/tree.c rcu_gp_kthread_wake returns when gp_flags is 0; 4.1.19") \
	CELL(timer_extra_jiffies, 0, \
	     "kernel/time/timer.c internal_add_timer: runs in the tick of its expiry; 4.1.19") \
	CELL(jtsq_hz_div, 20, "kernel/rcu/tree.c jiffies_till_sched_qs = HZ / 20; 4.1.19") \
	CELL(jtsq_from_fqs, 0, "kernel/rcu/tree.c jiffies_till_sched_qs: a constant; 4.1.19") \
	CELL(uniprocessor_noop, 1, \
	     "kernel/rcu/tree.c rcu_blocking_is_gp: num_online_cpus() <= 1; 4.1.19") \
	CELL(fast_no_hz, 1, "init/Kconfig RCU_FAST_NO_HZ; 4.1.19") \
	CELL(hotplug_rcu_sync, 0, \
	     "kernel/cpu.c cpu_hotplug_begin: a mutex and a reference count; 4.1.19") \
	CELL(readonly_wait, READONLY_WAIT_NONE, \
	     "init/main.c kernel_init: mark_rodata_ro with no wait before it; 4.1.19") \
	CELL(idle_ipi_reports, 0, "no expedited IPI handler in kernel/rcu/; 4.1.19") \
	CELL(srcu_tree, 0, "kernel/rcu/srcu.c: the caller counts; 4.1.19") \
	CELL(wake_from_gp, WAKE_FROM_GP_NONE, "kernel/rcu/tree.c: no rcu_normal_wake_from_gp; 4.1.19") \
	CELL(polled_api, POLLED_COND_ONLY, "kernel/rcu/tree.c: no start_poll_synchronize_rcu; 4.1.19") \
	CELL(slow_cpu_help, HELP_MASK, \
	     "kernel/rcu/tree.c rcu_implicit_dynticks_qs: rcu_sched_qs_mask, resched_cpu, jiffies_resched += 5; 4.1.19") \
	CELL(cond_resched_qs, COND_RESCHED_COUNTER, \
	     "kernel/rcu/tree.c rcu_all_qs: rcu_qs_ctr, read by __rcu_pending and rcu_check_quiescent_state; 4.1.19") \
	CELL(exp_stall_timeout, 0, \
	     "kernel/rcu/tree.c: stoppers, no expedited stall check; 4.1.19") \
	CELL(nocb_groups, 0, \
	     "kernel/rcu/tree_plugin.h rcu_organize_nocb_kthreads: leaders and followers; 4.1.19")

#define ROW_V4_4(CELL) \
	CELL(leaf_fanout, 64, \
	     "kernel/rcu/tree.h RCU_FANOUT_LEAF: word size, as the option is hidden without RCU_EXPERT; 4.4.11") \
	CELL(fanout, 64, "kernel/rcu/tree.h RCU_FANOUT: word size without RCU_EXPERT; 4.4.11") \
	CELL(exp_engine, EXP_IPI, \
	     "kernel/rcu/tree.c sync_rcu_exp_select_cpus: smp_call_function_single; 4.4.11") \
	CELL(exp_driver, EXP_DRIVER_CALLER, \
	     "kernel/rcu/tree.c synchronize_sched_expedited runs in the caller; 4.4.11") \
	CELL(has_nesting, 1, "kernel/rcu/update.c rcu_expedited_nesting; 4.4.11") \
	CELL(nesting_initial, 0, \
	     "kernel/rcu/update.c: ATOMIC_INIT(IS_ENABLED(CONFIG_RCU_EXPEDITE_BOOT) ? 1 : 0); 4.4.11") \
	CELL(expedite_boot_option, 1, "init/Kconfig RCU_EXPEDITE_BOOT, default n; 4.4.11") \
	CELL(end_of_boot_drop, 0, \
	     "kernel/rcu/update.c rcu_end_inkernel_boot is defined, no caller in the tree; 4.4.11") \
	CELL(has_init_phase, 0, \
	     "kernel/rcu/tree.c rcu_scheduler_starting: rcu_scheduler_active is 0 or 1; 4.4.11") \
	CELL(has_rcu_normal, 0, "kernel/rcu/update.c: no rcu_normal; 4.4.11") \
	CELL(pm_mode, PM_NEST_LE256, \
	     "kernel/rcu/tree.c rcu_pm_notify: rcu_expedite_gp if nr_cpu_ids <= 256; 4.4.11") \
	CELL(hotplug_fallback, 0, \
	     "kernel/rcu/tree.c synchronize_sched_expedited: hotplug is not pinned; 4.4.11") \
	CELL(final_wakeup, 1, \
	     "kernel/rcu/tree.c rcu_report_qs_rsp sets RCU_GP_FLAG_FQS before the wake-up; 4.2.8, 4.4.11") \
	CELL(timer_extra_jiffies, 0, \
	     "kernel/time/timer.c internal_add_timer: runs in the tick of its expiry; 4.4.11") \
	CELL(jtsq_hz_div, 20, "kernel/rcu/tree.c jiffies_till_sched_qs = HZ / 20; 4.4.11") \
	CELL(jtsq_from_fqs, 0, "kernel/rcu/tree.c jiffies_till_sched_qs: a constant; 4.4.11") \
	CELL(uniprocessor_noop, 1, \
	     "kernel/rcu/tree.c rcu_blocking_is_gp: num_online_cpus() <= 1; 4.4.11") \
	CELL(fast_no_hz, 1, "init/Kconfig RCU_FAST_NO_HZ; 4.4.11") \
	CELL(hotplug_rcu_sync, 0, \
	     "kernel/cpu.c cpu_hotplug_begin: a mutex and a reference count; 4.4.11") \
	CELL(readonly_wait, READONLY_WAIT_NONE, \
	     "init/main.c kernel_init: mark_rodata_ro with no wait before it; 4.4.11") \
	CELL(idle_ipi_reports, 0, \
	     "kernel/rcu/tree.c sync_sched_exp_handler flags and reschedules always; 4.4.11") \
	CELL(srcu_tree, 0, "kernel/rcu/srcu.c: the caller counts; 4.4.11") \
	CELL(wake_from_gp, WAKE_FROM_GP_NONE, "kernel/rcu/tree.c: no rcu_normal_wake_from_gp; 4.4.11") \
	CELL(polled_api, POLLED_COND_ONLY, "kernel/rcu/tree.c: no start_poll_synchronize_rcu; 4.4.11") \
	CELL(slow_cpu_help, HELP_MASK, \
	     "kernel/rcu/tree.c rcu_implicit_dynticks_qs: rcu_sched_qs_mask, resched_cpu, jiffies_resched += 5; 4.4.11") \
	CELL(cond_resched_qs, COND_RESCHED_COUNTER, \
	     "kernel/rcu/tree.c rcu_all_qs: rcu_qs_ctr, read by __rcu_pending and rcu_check_quiescent_state; 4.4.11") \
	CELL(exp_stall_timeout, 0, \
	     "kernel/rcu/tree.c synchronize_sched_expedited_wait: rcu_jiffies_till_stall_check; 4.4.11") \
	CELL(nocb_groups, 0, \
	     "kernel/rcu/tree_plugin.h rcu_organize_nocb_kthreads: leaders and followers; 4.4.11")

#define ROW_V4_9(CELL) \
	CELL(leaf_fanout, 64, \
	     "kernel/rcu/tree.h RCU_FANOUT_LEAF: word size, as the option is hidden without RCU_EXPERT; 4.9, 4.11") \
	CELL(fanout, 64, "kernel/rcu/tree.h RCU_FANOUT: word size without RCU_EXPERT; 4.9") \
	CELL(exp_engine, EXP_IPI, \
	     "kernel/rcu/tree_exp.h sync_rcu_exp_select_cpus: smp_call_function_single; 4.9") \
	CELL(exp_driver, EXP_DRIVER_SYSTEM_WQ, \
	     "kernel/rcu/tree_exp.h _synchronize_rcu_expedited: schedule_work; 4.9") \
	CELL(has_nesting, 1, "kernel/rcu/update.c rcu_expedited_nesting; 4.9") \
	CELL(nesting_initial, 0, \
	     "kernel/rcu/update.c: ATOMIC_INIT(IS_ENABLED(CONFIG_RCU_EXPEDITE_BOOT) ? 1 : 0); 4.9") \
	CELL(expedite_boot_option, 1, "init/Kconfig RCU_EXPEDITE_BOOT, default n; 4.9, 4.10.17") \
	CELL(end_of_boot_drop, 1, "init/main.c kernel_init calls rcu_end_inkernel_boot; 4.9") \
	CELL(has_init_phase, 0, \
	     "kernel/rcu/tree.c rcu_scheduler_starting: rcu_scheduler_active is 0 or 1; 4.9") \
	CELL(has_rcu_normal, 1, "kernel/rcu/update.c rcu_normal, rcu_gp_is_normal; 4.9") \
	CELL(pm_mode, PM_NEST_LE256, \
	     "kernel/rcu/tree.c rcu_pm_notify: rcu_expedite_gp if nr_cpu_ids <= 256; 4.9, 4.20") \
	CELL(hotplug_fallback, 0, \
	     "kernel/rcu/tree_exp.h _synchronize_rcu_expedited: hotplug is not pinned; 4.9") \
	CELL(final_wakeup, 1, \
	     "kernel/rcu/tree.c rcu_report_qs_rsp sets RCU_GP_FLAG_FQS before the wake-up; 4.9") \
	CELL(timer_extra_jiffies, 1, \
	     "kernel/time/timer.c calc_index rounds up to the next granule; 4.8, 4.9") \
	CELL(jtsq_hz_div, 20, "kernel/rcu/tree.c jiffies_till_sched_qs = HZ / 20; 4.9") \
	CELL(jtsq_from_fqs, 0, "kernel/rcu/tree.c jiffies_till_sched_qs: a constant; 4.9") \
	CELL(uniprocessor_noop, 1, \
	     "kernel/rcu/tree.c rcu_blocking_is_gp: num_online_cpus() <= 1; 4.9") \
	CELL(fast_no_hz, 1, "init/Kconfig RCU_FAST_NO_HZ; 4.9") \
	CELL(hotplug_rcu_sync, 0, \
	     "kernel/cpu.c cpu_hotplug_begin: a mutex and a reference count; 4.9") \
	CELL(readonly_wait, READONLY_WAIT_NONE, \
	     "init/main.c mark_readonly: mark_rodata_ro with no wait before it; 4.9, 4.14") \
	CELL(idle_ipi_reports, 1, \
	     "kernel/rcu/tree_exp.h sync_sched_exp_handler reports if it interrupted idle; 4.9") \
	CELL(srcu_tree, 0, "kernel/rcu/srcu.c: the caller counts; 4.9") \
	CELL(wake_from_gp, WAKE_FROM_GP_NONE, "kernel/rcu/tree.c: no rcu_normal_wake_from_gp; 4.9") \
	CELL(polled_api, POLLED_COND_ONLY, "kernel/rcu/tree.c: no start_poll_synchronize_rcu; 4.9") \
	CELL(slow_cpu_help, HELP_RESCHED, \
	     "kernel/rcu/tree.c rcu_implicit_dynticks_qs: resched_cpu from jtsq on, whatever 2 * jtsq is; 4.9") \
	CELL(cond_resched_qs, COND_RESCHED_COUNTER, \
	     "kernel/rcu/tree.c rcu_all_qs: rcu_qs_ctr, read by __rcu_pending and rcu_check_quiescent_state; 4.9") \
	CELL(exp_stall_timeout, 0, \
	     "kernel/rcu/tree_exp.h synchronize_sched_expedited_wait: rcu_jiffies_till_stall_check; 4.9") \
	CELL(nocb_groups, 0, \
	     "kernel/rcu/tree_plugin.h rcu_organize_nocb_kthreads: leaders and followers; 4.9")

#define ROW_V4_14(CELL) \
	CELL(leaf_fanout, 16, \
	     "include/linux/rcu_node_tree.h RCU_FANOUT_LEAF: 16 without RCU_EXPERT; 4.12-rc1, 4.14") \
	CELL(fanout, 64, \
	     "include/linux/rcu_node_tree.h RCU_FANOUT: word size without RCU_EXPERT; 4.14") \
	CELL(exp_engine, EXP_IPI, \
	     "kernel/rcu/tree_exp.h sync_rcu_exp_select_cpus: smp_call_function_single; 4.14") \
	CELL(exp_driver, EXP_DRIVER_SYSTEM_WQ, \
	     "kernel/rcu/tree_exp.h _synchronize_rcu_expedited: schedule_work; 4.11, 4.14") \
	CELL(has_nesting, 1, "kernel/rcu/update.c rcu_expedited_nesting; 4.14") \
	CELL(nesting_initial, 1, \
	     "kernel/rcu/update.c rcu_expedited_nesting = ATOMIC_INIT(1); 4.11, 4.14") \
	CELL(expedite_boot_option, 0, \
	     "kernel/rcu/Kconfig: RCU_EXPEDITE_BOOT removed in 4.11; 4.14") \
	CELL(end_of_boot_drop, 1, "init/main.c kernel_init calls rcu_end_inkernel_boot; 4.14") \
	CELL(has_init_phase, 1, \
	     "kernel/rcu/tree.c rcu_scheduler_starting, kernel/rcu/update.c rcu_set_runtime_mode; 4.14") \
	CELL(has_rcu_normal, 1, "kernel/rcu/update.c rcu_normal, rcu_gp_is_normal; 4.14") \
	CELL(pm_mode, PM_NEST_LE256, \
	     "kernel/rcu/tree.c rcu_pm_notify: rcu_expedite_gp if nr_cpu_ids <= 256; 4.14, 4.20") \
	CELL(hotplug_fallback, 0, \
	     "kernel/rcu/tree_exp.h _synchronize_rcu_expedited: hotplug is not pinned; 4.14") \
	CELL(final_wakeup, 1, \
	     "kernel/rcu/tree.c rcu_report_qs_rsp sets RCU_GP_FLAG_FQS before the wake-up; 4.14") \
	CELL(timer_extra_jiffies, 1, \
	     "kernel/time/timer.c calc_index rounds up to the next granule; 4.14") \
	CELL(jtsq_hz_div, 20, "kernel/rcu/tree.c jiffies_till_sched_qs = HZ / 20; 4.14") \
	CELL(jtsq_from_fqs, 0, "kernel/rcu/tree.c jiffies_till_sched_qs: a constant; 4.14") \
	CELL(uniprocessor_noop, 1, \
	     "kernel/rcu/tree.c rcu_blocking_is_gp: num_online_cpus() <= 1; 4.14") \
	CELL(fast_no_hz, 1, "kernel/rcu/Kconfig RCU_FAST_NO_HZ; 4.14") \
	CELL(hotplug_rcu_sync, 1, \
	     "kernel/cpu.c cpus_write_lock: percpu_down_write; 4.13.4, 4.14") \
	CELL(readonly_wait, READONLY_WAIT_NONE, \
	     "init/main.c mark_readonly: mark_rodata_ro with no wait before it; 4.14") \
	CELL(idle_ipi_reports, 1, \
	     "kernel/rcu/tree_exp.h sync_sched_exp_handler reports if it interrupted idle; 4.14") \
	CELL(srcu_tree, 1, "kernel/rcu/srcutree.c; 4.14") \
	CELL(wake_from_gp, WAKE_FROM_GP_NONE, "kernel/rcu/tree.c: no rcu_normal_wake_from_gp; 4.14") \
	CELL(polled_api, POLLED_COND_ONLY, "kernel/rcu/tree.c: no start_poll_synchronize_rcu; 4.14") \
	CELL(slow_cpu_help, HELP_HEAVY, \
	     "kernel/rcu/tree.c rcu_implicit_dynticks_qs: rcu_urgent_qs, rcu_need_heavy_qs, half of the stall timeout; 4.14") \
	CELL(cond_resched_qs, COND_RESCHED_SCAN, \
	     "kernel/rcu/tree.c rcu_all_qs: returns without rcu_urgent_qs; rcu_implicit_dynticks_qs reads rcu_qs_ctr; 4.14") \
	CELL(exp_stall_timeout, 0, \
	     "kernel/rcu/tree_exp.h synchronize_sched_expedited_wait: rcu_jiffies_till_stall_check; 4.14") \
	CELL(nocb_groups, 0, \
	     "kernel/rcu/tree_plugin.h rcu_organize_nocb_kthreads: leaders and followers; 4.14")

#define ROW_V5_10(CELL) \
	CELL(leaf_fanout, 16, \
	     "kernel/rcu/Kconfig RCU_FANOUT_LEAF: default 16 without RCU_STRICT_GRACE_PERIOD; 5.10.150") \
	CELL(fanout, 64, "kernel/rcu/Kconfig RCU_FANOUT: default 64 if 64BIT; 5.10.150") \
	CELL(exp_engine, EXP_IPI, \
	     "kernel/rcu/tree_exp.h sync_rcu_exp_select_node_cpus: smp_call_function_single; 5.10.150") \
	CELL(exp_driver, EXP_DRIVER_RCU_GP_WQ, \
	     "kernel/rcu/tree_exp.h synchronize_rcu_expedited: queue_work(rcu_gp_wq); 5.10.150") \
	CELL(has_nesting, 1, "kernel/rcu/update.c rcu_expedited_nesting; 5.10.150") \
	CELL(nesting_initial, 1, \
	     "kernel/rcu/update.c rcu_expedited_nesting = ATOMIC_INIT(1); 5.10.150") \
	CELL(expedite_boot_option, 0, \
	     "kernel/rcu/Kconfig: RCU_EXPEDITE_BOOT removed in 4.11; 5.10.150") \
	CELL(end_of_boot_drop, 1, \
	     "init/main.c kernel_init calls rcu_end_inkernel_boot; 5.10.150") \
	CELL(has_init_phase, 1, \
	     "kernel/rcu/tree.c rcu_scheduler_starting, kernel/rcu/update.c rcu_set_runtime_mode; 5.10.150") \
	CELL(has_rcu_normal, 1, "kernel/rcu/update.c rcu_normal, rcu_gp_is_normal; 5.10.150") \
	CELL(pm_mode, PM_NEST, \
	     "kernel/rcu/tree.c rcu_pm_notify: rcu_expedite_gp always; 5.4, 5.10.150") \
	CELL(hotplug_fallback, 0, \
	     "kernel/rcu/tree_exp.h synchronize_rcu_expedited: hotplug is not pinned; 5.10.150") \
	CELL(final_wakeup, 1, \
	     "kernel/rcu/tree.c rcu_report_qs_rsp sets RCU_GP_FLAG_FQS before the wake-up; 5.10.150") \
	CELL(timer_extra_jiffies, 1, \
	     "kernel/time/timer.c calc_index rounds up to the next granule; 5.10.150") \
	CELL(jtsq_hz_div, 10, \
	     "kernel/rcu/tree.c adjust_jiffies_till_sched_qs: HZ / 10 + nr_cpu_ids / 256; 5.10.150") \
	CELL(jtsq_from_fqs, 1, \
	     "kernel/rcu/tree.c adjust_jiffies_till_sched_qs: first + 2 * next, at least HZ / 10 + n / 256; 4.20, 5.10.150") \
	CELL(uniprocessor_noop, 1, \
	     "kernel/rcu/tree.c rcu_blocking_is_gp: num_online_cpus() <= 1 without PREEMPTION; 5.10.150") \
	CELL(fast_no_hz, 1, "kernel/rcu/Kconfig RCU_FAST_NO_HZ; 5.10.150, 5.15.145") \
	CELL(hotplug_rcu_sync, 1, "kernel/cpu.c cpus_write_lock: percpu_down_write; 5.10.150") \
	CELL(readonly_wait, READONLY_WAIT_BARRIER, \
	     "init/main.c mark_readonly: rcu_barrier before mark_rodata_ro; 5.4, 5.10.150") \
	CELL(idle_ipi_reports, 1, \
	     "kernel/rcu/tree_exp.h rcu_exp_handler (!PREEMPT) reports if it interrupted idle; 5.10.150") \
	CELL(srcu_tree, 1, "kernel/rcu/srcutree.c; 5.10.150") \
	CELL(wake_from_gp, WAKE_FROM_GP_NONE, "kernel/rcu/tree.c: no rcu_normal_wake_from_gp; 5.10.150") \
	CELL(polled_api, POLLED_COND_ONLY, "kernel/rcu/tree.c: no start_poll_synchronize_rcu; 5.10.150") \
	CELL(slow_cpu_help, HELP_URGENT, \
	     "kernel/rcu/tree.c rcu_implicit_dynticks_qs: urgent after jtsq, heavy after 2 * jtsq, last_fqs_resched; 5.10.150") \
	CELL(cond_resched_qs, COND_RESCHED_URGENT, \
	     "kernel/rcu/tree_plugin.h rcu_all_qs, called by kernel/sched/core.c _cond_resched; 5.10.150") \
	CELL(exp_stall_timeout, 0, \
	     "kernel/rcu/tree_exp.h synchronize_rcu_expedited_wait: rcu_jiffies_till_stall_check; 5.10.150") \
	CELL(nocb_groups, 1, \
	     "kernel/rcu/tree_plugin.h rcu_spawn_one_nocb_kthread: rcuog and rcuo kthreads; 5.10.150")

#define ROW_V6_1(CELL) \
	CELL(leaf_fanout, 16, "kernel/rcu/Kconfig RCU_FANOUT_LEAF: default 16; 6.1.192") \
	CELL(fanout, 64, "kernel/rcu/Kconfig RCU_FANOUT: default 64 if 64BIT; 6.1.192") \
	CELL(exp_engine, EXP_IPI, \
	     "kernel/rcu/tree_exp.h __sync_rcu_exp_select_node_cpus: smp_call_function_single; 6.1.192") \
	CELL(exp_driver, EXP_DRIVER_RCU_GP_WQ, \
	     "kernel/rcu/tree_exp.h synchronize_rcu_expedited_queue_work: rcu_gp_wq without RCU_EXP_KTHREAD; 6.1.192") \
	CELL(has_nesting, 1, "kernel/rcu/update.c rcu_expedited_nesting; 6.1.192") \
	CELL(nesting_initial, 1, \
	     "kernel/rcu/update.c rcu_expedited_nesting = ATOMIC_INIT(1); 4.11, 6.1.192") \
	CELL(expedite_boot_option, 0, "kernel/rcu/Kconfig: RCU_EXPEDITE_BOOT removed in 4.11; 6.1.192") \
	CELL(end_of_boot_drop, 1, "init/main.c kernel_init calls rcu_end_inkernel_boot; 6.1.192") \
	CELL(has_init_phase, 1, \
	     "kernel/rcu/tree.c rcu_scheduler_starting, kernel/rcu/update.c rcu_set_runtime_mode; 6.1.192") \
	CELL(has_rcu_normal, 1, "kernel/rcu/update.c rcu_normal, rcu_gp_is_normal; 6.1.192") \
	CELL(pm_mode, PM_NEST, "kernel/rcu/tree.c rcu_pm_notify: rcu_expedite_gp always; 5.4, 6.1.192") \
	CELL(hotplug_fallback, 0, \
	     "kernel/rcu/tree_exp.h synchronize_rcu_expedited: hotplug is not pinned; 6.1.192") \
	CELL(final_wakeup, 1, \
	     "kernel/rcu/tree.c rcu_report_qs_rsp sets RCU_GP_FLAG_FQS before the wake-up; 6.1.192") \
	CELL(timer_extra_jiffies, 1, \
	     "kernel/time/timer.c calc_index rounds up to the next granule; 6.1.192") \
	CELL(jtsq_hz_div, 10, \
	     "kernel/rcu/tree.c adjust_jiffies_till_sched_qs: HZ / 10 + nr_cpu_ids / 256; 6.1.192") \
	CELL(jtsq_from_fqs, 1, \
	     "kernel/rcu/tree.c adjust_jiffies_till_sched_qs: first + 2 * next, at least HZ / 10 + n / 256; 6.1.192") \
	CELL(uniprocessor_noop, 0, \
	     "kernel/rcu/tree.c rcu_blocking_is_gp: RCU_SCHEDULER_INACTIVE only; 6.1.192") \
	CELL(fast_no_hz, 0, "kernel/rcu/Kconfig: RCU_FAST_NO_HZ removed; 5.15.145 has it, 6.1.192 not") \
	CELL(hotplug_rcu_sync, 1, "kernel/cpu.c cpus_write_lock: percpu_down_write; 4.13.4, 6.1.192") \
	CELL(readonly_wait, READONLY_WAIT_FLUSH, \
	     "init/main.c mark_readonly: flush_module_init_free_work; 6.1.192") \
	CELL(idle_ipi_reports, 1, \
	     "kernel/rcu/tree_exp.h rcu_exp_handler (!PREEMPT) reports if it interrupted idle; 6.1.192") \
	CELL(srcu_tree, 1, "kernel/rcu/srcutree.c; 6.1.192") \
	CELL(wake_from_gp, WAKE_FROM_GP_NONE, "kernel/rcu/tree.c: no rcu_normal_wake_from_gp; 6.1.192") \
	CELL(polled_api, POLLED_ANY_GP, "kernel/rcu/tree.c start_poll_synchronize_rcu, rcu_poll_gp_seq_start; 6.1.192") \
	CELL(slow_cpu_help, HELP_URGENT, \
	     "kernel/rcu/tree.c rcu_implicit_dynticks_qs: urgent after jtsq, heavy after 2 * jtsq, last_fqs_resched; 6.1.192") \
	CELL(cond_resched_qs, COND_RESCHED_URGENT, \
	     "kernel/rcu/tree_plugin.h rcu_all_qs, called by kernel/sched/core.c __cond_resched; 6.1.192") \
	CELL(exp_stall_timeout, 1, \
	     "kernel/rcu/tree_stall.h rcu_exp_jiffies_till_stall_check; 6.1.192") \
	CELL(nocb_groups, 1, \
	     "kernel/rcu/tree_nocb.h rcu_spawn_cpu_nocb_kthread: rcuog and rcuo kthreads; 6.1.192")

#define ROW_V6_12(CELL) \
	CELL(leaf_fanout, 16, \
	     "kernel/rcu/Kconfig RCU_FANOUT_LEAF: default 16 without RCU_STRICT_GRACE_PERIOD; 6.12.117") \
	CELL(fanout, 64, "kernel/rcu/Kconfig RCU_FANOUT: default 64 if 64BIT; 6.12.117") \
	CELL(exp_engine, EXP_IPI, \
	     "kernel/rcu/tree_exp.h __sync_rcu_exp_select_node_cpus: smp_call_function_single; 6.12.117") \
	CELL(exp_driver, EXP_DRIVER_KTHREAD, \
	     "kernel/rcu/tree_exp.h synchronize_rcu_expedited_queue_work: rcu_exp_gp_kworker in every config; 6.12.117") \
	CELL(has_nesting, 1, "kernel/rcu/update.c rcu_expedited_nesting; 6.12.117") \
	CELL(nesting_initial, 1, \
	     "kernel/rcu/update.c rcu_expedited_nesting = ATOMIC_INIT(1); 6.12.117") \
	CELL(expedite_boot_option, 0, \
	     "kernel/rcu/Kconfig: RCU_EXPEDITE_BOOT removed in 4.11; 6.12.117") \
	CELL(end_of_boot_drop, 1, \
	     "init/main.c kernel_init calls rcu_end_inkernel_boot; 6.12.117") \
	CELL(has_init_phase, 1, \
	     "kernel/rcu/tree.c rcu_scheduler_starting, kernel/rcu/update.c rcu_set_runtime_mode; 6.12.117") \
	CELL(has_rcu_normal, 1, "kernel/rcu/update.c rcu_normal, rcu_gp_is_normal; 6.12.117") \
	CELL(pm_mode, PM_NEST, \
	     "kernel/rcu/tree.c rcu_pm_notify: rcu_expedite_gp always; 6.12.117") \
	CELL(hotplug_fallback, 0, \
	     "kernel/rcu/tree_exp.h synchronize_rcu_expedited: hotplug is not pinned; 6.12.117") \
	CELL(final_wakeup, 1, \
	     "kernel/rcu/tree.c rcu_report_qs_rsp sets RCU_GP_FLAG_FQS before the wake-up; 6.12.117") \
	CELL(timer_extra_jiffies, 1, \
	     "kernel/time/timer.c calc_index rounds up to the next granule; 6.12.117") \
	CELL(jtsq_hz_div, 10, \
	     "kernel/rcu/tree.c adjust_jiffies_till_sched_qs: HZ / 10 + nr_cpu_ids / 256; 6.12.117") \
	CELL(jtsq_from_fqs, 1, \
	     "kernel/rcu/tree.c adjust_jiffies_till_sched_qs: first + 2 * next, at least HZ / 10 + n / 256; 6.12.117") \
	CELL(uniprocessor_noop, 0, \
	     "kernel/rcu/tree.c rcu_blocking_is_gp: RCU_SCHEDULER_INACTIVE only; 6.12.117") \
	CELL(fast_no_hz, 0, "kernel/rcu/Kconfig: no RCU_FAST_NO_HZ; 6.1.192, 6.12.117") \
	CELL(hotplug_rcu_sync, 1, "kernel/cpu.c cpus_write_lock: percpu_down_write; 6.12.117") \
	CELL(readonly_wait, READONLY_WAIT_FLUSH, \
	     "init/main.c mark_readonly: flush_module_init_free_work; 6.12.117") \
	CELL(idle_ipi_reports, 1, \
	     "kernel/rcu/tree_exp.h rcu_exp_handler (!PREEMPT) reports if it interrupted idle; 6.12.117") \
	CELL(srcu_tree, 1, "kernel/rcu/srcutree.c; 6.12.117") \
	CELL(wake_from_gp, WAKE_FROM_GP_OPT_IN, \
	     "kernel/rcu/tree.c rcu_normal_wake_from_gp, default 0; 6.12.117") \
	CELL(polled_api, POLLED_ANY_GP, "kernel/rcu/tree.c start_poll_synchronize_rcu, rcu_poll_gp_seq_start; 6.12.117") \
	CELL(slow_cpu_help, HELP_URGENT, \
	     "kernel/rcu/tree.c rcu_watching_snap_recheck: urgent after jtsq, heavy after 2 * jtsq, last_fqs_resched; 6.12.117") \
	CELL(cond_resched_qs, COND_RESCHED_URGENT, \
	     "kernel/rcu/tree_plugin.h rcu_all_qs, called by kernel/sched/core.c __cond_resched; 6.12.117") \
	CELL(exp_stall_timeout, 1, \
	     "kernel/rcu/tree_stall.h rcu_exp_jiffies_till_stall_check; 6.12.117") \
	CELL(nocb_groups, 1, \
	     "kernel/rcu/tree_nocb.h rcu_spawn_cpu_nocb_kthread: rcuog and rcuo kthreads; 6.12.117")

#define VALUE(field, value, text) .field = (value),
#define SOURCE(field, value, text) [IDX_##field] = (text),

static const struct rcu_profile profiles[] = {
	{ .name = "v3.19", .version = 319, ROW_V3_19(VALUE) },
	{ .name = "v4.1", .version = 401, ROW_V4_1(VALUE) },
	{ .name = "v4.4", .version = 404, ROW_V4_4(VALUE) },
	{ .name = "v4.9", .version = 409, ROW_V4_9(VALUE) },
	{ .name = "v4.14", .version = 414, ROW_V4_14(VALUE) },
	{ .name = "v5.10", .version = 510, ROW_V5_10(VALUE) },
	{ .name = "v6.1", .version = 601, ROW_V6_1(VALUE) },
	{ .name = "v6.12", .version = 612, ROW_V6_12(VALUE) },
};

static const char *const sources[][CELL_COUNT] = {
	{ ROW_V3_19(SOURCE) },
	{ ROW_V4_1(SOURCE) },
	{ ROW_V4_4(SOURCE) },
	{ ROW_V4_9(SOURCE) },
	{ ROW_V4_14(SOURCE) },
	{ ROW_V5_10(SOURCE) },
	{ ROW_V6_1(SOURCE) },
	{ ROW_V6_12(SOURCE) },
};

/* clang-format on */

#define PROFILE_COUNT (sizeof(profiles) / sizeof(profiles[0]))

_Static_assert(sizeof(sources) / sizeof(sources[0]) == PROFILE_COUNT,
	       "each profile has a row of sources");

const struct rcu_profile *profile_all(size_t *count)
{
	*count = PROFILE_COUNT;
	return profiles;
}

const struct rcu_profile *profile_find(const char *name)
{
	for (size_t i = 0; i < PROFILE_COUNT; i++)
		if (strcmp(profiles[i].name, name) == 0)
			return &profiles[i];
	return NULL;
}

const struct profile_cell_info *profile_cells(size_t *count)
{
	*count = CELL_COUNT;
	return cell_info;
}

const char *profile_cell_source(size_t profile_idx, size_t cell_idx)
{
	RS_REQUIRE(profile_idx < PROFILE_COUNT);
	RS_REQUIRE(cell_idx < CELL_COUNT);
	return sources[profile_idx][cell_idx];
}

int64_t profile_cell_value(const struct rcu_profile *profile, size_t cell_idx)
{
	int64_t value;

	RS_REQUIRE(cell_idx < CELL_COUNT);
	memcpy(&value, (const char *)profile + cell_info[cell_idx].offset, sizeof(value));
	return value;
}

const char *profile_cell_value_name(const struct rcu_profile *profile, size_t cell_idx)
{
	int64_t value = profile_cell_value(profile, cell_idx);
	const struct profile_cell_info *info = &cell_info[cell_idx];

	if (!info->value_names || value < info->low || value > info->high)
		return NULL;
	return info->value_names[value];
}
