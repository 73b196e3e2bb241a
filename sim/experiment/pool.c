/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The worker pool: an atomic item counter and plain threads. Which worker gets
 * which item depends on the operating system's scheduler; nothing a caller
 * stores may depend on it. Guarded by tests/unit/check_experiment.c.
 */
#include "sim/experiment/pool.h"

#include <pthread.h>
#include <stdlib.h>

struct pool {
	atomic_uint_fast64_t next_item;
	uint64_t items;
	pool_fn *fn;
	void *ctx;
	const atomic_bool *stop_asked;
};

struct worker {
	struct pool *pool; /* borrowed */
	int worker_idx;
	pthread_t thread;
};

static bool is_stop_asked(const struct pool *pool)
{
	return pool->stop_asked != NULL && atomic_load(pool->stop_asked);
}

static void work(struct pool *pool, int worker_idx)
{
	while (!is_stop_asked(pool)) {
		uint64_t item = atomic_fetch_add(&pool->next_item, 1);

		if (item >= pool->items)
			return;
		pool->fn(pool->ctx, worker_idx, item);
	}
}

static void *worker_main(void *arg)
{
	struct worker *worker = arg;

	work(worker->pool, worker->worker_idx);
	return NULL;
}

uint64_t pool_run(int jobs, uint64_t items, pool_fn *fn, void *ctx, const atomic_bool *stop_asked)
{
	struct pool pool = {.items = items, .fn = fn, .ctx = ctx, .stop_asked = stop_asked};
	struct worker *workers = NULL;
	uint64_t done;
	int started = 0;

	RS_REQUIRE(jobs >= 1 && jobs <= POOL_JOBS_MAX);
	atomic_init(&pool.next_item, 0);
	if ((uint64_t)jobs > items)
		jobs = items > 0 ? (int)items : 1;
	if (jobs > 1)
		workers = rs_calloc((size_t)jobs, sizeof(*workers));
	while (started < jobs - 1) {
		struct worker *worker = &workers[started];

		worker->pool = &pool;
		worker->worker_idx = started + 1;
		if (pthread_create(&worker->thread, NULL, worker_main, worker) != 0)
			break;
		started++;
	}
	work(&pool, 0);
	for (int i = 0; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	free(workers);
	done = atomic_load(&pool.next_item);
	return done < items ? done : items;
}
