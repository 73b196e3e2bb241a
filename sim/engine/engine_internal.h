/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside of the event engine. Private to engine.c and its unit test.
 *
 * A pending event is a 32-byte node and a 16-byte key in one queue: the 4-ary
 * heap, or the ring of a lane. The key is one 128-bit integer, so that E1 is a
 * single comparison:
 *
 *   time (64) | priority (6) | sequence (34) | slot (24)
 *
 * Q1: a key is live if and only if its node holds the key's low word. Running
 *     or cancelling an event frees its node and leaves the key behind, dead.
 *     Dead keys go when they surface, or when a full queue is swept.
 * Q2: a queue is swept before it may grow past twice its live keys, so dead
 *     keys cost amortised O(1) each and memory stays proportional to the most
 *     events ever pending.
 * Q3: while `hole` is set the heap's root is the dead key of the last event
 *     run; the next sim_at() overwrites it (one sift instead of two).
 * Q4: unused heap cells hold SIM_KEY_NONE, so a group of four children can be
 *     compared without looking at the heap's size.
 * Q5: `front` holds the first key of each non-empty lane, the smallest last,
 *     above a SIM_KEY_NONE at index 0.
 */
#ifndef ENGINE_ENGINE_INTERNAL_H
#define ENGINE_ENGINE_INTERNAL_H

#include "sim/engine/engine.h"

__extension__ typedef unsigned __int128 sim_key;

#define SIM_SLOT_BITS 24u
#define SIM_SEQUENCE_BITS 34u
#define SIM_PRIORITY_SHIFT (SIM_SLOT_BITS + SIM_SEQUENCE_BITS)
#define SIM_SLOT_MASK ((UINT64_C(1) << SIM_SLOT_BITS) - 1)
#define SIM_SEQUENCE_ONE (UINT64_C(1) << SIM_SLOT_BITS)
#define SIM_SEQUENCE_END (UINT64_C(1) << SIM_PRIORITY_SHIFT)
#define SIM_KEY_NONE (~(sim_key)0)
#define SIM_NO_ORDER UINT64_MAX

struct sim_node {
	sim_event_fn *fn;
	void *ptr;        /* borrowed */
	uint64_t order;   /* pending: low word of its key; free: next free slot */
	int32_t arg;
	uint32_t generation;
};

struct sim_lane {
	sim_key *ring;   /* mask + 1 keys, ascending from head to tail */
	uint32_t head;   /* free-running indices */
	uint32_t tail;
	uint32_t mask;
	uint64_t delay_ns;
	sim_key last;    /* last key put into the lane */
};

struct sim_engine {
	sim_key *heap;      /* root at 0, children of i at 4i + 1 .. 4i + 4 */
	struct sim_node *nodes; /* by slot; slot 0 is never used */
	uint64_t now_ns;
	uint64_t executed;
	uint64_t limit;     /* sim_run() looks up when executed reaches it */
	uint64_t sequence;  /* next one, shifted left by SIM_SLOT_BITS */
	uint64_t last_order; /* low word of the last event run, or SIM_NO_ORDER */
	uint32_t free_slot; /* head of the free list; 0 = none */
	uint32_t heap_n;    /* keys in the heap, dead ones included */
	uint32_t heap_soft; /* sweep or grow when heap_n gets here */
	uint32_t front_n;
	bool hole;          /* Q3 */
	bool is_running;
	bool stop_asked;
	uint8_t front_lane[SIM_LANES_MAX + 2];
	sim_key front[SIM_LANES_MAX + 2]; /* Q5 */
	struct sim_lane lanes[SIM_LANES_MAX];
	struct sim_arena *arena; /* borrowed */
	uint64_t scheduled_base; /* events scheduled before the last renumbering */
	uint64_t cancelled;
	uint64_t tied;
	uint32_t lane_count;
	uint32_t heap_cap;
	uint32_t node_cap;
	uint32_t node_used; /* slots 1..node_used were handed out at least once */
};

#endif
