/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The oracle's account of readers: who is in one, since when. A section counts
 * if the flavour that runs must wait for it: rcu_read_lock() always; regions
 * with preemption, softirqs or interrupts off without CONFIG_PREEMPT_RCU, and
 * from 4.20 on. Conditions 1, 8 and 9 of docs/oracle.md rest on it.
 */
#include "models/oracle_internal.h"

struct reader *oracle_reader_of(struct oracle *o, const struct task *t)
{
	for (size_t i = 0; i < o->reader_count; i++) {
		if (o->readers[i].task == t)
			return &o->readers[i];
	}
	return NULL;
}

static struct reader *reader_add(struct oracle *o, const struct task *t)
{
	if (o->reader_count == o->reader_capacity) {
		size_t capacity = o->reader_capacity ? 2 * o->reader_capacity : 8;
		struct reader *readers =
			sim_arena_array_raw(o->m->arena, capacity, sizeof(*readers));

		for (size_t i = 0; i < o->reader_count; i++)
			readers[i] = o->readers[i];
		o->readers = readers;
		o->reader_capacity = capacity;
	}
	o->readers[o->reader_count] = (struct reader){ t, 0, oracle_next_moment(o) };
	return &o->readers[o->reader_count++];
}

void oracle_section(struct task *t, enum section section, int change)
{
	const struct machine *m = t->machine;
	struct oracle *o = m->oracle;
	struct reader *r = oracle_reader_of(o, t);

	if (section != SECTION_RCU && m->preempt_rcu && m->cfg->kernel.profile.version < 420)
		return;
	if (!r && change > 0)
		r = reader_add(o, t);
	if (!r) {
		oracle_violate(o, 8, t->cpu, "a reader ends that never began");
		return;
	}
	r->depth += change;
	if (r->depth > 0)
		return;
	/* a CPU that ran a reader was not quiescent before its end */
	*r = o->readers[--o->reader_count];
	oracle_next_moment(o);
}

bool oracle_reader_on_cpu(const struct oracle *o, int cpu, int64_t since)
{
	for (size_t i = 0; i < o->reader_count; i++) {
		const struct reader *r = &o->readers[i];

		if (r->task->cpu == cpu && r->since < since && !r->task->blkd_node)
			return true;
	}
	return false;
}

void oracle_check_readers(struct oracle *o, int64_t since, const char *kind)
{
	for (size_t i = 0; i < o->reader_count; i++) {
		const struct reader *r = &o->readers[i];

		if (r->since < since)
			oracle_violate(o, 1, r->task->cpu, "%s grace period ends, %s is in a reader from "
						      "before it", kind, r->task->name);
	}
}

/* Is t, blocked on rnp, there in the list `from` on? */
static bool on_list_from(const struct task *from, const struct task *t)
{
	while (from && from != t)
		from = from->blkd_next;
	return from != NULL;
}

void oracle_blkd_tasks(struct cpu *c, const struct rcu_node *rnp)
{
	struct oracle *o = c->m->oracle;
	bool running = rcu_seq_running(o->gp_seq) && rnp->gp_seq == o->gp_seq;

	if (rnp->gp_tasks && !on_list_from(rnp->blkd_head, rnp->gp_tasks))
		oracle_violate(o, 9, c->id, "gp_tasks is not on the list of blocked tasks");
	if (rnp->exp_tasks && !on_list_from(rnp->blkd_head, rnp->exp_tasks))
		oracle_violate(o, 9, c->id, "exp_tasks is not on the list of blocked tasks");
	for (const struct task *t = rnp->blkd_head; t; t = t->blkd_next) {
		const struct reader *r = oracle_reader_of(o, t);

		if (t->blkd_node != rnp || !r) {
			/* past the unlock with something still off: a region that does not count */
			if (t->blkd_node != rnp)
				oracle_violate(o, 9, c->id, "%s is on another node's list", t->name);
			continue;
		}
		if (running && r->since < o->gp_start && !on_list_from(rnp->gp_tasks, t))
			oracle_violate(o, 9, c->id, "%s is blocked since before the grace period and "
					       "does not hold it", t->name);
		if (rcu_seq_running(o->exp_seq) && o->exp_cpu >= 0 && rnp->expmask == 0 &&
		    r->since < o->exp_start && !on_list_from(rnp->exp_tasks, t))
			oracle_violate(o, 9, c->id, "%s is blocked since before the expedited grace "
					       "period and does not hold it", t->name);
	}
}
