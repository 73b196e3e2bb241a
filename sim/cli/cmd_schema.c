/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rcusim schema. */
#include "sim/cli/options.h"
#include "sim/scenario/schema.h"

int cmd_schema(int argc, char **argv)
{
	const struct cli_command *self = cli_command_find("schema");
	struct cli_args args;
	struct out_file file;
	struct rs_error err;
	int status = RS_OK;

	if (!cli_parse(self, argc, argv, &args)) {
		status = RS_USAGE;
	} else if (args.help) {
		status = cli_help(self);
	} else if (args.positional_count > 0) {
		status = cli_usage(self, "unexpected argument '%s'", args.positional[0]);
	} else if (!out_file_open(&file, cli_output_path(&args), &err)) {
		status = cli_fail(err.code, "%s", err.text);
	} else {
		schema_write(file.stream);
		status = cli_commit(&file);
	}
	cli_args_fini(&args);
	return status;
}
