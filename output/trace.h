/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writers of traces. A writer receives the events of one run, keeps those of a
 * time window up to a budget, and writes them when the run is over: only then
 * the size is known. Formats: docs/formats/trace.md.
 */
#ifndef OUTPUT_TRACE_H
#define OUTPUT_TRACE_H

#include <stdio.h>

#include "sim/engine/trace.h"

enum trace_format {
	TRACE_FTRACE, /* text, as /sys/kernel/tracing/trace and trace-cmd print it */
	TRACE_CHROME, /* JSON, for chrome://tracing and Perfetto */
	TRACE_FORMAT_COUNT
};

/* "ftrace", "chrome". */
const char *trace_format_name(enum trace_format format);

/* Finds a format by name; false when there is none. */
bool trace_format_find(const char *name, enum trace_format *format);

/* The format a file's extension stands for: .txt, .ftrace; .json. False: none. */
bool trace_format_of_path(const char *path, enum trace_format *format);

#define TRACE_EVENTS_DEFAULT 200000

struct trace_options {
	enum trace_format format;
	int cpus;            /* of the machine */
	sim_time_ns from_ns; /* events in from_ns..to_ns are kept */
	sim_time_ns to_ns;   /* SIM_TIME_MAX: to the end */
	int64_t events_max;  /* and of those the first events_max */
	const char *title;   /* what was run; may be NULL; outlives the writer */
};

struct trace_summary {
	int64_t events_seen; /* in the window */
	int64_t events_kept;
	int64_t bytes;
};

struct trace_writer;

/* Owned by the caller (trace_writer_destroy). */
struct trace_writer *trace_writer_create(const struct trace_options *options);
void trace_writer_destroy(struct trace_writer *writer);

/* Where a run's events go. Valid until the writer is destroyed. */
struct trace_sink trace_writer_sink(struct trace_writer *writer);

/* Writes the trace, once. Errors of the stream stay in the stream (ferror). */
void trace_writer_finish(struct trace_writer *writer, FILE *stream, struct trace_summary *summary);

#endif
