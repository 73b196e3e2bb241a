/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * YAML text -> a tree of nodes that know their place. A strict subset of YAML:
 * UTF-8 only, one document, string keys without duplicates, no tags, no merge
 * keys. Scalars stay texts; whether one is a number is decided by the value
 * readers (values.h), never by YAML's guessing. Limits make hostile input fail
 * early: TREE_BYTES_MAX, TREE_DEPTH_MAX, TREE_NODES_MAX (aliases count as the
 * nodes they stand for), TREE_KEYS_MAX, TREE_ANCHORS_MAX.
 */
#ifndef SCENARIO_YAML_TREE_H
#define SCENARIO_YAML_TREE_H

#include "sim/engine/arena.h"
#include "sim/scenario/diag.h"

#define TREE_BYTES_MAX ((size_t)1 << 20)
#define TREE_DEPTH_MAX 64
#define TREE_NODES_MAX 100000
#define TREE_KEYS_MAX 1000
#define TREE_ANCHORS_MAX 256

enum tree_kind { TREE_SCALAR, TREE_LIST, TREE_MAP };

struct tree_pair;

struct tree_node {
	enum tree_kind kind;
	bool plain;               /* scalars: not quoted, not a block */
	bool faulty;              /* an error about this node was reported; one is enough */
	uint32_t step_id;         /* set by steps_number(); 0: not a step */
	struct rs_where at;       /* file borrowed */
	size_t count;             /* of items or pairs; bytes of text */
	size_t size;              /* nodes in this subtree */
	const char *text;         /* TREE_SCALAR */
	struct tree_node **items; /* TREE_LIST */
	struct tree_pair *pairs;  /* TREE_MAP */
	const char *rendered;     /* cache of tree_render() */
	const char *origin;       /* cache of tree_origin() */
};

struct tree_pair {
	struct tree_node *key; /* always a scalar */
	struct tree_node *value;
};

/* Where a tree comes from. */
struct tree_source {
	const char *file; /* name in messages; borrowed as long as the tree */
	const char *bytes;
	size_t size;
	/* for values inside a longer text, such as what follows "path=": */
	int column_shift; /* added to columns of the first line */
	int line_shift;   /* added to lines */
};

/*
 * Parses source into nodes of arena. *nodes_used is the count so far and is
 * raised; several sources may share it. On failure the errors are in diag,
 * *root is NULL and false is returned. Duplicate and merge keys, tags and the
 * like are reported all at once, a syntax error ends the reading.
 */
bool tree_parse(struct sim_arena *arena, const struct tree_source *source, size_t *nodes_used,
		struct rs_diag *diag, struct tree_node **root) RS_MUST_CHECK;

/* The value of key in a map, or NULL; also NULL if map is NULL or no map. */
struct tree_node *tree_get(const struct tree_node *map, const char *key);

/* The pair of key in a map, or NULL. */
const struct tree_pair *tree_get_pair(const struct tree_node *map, const char *key);

/* Is this the empty plain scalar, as in `key:`? */
bool tree_is_empty(const struct tree_node *node);

/*
 * The node as one line of YAML flow text, cut at 200 bytes. Cached in the node
 * and owned by arena.
 */
const char *tree_render(struct sim_arena *arena, struct tree_node *node);

/* "kvm-2015.yaml:12", or the bare name of what is no file: "--set". Cached, owned by arena. */
const char *tree_origin(struct sim_arena *arena, struct tree_node *node);

/* "a mapping", "a list", "a text" for messages. */
const char *tree_kind_name(const struct tree_node *node);

#endif
