/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Segmented callback list: one list, four segments DONE, WAIT, NEXT_READY, NEXT.
 * Behaves as kernel/rcu/rcu_segcblist.c (4.14+) and the nxttail/nxtcompleted
 * arrays of tree.c before it (mechanics 3.3).
 */
#include "models/rcu.h"

void rcu_segcblist_init(struct rcu_segcblist *l)
{
	l->head = NULL;
	l->len = 0;
	for (int i = 0; i < SEG_COUNT; i++) {
		l->tails[i] = &l->head;
		l->gp_seq[i] = 0;
	}
}

/* Is segment i empty? */
static bool segment_empty(const struct rcu_segcblist *l, int i)
{
	if (i == SEG_DONE)
		return l->tails[SEG_DONE] == &l->head;
	return l->tails[i - 1] == l->tails[i];
}

void rcu_segcblist_enqueue(struct rcu_segcblist *l, struct rcu_cb *cb)
{
	cb->next = NULL;
	*l->tails[SEG_NEXT] = cb;
	l->tails[SEG_NEXT] = &cb->next;
	l->len++;
}

bool rcu_segcblist_ready(const struct rcu_segcblist *l)
{
	return !segment_empty(l, SEG_DONE);
}

bool rcu_segcblist_pending(const struct rcu_segcblist *l)
{
	return *l->tails[SEG_DONE] != NULL;
}

bool rcu_segcblist_unassigned(const struct rcu_segcblist *l)
{
	return *l->tails[SEG_NEXT_READY] != NULL;
}

bool rcu_segcblist_restempty(const struct rcu_segcblist *l, int seg)
{
	return *l->tails[seg] == NULL;
}

void rcu_segcblist_advance(struct rcu_segcblist *l, int64_t seq)
{
	int from, to = SEG_WAIT;

	for (from = SEG_WAIT; from < SEG_NEXT; from++) {
		if (!segment_empty(l, from) && l->gp_seq[from] > seq)
			break;
		l->tails[SEG_DONE] = l->tails[from];
	}
	/* segments that became part of DONE are empty now; move the others down */
	for (int i = SEG_WAIT; i < from; i++)
		l->tails[i] = l->tails[SEG_DONE];
	for (; from < SEG_NEXT && from != to; from++, to++) {
		if (l->tails[to] == l->tails[SEG_NEXT])
			break;
		l->tails[to] = l->tails[from];
		l->gp_seq[to] = l->gp_seq[from];
	}
}

bool rcu_segcblist_accelerate(struct rcu_segcblist *l, int64_t seq)
{
	int i = SEG_NEXT_READY;

	/* the newest segment that waits for an earlier grace period than seq */
	while (i > SEG_DONE && (segment_empty(l, i) || l->gp_seq[i] >= seq))
		i--;
	if (*l->tails[i] == NULL || ++i >= SEG_NEXT)
		return false; /* nothing behind it, or no segment free */
	for (; i < SEG_NEXT; i++) {
		l->tails[i] = l->tails[SEG_NEXT];
		l->gp_seq[i] = seq;
	}
	return true;
}

bool rcu_segcblist_entrain(struct rcu_segcblist *l, struct rcu_cb *cb)
{
	int i = SEG_NEXT;

	if (l->len == 0)
		return false;
	while (i > SEG_DONE && segment_empty(l, i))
		i--;
	cb->next = NULL;
	*l->tails[i] = cb;
	for (; i < SEG_COUNT; i++)
		l->tails[i] = &cb->next;
	l->len++;
	return true;
}

struct rcu_cb *rcu_segcblist_take(struct rcu_segcblist *l)
{
	struct rcu_cb *cb = l->head;

	if (!rcu_segcblist_ready(l))
		return NULL;
	l->head = cb->next;
	for (int i = 0; i < SEG_COUNT; i++) {
		if (l->tails[i] == &cb->next)
			l->tails[i] = &l->head;
	}
	l->len--;
	cb->next = NULL;
	return cb;
}

bool rcu_segcblist_nextgp(const struct rcu_segcblist *l, int64_t *seq)
{
	if (!rcu_segcblist_pending(l))
		return false;
	for (int i = SEG_WAIT; i < SEG_NEXT; i++) {
		if (!segment_empty(l, i)) {
			*seq = l->gp_seq[i];
			return true;
		}
	}
	return false;
}

int64_t rcu_segcblist_merge(struct rcu_segcblist *to, struct rcu_segcblist *from, bool ready_first)
{
	struct rcu_cb **ready_end = from->tails[SEG_DONE];
	struct rcu_cb *rest = *ready_end;
	struct rcu_cb **at = ready_first ? &to->head : to->tails[SEG_DONE];
	int64_t count = 0;

	if (ready_end != &from->head) {
		for (struct rcu_cb *cb = from->head; cb != rest; cb = cb->next)
			count++;
		*ready_end = *at;
		*at = from->head;
		for (int i = 0; i < SEG_COUNT; i++) {
			if (to->tails[i] == at)
				to->tails[i] = ready_end;
		}
	}
	if (rest) {
		*to->tails[SEG_NEXT] = rest;
		to->tails[SEG_NEXT] = from->tails[SEG_NEXT];
	}
	to->len += from->len;
	rcu_segcblist_init(from);
	return count;
}
