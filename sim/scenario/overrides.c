/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Overrides on trees. A nested mapping is merged only where the format has
 * sections (kernel, machine, costs, ...); everywhere else a value is replaced
 * as a whole, so that `run: {uniform: ...}` never mixes with the lognormal it
 * stands for.
 */
#include "sim/scenario/overrides.h"

#include <stdio.h>
#include <string.h>

#include "sim/scenario/params.h"
#include "sim/scenario/suggest.h"

#define PATH_BYTES_MAX 200

static const char *const sections[] = {"kernel", "machine", "machine.costs",
				       "limits", "faults",  "boot",
				       "workload"};
static const char *const program_paths[] = {"boot.end",    "boot.begin",     "boot.steps",
					    "boot.finish", "workload.tasks", "workload.end"};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool is_section(const char *path)
{
	for (size_t i = 0; i < COUNT(sections); i++)
		if (strcmp(sections[i], path) == 0)
			return true;
	return false;
}

/* A path into a list of steps or tasks: verified when it is applied. */
static bool is_inside_list(const char *path)
{
	static const char *const prefixes[] = {"boot.begin.", "boot.steps.", "boot.finish.",
					       "workload.tasks."};

	for (size_t i = 0; i < COUNT(prefixes); i++)
		if (strncmp(path, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

static bool is_known(const char *path)
{
	for (size_t i = 0; i < COUNT(program_paths); i++)
		if (strcmp(program_paths[i], path) == 0)
			return true;
	return param_find(path) || is_inside_list(path);
}

static bool unknown_path(struct load *load, struct tree_node *key, const char *path)
{
	struct suggest suggest;
	char hint[120];

	suggest_begin(&suggest, path);
	for (size_t i = 0; i < COUNT(program_paths); i++)
		suggest_offer(&suggest, program_paths[i]);
	if (!suggest.best)
		suggest.best = param_nearest(path);
	suggest_hint(&suggest, hint, sizeof(hint));
	return load_fault(load, key, hint, "unknown path '%.100s'", path);
}

bool overrides_add(struct load *load, struct override_list *list, const char *path,
		   struct tree_node *key, struct tree_node *value)
{
	if (!is_known(path))
		return unknown_path(load, key, path);
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i].path, path) == 0)
			return load_fault(load, key, NULL,
					  "'%.100s' is set twice, first on line %d", path,
					  list->items[i].key->at.line);
	if (list->count == TREE_KEYS_MAX)
		return load_fault(load, key, NULL, "more than %d overrides", TREE_KEYS_MAX);
	if (list->count == list->capacity) {
		size_t capacity = list->capacity ? list->capacity * 2 : 8;
		struct override *items = sim_arena_array(load->arena, capacity, sizeof(*items));

		if (list->count)
			memcpy(items, list->items, list->count * sizeof(*items));
		list->items = items;
		list->capacity = capacity;
	}
	list->items[list->count].path = path;
	list->items[list->count].key = key;
	list->items[list->count].value = value;
	list->count++;
	return true;
}

static bool collect(struct load *load, struct tree_node *map, const char *prefix,
		    struct override_list *list)
{
	bool ok = true;

	for (size_t i = 0; i < map->count; i++) {
		struct tree_node *key = map->pairs[i].key;
		struct tree_node *value = map->pairs[i].value;

		if (strlen(prefix) + key->count + 2 > PATH_BYTES_MAX) {
			ok = load_fault(load, key, NULL, "a path of more than %d bytes",
					PATH_BYTES_MAX);
			continue;
		}
		const char *path =
			prefix[0] ? load_text(load, "%s.%s", prefix, key->text) : key->text;

		if (is_section(path))
			ok = load_expect(load, value, TREE_MAP, path) &&
			     collect(load, value, path, list) && ok;
		else
			ok = overrides_add(load, list, path, key, value) && ok;
	}
	return ok;
}

bool overrides_collect(struct load *load, struct tree_node *map, struct override_list *list)
{
	return collect(load, map, "", list);
}

/* --- putting into a tree --- */

/* One override on its way down. */
struct descent {
	struct load *load;
	const struct override *override;
};

static struct tree_node *put(struct descent *d, struct tree_node *node, const char *path);

static struct tree_node *shallow_copy(struct descent *d, const struct tree_node *node)
{
	struct tree_node *copy = sim_arena_alloc(d->load->arena, sizeof(*copy));

	*copy = *node;
	copy->rendered = NULL;
	return copy;
}

static struct tree_node *put_in_map(struct descent *d, struct tree_node *node, const char *word,
				    const char *rest)
{
	size_t pos = 0;

	if (!load_work(d->load, node->count + 4, &d->override->key->at))
		return NULL;
	while (pos < node->count && strcmp(node->pairs[pos].key->text, word) != 0)
		pos++;
	struct tree_node *old = pos < node->count ? node->pairs[pos].value : NULL;
	struct tree_node *value = put(d, old, rest);

	if (!value)
		return NULL;
	struct tree_node *copy = shallow_copy(d, node);
	copy->count = node->count + (pos == node->count);
	copy->pairs = sim_arena_array(d->load->arena, copy->count, sizeof(*copy->pairs));
	if (node->count)
		memcpy(copy->pairs, node->pairs, node->count * sizeof(*copy->pairs));
	if (!old) {
		struct tree_node *key = shallow_copy(d, d->override->key);

		key->text = sim_arena_strdup(d->load->arena, word);
		key->count = strlen(word);
		copy->pairs[pos].key = key;
	}
	copy->pairs[pos].value = value;
	return copy;
}

static struct tree_node *put_in_list(struct descent *d, struct tree_node *node, const char *word,
				     const char *rest)
{
	size_t pos = 0;
	const char *digit = word;

	for (; *digit >= '0' && *digit <= '9' && pos < TREE_NODES_MAX; digit++)
		pos = pos * 10 + (size_t)(*digit - '0');
	if (digit == word || *digit != '\0' || pos >= node->count) {
		load_fault(d->load, d->override->key, NULL,
			   "'%.100s': '%.40s' is no entry of a list of %zu (0 is the first)",
			   d->override->path, word, node->count);
		return NULL;
	}
	if (!load_work(d->load, node->count + 4, &d->override->key->at))
		return NULL;
	struct tree_node *value = put(d, node->items[pos], rest);

	if (!value)
		return NULL;
	struct tree_node *copy = shallow_copy(d, node);
	copy->items = sim_arena_array(d->load->arena, node->count, sizeof(*copy->items));
	memcpy(copy->items, node->items, node->count * sizeof(*copy->items));
	copy->items[pos] = value;
	return copy;
}

/* node (NULL: absent) with the override's value at path below it. */
static struct tree_node *put(struct descent *d, struct tree_node *node, const char *path)
{
	char word[PATH_BYTES_MAX];
	const char *dot;

	if (!path)
		return d->override->value;
	dot = strchr(path, '.');
	snprintf(word, sizeof(word), "%.*s", dot ? (int)(dot - path) : (int)strlen(path), path);
	const char *rest = dot ? dot + 1 : NULL;

	if (!node) {
		node = shallow_copy(d, d->override->key);
		node->kind = TREE_MAP;
		node->count = 0;
		node->pairs = NULL;
	}
	switch (node->kind) {
	case TREE_MAP:
		return put_in_map(d, node, word, rest);
	case TREE_LIST:
		return put_in_list(d, node, word, rest);
	case TREE_SCALAR:
		break;
	}
	load_fault(d->load, d->override->key, NULL,
		   "'%.100s': nothing called '%.40s' can stand there", d->override->path, word);
	return NULL;
}

struct tree_node *override_apply(struct load *load, struct tree_node *root,
				 const struct override *override)
{
	struct descent d = {.load = load, .override = override};

	if (strlen(override->path) >= PATH_BYTES_MAX) {
		unknown_path(load, override->key, override->path);
		return NULL;
	}
	return put(&d, root, override->path);
}

struct tree_node *overrides_apply(struct load *load, struct tree_node *root,
				  const struct override_list *list)
{
	for (size_t i = 0; root && i < list->count; i++)
		root = override_apply(load, root, &list->items[i]);
	return root;
}
