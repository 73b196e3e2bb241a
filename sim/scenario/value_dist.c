/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distributions: `10us` or a mapping with one key, the name of the kind:
 * {uniform: [0ms, 4ms]}, {lognormal: {mean: 24ms, cv: 1%}}, ...
 */
#include <stdio.h>
#include <string.h>

#include "sim/scenario/suggest.h"
#include "sim/scenario/values.h"

static bool duration_part(struct load *load, struct tree_node *node, const char *what, double *out)
{
	int64_t ns;
	bool ok = value_duration(load, node, what, 0, VALUE_DURATION_MAX_NS, &ns);

	*out = (double)ns;
	return ok;
}

/* 1% or 0.01, as a fraction. */
static bool fraction_part(struct load *load, struct tree_node *node, const char *what, double *out)
{
	struct tree_node number = *node;
	char text[64];

	if (node->kind != TREE_SCALAR || node->count < 2 || node->count >= sizeof(text) ||
	    node->text[node->count - 1] != '%')
		return value_number(load, node, what, out);
	memcpy(text, node->text, node->count - 1);
	text[node->count - 1] = '\0';
	number.text = text;
	bool ok = value_number(load, &number, what, out);
	node->faulty = number.faulty;
	*out /= 100.0;
	return ok;
}

/* Finds the keys of a kind's parameters; unknown ones are errors, out[i] NULL if not given. */
static bool pick(struct load *load, struct tree_node *map, const char *what,
		 const char *const *keys, struct tree_node **out)
{
	bool ok = true;

	for (size_t i = 0; keys[i]; i++)
		out[i] = NULL;
	if (!load_expect(load, map, TREE_MAP, what))
		return false;
	for (size_t i = 0; i < map->count; i++) {
		size_t k = 0;

		while (keys[k] && strcmp(keys[k], map->pairs[i].key->text) != 0)
			k++;
		if (keys[k])
			out[k] = map->pairs[i].value;
		else
			ok = load_unknown_key(load, map->pairs[i].key, what, keys);
	}
	return ok;
}

static bool missing(struct load *load, struct tree_node *map, const char *what, const char *key)
{
	return load_fault(load, map, NULL, "%s needs '%s'", what, key);
}

/* {mean:, sd:} or {mean:, cv:} */
static bool mean_and_sd(struct load *load, struct tree_node *node, const char *what,
			struct dist *out)
{
	static const char *const keys[] = {"mean", "sd", "cv", NULL};
	struct tree_node *parts[3];
	double cv = 0.0;

	if (!pick(load, node, what, keys, parts))
		return false;
	if (!parts[0])
		return missing(load, node, what, "mean");
	if (!parts[1] == !parts[2])
		return load_fault(load, node, NULL,
				  "%s needs either 'sd' (a duration) or 'cv' (a percentage)", what);
	bool ok = duration_part(load, parts[0], "mean", &out->a);
	if (parts[1])
		return duration_part(load, parts[1], "sd", &out->b) && ok;
	ok = fraction_part(load, parts[2], "cv", &cv) && ok;
	out->b = out->a * cv;
	return ok;
}

static bool with_shape(struct load *load, struct tree_node *node, const char *what,
		       const char *scale_key, struct dist *out)
{
	const char *const keys[] = {scale_key, "shape", NULL};
	struct tree_node *parts[2];

	if (!pick(load, node, what, keys, parts))
		return false;
	if (!parts[0] || !parts[1])
		return missing(load, node, what, parts[0] ? "shape" : scale_key);
	bool ok = duration_part(load, parts[0], scale_key, &out->a);
	return value_number(load, parts[1], "shape", &out->b) && ok;
}

static bool uniform(struct load *load, struct tree_node *node, const char *what, struct dist *out)
{
	if (node->kind != TREE_LIST || node->count != 2)
		return load_fault(load, node, "write {uniform: [1ms, 4ms]}",
				  "%s must be a list of two durations", what);
	bool ok = duration_part(load, node->items[0], what, &out->a);
	ok = duration_part(load, node->items[1], what, &out->b) && ok;
	if (ok && out->b < out->a)
		return load_fault(load, node, NULL, "%s: the low end lies above the high end",
				  what);
	return ok;
}

static bool empirical(struct load *load, struct tree_node *node, const char *what, struct dist *out)
{
	bool ok = true;

	if (!load_expect(load, node, TREE_LIST, what))
		return false;
	if (node->count == 0)
		return load_fault(load, node, NULL, "%s needs at least one duration", what);
	sim_time_ns *values = sim_arena_array(load->arena, node->count, sizeof(*values));
	for (size_t i = 0; i < node->count; i++)
		ok = value_duration(load, node->items[i], what, 0, VALUE_DURATION_MAX_NS,
				    &values[i]) &&
		     ok;
	out->values = values;
	out->count = node->count;
	return ok;
}

static bool mixture(struct load *load, struct tree_node *node, const char *what, struct dist *out)
{
	static const char *const keys[] = {"weight", "of", NULL};
	bool ok = true;

	if (!load_expect(load, node, TREE_LIST, what))
		return false;
	if (node->count == 0)
		return load_fault(load, node, NULL, "%s needs at least one part", what);
	struct dist_part *mixed = sim_arena_array(load->arena, node->count, sizeof(*mixed));
	for (size_t i = 0; i < node->count; i++) {
		struct tree_node *parts[2];

		mixed[i].weight = 1.0;
		if (!pick(load, node->items[i], what, keys, parts)) {
			ok = false;
			continue;
		}
		if (!parts[0] || !parts[1]) {
			ok = missing(load, node->items[i], what, parts[0] ? "of" : "weight");
			continue;
		}
		ok = value_number(load, parts[0], "weight", &mixed[i].weight) && ok;
		ok = value_dist(load, parts[1], "of", &mixed[i].dist) && ok;
	}
	out->parts = mixed;
	out->count = node->count;
	return ok;
}

static bool by_kind(struct load *load, struct tree_node *node, const char *what, struct dist *out)
{
	switch (out->kind) {
	case DIST_UNIFORM:
		return uniform(load, node, what, out);
	case DIST_CONSTANT:
	case DIST_EXPONENTIAL:
		return duration_part(load, node, what, &out->a);
	case DIST_NORMAL:
	case DIST_LOGNORMAL:
	case DIST_GAMMA:
		return mean_and_sd(load, node, what, out);
	case DIST_WEIBULL:
		return with_shape(load, node, what, "scale", out);
	case DIST_PARETO:
		return with_shape(load, node, what, "min", out);
	case DIST_EMPIRICAL:
		return empirical(load, node, what, out);
	case DIST_MIXTURE:
		return mixture(load, node, what, out);
	case DIST_KIND_COUNT:
		break;
	}
	return false;
}

/* The kind named by the one key of a mapping. */
static bool find_kind(struct load *load, struct tree_node *key, enum dist_kind *kind)
{
	struct suggest suggest;
	char hint[120];

	suggest_begin(&suggest, key->text);
	for (int i = 0; i < DIST_KIND_COUNT; i++) {
		const char *name = dist_kind_name((enum dist_kind)i);

		suggest_offer(&suggest, name);
		if (strcmp(name, key->text) == 0) {
			*kind = (enum dist_kind)i;
			return true;
		}
	}
	suggest_hint(&suggest, hint, sizeof(hint));
	return load_fault(
		load, key,
		hint[0] ? hint
			: "uniform, exponential, normal, lognormal, gamma, weibull, pareto, "
			  "empirical, mixture",
		"unknown distribution '%.60s'", key->text);
}

bool value_dist(struct load *load, struct tree_node *node, const char *what, struct dist *out)
{
	const char *why = NULL;

	memset(out, 0, sizeof(*out));
	out->kind = DIST_CONSTANT;
	if (node->kind == TREE_SCALAR)
		return duration_part(load, node, what, &out->a);
	if (node->kind == TREE_LIST)
		return load_fault(load, node, "write {uniform: [...]} or {empirical: [...]}",
				  "%s must be a duration or a distribution, not a list", what);
	if (node->count != 1)
		return load_fault(load, node, "such as {exponential: 3ms}",
				  "%s must be a duration or one distribution", what);
	if (!find_kind(load, node->pairs[0].key, &out->kind))
		return false;
	if (!by_kind(load, node->pairs[0].value, node->pairs[0].key->text, out))
		return false;
	if (!dist_is_valid(out, &why))
		return load_fault(load, node, NULL, "%s: %s", what, why);
	return true;
}
