/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of a matrix: a row for each cell, and which values of each axis
 * allow the asked answer. Guarded by tests/unit/check_output.c.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/out_format.h"
#include "output/out_text.h"

/* "machine.hz" -> "hz", unless two axes would get the same name. */
static const char *axis_name(const struct scenario *scenario, size_t axis_idx)
{
	const char *path = scenario->axis_paths[axis_idx];
	const char *dot = strrchr(path, '.');

	if (dot == NULL)
		return path;
	for (size_t a = 0; a < scenario->axis_count; a++) {
		const char *other = strrchr(scenario->axis_paths[a], '.');

		if (a != axis_idx && other != NULL && strcmp(other, dot) == 0)
			return path;
	}
	return dot + 1;
}

/* One unit for a column of times, so that rows can be compared by eye. */
static struct fmt_unit column_unit(const struct xp_result *result, size_t variant_idx,
				   const struct metric_info *metric)
{
	double largest_ns = 0.0;

	for (size_t c = 0; c < result->scenario->cell_count; c++) {
		struct xp_summary s;

		xp_summarize(result, c, variant_idx, metric, &s);
		if (s.undefined == XP_DEFINED && fabs(s.mean) > largest_ns)
			largest_ns = fabs(s.mean);
	}
	return fmt_unit_for(largest_ns);
}

static const char *answer_text(enum xp_answer answer)
{
	switch (answer) {
	case XP_POSSIBLE:
		return "possible";
	case XP_TOO_SMALL:
		return "no (too small)";
	case XP_TOO_LARGE:
		return "no (too large)";
	case XP_UNKNOWN:
		return "unknown";
	case XP_ANSWER_COUNT:
		break;
	}
	RS_BUG("bad enum xp_answer %d", (int)answer);
}

static void add_saved(struct grid *grid, const struct xp_result *result, size_t cell_idx,
		      size_t variant_idx, struct fmt_unit unit)
{
	struct xp_summary s;

	xp_summarize(result, cell_idx, variant_idx, metric_find("saved_ns"), &s);
	if (s.undefined != XP_DEFINED) {
		grid_add(grid, "-");
		grid_add(grid, "-");
	} else if (s.min == 0.0 && s.max == 0.0) {
		grid_add(grid, "exactly 0");
		grid_add(grid, "");
	} else {
		grid_add(grid, fmt_ns_in(s.mean, unit).text);
		grid_add(grid, fmt_range_ns(s.p2_5, s.p97_5, unit).text);
	}
}

static void add_heads(struct grid *grid, const struct xp_result *result)
{
	const struct scenario *scenario = result->scenario;
	char text[160];

	for (size_t a = 0; a < scenario->axis_count; a++)
		grid_add(grid, axis_name(scenario, a));
	grid_add(grid, scenario->cells[0].variants[scenario->baseline_idx].name);
	for (size_t v = 0; v < scenario->variant_count; v++) {
		if (v == scenario->baseline_idx)
			continue;
		snprintf(text, sizeof(text), "%s saves", scenario->cells[0].variants[v].name);
		grid_add(grid, text);
		snprintf(text, sizeof(text), "95 %% of %s", out_runs_word(result, 2));
		grid_add(grid, text);
	}
	if (scenario->question.asked)
		grid_add(grid, "asked value");
}

static bool is_number_axis(const struct scenario *scenario, size_t axis_idx)
{
	for (size_t c = 0; c < scenario->cell_count; c++) {
		const char *value = scenario->cells[c].axis_values[axis_idx];

		if (value[strspn(value, "0123456789.")] != '\0')
			return false;
	}
	return true;
}

static void print_cells(FILE *stream, const struct xp_result *result)
{
	const struct scenario *scenario = result->scenario;
	const struct metric_info *boot_time = metric_find("boot_time_ns");
	size_t columns = scenario->axis_count + 1 + 2 * (scenario->variant_count - 1) +
			 (scenario->question.asked ? 1 : 0);
	char *alignment = rs_calloc(1, columns + 1);
	struct fmt_unit *units = rs_calloc(scenario->variant_count, sizeof(*units));
	struct grid *grid;

	memset(alignment, 'r', columns);
	for (size_t a = 0; a < scenario->axis_count; a++)
		if (!is_number_axis(scenario, a))
			alignment[a] = 'l';
	if (scenario->question.asked)
		alignment[columns - 1] = 'l';
	grid = grid_create(alignment);
	for (size_t v = 0; v < scenario->variant_count; v++)
		units[v] = column_unit(result, v,
				       v == scenario->baseline_idx ? boot_time
								   : metric_find("saved_ns"));
	add_heads(grid, result);
	for (size_t c = 0; c < scenario->cell_count; c++) {
		struct xp_summary s;

		for (size_t a = 0; a < scenario->axis_count; a++)
			grid_add(grid, scenario->cells[c].axis_values[a]);
		xp_summarize(result, c, scenario->baseline_idx, boot_time, &s);
		grid_add(grid, s.undefined == XP_DEFINED
				       ? fmt_ns_in(s.mean, units[scenario->baseline_idx]).text
				       : "-");
		for (size_t v = 0; v < scenario->variant_count; v++)
			if (v != scenario->baseline_idx)
				add_saved(grid, result, c, v, units[v]);
		if (scenario->question.asked)
			grid_add(grid, answer_text(xp_answer(result, c)));
	}
	grid_print(grid, stream);
	grid_destroy(grid);
	free(units);
	free(alignment);
}

static bool is_exactly_zero(const struct xp_result *result, size_t cell_idx, size_t variant_idx)
{
	struct xp_summary s;

	xp_summarize(result, cell_idx, variant_idx, metric_find("saved_ns"), &s);
	return s.undefined == XP_DEFINED && s.min == 0.0 && s.max == 0.0;
}

/* How many cells that count have one value of one axis, and in how many the asked value is possible. */
struct tally {
	int64_t cells;
	int64_t possible;
};

static struct tally tally_value(const struct scenario *scenario, const enum xp_answer *answers,
				const bool *counts, size_t axis_idx, const char *value)
{
	struct tally tally = {0, 0};

	for (size_t c = 0; c < scenario->cell_count; c++) {
		if (!counts[c] || strcmp(scenario->cells[c].axis_values[axis_idx], value) != 0)
			continue;
		tally.cells++;
		if (answers[c] == XP_POSSIBLE)
			tally.possible++;
	}
	return tally;
}

static bool is_first_cell_with(const struct scenario *scenario, size_t axis_idx, size_t cell_idx)
{
	for (size_t c = 0; c < cell_idx; c++)
		if (strcmp(scenario->cells[c].axis_values[axis_idx],
			   scenario->cells[cell_idx].axis_values[axis_idx]) == 0)
			return false;
	return true;
}

/* A line for each value of each axis: always, never or sometimes possible. */
static void print_axes(FILE *stream, const struct scenario *scenario, const enum xp_answer *answers,
		       const bool *counts)
{
	struct grid *grid = grid_create("llll");

	for (size_t a = 0; a < scenario->axis_count; a++) {
		bool is_first = true;

		for (size_t c = 0; c < scenario->cell_count; c++) {
			const char *value = scenario->cells[c].axis_values[a];
			struct tally tally;
			char text[80];

			if (!is_first_cell_with(scenario, a, c))
				continue;
			tally = tally_value(scenario, answers, counts, a, value);
			if (tally.cells == 0)
				continue;
			grid_add(grid, is_first ? axis_name(scenario, a) : "");
			grid_add(grid, value);
			grid_add(grid, tally.possible == 0             ? "never"
				       : tally.possible == tally.cells ? "always"
								       : "sometimes");
			snprintf(text, sizeof(text), "%" PRId64 " of %" PRId64 " cells",
				 tally.possible, tally.cells);
			grid_add(grid, text);
			is_first = false;
		}
	}
	grid_print(grid, stream);
	grid_destroy(grid);
}

/* Strikes the cells with a value that is never possible; returns how many are left. */
static int64_t strike_never(const struct scenario *scenario, const enum xp_answer *answers,
			    const bool *all, bool *left)
{
	int64_t count = 0;

	for (size_t c = 0; c < scenario->cell_count; c++) {
		left[c] = true;
		for (size_t a = 0; a < scenario->axis_count; a++) {
			const char *value = scenario->cells[c].axis_values[a];

			if (tally_value(scenario, answers, all, a, value).possible == 0)
				left[c] = false;
		}
		if (left[c])
			count++;
	}
	return count;
}

/* All cells first; then those that no single value rules out, where the rest decides. */
static void print_summary(FILE *stream, const struct scenario *scenario,
			  const enum xp_answer *answers)
{
	bool *all = rs_calloc(scenario->cell_count, sizeof(*all));
	bool *left = rs_calloc(scenario->cell_count, sizeof(*left));
	int64_t left_count;

	for (size_t c = 0; c < scenario->cell_count; c++)
		all[c] = true;
	left_count = strike_never(scenario, answers, all, left);
	print_axes(stream, scenario, answers, all);
	if (left_count > 0 && left_count < (int64_t)scenario->cell_count) {
		fprintf(stream,
			"\nWithout the values that never fit, %" PRId64 " cells are left:\n",
			left_count);
		print_axes(stream, scenario, answers, left);
	}
	free(left);
	free(all);
}

/* The asked value in the metric's unit, for people. */
static struct fmt_text asked_text(const struct scenario_question *question)
{
	const struct metric_info *metric = metric_find(question->metric);
	struct fmt_text out;

	if (metric->unit == METRIC_NS)
		return fmt_ns((double)question->value);
	if (metric->unit == METRIC_PCT)
		return fmt_pct((double)question->value);
	snprintf(out.text, sizeof(out.text), "%" PRId64, question->value);
	return out;
}

static void print_question(FILE *stream, const struct xp_result *result,
			   const enum xp_answer *answers)
{
	const struct scenario *scenario = result->scenario;
	const struct scenario_question *question = &scenario->question;
	int64_t count[XP_ANSWER_COUNT] = {0};
	char line[700];

	for (size_t c = 0; c < scenario->cell_count; c++)
		count[answers[c]]++;
	if (question->text != NULL)
		fmt_wrap(stream, question->text, OUT_COLUMNS, 2);
	snprintf(line, sizeof(line),
		 "%s, %s %s: possible in %" PRId64 " of %zu cells; %" PRId64
		 " stay below it, %" PRId64 " above it.",
		 scenario->cells[0].variants[question->variant_idx].name,
		 metric_find(question->metric)->title, asked_text(question).text,
		 count[XP_POSSIBLE], scenario->cell_count, count[XP_TOO_SMALL],
		 count[XP_TOO_LARGE]);
	fmt_wrap(stream, line, OUT_COLUMNS, 2);
	snprintf(line, sizeof(line),
		 "Possible: the value lies in the range that holds 95 %% of the cell's %s.",
		 out_runs_word(result, 2));
	fmt_wrap(stream, line, OUT_COLUMNS, 2);
	fputc('\n', stream);
	print_summary(stream, scenario, answers);
	fputc('\n', stream);
}

static void print_zero_cells(FILE *stream, const struct xp_result *result)
{
	const struct scenario *scenario = result->scenario;

	for (size_t v = 0; v < scenario->variant_count; v++) {
		int64_t zero = 0;

		if (v == scenario->baseline_idx)
			continue;
		for (size_t c = 0; c < scenario->cell_count; c++)
			if (is_exactly_zero(result, c, v))
				zero++;
		if (zero > 0)
			fprintf(stream,
				"\n%s saves exactly 0 in every %s of %" PRId64 " of %zu cells.\n",
				scenario->cells[0].variants[v].name, out_runs_word(result, 1), zero,
				scenario->cell_count);
	}
}

void out_table_matrix(FILE *stream, const struct xp_result *result)
{
	const struct scenario *scenario = result->scenario;

	if (scenario->question.asked) {
		enum xp_answer *answers = rs_calloc(scenario->cell_count, sizeof(*answers));

		for (size_t c = 0; c < scenario->cell_count; c++)
			answers[c] = xp_answer(result, c);
		print_question(stream, result, answers);
		free(answers);
	}
	print_cells(stream, result);
	print_zero_cells(stream, result);
}
