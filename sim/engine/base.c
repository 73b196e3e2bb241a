/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Error record, broken invariants, and allocation that never returns NULL.
 * Guarded by tests/unit/check_base.c.
 */
#include "sim/engine/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool rs_fail(struct rs_error *err, enum rs_code code, const struct rs_where *at,
	     const char *fmt, ...)
{
	va_list args;

	err->code = code;
	if (at)
		err->at = *at;
	va_start(args, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, args);
	va_end(args);
	return false;
}

void rs_bug(const char *file, int line, const char *fmt, ...)
{
	char text[400];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	/* One write, so that two threads cannot mix their lines. */
	fprintf(stderr, "rcusim: internal error at %s:%d: %s\n", file, line, text);
	exit(RS_INTERNAL);
}

void rs_oom(void)
{
	fputs("rcusim: out of memory\n", stderr);
	abort();
}

void *rs_calloc(size_t count, size_t size)
{
	size_t bytes;
	void *memory;

	if (count == 0 || size == 0)
		count = size = 1;
	if (__builtin_mul_overflow(count, size, &bytes))
		rs_oom();
	memory = calloc(1, bytes);
	if (!memory)
		rs_oom();
	return memory;
}

void *rs_realloc(void *old, size_t size)
{
	void *memory = realloc(old, size ? size : 1);

	if (!memory)
		rs_oom();
	return memory;
}
