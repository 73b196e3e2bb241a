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
#include "models/oracle.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A callback queued and not yet invoked. */
struct queued_cb {
	const struct rcu_cb *cb;
	int64_t moment;
	int64_t seq; /* grace-period number at the time */
};

struct cpu_watch {
	int64_t quiescent; /* moment of the latest quiescent state */
	int64_t online;    /* moment it came on line; 0: it has not */
	int64_t noticed;   /* moment it noticed grace period noticed_seq */
	int64_t noticed_seq;
	int64_t ticks;
	int64_t ipi_seq;   /* expedited grace period that sent it an IPI */
	bool may_record;   /* it is in a quiescent state this instant */
	/* its callbacks: a ring */
	struct queued_cb *ring;
	size_t head, count, capacity;
};

/* A wait under way. Slot 0 belongs to nobody. */
struct wait_slot {
	bool used;
	bool snapped;
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
	/* expedited */
	int64_t exp_seq, exp_start, exp_proven;
	int64_t exp_ipis;
	int exp_cpu;         /* that selects; -1: none so far */
	uint64_t *exp_owed;
	int exp_waits;
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

static void violate(struct oracle *o, int condition, int cpu, const char *fmt, ...)
	RS_PRINTF(4, 5);

static void violate(struct oracle *o, int condition, int cpu, const char *fmt, ...)
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

static int64_t next_moment(struct oracle *o)
{
	return ++o->moment;
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

	return o->m->preempt_rcu || cpu_in_eqs(c) || in_user_mode(c) ||
	       o->cpu[cpu].quiescent > since;
}

void oracle_quiescent(struct cpu *c)
{
	struct oracle *o = c->m->oracle;

	o->cpu[c->id].quiescent = next_moment(o);
}

void oracle_cpu_online(struct cpu *c)
{
	struct oracle *o = c->m->oracle;

	oracle_quiescent(c);
	o->cpu[c->id].online = next_moment(o);
	o->online++;
}

void oracle_context_switch(struct cpu *c)
{
	oracle_quiescent(c);
	c->m->oracle->cpu[c->id].may_record = true;
}

void oracle_handler(struct cpu *c, enum cpu_ctx over)
{
	const struct machine *m = c->m;
	bool user = over == CTX_TASK && c->curr->user_mode;
	/* without explicit readers, only a softirq may be one from 4.20 on */
	bool preempt = m->preempt_rcu &&
		       (over == CTX_TASK || m->cfg->kernel.profile.version < 420);

	m->oracle->cpu[c->id].may_record = false;
	if (over == CTX_IDLE || user || preempt)
		oracle_context_switch(c);
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
		violate(o, 8, c->id, "a quiescent state is recorded inside a reader");
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
static void check_masks(struct oracle *o, const uint64_t *owed, const char *kind)
{
	const struct machine *m = o->m;
	const struct rcu_state *rs = m->rcu;

	for (int cpu = 0; cpu < m->nr_cpu_ids; cpu++) {
		const struct rcu_data *rdp = &rs->data[cpu];
		bool owes = (owed[rdp->mynode - rs->node] & rdp->grpmask) != 0;

		if (owes != (o->cpu[cpu].online != 0))
			violate(o, 1, cpu, "%s grace period %s for a CPU that is %s line", kind,
				owes ? "waits" : "does not wait", owes ? "off" : "on");
	}
	for (int i = 1; i < rs->geometry.nodes; i++) {
		const struct rcu_node *rnp = &rs->node[i];
		bool parent_owes = (owed[rnp->parent - rs->node] & rnp->grpmask) != 0;

		if (parent_owes != (owed[i] != 0))
			violate(o, 6, rnp->grplo, "%s grace period: a node's mask is %llx, its bit "
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
		violate(o, 5, rnp->grplo, "a mask is %llx, its bits cleared one by one leave %llx",
			(unsigned long long)model_mask, (unsigned long long)owed[i]);
	if (mask == 0 || (owed[i] & mask) != mask)
		violate(o, 5, rnp->grplo, "bits %llx of mask %llx are cleared twice",
			(unsigned long long)mask, (unsigned long long)owed[i]);
	for (uint64_t left = is_leaf(rs, rnp) ? 0 : mask; left; left &= left - 1) {
		int child = child_of(rs, i, __builtin_ctzll(left));

		if (owed[child])
			violate(o, 6, rnp->grplo, "a bit goes up while the child's mask is %llx",
				(unsigned long long)owed[child]);
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
			violate(o, 6, rs->node[i].grplo, "%s grace period ends while a mask is %llx",
				kind, (unsigned long long)owed[i]);
	}
	for (int cpu = 0; cpu < m->nr_cpu_ids; cpu++) {
		int64_t online = o->cpu[cpu].online;

		if (online && online < start && !quiescent_since(o, cpu, start))
			violate(o, 1, cpu, "%s grace period ends, a reader from before it has not",
				kind);
	}
}

/* --- normal grace periods --- */

/* Will c run RCU_SOFTIRQ without a further tick? */
static bool softirq_due(const struct cpu *c)
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
		    !softirq_due(&o->m->cpus[s->queued_cpu]))
			s->ticks_needed = 2;
	}
}

void oracle_gp_start(struct machine *m)
{
	struct oracle *o = m->oracle;
	const struct rcu_state *rs = m->rcu;

	if (rcu_seq_running(o->gp_seq) || rs->gp_seq != o->gp_seq + 1)
		violate(o, 3, 0, "grace period %lld starts after %lld", (long long)rs->gp_seq,
			(long long)o->gp_seq);
	o->gp_seq = rs->gp_seq;
	o->gp_start = next_moment(o);
	for (int i = 0; i < rs->geometry.nodes; i++) {
		if (rs->node[i].gp_seq != o->gp_seq - 1)
			violate(o, 3, rs->node[i].grplo, "a node is at %lld when %lld starts",
				(long long)rs->node[i].gp_seq, (long long)o->gp_seq);
		o->owed[i] = rs->node[i].qsmaskinit;
		o->credited[i] = 0;
	}
	check_masks(o, o->owed, "normal");
	raise_floors(o);
}

void oracle_qs_noticed(struct cpu *c)
{
	struct oracle *o = c->m->oracle;

	o->cpu[c->id].noticed = next_moment(o);
	o->cpu[c->id].noticed_seq = c->rdp->mynode->gp_seq;
}

void oracle_eqs_credit(struct machine *m, int cpu)
{
	struct oracle *o = m->oracle;
	const struct rcu_data *rdp = &m->rcu->data[cpu];

	if (!cpu_in_eqs(&m->cpus[cpu]) && o->cpu[cpu].quiescent <= o->gp_start)
		violate(o, 7, cpu, "a scan credits a CPU that was in no EQS since the start");
	o->credited[rdp->mynode - m->rcu->node] |= rdp->grpmask;
}

void oracle_qs_clear(struct machine *m, const struct rcu_node *rnp, uint64_t mask, int cpu)
{
	struct oracle *o = m->oracle;
	const struct cpu_watch *w = &o->cpu[cpu];
	const struct rcu_data *rdp = &m->rcu->data[cpu];
	uint64_t own;

	if (rnp->gp_seq != o->gp_seq || !rcu_seq_running(o->gp_seq))
		violate(o, 3, cpu, "a report to a node at %lld, the grace period is %lld",
			(long long)rnp->gp_seq, (long long)o->gp_seq);
	if (is_leaf(m->rcu, rnp)) {
		own = mask & ~o->credited[rnp - m->rcu->node];
		if (own && (rnp != rdp->mynode || own != rdp->grpmask))
			violate(o, 7, cpu, "reports for others, bits %llx", (unsigned long long)own);
		if (own && (w->noticed_seq != o->gp_seq || w->quiescent <= w->noticed))
			violate(o, 7, cpu, "reports a quiescent state from before it noticed");
	}
	clear_bits(o, o->owed, rnp, rnp->qsmask, mask);
}

void oracle_gp_end(struct machine *m)
{
	struct oracle *o = m->oracle;
	const struct rcu_state *rs = m->rcu;

	if (!rcu_seq_running(o->gp_seq) || rs->gp_seq != o->gp_seq)
		violate(o, 3, 0, "grace period %lld ends, %lld runs", (long long)rs->gp_seq,
			(long long)o->gp_seq);
	for (int i = 0; i < rs->geometry.nodes; i++) {
		if (rs->node[i].gp_seq != o->gp_seq)
			violate(o, 3, rs->node[i].grplo, "a node is at %lld when %lld ends",
				(long long)rs->node[i].gp_seq, (long long)o->gp_seq);
	}
	check_end(o, o->owed, o->gp_start, "normal");
	o->gp_proven = o->gp_start;
	o->gp_seq = (o->gp_seq | RCU_SEQ_PHASE_MASK) + 1;
	next_moment(o);
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
		(struct queued_cb){ cb, next_moment(o), o->gp_seq };
}

void oracle_cb_invoked(struct machine *m, int cpu, const struct rcu_cb *cb)
{
	struct oracle *o = m->oracle;
	struct cpu_watch *w = &o->cpu[cpu];
	struct queued_cb oldest;

	if (w->count == 0 || w->ring[w->head].cb != cb) {
		violate(o, 10, cpu, "a callback is invoked twice or out of order");
		return;
	}
	oldest = w->ring[w->head];
	w->head = (w->head + 1) % w->capacity;
	w->count--;
	if (!rcu_seq_done(o->gp_seq, rcu_seq_snap(oldest.seq)))
		violate(o, 4, cpu, "a callback queued at %lld is invoked at %lld",
			(long long)oldest.seq, (long long)o->gp_seq);
	if (o->gp_proven <= oldest.moment)
		violate(o, 10, cpu, "a callback is invoked without a grace period of its own");
	if (!m->flags.fully_active)
		violate(o, 10, cpu, "a callback is invoked before RCU is fully active");
}

/* --- expedited grace periods by IPI --- */

void oracle_exp_snap(struct machine *m, const struct rcu_wait *w)
{
	struct oracle *o = m->oracle;
	int64_t ends = rcu_seq_ctr(w->seq) - rcu_seq_ctr(o->exp_seq);

	if (ends != (rcu_seq_running(o->exp_seq) ? 2 : 1))
		violate(o, 13, w->task->cpu, "a request waits for %lld expedited grace periods",
			(long long)ends);
	o->slots[w->oracle_seq].snapped = true;
}

void oracle_exp_start(struct machine *m, int64_t seq, int cpu)
{
	struct oracle *o = m->oracle;

	if (rcu_seq_running(o->exp_seq) || seq != o->exp_seq + 1)
		violate(o, 3, cpu, "expedited grace period %lld starts after %lld", (long long)seq,
			(long long)o->exp_seq);
	if (o->exp_waits == 0)
		violate(o, 16, cpu, "an expedited grace period that nobody asked for");
	o->exp_seq = seq;
	o->exp_start = next_moment(o);
	o->exp_ipis = 0;
	o->exp_cpu = -1;
}

void oracle_exp_reset(struct machine *m)
{
	struct oracle *o = m->oracle;

	for (int i = 0; i < m->rcu->geometry.nodes; i++)
		o->exp_owed[i] = m->rcu->node[i].expmask;
	check_masks(o, o->exp_owed, "expedited");
}

void oracle_exp_select(struct cpu *c)
{
	/* who drives a grace period is not in a reader */
	oracle_quiescent(c);
	c->m->oracle->exp_cpu = c->id;
}

void oracle_exp_ipi(struct machine *m, int from, int to)
{
	struct oracle *o = m->oracle;
	const struct rcu_data *rdp = &m->rcu->data[to];

	if (from != o->exp_cpu || to == from)
		violate(o, 12, to, "a selection IPI from CPU %d, CPU %d selects", from, o->exp_cpu);
	if (o->cpu[to].online == 0 || cpu_in_eqs(&m->cpus[to]))
		violate(o, 12, to, "a selection IPI to a CPU off line or in an EQS");
	if (!(o->exp_owed[rdp->mynode - m->rcu->node] & rdp->grpmask))
		violate(o, 12, to, "a selection IPI to a CPU that owes nothing");
	if (o->cpu[to].ipi_seq == o->exp_seq || ++o->exp_ipis > o->online - 1)
		violate(o, 12, to, "a second selection IPI, or more than CPUs on line less one");
	o->cpu[to].ipi_seq = o->exp_seq;
}

void oracle_exp_clear(struct machine *m, const struct rcu_node *rnp, uint64_t mask)
{
	struct oracle *o = m->oracle;

	for (uint64_t left = is_leaf(m->rcu, rnp) ? mask : 0; left; left &= left - 1) {
		int cpu = rnp->grplo + __builtin_ctzll(left);

		if (cpu < m->nr_cpu_ids && !quiescent_since(o, cpu, o->exp_start))
			violate(o, 7, cpu, "an expedited report without a quiescent state");
	}
	clear_bits(o, o->exp_owed, rnp, rnp->expmask, mask);
}

void oracle_exp_end(struct machine *m, int64_t seq)
{
	struct oracle *o = m->oracle;

	if (!rcu_seq_running(o->exp_seq) || seq != (o->exp_seq | RCU_SEQ_PHASE_MASK) + 1)
		violate(o, 3, 0, "expedited grace period ends at %lld, %lld runs", (long long)seq,
			(long long)o->exp_seq);
	check_end(o, o->exp_owed, o->exp_start, "expedited");
	o->exp_proven = o->exp_start;
	o->exp_seq = seq;
	next_moment(o);
	for (int64_t i = 1; i < o->slot_count; i++) {
		struct wait_slot *s = &o->slots[i];

		if (s->used && s->snapped && ++s->ends > 2 && s->task->state == TASK_SLEEPING)
			violate(o, 13, s->task->cpu, "a request sleeps through %lld ends of "
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
	s->selected = s->proves = next_moment(o);
	oracle_quiescent(c); /* the caller is not in a reader */
	for (int cpu = 0; cpu < m->nr_cpu_ids; cpu++) {
		bool stops = o->cpu[cpu].online != 0 && cpu != c->id && !cpu_in_eqs(&m->cpus[cpu]);

		if (stops != cpu_mask_has(w->mask, cpu))
			violate(o, 12, cpu, "a CPU is %s stopped", stops ? "not to be" : "to be");
		s->works_due += stops;
	}
}

void oracle_stop_work(struct machine *m, const struct rcu_wait *w, int cpu)
{
	struct wait_slot *s = &m->oracle->slots[w->oracle_seq];

	if (!cpu_mask_has(w->mask, cpu))
		violate(m->oracle, 12, cpu, "a stopper works for a CPU outside the mask");
	if (s->works++ == 0)
		s->proves = next_moment(m->oracle);
}

void oracle_stop_end(struct machine *m, const struct rcu_wait *w)
{
	struct oracle *o = m->oracle;
	const struct wait_slot *s = &o->slots[w->oracle_seq];

	if (s->works != s->works_due)
		violate(o, 12, w->task->cpu, "%lld stoppers worked, %lld CPUs were to be stopped",
			(long long)s->works, (long long)s->works_due);
	for (int cpu = 0; cpu < m->nr_cpu_ids; cpu++) {
		int64_t online = o->cpu[cpu].online;

		if (online && online < s->selected && !quiescent_since(o, cpu, s->selected))
			violate(o, 1, cpu, "stoppers are through, a reader from before is not");
	}
	if (o->exp_proven < s->proves)
		o->exp_proven = s->proves;
}

/* --- waits --- */

/* The way a synchronous wait must take, by the oracle's account of the controls. */
static enum wait_path path_due(const struct oracle *o, bool expedited)
{
	const struct machine *m = o->m;
	const struct rcu_profile *p = &m->cfg->kernel.profile;
	bool init = m->flags.scheduler_active == RCU_SCHEDULER_INIT;
	bool wanted = expedited || o->expedited || o->boot_share + o->balance > 0 ||
		      (init && p->version < 504);

	if (m->flags.scheduler_active == RCU_SCHEDULER_INACTIVE ||
	    (p->uniprocessor_noop && !m->preempt_rcu && o->online == 1))
		return WAIT_NOOP;
	return wanted && (init || !o->normal) ? WAIT_EXPEDITED : WAIT_NORMAL;
}

static int64_t slot_take(struct oracle *o)
{
	struct wait_slot *slots;

	for (int64_t i = 1; i < o->slot_count; i++) {
		if (!o->slots[i].used)
			return i;
	}
	if (o->slot_count == o->slot_capacity) {
		o->slot_capacity *= 2;
		slots = sim_arena_array(o->m->arena, (size_t)o->slot_capacity, sizeof(*slots));
		memcpy(slots, o->slots, (size_t)o->slot_count * sizeof(*slots));
		o->slots = slots;
	}
	return o->slot_count++;
}

static void task_charge(struct oracle *o)
{
	sim_time_ns now_ns = machine_now(o->m);

	o->spent_ns[o->task_waits][o->task_state] += now_ns - o->task_since_ns;
	o->task_since_ns = now_ns;
}

void oracle_wait_begin(struct machine *m, struct rcu_wait *w, bool expedited)
{
	struct oracle *o = m->oracle;
	enum wait_path due = w->path == WAIT_CALLBACK ? WAIT_CALLBACK : path_due(o, expedited);

	if (w->path != due)
		violate(o, due == WAIT_NOOP || w->path == WAIT_NOOP ? 2
			   : w->path == WAIT_EXPEDITED && o->normal ? 16 : 14,
			w->task->cpu, "a wait is %s, the controls say %s", wait_path_name(w->path),
			wait_path_name(due));
	w->oracle_seq = slot_take(o);
	o->slots[w->oracle_seq] = (struct wait_slot){
		.used = true, .path = w->path, .task = w->task, .begun = next_moment(o),
	};
	o->exp_waits += w->path == WAIT_EXPEDITED;
	if (w->task == o->task) {
		task_charge(o);
		o->task_waits = true;
	}
}

void oracle_wait_queued(struct cpu *c, const struct rcu_wait *w)
{
	const struct kernel_config *k = &c->m->cfg->kernel;
	struct wait_slot *s = &c->m->oracle->slots[w->oracle_seq];

	s->queued_cpu = c->id;
	s->ticks_at_queue = c->m->oracle->cpu[c->id].ticks;
	s->first_in_list = c->m->oracle->cpu[c->id].count == 0;
	s->ticks_needed = !c->rdp->offloaded && !(k->fast_no_hz && k->profile.fast_no_hz) &&
			  !softirq_due(c);
}

static void check_latency(struct oracle *o, const struct rcu_wait *w, const struct wait_slot *s)
{
	const struct machine *m = o->m;
	sim_time_ns took_ns = machine_now(m) - w->start_ns;
	int64_t ticks = o->cpu[s->queued_cpu].ticks - s->ticks_at_queue;

	if (w->path == WAIT_EXPEDITED ? took_ns <= 0 && m->cost->sync_ns > 0
				      : ticks < s->ticks_needed)
		violate(o, 17, w->task->cpu, "a wait (%s) took %lld ns, %lld ticks of its CPU passed",
			wait_path_name(w->path), (long long)took_ns, (long long)ticks);
	if (w->path == WAIT_NOOP && took_ns != 0)
		violate(o, 2, w->task->cpu, "a no-op wait took %lld ns", (long long)took_ns);
	if (w->path != WAIT_CALLBACK && took_ns != 0 && m->cfg->kernel.profile.uniprocessor_noop &&
	    !m->preempt_rcu && o->online == 1)
		violate(o, 19, w->task->cpu, "a wait took %lld ns on a machine of one CPU",
			(long long)took_ns);
}

void oracle_wait_end(struct machine *m, const struct rcu_wait *w)
{
	struct oracle *o = m->oracle;
	struct wait_slot *s = &o->slots[w->oracle_seq];
	bool stoppers = m->cfg->kernel.profile.exp_engine == EXP_STOPPERS;
	int64_t proven = w->path == WAIT_EXPEDITED ? o->exp_proven : o->gp_proven;

	if (w->path != s->path &&
	    !(stoppers && s->path == WAIT_EXPEDITED && w->path == WAIT_NORMAL))
		violate(o, 15, w->task->cpu, "a wait begun %s ends %s", wait_path_name(s->path),
			wait_path_name(w->path));
	if (w->path != WAIT_NOOP && proven <= s->begun)
		violate(o, 2, w->task->cpu, "a wait (%s) ends without a grace period begun after it",
			wait_path_name(w->path));
	check_latency(o, w, s);
	o->exp_waits -= s->path == WAIT_EXPEDITED;
	s->used = false;
	if (w->task == o->task) {
		task_charge(o);
		o->task_waits = false;
	}
}

/* --- controls --- */

static void check_nesting(struct oracle *o)
{
	const struct rcu_flags *f = &o->m->flags;

	if (f->nesting < 0 || f->nesting != o->boot_share + o->balance)
		violate(o, 14, 0, "the counter is %lld, the boot's share %lld, the balance %lld",
			(long long)f->nesting, (long long)o->boot_share, (long long)o->balance);
	if ((f->expedited != 0) != (o->expedited != 0) || (f->normal != 0) != (o->normal != 0))
		violate(o, 14, 0, "rcu_expedited %d, rcu_normal %d; written were %d, %d",
			f->expedited, f->normal, o->expedited, o->normal);
}

static void control_pm(struct oracle *o, bool prepare)
{
	int64_t mode = o->m->cfg->kernel.profile.pm_mode;

	if (mode == PM_NEST || (mode == PM_NEST_LE256 && o->m->nr_cpu_ids <= 256))
		o->balance += prepare ? 1 : -1;
	else if (mode == PM_FLAG_LE256 && (!prepare || o->m->nr_cpu_ids <= 256))
		o->expedited = prepare; /* the user's value is lost, as it was */
}

void oracle_control(struct machine *m, const struct step *s)
{
	struct oracle *o = m->oracle;

	if (s->kind == STEP_EXPEDITE)
		o->balance++;
	else if (s->kind == STEP_UNEXPEDITE)
		o->balance--;
	else if (s->kind == STEP_SET_EXPEDITED)
		o->expedited = (int)s->count;
	else if (s->kind == STEP_SET_NORMAL)
		o->normal = (int)s->count;
	else if (s->kind == STEP_PM_PREPARE || s->kind == STEP_PM_POST)
		control_pm(o, s->kind == STEP_PM_PREPARE);
	check_nesting(o);
}

void oracle_boot_over(struct machine *m)
{
	const struct kernel_config *k = &m->cfg->kernel;
	struct oracle *o = m->oracle;

	if (k->profile.end_of_boot_drop) {
		if (o->boot_share > 0)
			o->boot_share--;
		if (k->rcu_normal_after_boot && k->profile.has_rcu_normal)
			o->normal = 1;
	}
	check_nesting(o);
}

/* --- time --- */

void oracle_boot_task(struct machine *m, const struct task *t)
{
	m->oracle->task = t;
	m->oracle->task_state = t->state;
	m->oracle->task_since_ns = machine_now(m);
}

void oracle_task_state(const struct task *t)
{
	struct oracle *o = t->machine->oracle;

	if (t != o->task)
		return;
	task_charge(o);
	o->task_state = t->state;
}

void oracle_task_asked(const struct task *t, sim_time_ns ns)
{
	if (t == t->machine->oracle->task)
		t->machine->oracle->asked_ns += ns;
}

void oracle_task_ran(const struct task *t, sim_time_ns ns)
{
	if (t == t->machine->oracle->task)
		t->machine->oracle->ran_ns += ns;
}

/* The boot path's task: every nanosecond is in one account, each segment got what it asked. */
static void check_time(struct oracle *o)
{
	const struct task *t = o->task;
	const struct cpu *c = &o->m->cpus[t->cpu];
	sim_time_ns left_ns = t->left_ns;
	sim_time_ns waited_ns = 0, total_ns = 0, on_cpu_ns;

	task_charge(o);
	for (int state = 0; state <= TASK_DEAD; state++) {
		waited_ns += o->spent_ns[1][state];
		total_ns += o->spent_ns[0][state] + o->spent_ns[1][state];
	}
	on_cpu_ns = o->spent_ns[0][TASK_RUNNING] + o->spent_ns[1][TASK_RUNNING];
	if (t->state == TASK_RUNNING && c->curr == t && c->ctx == CTX_TASK) {
		o->ran_ns += machine_now(o->m) - t->ran_since_ns;
		left_ns = c->task_end_ns - machine_now(o->m);
	}
	if (t->state != o->task_state || total_ns != machine_now(o->m))
		violate(o, 21, t->cpu, "the boot path's task has %lld ns accounted, %lld passed",
			(long long)total_ns, (long long)machine_now(o->m));
	if (o->task_waits ? waited_ns < o->m->totals->wait_ns : waited_ns != o->m->totals->wait_ns)
		violate(o, 21, t->cpu, "the boot path's task waited %lld ns, recorded are %lld",
			(long long)waited_ns, (long long)o->m->totals->wait_ns);
	if (o->ran_ns > on_cpu_ns || o->asked_ns != o->ran_ns + left_ns)
		violate(o, 21, t->cpu, "asked %lld ns of CPU, ran %lld of %lld on it, %lld are left",
			(long long)o->asked_ns, (long long)o->ran_ns, (long long)on_cpu_ns,
			(long long)left_ns);
}

/* --- a run --- */

void oracle_init(struct machine *m)
{
	const struct kernel_config *k = &m->cfg->kernel;
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
	if (k->profile.has_nesting)
		o->boot_share = k->profile.nesting_initial +
				(k->expedite_boot && k->profile.expedite_boot_option);
	o->expedited = k->rcu_expedited;
	o->normal = k->rcu_normal && k->profile.has_rcu_normal;
	if (m->cfg->machine.booted)
		oracle_boot_over(m);
}

void oracle_finish(struct machine *m)
{
	struct oracle *o = m->oracle;

	for (int cpu = 0; cpu < m->nr_cpu_ids; cpu++) {
		if (o->cpu[cpu].count != (size_t)m->rcu->data[cpu].cblist.len)
			violate(o, 10, cpu, "%zu callbacks are queued and not invoked, the list has %lld",
				o->cpu[cpu].count, (long long)m->rcu->data[cpu].cblist.len);
	}
	check_nesting(o);
	if (o->task)
		check_time(o);
}
