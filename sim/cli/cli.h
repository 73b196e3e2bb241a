/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program's commands. One table of commands (commands.c) and one of options
 * (options.c) drive parsing, help and suggestions.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdio.h>

#include "sim/engine/base.h"

/* argv[0] is the command's name. Returns the program's exit status. */
typedef int cli_command_fn(int argc, char **argv);

/* Bit of a command in the table of options. */
enum cli_command_bit {
	CLI_RUN = 1 << 0,
	CLI_CHECK = 1 << 1,
	CLI_LIST = 1 << 2,
	CLI_SCHEMA = 1 << 3,
	CLI_VERSION = 1 << 4,
	CLI_HELP = 1 << 5
};

struct cli_command {
	const char *name;
	enum cli_command_bit bit;
	cli_command_fn *fn;
	const char *arguments; /* "FILE"; empty if it takes none */
	const char *summary;   /* one line */
	const char *text;      /* paragraph of `rcusim help COMMAND` */
};

/* All commands in the order of the help; *count of them. */
const struct cli_command *cli_commands(size_t *count);

/* The command called name, or NULL. */
const struct cli_command *cli_command_find(const char *name);

/* Prints "rcusim: ..." on stderr and returns status. */
int cli_fail(enum rs_code status, const char *fmt, ...) RS_PRINTF(2, 3);

/* As above for a wrong command line: adds where to find help; status 2. */
int cli_usage(const struct cli_command *command, const char *fmt, ...) RS_PRINTF(2, 3);

/*
 * Flushes stdout and turns a write error into status 74, said on stderr unless
 * the reader of a pipe went away. Returns status otherwise.
 */
int cli_close_stdout(int status);

/* The short text `rcusim` prints when it is called without a command. */
void cli_print_short_help(FILE *stream);

/* Prints the help of a command on stdout; status 0. */
int cli_help(const struct cli_command *command);

int cmd_run(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_schema(int argc, char **argv);
int cmd_version(int argc, char **argv);
int cmd_help(int argc, char **argv);

#endif
