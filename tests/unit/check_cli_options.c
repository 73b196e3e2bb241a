/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of sim/cli/options.c: parsing, the table's consistency, help. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/options.h"

#define WORDS_MAX 32

/* A command line as main() would hand it on: argv[0] is the command. */
struct words {
	char text[WORDS_MAX][80];
	char *argv[WORDS_MAX + 1];
	int argc;
};

static void split(struct words *words, const char *line)
{
	memset(words, 0, sizeof(*words));
	while (*line != '\0') {
		size_t length = strcspn(line, " ");

		ck_assert_int_lt(words->argc, WORDS_MAX);
		memcpy(words->text[words->argc], line, length);
		words->argv[words->argc] = words->text[words->argc];
		words->argc++;
		line += length + (line[length] == ' ');
	}
}

static bool parse(struct words *words, const char *line, struct cli_args *args)
{
	split(words, line);
	return cli_parse(cli_command_find(words->text[0]), words->argc, words->argv, args);
}

START_TEST(options_of_a_trace_are_understood)
{
	struct words words;
	struct cli_args args;

	ck_assert(parse(&words,
			"run a.yaml --trace t.json --trace-variant x --trace-replication 0 "
			"--trace-from 1.5ms --trace-to 2s --trace-events 7",
			&args));
	ck_assert_str_eq(args.trace.path, "t.json");
	ck_assert_str_eq(args.trace.variant, "x");
	ck_assert_int_eq(args.trace.replication, 0);
	ck_assert_int_eq(args.trace.from_ns, 1500000);
	ck_assert_int_eq(args.trace.to_ns, 2 * NS_PER_S);
	ck_assert_int_eq(args.trace.events_max, 7);
	cli_args_fini(&args);
	ck_assert(parse(&words, "run a.yaml --trace - --trace-format chrome -o out", &args));
	ck_assert_int_eq(args.trace.format, TRACE_CHROME);
	ck_assert(args.trace.from_ns == 0 && args.trace.to_ns == SIM_TIME_MAX);
	cli_args_fini(&args);
	ck_assert(!parse(&words, "run a.yaml --trace t.txt --trace-from 2s --trace-to 1s", &args));
	ck_assert(!parse(&words, "run a.yaml --trace t.txt --trace-format json", &args));
	ck_assert(!parse(&words, "run a.yaml --trace t.txt --trace-replication -1", &args));
	ck_assert(!parse(&words, "run a.yaml --trace-variant x", &args));
}
END_TEST

START_TEST(a_time_needs_a_unit)
{
	static const char *const wrong[] = {"",     "12",    "12 ms", "-1ms", "1h",  "ms",
					    "0x1s", "1e99s", "1ms2",  "+1s",  "nans"};
	sim_time_ns ns = -1;

	ck_assert(cli_parse_time("12ms", &ns) && ns == 12 * NS_PER_MS);
	ck_assert(cli_parse_time("0.25us", &ns) && ns == 250);
	ck_assert(cli_parse_time("3ns", &ns) && ns == 3);
	ck_assert(cli_parse_time("1000000s", &ns) && ns == 1000000 * NS_PER_S);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ck_assert_msg(!cli_parse_time(wrong[i], &ns), "'%s'", wrong[i]);
}
END_TEST

START_TEST(all_options_of_run_are_understood)
{
	struct words words;
	struct cli_args args;

	ck_assert(parse(&words,
			"run a.yaml --variant x -s machine.hz=100 --set=machine.cpus=2 "
			"--cmdline nohz=off -n 12 --seed 0xff -j2 --format=json -o out --check",
			&args));
	ck_assert_int_eq(args.positional_count, 1);
	ck_assert_str_eq(args.positional[0], "a.yaml");
	ck_assert_str_eq(args.only_variant, "x");
	ck_assert_uint_eq(args.set_count, 2);
	ck_assert_str_eq(args.sets[0], "machine.hz=100");
	ck_assert_str_eq(args.sets[1], "machine.cpus=2");
	ck_assert_str_eq(args.cmdline, "nohz=off");
	ck_assert_int_eq(args.replications, 12);
	ck_assert(args.has_seed && !args.has_random_seed);
	ck_assert_uint_eq(args.seed, 255);
	ck_assert_int_eq(args.jobs, 2);
	ck_assert_int_eq(args.format, OUT_JSON);
	ck_assert_str_eq(args.output_path, "out");
	ck_assert(args.check && !args.progress);
	cli_args_fini(&args);
}
END_TEST

START_TEST(nothing_given_means_the_scenario_decides)
{
	struct words words;
	struct cli_args args;
	struct scenario_overrides overrides;

	ck_assert(parse(&words, "run a.yaml", &args));
	cli_overrides(&args, &overrides);
	ck_assert_int_eq(overrides.replications, 0);
	ck_assert(!overrides.has_seed);
	ck_assert_uint_eq(overrides.set_count, 0);
	ck_assert_ptr_null(overrides.cmdline);
	ck_assert_ptr_null(overrides.only_variant);
	ck_assert_int_eq(args.format, OUT_TABLE);
	ck_assert_str_eq(cli_output_path(&args), "-");
	cli_args_fini(&args);
}
END_TEST

START_TEST(a_random_seed_is_marked)
{
	struct words words;
	struct cli_args args;

	ck_assert(parse(&words, "run a.yaml --seed=random", &args));
	ck_assert(args.has_seed && args.has_random_seed);
	cli_args_fini(&args);
}
END_TEST

START_TEST(words_after_two_dashes_are_no_options)
{
	struct words words;
	struct cli_args args;

	ck_assert(parse(&words, "check -- --odd.yaml", &args));
	ck_assert_int_eq(args.positional_count, 1);
	ck_assert_str_eq(args.positional[0], "--odd.yaml");
	cli_args_fini(&args);
}
END_TEST

static const char *const wrong[] = {
	"run a.yaml --formt json",
	"run a.yaml --format xml",
	"run a.yaml -n 0",
	"run a.yaml -n -3",
	"run a.yaml -n 1e3",
	"run a.yaml -n 99999999999999999999",
	"run a.yaml -n",
	"run a.yaml -j 0",
	"run a.yaml -j 100000",
	"run a.yaml --seed -1",
	"run a.yaml --seed 18446744073709551616",
	"run a.yaml --seed 0x",
	"run a.yaml --seed 12x",
	"run a.yaml -z",
	"run a.yaml --check=yes",
	"check a.yaml -j 2",
	"version --format json",
	"list params --check",
};

START_TEST(wrong_command_lines_are_refused)
{
	struct words words;
	struct cli_args args;

	ck_assert_msg(!parse(&words, wrong[_i], &args), "%s", wrong[_i]);
	cli_args_fini(&args);
}
END_TEST

START_TEST(numbers_are_whole_and_in_range)
{
	int64_t value = 7;
	uint64_t bits = 7;

	ck_assert(cli_parse_int("-5", -10, 10, &value));
	ck_assert_int_eq(value, -5);
	ck_assert(!cli_parse_int("11", -10, 10, &value));
	ck_assert(!cli_parse_int("", 0, 10, &value));
	ck_assert(!cli_parse_int(" 5", 0, 10, &value));
	ck_assert(!cli_parse_int("+5", 0, 10, &value));
	ck_assert(!cli_parse_int("5 ", 0, 10, &value));
	ck_assert(!cli_parse_int("-", -10, 10, &value));
	ck_assert(cli_parse_u64("18446744073709551615", &bits));
	ck_assert_uint_eq(bits, UINT64_MAX);
	ck_assert(cli_parse_u64("0xFFFFFFFFFFFFFFFF", &bits));
	ck_assert_uint_eq(bits, UINT64_MAX);
	ck_assert(cli_parse_u64("010", &bits)); /* decimal, not octal */
	ck_assert_uint_eq(bits, 10);
	ck_assert(!cli_parse_u64("-1", &bits));
}
END_TEST

START_TEST(the_table_of_options_is_consistent)
{
	for (int i = 0; i < OPT_COUNT; i++) {
		const struct cli_option *a = cli_option((enum cli_option_id)i);

		ck_assert_ptr_nonnull(a->name);
		ck_assert_ptr_nonnull(a->help);
		ck_assert_uint_ne(a->commands, 0);
		ck_assert(!a->repeats || a->argument != NULL);
		for (int k = i + 1; k < OPT_COUNT; k++) {
			const struct cli_option *b = cli_option((enum cli_option_id)k);

			ck_assert_str_ne(a->name, b->name);
			ck_assert(a->letter == '\0' || a->letter != b->letter);
		}
	}
}
END_TEST

START_TEST(help_names_every_option_of_a_command_and_no_other)
{
	size_t count;
	const struct cli_command *commands = cli_commands(&count);

	for (size_t c = 0; c < count; c++) {
		char *text = NULL;
		size_t bytes = 0;
		FILE *stream = open_memstream(&text, &bytes);

		cli_print_options(stream, &commands[c]);
		fclose(stream);
		for (int i = 0; i < OPT_COUNT; i++) {
			const struct cli_option *option = cli_option((enum cli_option_id)i);
			bool is_taken = (option->commands & (unsigned)commands[c].bit) != 0;

			ck_assert_msg((strstr(text, option->help) != NULL) == is_taken, "%s --%s",
				      commands[c].name, option->name);
		}
		free(text);
	}
}
END_TEST

static Suite *options_suite(void)
{
	Suite *suite = suite_create("cli_options");
	TCase *tcase = tcase_create("options");

	tcase_add_test(tcase, all_options_of_run_are_understood);
	tcase_add_test(tcase, options_of_a_trace_are_understood);
	tcase_add_test(tcase, a_time_needs_a_unit);
	tcase_add_test(tcase, nothing_given_means_the_scenario_decides);
	tcase_add_test(tcase, a_random_seed_is_marked);
	tcase_add_test(tcase, words_after_two_dashes_are_no_options);
	tcase_add_loop_test(tcase, wrong_command_lines_are_refused, 0,
			    sizeof(wrong) / sizeof(wrong[0]));
	tcase_add_test(tcase, numbers_are_whole_and_in_range);
	tcase_add_test(tcase, the_table_of_options_is_consistent);
	tcase_add_test(tcase, help_names_every_option_of_a_command_and_no_other);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	SRunner *runner = srunner_create(options_suite());
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
