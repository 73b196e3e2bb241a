/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Defaults of a model's input, the rules that tie several of its parameters
 * together, and the names of its enumerations. Rules of one parameter alone
 * (its range, its type) belong to the table of parameters; where a bad value
 * would break the rules below they are repeated here, so that configs made by
 * hand are safe too. Test: tests/model/check_config.c.
 */
#include "models/config.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "models/rcu_tree.h"

#define DEFAULT_HZ 250
#define DEFAULT_PROFILE "v6.1"
/* Deeper programs are a mistake; the limit bounds the recursion over bodies. */
#define STEP_DEPTH_MAX 64

struct held {
	const char *name;
	const struct held *outer;
};

struct checker {
	const struct model_config *config;
	char *buf;
	size_t buf_size;
	uint32_t *step_id;
	int bring_ups;
	const struct held *held; /* semaphores written around the steps, innermost first */
	enum step_kind section; /* innermost section the steps are in; else STEP_KIND_COUNT */
	bool end_mark_seen;
};

static bool fail(struct checker *c, uint32_t step_id, const char *fmt, ...) RS_PRINTF(3, 4);

static bool fail(struct checker *c, uint32_t step_id, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(c->buf, c->buf_size, fmt, args);
	va_end(args);
	*c->step_id = step_id;
	return false;
}

void model_config_default(struct model_config *config)
{
	struct kernel_config *kernel = &config->kernel;
	struct machine_config *machine = &config->machine;
	const struct rcu_profile *profile = profile_find(DEFAULT_PROFILE);

	RS_REQUIRE(profile != NULL);
	memset(config, 0, sizeof(*config));
	kernel->profile = *profile;
	kernel->jiffies_till_first_fqs = -1;
	kernel->jiffies_till_next_fqs = -1;
	kernel->jiffies_till_sched_qs = -1;
	kernel->rcu_normal_wake_from_gp = -1;
	kernel->rcu_fanout_leaf = -1;
	kernel->blimit = 10;
	kernel->qhimark = 10000;
	kernel->qlowmark = 100;
	kernel->rcu_boost_delay_ms = 500;
	kernel->rcu_cpu_stall_timeout = 21;
	kernel->nohz = true;
	kernel->highres = true;

	machine->cpus = 1;
	machine->cpus_online = 1;
	machine->hz = DEFAULT_HZ;
	machine->preempt = PREEMPT_NONE;
	machine->tick_phase.kind = DIST_UNIFORM;
	machine->tick_phase.a = 0.0;
	machine->tick_phase.b = (double)(NS_PER_S / DEFAULT_HZ);

	config->time_limit_ns = 3600 * NS_PER_S;
	config->event_limit = UINT64_C(10000000000);
}

static bool check_machine(struct checker *c)
{
	const struct machine_config *machine = &c->config->machine;

	if (machine->cpus < 1 || machine->cpus > CPUS_MAX)
		return fail(c, 0, "machine.cpus is %lld: 1 to %d CPUs can be simulated",
			    (long long)machine->cpus, CPUS_MAX);
	if (machine->cpus_online < 1 || machine->cpus_online > machine->cpus)
		return fail(c, 0, "machine.cpus_online is %lld: it must be 1 to machine.cpus (%lld)",
			    (long long)machine->cpus_online, (long long)machine->cpus);
	if (machine->hz < 12 || machine->hz > 1000)
		return fail(c, 0, "machine.hz is %lld: it must be 12 to 1000",
			    (long long)machine->hz);
	if (machine->preempt < 0 || machine->preempt >= PREEMPT_MODEL_COUNT)
		return fail(c, 0, "machine.preempt is %lld: no such preemption model",
			    (long long)machine->preempt);
	for (int cpu = (int)machine->cpus; cpu < CPUS_MAX; cpu++)
		if (cpu_mask_has(&machine->nocb, cpu))
			return fail(c, 0,
				    "machine.nocb names CPU %d, but the machine has CPUs 0 to %lld",
				    cpu, (long long)machine->cpus - 1);
	if (machine->periodic && !machine->booted)
		return fail(c, 0,
			    "machine.periodic is for machines that start booted: a boot's ticks are "
			    "periodic until high-resolution mode anyway");
	return true;
}

static bool check_kernel(struct checker *c)
{
	const struct kernel_config *kernel = &c->config->kernel;
	const struct rcu_profile *profile = &kernel->profile;
	int64_t leaf_fanout = kernel->rcu_fanout_leaf >= 0 ? kernel->rcu_fanout_leaf :
							     profile->leaf_fanout;
	struct rcu_geometry geometry;

	if (leaf_fanout < 2 || leaf_fanout > 64)
		return fail(c, 0, "the leaf fanout is %lld: it must be 2 to 64",
			    (long long)leaf_fanout);
	if (profile->fanout < 2 || profile->fanout > 64)
		return fail(c, 0, "kernel.fanout is %lld: it must be 2 to 64",
			    (long long)profile->fanout);
	if (!rcu_geometry_init(&geometry, (int)c->config->machine.cpus, (int)leaf_fanout,
			       (int)profile->fanout, kernel->rcu_fanout_exact))
		return fail(c, 0,
			    "an rcu_node tree with leaf fanout %lld and fanout %lld cannot hold %lld "
			    "CPUs in %d levels",
			    (long long)leaf_fanout, (long long)profile->fanout,
			    (long long)c->config->machine.cpus, RCU_LEVELS_MAX);
	if (kernel->expedite_boot && !profile->expedite_boot_option)
		return fail(c, 0, "profile %s has no CONFIG_RCU_EXPEDITE_BOOT", profile->name);
	if (kernel->fast_no_hz && !profile->fast_no_hz)
		return fail(c, 0, "profile %s has no CONFIG_RCU_FAST_NO_HZ", profile->name);
	if (kernel->rcu_boost && c->config->machine.preempt != PREEMPT_FULL)
		return fail(c, 0, "CONFIG_RCU_BOOST needs a preemptible kernel: machine.preempt: full");
	if (kernel->rcu_exp_kthread &&
	    (profile->version < 519 || profile->exp_driver < EXP_DRIVER_RCU_GP_WQ))
		return fail(c, 0, "profile %s has no CONFIG_RCU_EXP_KTHREAD", profile->name);
	if (kernel->rcu_exp_kthread && !kernel->rcu_boost)
		return fail(c, 0, "CONFIG_RCU_EXP_KTHREAD needs CONFIG_RCU_BOOST: kernel.rcu_boost: true");
	if (kernel->rcu_exp_cpu_stall_timeout != 0 && !profile->exp_stall_timeout)
		return fail(c, 0, "profile %s has no rcu_exp_cpu_stall_timeout", profile->name);
	if (kernel->rcu_boost_delay_ms < 0 || kernel->rcu_boost_delay_ms > 3000)
		return fail(c, 0, "kernel.rcu_boost_delay_ms is %lld: it must be 0 to 3000",
			    (long long)kernel->rcu_boost_delay_ms);
	if ((kernel->rcu_normal || kernel->rcu_normal_after_boot) && !profile->has_rcu_normal)
		return fail(c, 0, "profile %s has no rcu_normal and no rcu_normal_after_boot",
			    profile->name);
	if (profile->nesting_initial != 0 && !profile->has_nesting)
		return fail(c, 0, "kernel.nesting_initial is %lld without kernel.has_nesting",
			    (long long)profile->nesting_initial);
	return true;
}

/* Does the step let virtual time pass whatever the state of RCU is? */
static bool step_takes_time(const struct step *step, int depth)
{
	switch (step->kind) {
	case STEP_RUN:
	case STEP_RUN_USER:
	case STEP_SLEEP:
		return step->duration.kind != DIST_CONSTANT || step->duration.a >= 1.0;
	case STEP_GROUP:
	case STEP_LOOP:
	case STEP_READ:
	case STEP_PREEMPT_OFF:
	case STEP_BH_OFF:
	case STEP_IRQS_OFF:
	case STEP_PERCPU_WRITE:
		if (depth >= STEP_DEPTH_MAX || (step->kind == STEP_LOOP && step->count == 0))
			return false;
		for (size_t i = 0; i < step->body_count; i++)
			if (step_takes_time(&step->body[i], depth + 1))
				return true;
		return false;
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
	case STEP_SPAWN:
	case STEP_QUEUE_WORK:
	case STEP_MARK:
	case STEP_GET_STATE:
	case STEP_START_POLL:
	case STEP_POLL:
	case STEP_COND_SYNC:
	case STEP_KIND_COUNT:
		return false;
	}
	return false;
}

static bool check_bound_cpu(struct checker *c, int cpu, uint32_t step_id, const char *what)
{
	int64_t online = c->config->machine.cpus_online;

	if (cpu < -1 || cpu >= online)
		return fail(c, step_id, "%s is bound to CPU %d, but CPUs 0 to %lld come online", what,
			    cpu, (long long)online - 1);
	return true;
}

static bool check_steps(struct checker *c, const struct step *steps, size_t count, int depth,
			bool once);

/* The body of a section: code that may not sleep. */
static bool check_section(struct checker *c, const struct step *step, int depth)
{
	enum step_kind outer = c->section;
	bool ok;

	if (step->kind == STEP_READ && (step->count < 0 || step->count >= SECTION_COUNT))
		return fail(c, step->id, "a read that ends in region %lld", (long long)step->count);
	c->section = step->kind;
	ok = check_steps(c, step->body, step->body_count, depth + 1, false);
	c->section = outer;
	return ok;
}

static bool check_hotplug(struct checker *c, const struct step *step)
{
	int64_t cpus = c->config->machine.cpus;

	if (step->kind == STEP_SMT) {
		if (step->cpu < 2)
			return fail(c, step->id, "smt with %d threads for a core: at least 2", step->cpu);
		return true;
	}
	if (step->cpu == 0)
		return fail(c, step->id, "%s of CPU 0, which runs all the time",
			    step_kind_name(step->kind));
	if (step->cpu < 0 || step->cpu >= cpus)
		return fail(c, step->id, "%s of CPU %d, but the machine has CPUs 0 to %lld",
			    step_kind_name(step->kind), step->cpu, (long long)cpus - 1);
	return true;
}

static bool check_percpu_write(struct checker *c, const struct step *step, int depth)
{
	const struct held held = { step->label, c->held };
	bool ok;

	if (!step->label || !step->label[0])
		return fail(c, step->id, "a percpu_write without a name");
	for (const struct held *h = c->held; h; h = h->outer)
		if (strcmp(h->name, step->label) == 0)
			return fail(c, step->id, "percpu_write of %s inside itself: it would wait for ever",
				    step->label);
	c->held = &held;
	ok = check_steps(c, step->body, step->body_count, depth + 1, false);
	c->held = held.outer;
	return ok;
}

/* The steps of another task, which starts outside all sections. */
static bool check_spawned(struct checker *c, const struct step *step, int depth)
{
	enum step_kind outer = c->section;
	const struct held *held = c->held;
	bool ok;

	if (!check_bound_cpu(c, step->cpu, step->id,
			     step->kind == STEP_SPAWN ? "the spawned task" : "the work item"))
		return false;
	c->section = STEP_KIND_COUNT;
	c->held = NULL;
	ok = check_steps(c, step->body, step->body_count, depth + 1, false);
	c->section = outer;
	c->held = held;
	return ok;
}

static bool may_sleep(enum step_kind kind)
{
	return kind == STEP_SLEEP || kind == STEP_SYNC || kind == STEP_SYNC_EXPEDITED ||
	       kind == STEP_CALL_RCU_WAIT || kind == STEP_RCU_BARRIER || kind == STEP_BRING_UP ||
	       kind == STEP_SYNC_SRCU || kind == STEP_SYNC_SRCU_EXPEDITED ||
	       kind == STEP_SYNC_TASKS || kind == STEP_SYNC_TASKS_RUDE ||
	       kind == STEP_OFFLINE || kind == STEP_ONLINE || kind == STEP_SMT ||
	       kind == STEP_PERCPU_WRITE || kind == STEP_RUN_USER || kind == STEP_COND_SYNC;
}

/* A step on a cookie of the polled API. */
static bool check_cookie(struct checker *c, const struct step *step)
{
	const struct rcu_profile *profile = &c->config->kernel.profile;
	bool polls = step->kind == STEP_START_POLL || step->kind == STEP_POLL;

	if (!step->label || !step->label[0])
		return fail(c, step->id, "%s without a cookie's name", step_kind_name(step->kind));
	/* before 4.19 a need recorded while a grace period runs may wait for the CPU's callbacks */
	if (polls && (profile->polled_api == POLLED_COND_ONLY || profile->version < 419))
		return fail(c, step->id, "profile %s has no %s_synchronize_rcu()", profile->name,
			    step->kind == STEP_POLL ? "poll_state" : "start_poll");
	return true;
}

static bool check_run(struct checker *c, const struct step *step)
{
	if (step->cond_resched_ns < 0)
		return fail(c, step->id, "a run that calls cond_resched() every %lld ns",
			    (long long)step->cond_resched_ns);
	if (step->cond_resched_ns > 0 && c->section != STEP_KIND_COUNT)
		return fail(c, step->id, "cond_resched() inside %s: code there cannot be rescheduled",
			    step_kind_name(c->section));
	return true;
}

static bool check_nesting(struct checker *c, const struct step *step)
{
	const struct rcu_profile *profile = &c->config->kernel.profile;

	if (profile->has_nesting)
		return true;
	return fail(c, step->id, "profile %s has no %s()", profile->name,
		    step->kind == STEP_EXPEDITE ? "rcu_expedite_gp" : "rcu_unexpedite_gp");
}

static bool check_bring_up(struct checker *c, const struct step *step, bool once)
{
	if (c->config->machine.booted)
		return fail(c, step->id, "bring_up on a machine that starts booted");
	if (!once)
		return fail(c, step->id, "bring_up inside a loop or another task");
	if (++c->bring_ups > 1)
		return fail(c, step->id, "a second bring_up: the CPUs are up already");
	return true;
}

/* once: the step runs at most once, and in the boot program itself. */
static bool check_step(struct checker *c, const struct step *step, int depth, bool once)
{
	const struct rcu_profile *profile = &c->config->kernel.profile;

	if (c->section != STEP_KIND_COUNT && may_sleep(step->kind))
		return fail(c, step->id, "%s inside %s: code there can neither sleep nor be user code",
			    step_kind_name(step->kind), step_kind_name(c->section));
	switch (step->kind) {
	case STEP_EXPEDITE:
	case STEP_UNEXPEDITE:
		return check_nesting(c, step);
	case STEP_SET_NORMAL:
		if (!profile->has_rcu_normal)
			return fail(c, step->id, "profile %s has no /sys/kernel/rcu_normal",
				    profile->name);
		return true;
	case STEP_CALL_RCU:
		if (step->count < 1)
			return fail(c, step->id, "call_rcu of %lld callbacks",
				    (long long)step->count);
		return true;
	case STEP_BRING_UP:
		return check_bring_up(c, step, once);
	case STEP_OFFLINE:
	case STEP_ONLINE:
	case STEP_SMT:
		return check_hotplug(c, step);
	case STEP_PERCPU_WRITE:
		return check_percpu_write(c, step, depth);
	case STEP_GROUP:
		return check_steps(c, step->body, step->body_count, depth + 1, once);
	case STEP_LOOP:
		if (step->count < -1)
			return fail(c, step->id, "a loop of %lld rounds", (long long)step->count);
		if (step->count == -1 && !step_takes_time(step, 0))
			return fail(c, step->id,
				    "an endless loop in which no time passes: give it a run or a sleep");
		return check_steps(c, step->body, step->body_count, depth + 1, false);
	case STEP_SPAWN:
	case STEP_QUEUE_WORK:
		return check_spawned(c, step, depth);
	case STEP_READ:
	case STEP_PREEMPT_OFF:
	case STEP_BH_OFF:
	case STEP_IRQS_OFF:
		return check_section(c, step, depth);
	case STEP_GET_STATE:
	case STEP_START_POLL:
	case STEP_POLL:
	case STEP_COND_SYNC:
		return check_cookie(c, step);
	case STEP_RUN:
		return check_run(c, step);
	case STEP_MARK:
		if (!step->label || !step->label[0])
			return fail(c, step->id, "a mark without a name");
		if (c->config->end_mark && strcmp(step->label, c->config->end_mark) == 0)
			c->end_mark_seen = true;
		return true;
	case STEP_RUN_USER:
	case STEP_SLEEP:
	case STEP_SYNC:
	case STEP_SYNC_EXPEDITED:
	case STEP_CALL_RCU_WAIT:
	case STEP_RCU_BARRIER:
	case STEP_SYNC_SRCU:
	case STEP_SYNC_SRCU_EXPEDITED:
	case STEP_SYNC_TASKS:
	case STEP_SYNC_TASKS_RUDE:
	case STEP_SET_EXPEDITED:
	case STEP_PM_PREPARE:
	case STEP_PM_POST:
		return true;
	case STEP_KIND_COUNT:
		break;
	}
	return fail(c, step->id, "a step of unknown kind %d", (int)step->kind);
}

static bool check_steps(struct checker *c, const struct step *steps, size_t count, int depth,
			bool once)
{
	if (depth > STEP_DEPTH_MAX)
		return fail(c, count ? steps[0].id : 0, "steps nested deeper than %d",
			    STEP_DEPTH_MAX);
	for (size_t i = 0; i < count; i++)
		if (!check_step(c, &steps[i], depth, once))
			return false;
	return true;
}

static bool check_levels(struct checker *c)
{
	const struct step *steps = c->config->boot_steps;

	for (size_t i = 0; i < c->config->boot_step_count; i++) {
		if ((int)steps[i].level < 0 || steps[i].level >= LEVEL_COUNT)
			return fail(c, steps[i].id, "a step of unknown boot level %d",
				    (int)steps[i].level);
		if (i > 0 && steps[i].level < steps[i - 1].level)
			return fail(c, steps[i].id,
				    "level %s after level %s: boot levels never go back",
				    boot_level_name(steps[i].level),
				    boot_level_name(steps[i - 1].level));
	}
	return true;
}

bool model_config_check(const struct model_config *config, char *buf, size_t buf_size,
			uint32_t *step_id)
{
	struct checker c = { .config = config, .buf = buf, .buf_size = buf_size,
			     .step_id = step_id, .section = STEP_KIND_COUNT };

	*step_id = 0;
	if (buf_size)
		buf[0] = '\0';
	if (!check_machine(&c) || !check_kernel(&c))
		return false;
	if (config->time_limit_ns <= 0)
		return fail(&c, 0, "the limit of virtual time must be positive");
	if (config->event_limit == 0)
		return fail(&c, 0, "the limit of events must be positive");
	if (config->machine.booted && config->boot_step_count)
		return fail(&c, config->boot_steps[0].id,
			    "a boot program on a machine that starts booted");
	if (!config->machine.booted && config->task_count)
		return fail(&c, 0, "tasks beside a boot program: let the boot spawn them");
	if (!check_levels(&c))
		return false;
	if (!check_steps(&c, config->boot_steps, config->boot_step_count, 0, true))
		return false;
	for (size_t i = 0; i < config->task_count; i++) {
		const struct task_config *task = &config->tasks[i];

		if (!check_bound_cpu(&c, task->cpu, 0, task->name ? task->name : "a task"))
			return false;
		if (config->task_is_sensitive && config->task_is_sensitive[i] && task->cpu < 0)
			return fail(&c, 0, "task %s is latency_sensitive, but bound to no CPU",
				    task->name ? task->name : "?");
		if (!check_steps(&c, task->steps, task->step_count, 0, false))
			return false;
	}
	if (config->end_mark && !c.end_mark_seen)
		return fail(&c, 0, "no step sets the end mark '%s'", config->end_mark);
	return true;
}

const char *boot_level_name(enum boot_level level)
{
	static const char *const names[LEVEL_COUNT] = {
		[LEVEL_START_KERNEL] = "start_kernel",
		[LEVEL_EARLY] = "early",
		[LEVEL_SMP] = "smp",
		[LEVEL_PURE] = "pure",
		[LEVEL_CORE] = "core",
		[LEVEL_POSTCORE] = "postcore",
		[LEVEL_ARCH] = "arch",
		[LEVEL_SUBSYS] = "subsys",
		[LEVEL_FS] = "fs",
		[LEVEL_ROOTFS] = "rootfs",
		[LEVEL_DEVICE] = "device",
		[LEVEL_LATE] = "late",
		[LEVEL_READONLY] = "readonly",
		[LEVEL_USER] = "user",
	};

	RS_REQUIRE((int)level >= 0 && level < LEVEL_COUNT);
	return names[level];
}

const char *preempt_model_name(enum preempt_model preempt)
{
	switch (preempt) {
	case PREEMPT_NONE:
		return "none";
	case PREEMPT_VOLUNTARY:
		return "voluntary";
	case PREEMPT_FULL:
		return "full";
	case PREEMPT_MODEL_COUNT:
		break;
	}
	RS_BUG("unknown preempt_model %d", (int)preempt);
}

const char *step_kind_name(enum step_kind kind)
{
	static const char *const names[STEP_KIND_COUNT] = {
		[STEP_RUN] = "run",
		[STEP_RUN_USER] = "run_user",
		[STEP_SLEEP] = "sleep",
		[STEP_SYNC] = "synchronize_rcu",
		[STEP_SYNC_EXPEDITED] = "synchronize_rcu_expedited",
		[STEP_CALL_RCU] = "call_rcu",
		[STEP_CALL_RCU_WAIT] = "call_rcu_wait",
		[STEP_RCU_BARRIER] = "rcu_barrier",
		[STEP_SYNC_SRCU] = "synchronize_srcu",
		[STEP_SYNC_SRCU_EXPEDITED] = "synchronize_srcu_expedited",
		[STEP_SYNC_TASKS] = "synchronize_rcu_tasks",
		[STEP_SYNC_TASKS_RUDE] = "synchronize_rcu_tasks_rude",
		[STEP_EXPEDITE] = "expedite",
		[STEP_UNEXPEDITE] = "unexpedite",
		[STEP_SET_EXPEDITED] = "set_expedited",
		[STEP_SET_NORMAL] = "set_normal",
		[STEP_PM_PREPARE] = "pm_prepare",
		[STEP_PM_POST] = "pm_post",
		[STEP_BRING_UP] = "bring_up",
		[STEP_GROUP] = "group",
		[STEP_LOOP] = "loop",
		[STEP_SPAWN] = "spawn",
		[STEP_MARK] = "mark",
		[STEP_READ] = "read",
		[STEP_PREEMPT_OFF] = "preempt_off",
		[STEP_BH_OFF] = "bh_off",
		[STEP_IRQS_OFF] = "irqs_off",
		[STEP_OFFLINE] = "offline",
		[STEP_ONLINE] = "online",
		[STEP_SMT] = "smt",
		[STEP_PERCPU_WRITE] = "percpu_write",
		[STEP_QUEUE_WORK] = "queue_work",
		[STEP_GET_STATE] = "get_state",
		[STEP_START_POLL] = "start_poll",
		[STEP_POLL] = "poll",
		[STEP_COND_SYNC] = "cond_sync",
	};

	RS_REQUIRE((int)kind >= 0 && kind < STEP_KIND_COUNT);
	return names[kind];
}
