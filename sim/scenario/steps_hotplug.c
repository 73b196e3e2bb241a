/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoding of the steps about CPUs that come and go, and percpu_rwsem writers. */
#include "sim/scenario/steps_internal.h"
#include "sim/scenario/values.h"

bool decode_hotplug(struct decoder *d, const char *what, struct tree_node *arg, struct step *step)
{
	static const char *const keys[] = {"cpu", "takes", NULL};
	struct tree_node *cpu, *takes;
	int64_t value = 0;
	bool ok = true;

	if (!load_expect(d->load, arg, TREE_MAP, what))
		return false;
	cpu = tree_get(arg, "cpu");
	takes = tree_get(arg, "takes");
	if (!cpu)
		return load_fault(d->load, arg, "write {offline: {cpu: 1, takes: 1ms}}",
				  "%s needs 'cpu'", what);
	for (size_t i = 0; i < arg->count; i++)
		if (arg->pairs[i].value != cpu && arg->pairs[i].value != takes)
			ok = load_unknown_key(d->load, arg->pairs[i].key, what, keys);
	ok = value_int(d->load, cpu, "cpu", 1, CPUS_MAX - 1, &value) && ok;
	step->cpu = (int)value;
	if (takes)
		ok = value_dist(d->load, takes, "takes", &step->duration) && ok;
	return ok;
}

bool decode_smt(struct decoder *d, struct tree_node *arg, struct step *step)
{
	static const char *const keys[] = {"switch", "each", "threads", NULL};
	static const char *const switches[] = {"off", "on", NULL};
	struct tree_node *to, *each, *threads;
	int64_t value = 2, on = 0;
	bool ok = true;

	if (!load_expect(d->load, arg, TREE_MAP, "smt"))
		return false;
	to = tree_get(arg, "switch");
	each = tree_get(arg, "each");
	threads = tree_get(arg, "threads");
	if (!to)
		return load_fault(d->load, arg, "write {smt: {switch: off, each: 1ms}}",
				  "smt needs 'switch'");
	for (size_t i = 0; i < arg->count; i++)
		if (arg->pairs[i].value != to && arg->pairs[i].value != each &&
		    arg->pairs[i].value != threads)
			ok = load_unknown_key(d->load, arg->pairs[i].key, "smt", keys);
	ok = value_enum(d->load, to, "switch", switches, &on) && ok;
	step->count = on;
	if (each)
		ok = value_dist(d->load, each, "each", &step->duration) && ok;
	if (threads)
		ok = value_int(d->load, threads, "threads", 2, CPUS_MAX, &value) && ok;
	step->cpu = (int)value;
	return ok;
}

bool decode_write(struct decoder *d, struct tree_node *arg, struct step *step)
{
	static const char *const keys[] = {"name", "do", NULL};
	struct tree_node *name, *body;
	bool ok = true;

	if (!load_expect(d->load, arg, TREE_MAP, "percpu_write"))
		return false;
	name = tree_get(arg, "name");
	body = tree_get(arg, "do");
	if (!name || !body)
		return load_fault(d->load, arg, "write {percpu_write: {name: x, do: [...]}}",
				  "percpu_write needs '%s'", name ? "do" : "name");
	for (size_t i = 0; i < arg->count; i++)
		if (arg->pairs[i].value != name && arg->pairs[i].value != body)
			ok = load_unknown_key(d->load, arg->pairs[i].key, "percpu_write", keys);
	ok = load_name(d->load, name, "name", &step->label) && ok;
	return decode_body(d, body, NULL, step) && ok;
}
