/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random small configs for tests that must hold for every run. */
#ifndef TESTS_MODEL_RANDOM_CONFIG_H
#define TESTS_MODEL_RANDOM_CONFIG_H

#include "models/config.h"
#include "sim/engine/arena.h"

/*
 * Config number `number`: any profile, machine and program; valid, without
 * workload errors, and sure to end. Lives in arena. Same number, same config.
 */
const struct model_config *random_config(struct sim_arena *arena, uint64_t number);

/* One line that says what it is, for failure messages, into buf. */
void random_config_describe(const struct model_config *config, char *buf, size_t size);

#endif
