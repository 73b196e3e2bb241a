/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs the replications and reduces each run's record to what is kept.
 *
 * One work item is one (replication, cell) with all its variants, replication
 * by replication, so that an interrupted matrix has about the same number of
 * replications in every cell (X3). Totals go to the item's own slot and need no
 * lock; what is shared by the replications of a cell is added under the cell's
 * lock, as integer sums that do not depend on the order (X2).
 * Guarded by tests/unit/check_experiment.c.
 */
#include "sim/experiment/experiment.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sim/experiment/pool.h"

struct runner {
	const struct scenario *scenario;  /* borrowed */
	const struct xp_options *options; /* borrowed */
	xp_model_fn *model;
	struct xp_result *result;    /* being filled */
	struct sim_arena **arenas;   /* owned; one for each worker */
	pthread_mutex_t *cell_locks; /* owned; one for each cell */
	pthread_mutex_t progress_lock;
	uint64_t done; /* under progress_lock */
	uint64_t total;
};

static void hist_add(struct stat_hist **hist, int64_t value)
{
	if (*hist == NULL)
		*hist = rs_calloc(1, sizeof(**hist));
	stat_hist_add(*hist, value);
}

static struct xp_wait *wait_slot(struct xp_variant *variant, uint32_t step_id)
{
	if (step_id >= variant->wait_slots) {
		size_t slots = (size_t)step_id + 1;

		variant->waits = rs_realloc(variant->waits, slots * sizeof(*variant->waits));
		memset(&variant->waits[variant->wait_slots], 0,
		       (slots - variant->wait_slots) * sizeof(*variant->waits));
		variant->wait_slots = slots;
	}
	return &variant->waits[step_id];
}

static struct xp_mark *mark_slot(struct xp_variant *variant, const char *name)
{
	size_t idx = 0;

	while (idx < variant->mark_count && strcmp(variant->marks[idx].name, name) < 0)
		idx++;
	if (idx < variant->mark_count && strcmp(variant->marks[idx].name, name) == 0)
		return &variant->marks[idx];
	variant->marks =
		rs_realloc(variant->marks, (variant->mark_count + 1) * sizeof(*variant->marks));
	memmove(&variant->marks[idx + 1], &variant->marks[idx],
		(variant->mark_count - idx) * sizeof(*variant->marks));
	variant->mark_count++;
	variant->marks[idx] = (struct xp_mark){.name = name};
	return &variant->marks[idx];
}

static void add_waits(struct xp_variant *variant, const struct run_record *record)
{
	for (size_t i = 0; i < record->wait_count; i++) {
		const struct wait_record *wait = &record->waits[i];
		struct xp_wait *slot = wait_slot(variant, wait->step_id);
		sim_time_ns latency_ns = wait->end_ns - wait->start_ns;

		hist_add(&variant->wait_latency_ns[wait->path], latency_ns);
		stat_moments_add(&slot->latency_ns, latency_ns);
		slot->path_count[wait->path]++;
		if (wait->on_boot_path)
			slot->boot_path_count++;
	}
}

static void add_interruptions(struct xp_variant *variant, const struct run_record *record)
{
	for (size_t i = 0; i < record->interruption_count; i++) {
		const struct interruption_record *r = &record->interruptions[i];

		stat_moments_add(&variant->interruptions[r->cause].ns, r->ns);
		hist_add(&variant->interruptions[r->cause].hist_ns, r->ns);
	}
}

static void add_stalls(struct xp_stalls *stalls, const struct run_record *record,
		       int64_t replication)
{
	if (record->stall_count == 0)
		return;
	stalls->runs++;
	if (stalls->replication >= 0 && stalls->replication < replication)
		return;
	stalls->replication = replication;
	stalls->at_ns = record->stalls[0].at_ns;
	memcpy(stalls->text, record->stalls[0].text, sizeof(stalls->text));
}

/* Adds what the replications of a cell share. Called under the cell's lock. */
static void add_record(struct xp_variant *variant, const struct run_record *record,
		       int64_t replication)
{
	struct xp_stopped *first = &variant->first_stopped;

	variant->stop_count[record->stop]++;
	add_stalls(&variant->stalls, record, replication);
	if (record->stop != RUN_COMPLETED) {
		if (first->replication < 0 || replication < first->replication) {
			first->replication = replication;
			first->stop = record->stop;
			memcpy(first->text, record->stop_text, sizeof(first->text));
			first->text[sizeof(first->text) - 1] = '\0';
		}
		return;
	}
	add_waits(variant, record);
	add_interruptions(variant, record);
	for (size_t i = 0; i < record->gp_count; i++) {
		const struct gp_record *gp = &record->gps[i];

		hist_add(&variant->gp_latency_ns[gp->expedited ? 1 : 0], gp->end_ns - gp->start_ns);
	}
	for (size_t i = 0; i < record->mark_count; i++) {
		struct xp_mark *mark = mark_slot(variant, record->marks[i].name);

		stat_moments_add(&mark->at_ns, record->marks[i].at_ns);
	}
}

static void report_progress(struct runner *runner)
{
	if (runner->options->progress == NULL)
		return;
	pthread_mutex_lock(&runner->progress_lock);
	runner->done++;
	runner->options->progress(runner->options->progress_ctx, runner->done, runner->total);
	pthread_mutex_unlock(&runner->progress_lock);
}

static void run_item(void *ctx, int worker_idx, uint64_t item)
{
	struct runner *runner = ctx;
	const struct scenario *scenario = runner->scenario;
	size_t cell_idx = (size_t)(item % scenario->cell_count);
	int64_t replication = (int64_t)(item / scenario->cell_count);
	struct sim_arena *arena = runner->arenas[worker_idx];
	struct run_options run = {
		.seed = scenario->seed,
		.replication = (uint64_t)replication,
		.check = runner->options->check,
		.shuffle_ties = runner->options->shuffle_ties,
		.tie_seed = runner->options->tie_seed,
	};

	for (size_t i = 0; i < scenario->variant_count; i++) {
		struct xp_variant *variant = &runner->result->cells[cell_idx].variants[i];
		struct run_record record;

		memset(&record, 0, sizeof(record));
		sim_arena_reset(arena);
		runner->model(&scenario->cells[cell_idx].variants[i].config, &run, arena, &record);
		variant->totals[replication] = record.totals;
		variant->stops[replication] = (uint8_t)record.stop;
		pthread_mutex_lock(&runner->cell_locks[cell_idx]);
		add_record(variant, &record, replication);
		pthread_mutex_unlock(&runner->cell_locks[cell_idx]);
	}
	report_progress(runner);
}

static struct xp_result *create_result(const struct scenario *scenario, bool checked)
{
	struct xp_result *result = rs_calloc(1, sizeof(*result));
	size_t slots = (size_t)scenario->replications;

	result->scenario = scenario;
	result->replications_asked = scenario->replications;
	result->checked = checked;
	result->cells = rs_calloc(scenario->cell_count, sizeof(*result->cells));
	for (size_t c = 0; c < scenario->cell_count; c++) {
		struct xp_cell *cell = &result->cells[c];

		cell->variants = rs_calloc(scenario->variant_count, sizeof(*cell->variants));
		for (size_t v = 0; v < scenario->variant_count; v++) {
			struct xp_variant *variant = &cell->variants[v];

			variant->totals = rs_calloc(slots, sizeof(*variant->totals));
			variant->stops = rs_calloc(slots, sizeof(*variant->stops));
			variant->first_stopped.replication = -1;
			variant->stalls.replication = -1;
			variant->wait_slots = scenario->step_label_count + 1;
			variant->waits = rs_calloc(variant->wait_slots, sizeof(*variant->waits));
		}
	}
	return result;
}

static void count_replications(struct xp_result *result, uint64_t items_done)
{
	uint64_t cells = result->scenario->cell_count;

	for (uint64_t c = 0; c < cells; c++) {
		uint64_t whole = items_done / cells + (c < items_done % cells ? 1 : 0);

		result->cells[c].replications = (int64_t)whole;
	}
}

struct xp_result *xp_run(const struct scenario *scenario, const struct xp_options *options)
{
	int jobs = options->jobs > 0 ? options->jobs : 1;
	struct runner runner = {
		.scenario = scenario,
		.options = options,
		.model = options->model != NULL ? options->model : model_run,
		.progress_lock = PTHREAD_MUTEX_INITIALIZER,
	};
	uint64_t items_done;

	RS_REQUIRE(scenario->cell_count >= 1 && scenario->variant_count >= 1);
	RS_REQUIRE(scenario->replications >= 1);
	runner.total = (uint64_t)scenario->replications * scenario->cell_count;
	runner.result = create_result(scenario, options->check);
	runner.arenas = rs_calloc((size_t)jobs, sizeof(*runner.arenas));
	for (int i = 0; i < jobs; i++)
		runner.arenas[i] = sim_arena_create(0);
	runner.cell_locks = rs_calloc(scenario->cell_count, sizeof(*runner.cell_locks));
	for (size_t c = 0; c < scenario->cell_count; c++)
		pthread_mutex_init(&runner.cell_locks[c], NULL);

	items_done = pool_run(jobs, runner.total, run_item, &runner, options->stop_asked);
	count_replications(runner.result, items_done);
	runner.result->interrupted = items_done < runner.total;

	for (size_t c = 0; c < scenario->cell_count; c++)
		pthread_mutex_destroy(&runner.cell_locks[c]);
	free(runner.cell_locks);
	for (int i = 0; i < jobs; i++)
		sim_arena_destroy(runner.arenas[i]);
	free(runner.arenas);
	pthread_mutex_destroy(&runner.progress_lock);
	return runner.result;
}

static void destroy_variant(struct xp_variant *variant)
{
	for (size_t i = 0; i < WAIT_PATH_COUNT; i++)
		free(variant->wait_latency_ns[i]);
	for (size_t i = 0; i < INTERRUPTION_CAUSE_COUNT; i++)
		free(variant->interruptions[i].hist_ns);
	free(variant->gp_latency_ns[0]);
	free(variant->gp_latency_ns[1]);
	free(variant->totals);
	free(variant->stops);
	free(variant->waits);
	free(variant->marks);
}

void xp_result_destroy(struct xp_result *result)
{
	if (result == NULL)
		return;
	for (size_t c = 0; c < result->scenario->cell_count; c++) {
		for (size_t v = 0; v < result->scenario->variant_count; v++)
			destroy_variant(&result->cells[c].variants[v]);
		free(result->cells[c].variants);
	}
	free(result->cells);
	free(result);
}
