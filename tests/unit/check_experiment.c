/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of sim/experiment/: pool, replications, pairing, summaries, answers. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/experiment/pool.h"
#include "tests/unit/fake_scenario.h"

#define ITEMS 1000

struct tally {
	atomic_int seen[ITEMS];
	atomic_int workers_seen;
	atomic_bool stop;
	uint64_t stop_at;
};

static void count_item(void *ctx, int worker_idx, uint64_t item)
{
	struct tally *tally = ctx;

	atomic_fetch_add(&tally->seen[item], 1);
	atomic_fetch_or(&tally->workers_seen, 1 << worker_idx);
	if (item == tally->stop_at)
		atomic_store(&tally->stop, true);
}

START_TEST(every_item_of_a_pool_is_done_once)
{
	for (int jobs = 1; jobs <= 4; jobs++) {
		struct tally tally = {.stop_at = ITEMS};

		ck_assert_uint_eq(pool_run(jobs, ITEMS, count_item, &tally, NULL), ITEMS);
		for (int i = 0; i < ITEMS; i++)
			ck_assert_int_eq(atomic_load(&tally.seen[i]), 1);
		ck_assert_int_lt(atomic_load(&tally.workers_seen), 1 << jobs);
	}
}
END_TEST

START_TEST(one_job_starts_no_thread)
{
	struct tally tally = {.stop_at = ITEMS};

	pool_run(1, ITEMS, count_item, &tally, NULL);
	ck_assert_int_eq(atomic_load(&tally.workers_seen), 1);
}
END_TEST

START_TEST(a_stopped_pool_has_done_a_prefix)
{
	for (int jobs = 1; jobs <= 3; jobs++) {
		struct tally tally = {.stop_at = 100};
		uint64_t done = pool_run(jobs, ITEMS, count_item, &tally, &tally.stop);

		ck_assert_uint_ge(done, 101);
		for (uint64_t i = 0; i < ITEMS; i++)
			ck_assert_int_eq(atomic_load(&tally.seen[i]), i < done ? 1 : 0);
	}
}
END_TEST

START_TEST(a_pool_without_items_returns_at_once)
{
	struct tally tally = {.stop_at = ITEMS};

	ck_assert_uint_eq(pool_run(4, 0, count_item, &tally, NULL), 0);
}
END_TEST

static struct xp_summary summarize(const struct xp_result *result, size_t cell, size_t variant,
				   const char *name)
{
	struct xp_summary summary;

	xp_summarize(result, cell, variant, metric_find(name), &summary);
	return summary;
}

START_TEST(variants_share_the_random_numbers_of_a_replication)
{
	struct fake fake;
	struct xp_result *result;

	fake_init(&fake);
	result = fake_run(&fake, 1);
	for (int64_t r = 0; r < 50; r++) {
		int64_t noise_ns = fake_noise_ns(1, (uint64_t)r);
		double saved;

		ck_assert(xp_value(result, 0, 1, metric_find("saved_ns"), r, &saved));
		ck_assert_int_eq((int64_t)saved, 7 * NS_PER_MS - noise_ns / 10);
	}
	xp_result_destroy(result);
}
END_TEST

static void assert_same_variant(const struct xp_variant *a, const struct xp_variant *b, size_t n)
{
	ck_assert_mem_eq(a->totals, b->totals, n * sizeof(*a->totals));
	ck_assert_mem_eq(a->stops, b->stops, n);
	ck_assert_mem_eq(a->stop_count, b->stop_count, sizeof(a->stop_count));
	ck_assert_int_eq(a->first_stopped.replication, b->first_stopped.replication);
	ck_assert_uint_eq(a->wait_slots, b->wait_slots);
	for (size_t i = 0; i < a->wait_slots; i++) {
		ck_assert(a->waits[i].latency_ns.sum == b->waits[i].latency_ns.sum);
		ck_assert(a->waits[i].latency_ns.sum_sq == b->waits[i].latency_ns.sum_sq);
		ck_assert_int_eq(a->waits[i].latency_ns.max, b->waits[i].latency_ns.max);
		ck_assert_mem_eq(a->waits[i].path_count, b->waits[i].path_count,
				 sizeof(a->waits[i].path_count));
	}
	for (int k = 0; k < 2; k++)
		if (a->gp_latency_ns[k] != NULL)
			ck_assert_mem_eq(a->gp_latency_ns[k], b->gp_latency_ns[k],
					 sizeof(struct stat_hist));
	for (int p = 0; p < WAIT_PATH_COUNT; p++)
		if (a->wait_latency_ns[p] != NULL)
			ck_assert_mem_eq(a->wait_latency_ns[p], b->wait_latency_ns[p],
					 sizeof(struct stat_hist));
}

START_TEST(the_result_does_not_depend_on_the_number_of_jobs)
{
	struct fake fake;
	struct xp_result *one;

	fake_init(&fake);
	fake_set(&fake, 2, "broken", NS_PER_MS, 3);
	fake.variants[0][2].config.event_limit = 21;
	fake_make_matrix(&fake);
	one = fake_run(&fake, 1);
	for (int jobs = 2; jobs <= 5; jobs++) {
		struct xp_result *many = fake_run(&fake, jobs);

		for (size_t c = 0; c < FAKE_CELLS; c++)
			for (size_t v = 0; v < 3; v++)
				assert_same_variant(&one->cells[c].variants[v],
						    &many->cells[c].variants[v], 50);
		xp_result_destroy(many);
	}
	xp_result_destroy(one);
}
END_TEST

START_TEST(summaries_agree_with_their_values)
{
	struct fake fake;
	struct xp_result *result;
	struct xp_summary s;
	double sum = 0.0;

	fake_init(&fake);
	result = fake_run(&fake, 2);
	for (int64_t r = 0; r < 50; r++)
		sum += 40e6 + (double)fake_noise_ns(1, (uint64_t)r);
	s = summarize(result, 0, 0, "boot_time_ns");
	ck_assert_int_eq(s.undefined, XP_DEFINED);
	ck_assert_int_eq(s.n, 50);
	ck_assert_double_eq_tol(s.mean, sum / 50.0, 1e-6);
	ck_assert_double_le(s.min, s.p2_5);
	ck_assert_double_le(s.p2_5, s.p50);
	ck_assert_double_le(s.p50, s.p97_5);
	ck_assert_double_le(s.p97_5, s.max);
	/* t(0.975, 49) = 2.0096 */
	ck_assert_double_eq_tol(s.half_width, 2.0096 * s.sd / sqrt(50.0), s.half_width * 1e-4);
	xp_result_destroy(result);
}
END_TEST

START_TEST(saved_percent_is_taken_of_the_baseline_of_the_same_replication)
{
	struct fake fake;
	struct xp_result *result;
	double sum = 0.0;

	fake_init(&fake);
	result = fake_run(&fake, 1);
	for (int64_t r = 0; r < 50; r++) {
		double noise = (double)fake_noise_ns(1, (uint64_t)r);

		sum += 100.0 * (7e6 - floor(noise / 10.0)) / (40e6 + noise);
	}
	ck_assert_double_eq_tol(summarize(result, 0, 1, "saved_pct").mean, sum / 50.0, 1e-8);
	xp_result_destroy(result);
}
END_TEST

START_TEST(break_even_is_the_present_cost_of_an_ipi_plus_what_it_saves)
{
	struct fake fake;
	struct xp_result *result;
	double saved;
	double per_ipi;

	fake_init(&fake);
	result = fake_run(&fake, 1);
	saved = summarize(result, 0, 1, "saved_ns").mean;
	per_ipi = summarize(result, 0, 1, "saved_per_ipi_ns").mean;
	ck_assert_double_eq_tol(per_ipi, saved / 10.0, 1e-6);
	ck_assert_double_eq_tol(summarize(result, 0, 1, "break_even_ipi_ns").mean, per_ipi + 2000.0,
				1e-6);
	ck_assert_double_eq_tol(xp_extra_ipis(result, 0, 1), 10.0, 1e-12);
	ck_assert(!summarize(result, 0, 1, "saved_per_ipi_ns").has_values);
	xp_result_destroy(result);
}
END_TEST

START_TEST(a_constant_number_of_ipis_gives_the_ratio_the_interval_of_the_saving)
{
	struct fake fake;
	struct xp_result *result;

	fake_init(&fake);
	result = fake_run(&fake, 1);
	ck_assert_double_eq_tol(summarize(result, 0, 1, "saved_per_ipi_ns").half_width,
				summarize(result, 0, 1, "saved_ns").half_width / 10.0, 1.0);
	xp_result_destroy(result);
}
END_TEST

START_TEST(the_ipi_that_wakes_a_stopper_is_counted_once)
{
	const struct run_totals totals = {.ipi_exp = 1, .ipi_resched = 20, .stopper_wakeups = 15};

	ck_assert_int_eq(xp_ipis(&totals), 21);
}
END_TEST

START_TEST(without_extra_ipis_there_is_no_break_even)
{
	struct fake fake;
	struct xp_result *result;

	fake_init(&fake);
	fake_set(&fake, 1, "expedited", 7 * NS_PER_MS, 0);
	result = fake_run(&fake, 1);
	ck_assert_int_eq(summarize(result, 0, 1, "saved_per_ipi_ns").undefined, XP_NO_EXTRA_IPIS);
	ck_assert_int_eq(summarize(result, 0, 1, "break_even_ipi_ns").undefined, XP_NO_EXTRA_IPIS);
	ck_assert(isnan(summarize(result, 0, 1, "break_even_ipi_ns").mean));
	xp_result_destroy(result);
}
END_TEST

START_TEST(a_variant_that_saves_nothing_has_no_break_even)
{
	struct fake fake;
	struct xp_result *result;

	fake_init(&fake);
	fake_set(&fake, 1, "expedited", -NS_PER_MS, 4);
	result = fake_run(&fake, 1);
	ck_assert_int_eq(summarize(result, 0, 1, "break_even_ipi_ns").undefined, XP_NO_SAVING);
	ck_assert_double_lt(summarize(result, 0, 1, "saved_per_ipi_ns").mean, 0.0);
	xp_result_destroy(result);
}
END_TEST

START_TEST(the_baseline_is_not_compared_with_itself)
{
	static const char *const names[] = {"saved_ns", "saved_pct", "saved_per_ipi_ns",
					    "break_even_ipi_ns"};
	struct fake fake;
	struct xp_result *result;

	fake_init(&fake);
	result = fake_run(&fake, 1);
	for (size_t i = 0; i < 4; i++) {
		double value;

		ck_assert_int_eq(summarize(result, 0, 0, names[i]).undefined, XP_IS_BASELINE);
		ck_assert(!xp_value(result, 0, 0, metric_find(names[i]), 0, &value));
	}
	xp_result_destroy(result);
}
END_TEST

START_TEST(runs_that_do_not_complete_are_left_out_with_their_pair)
{
	struct fake fake;
	struct xp_result *result;
	const struct xp_variant *variant;
	double value;

	fake_init(&fake);
	fake.variants[0][1].config.event_limit = 31; /* replications 30..49 */
	result = fake_run(&fake, 3);
	variant = &result->cells[0].variants[1];
	ck_assert(!xp_all_completed(result));
	ck_assert_int_eq(variant->stop_count[RUN_DEADLOCK], 20);
	ck_assert_int_eq(variant->stop_count[RUN_COMPLETED], 30);
	ck_assert_int_eq(variant->first_stopped.replication, 30);
	ck_assert_str_eq(variant->first_stopped.text, "nothing left to do while init waits");
	ck_assert_int_eq(summarize(result, 0, 1, "boot_time_ns").n, 30);
	ck_assert_int_eq(summarize(result, 0, 0, "boot_time_ns").n, 50);
	ck_assert_int_eq(summarize(result, 0, 1, "saved_ns").n, 30);
	ck_assert(!xp_value(result, 0, 1, metric_find("saved_ns"), 30, &value));
	ck_assert_int_eq(variant->waits[1].latency_ns.count, 30);
	xp_result_destroy(result);
}
END_TEST

START_TEST(one_replication_has_a_mean_and_no_interval)
{
	struct fake fake;
	struct xp_result *result;
	struct xp_summary s;

	fake_init(&fake);
	fake.scenario.replications = 1;
	result = fake_run(&fake, 4);
	s = summarize(result, 0, 1, "saved_ns");
	ck_assert_int_eq(s.n, 1);
	ck_assert_double_eq(s.mean, 7e6 - floor((double)fake_noise_ns(1, 0) / 10.0));
	ck_assert(isnan(s.half_width) && isnan(s.sd));
	ck_assert_double_eq(s.min, s.max);
	xp_result_destroy(result);
}
END_TEST

struct interrupt {
	atomic_bool stop;
	uint64_t after;
	uint64_t calls;
	uint64_t total;
};

static void stop_after(void *ctx, uint64_t done, uint64_t total)
{
	struct interrupt *interrupt = ctx;

	interrupt->calls++;
	interrupt->total = total;
	if (done == interrupt->after)
		atomic_store(&interrupt->stop, true);
}

START_TEST(an_interrupted_experiment_keeps_whole_replications)
{
	struct fake fake;
	struct interrupt interrupt = {.after = 18};
	struct xp_options options = {.model = fake_model,
				     .jobs = 2,
				     .stop_asked = &interrupt.stop,
				     .progress = stop_after,
				     .progress_ctx = &interrupt};
	struct xp_result *result;
	int64_t sum = 0;

	fake_init(&fake);
	fake_make_matrix(&fake);
	result = xp_run(&fake.scenario, &options);
	ck_assert(result->interrupted);
	ck_assert_uint_eq(interrupt.total, 200);
	for (size_t c = 0; c < FAKE_CELLS; c++) {
		int64_t replications = result->cells[c].replications;

		ck_assert_int_ge(replications, 4);
		ck_assert_int_le(replications, 6);
		sum += replications;
		for (size_t v = 0; v < 2; v++) {
			const struct xp_variant *variant = &result->cells[c].variants[v];

			ck_assert_int_eq(variant->stop_count[RUN_COMPLETED], replications);
			ck_assert_int_eq(variant->marks[0].at_ns.count, replications);
		}
		ck_assert_int_eq(summarize(result, c, 1, "saved_ns").n, replications);
	}
	ck_assert_int_eq(sum, (int64_t)interrupt.calls);
	xp_result_destroy(result);
}
END_TEST

START_TEST(an_experiment_that_is_not_interrupted_says_so)
{
	struct fake fake;
	struct xp_result *result;

	fake_init(&fake);
	result = fake_run(&fake, 2);
	ck_assert(!result->interrupted);
	ck_assert_int_eq(result->cells[0].replications, 50);
	ck_assert(xp_all_completed(result));
	xp_result_destroy(result);
}
END_TEST

START_TEST(waits_are_kept_by_step_and_latencies_by_path)
{
	struct fake fake;
	struct xp_result *result;
	const struct xp_variant *normal;
	const struct xp_variant *expedited;

	fake_init(&fake);
	result = fake_run(&fake, 2);
	normal = &result->cells[0].variants[0];
	expedited = &result->cells[0].variants[1];
	ck_assert_int_eq(normal->waits[1].path_count[WAIT_NORMAL], 50);
	ck_assert_int_eq(expedited->waits[2].path_count[WAIT_EXPEDITED], 50);
	ck_assert_int_eq(expedited->waits[2].boot_path_count, 50);
	ck_assert_int_eq(normal->wait_latency_ns[WAIT_NORMAL]->count, 100);
	ck_assert_ptr_null(normal->wait_latency_ns[WAIT_EXPEDITED]);
	ck_assert_int_eq(expedited->gp_latency_ns[1]->count, 50);
	ck_assert_ptr_null(expedited->gp_latency_ns[0]);
	ck_assert_int_eq(expedited->waits[2].latency_ns.max, 5000);
	xp_result_destroy(result);
}
END_TEST

START_TEST(a_cell_answers_by_its_95_percent_range)
{
	struct fake fake;
	struct xp_result *result;

	fake_init(&fake);
	fake.scenario.question = (struct scenario_question){
		.asked = true, .metric = "saved_ns", .variant_idx = 1, .value = 6956000};
	fake_make_matrix(&fake);
	result = fake_run(&fake, 2);
	ck_assert_int_eq(xp_answer(result, 0), XP_TOO_SMALL); /* one CPU: exactly 0 */
	ck_assert_int_eq(xp_answer(result, 1), XP_POSSIBLE);  /* 6.9..7.0 ms */
	ck_assert_int_eq(xp_answer(result, 3), XP_TOO_SMALL); /* 1.65..1.75 ms */
	fake.scenario.question.value = 1000;
	ck_assert_int_eq(xp_answer(result, 1), XP_TOO_LARGE);
	fake.scenario.question.value = 0;
	ck_assert_int_eq(xp_answer(result, 0), XP_POSSIBLE);
	xp_result_destroy(result);
}
END_TEST

static Suite *experiment_suite(void)
{
	Suite *suite = suite_create("experiment");
	TCase *pool = tcase_create("pool");
	TCase *runs = tcase_create("runs");
	TCase *numbers = tcase_create("numbers");

	tcase_add_test(pool, every_item_of_a_pool_is_done_once);
	tcase_add_test(pool, one_job_starts_no_thread);
	tcase_add_test(pool, a_stopped_pool_has_done_a_prefix);
	tcase_add_test(pool, a_pool_without_items_returns_at_once);
	suite_add_tcase(suite, pool);
	tcase_add_test(runs, variants_share_the_random_numbers_of_a_replication);
	tcase_add_test(runs, the_result_does_not_depend_on_the_number_of_jobs);
	tcase_add_test(runs, runs_that_do_not_complete_are_left_out_with_their_pair);
	tcase_add_test(runs, an_interrupted_experiment_keeps_whole_replications);
	tcase_add_test(runs, an_experiment_that_is_not_interrupted_says_so);
	tcase_add_test(runs, waits_are_kept_by_step_and_latencies_by_path);
	suite_add_tcase(suite, runs);
	tcase_add_test(numbers, summaries_agree_with_their_values);
	tcase_add_test(numbers, saved_percent_is_taken_of_the_baseline_of_the_same_replication);
	tcase_add_test(numbers, break_even_is_the_present_cost_of_an_ipi_plus_what_it_saves);
	tcase_add_test(numbers,
		       a_constant_number_of_ipis_gives_the_ratio_the_interval_of_the_saving);
	tcase_add_test(numbers, the_ipi_that_wakes_a_stopper_is_counted_once);
	tcase_add_test(numbers, without_extra_ipis_there_is_no_break_even);
	tcase_add_test(numbers, a_variant_that_saves_nothing_has_no_break_even);
	tcase_add_test(numbers, the_baseline_is_not_compared_with_itself);
	tcase_add_test(numbers, one_replication_has_a_mean_and_no_interval);
	tcase_add_test(numbers, a_cell_answers_by_its_95_percent_range);
	suite_add_tcase(suite, numbers);
	return suite;
}

int main(void)
{
	SRunner *runner = srunner_create(experiment_suite());
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
