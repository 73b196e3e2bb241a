/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of CSV files as in RFC 4180, with \n as the line end. */
#ifndef OUTPUT_CSV_H
#define OUTPUT_CSV_H

#include <stdio.h>

#include "sim/engine/base.h"

/* Writes a field, quoted when it must be. NULL is an empty field. */
void csv_field(FILE *stream, const char *text);

/* Writes a whole row of text fields. */
void csv_row(FILE *stream, const char *const *fields, size_t count);

#endif
