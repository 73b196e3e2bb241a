/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rcusim check FILE...: loads scenarios and says what is wrong with them. */
#include "sim/cli/options.h"
#include "sim/scenario/scenario.h"

static int check_file(const struct cli_args *args, const char *path)
{
	struct scenario_overrides overrides;
	struct scenario *scenario = NULL;
	struct rs_diag diag = {0};
	int status = RS_OK;

	cli_overrides(args, &overrides);
	if (scenario_load(path, &overrides, args->platform_dir, &scenario, &diag))
		printf("%s: ok (%zu variant%s, %zu cell%s)\n", path, scenario->variant_count,
		       scenario->variant_count == 1 ? "" : "s", scenario->cell_count,
		       scenario->cell_count == 1 ? "" : "s");
	else
		status = diag.code != RS_OK ? (int)diag.code : RS_BAD_INPUT;
	/* Keeps the messages of each file next to its own line on a shared terminal. */
	fflush(stdout);
	diag_print(&diag, stderr);
	scenario_destroy(scenario);
	return status;
}

int cmd_check(int argc, char **argv)
{
	const struct cli_command *self = cli_command_find("check");
	struct cli_args args;
	int status = RS_OK;

	if (!cli_parse(self, argc, argv, &args)) {
		status = RS_USAGE;
	} else if (args.help) {
		status = cli_help(self);
	} else if (args.positional_count == 0) {
		status = cli_usage(self, "which scenario file?");
	} else {
		for (int i = 0; i < args.positional_count; i++) {
			int one = check_file(&args, args.positional[i]);

			if (status == RS_OK)
				status = one;
		}
	}
	cli_args_fini(&args);
	return status;
}
