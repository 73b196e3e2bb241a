/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The oracle's account, shared by its two files: grace periods, waits. */
#ifndef MODELS_ORACLE_INTERNAL_H
#define MODELS_ORACLE_INTERNAL_H

#include "models/oracle.h"

/* A callback queued and not yet invoked. */
struct queued_cb {
	const struct rcu_cb *cb;
	int64_t moment;
	int64_t seq; /* grace-period number at the time */
};

struct cpu_watch {
	int64_t quiescent; /* moment of the latest quiescent state */
	int64_t online;    /* moment it came on line; 0: it is not */
	bool ever_online;
	int64_t noticed;   /* moment it noticed grace period noticed_seq */
	int64_t noticed_seq;
	int64_t ticks;
	int64_t ipi_seq;   /* expedited grace period that sent it an IPI */
	int64_t selects_seq; /* expedited grace period it selects CPUs for */
	bool may_record;   /* it is in a quiescent state this instant */
	/* its callbacks: a ring */
	struct queued_cb *ring;
	size_t head, count, capacity;
};

/* A wait under way. Slot 0 belongs to nobody. */
struct wait_slot {
	bool used;
	bool snapped;
	bool alone;           /* one CPU was on line when it began */
	enum wait_path path;
	const struct task *task;
	int64_t begun;
	int64_t ends;         /* expedited grace periods ended since the snapshot */
	/* latency floor of a wait by callback */
	int queued_cpu;
	bool first_in_list;
	bool gp_seen;         /* a grace period has started since */
	int64_t ticks_at_queue;
	int64_t ticks_needed;
	/* stoppers */
	int64_t selected;     /* moment of its ticket */
	int64_t proves;       /* requests from before this moment may ride along */
	int64_t works_due, works;
};

/* A task inside a read-side critical section of the flavour that runs. */
struct reader {
	const struct task *task;
	int depth;           /* sections it is in that count */
	int64_t since;       /* moment of the outermost one's begin */
};

struct oracle {
	struct machine *m;
	int64_t moment;
	struct cpu_watch *cpu;
	int online;
	/* normal */
	int64_t gp_seq;      /* own count */
	int64_t gp_start;    /* moment */
	int64_t gp_proven;   /* start of the latest that has ended */
	uint64_t *owed;      /* by node */
	uint64_t *credited;  /* by node: bits that scans may clear */
	/* readers under way, in no order */
	struct reader *readers;
	size_t reader_count, reader_capacity;
	/* expedited */
	int64_t exp_seq, exp_start, exp_proven;
	int64_t exp_ipis;
	int exp_selectors;   /* CPUs that have selected for it */
	int exp_online;      /* CPUs that were on line at its start, or came later */
	int exp_cpu;         /* that selects, the latest; -1: none so far */
	uint64_t *exp_owed;
	int exp_waits;
	int64_t noop_proven; /* moment of the latest vacuous wait */
	/* waits */
	struct wait_slot *slots;
	int64_t slot_count, slot_capacity;
	/* controls */
	int64_t boot_share;  /* of the counter */
	int64_t balance;     /* expedite less unexpedite */
	int expedited, normal;
	/* time of the boot path's task */
	const struct task *task;
	enum task_state task_state;
	bool task_waits;
	sim_time_ns task_since_ns;
	sim_time_ns spent_ns[2][TASK_DEAD + 1]; /* by waiting, state */
	sim_time_ns asked_ns, ran_ns;
};

/* Ends the run for a broken condition. */
void oracle_violate(struct oracle *o, int condition, int cpu, const char *fmt, ...)
	RS_PRINTF(4, 5);
/* Will c run RCU_SOFTIRQ without a further tick? */
bool oracle_softirq_due(const struct cpu *c);
/* What must balance in waits, controls and time when the run ends. */
void oracle_finish_waits(struct oracle *o);
/* The controls at power-on, or after boot for a machine that starts booted. */
void oracle_init_controls(struct oracle *o);

/* --- oracle_readers.c --- */

/* The reader t is in, or NULL. */
struct reader *oracle_reader_of(struct oracle *o, const struct task *t);
/* Is a reader from before `since` on cpu, in nobody's care but the CPU's own? */
bool oracle_reader_on_cpu(const struct oracle *o, int cpu, int64_t since);
/* A grace period from `since` on ends: no reader from before it may be left. */
void oracle_check_readers(struct oracle *o, int64_t since, const char *kind);

static inline int64_t oracle_next_moment(struct oracle *o)
{
	return ++o->moment;
}

#endif
