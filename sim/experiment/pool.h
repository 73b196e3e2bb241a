/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pool of workers that share one counter of work items.
 *
 * Items are handed out in ascending order and every item that was handed out is
 * finished, so whatever stops the pool, the finished items are a prefix 0..k-1.
 * The caller works too: one job starts no thread.
 */
#ifndef EXPERIMENT_POOL_H
#define EXPERIMENT_POOL_H

#include <stdatomic.h>

#include "sim/engine/base.h"

/* Most workers of one pool; more are asked for by mistake. */
#define POOL_JOBS_MAX 1024

/* Does one item. worker_idx (0..jobs-1) names the calling worker: index of its own memory. */
typedef void pool_fn(void *ctx, int worker_idx, uint64_t item);

/*
 * Runs fn for the items 0..items-1 on `jobs` workers (1..POOL_JOBS_MAX) and
 * returns when they are done. *stop_asked (may be NULL) becoming true ends it
 * after the items in work. Fewer threads than asked for are no error. Returns
 * the number of items done.
 */
uint64_t pool_run(int jobs, uint64_t items, pool_fn *fn, void *ctx, const atomic_bool *stop_asked);

#endif
