/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shape of the rcu_node tree; the facts are in docs/rcu-tree.md and the test is
 * tests/model/check_rcu_tree.c.
 *
 * Invariants, for every accepted (nr_cpu_ids, leaf_fanout, fanout):
 *   T1: levels is the smallest number whose capacity holds nr_cpu_ids;
 *   T2: no node is empty. With c = ceil(m / F) nodes over m children and a spread of
 *       s = ceil(m / c) <= F, the last node starts at (c - 1) * s <= (c - 1) * F < m;
 *   T3: a node covers exactly the CPUs of its children, in order.
 */
#include "models/rcu_tree.h"

static int64_t ceil_div(int64_t a, int64_t b)
{
	return (a + b - 1) / b;
}

bool rcu_geometry_init(struct rcu_geometry *geometry, int nr_cpu_ids, int leaf_fanout,
		       int fanout, bool exact)
{
	int64_t capacity[RCU_LEVELS_MAX];
	int64_t below = nr_cpu_ids;
	int levels = 1;

	RS_REQUIRE(nr_cpu_ids >= 1);
	RS_REQUIRE(leaf_fanout >= 2 && leaf_fanout <= 64);
	RS_REQUIRE(fanout >= 2 && fanout <= 64);

	*geometry = (struct rcu_geometry){ 0 };
	capacity[0] = leaf_fanout;
	for (int i = 1; i < RCU_LEVELS_MAX; i++)
		capacity[i] = capacity[i - 1] * fanout;
	while (levels <= RCU_LEVELS_MAX && nr_cpu_ids > capacity[levels - 1]) {
		if (levels == RCU_LEVELS_MAX)
			return false;
		levels++;
	}

	geometry->levels = levels;
	for (int i = 0; i < levels; i++) {
		geometry->level_nodes[i] = (int)ceil_div(nr_cpu_ids, capacity[levels - 1 - i]);
		geometry->level_start[i] = geometry->nodes;
		geometry->nodes += geometry->level_nodes[i];
	}
	for (int i = levels - 1; i >= 0; i--) {
		if (exact)
			geometry->level_spread[i] = i == levels - 1 ? leaf_fanout : fanout;
		else
			geometry->level_spread[i] = (int)ceil_div(below, geometry->level_nodes[i]);
		below = geometry->level_nodes[i];
	}
	return true;
}

static int node_level(const struct rcu_geometry *geometry, int node)
{
	int level = geometry->levels - 1;

	RS_REQUIRE(node >= 0 && node < geometry->nodes);
	while (node < geometry->level_start[level])
		level--;
	return level;
}

void rcu_geometry_span(const struct rcu_geometry *geometry, int nr_cpu_ids, int node,
		       int *level, int *grplo, int *grphi)
{
	int64_t cpus_per_node = 1;
	int64_t first, last;

	*level = node_level(geometry, node);
	for (int i = *level; i < geometry->levels; i++)
		cpus_per_node *= geometry->level_spread[i];
	first = (node - geometry->level_start[*level]) * cpus_per_node;
	last = first + cpus_per_node - 1;
	*grplo = (int)first;
	*grphi = last < nr_cpu_ids ? (int)last : nr_cpu_ids - 1;
}

int rcu_geometry_parent(const struct rcu_geometry *geometry, int node, int *grpnum)
{
	int level = node_level(geometry, node);
	int position = node - geometry->level_start[level];
	int spread;

	if (level == 0) {
		*grpnum = 0;
		return -1;
	}
	spread = geometry->level_spread[level - 1];
	*grpnum = position % spread;
	return geometry->level_start[level - 1] + position / spread;
}

int rcu_geometry_leaf(const struct rcu_geometry *geometry, int cpu)
{
	int leaf_level = geometry->levels - 1;

	RS_REQUIRE(cpu >= 0);
	return geometry->level_start[leaf_level] + cpu / geometry->level_spread[leaf_level];
}
