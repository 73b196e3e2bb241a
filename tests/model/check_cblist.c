/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The segmented callback list: named cases of the rules in docs/grace-periods.md,
 * and random operations against a reference that holds one number for each
 * callback: the grace period it waits for, or none yet.
 */
#include "models/rcu.h"
#include "sim/engine/rng.h"
#include "tests/model/model_fixture.h"

#define CBS_MAX 4096
#define UNASSIGNED INT64_MAX
#define SEQ(n) ((int64_t)(n) * RCU_SEQ_STEP)

static void add(struct rcu_segcblist *l, struct rcu_cb *cb)
{
	rcu_segcblist_enqueue(l, cb);
}

START_TEST(an_empty_list_has_nothing_to_do)
{
	struct rcu_segcblist l;
	int64_t seq;

	rcu_segcblist_init(&l);
	ck_assert(!rcu_segcblist_ready(&l));
	ck_assert(!rcu_segcblist_pending(&l));
	ck_assert(!rcu_segcblist_unassigned(&l));
	ck_assert(!rcu_segcblist_accelerate(&l, SEQ(1)));
	ck_assert(!rcu_segcblist_nextgp(&l, &seq));
	ck_assert_ptr_null(rcu_segcblist_take(&l));
	rcu_segcblist_advance(&l, SEQ(1));
	ck_assert_int_eq(l.len, 0);
}
END_TEST

START_TEST(a_new_callback_waits_for_no_grace_period_yet)
{
	struct rcu_segcblist l;
	struct rcu_cb cb = { 0 };
	int64_t seq;

	rcu_segcblist_init(&l);
	add(&l, &cb);
	ck_assert(rcu_segcblist_unassigned(&l));
	ck_assert(rcu_segcblist_pending(&l));
	ck_assert(!rcu_segcblist_nextgp(&l, &seq));
	rcu_segcblist_advance(&l, SEQ(100));
	ck_assert(!rcu_segcblist_ready(&l));
	ck_assert_ptr_null(rcu_segcblist_take(&l));
	ck_assert_int_eq(l.len, 1);
}
END_TEST

START_TEST(a_callback_is_ready_when_its_number_is_done_and_not_before)
{
	struct rcu_segcblist l;
	struct rcu_cb cb = { 0 };
	int64_t seq;

	rcu_segcblist_init(&l);
	add(&l, &cb);
	ck_assert(rcu_segcblist_accelerate(&l, SEQ(2)));
	ck_assert(!rcu_segcblist_unassigned(&l));
	ck_assert(rcu_segcblist_nextgp(&l, &seq));
	ck_assert_int_eq(seq, SEQ(2));
	rcu_segcblist_advance(&l, SEQ(2) - 1);
	ck_assert(!rcu_segcblist_ready(&l));
	rcu_segcblist_advance(&l, SEQ(2));
	ck_assert(rcu_segcblist_ready(&l));
	ck_assert_ptr_eq(rcu_segcblist_take(&l), &cb);
	ck_assert_int_eq(l.len, 0);
	ck_assert(!rcu_segcblist_pending(&l));
}
END_TEST

START_TEST(callbacks_that_come_later_join_a_segment_with_their_number)
{
	struct rcu_segcblist l;
	struct rcu_cb cb[3] = { { 0 }, { 0 }, { 0 } };
	int64_t seq;

	rcu_segcblist_init(&l);
	add(&l, &cb[0]);
	ck_assert(rcu_segcblist_accelerate(&l, SEQ(1)));
	add(&l, &cb[1]);
	ck_assert(rcu_segcblist_accelerate(&l, SEQ(2)));
	add(&l, &cb[2]);
	/* both segments are taken; the third joins the second's number */
	rcu_segcblist_accelerate(&l, SEQ(2));
	ck_assert(!rcu_segcblist_unassigned(&l));
	rcu_segcblist_advance(&l, SEQ(1));
	ck_assert_ptr_eq(rcu_segcblist_take(&l), &cb[0]);
	ck_assert_ptr_null(rcu_segcblist_take(&l));
	ck_assert(rcu_segcblist_nextgp(&l, &seq));
	ck_assert_int_eq(seq, SEQ(2));
	rcu_segcblist_advance(&l, SEQ(2));
	ck_assert_ptr_eq(rcu_segcblist_take(&l), &cb[1]);
	ck_assert_ptr_eq(rcu_segcblist_take(&l), &cb[2]);
}
END_TEST

/* With WAIT and NEXT_READY waiting for earlier numbers there is no segment left. */
START_TEST(a_third_number_has_to_wait_for_a_free_segment)
{
	struct rcu_segcblist l;
	struct rcu_cb cb[3] = { { 0 }, { 0 }, { 0 } };

	rcu_segcblist_init(&l);
	add(&l, &cb[0]);
	ck_assert(rcu_segcblist_accelerate(&l, SEQ(1)));
	add(&l, &cb[1]);
	ck_assert(rcu_segcblist_accelerate(&l, SEQ(2)));
	add(&l, &cb[2]);
	ck_assert(!rcu_segcblist_accelerate(&l, SEQ(3)));
	ck_assert(rcu_segcblist_unassigned(&l));
	rcu_segcblist_advance(&l, SEQ(1));
	ck_assert(rcu_segcblist_accelerate(&l, SEQ(3)));
	ck_assert(!rcu_segcblist_unassigned(&l));
}
END_TEST

/* --- random operations against a reference --- */

struct reference {
	int64_t seq[CBS_MAX]; /* by callback, in queue order; UNASSIGNED: none */
	int first;            /* oldest still queued */
	int count;            /* all ever queued */
	int64_t done_seq;     /* latest advanced to */
};

/* Different numbers that queued callbacks wait for, beyond what is done; 2 at most. */
static int waiting_numbers(const struct reference *ref)
{
	int numbers = 0;
	int64_t last = INT64_MIN;

	for (int i = ref->first; i < ref->count; i++) {
		if (ref->seq[i] == UNASSIGNED || ref->seq[i] <= ref->done_seq)
			continue;
		if (ref->seq[i] != last)
			numbers++;
		last = ref->seq[i];
	}
	return numbers;
}

/*
 * What accelerating to seq may do: callbacks without a number get it, if one of
 * the two numbered segments is free or has that number; and callbacks that wait
 * for a *later* number may be merged down to it.
 */
static void reference_accelerate(struct reference *ref, int64_t seq)
{
	int64_t last = INT64_MIN;
	int numbers = 0;

	for (int i = ref->first; i < ref->count; i++) {
		int64_t s = ref->seq[i];

		if (s == UNASSIGNED || s <= ref->done_seq || s >= seq)
			continue;
		if (s != last)
			numbers++;
		last = s;
	}
	if (numbers >= 2)
		return;
	for (int i = ref->first; i < ref->count; i++) {
		if (ref->seq[i] > seq)
			ref->seq[i] = seq;
	}
}

static void compare(struct rcu_segcblist *l, const struct reference *ref, uint64_t op)
{
	int queued = ref->count - ref->first;
	bool ready = queued > 0 && ref->seq[ref->first] <= ref->done_seq;
	bool unassigned = queued > 0 && ref->seq[ref->count - 1] == UNASSIGNED;
	bool pending = queued > 0 && !(ref->seq[ref->count - 1] <= ref->done_seq);
	int64_t next = UNASSIGNED, got;

	for (int i = ref->first; i < ref->count && next == UNASSIGNED; i++)
		if (ref->seq[i] > ref->done_seq && ref->seq[i] != UNASSIGNED)
			next = ref->seq[i];
	EXPECT(l->len == queued, "op %llu: %lld callbacks, expected %d", (unsigned long long)op,
	       (long long)l->len, queued);
	EXPECT(rcu_segcblist_ready(l) == ready && rcu_segcblist_unassigned(l) == unassigned &&
		       rcu_segcblist_pending(l) == pending,
	       "op %llu: ready %d/%d unassigned %d/%d pending %d/%d", (unsigned long long)op,
	       rcu_segcblist_ready(l), ready, rcu_segcblist_unassigned(l), unassigned,
	       rcu_segcblist_pending(l), pending);
	EXPECT(rcu_segcblist_nextgp(l, &got) == (next != UNASSIGNED) &&
		       (next == UNASSIGNED || got == next),
	       "op %llu: next number", (unsigned long long)op);
	EXPECT(waiting_numbers(ref) <= 2, "op %llu: the reference holds three numbers",
	       (unsigned long long)op);
}

static void random_op(struct rcu_segcblist *l, struct reference *ref, struct rcu_cb *cbs,
		      int64_t *gp_seq, uint64_t draw)
{
	switch (draw % 8) {
	case 0:
	case 1:
	case 2:
		if (ref->count == CBS_MAX)
			return;
		ref->seq[ref->count] = UNASSIGNED;
		rcu_segcblist_enqueue(l, &cbs[ref->count++]);
		return;
	case 3: /* a grace period starts or ends */
		*gp_seq = rcu_seq_running(*gp_seq) ? (*gp_seq | RCU_SEQ_PHASE_MASK) + 1 :
						     *gp_seq + 1;
		return;
	case 4:
	case 5:
		rcu_segcblist_accelerate(l, rcu_seq_snap(*gp_seq));
		reference_accelerate(ref, rcu_seq_snap(*gp_seq));
		return;
	case 6:
		rcu_segcblist_advance(l, *gp_seq);
		ref->done_seq = *gp_seq;
		return;
	default: {
		struct rcu_cb *cb = rcu_segcblist_take(l);
		bool ready = ref->first < ref->count && ref->seq[ref->first] <= ref->done_seq;

		EXPECT(cb == (ready ? &cbs[ref->first] : NULL), "wrong callback taken");
		if (ready)
			ref->first++;
		return;
	}
	}
}

START_TEST(random_operations_behave_as_one_number_for_each_callback)
{
	static struct rcu_cb cbs[CBS_MAX];
	static struct reference ref;
	struct rng_stream stream;
	struct rcu_segcblist l;
	int64_t gp_seq = RCU_SEQ_INITIAL;

	memset(&ref, 0, sizeof(ref));
	ref.done_seq = gp_seq;
	rng_stream_init(&stream, 11, (uint64_t)_i, 0, RNG_TEST);
	rcu_segcblist_init(&l);
	for (uint64_t op = 0; op < 9000; op++) {
		random_op(&l, &ref, cbs, &gp_seq, rng_u64(&stream) >> 7);
		compare(&l, &ref, op);
	}
	/* nothing is lost: all of them come out, in order, once everything is done */
	for (int round = 0; round < 3; round++) {
		rcu_segcblist_accelerate(&l, rcu_seq_snap(gp_seq));
		gp_seq = SEQ(1000000 + round);
		rcu_segcblist_advance(&l, gp_seq);
	}
	for (; ref.first < ref.count; ref.first++)
		EXPECT(rcu_segcblist_take(&l) == &cbs[ref.first], "callback %d lost", ref.first);
	ck_assert_int_eq(l.len, 0);
	ck_assert(!rcu_segcblist_pending(&l));
	ck_assert_ptr_null(rcu_segcblist_take(&l));
}
END_TEST

/* --- numbers --- */

START_TEST(a_snap_is_a_full_grace_period_away)
{
	for (int64_t k = -300; k < 5; k++) {
		int64_t idle = SEQ(k);

		ck_assert_int_eq(rcu_seq_snap(idle), SEQ(k + 1));
		ck_assert_int_eq(rcu_seq_snap(idle + 1), SEQ(k + 2));
		ck_assert(!rcu_seq_running(idle));
		ck_assert(rcu_seq_running(idle + 1));
		ck_assert_int_eq(((idle + 1) | RCU_SEQ_PHASE_MASK) + 1, SEQ(k + 1));
		ck_assert(!rcu_seq_done(idle + 1, SEQ(k + 1)));
		ck_assert(rcu_seq_done(SEQ(k + 1), SEQ(k + 1)));
		ck_assert_int_eq(rcu_seq_ctr(idle + 1), k);
	}
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("segments");

	tcase_add_test(tcase, an_empty_list_has_nothing_to_do);
	tcase_add_test(tcase, a_new_callback_waits_for_no_grace_period_yet);
	tcase_add_test(tcase, a_callback_is_ready_when_its_number_is_done_and_not_before);
	tcase_add_test(tcase, callbacks_that_come_later_join_a_segment_with_their_number);
	tcase_add_test(tcase, a_third_number_has_to_wait_for_a_free_segment);
	tcase_add_loop_test(tcase, random_operations_behave_as_one_number_for_each_callback, 0, 20);
	tcase_add_test(tcase, a_snap_is_a_full_grace_period_away);
	return fixture_main(suite_create("cblist"), tcase);
}
