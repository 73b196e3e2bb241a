/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command-line options: one table drives getopt_long, help text and synopsis. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "output/output.h"
#include "output/trace.h"
#include "sim/cli/cli.h"
#include "sim/scenario/scenario.h"

enum cli_option_id {
	OPT_VARIANT,
	OPT_SET,
	OPT_CMDLINE,
	OPT_REPLICATIONS,
	OPT_SEED,
	OPT_JOBS,
	OPT_FORMAT,
	OPT_OUTPUT,
	OPT_CHECK,
	OPT_SHUFFLE_TIES,
	OPT_PROGRESS,
	OPT_TRACE,
	OPT_TRACE_FORMAT,
	OPT_TRACE_VARIANT,
	OPT_TRACE_REPLICATION,
	OPT_TRACE_FROM,
	OPT_TRACE_TO,
	OPT_TRACE_EVENTS,
	OPT_DIFF,
	OPT_PLATFORM_DIR,
	OPT_HELP,
	OPT_COUNT
};

struct cli_option {
	const char *name;     /* without the dashes */
	char letter;          /* '\0': none */
	const char *argument; /* "FILE"; NULL: takes none */
	unsigned commands;    /* enum cli_command_bit of the commands that take it */
	bool repeats;
	const char *help;
};

/* Row of the table. */
const struct cli_option *cli_option(enum cli_option_id id);

/* What --trace and its companions asked for. */
struct cli_trace {
	const char *path; /* NULL: no trace */
	const char *variant; /* NULL: the baseline */
	bool has_format;
	enum trace_format format;
	int64_t replication;
	sim_time_ns from_ns, to_ns;
	int64_t events_max;
	enum cli_option_id last; /* one of them that was given; OPT_TRACE: none but that */
};

/* What a command line asked for. Texts are borrowed from argv. */
struct cli_args {
	const char *const *positional; /* inside argv */
	int positional_count;
	const char **sets; /* owned */
	size_t set_count;
	const char *only_variant;
	const char *cmdline;
	const char *platform_dir;
	const char *output_path;
	int64_t replications; /* 0: not given */
	bool has_seed;
	bool has_random_seed; /* seed was drawn, not given */
	uint64_t seed;
	int jobs; /* 0: not given */
	enum out_format format;
	struct cli_trace trace;
	bool check;
	bool shuffle_ties;
	uint64_t tie_seed;
	bool progress;
	bool diff;
	bool help;
};

/*
 * Parses the options of a command. On failure says why on stderr and returns
 * false: the status is then 2. Frees nothing of argv; cli_args_fini() releases
 * the rest, also after a failure.
 */
bool cli_parse(const struct cli_command *command, int argc, char **argv,
	       struct cli_args *args) RS_MUST_CHECK;
void cli_args_fini(struct cli_args *args);

/* What of it changes the scenario. Borrows from args. */
void cli_overrides(const struct cli_args *args, struct scenario_overrides *overrides);

/* Where the output goes: the path given, or "-" for stdout. */
const char *cli_output_path(const struct cli_args *args);

/* Commits a file and returns the status: 0, or 74 said on stderr unless a reader went away. */
int cli_commit(struct out_file *file);

/* "rcusim run FILE [--variant NAME] ...", wrapped. */
void cli_print_synopsis(FILE *stream, const struct cli_command *command);

/* The options of a command, one or more lines each. */
void cli_print_options(FILE *stream, const struct cli_command *command);

/* A whole decimal number in low..high; false for anything else. */
bool cli_parse_int(const char *text, int64_t low, int64_t high, int64_t *value);

/* A time: "12ms", "1.5s"; units ns, us, ms, s. False for anything else. */
bool cli_parse_time(const char *text, sim_time_ns *ns);

/* 64 bits, decimal or 0x hexadecimal. */
bool cli_parse_u64(const char *text, uint64_t *value);

#endif
