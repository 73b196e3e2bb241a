/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a config as a scenario file that `rcusim run` can load. */
#ifndef TESTS_MODEL_CONFIG_DUMP_H
#define TESTS_MODEL_CONFIG_DUMP_H

#include <stdio.h>

#include "models/config.h"

/*
 * One replication of seed. Steps get new numbers when the file is loaded, so a
 * step with a random duration may draw another one; constants are exact.
 */
void config_dump(FILE *out, const struct model_config *config, uint64_t seed, const char *title);

#endif
