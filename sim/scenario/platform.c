/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Platform files. Every cost of struct platform_costs must stand in the file,
 * each with its basis and source: a cost that is silently zero would make
 * expediting look free.
 */
#include "sim/scenario/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/scenario/params.h"
#include "sim/scenario/suggest.h"
#include "sim/scenario/values.h"

#ifndef RCUSIM_DATADIR
#define RCUSIM_DATADIR "/usr/local/share/rcusim"
#endif

static const char *const basis_names[] = {"measured", "published", "assumption", NULL};

const char *cost_basis_name(enum cost_basis basis)
{
	return basis < COST_BASIS_COUNT ? basis_names[basis] : "?";
}

/* dir/sub/NAME.yaml if it can be read. */
static const char *try_file(struct load *load, const char *dir, const char *sub, const char *name)
{
	char path[1000];
	int length = snprintf(path, sizeof(path), "%s%s/%s.yaml", dir, sub, name);

	if (length < 0 || (size_t)length >= sizeof(path) || access(path, R_OK) != 0)
		return NULL;
	return sim_arena_strdup(load->arena, path);
}

/* The scenario's folder and its parents, as long as the path names any. */
static const char *try_upwards(struct load *load, const char *name)
{
	static const char *const ups[] = {".", "..", "../..", "../../.."};
	char dir[1000];
	const char *found = NULL;
	char *slash;

	if (snprintf(dir, sizeof(dir), "%s%s", load->path[0] == '/' ? "" : "./", load->path) >=
	    (int)sizeof(dir))
		return NULL;
	while (!found && (slash = strrchr(dir, '/')) != NULL) {
		*slash = '\0';
		found = try_file(load, dir, "/scenarios/platforms", name);
		if (!found)
			found = try_file(load, dir, "/platforms", name);
	}
	/* The current folder and those above it: the scenario may lie elsewhere. */
	for (size_t i = 0; !found && i < sizeof(ups) / sizeof(ups[0]); i++)
		found = try_file(load, ups[i], "/scenarios/platforms", name);
	return found;
}

static const char *find_file(struct load *load, const char *name)
{
	const char *data = getenv("RCUSIM_DATA");
	const char *found = NULL;

	if (load->platform_dir)
		return try_file(load, load->platform_dir, "", name);
	if (data && data[0]) {
		found = try_file(load, data, "/scenarios/platforms", name);
		if (!found)
			found = try_file(load, data, "/platforms", name);
	}
	if (!found)
		found = try_upwards(load, name);
	if (!found)
		found = try_file(load, RCUSIM_DATADIR, "/scenarios/platforms", name);
	return found;
}

static bool cost_range(struct load *load, struct tree_node *node, struct platform_cost *cost)
{
	if (node->kind != TREE_LIST || node->count != 2)
		return load_fault(load, node, NULL, "range must be a list of two durations");
	bool ok = value_duration(load, node->items[0], "range", 0, NS_PER_S, &cost->low_ns);
	ok = value_duration(load, node->items[1], "range", 0, NS_PER_S, &cost->high_ns) && ok;
	if (ok && (cost->value_ns < cost->low_ns || cost->value_ns > cost->high_ns))
		return load_fault(load, node, NULL, "the value lies outside its range");
	cost->has_range = ok;
	return ok;
}

static bool read_cost(struct load *load, struct tree_node *node, const char *name,
		      struct platform_cost *cost)
{
	static const char *const keys[] = {"value", "basis", "source", "range", NULL};
	struct tree_node *range = NULL;
	bool ok = true;

	if (!load_expect(load, node, TREE_MAP, name))
		return false;
	for (size_t k = 0; k < 3; k++)
		if (!tree_get(node, keys[k]))
			return load_fault(load, node, NULL, "cost '%s' needs '%s'", name, keys[k]);
	for (size_t i = 0; i < node->count; i++) {
		struct tree_node *key = node->pairs[i].key;
		struct tree_node *value = node->pairs[i].value;
		int64_t basis;

		if (strcmp(key->text, "value") == 0) {
			ok = value_duration(load, value, name, 0, NS_PER_S, &cost->value_ns) && ok;
			cost->text = tree_render(load->arena, value);
		} else if (strcmp(key->text, "basis") == 0) {
			ok = value_enum(load, value, "basis", basis_names, &basis) && ok;
			cost->basis = (enum cost_basis)basis;
		} else if (strcmp(key->text, "source") == 0) {
			ok = value_text(load, value, "source", 1000, &cost->source) && ok;
		} else if (strcmp(key->text, "range") == 0) {
			range = value;
		} else {
			ok = load_unknown_key(load, key, name, keys);
		}
	}
	return ok && (!range || cost_range(load, range, cost));
}

static bool read_costs(struct load *load, struct tree_node *node, struct platform *platform)
{
	const struct param_info *rows = param_costs(&platform->cost_count);
	const size_t prefix = strlen("machine.costs.");
	const char *names[PLATFORM_COSTS_MAX + 1] = {NULL};
	bool ok = true;

	RS_REQUIRE(platform->cost_count <= PLATFORM_COSTS_MAX);
	if (!load_expect(load, node, TREE_MAP, "costs"))
		return false;
	for (size_t i = 0; i < platform->cost_count; i++) {
		struct tree_node *cost;

		names[i] = rows[i].path + prefix;
		cost = tree_get(node, names[i]);
		if (cost)
			ok = read_cost(load, cost, names[i], &platform->costs[i]) && ok;
		else
			ok = load_fault(load, node, NULL, "cost '%s' is missing", names[i]);
	}
	for (size_t i = 0; i < node->count; i++) {
		size_t k = 0;

		while (names[k] && strcmp(names[k], node->pairs[i].key->text) != 0)
			k++;
		if (!names[k])
			ok = load_unknown_key(load, node->pairs[i].key, "costs", names);
	}
	return ok;
}

static bool read_root(struct load *load, struct tree_node *root, struct platform *platform)
{
	static const char *const keys[] = {"rcusim-platform", "name", "description", "costs", NULL};
	int64_t version;
	bool ok = true;

	if (!load_expect(load, root, TREE_MAP, "a platform file"))
		return false;
	if (root->count == 0 || strcmp(root->pairs[0].key->text, keys[0]) != 0)
		return load_fault(
			load, root, NULL,
			"this is no platform file: the first key must be 'rcusim-platform: 1'");
	if (!tree_get(root, "costs"))
		return load_fault(load, root, NULL, "a platform file needs 'costs'");
	for (size_t i = 0; i < root->count; i++) {
		struct tree_node *key = root->pairs[i].key;
		struct tree_node *value = root->pairs[i].value;
		const char *name;

		if (strcmp(key->text, keys[0]) == 0) {
			ok = value_int(load, value, keys[0], 1, 1, &version) && ok;
		} else if (strcmp(key->text, "name") == 0) {
			ok = load_name(load, value, "name", &name) && ok;
			if (ok && strcmp(name, platform->name) != 0)
				ok = load_fault(load, value, NULL,
						"the name differs from the file's name '%s'",
						platform->name);
		} else if (strcmp(key->text, "description") == 0) {
			ok = value_text(load, value, "description", 1000, &platform->description) &&
			     ok;
		} else if (strcmp(key->text, "costs") == 0) {
			ok = read_costs(load, value, platform) && ok;
		} else {
			ok = load_unknown_key(load, key, "the platform file", keys);
		}
	}
	return ok;
}

static void read_platform(struct load *load, struct platform *platform, const struct rs_where *at)
{
	const char *bytes;
	size_t size;
	struct tree_node *root;

	if (!load_read_file(load, platform->path, at, &bytes, &size))
		return;
	load_add_source(load, platform->path, bytes, size);
	load->platform_hash = load_hash(load->platform_hash, bytes, size);
	struct tree_source source = {.file = platform->path, .bytes = bytes, .size = size};
	size_t nodes_used = 0;

	if (tree_parse(load->arena, &source, &nodes_used, load->diag, &root))
		platform->ok = read_root(load, root, platform);
}

/* A name becomes part of a path: letters, digits and inner dashes only. */
static bool is_platform_name(const char *name)
{
	size_t length = strlen(name);

	if (length == 0 || length > 64 || name[0] == '-')
		return false;
	return strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") == length;
}

const struct platform *platform_get(struct load *load, struct tree_node *node)
{
	if (!load_expect(load, node, TREE_SCALAR, "machine.platform"))
		return NULL;
	for (struct platform *known = load->platforms; known; known = known->next)
		if (strcmp(known->name, node->text) == 0)
			return known->ok ? known : NULL;
	if (!is_platform_name(node->text)) {
		load_fault(load, node, "a name such as kvm-x86, without folder and .yaml",
			   "machine.platform: '%.60s' is no platform name", node->text);
		return NULL;
	}
	const char *path = find_file(load, node->text);

	if (!path) {
		load_fault(load, node, "`rcusim list platforms` names those that exist",
			   "no platform file '%.60s.yaml' was found", node->text);
		return NULL;
	}
	struct platform *platform = sim_arena_alloc(load->arena, sizeof(*platform));

	platform->name = node->text;
	platform->description = "";
	platform->path = path;
	platform->origin = load_text(load, "platform %s", node->text);
	platform->next = load->platforms;
	load->platforms = platform;
	read_platform(load, platform, &node->at);
	return platform->ok ? platform : NULL;
}

const struct platform *platform_read(struct sim_arena *arena, const char *name, const char *dir,
				     struct rs_diag *diag)
{
	struct load *load = rs_calloc(1, sizeof(*load));
	struct tree_node *node = sim_arena_alloc(arena, sizeof(*node));
	const struct platform *platform;

	load->arena = arena;
	load->diag = diag;
	load->path = "";
	load->platform_dir = dir;
	node->kind = TREE_SCALAR;
	node->plain = true;
	node->text = sim_arena_strdup(arena, name);
	node->count = strlen(name);
	platform = platform_get(load, node);
	free(load);
	return platform;
}
