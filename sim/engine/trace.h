/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The interface between what happens in a run and whoever writes it down: one
 * call for each event, in time order. Names and fields are the kernel's own
 * tracepoints', so that a simulated trace can be laid beside a real one; the
 * writers are in output/trace_*.c, the formats in docs/formats/trace.md.
 */
#ifndef ENGINE_TRACE_H
#define ENGINE_TRACE_H

#include "sim/engine/base.h"

/* One event. Texts are valid during the call only. */
struct trace_event {
	sim_time_ns at_ns; /* never less than that of the event before */
	int cpu;           /* where it happens */
	int pid;           /* of the task current there; 0: the idle task */
	const char *comm;  /* its name as ftrace prints it; "<idle>" for the idle task */
	bool irqs_off;
	bool need_resched;
	bool hardirq;       /* in a hard interrupt */
	bool softirq;       /* in a softirq, or in a hard interrupt over one */
	int preempt_depth;  /* always 0 without CONFIG_PREEMPT, as ftrace prints it */
	const char *system; /* "rcu" */
	const char *name;   /* "rcu_grace_period" */
	const char *fields; /* "rcu_sched -1195 start": one line, no newline */
};

/* Receives events. */
struct trace_sink {
	void (*emit)(void *ctx, const struct trace_event *event);
	void *ctx;
};

#endif
