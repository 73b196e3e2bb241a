/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Raw text checks. libyaml has its own, but they name byte offsets, read FF FE
 * as UTF-16, and stop short of telling what the user should do.
 */
#include "sim/scenario/utf8.h"

#include <string.h>

/* Length of the character at bytes[0], 0 if it is not valid UTF-8. */
static size_t char_bytes(const unsigned char *s, size_t left)
{
	static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
	size_t length;
	uint32_t code;

	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] < 0xe0)
		length = 2;
	else if (s[0] >= 0xe0 && s[0] < 0xf0)
		length = 3;
	else if (s[0] >= 0xf0 && s[0] < 0xf5)
		length = 4;
	else
		return 0;
	if (length > left)
		return 0;
	code = s[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		code = (code << 6) | (s[i] & 0x3fu);
	}
	if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return 0;
	return length;
}

static bool is_control(unsigned char c)
{
	return (c < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7f;
}

static bool has_utf16_mark(const unsigned char *s, size_t size)
{
	if (size < 2)
		return false;
	return (s[0] == 0xff && s[1] == 0xfe) || (s[0] == 0xfe && s[1] == 0xff);
}

bool utf8_check(const char *file, const char *bytes, size_t size, struct rs_diag *diag)
{
	const unsigned char *s = (const unsigned char *)bytes;
	struct rs_where at = {.file = file, .line = 1, .column = 1};

	if (has_utf16_mark(s, size)) {
		diag_add(diag, DIAG_ERROR, &at, "save the file as UTF-8",
			 "the file is UTF-16, not UTF-8");
		return false;
	}
	for (size_t i = 0; i < size;) {
		size_t length = char_bytes(s + i, size - i);

		if (length == 0) {
			diag_add(diag, DIAG_ERROR, &at, "save the file as UTF-8",
				 "byte 0x%02x is not valid UTF-8", s[i]);
			return false;
		}
		if (is_control(s[i])) {
			diag_add(diag, DIAG_ERROR, &at, NULL,
				 s[i] ? "control character 0x%02x" : "NUL byte (0x%02x)", s[i]);
			return false;
		}
		if (s[i] == '\n') {
			at.line++;
			at.column = 1;
		} else {
			at.column++;
		}
		i += length;
	}
	return true;
}

void utf8_trim(char *text)
{
	size_t length = strlen(text);
	size_t start = length;

	while (start > 0 && ((unsigned char)text[start - 1] & 0xc0) == 0x80)
		start--;
	if (start == 0)
		return;
	start--;
	if (char_bytes((const unsigned char *)text + start, length - start) != length - start &&
	    (unsigned char)text[start] >= 0x80)
		text[start] = '\0';
}

void utf8_copy_line(const char *bytes, size_t size, int line, int column, char *out,
		    size_t out_size)
{
	const char *at = bytes;
	const char *end = bytes + size;

	out[0] = '\0';
	if (line < 1 || column >= (int)out_size - 8)
		return;
	for (int i = 1; i < line; i++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		if (!newline)
			return;
		at = newline + 1;
	}
	size_t used = 0;
	while (at < end && *at != '\n') {
		size_t length = char_bytes((const unsigned char *)at, (size_t)(end - at));

		if (used + (length ? length : 1) >= out_size)
			break;
		if (length == 0 || is_control((unsigned char)*at) || *at == '\t' || *at == '\r') {
			out[used++] = *at == '\t' || *at == '\r' ? ' ' : '?';
			at++;
			continue;
		}
		memcpy(out + used, at, length);
		used += length;
		at += length;
	}
	while (used > 0 && out[used - 1] == ' ')
		used--;
	out[used] = '\0';
	/* The caret would point at nothing when wide characters pushed it out. */
	if (at < end && *at != '\n' && column > (int)(out_size / 4))
		out[0] = '\0';
}
