/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rcusim run FILE: loads the scenario, runs the experiment, writes the result.
 * The first SIGINT stops the experiment after the runs in work and what was
 * finished is written; the second ends the program.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/cli/options.h"
#include "sim/cli/run_trace.h"
#include "sim/cli/version.h"
#include "sim/experiment/pool.h"

/* A signal handler has no argument to carry this in. */
static atomic_bool stop_asked;

static void on_interrupt(int signal_number)
{
	(void)signal_number;
	atomic_store(&stop_asked, true);
}

static void catch_interrupt(void)
{
	struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

#define PROGRESS_FIRST_MS 1000
#define PROGRESS_EVERY_MS 200

struct progress {
	bool is_on;
	bool is_shown;
	int64_t next_ms; /* when to print next */
};

static void show_progress(void *ctx, uint64_t done, uint64_t total)
{
	struct progress *progress = ctx;
	int64_t now = now_ms();

	if (now < progress->next_ms && done < total)
		return;
	if (done == total && !progress->is_shown)
		return;
	progress->next_ms = now + PROGRESS_EVERY_MS;
	progress->is_shown = true;
	fprintf(stderr, "\rrcusim: %3" PRIu64 " %% (%" PRIu64 " of %" PRIu64 ")",
		100 * done / total, done, total);
	fflush(stderr);
}

static void clear_progress(const struct progress *progress)
{
	if (progress->is_shown)
		fputs("\r\033[K", stderr);
}

/* A command line under construction. */
struct command_line {
	char *text; /* owned */
	size_t bytes;
};

static void append(struct command_line *line, const char *text)
{
	size_t more = strlen(text);

	line->text = rs_realloc(line->text, line->bytes + more + 1);
	memcpy(line->text + line->bytes, text, more + 1);
	line->bytes += more;
}

/* Appends a word as a shell would have to read it. */
static void append_word(struct command_line *line, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-_=./,:+@%";
	char one[2] = {0};

	append(line, " ");
	if (word[0] != '\0' && strspn(word, plain) == strlen(word)) {
		append(line, word);
		return;
	}
	append(line, "'");
	for (const char *at = word; *at != '\0'; at++) {
		one[0] = *at;
		append(line, *at == '\'' ? "'\\''" : one);
	}
	append(line, "'");
}

/* Everything that decides the result, and nothing else. Owned by the caller. */
static char *rerun_command(const struct cli_args *args, const struct scenario *scenario)
{
	struct command_line line = {0};
	char number[32];

	append(&line, "rcusim run");
	append_word(&line, scenario->path);
	if (args->only_variant != NULL) {
		append(&line, " --variant");
		append_word(&line, args->only_variant);
	}
	for (size_t i = 0; i < args->set_count; i++) {
		append(&line, " --set");
		append_word(&line, args->sets[i]);
	}
	if (args->cmdline != NULL) {
		append(&line, " --cmdline");
		append_word(&line, args->cmdline);
	}
	if (args->platform_dir != NULL) {
		append(&line, " --platform-dir");
		append_word(&line, args->platform_dir);
	}
	snprintf(number, sizeof(number), " -n %" PRId64, scenario->replications);
	append(&line, number);
	snprintf(number, sizeof(number), " --seed %" PRIu64, scenario->seed);
	append(&line, number);
	if (args->check)
		append(&line, " --check");
	if (args->shuffle_ties) {
		snprintf(number, sizeof(number), " --shuffle-ties %" PRIu64, args->tie_seed);
		append(&line, number);
	}
	return line.text;
}

static bool is_color_wanted(FILE *stream)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (no_color != NULL && no_color[0] != '\0')
		return false;
	if (term == NULL || strcmp(term, "dumb") == 0)
		return false;
	return isatty(fileno(stream)) == 1;
}

static int write_result(const struct cli_args *args, const struct xp_result *result)
{
	struct out_run run = {.result = result, .tool_version = RCUSIM_VERSION};
	struct out_file file;
	struct rs_error err;
	char *command;
	int status;

	if (!out_file_open(&file, cli_output_path(args), &err))
		return cli_fail(err.code, "%s", err.text);
	command = rerun_command(args, result->scenario);
	run.command = command;
	run.color = is_color_wanted(file.stream);
	out_write(args->format, file.stream, &run);
	status = cli_commit(&file);
	free(command);
	return status;
}

static void say_stopped(void *ctx, const char *text)
{
	(void)ctx;
	cli_fail(RS_FAILED, "warning: %s", text);
}

/* Has every cell at least one whole replication to show? */
static bool has_results(const struct xp_result *result)
{
	for (size_t c = 0; c < result->scenario->cell_count; c++)
		if (result->cells[c].replications == 0)
			return false;
	return true;
}

static int default_jobs(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (cpus < 1)
		return 1;
	return cpus > POOL_JOBS_MAX ? POOL_JOBS_MAX : (int)cpus;
}

static int run_scenario(const struct cli_args *args, const struct scenario *scenario)
{
	struct progress progress = {.is_on = isatty(STDERR_FILENO) == 1};
	struct xp_options options = {
		.jobs = args->jobs > 0 ? args->jobs : default_jobs(),
		.check = args->check,
		.shuffle_ties = args->shuffle_ties,
		.tie_seed = args->tie_seed,
		.stop_asked = &stop_asked,
	};
	struct rs_error err;
	struct xp_result *result;
	int status;

	/* A long experiment must not end in a folder that cannot be written. */
	if (!out_file_probe(cli_output_path(args), &err))
		return cli_fail(err.code, "%s", err.text);
	if (args->trace.path != NULL) {
		status = run_trace_probe(args, scenario);
		if (status != RS_OK)
			return status;
	}
	if (progress.is_on) {
		progress.next_ms = now_ms() + (args->progress ? 0 : PROGRESS_FIRST_MS);
		options.progress = show_progress;
		options.progress_ctx = &progress;
	}
	catch_interrupt();
	result = xp_run(scenario, &options);
	clear_progress(&progress);
	if (!has_results(result)) {
		status =
			cli_fail(RS_INTERRUPTED, "interrupted before one replication was complete");
	} else {
		status = write_result(args, result);
		/* The table shows the warnings itself. */
		if (args->format != OUT_TABLE)
			out_warnings(result, say_stopped, NULL);
		if (status == RS_OK && args->trace.path != NULL)
			status = run_trace(args, scenario);
		if (status == RS_OK && result->interrupted)
			status = RS_INTERRUPTED;
		if (status == RS_OK && !xp_all_completed(result))
			status = RS_FAILED;
	}
	xp_result_destroy(result);
	return status;
}

static int load_and_run(const struct cli_args *args)
{
	struct scenario_overrides overrides;
	struct scenario *scenario = NULL;
	struct rs_diag diag = {0};
	int status;

	if (args->has_random_seed)
		fprintf(stderr, "rcusim: seed %" PRIu64 "\n", args->seed);
	cli_overrides(args, &overrides);
	if (scenario_load(args->positional[0], &overrides, args->platform_dir, &scenario, &diag)) {
		diag_print(&diag, stderr);
		status = run_scenario(args, scenario);
	} else {
		diag_print(&diag, stderr);
		status = diag.code != RS_OK ? (int)diag.code : RS_BAD_INPUT;
	}
	scenario_destroy(scenario);
	return status;
}

int cmd_run(int argc, char **argv)
{
	const struct cli_command *self = cli_command_find("run");
	struct cli_args args;
	int status;

	if (!cli_parse(self, argc, argv, &args))
		status = RS_USAGE;
	else if (args.help)
		status = cli_help(self);
	else if (args.positional_count == 0)
		status = cli_usage(self, "which scenario file?");
	else if (args.positional_count > 1)
		status = cli_usage(self, "one scenario file at a time, not also '%s'",
				   args.positional[1]);
	else
		status = load_and_run(&args);
	cli_args_fini(&args);
	return status;
}
