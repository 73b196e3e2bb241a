/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of sim/scenario/yaml_tree.c, utf8.c and suggest.c: what libyaml lets
 * pass silently must be an error, places must be exact, limits must hold.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scenario/suggest.h"
#include "sim/scenario/utf8.h"
#include "sim/scenario/yaml_tree.h"

/* One parse; freed by done(). */
struct parse {
	struct sim_arena *arena;
	struct rs_diag *diag;
	struct tree_node *root;
	size_t nodes;
	bool ok;
};

static struct parse parse_bytes(const char *bytes, size_t size)
{
	struct parse p = {.arena = sim_arena_create(0), .diag = calloc(1, sizeof(*p.diag))};
	struct tree_source source = {.file = "t.yaml", .bytes = bytes, .size = size};

	ck_assert_ptr_nonnull(p.diag);
	p.ok = tree_parse(p.arena, &source, &p.nodes, p.diag, &p.root);
	ck_assert_int_eq(p.ok, p.root != NULL);
	ck_assert_int_eq(p.ok, p.diag->error_count == 0);
	return p;
}

static struct parse parse(const char *text)
{
	return parse_bytes(text, strlen(text));
}

static void done(struct parse *p)
{
	sim_arena_destroy(p->arena);
	free(p->diag);
}

/* The text is refused with that message at that place. */
static void refuse(const char *text, int line, int column, const char *message)
{
	struct parse p = parse(text);

	ck_assert(!p.ok);
	ck_assert_uint_ge(p.diag->count, 1);
	ck_assert_msg(strstr(p.diag->items[0].text, message) != NULL, "'%s' lacks '%s'",
		      p.diag->items[0].text, message);
	ck_assert_int_eq(p.diag->items[0].line, line);
	ck_assert_int_eq(p.diag->items[0].column, column);
	done(&p);
}

START_TEST(a_tree_keeps_the_order_the_texts_and_the_places)
{
	struct parse p = parse("a: 1\nb:\n  - x\n  - 'y z'\nc: {d: e}\n");
	const struct tree_node *list = tree_get(p.root, "b");

	ck_assert(p.ok);
	ck_assert_int_eq(p.root->kind, TREE_MAP);
	ck_assert_uint_eq(p.root->count, 3);
	ck_assert_str_eq(p.root->pairs[0].key->text, "a");
	ck_assert_str_eq(tree_get(p.root, "a")->text, "1");
	ck_assert_int_eq(list->kind, TREE_LIST);
	ck_assert_uint_eq(list->count, 2);
	ck_assert_str_eq(list->items[1]->text, "y z");
	ck_assert(list->items[0]->plain);
	ck_assert(!list->items[1]->plain);
	ck_assert_int_eq(list->items[1]->at.line, 4);
	ck_assert_int_eq(list->items[1]->at.column, 5);
	ck_assert_uint_eq(p.nodes, 11);
	ck_assert_uint_eq(p.root->size, 11);
	done(&p);
}
END_TEST

START_TEST(scalars_stay_texts)
{
	static const char *const texts[] = {"yes", "010", "1_000", "~", "null", "0x10", "1e3"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char text[40];
		snprintf(text, sizeof(text), "a: %s\n", texts[i]);
		struct parse p = parse(text);

		ck_assert(p.ok);
		ck_assert_str_eq(tree_get(p.root, "a")->text, texts[i]);
		done(&p);
	}
}
END_TEST

START_TEST(duplicate_keys_are_refused_and_both_lines_named)
{
	refuse("a: 1\nb: 2\na: 3\n", 3, 1, "duplicate key 'a', first on line 1");
	refuse("{a: 1, 'a': 3}\n", 1, 8, "duplicate key 'a'");
}
END_TEST

START_TEST(merge_keys_are_refused_but_a_quoted_one_is_a_text)
{
	struct parse p = parse("'<<': 1\n");

	ck_assert(p.ok);
	done(&p);
	refuse("a: &x {b: 1}\nc:\n  <<: *x\n", 3, 3, "merge key");
}
END_TEST

START_TEST(a_second_document_is_refused)
{
	struct parse p = parse("---\na: 1\n...\n");

	ck_assert(p.ok);
	done(&p);
	refuse("a: 1\n---\nb: 2\n", 2, 1, "second document");
}
END_TEST

START_TEST(an_empty_file_is_refused)
{
	refuse("", 1, 1, "nothing in it");
	refuse("# words\n", 1, 1, "nothing in it");
	refuse("\xEF\xBB\xBF", 1, 1, "nothing in it");
}
END_TEST

START_TEST(tags_are_refused)
{
	refuse("a: !!int 3\n", 1, 4, "tag");
	refuse("a: !own {b: c}\n", 1, 4, "tag '!own'");
}
END_TEST

START_TEST(bytes_that_are_no_utf8_are_refused_with_their_place)
{
	static const char nul[] = "a: b\nc: \0d\n";
	struct parse p = parse_bytes(nul, sizeof(nul) - 1);

	ck_assert(!p.ok);
	ck_assert_ptr_nonnull(strstr(p.diag->items[0].text, "NUL byte"));
	ck_assert_int_eq(p.diag->items[0].line, 2);
	ck_assert_int_eq(p.diag->items[0].column, 4);
	done(&p);
	refuse("\xff\xfe", 1, 1, "UTF-16");
	refuse("\xfe\xff", 1, 1, "UTF-16");
	refuse("a: \xc3\xa9\xe9\n", 1, 5, "0xe9");
	refuse("a: \xc0\xaf\n", 1, 4, "0xc0");
	refuse("a: \xed\xa0\x80\n", 1, 4, "0xed");
	refuse("a: \x01\n", 1, 4, "control character 0x01");
	refuse("a: \"\\0\"\n", 1, 4, "control character 0x00");
}
END_TEST

START_TEST(a_byte_order_mark_of_utf8_is_skipped)
{
	struct parse p = parse("\xEF\xBB\xBF"
			       "a: 1\n");

	ck_assert(p.ok);
	ck_assert_ptr_nonnull(tree_get(p.root, "a"));
	ck_assert_int_eq(p.root->pairs[0].key->at.column, 1);
	done(&p);
}
END_TEST

START_TEST(columns_count_characters_not_bytes)
{
	struct parse p = parse("{\xc3\xa9\xc3\xa9: 1, b: 2}\n");

	ck_assert(p.ok);
	ck_assert_int_eq(p.root->pairs[1].key->at.column, 9);
	done(&p);
}
END_TEST

START_TEST(an_alias_is_a_copy_with_nodes_of_its_own)
{
	struct parse p = parse("a: &x [1, 2]\nb: *x\n");
	const struct tree_node *a = tree_get(p.root, "a");
	const struct tree_node *b = tree_get(p.root, "b");

	ck_assert(p.ok);
	ck_assert_ptr_ne(a, b);
	ck_assert_ptr_ne(a->items[0], b->items[0]);
	ck_assert_str_eq(b->items[1]->text, "2");
	ck_assert_uint_eq(p.nodes, 9);
	done(&p);
	refuse("a: *x\n", 1, 4, "no anchor");
	refuse("a: &x [*x]\n", 1, 8, "inside its own anchor");
}
END_TEST

static char *repeat(const char *head, const char *text, size_t count, const char *tail)
{
	char *out = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&out, &size);

	ck_assert_ptr_nonnull(stream);
	fputs(head, stream);
	for (size_t i = 0; i < count; i++)
		fputs(text, stream);
	fputs(tail, stream);
	fclose(stream);
	return out;
}

START_TEST(depth_up_to_the_limit_is_read_and_more_is_refused)
{
	char *text = repeat("", "[", TREE_DEPTH_MAX, "");
	char *closed = repeat(text, "]", TREE_DEPTH_MAX, "\n");
	struct parse p = parse(closed);

	ck_assert(p.ok);
	done(&p);
	free(closed);
	free(text);
	text = repeat("", "[", (size_t)1 << 20, "");
	refuse(text, 1, TREE_DEPTH_MAX + 1, "nested more than 64 deep");
	free(text);
}
END_TEST

START_TEST(aliases_count_as_what_they_stand_for)
{
	refuse("a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
	       "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
	       "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n",
	       5, 29, "too many values");
}
END_TEST

START_TEST(too_many_keys_values_and_anchors_are_refused)
{
	char *text = repeat("[", "1,", TREE_NODES_MAX, "1]");
	struct parse p = parse(text);

	ck_assert(!p.ok);
	ck_assert_ptr_nonnull(strstr(p.diag->items[0].text, "too many values"));
	done(&p);
	free(text);

	text = malloc(40 * (TREE_KEYS_MAX + 2));
	ck_assert_ptr_nonnull(text);
	text[0] = '\0';
	for (int i = 0, at = 0; i <= TREE_KEYS_MAX; i++)
		at += sprintf(text + at, "k%d: 1\n", i);
	refuse(text, 1, 1, "more than 1000 keys");
	for (int i = 0, at = 0; i <= TREE_ANCHORS_MAX; i++)
		at += sprintf(text + at, "k%d: &a%d 1\n", i, i);
	refuse(text, TREE_ANCHORS_MAX + 1, 7, "too many anchors");
	free(text);
}
END_TEST

START_TEST(a_syntax_error_has_its_place_and_where_it_began)
{
	struct parse p = parse("a: {b: 1\nc: 2\n");

	ck_assert(!p.ok);
	ck_assert_ptr_nonnull(strstr(p.diag->items[0].text, "not valid YAML"));
	ck_assert_ptr_nonnull(strstr(p.diag->items[0].hint, "on line 1"));
	done(&p);
}
END_TEST

START_TEST(several_faults_are_reported_in_one_go)
{
	struct parse p = parse("a: !x 1\na: 2\nb: {<<: 3}\n");

	ck_assert_uint_eq(p.diag->error_count, 3);
	done(&p);
}
END_TEST

START_TEST(a_tree_is_rendered_as_one_line_and_cut)
{
	struct parse p = parse("a:\n  - b: 1\n    c: [x, 'y']\n  - d\n");
	char *text;

	ck_assert_str_eq(tree_render(p.arena, p.root), "{a: [{b: 1, c: [x, y]}, d]}");
	ck_assert_str_eq(tree_origin(p.arena, tree_get(p.root, "a")), "t.yaml:2");
	done(&p);
	text = repeat("", "\xc3\xa9", 150, "\n");
	p = parse(text);
	ck_assert_uint_eq(strlen(tree_render(p.arena, p.root)), 200);
	done(&p);
	free(text);
}
END_TEST

START_TEST(source_lines_are_made_printable)
{
	char out[40];

	utf8_copy_line("a\n\tb\x01\r\nc", 9, 2, 2, out, sizeof(out));
	ck_assert_str_eq(out, " b?");
	utf8_copy_line("a\n", 2, 9, 1, out, sizeof(out));
	ck_assert_str_eq(out, "");
	utf8_copy_line("a\n", 2, 1, 1000, out, sizeof(out));
	ck_assert_str_eq(out, "");
}
END_TEST

START_TEST(the_nearest_word_is_suggested_and_a_far_one_is_not)
{
	struct suggest suggest;
	char hint[60];

	ck_assert_uint_eq(suggest_distance("kitten", "sitting"), 3);
	ck_assert_uint_eq(suggest_distance("hz", "zh"), 1);
	ck_assert_uint_eq(suggest_distance("", "abc"), 3);
	suggest_begin(&suggest, "expidite");
	suggest_offer(&suggest, "unexpedite");
	suggest_offer(&suggest, "expedite");
	ck_assert_str_eq(suggest_hint(&suggest, hint, sizeof(hint)), "did you mean 'expedite'?");
	suggest_begin(&suggest, "frobnicate");
	suggest_offer(&suggest, "run");
	ck_assert_str_eq(suggest_hint(&suggest, hint, sizeof(hint)), "");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("yaml");
	TCase *tcase = tcase_create("yaml");
	SRunner *runner = srunner_create(suite);
	int failed;

	suite_add_tcase(suite, tcase);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, a_tree_keeps_the_order_the_texts_and_the_places);
	tcase_add_test(tcase, scalars_stay_texts);
	tcase_add_test(tcase, duplicate_keys_are_refused_and_both_lines_named);
	tcase_add_test(tcase, merge_keys_are_refused_but_a_quoted_one_is_a_text);
	tcase_add_test(tcase, a_second_document_is_refused);
	tcase_add_test(tcase, an_empty_file_is_refused);
	tcase_add_test(tcase, tags_are_refused);
	tcase_add_test(tcase, bytes_that_are_no_utf8_are_refused_with_their_place);
	tcase_add_test(tcase, a_byte_order_mark_of_utf8_is_skipped);
	tcase_add_test(tcase, columns_count_characters_not_bytes);
	tcase_add_test(tcase, an_alias_is_a_copy_with_nodes_of_its_own);
	tcase_add_test(tcase, depth_up_to_the_limit_is_read_and_more_is_refused);
	tcase_add_test(tcase, aliases_count_as_what_they_stand_for);
	tcase_add_test(tcase, too_many_keys_values_and_anchors_are_refused);
	tcase_add_test(tcase, a_syntax_error_has_its_place_and_where_it_began);
	tcase_add_test(tcase, several_faults_are_reported_in_one_go);
	tcase_add_test(tcase, a_tree_is_rendered_as_one_line_and_cut);
	tcase_add_test(tcase, source_lines_are_made_printable);
	tcase_add_test(tcase, the_nearest_word_is_suggested_and_a_far_one_is_not);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
