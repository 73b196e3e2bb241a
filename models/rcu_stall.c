/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RCU CPU stall warnings. Follows kernel/rcu/tree_stall.h (before 5.2 tree.c,
 * before 4.9 also tree_plugin.h) record_gp_stall_check_time, check_cpu_stall,
 * print_cpu_stall, print_other_cpu_stall, rcu_jiffies_till_stall_check,
 * rcu_exp_jiffies_till_stall_check, and tree_exp.h synchronize_rcu_expedited_wait.
 * Facts: mechanics 4.7. docs/slow-cpus.md.
 *
 * W1: a warning ends no grace period: it is text. What follows it in the kernel
 *     follows here: the CPU that found itself reschedules, the one that found
 *     others has them scanned.
 *
 * Simplified: an expedited warning costs the driver, which wakes for it, nothing;
 * the text is one line, as up to 4.0, with what the version prints in it. Ticks
 * of idle CPUs that the model does not simulate find no stalls.
 *
 * Test: tests/model/check_stalls.c.
 */
#include "models/rcu_exp_internal.h"

#include <stdarg.h>
#include <stdio.h>

/* The CPUs that stall have this long to tell themselves. */
#define STALL_RAT_DELAY_JIFFIES 2
/* Kconfig: 3 to 300 s. */
#define STALL_TIMEOUT_MIN_S 3
#define STALL_TIMEOUT_MAX_S 300
#define EXP_STALL_MIN_JIFFIES 2

int64_t rcu_stall_jiffies(const struct machine *m)
{
	int64_t s = m->cfg->kernel.rcu_cpu_stall_timeout;

	if (s < STALL_TIMEOUT_MIN_S)
		s = STALL_TIMEOUT_MIN_S;
	if (s > STALL_TIMEOUT_MAX_S)
		s = STALL_TIMEOUT_MAX_S;
	return s * m->hz;
}

static int64_t exp_stall_jiffies(const struct machine *m)
{
	const struct kernel_config *k = &m->cfg->kernel;
	int64_t jiffies;

	if (!k->profile.exp_stall_timeout || k->rcu_exp_cpu_stall_timeout == 0)
		return rcu_stall_jiffies(m);
	jiffies = (k->rcu_exp_cpu_stall_timeout * m->hz + 999) / 1000;
	if (jiffies < EXP_STALL_MIN_JIFFIES)
		jiffies = EXP_STALL_MIN_JIFFIES;
	if (jiffies > STALL_TIMEOUT_MAX_S * m->hz)
		jiffies = STALL_TIMEOUT_MAX_S * m->hz;
	return jiffies;
}

/* When jiffies becomes that. */
static sim_time_ns edge_ns(const struct machine *m, int64_t jiffies)
{
	return m->first_edge_ns + (jiffies - 1) * m->jiffy_ns;
}

/* --- text --- */

/* Text in the making; what does not fit is left out with "...". */
struct line {
	char *text;
	size_t size, used;
};

static void put(struct line *l, const char *fmt, ...) RS_PRINTF(2, 3);
static void put(struct line *l, const char *fmt, ...)
{
	va_list args;
	int written;

	va_start(args, fmt);
	written = vsnprintf(l->text + l->used, l->size - l->used, fmt, args);
	va_end(args);
	l->used += written > 0 ? (size_t)written : 0;
	if (l->used >= l->size)
		l->used = l->size - 1;
}

/* Room for what follows the list of CPUs. */
#define TAIL_BYTES 100

static bool has_room(struct line *l, bool *cut)
{
	if (l->used + TAIL_BYTES < l->size)
		return true;
	if (!*cut)
		put(l, " ...");
	*cut = true;
	return false;
}

static const char *prefix(const struct machine *m)
{
	return m->cfg->kernel.profile.version >= 419 ? "rcu: " : "";
}

static const char *flavour(const struct machine *m)
{
	return m->preempt_rcu ? "rcu_preempt" : "rcu_sched";
}

/* g=, c= and q= */
static void put_numbers(struct line *l, const struct machine *m, const char *between)
{
	const struct rcu_state *rs = m->rcu;
	int64_t completed = rcu_seq_ctr(rs->gp_seq);
	int64_t queued = 0;

	for (int cpu = 0; cpu < m->nr_cpu_ids; cpu++)
		queued += rs->data[cpu].cblist.len;
	if (m->cfg->kernel.profile.version >= 419)
		put(l, "%sg=%lld", between, (long long)rs->gp_seq);
	else
		put(l, "%sg=%lld%sc=%lld", between, (long long)completed + 1, between,
		    (long long)completed);
	put(l, "%sq=%lld)", between, (long long)queued);
}

/* The tasks from `first` on that hold a grace period on a leaf. */
static void put_tasks(struct line *l, const struct task *first, bool *cut)
{
	for (const struct task *t = first; t && has_room(l, cut); t = t->blkd_next)
		put(l, " P%d", t->pid);
}

/* Everybody a normal (expedited) grace period waits for. */
static void put_holdouts(struct line *l, const struct machine *m, bool expedited)
{
	const struct rcu_state *rs = m->rcu;
	bool cut = false;

	for (int i = 0; i < rs->leaves; i++) {
		const struct rcu_node *rnp = &rs->leaf[i];
		uint64_t owed = expedited ? rnp->expmask : rnp->qsmask;

		put_tasks(l, expedited ? rnp->exp_tasks : rnp->gp_tasks, &cut);
		for (; owed; owed &= owed - 1) {
			int bit = __builtin_ctzll(owed);

			if (!has_room(l, &cut))
				return;
			put(l, " %d", rnp->grplo + bit);
			if (expedited)
				put(l, "-%c%c%c", m->cpus[rnp->grplo + bit].online ? '.' : 'O',
				    rnp->expmaskinit >> bit & 1u ? '.' : 'o',
				    rnp->expmaskinitnext >> bit & 1u ? '.' : 'N');
		}
	}
}

static void warn(struct machine *m, int cpu, bool expedited, const char *msg, const char *text)
{
	m->totals->stall_warnings++;
	TRACE(m, cpu, "rcu_stall_warning", "%s %s", flavour(m), msg);
	TRACE(m, cpu, "console", "%s", text);
	machine_record_stall(m, expedited, text);
}

/* --- normal grace periods --- */

void rcu_stall_gp_start(struct rcu_state *rs)
{
	const struct machine *m = rs->m;

	rs->jiffies_stall = rs->gp_start_jiffies + rs->stall_jiffies;
	rs->jiffies_resched = rs->gp_start_jiffies + rs->stall_jiffies / 2;
	rs->stall_at_ns = m->cfg->kernel.rcu_cpu_stall_suppress ? SIM_TIME_MAX
								: edge_ns(m, rs->jiffies_stall);
}

/* print_cpu_stall() */
static void warn_self(struct cpu *c, int64_t age)
{
	char text[240];
	struct line l = { text, sizeof(text), 0 };

	put(&l, "%sINFO: %s self-detected stall on CPU { %d} (t=%lld jiffies", prefix(c->m),
	    flavour(c->m), c->id, (long long)age);
	put_numbers(&l, c->m, " ");
	warn(c->m, c->id, false, "SelfDetected", text);
	c->need_resched = true;
}

/* print_other_cpu_stall() */
static void warn_others(struct cpu *c, int64_t age)
{
	struct rcu_state *rs = c->m->rcu;
	char text[240];
	struct line l = { text, sizeof(text), 0 };

	put(&l, "%sINFO: %s detected stalls on CPUs/tasks: {", prefix(c->m), flavour(c->m));
	put_holdouts(&l, c->m, false);
	put(&l, "} (detected by %d, t=%lld jiffies", c->id, (long long)age);
	put_numbers(&l, c->m, ", ");
	warn(c->m, c->id, false, "StallDetected", text);
	rs->gp_flags |= GP_FLAG_FQS;
	rcu_gp_kthread_wake(c);
}

void rcu_check_cpu_stall(struct cpu *c)
{
	struct rcu_state *rs = c->m->rcu;
	int64_t now = machine_jiffies(c->m);
	int64_t age = now - rs->gp_start_jiffies;

	if (!rcu_gp_in_progress(rs) || now < rs->jiffies_stall)
		return;
	if (c->rdp->mynode->qsmask & c->rdp->grpmask)
		warn_self(c, age);
	else if (now >= rs->jiffies_stall + STALL_RAT_DELAY_JIFFIES)
		warn_others(c, age);
	else
		return;
	rs->jiffies_stall = now + 3 * rs->stall_jiffies + 3;
	rs->stall_at_ns = edge_ns(c->m, rs->jiffies_stall);
}

/* --- expedited ones --- */

static void exp_timeout(struct sim_engine *e, void *ptr, int32_t cpu);

static void arm(struct machine *m, int cpu, int64_t jiffies)
{
	int64_t at = machine_jiffies(m) + jiffies + m->cfg->kernel.profile.timer_extra_jiffies;

	m->exp->stall_event = sim_at(m->engine, edge_ns(m, at), PRIO_IRQ, exp_timeout, m, cpu);
}

static void exp_timeout(struct sim_engine *e, void *ptr, int32_t cpu)
{
	struct machine *m = ptr;
	struct exp_state *x = m->exp;
	const struct rcu_node *root = &m->rcu->node[0];
	char text[240];
	struct line l = { text, sizeof(text), 0 };

	x->stall_event = (struct sim_handle){ 0 };
	put(&l, "%sINFO: %s detected expedited stalls on CPUs/tasks: {", prefix(m), flavour(m));
	put_holdouts(&l, m, true);
	put(&l, " } %lld jiffies s: %lld root: %#llx/%c",
	    (long long)(machine_jiffies(m) - x->wait_start_jiffies), (long long)x->seq,
	    (unsigned long long)root->expmask, root->exp_tasks ? 'T' : '.');
	warn(m, cpu, true, "ExpeditedStall", text);
	if (sim_events_pending(e) > 0) /* else nothing can ever end it: a deadlock */
		arm(m, cpu, 3 * exp_stall_jiffies(m) + 3);
}

void rcu_exp_stall_begin(struct machine *m, int cpu)
{
	if (m->cfg->kernel.rcu_cpu_stall_suppress || m->exp->stall_event.slot)
		return;
	m->exp->wait_start_jiffies = machine_jiffies(m);
	arm(m, cpu, exp_stall_jiffies(m));
}

void rcu_exp_stall_end(struct machine *m)
{
	sim_cancel(m->engine, &m->exp->stall_event);
}
