/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arena: alignment, zeroing, growth, reset. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/arena.h"

START_TEST(memory_is_aligned_and_zeroed)
{
	struct sim_arena *arena = sim_arena_create(1024);

	for (int round = 0; round < 3; round++) {
		for (size_t bytes = 0; bytes < 200; bytes++) {
			unsigned char *memory = sim_arena_alloc(arena, bytes);
			unsigned sum = 0;

			ck_assert_uint_eq((uintptr_t)memory % 16, 0);
			for (size_t i = 0; i < bytes; i++)
				sum |= memory[i];
			ck_assert_uint_eq(sum, 0);
			/* So that a reset that does not zero is noticed. */
			memset(memory, 0xaa, bytes);
		}
		sim_arena_reset(arena);
	}
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(allocations_do_not_overlap_across_blocks)
{
	struct sim_arena *arena = sim_arena_create(256);
	uint32_t *parts[64];

	for (uint32_t i = 0; i < 64; i++) {
		parts[i] = sim_arena_array(arena, i * 5 + 1, sizeof(uint32_t));
		for (uint32_t j = 0; j < i * 5 + 1; j++)
			parts[i][j] = i;
	}
	for (uint32_t i = 0; i < 64; i++) {
		uint32_t wrong = 0;

		for (uint32_t j = 0; j < i * 5 + 1; j++)
			wrong += parts[i][j] != i;
		ck_assert_uint_eq(wrong, 0);
	}
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(a_replication_like_the_last_reuses_its_memory)
{
	struct sim_arena *arena = sim_arena_create(256);
	char *first[2];

	for (int round = 0; round < 4; round++) {
		char *memory = sim_arena_alloc(arena, 100);

		for (int i = 0; i < 50; i++)
			sim_arena_alloc(arena, 1000);
		/* From the second round on everything lies in one block. */
		if (round >= 1)
			ck_assert_ptr_eq((char *)sim_arena_alloc(arena, 16), memory + 112 + 50 * 1008);
		if (round >= 2)
			first[round - 2] = memory;
		sim_arena_reset(arena);
	}
	ck_assert_ptr_eq(first[0], first[1]);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(used_bytes_count_from_the_reset)
{
	struct sim_arena *arena = sim_arena_create(0);

	ck_assert_uint_eq(sim_arena_used_bytes(arena), 0);
	sim_arena_alloc(arena, 1);
	sim_arena_array_raw(arena, 3, 16);
	ck_assert_uint_eq(sim_arena_used_bytes(arena), 64);
	sim_arena_reset(arena);
	ck_assert_uint_eq(sim_arena_used_bytes(arena), 0);
	sim_arena_destroy(arena);
	sim_arena_destroy(NULL);
}
END_TEST

START_TEST(strdup_copies)
{
	struct sim_arena *arena = sim_arena_create(0);
	char text[] = "grace period";
	char *copy = sim_arena_strdup(arena, text);

	text[0] = 'x';
	ck_assert_str_eq(copy, "grace period");
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(an_array_whose_size_overflows_aborts)
{
	sim_arena_array(sim_arena_create(0), SIZE_MAX / 2, 3);
}
END_TEST

START_TEST(a_raw_array_whose_size_overflows_aborts)
{
	sim_arena_array_raw(sim_arena_create(0), SIZE_MAX, 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("arena");
	TCase *tcase = tcase_create("arena");
	const char *fork_mode = getenv("CK_FORK");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, memory_is_aligned_and_zeroed);
	tcase_add_test(tcase, allocations_do_not_overlap_across_blocks);
	tcase_add_test(tcase, a_replication_like_the_last_reuses_its_memory);
	tcase_add_test(tcase, used_bytes_count_from_the_reset);
	tcase_add_test(tcase, strdup_copies);
	/* They end their process: possible only when each test has its own. */
	if (fork_mode == NULL || strcmp(fork_mode, "no") != 0) {
		tcase_add_test_raise_signal(tcase, an_array_whose_size_overflows_aborts, 6);
		tcase_add_test_raise_signal(tcase, a_raw_array_whose_size_overflows_aborts, 6);
	}
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? 0 : 1;
}
