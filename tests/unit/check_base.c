/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error record, broken invariants, allocation. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/base.h"

START_TEST(fail_fills_the_error_and_returns_false)
{
	struct rs_error err = { 0 };
	struct rs_where at = { .file = "a.yaml", .line = 3, .column = 7 };

	ck_assert(!rs_fail(&err, RS_BAD_INPUT, &at, "%s is %d", "cpus", 0));
	ck_assert_int_eq(err.code, RS_BAD_INPUT);
	ck_assert_str_eq(err.text, "cpus is 0");
	ck_assert_str_eq(err.at.file, "a.yaml");
	ck_assert_int_eq(err.at.line, 3);
	ck_assert_int_eq(err.at.column, 7);
}
END_TEST

START_TEST(fail_without_a_place_keeps_the_old_one)
{
	struct rs_error err = { .at = { .file = "b.yaml", .line = 9, .column = 1 } };

	ck_assert(!rs_fail(&err, RS_IO, NULL, "disk full"));
	ck_assert_str_eq(err.at.file, "b.yaml");
	ck_assert_int_eq(err.at.line, 9);
}
END_TEST

START_TEST(fail_cuts_a_long_text)
{
	struct rs_error err = { 0 };
	char text[1000];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	ck_assert(!rs_fail(&err, RS_FAILED, NULL, "%s", text));
	ck_assert_uint_eq(strlen(err.text), sizeof(err.text) - 1);
}
END_TEST

START_TEST(a_bug_exits_with_status_70)
{
	RS_BUG("%s", "planted");
}
END_TEST

START_TEST(a_broken_requirement_exits_with_status_70)
{
	RS_REQUIRE(1 + 1 == 3);
}
END_TEST

START_TEST(a_kept_requirement_does_nothing)
{
	RS_REQUIRE(1 + 1 == 2);
}
END_TEST

START_TEST(out_of_memory_aborts)
{
	rs_oom();
}
END_TEST

START_TEST(an_allocation_too_large_aborts)
{
	void *memory = rs_calloc(SIZE_MAX / 2, 4);

	free(memory);
}
END_TEST

START_TEST(calloc_zeroes_and_allows_nothing)
{
	unsigned char *bytes = rs_calloc(16, 4);
	void *nothing = rs_calloc(0, 8);

	for (int i = 0; i < 64; i++)
		ck_assert_int_eq(bytes[i], 0);
	ck_assert_ptr_nonnull(nothing);
	free(nothing);
	free(bytes);
}
END_TEST

START_TEST(realloc_keeps_what_was_there)
{
	char *text = rs_calloc(4, 1);

	memcpy(text, "rcu", 4);
	text = rs_realloc(text, 4096);
	ck_assert_str_eq(text, "rcu");
	text = rs_realloc(text, 0);
	ck_assert_ptr_nonnull(text);
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("base");
	TCase *tcase = tcase_create("base");
	const char *fork_mode = getenv("CK_FORK");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, fail_fills_the_error_and_returns_false);
	tcase_add_test(tcase, fail_without_a_place_keeps_the_old_one);
	tcase_add_test(tcase, fail_cuts_a_long_text);
	tcase_add_test(tcase, a_kept_requirement_does_nothing);
	/* They end their process: possible only when each test has its own. */
	if (fork_mode == NULL || strcmp(fork_mode, "no") != 0) {
		tcase_add_exit_test(tcase, a_bug_exits_with_status_70, RS_INTERNAL);
		tcase_add_exit_test(tcase, a_broken_requirement_exits_with_status_70, RS_INTERNAL);
		tcase_add_test_raise_signal(tcase, out_of_memory_aborts, 6);
		tcase_add_test_raise_signal(tcase, an_allocation_too_large_aborts, 6);
	}
	tcase_add_test(tcase, calloc_zeroes_and_allows_nothing);
	tcase_add_test(tcase, realloc_keeps_what_was_there);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? 0 : 1;
}
