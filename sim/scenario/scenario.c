/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scenario_load(): text -> tree -> overrides -> configs. The order of
 * precedence is file < matrix cell < variant < --set. Two passes are made over
 * the matrix: the first looks at each axis value once, so that all errors are
 * found whatever the size of the product; the second makes the configs.
 */
#include "sim/scenario/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scenario/decode.h"
#include "sim/scenario/document.h"
#include "sim/scenario/params.h"
#include "sim/scenario/steps.h"
#include "sim/scenario/utf8.h"

#define WHYS_MAX 64

/* One load in progress. */
struct maker {
	struct load load;
	struct document doc;
	const char *extra_cmdline;
	struct scenario *scenario;
	struct override *axis_items; /* room for what one cell sets */
	uint64_t whys[WHYS_MAX];     /* hashes of cross-field errors reported so far */
	size_t why_count;
};

/* --- one config --- */

/* Text of a cell for messages: " (machine.hz 100, kernel.profile v4.1)". */
static void describe_cell(struct maker *m, const size_t *choice, char *out, size_t out_size)
{
	out[0] = '\0';
	for (size_t i = 0; i < m->doc.axis_count; i++) {
		size_t used = strlen(out);
		struct doc_axis *axis = &m->doc.axes[i];

		snprintf(out + used, out_size - used, "%s%s %.24s", i ? ", " : " (", axis->path,
			 tree_render(m->load.arena, axis->values[choice[i]]));
	}
	size_t used = strlen(out);
	if (used)
		snprintf(out + used, out_size - used, ")");
}

/* Rules about tasks start with the task's name and complain of its CPU. */
static struct tree_node *blame_task(struct tree_node *root, const char *why)
{
	struct tree_node *tasks = tree_get(tree_get(root, "workload"), "tasks");

	for (size_t i = 0; tasks && i < tasks->count; i++) {
		struct tree_node *name = tree_get(tasks->items[i], "name");

		if (name && strncmp(why, name->text, name->count) == 0 && why[name->count] == ' ')
			return tree_get(tasks->items[i], "cpu");
	}
	return NULL;
}

/* The node that a rule about several parameters complains of, as good as can be told. */
static struct tree_node *blame(struct maker *m, struct tree_node *root, const char *why,
			       uint32_t step_id, size_t variant_idx)
{
	struct tree_node *node = steps_node(&m->load, step_id);
	char path[80];

	if (node)
		return node;
	snprintf(path, sizeof(path), "%.*s", (int)strcspn(why, " "), why);
	if (param_find(path)) {
		char *dot = strchr(path, '.');

		*dot = '\0';
		node = tree_get(tree_get(root, path), dot + 1);
		if (node)
			return node;
	}
	node = blame_task(root, why);
	if (node)
		return node;
	if (m->doc.variants[variant_idx].key && m->doc.variants[variant_idx].overrides.count)
		return m->doc.variants[variant_idx].key;
	const struct tree_pair *kernel = tree_get_pair(root, "kernel");

	return kernel ? kernel->key : root;
}

static void check_config(struct maker *m, struct tree_node *root, const struct model_config *config,
			 const size_t *choice, size_t variant_idx)
{
	char why[300], cell[300];
	uint32_t step_id = 0;

	if (model_config_check(config, why, sizeof(why), &step_id))
		return;
	struct tree_node *node = blame(m, root, why, step_id, variant_idx);
	uint64_t hash = load_hash(LOAD_HASH_START, why, strlen(why));

	hash ^= (uint64_t)node->at.line * 1000003u + (uint64_t)node->at.column;
	for (size_t i = 0; i < m->why_count; i++)
		if (m->whys[i] == hash)
			return;
	if (m->why_count < WHYS_MAX)
		m->whys[m->why_count++] = hash;
	describe_cell(m, choice, cell, sizeof(cell));
	if (m->doc.variant_count > 1)
		diag_add(m->load.diag, DIAG_ERROR, &node->at, NULL, "%s [variant '%s'%s]", why,
			 m->doc.variants[variant_idx].name, cell);
	else
		diag_add(m->load.diag, DIAG_ERROR, &node->at, NULL, "%s%s", why, cell);
}

/* The tree of a cell: file and axis values. */
static struct tree_node *cell_root(struct maker *m, const size_t *choice,
				   struct override_list *axis_values)
{
	struct tree_node *root = m->doc.root;

	axis_values->count = 0;
	for (size_t i = 0; i < m->doc.axis_count; i++) {
		struct doc_axis *axis = &m->doc.axes[i];

		if (axis->cases) {
			const struct override_list *list = &axis->cases[choice[i]];

			for (size_t k = 0; k < list->count; k++)
				axis_values->items[axis_values->count++] = list->items[k];
			continue;
		}
		axis_values->items[axis_values->count++] = (struct override){
			.path = axis->path, .key = axis->key, .value = axis->values[choice[i]]};
	}
	return overrides_apply(&m->load, root, axis_values);
}

/* Makes variant variant_idx of a cell in *config; settings only if out is given. */
static void make_config(struct maker *m, struct tree_node *root, const size_t *choice,
			const struct override_list *axis_values, size_t variant_idx,
			struct model_config *config, struct scenario_variant *out)
{
	const struct override_list *own = &m->doc.variants[variant_idx].overrides;
	struct decode_request request = {.extra_cmdline = m->extra_cmdline,
					 .overrides = {axis_values, own, &m->doc.sets},
					 .override_count = 3};
	size_t total_steps = 0;

	root = overrides_apply(&m->load, root, own);
	if (root)
		root = overrides_apply(&m->load, root, &m->doc.sets);
	if (!root)
		return;
	request.root = root;
	if (!decode_config(&m->load, &request, config, out ? &out->settings : NULL,
			   out ? &out->setting_count : NULL, &total_steps))
		return;
	if (load_work(&m->load, total_steps / 8 + 1, &root->at))
		check_config(m, root, config, choice, variant_idx);
}

static void make_cell(struct maker *m, const size_t *choice, struct scenario_variant *out)
{
	struct override_list axis_values = {.items = m->axis_items};
	struct tree_node *root = cell_root(m, choice, &axis_values);
	struct model_config scratch;

	for (size_t v = 0; root && v < m->doc.variant_count; v++) {
		if (out)
			out[v].name = m->doc.variants[v].name;
		make_config(m, root, choice, &axis_values, v, out ? &out[v].config : &scratch,
			    out ? &out[v] : NULL);
	}
}

/* --- all of them --- */

static bool has_errors(const struct maker *m)
{
	return m->load.diag->error_count > 0;
}

/* First pass: each axis value once, the others at their first. */
static void look_at_values(struct maker *m)
{
	size_t choice[LOAD_AXES_MAX] = {0};

	make_cell(m, choice, NULL);
	for (size_t i = 0; i < m->doc.axis_count; i++) {
		for (size_t v = 1; v < m->doc.axes[i].value_count && !m->load.work_reported; v++) {
			choice[i] = v;
			make_cell(m, choice, NULL);
		}
		choice[i] = 0;
	}
}

static size_t count_cells(const struct document *doc)
{
	size_t cells = 1;

	for (size_t i = 0; i < doc->axis_count; i++)
		cells *= doc->axes[i].value_count;
	return cells;
}

/* The next cell, last axis fastest. */
static void advance(const struct document *doc, size_t *choice)
{
	for (size_t i = doc->axis_count; i-- > 0;) {
		if (++choice[i] < doc->axes[i].value_count)
			return;
		choice[i] = 0;
	}
}

/* Second pass; stops at the first cell with errors. */
static void make_cells(struct maker *m)
{
	struct scenario *s = m->scenario;
	struct sim_arena *arena = m->load.arena;
	size_t choice[LOAD_AXES_MAX] = {0};
	size_t count = count_cells(&m->doc);
	struct scenario_cell *cells = sim_arena_array(arena, count, sizeof(*cells));

	for (size_t c = 0; c < count && !has_errors(m); c++) {
		const char **values = sim_arena_array(arena, m->doc.axis_count, sizeof(*values));
		struct scenario_variant *variants =
			sim_arena_array(arena, m->doc.variant_count, sizeof(*variants));

		for (size_t i = 0; i < m->doc.axis_count; i++)
			values[i] = tree_render(arena, m->doc.axes[i].values[choice[i]]);
		make_cell(m, choice, variants);
		cells[c].axis_values = values;
		cells[c].variants = variants;
		advance(&m->doc, choice);
	}
	s->cells = cells;
	s->cell_count = count;
}

static void fill_scenario(struct maker *m, const struct scenario_overrides *overrides)
{
	struct scenario *s = m->scenario;
	struct sim_arena *arena = m->load.arena;
	const char **paths = sim_arena_array(arena, m->doc.axis_count, sizeof(*paths));
	const char **notes = sim_arena_array(arena, m->load.note_count, sizeof(*notes));

	for (size_t i = 0; i < m->doc.axis_count; i++)
		paths[i] = m->doc.axes[i].path;
	for (size_t i = 0; i < m->load.note_count; i++)
		notes[i] = m->load.notes[i];
	s->title = m->doc.title && m->doc.title[0] ? m->doc.title : s->name;
	s->seed = overrides && overrides->has_seed ? overrides->seed : (uint64_t)m->doc.seed;
	s->replications = overrides && overrides->replications > 0 ? overrides->replications
								   : m->doc.replications;
	s->variant_count = m->doc.variant_count;
	s->baseline_idx = m->doc.baseline_idx;
	s->axis_paths = paths;
	s->axis_count = m->doc.axis_count;
	s->notes = notes;
	s->note_count = m->load.note_count;
	s->step_labels = steps_labels(&m->load);
	s->step_label_count = m->load.step_count;
	s->hash = load_hash(LOAD_HASH_START, s->text, s->text_bytes);
	for (size_t i = 0; overrides && i < overrides->set_count; i++)
		s->hash = load_hash(s->hash, overrides->sets[i], strlen(overrides->sets[i]) + 1);
	if (m->extra_cmdline)
		s->hash = load_hash(s->hash, m->extra_cmdline, strlen(m->extra_cmdline) + 1);
	s->hash = load_hash(s->hash, &m->load.platform_hash, 0);
	for (int i = 0; i < 8; i++) {
		unsigned char byte = (unsigned char)(m->load.platform_hash >> (8 * i));

		s->hash = load_hash(s->hash, &byte, 1);
	}
}

/* A question about a variant that --variant left out is not asked. */
static void ask(struct maker *m)
{
	struct rs_diag *diag = rs_calloc(1, sizeof(*diag));
	struct rs_diag *kept = m->load.diag;

	m->load.diag = diag;
	if (!document_question(&m->load, &m->doc, &m->scenario->question))
		m->scenario->question.asked = false;
	m->load.diag = kept;
	free(diag);
}

/* --- sources in messages --- */

static void fill_sources(struct maker *m)
{
	struct rs_diag *diag = m->load.diag;

	for (size_t i = 0; i < diag->count; i++) {
		struct diag_item *item = &diag->items[i];

		for (size_t k = 0; k < m->load.source_count && !item->source[0]; k++) {
			const struct load_source *source = &m->load.sources[k];

			if (strncmp(source->name, item->file, sizeof(item->file) - 1) == 0)
				utf8_copy_line(source->bytes, source->size, item->line,
					       item->column, item->source, sizeof(item->source));
		}
	}
}

/* All --set arguments as the lines of one text. */
static void add_set_source(struct load *load, const struct scenario_overrides *overrides)
{
	size_t size = 0;

	if (!overrides)
		return;
	for (size_t i = 0; i < overrides->set_count; i++)
		size += strlen(overrides->sets[i]) + 1;
	char *text = sim_arena_alloc(load->arena, size + 1);
	char *at = text;
	for (size_t i = 0; i < overrides->set_count; i++) {
		for (const char *from = overrides->sets[i]; *from; from++)
			*at++ = *from == '\n' ? ' ' : *from;
		*at++ = '\n';
	}
	load_add_source(load, "--set", text, size);
	if (overrides->cmdline)
		load_add_source(load, "--cmdline", overrides->cmdline, strlen(overrides->cmdline));
	if (overrides->only_variant)
		load_add_source(load, "--variant", overrides->only_variant,
				strlen(overrides->only_variant));
}

static const char *base_name(struct sim_arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = sim_arena_strdup(arena, slash ? slash + 1 : path);
	char *dot = strrchr(name, '.');

	if (dot && dot != name && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0))
		*dot = '\0';
	return name;
}

static void make(struct maker *m, const char *bytes, size_t size,
		 const struct scenario_overrides *overrides)
{
	struct scenario *s = m->scenario;
	struct sim_arena *arena = m->load.arena;
	struct tree_source source = {.file = s->path, .bytes = bytes, .size = size};
	struct tree_node *root;

	s->name = base_name(arena, s->path);
	s->text = bytes;
	s->text_bytes = size;
	load_add_source(&m->load, s->path, bytes, size);
	add_set_source(&m->load, overrides);
	if (overrides && overrides->cmdline && overrides->cmdline[0])
		m->extra_cmdline = sim_arena_strdup(arena, overrides->cmdline);
	if (size > TREE_BYTES_MAX) {
		struct rs_where at = {.file = s->path};

		diag_add(m->load.diag, DIAG_ERROR, &at, NULL, "'%s' is larger than 1 MiB", s->path);
		return;
	}
	if (!tree_parse(arena, &source, &m->load.nodes_used, m->load.diag, &root))
		return;
	bool top_ok = document_read(&m->load, root, overrides, &m->doc);
	m->axis_items = sim_arena_array(arena, LOAD_AXES_MAX + m->doc.case_overrides_max,
					sizeof(*m->axis_items));
	/* With a broken top level, what lies below can still be looked at. */
	if (m->doc.variant_count > 0)
		look_at_values(m);
	if (!top_ok || has_errors(m))
		return;
	make_cells(m);
	if (has_errors(m))
		return;
	ask(m);
	fill_scenario(m, overrides);
}

static bool load_any(const char *path, const char *bytes, size_t size, bool from_file,
		     const struct scenario_overrides *overrides, const char *platform_dir,
		     struct scenario **out, struct rs_diag *diag)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct maker *m = rs_calloc(1, sizeof(*m));
	size_t errors_before = diag->error_count;
	bool readable = true;

	RS_REQUIRE(errors_before == 0);
	*out = NULL;
	m->load.arena = arena;
	m->load.diag = diag;
	m->load.path = sim_arena_strdup(arena, path);
	m->load.platform_dir = platform_dir;
	m->load.platform_hash = LOAD_HASH_START;
	m->scenario = sim_arena_alloc(arena, sizeof(*m->scenario));
	m->scenario->path = m->load.path;
	m->scenario->arena = arena;
	if (from_file) {
		readable = load_read_file(&m->load, path, NULL, &bytes, &size);
	} else if (size <= TREE_BYTES_MAX) {
		char *copy = sim_arena_alloc(arena, size + 1);

		if (size)
			memcpy(copy, bytes, size);
		bytes = copy;
	}
	if (readable)
		make(m, bytes, size, overrides);
	fill_sources(m);
	bool ok = diag->error_count == errors_before;
	if (ok)
		*out = m->scenario;
	else
		sim_arena_destroy(arena);
	free(m->load.steps);
	free(m);
	return ok;
}

bool scenario_load(const char *path, const struct scenario_overrides *overrides,
		   const char *platform_dir, struct scenario **out, struct rs_diag *diag)
{
	return load_any(path, NULL, 0, true, overrides, platform_dir, out, diag);
}

bool scenario_load_bytes(const char *name, const char *bytes, size_t size,
			 const struct scenario_overrides *overrides, const char *platform_dir,
			 struct scenario **out, struct rs_diag *diag)
{
	return load_any(name, bytes, size, false, overrides, platform_dir, out, diag);
}

void scenario_destroy(struct scenario *scenario)
{
	if (scenario)
		sim_arena_destroy(scenario->arena);
}
