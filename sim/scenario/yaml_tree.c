/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libyaml events -> tree. The event interface is used, not the document one:
 * it allows limits to be checked before memory is spent, expands aliases under
 * our node limit, and shows duplicate keys, tags and second documents, all of
 * which yaml_parser_load() passes silently.
 */
#include "sim/scenario/yaml_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "sim/scenario/utf8.h"

struct frame {
	struct tree_node *node;
	struct tree_node **children; /* owned; for maps key, value, key, ... */
	size_t count;
	size_t capacity;
	size_t anchor; /* index + 1 into anchors; 0: none */
};

struct anchor {
	char name[64];
	struct tree_node *node; /* NULL while its node is still open */
};

struct builder {
	struct sim_arena *arena;
	const struct tree_source *source;
	size_t *nodes_used;
	struct rs_diag *diag;
	struct tree_node *root;
	struct frame stack[TREE_DEPTH_MAX];
	size_t depth;
	struct anchor anchors[TREE_ANCHORS_MAX];
	size_t anchor_count;
	size_t errors_before;
	bool stopped; /* a limit was passed: nothing more is read */
};

static struct rs_where where_of(const struct builder *b, const yaml_mark_t *mark)
{
	struct rs_where at = {.file = b->source->file,
			      .line = (int)mark->line + 1,
			      .column = (int)mark->column + 1};

	if (mark->line == 0)
		at.column += b->source->column_shift;
	at.line += b->source->line_shift;
	return at;
}

static void stop(struct builder *b, const struct rs_where *at, const char *hint, const char *text)
{
	diag_add(b->diag, DIAG_ERROR, at, hint, "%s", text);
	b->stopped = true;
}

static bool count_nodes(struct builder *b, size_t size, const struct rs_where *at)
{
	if (*b->nodes_used + size > TREE_NODES_MAX) {
		stop(b, at, "limits: 100000 values, aliases counted as what they stand for",
		     "too many values in one scenario");
		return false;
	}
	*b->nodes_used += size;
	return true;
}

static void add_child(struct builder *b, struct tree_node *node)
{
	if (b->depth == 0) {
		b->root = node;
		return;
	}
	struct frame *top = &b->stack[b->depth - 1];

	if (top->count == top->capacity) {
		top->capacity = top->capacity ? top->capacity * 2 : 8;
		top->children = rs_realloc(top->children, top->capacity * sizeof(*top->children));
	}
	top->children[top->count++] = node;
}

/* Remembers an anchor; returns its index + 1, 0 if there is none. */
static size_t add_anchor(struct builder *b, const yaml_char_t *name, const struct rs_where *at)
{
	if (!name || b->stopped)
		return 0;
	const char *text = (const char *)name;

	if (b->anchor_count == TREE_ANCHORS_MAX || strlen(text) >= sizeof(b->anchors[0].name)) {
		stop(b, at, NULL, "too many anchors, or an anchor's name is too long");
		return 0;
	}
	struct anchor *anchor = &b->anchors[b->anchor_count++];

	memcpy(anchor->name, text, strlen(text) + 1);
	anchor->node = NULL;
	return b->anchor_count;
}

static void reject_tag(struct builder *b, const yaml_char_t *tag, const struct rs_where *at)
{
	if (tag)
		diag_add(b->diag, DIAG_ERROR, at, "remove it; types follow from the key",
			 "tag '%.60s' is not allowed", (const char *)tag);
}

static struct tree_node *new_node(struct builder *b, enum tree_kind kind, const struct rs_where *at)
{
	struct tree_node *node = sim_arena_alloc(b->arena, sizeof(*node));

	node->kind = kind;
	node->at = *at;
	node->size = 1;
	return node;
}

/* Copies a subtree, so that each place of an alias is a node of its own. */
static struct tree_node *copy_node(struct builder *b, const struct tree_node *from)
{
	struct tree_node *to = sim_arena_alloc(b->arena, sizeof(*to));

	*to = *from;
	if (from->kind == TREE_LIST) {
		to->items = sim_arena_array(b->arena, from->count, sizeof(*to->items));
		for (size_t i = 0; i < from->count; i++)
			to->items[i] = copy_node(b, from->items[i]);
	} else if (from->kind == TREE_MAP) {
		to->pairs = sim_arena_array(b->arena, from->count, sizeof(*to->pairs));
		for (size_t i = 0; i < from->count; i++) {
			to->pairs[i].key = copy_node(b, from->pairs[i].key);
			to->pairs[i].value = copy_node(b, from->pairs[i].value);
		}
	}
	return to;
}

static void on_alias(struct builder *b, const yaml_event_t *event, const struct rs_where *at)
{
	const char *name = (const char *)event->data.alias.anchor;
	const struct anchor *found = NULL;

	for (size_t i = b->anchor_count; i-- > 0 && !found;)
		if (strcmp(b->anchors[i].name, name) == 0)
			found = &b->anchors[i];
	if (!found || !found->node) {
		diag_add(b->diag, DIAG_ERROR, at, NULL,
			 found ? "alias '*%.60s' stands inside its own anchor"
			       : "no anchor '&%.60s' before this alias",
			 name);
		b->stopped = true;
		return;
	}
	if (count_nodes(b, found->node->size, at))
		add_child(b, copy_node(b, found->node));
}

static void on_scalar(struct builder *b, const yaml_event_t *event, const struct rs_where *at)
{
	const char *text = (const char *)event->data.scalar.value;
	size_t length = event->data.scalar.length;

	if (!count_nodes(b, 1, at))
		return;
	reject_tag(b, event->data.scalar.tag, at);
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];
		if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) {
			diag_add(b->diag, DIAG_ERROR, at, NULL,
				 "control character 0x%02x in a text", c);
			break;
		}
	}
	struct tree_node *node = new_node(b, TREE_SCALAR, at);
	char *copy = sim_arena_alloc(b->arena, length + 1);

	memcpy(copy, text, length);
	node->text = copy;
	node->count = length;
	node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	size_t anchor = add_anchor(b, event->data.scalar.anchor, at);
	if (anchor)
		b->anchors[anchor - 1].node = node;
	add_child(b, node);
}

static void on_open(struct builder *b, enum tree_kind kind, const yaml_char_t *anchor,
		    const yaml_char_t *tag, const struct rs_where *at)
{
	if (b->depth == TREE_DEPTH_MAX) {
		stop(b, at, NULL, "nested more than 64 deep");
		return;
	}
	if (!count_nodes(b, 1, at))
		return;
	reject_tag(b, tag, at);
	struct frame *frame = &b->stack[b->depth];

	frame->node = new_node(b, kind, at);
	frame->count = 0;
	frame->anchor = add_anchor(b, anchor, at);
	b->depth++;
}

/* Is this pair one to keep? Reports keys that are no text, `<<` and duplicates. */
static bool key_is_good(struct builder *b, const struct tree_node *map, const struct tree_node *key)
{
	if (key->kind != TREE_SCALAR) {
		diag_add(b->diag, DIAG_ERROR, &key->at, NULL, "a key must be a text, not %s",
			 tree_kind_name(key));
		return false;
	}
	if (key->plain && strcmp(key->text, "<<") == 0) {
		diag_add(b->diag, DIAG_ERROR, &key->at, "write the keys out, or use variants",
			 "merge key '<<' is not allowed");
		return false;
	}
	const struct tree_pair *first = tree_get_pair(map, key->text);

	if (first) {
		diag_add(b->diag, DIAG_ERROR, &key->at, NULL,
			 "duplicate key '%.60s', first on line %d", key->text, first->key->at.line);
		return false;
	}
	return true;
}

static void close_map(struct builder *b, struct frame *frame)
{
	struct tree_node *node = frame->node;

	if (frame->count / 2 > TREE_KEYS_MAX) {
		stop(b, &node->at, NULL, "more than 1000 keys in one mapping");
		return;
	}
	node->pairs = sim_arena_array(b->arena, frame->count / 2, sizeof(*node->pairs));
	for (size_t i = 0; i + 1 < frame->count; i += 2) {
		struct tree_node *key = frame->children[i];
		struct tree_node *value = frame->children[i + 1];

		if (!key_is_good(b, node, key))
			continue;
		node->pairs[node->count].key = key;
		node->pairs[node->count].value = value;
		node->count++;
		node->size += key->size + value->size;
	}
}

static void on_close(struct builder *b)
{
	b->depth--;
	struct frame *frame = &b->stack[b->depth];
	struct tree_node *node = frame->node;

	if (node->kind == TREE_MAP) {
		close_map(b, frame);
	} else {
		node->count = frame->count;
		node->items = sim_arena_array(b->arena, frame->count, sizeof(*node->items));
		for (size_t i = 0; i < frame->count; i++) {
			node->items[i] = frame->children[i];
			node->size += frame->children[i]->size;
		}
	}
	if (frame->anchor)
		b->anchors[frame->anchor - 1].node = node;
	add_child(b, node);
}

/* Acts on one event; false: the end. */
static bool on_event(struct builder *b, const yaml_event_t *event)
{
	struct rs_where at = where_of(b, &event->start_mark);

	switch (event->type) {
	case YAML_NO_EVENT:
	case YAML_STREAM_START_EVENT:
	case YAML_DOCUMENT_END_EVENT:
		return true;
	case YAML_STREAM_END_EVENT:
		return false;
	case YAML_DOCUMENT_START_EVENT:
		if (b->root)
			stop(b, &at, "one scenario in each file", "a second document starts here");
		return true;
	case YAML_ALIAS_EVENT:
		on_alias(b, event, &at);
		return true;
	case YAML_SCALAR_EVENT:
		on_scalar(b, event, &at);
		return true;
	case YAML_SEQUENCE_START_EVENT:
		on_open(b, TREE_LIST, event->data.sequence_start.anchor,
			event->data.sequence_start.tag, &at);
		return true;
	case YAML_MAPPING_START_EVENT:
		on_open(b, TREE_MAP, event->data.mapping_start.anchor,
			event->data.mapping_start.tag, &at);
		return true;
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		on_close(b);
		return true;
	}
	return false;
}

static void report_syntax(struct builder *b, const yaml_parser_t *parser)
{
	struct rs_where at = where_of(b, &parser->problem_mark);
	char hint[120] = "";

	if (parser->error == YAML_MEMORY_ERROR)
		rs_oom();
	if (parser->context)
		snprintf(hint, sizeof(hint), "%s on line %zu", parser->context,
			 parser->context_mark.line + 1);
	if (parser->error == YAML_READER_ERROR)
		at.line = at.column = 0;
	diag_add(b->diag, DIAG_ERROR, &at, hint[0] ? hint : NULL, "not valid YAML: %s",
		 parser->problem ? parser->problem : "unknown problem");
}

static void read_events(struct builder *b, const char *bytes, size_t size)
{
	yaml_parser_t parser;
	bool more = true;

	if (!yaml_parser_initialize(&parser))
		rs_oom();
	/* Forced: libyaml would take FF FE for UTF-16. */
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, size);
	while (more && !b->stopped) {
		yaml_event_t event;

		if (!yaml_parser_parse(&parser, &event)) {
			report_syntax(b, &parser);
			break;
		}
		more = on_event(b, &event);
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
}

bool tree_parse(struct sim_arena *arena, const struct tree_source *source, size_t *nodes_used,
		struct rs_diag *diag, struct tree_node **root)
{
	size_t errors_before = diag->error_count;

	*root = NULL;
	if (!utf8_check(source->file, source->bytes, source->size, diag))
		return false;
	const char *bytes = source->bytes;
	size_t size = source->size;

	if (size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
		bytes += 3;
		size -= 3;
	}
	struct builder *b = rs_calloc(1, sizeof(*b));

	b->arena = arena;
	b->source = source;
	b->nodes_used = nodes_used;
	b->diag = diag;
	read_events(b, bytes, size);
	if (!b->root && diag->error_count == errors_before) {
		struct rs_where at = {.file = source->file,
				      .line = 1 + source->line_shift,
				      .column = 1 + source->column_shift};
		diag_add(diag, DIAG_ERROR, &at, NULL, "there is nothing in it");
	}
	if (diag->error_count == errors_before)
		*root = b->root;
	for (size_t i = 0; i < TREE_DEPTH_MAX; i++)
		free(b->stack[i].children);
	free(b);
	return *root != NULL;
}

const struct tree_pair *tree_get_pair(const struct tree_node *map, const char *key)
{
	if (!map || map->kind != TREE_MAP)
		return NULL;
	for (size_t i = 0; i < map->count; i++)
		if (strcmp(map->pairs[i].key->text, key) == 0)
			return &map->pairs[i];
	return NULL;
}

struct tree_node *tree_get(const struct tree_node *map, const char *key)
{
	const struct tree_pair *pair = tree_get_pair(map, key);

	return pair ? pair->value : NULL;
}

bool tree_is_empty(const struct tree_node *node)
{
	return node->kind == TREE_SCALAR && node->plain && node->count == 0;
}

const char *tree_kind_name(const struct tree_node *node)
{
	switch (node->kind) {
	case TREE_MAP:
		return "a mapping";
	case TREE_LIST:
		return "a list";
	case TREE_SCALAR:
		break;
	}
	return node->plain ? "a value" : "a quoted text";
}

struct render {
	char text[201];
	size_t length;
};

static void put(struct render *r, const char *text)
{
	while (*text && r->length < sizeof(r->text) - 1)
		r->text[r->length++] = *text++;
}

static void render_node(struct render *r, const struct tree_node *node)
{
	if (r->length == sizeof(r->text) - 1)
		return;
	switch (node->kind) {
	case TREE_SCALAR:
		put(r, node->text);
		break;
	case TREE_LIST:
		put(r, "[");
		for (size_t i = 0; i < node->count && r->length < sizeof(r->text) - 1; i++) {
			put(r, i ? ", " : "");
			render_node(r, node->items[i]);
		}
		put(r, "]");
		break;
	case TREE_MAP:
		put(r, "{");
		for (size_t i = 0; i < node->count && r->length < sizeof(r->text) - 1; i++) {
			put(r, i ? ", " : "");
			render_node(r, node->pairs[i].key);
			put(r, ": ");
			render_node(r, node->pairs[i].value);
		}
		put(r, "}");
		break;
	}
}

const char *tree_render(struct sim_arena *arena, struct tree_node *node)
{
	if (!node->rendered) {
		struct render r = {.length = 0};

		render_node(&r, node);
		r.text[r.length] = '\0';
		utf8_trim(r.text);
		node->rendered = sim_arena_strdup(arena, r.text);
	}
	return node->rendered;
}

const char *tree_origin(struct sim_arena *arena, struct tree_node *node)
{
	char text[300];
	const char *file = node->at.file ? node->at.file : "";
	const char *slash = strrchr(file, '/');

	if (node->origin)
		return node->origin;
	if (file[0] == '-')
		snprintf(text, sizeof(text), "%s", file);
	else
		snprintf(text, sizeof(text), "%.255s:%d", slash ? slash + 1 : file, node->at.line);
	node->origin = sim_arena_strdup(arena, text);
	return node->origin;
}
