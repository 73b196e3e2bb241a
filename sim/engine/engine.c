/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Event queue and run loop: sorted front, 4-ary heap and FIFO lanes behind one
 * interface. The layout, and the invariants Q1..Q8 cited below, are in
 * engine_internal.h; E1..E3 in engine.h. Test: tests/unit/check_engine.c.
 */
#include "sim/engine/engine.h"
#include "sim/engine/heap.h"
#include "sim/engine/lane.h"

#include <string.h>

#define HEAP_LEAST 16u
#define BLOCKS_LOG2_LEAST 2u
#define NODES_MAX (1u << SIM_SLOT_BITS)
#define CACHE_LINE_BYTES 64u
#define FN_REACH (UINT64_C(1) << 30)
/* The front is swept when full only if so many events were cancelled since. */
#define FRONT_SWEEP_LEAST 4u
/* Events between two looks at the sequence counter. */
#define RUN_SLICE (UINT64_C(1) << 20)

_Static_assert(sizeof(struct sim_key) == 16, "four children are one cache line");
_Static_assert(sizeof(struct sim_node) == 16 + 8, "payload and handle record");
_Static_assert(sizeof(struct sim_lane_event) == 16 + 16, "key and payload");
_Static_assert(sizeof(sim_event_fn *) == sizeof(uintptr_t), "a function's address is an integer");
_Static_assert(sizeof(struct sim_lane) == 64, "a lane is a cache line");
_Static_assert(SIM_PRIORITY_MAX == (UINT64_MAX >> SIM_PRIORITY_SHIFT), "priority fills the order");

static const struct sim_key key_none = { UINT64_MAX, UINT64_MAX };

static inline bool order_is_lane(uint64_t order)
{
	return (order & SIM_SLOT_MASK) < SIM_LANE_SLOTS;
}

/* Of a plain event (Q1). */
static inline bool order_is_live(const struct sim_engine *engine, uint64_t order)
{
	return engine->nodes[order & SIM_SLOT_MASK].order == order;
}

/* ---- heap ---- */

/* Groups of four children start at cache lines: the root is the last key of one. */
static struct sim_key *heap_alloc(struct sim_arena *arena, uint32_t cap)
{
	size_t cells = (size_t)cap + 4;
	unsigned char *bytes = sim_arena_array_raw(arena, cells + 4, sizeof(struct sim_key));
	uintptr_t skew = ((uintptr_t)bytes + sizeof(struct sim_key)) % CACHE_LINE_BYTES;
	void *heap = bytes + (CACHE_LINE_BYTES - skew) % CACHE_LINE_BYTES;

	memset(heap, 0xff, cells * sizeof(struct sim_key));
	return heap;
}

/* Drops dead keys and makes the rest a heap again; closes the hole (Q3). */
static void heap_sweep(struct sim_engine *engine)
{
	struct sim_key *heap = engine->heap;
	uint32_t n = 0;

	for (uint32_t i = 0; i < engine->heap_n; i++) {
		if (order_is_live(engine, heap[i].order))
			heap[n++] = heap[i];
	}
	for (uint32_t i = n; i < engine->heap_n; i++)
		heap[i] = key_none;
	engine->heap_n = n;
	engine->hole = false;
	if (n < 2)
		return;
	for (size_t i = (n - 2) / 4 + 1; i-- > 0;)
		heap_sift_down(heap, n, i, heap[i]);
}

/* heap_n reached heap_soft: sweep, and set the next limit by what is left (Q2). */
static __attribute__((noinline)) void heap_make_room(struct sim_engine *engine)
{
	uint32_t soft;

	heap_sweep(engine);
	soft = engine->heap_n * 2 > HEAP_LEAST ? engine->heap_n * 2 : HEAP_LEAST;
	if (soft > engine->heap_cap && engine->heap_n < engine->heap_cap - engine->heap_cap / 4) {
		soft = engine->heap_cap;
	} else if (soft > engine->heap_cap) {
		struct sim_key *heap = heap_alloc(engine->arena, soft);

		memcpy(heap, engine->heap, engine->heap_n * sizeof(*heap));
		engine->heap = heap;
		engine->heap_cap = soft;
	}
	engine->heap_soft = soft;
}

static __attribute__((noinline)) void heap_push(struct sim_engine *engine, struct sim_key key)
{
	if (RS_UNLIKELY(engine->heap_n == engine->heap_soft))
		heap_make_room(engine);
	if (key.time_ns < engine->batch_end_ns)
		engine->batch_end_ns = key.time_ns;
	heap_sift_up(engine->heap, engine->heap_n++, key);
}

static __attribute__((noinline)) void heap_pop(struct sim_engine *engine)
{
	uint32_t n = engine->heap_n - 1;
	struct sim_key last = engine->heap[n];

	engine->heap_n = n;
	engine->heap[n] = key_none;
	engine->hole = false;
	if (n > 0)
		heap_sift_down(engine->heap, n, 0, last);
}

/* ---- front ---- */

static inline void front_insert(struct sim_engine *engine, uint64_t time_ns, uint64_t order)
{
	struct sim_key *at = engine->front_top;

	engine->front_top = at + 1;
	if (at->time_ns < time_ns) {
		do {
			at[1] = at[0];
			at--;
		} while (at->time_ns < time_ns);
	} else if (time_ns < engine->batch_end_ns) {
		engine->batch_end_ns = time_ns;
	}
	for (; RS_UNLIKELY(at->time_ns == time_ns) && at->order < order; at--)
		at[1] = at[0];
	at[1].time_ns = time_ns;
	at[1].order = order;
}

/* Returns whether the lane's key was there. */
static bool front_remove_lane(struct sim_engine *engine, const struct sim_lane *lane)
{
	struct sim_key *key = engine->front_top;

	while (key > engine->front && (key->order & SIM_SLOT_MASK) != (lane->tag & SIM_SLOT_MASK))
		key--;
	if (key == engine->front)
		return false;
	for (; key < engine->front_top; key++)
		key[0] = key[1];
	engine->front_top--;
	return true;
}

/* Drops dead keys of plain events. */
static void front_sweep(struct sim_engine *engine)
{
	struct sim_key *kept = engine->front + 1;

	for (struct sim_key *key = engine->front + 1; key <= engine->front_top; key++) {
		if (order_is_lane(key->order) || order_is_live(engine, key->order))
			*kept++ = *key;
	}
	engine->front_top = kept - 1;
	engine->cancelled_swept = engine->cancelled;
}

static __attribute__((noinline)) void queue_put_full(struct sim_engine *engine, uint64_t time_ns,
						     uint64_t order)
{
	if (engine->cancelled - engine->cancelled_swept >= FRONT_SWEEP_LEAST) {
		front_sweep(engine);
		if (engine->front_top < engine->front + SIM_FRONT_PLAIN) {
			front_insert(engine, time_ns, order);
			return;
		}
	}
	heap_push(engine, (struct sim_key){ time_ns, order });
}

void sim_queue_put_(struct sim_engine *engine, uint64_t time_ns, uint64_t order)
{
	if (RS_UNLIKELY(engine->tie_entity != NULL))
		order = sim_tie_shuffle_(engine, time_ns, order);
	if (engine->hole) {
		engine->hole = false;
		heap_sift_down(engine->heap, engine->heap_n, 0, (struct sim_key){ time_ns, order });
		return;
	}
	if (RS_LIKELY(engine->front_top < engine->front + SIM_FRONT_PLAIN))
		front_insert(engine, time_ns, order);
	else
		queue_put_full(engine, time_ns, order);
}

/* ---- lanes ---- */

static inline void front_insert_lane(struct sim_engine *engine, const struct sim_lane *lane)
{
	front_insert(engine, lane->head->key.time_ns, lane->head->key.order);
}

/* The lane is not active any more, and its key not in the front (Q8). */
static void lane_release(struct sim_engine *engine, struct sim_lane *lane)
{
	if (lane->head == lane->tail) {
		lane_rewind(lane);
		lane->write_end = lane->tail;
	} else {
		front_insert_lane(engine, lane);
	}
}

/* Drops the lane's head, which is dead and the smallest key of the front. */
static void lane_drop_head(struct sim_engine *engine, struct sim_lane *lane)
{
	engine->front_top--;
	lane->head++;
	lane->dead--;
	lane_next_block(engine, lane);
	lane_release(engine, lane);
}

/* tail got to write_end: makes room for one event at least. */
static void lane_make_room(struct sim_engine *engine, struct sim_lane *lane)
{
	if (lane->head == lane->tail) {
		lane_rewind(lane);
		lane->write_end = lane->tail + SIM_BLOCK_EVENTS;
		return;
	}
	lane_next_block(engine, lane);
	if (lane->dead > 0 && lane->dead > lane_count(lane) / 2) {
		/* Most are dead: sweeping costs each of them O(1) (Q2). */
		bool competes = front_remove_lane(engine, lane);

		lane_compact(engine, lane);
		if (lane->head != lane->tail && competes)
			front_insert_lane(engine, lane);
		if (lane->tail != lane->write_end)
			return;
	}
	lane_add_block(engine, lane);
}

static __attribute__((noinline)) struct sim_handle
lane_after_slow(struct sim_engine *engine, unsigned lane_idx, unsigned priority, sim_event_fn *fn,
		void *ptr, int32_t arg)
{
	struct sim_lane *lane = &engine->lanes[lane_idx];
	struct sim_handle handle;
	bool starts;

	RS_REQUIRE(lane_idx >= 1 && lane_idx <= engine->lane_count);
	RS_REQUIRE(priority <= SIM_PRIORITY_MAX);
	if (sim_fn_distance_(engine, fn) > UINT32_MAX)
		sim_bug_far_();
	if (lane->priority != priority || engine->tie_entity) {
		if (lane->head != lane->tail || lane == engine->active_lane || engine->tie_entity) {
			uint64_t at_ns = engine->now.time_ns + lane->delay_ns;

			/* Q7. A time past the end of time is as good as the end. */
			if (at_ns > (uint64_t)SIM_TIME_MAX)
				at_ns = (uint64_t)SIM_TIME_MAX;
			return sim_at(engine, (sim_time_ns)at_ns, priority, fn, ptr, arg);
		}
		lane->priority = (uint8_t)priority;
		lane->tag = (uint64_t)priority << SIM_PRIORITY_SHIFT | lane_idx;
	}
	if (lane->tail == lane->write_end)
		lane_make_room(engine, lane);
	starts = lane->head == lane->tail && lane != engine->active_lane;
	handle = sim_lane_put_(engine, lane, sim_fn_distance_(engine, fn), ptr, arg);
	if (starts)
		front_insert_lane(engine, lane);
	return handle;
}

struct sim_handle sim_lane_slow_(struct sim_engine *engine, unsigned lane_idx, unsigned priority,
				 sim_event_fn *fn, void *ptr, int32_t arg)
{
	struct sim_lane *lane = &engine->lanes[lane_idx];
	uint64_t distance = sim_fn_distance_(engine, fn);
	struct sim_handle handle;

	if (lane->head != lane->tail || lane->priority != priority || distance > UINT32_MAX ||
	    lane == engine->active_lane || !lane->blocks || engine->tie_entity)
		return lane_after_slow(engine, lane_idx, priority, fn, ptr, arg);
	/* The usual case, an empty lane: it was rewound. */
	lane->write_end = lane->tail + SIM_BLOCK_EVENTS;
	handle = sim_lane_put_(engine, lane, distance, ptr, arg);
	front_insert_lane(engine, lane);
	return handle;
}

/* ---- interface ---- */

uint32_t sim_node_grow_(struct sim_engine *engine)
{
	struct sim_node *node;

	if (engine->node_used + 1 == engine->node_cap) {
		uint32_t cap = engine->node_cap * 2 < NODES_MAX ? engine->node_cap * 2 : NODES_MAX;
		struct sim_node *nodes;

		if (engine->node_cap == NODES_MAX)
			RS_BUG("more than %u events are pending", engine->node_used);
		nodes = sim_arena_array_raw(engine->arena, cap, sizeof(*nodes));
		memcpy(nodes, engine->nodes, engine->node_cap * sizeof(*nodes));
		engine->nodes = nodes;
		engine->node_cap = cap;
	}
	node = &engine->nodes[++engine->node_used];
	node->order = 0;
	return engine->node_used;
}

void sim_bug_past_(const struct sim_engine *engine, sim_time_ns at_ns)
{
	RS_BUG("event scheduled at %lld ns, before now = %lld ns", (long long)at_ns,
	       (long long)engine->now.time_ns);
}

void sim_bug_far_(void)
{
	RS_BUG("an event's function is more than 1 GiB away from the engine");
}

struct sim_engine *sim_engine_create(struct sim_arena *arena, uint32_t pending_hint)
{
	struct sim_engine *engine = sim_arena_alloc(arena, sizeof(*engine));
	uint32_t cap = pending_hint > HEAP_LEAST ? pending_hint : HEAP_LEAST;

	if (cap > NODES_MAX / 2)
		cap = NODES_MAX / 2;
	engine->arena = arena;
	engine->fn_base = (uintptr_t)sim_engine_create - FN_REACH;
	engine->heap = heap_alloc(arena, cap);
	engine->heap_cap = cap;
	engine->heap_soft = HEAP_LEAST;
	engine->node_cap = cap + SIM_LANE_SLOTS;
	engine->node_used = SIM_LANES_MAX;
	engine->nodes = sim_arena_array_raw(arena, engine->node_cap, sizeof(*engine->nodes));
	engine->front[0] = key_none;
	engine->front_top = engine->front;
	engine->now.order = SIM_NO_ORDER;
	engine->lanes = engine->lane_table;
	for (unsigned i = 0; i < SIM_LANE_SLOTS; i++)
		engine->lanes[i].tag = i;
	engine->lanes[0].head = &engine->limit_event;
	return engine;
}

unsigned sim_lane_open(struct sim_engine *engine, sim_time_ns delay_ns)
{
	struct sim_lane *lane;

	RS_REQUIRE(delay_ns >= 0);
	for (unsigned i = 1; i <= engine->lane_count; i++) {
		if (engine->lanes[i].delay_ns == (uint64_t)delay_ns)
			return i;
	}
	RS_REQUIRE(engine->lane_count < SIM_LANES_MAX);
	lane = &engine->lanes[++engine->lane_count];
	lane->delay_ns = (uint64_t)delay_ns;
	lane->blocks_log2 = BLOCKS_LOG2_LEAST;
	lane->blocks = sim_arena_array_raw(engine->arena, 1u << BLOCKS_LOG2_LEAST,
					   sizeof(*lane->blocks));
	lane->blocks[0] = block_take(engine);
	lane_release(engine, lane);
	return engine->lane_count;
}

static inline void node_free(struct sim_engine *engine, struct sim_node *node, uint32_t slot)
{
	/* Differs from the order of every key of this slot (Q1): the low bits name another. */
	node->order = engine->free_slot;
	engine->free_slot = slot;
}

/* Of the order a handle names, all but the priority. */
static inline uint64_t handle_order(struct sim_handle handle)
{
	return (uint64_t)handle.generation << 32 | handle.slot;
}

static inline bool handle_is_lane(struct sim_handle handle)
{
	return (handle.slot & SIM_SLOT_MASK) < SIM_LANE_SLOTS;
}

/* The node of the pending plain event a handle names; NULL if it is not pending any more. */
static inline struct sim_node *handle_node(const struct sim_engine *engine,
					   struct sim_handle handle)
{
	struct sim_node *node = &engine->nodes[handle.slot & SIM_SLOT_MASK];

	return (node->order & (SIM_SEQUENCE_END - 1)) == handle_order(handle) ? node : NULL;
}

/* The pending lane event a handle names; NULL if it is not pending any more. */
static struct sim_lane_event *handle_lane_event(const struct sim_engine *engine,
						struct sim_handle handle)
{
	const struct sim_lane *lane = &engine->lanes[handle.slot & SIM_SLOT_MASK];

	return lane->blocks ? lane_find(lane, handle_order(handle)) : NULL;
}

bool sim_is_pending(const struct sim_engine *engine, struct sim_handle handle)
{
	if (handle_is_lane(handle))
		return handle_lane_event(engine, handle) != NULL;
	return handle_node(engine, handle) != NULL;
}

bool sim_cancel(struct sim_engine *engine, struct sim_handle *handle)
{
	struct sim_handle named = *handle;

	*handle = (struct sim_handle){ 0 };
	if (handle_is_lane(named)) {
		struct sim_lane_event *event = handle_lane_event(engine, named);

		if (!event)
			return false;
		event->fn = SIM_FN_CANCELLED;
		engine->lanes[named.slot & SIM_SLOT_MASK].dead++;
	} else {
		struct sim_node *node = handle_node(engine, named);

		if (!node)
			return false;
		node_free(engine, node, (uint32_t)(named.slot & SIM_SLOT_MASK));
	}
	engine->cancelled++;
	return true;
}

/* ---- run loop ---- */

/*
 * Removes dead keys until the smallest key of all queues is live; false if none
 * is due before the time limit, which is the key of lane 0.
 */
static bool queue_has_due(struct sim_engine *engine)
{
	for (;;) {
		struct sim_key *first = key_least(engine->front_top, engine->heap);
		unsigned slot = (unsigned)(first->order & SIM_SLOT_MASK);

		if (slot == 0)
			return false;
		if (slot < SIM_LANE_SLOTS) {
			if (engine->lanes[slot].head->fn != SIM_FN_CANCELLED)
				return true;
			lane_drop_head(engine, &engine->lanes[slot]);
		} else if (order_is_live(engine, first->order)) {
			return true;
		} else if (first == engine->heap) {
			heap_pop(engine);
		} else {
			engine->front_top--;
		}
	}
}

static enum sim_stop run_end(struct sim_engine *engine, sim_time_ns until_ns)
{
	if (sim_events_pending(engine) == 0)
		return SIM_STOP_EMPTY;
	if (until_ns > (sim_time_ns)engine->now.time_ns) {
		engine->now.time_ns = (uint64_t)until_ns;
		/* No event ran at the new time yet, so the next one ties with none. */
		engine->now.order = SIM_NO_ORDER;
	}
	return SIM_STOP_TIME_LIMIT;
}

static void run_slice(struct sim_engine *engine, int64_t events)
{
	unsigned bits = engine->tie_entity ? SIM_SEQUENCE_BITS - SIM_TIE_BITS : SIM_SEQUENCE_BITS;

	if (engine->sequence >> SIM_SLOT_BITS >= UINT64_C(1) << (bits - 1))
		RS_BUG("more than 2^%u events in one run", bits - 1);
	engine->budget += events;
	engine->executed_base += (uint64_t)events;
}

/* Due at the present time: does it tie with the last one run? */
static inline bool priority_ties(const struct sim_engine *engine, uint64_t order)
{
	return engine->now.order != SIM_NO_ORDER &&
	       (engine->now.order ^ order) >> SIM_PRIORITY_SHIFT == 0;
}

static inline sim_event_fn *fn_at(const struct sim_engine *engine, uint32_t distance)
{
	uintptr_t address = engine->fn_base + distance;
	sim_event_fn *fn;

	memcpy(&fn, &address, sizeof(fn));
	return fn;
}

static inline void lane_activate(struct sim_engine *engine, struct sim_lane *lane)
{
	uint64_t front_ns = engine->front_top->time_ns;
	uint64_t heap_ns = engine->heap->time_ns;

	engine->active_lane = lane;
	engine->batch_end_ns = front_ns < heap_ns ? front_ns : heap_ns;
}

/* If events of another lane are due before those of *lane, swaps the two. */
static inline bool front_swap_lane(struct sim_engine *engine, struct sim_lane **lane)
{
	const struct sim_key *key = &(*lane)->head->key;
	struct sim_key *at = engine->front_top;
	uint64_t time_ns = key->time_ns;
	uint64_t first_ns = at->time_ns;
	uint32_t slot = (uint32_t)(at->order & SIM_SLOT_MASK);

	if (first_ns >= time_ns || slot - 1 >= SIM_LANES_MAX || first_ns >= engine->heap->time_ns)
		return false;
	for (at--; at->time_ns < time_ns; at--)
		at[1] = at[0];
	for (; RS_UNLIKELY(at->time_ns == time_ns) && at->order < key->order; at--)
		at[1] = at[0];
	at[1] = *key;
	*lane = &engine->lanes[slot];
	return true;
}

/*
 * run_lanes() takes every event at the present time for a tie, which holds when
 * the last one run was of the same lane (Q7). Is it wrong about this one?
 */
static inline bool tie_is_false(const struct sim_engine *engine, const struct sim_key *key)
{
	return RS_UNLIKELY(key->time_ns == engine->now.time_ns) &&
	       !priority_ties(engine, key->order);
}

/*
 * The event at the lane's head was taken off the budget but may not run: drops
 * it if it is dead; returns false if the budget is used up.
 */
static __attribute__((noinline)) bool lane_skip_head(struct sim_engine *engine,
						     struct sim_lane *lane)
{
	if (tie_is_false(engine, &lane->head->key))
		engine->tied++;
	engine->budget++;
	if (engine->budget == 0)
		return false;
	lane->head++;
	lane->dead--;
	return true;
}

/*
 * Runs events of the lane whose key is the smallest of all, until another key
 * may come first (Q8, Q9) or the budget is used up; then those of the next lane.
 */
static __attribute__((noinline)) void run_lanes(struct sim_engine *engine, struct sim_lane *lane)
{
	struct sim_lane_event *event;

	engine->front_top--;
next_lane:
	lane_activate(engine, lane);
	event = lane->head;
again:
	if (tie_is_false(engine, &event->key))
		engine->tied--;
	do {
		if (RS_UNLIKELY(--engine->budget < 0) || RS_UNLIKELY(event->fn == SIM_FN_CANCELLED)) {
			if (!lane_skip_head(engine, lane))
				goto out;
			event = lane->head;
			break;
		}
		lane->head = event + 1;
		if (RS_UNLIKELY(event->key.time_ns == engine->now.time_ns))
			engine->tied++;
		engine->now = event->key;
		fn_at(engine, event->fn)(engine, event->ptr, event->arg);
		event = lane->head;
	} while (event->key.time_ns < engine->batch_end_ns);
	if (event->key.time_ns == UINT64_MAX) {
		if (!lane_next_block(engine, lane))
			goto out;
		event = lane->head;
	}
	if (event->key.time_ns < engine->batch_end_ns)
		goto again;
	if (front_swap_lane(engine, &lane))
		goto next_lane;
out:
	engine->active_lane = NULL;
	lane_release(engine, lane);
}

/* Runs due events until the budget is used up (true) or the time limit is met (false). */
static bool run_budget(struct sim_engine *engine)
{
	for (;;) {
		struct sim_key *top = engine->front_top;
		struct sim_key *first = key_least(top, engine->heap);
		struct sim_key key = *first;
		uint32_t slot = (uint32_t)(key.order & SIM_SLOT_MASK);
		struct sim_node *node;

		if (slot < SIM_LANE_SLOTS) {
			if (slot == 0)
				return false;
			run_lanes(engine, &engine->lanes[slot]);
			if (engine->budget <= 0)
				return true;
			continue;
		}
		node = &engine->nodes[slot];
		if (RS_UNLIKELY(node->order != key.order)) {
			if (first == top)
				engine->front_top--;
			else
				heap_pop(engine);
			continue;
		}
		if (RS_UNLIKELY(--engine->budget < 0)) {
			engine->budget = 0;
			return true;
		}
		if (first == top)
			engine->front_top = top - 1;
		else
			engine->hole = true;
		node_free(engine, node, slot);
		if (key.time_ns == engine->now.time_ns && priority_ties(engine, key.order))
			engine->tied++;
		engine->now = key;
		fn_at(engine, node->fn)(engine, node->ptr, node->arg);
	}
}

enum sim_stop sim_run(struct sim_engine *engine, sim_time_ns until_ns, uint64_t max_events)
{
	uint64_t left = max_events > 0 ? max_events : UINT64_MAX;
	enum sim_stop why = SIM_STOP_COUNT;

	RS_REQUIRE(!engine->is_running);
	if (until_ns < (sim_time_ns)engine->now.time_ns)
		return run_end(engine, until_ns);
	engine->is_running = true;
	engine->stop_asked = false;
	engine->limit_event.key.time_ns = (uint64_t)until_ns;
	engine->limit_event.key.order = SIM_NO_ORDER & ~SIM_SLOT_MASK;
	front_insert_lane(engine, &engine->lanes[0]);
	while (why == SIM_STOP_COUNT) {
		uint64_t slice = left < RUN_SLICE ? left : RUN_SLICE;
		bool is_used_up;

		run_slice(engine, (int64_t)slice);
		is_used_up = run_budget(engine);
		left -= slice;
		if (engine->stop_asked)
			why = SIM_STOP_ASKED;
		else if (!is_used_up || !queue_has_due(engine))
			why = run_end(engine, until_ns);
		else if (left == 0)
			why = SIM_STOP_EVENT_LIMIT;
	}
	engine->executed_base -= (uint64_t)engine->budget;
	engine->budget = 0;
	front_remove_lane(engine, &engine->lanes[0]);
	engine->is_running = false;
	return why;
}

void sim_stop(struct sim_engine *engine)
{
	engine->stop_asked = true;
	engine->executed_base -= (uint64_t)engine->budget;
	engine->budget = 0;
}

uint64_t sim_events_executed(const struct sim_engine *engine)
{
	return engine->executed_base - (uint64_t)engine->budget;
}

uint64_t sim_events_pending(const struct sim_engine *engine)
{
	return (engine->sequence >> SIM_SLOT_BITS) - sim_events_executed(engine) -
	       engine->cancelled;
}

uint64_t sim_events_tied(const struct sim_engine *engine)
{
	return engine->tied;
}
