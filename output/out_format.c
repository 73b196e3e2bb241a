/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and tables for people. Guarded by tests/unit/check_output.c. */
#include "output/out_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fmt_unit fmt_unit_for(double largest_ns)
{
	double size = fabs(largest_ns);

	/* 999.9996 us would be rounded to 1000.000: it is a millisecond. */
	if (size < 999.5)
		return (struct fmt_unit){"ns", 1.0, size < 10.0 ? 1 : 0};
	if (size < 999.9995e3)
		return (struct fmt_unit){"us", 1e3, size < 100e3 ? 2 : 1};
	if (size < 999.9995e6)
		return (struct fmt_unit){"ms", 1e6, size < 100e6 ? 3 : 2};
	return (struct fmt_unit){"s", 1e9, size < 100e9 ? 3 : 1};
}

/* No "-0.000": a value that rounds to zero has no sign. */
static void print_decimals(char *buf, size_t size, double value, int decimals)
{
	snprintf(buf, size, "%.*f", decimals, value);
	if (buf[0] == '-' && strspn(buf + 1, "0.") == strlen(buf + 1))
		memmove(buf, buf + 1, strlen(buf));
}

struct fmt_text fmt_ns_in(double ns, struct fmt_unit unit)
{
	struct fmt_text out = {"0"};
	char number[40];

	if (ns == 0.0)
		return out;
	print_decimals(number, sizeof(number), ns / unit.ns, unit.decimals);
	snprintf(out.text, sizeof(out.text), "%s %s", number, unit.name);
	return out;
}

struct fmt_text fmt_ns(double ns)
{
	return fmt_ns_in(ns, fmt_unit_for(ns));
}

struct fmt_text fmt_range_ns(double low_ns, double high_ns, struct fmt_unit unit)
{
	struct fmt_text out;
	char low[24];
	char high[24];

	print_decimals(low, sizeof(low), low_ns / unit.ns, unit.decimals);
	print_decimals(high, sizeof(high), high_ns / unit.ns, unit.decimals);
	snprintf(out.text, sizeof(out.text), "%s..%s %s", low, high, unit.name);
	return out;
}

struct fmt_text fmt_count(double value)
{
	struct fmt_text out = {""};
	double size = fabs(value);
	int decimals = 2;

	if (size > 0.0 && size < 0.1) {
		snprintf(out.text, sizeof(out.text), "%.1g", value);
		return out;
	}
	if (value == floor(value) || size >= 1000.0)
		decimals = 0;
	else if (size >= 10.0)
		decimals = 1;
	print_decimals(out.text, sizeof(out.text), value, decimals);
	return out;
}

struct fmt_text fmt_pct(double pct)
{
	struct fmt_text out;
	char number[40];

	print_decimals(number, sizeof(number), pct, 1);
	snprintf(out.text, sizeof(out.text), "%s %%", number);
	return out;
}

size_t fmt_width(const char *text)
{
	size_t width = 0;

	for (const char *at = text; *at != '\0'; at++)
		if (((unsigned char)*at & 0xc0u) != 0x80u)
			width++;
	return width;
}

void fmt_wrap(FILE *stream, const char *text, size_t columns, size_t indent)
{
	size_t column = 0;

	while (*text != '\0') {
		size_t length = strcspn(text, " \n");
		char word[512];

		if (length >= sizeof(word))
			length = sizeof(word) - 1;
		memcpy(word, text, length);
		word[length] = '\0';
		text += length;
		text += strspn(text, " \n");
		if (column > 0 && column + 1 + fmt_width(word) > columns) {
			fprintf(stream, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > 0) {
			fputc(' ', stream);
			column++;
		}
		fputs(word, stream);
		column += fmt_width(word);
	}
	fputc('\n', stream);
}

struct grid {
	char *alignment; /* owned */
	size_t columns;
	char **cells; /* owned texts */
	size_t count;
	size_t capacity;
	size_t *widths; /* owned; one for each column */
};

struct grid *grid_create(const char *alignment)
{
	struct grid *grid = rs_calloc(1, sizeof(*grid));

	grid->columns = strlen(alignment);
	RS_REQUIRE(grid->columns > 0);
	grid->alignment = rs_calloc(1, grid->columns + 1);
	memcpy(grid->alignment, alignment, grid->columns);
	grid->widths = rs_calloc(grid->columns, sizeof(*grid->widths));
	return grid;
}

void grid_destroy(struct grid *grid)
{
	if (grid == NULL)
		return;
	for (size_t i = 0; i < grid->count; i++)
		free(grid->cells[i]);
	free(grid->cells);
	free(grid->widths);
	free(grid->alignment);
	free(grid);
}

void grid_add(struct grid *grid, const char *text)
{
	size_t bytes = strlen(text) + 1;
	size_t *width = &grid->widths[grid->count % grid->columns];
	char *copy = rs_calloc(1, bytes);

	memcpy(copy, text, bytes);
	if (grid->count == grid->capacity) {
		grid->capacity = grid->capacity > 0 ? 2 * grid->capacity : 64;
		grid->cells = rs_realloc(grid->cells, grid->capacity * sizeof(*grid->cells));
	}
	grid->cells[grid->count++] = copy;
	if (fmt_width(copy) > *width)
		*width = fmt_width(copy);
}

void grid_end_row(struct grid *grid)
{
	while (grid->count % grid->columns != 0)
		grid_add(grid, "");
}

static void print_spaces(FILE *stream, size_t count)
{
	while (count-- > 0)
		fputc(' ', stream);
}

static void print_row(const struct grid *grid, FILE *stream, size_t first)
{
	size_t pending = 0; /* spaces owed before the next text */

	for (size_t c = 0; c < grid->columns && first + c < grid->count; c++) {
		const char *text = grid->cells[first + c];
		size_t pad = grid->widths[c] - fmt_width(text);

		if (grid->alignment[c] == 'r')
			pending += pad;
		if (text[0] != '\0') {
			print_spaces(stream, pending);
			pending = 0;
			fputs(text, stream);
		}
		if (grid->alignment[c] != 'r')
			pending += pad;
		pending += 2;
	}
	fputc('\n', stream);
}

void grid_print(const struct grid *grid, FILE *stream)
{
	for (size_t first = 0; first < grid->count; first += grid->columns)
		print_row(grid, stream, first);
}
