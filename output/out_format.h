/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers and tables for people: units chosen by size, digits that mean
 * something, aligned columns. Nothing depends on the locale.
 */
#ifndef OUTPUT_OUT_FORMAT_H
#define OUTPUT_OUT_FORMAT_H

#include <stdio.h>

#include "sim/engine/base.h"

/* Text of a number; returned by value. */
struct fmt_text {
	char text[64];
};

/* A unit for times and the decimals to show in it. */
struct fmt_unit {
	const char *name; /* "ns", "us", "ms", "s" */
	double ns;        /* nanoseconds in one */
	int decimals;
};

/* The unit in which a time of that size reads well. */
struct fmt_unit fmt_unit_for(double largest_ns);

/* "6.956 ms", in a given unit or in the one that suits it; 0 has no unit. */
struct fmt_text fmt_ns_in(double ns, struct fmt_unit unit);
struct fmt_text fmt_ns(double ns);

/* "4.210..8.002 ms". */
struct fmt_text fmt_range_ns(double low_ns, double high_ns, struct fmt_unit unit);

/*
 * The mean of a count: no decimals for a whole or large number, else three
 * digits; one digit below 0.1, so that rare is not mistaken for never.
 */
struct fmt_text fmt_count(double value);

/* "18.0 %". */
struct fmt_text fmt_pct(double pct);

/* Columns that text takes on a terminal: code points, no wide characters. */
size_t fmt_width(const char *text);

/* Prints text wrapped at `columns`; later lines begin with `indent` spaces. */
void fmt_wrap(FILE *stream, const char *text, size_t columns, size_t indent);

/* A table of texts. Cells are copied. */
struct grid;

/* left: one character a column, 'l' or 'r' for its alignment. */
struct grid *grid_create(const char *alignment);
void grid_destroy(struct grid *grid);

/* Appends the next cell, left to right, row by row. */
void grid_add(struct grid *grid, const char *text);

/* Fills the rest of the current row with empty cells. */
void grid_end_row(struct grid *grid);

/* Prints the rows, columns two spaces apart, no trailing spaces. */
void grid_print(const struct grid *grid, FILE *stream);

#endif
