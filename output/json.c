/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The streaming JSON writer (RFC 8259). Guarded by tests/unit/check_output.c. */
#include "output/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void json_init(struct json_writer *json, FILE *stream)
{
	memset(json, 0, sizeof(*json));
	json->stream = stream;
}

void json_finish(struct json_writer *json)
{
	RS_REQUIRE(json->depth == 0 && json->has_root && !json->has_key);
	fputc('\n', json->stream);
}

static void indent(struct json_writer *json)
{
	fputc('\n', json->stream);
	for (int i = 0; i < json->depth; i++)
		fputs("  ", json->stream);
}

/* Separates the next item of the current level from the one before. */
static void next_item(struct json_writer *json)
{
	if (json->depth == 0) {
		RS_REQUIRE(!json->has_root);
		json->has_root = true;
		return;
	}
	if (json->level[json->depth - 1].has_items)
		fputc(',', json->stream);
	if (!json->level[json->depth - 1].is_flat)
		indent(json);
	else if (json->level[json->depth - 1].has_items)
		fputc(' ', json->stream);
	json->level[json->depth - 1].has_items = true;
}

/* Called before each value. */
static void begin_value(struct json_writer *json)
{
	if (json->depth > 0 && json->level[json->depth - 1].is_object) {
		RS_REQUIRE(json->has_key);
		json->has_key = false;
		return;
	}
	next_item(json);
}

static void begin_level(struct json_writer *json, bool is_object, bool is_flat)
{
	begin_value(json);
	RS_REQUIRE(json->depth < JSON_DEPTH_MAX);
	json->level[json->depth].is_object = is_object;
	json->level[json->depth].is_flat = is_flat;
	json->level[json->depth].has_items = false;
	json->depth++;
	fputc(is_object ? '{' : '[', json->stream);
}

static void end_level(struct json_writer *json, bool is_object)
{
	RS_REQUIRE(json->depth > 0 && !json->has_key);
	RS_REQUIRE(json->level[json->depth - 1].is_object == is_object);
	json->depth--;
	if (json->level[json->depth].has_items && !json->level[json->depth].is_flat)
		indent(json);
	fputc(is_object ? '}' : ']', json->stream);
}

void json_begin_object(struct json_writer *json)
{
	begin_level(json, true, false);
}

void json_end_object(struct json_writer *json)
{
	end_level(json, true);
}

void json_begin_array(struct json_writer *json)
{
	begin_level(json, false, false);
}

void json_begin_flat_array(struct json_writer *json)
{
	begin_level(json, false, true);
}

void json_end_array(struct json_writer *json)
{
	end_level(json, false);
}

/*
 * Length of the well-formed UTF-8 sequence at text (RFC 3629: shortest form, no
 * surrogates, at most U+10FFFF), 0 if there is none.
 */
static size_t utf8_length(const unsigned char *text, size_t bytes)
{
	unsigned char low = 0x80;
	unsigned char high = 0xbf;
	size_t length;

	if (text[0] < 0x80)
		return 1;
	if (text[0] >= 0xc2 && text[0] <= 0xdf)
		length = 2;
	else if (text[0] >= 0xe0 && text[0] <= 0xef)
		length = 3;
	else if (text[0] >= 0xf0 && text[0] <= 0xf4)
		length = 4;
	else
		return 0;
	if (text[0] == 0xe0)
		low = 0xa0;
	else if (text[0] == 0xed)
		high = 0x9f;
	else if (text[0] == 0xf0)
		low = 0x90;
	else if (text[0] == 0xf4)
		high = 0x8f;
	if (length > bytes || text[1] < low || text[1] > high)
		return 0;
	for (size_t i = 2; i < length; i++)
		if (text[i] < 0x80 || text[i] > 0xbf)
			return 0;
	return length;
}

static void write_ascii(FILE *stream, unsigned char c)
{
	switch (c) {
	case '"':
		fputs("\\\"", stream);
		return;
	case '\\':
		fputs("\\\\", stream);
		return;
	case '\n':
		fputs("\\n", stream);
		return;
	case '\r':
		fputs("\\r", stream);
		return;
	case '\t':
		fputs("\\t", stream);
		return;
	default:
		break;
	}
	if (c < 0x20 || c == 0x7f)
		fprintf(stream, "\\u%04x", (unsigned)c);
	else
		fputc(c, stream);
}

static void write_quoted(FILE *stream, const char *text, size_t bytes)
{
	const unsigned char *at = (const unsigned char *)text;
	const unsigned char *end = at + bytes;

	fputc('"', stream);
	while (at < end) {
		size_t length = utf8_length(at, (size_t)(end - at));

		if (length == 0) {
			fputs("\\ufffd", stream);
			at++;
		} else if (length == 1) {
			write_ascii(stream, *at);
			at++;
		} else {
			fwrite(at, 1, length, stream);
			at += length;
		}
	}
	fputc('"', stream);
}

void json_key(struct json_writer *json, const char *key)
{
	RS_REQUIRE(json->depth > 0 && json->level[json->depth - 1].is_object && !json->has_key);
	next_item(json);
	write_quoted(json->stream, key, strlen(key));
	fputs(": ", json->stream);
	json->has_key = true;
}

void json_int(struct json_writer *json, int64_t value)
{
	begin_value(json);
	fprintf(json->stream, "%" PRId64, value);
}

void json_double(struct json_writer *json, double value)
{
	begin_value(json);
	if (!isfinite(value))
		fputs("null", json->stream);
	else
		fprintf(json->stream, "%.17g", value == 0.0 ? 0.0 : value);
}

void json_bool(struct json_writer *json, bool value)
{
	begin_value(json);
	fputs(value ? "true" : "false", json->stream);
}

void json_null(struct json_writer *json)
{
	begin_value(json);
	fputs("null", json->stream);
}

void json_string(struct json_writer *json, const char *text)
{
	if (text == NULL)
		json_null(json);
	else
		json_string_bytes(json, text, strlen(text));
}

void json_string_bytes(struct json_writer *json, const char *text, size_t bytes)
{
	begin_value(json);
	write_quoted(json->stream, text, bytes);
}

void json_u64_string(struct json_writer *json, uint64_t value)
{
	begin_value(json);
	fprintf(json->stream, "\"%" PRIu64 "\"", value);
}

void json_key_int(struct json_writer *json, const char *key, int64_t value)
{
	json_key(json, key);
	json_int(json, value);
}

void json_key_double(struct json_writer *json, const char *key, double value)
{
	json_key(json, key);
	json_double(json, value);
}

void json_key_bool(struct json_writer *json, const char *key, bool value)
{
	json_key(json, key);
	json_bool(json, value);
}

void json_key_string(struct json_writer *json, const char *key, const char *text)
{
	json_key(json, key);
	json_string(json, text);
}
