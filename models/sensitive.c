/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Latency-sensitive tasks: what RCU interrupts them for, and for how long.
 *
 * An interruption begins when RCU's doing takes the CPU from the task and ends
 * when the task runs again. It counts once, under the first of its causes in
 * the order of enum interruption_cause; its length is RCU's part: handlers,
 * softirqs and kthreads with the switches there and back, not what else the CPU
 * did meanwhile. docs/slow-cpus.md.
 *
 * Test: tests/model/check_interruptions.c.
 */
#include "models/machine.h"

/* The interruption of a CPU's sensitive task under way. */
struct sensitive_cpu {
	unsigned causes; /* bit per cause; 0: none is under way */
	sim_time_ns ns;
	bool out;        /* an RCU thread has the CPU */
	sim_time_ns out_since_ns;
};

void sensitive_init(struct machine *m)
{
	m->sensitive = sim_arena_array(m->arena, (size_t)m->nr_cpu_ids, sizeof(*m->sensitive));
}

static void close_interruption(struct cpu *c)
{
	struct sensitive_cpu *s = &c->m->sensitive[c->id];

	if (s->out)
		s->ns += machine_now(c->m) - s->out_since_ns;
	if (s->causes)
		machine_record_interruption(c->m,
					    (enum interruption_cause)__builtin_ctz(s->causes), s->ns);
	*s = (struct sensitive_cpu){ 0 };
}

void sensitive_add(struct cpu *c, enum interruption_cause cause, sim_time_ns ns)
{
	struct sensitive_cpu *s = &c->m->sensitive[c->id];

	if (!c->curr || !c->curr->latency_sensitive)
		return;
	s->causes |= 1u << cause;
	s->ns += ns;
}

void sensitive_charge(struct cpu *c, sim_time_ns ns)
{
	struct sensitive_cpu *s = &c->m->sensitive[c->id];

	if (s->causes && !s->out)
		s->ns += ns;
}

void sensitive_switch(struct cpu *c, const struct task *prev, const struct task *next)
{
	struct sensitive_cpu *s = &c->m->sensitive[c->id];
	bool to_rcu = next && next->is_rcu;

	if (prev && prev->latency_sensitive) {
		if (prev->state != TASK_RUNNABLE || !to_rcu) {
			close_interruption(c); /* it leaves for others, or by its own will */
			return;
		}
		s->causes |= 1u << (next->class == CLASS_STOP ? INTERRUPTION_STOPPER
							      : INTERRUPTION_KTHREAD);
		s->out = true;
		s->out_since_ns = machine_now(c->m);
	} else if (s->out && !to_rcu && !(next && next->latency_sensitive)) {
		close_interruption(c);
	}
}

void sensitive_resumes(struct cpu *c)
{
	if (c->m->sensitive[c->id].causes)
		close_interruption(c);
}
