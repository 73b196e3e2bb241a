/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the trace formats share with output/trace.c. */
#ifndef OUTPUT_TRACE_INTERNAL_H
#define OUTPUT_TRACE_INTERNAL_H

#include "output/trace.h"

struct chrome;

struct trace_writer {
	struct trace_options options;
	FILE *body; /* a memory stream over text */
	char *text;
	size_t text_bytes;
	sim_time_ns last_ns; /* of the newest event */
	int64_t seen, kept;
	struct chrome *chrome; /* owned; NULL for other formats */
};

/* Appends one event to writer->body. */
void trace_ftrace_event(struct trace_writer *writer, const struct trace_event *event);
/* Writes head, body and end; how many bytes that is. */
int64_t trace_ftrace_finish(struct trace_writer *writer, FILE *stream);

struct chrome *trace_chrome_create(int cpus);
void trace_chrome_destroy(struct chrome *chrome);
/*
 * Every event of a run, so that the slices open at the window's start are
 * known; is_kept: it also goes into the file.
 */
void trace_chrome_event(struct trace_writer *writer, const struct trace_event *event, bool is_kept);
int64_t trace_chrome_finish(struct trace_writer *writer, FILE *stream);

#endif
