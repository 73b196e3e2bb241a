/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws for the benchmarks: xoshiro256++ and a 256-layer ziggurat for the
 * exponential (Marsaglia and Tsang, "The ziggurat method for generating random
 * variables", J. Stat. Software 5(8), 2000), both inline, so that a benchmark of
 * the engine does not measure libm. The models draw through GSL instead.
 */
#ifndef BENCH_BENCH_DRAW_H
#define BENCH_BENCH_DRAW_H

#include <math.h>
#include <stdint.h>

#define BENCH_LAYERS 256
#define BENCH_ZIG_R 7.69711747013104972

struct bench_rng {
	uint64_t s[4];
	const struct bench_zig *zig; /* borrowed */
};

/* Layer i is [0, x[i]) wide; y[i] = exp(-x[i]); a draw below x[i + 1] is under the curve. */
struct bench_zig {
	double x[BENCH_LAYERS + 1];
	double y[BENCH_LAYERS + 1];
	double scale[BENCH_LAYERS];   /* x[i] / 2^56 */
	uint64_t inside[BENCH_LAYERS]; /* x[i + 1] / x[i] * 2^56 */
};

static inline void bench_zig_init(struct bench_zig *zig)
{
	const double r = BENCH_ZIG_R;
	const double area = exp(-r) * (r + 1);

	/* The bottom layer holds the tail: as wide as a rectangle of the same area. */
	zig->x[0] = area / exp(-r);
	zig->x[1] = r;
	for (int i = 2; i < BENCH_LAYERS; i++)
		zig->x[i] = -log(exp(-zig->x[i - 1]) + area / zig->x[i - 1]);
	zig->x[BENCH_LAYERS] = 0;
	for (int i = 0; i <= BENCH_LAYERS; i++)
		zig->y[i] = exp(-zig->x[i]);
	for (int i = 0; i < BENCH_LAYERS; i++) {
		zig->scale[i] = zig->x[i] * 0x1p-56;
		zig->inside[i] = (uint64_t)(zig->x[i + 1] / zig->x[i] * 0x1p56);
	}
}

static inline void bench_rng_init(struct bench_rng *rng, const struct bench_zig *zig, uint64_t seed)
{
	for (int i = 0; i < 4; i++) {
		uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);

		z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
		z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
		rng->s[i] = z ^ (z >> 31);
	}
	rng->zig = zig;
}

static inline uint64_t bench_rotl(uint64_t x, unsigned bits)
{
	return (x << bits) | (x >> (64 - bits));
}

static inline uint64_t bench_u64(struct bench_rng *rng)
{
	uint64_t *s = rng->s;
	uint64_t result = bench_rotl(s[0] + s[3], 23) + s[0];
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = bench_rotl(s[3], 45);
	return result;
}

static inline double bench_unit(struct bench_rng *rng)
{
	return (double)(bench_u64(rng) >> 11) * 0x1p-53;
}

/* The 1 % of the draws that miss the rectangle below the curve. Negative: draw again. */
static __attribute__((noinline)) double bench_exp_edge(struct bench_rng *rng, unsigned layer, double x)
{
	const struct bench_zig *zig = rng->zig;
	double u = bench_unit(rng);

	if (layer == 0)
		return BENCH_ZIG_R - log1p(-u);
	if (zig->y[layer] + u * (zig->y[layer + 1] - zig->y[layer]) < exp(-x))
		return x;
	return -1;
}

/* Exponential of mean 1. */
static inline double bench_exp(struct bench_rng *rng)
{
	const struct bench_zig *zig = rng->zig;

	for (;;) {
		uint64_t bits = bench_u64(rng);
		unsigned layer = (unsigned)(bits & (BENCH_LAYERS - 1));
		double x = (double)(int64_t)(bits >> 8) * zig->scale[layer];

		if (__builtin_expect(bits >> 8 < zig->inside[layer], 1))
			return x;
		x = bench_exp_edge(rng, layer, x);
		if (x >= 0)
			return x;
	}
}

#endif
