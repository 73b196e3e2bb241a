/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A streaming JSON writer: nothing is kept but the nesting. Integers are exact,
 * doubles are written with 17 digits (read back bit for bit), NaN and infinity
 * as null, bytes that are not UTF-8 as U+FFFD. Wrong nesting is RS_BUG.
 */
#ifndef OUTPUT_JSON_H
#define OUTPUT_JSON_H

#include <stdio.h>

#include "sim/engine/base.h"

#define JSON_DEPTH_MAX 32

struct json_writer {
	FILE *stream; /* borrowed */
	int depth;
	struct {
		bool is_object;
		bool is_flat; /* on one line */
		bool has_items;
	} level[JSON_DEPTH_MAX];
	bool has_key;  /* a key was written, its value is due */
	bool has_root; /* the document's value was begun */
};

void json_init(struct json_writer *json, FILE *stream);

/* Checks that the document is complete and ends it with a newline. */
void json_finish(struct json_writer *json);

void json_begin_object(struct json_writer *json);
void json_end_object(struct json_writer *json);
void json_begin_array(struct json_writer *json);
/* An array of scalars on one line. Also ended by json_end_array(). */
void json_begin_flat_array(struct json_writer *json);
void json_end_array(struct json_writer *json);

/* The key of the next value; only inside an object. */
void json_key(struct json_writer *json, const char *key);

void json_int(struct json_writer *json, int64_t value);
void json_double(struct json_writer *json, double value);
void json_bool(struct json_writer *json, bool value);
void json_null(struct json_writer *json);
/* NULL is written as null. */
void json_string(struct json_writer *json, const char *text);
void json_string_bytes(struct json_writer *json, const char *text, size_t bytes);
/* 64-bit identities do not fit a double: written as a string of decimal digits. */
void json_u64_string(struct json_writer *json, uint64_t value);

/* key and value in one call. */
void json_key_int(struct json_writer *json, const char *key, int64_t value);
void json_key_double(struct json_writer *json, const char *key, double value);
void json_key_bool(struct json_writer *json, const char *key, bool value);
void json_key_string(struct json_writer *json, const char *key, const char *text);

#endif
