/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Did you mean": the nearest of a set of words by edit distance. */
#ifndef SCENARIO_SUGGEST_H
#define SCENARIO_SUGGEST_H

#include <stddef.h>

/* Texts of at least this length are near to nothing. */
#define SUGGEST_BYTES_MAX 64

/* Edits (insert, delete, replace, swap of neighbours) that turn a into b; large if either is too long. */
size_t suggest_distance(const char *a, const char *b);

/* The search for the nearest word: start with suggest_begin(), offer words, read `best`. */
struct suggest {
	const char *text; /* what the user wrote; borrowed */
	const char *best; /* nearest so far, borrowed; NULL: none is near */
	size_t best_distance;
};

/* Starts a search: only words within about a third of the text's length count as near. */
void suggest_begin(struct suggest *suggest, const char *text);

/* Offers one candidate; NULL is ignored. The first of equally near ones wins. */
void suggest_offer(struct suggest *suggest, const char *word);

/* Writes "did you mean 'best'?" or an empty text into out and returns out. */
const char *suggest_hint(const struct suggest *suggest, char *out, size_t out_size);

#endif
