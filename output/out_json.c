/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The complete result as JSON, format rcusim-result version 1:
 * docs/formats/json.md. Guarded by tests/unit/check_output.c.
 */
#include <inttypes.h>
#include <math.h>

#include "output/json.h"
#include "output/output.h"

static void write_strings(struct json_writer *json, const char *key, const char *const *texts,
			  size_t count)
{
	json_key(json, key);
	json_begin_array(json);
	for (size_t i = 0; i < count; i++)
		json_string(json, texts[i]);
	json_end_array(json);
}

static void write_scenario(struct json_writer *json, const struct scenario *scenario)
{
	char hash[24];

	snprintf(hash, sizeof(hash), "%016" PRIx64, scenario->hash);
	json_key(json, "scenario");
	json_begin_object(json);
	json_key_string(json, "name", scenario->name);
	json_key_string(json, "title", scenario->title);
	json_key_string(json, "path", scenario->path);
	json_key_string(json, "hash", hash);
	json_key(json, "text");
	json_string_bytes(json, scenario->text != NULL ? scenario->text : "",
			  scenario->text != NULL ? scenario->text_bytes : 0);
	json_end_object(json);
}

static const char *answer_name(enum xp_answer answer)
{
	switch (answer) {
	case XP_POSSIBLE:
		return "possible";
	case XP_TOO_SMALL:
		return "too small";
	case XP_TOO_LARGE:
		return "too large";
	case XP_UNKNOWN:
		return "unknown";
	case XP_ANSWER_COUNT:
		break;
	}
	RS_BUG("bad enum xp_answer %d", (int)answer);
}

static void write_question(struct json_writer *json, const struct scenario *scenario)
{
	const struct scenario_question *question = &scenario->question;

	json_key(json, "question");
	if (!question->asked) {
		json_null(json);
		return;
	}
	json_begin_object(json);
	json_key_string(json, "text", question->text);
	json_key_string(json, "metric", question->metric);
	json_key_string(json, "variant", scenario->cells[0].variants[question->variant_idx].name);
	json_key_int(json, "value", question->value);
	json_end_object(json);
}

/* An exact integer where the metric has them, else a double. */
static void write_number(struct json_writer *json, const struct metric_info *metric, double value)
{
	if (xp_is_integer(metric) && isfinite(value))
		json_int(json, (int64_t)value);
	else
		json_double(json, value);
}

static void write_metric(struct json_writer *json, const struct xp_result *result, size_t cell_idx,
			 size_t variant_idx, const struct metric_info *metric)
{
	struct xp_summary s;

	xp_summarize(result, cell_idx, variant_idx, metric, &s);
	if (s.undefined == XP_IS_BASELINE)
		return;
	json_key(json, metric->name);
	json_begin_object(json);
	json_key_string(json, "unit", metric_unit_name(metric->unit));
	json_key_int(json, "n", s.n);
	if (s.undefined != XP_DEFINED)
		json_key_string(json, "undefined", xp_undefined_text(s.undefined));
	json_key_double(json, "mean", s.mean);
	json_key_double(json, "ci95_half_width", s.half_width);
	if (s.has_values) {
		json_key_double(json, "sd", s.sd);
		json_key(json, "min");
		write_number(json, metric, s.min);
		json_key_double(json, "p2_5", s.p2_5);
		json_key_double(json, "p50", s.p50);
		json_key_double(json, "p97_5", s.p97_5);
		json_key(json, "max");
		write_number(json, metric, s.max);
		json_key(json, "values");
		json_begin_flat_array(json);
		for (int64_t r = 0; r < result->cells[cell_idx].replications; r++) {
			double value;

			if (xp_value(result, cell_idx, variant_idx, metric, r, &value))
				write_number(json, metric, value);
			else
				json_null(json);
		}
		json_end_array(json);
	}
	json_end_object(json);
}

static void write_hist(struct json_writer *json, const char *key, const struct stat_hist *hist)
{
	static const struct {
		const char *key;
		double q;
	} quantiles[] = {
		{"p2_5", 0.025},  {"p25", 0.25}, {"p50", 0.5},     {"p75", 0.75},
		{"p97_5", 0.975}, {"p99", 0.99}, {"p99_9", 0.999},
	};

	if (hist == NULL || hist->count == 0)
		return;
	json_key(json, key);
	json_begin_object(json);
	json_key_int(json, "count", hist->count);
	json_key_int(json, "min", hist->min);
	for (size_t i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]); i++)
		json_key_int(json, quantiles[i].key, stat_hist_quantile(hist, quantiles[i].q));
	json_key_int(json, "max", hist->max);
	json_end_object(json);
}

static void write_moments(struct json_writer *json, const struct stat_moments *moments)
{
	json_key_int(json, "count", moments->count);
	json_key_double(json, "mean", stat_mean(moments));
	json_key_double(json, "sd", stat_sd(moments));
	json_key_int(json, "min", moments->min);
	json_key_int(json, "max", moments->max);
}

static void write_waits(struct json_writer *json, const struct scenario *scenario,
			const struct xp_variant *variant)
{
	json_key(json, "waits");
	json_begin_array(json);
	for (size_t id = 0; id < variant->wait_slots; id++) {
		const struct xp_wait *wait = &variant->waits[id];

		if (wait->latency_ns.count == 0)
			continue;
		json_begin_object(json);
		json_key_int(json, "step_id", (int64_t)id);
		json_key_string(json, "label",
				id <= scenario->step_label_count && id > 0
					? scenario->step_labels[id]
					: NULL);
		json_key_int(json, "on_boot_path", wait->boot_path_count);
		json_key(json, "paths");
		json_begin_object(json);
		for (int p = 0; p < WAIT_PATH_COUNT; p++)
			json_key_int(json, wait_path_name((enum wait_path)p), wait->path_count[p]);
		json_end_object(json);
		json_key(json, "latency_ns");
		json_begin_object(json);
		write_moments(json, &wait->latency_ns);
		json_end_object(json);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_distributions(struct json_writer *json, const struct xp_variant *variant)
{
	json_key(json, "wait_latency_ns");
	json_begin_object(json);
	for (int p = 0; p < WAIT_PATH_COUNT; p++)
		write_hist(json, wait_path_name((enum wait_path)p), variant->wait_latency_ns[p]);
	json_end_object(json);
	json_key(json, "gp_latency_ns");
	json_begin_object(json);
	write_hist(json, "normal", variant->gp_latency_ns[0]);
	write_hist(json, "expedited", variant->gp_latency_ns[1]);
	json_end_object(json);
	json_key(json, "marks");
	json_begin_array(json);
	for (size_t i = 0; i < variant->mark_count; i++) {
		json_begin_object(json);
		json_key_string(json, "name", variant->marks[i].name);
		json_key(json, "at_ns");
		json_begin_object(json);
		write_moments(json, &variant->marks[i].at_ns);
		json_end_object(json);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_interruptions(struct json_writer *json, const struct xp_variant *variant)
{
	json_key(json, "sensitive_interruptions_by_cause_ns");
	json_begin_object(json);
	for (int c = 0; c < INTERRUPTION_CAUSE_COUNT; c++)
		write_hist(json, interruption_cause_name((enum interruption_cause)c),
			   variant->interruptions[c].hist_ns);
	json_end_object(json);
}

/* The first stall warning of the first replication that has one. */
static void write_stalls(struct json_writer *json, const struct xp_stalls *stalls)
{
	json_key(json, "first_stall");
	if (stalls->replication < 0) {
		json_null(json);
		return;
	}
	json_begin_object(json);
	json_key_int(json, "replication", stalls->replication);
	json_key_int(json, "runs", stalls->runs);
	json_key_int(json, "at_ns", stalls->at_ns);
	json_key_string(json, "text", stalls->text);
	json_end_object(json);
}

static void write_stops(struct json_writer *json, uint64_t seed, const struct xp_variant *variant)
{
	const struct xp_stopped *first = &variant->first_stopped;

	json_key(json, "stops");
	json_begin_object(json);
	for (int s = 0; s < RUN_STOP_COUNT; s++)
		if (variant->stop_count[s] > 0)
			json_key_int(json, run_stop_name((enum run_stop)s), variant->stop_count[s]);
	json_end_object(json);
	json_key(json, "first_stopped");
	if (first->replication < 0) {
		json_null(json);
		return;
	}
	json_begin_object(json);
	json_key_int(json, "replication", first->replication);
	json_key(json, "seed");
	json_u64_string(json, seed);
	json_key_string(json, "stop", run_stop_name(first->stop));
	json_key_string(json, "text", first->text);
	json_end_object(json);
}

static void write_settings(struct json_writer *json, const struct scenario_variant *variant)
{
	json_key(json, "settings");
	json_begin_array(json);
	for (size_t i = 0; i < variant->setting_count; i++) {
		json_begin_object(json);
		json_key_string(json, "path", variant->settings[i].path);
		json_key_string(json, "value", variant->settings[i].value);
		json_key_string(json, "origin", variant->settings[i].origin);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_variant(struct json_writer *json, const struct xp_result *result, size_t cell_idx,
			  size_t variant_idx)
{
	const struct scenario *scenario = result->scenario;
	const struct scenario_variant *given = &scenario->cells[cell_idx].variants[variant_idx];
	const struct xp_variant *variant = &result->cells[cell_idx].variants[variant_idx];
	size_t metric_count;
	const struct metric_info *metrics = metric_all(&metric_count);

	json_begin_object(json);
	json_key_string(json, "name", given->name);
	json_key_bool(json, "is_baseline", variant_idx == scenario->baseline_idx);
	write_settings(json, given);
	write_stops(json, scenario->seed, variant);
	json_key(json, "metrics");
	json_begin_object(json);
	for (size_t m = 0; m < metric_count; m++)
		write_metric(json, result, cell_idx, variant_idx, &metrics[m]);
	json_end_object(json);
	write_waits(json, scenario, variant);
	write_distributions(json, variant);
	write_interruptions(json, variant);
	write_stalls(json, &variant->stalls);
	json_end_object(json);
}

static void write_cell(struct json_writer *json, const struct xp_result *result, size_t cell_idx)
{
	const struct scenario *scenario = result->scenario;

	json_begin_object(json);
	json_key(json, "axis_values");
	json_begin_flat_array(json);
	for (size_t a = 0; a < scenario->axis_count; a++)
		json_string(json, scenario->cells[cell_idx].axis_values[a]);
	json_end_array(json);
	json_key_int(json, "replications", result->cells[cell_idx].replications);
	json_key_string(json, "answer",
			scenario->question.asked ? answer_name(xp_answer(result, cell_idx)) : NULL);
	json_key(json, "variants");
	json_begin_array(json);
	for (size_t v = 0; v < scenario->variant_count; v++)
		write_variant(json, result, cell_idx, v);
	json_end_array(json);
	json_end_object(json);
}

static void write_text(void *ctx, const char *text)
{
	json_string(ctx, text);
}

void out_write_json(FILE *stream, const struct out_run *run)
{
	const struct xp_result *result = run->result;
	const struct scenario *scenario = result->scenario;
	struct json_writer json;

	json_init(&json, stream);
	json_begin_object(&json);
	json_key_string(&json, "format", "rcusim-result");
	json_key_int(&json, "format_version", 1);
	json_key_string(&json, "tool_version", run->tool_version);
	json_key_string(&json, "command", run->command);
	write_scenario(&json, scenario);
	json_key(&json, "seed");
	json_u64_string(&json, scenario->seed);
	json_key_int(&json, "replications", result->replications_asked);
	json_key_bool(&json, "interrupted", result->interrupted);
	json_key_bool(&json, "checked", result->checked);
	json_key_string(&json, "baseline",
			scenario->cells[0].variants[scenario->baseline_idx].name);
	write_strings(&json, "axes", scenario->axis_paths, scenario->axis_count);
	write_question(&json, scenario);
	write_strings(&json, "notes", scenario->notes, scenario->note_count);
	json_key(&json, "warnings");
	json_begin_array(&json);
	out_warnings(result, write_text, &json);
	json_end_array(&json);
	json_key(&json, "cells");
	json_begin_array(&json);
	for (size_t c = 0; c < scenario->cell_count; c++)
		write_cell(&json, result, c);
	json_end_array(&json);
	json_end_object(&json);
	json_finish(&json);
}
