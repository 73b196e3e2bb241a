/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scalars -> values. Strict on purpose: numbers are decimal, a duration needs
 * its unit, only true and false are booleans, a quoted number is a text. Each
 * reader reports what is wrong (once for a node) and returns false then.
 * `what` names the value in messages: "machine.hz".
 */
#ifndef SCENARIO_VALUES_H
#define SCENARIO_VALUES_H

#include "sim/scenario/load.h"

/* Longest duration a scenario may hold: a million seconds. */
#define VALUE_DURATION_MAX_NS (INT64_C(1000000) * NS_PER_S)

bool value_int(struct load *load, struct tree_node *node, const char *what, int64_t low,
	       int64_t high, int64_t *out) RS_MUST_CHECK;

bool value_bool(struct load *load, struct tree_node *node, const char *what,
		bool *out) RS_MUST_CHECK;

/* A constant: 10us, 1.5ms. Exact to the nanosecond. */
bool value_duration(struct load *load, struct tree_node *node, const char *what, int64_t low_ns,
		    int64_t high_ns, int64_t *out_ns) RS_MUST_CHECK;

/* A positive number without unit: 0.5, 3. */
bool value_number(struct load *load, struct tree_node *node, const char *what,
		  double *out) RS_MUST_CHECK;

/* A constant or {name: parameters}; arrays are put into the arena. */
bool value_dist(struct load *load, struct tree_node *node, const char *what,
		struct dist *out) RS_MUST_CHECK;

/* One of the NULL-terminated names; *out is its index. */
bool value_enum(struct load *load, struct tree_node *node, const char *what,
		const char *const *names, int64_t *out) RS_MUST_CHECK;

/* all, none or a kernel CPU list; CPUs must be below `cpus`. */
bool value_cpus(struct load *load, struct tree_node *node, const char *what, int64_t cpus,
		struct cpu_mask *out) RS_MUST_CHECK;

/* Any text up to bytes_max bytes. */
bool value_text(struct load *load, struct tree_node *node, const char *what, size_t bytes_max,
		const char **out) RS_MUST_CHECK;

/* --- on plain texts, shared with the kernel command line --- */

/* Reads decimal digits with an optional minus sign, nothing else, no leading zeros. */
bool parse_int(const char *text, int64_t *out) RS_MUST_CHECK;

/*
 * A kernel CPU list (Documentation/admin-guide/kernel-parameters.rst): all, N,
 * 0-3,8, 0-7:1/2, where N is the last CPU. CPUs at or beyond `cpus` are not
 * set but flagged in *beyond. False with a static text in *why if malformed.
 */
bool parse_cpu_list(const char *text, int64_t cpus, struct cpu_mask *out, bool *beyond,
		    const char **why) RS_MUST_CHECK;

#endif
