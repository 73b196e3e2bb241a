/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The oracle's account and its checks; docs/oracle.md says how each condition
 * is read. Conditions carry the numbers of the list there.
 *
 * Moments are ordinals, not times: with costs of zero many things happen at one
 * time, and their order still matters. Each hook that the order of events
 * depends on takes the next ordinal.
 *
 * O1: the oracle reads the model and never writes to it, but for the slot number
 *     in a wait and the reason of the run's end.
 * O2: a hook costs O(1); those at a grace period's start and end O(CPUs + waits).
 */
#include "models/oracle_internal.h"

#include <stdarg.h>
#include <stdio.h>

void oracle_violate(struct oracle *o, int condition, int cpu, const char *fmt, ...)
{
	struct machine *m = o->m;
	char what[120];
	va_list args;

	/* a workload's own error leaves a history that proves nothing */
	if (m->stop == RUN_VIOLATION || m->stop == RUN_MODEL_ERROR || m->stop == RUN_DEADLOCK)
		return;
	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	m->stop = RUN_STOP_COUNT; /* worse than what it may have ended for */
	machine_stop(m, RUN_VIOLATION, "condition %d: %s; CPU %d, seed %llu, replication %llu",
		     condition, what, cpu, (unsigned long long)m->seed,
		     (unsigned long long)m->replication);
}

/* --- quiescent states --- */

static bool in_user_mode(const struct cpu *c)
{
	return c->ctx == CTX_TASK && c->curr->user_mode;
}

/* Has no reader that began before `since` survived on cpu? */
static bool quiescent_since(const struct oracle *o, int cpu, int64_t since)
{
	const struct cpu *c = &o->m->cpus[cpu];

	if (oracle_reader_on_cpu(o, cpu, since))
		return false;
	return o->m->preempt_rcu || cpu_in_eqs(c) || in_user_mode(c) ||
	       o->cpu[cpu].quiescent > since;
}

void oracle_quiescent(struct cpu *c)
{
	struct oracle *o = c->m->oracle;

	o->cpu[c->id].quiescent = oracle_next_moment(o);
}

void oracle_cpu_online(struct cpu *c)
{
	struct oracle *o = c->m->oracle;

	oracle_quiescent(c);
	o->cpu[c->id].online = oracle_next_moment(o);
	o->cpu[c->id].ever_online = true;
	o->online++;
	o->exp_online++;
}

void oracle_cpu_dying(struct cpu *c)
{
	c->m->oracle->online--;
	if (c->active || c->rq.head[CLASS_STOP])
		oracle_violate(c->m->oracle, 1, c->id, "a CPU goes off line with other work to do");
}

void oracle_cpu_dead(struct cpu *c)
{
	struct oracle *o = c->m->oracle;

	if (!cpu_in_eqs(c) || c->curr || c->rq.runnable)
		oracle_violate(o, 8, c->id, "a CPU is off line and not idle");
	o->cpu[c->id].online = 0;
}

static void may_record(struct cpu *c)
{
	oracle_quiescent(c);
	c->m->oracle->cpu[c->id].may_record = true;
}

void oracle_context_switch(struct cpu *c)
{
	struct oracle *o = c->m->oracle;

	if (c->curr && oracle_reader_of(o, c->curr) && !c->curr->blkd_node)
		oracle_violate(o, 8, c->id, "a context switch inside a reader, which is not queued");
	may_record(c);
}

void oracle_cond_resched(struct cpu *c)
{
	const struct task *t = c->curr;

	if (c->ctx != CTX_TASK || !t || oracle_reader_of(c->m->oracle, t))
		oracle_violate(c->m->oracle, 8, c->id, "cond_resched() outside of a task, or in a reader");
	may_record(c);
}

void oracle_unlocked(struct cpu *c)
{
	if (!oracle_reader_of(c->m->oracle, c->curr))
		may_record(c);
}

void oracle_handler(struct cpu *c, enum cpu_ctx over)
{
	const struct machine *m = c->m;
	bool user = over == CTX_TASK && c->curr->user_mode;
	/* from 4.20 on a softirq is a reader, too */
	bool preempt = m->preempt_rcu &&
		       (over == CTX_TASK || m->cfg->kernel.profile.version < 420) &&
		       !(c->curr && oracle_reader_of(m->oracle, c->curr));

	m->oracle->cpu[c->id].may_record = false;
	if (over == CTX_IDLE || user || preempt)
		may_record(c);
}

void oracle_tick(struct cpu *c, enum cpu_ctx over)
{
	c->m->oracle->cpu[c->id].ticks++;
	oracle_handler(c, over);
}

void oracle_qs(struct cpu *c)
{
	struct oracle *o = c->m->oracle;

	if (!o->cpu[c->id].may_record)
		oracle_violate(o, 8, c->id, "a quiescent state is recorded inside a reader");
	o->cpu[c->id].may_record = false;
}

/* --- nodes --- */

/* Child of node i that has bit `bit` in it; leaves have none. */
static int child_of(const struct rcu_state *rs, int i, int bit)
{
	const struct rcu_geometry *g = &rs->geometry;
	int level = rs->node[i].level;

	return g->level_start[level + 1] + (i - g->level_start[level]) * g->level_spread[level] +
	       bit;
}

static bool is_leaf(const struct rcu_state *rs, const struct rcu_node *rnp)
{
	return rnp >= rs->leaf;
}

/* Masks at a start: leaves owe exactly the CPUs on line, parents exactly their children. */
static void check_masks(struct oracle *o, const uint64_t *owed, bool normal)
{
	const char *kind = normal ? "normal" : "expedited";
	const struct machine *m = o->m;
	const struct rcu_state *rs = m->rcu;

	for (int cpu = 0; cpu < m->nr_cpu_ids; cpu++) {
		const struct rcu_data *rdp = &rs->data[cpu];
		bool owes = (owed[rdp->mynode - rs->node] & rdp->grpmask) != 0;

		/* who has ever been on line is selected for an expedited one, or found to be off line */
		if (owes != (normal ? o->cpu[cpu].online != 0 : o->cpu[cpu].ever_online))
			oracle_violate(o, 1, cpu, "%s grace period %s for a CPU that is %s line", kind,
				owes ? "waits" : "does not wait", owes ? "off" : "on");
	}
	for (int i = 1; i < rs->geometry.nodes; i++) {
		const struct rcu_node *rnp = &rs->node[i];
		bool parent_owes = (owed[rnp->parent - rs->node] & rnp->grpmask) != 0;

		/* readers from before their CPUs went off line */
		if (normal && !owed[i] && rnp->blkd_head)
			continue;
		if (parent_owes != (owed[i] != 0))
			oracle_violate(o, 6, rnp->grplo, "%s grace period: a node's mask is %llx, its bit "
						  "above is %d",
				kind, (unsigned long long)owed[i], (int)parent_owes);
	}
}

/* Bits of a node go: once each, and upwards only when nothing is left below. */
static void clear_bits(struct oracle *o, uint64_t *owed, const struct rcu_node *rnp,
		       uint64_t model_mask, uint64_t mask)
{
	const struct rcu_state *rs = o->m->rcu;
	int i = (int)(rnp - rs->node);

	if (owed[i] != model_mask)
		oracle_violate(o, 5, rnp->grplo, "a mask is %llx, its bits cleared one by one leave %llx",
			(unsigned long long)model_mask, (unsigned long long)owed[i]);
	if (mask == 0 || (owed[i] & mask) != mask)
		oracle_violate(o, 5, rnp->grplo, "bits %llx of mask %llx are cleared twice",
			(unsigned long long)mask, (unsigned long long)owed[i]);
	for (uint64_t left = is_leaf(rs, rnp) ? 0 : mask; left; left &= left - 1) {
		int child = child_of(rs, i, __builtin_ctzll(left));

		if (owed[child])
			oracle_violate(o, 6, rnp->grplo, "a bit goes up while the child's mask is %llx",
				(unsigned long long)owed[child]);
		if (owed == o->owed ? rs->node[child].gp_tasks : rs->node[child].exp_tasks)
			oracle_violate(o, 6, rnp->grplo, "a bit goes up while a task below holds it");
	}
	owed[i] &= ~mask;
}

/* At an end nothing is owed, and every CPU has been quiescent. */
static void check_end(struct oracle *o, const uint64_t *owed, int64_t start, const char *kind)
{
	const struct machine *m = o->m;
	const struct rcu_state *rs = m->rcu;

	for (int i = 0; i < rs->geometry.nodes; i++) {
		if (owed[i])
			oracle_violate(o, 6, rs->node[i].grplo, "%s grace period ends while a mask is %llx",
				kind, (unsigned long long)owed[i]);
		if (owed == o->owed ? rs->node[i].gp_tasks : rs->node[i].exp_tasks)
			oracle_violate(o, 6, rs->node[i].grplo, "%s grace period ends, a task holds it",
				kind);
	}
	oracle_check_readers(o, start, kind);
	for (int cpu = 0; cpu < m->nr_cpu_ids; cpu++) {
		int64_t online = o->cpu[cpu].online;

		if (online && online < start && !quiescent_since(o, cpu, start))
			oracle_violate(o, 1, cpu, "%s grace period ends, a reader from before it has not",
				kind);
	}
}

/* --- normal grace periods --- */

bool oracle_softirq_due(const struct cpu *c)
{
	bool in_softirq = c->ctx == CTX_SOFTIRQ ||
			  (c->ctx == CTX_HARDIRQ && c->irq_over == CTX_SOFTIRQ);

	return ((c->softirq_pending | c->softirq_run) & (1u << SOFTIRQ_RCU)) != 0 ||
	       (in_softirq && c->softirq == SOFTIRQ_RCU) ||
	       (c->ksoftirqd && c->ksoftirqd->state_idx != 0);
}

/*
 * The first grace period after a callback was queued starts after a tick of its
 * CPU: the callback, first in its list, needs one more to be invoked.
 */
static void raise_floors(struct oracle *o)
{
	for (int64_t i = 1; i < o->slot_count; i++) {
		struct wait_slot *s = &o->slots[i];

		if (!s->used || s->ticks_needed == 0 || s->gp_seen)
			continue;
		s->gp_seen = true;
		if (s->first_in_list && o->cpu[s->queued_cpu].ticks > s->ticks_at_queue &&
		    !oracle_softirq_due(&o->m->cpus[s->queued_cpu]))
			s->ticks_needed = 2;
	}
}

void oracle_gp_start(struct machine *m)
{
	struct oracle *o = m->oracle;
	const struct rcu_state *rs = m->rcu;

	if (rcu_seq_running(o->gp_seq) || rs->gp_seq != o->gp_seq + 1)
		oracle_violate(o, 3, 0, "grace period %lld starts after %lld", (long long)rs->gp_seq,
			(long long)o->gp_seq);
	o->gp_seq = rs->gp_seq;
	o->gp_start = oracle_next_moment(o);
	for (int i = 0; i < rs->geometry.nodes; i++) {
		if (rs->node[i].gp_seq != o->gp_seq - 1)
			oracle_violate(o, 3, rs->node[i].grplo, "a node is at %lld when %lld starts",
				(long long)rs->node[i].gp_seq, (long long)o->gp_seq);
		o->owed[i] = rs->node[i].qsmaskinit;
		o->credited[i] = 0;
	}
	check_masks(o, o->owed, true);
	raise_floors(o);
}

void oracle_qs_noticed(struct cpu *c)
{
	struct oracle *o = c->m->oracle;

	o->cpu[c->id].noticed = oracle_next_moment(o);
	o->cpu[c->id].noticed_seq = c->rdp->mynode->gp_seq;
}

void oracle_eqs_credit(struct machine *m, int cpu)
{
	struct oracle *o = m->oracle;
	const struct rcu_data *rdp = &m->rcu->data[cpu];

	if (!cpu_in_eqs(&m->cpus[cpu]) && o->cpu[cpu].quiescent <= o->gp_start)
		oracle_violate(o, 7, cpu, "a scan credits a CPU that was in no EQS since the start");
	o->credited[rdp->mynode - m->rcu->node] |= rdp->grpmask;
}

void oracle_qs_clear(struct machine *m, const struct rcu_node *rnp, uint64_t mask, int cpu)
{
	struct oracle *o = m->oracle;
	const struct cpu_watch *w = &o->cpu[cpu];
	const struct rcu_data *rdp = &m->rcu->data[cpu];
	uint64_t own;

	if (rnp->gp_seq != o->gp_seq || !rcu_seq_running(o->gp_seq))
		oracle_violate(o, 3, cpu, "a report to a node at %lld, the grace period is %lld",
			(long long)rnp->gp_seq, (long long)o->gp_seq);
	if (is_leaf(m->rcu, rnp)) {
		own = mask & ~o->credited[rnp - m->rcu->node];
		if (own && (rnp != rdp->mynode || own != rdp->grpmask))
			oracle_violate(o, 7, cpu, "reports for others, bits %llx", (unsigned long long)own);
		if (own && (w->noticed_seq != o->gp_seq || w->quiescent <= w->noticed))
			oracle_violate(o, 7, cpu, "reports a quiescent state from before it noticed");
	}
	clear_bits(o, o->owed, rnp, rnp->qsmask, mask);
}

void oracle_gp_end(struct machine *m)
{
	struct oracle *o = m->oracle;
	const struct rcu_state *rs = m->rcu;

	if (!rcu_seq_running(o->gp_seq) || rs->gp_seq != o->gp_seq)
		oracle_violate(o, 3, 0, "grace period %lld ends, %lld runs", (long long)rs->gp_seq,
			(long long)o->gp_seq);
	for (int i = 0; i < rs->geometry.nodes; i++) {
		if (rs->node[i].gp_seq != o->gp_seq)
			oracle_violate(o, 3, rs->node[i].grplo, "a node is at %lld when %lld ends",
				(long long)rs->node[i].gp_seq, (long long)o->gp_seq);
	}
	check_end(o, o->owed, o->gp_start, "normal");
	o->gp_proven = o->gp_start;
	o->gp_seq = (o->gp_seq | RCU_SEQ_PHASE_MASK) + 1;
	oracle_next_moment(o);
}

/* --- callbacks --- */

static void ring_grow(struct oracle *o, struct cpu_watch *w)
{
	size_t capacity = w->capacity ? 2 * w->capacity : 8;
	struct queued_cb *ring = sim_arena_array_raw(o->m->arena, capacity, sizeof(*ring));

	for (size_t i = 0; i < w->count; i++)
		ring[i] = w->ring[(w->head + i) % w->capacity];
	w->ring = ring;
	w->head = 0;
	w->capacity = capacity;
}

void oracle_cb_queued(struct machine *m, int cpu, const struct rcu_cb *cb)
{
	struct oracle *o = m->oracle;
	struct cpu_watch *w = &o->cpu[cpu];

	if (w->count == w->capacity)
		ring_grow(o, w);
	w->ring[(w->head + w->count++) % w->capacity] =
		(struct queued_cb){ cb, oracle_next_moment(o), o->gp_seq };
}

void oracle_cb_invoked(struct machine *m, int cpu, const struct rcu_cb *cb)
{
	struct oracle *o = m->oracle;
	struct cpu_watch *w = &o->cpu[cpu];
	struct queued_cb oldest;

	if (w->count == 0 || w->ring[w->head].cb != cb) {
		oracle_violate(o, 10, cpu, "a callback is invoked twice or out of order");
		return;
	}
	oldest = w->ring[w->head];
	w->head = (w->head + 1) % w->capacity;
	w->count--;
	if (cb->entrained)
		return; /* needs no grace period but that of the one before it */
	if (!rcu_seq_done(o->gp_seq, rcu_seq_snap(oldest.seq)))
		oracle_violate(o, 4, cpu, "a callback queued at %lld is invoked at %lld",
			(long long)oldest.seq, (long long)o->gp_seq);
	if (o->gp_proven <= oldest.moment)
		oracle_violate(o, 10, cpu, "a callback is invoked without a grace period of its own");
	if (!m->flags.fully_active)
		oracle_violate(o, 10, cpu, "a callback is invoked before RCU is fully active");
}

static struct queued_cb ring_pop(struct cpu_watch *w)
{
	struct queued_cb cb = w->ring[w->head];

	w->head = (w->head + 1) % w->capacity;
	w->count--;
	return cb;
}

static void ring_push(struct oracle *o, struct cpu_watch *w, struct queued_cb cb)
{
	if (w->count == w->capacity)
		ring_grow(o, w);
	w->ring[(w->head + w->count++) % w->capacity] = cb;
}

void oracle_cbs_moved(struct machine *m, int from, int to, int64_t ready, bool ready_first)
{
	struct oracle *o = m->oracle;
	struct cpu_watch *src = &o->cpu[from];
	struct cpu_watch *dst = &o->cpu[to];
	const struct rcu_segcblist *list = &m->rcu->data[to].cblist;
	size_t kept = dst->count, front = 0;

	if (src->online)
		oracle_violate(o, 10, from, "callbacks of a CPU on line are taken from it");
	/* what stays in front of those that come ready: nothing, or what was ready before */
	for (const struct rcu_cb *cb = list->head; !ready_first && cb != *list->tails[SEG_DONE];
	     cb = cb->next)
		front++;
	front -= ready_first ? 0 : (size_t)ready;
	for (size_t i = 0; i < front; i++)
		ring_push(o, dst, ring_pop(dst));
	for (int64_t i = 0; i < ready && src->count > 0; i++)
		ring_push(o, dst, ring_pop(src));
	for (size_t i = front; i < kept; i++)
		ring_push(o, dst, ring_pop(dst));
	while (src->count > 0)
		ring_push(o, dst, ring_pop(src));
	for (int64_t i = 1; i < o->slot_count; i++) {
		if (o->slots[i].used && o->slots[i].queued_cpu == from)
			o->slots[i].ticks_needed = 0; /* other ticks count from now on */
	}
}

/* --- expedited grace periods by IPI --- */

void oracle_exp_snap(struct machine *m, const struct rcu_wait *w)
{
	struct oracle *o = m->oracle;
	int64_t ends = rcu_seq_ctr(w->seq) - rcu_seq_ctr(o->exp_seq);

	if (ends != (rcu_seq_running(o->exp_seq) ? 2 : 1))
		oracle_violate(o, 13, w->task->cpu, "a request waits for %lld expedited grace periods",
			(long long)ends);
	o->slots[w->oracle_seq].snapped = true;
}

void oracle_exp_start(struct machine *m, int64_t seq, int cpu)
{
	struct oracle *o = m->oracle;

	if (rcu_seq_running(o->exp_seq) || seq != o->exp_seq + 1)
		oracle_violate(o, 3, cpu, "expedited grace period %lld starts after %lld", (long long)seq,
			(long long)o->exp_seq);
	if (o->exp_waits == 0)
		oracle_violate(o, 16, cpu, "an expedited grace period that nobody asked for");
	o->exp_seq = seq;
	o->exp_start = oracle_next_moment(o);
	o->exp_ipis = 0;
	o->exp_selectors = 0;
	o->exp_online = o->online;
	o->exp_cpu = -1;
}

void oracle_exp_reset(struct machine *m)
{
	struct oracle *o = m->oracle;

	for (int i = 0; i < m->rcu->geometry.nodes; i++)
		o->exp_owed[i] = m->rcu->node[i].expmask;
	check_masks(o, o->exp_owed, false);
}

void oracle_exp_select(struct cpu *c)
{
	/* who drives a grace period is not in a reader */
	oracle_quiescent(c);
	c->m->oracle->exp_cpu = c->id;
	if (c->m->oracle->cpu[c->id].selects_seq != c->m->oracle->exp_seq)
		c->m->oracle->exp_selectors++;
	c->m->oracle->cpu[c->id].selects_seq = c->m->oracle->exp_seq;
}

void oracle_exp_ipi(struct machine *m, int from, int to)
{
	struct oracle *o = m->oracle;
	const struct rcu_data *rdp = &m->rcu->data[to];

	if (o->cpu[from].selects_seq != o->exp_seq || to == from)
		oracle_violate(o, 12, to, "a selection IPI from CPU %d, which does not select", from);
	if (o->cpu[to].online == 0 || cpu_in_eqs(&m->cpus[to]))
		oracle_violate(o, 12, to, "a selection IPI to a CPU off line or in an EQS");
	if (!(o->exp_owed[rdp->mynode - m->rcu->node] & rdp->grpmask))
		oracle_violate(o, 12, to, "a selection IPI to a CPU that owes nothing");
	if (o->cpu[to].ipi_seq == o->exp_seq)
		oracle_violate(o, 12, to, "a second selection IPI");
	/* leaves selected at once, by CPUs of each other's: each may be asked */
	if (++o->exp_ipis > o->exp_online - (o->exp_selectors == 1))
		oracle_violate(o, 12, to, "more selection IPIs than CPUs on line but the selecting one");
	o->cpu[to].ipi_seq = o->exp_seq;
}

void oracle_exp_clear(struct machine *m, const struct rcu_node *rnp, uint64_t mask)
{
	struct oracle *o = m->oracle;

	for (uint64_t left = is_leaf(m->rcu, rnp) ? mask : 0; left; left &= left - 1) {
		int cpu = rnp->grplo + __builtin_ctzll(left);

		if (cpu < m->nr_cpu_ids && !quiescent_since(o, cpu, o->exp_start))
			oracle_violate(o, 7, cpu, "an expedited report without a quiescent state");
	}
	clear_bits(o, o->exp_owed, rnp, rnp->expmask, mask);
}

void oracle_exp_end(struct machine *m, int64_t seq)
{
	struct oracle *o = m->oracle;

	if (!rcu_seq_running(o->exp_seq) || seq != (o->exp_seq | RCU_SEQ_PHASE_MASK) + 1)
		oracle_violate(o, 3, 0, "expedited grace period ends at %lld, %lld runs", (long long)seq,
			(long long)o->exp_seq);
	check_end(o, o->exp_owed, o->exp_start, "expedited");
	o->exp_proven = o->exp_start;
	o->exp_seq = seq;
	oracle_next_moment(o);
	for (int64_t i = 1; i < o->slot_count; i++) {
		struct wait_slot *s = &o->slots[i];

		if (s->used && s->snapped && ++s->ends > 2 && s->task->state == TASK_SLEEPING)
			oracle_violate(o, 13, s->task->cpu, "a request sleeps through %lld ends of "
						     "expedited grace periods",
				(long long)s->ends);
	}
}

/* --- expedited grace periods by stoppers --- */

void oracle_stop_mask(struct cpu *c, const struct rcu_wait *w)
{
	struct machine *m = c->m;
	struct oracle *o = m->oracle;
	struct wait_slot *s = &o->slots[w->oracle_seq];

	s->works = s->works_due = 0;
	s->selected = s->proves = oracle_next_moment(o);
	oracle_quiescent(c); /* the caller is not in a reader */
	for (int cpu = 0; cpu < m->nr_cpu_ids; cpu++) {
		bool stops = o->cpu[cpu].online != 0 && cpu != c->id && !cpu_in_eqs(&m->cpus[cpu]);

		if (stops != cpu_mask_has(w->mask, cpu))
			oracle_violate(o, 12, cpu, "a CPU is %s stopped", stops ? "not to be" : "to be");
		s->works_due += stops;
	}
}

void oracle_stop_queued(struct machine *m, const struct rcu_wait *w, int cpu)
{
	struct wait_slot *s = &m->oracle->slots[w->oracle_seq];

	if (!cpu_mask_has(w->mask, cpu))
		oracle_violate(m->oracle, 12, cpu, "a stopper is to work outside the mask");
	if (s->proves == s->selected)
		s->proves = oracle_next_moment(m->oracle);
}

void oracle_stop_gone(struct machine *m, const struct rcu_wait *w, int cpu)
{
	if (m->oracle->cpu[cpu].online)
		oracle_violate(m->oracle, 12, cpu, "a CPU on line is not stopped");
	m->oracle->slots[w->oracle_seq].works_due--;
}

void oracle_stop_worked(struct cpu *c, const struct rcu_wait *w)
{
	struct oracle *o = c->m->oracle;

	oracle_quiescent(c); /* nor is a stopper in a reader */
	if (!cpu_mask_has(w->mask, c->id))
		oracle_violate(o, 12, c->id, "a stopper worked outside the mask");
	o->slots[w->oracle_seq].works++;
}

void oracle_stop_snapshot(struct machine *m)
{
	struct oracle *o = m->oracle;

	for (int i = 0; i < m->rcu->geometry.nodes; i++)
		o->exp_owed[i] = m->rcu->node[i].expmask;
}

void oracle_stop_end(struct machine *m, const struct rcu_wait *w)
{
	struct oracle *o = m->oracle;
	const struct wait_slot *s = &o->slots[w->oracle_seq];

	if (s->works != s->works_due)
		oracle_violate(o, 12, w->task->cpu, "%lld stoppers worked, %lld CPUs were to be stopped",
			(long long)s->works, (long long)s->works_due);
	for (int cpu = 0; cpu < m->nr_cpu_ids; cpu++) {
		int64_t online = o->cpu[cpu].online;

		if (online && online < s->selected && !quiescent_since(o, cpu, s->selected))
			oracle_violate(o, 1, cpu, "stoppers are through, a reader from before is not");
	}
	oracle_check_readers(o, s->selected, "expedited");
	if (o->exp_proven < s->proves)
		o->exp_proven = s->proves;
}

/* --- a run --- */

void oracle_init(struct machine *m)
{
	struct oracle *o = sim_arena_alloc(m->arena, sizeof(*o));
	size_t nodes = (size_t)m->rcu->geometry.nodes;

	m->oracle = o;
	o->m = m;
	o->cpu = sim_arena_array(m->arena, (size_t)m->nr_cpu_ids, sizeof(*o->cpu));
	o->owed = sim_arena_array(m->arena, nodes, sizeof(*o->owed));
	o->credited = sim_arena_array(m->arena, nodes, sizeof(*o->credited));
	o->exp_owed = sim_arena_array(m->arena, nodes, sizeof(*o->exp_owed));
	o->gp_seq = RCU_SEQ_INITIAL;
	o->exp_cpu = -1;
	o->slot_capacity = 16;
	o->slot_count = 1;
	o->slots = sim_arena_array(m->arena, (size_t)o->slot_capacity, sizeof(*o->slots));
	oracle_init_controls(o);
}

void oracle_finish(struct machine *m)
{
	struct oracle *o = m->oracle;

	for (int cpu = 0; cpu < m->nr_cpu_ids; cpu++) {
		if (o->cpu[cpu].count != (size_t)m->rcu->data[cpu].cblist.len)
			oracle_violate(o, 10, cpu, "%zu callbacks are queued and not invoked, the list has %lld",
				o->cpu[cpu].count, (long long)m->rcu->data[cpu].cblist.len);
	}
	oracle_finish_waits(o);
}
