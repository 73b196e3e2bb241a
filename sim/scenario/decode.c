/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sections of a scenario -> struct model_config, driven by the table of
 * parameters. Order matters in four places: the profile is copied before its
 * cells are overridden, the platform's costs before single ones, CPU counts
 * are known before lists of CPUs are read, and the command line comes last, as
 * on a real machine.
 */
#include "sim/scenario/decode.h"

#include <stdio.h>
#include <string.h>

#include "sim/scenario/cmdline.h"
#include "sim/scenario/params.h"
#include "sim/scenario/platform.h"
#include "sim/scenario/steps.h"
#include "sim/scenario/suggest.h"
#include "sim/scenario/utf8.h"
#include "sim/scenario/values.h"

#define ROWS_MAX 128

struct config_decoder {
	struct load *load;
	struct model_config *config;
	const struct param_info *rows;
	size_t row_count;
	struct tree_node *nodes[ROWS_MAX]; /* value of each row, NULL: not in the file */
	const struct platform *platform;
	bool ok;
};

static size_t row_of(const struct config_decoder *d, const char *path)
{
	for (size_t i = 0; i < d->row_count; i++)
		if (strcmp(d->rows[i].path, path) == 0)
			return i;
	return SIZE_MAX;
}

static void unknown_key(struct config_decoder *d, struct tree_node *key, const char *section)
{
	size_t length = strlen(section);
	struct suggest suggest;
	char hint[160];

	suggest_begin(&suggest, key->text);
	for (size_t i = 0; i < d->row_count; i++) {
		const char *path = d->rows[i].path;

		if (strncmp(path, section, length) == 0 && path[length] == '.' &&
		    !strchr(path + length + 1, '.'))
			suggest_offer(&suggest, path + length + 1);
	}
	suggest_hint(&suggest, hint, sizeof(hint));
	if (!hint[0]) {
		const char *near = param_nearest(key->text);

		if (near)
			snprintf(hint, sizeof(hint), "did you mean '%s'?", near);
	}
	d->ok = load_fault(d->load, key, hint, "unknown key '%.60s' in %s", key->text, section);
}

/* Finds the rows that a section's keys stand for. */
static void collect_section(struct config_decoder *d, struct tree_node *section, const char *name)
{
	char path[120];

	if (!section)
		return;
	if (!load_expect(d->load, section, TREE_MAP, name)) {
		d->ok = false;
		return;
	}
	for (size_t i = 0; i < section->count; i++) {
		struct tree_node *key = section->pairs[i].key;

		snprintf(path, sizeof(path), "%s.%.60s", name, key->text);
		if (strcmp(path, "machine.costs") == 0) {
			collect_section(d, section->pairs[i].value, path);
			continue;
		}
		size_t row = row_of(d, path);

		if (row < d->row_count && key->count <= 60)
			d->nodes[row] = section->pairs[i].value;
		else
			unknown_key(d, key, name);
	}
}

static bool is_yes_no(const struct param_info *row)
{
	return row->type == PARAM_ENUM && strcmp(row->value_names[0], "no") == 0 &&
	       strcmp(row->value_names[1], "yes") == 0 && !row->value_names[2];
}

static bool decode_enum(struct config_decoder *d, const struct param_info *row,
			struct tree_node *node, int64_t *out)
{
	bool flag;

	if (is_yes_no(row) && node->kind == TREE_SCALAR && node->plain &&
	    (strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0)) {
		if (!value_bool(d->load, node, row->path, &flag))
			return false;
		*out = flag;
		return true;
	}
	return value_enum(d->load, node, row->path, row->value_names, out);
}

/* Decodes one row that has a field; the others are handled by name. */
static void decode_row(struct config_decoder *d, size_t idx)
{
	const struct param_info *row = &d->rows[idx];
	struct tree_node *node = d->nodes[idx];
	char *field;
	struct cpu_mask cpus;
	struct dist dist;
	int64_t number = 0;
	bool flag;

	if (!node || row->offset == PARAM_NO_OFFSET)
		return;
	field = (char *)d->config + row->offset;
	switch (row->type) {
	case PARAM_INT:
		if (value_int(d->load, node, row->path, row->low, row->high, &number))
			memcpy(field, &number, sizeof(number));
		break;
	case PARAM_ENUM:
		if (decode_enum(d, row, node, &number))
			memcpy(field, &number, sizeof(number));
		break;
	case PARAM_DURATION:
		if (value_duration(d->load, node, row->path, row->low, row->high, &number))
			memcpy(field, &number, sizeof(number));
		break;
	case PARAM_BOOL:
		if (value_bool(d->load, node, row->path, &flag))
			memcpy(field, &flag, sizeof(flag));
		break;
	case PARAM_DIST:
		if (value_dist(d->load, node, row->path, &dist))
			memcpy(field, &dist, sizeof(dist));
		break;
	case PARAM_CPUS:
		if (value_cpus(d->load, node, row->path, d->config->machine.cpus, &cpus))
			memcpy(field, &cpus, sizeof(cpus));
		break;
	case PARAM_TEXT:
	case PARAM_TYPE_COUNT:
		break;
	}
	if (node->faulty)
		d->ok = false;
}

static void decode_profile(struct config_decoder *d)
{
	size_t row = row_of(d, "kernel.profile");
	size_t count;
	const struct rcu_profile *profiles = profile_all(&count);
	int64_t idx;

	if (!d->nodes[row])
		return;
	if (value_enum(d->load, d->nodes[row], "kernel.profile", d->rows[row].value_names, &idx))
		d->config->kernel.profile = profiles[idx];
	else
		d->ok = false;
}

static void decode_platform(struct config_decoder *d)
{
	struct tree_node *node = d->nodes[row_of(d, "machine.platform")];
	size_t count;
	const struct param_info *costs = param_costs(&count);

	if (!node || (node->kind == TREE_SCALAR && strcmp(node->text, "none") == 0))
		return;
	d->platform = platform_get(d->load, node);
	if (!d->platform) {
		d->ok = false;
		return;
	}
	for (size_t i = 0; i < count; i++)
		memcpy((char *)d->config + costs[i].offset, &d->platform->costs[i].value_ns,
		       sizeof(sim_time_ns));
}

/* Is there a note on this platform's costs? A variant that sets one adds none. */
static bool is_noted(const struct config_decoder *d)
{
	for (size_t i = 0; i < d->load->note_count; i++)
		if (strncmp(d->load->notes[i], "Assumed costs: ", 15) == 0 &&
		    strstr(d->load->notes[i], d->platform->origin))
			return true;
	return false;
}

/* One note for all costs that nobody measured. */
static void note_costs(struct config_decoder *d)
{
	size_t count = 0;
	size_t first = row_of(d, param_costs(&count)->path);
	char list[700] = "";
	size_t missing = 0;

	for (size_t i = 0; i < count; i++) {
		size_t used = strlen(list);

		if (d->nodes[first + i])
			continue;
		missing++;
		if (d->platform && d->platform->costs[i].basis == COST_ASSUMPTION)
			snprintf(list + used, sizeof(list) - used, "%s%s %.20s", used ? ", " : "",
				 strrchr(d->rows[first + i].path, '.') + 1,
				 d->platform->costs[i].text);
	}
	if (list[0] && !is_noted(d))
		load_note(d->load, "Assumed costs: %s (%s)", list, d->platform->origin);
	if (!d->platform && missing)
		load_note(d->load, "No machine.platform is named: costs that are not set are 0");
}

/* The place of the first byte of a command line, exact where its text stands as written. */
static void cmdline_place(struct config_decoder *d, struct tree_node *node,
			  struct cmdline_text *text)
{
	text->text = node->text;
	text->at = node->at;
	text->node = node;
	for (size_t i = 0; i < d->load->source_count; i++) {
		const struct load_source *source = &d->load->sources[i];
		char line[400];

		if (!node->at.file || strcmp(source->name, node->at.file) != 0)
			continue;
		utf8_copy_line(source->bytes, source->size, node->at.line, 1, line, sizeof(line));
		size_t start = (size_t)node->at.column - 1 + !node->plain;
		/* ASCII lines only: columns count characters. */
		if (start < strlen(line) && node->count &&
		    strncmp(line + start, node->text, node->count) == 0) {
			text->exact = true;
			text->at.column = (int)start + 1;
		}
		return;
	}
}

static void decode_cmdline(struct config_decoder *d, const char *extra)
{
	struct tree_node *node = d->nodes[row_of(d, "kernel.cmdline")];
	const char *unused;

	if (node) {
		struct cmdline_text text = {.exact = false};

		if (value_text(d->load, node, "kernel.cmdline", CMDLINE_BYTES_MAX, &unused)) {
			cmdline_place(d, node, &text);
			d->ok = cmdline_apply(d->load, &text, d->config) && d->ok;
		} else {
			d->ok = false;
		}
	}
	if (extra) {
		struct cmdline_text text = {
			.text = extra, .exact = true, .at = {"--cmdline", 1, 1}};

		d->ok = cmdline_apply(d->load, &text, d->config) && d->ok;
	}
}

static void decode_machine_state(struct config_decoder *d, const struct decode_request *request)
{
	struct machine_config *machine = &d->config->machine;
	struct tree_node *online = d->nodes[row_of(d, "machine.cpus_online")];
	struct tree_node *booted = d->nodes[row_of(d, "machine.booted")];
	bool is_workload = tree_get(request->root, "workload") && !tree_get(request->root, "boot");

	if (!online)
		machine->cpus_online = machine->cpus;
	else if (!online->faulty && machine->cpus_online > machine->cpus)
		d->ok = load_fault(d->load, online, NULL,
				   "machine.cpus_online is %lld, but machine.cpus is %lld",
				   (long long)machine->cpus_online, (long long)machine->cpus);
	if (!d->nodes[row_of(d, "machine.tick_phase")])
		machine->tick_phase.b = (double)(NS_PER_S / machine->hz);
	if (booted && !booted->faulty && machine->booted != is_workload)
		d->ok = load_fault(
			d->load, booted, "leave it out",
			is_workload ? "a workload starts on a booted machine"
				    : "a boot program starts on a machine that is not booted");
	machine->booted = is_workload;
}

/* As the kernel does with the boot parameters of these names, silently. */
static void cap_fqs(struct config_decoder *d)
{
	struct kernel_config *kernel = &d->config->kernel;
	int64_t hz = d->config->machine.hz;

	if (kernel->jiffies_till_first_fqs > hz)
		kernel->jiffies_till_first_fqs = hz;
	if (kernel->jiffies_till_next_fqs > hz)
		kernel->jiffies_till_next_fqs = hz;
	if (kernel->jiffies_till_next_fqs == 0)
		kernel->jiffies_till_next_fqs = 1;
}

static void decode_program(struct config_decoder *d, const struct decode_request *request,
			   size_t *total_steps)
{
	const struct boot_program *program = steps_decode(d->load, request->root);

	*total_steps = 0;
	if (!program) {
		d->ok = false;
		return;
	}
	*total_steps = program->total_steps;
	d->config->boot_steps = program->boot_steps;
	d->config->boot_step_count = program->boot_step_count;
	d->config->tasks = program->tasks;
	d->config->task_count = program->task_count;
	d->config->task_is_sensitive = program->task_is_sensitive;
	d->config->end_mark = program->end_mark;
}

static const struct scenario_setting *
make_settings(struct config_decoder *d, const struct decode_request *request, size_t *count)
{
	struct sim_arena *arena = d->load->arena;
	size_t most = d->row_count + 1, cost_count = 0;
	size_t first_cost = row_of(d, param_costs(&cost_count)->path);
	size_t n = 0;

	for (size_t i = 0; i < request->override_count; i++)
		most += request->overrides[i]->count;
	struct scenario_setting *out = sim_arena_array(arena, most, sizeof(*out));
	for (size_t i = 0; i < d->row_count; i++) {
		struct tree_node *node = d->nodes[i];
		bool is_cmdline = strcmp(d->rows[i].path, "kernel.cmdline") == 0;

		if (node && is_cmdline && request->extra_cmdline)
			out[n++] = (struct scenario_setting){
				d->rows[i].path,
				load_text(d->load, "%.480s %.480s", node->text,
					  request->extra_cmdline),
				load_text(d->load, "%s, --cmdline", tree_origin(arena, node))};
		else if (node)
			out[n++] =
				(struct scenario_setting){d->rows[i].path, tree_render(arena, node),
							  tree_origin(arena, node)};
		else if (is_cmdline && request->extra_cmdline)
			out[n++] = (struct scenario_setting){d->rows[i].path,
							     request->extra_cmdline, "--cmdline"};
		else if (d->platform && i >= first_cost && i < first_cost + cost_count)
			out[n++] = (struct scenario_setting){
				d->rows[i].path, d->platform->costs[i - first_cost].text,
				d->platform->origin};
	}
	for (size_t k = 0; k < request->override_count; k++) {
		for (size_t i = 0; i < request->overrides[k]->count; i++) {
			const struct override *over = &request->overrides[k]->items[i];

			if (!param_find(over->path))
				out[n++] = (struct scenario_setting){
					over->path, tree_render(arena, over->value),
					tree_origin(arena, over->value)};
		}
	}
	*count = n;
	return out;
}

bool decode_config(struct load *load, const struct decode_request *request,
		   struct model_config *config, const struct scenario_setting **settings,
		   size_t *setting_count, size_t *total_steps)
{
	struct config_decoder d = {.load = load, .config = config, .ok = true};

	model_config_default(config);
	d.rows = param_all(&d.row_count);
	RS_REQUIRE(d.row_count <= ROWS_MAX);
	collect_section(&d, tree_get(request->root, "kernel"), "kernel");
	collect_section(&d, tree_get(request->root, "machine"), "machine");
	collect_section(&d, tree_get(request->root, "limits"), "limits");
	collect_section(&d, tree_get(request->root, "faults"), "faults");
	decode_profile(&d);
	decode_platform(&d);
	/* The table has machine.cpus before the lists of CPUs. */
	for (size_t i = 0; i < d.row_count; i++)
		decode_row(&d, i);
	decode_machine_state(&d, request);
	decode_cmdline(&d, request->extra_cmdline);
	cap_fqs(&d);
	decode_program(&d, request, total_steps);
	if (!d.ok)
		return false;
	note_costs(&d);
	if (settings && setting_count)
		*settings = make_settings(&d, request, setting_count);
	return true;
}
