/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks on raw input text, made before any parser sees it. */
#ifndef SCENARIO_UTF8_H
#define SCENARIO_UTF8_H

#include "sim/scenario/diag.h"

/*
 * Is the input UTF-8 without NUL bytes and control characters (tab, newline,
 * carriage return excepted)? Otherwise the first fault is added to diag.
 */
bool utf8_check(const char *file, const char *bytes, size_t size, struct rs_diag *diag);

/* Drops an incomplete character at the end of a text that was cut. */
void utf8_trim(char *text);

/*
 * Copies line number `line` (from 1) of a text made printable into out. Leaves
 * out empty if there is no such line or `column` lies beyond what fits.
 */
void utf8_copy_line(const char *bytes, size_t size, int line, int column, char *out,
		    size_t out_size);

#endif
