/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tools that find and shrink failures: minimiser, dump, runs in a child. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/model/config_dump.h"
#include "tests/model/minimise.h"
#include "tests/model/model_fixture.h"
#include "tests/model/random_config.h"
#include "tests/model/torture_run.h"

/*
 * The planted fault: an expedited grace period that lies inside a normal one, a
 * thing of several tasks' or steps' making, as real failures are.
 */
static bool has_nested_gps(const struct model_config *config, void *arg)
{
	const struct run_options options = { .seed = *(const uint64_t *)arg };
	struct sim_arena *arena = sim_arena_create(0);
	struct run_record r;
	bool found = false;

	model_run(config, &options, arena, &r);
	for (size_t i = 0; i < r.gp_count && r.stop == RUN_COMPLETED; i++) {
		for (size_t j = 0; j < r.gp_count && r.gps[i].expedited; j++)
			found = found || (!r.gps[j].expedited && r.gps[j].start_ns < r.gps[i].start_ns &&
					  r.gps[i].end_ns < r.gps[j].end_ns);
	}
	sim_arena_destroy(arena);
	return found;
}

static bool holds_always(const struct model_config *config, void *arg)
{
	(void)config;
	++*(int *)arg;
	return true;
}

static bool holds_never(const struct model_config *config, void *arg)
{
	(void)config;
	++*(int *)arg;
	return false;
}

START_TEST(the_minimiser_leaves_a_few_steps_of_many_that_still_fail)
{
	struct sim_arena *arena = sim_arena_create(0);
	int shrunk = 0;

	for (uint64_t number = 0; number < 40; number++) {
		const struct model_config *config = random_config(arena, number);
		struct minimise_result small;

		if (!has_nested_gps(config, &number) || config_step_count(config) < 20)
			continue;
		small = minimise(arena, config, 20000, has_nested_gps, &number);
		ck_assert(small.is_minimal);
		ck_assert(has_nested_gps(small.config, &number));
		EXPECT(config_step_count(small.config) <= 10, "config %llu: %zu of %zu steps are left",
		       (unsigned long long)number, config_step_count(small.config),
		       config_step_count(config));
		ck_assert_int_le(small.config->machine.cpus, 4);
		shrunk++;
	}
	ck_assert_int_ge(shrunk, 3);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(the_minimiser_ends_at_its_limit_and_changes_nothing_that_must_stay)
{
	struct sim_arena *arena = sim_arena_create(0);

	for (uint64_t number = 0; number < 20; number++) {
		const struct model_config *config = random_config(arena, number);
		struct minimise_result result;
		int tries = 0;

		result = minimise(arena, config, 7, holds_always, &tries);
		ck_assert_int_eq(tries, 7);
		ck_assert_int_eq(result.tries, 7);
		ck_assert(!result.is_minimal);
		tries = 0;
		result = minimise(arena, config, 100000, holds_never, &tries);
		ck_assert(result.is_minimal);
		ck_assert_ptr_eq(result.config, config);
		ck_assert_int_gt(tries, 10);
		result = minimise(arena, config, 100000, holds_always, &tries);
		ck_assert_uint_le(config_step_count(result.config), 1);
		ck_assert_int_eq(result.config->machine.cpus, 1);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* A dump is what is run: the program, and the values that are not the defaults. */
START_TEST(a_dump_names_what_the_config_has)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	const struct step body[] = { step_timed(STEP_RUN, 2, 1500) };
	struct step read = step_of(STEP_READ, 1);
	struct task_config task = { "a", 1, &read, 1 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	read.body = body;
	read.body_count = 1;
	read.count = SECTION_BH;
	read.duration = dist_constant(20);
	fixture_booted(&cfg, "v4.9", 300, 2);
	cfg.kernel.fast_no_hz = true;
	cfg.kernel.highres = false;
	cpu_mask_set(&cfg.machine.nocb, 1);
	fixture_tasks(&cfg, &task, 1);
	config_dump(out, &cfg, 77, "what it shows");
	fclose(out);
	ck_assert_ptr_nonnull(strstr(text, "title: \"what it shows\"\nseed: 77\nreplications: 1\n"));
	ck_assert_ptr_nonnull(strstr(text, "  profile: v4.9\n"));
	ck_assert_ptr_nonnull(strstr(text, "  fast_no_hz: true\n"));
	ck_assert_ptr_nonnull(strstr(text, " highres=off\n"));
	ck_assert_ptr_nonnull(strstr(text, "  hz: 300\n"));
	ck_assert_ptr_nonnull(strstr(text, "  nocb: \"1\"\n"));
	ck_assert_ptr_nonnull(strstr(text, "    - name: task0\n      cpu: 1\n      do:\n"
					   "        - read:\n            ends_in: {bh_off: 20ns}\n"
					   "            do:\n              - run: 1500ns\n"));
	free(text);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(a_run_in_a_child_is_the_same_run)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct sim_arena *config_arena = sim_arena_create(0);

	for (uint64_t number = 0; number < 30; number++) {
		const struct model_config *config = random_config(config_arena, number);
		struct torture_outcome here, apart;

		sim_arena_reset(arena);
		torture_run(config, number, arena, &here);
		torture_run_apart(config, number, 60, &apart);
		ck_assert(!here.failed);
		ck_assert_mem_eq(&here, &apart, sizeof(here));
	}
	sim_arena_destroy(arena);
	sim_arena_destroy(config_arena);
}
END_TEST

START_TEST(a_run_that_fails_in_a_child_is_told_apart)
{
	const struct step unbalanced[] = { step_of(STEP_UNEXPEDITE, 1) };
	const struct task_config task = { "a", -1, unbalanced, 1 };
	struct torture_outcome out;
	struct model_config cfg;

	fixture_booted(&cfg, "v6.1", 250, 1);
	fixture_tasks(&cfg, &task, 1);
	torture_run_apart(&cfg, 1, 60, &out);
	ck_assert(out.failed);
	ck_assert_str_eq(out.kind, run_stop_name(RUN_MODEL_ERROR));
	cfg.kernel.profile.has_nesting = 0; /* a bug of the caller's: requirement failed */
	torture_run_apart(&cfg, 1, 60, &out);
	ck_assert(out.failed);
	ck_assert_str_eq(out.kind, "bug");
	torture_died(SIGSEGV, &out);
	ck_assert_str_eq(out.kind, "killed by signal 11");
	torture_died(SIGALRM, &out);
	ck_assert_str_eq(out.kind, "hangs");
}
END_TEST

/* The oracle is silent whatever the order of ties, and equal seeds give equal runs. */
START_TEST(shuffled_ties_break_no_condition_and_depend_on_the_seed_alone)
{
	struct sim_arena *config_arena = sim_arena_create(0);
	struct sim_arena *arena = sim_arena_create(0);
	int changed = 0;

	for (uint64_t number = 0; number < 400; number++) {
		const struct model_config *config = random_config(config_arena, number);
		struct run_record r[3];

		for (uint64_t i = 0; i < 3; i++) {
			const struct run_options options = { .seed = number, .check = true,
							     .shuffle_ties = i > 0, .tie_seed = 5 };

			sim_arena_reset(arena);
			model_run(config, &options, arena, &r[i]);
			EXPECT(r[i].stop == RUN_COMPLETED, "config %llu: %s", (unsigned long long)number,
			       r[i].stop_text);
		}
		ck_assert_mem_eq(&r[1].totals, &r[2].totals, sizeof(r[1].totals));
		changed += memcmp(&r[0].totals, &r[1].totals, sizeof(r[0].totals)) != 0;
		sim_arena_reset(config_arena);
	}
	ck_assert_int_gt(changed, 40);
	sim_arena_destroy(arena);
	sim_arena_destroy(config_arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("torture");
	TCase *tc = tcase_create("torture");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, the_minimiser_leaves_a_few_steps_of_many_that_still_fail);
	tcase_add_test(tc, the_minimiser_ends_at_its_limit_and_changes_nothing_that_must_stay);
	tcase_add_test(tc, a_dump_names_what_the_config_has);
	tcase_add_test(tc, a_run_in_a_child_is_the_same_run);
	tcase_add_test(tc, a_run_that_fails_in_a_child_is_told_apart);
	tcase_add_test(tc, shuffled_ties_break_no_condition_and_depend_on_the_seed_alone);
	return fixture_main(suite, tc);
}
