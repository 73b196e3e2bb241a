/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words every layer shares: virtual time, exit codes, the error record, and
 * the way a broken invariant ends the program.
 *
 * Three severities of "wrong" (docs/architecture.md):
 *   - bad user input: described in a struct rs_error (or the scenario layer's
 *     list of them), exit status 65;
 *   - a broken invariant of ours: RS_BUG(), exit status 70;
 *   - out of memory: rs_oom(), abort.
 */
#ifndef ENGINE_BASE_H
#define ENGINE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Virtual time and durations in nanoseconds. Time 0 is the start of a run. */
typedef int64_t sim_time_ns;

#define NS_PER_US INT64_C(1000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)

/* "Never": later than any event of a run. */
#define SIM_TIME_MAX INT64_MAX

/* Exit statuses of the program; listed in rcusim(1). */
enum rs_code {
	RS_OK = 0,         /* done */
	RS_FAILED = 1,     /* done, but an expectation failed or a limit stopped a run */
	RS_USAGE = 2,      /* wrong command line */
	RS_BAD_INPUT = 65, /* scenario or log is invalid */
	RS_NO_FILE = 66,   /* an input file is missing or unreadable */
	RS_INTERNAL = 70,  /* a broken invariant */
	RS_IO = 74,        /* writing failed */
	RS_INTERRUPTED = 130
};

/* A place in an input file. line and column count from 1; 0 = unknown. */
struct rs_where {
	const char *file; /* borrowed; NULL if not from a file */
	int line;
	int column;
};

/* One failure, filled by the function that failed. Caller-allocated. */
struct rs_error {
	enum rs_code code;
	struct rs_where at;
	char text[240];
};

#if defined(__GNUC__)
#define RS_PRINTF(fmt_idx, arg_idx) __attribute__((format(printf, fmt_idx, arg_idx)))
#define RS_NORETURN __attribute__((noreturn))
#define RS_MUST_CHECK __attribute__((warn_unused_result))
#define RS_LIKELY(x) __builtin_expect(!!(x), 1)
#define RS_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define RS_PRINTF(fmt_idx, arg_idx)
#define RS_NORETURN
#define RS_MUST_CHECK
#define RS_LIKELY(x) (x)
#define RS_UNLIKELY(x) (x)
#endif

/*
 * Fills *err with code and a formatted text; leaves err->at untouched when
 * at is NULL. Returns false, so that callers can write
 * `return rs_fail(err, ...)`. err may not be NULL.
 */
bool rs_fail(struct rs_error *err, enum rs_code code, const struct rs_where *at,
	     const char *fmt, ...) RS_PRINTF(4, 5);

/* Reports a broken invariant of rcusim on stderr and exits with status 70. */
void rs_bug(const char *file, int line, const char *fmt, ...) RS_NORETURN RS_PRINTF(3, 4);
#define RS_BUG(...) rs_bug(__FILE__, __LINE__, __VA_ARGS__)

/* Argument check that stays in release builds. */
#define RS_REQUIRE(cond) \
	do { \
		if (RS_UNLIKELY(!(cond))) \
			rs_bug(__FILE__, __LINE__, "requirement failed: %s", #cond); \
	} while (0)

/* Out of memory: one message, abort. */
void rs_oom(void) RS_NORETURN;

/* malloc/calloc/realloc that never return NULL (rs_oom instead); free() releases. */
void *rs_calloc(size_t count, size_t size);
void *rs_realloc(void *old, size_t size);

#endif
