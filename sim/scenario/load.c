/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all decoders of a scenario share: errors, notes, limits, files. */
#include "sim/scenario/load.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scenario/suggest.h"

static void format(char *out, size_t out_size, const char *fmt, va_list args) RS_PRINTF(3, 0);

static void format(char *out, size_t out_size, const char *fmt, va_list args)
{
	vsnprintf(out, out_size, fmt, args);
}

bool load_fault(struct load *load, struct tree_node *node, const char *hint, const char *fmt, ...)
{
	char text[400];
	va_list args;

	if (node->faulty)
		return false;
	node->faulty = true;
	va_start(args, fmt);
	format(text, sizeof(text), fmt, args);
	va_end(args);
	diag_add(load->diag, DIAG_ERROR, &node->at, hint, "%s", text);
	return false;
}

bool load_expect(struct load *load, struct tree_node *node, enum tree_kind kind, const char *what)
{
	static const char *const names[] = {"one value", "a list", "a mapping"};

	if (node->kind == kind)
		return true;
	if (tree_is_empty(node))
		return load_fault(load, node, NULL, "%s has no value; it must be %s", what,
				  names[kind]);
	return load_fault(load, node, NULL, "%s must be %s, not %s", what, names[kind],
			  tree_kind_name(node));
}

bool load_unknown_key(struct load *load, struct tree_node *key, const char *place,
		      const char *const *words)
{
	struct suggest suggest;
	char hint[120];

	suggest_begin(&suggest, key->text);
	for (size_t i = 0; words[i]; i++)
		suggest_offer(&suggest, words[i]);
	suggest_hint(&suggest, hint, sizeof(hint));
	return load_fault(load, key, hint, "unknown key '%.60s'%s%s", key->text,
			  place[0] ? " in " : "", place);
}

void load_note(struct load *load, const char *fmt, ...)
{
	char text[1000];
	va_list args;

	va_start(args, fmt);
	format(text, sizeof(text), fmt, args);
	va_end(args);
	for (size_t i = 0; i < load->note_count; i++)
		if (strcmp(load->notes[i], text) == 0)
			return;
	if (load->note_count < LOAD_NOTES_MAX)
		load->notes[load->note_count++] = sim_arena_strdup(load->arena, text);
}

void load_add_source(struct load *load, const char *name, const char *bytes, size_t size)
{
	if (load->source_count == LOAD_SOURCES_MAX)
		return;
	struct load_source *source = &load->sources[load->source_count++];

	source->name = name;
	source->bytes = bytes;
	source->size = size;
}

bool load_work(struct load *load, size_t units, const struct rs_where *at)
{
	if (load->work_reported)
		return false;
	if (units <= LOAD_WORK_MAX - load->work_used) {
		load->work_used += units;
		return true;
	}
	load->work_reported = true;
	diag_add(load->diag, DIAG_ERROR, at, "use fewer cells, variants or steps",
		 "the scenario is too large: its cells, variants and steps multiply");
	return false;
}

const char *load_text(struct load *load, const char *fmt, ...)
{
	char text[1000];
	va_list args;

	va_start(args, fmt);
	format(text, sizeof(text), fmt, args);
	va_end(args);
	return sim_arena_strdup(load->arena, text);
}

bool load_read_file(struct load *load, const char *path, const struct rs_where *at,
		    const char **bytes, size_t *size)
{
	struct rs_where whole = {.file = path};
	FILE *stream = fopen(path, "rb");
	char *buffer = NULL;
	bool ok = false;

	*bytes = NULL;
	*size = 0;
	if (!stream) {
		diag_add(load->diag, DIAG_ERROR, at ? at : &whole, NULL, "cannot open '%s': %s",
			 path, strerror(errno));
		if (!at)
			load->diag->code = RS_NO_FILE;
		return false;
	}
	buffer = rs_realloc(NULL, TREE_BYTES_MAX + 1);
	size_t length = fread(buffer, 1, TREE_BYTES_MAX + 1, stream);
	if (ferror(stream)) {
		diag_add(load->diag, DIAG_ERROR, at ? at : &whole, NULL, "cannot read '%s': %s",
			 path, strerror(errno));
		if (!at)
			load->diag->code = RS_NO_FILE;
	} else if (length > TREE_BYTES_MAX) {
		diag_add(load->diag, DIAG_ERROR, at ? at : &whole, NULL,
			 "'%s' is larger than 1 MiB", path);
	} else {
		char *copy = sim_arena_array_raw(load->arena, length + 1, 1);

		memcpy(copy, buffer, length);
		copy[length] = '\0';
		*bytes = copy;
		*size = length;
		ok = true;
	}
	free(buffer);
	fclose(stream);
	return ok;
}

bool load_name(struct load *load, struct tree_node *node, const char *what, const char **out)
{
	*out = "";
	if (!load_expect(load, node, TREE_SCALAR, what))
		return false;
	if (node->count == 0 || node->count > 64)
		return load_fault(load, node, NULL, "%s must have 1 to 64 characters", what);
	for (size_t i = 0; i < node->count; i++) {
		unsigned char c = (unsigned char)node->text[i];

		if (c <= 0x20 || c > 0x7e || c == '"' || c == '\'' || c == ',')
			return load_fault(load, node, "use letters, digits, '-' and '_'",
					  "%s may not hold blanks, quotes, commas or non-ASCII",
					  what);
	}
	*out = node->text;
	return true;
}

uint64_t load_hash(uint64_t hash, const void *bytes, size_t size)
{
	const unsigned char *byte = bytes;

	for (size_t i = 0; i < size; i++) {
		hash ^= byte[i];
		hash *= UINT64_C(1099511628211);
	}
	return hash;
}
