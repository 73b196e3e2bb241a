/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Diagnostics of input files: accumulated, sorted by place, printed with the
 * source line and a caret. At most RS_DIAG_MAX are kept; the rest are counted.
 */
#ifndef SCENARIO_DIAG_H
#define SCENARIO_DIAG_H

#include <stdio.h>

#include "sim/engine/base.h"

#define RS_DIAG_MAX 20

enum diag_severity { DIAG_ERROR, DIAG_WARNING };

struct diag_item {
	enum diag_severity severity;
	int line, column; /* from 1; 0: whole file */
	char file[256];
	char text[400];
	char hint[200];   /* "did you mean 'machine.hz'?"; empty if none */
	char source[200]; /* the source line, made printable; empty if unknown */
};

struct rs_diag {
	struct diag_item items[RS_DIAG_MAX];
	size_t count;
	size_t error_count; /* errors seen, kept or not */
	size_t dropped;     /* items not kept */
	enum rs_code code;  /* RS_OK, RS_BAD_INPUT, RS_NO_FILE */
};

/* Adds one item; hint may be NULL. The source line is filled by the loader. */
void diag_add(struct rs_diag *diag, enum diag_severity severity, const struct rs_where *at,
	      const char *hint, const char *fmt, ...) RS_PRINTF(5, 6);

/* Prints all items, `file:line:col: error: text`, source line, caret, hint. */
void diag_print(const struct rs_diag *diag, FILE *stream);

#endif
