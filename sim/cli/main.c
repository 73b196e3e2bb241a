/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rcusim: finds the command and runs it. Only this folder ends the process, and
 * only through the statuses of sim/engine/base.h.
 */
#include <gsl/gsl_errno.h>
#include <signal.h>
#include <string.h>

#include "sim/cli/cli.h"
#include "sim/scenario/suggest.h"

static int unknown_command(const char *name)
{
	struct suggest suggest;
	size_t count;
	const struct cli_command *commands = cli_commands(&count);

	suggest_begin(&suggest, name);
	for (size_t i = 0; i < count; i++)
		suggest_offer(&suggest, commands[i].name);
	if (suggest.best != NULL)
		return cli_usage(NULL, "unknown command '%s'; did you mean '%s'?", name,
				 suggest.best);
	return cli_usage(NULL, "unknown command '%s'", name);
}

int main(int argc, char **argv)
{
	const struct cli_command *command;

	/* GSL's own handler aborts; its statuses are checked where it is called. */
	gsl_set_error_handler_off();
	/* A reader that goes away is a write error, not a death. */
	signal(SIGPIPE, SIG_IGN);

	if (argc < 2) {
		cli_print_short_help(stderr);
		return RS_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		command = cli_command_find("help");
	else if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
		command = cli_command_find("version");
	else
		command = cli_command_find(argv[1]);
	if (command == NULL)
		return unknown_command(argv[1]);
	return cli_close_stdout(command->fn(argc - 1, argv + 1));
}
