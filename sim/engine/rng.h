/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random streams. Generator: xoshiro256++ 1.0 (Blackman and Vigna, "Scrambled
 * linear pseudorandom number generators", ACM TOMS 2021), plugged into GSL as a
 * gsl_rng_type so that every gsl_ran_* works on it. State is seeded through
 * splitmix64 of (seed, replication, entity, purpose): one stream for each
 * purpose of each entity, so variants share draws and a new draw in one place
 * moves no other.
 */
#ifndef ENGINE_RNG_H
#define ENGINE_RNG_H

#include <gsl/gsl_rng.h>

#include "sim/engine/base.h"

/* The generator as GSL sees it: gsl_rng_get gives 32 bits 0..2^32-1, uniform gives 53 bits. */
extern const gsl_rng_type *const rng_xoshiro256pp;

/* A stream; plain memory, may be embedded, must not be copied or moved after init. */
struct rng_stream {
	gsl_rng gsl;       /* for gsl_ran_*(&stream->gsl, ...); points at state */
	uint64_t state[4]; /* never all zero */
};

/* What a stream is used for. Values are part of the results' identity: append only. */
enum rng_purpose {
	RNG_STEP_DURATION = 1, /* durations of workload steps; entity = step id */
	RNG_TICK_PHASE = 2,    /* phase of CPU 0's tick against time 0 */
	RNG_BRING_UP = 3,      /* CPU bring-up durations; entity = CPU */
	RNG_TEST = 1000        /* tests and benchmarks */
};

/* Initialises the stream for (seed, replication, entity, purpose). */
void rng_stream_init(struct rng_stream *stream, uint64_t seed, uint64_t replication,
		     uint64_t entity, enum rng_purpose purpose);

/* Next 64 bits. */
uint64_t rng_u64(struct rng_stream *stream);

/* Uniform double in [0, 1), 53 bits. */
double rng_uniform(struct rng_stream *stream);

/* Uniform double in (0, 1): never 0, for inverse transforms. */
double rng_uniform_pos(struct rng_stream *stream);

#endif
