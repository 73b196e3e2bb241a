/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one run measured: filled by the model, read by experiment and writers. */
#ifndef MODELS_RESULTS_H
#define MODELS_RESULTS_H

#include "sim/engine/base.h"
#include "sim/engine/engine.h"

/* Which way a wait took. */
enum wait_path {
	WAIT_NOOP,      /* returned at once: vacuous (mechanics 2.3, 2.4) */
	WAIT_NORMAL,
	WAIT_EXPEDITED,
	WAIT_CALLBACK,  /* call_rcu and wait */
	WAIT_BARRIER,   /* rcu_barrier */
	WAIT_SRCU,      /* synchronize_srcu */
	WAIT_TASKS,     /* synchronize_rcu_tasks, _rude */
	WAIT_PATH_COUNT
};

/* One synchronous wait. */
struct wait_record {
	uint32_t step_id;
	enum wait_path path;
	bool on_boot_path;      /* made by the boot task (or the first workload task) */
	sim_time_ns start_ns;
	sim_time_ns end_ns;     /* when the caller runs again */
};

/* One grace period that completed. */
struct gp_record {
	bool expedited;
	sim_time_ns start_ns;
	sim_time_ns end_ns;
};

struct mark_record {
	const char *name; /* borrowed from the config */
	sim_time_ns at_ns;
};

/* Why the run ended. */
enum run_stop {
	RUN_COMPLETED,   /* end mark reached, or all tasks done */
	RUN_TIME_LIMIT,
	RUN_EVENT_LIMIT,
	RUN_DEADLOCK,    /* no event left while a task waits */
	RUN_MODEL_ERROR, /* a workload error: e.g. rcu_unexpedite_gp() below zero */
	RUN_VIOLATION,   /* the oracle found a correctness condition broken */
	RUN_STOP_COUNT
};

/* Totals of a run up to the end mark; names equal the output's (models/metrics.c). */
struct run_totals {
	int64_t boot_time_ns;        /* virtual time at the end mark (or end of run) */
	int64_t gp_normal;
	int64_t gp_expedited;
	int64_t wait_noop;           /* synchronous waits by path taken, all tasks */
	int64_t wait_normal;
	int64_t wait_expedited;
	int64_t wait_ns;             /* blocked in waits on the boot path */
	int64_t ipi_exp;             /* function-call IPIs of expedited selection */
	int64_t ipi_resched;         /* reschedule IPIs due to RCU: wake-ups of and by its threads, urging slow CPUs */
	int64_t ipi_barrier;         /* function-call IPIs of rcu_barrier */
	int64_t stopper_wakeups;     /* stopper works (to 4.2) */
	int64_t ipi_send_ns;
	int64_t ipi_stolen_ns;       /* from targets: handler, forced context switches, stoppers */
	int64_t idle_wakeups;        /* idle CPUs woken by RCU */
	int64_t interruption_max_ns; /* longest RCU-caused interruption of a running task */
	int64_t rcu_cpu_ns;          /* CPU time of RCU's kthreads, softirq, ticks kept alive for RCU */
	int64_t callbacks_invoked;
	int64_t fqs_scans;
	int64_t exp_fallbacks;       /* expedited requests that became normal ones (hotplug, contention) */
	int64_t readers_preempted;   /* CONFIG_PREEMPT_RCU: switched out inside a reader */
	int64_t readers_boosted;     /* got rcub's priority */
	int64_t stall_warnings;      /* normal and expedited */
	int64_t sensitive_interruptions; /* of latency-sensitive tasks, by RCU */
	int64_t sensitive_interruption_ns;
	int64_t sensitive_interruption_max_ns;
	int64_t ticks;
	int64_t events;              /* engine events executed */
	int64_t events_tied;         /* of them, at the time and priority of the one before */
};

/* A stall warning, as the kernel would print it. */
struct stall_record {
	sim_time_ns at_ns;
	bool expedited;
	char text[240];
};

/* Why RCU took the CPU from a latency-sensitive task; the first that applies counts. */
enum interruption_cause {
	INTERRUPTION_STOPPER,    /* switched out for a stopper */
	INTERRUPTION_EXP_IPI,    /* IPI of an expedited selection, and what it asks for */
	INTERRUPTION_BARRIER_IPI, /* IPI of rcu_barrier() */
	INTERRUPTION_KTHREAD,    /* switched out for one of RCU's kthreads */
	INTERRUPTION_SOFTIRQ,    /* RCU_SOFTIRQ */
	INTERRUPTION_RESCHED_IPI, /* reschedule IPI by RCU */
	INTERRUPTION_CAUSE_COUNT
};

/* One interruption: from leaving the task until it runs again. */
struct interruption_record {
	enum interruption_cause cause;
	sim_time_ns ns; /* RCU's part */
};

struct run_record {
	enum run_stop stop;
	char stop_text[200];         /* for everything but RUN_COMPLETED: what happened, when, where */
	struct run_totals totals;
	/* Arrays live in the run's arena until it is reset. */
	const struct wait_record *waits;
	size_t wait_count;
	const struct gp_record *gps;
	size_t gp_count;
	const struct mark_record *marks;
	size_t mark_count;
	const struct stall_record *stalls;
	size_t stall_count;
	const struct interruption_record *interruptions;
	size_t interruption_count;
};

const char *run_stop_name(enum run_stop stop);   /* "completed", "time limit", ... */
const char *interruption_cause_name(enum interruption_cause cause); /* "stopper", ... */
/* Can rcu_expedited or the nestable counter make such a wait shorter? */
bool wait_path_expeditable(enum wait_path path);
const char *wait_path_name(enum wait_path path); /* "no-op", "normal", ... */

#endif
