/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rcusim list platforms: the named sets of costs and where each cost comes from. */
#ifndef CLI_LIST_PLATFORMS_H
#define CLI_LIST_PLATFORMS_H

#include "sim/cli/options.h"

/* Reads the platform files and writes a row for each cost. Returns the exit status. */
int list_platforms(const struct cli_args *args, FILE *stream);

#endif
