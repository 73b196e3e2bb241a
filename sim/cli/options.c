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
	[OPT_PROGRESS] = {"progress", 0, NULL, CLI_RUN, false,
			  "show progress from the start, not only in long runs (terminals only)"},
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
	case OPT_PROGRESS:
		args->progress = true;
		return true;
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
	return true;
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
