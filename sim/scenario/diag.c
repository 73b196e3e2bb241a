/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of diagnostics. Kept in order of place at insertion, so that a
 * reader sees a file's errors from top to bottom whatever order the decoder
 * found them in. When the list is full the last warning makes room for an
 * error, so a flood of warnings cannot hide why a file was refused.
 */
#include "sim/scenario/diag.h"

#include <stdarg.h>
#include <string.h>

static void copy_text(char *to, size_t to_size, const char *from)
{
	snprintf(to, to_size, "%s", from ? from : "");
}

/*
 * Files keep the order in which they were first seen; that is the main file,
 * then what it refers to.
 */
static bool comes_before(const struct rs_diag *diag, const struct diag_item *a,
			 const struct diag_item *b)
{
	if (strcmp(a->file, b->file) != 0) {
		for (size_t i = 0; i < diag->count; i++) {
			if (strcmp(diag->items[i].file, a->file) == 0)
				return true;
			if (strcmp(diag->items[i].file, b->file) == 0)
				return false;
		}
		return false;
	}
	if (a->line != b->line)
		return a->line < b->line;
	return a->column < b->column;
}

static bool is_same(const struct diag_item *a, const struct diag_item *b)
{
	return a->line == b->line && a->column == b->column && strcmp(a->file, b->file) == 0 &&
	       strcmp(a->text, b->text) == 0;
}

/* Makes room for one item; false: the new one is not kept. */
static bool make_room(struct rs_diag *diag, const struct diag_item *item)
{
	if (diag->count < RS_DIAG_MAX)
		return true;
	diag->dropped++;
	if (item->severity == DIAG_ERROR) {
		for (size_t i = diag->count; i-- > 0;) {
			if (diag->items[i].severity != DIAG_WARNING)
				continue;
			memmove(&diag->items[i], &diag->items[i + 1],
				(diag->count - i - 1) * sizeof(diag->items[0]));
			diag->count--;
			return true;
		}
	}
	const struct diag_item *last = &diag->items[diag->count - 1];
	if (last->severity == DIAG_ERROR && item->severity == DIAG_WARNING)
		return false;
	if (!comes_before(diag, item, last))
		return false;
	diag->count--;
	return true;
}

void diag_add(struct rs_diag *diag, enum diag_severity severity, const struct rs_where *at,
	      const char *hint, const char *fmt, ...)
{
	struct diag_item item;

	memset(&item, 0, sizeof(item));
	item.severity = severity;
	if (at) {
		item.line = at->line;
		item.column = at->column;
		copy_text(item.file, sizeof(item.file), at->file);
	}
	copy_text(item.hint, sizeof(item.hint), hint);
	va_list args;
	va_start(args, fmt);
	vsnprintf(item.text, sizeof(item.text), fmt, args);
	va_end(args);

	for (size_t i = 0; i < diag->count; i++)
		if (is_same(&diag->items[i], &item))
			return;
	if (severity == DIAG_ERROR) {
		diag->error_count++;
		if (diag->code == RS_OK)
			diag->code = RS_BAD_INPUT;
	}
	if (!make_room(diag, &item))
		return;
	size_t pos = diag->count;
	while (pos > 0 && comes_before(diag, &item, &diag->items[pos - 1]))
		pos--;
	memmove(&diag->items[pos + 1], &diag->items[pos],
		(diag->count - pos) * sizeof(diag->items[0]));
	diag->items[pos] = item;
	diag->count++;
}

/* The caret goes under the column; columns count characters, not bytes. */
static void print_source(const struct diag_item *item, FILE *stream)
{
	fprintf(stream, "  %s\n", item->source);
	if (item->column < 1)
		return;
	fputs("  ", stream);
	for (int i = 1; i < item->column; i++)
		fputc(' ', stream);
	fputs("^\n", stream);
}

void diag_print(const struct rs_diag *diag, FILE *stream)
{
	for (size_t i = 0; i < diag->count; i++) {
		const struct diag_item *item = &diag->items[i];

		if (item->file[0])
			fprintf(stream, "%s:", item->file);
		if (item->line > 0)
			fprintf(stream, "%d:", item->line);
		if (item->line > 0 && item->column > 0)
			fprintf(stream, "%d:", item->column);
		fprintf(stream, "%s%s: %s\n", item->file[0] ? " " : "",
			item->severity == DIAG_ERROR ? "error" : "warning", item->text);
		if (item->source[0])
			print_source(item, stream);
		if (item->hint[0])
			fprintf(stream, "  hint: %s\n", item->hint);
	}
	if (diag->dropped)
		fprintf(stream, "and %zu more\n", diag->dropped);
}
