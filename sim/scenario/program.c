/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `boot:` and `workload:` as a whole. begin goes before the first step above
 * level start_kernel (that is where the boot task starts), finish before the
 * end mark. Programs are kept by the nodes they were made of: most cells of a
 * matrix share theirs.
 */
#include <stdio.h>
#include <string.h>

#include "sim/scenario/steps_internal.h"
#include "sim/scenario/suggest.h"
#include "sim/scenario/values.h"

struct step_list {
	struct step *steps;
	size_t count;
};

/* list with `more` put in at position pos. */
static struct step_list insert(struct load *load, struct step_list list, size_t pos,
			       struct step_list more)
{
	struct step_list out = {.count = list.count + more.count};

	out.steps = sim_arena_array(load->arena, out.count, sizeof(*out.steps));
	if (pos)
		memcpy(out.steps, list.steps, pos * sizeof(*out.steps));
	if (more.count)
		memcpy(out.steps + pos, more.steps, more.count * sizeof(*out.steps));
	if (list.count > pos)
		memcpy(out.steps + pos + more.count, list.steps + pos,
		       (list.count - pos) * sizeof(*out.steps));
	return out;
}

static void set_level(struct step_list list, enum boot_level level)
{
	for (size_t i = 0; i < list.count; i++)
		list.steps[i].level = level;
}

/* Puts finish before the end mark, in groups too; false: no such mark there. */
static bool insert_finish(struct load *load, struct step_list *list, const char *end,
			  struct step_list finish)
{
	for (size_t i = 0; i < list->count; i++) {
		struct step *step = &list->steps[i];

		if (step->kind == STEP_MARK && step->label && strcmp(step->label, end) == 0) {
			set_level(finish, step->level);
			*list = insert(load, *list, i, finish);
			return true;
		}
		if (step->kind != STEP_GROUP)
			continue;
		struct step_list body = {.count = step->body_count};

		body.steps = sim_arena_array(load->arena, body.count, sizeof(*body.steps));
		if (body.count)
			memcpy(body.steps, step->body, body.count * sizeof(*body.steps));
		if (insert_finish(load, &body, end, finish)) {
			step->body = body.steps;
			step->body_count = body.count;
			return true;
		}
	}
	return false;
}

/* Is the mark set anywhere? Offers all marks to suggest on the way. */
static bool has_mark(const struct step *steps, size_t count, const char *end,
		     struct suggest *suggest)
{
	for (size_t i = 0; i < count; i++) {
		if (steps[i].kind == STEP_MARK && steps[i].label) {
			if (strcmp(steps[i].label, end) == 0)
				return true;
			suggest_offer(suggest, steps[i].label);
		}
		if (has_mark(steps[i].body, steps[i].body_count, end, suggest))
			return true;
	}
	return false;
}

static bool check_end(struct load *load, struct boot_program *program, struct tree_node *end)
{
	struct suggest suggest;
	char hint[120];

	suggest_begin(&suggest, program->end_mark);
	if (has_mark(program->boot_steps, program->boot_step_count, program->end_mark, &suggest))
		return true;
	for (size_t i = 0; i < program->task_count; i++)
		if (has_mark(program->tasks[i].steps, program->tasks[i].step_count,
			     program->end_mark, &suggest))
			return true;
	suggest_hint(&suggest, hint, sizeof(hint));
	return load_fault(load, end, hint, "no step sets the end mark '%s'", program->end_mark);
}

/* Puts begin and finish into the steps. */
static bool join(struct load *load, struct boot_program *program, struct tree_node *boot,
		 struct step_list steps, struct step_list begin, struct step_list finish)
{
	size_t pos = 0;

	while (pos < steps.count && steps.steps[pos].level == LEVEL_START_KERNEL)
		pos++;
	if (begin.count && pos == steps.count && steps.count)
		return load_fault(
			load, tree_get(boot, "begin"), NULL,
			"begin runs at level early, but all steps are at level start_kernel");
	if (begin.count)
		steps = insert(load, steps, pos, begin);
	if (finish.count && !program->end_mark) {
		set_level(finish, steps.count ? steps.steps[steps.count - 1].level : LEVEL_EARLY);
		steps = insert(load, steps, steps.count, finish);
	} else if (finish.count && !insert_finish(load, &steps, program->end_mark, finish)) {
		struct suggest suggest;

		suggest_begin(&suggest, program->end_mark);
		if (has_mark(steps.steps, steps.count, program->end_mark, &suggest))
			return load_fault(load, tree_get(boot, "finish"), NULL,
					  "finish runs before the end mark, but a loop or a "
					  "spawned task sets it");
	}
	program->boot_steps = steps.steps;
	program->boot_step_count = steps.count;
	return true;
}

static bool decode_boot(struct load *load, struct boot_program *program, struct tree_node *boot)
{
	static const char *const keys[] = {"end", "begin", "steps", "finish", NULL};
	struct decoder d = {.load = load, .levels_allowed = true};
	struct step_list steps = {NULL, 0}, begin = {NULL, 0}, finish = {NULL, 0};
	enum boot_level level = LEVEL_EARLY;
	bool ok = true;

	if (!load_expect(load, boot, TREE_MAP, "boot"))
		return false;
	if (!tree_get(boot, "steps"))
		return load_fault(load, boot, NULL, "boot needs 'steps'");
	for (size_t i = 0; i < boot->count; i++) {
		struct tree_node *key = boot->pairs[i].key;
		struct tree_node *value = boot->pairs[i].value;
		enum boot_level fixed = LEVEL_EARLY;

		d.levels_allowed = strcmp(key->text, "steps") == 0;
		if (strcmp(key->text, "end") == 0)
			ok = load_name(load, value, "boot.end", &program->end_mark) && ok;
		else if (d.levels_allowed)
			ok = decode_steps(&d, value, "boot.steps", &level, &steps.steps,
					  &steps.count) &&
			     ok;
		else if (strcmp(key->text, "begin") == 0)
			ok = decode_steps(&d, value, "boot.begin", &fixed, &begin.steps,
					  &begin.count) &&
			     ok;
		else if (strcmp(key->text, "finish") == 0)
			ok = decode_steps(&d, value, "boot.finish", &fixed, &finish.steps,
					  &finish.count) &&
			     ok;
		else
			ok = load_unknown_key(load, key, "boot", keys);
	}
	program->total_steps = d.total_steps;
	if (!ok)
		return false;
	if (steps.count == 0)
		return load_fault(load, tree_get(boot, "steps"), NULL, "boot.steps has no steps");
	if (!join(load, program, boot, steps, begin, finish))
		return false;
	return !program->end_mark || check_end(load, program, tree_get(boot, "end"));
}

static bool decode_task(struct load *load, struct tree_node *node, struct task_config *task,
			bool *is_sensitive, size_t *total_steps)
{
	static const char *const keys[] = {"name", "cpu", "latency_sensitive", "do", NULL};
	struct tree_node *sensitive = tree_get(node, "latency_sensitive");
	struct decoder d = {.load = load, .in_workload = true};
	enum boot_level level = LEVEL_USER;
	struct step *steps = NULL;
	bool ok = true;

	if (!load_expect(load, node, TREE_MAP, "a task"))
		return false;
	if (!tree_get(node, "name") || !tree_get(node, "do"))
		return load_fault(load, node, NULL, "a task needs '%s'",
				  tree_get(node, "name") ? "do" : "name");
	ok = load_name(load, tree_get(node, "name"), "name", &task->name) && ok;
	d.group = task->name;
	ok = decode_cpu(load, tree_get(node, "cpu"), &task->cpu) && ok;
	if (sensitive)
		ok = value_bool(load, sensitive, "latency_sensitive", is_sensitive) && ok;
	if (*is_sensitive && task->cpu < 0)
		ok = load_fault(load, sensitive, "give it a 'cpu'",
				"a latency_sensitive task must be bound to a CPU");
	ok = decode_steps(&d, tree_get(node, "do"), "do", &level, &steps, &task->step_count) && ok;
	task->steps = steps;
	*total_steps += d.total_steps;
	for (size_t i = 0; i < node->count; i++) {
		const char *key = node->pairs[i].key->text;

		if (strcmp(key, "name") != 0 && strcmp(key, "cpu") != 0 &&
		    strcmp(key, "latency_sensitive") != 0 && strcmp(key, "do") != 0)
			ok = load_unknown_key(load, node->pairs[i].key, "a task", keys);
	}
	if (ok && task->step_count == 0)
		return load_fault(load, node, NULL, "'do' has no steps");
	return ok;
}

static bool decode_workload(struct load *load, struct boot_program *program,
			    struct tree_node *workload)
{
	static const char *const keys[] = {"tasks", "end", NULL};
	struct tree_node *tasks;
	bool ok = true;

	if (!load_expect(load, workload, TREE_MAP, "workload"))
		return false;
	tasks = tree_get(workload, "tasks");
	if (!tasks)
		return load_fault(load, workload, NULL, "workload needs 'tasks'");
	for (size_t i = 0; i < workload->count; i++) {
		struct tree_node *key = workload->pairs[i].key;

		if (strcmp(key->text, "end") == 0)
			ok = load_name(load, workload->pairs[i].value, "workload.end",
				       &program->end_mark) &&
			     ok;
		else if (strcmp(key->text, "tasks") != 0)
			ok = load_unknown_key(load, key, "workload", keys);
	}
	if (!load_expect(load, tasks, TREE_LIST, "workload.tasks"))
		return false;
	if (tasks->count == 0)
		return load_fault(load, tasks, NULL, "workload.tasks has no tasks");
	if (!load_work(load, tasks->count * 8, &tasks->at))
		return false;
	struct task_config *configs = sim_arena_array(load->arena, tasks->count, sizeof(*configs));
	bool *sensitive = sim_arena_array(load->arena, tasks->count, sizeof(*sensitive));
	for (size_t i = 0; i < tasks->count; i++)
		ok = decode_task(load, tasks->items[i], &configs[i], &sensitive[i],
				 &program->total_steps) && ok;
	program->tasks = configs;
	program->task_count = tasks->count;
	program->task_is_sensitive = sensitive;
	if (!ok)
		return false;
	return !program->end_mark || check_end(load, program, tree_get(workload, "end"));
}

static struct boot_program *find_known(struct load *load, const struct boot_program *key)
{
	struct boot_program *known = load->programs;

	/* Newest first; a match far back is not worth the search. */
	for (int i = 0; known && i < 64; i++, known = known->next)
		if (known->steps == key->steps && known->begin == key->begin &&
		    known->finish == key->finish && known->end == key->end &&
		    known->is_workload == key->is_workload)
			return known;
	return NULL;
}

const struct boot_program *steps_decode(struct load *load, struct tree_node *root)
{
	struct tree_node *boot = tree_get(root, "boot");
	struct tree_node *workload = tree_get(root, "workload");
	struct tree_node *section = boot ? boot : workload;
	struct boot_program key = {.is_workload = !boot};

	if (boot && workload) {
		load_fault(load, workload, NULL, "a scenario has 'boot' or 'workload', not both");
		return NULL;
	}
	if (!section) {
		load_fault(load, root, NULL, "a scenario needs 'boot' or 'workload'");
		return NULL;
	}
	key.steps = tree_get(section, boot ? "steps" : "tasks");
	key.begin = tree_get(section, "begin");
	key.finish = tree_get(section, "finish");
	key.end = tree_get(section, "end");
	struct boot_program *program = key.steps ? find_known(load, &key) : NULL;

	if (!program) {
		program = sim_arena_alloc(load->arena, sizeof(*program));
		*program = key;
		program->ok = boot ? decode_boot(load, program, section)
				   : decode_workload(load, program, section);
		program->next = load->programs;
		load->programs = program;
	}
	return program->ok ? program : NULL;
}
