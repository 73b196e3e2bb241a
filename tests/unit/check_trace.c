/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of output/trace*: what ftrace text and Chrome JSON look like, windows,
 * budgets, broken nesting; and that every shipped scenario's trace keeps the
 * rules of Perfetto's JSON reader and reads as ftrace text.
 */
#include <check.h>
#include <ctype.h>
#include <glob.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "models/model.h"
#include "output/trace.h"
#include "sim/scenario/scenario.h"
#include "tests/model/random_config.h"

/* Each ck_assert writes to a pipe, too slow for each line. */
#define EXPECT(cond, ...) \
	do { \
		if (!(cond)) \
			ck_abort_msg(__VA_ARGS__); \
	} while (0)

static const struct trace_options whole_ftrace = {
	.format = TRACE_FTRACE, .cpus = 4, .to_ns = SIM_TIME_MAX, .events_max = 1000000};
static const struct trace_options whole_chrome = {
	.format = TRACE_CHROME, .cpus = 4, .to_ns = SIM_TIME_MAX, .events_max = 1000000};

/* --- JSON: a strict reader that keeps nothing --- */

static const char *json_value(const char *at);

static const char *json_space(const char *at)
{
	while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')
		at++;
	return at;
}

static const char *json_text(const char *at)
{
	EXPECT(*at == '"', "no string: %.40s", at);
	for (at++; *at != '"'; at++) {
		EXPECT((unsigned char)*at >= 0x20, "raw control character: %.40s", at);
		if (*at != '\\')
			continue;
		at++;
		EXPECT(*at != '\0' && strchr("\"\\/bfnrtu", *at) != NULL, "escape: %.40s", at);
	}
	return at + 1;
}

static const char *json_items(const char *at, char close, bool is_object)
{
	at = json_space(at + 1);
	if (*at == close)
		return at + 1;
	for (;;) {
		if (is_object) {
			at = json_space(json_text(json_space(at)));
			EXPECT(*at == ':', "no colon: %.40s", at);
			at++;
		}
		at = json_space(json_value(json_space(at)));
		if (*at == close)
			return at + 1;
		EXPECT(*at == ',', "no comma: %.40s", at);
		at++;
	}
}

static const char *json_value(const char *at)
{
	char *end;

	if (*at == '{')
		return json_items(at, '}', true);
	if (*at == '[')
		return json_items(at, ']', false);
	if (*at == '"')
		return json_text(at);
	EXPECT(*at == '-' || isdigit((unsigned char)*at), "no value: %.40s", at);
	(void)strtod(at, &end);
	return end;
}

/* --- Perfetto's rules, line by line --- */

#define TRACKS_MAX 4096

struct tracks {
	int count;
	struct {
		long pid, tid;
		int depth;
		bool is_named;
	} of[TRACKS_MAX];
	double last_us;
	int begins, instants;
};

static int find_track(struct tracks *tracks, long pid, long tid)
{
	int i = 0;

	while (i < tracks->count && (tracks->of[i].pid != pid || tracks->of[i].tid != tid))
		i++;
	if (i == tracks->count) {
		EXPECT(i < TRACKS_MAX, "too many tracks");
		tracks->of[i].pid = pid;
		tracks->of[i].tid = tid;
		tracks->count++;
	}
	return i;
}

static void check_line(struct tracks *tracks, const char *line)
{
	char phase;
	long pid, tid, us, ns;
	int track, used = 0;

	EXPECT(sscanf(line, "{\"ph\":\"%c\",\"pid\":%ld,\"tid\":%ld%n", &phase, &pid, &tid,
		      &used) == 3,
	       "%s", line);
	track = find_track(tracks, pid, tid);
	if (phase == 'M') {
		tracks->of[track].is_named = true;
		return;
	}
	/* three digits: made from integers */
	EXPECT(sscanf(line + used, ",\"ts\":%ld.%3ld", &us, &ns) == 2, "%s", line);
	EXPECT((double)us + (double)ns / 1e3 >= tracks->last_us, "goes back in time: %s", line);
	tracks->last_us = (double)us + (double)ns / 1e3;
	EXPECT(tracks->of[track].is_named || strstr(line, "truncated") != NULL, "unnamed: %s",
	       line);
	if (phase == 'B') {
		EXPECT(strstr(line, "\"name\":\"") != NULL, "%s", line);
		tracks->of[track].depth++;
		tracks->begins++;
	} else if (phase == 'E') {
		EXPECT(--tracks->of[track].depth >= 0, "ends nothing: %s", line);
	} else {
		EXPECT(phase == 'i' && strstr(line, "\"s\":\"") != NULL, "%s", line);
		tracks->instants++;
	}
}

/* Checks a whole file; counts slices and instants. */
static void check_chrome(const char *text, struct tracks *tracks)
{
	const char *end = json_space(json_value(text));
	char *copy = strdup(text), *save = NULL;

	memset(tracks, 0, sizeof(*tracks));
	EXPECT(*end == '\0', "bytes after the value: %.40s", end);
	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (strncmp(line, "{\"ph\"", 5) == 0)
			check_line(tracks, line);
	for (int i = 0; i < tracks->count; i++)
		EXPECT(tracks->of[i].depth == 0, "track %ld/%ld stays open", tracks->of[i].pid,
		       tracks->of[i].tid);
	free(copy);
}

/* Every line of a trace file, as strict as a parser can be. */
static const char ftrace_line[] =
	"^ *[^ ].{0,15}-[0-9]+ +\\[[0-9]{3,4}\\] [d.][N.][hHs.][0-9.]\\. +[0-9]+\\.[0-9]{6}: "
	"([a-z_]+): ([^ ].*| cpu: .*)$";

/* Checks a whole file; counts the events. */
static int check_ftrace(const char *text)
{
	char *copy = strdup(text), *save = NULL;
	double last_s = 0.0;
	regex_t regex;
	int events = 0;

	EXPECT(regcomp(&regex, ftrace_line, REG_EXTENDED | REG_NOSUB) == 0, "regex");
	EXPECT(strncmp(text, "# tracer: nop\n#\n# entries-in-buffer/entries-written: ", 53) == 0,
	       "%.60s", text);
	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		double at_s;

		if (line[0] == '#')
			continue;
		EXPECT(regexec(&regex, line, 0, NULL, 0) == 0, "'%s'", line);
		EXPECT(sscanf(strchr(line, ']'), "] %*5s %lf:", &at_s) == 1, "'%s'", line);
		EXPECT(at_s >= last_s, "goes back in time: '%s'", line);
		last_s = at_s;
		events++;
	}
	regfree(&regex);
	free(copy);
	return events;
}

/* --- synthetic events --- */

static void send(const struct trace_sink *sink, sim_time_ns at_ns, int pid, const char *comm,
		 const char *system, const char *name, const char *fields)
{
	const struct trace_event event = {.at_ns = at_ns,
					  .cpu = 1,
					  .pid = pid,
					  .comm = comm,
					  .irqs_off = true,
					  .system = system,
					  .name = name,
					  .fields = fields};

	sink->emit(sink->ctx, &event);
}

static char *finish(struct trace_writer *writer, struct trace_summary *summary)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *stream = open_memstream(&text, &bytes);

	trace_writer_finish(writer, stream, summary);
	fclose(stream);
	EXPECT(summary->bytes == (int64_t)bytes, "said %lld bytes of %zu",
	       (long long)summary->bytes, bytes);
	trace_writer_destroy(writer);
	return text;
}

#define TO_A \
	"prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=7 " \
	"next_prio=120"
#define FROM_A \
	"prev_comm=a prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 " \
	"next_prio=120"

/* A task runs from 10 to 50 us, an interrupt from 20 to 30 us, a grace period from 25 us on. */
static char *small_trace(const struct trace_options *options, struct trace_summary *summary)
{
	struct trace_writer *writer = trace_writer_create(options);
	const struct trace_sink sink = trace_writer_sink(writer);

	send(&sink, 10000, 0, "<idle>", "sched", "sched_switch", TO_A);
	send(&sink, 20001, 7, "a", "irq_vectors", "local_timer_entry", "vector=236");
	send(&sink, 25000, 7, "a", "rcu", "rcu_grace_period", "rcu_sched -1195 start");
	send(&sink, 30000, 7, "a", "irq_vectors", "local_timer_exit", "vector=236");
	send(&sink, 50000, 7, "a", "sched", "sched_switch", FROM_A);
	return finish(writer, summary);
}

START_TEST(ftrace_lines_are_those_of_the_kernel)
{
	struct trace_writer *writer = trace_writer_create(&whole_ftrace);
	const struct trace_sink sink = trace_writer_sink(writer);
	const struct trace_event idle = {.at_ns = 1115720400,
					 .comm = "<idle>",
					 .irqs_off = true,
					 .need_resched = true,
					 .softirq = true,
					 .system = "rcu",
					 .name = "rcu_grace_period",
					 .fields = "rcu_sched -1016 newreq"};
	const struct trace_event kthread = {.at_ns = 1115723600,
					    .pid = 14,
					    .comm = "rcu_preempt",
					    .irqs_off = true,
					    .hardirq = true,
					    .softirq = true,
					    .preempt_depth = 2,
					    .system = "rcu",
					    .name = "rcu_fqs",
					    .fields = "rcu_preempt -1183 0 dti"};
	struct trace_summary summary;
	char *text;

	sink.emit(sink.ctx, &idle);
	sink.emit(sink.ctx, &kthread);
	text = finish(writer, &summary);
	ck_assert_ptr_nonnull(strstr(text, "\n          <idle>-0       [000] dNs..     1.115720: "
					   "rcu_grace_period: rcu_sched -1016 newreq\n"));
	ck_assert_ptr_nonnull(strstr(text, "\n     rcu_preempt-14      [000] d.H2.     1.115724: "
					   "rcu_fqs: rcu_preempt -1183 0 dti\n"));
	ck_assert_ptr_nonnull(strstr(text, "entries-written: 2/2   #P:4\n"));
	ck_assert_int_eq(check_ftrace(text), 2);
	ck_assert_int_eq(summary.events_kept, 2);
	free(text);
}
END_TEST

START_TEST(slices_nest_and_times_are_whole_nanoseconds)
{
	struct trace_summary summary;
	struct tracks tracks;
	char *text = small_trace(&whole_chrome, &summary);

	check_chrome(text, &tracks);
	ck_assert_int_eq(tracks.begins, 4); /* task, interrupt, grace period, kthread's init */
	ck_assert_int_eq(tracks.instants, 1);
	ck_assert_ptr_nonnull(strstr(text, "\"ts\":20.001,\"name\":\"local_timer\""));
	ck_assert_ptr_nonnull(strstr(text, "{\"name\":\"CPU 01\"}"));
	ck_assert_ptr_nonnull(strstr(text, "\"name\":\"gp -1195\""));
	free(text);
}
END_TEST

START_TEST(a_window_opens_what_was_open_and_closes_what_stays_open)
{
	struct trace_options options = whole_chrome;
	struct trace_summary summary;
	struct tracks tracks;
	char *text;

	options.from_ns = 22000;
	options.to_ns = 40000;
	text = small_trace(&options, &summary);
	check_chrome(text, &tracks);
	ck_assert_int_eq(summary.events_kept, 2);
	ck_assert_int_eq(tracks.begins, 4);
	ck_assert_ptr_nonnull(strstr(text, "\"ts\":22.000,\"name\":\"a\""));
	ck_assert_ptr_null(strstr(text, "\"ts\":50"));
	ck_assert_ptr_null(strstr(text, "truncated:"));
	free(text);

	options.format = TRACE_FTRACE;
	text = small_trace(&options, &summary);
	ck_assert_int_eq(check_ftrace(text), 2);
	free(text);
}
END_TEST

START_TEST(a_window_after_the_run_is_empty_and_valid)
{
	struct trace_options options = whole_chrome;
	struct trace_summary summary;
	struct tracks tracks;
	char *text;

	options.from_ns = NS_PER_S;
	text = small_trace(&options, &summary);
	check_chrome(text, &tracks);
	ck_assert_int_eq(summary.events_seen, 0);
	free(text);
}
END_TEST

START_TEST(an_exhausted_budget_shows)
{
	struct trace_options options = whole_chrome;
	struct trace_summary summary;
	struct tracks tracks;
	char *text;

	options.events_max = 3;
	text = small_trace(&options, &summary);
	check_chrome(text, &tracks);
	ck_assert_int_eq(summary.events_seen, 5);
	ck_assert_int_eq(summary.events_kept, 3);
	ck_assert_ptr_nonnull(strstr(text, "\"name\":\"truncated: event budget exhausted\""));
	ck_assert_ptr_nonnull(strstr(text, "\"truncated\":\"yes\""));
	free(text);

	options.format = TRACE_FTRACE;
	text = small_trace(&options, &summary);
	ck_assert_int_eq(check_ftrace(text), 3);
	ck_assert_ptr_nonnull(strstr(text, "entries-written: 3/5 "));
	ck_assert_ptr_nonnull(strstr(text, "\n# truncated: the first 3 of 5 events\n"));
	free(text);
}
END_TEST

START_TEST(names_are_escaped)
{
	struct trace_writer *writer = trace_writer_create(&whole_chrome);
	const struct trace_sink sink = trace_writer_sink(writer);
	struct trace_summary summary;
	struct tracks tracks;
	char *text;

	send(&sink, 1, 7, "a \"b\" \\ \n\xff", "initcall", "initcall_start", "func=\"x\"\t\\");
	text = finish(writer, &summary);
	check_chrome(text, &tracks);
	ck_assert_int_eq(tracks.begins, 1);
	free(text);
}
END_TEST

/* Runs fn in a child; its exit status. */
static int status_of(void (*fn)(const struct trace_sink *sink))
{
	struct trace_writer *writer = trace_writer_create(&whole_chrome);
	const struct trace_sink sink = trace_writer_sink(writer);
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		if (freopen("/dev/null", "w", stderr) != NULL)
			fn(&sink);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	trace_writer_destroy(writer);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void end_nothing(const struct trace_sink *sink)
{
	send(sink, 1, 0, "<idle>", "irq_vectors", "local_timer_exit", "vector=236");
}

static void go_back(const struct trace_sink *sink)
{
	send(sink, 2, 0, "<idle>", "rcu", "rcu_barrier", "x");
	send(sink, 1, 0, "<idle>", "rcu", "rcu_barrier", "x");
}

static void nest_without_end(const struct trace_sink *sink)
{
	for (int i = 0; i < 1000; i++)
		send(sink, i, 0, "<idle>", "irq_vectors", "local_timer_entry", "vector=236");
}

static void nothing_wrong(const struct trace_sink *sink)
{
	send(sink, 1, 0, "<idle>", "rcu", "rcu_barrier", "x");
}

START_TEST(broken_nesting_and_order_are_bugs)
{
	ck_assert_int_eq(status_of(nothing_wrong), 0);
	ck_assert_int_eq(status_of(end_nothing), RS_INTERNAL);
	ck_assert_int_eq(status_of(go_back), RS_INTERNAL);
	ck_assert_int_eq(status_of(nest_without_end), RS_INTERNAL);
}
END_TEST

START_TEST(formats_are_found_by_name_and_by_extension)
{
	enum trace_format format;

	ck_assert(trace_format_find("chrome", &format) && format == TRACE_CHROME);
	ck_assert(trace_format_find("ftrace", &format) && format == TRACE_FTRACE);
	ck_assert(!trace_format_find("json", &format));
	ck_assert(trace_format_of_path("a.b/out.json", &format) && format == TRACE_CHROME);
	ck_assert(trace_format_of_path("out.txt", &format) && format == TRACE_FTRACE);
	ck_assert(trace_format_of_path("out.ftrace", &format) && format == TRACE_FTRACE);
	ck_assert(!trace_format_of_path("a.json/out", &format));
	ck_assert(!trace_format_of_path("out", &format));
}
END_TEST

/* --- the shipped scenarios --- */

static char *trace_run(const struct model_config *config, const struct trace_options *whole,
		       struct run_record *record, struct trace_summary *summary)
{
	struct trace_options options = *whole;
	struct trace_writer *writer;
	struct trace_sink sink;
	struct sim_arena *arena = sim_arena_create(0);
	const struct run_options run = {.seed = 1, .trace = &sink};

	options.cpus = (int)config->machine.cpus;
	writer = trace_writer_create(&options);
	sink = trace_writer_sink(writer);
	model_run(config, &run, arena, record);
	sim_arena_destroy(arena);
	return finish(writer, summary);
}

static void check_config(const struct model_config *config, const char *what)
{
	struct run_record with[2], without;
	struct trace_summary summary;
	struct tracks tracks;
	struct sim_arena *arena = sim_arena_create(0);
	const struct run_options run = {.seed = 1};
	char *text = trace_run(config, &whole_chrome, &with[0], &summary);

	check_chrome(text, &tracks);
	EXPECT(tracks.begins > 0 && tracks.instants > 0, "%s: empty trace", what);
	free(text);
	text = trace_run(config, &whole_ftrace, &with[1], &summary);
	EXPECT(check_ftrace(text) == summary.events_kept, "%s: events", what);
	free(text);
	model_run(config, &run, arena, &without);
	for (int i = 0; i < 2; i++)
		EXPECT(memcmp(&with[i].totals, &without.totals, sizeof(without.totals)) == 0,
		       "%s: tracing changed the run", what);
	sim_arena_destroy(arena);
}

START_TEST(every_shipped_scenario_keeps_the_rules_of_both_formats)
{
	glob_t found = {0};

	ck_assert_int_eq(glob("scenarios/[!p]*/*.yaml", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct scenario *scenario = NULL;
		struct rs_diag diag = {0};

		EXPECT(scenario_load(found.gl_pathv[i], NULL, NULL, &scenario, &diag), "%s",
		       found.gl_pathv[i]);
		for (size_t c = 0; c < scenario->cell_count; c += 1 + scenario->cell_count / 8)
			for (size_t v = 0; v < scenario->variant_count; v++)
				check_config(&scenario->cells[c].variants[v].config,
					     found.gl_pathv[i]);
		scenario_destroy(scenario);
	}
	globfree(&found);
}
END_TEST

START_TEST(random_machines_keep_the_rules_of_both_formats)
{
	struct sim_arena *arena = sim_arena_create(0);

	for (uint64_t number = 0; number < 300; number++) {
		char what[200];
		const struct model_config *config;

		sim_arena_reset(arena);
		config = random_config(arena, number);
		random_config_describe(config, what, sizeof(what));
		check_config(config, what);
	}
	sim_arena_destroy(arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trace");
	TCase *tcase = tcase_create("trace");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, ftrace_lines_are_those_of_the_kernel);
	tcase_add_test(tcase, slices_nest_and_times_are_whole_nanoseconds);
	tcase_add_test(tcase, a_window_opens_what_was_open_and_closes_what_stays_open);
	tcase_add_test(tcase, a_window_after_the_run_is_empty_and_valid);
	tcase_add_test(tcase, an_exhausted_budget_shows);
	tcase_add_test(tcase, names_are_escaped);
	tcase_add_test(tcase, broken_nesting_and_order_are_bugs);
	tcase_add_test(tcase, formats_are_found_by_name_and_by_extension);
	tcase_add_test(tcase, every_shipped_scenario_keeps_the_rules_of_both_formats);
	tcase_add_test(tcase, random_machines_keep_the_rules_of_both_formats);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
