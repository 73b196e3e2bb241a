/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one table of parameters: drives the parser, --set, `rcusim list params`,
 * the JSON Schema and the manual (design rule 8).
 */
#ifndef SCENARIO_PARAMS_H
#define SCENARIO_PARAMS_H

#include "models/config.h"

enum param_type {
	PARAM_INT,
	PARAM_BOOL,
	PARAM_ENUM,     /* one of value_names */
	PARAM_DURATION, /* constant with a unit: 10us */
	PARAM_DIST,     /* duration or distribution */
	PARAM_CPUS,     /* all, none, or a kernel CPU list: 0-3,8 */
	PARAM_TEXT,
	PARAM_TYPE_COUNT
};

/* `offset` of a parameter that has no field of its own: kernel.cmdline, machine.platform. */
#define PARAM_NO_OFFSET SIZE_MAX

struct param_info {
	const char *path; /* "machine.hz" */
	enum param_type type;
	const char *unit;               /* "ns", "jiffies", "Hz" or "" */
	int64_t low, high;              /* inclusive; PARAM_INT and PARAM_DURATION */
	const char *const *value_names; /* PARAM_ENUM: NULL-terminated, value = index */
	const char *default_text;
	const char *help;
	size_t offset; /* in struct model_config; PARAM_NO_OFFSET: none. PARAM_INT and
	                          PARAM_ENUM are int64_t there (event_limit: uint64_t), PARAM_DURATION
	                          sim_time_ns, PARAM_DIST struct dist, PARAM_CPUS struct cpu_mask */
};

/* All parameters in documentation order; *count of them. Built once from static
 * tables (profile cells and platform costs included). */
const struct param_info *param_all(size_t *count);

/* The parameter with that path, or NULL. */
const struct param_info *param_find(const char *path);

/* The path nearest to `text` by edit distance, or NULL when none is near. */
const char *param_nearest(const char *text);

/* "int", "bool", "enum", "duration", "distribution", "CPU list", "text". */
const char *param_type_name(enum param_type type);

/* The rows machine.costs.<name>: the first one; *count of them, in the order of struct platform_costs. */
const struct param_info *param_costs(size_t *count);

#endif
