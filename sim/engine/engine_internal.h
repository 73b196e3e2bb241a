/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside of the event engine: layout and the fast paths of scheduling. Included
 * by engine.h, which declares what may be used; everything named here is
 * private to engine.c, its test, and those inline functions. Inlining pays some
 * 15 instructions an event (constant priority, handle not wanted).
 *
 * A key is (time, priority | sequence | slot): E1 is one lexicographic
 * comparison. Three places hold pending events, merged by the smallest key:
 *
 *   front  a short sorted array: the first key of each non-empty lane, and up
 *          to SIM_FRONT_PLAIN keys of plain events. Cheapest for few events.
 *   heap   4-ary implicit heap of keys of plain events that found the front full.
 *   lanes  one ring of whole events per constant delay.
 *
 * A plain event (sim_at) is a 16-byte key, 16 bytes of payload in a node and, in
 * the same node, the 8-byte record of its handle: the key's order, of which the
 * sequence is the generation and the slot the place. A lane event is 32 bytes
 * and needs no record: its handle names lane and sequence, and a lane is sorted
 * by sequence. Either handle is the order without its priority.
 *
 * Q1: a key of a plain event is live if and only if its node holds the key's
 *     order. Running or cancelling frees the node; cancelling leaves the key
 *     behind, dead. A lane event with fn == NULL is dead.
 * Q2: dead keys go when they surface, or when a full queue is swept before it
 *     may grow: amortised O(1) each, and memory stays proportional to the most
 *     events ever pending.
 * Q3: while `hole` is set the heap's root is the dead key of an event that ran;
 *     the next key for the heap overwrites it: one sift instead of two.
 * Q4: unused heap cells hold the largest key, so a group of four children can
 *     be compared without looking at the heap's size.
 * Q5: the front is in descending order above a largest key at index 0; the
 *     smallest is at front_top.
 * Q6: a lane is a chain of blocks, first_block..last_block of its index. Each
 *     block ends with a cell that holds no event; that cell and the one at tail
 *     have the largest time, so a reader needs no other end mark. Push goes
 *     straight on below write_end.
 * Q7: events of one lane have one priority (the lane's, set when it is empty and
 *     not active); any other priority goes to the heap. So a lane is in key order.
 *     While ties are shuffled lanes stay empty: their order is not that of keys.
 * Q8: while a lane is active its events run one after the other without going
 *     through the front: its key is not there, and it may be empty. Another lane
 *     has its key in the front, or is empty with write_end == tail.
 * Q9: batch_end_ns is at most the least time of front and heap while a lane is
 *     active. Events of the lane before it are the next ones to run.
 */
#ifndef ENGINE_ENGINE_INTERNAL_H
#define ENGINE_ENGINE_INTERNAL_H

#include "sim/engine/engine.h"

#define SIM_SLOT_BITS 21u
#define SIM_SEQUENCE_BITS 37u
#define SIM_PRIORITY_SHIFT (SIM_SLOT_BITS + SIM_SEQUENCE_BITS)
#define SIM_SLOT_MASK ((UINT64_C(1) << SIM_SLOT_BITS) - 1)
#define SIM_SEQUENCE_ONE (UINT64_C(1) << SIM_SLOT_BITS)
#define SIM_SEQUENCE_END (UINT64_C(1) << SIM_PRIORITY_SHIFT)
#define SIM_NO_ORDER UINT64_MAX
/* While ties are shuffled, the highest bits of the sequence hold a random number. */
#define SIM_TIE_BITS 8u
#define SIM_TIE_SHIFT (SIM_PRIORITY_SHIFT - SIM_TIE_BITS)

/* Slots 1..SIM_LANES_MAX name lanes, larger ones nodes; 0 the time limit of sim_run(). */
#define SIM_LANE_SLOTS (SIM_LANES_MAX + 1)
#define SIM_FRONT_PLAIN 16u

struct sim_key {
	uint64_t time_ns;
	uint64_t order; /* priority (6 bits), sequence (37), slot (21) */
};

struct sim_node {
	uint64_t order; /* handle record. Pending: that of its key; free: next free slot */
	void *ptr;      /* borrowed */
	uint32_t fn;    /* distance from fn_base */
	int32_t arg;
};

struct sim_lane_event {
	struct sim_key key;
	void *ptr;   /* borrowed */
	uint32_t fn; /* distance from fn_base; SIM_FN_CANCELLED */
	int32_t arg;
};

/* 1 GiB below the engine's code, where no function of the program can be. */
#define SIM_FN_CANCELLED 0u

/* Cells of a block; the last one ends it (Q6). */
#define SIM_BLOCK_CELLS 128u
#define SIM_BLOCK_EVENTS (SIM_BLOCK_CELLS - 1)

struct sim_lane {
	struct sim_lane_event *head;
	struct sim_lane_event *tail;
	struct sim_lane_event *write_end;
	uint64_t delay_ns;
	uint64_t tag; /* priority and slot bits of its keys */
	struct sim_lane_event **blocks; /* block n is at n modulo 2^blocks_log2 */
	uint32_t first_block; /* head is in it */
	uint32_t last_block;  /* tail is in it */
	uint32_t dead;        /* cancelled events in the lane */
	uint8_t blocks_log2;
	uint8_t priority;
};

struct sim_engine {
	struct sim_key now;   /* time; order of the last event run, or SIM_NO_ORDER */
	uint64_t sequence;    /* last one handed out, shifted to its place in an order */
	uintptr_t fn_base;    /* sim_event_fn are kept as distances from here */
	struct sim_node *nodes; /* by slot */
	struct sim_key *front_top; /* Q5 */
	struct sim_key *heap; /* root at 0, children of i at 4i + 1 .. 4i + 4 */
	int64_t budget;       /* events sim_run() may run before it looks up */
	uint64_t batch_end_ns; /* Q9 */
	struct sim_lane *active_lane; /* Q8; else NULL */
	struct sim_lane *lanes;       /* lane_table, by slot: cheaper to index by pointer */
	uint32_t free_slot;   /* head of the free list; 0 = none */
	uint32_t heap_n;      /* keys in the heap, dead ones included */
	uint32_t heap_soft;   /* sweep or grow when heap_n gets here */
	uint32_t heap_cap;
	uint32_t node_cap;
	uint32_t node_used;   /* slots up to this one were handed out at least once */
	uint32_t lane_count;
	bool hole;            /* Q3 */
	bool is_running;
	bool stop_asked;
	uint64_t executed_base; /* executed + budget */
	uint64_t cancelled;
	uint64_t cancelled_swept; /* value of cancelled when the front was swept */
	uint64_t tied;
	sim_entity_fn *tie_entity; /* NULL: ties by sequence */
	const void *tie_ctx;       /* borrowed */
	uint64_t tie_seed;
	struct sim_lane_event *free_blocks; /* linked by the pointer of their first cell */
	struct sim_arena *arena; /* borrowed */
	struct sim_key front[1 + SIM_FRONT_PLAIN + SIM_LANE_SLOTS + 1];
	struct sim_lane lane_table[SIM_LANE_SLOTS];
	struct sim_lane_event limit_event;     /* head of lane 0; never runs */
};

/* Slow paths, in engine.c. */
uint32_t sim_node_grow_(struct sim_engine *engine);
void sim_queue_put_(struct sim_engine *engine, uint64_t time_ns, uint64_t order);
struct sim_handle sim_lane_slow_(struct sim_engine *engine, unsigned lane, unsigned priority,
				 sim_event_fn *fn, void *ptr, int32_t arg);
uint64_t sim_tie_shuffle_(struct sim_engine *engine, uint64_t time_ns, uint64_t order);
void sim_bug_past_(const struct sim_engine *engine, sim_time_ns at_ns) RS_NORETURN;
void sim_bug_far_(void) RS_NORETURN;

static inline sim_time_ns sim_now(const struct sim_engine *engine)
{
	return (sim_time_ns)engine->now.time_ns;
}

/* More than 32 bits if the function is too far away. */
static inline uint64_t sim_fn_distance_(const struct sim_engine *engine, sim_event_fn *fn)
{
	return (uintptr_t)fn - engine->fn_base;
}

static inline struct sim_handle sim_handle_of_(uint64_t order)
{
	return (struct sim_handle){
		.slot = (uint32_t)order,
		.generation = (uint32_t)((order & (SIM_SEQUENCE_END - 1)) >> 32),
	};
}

static inline struct sim_handle sim_at(struct sim_engine *engine, sim_time_ns at_ns,
				       unsigned priority, sim_event_fn *fn, void *ptr, int32_t arg)
{
	uint32_t slot = engine->free_slot;
	uint64_t distance = sim_fn_distance_(engine, fn);
	struct sim_node *node;
	uint64_t order;

	RS_REQUIRE(priority <= SIM_PRIORITY_MAX);
	if (RS_UNLIKELY(at_ns < (sim_time_ns)engine->now.time_ns))
		sim_bug_past_(engine, at_ns);
	if (RS_UNLIKELY(distance > UINT32_MAX))
		sim_bug_far_();
	if (RS_UNLIKELY(slot == 0))
		slot = sim_node_grow_(engine);
	node = &engine->nodes[slot];
	engine->free_slot = (uint32_t)node->order;
	order = (engine->sequence += SIM_SEQUENCE_ONE);
	order |= (uint64_t)priority << SIM_PRIORITY_SHIFT | slot;
	node->order = order;
	node->ptr = ptr;
	node->fn = (uint32_t)distance;
	node->arg = arg;
	sim_queue_put_(engine, (uint64_t)at_ns, order);
	return sim_handle_of_(node->order);
}

/* Room and priority were looked after. */
static inline struct sim_handle sim_lane_put_(struct sim_engine *engine, struct sim_lane *lane,
					      uint64_t distance, void *ptr, int32_t arg)
{
	struct sim_lane_event *event = lane->tail;
	uint64_t order = (engine->sequence += SIM_SEQUENCE_ONE);

	order |= lane->tag;
	/* Beyond SIM_TIME_MAX the sum still orders right, and never runs. */
	event->key.time_ns = engine->now.time_ns + lane->delay_ns;
	event->key.order = order;
	event->ptr = ptr;
	event->fn = (uint32_t)distance;
	event->arg = arg;
	event[1].key.time_ns = UINT64_MAX; /* Q6 */
	lane->tail = event + 1;
	return sim_handle_of_(order);
}

static inline struct sim_handle sim_lane_after(struct sim_engine *engine, unsigned lane_idx,
					       unsigned priority, sim_event_fn *fn, void *ptr,
					       int32_t arg)
{
	struct sim_lane *lane = &engine->lanes[lane_idx];
	uint64_t distance = sim_fn_distance_(engine, fn);

	if (RS_UNLIKELY(lane->tail == lane->write_end) ||
	    RS_UNLIKELY(lane->priority != priority) || RS_UNLIKELY(distance > UINT32_MAX))
		return sim_lane_slow_(engine, lane_idx, priority, fn, ptr, arg);
	return sim_lane_put_(engine, lane, distance, ptr, arg);
}

#endif
