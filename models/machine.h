/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulated machine: what one run owns, all of it in the run's arena.
 * Internal to models/; the rest of the program sees models/model.h.
 *
 * Execution on a CPU is a stack of layers: a base (the idle loop or a task),
 * over it at most one softirq layer, over that at most one hard interrupt.
 * Each layer takes CPU time first and has its effects when the time is over;
 * what an effect itself costs is charged (cpu_charge) and delays whatever the
 * CPU does next, and the IPIs it sends. See docs/machine.md.
 */
#ifndef MODELS_MACHINE_H
#define MODELS_MACHINE_H

#include "models/config.h"
#include "models/model.h"
#include "models/rcu_flags.h"
#include "models/results.h"
#include "models/trace.h"
#include "sim/engine/engine.h"

struct machine;
struct cpu;
struct task;
struct rcu_state;
struct rcu_data;
struct exp_state;
struct stop_state;
struct barrier_state;
struct sr_state;
struct srcu_state;
struct tasks_state;
struct nocb_group;
struct workload_state;
struct worker_pool;
struct sensitive_cpu;
struct pool_worker;
struct oracle;
struct hotplug_state;
struct percpu_rwsem;

/* Same-time order (mechanics 8, condition 20): timers and IPIs before what they cause. */
enum event_priority { PRIO_IRQ = 8, PRIO_CPU = 16 };

enum cpu_ctx { CTX_OFFLINE, CTX_IDLE, CTX_TASK, CTX_SWITCH, CTX_SOFTIRQ, CTX_HARDIRQ };

/* Hard interrupts, in the order a CPU takes those that are pending together. */
enum irq_kind { IRQ_TICK, IRQ_HRTIMER, IRQ_RESCHED, IRQ_CALL, IRQ_KIND_COUNT };

/* Softirqs we model, in the kernel's order: TIMER before RCU (include/linux/interrupt.h). */
enum softirq { SOFTIRQ_TIMER, SOFTIRQ_RCU, SOFTIRQ_COUNT };

enum task_state { TASK_SLEEPING, TASK_RUNNABLE, TASK_RUNNING, TASK_DEAD };

/* Scheduling classes, highest first (kernel/sched/: stop, rt, fair). */
enum task_class { CLASS_STOP, CLASS_RT, CLASS_FAIR };

/*
 * A task's program: called on its CPU when the CPU time it asked for has
 * passed. It must end in exactly one of task_run(), task_sleep(), task_exit().
 */
typedef void task_fn(struct machine *m, struct task *t);

struct task {
	struct machine *machine;
	const char *name;        /* '%' stands for name_cpu: "kworker/%:1" */
	int name_cpu;            /* -1: the name is a user's, taken as it is */
	int pid;                 /* in order of creation */
	task_fn *fn;
	void *data;              /* of fn; borrowed, same arena */
	int state_idx;           /* of fn: where its program stands */
	enum task_state state;
	enum task_class class;
	int cpu;                 /* runs or ran there */
	int bound_cpu;           /* -1: any */
	bool user_mode;          /* its present segment is user code */
	bool is_rcu;             /* its CPU time is RCU's own work */
	bool awaited_by_rcu;     /* its wake-up is RCU's doing: counts in ipi_resched */
	bool latency_sensitive;  /* models/sensitive.c */
	bool call_fn;            /* woken or new: fn is called when it gets the CPU */
	bool timed_out;          /* last task_sleep_jiffies() ended by its timer */
	sim_time_ns left_ns;     /* of the present segment when not on the CPU */
	sim_time_ns vruntime_ns; /* fair class */
	sim_time_ns ran_since_ns; /* switched in, or last accounted */
	sim_time_ns slice_start_ns;
	struct task *next;       /* run queue link */
	/* timer of task_sleep_jiffies() */
	bool timer_armed;
	int timer_cpu;
	int64_t timer_expires;   /* jiffies value of the tick that runs it */
	struct task *timer_next;
	struct sim_handle hrtimer; /* of task_sleep_ns() */
	struct task *wait_next;  /* link in a struct wait_queue */
	bool neighbour_done;     /* its SRCU or Tasks RCU wait is over */
	/* Tasks RCU (models/rcu_tasks.c) */
	struct task *all_next;   /* every task of the run */
	int64_t nvcsw;           /* times it left the CPU by its own will */
	int64_t holdout_nvcsw;
	bool is_holdout;
	/* sections it is in: how deep (models/rcu_readers.c) */
	int rcu_depth;           /* rcu_read_lock() */
	int preempt_off, bh_off, irqs_off;
	int atomic;              /* those of the above that forbid a context switch */
	bool rcu_need_qs;        /* rcu_read_unlock_special: asked to pass a quiescent state, */
	bool rcu_exp_hint;       /* ... for an expedited one */
	bool rcu_boosted;        /* runs with rcub's priority */
	enum task_class own_class; /* while boosted: to go back to */
	struct rcu_node *blkd_node; /* switched out in a reader: its leaf, until the unlock */
	struct task *blkd_prev, *blkd_next; /* links in blkd_tasks */
	struct pool_worker *worker; /* of a worker pool (models/workqueue.c); NULL: none */
};


/* Tasks that sleep for one thing, woken in FIFO order. */
struct wait_queue {
	struct task *head;
	struct task *tail;
};

struct run_queue {
	struct task *head[3]; /* by class; FIFO for stop and rt, by vruntime for fair */
	int runnable;         /* queued, the running task excluded */
	sim_time_ns min_vruntime_ns;
};

struct cpu {
	struct machine *m;
	int id;
	enum cpu_ctx ctx;
	bool online;             /* cpu_online_mask */
	bool active;             /* cpu_active_mask: takes tasks that are not bound to it */
	bool dying;              /* goes off line when it is idle next */
	bool need_resched;
	bool resched_by_rcu;     /* the reschedule IPI under way is RCU's doing */
	struct task *curr;       /* NULL: the idle task */
	struct task *switch_to;  /* target during CTX_SWITCH; NULL: idle */
	struct run_queue rq;

	/* base layer: a task's segment */
	sim_time_ns task_end_ns;
	struct sim_handle task_event;
	sim_time_ns task_event_at_ns;

	/* upper layers */
	enum cpu_ctx irq_over;       /* layer under the hard interrupt */
	enum irq_kind irq;
	enum interruption_cause irq_cause; /* what it is then */
	bool irq_by_rcu;             /* the one under way is RCU's doing */
	unsigned irq_pending;        /* bit per irq_kind */
	sim_time_ns softirq_left_ns; /* of an interrupted softirq */
	sim_time_ns softirq_end_ns;
	struct sim_handle softirq_event;
	unsigned softirq_pending;    /* bit per softirq */
	unsigned softirq_run;        /* those of the present pass still to do */
	enum softirq softirq;
	int softirq_phase;
	int softirq_restarts;
	sim_time_ns charge_ns;       /* cost of effects not yet paid */
	bool over_is_done;           /* the layers over the base have ended, though ctx names one */
	bool wakes_by_call;          /* the reschedule IPI in work is a queued wake-up (5.8+) */
	sim_time_ns stolen_ns;       /* RCU's part of the interruption of a task under way */

	/* EQS: odd while RCU watches this CPU (kernel/rcu: dynticks counter) */
	uint32_t eqs_seq;

	/* tick */
	sim_time_ns tick_next_ns;  /* of the periodic series, past or future */
	bool tick_queued;          /* an event is pending for tick_next_ns */
	bool tick_stopped;         /* nohz idle */
	bool highres;
	struct sim_handle tick_event;
	struct task *timers;       /* sleeping tasks with a timer here, by expiry */
	struct wait_queue hrtimer_due; /* tasks whose hrtimer fired */

	/* function-call IPI: bits of enum call_kind */
	unsigned call_pending;
	bool call_lost;              /* no interrupt announces them any more */
	unsigned ipi_in_flight;      /* bit per irq_kind */

	struct task *ksoftirqd;
	struct rcu_data *rdp;
};

enum call_kind { CALL_EXP_HANDLER = 1, CALL_BARRIER = 2 };

struct machine {
	const struct model_config *cfg;
	const struct platform_costs *cost;
	struct sim_engine *engine;
	struct sim_arena *arena;
	const struct trace_sink *trace; /* NULL: nobody listens */
	int next_pid;
	struct run_totals *totals;
	uint64_t seed;
	uint64_t replication;

	int nr_cpu_ids;
	int online;
	struct cpu *cpus;
	int hz;
	sim_time_ns jiffy_ns;       /* TICK_NSEC */
	sim_time_ns first_edge_ns;  /* jiffies becomes 1 here */
	bool hres_ready;            /* clocksource_done_booting has run */
	bool hres_allowed;          /* highres= or nohz= lets ticks leave periodic mode */
	bool preemptible;           /* kernel code reschedules when asked (voluntary, full) */
	bool preempt_rcu;           /* CONFIG_PREEMPT_RCU */
	sim_time_ns sched_latency_ns, sched_min_gran_ns, sched_wakeup_gran_ns;
	unsigned lane_tick, lane_tick_cost, lane_switch;

	struct rcu_flags flags;
	struct rcu_state *rcu;
	struct exp_state *exp;
	struct stop_state *stop_threads; /* expedited by stoppers, 3.19-4.2 */
	struct hotplug_state *hotplug;
	struct percpu_rwsem *rwsems; /* of the workload, latest first */
	struct barrier_state *barrier;
	struct sr_state *sr;
	struct poll_state *poll;
	struct srcu_state *srcu;
	struct tasks_state *tasks_rcu;
	struct task *all_tasks;
	bool wake_from_gp;          /* normal waits go without a callback (6.10+) */
	struct workload_state *work;
	struct worker_pool *pools;  /* of workqueues, by CPU */
	struct sensitive_cpu *sensitive; /* by CPU; NULL: no task is latency-sensitive */
	struct oracle *oracle;      /* NULL: not checking */

	/* growing records */
	struct wait_record *waits;
	size_t wait_count, wait_capacity;
	struct gp_record *gps;
	size_t gp_count, gp_capacity;
	struct mark_record *marks;
	size_t mark_count, mark_capacity;
	struct stall_record *stalls;
	size_t stall_count, stall_capacity;
	struct interruption_record *interruptions;
	size_t interruption_count, interruption_capacity;

	enum run_stop stop;
	char *stop_text;            /* run_record.stop_text */
	size_t stop_text_size;
};

/* --- machine.c --- */

/* Ends the run with a reason; the first one stays. */
void machine_stop(struct machine *m, enum run_stop why, const char *fmt, ...) RS_PRINTF(3, 4);

/* Appends to a record array in the arena. */
void machine_record_wait(struct machine *m, const struct wait_record *w);
void machine_record_gp(struct machine *m, bool expedited, sim_time_ns start_ns);
void machine_record_mark(struct machine *m, const char *name);
void machine_record_stall(struct machine *m, bool expedited, const char *text);
void machine_record_interruption(struct machine *m, enum interruption_cause cause, sim_time_ns ns);

/* --- cpu.c: layers --- */

/* Appends t / removes and returns the first task, or NULL. */
void wait_queue_add(struct wait_queue *q, struct task *t);
struct task *wait_queue_pop(struct wait_queue *q);

/* Makes CPU time of the present layer cost ns more. */
static inline void cpu_charge(struct cpu *c, sim_time_ns ns)
{
	c->charge_ns += ns;
}
static inline sim_time_ns machine_now(const struct machine *m)
{
	return sim_now(m->engine);
}
/* In an extended quiescent state: RCU does not watch it. */
static inline bool cpu_in_eqs(const struct cpu *c)
{
	return (c->eqs_seq & 1u) == 0;
}
/* A hard interrupt arrives now; pends while interrupts are off. */
void cpu_interrupt(struct cpu *c, enum irq_kind kind);
/* Raises a softirq; from task context it goes to ksoftirqd unless irq layers run. */
void cpu_raise_softirq(struct cpu *c, enum softirq nr);
/* Puts the CPU on line, idle, now; its tick series starts at first_tick_ns. */
void cpu_start(struct cpu *c, sim_time_ns first_tick_ns);
/* As cpu_start() for a machine that is past its boot; highres: ticks left periodic mode. */
void cpu_start_booted(struct cpu *c, sim_time_ns first_tick_ns, bool highres);
/* Starts or resumes the base layer: the task now current, or the idle loop. */
void cpu_resume_base(struct cpu *c);
/* Takes a pending interrupt, if any, over the base layer; true if one was taken. */
bool cpu_take_pending(struct cpu *c);
/* A task's fn ends like task_run(m, t, 0, false), taking what its sections held back first. */
void cpu_sections_left(struct cpu *c, struct task *t);
/* (Re)arms the event that ends the running task's segment. */
void cpu_arm_task(struct cpu *c);
/* Tasks whose hrtimer fires on a CPU off line are woken by another one. */
void cpu_hrtimer_due(struct cpu *c, struct task *t);

/* --- sched.c --- */

void sched_init(struct machine *m);
struct task *task_create(struct machine *m, const char *name, task_fn *fn, void *data, int cpu,
			 int bound_cpu, enum task_class class);
/* From a task's fn only, as its last act: */
void task_run(struct machine *m, struct task *t, sim_time_ns ns, bool user);
void task_sleep(struct machine *m, struct task *t);
void task_sleep_jiffies(struct machine *m, struct task *t, int64_t jiffies);
void task_sleep_ns(struct machine *m, struct task *t, sim_time_ns ns);
/* Busy-waits on its CPU until task_spin_end(). */
void task_spin(struct machine *m, struct task *t);
/* Ends t's busy-wait now: its fn runs as soon as it has the CPU. */
void task_spin_end(struct task *t);
void task_exit(struct machine *m, struct task *t);
/*
 * Wakes t if it sleeps (else nothing), the waker running on `waker` (NULL: none,
 * e.g. the run's start). Pays wakeup_ns on the waker and sends an IPI if needed.
 */
void task_wake(struct machine *m, struct task *t, struct cpu *waker);
/* schedule() on c: only from its base layer, with nothing running over it. */
void sched_switch(struct cpu *c);
/* Moves t to another class, wherever it is; c runs this. */
void sched_set_class(struct machine *m, struct task *t, enum task_class class, struct cpu *c);
/* The scheduler's part of a tick. */
void sched_tick(struct cpu *c);
/* All tasks that wait for c, which runs its stopper, go elsewhere; it takes none any more. */
void sched_cpu_dying(struct cpu *c);
/* The lowest CPU that takes tasks. */
struct cpu *sched_first_active(struct machine *m);
/* Accounts the running task's CPU time up to now. */
void sched_account(struct cpu *c);

/* --- tick.c --- */

void tick_init(struct machine *m);
/* Jiffies: edges of CPU 0's tick series up to now. */
int64_t machine_jiffies(const struct machine *m);
void tick_start(struct cpu *c, sim_time_ns first_ns);
/* The effects of a tick on c, which interrupted `over`. */
void tick_handle(struct cpu *c, enum cpu_ctx over);
/* c has no tick any more. */
void tick_stop(struct cpu *c);
/* The timers of a CPU off line become those of c, which is busy. */
void tick_adopt_timers(struct cpu *c, struct cpu *dead);
/* Runs due timers; the effects of TIMER_SOFTIRQ. */
void tick_run_timers(struct cpu *c);
/* Arms t's timer `jiffies` ahead on its CPU, with the version's rounding; removes it. */
void tick_timer_add(struct machine *m, struct task *t, int64_t jiffies);
void tick_timer_del(struct machine *m, struct task *t);
/* The CPU enters or re-enters the idle loop: keep, stop or park the tick. */
void tick_idle_enter(struct cpu *c);
/* The CPU leaves the idle loop for a task. */
void tick_idle_exit(struct cpu *c);
/* Something may now need c's tick that did not when it went idle. */
void tick_recheck(struct cpu *c);
/* clocksource_done_booting: CPUs leave periodic mode at their next tick. */
void tick_highres_ready(struct machine *m);

/* --- ipi.c --- */

/* Sends a reschedule IPI; counted as RCU's if by_rcu. from: sender, never the target. */
void ipi_resched(struct cpu *from, struct cpu *to, bool by_rcu);
/* smp_call_function_single(to, handler, wait = 0). */
void ipi_call(struct cpu *from, struct cpu *to, enum call_kind kind);
/*
 * The same, but the interrupt gets lost: the call stays in to's queue, and as the
 * queue is not empty, no later call is announced to it.
 */
void ipi_call_lost(struct cpu *from, struct cpu *to, enum call_kind kind);

/* --- sensitive.c: all but the first only if machine.sensitive --- */

void sensitive_init(struct machine *m);
/* RCU takes ns from c's task, for this cause. */
void sensitive_add(struct cpu *c, enum interruption_cause cause, sim_time_ns ns);
/* The interruption of c's task under way, if any, takes ns longer. */
void sensitive_charge(struct cpu *c, sim_time_ns ns);
void sensitive_switch(struct cpu *c, const struct task *prev, const struct task *next);
/* c's task, which is latency-sensitive, goes on. */
void sensitive_resumes(struct cpu *c);

/* --- workload.c --- */

void workload_init(struct machine *m);

/* --- boot_levels.c --- */

/* The boot task, on cpu, goes from *level to a later one, one after the other. */
void boot_enter_level(struct machine *m, enum boot_level *level, enum boot_level to, int cpu);

/* --- workload_controls.c --- */

/* Does a step that changes the expedite controls. */
void workload_control_step(struct machine *m, const struct step *s);

#endif
