/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plain, immutable input of one model run: kernel, machine, platform costs,
 * boot program and workload tasks. The scenario layer fills it from a file;
 * tests fill it by hand from model_config_default(). Nothing in here changes
 * during a run, so many threads may share one.
 */
#ifndef MODELS_CONFIG_H
#define MODELS_CONFIG_H

#include "models/profile.h"
#include "sim/engine/base.h"
#include "sim/engine/dist.h"

#define CPUS_MAX 8192
struct cpu_mask {
	uint64_t word[CPUS_MAX / 64];
};
static inline bool cpu_mask_has(const struct cpu_mask *m, int cpu)
{
	return (m->word[cpu / 64] >> (cpu % 64)) & 1u;
}
static inline void cpu_mask_set(struct cpu_mask *m, int cpu)
{
	m->word[cpu / 64] |= UINT64_C(1) << (cpu % 64);
}
static inline void cpu_mask_clear(struct cpu_mask *m, int cpu)
{
	m->word[cpu / 64] &= ~(UINT64_C(1) << (cpu % 64));
}

enum preempt_model { PREEMPT_NONE, PREEMPT_VOLUNTARY, PREEMPT_FULL, PREEMPT_MODEL_COUNT };

/*
 * Costs of the machine in ns: a named set from scenarios/platforms/, single
 * ones overridable (path machine.costs.<name>). Sources stand in the platform file.
 */
struct platform_costs {
	sim_time_ns context_switch_ns;  /* switch from one task to another, either may be idle */
	sim_time_ns wakeup_ns;          /* try_to_wake_up, paid by the waker */
	sim_time_ns idle_exit_ns;       /* interrupt arrival at an idle CPU to its first instruction */
	sim_time_ns tick_ns;            /* scheduler tick: hard-interrupt part */
	sim_time_ns timer_softirq_ns;   /* TIMER_SOFTIRQ that runs at least one timer */
	sim_time_ns rcu_softirq_ns;     /* RCU_SOFTIRQ / rcu_core without its tree walk and callbacks */
	sim_time_ns ipi_send_ns;        /* sender's time for one IPI */
	sim_time_ns ipi_deliver_ns;     /* send to handler entry on a running CPU */
	sim_time_ns ipi_handle_ns;      /* function-call IPI handler, entry to exit */
	sim_time_ns resched_handle_ns;  /* reschedule IPI handler, entry to exit */
	sim_time_ns node_walk_ns;       /* one rcu_node visited under its lock */
	sim_time_ns cpu_scan_ns;        /* reading one CPU's EQS (dyntick) counter */
	sim_time_ns call_rcu_ns;        /* enqueueing one callback */
	sim_time_ns callback_ns;        /* invoking one callback */
	sim_time_ns sync_ns;            /* synchronize_rcu()'s own work around the wait */
	sim_time_ns stopper_ns;         /* a stopper's work item: barrier and completion */
	sim_time_ns work_item_ns;       /* queueing and dequeueing one work item */
};

struct kernel_config {
	struct rcu_profile profile;      /* a copy; cells may be overridden */
	/* build-time options */
	bool expedite_boot;              /* CONFIG_RCU_EXPEDITE_BOOT (where the profile has it) */
	bool fast_no_hz;                 /* CONFIG_RCU_FAST_NO_HZ (where the profile has it) */
	/* boot parameters; -1 = not given where noted */
	bool rcu_expedited;              /* rcupdate.rcu_expedited */
	bool rcu_normal;                 /* rcupdate.rcu_normal */
	bool rcu_normal_after_boot;      /* rcupdate.rcu_normal_after_boot */
	int64_t jiffies_till_first_fqs;  /* rcutree.jiffies_till_first_fqs; -1 */
	int64_t jiffies_till_next_fqs;   /* rcutree.jiffies_till_next_fqs; -1 */
	int64_t jiffies_till_sched_qs;   /* rcutree.jiffies_till_sched_qs; -1 */
	int64_t rcu_normal_wake_from_gp; /* rcutree.rcu_normal_wake_from_gp; -1 */
	int64_t rcu_fanout_leaf;         /* rcutree.rcu_fanout_leaf; -1 */
	bool rcu_fanout_exact;           /* rcutree.rcu_fanout_exact */
	int64_t blimit;                  /* rcutree.blimit; default 10 */
	int64_t qhimark;                 /* rcutree.qhimark; default 10000 */
	int64_t qlowmark;                /* rcutree.qlowmark; default 100 */
	bool nohz;                       /* nohz=on|off: idle CPUs may stop their tick */
	bool highres;                    /* highres=on|off */
	bool skew_tick;                  /* skew_tick=1 */
	bool rcu_boost;                  /* CONFIG_RCU_BOOST (preempt full) */
	int64_t rcu_cpu_stall_timeout;   /* rcupdate.rcu_cpu_stall_timeout in s; default 21 */
	int64_t rcu_exp_cpu_stall_timeout; /* rcupdate.rcu_exp_cpu_stall_timeout in ms; 0: as the normal one */
	bool rcu_cpu_stall_suppress;     /* rcupdate.rcu_cpu_stall_suppress */
	bool rcu_exp_kthread;            /* CONFIG_RCU_EXP_KTHREAD (5.19+): FIFO kthread workers */
	int64_t rcu_boost_delay_ms;      /* CONFIG_RCU_BOOST_DELAY; default 500 */
};

struct machine_config {
	int64_t cpus;          /* possible CPUs = nr_cpu_ids, 1..CPUS_MAX */
	int64_t cpus_online;   /* started at boot (maxcpus=); 1..cpus */
	int64_t hz;            /* CONFIG_HZ: 100, 250, 300, 1000 (any 12..1000 accepted) */
	int64_t preempt;       /* enum preempt_model */
	struct cpu_mask nocb;  /* offloaded CPUs (rcu_nocbs=) */
	struct dist tick_phase; /* time of CPU 0's first tick after time 0 */
	bool booted;           /* true: start as after boot (no boot program): all CPUs online,
	                          high-resolution mode if allowed, in-kernel boot over */
	bool periodic;         /* booted machines only: ticks still periodic with per-CPU phases,
	                          as during boot before high-resolution mode */
	struct platform_costs costs;
};

/* Levels of the boot in order (init/main.c); a step's level never decreases. */
enum boot_level {
	LEVEL_START_KERNEL, /* before rcu_scheduler_starting */
	LEVEL_EARLY,        /* early_initcalls; rcu_spawn_gp_kthread is the first */
	LEVEL_SMP,          /* smp_init */
	LEVEL_PURE,
	LEVEL_CORE,
	LEVEL_POSTCORE,
	LEVEL_ARCH,
	LEVEL_SUBSYS,
	LEVEL_FS,           /* clocksource_done_booting: high-resolution mode from here */
	LEVEL_ROOTFS,
	LEVEL_DEVICE,
	LEVEL_LATE,
	LEVEL_READONLY,     /* free_initmem, mark_readonly */
	LEVEL_USER,         /* after rcu_end_inkernel_boot */
	LEVEL_COUNT
};

/* What kernel code can be inside of; all but the first keep a task on its CPU. */
enum section {
	SECTION_RCU,     /* rcu_read_lock() */
	SECTION_PREEMPT, /* preempt_disable() */
	SECTION_BH,      /* local_bh_disable(): softirqs off */
	SECTION_IRQS,    /* local_irq_disable() */
	SECTION_COUNT
};

enum step_kind {
	STEP_RUN,             /* kernel-mode CPU work for `duration` */
	STEP_RUN_USER,        /* user-mode CPU work */
	STEP_SLEEP,           /* block for `duration` (wall time), then run again */
	STEP_SYNC,            /* synchronize_rcu() */
	STEP_SYNC_EXPEDITED,  /* synchronize_rcu_expedited() */
	STEP_CALL_RCU,        /* call_rcu(), do not wait; `count` callbacks */
	STEP_CALL_RCU_WAIT,   /* call_rcu() and wait for the callback: never expedited */
	STEP_SYNC_SRCU,       /* synchronize_srcu() */
	STEP_SYNC_SRCU_EXPEDITED,
	STEP_SYNC_TASKS,      /* synchronize_rcu_tasks() */
	STEP_SYNC_TASKS_RUDE, /* synchronize_rcu_tasks_rude() */
	STEP_RCU_BARRIER,     /* rcu_barrier(): wait for all callbacks queued so far */
	STEP_EXPEDITE,        /* rcu_expedite_gp() */
	STEP_UNEXPEDITE,      /* rcu_unexpedite_gp() */
	STEP_SET_EXPEDITED,   /* write `count` to /sys/kernel/rcu_expedited */
	STEP_SET_NORMAL,      /* write `count` to /sys/kernel/rcu_normal */
	STEP_PM_PREPARE,      /* PM_SUSPEND_PREPARE / PM_HIBERNATION_PREPARE notifier */
	STEP_PM_POST,         /* PM_POST_SUSPEND / PM_POST_HIBERNATION notifier */
	STEP_BRING_UP,        /* start the secondary CPUs, each taking `duration` */
	STEP_GROUP,           /* an initcall or block: runs `body`; label names it */
	STEP_LOOP,            /* runs `body` `count` times (-1: until the run ends) */
	STEP_SPAWN,           /* starts a task running `body`; goes on at once */
	STEP_MARK,            /* records the time under label; the end mark stops the run */
	STEP_READ,            /* rcu_read_lock(), `body`, rcu_read_unlock(); `count`: the region
	                         the unlock stands in (enum section, SECTION_RCU: none), which
	                         goes on for `duration` after it */
	STEP_PREEMPT_OFF,     /* `body` with preemption disabled */
	STEP_BH_OFF,          /* `body` with softirqs disabled */
	STEP_IRQS_OFF,        /* `body` with interrupts disabled */
	STEP_OFFLINE,         /* CPU `cpu` goes off line; `duration` of it is not RCU's */
	STEP_ONLINE,          /* CPU `cpu` comes on line; likewise */
	STEP_SMT,             /* all CPUs but every `cpu`-th go (`count` 0) or come, one at a time */
	STEP_PERCPU_WRITE,    /* `body` as a writer of the percpu_rwsem called `label` */
	STEP_QUEUE_WORK,      /* queue_work_on(): a worker of CPU `cpu` (-1: this one) runs `body` */
	STEP_GET_STATE,       /* get_state_synchronize_rcu() into the cookie `label` */
	STEP_START_POLL,      /* start_poll_synchronize_rcu() into it */
	STEP_POLL,            /* poll_state_synchronize_rcu() of it; the first time done is a mark */
	STEP_COND_SYNC,       /* cond_synchronize_rcu() of it */
	STEP_KIND_COUNT
};

struct step {
	enum step_kind kind;
	enum boot_level level;   /* boot programs only: level this step belongs to */
	const char *label;       /* mark, initcall or cookie name, or NULL; borrowed */
	struct dist duration;    /* where the kind has one */
	int64_t count;           /* where the kind has one */
	int cpu;                 /* STEP_SPAWN: CPU the task is bound to, -1 = any; STEP_QUEUE_WORK;
	                            STEP_OFFLINE, STEP_ONLINE; STEP_SMT: threads of a core */
	uint32_t id;             /* unique in the config, equal across variants for the same
	                            step of the file: names the random stream and the wait */
	sim_time_ns cond_resched_ns; /* STEP_RUN: calls cond_resched() that often; 0: never */
	bool cond_resched_rcu_qs;    /* and it is cond_resched_rcu_qs() */
	const struct step *body; /* borrowed */
	size_t body_count;
};

/* A task of a workload (machine.booted) beside the boot task. */
struct task_config {
	const char *name;
	int cpu; /* bound to it; -1 = any */
	const struct step *steps;
	size_t step_count;
};

/* Things that go wrong on purpose. */
struct fault_config {
	int64_t lose_ipi; /* the n-th selection IPI of the run is lost; 0: none */
};

struct model_config {
	struct kernel_config kernel;
	struct machine_config machine;
	struct fault_config faults;
	const struct step *boot_steps; /* machine.booted = false */
	size_t boot_step_count;
	const struct task_config *tasks; /* machine.booted = true */
	size_t task_count;
	const bool *task_is_sensitive; /* by task: what RCU interrupts it for is recorded, it must be
	                                  bound; NULL: no task */
	const char *end_mark;          /* the run ends at this mark; NULL: when all tasks are done */
	sim_time_ns time_limit_ns;     /* default 3600 s of virtual time */
	uint64_t event_limit;          /* default 10^10 */
};

/*
 * Fills *config with defaults: profile v6.1, 1 CPU, HZ 250, preempt none, no
 * NOCB, nohz and highres on, boot parameters as the kernel's defaults, tick
 * phase uniform over a jiffy, no steps, costs all zero.
 */
void model_config_default(struct model_config *config);

/*
 * Rules no single parameter can state: online <= possible, levels that decrease,
 * bring_up twice, expedite where the profile has no counter, nohz without ticks,
 * masks beyond the CPUs, an end mark no step sets. On false *why holds the text
 * (static or inside buf) and *step_id the step it is about (0: none).
 */
bool model_config_check(const struct model_config *config, char *buf, size_t buf_size,
			uint32_t *step_id);

const char *boot_level_name(enum boot_level level);    /* "postcore" */
const char *preempt_model_name(enum preempt_model preempt); /* "none" */
const char *step_kind_name(enum step_kind kind);       /* as in scenario files: "synchronize_rcu" */

#endif
