/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs of tasks: the boot with its levels, and the tasks of a workload.
 * A program is a tree of steps (models/config.h); each task keeps a stack of
 * places in it. Boot order follows init/main.c start_kernel, rest_init,
 * kernel_init_freeable, kernel_init (3.19-6.1); facts: mechanics 2.1, 6.1.
 */
#include <string.h>

#include "models/hotplug.h"
#include "models/oracle.h"
#include "models/rcu.h"
#include "models/workqueue.h"

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
	const struct step *section; /* whose body it is; NULL: of no section */
	bool unlocked;       /* past the unlock, in the region it stands in */
	const char *label;   /* of an initcall; NULL: none */
};

struct program {
	struct task *task;
	struct frame *stack;
	int depth, depth_max;
	bool on_boot_path;
	bool is_boot;
	enum boot_level level;
	const struct step *run;   /* under way, with calls of cond_resched() in it */
	sim_time_ns run_left_ns;
	bool waiting;             /* in `wait`, begun by step wait_id */
	uint32_t wait_id;
	struct rcu_sync *wait_sync; /* whose writer waits; NULL: none */
	struct rcu_wait wait;
	struct work_item work;    /* of a work item */
	struct program *next_free;
	/* what takes several turns; NULL: nothing */
	const struct step *op;
	int op_cpu;
	bool op_unlocks;          /* a writer leaves */
	struct hotplug_op hotplug;
	struct percpu_write write;
};

struct workload_state {
	int tasks_left;
	struct rng_stream **streams; /* by step id, made at first use */
	struct program *free_work; /* programs of work items that are done */
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
	if (p->wait_sync)
		rcu_sync_entered(m, p->wait_sync, &m->cpus[p->task->cpu]);
	p->wait_sync = NULL;
}

static void begin_wait(struct machine *m, struct program *p, const struct step *s)
{
	p->waiting = true;
	p->wait_id = s->id;
	if (s->kind == STEP_CALL_RCU_WAIT)
		rcu_wait_begin_callback(m, p->task, &p->wait);
	else if (s->kind == STEP_RCU_BARRIER)
		rcu_wait_begin_barrier(m, p->task, &p->wait);
	else if (s->kind == STEP_SYNC_SRCU || s->kind == STEP_SYNC_SRCU_EXPEDITED)
		srcu_wait_begin(m, p->task, &p->wait, s->kind == STEP_SYNC_SRCU_EXPEDITED);
	else if (s->kind == STEP_SYNC_TASKS && m->preempt_rcu) /* else the same as STEP_SYNC */
		rcu_tasks_wait_begin(m, p->task, &p->wait);
	else if (s->kind == STEP_SYNC_TASKS_RUDE)
		rcu_tasks_rude_wait_begin(m, p->task, &p->wait);
	else
		rcu_wait_begin(m, p->task, &p->wait, s->kind == STEP_SYNC_EXPEDITED);
}

static void push(struct program *p, const struct step *steps, size_t count, int64_t rounds)
{
	if (p->depth >= p->depth_max)
		RS_BUG("program nested deeper than %d", p->depth_max);
	p->stack[p->depth++] = (struct frame){ .steps = steps, .count = count, .rounds_left = rounds };
}

/* --- operations that take several turns --- */

/* The next CPU of a bring-up, offline, online or smt step. False: all are done. */
static bool next_cpu(const struct machine *m, struct program *p)
{
	const struct step *s = p->op;
	bool bring_up = s->kind == STEP_BRING_UP;
	int end = bring_up ? (int)m->cfg->machine.cpus_online : m->nr_cpu_ids;
	int cpu = p->op_cpu;

	if (s->kind == STEP_OFFLINE || s->kind == STEP_ONLINE) {
		p->op_cpu = cpu < 0 ? s->cpu : end;
		return cpu < 0;
	}
	cpu = cpu < 0 ? 1 : cpu + 1;
	if (s->kind == STEP_SMT && cpu % s->cpu == 0)
		cpu++;
	p->op_cpu = cpu;
	return cpu < end;
}

static bool begin_hotplug(struct machine *m, struct program *p)
{
	const struct step *s = p->op;

	if (!next_cpu(m, p))
		return false;
	p->hotplug = (struct hotplug_op){
		.cpu = p->op_cpu,
		.up = s->kind == STEP_BRING_UP || s->kind == STEP_ONLINE ||
		      (s->kind == STEP_SMT && s->count),
		.takes_ns = step_duration(m, s),
	};
	return true;
}

static void begin_op(struct machine *m, struct program *p, const struct step *s)
{
	p->op = s;
	p->op_cpu = -1;
	p->op_unlocks = false;
	if (s->kind == STEP_PERCPU_WRITE)
		p->write = (struct percpu_write){ .sem = percpu_rwsem_find(m, s->label) };
	else if (!begin_hotplug(m, p))
		p->op = NULL;
}

/* Carries it on. False: the task's fn has ended. */
static bool go_on_with_op(struct machine *m, struct program *p)
{
	const struct step *s = p->op;
	bool writes = s->kind == STEP_PERCPU_WRITE;
	enum op_result result;
	enum step_kind wait = STEP_SYNC;
	struct rcu_sync *sync = NULL;

	if (!writes)
		result = hotplug_op_step(m, p->task, &p->hotplug, &sync);
	else if (p->op_unlocks)
		result = percpu_write_unlock(m, p->task, &p->write);
	else
		result = percpu_write_lock(m, p->task, &p->write, &sync);
	switch (result) {
	case OP_SLEEPS:
		return false;
	case OP_DONE:
		if (writes || !begin_hotplug(m, p))
			p->op = NULL;
		if (writes && !p->op_unlocks) {
			push(p, s->body, s->body_count, 1);
			p->stack[p->depth - 1].section = s;
		}
		return true;
	case OP_WAITS:
		break;
	case OP_WAITS_EXPEDITED:
		wait = STEP_SYNC_EXPEDITED;
		break;
	case OP_WAITS_FOR_CALLBACK:
		wait = STEP_CALL_RCU_WAIT;
		break;
	}
	p->wait_sync = sync;
	begin_wait(m, p, &(struct step){ .kind = wait, .id = s->id });
	return true;
}

/* The writer's body on top is done. */
static void end_percpu_write(struct machine *m, struct program *p)
{
	const struct step *s = p->stack[--p->depth].section;

	begin_op(m, p, s);
	p->op_unlocks = true;
}

/* --- steps --- */

/* --- sections --- */

static enum section section_of(const struct step *s)
{
	return s->kind == STEP_PREEMPT_OFF ? SECTION_PREEMPT :
	       s->kind == STEP_BH_OFF	   ? SECTION_BH :
	       s->kind == STEP_IRQS_OFF	   ? SECTION_IRQS :
					     SECTION_RCU;
}

static void begin_section(struct program *p, const struct step *s)
{
	section_enter(p->task, section_of(s));
	push(p, s->body, s->body_count, 1);
	p->stack[p->depth - 1].section = s;
}

/* The body on top is done. Ends the task's turn. */
static void end_section(struct machine *m, struct program *p)
{
	struct task *t = p->task;
	struct cpu *c = &m->cpus[t->cpu];
	struct frame *f = &p->stack[p->depth - 1];
	const struct step *s = f->section;
	bool in_region = s->kind == STEP_READ && s->count != SECTION_RCU;

	if (in_region && !f->unlocked) {
		f->unlocked = true;
		section_enter(t, (enum section)s->count);
		section_leave(c, t, SECTION_RCU);
		task_run(m, t, step_duration(m, s), false);
		return;
	}
	p->depth--;
	section_leave(c, t, in_region ? (enum section)s->count : section_of(s));
	cpu_sections_left(c, t);
}

/* Frames that the steps need at most; what they spawn or queue has a stack of its own. */
static int depth_of(const struct step *steps, size_t count)
{
	int most = 0;

	for (size_t i = 0; i < count; i++) {
		if (steps[i].body_count > 0 && steps[i].kind != STEP_SPAWN &&
		    steps[i].kind != STEP_QUEUE_WORK) {
			int below = depth_of(steps[i].body, steps[i].body_count);

			most = below > most ? below : most;
		}
	}
	return most + 1;
}

/* Gives p a stack for the steps, if the one it has is too small. */
static void fit_stack(struct machine *m, struct program *p, const struct step *steps, size_t count)
{
	int depth = depth_of(steps, count);

	if (depth <= p->depth_max)
		return;
	p->depth_max = depth;
	p->stack = sim_arena_array_raw(m->arena, (size_t)depth, sizeof(*p->stack));
}

static struct program *program_create(struct machine *m, const char *name, int cpu, int bound,
				      const struct step *steps, size_t count)
{
	struct program *p = sim_arena_alloc(m->arena, sizeof(*p));

	fit_stack(m, p, steps, count);
	p->task = task_create(m, name, program_fn, p, cpu, bound, CLASS_FAIR);
	p->task->name_cpu = -1;
	push(p, steps, count, 1);
	m->work->tasks_left++;
	return p;
}

static bool work_fn_of_program(struct machine *m, struct task *t, void *data);

/* queue_work_on(): a worker of the CPU runs the body some time. */
static void queue_work(struct machine *m, struct cpu *c, const struct step *s)
{
	struct workload_state *ws = m->work;
	struct program *p = ws->free_work;

	if (p) {
		ws->free_work = p->next_free;
	} else {
		p = sim_arena_alloc(m->arena, sizeof(*p));
		p->work = (struct work_item){ .fn = work_fn_of_program, .data = p };
	}
	fit_stack(m, p, s->body, s->body_count);
	push(p, s->body, s->body_count, 1);
	ws->tasks_left++;
	workqueue_queue_on(m, s->cpu >= 0 ? s->cpu : c->id, &p->work, c);
}

static void noop_cb(struct machine *m, struct cpu *c, void *arg)
{
	(void)m;
	(void)c;
	(void)arg;
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
	case STEP_UNEXPEDITE:
	case STEP_SET_EXPEDITED:
	case STEP_SET_NORMAL:
	case STEP_PM_PREPARE:
	case STEP_PM_POST:
		workload_control_step(m, s);
		break;
	case STEP_GET_STATE:
	case STEP_START_POLL:
	case STEP_POLL:
	case STEP_COND_SYNC:
		if (!rcu_poll_step(c, s) && s->kind == STEP_COND_SYNC)
			begin_wait(m, p, s);
		break;
	case STEP_CALL_RCU:
		for (int64_t i = 0; i < s->count; i++)
			rcu_call(c, noop_cb, NULL);
		break;
	case STEP_GROUP:
		if (s->label)
			TRACE_CALL(m, trace_initcall(c, s->label, true));
		push(p, s->body, s->body_count, 1);
		p->stack[p->depth - 1].label = s->label;
		break;
	case STEP_LOOP:
		push(p, s->body, s->body_count, s->count);
		break;
	case STEP_SPAWN:
		task_wake(m, program_create(m, s->label ? s->label : "task", c->id, s->cpu, s->body,
					    s->body_count)->task, c);
		break;
	case STEP_QUEUE_WORK:
		queue_work(m, c, s);
		break;
	case STEP_MARK:
		mark(m, s);
		break;
	case STEP_READ:
	case STEP_PREEMPT_OFF:
	case STEP_BH_OFF:
	case STEP_IRQS_OFF:
		begin_section(p, s);
		break;
	case STEP_BRING_UP:
	case STEP_OFFLINE:
	case STEP_ONLINE:
	case STEP_SMT:
	case STEP_PERCPU_WRITE:
		begin_op(m, p, s);
		break;
	case STEP_SYNC:
	case STEP_SYNC_EXPEDITED:
	case STEP_CALL_RCU_WAIT:
	case STEP_RCU_BARRIER:
	case STEP_SYNC_SRCU:
	case STEP_SYNC_SRCU_EXPEDITED:
	case STEP_SYNC_TASKS:
	case STEP_SYNC_TASKS_RUDE:
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

/* The program's next step, or NULL at its end or, with frames left, at a section's. */
static const struct step *next_step(struct program *p)
{
	struct machine *m = p->task->machine;

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
		if (f->section)
			return NULL;
		if (f->label)
			TRACE_CALL(m, trace_initcall(&m->cpus[p->task->cpu], f->label, false));
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
	       s->kind == STEP_CALL_RCU_WAIT || s->kind == STEP_RCU_BARRIER ||
	       s->kind == STEP_SYNC_SRCU || s->kind == STEP_SYNC_SRCU_EXPEDITED ||
	       s->kind == STEP_SYNC_TASKS || s->kind == STEP_SYNC_TASKS_RUDE ||
	       s->kind == STEP_COND_SYNC;
}

/* A cond_resched(), then what is run up to the next one. False: the step is over. */
static bool run_slice(struct machine *m, struct program *p)
{
	struct cpu *c = &m->cpus[p->task->cpu];
	sim_time_ns slice_ns = p->run->cond_resched_ns;

	if (slice_ns > p->run_left_ns)
		slice_ns = p->run_left_ns;
	if (slice_ns == 0) {
		p->run = NULL;
		return false;
	}
	if (!c->need_resched) /* else task_run() switches */
		rcu_cond_resched(c, p->run->cond_resched_rcu_qs);
	p->run_left_ns -= slice_ns;
	task_run(m, p->task, slice_ns, false);
	return true;
}

/* A step that uses up the task's turn, or an instant one. True: go on at once. */
static bool do_step(struct machine *m, struct program *p, const struct step *s)
{
	struct task *t = p->task;
	sim_time_ns ns;

	if (p->is_boot && s->level >= LEVEL_READONLY && p->level < LEVEL_READONLY &&
	    m->cfg->kernel.profile.readonly_wait == READONLY_WAIT_BARRIER) {
		/* mark_readonly() waits before the step that comes after it */
		boot_enter_level(m, &p->level, LEVEL_READONLY, p->task->cpu);
		begin_wait(m, p, &(struct step){ .kind = STEP_RCU_BARRIER, .id = s->id });
		p->stack[p->depth - 1].pos--;
		return true;
	}
	if (p->is_boot && s->level > p->level)
		boot_enter_level(m, &p->level, s->level, p->task->cpu);
	if (m->cpus[t->cpu].charge_ns > 0 && pays_first(s)) {
		p->stack[p->depth - 1].pos--;
		task_run(m, t, 0, false);
		return false;
	}
	switch (s->kind) {
	case STEP_RUN:
	case STEP_RUN_USER:
		ns = step_duration(m, s);
		if (s->cond_resched_ns > 0) {
			p->run = s;
			p->run_left_ns = ns;
			return !run_slice(m, p);
		}
		task_run(m, t, ns, s->kind == STEP_RUN_USER);
		return false;
	case STEP_SLEEP:
		task_sleep_ns(m, t, step_duration(m, s));
		return false;
	case STEP_READ:
	case STEP_PREEMPT_OFF:
	case STEP_BH_OFF:
	case STEP_IRQS_OFF:
		/* between two steps is a schedule point, also where a section follows */
		if (m->cpus[t->cpu].need_resched && !t->atomic) {
			p->stack[p->depth - 1].pos--;
			task_run(m, t, 0, false);
			return false;
		}
		break;
	case STEP_MARK:
	case STEP_SYNC:
	case STEP_SYNC_EXPEDITED:
	case STEP_CALL_RCU:
	case STEP_CALL_RCU_WAIT:
	case STEP_RCU_BARRIER:
	case STEP_SYNC_SRCU:
	case STEP_SYNC_SRCU_EXPEDITED:
	case STEP_SYNC_TASKS:
	case STEP_SYNC_TASKS_RUDE:
	case STEP_EXPEDITE:
	case STEP_UNEXPEDITE:
	case STEP_SET_EXPEDITED:
	case STEP_SET_NORMAL:
	case STEP_PM_PREPARE:
	case STEP_PM_POST:
	case STEP_BRING_UP:
	case STEP_OFFLINE:
	case STEP_ONLINE:
	case STEP_SMT:
	case STEP_PERCPU_WRITE:
	case STEP_GROUP:
	case STEP_LOOP:
	case STEP_SPAWN:
	case STEP_QUEUE_WORK:
	case STEP_GET_STATE:
	case STEP_START_POLL:
	case STEP_POLL:
	case STEP_COND_SYNC:
	case STEP_KIND_COUNT:
		break;
	}
	instant_step(m, p, s);
	return true;
}

/* Runs p's task until it must wait. True: the program is over; false: fn has ended. */
static bool program_run(struct machine *m, struct program *p)
{
	const struct step *s;

	while (m->stop == RUN_STOP_COUNT) {
		if (p->waiting) {
			if (!rcu_wait_step(m, p->task, &p->wait))
				return false;
			wait_over(m, p);
		}
		if (p->op) {
			if (!go_on_with_op(m, p))
				return false;
			continue;
		}
		if (p->run && run_slice(m, p))
			return false;
		s = next_step(p);
		if (!s && p->depth > 0 && p->stack[p->depth - 1].section->kind == STEP_PERCPU_WRITE) {
			end_percpu_write(m, p);
			continue;
		}
		if (!s && p->depth > 0) {
			end_section(m, p);
			return false;
		}
		if (!s)
			return true;
		if (!time_passes(m, p->task))
			break;
		if (!do_step(m, p, s))
			return false;
	}
	return true;
}

static void program_over(struct machine *m)
{
	if (--m->work->tasks_left == 0)
		machine_stop(m, RUN_COMPLETED, "all tasks done");
}

/* A task of a workload, or the boot task. */
static void program_fn(struct machine *m, struct task *t)
{
	if (!program_run(m, t->data))
		return;
	program_over(m);
	task_exit(m, t);
}

static bool work_fn_of_program(struct machine *m, struct task *t, void *data)
{
	struct program *p = data;

	p->task = t;
	if (!program_run(m, p))
		return false;
	p->next_free = m->work->free_work;
	m->work->free_work = p;
	program_over(m);
	return true;
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

		p->task->latency_sensitive = cfg->task_is_sensitive && cfg->task_is_sensitive[i];
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
