/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tracepoints of the model: kernel names, kernel fields. Internal to models/.
 *
 * TRACE() costs one predictable branch while nobody listens; its arguments are
 * not evaluated then. An event carries the instant of the effect it tells of;
 * what an effect costs passes after it. Events of one instant and CPU come in
 * the kernel's program order. Formats follow include/trace/events/{rcu,sched,
 * irq,initcall,cpuhp}.h and arch/x86/include/asm/trace/irq_vectors.h.
 */
#ifndef MODELS_TRACE_H
#define MODELS_TRACE_H

#include "sim/engine/base.h"

struct machine;
struct cpu;
struct task;
struct rcu_node;
struct rcu_data;
struct rcu_cb;

/* Formats and emits; call it through TRACE(). The event's name decides its system and flags. */
void machine_trace(struct machine *m, int cpu, const char *event, const char *fmt, ...)
	RS_PRINTF(4, 5);
#define TRACE(m, cpu, event, ...) \
	do { \
		if (RS_UNLIKELY((m)->trace != NULL)) \
			machine_trace((m), (cpu), (event), __VA_ARGS__); \
	} while (0)

/* As TRACE(), for one of the functions below. */
#define TRACE_CALL(m, call) \
	do { \
		if (RS_UNLIKELY((m)->trace != NULL)) \
			(call); \
	} while (0)

/* rcu:rcu_grace_period; seq as in rcu_state.gp_seq, printed as the version prints it. */
void trace_rcu_gp(struct cpu *c, int64_t seq, const char *gpevent);
/* rcu:rcu_preempt_task, rcu:rcu_unlock_preempted_task: t blocks, or did, inside a reader */
void trace_rcu_blocked(struct cpu *c, const struct task *t, const char *event, int64_t seq);
/* rcu:rcu_future_grace_period */
void trace_rcu_future_gp(struct cpu *c, const struct rcu_node *rnp, int64_t seq,
			 const char *gpevent);
/*
 * The events of rcu_start_this_gp(), to be called before it records anything.
 * The last is "newreq" if a grace period is asked for; sets newreq_traced.
 */
void trace_rcu_start_gp(struct cpu *c, const struct rcu_node *leaf, int64_t seq);
/* rcu:rcu_grace_period_init */
void trace_rcu_gp_init(struct cpu *c, const struct rcu_node *rnp);
/* rcu:rcu_quiescent_state_report, after the bits were cleared */
void trace_rcu_qs_report(struct cpu *c, const struct rcu_node *rnp, uint64_t mask);
/* rcu:rcu_fqs of CPU `target` */
void trace_rcu_fqs(struct cpu *c, int target, const char *qsevent);
/* rcu:rcu_callback, rcu:rcu_invoke_callback */
void trace_rcu_callback(struct cpu *c, const struct rcu_data *rdp, const struct rcu_cb *cb);
void trace_rcu_invoke(struct cpu *c, const struct rcu_cb *cb);
/* rcu:rcu_batch_start, rcu:rcu_batch_end */
void trace_rcu_batch_start(struct cpu *c, const struct rcu_data *rdp, int64_t limit);
void trace_rcu_batch_end(struct cpu *c, const struct rcu_data *rdp, int64_t invoked, bool kthread);
/* rcu:rcu_exp_grace_period, rcu:rcu_exp_funnel_lock */
void trace_rcu_exp(struct cpu *c, int64_t seq, const char *gpevent);
void trace_rcu_exp_funnel(struct cpu *c, const struct rcu_node *rnp, const char *gpevent);
/* rcu:rcu_barrier; cpu: the one visited, -1: none */
void trace_rcu_barrier(struct cpu *c, const char *what, int cpu, int64_t remaining, int64_t seq);

/* sched:sched_switch, sched:sched_waking (before 4.3 sched_wakeup); NULL: the idle task */
void trace_sched_switch(struct cpu *c, const struct task *prev, const struct task *next);
void trace_sched_waking(struct cpu *waker, const struct task *t, const struct cpu *target);
/* irq_vectors:*_entry and *_exit; kind: enum irq_kind */
void trace_irq(struct cpu *c, int kind, bool entry);
/* irq:softirq_entry, irq:softirq_exit; nr: enum softirq */
void trace_softirq(struct cpu *c, int nr, bool entry);
/* initcall:initcall_start, initcall:initcall_finish; blanks of label become '_' */
void trace_initcall(struct cpu *c, const char *label, bool start);

/* The comm of a task into buf (16 bytes): '%' in its name stands for its CPU. */
#define TRACE_COMM_BYTES 16
void trace_comm(const struct task *t, char buf[TRACE_COMM_BYTES]);

#endif
