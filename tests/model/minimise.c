/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cut is a number: copying a config counts the places where something could
 * be cut and cuts at the one asked for. So there is no list of cuts to keep in
 * step with the tree, and a cut that was taken leaves the next one at its number.
 * Order: large things first, since each try costs a run.
 */
#include "tests/model/minimise.h"

#include <string.h>

struct cutter {
	struct sim_arena *arena;
	int64_t left;  /* places still to pass; -1: the cut was made */
	int64_t cpus_online; /* of the copy */
};

/* Is this the place? Once only. */
static bool cut_here(struct cutter *k)
{
	return k->left >= 0 && k->left-- == 0;
}

static const struct step *copy_steps(struct cutter *k, const struct step *from, size_t count,
				     size_t *copied);

static void cut_duration(struct cutter *k, struct dist *d)
{
	if (d->kind != DIST_CONSTANT) {
		if (cut_here(k))
			*d = dist_constant((sim_time_ns)dist_mean_ns(d));
		return;
	}
	if (d->a > 1000 && cut_here(k))
		d->a = 1000;
	else if (d->a > 2000 && cut_here(k))
		*d = dist_constant((sim_time_ns)(d->a / 2));
}

/* One step: its own simplifications. */
static void cut_step(struct cutter *k, struct step *s)
{
	bool is_hotplug = s->kind == STEP_OFFLINE || s->kind == STEP_ONLINE;

	if (is_hotplug && s->cpu >= k->cpus_online)
		s->kind = STEP_SLEEP; /* the CPU is gone, its time stays */
	else if (s->kind != STEP_SMT && s->cpu >= k->cpus_online)
		s->cpu = -1;
	if (s->cpu >= 0 && s->kind == STEP_SPAWN && cut_here(k))
		s->cpu = -1;
	if ((s->kind == STEP_LOOP || s->kind == STEP_CALL_RCU) && s->count > 1 && cut_here(k))
		s->count = 1;
	if (s->kind == STEP_READ && s->count != SECTION_RCU && cut_here(k))
		s->count = SECTION_RCU;
	cut_duration(k, &s->duration);
}

static bool is_frame(enum step_kind kind)
{
	return kind == STEP_GROUP || kind == STEP_LOOP || kind == STEP_PERCPU_WRITE || kind == STEP_READ || kind == STEP_SPAWN ||
	       kind == STEP_PREEMPT_OFF || kind == STEP_BH_OFF || kind == STEP_IRQS_OFF;
}

/* A block that begins and ends with one of a pair that must balance? */
static bool is_pair(const struct step *s)
{
	return s->kind == STEP_GROUP && s->body_count >= 2 &&
	       (s->body[0].kind == STEP_EXPEDITE || s->body[0].kind == STEP_PM_PREPARE);
}

static size_t copy_body(const struct step *s, size_t first, size_t end, struct step *to)
{
	for (size_t i = first; i < end; i++) {
		to[i - first] = s->body[i];
		to[i - first].level = s->level;
	}
	return end - first;
}

/* Cuts a step, or only the frame round its body, or something inside of it. */
static size_t copy_step(struct cutter *k, const struct step *s, struct step *to)
{
	if (cut_here(k))
		return 0;
	if (is_pair(s) && cut_here(k))
		return copy_body(s, 1, s->body_count - 1, to);
	if (is_frame(s->kind) && cut_here(k))
		return copy_body(s, 0, s->body_count, to);
	*to = *s;
	cut_step(k, to);
	to->body = copy_steps(k, s->body, s->body_count, &to->body_count);
	return s->body_count == 0 || to->body_count > 0; /* a frame goes with its last step */
}

static const struct step *copy_steps(struct cutter *k, const struct step *from, size_t count,
				     size_t *copied)
{
	struct step *to;
	size_t room = count;

	*copied = 0;
	for (size_t i = 0; i < count; i++)
		room += from[i].body_count; /* at most one frame falls */
	if (room == 0)
		return NULL;
	to = sim_arena_array(k->arena, room, sizeof(*to));
	if (count > 3 && cut_here(k)) { /* the second half at once */
		count -= count / 2;
	} else if (count > 3 && cut_here(k)) {
		from += count / 2;
		count -= count / 2;
	}
	for (size_t i = 0; i < count; i++)
		*copied += copy_step(k, &from[i], &to[*copied]);
	return to;
}

static void cut_cpus(struct cutter *k, struct machine_config *m)
{
	int64_t cpus = m->cpus;

	if (cpus > 3 && cut_here(k))
		cpus /= 2;
	else if (cpus > 1 && cut_here(k))
		cpus--;
	for (int64_t cpu = cpus; cpu < m->cpus; cpu++)
		cpu_mask_clear(&m->nocb, (int)cpu);
	m->cpus = cpus;
	if (m->cpus_online > cpus)
		m->cpus_online = cpus;
	if (m->cpus_online < cpus && cut_here(k))
		m->cpus = m->cpus_online;
	for (int64_t cpu = 0; cpu < m->cpus; cpu++) {
		if (cpu_mask_has(&m->nocb, (int)cpu) && cut_here(k))
			cpu_mask_clear(&m->nocb, (int)cpu);
	}
}

static void cut_int(struct cutter *k, int64_t *value, int64_t plain)
{
	if (*value != plain && cut_here(k))
		*value = plain;
}

static void cut_bool(struct cutter *k, bool *value, bool plain)
{
	if (*value != plain && cut_here(k))
		*value = plain;
}

static void cut_kernel(struct cutter *k, struct kernel_config *kernel,
		       const struct kernel_config *plain)
{
	const struct rcu_profile *p = profile_find(kernel->profile.name);

	if (p && memcmp(p, &kernel->profile, sizeof(*p)) != 0 && cut_here(k))
		kernel->profile = *p;
	cut_bool(k, &kernel->expedite_boot, plain->expedite_boot);
	cut_bool(k, &kernel->fast_no_hz, plain->fast_no_hz);
	cut_bool(k, &kernel->rcu_expedited, plain->rcu_expedited);
	cut_bool(k, &kernel->rcu_normal, plain->rcu_normal);
	cut_bool(k, &kernel->rcu_normal_after_boot, plain->rcu_normal_after_boot);
	cut_int(k, &kernel->jiffies_till_first_fqs, plain->jiffies_till_first_fqs);
	cut_int(k, &kernel->jiffies_till_next_fqs, plain->jiffies_till_next_fqs);
	cut_int(k, &kernel->jiffies_till_sched_qs, plain->jiffies_till_sched_qs);
	cut_int(k, &kernel->rcu_normal_wake_from_gp, plain->rcu_normal_wake_from_gp);
	cut_int(k, &kernel->rcu_fanout_leaf, plain->rcu_fanout_leaf);
	cut_int(k, &kernel->blimit, plain->blimit);
	cut_int(k, &kernel->qhimark, plain->qhimark);
	cut_int(k, &kernel->qlowmark, plain->qlowmark);
	cut_bool(k, &kernel->nohz, plain->nohz);
	cut_bool(k, &kernel->highres, plain->highres);
	cut_bool(k, &kernel->skew_tick, plain->skew_tick);
	cut_bool(k, &kernel->rcu_boost, plain->rcu_boost);
	cut_int(k, &kernel->rcu_boost_delay_ms, plain->rcu_boost_delay_ms);
}

static void cut_machine(struct cutter *k, struct machine_config *m,
			const struct machine_config *plain)
{
	static const struct platform_costs no_costs;
	sim_time_ns *cost = (sim_time_ns *)&m->costs;

	if (memcmp(&m->costs, &no_costs, sizeof(no_costs)) != 0 && cut_here(k))
		m->costs = no_costs;
	for (size_t i = 0; i < sizeof(m->costs) / sizeof(*cost); i++)
		cut_int(k, &cost[i], 0);
	cut_int(k, &m->hz, plain->hz);
	cut_int(k, &m->preempt, plain->preempt);
	cut_bool(k, &m->periodic, plain->periodic);
	cut_duration(k, &m->tick_phase);
}

/* A copy with cut number `cut`; NULL: there are not so many. */
static struct model_config *copy_cut(struct sim_arena *arena, const struct model_config *from,
				     int64_t cut)
{
	struct cutter k = { .arena = arena, .left = cut };
	struct model_config *to = sim_arena_alloc(arena, sizeof(*to));
	struct model_config *plain = sim_arena_alloc(arena, sizeof(*plain));
	struct task_config *tasks;

	model_config_default(plain);
	*to = *from;
	cut_cpus(&k, &to->machine);
	k.cpus_online = to->machine.cpus_online;
	tasks = sim_arena_array(arena, from->task_count + 1, sizeof(*tasks));
	to->task_count = 0;
	for (size_t i = 0; i < from->task_count; i++) {
		struct task_config *task = &tasks[to->task_count];

		if (from->task_count > 1 && cut_here(&k))
			continue;
		*task = from->tasks[i];
		if (task->cpu >= k.cpus_online || (task->cpu >= 0 && cut_here(&k)))
			task->cpu = -1;
		task->steps = copy_steps(&k, from->tasks[i].steps, from->tasks[i].step_count,
					 &task->step_count);
		to->task_count++;
	}
	to->tasks = tasks;
	to->boot_steps = copy_steps(&k, from->boot_steps, from->boot_step_count,
				    &to->boot_step_count);
	cut_kernel(&k, &to->kernel, &plain->kernel);
	cut_machine(&k, &to->machine, &plain->machine);
	return k.left < 0 ? to : NULL;
}

struct minimise_result minimise(struct sim_arena *arena, const struct model_config *config,
				int tries_max, minimise_fails_fn *fails, void *arg)
{
	struct minimise_result result = { .config = config };
	bool progress = true;

	while (progress) {
		const struct model_config *next;
		int64_t cut = 0;

		progress = false;
		while ((next = copy_cut(arena, result.config, cut)) != NULL) {
			char why[200];
			uint32_t step_id;

			if (!model_config_check(next, why, sizeof(why), &step_id)) {
				cut++;
				continue;
			}
			if (result.tries == tries_max)
				return result;
			result.tries++;
			if (fails(next, arg)) {
				result.config = next;
				progress = true;
			} else {
				cut++;
			}
		}
	}
	result.is_minimal = true;
	return result;
}

static size_t step_count(const struct step *steps, size_t count)
{
	size_t sum = count;

	for (size_t i = 0; i < count; i++)
		sum += step_count(steps[i].body, steps[i].body_count);
	return sum;
}

size_t config_step_count(const struct model_config *config)
{
	size_t sum = step_count(config->boot_steps, config->boot_step_count);

	for (size_t i = 0; i < config->task_count; i++)
		sum += step_count(config->tasks[i].steps, config->tasks[i].step_count);
	return sum;
}
