/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rcusim help [COMMAND]. */
#include "output/out_format.h"
#include "sim/cli/options.h"

#define HELP_COLUMNS 80

int cli_help(const struct cli_command *command)
{
	cli_print_synopsis(stdout, command);
	fputc('\n', stdout);
	fmt_wrap(stdout, command->text, HELP_COLUMNS, 0);
	fputs("\noptions:\n", stdout);
	cli_print_options(stdout, command);
	return RS_OK;
}

int cmd_help(int argc, char **argv)
{
	const struct cli_command *self = cli_command_find("help");
	const struct cli_command *command;
	struct cli_args args;
	int status = RS_OK;

	if (!cli_parse(self, argc, argv, &args)) {
		status = RS_USAGE;
	} else if (args.help) {
		cli_help(self);
	} else if (args.positional_count == 0) {
		cli_print_short_help(stdout);
	} else if (args.positional_count > 1) {
		status = cli_usage(self, "one command at a time");
	} else if ((command = cli_command_find(args.positional[0])) != NULL) {
		cli_help(command);
	} else {
		status = cli_usage(NULL, "unknown command '%s'", args.positional[0]);
	}
	cli_args_fini(&args);
	return status;
}
