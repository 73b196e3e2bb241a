/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The traced run is one of the experiment's own, made once more with somebody
 * listening: same seed, same replication, so the same record. A matrix is traced
 * in its first cell. Guarded by tests/cli/run-trace*.
 */
#include "sim/cli/run_trace.h"

#include <inttypes.h>
#include <string.h>

#include "models/model.h"
#include "sim/scenario/suggest.h"

static const struct scenario_variant *find_variant(const struct cli_args *args,
						   const struct scenario *scenario)
{
	const struct scenario_variant *variants = scenario->cells[0].variants;
	const char *name = args->trace.variant;

	if (name == NULL)
		return &variants[scenario->baseline_idx];
	for (size_t i = 0; i < scenario->variant_count; i++)
		if (strcmp(variants[i].name, name) == 0)
			return &variants[i];
	return NULL;
}

static int say_unknown_variant(const struct cli_args *args, const struct scenario *scenario)
{
	struct suggest suggest;
	char hint[128];

	suggest_begin(&suggest, args->trace.variant);
	for (size_t i = 0; i < scenario->variant_count; i++)
		suggest_offer(&suggest, scenario->cells[0].variants[i].name);
	suggest_hint(&suggest, hint, sizeof(hint));
	return cli_fail(RS_USAGE, "--trace-variant: no variant '%s' is run%s%s",
			args->trace.variant, hint[0] != '\0' ? "; " : "", hint);
}

int run_trace_probe(const struct cli_args *args, const struct scenario *scenario)
{
	struct rs_error err;

	if (find_variant(args, scenario) == NULL)
		return say_unknown_variant(args, scenario);
	if (!out_file_probe(args->trace.path, &err))
		return cli_fail(err.code, "%s", err.text);
	return RS_OK;
}

static void say_size(const struct cli_args *args, const struct trace_summary *summary)
{
	fprintf(stderr, "rcusim: trace: %" PRId64 " events, %" PRId64 " bytes in %s\n",
		summary->events_kept, summary->bytes, args->trace.path);
	if (summary->events_kept < summary->events_seen)
		cli_fail(RS_FAILED,
			 "warning: trace truncated: %" PRId64 " of %" PRId64
			 " events; see --trace-from, --trace-to, --trace-events",
			 summary->events_kept, summary->events_seen);
}

int run_trace(const struct cli_args *args, const struct scenario *scenario)
{
	const struct scenario_variant *variant = find_variant(args, scenario);
	struct trace_options options = {
		.format = args->trace.format,
		.cpus = (int)variant->config.machine.cpus,
		.from_ns = args->trace.from_ns,
		.to_ns = args->trace.to_ns,
		.events_max = args->trace.events_max,
	};
	struct run_options run = {
		.seed = scenario->seed,
		.replication = (uint64_t)args->trace.replication,
		.check = args->check,
		.shuffle_ties = args->shuffle_ties,
		.tie_seed = args->tie_seed,
	};
	struct trace_summary summary;
	struct trace_writer *writer;
	struct trace_sink sink;
	struct run_record record;
	struct sim_arena *arena;
	struct out_file file;
	struct rs_error err;
	char title[256];
	int status;

	if (!args->trace.has_format && !trace_format_of_path(args->trace.path, &options.format))
		RS_BUG("format of %s", args->trace.path);
	snprintf(title, sizeof(title), "%s, variant %s, replication %" PRId64 ", seed %" PRIu64,
		 scenario->name, variant->name, args->trace.replication, scenario->seed);
	options.title = title;
	if (!out_file_open(&file, args->trace.path, &err))
		return cli_fail(err.code, "%s", err.text);
	writer = trace_writer_create(&options);
	sink = trace_writer_sink(writer);
	run.trace = &sink;
	arena = sim_arena_create(0);
	model_run(&variant->config, &run, arena, &record);
	trace_writer_finish(writer, file.stream, &summary);
	trace_writer_destroy(writer);
	sim_arena_destroy(arena);
	status = cli_commit(&file);
	if (status == RS_OK)
		say_size(args, &summary);
	return status;
}
