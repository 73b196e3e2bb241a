/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shape of the rcu_node tree.
 * Follows kernel/rcu/tree.c rcu_init_geometry(), rcu_init_one() and
 * rcu_init_levelspread() (3.19-6.18); facts in docs/rcu-tree.md.
 */
#ifndef MODELS_RCU_TREE_H
#define MODELS_RCU_TREE_H

#include "sim/engine/base.h"

#define RCU_LEVELS_MAX 4

struct rcu_geometry {
	int levels;                       /* 1..4 */
	int level_nodes[RCU_LEVELS_MAX];  /* nodes at level i, root = level 0 */
	int level_start[RCU_LEVELS_MAX];  /* index of the level's first node, breadth first */
	int level_spread[RCU_LEVELS_MAX]; /* children per node of level i (CPUs per leaf for the last) */
	int nodes;                        /* total */
};

/*
 * Computes the shape for nr_cpu_ids (1..8192) CPUs. leaf_fanout 2..64 and
 * fanout 2..64; exact: rcu_fanout_exact. False when four levels do not suffice.
 */
bool rcu_geometry_init(struct rcu_geometry *geometry, int nr_cpu_ids, int leaf_fanout,
		       int fanout, bool exact);

/* First and last CPU of node `node` (breadth-first index); *level is its level. */
void rcu_geometry_span(const struct rcu_geometry *geometry, int nr_cpu_ids, int node,
		       int *level, int *grplo, int *grphi);

/* Index of the node's parent (-1 for the root) and its bit number there. */
int rcu_geometry_parent(const struct rcu_geometry *geometry, int node, int *grpnum);

/* Index of the leaf of a CPU. */
int rcu_geometry_leaf(const struct rcu_geometry *geometry, int cpu);

#endif
