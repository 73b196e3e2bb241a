/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of sim/scenario/diag.c: order, limits and the printed form. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scenario/diag.h"

static struct rs_where at(const char *file, int line, int column)
{
	struct rs_where where = {.file = file, .line = line, .column = column};

	return where;
}

static void add(struct rs_diag *diag, enum diag_severity severity, int line, int column,
		const char *text)
{
	struct rs_where where = at("a.yaml", line, column);

	diag_add(diag, severity, &where, NULL, "%s", text);
}

static char *printed(const struct rs_diag *diag)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(stream);
	diag_print(diag, stream);
	fclose(stream);
	return text;
}

START_TEST(items_are_sorted_by_place_whatever_the_order_of_arrival)
{
	struct rs_diag diag = {.count = 0};

	add(&diag, DIAG_ERROR, 9, 1, "c");
	add(&diag, DIAG_ERROR, 2, 7, "b");
	add(&diag, DIAG_WARNING, 2, 3, "a");
	ck_assert_uint_eq(diag.count, 3);
	ck_assert_str_eq(diag.items[0].text, "a");
	ck_assert_str_eq(diag.items[1].text, "b");
	ck_assert_str_eq(diag.items[2].text, "c");
	ck_assert_uint_eq(diag.error_count, 2);
	ck_assert_int_eq(diag.code, RS_BAD_INPUT);
}
END_TEST

START_TEST(files_stay_in_the_order_in_which_they_were_first_seen)
{
	struct rs_diag diag = {.count = 0};
	struct rs_where main_file = at("z.yaml", 5, 1);
	struct rs_where other = at("a.yaml", 1, 1);
	struct rs_where earlier = at("z.yaml", 2, 1);

	diag_add(&diag, DIAG_ERROR, &main_file, NULL, "second");
	diag_add(&diag, DIAG_ERROR, &other, NULL, "third");
	diag_add(&diag, DIAG_ERROR, &earlier, NULL, "first");
	ck_assert_str_eq(diag.items[0].text, "first");
	ck_assert_str_eq(diag.items[1].text, "second");
	ck_assert_str_eq(diag.items[2].text, "third");
}
END_TEST

START_TEST(the_same_error_at_the_same_place_is_kept_once)
{
	struct rs_diag diag = {.count = 0};

	add(&diag, DIAG_ERROR, 1, 1, "x");
	add(&diag, DIAG_ERROR, 1, 1, "x");
	add(&diag, DIAG_ERROR, 1, 1, "y");
	ck_assert_uint_eq(diag.count, 2);
	ck_assert_uint_eq(diag.error_count, 2);
}
END_TEST

START_TEST(the_first_twenty_by_place_are_kept_and_the_rest_counted)
{
	struct rs_diag diag = {.count = 0};
	char *text;

	for (int line = 50; line > 0; line--)
		add(&diag, DIAG_ERROR, line, 1, "x");
	ck_assert_uint_eq(diag.count, RS_DIAG_MAX);
	ck_assert_uint_eq(diag.error_count, 50);
	ck_assert_uint_eq(diag.dropped, 50 - RS_DIAG_MAX);
	ck_assert_int_eq(diag.items[0].line, 1);
	ck_assert_int_eq(diag.items[RS_DIAG_MAX - 1].line, RS_DIAG_MAX);
	text = printed(&diag);
	ck_assert_ptr_nonnull(strstr(text, "and 30 more\n"));
	free(text);
}
END_TEST

START_TEST(an_error_takes_the_room_of_a_warning)
{
	struct rs_diag diag = {.count = 0};
	bool found = false;

	for (int line = 1; line <= RS_DIAG_MAX; line++)
		add(&diag, DIAG_WARNING, line, 1, "w");
	add(&diag, DIAG_ERROR, 99, 1, "e");
	for (size_t i = 0; i < diag.count; i++)
		found = found || diag.items[i].severity == DIAG_ERROR;
	ck_assert(found);
	ck_assert_uint_eq(diag.count, RS_DIAG_MAX);
}
END_TEST

START_TEST(an_item_is_printed_with_place_source_caret_and_hint)
{
	struct rs_diag diag = {.count = 0};
	struct rs_where where = at("a.yaml", 3, 5);
	char *text;

	diag_add(&diag, DIAG_ERROR, &where, "did you mean 'hz'?", "unknown key '%s'", "hx");
	strcpy(diag.items[0].source, "    hx: 250");
	text = printed(&diag);
	ck_assert_str_eq(text, "a.yaml:3:5: error: unknown key 'hx'\n"
			       "      hx: 250\n"
			       "      ^\n"
			       "  hint: did you mean 'hz'?\n");
	free(text);
}
END_TEST

START_TEST(an_item_about_a_whole_file_has_no_line)
{
	struct rs_diag diag = {.count = 0};
	struct rs_where where = at("a.yaml", 0, 0);
	char *text;

	diag_add(&diag, DIAG_WARNING, &where, NULL, "old");
	text = printed(&diag);
	ck_assert_str_eq(text, "a.yaml: warning: old\n");
	free(text);
	ck_assert_int_eq(diag.code, RS_OK);
}
END_TEST

START_TEST(texts_longer_than_their_room_are_cut)
{
	struct rs_diag diag = {.count = 0};
	struct rs_where where = at("a.yaml", 1, 1);
	char long_text[1000];

	memset(long_text, 'x', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	where.file = long_text;
	diag_add(&diag, DIAG_ERROR, &where, long_text, "%s", long_text);
	ck_assert_uint_eq(strlen(diag.items[0].file), sizeof(diag.items[0].file) - 1);
	ck_assert_uint_eq(strlen(diag.items[0].text), sizeof(diag.items[0].text) - 1);
	ck_assert_uint_eq(strlen(diag.items[0].hint), sizeof(diag.items[0].hint) - 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("diag");
	TCase *tcase = tcase_create("diag");
	SRunner *runner = srunner_create(suite);
	int failed;

	suite_add_tcase(suite, tcase);
	tcase_add_test(tcase, items_are_sorted_by_place_whatever_the_order_of_arrival);
	tcase_add_test(tcase, files_stay_in_the_order_in_which_they_were_first_seen);
	tcase_add_test(tcase, the_same_error_at_the_same_place_is_kept_once);
	tcase_add_test(tcase, the_first_twenty_by_place_are_kept_and_the_rest_counted);
	tcase_add_test(tcase, an_error_takes_the_room_of_a_warning);
	tcase_add_test(tcase, an_item_is_printed_with_place_source_caret_and_hint);
	tcase_add_test(tcase, an_item_about_a_whole_file_has_no_line);
	tcase_add_test(tcase, texts_longer_than_their_room_are_cut);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
