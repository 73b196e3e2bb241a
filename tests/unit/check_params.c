/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of sim/scenario/params.c, values.c, value_dist.c and schema.c. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scenario/cmdline.h"
#include "sim/scenario/document.h"
#include "sim/scenario/load.h"
#include "sim/scenario/params.h"
#include "sim/scenario/schema.h"
#include "sim/scenario/steps.h"
#include "sim/scenario/values.h"

/* A load that reads one value; freed by done(). */
struct reader {
	struct load load;
	struct tree_node *node;
};

static struct reader *reading(const char *text)
{
	struct reader *r = calloc(1, sizeof(*r));
	struct tree_source source = {.file = "v", .bytes = text, .size = strlen(text)};

	ck_assert_ptr_nonnull(r);
	r->load.arena = sim_arena_create(0);
	r->load.diag = calloc(1, sizeof(*r->load.diag));
	ck_assert_ptr_nonnull(r->load.diag);
	ck_assert(tree_parse(r->load.arena, &source, &r->load.nodes_used, r->load.diag, &r->node));
	return r;
}

static void done(struct reader *r)
{
	sim_arena_destroy(r->load.arena);
	free(r->load.diag);
	free(r);
}

static int64_t duration(const char *text)
{
	struct reader *r = reading(text);
	int64_t ns;

	if (!value_duration(&r->load, r->node, "x", 0, VALUE_DURATION_MAX_NS, &ns))
		ns = -1;
	ck_assert_int_eq(ns < 0, r->load.diag->error_count == 1);
	done(r);
	return ns;
}

static struct dist dist_of(const char *text, bool good)
{
	struct reader *r = reading(text);
	struct dist dist;

	ck_assert_msg(value_dist(&r->load, r->node, "x", &dist) == good, "%s", text);
	ck_assert_int_eq(good, r->load.diag->error_count == 0);
	if (dist.kind == DIST_EMPIRICAL || dist.kind == DIST_MIXTURE) {
		dist.values = NULL;
		dist.parts = NULL;
	}
	done(r);
	return dist;
}

START_TEST(the_table_starts_with_the_profile_and_has_unique_paths)
{
	size_t count;
	const struct param_info *rows = param_all(&count);

	ck_assert_str_eq(rows[0].path, "kernel.profile");
	for (size_t i = 0; i < count; i++) {
		ck_assert_ptr_eq(param_find(rows[i].path), &rows[i]);
		ck_assert_ptr_nonnull(rows[i].help);
		ck_assert_ptr_nonnull(rows[i].default_text);
		ck_assert_ptr_nonnull(rows[i].unit);
		ck_assert_int_eq(rows[i].type == PARAM_ENUM, rows[i].value_names != NULL);
		ck_assert(rows[i].offset == PARAM_NO_OFFSET ||
			  rows[i].offset < sizeof(struct model_config));
	}
	ck_assert_ptr_null(param_find("machine.nothing"));
}
END_TEST

START_TEST(every_profile_cell_and_every_cost_is_a_parameter)
{
	size_t cells, costs, missing = 0;
	const struct profile_cell_info *cell = profile_cells(&cells);
	const struct param_info *cost = param_costs(&costs);

	for (size_t i = 0; i < cells; i++) {
		size_t offset = offsetof(struct model_config, kernel.profile) + cell[i].offset;
		size_t count;
		const struct param_info *rows = param_all(&count);
		bool found = false;

		for (size_t k = 0; k < count; k++)
			found = found || rows[k].offset == offset;
		missing += !found;
	}
	ck_assert_uint_eq(missing, 0);
	ck_assert_uint_eq(costs, sizeof(struct platform_costs) / sizeof(sim_time_ns));
	for (size_t i = 0; i < costs; i++)
		ck_assert_uint_eq(cost[i].offset, offsetof(struct model_config, machine.costs) +
							  i * sizeof(sim_time_ns));
}
END_TEST

START_TEST(the_build_option_keeps_its_name_beside_the_cell_of_the_same_name)
{
	ck_assert_uint_eq(param_find("kernel.fast_no_hz")->offset,
			  offsetof(struct model_config, kernel.fast_no_hz));
	ck_assert_uint_eq(param_find("kernel.fast_no_hz_option")->offset,
			  offsetof(struct model_config, kernel.profile.fast_no_hz));
}
END_TEST

START_TEST(a_misspelt_path_finds_the_nearest)
{
	ck_assert_str_eq(param_nearest("machine.hx"), "machine.hz");
	ck_assert_str_eq(param_nearest("hz"), "machine.hz");
	ck_assert_str_eq(param_nearest("kernel.hz"), "machine.hz");
	ck_assert_ptr_null(param_nearest("zzzzzzzzzzzzzzzzzzzzzz"));
}
END_TEST

START_TEST(durations_are_exact_to_the_nanosecond)
{
	ck_assert_int_eq(duration("10us"), 10000);
	ck_assert_int_eq(duration("0ns"), 0);
	ck_assert_int_eq(duration("1.1ms"), 1100000);
	ck_assert_int_eq(duration("0.000000001s"), 1);
	ck_assert_int_eq(duration("1.500us"), 1500);
	ck_assert_int_eq(duration("6.956ms"), 6956000);
	ck_assert_int_eq(duration("31.768123ms"), 31768123);
	ck_assert_int_eq(duration("1.0ns"), 1);
	ck_assert_int_eq(duration("1000000s"), VALUE_DURATION_MAX_NS);
}
END_TEST

START_TEST(what_is_no_duration_is_refused)
{
	static const char *const bad[] = {
		"10",       "0",
		"us",       "10 us",
		"10usx",    "1e3us",
		"-1us",     "+1us",
		".5us",     "1.us",
		"01us",     "1.5ns",
		"1000001s", "99999999999999999999s",
		"'10us'",   "1_0us",
		"0x1us",    "10US",
		"10min",    "[1us]",
		"{a: 1us}", "~",
		"1.2.3us",  "9223372036854775807ms",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(duration(bad[i]) == -1, "%s", bad[i]);
}
END_TEST

START_TEST(whole_numbers_are_decimal)
{
	int64_t value;

	ck_assert(parse_int("0", &value) && value == 0);
	ck_assert(parse_int("-12", &value) && value == -12);
	ck_assert(parse_int("9223372036854775807", &value) && value == INT64_MAX);
	ck_assert(!parse_int("9223372036854775808", &value));
	ck_assert(!parse_int("010", &value));
	ck_assert(!parse_int("+1", &value));
	ck_assert(!parse_int("1x", &value));
	ck_assert(!parse_int("", &value));
	ck_assert(!parse_int("-", &value));
}
END_TEST

START_TEST(distributions_are_read_with_their_parameters)
{
	struct dist dist = dist_of("{uniform: [1us, 4us]}", true);

	ck_assert_int_eq(dist.kind, DIST_UNIFORM);
	ck_assert_double_eq(dist.a, 1000.0);
	ck_assert_double_eq(dist.b, 4000.0);
	dist = dist_of("3ms", true);
	ck_assert_int_eq(dist.kind, DIST_CONSTANT);
	ck_assert_double_eq(dist.a, 3e6);
	dist = dist_of("{exponential: 3ms}", true);
	ck_assert_int_eq(dist.kind, DIST_EXPONENTIAL);
	dist = dist_of("{lognormal: {mean: 24ms, cv: 1%}}", true);
	ck_assert_int_eq(dist.kind, DIST_LOGNORMAL);
	ck_assert_double_eq(dist.b, 240000.0);
	dist = dist_of("{normal: {mean: 1ms, sd: 0.1ms}}", true);
	ck_assert_double_eq(dist.b, 100000.0);
	dist = dist_of("{gamma: {mean: 1ms, cv: 0.5}}", true);
	ck_assert_double_eq(dist.b, 500000.0);
	dist = dist_of("{weibull: {scale: 1ms, shape: 1.5}}", true);
	ck_assert_double_eq(dist.b, 1.5);
	dist = dist_of("{pareto: {min: 1ms, shape: 2}}", true);
	ck_assert_double_eq(dist.b, 2.0);
	dist = dist_of("{empirical: [1ms, 2ms, 3ms]}", true);
	ck_assert_uint_eq(dist.count, 3);
	dist = dist_of("{mixture: [{weight: 3, of: 1ms}, {weight: 1, of: {exponential: 1ms}}]}",
		       true);
	ck_assert_uint_eq(dist.count, 2);
}
END_TEST

START_TEST(mixtures_nested_too_deep_are_refused)
{
	char text[2000] = "1ms";

	for (int i = 0; i < 10; i++) {
		char inner[2000];

		memcpy(inner, text, sizeof(inner));
		snprintf(text, sizeof(text), "{mixture: [{weight: 1, of: %.1900s}]}", inner);
	}
	dist_of(text, false);
}
END_TEST

START_TEST(cpu_lists_follow_the_kernel)
{
	struct cpu_mask mask;
	bool beyond;
	const char *why;

	ck_assert(parse_cpu_list("0-2,5", 8, &mask, &beyond, &why));
	ck_assert_uint_eq(mask.word[0], 0x27);
	ck_assert(!beyond);
	ck_assert(parse_cpu_list("all", 4, &mask, &beyond, &why));
	ck_assert_uint_eq(mask.word[0], 0xf);
	ck_assert(parse_cpu_list("2-N", 4, &mask, &beyond, &why));
	ck_assert_uint_eq(mask.word[0], 0xc);
	ck_assert(parse_cpu_list("0-7:1/2", 8, &mask, &beyond, &why));
	ck_assert_uint_eq(mask.word[0], 0x55);
	ck_assert(parse_cpu_list("2-9", 4, &mask, &beyond, &why));
	ck_assert_uint_eq(mask.word[0], 0xc);
	ck_assert(beyond);
	ck_assert(!parse_cpu_list("3-1", 8, &mask, &beyond, &why));
	ck_assert(!parse_cpu_list("", 8, &mask, &beyond, &why));
	ck_assert(!parse_cpu_list("1,", 8, &mask, &beyond, &why));
	ck_assert(!parse_cpu_list("1-", 8, &mask, &beyond, &why));
	ck_assert(!parse_cpu_list("0-7:3/2", 8, &mask, &beyond, &why));
	ck_assert(!parse_cpu_list("99999999999999999999", 8, &mask, &beyond, &why));
}
END_TEST

START_TEST(the_schema_is_balanced_and_names_every_parameter)
{
	char *text = NULL;
	size_t size = 0, count;
	const struct param_info *rows = param_all(&count);
	FILE *stream = open_memstream(&text, &size);
	int depth = 0;
	bool quoted = false;

	ck_assert_ptr_nonnull(stream);
	schema_write(stream);
	fclose(stream);
	for (size_t i = 0; i < size; i++) {
		if (quoted && text[i] == '\\') {
			i++;
			continue;
		}
		if (text[i] == '"')
			quoted = !quoted;
		if (quoted)
			continue;
		depth += (text[i] == '{' || text[i] == '[') - (text[i] == '}' || text[i] == ']');
		ck_assert_int_ge(depth, 0);
	}
	ck_assert_int_eq(depth, 0);
	ck_assert(!quoted);
	for (size_t i = 0; i < count; i++) {
		char name[80];

		snprintf(name, sizeof(name), "\"%s\": {", strrchr(rows[i].path, '.') + 1);
		ck_assert_msg(strstr(text, name) != NULL, "%s", name);
	}
	free(text);
}
END_TEST

/* docs/formats/scenario.md; freed by the caller. */
static char *format_page(void)
{
	const char *dir = getenv("RCUSIM_SRC");
	char path[1000];
	char *text = calloc(1, (size_t)1 << 18);

	ck_assert_ptr_nonnull(text);
	snprintf(path, sizeof(path), "%s/docs/formats/scenario.md", dir ? dir : ".");
	FILE *stream = fopen(path, "r");
	ck_assert_ptr_nonnull(stream);
	ck_assert_uint_gt(fread(text, 1, ((size_t)1 << 18) - 1, stream), 0);
	fclose(stream);
	return text;
}

static void documented(const char *page, const char *name)
{
	char code[100];

	snprintf(code, sizeof(code), "`%s", name);
	ck_assert_msg(strstr(page, code) != NULL, "docs/formats/scenario.md lacks %s", name);
}

START_TEST(the_format_page_names_every_key)
{
	char *page = format_page();
	size_t count;
	const struct param_info *rows = param_all(&count);

	for (size_t i = 0; i < count; i++)
		documented(page, rows[i].path);
	for (size_t i = 0; cmdline_info(i); i++)
		documented(page, cmdline_info(i)->name);
	for (size_t i = 0; steps_info(i); i++)
		documented(page, steps_info(i)->key);
	for (const char *const *key = document_keys(); *key; key++)
		documented(page, *key);
	for (int i = 0; i < LEVEL_COUNT; i++)
		documented(page, boot_level_name((enum boot_level)i));
	free(page);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("params");
	TCase *tcase = tcase_create("params");
	SRunner *runner = srunner_create(suite);
	int failed;

	suite_add_tcase(suite, tcase);
	tcase_add_test(tcase, the_table_starts_with_the_profile_and_has_unique_paths);
	tcase_add_test(tcase, every_profile_cell_and_every_cost_is_a_parameter);
	tcase_add_test(tcase, the_build_option_keeps_its_name_beside_the_cell_of_the_same_name);
	tcase_add_test(tcase, a_misspelt_path_finds_the_nearest);
	tcase_add_test(tcase, durations_are_exact_to_the_nanosecond);
	tcase_add_test(tcase, what_is_no_duration_is_refused);
	tcase_add_test(tcase, whole_numbers_are_decimal);
	tcase_add_test(tcase, distributions_are_read_with_their_parameters);
	tcase_add_test(tcase, mixtures_nested_too_deep_are_refused);
	tcase_add_test(tcase, cpu_lists_follow_the_kernel);
	tcase_add_test(tcase, the_schema_is_balanced_and_names_every_parameter);
	tcase_add_test(tcase, the_format_page_names_every_key);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
