/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decoding of single steps and of lists of them. The recursion is bounded by
 * the depth limit of the tree. Putting lists together into a program is
 * program.c's work.
 */
#include "sim/scenario/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scenario/steps_internal.h"
#include "sim/scenario/suggest.h"
#include "sim/scenario/values.h"

#define COUNT_MAX INT64_C(1000000000)
#define CALLBACKS_MAX INT64_C(10000000)

static const struct step_info infos[] = {
	{"run", STEP_RUN, ARG_RUN, false, false, "CPU work in kernel mode"},
	{"run_user", STEP_RUN_USER, ARG_DIST, false, false, "CPU work in user mode"},
	{"sleep", STEP_SLEEP, ARG_DIST, false, false, "block for that time, then go on"},
	{"synchronize_rcu", STEP_SYNC, ARG_NONE, false, false, "wait for a grace period"},
	{"synchronize_rcu_expedited", STEP_SYNC_EXPEDITED, ARG_NONE, false, false,
	 "wait for an expedited grace period"},
	{"call_rcu", STEP_CALL_RCU, ARG_COUNT, true, false, "queue callbacks, do not wait"},
	{"synchronize_srcu", STEP_SYNC_SRCU, ARG_NONE, false, false, "synchronize_srcu()"},
	{"synchronize_srcu_expedited", STEP_SYNC_SRCU_EXPEDITED, ARG_NONE, false, false,
	 "synchronize_srcu_expedited()"},
	{"synchronize_rcu_tasks", STEP_SYNC_TASKS, ARG_NONE, false, false,
	 "synchronize_rcu_tasks(): the expedite flag does not reach it"},
	{"synchronize_rcu_tasks_rude", STEP_SYNC_TASKS_RUDE, ARG_NONE, false, false,
	 "synchronize_rcu_tasks_rude(): work on every CPU"},
	{"rcu_barrier", STEP_RCU_BARRIER, ARG_NONE, false, false,
	 "rcu_barrier(): wait for all callbacks queued so far, on any CPU"},
	{"call_rcu_and_wait", STEP_CALL_RCU_WAIT, ARG_NONE, false, false,
	 "queue a callback and wait until it ran"},
	{"get_state", STEP_GET_STATE, ARG_NAME, false, false,
	 "get_state_synchronize_rcu() into a cookie"},
	{"start_poll", STEP_START_POLL, ARG_NAME, false, false,
	 "start_poll_synchronize_rcu() into a cookie"},
	{"poll", STEP_POLL, ARG_NAME, false, false,
	 "is a cookie's grace period over? The first time, record a mark"},
	{"cond_sync", STEP_COND_SYNC, ARG_NAME, false, false,
	 "cond_synchronize_rcu(): wait unless a cookie's grace period is over"},
	{"expedite", STEP_EXPEDITE, ARG_NONE, false, false, "rcu_expedite_gp()"},
	{"unexpedite", STEP_UNEXPEDITE, ARG_NONE, false, false, "rcu_unexpedite_gp()"},
	{"set_rcu_expedited", STEP_SET_EXPEDITED, ARG_BOOL, false, false,
	 "write /sys/kernel/rcu_expedited"},
	{"set_rcu_normal", STEP_SET_NORMAL, ARG_BOOL, false, false, "write /sys/kernel/rcu_normal"},
	{"pm_prepare", STEP_PM_PREPARE, ARG_NONE, false, false,
	 "the notifier call before suspend or hibernation"},
	{"pm_post", STEP_PM_POST, ARG_NONE, false, false,
	 "the notifier call after suspend or hibernation"},
	{"bring_up", STEP_BRING_UP, ARG_EACH, false, false, "start the secondary CPUs"},
	{"offline", STEP_OFFLINE, ARG_HOTPLUG, false, false, "take a CPU off line"},
	{"online", STEP_ONLINE, ARG_HOTPLUG, false, false, "bring a CPU on line again"},
	{"smt", STEP_SMT, ARG_SMT, false, false,
	 "take all threads of each core but the first off line, or back, one at a time"},
	{"percpu_write", STEP_PERCPU_WRITE, ARG_WRITE, false, false,
	 "steps as a writer of a percpu_rwsem"},
	{"initcall", STEP_GROUP, ARG_NAME, false, true, "a named initcall of steps"},
	{"block", STEP_GROUP, ARG_NAME, false, true, "a named group of steps"},
	{"loop", STEP_LOOP, ARG_LOOP, false, false, "repeat steps"},
	{"spawn", STEP_SPAWN, ARG_SPAWN, false, false, "start a task and go on"},
	{"queue_work", STEP_QUEUE_WORK, ARG_WORK, false, false,
	 "queue a work item to a CPU's workers and go on"},
	{"read", STEP_READ, ARG_SECTION, false, false,
	 "a read-side critical section: rcu_read_lock ... rcu_read_unlock"},
	{"preempt_off", STEP_PREEMPT_OFF, ARG_SECTION, false, false,
	 "steps with preemption disabled"},
	{"bh_off", STEP_BH_OFF, ARG_SECTION, false, false, "steps with softirqs disabled"},
	{"irqs_off", STEP_IRQS_OFF, ARG_SECTION, false, false, "steps with interrupts disabled"},
	{"mark", STEP_MARK, ARG_NAME, false, false, "record the time under a name"},
};
#define INFOS (sizeof(infos) / sizeof(infos[0]))

const struct step_info *steps_info(size_t idx)
{
	return idx < INFOS ? &infos[idx] : NULL;
}

static const struct step_info *find_info(const char *key)
{
	for (size_t i = 0; i < INFOS; i++)
		if (strcmp(infos[i].key, key) == 0)
			return &infos[i];
	return NULL;
}

static bool unknown_step(struct load *load, struct tree_node *key)
{
	struct suggest suggest;
	char hint[120];

	suggest_begin(&suggest, key->text);
	for (size_t i = 0; i < INFOS; i++)
		suggest_offer(&suggest, infos[i].key);
	suggest_offer(&suggest, "level");
	suggest_offer(&suggest, "do");
	suggest_hint(&suggest, hint, sizeof(hint));
	return load_fault(load, key, hint, "unknown step '%.60s'", key->text);
}

static const char *arg_example(const struct step_info *info)
{
	switch (info->arg) {
	case ARG_DIST:
	case ARG_RUN:
		return "a duration follows: {run: 1ms}";
	case ARG_BOOL:
		return "true or false follows";
	case ARG_NAME:
		return info->has_do ? "a name and 'do' follow: {initcall: init_x, do: [...]}"
				    : "a name follows: {mark: done}";
	case ARG_EACH:
		return "write {bring_up: {each: 200us}}";
	case ARG_HOTPLUG:
		return "write {offline: {cpu: 1, takes: 1ms}}";
	case ARG_SMT:
		return "write {smt: {switch: off, each: 1ms}}";
	case ARG_WRITE:
		return "write {percpu_write: {name: x, do: [...]}}";
	case ARG_LOOP:
		return "write {loop: {count: 10, do: [...]}}";
	case ARG_SPAWN:
		return "write {spawn: {name: x, do: [...]}}";
	case ARG_WORK:
		return "write {queue_work: {do: [...]}}";
	case ARG_SECTION:
		return "a duration or steps follow: {read: 1ms} or {read: {do: [...]}}";
	case ARG_COUNT:
		return "a number follows";
	case ARG_NONE:
		break;
	}
	return NULL;
}

/* "init_ladder: synchronize_rcu", once for each id. */
static void set_label(struct decoder *d, uint32_t id, const struct step_info *info, const char *own)
{
	struct load *load = d->load;
	const char *name = own ? load_text(load, "%s %s", info->key, own) : info->key;

	if (id == 0 || id > load->step_count || load->steps[id - 1].label)
		return;
	load->steps[id - 1].label = d->group ? load_text(load, "%s: %s", d->group, name) : name;
}

bool decode_body(struct decoder *d, struct tree_node *node, const char *group, struct step *step)
{
	struct decoder inner = *d;
	enum boot_level level = step->level;
	struct step *body;
	bool ok;

	inner.group = group ? group : d->group;
	inner.levels_allowed = false;
	ok = decode_steps(&inner, node, "do", &level, &body, &step->body_count);
	step->body = body;
	d->total_steps = inner.total_steps;
	if (ok && step->body_count == 0)
		return load_fault(d->load, node, NULL, "'do' has no steps");
	return ok;
}

static bool decode_each(struct decoder *d, struct tree_node *arg, struct step *step)
{
	static const char *const keys[] = {"each", NULL};
	bool ok = true;

	if (!load_expect(d->load, arg, TREE_MAP, "bring_up"))
		return false;
	if (!tree_get(arg, "each"))
		return load_fault(d->load, arg, "write {bring_up: {each: 200us}}",
				  "bring_up needs 'each', the time for one CPU");
	for (size_t i = 0; i < arg->count; i++) {
		if (strcmp(arg->pairs[i].key->text, "each") == 0)
			ok = value_dist(d->load, arg->pairs[i].value, "each", &step->duration) &&
			     ok;
		else
			ok = load_unknown_key(d->load, arg->pairs[i].key, "bring_up", keys);
	}
	return ok;
}

static bool decode_loop(struct decoder *d, struct tree_node *arg, struct step *step)
{
	static const char *const keys[] = {"count", "do", NULL};
	struct tree_node *count, *body;
	bool ok = true;

	if (!load_expect(d->load, arg, TREE_MAP, "loop"))
		return false;
	count = tree_get(arg, "count");
	body = tree_get(arg, "do");
	if (!count || !body)
		return load_fault(d->load, arg, "write {loop: {count: 10, do: [...]}}",
				  "loop needs '%s'", count ? "do" : "count");
	for (size_t i = 0; i < arg->count; i++)
		if (arg->pairs[i].value != count && arg->pairs[i].value != body)
			ok = load_unknown_key(d->load, arg->pairs[i].key, "loop", keys);
	if (count->kind == TREE_SCALAR && strcmp(count->text, "forever") == 0)
		step->count = -1;
	else
		ok = value_int(d->load, count, "count", 1, COUNT_MAX, &step->count) && ok;
	return decode_body(d, body, NULL, step) && ok;
}

bool decode_cpu(struct load *load, struct tree_node *node, int *cpu)
{
	int64_t value;

	*cpu = -1;
	if (!node || (node->kind == TREE_SCALAR && strcmp(node->text, "any") == 0))
		return true;
	if (!value_int(load, node, "cpu", 0, CPUS_MAX - 1, &value))
		return false;
	*cpu = (int)value;
	return true;
}

static bool decode_spawn(struct decoder *d, struct tree_node *arg, struct step *step)
{
	static const char *const keys[] = {"name", "cpu", "do", NULL};
	struct tree_node *name, *cpu, *body;
	bool ok = true;

	if (!load_expect(d->load, arg, TREE_MAP, "spawn"))
		return false;
	name = tree_get(arg, "name");
	cpu = tree_get(arg, "cpu");
	body = tree_get(arg, "do");
	if (!name || !body)
		return load_fault(d->load, arg, "write {spawn: {name: x, do: [...]}}",
				  "spawn needs '%s'", name ? "do" : "name");
	for (size_t i = 0; i < arg->count; i++)
		if (arg->pairs[i].value != name && arg->pairs[i].value != cpu &&
		    arg->pairs[i].value != body)
			ok = load_unknown_key(d->load, arg->pairs[i].key, "spawn", keys);
	ok = load_name(d->load, name, "name", &step->label) && ok;
	ok = decode_cpu(d->load, cpu, &step->cpu) && ok;
	return decode_body(d, body, step->label, step) && ok;
}

static bool decode_work(struct decoder *d, struct tree_node *arg, struct step *step)
{
	static const char *const keys[] = {"cpu", "do", NULL};
	struct tree_node *cpu, *body;
	bool ok = true;

	if (!load_expect(d->load, arg, TREE_MAP, "queue_work"))
		return false;
	cpu = tree_get(arg, "cpu");
	body = tree_get(arg, "do");
	if (!body)
		return load_fault(d->load, arg, "write {queue_work: {do: [...]}}",
				  "queue_work needs 'do'");
	for (size_t i = 0; i < arg->count; i++)
		if (arg->pairs[i].value != cpu && arg->pairs[i].value != body)
			ok = load_unknown_key(d->load, arg->pairs[i].key, "queue_work", keys);
	ok = decode_cpu(d->load, cpu, &step->cpu) && ok;
	return decode_body(d, body, NULL, step) && ok;
}

/* `ends_in: {irqs_off: 20us}`: the region in which a reader's unlock stands. */
static bool decode_ends_in(struct decoder *d, struct tree_node *node, struct step *step)
{
	static const char *const keys[] = {"preempt_off", "bh_off", "irqs_off", NULL};
	static const enum section sections[] = {SECTION_PREEMPT, SECTION_BH, SECTION_IRQS};

	if (step->kind != STEP_READ)
		return load_fault(d->load, node, NULL, "only a read has 'ends_in'");
	if (!load_expect(d->load, node, TREE_MAP, "ends_in"))
		return false;
	if (node->count != 1)
		return load_fault(d->load, node, "write {ends_in: {irqs_off: 20us}}",
				  "'ends_in' takes one region and how long it goes on");
	for (size_t i = 0; keys[i]; i++) {
		if (strcmp(node->pairs[0].key->text, keys[i]) != 0)
			continue;
		step->count = sections[i];
		return value_dist(d->load, node->pairs[0].value, keys[i], &step->duration);
	}
	return load_unknown_key(d->load, node->pairs[0].key, "ends_in", keys);
}

static bool decode_section(struct decoder *d, const struct step_info *info, struct tree_node *arg,
			   struct step *step)
{
	static const char *const keys[] = {"do", "ends_in", NULL};
	struct tree_node *body = tree_get(arg, "do");
	struct tree_node *ends_in = tree_get(arg, "ends_in");
	bool ok = true;

	step->count = SECTION_RCU;
	if (!body && !ends_in) { /* {read: 3ms}: the section's only step is a run */
		struct step *run = sim_arena_array(d->load->arena, 1, sizeof(*run));

		*run = (struct step){.kind = STEP_RUN, .level = step->level, .id = step->id, .cpu = -1};
		step->body = run;
		step->body_count = 1;
		return value_dist(d->load, arg, info->key, &run->duration);
	}
	if (!body)
		return load_fault(d->load, arg, "write {read: {do: [...], ends_in: ...}}",
				  "%s needs 'do'", info->key);
	for (size_t i = 0; i < arg->count; i++)
		if (arg->pairs[i].value != body && arg->pairs[i].value != ends_in)
			ok = load_unknown_key(d->load, arg->pairs[i].key, info->key, keys);
	if (ends_in)
		ok = decode_ends_in(d, ends_in, step) && ok;
	return decode_body(d, body, NULL, step) && ok;
}

/* {run: {for: 50ms, cond_resched: 1ms}}; anything else is a duration. */
static bool decode_run(struct decoder *d, struct tree_node *arg, struct step *step)
{
	static const char *const keys[] = {"for", "cond_resched", "cond_resched_rcu_qs", NULL};
	struct tree_node *length = arg->kind == TREE_MAP ? tree_get(arg, "for") : NULL;
	struct tree_node *plain, *variant;
	bool ok = true;

	if (arg->kind != TREE_MAP ||
	    (!length && !tree_get(arg, "cond_resched") && !tree_get(arg, "cond_resched_rcu_qs")))
		return value_dist(d->load, arg, "run", &step->duration);
	plain = tree_get(arg, "cond_resched");
	variant = tree_get(arg, "cond_resched_rcu_qs");
	if (!length)
		return load_fault(d->load, arg, "write {run: {for: 50ms, cond_resched: 1ms}}",
				  "run needs 'for'");
	if (plain && variant)
		return load_fault(d->load, variant, NULL,
				  "a run calls cond_resched() or cond_resched_rcu_qs(), not both");
	for (size_t i = 0; i < arg->count; i++)
		if (arg->pairs[i].value != length && arg->pairs[i].value != plain &&
		    arg->pairs[i].value != variant)
			ok = load_unknown_key(d->load, arg->pairs[i].key, "run", keys);
	ok = value_dist(d->load, length, "for", &step->duration) && ok;
	step->cond_resched_rcu_qs = variant != NULL;
	if (plain || variant)
		ok = value_duration(d->load, plain ? plain : variant,
				    plain ? "cond_resched" : "cond_resched_rcu_qs", NS_PER_US,
				    VALUE_DURATION_MAX_NS, &step->cond_resched_ns) &&
		     ok;
	return ok;
}

static bool decode_arg(struct decoder *d, const struct step_info *info, struct tree_node *arg,
		       struct step *step)
{
	bool flag;

	switch (info->arg) {
	case ARG_NONE:
		if (tree_is_empty(arg))
			return true;
		return load_fault(d->load, arg, NULL, "'%s' takes no value", info->key);
	case ARG_DIST:
		return value_dist(d->load, arg, info->key, &step->duration);
	case ARG_RUN:
		return decode_run(d, arg, step);
	case ARG_COUNT:
		if (tree_is_empty(arg))
			return true;
		return value_int(d->load, arg, info->key, 1, CALLBACKS_MAX, &step->count);
	case ARG_BOOL:
		if (!value_bool(d->load, arg, info->key, &flag))
			return false;
		step->count = flag;
		return true;
	case ARG_NAME:
		return load_name(d->load, arg, info->key, &step->label);
	case ARG_EACH:
		return decode_each(d, arg, step);
	case ARG_HOTPLUG:
		return decode_hotplug(d, info->key, arg, step);
	case ARG_SMT:
		return decode_smt(d, arg, step);
	case ARG_WRITE:
		return decode_write(d, arg, step);
	case ARG_LOOP:
		return decode_loop(d, arg, step);
	case ARG_SPAWN:
		return decode_spawn(d, arg, step);
	case ARG_WORK:
		return decode_work(d, arg, step);
	case ARG_SECTION:
		return decode_section(d, info, arg, step);
	}
	return false;
}

/* `level:` of a step; never below the level before it. */
static bool decode_level(struct decoder *d, struct tree_node *node, enum boot_level *level)
{
	const char *names[LEVEL_COUNT + 1] = {NULL};
	int64_t value;

	if (!d->levels_allowed)
		return load_fault(d->load, node, NULL,
				  d->in_workload
					  ? "levels belong to boot programs"
					  : "a level is set on steps of boot.steps itself, not "
					    "inside them or in begin and finish");
	for (int i = 0; i < LEVEL_COUNT; i++)
		names[i] = boot_level_name((enum boot_level)i);
	if (!value_enum(d->load, node, "level", names, &value))
		return false;
	if (value < (int64_t)d->last_level)
		return load_fault(d->load, node, NULL,
				  "level %s after level %s: boot levels never go back",
				  names[value], names[d->last_level]);
	*level = (enum boot_level)value;
	return true;
}

/* The key that names the step; errors for none or several. */
static bool find_action(struct decoder *d, struct tree_node *node, const struct step_info **info,
			struct tree_node **arg)
{
	bool ok = true;

	*info = NULL;
	for (size_t i = 0; i < node->count; i++) {
		struct tree_node *key = node->pairs[i].key;
		const struct step_info *found = find_info(key->text);

		if (!found) {
			if (strcmp(key->text, "level") != 0 && strcmp(key->text, "do") != 0)
				ok = unknown_step(d->load, key);
			continue;
		}
		if (*info)
			return load_fault(d->load, key, "start each step with '- '",
					  "two steps in one entry: '%s' and '%s'", (*info)->key,
					  key->text);
		*info = found;
		*arg = node->pairs[i].value;
	}
	if (ok && !*info)
		load_fault(d->load, node, "such as {run: 1ms} or synchronize_rcu",
			   "this entry names no step");
	return ok && *info;
}

static bool decode_map_step(struct decoder *d, struct tree_node *node, struct step *step)
{
	const struct step_info *info;
	struct tree_node *arg = NULL;
	struct tree_node *level = tree_get(node, "level");
	struct tree_node *body = tree_get(node, "do");
	bool ok = true;

	if (!find_action(d, node, &info, &arg))
		return false;
	step->kind = info->kind;
	if (info->kind == STEP_BRING_UP)
		step->level = LEVEL_SMP;
	if (level)
		ok = decode_level(d, level, &step->level);
	else if (d->levels_allowed && step->level < d->last_level)
		ok = load_fault(d->load, node, NULL,
				"%s belongs to level %s, but stands after level %s", info->key,
				boot_level_name(step->level), boot_level_name(d->last_level));
	ok = decode_arg(d, info, arg, step) && ok;
	set_label(d, step->id, info, info->arg == ARG_NAME ? step->label : NULL);
	if (info->has_do && !body)
		return load_fault(d->load, node, arg_example(info), "'%s' needs 'do'", info->key);
	if (!info->has_do && body)
		return load_fault(
			d->load, body,
			"loop, spawn hold their 'do' inside: {loop: {count: 2, do: [...]}}",
			"'%s' has no 'do'", info->key);
	if (body)
		ok = decode_body(d, body, step->label, step) && ok;
	return ok;
}

static bool decode_scalar_step(struct decoder *d, struct tree_node *node, struct step *step)
{
	const struct step_info *info = find_info(node->text);

	if (!info)
		return unknown_step(d->load, node);
	if (info->arg != ARG_NONE && !info->arg_optional)
		return load_fault(d->load, node, arg_example(info), "'%s' needs a value",
				  info->key);
	step->kind = info->kind;
	set_label(d, step->id, info, NULL);
	return true;
}

static bool decode_step(struct decoder *d, struct tree_node *node, bool first,
			enum boot_level *level, struct step *step)
{
	bool ok;

	d->total_steps++;
	d->last_level = first ? LEVEL_START_KERNEL : *level; /* the first may begin anywhere */
	if (node->step_id == 0)
		steps_add_node(d->load, node);
	step->id = node->step_id;
	step->level = *level;
	step->count = 1;
	step->cpu = -1;
	if (node->kind == TREE_LIST)
		return load_fault(d->load, node, "one step for each '- '",
				  "a step, not a list, belongs here");
	if (node->kind == TREE_MAP)
		ok = decode_map_step(d, node, step);
	else
		ok = decode_scalar_step(d, node, step);
	if (ok && d->levels_allowed)
		*level = step->level;
	return ok;
}

bool decode_steps(struct decoder *d, struct tree_node *list, const char *what,
		  enum boot_level *level, struct step **out, size_t *count)
{
	bool ok = true;

	*out = NULL;
	*count = 0;
	if (!load_expect(d->load, list, TREE_LIST, what))
		return false;
	/* A step takes about as much memory as sixteen list entries. */
	if (!load_work(d->load, list->count * 16, &list->at))
		return false;
	struct step *steps = sim_arena_array(d->load->arena, list->count, sizeof(*steps));
	for (size_t i = 0; i < list->count; i++)
		ok = decode_step(d, list->items[i], i == 0, level, &steps[i]) && ok;
	*out = steps;
	*count = list->count;
	return ok;
}

/* --- ids --- */

void steps_add_node(struct load *load, struct tree_node *node)
{
	if (load->step_count == load->step_capacity) {
		load->step_capacity = load->step_capacity ? load->step_capacity * 2 : 64;
		load->steps = rs_realloc(load->steps, load->step_capacity * sizeof(*load->steps));
	}
	load->steps[load->step_count].node = node;
	load->steps[load->step_count].label = NULL;
	load->step_count++;
	node->step_id = (uint32_t)load->step_count;
}

static void number_list(struct load *load, struct tree_node *list);

static void number_step(struct load *load, struct tree_node *node)
{
	steps_add_node(load, node);
	if (node->kind != TREE_MAP)
		return;
	for (size_t i = 0; i < node->count; i++) {
		struct tree_node *value = node->pairs[i].value;

		if (strcmp(node->pairs[i].key->text, "do") == 0)
			number_list(load, value);
		else if (tree_get(value, "do"))
			number_list(load, tree_get(value, "do"));
	}
}

static void number_list(struct load *load, struct tree_node *list)
{
	for (size_t i = 0; list->kind == TREE_LIST && i < list->count; i++)
		number_step(load, list->items[i]);
}

static void number_tasks(struct load *load, struct tree_node *tasks)
{
	for (size_t i = 0; tasks->kind == TREE_LIST && i < tasks->count; i++)
		if (tree_get(tasks->items[i], "do"))
			number_list(load, tree_get(tasks->items[i], "do"));
}

void steps_number_value(struct load *load, const char *path, struct tree_node *value)
{
	const char *last = strrchr(path, '.');

	last = last ? last + 1 : path;
	if (strcmp(path, "workload.tasks") == 0)
		number_tasks(load, value);
	else if (strcmp(path, "boot.begin") == 0 || strcmp(path, "boot.steps") == 0 ||
		 strcmp(path, "boot.finish") == 0 || strcmp(last, "do") == 0)
		number_list(load, value);
	else if (strncmp(path, "boot.steps.", 11) == 0 && last[0] >= '0' && last[0] <= '9')
		number_step(load, value);
}

void steps_number(struct load *load, const struct tree_node *root)
{
	static const char *const sections[] = {"boot", "workload"};
	char path[64];

	for (size_t s = 0; s < 2; s++) {
		const struct tree_node *section = tree_get(root, sections[s]);

		if (!section || section->kind != TREE_MAP)
			continue;
		for (size_t i = 0; i < section->count; i++) {
			snprintf(path, sizeof(path), "%s.%.40s", sections[s],
				 section->pairs[i].key->text);
			steps_number_value(load, path, section->pairs[i].value);
		}
	}
}

struct tree_node *steps_node(const struct load *load, uint32_t step_id)
{
	return step_id > 0 && step_id <= load->step_count ? load->steps[step_id - 1].node : NULL;
}

const char *const *steps_labels(struct load *load)
{
	const char **labels = sim_arena_array(load->arena, load->step_count + 1, sizeof(*labels));

	labels[0] = "";
	for (size_t i = 0; i < load->step_count; i++)
		labels[i + 1] = load->steps[i].label ? load->steps[i].label : "step";
	return labels;
}
