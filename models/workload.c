/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs of tasks: the boot with its levels, and the tasks of a workload.
 * A program is a tree of steps (models/config.h); each task keeps a stack of
 * places in it. Boot order follows init/main.c start_kernel, rest_init,
 * kernel_init_freeable, kernel_init (3.19-6.1); facts: mechanics 2.1, 6.1.
 */
#include <string.h>

#include "models/oracle.h"
#include "models/rcu.h"

/*
 * So many steps at one moment are a loop in which no time passes: it executes no
 * events, so neither limit would ever end it.
 */
#define STEPS_AT_ONE_MOMENT_MAX 1000000

struct frame {
	const struct step *steps;
	size_t count;
	size_t pos;
	int64_t rounds_left; /* of a loop; 0: leave at the end */
};

struct program {
	struct task *task;
	struct frame *stack;
	int depth, depth_max;
	bool on_boot_path;
	bool is_boot;
	enum boot_level level;
	bool waiting;             /* in `wait`, begun by step wait_id */
	uint32_t wait_id;
	bool wait_is_hotplug;
	struct rcu_wait wait;
	/* bring-up under way */
	const struct step *bring_up;
	int bring_up_cpu;
	bool bring_up_started;
};

struct workload_state {
	int tasks_left;
	struct rng_stream **streams; /* by step id, made at first use */
	uint32_t stream_count;
	sim_time_ns moment_ns;   /* of the latest step */
	int64_t steps_at_moment; /* steps begun then, of all tasks */
};

static void program_fn(struct machine *m, struct task *t);

/* --- durations --- */

static sim_time_ns step_duration(struct machine *m, const struct step *s)
{
	struct workload_state *ws = m->work;
	struct rng_stream **stream = &ws->streams[s->id];

	if (s->duration.kind == DIST_CONSTANT)
		return (sim_time_ns)s->duration.a;
	if (!*stream) {
		*stream = sim_arena_alloc(m->arena, sizeof(**stream));
		rng_stream_init(*stream, m->seed, m->replication, s->id, RNG_STEP_DURATION);
	}
	return dist_draw_ns(&s->duration, *stream);
}

/* --- levels --- */

static void enter_level(struct machine *m, struct program *p, enum boot_level to)
{
	while (p->level < to) {
		p->level = (enum boot_level)(p->level + 1);
		switch (p->level) {
		case LEVEL_EARLY: /* rest_init, then the first early_initcall */
			rcu_flags_scheduler_starting(&m->flags);
			rcu_flags_gp_kthread_spawned(&m->flags);
			rcu_spawn_gp_kthread(m);
			break;
		case LEVEL_CORE:
			rcu_flags_runtime_mode(&m->flags);
			break;
		case LEVEL_FS:
			tick_highres_ready(m);
			break;
		case LEVEL_USER:
			if (!rcu_flags_end_inkernel_boot(&m->flags))
				machine_stop(m, RUN_MODEL_ERROR,
					     "rcu_expedited_nesting would fall below 0 at the end of "
					     "in-kernel boot");
			ORACLE(m, oracle_boot_over(m));
			break;
		case LEVEL_START_KERNEL:
		case LEVEL_SMP:
		case LEVEL_PURE:
		case LEVEL_POSTCORE:
		case LEVEL_ARCH:
		case LEVEL_SUBSYS:
		case LEVEL_ROOTFS:
		case LEVEL_DEVICE:
		case LEVEL_LATE:
		case LEVEL_READONLY:
		case LEVEL_COUNT:
			break;
		}
	}
}

/* --- waits --- */

static void wait_over(struct machine *m, struct program *p)
{
	const struct wait_record record = {
		.step_id = p->wait_id,
		.path = p->wait.path,
		.on_boot_path = p->on_boot_path,
		.start_ns = p->wait.start_ns,
		.end_ns = machine_now(m),
	};

	p->waiting = false;
	machine_record_wait(m, &record);
	if (p->wait_is_hotplug)
		rcu_sync_entered(m);
	p->wait_is_hotplug = false;
}

static void begin_wait(struct machine *m, struct program *p, const struct step *s)
{
	p->waiting = true;
	p->wait_id = s->id;
	if (s->kind == STEP_CALL_RCU_WAIT)
		rcu_wait_begin_callback(m, p->task, &p->wait);
	else
		rcu_wait_begin(m, p->task, &p->wait, s->kind == STEP_SYNC_EXPEDITED);
}

/* --- bring-up --- */

/*
 * One secondary after the other: the hotplug lock (from 4.13 an rcu_sync
 * writer), then the wait for the CPU, then the lock's release. True: all are up.
 */
static bool bring_up_step(struct machine *m, struct program *p)
{
	struct cpu *self = &m->cpus[p->task->cpu];
	bool has_sync = m->cfg->kernel.profile.hotplug_rcu_sync != 0;
	struct cpu *c;

	if (p->bring_up_started) {
		c = &m->cpus[p->bring_up_cpu];
		m->hotplug_busy = false;
		cpu_start(c, machine_now(m) + m->jiffy_ns);
		TRACE(m, self->id, "cpuhp_exit", "cpu: %04d", c->id);
		if (has_sync)
			rcu_sync_exit(m, self);
		p->bring_up_started = false;
	} else if (has_sync && p->bring_up_cpu > 0) {
		goto locked;
	}
	if (++p->bring_up_cpu >= m->cfg->machine.cpus_online) {
		p->bring_up = NULL;
		return true;
	}
	if (has_sync && rcu_sync_enter(m)) {
		p->wait_is_hotplug = true;
		begin_wait(m, p, &(struct step){ .kind = STEP_SYNC, .id = p->bring_up->id });
		return true; /* the wait comes first, then back here */
	}
locked:
	m->hotplug_busy = true;
	p->bring_up_started = true;
	task_sleep_ns(m, p->task, step_duration(m, p->bring_up));
	return false;
}

/* --- steps --- */

static void push(struct program *p, const struct step *steps, size_t count, int64_t rounds)
{
	if (p->depth >= p->depth_max)
		RS_BUG("program nested deeper than %d", p->depth_max);
	p->stack[p->depth++] = (struct frame){ steps, count, 0, rounds };
}

/* Frames that the steps need at most; what they spawn has a stack of its own. */
static int depth_of(const struct step *steps, size_t count)
{
	int most = 0;

	for (size_t i = 0; i < count; i++) {
		if (steps[i].body_count > 0 && steps[i].kind != STEP_SPAWN) {
			int below = depth_of(steps[i].body, steps[i].body_count);

			most = below > most ? below : most;
		}
	}
	return most + 1;
}

static struct program *program_create(struct machine *m, const char *name, int cpu, int bound,
				      const struct step *steps, size_t count)
{
	struct program *p = sim_arena_alloc(m->arena, sizeof(*p));

	p->depth_max = depth_of(steps, count);
	p->stack = sim_arena_array_raw(m->arena, (size_t)p->depth_max, sizeof(*p->stack));
	p->task = task_create(m, name, program_fn, p, cpu, bound, CLASS_FAIR);
	push(p, steps, count, 1);
	m->work->tasks_left++;
	return p;
}

static void noop_cb(struct machine *m, struct cpu *c, void *arg)
{
	(void)m;
	(void)c;
	(void)arg;
}

static void pm_step(struct machine *m, bool prepare)
{
	if (prepare) {
		rcu_flags_pm_prepare(&m->flags);
		return;
	}
	if (!rcu_flags_pm_post(&m->flags))
		machine_stop(m, RUN_MODEL_ERROR, "PM post without prepare: rcu_expedited_nesting "
						 "would fall below 0");
}

static void unexpedite(struct machine *m)
{
	if (!rcu_unexpedite_gp(&m->flags))
		machine_stop(m, RUN_MODEL_ERROR,
			     "rcu_unexpedite_gp() without rcu_expedite_gp(): the counter would "
			     "fall below 0");
}

static void mark(struct machine *m, const struct step *s)
{
	machine_record_mark(m, s->label);
	if (m->cfg->end_mark && strcmp(s->label, m->cfg->end_mark) == 0)
		machine_stop(m, RUN_COMPLETED, "end mark");
}

/* A step that takes no time of its own. */
static void instant_step(struct machine *m, struct program *p, const struct step *s)
{
	struct cpu *c = &m->cpus[p->task->cpu];

	switch (s->kind) {
	case STEP_EXPEDITE:
		rcu_expedite_gp(&m->flags);
		break;
	case STEP_UNEXPEDITE:
		unexpedite(m);
		break;
	case STEP_SET_EXPEDITED:
		rcu_flags_set_expedited(&m->flags, (int)s->count);
		break;
	case STEP_SET_NORMAL:
		rcu_flags_set_normal(&m->flags, (int)s->count);
		break;
	case STEP_PM_PREPARE:
	case STEP_PM_POST:
		pm_step(m, s->kind == STEP_PM_PREPARE);
		break;
	case STEP_CALL_RCU:
		for (int64_t i = 0; i < s->count; i++)
			rcu_call(c, noop_cb, NULL);
		break;
	case STEP_GROUP:
		if (s->label)
			TRACE(m, c->id, "initcall_start", "func=%s", s->label);
		push(p, s->body, s->body_count, 1);
		break;
	case STEP_LOOP:
		push(p, s->body, s->body_count, s->count);
		break;
	case STEP_SPAWN:
		task_wake(m, program_create(m, s->label ? s->label : "task", c->id, s->cpu, s->body,
					    s->body_count)->task, c);
		break;
	case STEP_MARK:
		mark(m, s);
		break;
	case STEP_BRING_UP:
		p->bring_up = s;
		p->bring_up_cpu = 0;
		break;
	case STEP_SYNC:
	case STEP_SYNC_EXPEDITED:
	case STEP_CALL_RCU_WAIT:
		begin_wait(m, p, s);
		break;
	case STEP_RUN:
	case STEP_RUN_USER:
	case STEP_SLEEP:
	case STEP_KIND_COUNT:
		RS_BUG("step %d takes time", (int)s->kind);
	}
	ORACLE(m, oracle_control(m, s));
}

/* The program's next step, or NULL at its end. */
static const struct step *next_step(struct program *p)
{
	while (p->depth > 0) {
		struct frame *f = &p->stack[p->depth - 1];

		if (f->pos < f->count && f->rounds_left != 0)
			return &f->steps[f->pos++];
		if (f->count > 0 && (f->rounds_left < 0 || f->rounds_left > 1)) {
			if (f->rounds_left > 0)
				f->rounds_left--;
			f->pos = 0;
			continue;
		}
		p->depth--;
	}
	return NULL;
}

/* Counts a step; false: time has stood still for too many, the run is stopped. */
static bool time_passes(struct machine *m, const struct task *t)
{
	struct workload_state *ws = m->work;

	if (ws->moment_ns != machine_now(m)) {
		ws->moment_ns = machine_now(m);
		ws->steps_at_moment = 0;
	}
	if (++ws->steps_at_moment <= STEPS_AT_ONE_MOMENT_MAX)
		return true;
	machine_stop(m, RUN_MODEL_ERROR, "task %s: %d steps, and no time passes", t->name,
		     STEPS_AT_ONE_MOMENT_MAX);
	return false;
}

/* True: s begins at a moment that is measured, so what the CPU owes is paid before. */
static bool pays_first(const struct step *s)
{
	return s->kind == STEP_MARK || s->kind == STEP_SYNC || s->kind == STEP_SYNC_EXPEDITED ||
	       s->kind == STEP_CALL_RCU_WAIT;
}

/* A step that uses up the task's turn, or an instant one. True: go on at once. */
static bool do_step(struct machine *m, struct program *p, const struct step *s)
{
	struct task *t = p->task;
	sim_time_ns ns;

	if (p->is_boot && s->level > p->level)
		enter_level(m, p, s->level);
	if (m->cpus[t->cpu].charge_ns > 0 && pays_first(s)) {
		p->stack[p->depth - 1].pos--;
		task_run(m, t, 0, false);
		return false;
	}
	switch (s->kind) {
	case STEP_RUN:
	case STEP_RUN_USER:
		ns = step_duration(m, s);
		task_run(m, t, ns, s->kind == STEP_RUN_USER);
		return false;
	case STEP_SLEEP:
		task_sleep_ns(m, t, step_duration(m, s));
		return false;
	case STEP_MARK:
	case STEP_SYNC:
	case STEP_SYNC_EXPEDITED:
	case STEP_CALL_RCU:
	case STEP_CALL_RCU_WAIT:
	case STEP_EXPEDITE:
	case STEP_UNEXPEDITE:
	case STEP_SET_EXPEDITED:
	case STEP_SET_NORMAL:
	case STEP_PM_PREPARE:
	case STEP_PM_POST:
	case STEP_BRING_UP:
	case STEP_GROUP:
	case STEP_LOOP:
	case STEP_SPAWN:
	case STEP_KIND_COUNT:
		break;
	}
	instant_step(m, p, s);
	return true;
}

/* A task of a workload, or the boot task: runs until it must wait. */
static void program_fn(struct machine *m, struct task *t)
{
	struct program *p = t->data;
	const struct step *s;

	while (m->stop == RUN_STOP_COUNT) {
		if (p->waiting) {
			if (!rcu_wait_step(m, t, &p->wait))
				return;
			wait_over(m, p);
		}
		if (p->bring_up) {
			if (!bring_up_step(m, p))
				return;
			continue;
		}
		s = next_step(p);
		if (!s) {
			if (--m->work->tasks_left == 0)
				machine_stop(m, RUN_COMPLETED, "all tasks done");
			task_exit(m, t);
			return;
		}
		if (!time_passes(m, t))
			break;
		if (!do_step(m, p, s))
			return;
	}
	task_exit(m, t);
}

/* --- start --- */

static uint32_t max_step_id(const struct step *steps, size_t count)
{
	uint32_t max = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t below = max_step_id(steps[i].body, steps[i].body_count);

		if (steps[i].id > max)
			max = steps[i].id;
		if (below > max)
			max = below;
	}
	return max;
}

/* Bound tasks start first, so that the others find the CPUs that stay free. */
static void workload_booted(struct machine *m)
{
	const struct model_config *cfg = m->cfg;
	struct task **tasks = sim_arena_array(m->arena, cfg->task_count, sizeof(struct task *));

	for (size_t i = 0; i < cfg->task_count; i++) {
		const struct task_config *tc = &cfg->tasks[i];
		struct program *p = program_create(m, tc->name, tc->cpu >= 0 ? tc->cpu : 0, tc->cpu,
						   tc->steps, tc->step_count);

		p->on_boot_path = i == 0;
		if (i == 0)
			ORACLE(m, oracle_boot_task(m, p->task));
		tasks[i] = p->task;
		if (tc->cpu >= 0)
			task_wake(m, p->task, NULL);
	}
	for (size_t i = 0; i < cfg->task_count; i++) {
		if (cfg->tasks[i].cpu < 0)
			task_wake(m, tasks[i], NULL);
	}
}

void workload_init(struct machine *m)
{
	const struct model_config *cfg = m->cfg;
	uint32_t max = max_step_id(cfg->boot_steps, cfg->boot_step_count);
	struct program *p;

	for (size_t i = 0; i < cfg->task_count; i++) {
		uint32_t below = max_step_id(cfg->tasks[i].steps, cfg->tasks[i].step_count);

		max = below > max ? below : max;
	}
	m->work = sim_arena_alloc(m->arena, sizeof(*m->work));
	m->work->stream_count = max + 1;
	m->work->streams = sim_arena_array(m->arena, max + 1, sizeof(struct rng_stream *));
	if (cfg->machine.booted) {
		workload_booted(m);
		return;
	}
	p = program_create(m, "init", 0, 0, cfg->boot_steps, cfg->boot_step_count);
	p->on_boot_path = true;
	ORACLE(m, oracle_boot_task(m, p->task));
	p->is_boot = true;
	/* init is free to move once the other CPUs are up: sched_init_smp() */
	p->task->bound_cpu = -1;
	task_wake(m, p->task, NULL);
}
