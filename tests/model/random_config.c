/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/model/random_config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/engine/rng.h"

struct maker {
	struct sim_arena *arena;
	struct rng_stream stream;
	struct model_config *config;
	uint32_t step_id;
};

/* 0 .. count - 1 */
static int pick(struct maker *k, int count)
{
	return (int)(rng_u64(&k->stream) % (uint64_t)count);
}

static bool chance(struct maker *k, int of)
{
	return pick(k, of) == 0;
}

/* Between two durations, every magnitude equally likely. */
static sim_time_ns span_ns(struct maker *k, double low_ns, double high_ns)
{
	return (sim_time_ns)exp(log(low_ns) + rng_uniform(&k->stream) * log(high_ns / low_ns));
}

static void make_kernel(struct maker *k)
{
	struct kernel_config *kernel = &k->config->kernel;
	size_t count;
	const struct rcu_profile *all = profile_all(&count);
	const struct rcu_profile *p = &all[pick(k, (int)count)];

	kernel->profile = *p;
	kernel->expedite_boot = p->expedite_boot_option && chance(k, 3);
	kernel->fast_no_hz = p->fast_no_hz && chance(k, 3);
	kernel->rcu_expedited = chance(k, 4);
	kernel->rcu_normal = p->has_rcu_normal && chance(k, 6);
	kernel->rcu_normal_after_boot = p->has_rcu_normal && chance(k, 6);
	if (chance(k, 4))
		kernel->rcu_fanout_leaf = 2 + pick(k, 6);
	if (chance(k, 4))
		kernel->profile.fanout = 4 + pick(k, 8);
	if (chance(k, 6))
		kernel->jiffies_till_first_fqs = pick(k, 5);
	if (chance(k, 6))
		kernel->jiffies_till_next_fqs = 1 + pick(k, 5);
	if (p->exp_engine == EXP_IPI && chance(k, 2))
		kernel->profile.exp_driver = pick(k, EXP_DRIVER_COUNT);
	kernel->nohz = !chance(k, 3);
	kernel->highres = !chance(k, 4);
	kernel->skew_tick = chance(k, 4);
	/* 6.10 on; earlier trees forget a need that comes while a grace period runs */
	if (p->version >= 419 && chance(k, 3)) {
		kernel->profile.wake_from_gp = pick(k, WAKE_FROM_GP_COUNT);
		kernel->rcu_normal_wake_from_gp = pick(k, 3) - 1;
	}
	if (chance(k, 5)) {
		kernel->blimit = 1 + pick(k, 4);
		kernel->qhimark = 1 + pick(k, 20);
		kernel->qlowmark = pick(k, 4);
	}
}

static void make_costs(struct maker *k)
{
	struct platform_costs *c = &k->config->machine.costs;
	sim_time_ns *const costs[] = {
		&c->context_switch_ns, &c->wakeup_ns, &c->idle_exit_ns, &c->tick_ns,
		&c->timer_softirq_ns, &c->rcu_softirq_ns, &c->ipi_send_ns, &c->ipi_deliver_ns,
		&c->ipi_handle_ns, &c->resched_handle_ns, &c->node_walk_ns, &c->cpu_scan_ns,
		&c->call_rcu_ns, &c->callback_ns, &c->sync_ns, &c->stopper_ns, &c->work_item_ns,
	};
	int kind = pick(k, 4);

	/* all zero; ordinary; or slow, so that everything overlaps */
	for (size_t i = 0; i < sizeof(costs) / sizeof(costs[0]) && kind > 0; i++)
		*costs[i] = span_ns(k, 50, kind == 3 ? 100000 : 4000);
}

static void make_machine(struct maker *k)
{
	static const int hz[] = { 100, 250, 300, 1000 };
	struct machine_config *machine = &k->config->machine;

	machine->cpus = 1 + pick(k, chance(k, 3) ? 40 : 6);
	machine->cpus_online = chance(k, 4) ? 1 + pick(k, (int)machine->cpus) : machine->cpus;
	machine->hz = hz[pick(k, 4)];
	machine->preempt = pick(k, PREEMPT_MODEL_COUNT);
	machine->booted = !chance(k, 3);
	machine->periodic = machine->booted && chance(k, 3);
	machine->tick_phase = (struct dist){ .kind = DIST_UNIFORM, .a = 0,
					     .b = (double)NS_PER_S / (double)machine->hz };
	if (chance(k, 3)) {
		for (int cpu = 0; cpu < (int)machine->cpus; cpu++) {
			if (chance(k, 2))
				cpu_mask_set(&machine->nocb, cpu);
		}
	}
	k->config->kernel.rcu_boost = machine->preempt == PREEMPT_FULL && chance(k, 2);
	k->config->kernel.rcu_exp_kthread =
		k->config->kernel.rcu_boost && k->config->kernel.profile.version >= 519 &&
		k->config->kernel.profile.exp_driver >= EXP_DRIVER_RCU_GP_WQ && chance(k, 2);
	if (chance(k, 2))
		k->config->kernel.rcu_boost_delay_ms = pick(k, 20);
	make_costs(k);
}

static const struct step *make_steps(struct maker *k, int depth, size_t *count, bool own_sync);

static struct dist make_duration(struct maker *k)
{
	sim_time_ns mean_ns = span_ns(k, 500, 3e7);

	if (chance(k, 3))
		return (struct dist){ .kind = DIST_EXPONENTIAL, .a = (double)mean_ns };
	return dist_constant(mean_ns);
}

/* A step with a body: balanced pairs, loops, spawned tasks, work items. */
static void make_block(struct maker *k, struct step *s, int depth, bool own_sync)
{
	const struct rcu_profile *p = &k->config->kernel.profile;
	size_t inner;
	const struct step *body = make_steps(k, depth + 1, &inner, own_sync);
	struct step *framed;
	bool pm;

	s->kind = (enum step_kind)(STEP_GROUP + pick(k, 3));
	if (chance(k, 4))
		s->kind = STEP_QUEUE_WORK;
	s->count = 1 + pick(k, 3);
	s->cpu = chance(k, 2) ? -1 : pick(k, (int)k->config->machine.cpus_online);
	s->body = body;
	s->body_count = inner;
	if (!k->config->machine.booted && (s->kind == STEP_SPAWN || s->kind == STEP_QUEUE_WORK))
		s->cpu = -1; /* the CPU may not be on line */
	pm = chance(k, 3);
	if (s->kind != STEP_GROUP || (!p->has_nesting && !pm))
		return;
	framed = sim_arena_array(k->arena, inner + 2, sizeof(*framed));
	framed[0].kind = pm ? STEP_PM_PREPARE : STEP_EXPEDITE;
	framed[inner + 1].kind = pm ? STEP_PM_POST : STEP_UNEXPEDITE;
	memcpy(&framed[1], body, inner * sizeof(*body));
	s->body = framed;
	s->body_count = inner + 2;
}

/* A reader, or a region with something off; in it what may not sleep, also further ones. */
static void make_section(struct maker *k, struct step *s, int depth)
{
	size_t count = 1 + (size_t)pick(k, 3);
	struct step *body = sim_arena_array(k->arena, count, sizeof(*body));

	s->kind = (enum step_kind)(STEP_READ + (chance(k, 2) ? 0 : pick(k, 4)));
	s->count = SECTION_RCU;
	if (s->kind == STEP_READ && chance(k, 3)) {
		s->count = 1 + pick(k, SECTION_COUNT - 1);
		s->duration = make_duration(k);
	}
	s->body = body;
	s->body_count = count;
	for (size_t i = 0; i < count; i++) {
		int kind = pick(k, depth < 4 ? 4 : 3);

		body[i].id = ++k->step_id;
		body[i].cpu = -1;
		body[i].count = 1;
		body[i].kind = kind == 0 ? STEP_CALL_RCU : STEP_RUN;
		body[i].duration = make_duration(k);
		if (kind == 3)
			make_section(k, &body[i], depth + 1);
	}
}

/* A wait for more, or for something else, than a grace period. */
static void make_wait(struct maker *k, struct step *s, bool own_sync)
{
	static const enum step_kind kinds[] = {
		STEP_RCU_BARRIER, STEP_RCU_BARRIER, STEP_SYNC_SRCU, STEP_SYNC_SRCU_EXPEDITED,
		STEP_SYNC_TASKS, STEP_SYNC_TASKS_RUDE,
	};

	s->kind = own_sync ? kinds[pick(k, 6)] : STEP_SYNC_SRCU;
}

/* CPUs come and go, whoever has work on them. */
static void make_hotplug(struct maker *k, struct step *s)
{
	const struct machine_config *machine = &k->config->machine;

	if (machine->cpus == 1) {
		s->kind = STEP_SYNC;
		return;
	}
	s->duration = chance(k, 3) ? dist_constant(0) : make_duration(k);
	if (chance(k, 8)) {
		s->kind = STEP_SMT;
		s->count = pick(k, 2);
		s->cpu = 2 + pick(k, 3);
		return;
	}
	s->kind = chance(k, 2) ? STEP_OFFLINE : STEP_ONLINE;
	s->cpu = 1 + pick(k, (int)machine->cpus - 1);
}

/* Nothing in it writes as well: two tasks that take two of them could deadlock. */
static void make_write(struct maker *k, struct step *s)
{
	static const char *const names[] = { "first", "second" };
	struct step *body = sim_arena_alloc(k->arena, sizeof(*body));

	body->kind = chance(k, 2) ? STEP_RUN : chance(k, 2) ? STEP_SYNC : STEP_SLEEP;
	body->id = ++k->step_id;
	body->cpu = -1;
	body->duration = make_duration(k);
	s->kind = STEP_PERCPU_WRITE;
	s->label = names[pick(k, 2)];
	s->body = body;
	s->body_count = 1;
}

static void make_step(struct maker *k, struct step *s, int depth, bool own_sync)
{
	s->id = ++k->step_id;
	s->cpu = -1;
	switch (pick(k, depth < 3 ? 22 : 19)) {
	case 0:
		s->kind = STEP_RUN;
		s->duration = make_duration(k);
		if (s->id % 3 == 0) {
			s->cond_resched_ns = 20 * NS_PER_US;
			s->cond_resched_rcu_qs = s->id % 2;
		}
		break;
	case 1:
		s->kind = STEP_RUN_USER;
		s->duration = make_duration(k);
		break;
	case 2:
		s->kind = STEP_SLEEP;
		s->duration = make_duration(k);
		break;
	case 3:
	case 4:
	case 5:
		s->kind = STEP_SYNC;
		break;
	case 6:
		s->kind = STEP_SYNC_EXPEDITED;
		break;
	case 7:
	case 8:
		s->kind = STEP_CALL_RCU;
		s->count = 1 + pick(k, 30);
		break;
	case 9:
		s->kind = !own_sync ? STEP_CALL_RCU : chance(k, 2) ? STEP_RCU_BARRIER : STEP_CALL_RCU_WAIT;
		s->count = 1;
		break;
	case 10:
		s->kind = chance(k, 2) && k->config->kernel.profile.has_rcu_normal
				  ? STEP_SET_NORMAL : STEP_SET_EXPEDITED;
		s->count = pick(k, 2);
		break;
	case 11:
	case 12:
	case 13:
		make_section(k, s, depth);
		break;
	case 14:
	case 15:
		make_wait(k, s, own_sync);
		break;
	case 16: /* a hog: long enough for slow CPUs to be helped */
		s->kind = chance(k, 3) ? STEP_RUN_USER : STEP_RUN;
		s->duration = dist_constant(span_ns(k, 1e7, chance(k, 8) ? 2e9 : 2e8));
		break;
	case 17:
		make_hotplug(k, s);
		if (!own_sync) /* no grace period ends yet */
			s->kind = STEP_SYNC;
		break;
	case 18:
		if (own_sync)
			make_write(k, s);
		else
			s->kind = STEP_MARK, s->label = "here";
		break;
	default:
		make_block(k, s, depth, own_sync);
		break;
	}
}

/* own_sync: RCU callbacks are invoked by now, so that one may be waited for. */
static const struct step *make_steps(struct maker *k, int depth, size_t *count, bool own_sync)
{
	struct step *steps;

	*count = 1 + (size_t)pick(k, depth == 0 ? 8 : 4);
	steps = sim_arena_array(k->arena, *count, sizeof(*steps));
	for (size_t i = 0; i < *count; i++)
		make_step(k, &steps[i], depth, own_sync);
	return steps;
}

static void make_tasks(struct maker *k)
{
	size_t count = 1 + (size_t)pick(k, 6);
	struct task_config *tasks = sim_arena_array(k->arena, count, sizeof(*tasks));

	for (size_t i = 0; i < count; i++) {
		tasks[i].name = "task";
		tasks[i].cpu = chance(k, 2) ? -1 : pick(k, (int)k->config->machine.cpus_online);
		tasks[i].steps = make_steps(k, 0, &tasks[i].step_count, true);
	}
	k->config->tasks = tasks;
	k->config->task_count = count;
}

static void make_boot(struct maker *k)
{
	int count = 4 + pick(k, 20);
	struct step *steps = sim_arena_array(k->arena, (size_t)count + 1, sizeof(*steps));
	int level = LEVEL_START_KERNEL;
	int used = 0;

	for (int i = 0; i < count; i++) {
		if (chance(k, 2) && level < LEVEL_USER)
			level += 1 + pick(k, 2);
		if (level > LEVEL_USER)
			level = LEVEL_USER;
		if (level >= LEVEL_SMP && (used == 0 || steps[used - 1].level < LEVEL_SMP)) {
			steps[used].kind = STEP_BRING_UP;
			steps[used].duration = make_duration(k);
			steps[used].id = ++k->step_id;
			steps[used++].level = LEVEL_SMP;
		}
		make_step(k, &steps[used], 1, level > LEVEL_EARLY);
		steps[used++].level = (enum boot_level)level;
		if (used >= count)
			break;
	}
	k->config->boot_steps = steps;
	k->config->boot_step_count = (size_t)used;
}

const struct model_config *random_config(struct sim_arena *arena, uint64_t number)
{
	struct maker *k = sim_arena_alloc(arena, sizeof(*k));
	char why[300];
	uint32_t step_id;

	k->arena = arena;
	k->config = sim_arena_alloc(arena, sizeof(*k->config));
	rng_stream_init(&k->stream, number, 0, 0, RNG_TEST);
	model_config_default(k->config);
	make_kernel(k);
	make_machine(k);
	if (k->config->machine.booted)
		make_tasks(k);
	else
		make_boot(k);
	k->config->time_limit_ns = 300 * NS_PER_S;
	k->config->event_limit = 20000000;
	if (!model_config_check(k->config, why, sizeof(why), &step_id))
		RS_BUG("random config %llu: %s", (unsigned long long)number, why);
	return k->config;
}

void random_config_describe(const struct model_config *config, char *buf, size_t size)
{
	const struct kernel_config *k = &config->kernel;
	const struct machine_config *m = &config->machine;

	snprintf(buf, size, "%s, %lld of %lld CPUs, HZ %lld, preempt %lld, %s%s%s%s%s%s",
		 k->profile.name, (long long)m->cpus_online, (long long)m->cpus, (long long)m->hz,
		 (long long)m->preempt, m->booted ? "booted" : "boots", m->periodic ? " periodic" : "",
		 k->nohz ? "" : " nohz=off", k->highres ? "" : " highres=off",
		 k->fast_no_hz ? " fast_no_hz" : "", k->qhimark < 100 ? " small marks" : "");
}
