/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences and parts of the table that several files of this folder share. */
#ifndef OUTPUT_OUT_TEXT_H
#define OUTPUT_OUT_TEXT_H

#include "output/output.h"

/* Width the table is made for. */
#define OUT_COLUMNS 100

/*
 * The verdict on a variant against the baseline, one sentence: saves, saves
 * exactly nothing, costs time, or undecided; with its price in IPIs.
 */
void out_verdict(const struct xp_result *result, size_t cell_idx, size_t variant_idx, char *buf,
		 size_t size);

/* The verdict over all cells of a matrix: the span of the mean saving. */
void out_matrix_verdict(const struct xp_result *result, size_t variant_idx, char *buf, size_t size);

/* "2 CPUs, HZ=250, v4.1, NOCB": what all variants of all cells have in common. */
void out_describe(const struct scenario *scenario, char *buf, size_t size);

/* The tables between headline and notes. */
void out_table_variants(FILE *stream, const struct xp_result *result);
void out_table_matrix(FILE *stream, const struct xp_result *result);

#endif
