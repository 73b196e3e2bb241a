/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tree with all overrides in place -> one model_config and its settings. */
#ifndef SCENARIO_DECODE_H
#define SCENARIO_DECODE_H

#include "sim/scenario/overrides.h"

struct decode_request {
	struct tree_node *root;
	const char *extra_cmdline; /* --cmdline; NULL: none */
	/* Overrides in force, for the settings of paths that are no parameters. */
	const struct override_list *overrides[3];
	size_t override_count;
};

/*
 * Decodes into *config. False after errors, which are in load->diag. Rules
 * over several parameters are not checked here (model_config_check()).
 * settings NULL: not wanted.
 */
bool decode_config(struct load *load, const struct decode_request *request,
		   struct model_config *config, const struct scenario_setting **settings,
		   size_t *setting_count, size_t *total_steps) RS_MUST_CHECK;

#endif
