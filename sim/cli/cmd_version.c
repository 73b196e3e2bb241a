/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rcusim version. */
#include "sim/cli/options.h"
#include "sim/cli/version.h"

int cmd_version(int argc, char **argv)
{
	const struct cli_command *self = cli_command_find("version");
	struct cli_args args;
	int status = RS_OK;

	if (!cli_parse(self, argc, argv, &args))
		status = RS_USAGE;
	else if (args.help)
		status = cli_help(self);
	else if (args.positional_count > 0)
		status = cli_usage(self, "unexpected argument '%s'", args.positional[0]);
	else
		printf("rcusim %s\n", RCUSIM_VERSION);
	cli_args_fini(&args);
	return status;
}
