/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ties in random order: the key of an event gets random bits between its
 * priority and its sequence, equal ones for events of one entity at one time.
 * Guarded by tests/unit/check_ties.c.
 */
#include "sim/engine/engine.h"

/* splitmix64's finalizer. */
static uint64_t tie_mix(uint64_t x)
{
	x ^= x >> 30;
	x *= UINT64_C(0xbf58476d1ce4e5b9);
	x ^= x >> 27;
	x *= UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* Puts a random number before the sequence: one for each entity and time. */
uint64_t sim_tie_shuffle_(struct sim_engine *engine, uint64_t time_ns, uint64_t order)
{
	struct sim_node *node = &engine->nodes[order & SIM_SLOT_MASK];
	int32_t entity = engine->tie_entity(engine->tie_ctx, node->ptr, node->arg);
	uint64_t random = tie_mix(tie_mix(engine->tie_seed + time_ns) + (uint64_t)(uint32_t)entity);

	node->order = order | (random >> (64 - SIM_TIE_BITS)) << SIM_TIE_SHIFT;
	return node->order;
}

void sim_shuffle_ties(struct sim_engine *engine, uint64_t seed, sim_entity_fn *entity,
		      const void *ctx)
{
	RS_REQUIRE(sim_events_pending(engine) + sim_events_executed(engine) == 0);
	RS_REQUIRE(engine->lane_count == 0);
	engine->tie_seed = tie_mix(seed + 1);
	engine->tie_entity = entity;
	engine->tie_ctx = ctx;
}

