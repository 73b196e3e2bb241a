/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fills in what every event has (who was current, in which context) and prints
 * the fields as the kernel version does. All of it runs only while tracing.
 *
 * Numbers: rcu_state.gp_seq itself since 4.19; before, gpnum, the number of the
 * newest grace period begun. Signed since 5.6, unsigned before. Addresses of
 * callbacks are small numbers, one for each rcu_head there is.
 */
#include "models/trace.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "models/rcu.h"

enum { TRACE_IRQS_ON = 1, TRACE_LOCKED = 2 };

#define FIELDS_BYTES 240
#define NUMBER_BYTES 24

void trace_comm(const struct task *t, char buf[TRACE_COMM_BYTES])
{
	const char *mark = strchr(t->name, '%');

	if (!mark || t->name_cpu < 0)
		snprintf(buf, TRACE_COMM_BYTES, "%s", t->name);
	else
		snprintf(buf, TRACE_COMM_BYTES, "%.*s%d%s", (int)(mark - t->name), t->name,
			 t->name_cpu, mark + 1);
}

/* The trace system an event belongs to. */
static const char *system_of(const char *name)
{
	static const char *const systems[][2] = {
		{ "rcu_", "rcu" },	     { "sched_", "sched" }, { "initcall_", "initcall" },
		{ "cpuhp_", "cpuhp" }, { "softirq_", "irq" },	{ "console", "printk" },
	};

	for (size_t i = 0; i < sizeof(systems) / sizeof(systems[0]); i++)
		if (strncmp(name, systems[i][0], strlen(systems[i][0])) == 0)
			return systems[i][1];
	return "irq_vectors";
}

static void emit(struct machine *m, int cpu, const char *name, unsigned how, const char *fields)
{
	const struct cpu *c = &m->cpus[cpu];
	char comm[TRACE_COMM_BYTES] = "<idle>";
	struct trace_event event = {
		.at_ns = machine_now(m),
		.cpu = cpu,
		.comm = comm,
		.need_resched = c->need_resched,
		.hardirq = !c->over_is_done && c->ctx == CTX_HARDIRQ,
		.softirq = !c->over_is_done &&
			   (c->ctx == CTX_SOFTIRQ ||
			    (c->ctx == CTX_HARDIRQ && c->irq_over == CTX_SOFTIRQ)),
		.system = system_of(name),
		.name = name,
		.fields = fields,
	};

	event.irqs_off = event.hardirq || !(how & TRACE_IRQS_ON);
	if (c->curr) {
		event.pid = c->curr->pid;
		trace_comm(c->curr, comm);
	}
	if (m->preempt_rcu)
		event.preempt_depth = (c->curr ? 0 : 1) + (how & TRACE_LOCKED ? 1 : 0);
	m->trace->emit(m->trace->ctx, &event);
}

static void emit_fields(struct machine *m, int cpu, const char *name, unsigned how, const char *fmt,
			...) RS_PRINTF(5, 6);
static void emit_fields(struct machine *m, int cpu, const char *name, unsigned how, const char *fmt,
			...)
{
	char fields[FIELDS_BYTES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(fields, sizeof(fields), fmt, args);
	va_end(args);
	emit(m, cpu, name, how, fields);
}

void machine_trace(struct machine *m, int cpu, const char *event, const char *fmt, ...)
{
	char fields[FIELDS_BYTES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(fields, sizeof(fields), fmt, args);
	va_end(args);
	emit(m, cpu, event, TRACE_IRQS_ON, fields);
}

/* --- RCU --- */

static const char *rcu_name(const struct machine *m)
{
	return m->preempt_rcu ? "rcu_preempt" : "rcu_sched";
}

static int64_t version(const struct machine *m)
{
	return m->cfg->kernel.profile.version;
}

static const char *print_long(const struct machine *m, int64_t value, char buf[NUMBER_BYTES])
{
	if (version(m) >= 506)
		snprintf(buf, NUMBER_BYTES, "%lld", (long long)value);
	else
		snprintf(buf, NUMBER_BYTES, "%llu", (unsigned long long)value);
	return buf;
}

static const char *print_seq(const struct machine *m, int64_t seq, char buf[NUMBER_BYTES])
{
	if (version(m) < 419)
		seq = rcu_seq_ctr(seq) + (rcu_seq_running(seq) ? 1 : 0);
	return print_long(m, seq, buf);
}

/* A mask of a node's children, as the kernel's %lx prints it. */
static unsigned long long mask_of(uint64_t mask)
{
	return mask;
}

void trace_rcu_gp(struct cpu *c, int64_t seq, const char *gpevent)
{
	/* the kthread's own events are the only ones outside of a lock */
	static const char *const kthread_events[] = { "reqwait", "fqswait", "fqsstart", "fqsend",
						      "fqswaitsig" };
	char number[NUMBER_BYTES];
	unsigned how = TRACE_LOCKED;

	for (size_t i = 0; i < sizeof(kthread_events) / sizeof(kthread_events[0]); i++)
		if (strcmp(gpevent, kthread_events[i]) == 0)
			how = TRACE_IRQS_ON;
	if (strcmp(gpevent, "cpuqs") == 0)
		how = 0;
	emit_fields(c->m, c->id, "rcu_grace_period", how, "%s %s %s", rcu_name(c->m),
		    print_seq(c->m, seq, number), gpevent);
}

void trace_rcu_blocked(struct cpu *c, const struct task *t, const char *event, int64_t seq)
{
	char number[NUMBER_BYTES];

	emit_fields(c->m, c->id, event, TRACE_LOCKED, "%s %s %d", rcu_name(c->m),
		    print_seq(c->m, seq, number), t->pid);
}

void trace_rcu_future_gp(struct cpu *c, const struct rcu_node *rnp, int64_t seq,
			 const char *gpevent)
{
	const struct machine *m = c->m;
	char now[NUMBER_BYTES], completed[NUMBER_BYTES], wanted[NUMBER_BYTES];
	bool waits = strcmp(gpevent, "StartWait") == 0 || strcmp(gpevent, "EndWait") == 0;
	unsigned how = waits ? TRACE_IRQS_ON : TRACE_LOCKED;

	print_seq(m, rnp->gp_seq, now);
	if (version(m) >= 419)
		emit_fields(c->m, c->id, "rcu_future_grace_period", how, "%s %s %s %d %d %d %s",
			    rcu_name(m), now, print_seq(m, seq, wanted), rnp->level, rnp->grplo,
			    rnp->grphi, gpevent);
	else
		emit_fields(c->m, c->id, "rcu_future_grace_period", how, "%s %s %s %s %d %d %d %s",
			    rcu_name(m), now, print_long(m, rcu_seq_ctr(rnp->gp_seq), completed),
			    print_long(m, rcu_seq_ctr(seq), wanted), rnp->level, rnp->grplo,
			    rnp->grphi, gpevent);
}

/* rcu_start_this_gp(), 4.19-6.18 */
static bool start_this_gp(struct cpu *c, const struct rcu_node *leaf, int64_t seq)
{
	const struct rcu_node *rnp = leaf;
	bool in_progress = rcu_gp_in_progress(c->m->rcu);

	for (;;) {
		bool started = ((seq - 1) & ~(int64_t)RCU_SEQ_PHASE_MASK) < rnp->gp_seq;
		bool running = rcu_seq_running(rnp->gp_seq);

		if (rnp->gp_seq_needed >= seq || started || (rnp != leaf && running)) {
			trace_rcu_future_gp(c, rnp, seq, "Prestarted");
			return false;
		}
		if (running) {
			trace_rcu_future_gp(c, leaf, seq, "Startedleaf");
			return false;
		}
		if (!rnp->parent)
			break;
		rnp = rnp->parent;
	}
	trace_rcu_future_gp(c, rnp, seq, in_progress ? "Startedleafroot" : "Startedroot");
	return !in_progress;
}

/* rcu_start_future_gp(), 3.10-4.18 */
static bool start_future_gp(struct cpu *c, const struct rcu_node *leaf, int64_t seq)
{
	const struct rcu_node *root = &c->m->rcu->node[0];

	if (leaf->gp_seq_needed >= seq)
		trace_rcu_future_gp(c, leaf, seq, "Prestartleaf");
	else if (rcu_seq_running(leaf->gp_seq) || rcu_seq_running(root->gp_seq))
		trace_rcu_future_gp(c, leaf, seq, "Startedleaf");
	else if (root != leaf && root->gp_seq_needed >= seq)
		trace_rcu_future_gp(c, leaf, seq, "Prestartedroot");
	else {
		trace_rcu_future_gp(c, leaf, seq, "Startedroot");
		return true;
	}
	return false;
}

void trace_rcu_start_gp(struct cpu *c, const struct rcu_node *leaf, int64_t seq)
{
	struct rcu_state *rs = c->m->rcu;

	trace_rcu_future_gp(c, leaf, seq, "Startleaf");
	rs->newreq_traced = version(c->m) >= 419 ? start_this_gp(c, leaf, seq)
						 : start_future_gp(c, leaf, seq);
	if (rs->newreq_traced && rs->gp_kthread)
		trace_rcu_gp(c, rs->gp_seq, "newreq");
	else if (rs->newreq_traced)
		trace_rcu_future_gp(c, &rs->node[0], seq, "NoGPkthread");
}

void trace_rcu_gp_init(struct cpu *c, const struct rcu_node *rnp)
{
	char number[NUMBER_BYTES];

	emit_fields(c->m, c->id, "rcu_grace_period_init", TRACE_LOCKED, "%s %s %d %d %d %llx",
		    rcu_name(c->m), print_seq(c->m, rnp->gp_seq, number), rnp->level, rnp->grplo,
		    rnp->grphi, mask_of(rnp->qsmask));
}

void trace_rcu_qs_report(struct cpu *c, const struct rcu_node *rnp, uint64_t mask)
{
	char number[NUMBER_BYTES];

	emit_fields(c->m, c->id, "rcu_quiescent_state_report", TRACE_LOCKED,
		    "%s %s %llx>%llx %d %d %d %d", rcu_name(c->m),
		    print_seq(c->m, rnp->gp_seq, number), mask_of(mask), mask_of(rnp->qsmask),
		    rnp->level, rnp->grplo, rnp->grphi, rnp->gp_tasks != NULL);
}

void trace_rcu_fqs(struct cpu *c, int target, const char *qsevent)
{
	char number[NUMBER_BYTES];

	emit_fields(c->m, c->id, "rcu_fqs", TRACE_LOCKED, "%s %s %d %s", rcu_name(c->m),
		    print_seq(c->m, c->m->cpus[target].rdp->gp_seq, number), target, qsevent);
}

void trace_rcu_callback(struct cpu *c, const struct rcu_data *rdp, const struct rcu_cb *cb)
{
	emit_fields(c->m, c->id, "rcu_callback", TRACE_LOCKED, "%s rhp=%016llx func=%s %s%lld",
		    rcu_name(c->m), (unsigned long long)cb->id, cb->func,
		    version(c->m) < 506 ? "0/" : "", (long long)rdp->cblist.len);
}

void trace_rcu_invoke(struct cpu *c, const struct rcu_cb *cb)
{
	emit_fields(c->m, c->id, "rcu_invoke_callback", TRACE_IRQS_ON, "%s rhp=%016llx func=%s",
		    rcu_name(c->m), (unsigned long long)cb->id, cb->func);
}

void trace_rcu_batch_start(struct cpu *c, const struct rcu_data *rdp, int64_t limit)
{
	emit_fields(c->m, c->id, "rcu_batch_start", TRACE_LOCKED, "%s CBs=%s%lld bl=%lld",
		    rcu_name(c->m), version(c->m) < 506 ? "0/" : "", (long long)rdp->cblist.len,
		    (long long)limit);
}

void trace_rcu_batch_end(struct cpu *c, const struct rcu_data *rdp, int64_t invoked, bool kthread)
{
	emit_fields(c->m, c->id, "rcu_batch_end", TRACE_LOCKED,
		    "%s CBs-invoked=%lld idle=%c%c%c%c", rcu_name(c->m), (long long)invoked,
		    rcu_segcblist_ready(&rdp->cblist) ? 'C' : '.', c->need_resched ? 'S' : '.',
		    c->curr ? '.' : 'I', kthread ? 'R' : '.');
}

void trace_rcu_exp(struct cpu *c, int64_t seq, const char *gpevent)
{
	char number[NUMBER_BYTES];

	emit_fields(c->m, c->id, "rcu_exp_grace_period", TRACE_IRQS_ON, "%s %s %s", rcu_name(c->m),
		    print_long(c->m, seq, number), gpevent);
}

void trace_rcu_exp_funnel(struct cpu *c, const struct rcu_node *rnp, const char *gpevent)
{
	emit_fields(c->m, c->id, "rcu_exp_funnel_lock", TRACE_IRQS_ON, "%s %d %d %d %s",
		    rcu_name(c->m), rnp->level, rnp->grplo, rnp->grphi, gpevent);
}

void trace_rcu_barrier(struct cpu *c, const char *what, int cpu, int64_t remaining, int64_t seq)
{
	emit_fields(c->m, c->id, "rcu_barrier", TRACE_LOCKED, "%s %s cpu %d remaining %lld # %lld",
		    rcu_name(c->m), what, cpu, (long long)remaining, (long long)seq);
}

/* --- scheduler --- */

/* What a task's comm, pid and priority are; the idle task's for NULL. */
struct identity {
	char comm[TRACE_COMM_BYTES];
	int pid, prio;
};

static struct identity identity_of(const struct cpu *c, const struct task *t)
{
	/* stop threads 0, SCHED_FIFO 1 is 98, nice 0 is 120: kernel/sched/sched.h */
	static const int prios[] = { [CLASS_STOP] = 0, [CLASS_RT] = 98, [CLASS_FAIR] = 120 };
	struct identity who = { .prio = 120 };

	if (!t) {
		snprintf(who.comm, sizeof(who.comm), "swapper/%d", c->id);
		return who;
	}
	trace_comm(t, who.comm);
	who.pid = t->pid;
	who.prio = prios[t->class];
	return who;
}

/* prev_state of sched_switch: R runs on, D waits for RCU, I waits idly, S sleeps, X is dead. */
static char state_of(const struct task *t)
{
	if (!t)
		return 'R';
	switch (t->state) {
	case TASK_RUNNABLE:
	case TASK_RUNNING:
		return 'R';
	case TASK_DEAD:
		return 'X';
	case TASK_SLEEPING:
		break;
	}
	if (t->awaited_by_rcu)
		return 'D';
	return t->is_rcu && t->class == CLASS_FAIR ? 'I' : 'S';
}

void trace_sched_switch(struct cpu *c, const struct task *prev, const struct task *next)
{
	struct identity from = identity_of(c, prev);
	struct identity to = identity_of(c, next);

	emit_fields(c->m, c->id, "sched_switch", TRACE_LOCKED,
		    "prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%c ==> next_comm=%s "
		    "next_pid=%d next_prio=%d",
		    from.comm, from.pid, from.prio, state_of(prev), to.comm, to.pid, to.prio);
}

void trace_sched_waking(struct cpu *waker, const struct task *t, const struct cpu *target)
{
	struct identity who = identity_of(target, t);
	bool old = version(waker->m) < 403;

	emit_fields(waker->m, waker->id, old ? "sched_wakeup" : "sched_waking", TRACE_LOCKED,
		    "comm=%s pid=%d prio=%d%s target_cpu=%03d", who.comm, who.pid, who.prio,
		    old ? " success=1" : "", target->id);
}

/* --- interrupts, boot --- */

void trace_irq(struct cpu *c, int kind, bool entry)
{
	/* arch/x86/include/asm/irq_vectors.h; the local timer's moved in 4.17 */
	int timer = version(c->m) < 417 ? 0xef : 0xec;
	const char *name = "";
	int vector = 0;

	switch ((enum irq_kind)kind) {
	case IRQ_TICK:
	case IRQ_HRTIMER:
		name = entry ? "local_timer_entry" : "local_timer_exit";
		vector = timer;
		break;
	case IRQ_RESCHED:
		/* ttwu_queue_wakelist(), 5.8+: a wake-up of an idle CPU is queued by a call */
		if (entry)
			c->wakes_by_call = version(c->m) >= 508 && !c->curr &&
					   c->irq_over == CTX_IDLE && c->rq.runnable > 0;
		if (c->wakes_by_call) {
			name = entry ? "call_function_single_entry" : "call_function_single_exit";
			vector = 0xfb;
			break;
		}
		name = entry ? "reschedule_entry" : "reschedule_exit";
		vector = 0xfd;
		break;
	case IRQ_CALL:
		name = entry ? "call_function_single_entry" : "call_function_single_exit";
		vector = 0xfb;
		break;
	case IRQ_KIND_COUNT:
		return;
	}
	emit_fields(c->m, c->id, name, 0, "vector=%d", vector);
}

void trace_softirq(struct cpu *c, int nr, bool entry)
{
	/* include/linux/interrupt.h: TIMER_SOFTIRQ, RCU_SOFTIRQ */
	bool timer = nr == SOFTIRQ_TIMER;

	emit_fields(c->m, c->id, entry ? "softirq_entry" : "softirq_exit", TRACE_IRQS_ON,
		    "vec=%d [action=%s]", timer ? 1 : 9, timer ? "TIMER" : "RCU");
}

void trace_initcall(struct cpu *c, const char *label, bool start)
{
	char word[80];
	size_t i;

	for (i = 0; i < sizeof(word) - 1 && label[i]; i++)
		word[i] = isspace((unsigned char)label[i]) ? '_' : label[i];
	word[i] = '\0';
	emit_fields(c->m, c->id, start ? "initcall_start" : "initcall_finish", TRACE_IRQS_ON,
		    "func=%s%s", word, start ? "" : " ret=0");
}
