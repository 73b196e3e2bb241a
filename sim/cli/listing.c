/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists in the three formats of every other output. */
#include "sim/cli/listing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "output/csv.h"
#include "output/json.h"
#include "output/out_format.h"
#include "sim/cli/version.h"

struct entry {
	char *text; /* owned; NULL: no value */
	bool is_int;
};

struct listing {
	const char *kind;
	const char *const *columns;
	size_t column_count;
	struct entry *entries; /* owned */
	size_t count;
};

struct listing *listing_create(const char *kind, const char *const *columns)
{
	struct listing *listing = rs_calloc(1, sizeof(*listing));

	listing->kind = kind;
	listing->columns = columns;
	while (columns[listing->column_count] != NULL)
		listing->column_count++;
	return listing;
}

void listing_destroy(struct listing *listing)
{
	if (listing == NULL)
		return;
	for (size_t i = 0; i < listing->count; i++)
		free(listing->entries[i].text);
	free(listing->entries);
	free(listing);
}

static void add_entry(struct listing *listing, const char *text, bool is_int)
{
	struct entry *entry;

	listing->entries =
		rs_realloc(listing->entries, (listing->count + 1) * sizeof(*listing->entries));
	entry = &listing->entries[listing->count++];
	entry->is_int = is_int;
	entry->text = NULL;
	if (text != NULL && text[0] != '\0') {
		size_t bytes = strlen(text) + 1;

		entry->text = rs_calloc(1, bytes);
		memcpy(entry->text, text, bytes);
	}
}

void listing_text(struct listing *listing, const char *text)
{
	add_entry(listing, text, false);
}

void listing_int(struct listing *listing, int64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64, value);
	add_entry(listing, text, true);
}

static const struct entry *entry_at(const struct listing *listing, size_t row, size_t column)
{
	return &listing->entries[row * listing->column_count + column];
}

static size_t row_count(const struct listing *listing)
{
	RS_REQUIRE(listing->count % listing->column_count == 0);
	return listing->count / listing->column_count;
}

static void write_json(const struct listing *listing, FILE *stream)
{
	struct json_writer json;

	json_init(&json, stream);
	json_begin_object(&json);
	json_key_string(&json, "format", "rcusim-list");
	json_key_int(&json, "format_version", 1);
	json_key_string(&json, "tool_version", RCUSIM_VERSION);
	json_key(&json, listing->kind);
	json_begin_array(&json);
	for (size_t r = 0; r < row_count(listing); r++) {
		json_begin_object(&json);
		for (size_t c = 0; c < listing->column_count; c++) {
			const struct entry *entry = entry_at(listing, r, c);

			json_key(&json, listing->columns[c]);
			if (entry->is_int)
				json_int(&json, strtoll(entry->text, NULL, 10));
			else
				json_string(&json, entry->text);
		}
		json_end_object(&json);
	}
	json_end_array(&json);
	json_end_object(&json);
	json_finish(&json);
}

static void write_csv(const struct listing *listing, FILE *stream)
{
	csv_row(stream, listing->columns, listing->column_count);
	for (size_t r = 0; r < row_count(listing); r++) {
		for (size_t c = 0; c < listing->column_count; c++) {
			if (c > 0)
				fputc(',', stream);
			csv_field(stream, entry_at(listing, r, c)->text);
		}
		fputc('\n', stream);
	}
}

static bool is_empty_column(const struct listing *listing, size_t column)
{
	for (size_t r = 0; r < row_count(listing); r++)
		if (entry_at(listing, r, column)->text != NULL)
			return false;
	return true;
}

/* Numbers are aligned right, as long as a column holds nothing else. */
static bool is_number_column(const struct listing *listing, size_t column)
{
	for (size_t r = 0; r < row_count(listing); r++)
		if (!entry_at(listing, r, column)->is_int)
			return false;
	return true;
}

static void write_table(const struct listing *listing, FILE *stream)
{
	char *alignment = rs_calloc(1, listing->column_count + 1);
	size_t columns = 0;
	struct grid *grid;

	for (size_t c = 0; c < listing->column_count; c++)
		if (!is_empty_column(listing, c))
			alignment[columns++] = is_number_column(listing, c) ? 'r' : 'l';
	if (columns > 0) {
		grid = grid_create(alignment);
		for (size_t c = 0; c < listing->column_count; c++)
			if (!is_empty_column(listing, c))
				grid_add(grid, listing->columns[c]);
		for (size_t r = 0; r < row_count(listing); r++) {
			for (size_t c = 0; c < listing->column_count; c++) {
				const struct entry *entry = entry_at(listing, r, c);

				if (!is_empty_column(listing, c))
					grid_add(grid, entry->text != NULL ? entry->text : "");
			}
		}
		grid_print(grid, stream);
		grid_destroy(grid);
	}
	free(alignment);
}

void listing_write(const struct listing *listing, enum out_format format, FILE *stream)
{
	switch (format) {
	case OUT_TABLE:
		write_table(listing, stream);
		return;
	case OUT_CSV:
		write_csv(listing, stream);
		return;
	case OUT_JSON:
		write_json(listing, stream);
		return;
	case OUT_FORMAT_COUNT:
		break;
	}
	RS_BUG("bad enum out_format %d", (int)format);
}
