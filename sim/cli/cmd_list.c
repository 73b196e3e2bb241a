/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rcusim list: what scenarios can say and results contain, from the same tables
 * that drive the parser, the model and the writers.
 */
#include <inttypes.h>
#include <string.h>

#include "models/metrics.h"
#include "models/profile.h"
#include "sim/cli/list_platforms.h"
#include "sim/cli/listing.h"
#include "sim/cli/options.h"
#include "sim/scenario/params.h"
#include "sim/scenario/steps.h"
#include "sim/scenario/suggest.h"

static void add_cell_value(struct listing *listing, const struct rcu_profile *profile,
			   size_t cell_idx)
{
	const char *name = profile_cell_value_name(profile, cell_idx);

	if (name != NULL)
		listing_text(listing, name);
	else
		listing_int(listing, profile_cell_value(profile, cell_idx));
}

/* For people: a column for each profile in `chosen`; with --diff the two sources, too. */
static int list_profiles_side_by_side(const struct cli_args *args, FILE *stream,
				      const size_t *chosen, size_t chosen_count)
{
	const char *columns[64] = {"cell"};
	size_t profile_count;
	size_t cell_count;
	const struct rcu_profile *profiles = profile_all(&profile_count);
	const struct profile_cell_info *cells = profile_cells(&cell_count);
	char source_columns[2][32];
	struct listing *listing;

	RS_REQUIRE(chosen_count + 5 <= sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < chosen_count; i++)
		columns[i + 1] = profiles[chosen[i]].name;
	columns[chosen_count + 1] = "meaning";
	for (size_t i = 0; args->diff && i < 2; i++) {
		snprintf(source_columns[i], sizeof(source_columns[i]), "source of %s",
			 profiles[chosen[i]].name);
		columns[chosen_count + 2 + i] = source_columns[i];
	}
	listing = listing_create("cells", columns);
	for (size_t c = 0; c < cell_count; c++) {
		bool differs = false;

		for (size_t i = 1; i < chosen_count; i++)
			if (profile_cell_value(&profiles[chosen[i]], c) !=
			    profile_cell_value(&profiles[chosen[0]], c))
				differs = true;
		if (args->diff && !differs)
			continue;
		listing_text(listing, cells[c].name);
		for (size_t i = 0; i < chosen_count; i++)
			add_cell_value(listing, &profiles[chosen[i]], c);
		listing_text(listing, cells[c].help);
		for (size_t i = 0; args->diff && i < 2; i++)
			listing_text(listing, profile_cell_source(chosen[i], c));
	}
	listing_write(listing, args->format, stream);
	listing_destroy(listing);
	return RS_OK;
}

/* For programs: a row for each cell of each profile, with its source. */
static int list_profiles_long(const struct cli_args *args, FILE *stream, const size_t *chosen,
			      size_t chosen_count)
{
	static const char *const columns[] = {"profile", "cell", "value", "value_name",
					      "source",  "help", NULL};
	size_t profile_count;
	size_t cell_count;
	const struct rcu_profile *profiles = profile_all(&profile_count);
	const struct profile_cell_info *cells = profile_cells(&cell_count);
	struct listing *listing = listing_create("profiles", columns);

	for (size_t i = 0; i < chosen_count; i++) {
		const struct rcu_profile *profile = &profiles[chosen[i]];

		for (size_t c = 0; c < cell_count; c++) {
			if (args->diff && profile_cell_value(&profiles[chosen[0]], c) ==
						  profile_cell_value(&profiles[chosen[1]], c))
				continue;
			listing_text(listing, profile->name);
			listing_text(listing, cells[c].name);
			listing_int(listing, profile_cell_value(profile, c));
			listing_text(listing, profile_cell_value_name(profile, c));
			listing_text(listing, profile_cell_source(chosen[i], c));
			listing_text(listing, cells[c].help);
		}
	}
	listing_write(listing, args->format, stream);
	listing_destroy(listing);
	return RS_OK;
}

static bool find_profile(const struct cli_command *self, const char *name, size_t *idx)
{
	size_t count;
	const struct rcu_profile *profiles = profile_all(&count);
	struct suggest suggest;

	suggest_begin(&suggest, name);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(profiles[i].name, name) == 0) {
			*idx = i;
			return true;
		}
		suggest_offer(&suggest, profiles[i].name);
	}
	if (suggest.best != NULL)
		cli_usage(self, "unknown profile '%s'; did you mean '%s'?", name, suggest.best);
	else
		cli_usage(self, "unknown profile '%s'", name);
	return false;
}

static int list_profiles(const struct cli_command *self, const struct cli_args *args, FILE *stream)
{
	size_t chosen[61];
	size_t chosen_count = 0;
	size_t count;

	profile_all(&count);
	if (args->diff && args->positional_count != 3)
		return cli_usage(self,
				 "--diff compares two profiles: list profiles --diff v3.19 v4.1");
	if ((size_t)args->positional_count > sizeof(chosen) / sizeof(chosen[0]))
		return cli_usage(self, "too many profiles");
	for (int i = 1; i < args->positional_count; i++)
		if (!find_profile(self, args->positional[i], &chosen[chosen_count++]))
			return RS_USAGE;
	if (chosen_count == 0)
		for (size_t i = 0; i < count && i < sizeof(chosen) / sizeof(chosen[0]); i++)
			chosen[chosen_count++] = i;
	if (args->format == OUT_TABLE)
		return list_profiles_side_by_side(args, stream, chosen, chosen_count);
	return list_profiles_long(args, stream, chosen, chosen_count);
}

static const char *join_names(const char *const *names, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; names[i] != NULL && used < size; i++) {
		int written = snprintf(buf + used, size - used, "%s%s", i > 0 ? "|" : "", names[i]);

		used += written > 0 ? (size_t)written : 0;
	}
	return buf;
}

static int list_params(const struct cli_args *args, FILE *stream)
{
	static const char *const columns[] = {"path",   "type",    "unit", "low", "high",
					      "values", "default", "help", NULL};
	size_t count;
	const struct param_info *params = param_all(&count);
	struct listing *listing = listing_create("params", columns);

	for (size_t i = 0; i < count; i++) {
		const struct param_info *param = &params[i];
		char names[400];

		listing_text(listing, param->path);
		listing_text(listing, param_type_name(param->type));
		listing_text(listing, param->unit);
		if (param->type == PARAM_INT || param->type == PARAM_DURATION) {
			listing_int(listing, param->low);
			listing_int(listing, param->high);
		} else {
			listing_text(listing, NULL);
			listing_text(listing, NULL);
		}
		listing_text(listing, param->value_names != NULL
					      ? join_names(param->value_names, names, sizeof(names))
					      : NULL);
		listing_text(listing, param->default_text);
		listing_text(listing, param->help);
	}
	listing_write(listing, args->format, stream);
	listing_destroy(listing);
	return RS_OK;
}

static int list_metrics(const struct cli_args *args, FILE *stream)
{
	static const char *const columns[] = {"metric", "unit", "source", "help", NULL};
	size_t count;
	const struct metric_info *metrics = metric_all(&count);
	struct listing *listing = listing_create("metrics", columns);

	for (size_t i = 0; i < count; i++) {
		listing_text(listing, metrics[i].name);
		listing_text(listing, metric_unit_name(metrics[i].unit));
		listing_text(listing, metrics[i].source == METRIC_PAIRED ? "paired" : "run");
		listing_text(listing, metrics[i].help);
	}
	listing_write(listing, args->format, stream);
	listing_destroy(listing);
	return RS_OK;
}

/* What follows a step's name. */
static const char *step_argument(enum step_arg arg)
{
	switch (arg) {
	case ARG_NONE:
		return "";
	case ARG_DIST:
		return ": DURATION";
	case ARG_COUNT:
		return ": COUNT";
	case ARG_BOOL:
		return ": true|false";
	case ARG_NAME:
		return ": NAME";
	case ARG_EACH:
		return ": {each: DURATION}";
	case ARG_LOOP:
		return ": {count: COUNT, do: [STEP, ...]}";
	case ARG_SPAWN:
		return ": {name: NAME, do: [STEP, ...]}";
	case ARG_WORK:
		return ": {cpu: CPU, do: [STEP, ...]}";
	case ARG_RUN:
		return ": DURATION or {for: DURATION, cond_resched: DURATION}";
	case ARG_HOTPLUG:
		return ": {cpu: CPU, takes: DURATION}";
	case ARG_SMT:
		return ": {switch: off|on, each: DURATION, threads: COUNT}";
	case ARG_WRITE:
		return ": {name: NAME, do: [STEP, ...]}";
	case ARG_SECTION:
		return ": DURATION or {do: [STEP, ...]}";
	}
	RS_BUG("bad enum step_arg %d", (int)arg);
}

static int list_steps(const struct cli_args *args, FILE *stream)
{
	static const char *const columns[] = {"step", "written_as", "help", NULL};
	struct listing *listing = listing_create("steps", columns);
	const struct step_info *step;

	for (size_t i = 0; (step = steps_info(i)) != NULL; i++) {
		char form[120];

		if (step->arg == ARG_NONE)
			snprintf(form, sizeof(form), "%s", step->key);
		else
			snprintf(form, sizeof(form), "{%s%s%s}", step->key,
				 step_argument(step->arg), step->has_do ? ", do: [STEP, ...]" : "");
		listing_text(listing, step->key);
		listing_text(listing, form);
		listing_text(listing, step->help);
	}
	listing_write(listing, args->format, stream);
	listing_destroy(listing);
	return RS_OK;
}

enum topic {
	TOPIC_PROFILES,
	TOPIC_PLATFORMS,
	TOPIC_PARAMS,
	TOPIC_METRICS,
	TOPIC_STEPS,
	TOPIC_COUNT
};

static const char *const topic_names[TOPIC_COUNT] = {
	[TOPIC_PROFILES] = "profiles", [TOPIC_PLATFORMS] = "platforms", [TOPIC_PARAMS] = "params",
	[TOPIC_METRICS] = "metrics",   [TOPIC_STEPS] = "steps",
};

static bool find_topic(const struct cli_command *self, const char *name, enum topic *topic)
{
	struct suggest suggest;

	suggest_begin(&suggest, name);
	for (int i = 0; i < TOPIC_COUNT; i++) {
		if (strcmp(topic_names[i], name) == 0) {
			*topic = (enum topic)i;
			return true;
		}
		suggest_offer(&suggest, topic_names[i]);
	}
	if (suggest.best != NULL)
		cli_usage(self, "nothing called '%s' to list; did you mean '%s'?", name,
			  suggest.best);
	else
		cli_usage(self, "nothing called '%s' to list", name);
	return false;
}

static int write_topic(const struct cli_command *self, const struct cli_args *args,
		       enum topic topic, FILE *stream)
{
	if (topic != TOPIC_PROFILES && (args->diff || args->positional_count > 1))
		return cli_usage(self, "only profiles take names and --diff");
	switch (topic) {
	case TOPIC_PROFILES:
		return list_profiles(self, args, stream);
	case TOPIC_PLATFORMS:
		return list_platforms(args, stream);
	case TOPIC_PARAMS:
		return list_params(args, stream);
	case TOPIC_METRICS:
		return list_metrics(args, stream);
	case TOPIC_STEPS:
		return list_steps(args, stream);
	case TOPIC_COUNT:
		break;
	}
	RS_BUG("bad enum topic %d", (int)topic);
}

static int list_to_file(const struct cli_command *self, const struct cli_args *args,
			enum topic topic)
{
	struct out_file file;
	struct rs_error err;
	int status;

	if (!out_file_open(&file, cli_output_path(args), &err))
		return cli_fail(err.code, "%s", err.text);
	status = write_topic(self, args, topic, file.stream);
	if (status == RS_OK)
		return cli_commit(&file);
	out_file_discard(&file);
	return status;
}

static int list_what_is_asked(const struct cli_command *self, const struct cli_args *args)
{
	enum topic topic;

	if (args->help)
		return cli_help(self);
	if (args->positional_count == 0)
		return cli_usage(self, "list what? profiles, platforms, params, metrics or steps");
	if (!find_topic(self, args->positional[0], &topic))
		return RS_USAGE;
	return list_to_file(self, args, topic);
}

int cmd_list(int argc, char **argv)
{
	const struct cli_command *self = cli_command_find("list");
	struct cli_args args;
	int status = RS_USAGE;

	if (cli_parse(self, argc, argv, &args))
		status = list_what_is_asked(self, &args);
	cli_args_fini(&args);
	return status;
}
