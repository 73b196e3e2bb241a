/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arena: all memory of one run. Allocation is a pointer bump; reset makes the
 * whole arena free again and keeps its pages for the next replication, so a
 * replication in the steady state calls malloc() never.
 */
#ifndef ENGINE_ARENA_H
#define ENGINE_ARENA_H

#include "sim/engine/base.h"

struct sim_arena;

/*
 * Creates an empty arena that grows in blocks of at least block_bytes
 * (0: 256 KiB). Never returns NULL. Not thread-safe: one arena per thread.
 */
struct sim_arena *sim_arena_create(size_t block_bytes);

/* Frees the arena and everything in it. NULL is allowed. */
void sim_arena_destroy(struct sim_arena *arena);

/* Makes all memory of the arena free again; pointers into it become invalid. */
void sim_arena_reset(struct sim_arena *arena);

/* Returns `bytes` zeroed bytes aligned to 16; owned by the arena. bytes 0 gives a valid pointer. */
void *sim_arena_alloc(struct sim_arena *arena, size_t bytes);

/* As above, count elements of size bytes each, overflow-checked. */
void *sim_arena_array(struct sim_arena *arena, size_t count, size_t size);

/* As sim_arena_array() but the memory is NOT zeroed. */
void *sim_arena_array_raw(struct sim_arena *arena, size_t count, size_t size);

/* Copies a string into the arena. */
char *sim_arena_strdup(struct sim_arena *arena, const char *text);

/* Bytes handed out since the last reset. */
size_t sim_arena_used_bytes(const struct sim_arena *arena);

#endif
