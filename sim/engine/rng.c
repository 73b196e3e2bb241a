/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * xoshiro256++ as a GSL generator, and streams seeded through splitmix64.
 *
 * The coordinates of a stream are absorbed one after the other, each followed
 * by the splitmix64 finaliser (a bijection with full avalanche), so neighbouring
 * tuples start at unrelated states. Initialising a stream is some 60
 * instructions: a replication opens several. Guarded by tests/unit/check_rng.c.
 */
#include "sim/engine/rng.h"

#define RNG_GOLDEN UINT64_C(0x9e3779b97f4a7c15)

static uint64_t rng_mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

static uint64_t rng_rotl(uint64_t x, unsigned bits)
{
	return (x << bits) | (x >> (64 - bits));
}

static uint64_t rng_step(uint64_t s[4])
{
	uint64_t result = rng_rotl(s[0] + s[3], 23) + s[0];
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rng_rotl(s[3], 45);
	return result;
}

static double rng_to_unit(uint64_t bits)
{
	return (double)(bits >> 11) * 0x1.0p-53;
}

/*
 * The finaliser is a bijection of four different counter values, so at most one
 * of the four words is zero: the state is never the forbidden all-zero one.
 */
static void rng_seed(uint64_t s[4], uint64_t x)
{
	for (int i = 0; i < 4; i++) {
		x += RNG_GOLDEN;
		s[i] = rng_mix(x);
	}
}

static void rng_gsl_set(void *state, unsigned long seed)
{
	rng_seed(state, seed);
}

static unsigned long rng_gsl_get(void *state)
{
	return (unsigned long)(rng_step(state) >> 32);
}

static double rng_gsl_get_double(void *state)
{
	return rng_to_unit(rng_step(state));
}

static const gsl_rng_type rng_xoshiro256pp_type = {
	.name = "xoshiro256++",
	.max = 0xffffffffUL,
	.min = 0,
	.size = 4 * sizeof(uint64_t),
	.set = rng_gsl_set,
	.get = rng_gsl_get,
	.get_double = rng_gsl_get_double,
};

const gsl_rng_type *const rng_xoshiro256pp = &rng_xoshiro256pp_type;

void rng_stream_init(struct rng_stream *stream, uint64_t seed, uint64_t replication,
		     uint64_t entity, enum rng_purpose purpose)
{
	uint64_t x = rng_mix(seed + RNG_GOLDEN);

	x = rng_mix((x ^ replication) + RNG_GOLDEN);
	x = rng_mix((x ^ entity) + RNG_GOLDEN);
	x = rng_mix((x ^ (uint64_t)purpose) + RNG_GOLDEN);
	rng_seed(stream->state, x);
	stream->gsl.type = &rng_xoshiro256pp_type;
	stream->gsl.state = stream->state;
}

uint64_t rng_u64(struct rng_stream *stream)
{
	return rng_step(stream->state);
}

double rng_uniform(struct rng_stream *stream)
{
	return rng_to_unit(rng_step(stream->state));
}

double rng_uniform_pos(struct rng_stream *stream)
{
	double u;

	do {
		u = rng_to_unit(rng_step(stream->state));
	} while (u == 0.0);
	return u;
}
