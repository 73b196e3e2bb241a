/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of things with named columns, written as a table, CSV or JSON. */
#ifndef CLI_LISTING_H
#define CLI_LISTING_H

#include "output/output.h"

struct listing;

/* columns: NULL-terminated names, borrowed (static). kind: what a row is, for JSON: "metrics". */
struct listing *listing_create(const char *kind, const char *const *columns);
void listing_destroy(struct listing *listing);

/* The next cell, left to right, row by row. NULL or empty: no value (null in JSON). Copied. */
void listing_text(struct listing *listing, const char *text);
void listing_int(struct listing *listing, int64_t value);

/* Writes the rows. All columns; the table leaves out columns in which nothing stands. */
void listing_write(const struct listing *listing, enum out_format format, FILE *stream);

#endif
