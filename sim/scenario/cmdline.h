/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernel command lines as users type them: the parameters RCU and the machine
 * read, applied to a config the way the kernel would.
 */
#ifndef SCENARIO_CMDLINE_H
#define SCENARIO_CMDLINE_H

#include "sim/scenario/load.h"

/* Longest command line, as COMMAND_LINE_SIZE on large architectures. */
#define CMDLINE_BYTES_MAX 4096

/* One parameter that is understood, for lists and documentation. */
struct cmdline_info {
	const char *name;  /* "rcupdate.rcu_expedited" */
	const char *value; /* "0|1", "N jiffies", "CPU list" */
	const char *help;
};

/* The understood parameter number idx, NULL after the last. Static memory. */
const struct cmdline_info *cmdline_info(size_t idx);

/* Where a command line was written, for the place of its errors. */
struct cmdline_text {
	const char *text;
	struct rs_where at;     /* of the first byte of text */
	bool exact;             /* columns may be counted on from `at` */
	struct tree_node *node; /* reported once; NULL: no such guard */
};

/*
 * Applies a command line to config, whose profile and machine.cpus are set.
 * Words that RCU does not read become one note, parameters that the profile
 * lacks a note each; misspelt RCU parameters and bad values are errors.
 */
bool cmdline_apply(struct load *load, const struct cmdline_text *cmdline,
		   struct model_config *config) RS_MUST_CHECK;

#endif
