/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The polled API (mechanics 3.13): when a cookie is done, and what each kernel has. */
#include "tests/model/model_fixture.h"

enum { ID_SLEEP = 1, ID_TAKE, ID_POLL, ID_PAUSE, ID_LOOP, ID_WAIT, ID_OTHER, ID_LAST };

#define NEVER (-1)

static struct step step_cookie(enum step_kind kind, uint32_t id)
{
	struct step s = step_of(kind, id);

	s.label = "cookie";
	return s;
}

static sim_time_ns done_at_ns(const struct run_record *r)
{
	for (size_t i = 0; i < r->mark_count; i++)
		if (strcmp(r->marks[i].name, "cookie") == 0)
			return r->marks[i].at_ns;
	return NEVER;
}

/*
 * CPU 0 takes a cookie after 7.3 jiffies and polls it 400 times, each 100 us; CPU 1
 * waits from `other_ns` on for a grace period of kind `other` (STEP_KIND_COUNT: none).
 */
static struct run_record take_and_poll(struct model_config *cfg, enum step_kind take,
				       enum step_kind other, sim_time_ns other_ns,
				       struct sim_arena *arena)
{
	const struct step body[] = {
		step_cookie(STEP_POLL, ID_POLL),
		step_timed(STEP_SLEEP, ID_PAUSE, 100 * NS_PER_US),
	};
	const struct step taker[] = {
		step_timed(STEP_SLEEP, ID_SLEEP, fixture_jiffy_ns(cfg) * 73 / 10),
		step_cookie(take, ID_TAKE),
		step_loop(ID_LOOP, 400, body, 2),
	};
	const struct step waiter[] = {
		step_timed(STEP_SLEEP, ID_OTHER, other_ns),
		step_of(other, ID_WAIT),
	};
	const struct task_config tasks[] = { { "taker", 0, taker, 3 }, { "waiter", 1, waiter, 2 } };

	struct run_record r;

	fixture_tasks(cfg, tasks, other == STEP_KIND_COUNT ? 1 : 2);
	r = fixture_run(cfg, 1, 0, arena, NULL);
	fixture_tasks(cfg, NULL, 0);
	return r;
}

START_TEST(get_state_starts_nothing_and_start_poll_a_grace_period)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	struct run_record r;
	sim_time_ns jiffy_ns;

	fixture_booted(&cfg, "v6.1", 250, 4);
	jiffy_ns = fixture_jiffy_ns(&cfg);
	r = take_and_poll(&cfg, STEP_GET_STATE, STEP_KIND_COUNT, 0, arena);
	ck_assert_int_eq(done_at_ns(&r), NEVER);
	ck_assert_int_eq(r.totals.gp_normal, 0);

	r = take_and_poll(&cfg, STEP_START_POLL, STEP_KIND_COUNT, 0, arena);
	ck_assert_int_eq(r.totals.gp_normal, 1);
	/* started at once, no callback: j1 + w - phi, as an offloaded wait; sleeps end at ticks */
	ck_assert_int_ge(done_at_ns(&r), r.gps[0].end_ns);
	ck_assert_int_le(done_at_ns(&r), r.gps[0].end_ns + 2 * jiffy_ns);
	ck_assert_int_lt(r.gps[0].start_ns, 74 * jiffy_ns / 10);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(a_cookie_taken_while_a_grace_period_runs_needs_the_next_one)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	struct run_record r;

	fixture_booted(&cfg, "v6.1", 250, 4);
	/* the waiter's grace period starts at the 7th tick, the cookie is taken at 7.3 */
	r = take_and_poll(&cfg, STEP_START_POLL, STEP_SYNC, fixture_jiffy_ns(&cfg) * 63 / 10, arena);
	ck_assert_uint_ge(r.gp_count, 2);
	ck_assert_int_lt(r.gps[0].start_ns, fixture_jiffy_ns(&cfg) * 73 / 10);
	ck_assert_int_gt(r.gps[0].end_ns, fixture_jiffy_ns(&cfg) * 73 / 10);
	ck_assert_int_ge(done_at_ns(&r), r.gps[1].end_ns);
	/* without a request of its own it is not done by the first either */
	r = take_and_poll(&cfg, STEP_GET_STATE, STEP_SYNC, fixture_jiffy_ns(&cfg) * 63 / 10, arena);
	ck_assert_uint_eq(r.gp_count, 1);
	ck_assert_int_eq(done_at_ns(&r), NEVER);
	sim_arena_destroy(arena);
}
END_TEST

/* gp_seq_polled */
START_TEST(an_expedited_grace_period_satisfies_a_cookie_only_with_gp_seq_polled)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	struct run_record r;

	for (int64_t api = POLLED_NORMAL; api <= POLLED_ANY_GP; api++) {
		fixture_booted(&cfg, "v6.1", 250, 4);
		cfg.kernel.profile.polled_api = api;
		r = take_and_poll(&cfg, STEP_GET_STATE, STEP_SYNC_EXPEDITED,
				  fixture_jiffy_ns(&cfg) * 85 / 10, arena);
		ck_assert_int_eq(r.totals.gp_expedited, 1);
		ck_assert_int_eq(r.totals.gp_normal, 0);
		if (api == POLLED_ANY_GP)
			ck_assert_int_ge(done_at_ns(&r), r.gps[0].end_ns);
		else
			ck_assert_int_eq(done_at_ns(&r), NEVER);
	}
	/* one that was over before the cookie was taken does not count */
	r = take_and_poll(&cfg, STEP_GET_STATE, STEP_SYNC_EXPEDITED, fixture_jiffy_ns(&cfg) * 3,
			  arena);
	ck_assert_int_eq(r.totals.gp_expedited, 1);
	ck_assert_int_eq(done_at_ns(&r), NEVER);
	sim_arena_destroy(arena);
}
END_TEST

/*
 * Of two that overlap, the first to end ends the number; the other one ends nothing.
 * A cookie from between their starts is not done by either, though one of them
 * proved it: only the full cookie, which the model has not, would tell.
 */
START_TEST(overlapping_grace_periods_advance_gp_seq_polled_once)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	struct run_record r;
	const struct step expediter[] = {
		step_timed(STEP_SLEEP, ID_OTHER, 75 * NS_PER_MS / 10 * 4),
		step_of(STEP_SYNC_EXPEDITED, ID_WAIT),
	};
	const struct step normal[] = {
		step_timed(STEP_SLEEP, ID_LAST, 63 * NS_PER_MS / 10 * 4),
		step_of(STEP_SYNC, ID_WAIT),
	};

	for (int late = 0; late <= 1; late++) {
		const struct step body[] = {
			step_cookie(STEP_POLL, ID_POLL),
			step_timed(STEP_SLEEP, ID_PAUSE, 100 * NS_PER_US),
		};
		const struct step taker[] = {
			step_timed(STEP_SLEEP, ID_SLEEP, (late ? 73 : 50) * NS_PER_MS / 10 * 4),
			step_cookie(STEP_GET_STATE, ID_TAKE),
			step_loop(ID_LOOP, 100, body, 2),
		};
		const struct task_config tasks[] = { { "taker", 0, taker, 3 },
						     { "normal", 1, normal, 2 },
						     { "expediter", 2, expediter, 2 } };

		fixture_booted(&cfg, "v6.1", 250, 4);
		fixture_tasks(&cfg, tasks, 3);
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		ck_assert_uint_eq(r.gp_count, 2);
		ck_assert(r.gps[0].expedited && !r.gps[1].expedited);
		ck_assert_int_lt(r.gps[1].start_ns, r.gps[0].start_ns);
		if (late) {
			ck_assert_int_eq(done_at_ns(&r), NEVER);
		} else {
			ck_assert_int_ge(done_at_ns(&r), r.gps[0].end_ns);
			ck_assert_int_lt(done_at_ns(&r), r.gps[1].end_ns);
		}
	}
	sim_arena_destroy(arena);
}
END_TEST

/* The same when the expedited one begins first: a busy CPU holds it. */
START_TEST(a_normal_grace_period_joins_the_number_of_the_expedited_one)
{
	const struct step body[] = {
		step_cookie(STEP_POLL, ID_POLL),
		step_timed(STEP_SLEEP, ID_PAUSE, 100 * NS_PER_US),
	};
	const struct step taker[] = {
		step_timed(STEP_SLEEP, ID_SLEEP, 20 * NS_PER_MS),
		step_cookie(STEP_GET_STATE, ID_TAKE),
		step_loop(ID_LOOP, 400, body, 2),
	};
	const struct step expediter[] = {
		step_timed(STEP_SLEEP, ID_OTHER, 21 * NS_PER_MS),
		step_of(STEP_SYNC_EXPEDITED, ID_WAIT),
	};
	const struct step normal[] = {
		step_timed(STEP_SLEEP, ID_LAST, 23 * NS_PER_MS),
		step_of(STEP_SYNC, ID_WAIT),
	};
	const struct step hog[] = { step_timed(STEP_RUN, 9, 35 * NS_PER_MS) };
	const struct task_config tasks[] = { { "taker", 0, taker, 3 },
					     { "normal", 1, normal, 2 },
					     { "expediter", 2, expediter, 2 },
					     { "hog", 3, hog, 1 } };
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	struct run_record r;

	fixture_booted(&cfg, "v6.1", 250, 4);
	fixture_tasks(&cfg, tasks, 4);
	r = fixture_run(&cfg, 1, 0, arena, NULL);
	ck_assert_uint_eq(r.gp_count, 2);
	ck_assert(r.gps[0].expedited && !r.gps[1].expedited);
	ck_assert_int_lt(r.gps[0].start_ns, r.gps[1].start_ns);
	ck_assert_int_gt(r.gps[0].end_ns, r.gps[1].start_ns);
	ck_assert_int_ge(done_at_ns(&r), r.gps[0].end_ns);
	ck_assert_int_lt(done_at_ns(&r), r.gps[1].end_ns);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(cond_synchronize_rcu_waits_only_for_what_is_not_over_in_every_profile)
{
	struct sim_arena *arena = sim_arena_create(0);
	size_t count;
	const struct rcu_profile *all = profile_all(&count);

	for (size_t i = 0; i < count; i++) {
		const struct step steps[] = {
			step_timed(STEP_SLEEP, ID_SLEEP, 29200 * NS_PER_US),
			step_cookie(STEP_GET_STATE, ID_TAKE),
			step_cookie(STEP_COND_SYNC, ID_WAIT),
			step_cookie(STEP_COND_SYNC, ID_OTHER),
			step_cookie(STEP_GET_STATE, ID_POLL),
			step_of(STEP_SYNC, ID_PAUSE),
			step_cookie(STEP_COND_SYNC, ID_LAST),
		};
		const struct task_config task = { "caller", 0, steps, 7 };
		struct model_config cfg;
		struct run_record r;

		fixture_booted(&cfg, all[i].name, 250, 4);
		fixture_tasks(&cfg, &task, 1);
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		EXPECT(r.wait_count == 2, "%s: %zu waits", all[i].name, r.wait_count);
		ck_assert_int_eq(r.waits[0].path, WAIT_NORMAL);
		ck_assert_uint_eq(r.waits[0].step_id, ID_WAIT);
		ck_assert_uint_eq(r.waits[1].step_id, ID_PAUSE);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* 6.1 synchronize_rcu(): where it is a no-op it advances gp_seq_polled. */
START_TEST(a_vacuous_wait_before_the_scheduler_runs_satisfies_a_cookie)
{
	const struct step steps[] = {
		step_at(LEVEL_START_KERNEL, step_cookie(STEP_GET_STATE, ID_TAKE)),
		step_at(LEVEL_START_KERNEL, step_of(STEP_SYNC, ID_WAIT)),
		step_at(LEVEL_START_KERNEL, step_cookie(STEP_POLL, ID_POLL)),
		step_at(LEVEL_START_KERNEL, step_timed(STEP_RUN, ID_PAUSE, NS_PER_MS)),
	};
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	struct run_record r;

	for (int waits = 0; waits <= 1; waits++) {
		const struct step without[] = { steps[0], steps[2], steps[3] };

		fixture_boot(&cfg, "v6.1", 250, 1);
		cfg.boot_steps = waits ? steps : without;
		cfg.boot_step_count = waits ? 4 : 3;
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		if (waits)
			ck_assert_uint_lt((uint64_t)done_at_ns(&r), NS_PER_MS);
		else
			ck_assert_int_eq(done_at_ns(&r), NEVER);
	}
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(kernels_without_start_poll_reject_it)
{
	static const struct {
		const char *profile;
		int64_t api; /* -1: the profile's */
		bool ok;
	} rows[] = {
		{ "v3.19", -1, false }, { "v5.10", -1, false }, { "v5.10", POLLED_NORMAL, true },
		{ "v6.1", -1, true },	{ "v6.12", -1, true },	{ "v4.4", POLLED_NORMAL, false },
		{ "v6.1", POLLED_COND_ONLY, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (int k = 0; k < 2; k++) {
			const struct step step = step_cookie(k ? STEP_POLL : STEP_START_POLL, ID_TAKE);
			const struct task_config task = { "caller", 0, &step, 1 };
			struct model_config cfg;
			char why[240];
			uint32_t step_id;

			fixture_booted(&cfg, rows[i].profile, 250, 2);
			if (rows[i].api >= 0)
				cfg.kernel.profile.polled_api = rows[i].api;
			fixture_tasks(&cfg, &task, 1);
			EXPECT(model_config_check(&cfg, why, sizeof(why), &step_id) == rows[i].ok,
			       "row %zu: %s", i, why);
			if (!rows[i].ok)
				ck_assert_ptr_nonnull(strstr(why, k ? "poll_state_synchronize_rcu" :
								      "start_poll_synchronize_rcu"));
		}
	}
}
END_TEST

START_TEST(asking_for_a_cookie_nobody_took_is_an_error_of_the_workload)
{
	const struct step step = step_cookie(STEP_COND_SYNC, ID_WAIT);
	const struct task_config task = { "caller", 0, &step, 1 };
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	struct run_record r;

	fixture_booted(&cfg, "v6.1", 250, 2);
	fixture_tasks(&cfg, &task, 1);
	r = fixture_run_any(&cfg, 1, 0, arena, NULL);
	ck_assert_int_eq(r.stop, RUN_MODEL_ERROR);
	ck_assert_ptr_nonnull(strstr(r.stop_text, "cookie"));
	sim_arena_destroy(arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("poll");
	TCase *tc = tcase_create("poll");

	tcase_add_test(tc, get_state_starts_nothing_and_start_poll_a_grace_period);
	tcase_add_test(tc, a_cookie_taken_while_a_grace_period_runs_needs_the_next_one);
	tcase_add_test(tc, an_expedited_grace_period_satisfies_a_cookie_only_with_gp_seq_polled);
	tcase_add_test(tc, overlapping_grace_periods_advance_gp_seq_polled_once);
	tcase_add_test(tc, a_normal_grace_period_joins_the_number_of_the_expedited_one);
	tcase_add_test(tc, cond_synchronize_rcu_waits_only_for_what_is_not_over_in_every_profile);
	tcase_add_test(tc, a_vacuous_wait_before_the_scheduler_runs_satisfies_a_cookie);
	tcase_add_test(tc, kernels_without_start_poll_reject_it);
	tcase_add_test(tc, asking_for_a_cookie_nobody_took_is_an_error_of_the_workload);
	return fixture_main(suite, tc);
}
