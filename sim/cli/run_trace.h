/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rcusim run --trace: one run of the scenario, written as a trace. */
#ifndef CLI_RUN_TRACE_H
#define CLI_RUN_TRACE_H

#include "sim/cli/options.h"

/*
 * Can the trace be made, and its file opened? To be asked before the
 * experiment. The status: 0, or what was said on stderr.
 */
int run_trace_probe(const struct cli_args *args, const struct scenario *scenario);

/* Makes the traced run again, alone, and writes it. The status. */
int run_trace(const struct cli_args *args, const struct scenario *scenario);

#endif
