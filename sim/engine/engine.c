/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Event queue and run loop: a 4-ary implicit heap and FIFO lanes behind one
 * interface. Layout, and the invariants Q1..Q5 cited below, are in
 * engine_internal.h; E1..E3 in engine.h. Guarded by tests/unit/check_engine.c,
 * costs by tests/bench.
 */
#include "sim/engine/engine_internal.h"

#include <stdlib.h>
#include <string.h>

#define HEAP_LEAST 16u
#define RING_LEAST 16u
#define CACHE_LINE_BYTES 64u

_Static_assert(sizeof(struct sim_node) == 32, "a node is half a cache line");
_Static_assert(SIM_PRIORITY_MAX == (UINT64_MAX >> SIM_PRIORITY_SHIFT), "priority fills the key");

static inline uint64_t key_time(sim_key key)
{
	return (uint64_t)(key >> 64);
}

static inline uint32_t key_slot(sim_key key)
{
	return (uint32_t)((uint64_t)key & SIM_SLOT_MASK);
}

static inline sim_key key_make(uint64_t time_ns, uint64_t order)
{
	return (sim_key)time_ns << 64 | order;
}

static inline bool key_is_live(const struct sim_engine *engine, sim_key key)
{
	return engine->nodes[key_slot(key)].order == (uint64_t)key;
}

/* ---- heap ---- */

/* Puts key into the empty cell i, whose subtree is a heap. */
static inline void heap_sift_down(sim_key *heap, size_t n, size_t i, sim_key key)
{
	size_t child;

	while ((child = 4 * i + 1) < n) {
		const sim_key *group = heap + child;
		const sim_key *left = group[1] < group[0] ? group + 1 : group;
		const sim_key *right = group[3] < group[2] ? group + 3 : group + 2;

		if (*right < *left)
			left = right;
		if (key < *left)
			break;
		heap[i] = *left;
		i = (size_t)(left - heap);
	}
	heap[i] = key;
}

static inline void heap_sift_up(sim_key *heap, size_t i, sim_key key)
{
	while (i > 0) {
		size_t parent = (i - 1) / 4;

		if (heap[parent] < key)
			break;
		heap[i] = heap[parent];
		i = parent;
	}
	heap[i] = key;
}

/* Groups of four children start at cache lines: the root is the last key of one. */
static sim_key *heap_alloc(struct sim_arena *arena, uint32_t cap)
{
	size_t cells = (size_t)cap + 4;
	unsigned char *bytes = sim_arena_array_raw(arena, cells + 4, sizeof(sim_key));
	uintptr_t skew = ((uintptr_t)bytes + sizeof(sim_key)) % CACHE_LINE_BYTES;
	sim_key *heap = (sim_key *)(void *)(bytes + (CACHE_LINE_BYTES - skew) % CACHE_LINE_BYTES);

	memset(heap, 0xff, cells * sizeof(*heap));
	return heap;
}

/* Drops dead keys (Q1) and makes the rest a heap again; closes the hole (Q3). */
static void heap_sweep(struct sim_engine *engine)
{
	sim_key *heap = engine->heap;
	uint32_t n = 0;

	for (uint32_t i = 0; i < engine->heap_n; i++) {
		if (key_is_live(engine, heap[i]))
			heap[n++] = heap[i];
	}
	for (uint32_t i = n; i < engine->heap_n; i++)
		heap[i] = SIM_KEY_NONE;
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
		sim_key *heap = heap_alloc(engine->arena, soft);

		memcpy(heap, engine->heap, engine->heap_n * sizeof(*heap));
		engine->heap = heap;
		engine->heap_cap = soft;
	}
	engine->heap_soft = soft;
}

static inline void heap_push(struct sim_engine *engine, sim_key key)
{
	if (engine->hole) {
		engine->hole = false;
		heap_sift_down(engine->heap, engine->heap_n, 0, key);
		return;
	}
	if (RS_UNLIKELY(engine->heap_n == engine->heap_soft))
		heap_make_room(engine);
	heap_sift_up(engine->heap, engine->heap_n++, key);
}

static void heap_pop(struct sim_engine *engine)
{
	uint32_t n = engine->heap_n - 1;
	sim_key last = engine->heap[n];

	engine->heap_n = n;
	engine->heap[n] = SIM_KEY_NONE;
	engine->hole = false;
	if (n > 0)
		heap_sift_down(engine->heap, n, 0, last);
}

/* ---- lanes ---- */

static inline void front_insert(struct sim_engine *engine, sim_key key, unsigned lane)
{
	uint32_t i = ++engine->front_n;

	for (; engine->front[i - 1] < key; i--) {
		engine->front[i] = engine->front[i - 1];
		engine->front_lane[i] = engine->front_lane[i - 1];
	}
	engine->front[i] = key;
	engine->front_lane[i] = (uint8_t)lane;
}

static void front_rebuild(struct sim_engine *engine)
{
	engine->front_n = 0;
	for (unsigned i = 0; i < engine->lane_count; i++) {
		const struct sim_lane *lane = &engine->lanes[i];

		if (lane->head != lane->tail)
			front_insert(engine, lane->ring[lane->head & lane->mask], i);
	}
}

/* Removes the smallest lane key from its ring and from the front. */
static inline void front_pop(struct sim_engine *engine)
{
	unsigned index = engine->front_lane[engine->front_n];
	struct sim_lane *lane = &engine->lanes[index];

	engine->front_n--;
	lane->head++;
	if (lane->head != lane->tail)
		front_insert(engine, lane->ring[lane->head & lane->mask], index);
}

/* Drops dead keys of a ring, keeping order. The caller rebuilds the front. */
static void lane_sweep(struct sim_engine *engine, struct sim_lane *lane)
{
	uint32_t kept = lane->head;

	for (uint32_t i = lane->head; i != lane->tail; i++) {
		sim_key key = lane->ring[i & lane->mask];

		if (key_is_live(engine, key))
			lane->ring[kept++ & lane->mask] = key;
	}
	lane->tail = kept;
}

/* The ring is full: sweep it, and double it if most of it is live (Q2). */
static __attribute__((noinline)) void lane_make_room(struct sim_engine *engine,
						     struct sim_lane *lane)
{
	uint32_t cap = lane->mask + 1;
	uint32_t live;

	lane_sweep(engine, lane);
	live = lane->tail - lane->head;
	if (live > cap / 2) {
		sim_key *ring = sim_arena_array_raw(engine->arena, (size_t)cap * 2, sizeof(*ring));

		for (uint32_t i = 0; i < live; i++)
			ring[i] = lane->ring[(lane->head + i) & lane->mask];
		lane->ring = ring;
		lane->mask = cap * 2 - 1;
		lane->head = 0;
		lane->tail = live;
	}
	front_rebuild(engine);
}

/* ---- nodes ---- */

static __attribute__((noinline)) uint32_t node_fresh(struct sim_engine *engine)
{
	if (engine->node_used + 1 == engine->node_cap) {
		uint32_t cap = engine->node_cap * 2;
		struct sim_node *nodes;

		if (engine->node_cap > SIM_SLOT_MASK / 2)
			RS_BUG("more than %u events are pending", engine->node_used);
		nodes = sim_arena_array_raw(engine->arena, cap, sizeof(*nodes));
		memcpy(nodes, engine->nodes, engine->node_cap * sizeof(*nodes));
		engine->nodes = nodes;
		engine->node_cap = cap;
	}
	engine->node_used++;
	engine->nodes[engine->node_used].generation = 0;
	engine->nodes[engine->node_used].order = 0;
	return engine->node_used;
}

static inline void node_free(struct sim_engine *engine, struct sim_node *node, uint32_t slot)
{
	/* Differs from the order of every key of this slot (Q1): the low bits name another. */
	node->order = engine->free_slot;
	node->generation++;
	engine->free_slot = slot;
}

static int key_compare(const void *a, const void *b)
{
	sim_key x = *(const sim_key *)a;
	sim_key y = *(const sim_key *)b;

	return (x > y) - (x < y);
}

/* Gives a key that was renumbered in its node the new order. */
static inline sim_key key_renewed(const struct sim_engine *engine, sim_key key)
{
	return key_make(key_time(key), engine->nodes[key_slot(key)].order);
}

/*
 * 2^34 sequence numbers are used up: numbers the pending events 0, 1, ... in
 * their present order, which no comparison between them can notice.
 */
static __attribute__((noinline)) void sequence_renumber(struct sim_engine *engine)
{
	sim_key *keys;
	size_t n = 0;

	heap_sweep(engine);
	for (unsigned i = 0; i < engine->lane_count; i++)
		lane_sweep(engine, &engine->lanes[i]);
	keys = rs_calloc((size_t)engine->node_used + 1, sizeof(*keys));
	for (; n < engine->heap_n; n++)
		keys[n] = engine->heap[n];
	for (unsigned i = 0; i < engine->lane_count; i++) {
		const struct sim_lane *lane = &engine->lanes[i];

		for (uint32_t j = lane->head; j != lane->tail; j++)
			keys[n++] = lane->ring[j & lane->mask];
	}
	qsort(keys, n, sizeof(*keys), key_compare);
	for (size_t i = 0; i < n; i++) {
		uint64_t priority = (uint64_t)keys[i] >> SIM_PRIORITY_SHIFT;

		engine->nodes[key_slot(keys[i])].order = priority << SIM_PRIORITY_SHIFT |
							 i << SIM_SLOT_BITS | key_slot(keys[i]);
	}
	free(keys);

	for (uint32_t i = 0; i < engine->heap_n; i++)
		engine->heap[i] = key_renewed(engine, engine->heap[i]);
	for (unsigned i = 0; i < engine->lane_count; i++) {
		struct sim_lane *lane = &engine->lanes[i];

		lane->last = 0;
		for (uint32_t j = lane->head; j != lane->tail; j++) {
			lane->last = key_renewed(engine, lane->ring[j & lane->mask]);
			lane->ring[j & lane->mask] = lane->last;
		}
	}
	front_rebuild(engine);
	engine->scheduled_base += (engine->sequence >> SIM_SLOT_BITS) - n;
	engine->sequence = (uint64_t)n << SIM_SLOT_BITS;
}

/* Takes a node for a new event; returns the low word of its key. */
static inline uint64_t node_take(struct sim_engine *engine, unsigned priority, sim_event_fn *fn,
				 void *ptr, int32_t arg, struct sim_handle *handle)
{
	uint32_t slot = engine->free_slot;
	struct sim_node *node;
	uint64_t order;

	if (RS_UNLIKELY(engine->sequence == SIM_SEQUENCE_END))
		sequence_renumber(engine);
	if (RS_UNLIKELY(slot == 0))
		slot = node_fresh(engine);
	node = &engine->nodes[slot];
	engine->free_slot = (uint32_t)node->order;
	order = (uint64_t)priority << SIM_PRIORITY_SHIFT | engine->sequence | slot;
	engine->sequence += SIM_SEQUENCE_ONE;
	node->fn = fn;
	node->ptr = ptr;
	node->order = order;
	node->arg = arg;
	handle->slot = slot;
	handle->generation = node->generation;
	return order;
}

/* ---- interface ---- */

struct sim_engine *sim_engine_create(struct sim_arena *arena, uint32_t pending_hint)
{
	struct sim_engine *engine = sim_arena_alloc(arena, sizeof(*engine));
	uint32_t cap = HEAP_LEAST;

	while (cap < pending_hint && cap < (1u << (SIM_SLOT_BITS - 1)))
		cap *= 2;
	engine->arena = arena;
	engine->heap = heap_alloc(arena, cap);
	engine->heap_cap = cap;
	engine->heap_soft = HEAP_LEAST;
	engine->node_cap = cap + 1;
	engine->nodes = sim_arena_array_raw(arena, engine->node_cap, sizeof(*engine->nodes));
	/* A zeroed handle names slot 0; this generation makes it stale. */
	engine->nodes[0] = (struct sim_node){ .generation = UINT32_MAX, .order = SIM_NO_ORDER };
	engine->front[0] = SIM_KEY_NONE;
	engine->last_order = SIM_NO_ORDER;
	return engine;
}

sim_time_ns sim_now(const struct sim_engine *engine)
{
	return (sim_time_ns)engine->now_ns;
}

struct sim_handle sim_at(struct sim_engine *engine, sim_time_ns at_ns, unsigned priority,
			 sim_event_fn *fn, void *ptr, int32_t arg)
{
	struct sim_handle handle;
	uint64_t order;

	if (RS_UNLIKELY(at_ns < (sim_time_ns)engine->now_ns))
		RS_BUG("event scheduled at %lld ns, before now = %lld ns", (long long)at_ns,
		       (long long)engine->now_ns);
	RS_REQUIRE(priority <= SIM_PRIORITY_MAX);
	order = node_take(engine, priority, fn, ptr, arg, &handle);
	heap_push(engine, key_make((uint64_t)at_ns, order));
	return handle;
}

unsigned sim_lane_open(struct sim_engine *engine, sim_time_ns delay_ns)
{
	struct sim_lane *lane;

	RS_REQUIRE(delay_ns >= 0);
	for (unsigned i = 0; i < engine->lane_count; i++) {
		if (engine->lanes[i].delay_ns == (uint64_t)delay_ns)
			return i;
	}
	RS_REQUIRE(engine->lane_count < SIM_LANES_MAX);
	lane = &engine->lanes[engine->lane_count];
	lane->delay_ns = (uint64_t)delay_ns;
	lane->ring = sim_arena_array_raw(engine->arena, RING_LEAST, sizeof(*lane->ring));
	lane->mask = RING_LEAST - 1;
	return engine->lane_count++;
}

struct sim_handle sim_lane_after(struct sim_engine *engine, unsigned lane_idx, unsigned priority,
				 sim_event_fn *fn, void *ptr, int32_t arg)
{
	struct sim_handle handle;
	struct sim_lane *lane;
	uint64_t order;
	sim_key key;

	RS_REQUIRE(lane_idx < engine->lane_count);
	RS_REQUIRE(priority <= SIM_PRIORITY_MAX);
	lane = &engine->lanes[lane_idx];
	order = node_take(engine, priority, fn, ptr, arg, &handle);
	/* Beyond SIM_TIME_MAX the sum still orders right, and never runs. */
	key = key_make(engine->now_ns + lane->delay_ns, order);
	if (RS_UNLIKELY(key < lane->last)) {
		/* Same time as the lane's last event, smaller priority number: not FIFO. */
		heap_push(engine, key);
		return handle;
	}
	if (RS_UNLIKELY(lane->tail - lane->head > lane->mask))
		lane_make_room(engine, lane);
	lane->last = key;
	if (lane->head == lane->tail)
		front_insert(engine, key, lane_idx);
	lane->ring[lane->tail++ & lane->mask] = key;
	return handle;
}

bool sim_is_pending(const struct sim_engine *engine, struct sim_handle handle)
{
	/* Freeing a node counts its generation up, so an equal one is the event itself. */
	return engine->nodes[handle.slot].generation == handle.generation;
}

bool sim_cancel(struct sim_engine *engine, struct sim_handle *handle)
{
	bool was_pending = sim_is_pending(engine, *handle);

	if (was_pending) {
		node_free(engine, &engine->nodes[handle->slot], handle->slot);
		engine->cancelled++;
	}
	*handle = (struct sim_handle){ 0 };
	return was_pending;
}

/* Slow path of the tie counter: same time as the event before. */
static inline void tie_count(struct sim_engine *engine, uint64_t order)
{
	if (engine->last_order != SIM_NO_ORDER &&
	    (engine->last_order ^ order) >> SIM_PRIORITY_SHIFT == 0)
		engine->tied++;
}

/* Removes dead keys until the smallest key of all queues is live or none is left. */
static sim_key queue_first_live(struct sim_engine *engine)
{
	for (;;) {
		sim_key first = engine->front[engine->front_n];
		bool is_lane = first < engine->heap[0];

		if (!is_lane)
			first = engine->heap[0];
		if (first == SIM_KEY_NONE || key_is_live(engine, first))
			return first;
		if (is_lane)
			front_pop(engine);
		else
			heap_pop(engine);
	}
}

/* The run loop found nothing it may run: why? */
static enum sim_stop run_end(struct sim_engine *engine, sim_time_ns until_ns)
{
	engine->is_running = false;
	if (sim_events_pending(engine) == 0)
		return SIM_STOP_EMPTY;
	if (until_ns > (sim_time_ns)engine->now_ns) {
		engine->now_ns = (uint64_t)until_ns;
		/* No event ran at the new time yet, so the next one ties with none. */
		engine->last_order = SIM_NO_ORDER;
	}
	return SIM_STOP_TIME_LIMIT;
}

enum sim_stop sim_run(struct sim_engine *engine, sim_time_ns until_ns, uint64_t max_events)
{
	uint64_t until = (uint64_t)until_ns;

	RS_REQUIRE(!engine->is_running);
	if (until_ns < (sim_time_ns)engine->now_ns)
		return run_end(engine, until_ns);
	engine->is_running = true;
	engine->stop_asked = false;
	engine->limit = UINT64_MAX;
	if (max_events > 0 && max_events < UINT64_MAX - engine->executed)
		engine->limit = engine->executed + max_events;

	for (;;) {
		sim_key key = engine->heap[0];
		sim_key lane_key = engine->front[engine->front_n];
		bool is_lane = lane_key < key;
		struct sim_node *node;
		uint32_t slot;

		if (is_lane)
			key = lane_key;
		if (RS_UNLIKELY(engine->executed >= engine->limit)) {
			if (engine->stop_asked) {
				engine->is_running = false;
				return SIM_STOP_ASKED;
			}
			if (key_time(queue_first_live(engine)) > until)
				return run_end(engine, until_ns);
			engine->is_running = false;
			return SIM_STOP_EVENT_LIMIT;
		}
		if (RS_UNLIKELY(key_time(key) > until))
			return run_end(engine, until_ns);
		slot = key_slot(key);
		node = &engine->nodes[slot];
		if (RS_UNLIKELY(node->order != (uint64_t)key)) {
			if (is_lane)
				front_pop(engine);
			else
				heap_pop(engine);
			continue;
		}
		if (is_lane)
			front_pop(engine);
		else
			engine->hole = true;
		if (key_time(key) == engine->now_ns)
			tie_count(engine, (uint64_t)key);
		engine->last_order = (uint64_t)key;
		engine->now_ns = key_time(key);
		engine->executed++;
		node_free(engine, node, slot);
		node->fn(engine, node->ptr, node->arg);
	}
}

void sim_stop(struct sim_engine *engine)
{
	engine->stop_asked = true;
	engine->limit = 0;
}

uint64_t sim_events_executed(const struct sim_engine *engine)
{
	return engine->executed;
}

uint64_t sim_events_pending(const struct sim_engine *engine)
{
	return engine->scheduled_base + (engine->sequence >> SIM_SLOT_BITS) - engine->executed -
	       engine->cancelled;
}

uint64_t sim_events_tied(const struct sim_engine *engine)
{
	return engine->tied;
}
