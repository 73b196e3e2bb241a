/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CSV in long form: a row for each value. Format: docs/formats/csv.md.
 * Guarded by tests/unit/check_output.c.
 */
#include <inttypes.h>
#include <string.h>

#include "output/csv.h"
#include "output/output.h"

void csv_field(FILE *stream, const char *text)
{
	if (text == NULL)
		return;
	if (strpbrk(text, ",\"\r\n") == NULL) {
		fputs(text, stream);
		return;
	}
	fputc('"', stream);
	for (const char *at = text; *at != '\0'; at++) {
		if (*at == '"')
			fputc('"', stream);
		fputc(*at, stream);
	}
	fputc('"', stream);
}

void csv_row(FILE *stream, const char *const *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			fputc(',', stream);
		csv_field(stream, fields[i]);
	}
	fputc('\n', stream);
}

/* "kernel.profile=v4.1 machine.hz=250"; empty without a matrix. Owned by the caller's buffer. */
static void describe_cell(const struct scenario *scenario, size_t cell_idx, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t a = 0; a < scenario->axis_count; a++) {
		int written =
			snprintf(buf + used, size - used, "%s%s=%s", a > 0 ? " " : "",
				 scenario->axis_paths[a], scenario->cells[cell_idx].axis_values[a]);

		if (written < 0 || (size_t)written >= size - used)
			return;
		used += (size_t)written;
	}
}

static void write_value(FILE *stream, const struct metric_info *metric, bool has_value,
			double value)
{
	if (!has_value)
		return;
	if (xp_is_integer(metric))
		fprintf(stream, "%" PRId64, (int64_t)value);
	else
		fprintf(stream, "%.17g", value == 0.0 ? 0.0 : value);
}

static void write_variant(FILE *stream, const struct xp_result *result, size_t cell_idx,
			  const char *cell_text, size_t variant_idx)
{
	const struct scenario *scenario = result->scenario;
	bool is_baseline = variant_idx == scenario->baseline_idx;
	size_t metric_count;
	const struct metric_info *metrics = metric_all(&metric_count);

	for (int64_t r = 0; r < result->cells[cell_idx].replications; r++) {
		for (size_t m = 0; m < metric_count; m++) {
			const struct metric_info *metric = &metrics[m];
			bool is_ratio = metric->unit != METRIC_PCT && !xp_is_integer(metric);
			double value;
			bool has_value;

			if (is_ratio || (metric->source == METRIC_PAIRED && is_baseline))
				continue;
			csv_field(stream, scenario->name);
			fputc(',', stream);
			csv_field(stream, cell_text);
			fputc(',', stream);
			csv_field(stream, scenario->cells[cell_idx].variants[variant_idx].name);
			fprintf(stream, ",%" PRId64 ",%s,%s,", r, metric->name,
				metric_unit_name(metric->unit));
			has_value = xp_value(result, cell_idx, variant_idx, metric, r, &value);
			write_value(stream, metric, has_value, value);
			fputc('\n', stream);
		}
	}
}

void out_write_csv(FILE *stream, const struct out_run *run)
{
	const struct scenario *scenario = run->result->scenario;

	fputs("scenario,cell,variant,replication,metric,unit,value\n", stream);
	for (size_t c = 0; c < scenario->cell_count; c++) {
		char cell_text[1024];

		describe_cell(scenario, c, cell_text, sizeof(cell_text));
		for (size_t v = 0; v < scenario->variant_count; v++)
			write_variant(stream, run->result, c, cell_text, v);
	}
}
