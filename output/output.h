/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writers of results: one function for each format behind one interface.
 *
 * What is written depends on the result alone: no time stamps, host names,
 * thread counts or compilers, so the same experiment gives the same bytes
 * everywhere. CSV and JSON hold base units (ns, counts, percent); the table
 * chooses units for people. Formats: docs/formats/{csv,json}.md.
 */
#ifndef OUTPUT_OUTPUT_H
#define OUTPUT_OUTPUT_H

#include <stdio.h>

#include "sim/experiment/experiment.h"

enum out_format { OUT_TABLE, OUT_CSV, OUT_JSON, OUT_FORMAT_COUNT };

/* "table", "csv", "json". */
const char *out_format_name(enum out_format format);

/* Finds a format by name; false when there is none. */
bool out_format_find(const char *name, enum out_format *format);

/* What a writer is given. All borrowed. */
struct out_run {
	const struct xp_result *result;
	const char *tool_version;
	const char *command; /* command line that makes this result again */
	bool color;          /* the stream is a terminal that wants colour (table only) */
};

/* Writes the result. Errors of the stream stay in the stream (ferror). */
void out_write(enum out_format format, FILE *stream, const struct out_run *run);

void out_write_table(FILE *stream, const struct out_run *run);
void out_write_csv(FILE *stream, const struct out_run *run);
void out_write_json(FILE *stream, const struct out_run *run);

/* Receives one text; valid during the call only. */
typedef void out_text_fn(void *ctx, const char *text);

/* Calls fn for each warning about the result: runs that stopped, weak statistics, an interrupt. */
void out_warnings(const struct xp_result *result, out_text_fn *fn, void *ctx);

/* "boots" for scenarios that boot, "runs" for workloads; singular when count is 1. */
const char *out_runs_word(const struct xp_result *result, int64_t count);

/*
 * A file being written: under a temporary name in the same folder until it is
 * committed, so that a reader sees the old file or the whole new one. "-" is
 * stdout; a path that exists and is no regular file (a terminal, a pipe) is
 * written in place.
 */
struct out_file {
	FILE *stream;
	const char *path; /* borrowed */
	char *real_path;  /* owned; path without symbolic links */
	char *temp_path;  /* owned; both NULL when written in place */
	bool is_stdout;
};

/*
 * Could path be opened? To be asked before a long computation whose result goes
 * there; leaves nothing behind, so that a computation that is killed does not.
 */
bool out_file_probe(const char *path, struct rs_error *err) RS_MUST_CHECK;

bool out_file_open(struct out_file *file, const char *path, struct rs_error *err) RS_MUST_CHECK;

/* Flushes, closes and gives the file its name. On failure nothing is left behind. */
bool out_file_commit(struct out_file *file, struct rs_error *err) RS_MUST_CHECK;

/* Closes and removes it. */
void out_file_discard(struct out_file *file);

#endif
