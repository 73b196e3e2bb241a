/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bump allocator over a chain of blocks. A reset that finds more than one block
 * replaces them by one of their total size: the next replication, which needs
 * about as much, then runs in one contiguous block and never calls malloc().
 * Guarded by tests/unit/check_arena.c.
 */
#include "sim/engine/arena.h"

#include <stdlib.h>
#include <string.h>

#define ARENA_ALIGN 16u
#define ARENA_BLOCK_BYTES (256u * 1024u)

struct arena_block {
	struct arena_block *next; /* owned; the older block */
	unsigned char *data;      /* first aligned byte of this block */
	size_t size_bytes;        /* usable bytes at data */
};

struct sim_arena {
	struct arena_block *block; /* owned; newest block, the one allocated from */
	size_t fill_bytes;         /* handed out of the newest block */
	size_t used_bytes;         /* handed out of all blocks since the reset */
	size_t total_bytes;        /* usable bytes of all blocks */
	size_t block_bytes;        /* least size of a new block */
};

static void arena_block_add(struct sim_arena *arena, size_t bytes)
{
	struct arena_block *block;
	uintptr_t start;

	if (bytes > SIZE_MAX - sizeof(*block) - ARENA_ALIGN)
		rs_oom();
	block = rs_realloc(NULL, sizeof(*block) + ARENA_ALIGN + bytes);
	start = (uintptr_t)(block + 1);
	block->data = (unsigned char *)(block + 1) + (ARENA_ALIGN - start % ARENA_ALIGN) % ARENA_ALIGN;
	block->size_bytes = bytes;
	block->next = arena->block;
	arena->block = block;
	arena->fill_bytes = 0;
	arena->total_bytes += bytes;
}

static void arena_blocks_free(struct sim_arena *arena)
{
	while (arena->block) {
		struct arena_block *next = arena->block->next;

		free(arena->block);
		arena->block = next;
	}
	arena->total_bytes = 0;
}

static size_t arena_round_up(size_t bytes)
{
	if (bytes > SIZE_MAX - ARENA_ALIGN)
		rs_oom();
	return (bytes + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
}

static void *arena_bump(struct sim_arena *arena, size_t bytes)
{
	size_t need_bytes = arena_round_up(bytes);
	void *memory;

	if (need_bytes > arena->block->size_bytes - arena->fill_bytes)
		arena_block_add(arena, need_bytes > arena->block_bytes ? need_bytes
								       : arena->block_bytes);
	memory = arena->block->data + arena->fill_bytes;
	arena->fill_bytes += need_bytes;
	arena->used_bytes += need_bytes;
	return memory;
}

struct sim_arena *sim_arena_create(size_t block_bytes)
{
	struct sim_arena *arena = rs_calloc(1, sizeof(*arena));

	arena->block_bytes = arena_round_up(block_bytes ? block_bytes : ARENA_BLOCK_BYTES);
	arena_block_add(arena, arena->block_bytes);
	return arena;
}

void sim_arena_destroy(struct sim_arena *arena)
{
	if (!arena)
		return;
	arena_blocks_free(arena);
	free(arena);
}

void sim_arena_reset(struct sim_arena *arena)
{
	if (arena->block->next) {
		size_t total_bytes = arena->total_bytes;

		arena_blocks_free(arena);
		arena_block_add(arena, total_bytes);
	}
	arena->fill_bytes = 0;
	arena->used_bytes = 0;
}

void *sim_arena_alloc(struct sim_arena *arena, size_t bytes)
{
	void *memory = arena_bump(arena, bytes);

	memset(memory, 0, bytes);
	return memory;
}

void *sim_arena_array(struct sim_arena *arena, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		rs_oom();
	return sim_arena_alloc(arena, bytes);
}

void *sim_arena_array_raw(struct sim_arena *arena, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		rs_oom();
	return arena_bump(arena, bytes);
}

char *sim_arena_strdup(struct sim_arena *arena, const char *text)
{
	size_t bytes = strlen(text) + 1;
	char *copy = arena_bump(arena, bytes);

	memcpy(copy, text, bytes);
	return copy;
}

size_t sim_arena_used_bytes(const struct sim_arena *arena)
{
	return arena->used_bytes;
}
