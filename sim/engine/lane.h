/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lane as a chain of blocks (Q6 of engine_internal.h): the moves that need no
 * other part of the queue. Part of engine.c, which keeps the lane's key in the
 * front. Blocks instead of one ring that doubles: the memory of a lane is that
 * of its events, and blocks it has done with serve the other lanes.
 */
#ifndef ENGINE_LANE_H
#define ENGINE_LANE_H

#include "sim/engine/engine.h"

#define LANE_EVENTS_MAX (1u << SIM_SLOT_BITS)

static inline struct sim_lane_event **lane_block(const struct sim_lane *lane, uint32_t n)
{
	return &lane->blocks[n & ((1u << lane->blocks_log2) - 1)];
}

/* Events between the start of the first block and the head. */
static inline size_t lane_passed(const struct sim_lane *lane)
{
	return (size_t)(lane->head - *lane_block(lane, lane->first_block));
}

/* Events of the lane, dead ones included. */
static inline size_t lane_count(const struct sim_lane *lane)
{
	size_t in_last = (size_t)(lane->tail - *lane_block(lane, lane->last_block));

	return (size_t)(lane->last_block - lane->first_block) * SIM_BLOCK_EVENTS + in_last -
	       lane_passed(lane);
}

/* The i-th event from the head. */
static inline struct sim_lane_event *lane_event(const struct sim_lane *lane, size_t i)
{
	size_t at = lane_passed(lane) + i;
	uint32_t n = lane->first_block + (uint32_t)(at / SIM_BLOCK_EVENTS);

	return *lane_block(lane, n) + at % SIM_BLOCK_EVENTS;
}

static inline struct sim_lane_event *block_take(struct sim_engine *engine)
{
	struct sim_lane_event *block = engine->free_blocks;

	if (block)
		engine->free_blocks = block->ptr;
	else
		block = sim_arena_array_raw(engine->arena, SIM_BLOCK_CELLS, sizeof(*block));
	block[SIM_BLOCK_EVENTS].key.time_ns = UINT64_MAX;
	return block;
}

static inline void block_give(struct sim_engine *engine, struct sim_lane_event *block)
{
	block->ptr = engine->free_blocks;
	engine->free_blocks = block;
}

/* Moves the head from the end of a block to the next one. Returns whether there is one. */
static inline bool lane_next_block(struct sim_engine *engine, struct sim_lane *lane)
{
	if (lane->first_block == lane->last_block || lane_passed(lane) != SIM_BLOCK_EVENTS)
		return false;
	block_give(engine, *lane_block(lane, lane->first_block));
	lane->first_block++;
	lane->head = *lane_block(lane, lane->first_block);
	return true;
}

/* Starts an empty lane again at the beginning of its block. */
static inline void lane_rewind(struct sim_lane *lane)
{
	lane->head = *lane_block(lane, lane->first_block);
	lane->tail = lane->head;
}

static inline void lane_add_block(struct sim_engine *engine, struct sim_lane *lane)
{
	uint32_t used = lane->last_block - lane->first_block + 1;
	uint32_t cap = 1u << lane->blocks_log2;

	if (used * SIM_BLOCK_EVENTS > LANE_EVENTS_MAX)
		RS_BUG("more than %u events are pending in a lane", LANE_EVENTS_MAX);
	if (used == cap) {
		struct sim_lane_event **blocks;

		blocks = sim_arena_array_raw(engine->arena, (size_t)cap * 2, sizeof(*blocks));
		for (uint32_t n = 0; n < cap; n++)
			blocks[(lane->first_block + n) & (cap * 2 - 1)] =
				*lane_block(lane, lane->first_block + n);
		lane->blocks = blocks;
		lane->blocks_log2++;
	}
	lane->last_block++;
	lane->tail = block_take(engine);
	*lane_block(lane, lane->last_block) = lane->tail;
	lane->write_end = lane->tail + SIM_BLOCK_EVENTS;
}

/*
 * Drops the dead events of a lane that is not empty, and whose head is at no
 * block's end.
 */
static inline void lane_compact(struct sim_engine *engine, struct sim_lane *lane)
{
	size_t count = lane_count(lane);
	size_t live = 0;
	uint32_t last;

	for (size_t i = 0; i < count; i++) {
		const struct sim_lane_event *event = lane_event(lane, i);

		if (event->fn != SIM_FN_CANCELLED)
			*lane_event(lane, live++) = *event;
	}
	last = lane->first_block + (uint32_t)((lane_passed(lane) + live) / SIM_BLOCK_EVENTS);
	lane->tail = lane_event(lane, live);
	lane->tail->key.time_ns = UINT64_MAX;
	for (; lane->last_block != last; lane->last_block--)
		block_give(engine, *lane_block(lane, lane->last_block));
	lane->write_end = *lane_block(lane, last) + SIM_BLOCK_EVENTS;
	lane->dead = 0;
}

/* The event with that order (of which the priority is not looked at); NULL if it is not pending. */
static inline struct sim_lane_event *lane_find(const struct sim_lane *lane, uint64_t order)
{
	struct sim_lane_event *event;
	size_t low = 0;
	size_t high = lane_count(lane);

	order |= lane->tag;
	if (high == 0)
		return NULL;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (lane_event(lane, middle)->key.order <= order)
			low = middle;
		else
			high = middle;
	}
	event = lane_event(lane, low);
	return event->key.order == order && event->fn != SIM_FN_CANCELLED ? event : NULL;
}

#endif
