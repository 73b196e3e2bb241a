/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rcusim list platforms. Finds the folder as scenario_load() does for a scenario
 * in the current folder; a broken file is reported like a broken scenario.
 */
#include "sim/cli/list_platforms.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "output/out_format.h"
#include "sim/cli/listing.h"
#include "sim/scenario/params.h"
#include "sim/scenario/platform.h"

#ifndef RCUSIM_DATADIR
#define RCUSIM_DATADIR "/usr/local/share/rcusim"
#endif

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool find_folder(const struct cli_args *args, char *buf, size_t size)
{
	const char *data = getenv("RCUSIM_DATA");
	const char *roots[] = {data != NULL && data[0] != '\0' ? data : ".",
			       ".",
			       "..",
			       "../..",
			       "../../..",
			       RCUSIM_DATADIR};

	if (args->platform_dir != NULL) {
		snprintf(buf, size, "%s", args->platform_dir);
		return is_folder(buf);
	}
	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		snprintf(buf, size, "%s/scenarios/platforms", roots[i]);
		if (is_folder(buf))
			return true;
		snprintf(buf, size, "%s/platforms", roots[i]);
		if (is_folder(buf))
			return true;
	}
	return false;
}

static int is_yaml(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return entry->d_name[0] != '.' && length > 5 &&
	       strcmp(entry->d_name + length - 5, ".yaml") == 0;
}

/* Not alphasort(): that depends on the locale. */
static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void add_platform(struct listing *listing, const struct platform *platform)
{
	size_t count;
	const struct param_info *params = param_costs(&count);

	for (size_t i = 0; i < platform->cost_count && i < count; i++) {
		const struct platform_cost *cost = &platform->costs[i];
		const char *dot = strrchr(params[i].path, '.');

		listing_text(listing, platform->name);
		listing_text(listing, dot != NULL ? dot + 1 : params[i].path);
		listing_int(listing, cost->value_ns);
		listing_text(listing, cost_basis_name(cost->basis));
		if (cost->has_range) {
			listing_int(listing, cost->low_ns);
			listing_int(listing, cost->high_ns);
		} else {
			listing_text(listing, NULL);
			listing_text(listing, NULL);
		}
		listing_text(listing, cost->source);
	}
}

static int list_folder(const struct cli_args *args, const char *folder, FILE *stream)
{
	static const char *const columns[] = {"platform", "cost",    "value_ns", "basis",
					      "low_ns",   "high_ns", "source",   NULL};
	struct listing *listing = listing_create("platforms", columns);
	struct sim_arena *arena = sim_arena_create(0);
	struct dirent **entries = NULL;
	struct rs_diag diag = {0};
	int count = scandir(folder, &entries, is_yaml, by_bytes);
	int status = RS_OK;

	for (int i = 0; i < count; i++) {
		const struct platform *platform;
		char name[256];

		snprintf(name, sizeof(name), "%.*s", (int)strlen(entries[i]->d_name) - 5,
			 entries[i]->d_name);
		platform = platform_read(arena, name, folder, &diag);
		if (platform != NULL)
			add_platform(listing, platform);
		else
			status = diag.code != RS_OK ? (int)diag.code : RS_BAD_INPUT;
		free(entries[i]);
	}
	free(entries);
	if (status == RS_OK)
		listing_write(listing, args->format, stream);
	diag_print(&diag, stderr);
	listing_destroy(listing);
	sim_arena_destroy(arena);
	return status;
}

int list_platforms(const struct cli_args *args, FILE *stream)
{
	char folder[1024];

	if (!find_folder(args, folder, sizeof(folder)))
		return cli_fail(RS_NO_FILE, "no folder of platform files%s%s",
				args->platform_dir != NULL ? ": " : " was found",
				args->platform_dir != NULL ? args->platform_dir : "");
	return list_folder(args, folder, stream);
}
