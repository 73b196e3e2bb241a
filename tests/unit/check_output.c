/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of output/: formats for people, CSV, JSON, verdicts, files. */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/csv.h"
#include "output/json.h"
#include "output/out_format.h"
#include "output/out_text.h"
#include "output/output.h"
#include "tests/unit/fake_scenario.h"

/* A stream into memory. */
struct sink {
	char *text;
	size_t bytes;
	FILE *stream;
};

static void sink_open(struct sink *sink)
{
	memset(sink, 0, sizeof(*sink));
	sink->stream = open_memstream(&sink->text, &sink->bytes);
	ck_assert_ptr_nonnull(sink->stream);
}

static const char *sink_close(struct sink *sink)
{
	ck_assert_int_eq(fclose(sink->stream), 0);
	return sink->text;
}

static char *render(const struct xp_result *result, enum out_format format)
{
	struct out_run run = {.result = result,
			      .tool_version = "0.0.0",
			      .command = "rcusim run fake.yaml -n 50 --seed 1"};
	struct sink sink;

	sink_open(&sink);
	out_write(format, sink.stream, &run);
	sink_close(&sink);
	return sink.text;
}

START_TEST(times_are_shown_in_the_unit_of_their_size)
{
	static const struct {
		double ns;
		const char *text;
	} cases[] = {
		{0, "0"},
		{1, "1.0 ns"},
		{42, "42 ns"},
		{999, "999 ns"},
		{999.9, "1.00 us"},
		{1000, "1.00 us"},
		{12340, "12.34 us"},
		{123456, "123.5 us"},
		{999999.9, "1.000 ms"},
		{6956000, "6.956 ms"},
		{31768000, "31.768 ms"},
		{-1500000, "-1.500 ms"},
		{123456789, "123.46 ms"},
		{2.5e9, "2.500 s"},
		{1234e9, "1234.0 s"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_str_eq(fmt_ns(cases[i].ns).text, cases[i].text);
}
END_TEST

START_TEST(a_value_that_rounds_to_zero_has_no_sign)
{
	ck_assert_str_eq(fmt_ns_in(-0.3, fmt_unit_for(1e6)).text, "0.000 ms");
	ck_assert_str_eq(fmt_pct(-0.01).text, "0.0 %");
	ck_assert_str_eq(fmt_count(-0.0).text, "0");
}
END_TEST

START_TEST(counts_have_sensible_digits)
{
	ck_assert_str_eq(fmt_count(12.0).text, "12");
	ck_assert_str_eq(fmt_count(12.345).text, "12.3");
	ck_assert_str_eq(fmt_count(0.345).text, "0.34");
	ck_assert_str_eq(fmt_count(12345.6).text, "12346");
	ck_assert_str_eq(fmt_count(0.00042).text, "0.0004");
}
END_TEST

START_TEST(long_lines_wrap_at_words)
{
	struct sink sink;

	sink_open(&sink);
	fmt_wrap(sink.stream, "one two three ±four five", 9, 2);
	ck_assert_str_eq(sink_close(&sink), "one two\n  three\n  ±four\n  five\n");
	free(sink.text);
}
END_TEST

START_TEST(columns_are_aligned_by_characters_not_bytes)
{
	struct grid *grid = grid_create("lr");
	struct sink sink;

	grid_add(grid, "a");
	grid_add(grid, "1 ±2");
	grid_add(grid, "bcd");
	grid_add(grid, "345");
	grid_add(grid, "e");
	grid_end_row(grid);
	sink_open(&sink);
	grid_print(grid, sink.stream);
	ck_assert_str_eq(sink_close(&sink), "a    1 ±2\nbcd   345\ne\n");
	grid_destroy(grid);
	free(sink.text);
}
END_TEST

START_TEST(csv_fields_are_quoted_when_they_must_be)
{
	static const char *const fields[] = {"plain", "a,b", "say \"x\"", "two\nlines", "", NULL};
	struct sink sink;

	sink_open(&sink);
	csv_row(sink.stream, fields, 6);
	ck_assert_str_eq(sink_close(&sink), "plain,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",,\n");
	free(sink.text);
}
END_TEST

static void json_begin(struct json_writer *json, struct sink *sink)
{
	sink_open(sink);
	json_init(json, sink->stream);
}

START_TEST(json_nests_and_separates)
{
	struct json_writer json;
	struct sink sink;

	json_begin(&json, &sink);
	json_begin_object(&json);
	json_key(&json, "a");
	json_begin_array(&json);
	json_end_array(&json);
	json_key(&json, "b");
	json_begin_flat_array(&json);
	json_int(&json, 1);
	json_null(&json);
	json_bool(&json, true);
	json_end_array(&json);
	json_key_string(&json, "c", NULL);
	json_end_object(&json);
	json_finish(&json);
	ck_assert_str_eq(sink_close(&sink),
			 "{\n  \"a\": [],\n  \"b\": [1, null, true],\n  \"c\": null\n}\n");
	free(sink.text);
}
END_TEST

START_TEST(json_numbers_are_exact)
{
	struct json_writer json;
	struct sink sink;

	json_begin(&json, &sink);
	json_begin_flat_array(&json);
	json_int(&json, INT64_MAX);
	json_int(&json, INT64_MIN);
	json_u64_string(&json, UINT64_MAX);
	json_double(&json, 0.1);
	json_double(&json, -0.0);
	json_double(&json, NAN);
	json_double(&json, -INFINITY);
	json_end_array(&json);
	json_finish(&json);
	ck_assert_str_eq(sink_close(&sink),
			 "[9223372036854775807, -9223372036854775808, \"18446744073709551615\", "
			 "0.10000000000000001, 0, null, null]\n");
	free(sink.text);
}
END_TEST

START_TEST(json_strings_are_escaped_and_always_utf8)
{
	static const struct {
		const char *text;
		const char *json;
	} cases[] = {
		{"a\"b\\c/", "\"a\\\"b\\\\c/\"\n"},
		{"\n\r\t\x01\x7f", "\"\\n\\r\\t\\u0001\\u007f\"\n"},
		{"±€𝄞", "\"±€𝄞\"\n"},
		{"a\xff", "\"a\\ufffd\"\n"},
		{"\xc0\x80", "\"\\ufffd\\ufffd\"\n"},            /* overlong */
		{"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"\n"}, /* surrogate */
		{"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"\n"},
		{"\xe2\x82", "\"\\ufffd\\ufffd\"\n"}, /* cut short */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct json_writer json;
		struct sink sink;

		json_begin(&json, &sink);
		json_string(&json, cases[i].text);
		json_finish(&json);
		ck_assert_str_eq(sink_close(&sink), cases[i].json);
		free(sink.text);
	}
}
END_TEST

START_TEST(a_json_value_without_key_is_a_bug)
{
	struct json_writer json;

	json_init(&json, stderr);
	json_begin_object(&json);
	json_int(&json, 1);
}
END_TEST

START_TEST(an_array_closed_as_object_is_a_bug)
{
	struct json_writer json;

	json_init(&json, stderr);
	json_begin_array(&json);
	json_end_object(&json);
}
END_TEST

START_TEST(an_unfinished_json_document_is_a_bug)
{
	struct json_writer json;

	json_init(&json, stderr);
	json_begin_array(&json);
	json_finish(&json);
}
END_TEST

START_TEST(no_output_depends_on_the_number_of_jobs)
{
	struct fake fake;
	char *one[OUT_FORMAT_COUNT];

	fake_init(&fake);
	fake_set(&fake, 2, "broken", NS_PER_MS, 3);
	fake.variants[0][2].config.event_limit = 21;
	fake_make_matrix(&fake);
	for (int jobs = 1; jobs <= 4; jobs++) {
		struct xp_result *result = fake_run(&fake, jobs);

		for (int f = 0; f < OUT_FORMAT_COUNT; f++) {
			char *text = render(result, (enum out_format)f);

			if (jobs == 1) {
				one[f] = text;
				continue;
			}
			ck_assert_str_eq(one[f], text);
			free(text);
		}
		xp_result_destroy(result);
	}
	for (int f = 0; f < OUT_FORMAT_COUNT; f++)
		free(one[f]);
}
END_TEST

static void assert_contains(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part) != NULL, "'%s' is not in:\n%s", part, text);
}

START_TEST(json_holds_what_a_result_can_be_made_again_from)
{
	struct fake fake;
	struct xp_result *result;
	char *text;

	fake_init(&fake);
	fake.scenario.seed = UINT64_MAX;
	result = fake_run(&fake, 1);
	text = render(result, OUT_JSON);
	assert_contains(text, "\"format\": \"rcusim-result\"");
	assert_contains(text, "\"hash\": \"fedcba9876543210\"");
	assert_contains(text, "\"text\": \"rcusim: 1\\ntitle: \\\"fake\\\"\\n\"");
	assert_contains(text, "\"seed\": \"18446744073709551615\"");
	assert_contains(text, "\"origin\": \"fake.yaml:3\"");
	assert_contains(text, "\"command\": \"rcusim run fake.yaml -n 50 --seed 1\"");
	assert_contains(text, "\"label\": \"init_ladder: synchronize_rcu\"");
	free(text);
	xp_result_destroy(result);
}
END_TEST

START_TEST(runs_that_stopped_are_null_in_json_and_empty_in_csv)
{
	struct fake fake;
	struct xp_result *result;
	char *text;

	fake_init(&fake);
	fake.scenario.replications = 3;
	fake.variants[0][1].config.event_limit = 2;
	result = fake_run(&fake, 1);
	text = render(result, OUT_JSON);
	assert_contains(text, "\"deadlock\": 2");
	assert_contains(text, ", null, null]");
	free(text);
	text = render(result, OUT_CSV);
	assert_contains(text, "\nfake,,expedited,1,boot_time_ns,ns,\n");
	assert_contains(text, "\nfake,,default,1,gp_normal,count,1\n");
	free(text);
	xp_result_destroy(result);
}
END_TEST

START_TEST(csv_has_a_header_and_a_row_for_each_value)
{
	struct fake fake;
	struct xp_result *result;
	char *text;
	size_t metrics;
	size_t lines = 0;

	fake_init(&fake);
	fake.scenario.replications = 2;
	fake_make_matrix(&fake);
	result = fake_run(&fake, 1);
	text = render(result, OUT_CSV);
	metric_all(&metrics);
	for (const char *at = text; *at != '\0'; at++)
		lines += *at == '\n';
	/* two of the four paired metrics have no value for a single run */
	ck_assert_uint_eq(lines, 1 + FAKE_CELLS * 2 * ((metrics - 4) + (metrics - 2)));
	ck_assert_int_eq(strncmp(text, "scenario,cell,variant,replication,metric,unit,value\n", 52),
			 0);
	assert_contains(text, "\nfake,machine.hz=1000 machine.cpus=2,expedited,1,saved_ns,ns,");
	free(text);
	xp_result_destroy(result);
}
END_TEST

static void assert_verdict(struct fake *fake, size_t variant_idx, const char *start,
			   const char *end)
{
	struct xp_result *result = fake_run(fake, 1);
	char buf[500];

	out_verdict(result, 0, variant_idx, buf, sizeof(buf));
	ck_assert_msg(strncmp(buf, start, strlen(start)) == 0, "%s", buf);
	ck_assert_msg(strlen(buf) >= strlen(end) &&
			      strcmp(buf + strlen(buf) - strlen(end), end) == 0,
		      "%s", buf);
	xp_result_destroy(result);
}

START_TEST(verdicts_are_honest)
{
	struct fake fake;

	fake_init(&fake);
	assert_verdict(
		&fake, 1,
		"expedited saves 6.950 ms (17.2 %; 95 % of boots 6.902..6.995 ms) for 10 extra "
		"IPIs: worth it unless an IPI costs more than 697.0 us",
		"(here 2.00 us).");
	fake_set(&fake, 1, "expedited", 7 * NS_PER_MS, 0);
	assert_verdict(&fake, 1, "expedited saves 6.950 ms",
		       "for 0 extra IPIs: worth it, no IPI to pay for.");
	fake_set(&fake, 1, "expedited", 7 * NS_PER_MS, -1);
	assert_verdict(&fake, 1, "expedited saves 6.950 ms",
		       "needs 1 IPI fewer: worth it, no IPI to pay for.");
	fake_set(&fake, 1, "expedited", -NS_PER_MS, 4);
	assert_verdict(&fake, 1, "expedited costs 1.050 ms (2.6 %; 95 % of boots 1.005..1.098 ms)",
		       "not worth it.");
	fake_set(&fake, 1, "expedited", 0, 4);
	assert_verdict(&fake, 1, "expedited saves exactly 0 in all 50 boots for 4 extra IPIs",
		       "nothing here.");
	fake_set(&fake, 1, "expedited", 50000, 0);
	assert_verdict(&fake, 1, "expedited: undecided, mean saving 0.15 us ±8.34 us over 50 boots",
		       "narrow it.");
	fake.scenario.replications = 1;
	fake_set(&fake, 1, "expedited", 7 * NS_PER_MS, 10);
	assert_verdict(&fake, 1, "expedited saves 6.989 ms (17.4 %; one boot)", "(here 2.00 us).");
	fake.variants[0][1].config.event_limit = 1;
	assert_verdict(&fake, 1, "expedited: nothing to compare", "the baseline.");
}
END_TEST

static void assert_narrow(const char *text, size_t columns)
{
	while (*text != '\0') {
		size_t length = strcspn(text, "\n");
		char line[2000];

		ck_assert_uint_lt(length, sizeof(line));
		memcpy(line, text, length);
		line[length] = '\0';
		ck_assert_msg(fmt_width(line) <= columns, "%zu columns: %s", fmt_width(line), line);
		text += length + (text[length] == '\n');
	}
}

START_TEST(the_table_is_narrow_and_tells_verdict_first)
{
	struct fake fake;
	struct xp_result *result;
	char *text;

	fake_init(&fake);
	fake_set(&fake, 2, "nested", -NS_PER_MS, -3);
	result = fake_run(&fake, 1);
	text = render(result, OUT_TABLE);
	ck_assert_int_eq(strncmp(text,
				 "fake: 2 CPUs, HZ=250, v4.1, !PREEMPT, NOCB; 50 boots each, "
				 "seed 1\nexpedited saves",
				 75),
			 0);
	assert_narrow(text, OUT_COLUMNS);
	assert_contains(text, "Assumed, and good to know:\n- HZ (not published for this guest)\n");
	assert_contains(text, "none: no extra IPIs");
	assert_contains(text, "init_menu: synchronize_rcu");
	free(text);
	xp_result_destroy(result);
}
END_TEST

START_TEST(a_workload_has_runs_instead_of_boots)
{
	struct fake fake;
	struct xp_result *result;
	char *text;

	fake_init(&fake);
	fake.variants[0][0].config.machine.booted = true;
	result = fake_run(&fake, 1);
	text = render(result, OUT_TABLE);
	ck_assert_ptr_null(strstr(text, "boots"));
	assert_contains(text, "50 runs each");
	free(text);
	xp_result_destroy(result);
}
END_TEST

START_TEST(a_matrix_says_where_the_asked_value_is_possible)
{
	struct fake fake;
	struct xp_result *result;
	char *text;

	fake_init(&fake);
	fake.scenario.question = (struct scenario_question){.asked = true,
							    .metric = "saved_ns",
							    .variant_idx = 1,
							    .value = 6956000,
							    .text = "Which machine was it?"};
	fake_make_matrix(&fake);
	result = fake_run(&fake, 1);
	text = render(result, OUT_TABLE);
	assert_contains(
		text, "\nexpedited saves from 0 to 6.950 ms on average, depending on the cell.\n");
	assert_contains(text, "Which machine was it?\n");
	assert_contains(text, "possible in 1 of 4 cells; 3 stay below it, 0 above it.");
	assert_contains(text, "cpus  1     never      0 of 2 cells\n");
	assert_contains(text, "      2     sometimes  1 of 2 cells\n");
	assert_contains(text, "exactly 0                   no (too small)\n");
	assert_contains(text, "expedited saves exactly 0 in every boot of 2 of 4 cells.\n");
	free(text);
	xp_result_destroy(result);
}
END_TEST

static void add_warning(void *ctx, const char *text)
{
	fprintf(ctx, "%s\n", text);
}

START_TEST(weak_and_stopped_results_carry_warnings)
{
	struct fake fake;
	struct xp_result *result;
	struct sink sink;

	fake_init(&fake);
	fake.scenario.replications = 10;
	fake.variants[0][1].config.event_limit = 8;
	result = fake_run(&fake, 1);
	sink_open(&sink);
	out_warnings(result, add_warning, sink.stream);
	sink_close(&sink);
	assert_contains(sink.text,
			"expedited: 3 of 10 boots did not complete and are left out; the "
			"first: replication 7, seed 1, deadlock: nothing left to do");
	assert_contains(sink.text, "10 boots of each variant: the 95 % range");
	free(sink.text);
	xp_result_destroy(result);
}
END_TEST

/* A fresh folder for a test of files. */
static void make_folder(char *folder, size_t size)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(folder, size, "%s/rcusim-check-XXXXXX", tmp != NULL ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

START_TEST(a_file_appears_when_it_is_committed)
{
	char folder[200];
	char path[300];
	struct out_file file;
	struct rs_error err;
	struct stat st;

	make_folder(folder, sizeof(folder));
	snprintf(path, sizeof(path), "%s/out.json", folder);
	ck_assert(out_file_open(&file, path, &err));
	fputs("hello\n", file.stream);
	ck_assert_int_eq(access(path, F_OK), -1);
	ck_assert(out_file_commit(&file, &err));
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_size, 6);
	unlink(path);
	ck_assert_int_eq(rmdir(folder), 0); /* nothing else was left in it */
}
END_TEST

START_TEST(a_discarded_file_leaves_the_old_one)
{
	char folder[200];
	char path[300];
	struct out_file file;
	struct rs_error err;
	struct stat st;

	make_folder(folder, sizeof(folder));
	snprintf(path, sizeof(path), "%s/out.json", folder);
	ck_assert(out_file_open(&file, path, &err));
	fputs("old", file.stream);
	ck_assert(out_file_commit(&file, &err));
	ck_assert(out_file_open(&file, path, &err));
	fputs("new and longer", file.stream);
	out_file_discard(&file);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_size, 3);
	unlink(path);
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(a_full_device_is_a_write_error)
{
	struct out_file file;
	struct rs_error err;

	if (access("/dev/full", W_OK) != 0)
		return;
	ck_assert(out_file_open(&file, "/dev/full", &err));
	fputs("hello\n", file.stream);
	ck_assert(!out_file_commit(&file, &err));
	ck_assert_int_eq(err.code, RS_IO);
	ck_assert_str_eq(err.text, "/dev/full: No space left on device");
}
END_TEST

START_TEST(a_probe_leaves_nothing_behind)
{
	char folder[200];
	char path[300];
	struct rs_error err;

	make_folder(folder, sizeof(folder));
	snprintf(path, sizeof(path), "%s/out.json", folder);
	ck_assert(out_file_probe(path, &err));
	ck_assert_int_eq(rmdir(folder), 0);
	ck_assert(!out_file_probe(path, &err));
	ck_assert_int_eq(err.code, RS_IO);
}
END_TEST

/* Noticed by the probe, before anything is computed. */
START_TEST(a_path_that_can_be_no_file_is_a_write_error)
{
	static const char *const paths[] = { "/nonexistent-folder/out.json", "", "/nonexistent/" };
	struct out_file file;
	struct rs_error err;

	for (size_t i = 0; i < 3; i++) {
		ck_assert(!out_file_probe(paths[i], &err));
		ck_assert_int_eq(err.code, RS_IO);
		ck_assert(!out_file_open(&file, paths[i], &err));
		ck_assert_int_eq(err.code, RS_IO);
	}
}
END_TEST

static Suite *output_suite(void)
{
	Suite *suite = suite_create("output");
	TCase *formats = tcase_create("formats");
	TCase *json = tcase_create("json");
	TCase *results = tcase_create("results");
	TCase *files = tcase_create("files");
	const char *fork_mode = getenv("CK_FORK");

	tcase_add_test(formats, times_are_shown_in_the_unit_of_their_size);
	tcase_add_test(formats, a_value_that_rounds_to_zero_has_no_sign);
	tcase_add_test(formats, counts_have_sensible_digits);
	tcase_add_test(formats, long_lines_wrap_at_words);
	tcase_add_test(formats, columns_are_aligned_by_characters_not_bytes);
	tcase_add_test(formats, csv_fields_are_quoted_when_they_must_be);
	suite_add_tcase(suite, formats);
	tcase_add_test(json, json_nests_and_separates);
	tcase_add_test(json, json_numbers_are_exact);
	tcase_add_test(json, json_strings_are_escaped_and_always_utf8);
	/* They end their process: possible only when each test has its own. */
	if (fork_mode == NULL || strcmp(fork_mode, "no") != 0) {
		tcase_add_exit_test(json, a_json_value_without_key_is_a_bug, RS_INTERNAL);
		tcase_add_exit_test(json, an_array_closed_as_object_is_a_bug, RS_INTERNAL);
		tcase_add_exit_test(json, an_unfinished_json_document_is_a_bug, RS_INTERNAL);
	}
	suite_add_tcase(suite, json);
	tcase_add_test(results, no_output_depends_on_the_number_of_jobs);
	tcase_add_test(results, json_holds_what_a_result_can_be_made_again_from);
	tcase_add_test(results, runs_that_stopped_are_null_in_json_and_empty_in_csv);
	tcase_add_test(results, csv_has_a_header_and_a_row_for_each_value);
	tcase_add_test(results, verdicts_are_honest);
	tcase_add_test(results, the_table_is_narrow_and_tells_verdict_first);
	tcase_add_test(results, a_workload_has_runs_instead_of_boots);
	tcase_add_test(results, a_matrix_says_where_the_asked_value_is_possible);
	tcase_add_test(results, weak_and_stopped_results_carry_warnings);
	suite_add_tcase(suite, results);
	tcase_add_test(files, a_file_appears_when_it_is_committed);
	tcase_add_test(files, a_discarded_file_leaves_the_old_one);
	tcase_add_test(files, a_full_device_is_a_write_error);
	tcase_add_test(files, a_probe_leaves_nothing_behind);
	tcase_add_test(files, a_path_that_can_be_no_file_is_a_write_error);
	suite_add_tcase(suite, files);
	return suite;
}

int main(void)
{
	SRunner *runner = srunner_create(output_suite());
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
