/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The oracle's view of waits, the controls that steer them, and the time of the
 * boot path's task: conditions 2, 13 to 17, 19 and 21. See oracle.c.
 */
#include "models/oracle_internal.h"

#include <string.h>

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

/* Nothing that was queued before the barrier began is left, whoever has it now. */
static void barrier_check(struct oracle *o, const struct wait_slot *s)
{
	for (int i = 0; i < o->m->nr_cpu_ids; i++) {
		const struct cpu_watch *w = &o->cpu[i];

		for (size_t k = 0; k < w->count; k++) {
			if (w->ring[(w->head + k) % w->capacity].moment < s->begun) {
				oracle_violate(o, 11, i, "rcu_barrier returns before a callback queued "
							 "before it has run");
				return;
			}
		}
	}
}

/* Does such a wait ask the expedite controls of RCU proper? */
static bool asks_controls(enum wait_path path)
{
	return path == WAIT_NOOP || path == WAIT_NORMAL || path == WAIT_EXPEDITED;
}

/* Is it over after a grace period of RCU proper that is its own? */
static bool has_own_gp(enum wait_path path)
{
	return path == WAIT_NORMAL || path == WAIT_EXPEDITED || path == WAIT_CALLBACK;
}

void oracle_wait_begin(struct machine *m, struct rcu_wait *w, bool expedited)
{
	struct oracle *o = m->oracle;
	enum wait_path due = asks_controls(w->path) ? path_due(o, expedited) : w->path;

	if (w->path != due)
		oracle_violate(o, due == WAIT_NOOP || w->path == WAIT_NOOP ? 2
			   : w->path == WAIT_EXPEDITED && o->normal ? 16 : 14,
			w->task->cpu, "a wait is %s, the controls say %s", wait_path_name(w->path),
			wait_path_name(due));
	w->oracle_seq = slot_take(o);
	o->slots[w->oracle_seq] = (struct wait_slot){
		.used = true, .path = w->path, .task = w->task, .begun = oracle_next_moment(o),
		.alone = o->online == 1,
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
			  !oracle_softirq_due(c);
}

static void check_latency(struct oracle *o, const struct rcu_wait *w, const struct wait_slot *s)
{
	const struct machine *m = o->m;
	sim_time_ns took_ns = machine_now(m) - w->start_ns;
	int64_t ticks = o->cpu[s->queued_cpu].ticks - s->ticks_at_queue;

	if (asks_controls(w->path) && took_ns != 0 && m->cfg->kernel.profile.uniprocessor_noop &&
	    !m->preempt_rcu && s->alone)
		oracle_violate(o, 19, w->task->cpu, "a wait took %lld ns on a machine of one CPU",
			(long long)took_ns);
	if (!asks_controls(w->path) && w->path != WAIT_CALLBACK)
		return;
	if (w->path == WAIT_EXPEDITED ? took_ns <= 0 && m->cost->sync_ns > 0
				      : ticks < s->ticks_needed)
		oracle_violate(o, 17, w->task->cpu, "a wait (%s) took %lld ns, %lld ticks of its CPU passed",
			wait_path_name(w->path), (long long)took_ns, (long long)ticks);
	if (w->path == WAIT_NOOP && took_ns != 0)
		oracle_violate(o, 2, w->task->cpu, "a no-op wait took %lld ns", (long long)took_ns);
}

void oracle_wait_end(struct machine *m, const struct rcu_wait *w)
{
	struct oracle *o = m->oracle;
	struct wait_slot *s = &o->slots[w->oracle_seq];
	bool stoppers = m->cfg->kernel.profile.exp_engine == EXP_STOPPERS;
	int64_t proven = w->path == WAIT_EXPEDITED ? o->exp_proven : o->gp_proven;

	if (w->path != s->path &&
	    !(stoppers && s->path == WAIT_EXPEDITED && w->path == WAIT_NORMAL))
		oracle_violate(o, 15, w->task->cpu, "a wait begun %s ends %s", wait_path_name(s->path),
			wait_path_name(w->path));
	if (w->path == WAIT_BARRIER)
		barrier_check(o, s);
	else if (has_own_gp(w->path) && proven <= s->begun)
		oracle_violate(o, 2, w->task->cpu, "a wait (%s) ends without a grace period begun after it",
			wait_path_name(w->path));
	if (w->path == WAIT_NOOP)
		o->noop_proven = s->begun;
	check_latency(o, w, s);
	o->exp_waits -= s->path == WAIT_EXPEDITED;
	s->used = false;
	if (w->task == o->task) {
		task_charge(o);
		o->task_waits = false;
	}
}

/* --- polled grace periods --- */

int64_t oracle_poll_begin(struct machine *m)
{
	return oracle_next_moment(m->oracle);
}

void oracle_poll_done(struct machine *m, int64_t begun, int cpu)
{
	const struct oracle *o = m->oracle;
	bool any = m->cfg->kernel.profile.polled_api == POLLED_ANY_GP;

	if (o->gp_proven > begun || (any && (o->exp_proven > begun || o->noop_proven > begun)))
		return;
	oracle_violate(m->oracle, 2, cpu, "a cookie is done without a grace period begun after it");
}

/* --- controls --- */

static void check_nesting(struct oracle *o)
{
	const struct rcu_flags *f = &o->m->flags;

	if (f->nesting < 0 || f->nesting != o->boot_share + o->balance)
		oracle_violate(o, 14, 0, "the counter is %lld, the boot's share %lld, the balance %lld",
			(long long)f->nesting, (long long)o->boot_share, (long long)o->balance);
	if ((f->expedited != 0) != (o->expedited != 0) || (f->normal != 0) != (o->normal != 0))
		oracle_violate(o, 14, 0, "rcu_expedited %d, rcu_normal %d; written were %d, %d",
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
		oracle_violate(o, 21, t->cpu, "the boot path's task has %lld ns accounted, %lld passed",
			(long long)total_ns, (long long)machine_now(o->m));
	if (o->task_waits ? waited_ns < o->m->totals->wait_ns : waited_ns != o->m->totals->wait_ns)
		oracle_violate(o, 21, t->cpu, "the boot path's task waited %lld ns, recorded are %lld",
			(long long)waited_ns, (long long)o->m->totals->wait_ns);
	if (o->ran_ns > on_cpu_ns || o->asked_ns != o->ran_ns + left_ns)
		oracle_violate(o, 21, t->cpu, "asked %lld ns of CPU, ran %lld of %lld on it, %lld are left",
			(long long)o->asked_ns, (long long)o->ran_ns, (long long)on_cpu_ns,
			(long long)left_ns);
}

void oracle_init_controls(struct oracle *o)
{
	const struct kernel_config *k = &o->m->cfg->kernel;

	if (k->profile.has_nesting)
		o->boot_share = k->profile.nesting_initial +
				(k->expedite_boot && k->profile.expedite_boot_option);
	o->expedited = k->rcu_expedited;
	o->normal = k->rcu_normal && k->profile.has_rcu_normal;
	if (o->m->cfg->machine.booted)
		oracle_boot_over(o->m);
}

void oracle_finish_waits(struct oracle *o)
{
	check_nesting(o);
	if (o->task)
		check_time(o);
}
