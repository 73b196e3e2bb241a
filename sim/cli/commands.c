/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of commands, and how every command says what went wrong. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "sim/cli/options.h"

static const struct cli_command commands[] = {
	{"run", CLI_RUN, cmd_run, "FILE", "run all variants of a scenario and compare them",
	 "Runs every variant of the scenario FILE many times with the same random numbers and "
	 "prints how long each takes, how much time it saves against the baseline, and at what "
	 "price. Ends with status 0; 1 when a run did not complete; 65 when the scenario is wrong; "
	 "130 when interrupted (what was finished is shown)."},
	{"check", CLI_CHECK, cmd_check, "FILE...",
	 "say whether scenarios are right, without running",
	 "Reads each scenario FILE and reports every error and warning with its place. Ends with "
	 "status 0 when all are right, 65 otherwise."},
	{"list", CLI_LIST, cmd_list, "profiles|platforms|params|metrics|steps",
	 "list what scenarios can say and results contain",
	 "Lists the kernel profiles (with --diff A B only what differs between two), platforms, "
	 "parameters, metrics or workload steps that rcusim knows."},
	{"schema", CLI_SCHEMA, cmd_schema, "", "print the JSON Schema of scenario files",
	 "Prints the JSON Schema of scenario files, for editors that complete and check YAML."},
	{"version", CLI_VERSION, cmd_version, "", "print the version", "Prints the version."},
	{"help", CLI_HELP, cmd_help, "[COMMAND]", "explain a command",
	 "Explains a command and its options, or lists the commands."},
};

const struct cli_command *cli_commands(size_t *count)
{
	*count = sizeof(commands) / sizeof(commands[0]);
	return commands;
}

const struct cli_command *cli_command_find(const char *name)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

int cli_fail(enum rs_code status, const char *fmt, ...)
{
	va_list args;

	fputs("rcusim: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	return (int)status;
}

int cli_usage(const struct cli_command *command, const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "rcusim%s%s: ", command != NULL ? " " : "",
		command != NULL ? command->name : "");
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	if (command != NULL)
		fprintf(stderr, "\nTry 'rcusim help %s'.\n", command->name);
	else
		fputs("\nTry 'rcusim help'.\n", stderr);
	return RS_USAGE;
}

int cli_close_stdout(int status)
{
	bool failed_before = ferror(stdout) != 0;

	errno = 0;
	if (fflush(stdout) == 0 && !failed_before)
		return status;
	if (status == RS_IO)
		return status;
	if (errno != EPIPE)
		cli_fail(RS_IO, "stdout: %s", errno != 0 ? strerror(errno) : "write error");
	return RS_IO;
}

int cli_commit(struct out_file *file)
{
	struct rs_error err;

	if (out_file_commit(file, &err))
		return RS_OK;
	if (errno != EPIPE)
		cli_fail(err.code, "%s", err.text);
	return (int)err.code;
}

void cli_print_short_help(FILE *stream)
{
	fputs("rcusim answers: how long does this boot or workload take with each RCU setting,\n"
	      "what does expediting grace periods save, and what does it cost?\n"
	      "\n"
	      "usage: rcusim COMMAND [OPTION]... [FILE]\n"
	      "\n",
	      stream);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		fprintf(stream, "  %-8s  %s\n", commands[i].name, commands[i].summary);
	fputs("\n"
	      "Start with:  rcusim run scenarios/boot/kvm-2015.yaml\n"
	      "More:        rcusim help COMMAND\n",
	      stream);
}
