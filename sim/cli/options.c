/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of options and its parser. Guarded by tests/unit/check_cli_options.c.
 */
#include "sim/cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "output/out_format.h"
#include "sim/experiment/pool.h"
#include "sim/scenario/suggest.h"

/* As in scenario files. */
#define REPLICATIONS_MAX INT64_C(1000000)
/* getopt_long() values of options without a letter begin here. */
#define LONG_ONLY 256
#define HELP_COLUMNS 80
#define TRACE_EVENTS_MAX INT64_C(1000000000)
/* As in scenario files: a million seconds. */
#define TIME_MAX_NS 1e15

static const struct cli_option options[OPT_COUNT] = {
	[OPT_VARIANT] = {"variant", 0, "NAME", CLI_RUN | CLI_CHECK, false,
			 "only this variant and the baseline"},
	[OPT_SET] = {"set", 's', "PATH=VALUE", CLI_RUN | CLI_CHECK, true,
		     "set a parameter in every variant, over the file; see 'rcusim list params'"},
	[OPT_CMDLINE] = {"cmdline", 0, "WORDS", CLI_RUN | CLI_CHECK, false,
			 "append words to the kernel command line of every variant"},
	[OPT_REPLICATIONS] = {"replications", 'n', "N", CLI_RUN | CLI_CHECK, false,
			      "runs of each variant (default: as in the file)"},
	[OPT_SEED] = {"seed", 0, "S", CLI_RUN | CLI_CHECK, false,
		      "seed of all random streams; 'random' draws one and prints it on stderr"},
	[OPT_JOBS] =
		{"jobs", 'j', "N", CLI_RUN, false,
		 "worker threads (default: one for each CPU); the result does not depend on it"},
	[OPT_FORMAT] = {"format", 'f', "FORMAT", CLI_RUN | CLI_LIST, false,
			"table, csv or json (default: table)"},
	[OPT_OUTPUT] = {"output", 'o', "FILE", CLI_RUN | CLI_LIST | CLI_SCHEMA, false,
			"write to FILE, which appears whole or not at all (default: stdout)"},
	[OPT_CHECK] = {"check", 0, NULL, CLI_RUN, false,
		       "check RCU's correctness conditions in every run"},
	[OPT_SHUFFLE_TIES] = {"shuffle-ties", 0, "S", CLI_RUN, false,
			      "run same-time events of different CPUs in a random order, seed S"},
	[OPT_PROGRESS] = {"progress", 0, NULL, CLI_RUN, false,
			  "show progress from the start, not only in long runs (terminals only)"},
	[OPT_TRACE] =
		{"trace", 0, "FILE", CLI_RUN, false,
		 "also trace one run: ftrace text to *.txt or *.ftrace, Chrome JSON to *.json"},
	[OPT_TRACE_FORMAT] = {"trace-format", 0, "FORMAT", CLI_RUN, false,
			      "ftrace or chrome, whatever the trace's name"},
	[OPT_TRACE_VARIANT] = {"trace-variant", 0, "NAME", CLI_RUN, false,
			       "trace this variant (default: the baseline)"},
	[OPT_TRACE_REPLICATION] = {"trace-replication", 0, "R", CLI_RUN, false,
				   "trace replication R, counted from 0 (default: 0)"},
	[OPT_TRACE_FROM] = {"trace-from", 0, "TIME", CLI_RUN, false,
			    "leave out events before TIME, as 12ms"},
	[OPT_TRACE_TO] = {"trace-to", 0, "TIME", CLI_RUN, false, "leave out events after TIME"},
	[OPT_TRACE_EVENTS] = {"trace-events", 0, "N", CLI_RUN, false,
			      "keep the first N events (default: 200000)"},
	[OPT_DIFF] = {"diff", 0, NULL, CLI_LIST, false,
		      "list profiles --diff A B: only the cells in which A and B differ"},
	[OPT_PLATFORM_DIR] = {"platform-dir", 0, "DIR", CLI_RUN | CLI_CHECK | CLI_LIST, false,
			      "folder of platform files (default: scenarios/platforms near FILE)"},
	[OPT_HELP] = {"help", 'h', NULL,
		      CLI_RUN | CLI_CHECK | CLI_LIST | CLI_SCHEMA | CLI_VERSION | CLI_HELP, false,
		      "show this help"},
};

const struct cli_option *cli_option(enum cli_option_id id)
{
	RS_REQUIRE(id < OPT_COUNT);
	return &options[id];
}

bool cli_parse_int(const char *text, int64_t low, int64_t high, int64_t *value)
{
	char *end;
	long long parsed;

	if (text[0] != '-' && (text[0] < '0' || text[0] > '9'))
		return false;
	errno = 0;
	parsed = strtoll(text, &end, 10);
	if (errno != 0 || *end != '\0' || end == text || parsed < low || parsed > high)
		return false;
	*value = parsed;
	return true;
}

bool cli_parse_u64(const char *text, uint64_t *value)
{
	bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	char *end;
	unsigned long long parsed;

	if (text[0] < '0' || text[0] > '9')
		return false;
	if (is_hex && text[2] == '\0')
		return false;
	errno = 0;
	parsed = strtoull(text, &end, is_hex ? 16 : 10);
	if (errno != 0 || *end != '\0')
		return false;
	*value = parsed;
	return true;
}

static bool parse_seed(const struct cli_command *command, const char *text, struct cli_args *args)
{
	args->has_seed = true;
	if (strcmp(text, "random") == 0) {
		if (getrandom(&args->seed, sizeof(args->seed), 0) != sizeof(args->seed)) {
			cli_fail(RS_USAGE, "--seed: no random number: %s", strerror(errno));
			return false;
		}
		args->has_random_seed = true;
		return true;
	}
	if (cli_parse_u64(text, &args->seed))
		return true;
	cli_usage(command, "--seed: '%s' is neither a number below 2^64 nor 'random'", text);
	return false;
}

static bool parse_tie_seed(const struct cli_command *command, const char *text,
			   struct cli_args *args)
{
	args->shuffle_ties = true;
	if (cli_parse_u64(text, &args->tie_seed))
		return true;
	cli_usage(command, "--shuffle-ties: '%s' is not a number below 2^64", text);
	return false;
}

static bool parse_format(const struct cli_command *command, const char *text, struct cli_args *args)
{
	struct suggest suggest;
	char hint[128];

	if (out_format_find(text, &args->format))
		return true;
	suggest_begin(&suggest, text);
	for (int f = 0; f < OUT_FORMAT_COUNT; f++)
		suggest_offer(&suggest, out_format_name((enum out_format)f));
	suggest_hint(&suggest, hint, sizeof(hint));
	cli_usage(command, "--format: '%s' is not table, csv or json%s%s", text,
		  hint[0] != '\0' ? "; " : "", hint);
	return false;
}

static bool parse_number(const struct cli_command *command, enum cli_option_id id, const char *text,
			 int64_t high, int64_t *value)
{
	if (cli_parse_int(text, 1, high, value))
		return true;
	cli_usage(command, "--%s: '%s' is not a whole number from 1 to %lld", options[id].name,
		  text, (long long)high);
	return false;
}

bool cli_parse_time(const char *text, sim_time_ns *ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	char *end;
	double value;

	if (text[0] < '0' || text[0] > '9' || text[1] == 'x' || text[1] == 'X')
		return false;
	value = strtod(text, &end);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].name) != 0)
			continue;
		value *= units[i].ns;
		if (value > TIME_MAX_NS)
			return false;
		*ns = (sim_time_ns)(value + 0.5);
		return true;
	}
	return false;
}

static bool parse_time(const struct cli_command *command, enum cli_option_id id, const char *text,
		       sim_time_ns *ns)
{
	if (cli_parse_time(text, ns))
		return true;
	cli_usage(command, "--%s: '%s' is not a time such as 12ms (ns, us, ms or s)",
		  options[id].name, text);
	return false;
}

static bool parse_trace_format(const struct cli_command *command, const char *text,
			       struct cli_trace *trace)
{
	trace->has_format = trace_format_find(text, &trace->format);
	if (!trace->has_format)
		cli_usage(command, "--trace-format: '%s' is not ftrace or chrome", text);
	return trace->has_format;
}

/* --trace and its companions. */
static bool take_trace_option(const struct cli_command *command, enum cli_option_id id,
			      const char *text, struct cli_trace *trace)
{
	if (id != OPT_TRACE)
		trace->last = id;
	if (id == OPT_TRACE)
		trace->path = text;
	else if (id == OPT_TRACE_VARIANT)
		trace->variant = text;
	else if (id == OPT_TRACE_FORMAT)
		return parse_trace_format(command, text, trace);
	else if (id == OPT_TRACE_FROM)
		return parse_time(command, id, text, &trace->from_ns);
	else if (id == OPT_TRACE_TO)
		return parse_time(command, id, text, &trace->to_ns);
	else if (id == OPT_TRACE_EVENTS)
		return parse_number(command, id, text, TRACE_EVENTS_MAX, &trace->events_max);
	else if (!cli_parse_int(text, 0, REPLICATIONS_MAX - 1, &trace->replication)) {
		cli_usage(command, "--trace-replication: '%s' is not a whole number from 0 to %lld",
			  text, (long long)REPLICATIONS_MAX - 1);
		return false;
	}
	return true;
}

/* What the options of a trace ask for together. */
static bool check_trace(const struct cli_command *command, const struct cli_args *args)
{
	const struct cli_trace *trace = &args->trace;
	enum trace_format format;

	if (trace->path == NULL && trace->last != OPT_TRACE) {
		cli_usage(command, "--%s goes with --trace FILE", options[trace->last].name);
		return false;
	}
	if (trace->path == NULL)
		return true;
	if (!trace->has_format && !trace_format_of_path(trace->path, &format)) {
		cli_usage(command,
			  "--trace: '%s' ends in none of .txt, .ftrace, .json; say --trace-format",
			  trace->path);
		return false;
	}
	if (strcmp(trace->path, "-") == 0 && strcmp(cli_output_path(args), "-") == 0) {
		cli_usage(command, "--trace - leaves no stdout for the result; say --output FILE");
		return false;
	}
	if (trace->from_ns > trace->to_ns) {
		cli_usage(command, "--trace-from is later than --trace-to");
		return false;
	}
	return true;
}

static void add_set(struct cli_args *args, const char *text)
{
	args->sets = rs_realloc(args->sets, (args->set_count + 1) * sizeof(*args->sets));
	args->sets[args->set_count++] = text;
}

static bool take_option(const struct cli_command *command, enum cli_option_id id, const char *text,
			struct cli_args *args)
{
	int64_t number = 0;

	switch (id) {
	case OPT_VARIANT:
		args->only_variant = text;
		return true;
	case OPT_SET:
		add_set(args, text);
		return true;
	case OPT_CMDLINE:
		args->cmdline = text;
		return true;
	case OPT_REPLICATIONS:
		return parse_number(command, id, text, REPLICATIONS_MAX, &args->replications);
	case OPT_SEED:
		return parse_seed(command, text, args);
	case OPT_JOBS:
		if (!parse_number(command, id, text, POOL_JOBS_MAX, &number))
			return false;
		args->jobs = (int)number;
		return true;
	case OPT_FORMAT:
		return parse_format(command, text, args);
	case OPT_OUTPUT:
		args->output_path = text;
		return true;
	case OPT_CHECK:
		args->check = true;
		return true;
	case OPT_SHUFFLE_TIES:
		return parse_tie_seed(command, text, args);
	case OPT_PROGRESS:
		args->progress = true;
		return true;
	case OPT_TRACE:
	case OPT_TRACE_FORMAT:
	case OPT_TRACE_VARIANT:
	case OPT_TRACE_REPLICATION:
	case OPT_TRACE_FROM:
	case OPT_TRACE_TO:
	case OPT_TRACE_EVENTS:
		return take_trace_option(command, id, text, &args->trace);
	case OPT_DIFF:
		args->diff = true;
		return true;
	case OPT_PLATFORM_DIR:
		args->platform_dir = text;
		return true;
	case OPT_HELP:
		args->help = true;
		return true;
	case OPT_COUNT:
		break;
	}
	RS_BUG("bad enum cli_option_id %d", (int)id);
}

/* What getopt_long() needs, made from the table for one command. */
struct getopt_tables {
	char letters[2 + 2 * OPT_COUNT + 1];
	struct option longs[OPT_COUNT + 1];
};

static void fill_tables(const struct cli_command *command, struct getopt_tables *tables)
{
	size_t used = 0;
	size_t longs = 0;

	memset(tables, 0, sizeof(*tables));
	tables->letters[used++] = ':';
	for (int i = 0; i < OPT_COUNT; i++) {
		const struct cli_option *option = &options[i];

		if ((option->commands & (unsigned)command->bit) == 0)
			continue;
		tables->longs[longs].name = option->name;
		tables->longs[longs].has_arg =
			option->argument != NULL ? required_argument : no_argument;
		tables->longs[longs].val = LONG_ONLY + i;
		longs++;
		if (option->letter == '\0')
			continue;
		tables->letters[used++] = option->letter;
		if (option->argument != NULL)
			tables->letters[used++] = ':';
	}
}

static enum cli_option_id id_of(int value)
{
	if (value >= LONG_ONLY)
		return (enum cli_option_id)(value - LONG_ONLY);
	for (int i = 0; i < OPT_COUNT; i++)
		if (options[i].letter != '\0' && options[i].letter == value)
			return (enum cli_option_id)i;
	RS_BUG("getopt_long returned %d", value);
}

static void say_unknown(const struct cli_command *command, const char *word, int letter)
{
	char text[SUGGEST_BYTES_MAX + 1];
	struct suggest suggest;
	size_t length;

	if (strncmp(word, "--", 2) != 0) {
		cli_usage(command, "unknown option '-%c'", letter);
		return;
	}
	length = strcspn(word + 2, "=");
	if (length >= sizeof(text))
		length = sizeof(text) - 1;
	memcpy(text, word + 2, length);
	text[length] = '\0';
	suggest_begin(&suggest, text);
	for (int i = 0; i < OPT_COUNT; i++) {
		if ((options[i].commands & (unsigned)command->bit) == 0)
			continue;
		if (strcmp(options[i].name, text) == 0) {
			cli_usage(command, "option '--%s' takes no value", text);
			return;
		}
		suggest_offer(&suggest, options[i].name);
	}
	if (suggest.best != NULL)
		cli_usage(command, "unknown option '--%s'; did you mean '--%s'?", text,
			  suggest.best);
	else
		cli_usage(command, "unknown option '--%s'", text);
}

bool cli_parse(const struct cli_command *command, int argc, char **argv, struct cli_args *args)
{
	struct getopt_tables tables;

	memset(args, 0, sizeof(*args));
	args->trace.last = OPT_TRACE;
	args->trace.to_ns = SIM_TIME_MAX;
	args->trace.events_max = TRACE_EVENTS_DEFAULT;
	fill_tables(command, &tables);
	opterr = 0;
	optind = 0;
	for (;;) {
		int word = optind > 0 ? optind : 1;
		int value = getopt_long(argc, argv, tables.letters, tables.longs, NULL);

		if (value == -1)
			break;
		if (value == ':') {
			const struct cli_option *option = &options[id_of(optopt)];

			cli_usage(command, "option '--%s' needs %s", option->name,
				  option->argument);
			return false;
		}
		if (value == '?') {
			/* getopt permutes: the word it stumbled over is the one before optind,
			   unless it stands inside a group of letters. */
			const char *bad = optopt != 0 && optopt < LONG_ONLY ? "-"
					  : optind > 1                      ? argv[optind - 1]
									    : argv[word];

			say_unknown(command, bad, optopt);
			return false;
		}
		if (!take_option(command, id_of(value), optarg, args))
			return false;
	}
	args->positional = (const char *const *)&argv[optind];
	args->positional_count = argc - optind;
	return args->help || check_trace(command, args);
}

void cli_args_fini(struct cli_args *args)
{
	free(args->sets);
	memset(args, 0, sizeof(*args));
}

void cli_overrides(const struct cli_args *args, struct scenario_overrides *overrides)
{
	*overrides = (struct scenario_overrides){
		.sets = args->sets,
		.set_count = args->set_count,
		.cmdline = args->cmdline,
		.only_variant = args->only_variant,
		.replications = args->replications,
		.has_seed = args->has_seed,
		.seed = args->seed,
	};
}

const char *cli_output_path(const struct cli_args *args)
{
	return args->output_path != NULL ? args->output_path : "-";
}

/* "-n N" or "--seed S". */
static void short_form(const struct cli_option *option, char *buf, size_t size)
{
	const char *space = option->argument != NULL ? " " : "";
	const char *argument = option->argument != NULL ? option->argument : "";

	if (option->letter != '\0')
		snprintf(buf, size, "-%c%s%s", option->letter, space, argument);
	else
		snprintf(buf, size, "--%s%s%s", option->name, space, argument);
}

void cli_print_synopsis(FILE *stream, const struct cli_command *command)
{
	const char *space = command->arguments[0] != '\0' ? " " : "";
	int column =
		fprintf(stream, "usage: rcusim %s%s%s", command->name, space, command->arguments);

	for (int i = 0; i < OPT_COUNT; i++) {
		char form[80];
		char word[100];
		int length;

		if ((options[i].commands & (unsigned)command->bit) == 0 || i == OPT_HELP)
			continue;
		short_form(&options[i], form, sizeof(form));
		length = snprintf(word, sizeof(word), " [%s]%s", form,
				  options[i].repeats ? "..." : "");
		if (column + length > HELP_COLUMNS)
			column = fprintf(stream, "\n%*s", 13, "") - 1;
		fputs(word, stream);
		column += length;
	}
	fputc('\n', stream);
}

void cli_print_options(FILE *stream, const struct cli_command *command)
{
	struct grid *grid = grid_create("ll");

	for (int i = 0; i < OPT_COUNT; i++) {
		const struct cli_option *option = &options[i];
		char left[80];

		if ((option->commands & (unsigned)command->bit) == 0)
			continue;
		if (option->letter != '\0')
			snprintf(left, sizeof(left), "  -%c, --%s%s%s", option->letter,
				 option->name, option->argument != NULL ? " " : "",
				 option->argument != NULL ? option->argument : "");
		else
			snprintf(left, sizeof(left), "      --%s%s%s", option->name,
				 option->argument != NULL ? " " : "",
				 option->argument != NULL ? option->argument : "");
		grid_add(grid, left);
		grid_add(grid, option->help);
	}
	grid_print(grid, stream);
	grid_destroy(grid);
}
