/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table for people: what was run, the verdict, then a column for each
 * variant, the waits that made the difference, and what the answer rests on.
 * Guarded by tests/unit/check_output.c.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/out_format.h"
#include "output/out_text.h"

/* Waits shown; the rest is in the JSON. */
#define WAITS_SHOWN 12

const char *out_format_name(enum out_format format)
{
	switch (format) {
	case OUT_TABLE:
		return "table";
	case OUT_CSV:
		return "csv";
	case OUT_JSON:
		return "json";
	case OUT_FORMAT_COUNT:
		break;
	}
	RS_BUG("bad enum out_format %d", (int)format);
}

bool out_format_find(const char *name, enum out_format *format)
{
	for (int f = 0; f < OUT_FORMAT_COUNT; f++) {
		if (strcmp(name, out_format_name((enum out_format)f)) == 0) {
			*format = (enum out_format)f;
			return true;
		}
	}
	return false;
}

void out_write(enum out_format format, FILE *stream, const struct out_run *run)
{
	switch (format) {
	case OUT_TABLE:
		out_write_table(stream, run);
		return;
	case OUT_CSV:
		out_write_csv(stream, run);
		return;
	case OUT_JSON:
		out_write_json(stream, run);
		return;
	case OUT_FORMAT_COUNT:
		break;
	}
	RS_BUG("bad enum out_format %d", (int)format);
}

/* One row of the table: a metric of all variants. */
struct row {
	const struct xp_result *result;
	const struct metric_info *metric;
	struct fmt_unit unit; /* of times */
};

static void summarize(const struct row *row, size_t variant_idx, struct xp_summary *summary)
{
	xp_summarize(row->result, 0, variant_idx, row->metric, summary);
}

static struct fmt_unit row_unit(const struct row *row)
{
	double largest_ns = 0.0;

	for (size_t v = 0; v < row->result->scenario->variant_count; v++) {
		struct xp_summary s;

		summarize(row, v, &s);
		if (s.undefined == XP_DEFINED && fabs(s.mean) > largest_ns)
			largest_ns = fabs(s.mean);
	}
	return fmt_unit_for(largest_ns);
}

/* Half-width with the digits of the mean; none where all values agree. */
static struct fmt_text half_width_text(const struct row *row, const struct xp_summary *s)
{
	struct fmt_text out = {""};
	double half = s->half_width;

	if (isnan(half) || half == 0.0)
		return out;
	if (row->metric->unit == METRIC_NS &&
	    half / row->unit.ns < 0.5 * pow(10.0, -row->unit.decimals)) {
		snprintf(out.text, sizeof(out.text), " ±<%.*f", row->unit.decimals,
			 pow(10.0, -row->unit.decimals));
		return out;
	}
	switch (row->metric->unit) {
	case METRIC_NS:
		snprintf(out.text, sizeof(out.text), " ±%.*f", row->unit.decimals,
			 half / row->unit.ns);
		break;
	case METRIC_PCT:
		snprintf(out.text, sizeof(out.text), " ±%.1f", half);
		break;
	case METRIC_COUNT:
		snprintf(out.text, sizeof(out.text), " ±%.30s", fmt_count(half).text);
		break;
	case METRIC_UNIT_COUNT:
		break;
	}
	return out;
}

static struct fmt_text mean_text(const struct row *row, const struct xp_summary *s)
{
	switch (row->metric->unit) {
	case METRIC_NS:
		return fmt_ns_in(s->mean, row->unit);
	case METRIC_PCT:
		return fmt_pct(s->mean);
	case METRIC_COUNT:
		return fmt_count(s->mean);
	case METRIC_UNIT_COUNT:
		break;
	}
	RS_BUG("bad enum metric_unit %d", (int)row->metric->unit);
}

static struct fmt_text cell_text(const struct row *row, size_t variant_idx)
{
	struct fmt_text out = {"-"};
	struct fmt_text number;
	struct xp_summary s;

	summarize(row, variant_idx, &s);
	switch (s.undefined) {
	case XP_DEFINED:
		break;
	case XP_NO_EXTRA_IPIS:
	case XP_NO_SAVING:
		snprintf(out.text, sizeof(out.text), "none: %s", xp_undefined_text(s.undefined));
		return out;
	case XP_IS_BASELINE:
	case XP_NO_RUNS:
	case XP_UNDEFINED_COUNT:
		return out;
	}
	if (row->metric->source == METRIC_PAIRED && row->metric->unit == METRIC_NS &&
	    s.min == 0.0 && s.max == 0.0) {
		snprintf(out.text, sizeof(out.text), "exactly 0");
		return out;
	}
	number = mean_text(row, &s);
	snprintf(out.text, sizeof(out.text), "%.30s%.30s", number.text,
		 half_width_text(row, &s).text);
	return out;
}

/* Below the two times that matter most: where 95 of 100 boots lie. */
static void add_range_row(struct grid *grid, const struct row *row)
{
	size_t variants = row->result->scenario->variant_count;
	char title[64];

	snprintf(title, sizeof(title), "  95 %% of %s", out_runs_word(row->result, 2));
	grid_add(grid, title);
	for (size_t v = 0; v < variants; v++) {
		struct xp_summary s;

		summarize(row, v, &s);
		if (s.undefined != XP_DEFINED || s.n < 2)
			grid_add(grid, "-");
		else if (s.min == s.max)
			grid_add(grid, "all the same");
		else
			grid_add(grid, fmt_range_ns(s.p2_5, s.p97_5, row->unit).text);
	}
}

/* What the metrics' table calls a boot may be a workload. */
static const char *row_title(const struct row *row)
{
	if (strcmp(row->metric->name, "boot_time_ns") == 0 &&
	    row->result->scenario->cells[0].variants[0].config.machine.booted)
		return "time to end mark";
	return row->metric->title;
}

static void print_metrics(FILE *stream, const struct xp_result *result)
{
	const struct scenario *scenario = result->scenario;
	size_t metric_count;
	const struct metric_info *metrics = metric_all(&metric_count);
	char *alignment = rs_calloc(1, scenario->variant_count + 2);
	struct grid *grid;

	memset(alignment, 'r', scenario->variant_count + 1);
	alignment[0] = 'l';
	grid = grid_create(alignment);
	free(alignment);
	grid_add(grid, "");
	for (size_t v = 0; v < scenario->variant_count; v++)
		grid_add(grid, scenario->cells[0].variants[v].name);
	for (size_t m = 0; m < metric_count; m++) {
		struct row row = {.result = result, .metric = &metrics[m]};

		if (!row.metric->in_table)
			continue;
		if (row.metric->source == METRIC_PAIRED && scenario->variant_count < 2)
			continue;
		row.unit = row_unit(&row);
		grid_add(grid, row_title(&row));
		for (size_t v = 0; v < scenario->variant_count; v++)
			grid_add(grid, cell_text(&row, v).text);
		if (strcmp(row.metric->name, "boot_time_ns") == 0 ||
		    strcmp(row.metric->name, "saved_ns") == 0)
			add_range_row(grid, &row);
	}
	grid_print(grid, stream);
	grid_destroy(grid);
}

/* A wait that the expedite controls cannot make shorter is marked and explained. */
static bool path_is_marked(enum wait_path path)
{
	return path != WAIT_NOOP && !wait_path_expeditable(path);
}

/* "normal", or "expedited 98 %, normal 2 %". */
static void path_text(const struct xp_wait *wait, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (int p = 0; p < WAIT_PATH_COUNT; p++) {
		const char *name = wait_path_name((enum wait_path)p);
		const char *mark = path_is_marked((enum wait_path)p) ? "*" : "";
		int64_t count = wait->path_count[p];
		int written;

		if (count == 0)
			continue;
		if (count == wait->latency_ns.count) {
			snprintf(buf, size, "%s%s", name, mark);
			return;
		}
		written = snprintf(buf + used, size - used, "%s%s%s %.0f %%", used > 0 ? ", " : "",
				   name, mark, 100.0 * (double)count / (double)wait->latency_ns.count);
		if (written < 0 || (size_t)written >= size - used)
			return;
		used += (size_t)written;
	}
}

static int64_t completed_runs(const struct xp_variant *variant)
{
	return variant->stop_count[RUN_COMPLETED];
}

/* The step's label; steps that share one are numbered in file order. */
static void label_text(const struct scenario *scenario, size_t step_id, char *buf, size_t size)
{
	const char *label =
		step_id <= scenario->step_label_count ? scenario->step_labels[step_id] : NULL;
	int same = 0;
	int before = 0;

	if (label == NULL) {
		snprintf(buf, size, "step %zu", step_id);
		return;
	}
	for (size_t id = 1; id <= scenario->step_label_count; id++) {
		if (scenario->step_labels[id] == NULL ||
		    strcmp(scenario->step_labels[id], label) != 0)
			continue;
		same++;
		if (id <= step_id)
			before++;
	}
	if (same > 1)
		snprintf(buf, size, "%s #%d", label, before);
	else
		snprintf(buf, size, "%s", label);
}

static void add_wait_row(struct grid *grid, const struct xp_result *result, size_t variant_idx,
			 size_t step_id, bool with_label)
{
	const struct scenario *scenario = result->scenario;
	const struct xp_variant *variant = &result->cells[0].variants[variant_idx];
	const struct xp_wait *wait = &variant->waits[step_id];
	struct fmt_unit unit = fmt_unit_for((double)wait->latency_ns.max);
	char text[160] = "";

	if (with_label)
		label_text(scenario, step_id, text, sizeof(text));
	grid_add(grid, text);
	grid_add(grid, scenario->cells[0].variants[variant_idx].name);
	grid_add(grid,
		 fmt_count((double)wait->latency_ns.count / (double)completed_runs(variant)).text);
	path_text(wait, text, sizeof(text));
	grid_add(grid, text);
	grid_add(grid, fmt_ns_in(stat_mean(&wait->latency_ns), unit).text);
	grid_add(grid, fmt_ns_in((double)wait->latency_ns.max, unit).text);
}

static const struct xp_wait *boot_wait(const struct xp_result *result, size_t variant_idx,
				       size_t step_id)
{
	const struct xp_variant *variant = &result->cells[0].variants[variant_idx];

	if (step_id >= variant->wait_slots || variant->waits[step_id].boot_path_count == 0)
		return NULL;
	return &variant->waits[step_id];
}

/* Adds the rows of one step; false if no variant waited there on the boot path. */
static bool add_wait(struct grid *grid, const struct xp_result *result, size_t step_id)
{
	bool is_first = true;

	for (size_t v = 0; v < result->scenario->variant_count; v++) {
		if (boot_wait(result, v, step_id) == NULL)
			continue;
		if (grid != NULL)
			add_wait_row(grid, result, v, step_id, is_first);
		is_first = false;
	}
	return !is_first;
}

static bool has_marked_path(const struct xp_result *result)
{
	for (size_t v = 0; v < result->scenario->variant_count; v++) {
		const struct xp_variant *variant = &result->cells[0].variants[v];

		for (size_t id = 0; id < variant->wait_slots; id++) {
			if (boot_wait(result, v, id) == NULL)
				continue;
			for (int p = 0; p < WAIT_PATH_COUNT; p++)
				if (variant->waits[id].path_count[p] > 0 &&
				    path_is_marked((enum wait_path)p))
					return true;
		}
	}
	return false;
}

static void print_waits(FILE *stream, const struct xp_result *result)
{
	static const char *const heads[] = {"", "", "times", "path taken", "mean", "longest"};
	struct grid *grid = grid_create("llrlrr");
	size_t slots = 0;
	int64_t hidden = 0;
	int64_t shown = 0;
	char head[80];

	for (size_t v = 0; v < result->scenario->variant_count; v++)
		if (result->cells[0].variants[v].wait_slots > slots)
			slots = result->cells[0].variants[v].wait_slots;
	snprintf(head, sizeof(head), "Waits on the %s path",
		 out_runs_word(result, 1)[0] == 'b' ? "boot" : "main task's");
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		grid_add(grid, i == 0 ? head : heads[i]);
	for (size_t id = 0; id < slots; id++) {
		if (!add_wait(shown < WAITS_SHOWN ? grid : NULL, result, id))
			continue;
		if (shown < WAITS_SHOWN)
			shown++;
		else
			hidden++;
	}
	if (shown > 0) {
		fputc('\n', stream);
		grid_print(grid, stream);
	}
	if (hidden > 0)
		fprintf(stream, "%" PRId64 " more in --format=json.\n", hidden);
	if (has_marked_path(result))
		fputs("*: rcu_expedited and the nestable counter do not reach such a wait.\n", stream);
	grid_destroy(grid);
}

static void add_interruption_row(struct grid *grid, const struct xp_result *result,
				 size_t variant_idx, enum interruption_cause cause)
{
	const struct xp_variant *variant = &result->cells[0].variants[variant_idx];
	const struct xp_interruptions *in = &variant->interruptions[cause];
	struct fmt_unit unit = fmt_unit_for((double)in->ns.max);
	double runs = (double)completed_runs(variant);
	double total_ns = stat_mean(&in->ns) * (double)in->ns.count / runs;

	grid_add(grid, interruption_cause_name(cause));
	grid_add(grid, fmt_count((double)in->ns.count / runs).text);
	grid_add(grid, fmt_ns_in(stat_mean(&in->ns), unit).text);
	grid_add(grid, fmt_ns_in((double)stat_hist_quantile(in->hist_ns, 0.99), unit).text);
	grid_add(grid, fmt_ns_in((double)in->ns.max, unit).text);
	grid_add(grid, fmt_ns_in(total_ns, fmt_unit_for(total_ns)).text);
}

static bool has_sensitive_task(const struct scenario *scenario)
{
	for (size_t v = 0; v < scenario->variant_count; v++) {
		const struct model_config *config = &scenario->cells[0].variants[v].config;

		for (size_t i = 0; config->task_is_sensitive && i < config->task_count; i++)
			if (config->task_is_sensitive[i])
				return true;
	}
	return false;
}

static void print_interruptions(FILE *stream, const struct xp_result *result)
{
	static const char *const heads[] = {"Interruptions of latency-sensitive tasks",
					    "", "times", "mean", "99 %", "longest", "in all"};
	const struct scenario *scenario = result->scenario;
	struct grid *grid;

	if (!has_sensitive_task(scenario))
		return;
	grid = grid_create("llrrrrr");
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		grid_add(grid, heads[i]);
	for (size_t v = 0; v < scenario->variant_count; v++) {
		const struct xp_variant *variant = &result->cells[0].variants[v];
		const char *name = scenario->cells[0].variants[v].name;

		for (int c = 0; c < INTERRUPTION_CAUSE_COUNT; c++) {
			if (variant->interruptions[c].ns.count == 0)
				continue;
			grid_add(grid, name);
			add_interruption_row(grid, result, v, (enum interruption_cause)c);
			name = "";
		}
		if (name[0] == '\0')
			continue;
		grid_add(grid, name);
		grid_add(grid, "none");
		for (int i = 0; i < 5; i++)
			grid_add(grid, "-");
	}
	fputc('\n', stream);
	grid_print(grid, stream);
	grid_destroy(grid);
}

void out_table_variants(FILE *stream, const struct xp_result *result)
{
	print_metrics(stream, result);
	print_waits(stream, result);
	print_interruptions(stream, result);
}

static void print_warning(void *ctx, const char *text)
{
	char line[700];

	snprintf(line, sizeof(line), "Warning: %s.", text);
	fmt_wrap(ctx, line, OUT_COLUMNS, 2);
}

static void print_headline(FILE *stream, const struct out_run *run)
{
	const struct xp_result *result = run->result;
	const struct scenario *scenario = result->scenario;
	int64_t replications = result->cells[0].replications;
	char machine[200];
	char line[400];

	out_describe(scenario, machine, sizeof(machine));
	if (scenario->cell_count > 1)
		snprintf(line, sizeof(line),
			 "%s: %s%s%zu cells; %" PRId64 " %s each, seed %" PRIu64, scenario->name,
			 machine, machine[0] != '\0' ? ", " : "", scenario->cell_count,
			 replications, out_runs_word(result, replications), scenario->seed);
	else
		snprintf(line, sizeof(line), "%s: %s; %" PRId64 " %s each, seed %" PRIu64,
			 scenario->name, machine, replications, out_runs_word(result, replications),
			 scenario->seed);
	fmt_wrap(stream, line, OUT_COLUMNS, 2);
	for (size_t v = 0; v < scenario->variant_count; v++) {
		char verdict[500];

		if (v == scenario->baseline_idx)
			continue;
		if (scenario->cell_count > 1)
			out_matrix_verdict(result, v, verdict, sizeof(verdict));
		else
			out_verdict(result, 0, v, verdict, sizeof(verdict));
		if (run->color)
			fputs("\033[1m", stream);
		fmt_wrap(stream, verdict, OUT_COLUMNS, 2);
		if (run->color)
			fputs("\033[0m", stream);
	}
}

static void print_footer(FILE *stream, const struct out_run *run)
{
	const struct scenario *scenario = run->result->scenario;
	char line[1200];

	fputc('\n', stream);
	if (scenario->variant_count > 1) {
		snprintf(line, sizeof(line),
			 "Saved: against %s, each %s paired with the one that has the same random "
			 "numbers. ±: 95 %% interval of the mean; none where all %s agree.",
			 scenario->cells[0].variants[scenario->baseline_idx].name,
			 out_runs_word(run->result, 1), out_runs_word(run->result, 2));
		fmt_wrap(stream, line, OUT_COLUMNS, 2);
	}
	if (scenario->note_count > 0)
		fputs("Assumed, and good to know:\n", stream);
	for (size_t i = 0; i < scenario->note_count; i++) {
		snprintf(line, sizeof(line), "- %s", scenario->notes[i]);
		fmt_wrap(stream, line, OUT_COLUMNS, 2);
	}
	out_warnings(run->result, print_warning, stream);
	if (scenario->title != NULL && scenario->title[0] != '\0') {
		snprintf(line, sizeof(line), "Scenario: %s", scenario->title);
		fmt_wrap(stream, line, OUT_COLUMNS, 2);
	}
	fprintf(stream, "Run again: %s\n", run->command);
}

void out_write_table(FILE *stream, const struct out_run *run)
{
	print_headline(stream, run);
	fputc('\n', stream);
	if (run->result->scenario->cell_count > 1)
		out_table_matrix(stream, run->result);
	else
		out_table_variants(stream, run->result);
	print_footer(stream, run);
}
