/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Top level of a scenario: what is no setting of the machine or the kernel.
 * Nothing here stops at the first error; a reader wants them all.
 */
#include "sim/scenario/document.h"

#include <stdio.h>
#include <string.h>

#include "models/metrics.h"
#include "sim/scenario/suggest.h"
#include "sim/scenario/steps.h"
#include "sim/scenario/values.h"

static const char *const top_keys[] = {
	"rcusim", "title",    "seed",     "replications", "assumed", "kernel", "machine",  "limits",
	"faults", "boot",   "workload", "variants", "baseline",     "cases",   "matrix", "question", NULL};
/* Those that --set may change besides the paths of a config. */
static const char *const settable_keys[] = {"title", "seed", "replications", "baseline"};

const char *const *document_keys(void)
{
	return top_keys;
}

static bool is_one_of(const char *const *words, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(words[i], text) == 0)
			return true;
	return false;
}

static bool check_version(struct load *load, struct tree_node *root)
{
	int64_t version;

	if (!load_expect(load, root, TREE_MAP, "a scenario"))
		return false;
	if (root->count == 0 || strcmp(root->pairs[0].key->text, "rcusim") != 0)
		return load_fault(
			load, root, NULL,
			tree_get(root, "rcusim")
				? "'rcusim: 1' must be the first key"
				: "this is no rcusim scenario: the first key must be 'rcusim: 1'");
	struct tree_node *node = root->pairs[0].value;
	if (!value_int(load, node, "rcusim", 0, INT64_MAX, &version))
		return false;
	if (version != 1)
		return load_fault(load, node, NULL,
				  "format version %lld is not known: this rcusim reads version 1",
				  (long long)version);
	return true;
}

static bool check_keys(struct load *load, struct tree_node *root)
{
	bool ok = true;

	for (size_t i = 0; i < root->count; i++) {
		size_t k = 0;

		while (top_keys[k] && strcmp(top_keys[k], root->pairs[i].key->text) != 0)
			k++;
		if (!top_keys[k])
			ok = load_unknown_key(load, root->pairs[i].key, "", top_keys);
	}
	return ok;
}

/* --- --set --- */

/* "path=value" as a key and a value node. */
static bool parse_set(struct load *load, const char *text, int line, struct tree_node **key,
		      struct tree_node **value)
{
	struct rs_where at = {.file = "--set", .line = line, .column = 1};
	const char *equals = strchr(text, '=');

	if (!equals || equals == text) {
		diag_add(load->diag, DIAG_ERROR, &at, "such as --set machine.hz=1000",
			 "--set needs path=value");
		return false;
	}
	struct tree_node *node = sim_arena_alloc(load->arena, sizeof(*node));
	char *path = sim_arena_alloc(load->arena, (size_t)(equals - text) + 1);

	memcpy(path, text, (size_t)(equals - text));
	node->kind = TREE_SCALAR;
	node->plain = true;
	node->at = at;
	node->text = path;
	node->count = (size_t)(equals - text);
	node->size = 1;
	*key = node;
	if (equals[1] == '\0') {
		*value = sim_arena_alloc(load->arena, sizeof(**value));
		**value = *node;
		(*value)->text = "";
		(*value)->count = 0;
		(*value)->at.column = (int)(equals - text) + 2;
		return true;
	}
	struct tree_source source = {.file = "--set",
				     .bytes = equals + 1,
				     .size = strlen(equals + 1),
				     .column_shift = (int)(equals - text) + 1,
				     .line_shift = line - 1};
	return tree_parse(load->arena, &source, &load->nodes_used, load->diag, value);
}

/* Puts a top-level key into the root. */
static void set_top_key(struct load *load, struct document *doc, struct tree_node *key,
			struct tree_node *value)
{
	struct override over = {.path = key->text, .key = key, .value = value};
	struct tree_node *root = override_apply(load, doc->root, &over);

	if (root)
		doc->root = root;
}

static bool read_sets(struct load *load, const struct scenario_overrides *overrides,
		      struct document *doc)
{
	bool ok = true;

	for (size_t i = 0; overrides && i < overrides->set_count; i++) {
		struct tree_node *key, *value;

		if (!parse_set(load, overrides->sets[i], (int)i + 1, &key, &value)) {
			ok = false;
			continue;
		}
		if (is_one_of(settable_keys, sizeof(settable_keys) / sizeof(settable_keys[0]),
			      key->text)) {
			set_top_key(load, doc, key, value);
			continue;
		}
		ok = overrides_add(load, &doc->sets, key->text, key, value) && ok;
	}
	return ok;
}

/* --- simple values --- */

static bool read_assumed(struct load *load, struct tree_node *node)
{
	const char *text;
	bool ok = true;

	if (!node)
		return true;
	if (!load_expect(load, node, TREE_LIST, "assumed"))
		return false;
	for (size_t i = 0; i < node->count; i++) {
		if (value_text(load, node->items[i], "assumed", 500, &text))
			load_note(load, "%s", text);
		else
			ok = false;
	}
	return ok;
}

static bool read_values(struct load *load, struct document *doc)
{
	struct tree_node *title = tree_get(doc->root, "title");
	struct tree_node *seed = tree_get(doc->root, "seed");
	struct tree_node *replications = tree_get(doc->root, "replications");
	bool ok = read_assumed(load, tree_get(doc->root, "assumed"));

	doc->seed = 1;
	doc->replications = DOCUMENT_REPLICATIONS_DEFAULT;
	if (title)
		ok = value_text(load, title, "title", 200, &doc->title) && ok;
	if (seed)
		ok = value_int(load, seed, "seed", 0, INT64_MAX, &doc->seed) && ok;
	if (replications)
		ok = value_int(load, replications, "replications", 1, DOCUMENT_REPLICATIONS_MAX,
			       &doc->replications) &&
		     ok;
	return ok;
}

/* --- variants --- */

static void number_overrides(struct load *load, const struct override_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		steps_number_value(load, list->items[i].path, list->items[i].value);
}

static bool read_variants(struct load *load, struct document *doc, struct tree_node *node)
{
	bool ok = true;

	if (!node) {
		doc->variants[0].name = "default";
		doc->variant_count = 1;
		return true;
	}
	if (!load_expect(load, node, TREE_MAP, "variants"))
		return false;
	if (node->count == 0 || node->count > LOAD_VARIANTS_MAX)
		return load_fault(load, node, NULL, "there must be 1 to %d variants",
				  LOAD_VARIANTS_MAX);
	for (size_t i = 0; i < node->count; i++) {
		struct doc_variant *variant = &doc->variants[doc->variant_count++];
		struct tree_node *value = node->pairs[i].value;

		variant->key = node->pairs[i].key;
		ok = load_name(load, variant->key, "a variant's name", &variant->name) && ok;
		if (tree_is_empty(value))
			continue;
		ok = load_expect(load, value, TREE_MAP, variant->key->text) &&
		     overrides_collect(load, value, &variant->overrides) && ok;
		number_overrides(load, &variant->overrides);
	}
	return ok;
}

static bool find_variant(struct load *load, const struct document *doc, struct tree_node *node,
			 const char *what, size_t *idx)
{
	struct suggest suggest;
	char hint[120];

	*idx = 0;
	if (!load_expect(load, node, TREE_SCALAR, what))
		return false;
	suggest_begin(&suggest, node->text);
	for (size_t i = 0; i < doc->variant_count; i++) {
		if (strcmp(doc->variants[i].name, node->text) == 0) {
			*idx = i;
			return true;
		}
		suggest_offer(&suggest, doc->variants[i].name);
	}
	suggest_hint(&suggest, hint, sizeof(hint));
	return load_fault(load, node, hint, "%s: no variant is called '%.64s'", what, node->text);
}

/* --only_variant: the variant and the baseline stay, in their order. */
static bool keep_only(struct load *load, struct document *doc, const char *name)
{
	struct rs_where at = {.file = "--variant", .line = 1, .column = 1};
	struct suggest suggest;
	char hint[120];
	size_t kept = 0, baseline_idx = doc->baseline_idx;
	bool found = false;

	suggest_begin(&suggest, name);
	for (size_t i = 0; i < doc->variant_count; i++) {
		suggest_offer(&suggest, doc->variants[i].name);
		found = found || strcmp(doc->variants[i].name, name) == 0;
	}
	if (!found) {
		suggest_hint(&suggest, hint, sizeof(hint));
		diag_add(load->diag, DIAG_ERROR, &at, hint, "no variant is called '%.64s'", name);
		return false;
	}
	for (size_t i = 0; i < doc->variant_count; i++) {
		if (i != baseline_idx && strcmp(doc->variants[i].name, name) != 0)
			continue;
		if (i == baseline_idx)
			doc->baseline_idx = kept;
		doc->variants[kept++] = doc->variants[i];
	}
	doc->variant_count = kept;
	return true;
}

/* --- matrix --- */

/* An axis of the matrix may not be set by a variant or a case as well. */
static bool axis_is_free(struct load *load, const struct override_list *list, const char *path,
			 const char *whose)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i].path, path) == 0)
			return load_fault(load, list->items[i].key, NULL,
					  "'%.100s' is an axis of the matrix: a %s cannot set it",
					  path, whose);
	return true;
}

static bool read_axis(struct load *load, struct document *doc, const struct override *axis)
{
	struct doc_axis *out = &doc->axes[doc->axis_count];
	bool ok = true;

	if (!load_expect(load, axis->value, TREE_LIST, axis->path))
		return false;
	if (axis->value->count == 0)
		return load_fault(load, axis->value, NULL, "axis '%.100s' has no values",
				  axis->path);
	out->path = axis->path;
	out->key = axis->key;
	out->values = axis->value->items;
	out->value_count = axis->value->count;
	doc->axis_count++;
	for (size_t i = 0; i < out->value_count; i++)
		steps_number_value(load, axis->path, out->values[i]);
	for (size_t v = 0; v < doc->variant_count; v++)
		ok = axis_is_free(load, &doc->variants[v].overrides, axis->path, "variant") && ok;
	for (size_t i = 0; doc->axes[0].cases && i < doc->axes[0].value_count; i++)
		ok = axis_is_free(load, &doc->axes[0].cases[i], axis->path, "case") && ok;
	return ok;
}

/* A --set of an axis makes it one value. */
static bool collapse_axis(struct document *doc, const char *path, struct tree_node *value)
{
	for (size_t i = 0; i < doc->axis_count; i++) {
		if (strcmp(doc->axes[i].path, path) != 0)
			continue;
		doc->axes[i].value_count = 1;
		doc->axes[i].values[0] = value;
		return true;
	}
	return false;
}

/* `cases:` named sets of overrides: an axis of its own, called `case`. */
static bool read_cases(struct load *load, struct document *doc, struct tree_node *node)
{
	struct doc_axis *axis = &doc->axes[0];
	bool ok = true;

	if (!node)
		return true;
	if (!load_expect(load, node, TREE_MAP, "cases"))
		return false;
	if (node->count == 0)
		return load_fault(load, node, NULL, "cases has no cases");
	axis->path = "case";
	axis->key = tree_get_pair(doc->root, "cases")->key;
	axis->values = sim_arena_array(load->arena, node->count, sizeof(*axis->values));
	axis->cases = sim_arena_array(load->arena, node->count, sizeof(*axis->cases));
	axis->value_count = node->count;
	doc->axis_count = 1;
	for (size_t i = 0; i < node->count; i++) {
		struct override_list *list = &axis->cases[i];

		axis->values[i] = node->pairs[i].key;
		if (!load_expect(load, node->pairs[i].value, TREE_MAP, "a case")) {
			ok = false;
			continue;
		}
		ok = overrides_collect(load, node->pairs[i].value, list) && ok;
		number_overrides(load, list);
		if (list->count > doc->case_overrides_max)
			doc->case_overrides_max = list->count;
	}
	return ok;
}

static bool read_axes(struct load *load, struct document *doc, struct tree_node *node)
{
	struct override_list axes = {.count = 0};
	bool ok;

	if (!node)
		return true;
	if (!load_expect(load, node, TREE_MAP, "matrix"))
		return false;
	ok = overrides_collect(load, node, &axes);
	if (axes.count == 0)
		return ok && load_fault(load, node, NULL, "matrix has no axes");
	if (axes.count > LOAD_AXES_MAX - doc->axis_count)
		return load_fault(load, node, NULL, "a scenario has at most %d axes",
				  LOAD_AXES_MAX);
	for (size_t i = 0; i < axes.count; i++)
		ok = read_axis(load, doc, &axes.items[i]) && ok;
	return ok;
}

static bool read_matrix(struct load *load, struct document *doc, struct tree_node *node)
{
	size_t cells = 1;
	bool ok = read_cases(load, doc, tree_get(doc->root, "cases"));

	ok = read_axes(load, doc, node) && ok;
	for (size_t i = 0; i < doc->sets.count; i++)
		collapse_axis(doc, doc->sets.items[i].path, doc->sets.items[i].value);
	for (size_t i = 0; i < doc->axis_count; i++) {
		if (doc->axes[i].value_count > LOAD_CELLS_MAX / cells)
			return load_fault(load, node, NULL, "the matrix has more than %d cells",
					  LOAD_CELLS_MAX);
		cells *= doc->axes[i].value_count;
	}
	if (cells * doc->variant_count > LOAD_CONFIGS_MAX)
		return load_fault(load, node, NULL, "cells times variants are more than %d",
				  LOAD_CONFIGS_MAX);
	return ok;
}

/* --- question --- */

static bool question_value(struct load *load, const struct metric_info *metric,
			   struct tree_node *node, int64_t *out)
{
	struct tree_node number = *node;
	char text[40];

	switch (metric->unit) {
	case METRIC_NS:
		return value_duration(load, node, metric->name, 0, VALUE_DURATION_MAX_NS, out);
	case METRIC_COUNT:
		return value_int(load, node, metric->name, 0, INT64_MAX, out);
	case METRIC_PCT:
		if (node->kind != TREE_SCALAR || node->count < 2 || node->count >= sizeof(text) ||
		    node->text[node->count - 1] != '%')
			return load_fault(load, node, "such as 18%", "%s must be a percentage",
					  metric->name);
		memcpy(text, node->text, node->count);
		text[node->count - 1] = '\0';
		number.text = text;
		if (value_int(load, &number, metric->name, -1000, 1000, out))
			return true;
		node->faulty = true;
		return false;
	case METRIC_UNIT_COUNT:
		break;
	}
	return false;
}

static bool unknown_metric(struct load *load, struct tree_node *key)
{
	size_t count;
	const struct metric_info *metrics = metric_all(&count);
	struct suggest suggest;
	char hint[120];

	suggest_begin(&suggest, key->text);
	for (size_t i = 0; i < count; i++)
		suggest_offer(&suggest, metrics[i].name);
	suggest_offer(&suggest, "variant");
	suggest_offer(&suggest, "text");
	suggest_hint(&suggest, hint, sizeof(hint));
	return load_fault(load, key, hint, "unknown metric '%.60s' in question", key->text);
}

/* Without `variant:` the question is about the only one beside the baseline. */
static bool implied_variant(struct load *load, const struct document *doc, struct tree_node *node,
			    size_t *idx)
{
	if (doc->variant_count != 2)
		return load_fault(load, node, NULL, "question needs 'variant'");
	*idx = 1 - doc->baseline_idx;
	return true;
}

bool document_question(struct load *load, const struct document *doc,
		       struct scenario_question *question)
{
	struct tree_node *node = tree_get(doc->root, "question");
	struct tree_node *variant = tree_get(node, "variant");
	const struct metric_info *metric = NULL;
	bool ok = true;

	memset(question, 0, sizeof(*question));
	if (!node)
		return true;
	if (!load_expect(load, node, TREE_MAP, "question"))
		return false;
	for (size_t i = 0; i < node->count; i++) {
		struct tree_node *key = node->pairs[i].key;
		struct tree_node *value = node->pairs[i].value;

		if (strcmp(key->text, "variant") == 0)
			continue;
		if (strcmp(key->text, "text") == 0) {
			ok = value_text(load, value, "text", 300, &question->text) && ok;
			continue;
		}
		const struct metric_info *found = metric_find(key->text);
		if (!found)
			ok = unknown_metric(load, key);
		else if (metric)
			ok = load_fault(load, key, NULL, "a question has one metric: '%s' or '%s'",
					metric->name, found->name);
		else
			ok = question_value(load, found, value, &question->value) && ok;
		metric = found ? found : metric;
	}
	if (ok && !metric)
		return load_fault(load, node, "such as {saved_ns: 6.956ms, variant: expedited}",
				  "question needs a metric and its value");
	if (!ok)
		return false;
	question->asked = true;
	question->metric = metric->name;
	if (!variant)
		return implied_variant(load, doc, node, &question->variant_idx);
	return find_variant(load, doc, variant, "question", &question->variant_idx);
}

bool document_read(struct load *load, struct tree_node *root,
		   const struct scenario_overrides *overrides, struct document *doc)
{
	struct scenario_question question;
	struct tree_node *baseline;
	bool ok;

	memset(doc, 0, sizeof(*doc));
	doc->root = root;
	if (!check_version(load, root))
		return false;
	ok = check_keys(load, root);
	ok = read_sets(load, overrides, doc) && ok;
	ok = read_values(load, doc) && ok;
	steps_number(load, root);
	ok = read_variants(load, doc, tree_get(root, "variants")) && ok;
	ok = read_matrix(load, doc, tree_get(root, "matrix")) && ok;
	number_overrides(load, &doc->sets);
	if (doc->variant_count == 0)
		return false;
	baseline = tree_get(doc->root, "baseline");
	if (baseline)
		ok = find_variant(load, doc, baseline, "baseline", &doc->baseline_idx) && ok;
	/* Read against all variants, so that its errors do not depend on --variant. */
	ok = document_question(load, doc, &question) && ok;
	if (overrides && overrides->only_variant)
		ok = keep_only(load, doc, overrides->only_variant) && ok;
	return ok;
}
