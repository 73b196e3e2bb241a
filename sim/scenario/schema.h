/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON Schema of the scenario format, for editors that complete and check YAML. */
#ifndef SCENARIO_SCHEMA_H
#define SCENARIO_SCHEMA_H

#include <stdio.h>

/* Writes a draft-07 JSON Schema made from the tables of parameters, steps and metrics. */
void schema_write(FILE *out);

#endif
