/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Discrete-event engine: integer-nanosecond clock, event queue, run loop.
 *
 * E1 (total order): events run in the order (time, priority, sequence), where
 *    sequence is the order in which they were scheduled. Nothing else decides,
 *    but for sim_shuffle_ties().
 * E2 (no allocation in the steady state): event nodes are pooled; the pool only
 *    grows when more events are pending than ever before in the run.
 * E3 (safe handles): cancelling an event that ran, was cancelled, or whose node
 *    was reused is a no-op that returns false.
 *
 * An event is a function, a pointer and a small integer. The engine never owns
 * what the pointer points at. The function is kept as a 32-bit distance, so it
 * must lie within 1 GiB of the engine's own code: any function linked into the
 * same program or library does (RS_BUG otherwise).
 *
 * Memory of a pending event: 32 bytes (16 for its key, 16 for function, pointer
 * and integer) and 8 by which its handles find it. The arena holds that for
 * pending_hint events; each doubling past the hint leaves the outgrown memory
 * unused until the reset. In a lane an event takes its 32 bytes and no more,
 * plus 1 % for the blocks of 127 they stand in, of which a lane has one at least.
 *
 * Lanes: events whose delay is one constant (a tick period, an IPI latency)
 * keep their own order and go through a FIFO for each delay, which costs a
 * fraction of a heap operation. E1 holds across heap and lanes together.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "sim/engine/arena.h"
#include "sim/engine/base.h"

struct sim_engine;

typedef void sim_event_fn(struct sim_engine *engine, void *ptr, int32_t arg);

/* Names a pending event. A zeroed handle names none. */
struct sim_handle {
	uint32_t slot;       /* where it is kept, and more of its generation; 0 = none */
	uint32_t generation; /* from its sequence, so never the same twice in a run */
};

/* Why sim_run() returned. */
enum sim_stop {
	SIM_STOP_EMPTY,       /* no event left */
	SIM_STOP_ASKED,       /* sim_stop() was called */
	SIM_STOP_TIME_LIMIT,  /* next event is later than until_ns; clock set to until_ns */
	SIM_STOP_EVENT_LIMIT, /* max_events executed */
	SIM_STOP_COUNT
};

/* Priorities: a smaller one runs first at equal times. 0..63. */
#define SIM_PRIORITY_MAX 63u

/*
 * Creates an engine in the arena at time 0. pending_hint: expected number of
 * pending events (the pool grows past it by itself). The arena must outlive it;
 * there is no destroy: resetting the arena ends the engine.
 */
struct sim_engine *sim_engine_create(struct sim_arena *arena, uint32_t pending_hint);

/* What an event is about: events of one entity keep their order. */
typedef int32_t sim_entity_fn(const void *ctx, const void *ptr, int32_t arg);

/*
 * From now on events of equal time and priority, but of different entities, run
 * in a random order, drawn anew for each time, that depends on seed alone.
 * Before the first event and lane. Such a run takes up to 2^28 events.
 */
void sim_shuffle_ties(struct sim_engine *engine, uint64_t seed, sim_entity_fn *entity,
		      const void *ctx);

/* Current virtual time. */
static inline sim_time_ns sim_now(const struct sim_engine *engine);

/*
 * Schedules fn(engine, ptr, arg) at at_ns (>= now, checked; RS_BUG otherwise).
 * Returns the handle for sim_cancel(); may be ignored.
 */
static inline struct sim_handle sim_at(struct sim_engine *engine, sim_time_ns at_ns,
				       unsigned priority, sim_event_fn *fn, void *ptr, int32_t arg);

/*
 * Opens a lane for events with the constant delay delay_ns (>= 0). Opening the
 * same delay twice returns the same lane. At most SIM_LANES_MAX lanes.
 */
#define SIM_LANES_MAX 16u
unsigned sim_lane_open(struct sim_engine *engine, sim_time_ns delay_ns);

/*
 * As sim_at() at now + the lane's delay. Same total order, cheaper. lane must be
 * one that sim_lane_open() returned. An event whose priority differs from that
 * of the events in the lane takes the way of sim_at().
 */
static inline struct sim_handle sim_lane_after(struct sim_engine *engine, unsigned lane,
					       unsigned priority, sim_event_fn *fn, void *ptr,
					       int32_t arg);

/* Cancels the event if it is still pending; zeroes *handle. Returns whether it was pending. */
bool sim_cancel(struct sim_engine *engine, struct sim_handle *handle);

/* Is the event still pending? */
bool sim_is_pending(const struct sim_engine *engine, struct sim_handle handle);

/*
 * Runs events until none is left, sim_stop() is called, the next event is later
 * than until_ns, or max_events (0: no limit) have run in this call and another
 * one is due. May not be called from an event. The engine takes up to 2^36
 * events a run, and 2 million pending at once.
 */
enum sim_stop sim_run(struct sim_engine *engine, sim_time_ns until_ns, uint64_t max_events);

/* Makes sim_run() return after the current event. */
void sim_stop(struct sim_engine *engine);

/* Events executed so far; events pending now; events that ran at the same time
 * and priority as their predecessor (ties, ordered by sequence). */
uint64_t sim_events_executed(const struct sim_engine *engine);
uint64_t sim_events_pending(const struct sim_engine *engine);
uint64_t sim_events_tied(const struct sim_engine *engine);

#include "sim/engine/engine_internal.h" /* the inline functions */

#endif
