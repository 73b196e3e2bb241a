/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Event queue and run loop: sorted front, 4-ary heap and FIFO lanes behind one
 * interface. The layout, and the invariants Q1..Q8 cited below, are in
 * engine_internal.h; E1..E3 in engine.h. Guarded by tests/unit/check_engine.c,
 * costs by tests/bench.
 */
#include "sim/engine/engine.h"
#include "sim/engine/heap.h"

#include <string.h>

#define HEAP_LEAST 16u
#define RING_LEAST 32u
#define NODES_MAX (1u << SIM_SLOT_BITS)
#define CACHE_LINE_BYTES 64u
/* The front is swept when full only if so many events were cancelled since. */
#define FRONT_SWEEP_LEAST 4u
/* Events between two looks at the sequence counter. */
#define RUN_SLICE (UINT64_C(1) << 20)

_Static_assert(sizeof(struct sim_key) == 16, "four children are one cache line");
_Static_assert(sizeof(struct sim_node) == 32, "a node is half a cache line");
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
	if (soft > engine->heap_cap) {
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
	for (; at->time_ns < time_ns; at--)
		at[1] = at[0];
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

static inline size_t lane_count(const struct sim_lane *lane)
{
	return lane->tail >= lane->head ? (size_t)(lane->tail - lane->head)
					: lane->cap - (size_t)(lane->head - lane->tail);
}

/* The i-th event from the head, 0 <= i < cap. */
static inline struct sim_lane_event *lane_event(const struct sim_lane *lane, size_t i)
{
	size_t at = (size_t)(lane->head - lane->ring) + i;

	return lane->ring + (at < lane->cap ? at : at - lane->cap);
}

/* Sets tail and bounds for n events from head on (Q6). n < cap, or head at the ring's start. */
static void lane_set_count(struct sim_lane *lane, size_t n)
{
	size_t end = (size_t)(lane->head - lane->ring) + n;

	if (n == 0) {
		lane->head = lane->ring;
		end = 0;
	}
	if (end <= lane->cap) {
		lane->tail = lane->ring + end;
		lane->read_end = lane->tail;
		lane->write_end = lane->ring + lane->cap;
	} else {
		lane->tail = lane->ring + (end - lane->cap);
		lane->read_end = lane->ring + lane->cap;
		lane->write_end = lane->head - 1;
	}
}

static void front_insert_lane(struct sim_engine *engine, const struct sim_lane *lane)
{
	front_insert(engine, lane->head->key.time_ns, lane->head->key.order);
}

/* An event was pushed to the empty lane: it competes from now on. */
void sim_lane_start_(struct sim_engine *engine, struct sim_lane *lane)
{
	lane->read_end = lane->tail;
	if (lane != engine->active_lane)
		front_insert_lane(engine, lane);
}

/* head got to read_end: look further, wrap round, or note that the ring is empty. */
static __attribute__((noinline)) void lane_read_on(struct sim_lane *lane)
{
	if (lane->head == lane->tail) {
		lane_set_count(lane, 0);
	} else if (lane->tail > lane->head) {
		lane->read_end = lane->tail;
	} else {
		lane->head = lane->ring;
		if (lane->tail == lane->ring)
			lane_set_count(lane, 0);
		else
			lane_set_count(lane, (size_t)(lane->tail - lane->ring));
	}
}

/* Drops the lane's head, which is the smallest key of the front. */
static void lane_drop_head(struct sim_engine *engine, struct sim_lane *lane)
{
	engine->front_top--;
	lane->head++;
	if (lane->head == lane->read_end)
		lane_read_on(lane);
	if (lane->head != lane->tail)
		front_insert_lane(engine, lane);
}

/* The ring is full: drop dead events, and double it if most are live (Q2). */
static void lane_make_room(struct sim_engine *engine, struct sim_lane *lane)
{
	size_t count = lane_count(lane);
	size_t live = 0;
	bool competes = front_remove_lane(engine, lane);

	for (size_t i = 0; i < count; i++) {
		const struct sim_lane_event *event = lane_event(lane, i);

		if (event->fn)
			*lane_event(lane, live++) = *event;
	}
	if (live > lane->cap / 2) {
		size_t cap = (size_t)lane->cap * 2;
		struct sim_lane_event *ring;

		if (cap > NODES_MAX)
			RS_BUG("more than %zu events are pending in a lane", live);
		ring = sim_arena_array_raw(engine->arena, cap, sizeof(*ring));
		for (size_t i = 0; i < live; i++)
			ring[i] = *lane_event(lane, i);
		lane->ring = ring;
		lane->head = ring;
		lane->cap = (uint32_t)cap;
	}
	lane_set_count(lane, live);
	if (live > 0 && competes)
		front_insert_lane(engine, lane);
}

/* tail got to write_end: look further or wrap round if that gives some room, or make room. */
static void lane_write_on(struct sim_engine *engine, struct sim_lane *lane)
{
	uint32_t least = lane->cap / 8;

	if (lane->tail >= lane->head && lane->head > lane->ring + least) {
		/* The rest of the ring, from its start to one before the head. */
		lane->tail = lane->ring;
		lane->read_end = lane->ring + lane->cap;
		lane->write_end = lane->head - 1;
	} else if (lane->tail < lane->head && lane->head - lane->tail > (ptrdiff_t)least) {
		lane->write_end = lane->head - 1;
	} else {
		lane_make_room(engine, lane);
	}
}

struct sim_handle sim_lane_slow_(struct sim_engine *engine, unsigned lane_idx, unsigned priority,
				 sim_event_fn *fn, void *ptr, int32_t arg)
{
	struct sim_lane *lane = &engine->lanes[lane_idx];

	RS_REQUIRE(lane_idx >= 1 && lane_idx <= engine->lane_count);
	RS_REQUIRE(priority <= SIM_PRIORITY_MAX);
	if (lane->priority != priority || engine->tie_entity) {
		if (lane->head != lane->tail || engine->tie_entity) {
			uint64_t at_ns = engine->now.time_ns + lane->delay_ns;

			/* Q7. A time past the end of time is as good as the end. */
			if (at_ns > (uint64_t)SIM_TIME_MAX)
				at_ns = (uint64_t)SIM_TIME_MAX;
			return sim_at(engine, (sim_time_ns)at_ns, priority, fn, ptr, arg);
		}
		lane->priority = priority;
		lane->tag = (uint64_t)priority << SIM_PRIORITY_SHIFT | lane_idx;
	}
	if (lane->tail == lane->write_end)
		lane_write_on(engine, lane);
	return sim_lane_after(engine, lane_idx, priority, fn, ptr, arg);
}

/* The pending lane event a handle names; NULL if it is not pending any more. */
static struct sim_lane_event *lane_find(const struct sim_engine *engine, struct sim_handle handle)
{
	const struct sim_lane *lane = &engine->lanes[handle.slot & SIM_SLOT_MASK];
	uint64_t sequence = (uint64_t)(handle.slot >> SIM_SLOT_BITS) << 32 | handle.generation;
	uint64_t order = lane->tag | sequence << SIM_SLOT_BITS;
	struct sim_lane_event *event;
	size_t low = 0;
	size_t high;

	if (lane->delay_ns == SIM_NO_ORDER)
		return NULL;
	high = lane_count(lane);
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
	return event->key.order == order && event->fn ? event : NULL;
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
	node->generation = 0;
	node->order = 0;
	return engine->node_used;
}

void sim_bug_past_(const struct sim_engine *engine, sim_time_ns at_ns)
{
	RS_BUG("event scheduled at %lld ns, before now = %lld ns", (long long)at_ns,
	       (long long)engine->now.time_ns);
}

struct sim_engine *sim_engine_create(struct sim_arena *arena, uint32_t pending_hint)
{
	struct sim_engine *engine = sim_arena_alloc(arena, sizeof(*engine));
	uint32_t cap = HEAP_LEAST;

	while (cap < pending_hint && cap < NODES_MAX / 2)
		cap *= 2;
	engine->arena = arena;
	engine->heap = heap_alloc(arena, cap);
	engine->heap_cap = cap;
	engine->heap_soft = HEAP_LEAST;
	engine->node_cap = cap + SIM_LANE_SLOTS;
	engine->node_used = SIM_LANES_MAX;
	engine->nodes = sim_arena_array_raw(arena, engine->node_cap, sizeof(*engine->nodes));
	engine->front[0] = key_none;
	engine->front_top = engine->front;
	engine->now.order = SIM_NO_ORDER;
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
	lane->ring = sim_arena_array_raw(engine->arena, RING_LEAST, sizeof(*lane->ring));
	lane->cap = RING_LEAST;
	lane_set_count(lane, 0);
	if (engine->tie_entity)
		lane->write_end = lane->tail; /* takes no event (Q7) */
	return engine->lane_count;
}

static inline void node_free(struct sim_engine *engine, struct sim_node *node, uint32_t slot)
{
	/* Differs from the order of every key of this slot (Q1): the low bits name another. */
	node->order = engine->free_slot;
	node->generation++;
	engine->free_slot = slot;
}

static inline bool handle_is_lane(struct sim_handle handle)
{
	return (handle.slot & SIM_SLOT_MASK) < SIM_LANE_SLOTS;
}

bool sim_is_pending(const struct sim_engine *engine, struct sim_handle handle)
{
	if (handle_is_lane(handle))
		return handle.slot != 0 && lane_find(engine, handle);
	/* Freeing a node counts its generation up, so an equal one is the event itself. */
	return engine->nodes[handle.slot].generation == handle.generation;
}

bool sim_cancel(struct sim_engine *engine, struct sim_handle *handle)
{
	struct sim_handle named = *handle;

	*handle = (struct sim_handle){ 0 };
	if (handle_is_lane(named)) {
		struct sim_lane_event *event = named.slot ? lane_find(engine, named) : NULL;

		if (!event)
			return false;
		event->fn = NULL;
	} else {
		struct sim_node *node = &engine->nodes[named.slot];

		if (node->generation != named.generation)
			return false;
		node_free(engine, node, named.slot);
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
			if (engine->lanes[slot].head->fn)
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
	if (engine->sequence >= SIM_SEQUENCE_END / 2)
		RS_BUG("more than 2^%u events in one run", SIM_SEQUENCE_BITS - 1);
	if (engine->tie_entity && engine->sequence >= UINT64_C(1) << (SIM_TIE_SHIFT - 1))
		RS_BUG("more than 2^%u events in one run with shuffled ties",
		       SIM_TIE_SHIFT - SIM_SLOT_BITS - 1);
	engine->budget += events;
	engine->executed_base += (uint64_t)events;
}

static inline void tie_count(struct sim_engine *engine, uint64_t order)
{
	if (engine->now.order != SIM_NO_ORDER &&
	    (engine->now.order ^ order) >> SIM_PRIORITY_SHIFT == 0)
		engine->tied++;
}

/* Runs one event and takes it off the budget, which the caller found positive. */
static inline void event_run(struct sim_engine *engine, const struct sim_key *key,
			     sim_event_fn *fn, void *ptr, int32_t arg)
{
	if (key->time_ns == engine->now.time_ns)
		tie_count(engine, key->order);
	engine->now = *key;
	engine->budget--;
	fn(engine, ptr, arg);
}

/*
 * Runs events of the lane whose key is the smallest of the front, until another
 * key may come first (Q8) or the budget is used up.
 */
static __attribute__((noinline)) void run_lane(struct sim_engine *engine, struct sim_lane *lane)
{
	struct sim_lane_event *event = lane->head;
	uint64_t time_ns = event->key.time_ns;

	engine->front_top--;
	engine->active_lane = lane;
	do {
		sim_event_fn *fn = event->fn;

		lane->head = event + 1;
		if (RS_UNLIKELY(event + 1 == lane->read_end)) {
			if (lane->tail > event + 1)
				lane->read_end = lane->tail;
			else
				lane_read_on(lane);
			if (lane->head == lane->tail) {
				engine->active_lane = NULL;
				if (fn)
					event_run(engine, &event->key, fn, event->ptr, event->arg);
				return;
			}
		}
		if (RS_LIKELY(fn)) {
			engine->budget--;
			if (time_ns == engine->now.time_ns)
				tie_count(engine, event->key.order);
			engine->now = event->key;
			fn(engine, event->ptr, event->arg);
		}
		event = lane->head;
		time_ns = event->key.time_ns;
	} while (time_ns < engine->front_top->time_ns && time_ns < engine->heap->time_ns &&
		 RS_LIKELY(engine->budget != 0));
	engine->active_lane = NULL;
	front_insert_lane(engine, lane);
}

/*
 * The smallest key is that of a lane, but by its order only, or it is the time
 * limit: runs one event. Returns false at the limit.
 */
static __attribute__((noinline)) bool run_lane_once(struct sim_engine *engine,
						    struct sim_lane *lane)
{
	struct sim_lane_event event = *lane->head;

	if (lane == &engine->lanes[0])
		return false;
	lane_drop_head(engine, lane);
	if (event.fn)
		event_run(engine, &event.key, event.fn, event.ptr, event.arg);
	return true;
}

/* Runs due events until the budget is used up (true) or the time limit is met (false). */
static bool run_budget(struct sim_engine *engine)
{
	while (RS_LIKELY(engine->budget > 0)) {
		struct sim_key *top = engine->front_top;
		struct sim_key *first = key_least(top, engine->heap);
		struct sim_key key = *first;
		uint32_t slot = (uint32_t)(key.order & SIM_SLOT_MASK);
		struct sim_node *node;

		if (slot < SIM_LANE_SLOTS) {
			struct sim_lane *lane = &engine->lanes[slot];

			if (key.time_ns < top[-1].time_ns && key.time_ns < engine->heap->time_ns &&
			    slot != 0)
				run_lane(engine, lane);
			else if (!run_lane_once(engine, lane))
				return false;
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
		if (first == top)
			engine->front_top = top - 1;
		else
			engine->hole = true;
		node_free(engine, node, slot);
		event_run(engine, &key, node->fn, node->ptr, node->arg);
	}
	engine->budget = 0;
	return true;
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
