/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shape of the rcu_node tree: the table of docs/rcu-tree.md and properties for every CPU count. */
#include <check.h>
#include <stdlib.h>

#include "models/rcu_tree.h"

/* Each ck_assert writes to a pipe, too slow for the millions of checks of the properties. */
#define EXPECT(cond, ...) \
	do { \
		if (!(cond)) \
			ck_abort_msg(__VA_ARGS__); \
	} while (0)

struct shape_row {
	int n;
	int levels;
	int nodes[RCU_LEVELS_MAX];
	int spread[RCU_LEVELS_MAX];
	int total;
	int last_lo, last_hi;
};

/* Leaf fanout 16, fanout 64. */
static const struct shape_row rows16[] = {
	{ 17, 2, { 1, 2 }, { 2, 9 }, 3, 9, 16 },
	{ 20, 2, { 1, 2 }, { 2, 10 }, 3, 10, 19 },
	{ 24, 2, { 1, 2 }, { 2, 12 }, 3, 12, 23 },
	{ 32, 2, { 1, 2 }, { 2, 16 }, 3, 16, 31 },
	{ 33, 2, { 1, 3 }, { 3, 11 }, 4, 22, 32 },
	{ 36, 2, { 1, 3 }, { 3, 12 }, 4, 24, 35 },
	{ 48, 2, { 1, 3 }, { 3, 16 }, 4, 32, 47 },
	{ 64, 2, { 1, 4 }, { 4, 16 }, 5, 48, 63 },
	{ 65, 2, { 1, 5 }, { 5, 13 }, 6, 52, 64 },
	{ 80, 2, { 1, 5 }, { 5, 16 }, 6, 64, 79 },
	{ 88, 2, { 1, 6 }, { 6, 15 }, 7, 75, 87 },
	{ 96, 2, { 1, 6 }, { 6, 16 }, 7, 80, 95 },
	{ 128, 2, { 1, 8 }, { 8, 16 }, 9, 112, 127 },
	{ 192, 2, { 1, 12 }, { 12, 16 }, 13, 176, 191 },
	{ 256, 2, { 1, 16 }, { 16, 16 }, 17, 240, 255 },
	{ 257, 2, { 1, 17 }, { 17, 16 }, 18, 256, 256 },
	{ 384, 2, { 1, 24 }, { 24, 16 }, 25, 368, 383 },
	{ 512, 2, { 1, 32 }, { 32, 16 }, 33, 496, 511 },
	{ 1000, 2, { 1, 63 }, { 63, 16 }, 64, 992, 999 },
	{ 1024, 2, { 1, 64 }, { 64, 16 }, 65, 1008, 1023 },
	{ 1025, 3, { 1, 2, 65 }, { 2, 33, 16 }, 68, 1024, 1024 },
	{ 2048, 3, { 1, 2, 128 }, { 2, 64, 16 }, 131, 2032, 2047 },
	{ 4096, 3, { 1, 4, 256 }, { 4, 64, 16 }, 261, 4080, 4095 },
	{ 5120, 3, { 1, 5, 320 }, { 5, 64, 16 }, 326, 5104, 5119 },
	{ 8192, 3, { 1, 8, 512 }, { 8, 64, 16 }, 521, 8176, 8191 },
};

/* Leaf fanout 64, as 4.2-4.11 have by default; worked out by hand from the rules. */
static const struct shape_row rows64[] = {
	{ 1, 1, { 1 }, { 1 }, 1, 0, 0 },
	{ 4, 1, { 1 }, { 4 }, 1, 0, 3 },
	{ 64, 1, { 1 }, { 64 }, 1, 0, 63 },
	{ 65, 2, { 1, 2 }, { 2, 33 }, 3, 33, 64 },
	{ 100, 2, { 1, 2 }, { 2, 50 }, 3, 50, 99 },
	{ 4096, 2, { 1, 64 }, { 64, 64 }, 65, 4032, 4095 },
	{ 4097, 3, { 1, 2, 65 }, { 2, 33, 64 }, 68, 4096, 4096 },
	{ 8192, 3, { 1, 2, 128 }, { 2, 64, 64 }, 131, 8128, 8191 },
};

static void check_row(const struct shape_row *row, int leaf_fanout)
{
	struct rcu_geometry g;
	int level, lo, hi;

	ck_assert(rcu_geometry_init(&g, row->n, leaf_fanout, 64, false));
	ck_assert_msg(g.levels == row->levels, "n=%d: %d levels, not %d", row->n, g.levels,
		      row->levels);
	ck_assert_int_eq(g.nodes, row->total);
	for (int i = 0; i < row->levels; i++) {
		ck_assert_msg(g.level_nodes[i] == row->nodes[i], "n=%d level %d: %d nodes, not %d",
			      row->n, i, g.level_nodes[i], row->nodes[i]);
		ck_assert_msg(g.level_spread[i] == row->spread[i],
			      "n=%d level %d: spread %d, not %d", row->n, i, g.level_spread[i],
			      row->spread[i]);
	}
	rcu_geometry_span(&g, row->n, g.nodes - 1, &level, &lo, &hi);
	ck_assert_int_eq(level, row->levels - 1);
	ck_assert_msg(lo == row->last_lo && hi == row->last_hi, "n=%d: last leaf %d..%d, not %d..%d",
		      row->n, lo, hi, row->last_lo, row->last_hi);
}

START_TEST(shapes_equal_the_table_for_leaf_fanout_16)
{
	for (int n = 1; n <= 16; n++) {
		const struct shape_row row = { n, 1, { 1 }, { n }, 1, 0, n - 1 };

		check_row(&row, 16);
	}
	for (size_t i = 0; i < sizeof(rows16) / sizeof(rows16[0]); i++)
		check_row(&rows16[i], 16);
}
END_TEST

START_TEST(shapes_equal_the_table_for_leaf_fanout_64)
{
	for (size_t i = 0; i < sizeof(rows64) / sizeof(rows64[0]); i++)
		check_row(&rows64[i], 64);
}
END_TEST

/* The levels follow from the capacities alone: the smallest that holds n. */
static void check_levels(const struct rcu_geometry *g, int n, int leaf_fanout, int fanout)
{
	int64_t below = 0, capacity = leaf_fanout;

	for (int i = 1; i < g->levels; i++) {
		below = capacity;
		capacity *= fanout;
	}
	EXPECT(n <= capacity, "n=%d: %d levels hold %lld only", n, g->levels,
		      (long long)capacity);
	EXPECT(n > below, "n=%d: %d levels are one too many", n, g->levels);
}

static void check_spans(const struct rcu_geometry *g, int n)
{
	for (int i = 0; i < g->levels; i++) {
		int next = 0;

		for (int j = 0; j < g->level_nodes[i]; j++) {
			int level, lo, hi;

			rcu_geometry_span(g, n, g->level_start[i] + j, &level, &lo, &hi);
			EXPECT(level == i, "n=%d: node of level %d says %d", n, i, level);
			EXPECT(lo == next, "n=%d level %d node %d: starts at %d, not %d", n,
				      i, j, lo, next);
			EXPECT(hi >= lo, "n=%d level %d node %d is empty", n, i, j);
			next = hi + 1;
		}
		EXPECT(next == n, "n=%d level %d covers 0..%d", n, i, next - 1);
	}
}

static void check_parents(const struct rcu_geometry *g, int n, int leaf_fanout, int fanout)
{
	int grpnum, last_parent = -1, last_grpnum = -1;

	EXPECT(rcu_geometry_parent(g, 0, &grpnum) == -1, "n=%d: the root has a parent", n);
	for (int node = 1; node < g->nodes; node++) {
		int parent = rcu_geometry_parent(g, node, &grpnum);
		int level, lo, hi, parent_level, parent_lo, parent_hi;

		rcu_geometry_span(g, n, node, &level, &lo, &hi);
		rcu_geometry_span(g, n, parent, &parent_level, &parent_lo, &parent_hi);
		EXPECT(parent_level == level - 1, "n=%d: node %d skips a level", n, node);
		EXPECT(parent_lo <= lo && hi <= parent_hi,
			      "n=%d: node %d (%d..%d) is outside its parent %d (%d..%d)", n, node,
			      lo, hi, parent, parent_lo, parent_hi);
		/* Bits count up from 0 within each parent. */
		EXPECT(grpnum == (parent == last_parent ? last_grpnum + 1 : 0),
		       "n=%d: node %d is number %d of its parent", n, node, grpnum);
		EXPECT(grpnum < fanout, "n=%d: node %d is number %d of %d", n, node, grpnum, fanout);
		last_parent = parent;
		last_grpnum = grpnum;
	}
	EXPECT(g->level_spread[g->levels - 1] <= leaf_fanout, "n=%d: leaves too wide", n);
}

static void check_leaves(const struct rcu_geometry *g, int n)
{
	int leaf = g->level_start[g->levels - 1];
	int level, lo, hi;

	rcu_geometry_span(g, n, leaf, &level, &lo, &hi);
	for (int cpu = 0; cpu < n; cpu++) {
		if (cpu > hi)
			rcu_geometry_span(g, n, ++leaf, &level, &lo, &hi);
		EXPECT(rcu_geometry_leaf(g, cpu) == leaf, "n=%d: CPU %d in leaf %d, not %d",
			      n, cpu, rcu_geometry_leaf(g, cpu), leaf);
	}
	EXPECT(leaf == g->nodes - 1, "n=%d: the last leaf is %d", n, leaf);
}

static void check_all_sizes(int leaf_fanout, int fanout, bool exact, int n_max)
{
	for (int n = 1; n <= n_max; n++) {
		struct rcu_geometry g;

		EXPECT(rcu_geometry_init(&g, n, leaf_fanout, fanout, exact), "n=%d refused", n);
		check_levels(&g, n, leaf_fanout, fanout);
		check_spans(&g, n);
		check_parents(&g, n, leaf_fanout, fanout);
		check_leaves(&g, n);
	}
}

START_TEST(every_cpu_is_in_one_leaf_and_spans_cover_all_for_leaf_fanout_16)
{
	check_all_sizes(16, 64, false, 8192);
}
END_TEST

START_TEST(every_cpu_is_in_one_leaf_and_spans_cover_all_for_leaf_fanout_64)
{
	check_all_sizes(64, 64, false, 8192);
}
END_TEST

START_TEST(every_cpu_is_in_one_leaf_and_spans_cover_all_in_exact_mode)
{
	check_all_sizes(16, 64, true, 8192);
	check_all_sizes(64, 64, true, 8192);
}
END_TEST

START_TEST(every_cpu_is_in_one_leaf_and_spans_cover_all_for_odd_fanouts)
{
	check_all_sizes(2, 32, false, 1024);
	check_all_sizes(5, 7, false, 1024);
	check_all_sizes(3, 8, true, 1024);
}
END_TEST

START_TEST(exact_mode_fills_leaves_before_it_adds_the_next)
{
	struct rcu_geometry g;
	int level, lo, hi;

	ck_assert(rcu_geometry_init(&g, 33, 16, 64, true));
	ck_assert_int_eq(g.levels, 2);
	ck_assert_int_eq(g.level_nodes[1], 3);
	ck_assert_int_eq(g.level_spread[1], 16);
	ck_assert_int_eq(g.level_spread[0], 64);
	rcu_geometry_span(&g, 33, 3, &level, &lo, &hi);
	ck_assert_int_eq(lo, 32);
	ck_assert_int_eq(hi, 32);
}
END_TEST

START_TEST(four_levels_are_the_limit)
{
	struct rcu_geometry g;

	ck_assert(rcu_geometry_init(&g, 16, 2, 2, false));
	ck_assert_int_eq(g.levels, 4);
	ck_assert_int_eq(g.nodes, 15);
	ck_assert(!rcu_geometry_init(&g, 17, 2, 2, false));
	ck_assert(!rcu_geometry_init(&g, 8192, 2, 2, true));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rcu_tree");
	TCase *tcase = tcase_create("geometry");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, shapes_equal_the_table_for_leaf_fanout_16);
	tcase_add_test(tcase, shapes_equal_the_table_for_leaf_fanout_64);
	tcase_add_test(tcase, every_cpu_is_in_one_leaf_and_spans_cover_all_for_leaf_fanout_16);
	tcase_add_test(tcase, every_cpu_is_in_one_leaf_and_spans_cover_all_for_leaf_fanout_64);
	tcase_add_test(tcase, every_cpu_is_in_one_leaf_and_spans_cover_all_in_exact_mode);
	tcase_add_test(tcase, every_cpu_is_in_one_leaf_and_spans_cover_all_for_odd_fanouts);
	tcase_add_test(tcase, exact_mode_fills_leaves_before_it_adds_the_next);
	tcase_add_test(tcase, four_levels_are_the_limit);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
