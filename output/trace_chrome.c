/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chrome's JSON trace format, as chrome://tracing and Perfetto read it.
 *
 * Slices of one track must nest, so every track keeps a stack: ending what is
 * not open, or a depth beyond any machine's, is a broken invariant. Times are
 * microseconds made from integer nanoseconds, never through a double. B and E
 * events only: complete events of no length vanish in some viewers.
 *
 * C1: each E closes the B last opened on its track; all are closed at the end.
 * C2: times never decrease from line to line.
 *
 * A window that begins late opens what is open then, at its start. Guarded by
 * tests/unit/check_trace.c.
 */
#include "output/trace_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Deepest: a task, a softirq over it, an interrupt over that; initcalls nest as the program does. */
#define SLICES_MAX 80
#define NAME_BYTES 96

enum process { PROCESS_CPUS = 1, PROCESS_RCU, PROCESS_TASKS, PROCESS_HOTPLUG, PROCESS_END };

struct track {
	enum process process;
	int tid;
	char key[NAME_BYTES];
	bool is_named; /* its metadata was written */
	int depth;
	char *open[SLICES_MAX]; /* owned names */
};

struct chrome {
	struct track **tracks; /* owned */
	size_t count;
	struct track **by_cpu; /* owned; of tracks, NULL: none yet */
	bool is_started;       /* the window has begun: open slices are written */
	bool is_over;          /* budget or window exhausted */
	bool has_lines;
	bool has_process[PROCESS_END];
	sim_time_ns at_ns; /* of the line being written */
};

struct chrome *trace_chrome_create(int cpus)
{
	struct chrome *chrome = rs_calloc(1, sizeof(*chrome));

	chrome->by_cpu = rs_calloc((size_t)cpus, sizeof(struct track *));
	return chrome;
}

void trace_chrome_destroy(struct chrome *chrome)
{
	if (chrome == NULL)
		return;
	for (size_t i = 0; i < chrome->count; i++) {
		while (chrome->tracks[i]->depth > 0)
			free(chrome->tracks[i]->open[--chrome->tracks[i]->depth]);
		free(chrome->tracks[i]);
	}
	free(chrome->tracks);
	free(chrome->by_cpu);
	free(chrome);
}

/* --- lines --- */

/* How many bytes it wrote. */
static int put_string(FILE *out, const char *text)
{
	int bytes = 2;

	putc('"', out);
	for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
		if (*at == '"' || *at == '\\')
			bytes += fprintf(out, "\\%c", *at);
		else if (*at < 0x20 || *at >= 0x7f)
			bytes += fprintf(out, "\\u%04x", *at);
		else
			bytes += fprintf(out, "%c", *at);
	}
	putc('"', out);
	return bytes;
}

static void begin_line(struct trace_writer *w, char phase, enum process process, int tid)
{
	fprintf(w->body, "%s{\"ph\":\"%c\",\"pid\":%d,\"tid\":%d",
		w->chrome->has_lines ? ",\n" : "", phase, (int)process, tid);
	w->chrome->has_lines = true;
}

static void put_time(struct trace_writer *w)
{
	fprintf(w->body, ",\"ts\":%lld.%03lld", (long long)(w->chrome->at_ns / 1000),
		(long long)(w->chrome->at_ns % 1000));
}

static void put_name(struct trace_writer *w, const char *name)
{
	fputs(",\"name\":", w->body);
	put_string(w->body, name);
}

static void put_metadata(struct trace_writer *w, enum process process, int tid, const char *kind,
			 const char *name)
{
	begin_line(w, 'M', process, tid);
	put_name(w, kind);
	fputs(",\"args\":{\"name\":", w->body);
	put_string(w->body, name);
	fputs("}}", w->body);
}

static void name_track(struct trace_writer *w, struct track *track)
{
	static const char *const processes[PROCESS_END] = {
		[PROCESS_CPUS] = "CPUs",
		[PROCESS_RCU] = "RCU",
		[PROCESS_TASKS] = "Tasks",
		[PROCESS_HOTPLUG] = "CPU hotplug",
	};

	if (track->is_named)
		return;
	track->is_named = true;
	if (!w->chrome->has_process[track->process])
		put_metadata(w, track->process, 0, "process_name", processes[track->process]);
	w->chrome->has_process[track->process] = true;
	put_metadata(w, track->process, track->tid, "thread_name", track->key);
}

static bool is_writing(const struct chrome *chrome)
{
	return chrome->is_started && !chrome->is_over;
}

/* --- slices --- */

static struct track *track_of(struct chrome *chrome, enum process process, const char *key)
{
	struct track *track;
	int tid = 1;

	for (size_t i = 0; i < chrome->count; i++) {
		if (chrome->tracks[i]->process != process)
			continue;
		if (strcmp(chrome->tracks[i]->key, key) == 0)
			return chrome->tracks[i];
		tid++;
	}
	track = rs_calloc(1, sizeof(*track));
	track->process = process;
	track->tid = tid;
	snprintf(track->key, sizeof(track->key), "%s", key);
	chrome->tracks = rs_realloc(chrome->tracks, (chrome->count + 1) * sizeof(struct track *));
	chrome->tracks[chrome->count++] = track;
	return track;
}

static void write_begin(struct trace_writer *w, struct track *track, const char *name,
			const char *fields)
{
	name_track(w, track);
	begin_line(w, 'B', track->process, track->tid);
	put_time(w);
	put_name(w, name);
	if (fields != NULL) {
		fputs(",\"args\":{\"fields\":", w->body);
		put_string(w->body, fields);
		putc('}', w->body);
	}
	putc('}', w->body);
}

static void write_end(struct trace_writer *w, const struct track *track)
{
	begin_line(w, 'E', track->process, track->tid);
	put_time(w);
	putc('}', w->body);
}

static void slice_begin(struct trace_writer *w, struct track *track, const char *name,
			const char *fields)
{
	size_t bytes = strlen(name) + 1;

	if (track->depth == SLICES_MAX)
		RS_BUG("trace: %s is nested deeper than %d in %s", name, SLICES_MAX, track->key);
	track->open[track->depth] = rs_calloc(1, bytes);
	memcpy(track->open[track->depth++], name, bytes);
	if (is_writing(w->chrome))
		write_begin(w, track, name, fields);
}

static void slice_end(struct trace_writer *w, struct track *track, const char *what)
{
	if (track->depth == 0)
		RS_BUG("trace: %s ends nothing in %s", what, track->key);
	free(track->open[--track->depth]);
	if (is_writing(w->chrome))
		write_end(w, track);
}

/* One level of phases: ends the present one, if any, and begins the next. */
static void slice_phase(struct trace_writer *w, struct track *track, int level, const char *name)
{
	while (track->depth > level)
		slice_end(w, track, name);
	if (name != NULL)
		slice_begin(w, track, name, NULL);
}

/* --- events --- */

static struct track *cpu_track(struct trace_writer *w, int cpu)
{
	struct track **slot = &w->chrome->by_cpu[cpu];
	char key[NAME_BYTES];
	int width = w->options.cpus > 1000 ? 4 : w->options.cpus > 100 ? 3 : 2;

	if (*slot == NULL) {
		snprintf(key, sizeof(key), "CPU %0*d", width, cpu);
		*slot = track_of(w->chrome, PROCESS_CPUS, key);
	}
	return *slot;
}

/* "prev_comm=... ==> next_comm=COMM next_pid=PID next_prio=..." */
static void sched_switch(struct trace_writer *w, struct track *track, const struct trace_event *e)
{
	static const char mark[] = "==> next_comm=";
	const char *next = strstr(e->fields, mark);
	const char *pid = next != NULL ? strstr(next, " next_pid=") : NULL;
	char name[NAME_BYTES];

	if (pid == NULL)
		RS_BUG("trace: sched_switch: %s", e->fields);
	next += sizeof(mark) - 1;
	if (e->pid != 0)
		slice_end(w, track, "sched_switch");
	if (strncmp(pid, " next_pid=0 ", 12) == 0)
		return;
	snprintf(name, sizeof(name), "%.*s", (int)(pid - next), next);
	slice_begin(w, track, name, e->fields);
}

/* NAME NUMBER WORD of an RCU event. False: it does not look so. */
struct rcu_fields {
	char rcuname[32], number[32], word[32];
};

static bool read_rcu(const char *fields, struct rcu_fields *out)
{
	return sscanf(fields, "%31s %31s %31s", out->rcuname, out->number, out->word) == 3;
}

static struct track *rcu_track(struct trace_writer *w, const char *rcuname, const char *what)
{
	char key[NAME_BYTES];

	snprintf(key, sizeof(key), "%s %s", rcuname, what);
	return track_of(w->chrome, PROCESS_RCU, key);
}

static void grace_period(struct trace_writer *w, const struct trace_event *e)
{
	/* what the kthread does from this event on; NULL: nothing of its own */
	static const char *const phases[][2] = {
		{"reqwait", "reqwait"}, {"start", "init"}, {"fqswait", "fqswait"},
		{"fqsstart", "fqs"},    {"fqsend", NULL},  {"end", "cleanup"},
	};
	struct rcu_fields f;
	struct track *periods;
	char name[NAME_BYTES];

	if (!read_rcu(e->fields, &f))
		return;
	periods = rcu_track(w, f.rcuname, "grace periods");
	if (strcmp(f.word, "start") == 0) {
		snprintf(name, sizeof(name), "gp %s", f.number);
		slice_begin(w, periods, name, NULL);
	}
	if (strcmp(f.word, "end") == 0)
		slice_end(w, periods, "rcu_grace_period end");
	for (size_t i = 0; i < sizeof(phases) / sizeof(phases[0]); i++)
		if (strcmp(f.word, phases[i][0]) == 0)
			slice_phase(w, rcu_track(w, f.rcuname, "kthread"), 0, phases[i][1]);
}

static void exp_grace_period(struct trace_writer *w, const struct trace_event *e)
{
	struct rcu_fields f;
	struct track *track;
	char name[NAME_BYTES];

	if (!read_rcu(e->fields, &f))
		return;
	track = rcu_track(w, f.rcuname, "expedited");
	if (strcmp(f.word, "start") == 0) {
		snprintf(name, sizeof(name), "exp gp %s", f.number);
		slice_begin(w, track, name, NULL);
	} else if (strcmp(f.word, "reset") == 0 || strcmp(f.word, "select") == 0 ||
		   strcmp(f.word, "startwait") == 0) {
		slice_phase(w, track, 1, f.word);
	} else if (strcmp(f.word, "end") == 0) {
		slice_phase(w, track, 1, NULL);
		slice_end(w, track, "rcu_exp_grace_period end");
	}
}

static void initcall(struct trace_writer *w, const struct trace_event *e, bool is_start)
{
	struct track *track;
	char key[NAME_BYTES], name[NAME_BYTES];

	snprintf(key, sizeof(key), "%s-%d", e->comm, e->pid);
	track = track_of(w->chrome, PROCESS_TASKS, key);
	if (!is_start) {
		slice_end(w, track, e->name);
		return;
	}
	snprintf(name, sizeof(name), "%s",
		 strncmp(e->fields, "func=", 5) == 0 ? e->fields + 5 : e->fields);
	slice_begin(w, track, name, NULL);
}

static void instant(struct trace_writer *w, struct track *track, const struct trace_event *e)
{
	if (!is_writing(w->chrome))
		return;
	name_track(w, track);
	begin_line(w, 'i', track->process, track->tid);
	put_time(w);
	put_name(w, e->name);
	fputs(",\"s\":\"t\",\"cat\":", w->body);
	put_string(w->body, e->system);
	fputs(",\"args\":{\"fields\":", w->body);
	put_string(w->body, e->fields);
	fprintf(w->body, ",\"pid\":%d}}", e->pid);
}

/* Interrupts, softirqs and hotplug steps: NAME_entry or _enter to NAME_exit. */
static bool is_pair(const struct trace_event *e, const char *end, char *name, size_t size)
{
	size_t bytes = strlen(e->name), end_bytes = strlen(end);

	if (bytes <= end_bytes || strcmp(e->name + bytes - end_bytes, end) != 0)
		return false;
	if (strncmp(e->name, "softirq", 7) == 0)
		snprintf(name, size, "softirq %s", e->fields);
	else
		snprintf(name, size, "%.*s", (int)(bytes - end_bytes), e->name);
	return true;
}

static void one_event(struct trace_writer *w, const struct trace_event *e)
{
	struct track *track = cpu_track(w, e->cpu);
	struct track *pairs = strcmp(e->system, "cpuhp") == 0
				      ? track_of(w->chrome, PROCESS_HOTPLUG, "bring-up")
				      : track;
	char name[NAME_BYTES];

	if (strcmp(e->name, "sched_switch") == 0) {
		sched_switch(w, track, e);
		return;
	}
	if (is_pair(e, "_entry", name, sizeof(name)) || is_pair(e, "_enter", name, sizeof(name))) {
		slice_begin(w, pairs, name, e->fields);
		return;
	}
	if (is_pair(e, "_exit", name, sizeof(name))) {
		slice_end(w, pairs, e->name);
		return;
	}
	if (strcmp(e->name, "rcu_grace_period") == 0)
		grace_period(w, e);
	else if (strcmp(e->name, "rcu_exp_grace_period") == 0)
		exp_grace_period(w, e);
	else if (strcmp(e->name, "initcall_start") == 0)
		initcall(w, e, true);
	else if (strcmp(e->name, "initcall_finish") == 0)
		initcall(w, e, false);
	instant(w, track, e);
}

/* Opens in the file what is open in the run. */
static void start_window(struct trace_writer *w, sim_time_ns at_ns)
{
	struct chrome *chrome = w->chrome;

	chrome->is_started = true;
	chrome->at_ns = at_ns;
	for (size_t i = 0; i < chrome->count; i++)
		for (int d = 0; d < chrome->tracks[i]->depth; d++)
			write_begin(w, chrome->tracks[i], chrome->tracks[i]->open[d], NULL);
}

/* Closes in the file what is open, innermost first. */
static void end_window(struct trace_writer *w, sim_time_ns at_ns)
{
	struct chrome *chrome = w->chrome;

	chrome->at_ns = at_ns;
	for (size_t i = 0; i < chrome->count; i++)
		for (int d = chrome->tracks[i]->depth; d > 0; d--)
			write_end(w, chrome->tracks[i]);
	chrome->is_over = true;
}

void trace_chrome_event(struct trace_writer *w, const struct trace_event *event, bool is_kept)
{
	struct chrome *chrome = w->chrome;

	if (!chrome->is_started && event->at_ns >= w->options.from_ns)
		start_window(w, w->options.from_ns);
	if (is_writing(chrome) && !is_kept) {
		/* beyond the window, or more than the budget allows */
		end_window(w, event->at_ns < w->options.to_ns ? event->at_ns : w->options.to_ns);
		if (w->seen > w->kept) {
			begin_line(w, 'i', PROCESS_CPUS, 0);
			put_time(w);
			put_name(w, "truncated: event budget exhausted");
			fputs(",\"s\":\"g\"}", w->body);
		}
	}
	chrome->at_ns = event->at_ns;
	one_event(w, event);
}

int64_t trace_chrome_finish(struct trace_writer *w, FILE *stream)
{
	int64_t bytes;

	if (!w->chrome->is_started)
		start_window(w, w->options.from_ns);
	if (!w->chrome->is_over)
		end_window(w, w->last_ns > w->options.from_ns ? w->last_ns : w->options.from_ns);
	fflush(w->body);
	bytes = fprintf(stream, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
	bytes += (int64_t)fwrite(w->text, 1, w->text_bytes, stream);
	bytes += fprintf(stream, "\n],\"otherData\":{\"title\":");
	bytes += put_string(stream, w->options.title != NULL ? w->options.title : "");
	bytes += fprintf(stream,
			 ",\"events\":\"%" PRId64 "\",\"events_kept\":\"%" PRId64
			 "\",\"truncated\":\"%s\"}}\n",
			 w->seen, w->kept, w->kept < w->seen ? "yes" : "no");
	return bytes;
}
