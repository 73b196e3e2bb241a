/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Optimal string alignment distance over short words. Three rows are enough
 * and live on the stack.
 */
#include "sim/scenario/suggest.h"

#include <stdio.h>
#include <string.h>

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t suggest_distance(const char *a, const char *b)
{
	size_t a_length = strlen(a);
	size_t b_length = strlen(b);
	size_t rows[3][SUGGEST_BYTES_MAX + 1];

	if (a_length >= SUGGEST_BYTES_MAX || b_length >= SUGGEST_BYTES_MAX)
		return 2 * SUGGEST_BYTES_MAX;
	for (size_t j = 0; j <= b_length; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		const size_t *above2 = rows[(i + 1) % 3];
		const size_t *above = rows[(i - 1) % 3];
		size_t *row = rows[i % 3];

		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			size_t changed = a[i - 1] != b[j - 1];

			row[j] = least(above[j - 1] + changed, least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], above2[j - 2] + 1);
		}
	}
	return rows[a_length % 3][b_length];
}

void suggest_begin(struct suggest *suggest, const char *text)
{
	size_t length = strlen(text);

	suggest->text = text;
	suggest->best = NULL;
	suggest->best_distance = length < 3 ? 2 : length / 3 + 2;
}

void suggest_offer(struct suggest *suggest, const char *word)
{
	if (!word)
		return;
	size_t distance = suggest_distance(suggest->text, word);

	if (distance < suggest->best_distance) {
		suggest->best = word;
		suggest->best_distance = distance;
	}
}

const char *suggest_hint(const struct suggest *suggest, char *out, size_t out_size)
{
	out[0] = '\0';
	if (suggest->best)
		snprintf(out, out_size, "did you mean '%s'?", suggest->best);
	return out;
}
