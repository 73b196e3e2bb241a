/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a boot does by itself when it reaches a level: the scheduler's start and
 * the grace-period kthread (rest_init, the first early_initcall), the change to
 * RUNNING (a core_initcall), high-resolution mode (clocksource_done_booting, an
 * fs_initcall), the end of in-kernel boot. Follows init/main.c, 3.19-6.12; facts:
 * mechanics 2.1, 2.2.
 */
#include "models/oracle.h"
#include "models/rcu.h"

/* do_pre_smp_initcalls(), do_initcall_level(); rootfs is part of fs. */
static void trace_level(struct machine *m, enum boot_level level, int cpu)
{
	bool is_initcall_level = level == LEVEL_EARLY ||
				 (level >= LEVEL_PURE && level <= LEVEL_LATE &&
				  level != LEVEL_ROOTFS);

	if (is_initcall_level)
		TRACE(m, cpu, "initcall_level", "level=%s", boot_level_name(level));
}

void boot_enter_level(struct machine *m, enum boot_level *level, enum boot_level to, int cpu)
{
	while (*level < to) {
		*level = (enum boot_level)(*level + 1);
		trace_level(m, *level, cpu);
		switch (*level) {
		case LEVEL_EARLY: /* rest_init, then the first early_initcall */
			rcu_flags_scheduler_starting(&m->flags);
			rcu_flags_gp_kthread_spawned(&m->flags);
			rcu_spawn_gp_kthread(m);
			break;
		case LEVEL_CORE:
			rcu_flags_runtime_mode(&m->flags);
			break;
		case LEVEL_FS:
			tick_highres_ready(m);
			break;
		case LEVEL_USER:
			if (!rcu_flags_end_inkernel_boot(&m->flags))
				machine_stop(m, RUN_MODEL_ERROR,
					     "rcu_expedited_nesting would fall below 0 at the end of "
					     "in-kernel boot");
			ORACLE(m, oracle_boot_over(m));
			break;
		case LEVEL_START_KERNEL:
		case LEVEL_SMP:
		case LEVEL_PURE:
		case LEVEL_POSTCORE:
		case LEVEL_ARCH:
		case LEVEL_SUBSYS:
		case LEVEL_ROOTFS:
		case LEVEL_DEVICE:
		case LEVEL_LATE:
		case LEVEL_READONLY:
		case LEVEL_COUNT:
			break;
		}
	}
}
