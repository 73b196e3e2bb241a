/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all trace formats share: the window, the budget, the order of events.
 * Guarded by tests/unit/check_trace.c.
 */
#include "output/trace.h"

#include <stdlib.h>
#include <string.h>

#include "output/trace_internal.h"

static const char *const names[TRACE_FORMAT_COUNT] = {
	[TRACE_FTRACE] = "ftrace",
	[TRACE_CHROME] = "chrome",
};

const char *trace_format_name(enum trace_format format)
{
	RS_REQUIRE(format < TRACE_FORMAT_COUNT);
	return names[format];
}

bool trace_format_find(const char *name, enum trace_format *format)
{
	for (int i = 0; i < TRACE_FORMAT_COUNT; i++) {
		if (strcmp(names[i], name) == 0) {
			*format = (enum trace_format)i;
			return true;
		}
	}
	return false;
}

bool trace_format_of_path(const char *path, enum trace_format *format)
{
	const char *slash = strrchr(path, '/');
	const char *dot = strrchr(slash != NULL ? slash : path, '.');

	if (dot == NULL)
		return false;
	if (strcmp(dot, ".txt") == 0 || strcmp(dot, ".ftrace") == 0)
		*format = TRACE_FTRACE;
	else if (strcmp(dot, ".json") == 0)
		*format = TRACE_CHROME;
	else
		return false;
	return true;
}

struct trace_writer *trace_writer_create(const struct trace_options *options)
{
	struct trace_writer *writer = rs_calloc(1, sizeof(*writer));

	RS_REQUIRE(options->cpus > 0 && options->events_max > 0 &&
		   options->from_ns <= options->to_ns);
	writer->options = *options;
	writer->body = open_memstream(&writer->text, &writer->text_bytes);
	if (writer->body == NULL)
		rs_oom();
	if (options->format == TRACE_CHROME)
		writer->chrome = trace_chrome_create(options->cpus);
	return writer;
}

void trace_writer_destroy(struct trace_writer *writer)
{
	if (writer == NULL)
		return;
	fclose(writer->body);
	free(writer->text);
	trace_chrome_destroy(writer->chrome);
	free(writer);
}

static void emit(void *ctx, const struct trace_event *event)
{
	struct trace_writer *writer = ctx;
	const struct trace_options *options = &writer->options;
	bool is_kept = false;

	if (event->at_ns < writer->last_ns)
		RS_BUG("trace event %s at %lld ns comes after one at %lld ns", event->name,
		       (long long)event->at_ns, (long long)writer->last_ns);
	writer->last_ns = event->at_ns;
	if (event->at_ns >= options->from_ns && event->at_ns <= options->to_ns) {
		writer->seen++;
		is_kept = writer->seen <= options->events_max;
	}
	if (is_kept)
		writer->kept++;
	switch (options->format) {
	case TRACE_FTRACE:
		if (is_kept)
			trace_ftrace_event(writer, event);
		break;
	case TRACE_CHROME:
		trace_chrome_event(writer, event, is_kept);
		break;
	case TRACE_FORMAT_COUNT:
		break;
	}
}

struct trace_sink trace_writer_sink(struct trace_writer *writer)
{
	return (struct trace_sink){.emit = emit, .ctx = writer};
}

void trace_writer_finish(struct trace_writer *writer, FILE *stream, struct trace_summary *summary)
{
	switch (writer->options.format) {
	case TRACE_FTRACE:
		summary->bytes = trace_ftrace_finish(writer, stream);
		break;
	case TRACE_CHROME:
		summary->bytes = trace_chrome_finish(writer, stream);
		break;
	case TRACE_FORMAT_COUNT:
		break;
	}
	summary->events_seen = writer->seen;
	summary->events_kept = writer->kept;
}
