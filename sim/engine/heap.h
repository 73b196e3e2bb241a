/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Order of event keys and the two moves of a 4-ary implicit heap of them. Part
 * of engine.c, apart from it because it knows nothing of events. Inline: these
 * are the inner loops of the engine.
 */
#ifndef ENGINE_HEAP_H
#define ENGINE_HEAP_H

#include "sim/engine/engine.h"

/* E1. Equal times are the rare case: the branch is cheaper than 128-bit arithmetic. */
static inline bool key_less(const struct sim_key *a, const struct sim_key *b)
{
	if (RS_UNLIKELY(a->time_ns == b->time_ns))
		return a->order < b->order;
	return a->time_ns < b->time_ns;
}

static inline struct sim_key *key_least(struct sim_key *a, struct sim_key *b)
{
	if (RS_UNLIKELY(a->time_ns == b->time_ns))
		return b->order < a->order ? b : a;
	return b->time_ns < a->time_ns ? b : a;
}

/*
 * Puts key into the empty cell i, whose subtree is a heap. Works on byte
 * offsets: the children of the cell at offset x begin at 4x + 16.
 */
static inline void heap_sift_down(struct sim_key *heap, size_t n, size_t i, struct sim_key key)
{
	char *base = (char *)heap;
	char *end = (char *)(heap + n);
	struct sim_key *cell = heap + i;
	char *child;

	while ((child = base + 4 * ((char *)cell - base) + sizeof(key)) < end) {
		struct sim_key *group = (struct sim_key *)(void *)child;
		struct sim_key *least = key_least(key_least(group, group + 1),
						  key_least(group + 2, group + 3));

		if (!key_less(least, &key))
			break;
		*cell = *least;
		cell = least;
	}
	*cell = key;
}

/* Puts key into the empty last cell i. */
static inline void heap_sift_up(struct sim_key *heap, size_t i, struct sim_key key)
{
	while (i > 0) {
		size_t parent = (i - 1) / 4;

		if (!key_less(&key, &heap[parent]))
			break;
		heap[i] = heap[parent];
		i = parent;
	}
	heap[i] = key;
}

#endif
