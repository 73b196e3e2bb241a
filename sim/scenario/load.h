/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Internal to sim/scenario/: the state of one scenario_load(), shared by the
 * files that decode the parts of a scenario.
 */
#ifndef SCENARIO_LOAD_H
#define SCENARIO_LOAD_H

#include "sim/engine/arena.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/yaml_tree.h"

#define LOAD_VARIANTS_MAX 64
#define LOAD_CELLS_MAX 10000
#define LOAD_CONFIGS_MAX 20000 /* cells * variants */
#define LOAD_AXES_MAX 16
#define LOAD_NOTES_MAX 64
#define LOAD_SOURCES_MAX 64
/* Units of work: copied list entries, decoded steps, checked steps. Bounds time and memory. */
#define LOAD_WORK_MAX ((size_t)4000000)

/* A text that places in messages may refer to. */
struct load_source {
	const char *name;
	const char *bytes;
	size_t size;
};

/* A step that got an id. */
struct load_step {
	struct tree_node *node;
	const char *label;
};

struct platform;
struct boot_program;

struct load {
	struct sim_arena *arena;
	struct rs_diag *diag;
	const char *path; /* of the scenario, as in messages */
	const char *platform_dir;
	struct load_source sources[LOAD_SOURCES_MAX];
	size_t source_count;
	size_t nodes_used;
	size_t work_used;
	bool work_reported;
	const char *notes[LOAD_NOTES_MAX];
	size_t note_count;
	struct platform *platforms;    /* list of those read so far */
	struct boot_program *programs; /* list of those decoded so far */
	struct load_step *steps;       /* by step id - 1; malloced */
	size_t step_count;
	size_t step_capacity;
	uint64_t platform_hash; /* over the texts of the platform files read */
};

/*
 * Reports an error about a node, unless one was reported about it before.
 * hint may be NULL. Returns false.
 */
bool load_fault(struct load *load, struct tree_node *node, const char *hint, const char *fmt, ...)
	RS_PRINTF(4, 5);

/* As above for a kind that does not fit: "machine.cpus must be a list, not a mapping". */
bool load_expect(struct load *load, struct tree_node *node, enum tree_kind kind, const char *what);

/* Reports key as unknown, with the nearest of `words` (NULL-terminated) as hint. */
bool load_unknown_key(struct load *load, struct tree_node *key, const char *place,
		      const char *const *words);

/* Adds a note once; texts are copied. */
void load_note(struct load *load, const char *fmt, ...) RS_PRINTF(2, 3);

/* Remembers a text for source lines in messages; borrowed until the load ends. */
void load_add_source(struct load *load, const char *name, const char *bytes, size_t size);

/* Spends work; false (reported once, at `at`) when the scenario is too large. */
bool load_work(struct load *load, size_t units, const struct rs_where *at);

/* Formats into the arena. */
const char *load_text(struct load *load, const char *fmt, ...) RS_PRINTF(2, 3);

/*
 * Reads a file of at most TREE_BYTES_MAX bytes into the arena. On failure the
 * error is in diag at `at` (NULL: about the file itself).
 */
bool load_read_file(struct load *load, const char *path, const struct rs_where *at,
		    const char **bytes, size_t *size) RS_MUST_CHECK;

/* Is this a name: printable ASCII without blanks and quotes, 1 to 64 bytes? Reports if not. */
bool load_name(struct load *load, struct tree_node *node, const char *what,
	       const char **out) RS_MUST_CHECK;

/* FNV-1a 64. Start with LOAD_HASH_START. */
#define LOAD_HASH_START UINT64_C(14695981039346656037)
uint64_t load_hash(uint64_t hash, const void *bytes, size_t size);

#endif
