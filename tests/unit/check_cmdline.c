/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of sim/scenario/cmdline.c: kernel command lines as users type them. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scenario/cmdline.h"

/* A command line applied to a machine of 8 CPUs; freed by done(). */
struct applied {
	struct load load;
	struct model_config config;
	bool ok;
};

static struct applied *apply_to(const char *profile, const char *text)
{
	struct applied *a = calloc(1, sizeof(*a));
	struct cmdline_text cmdline = {.text = text, .exact = true, .at = {"c", 1, 1}};

	ck_assert_ptr_nonnull(a);
	a->load.arena = sim_arena_create(0);
	a->load.diag = calloc(1, sizeof(*a->load.diag));
	ck_assert_ptr_nonnull(a->load.diag);
	model_config_default(&a->config);
	a->config.kernel.profile = *profile_find(profile);
	a->config.machine.cpus = 8;
	a->config.machine.cpus_online = 8;
	a->ok = cmdline_apply(&a->load, &cmdline, &a->config);
	ck_assert_int_eq(a->ok, a->load.diag->error_count == 0);
	return a;
}

static struct applied *apply(const char *text)
{
	return apply_to("v4.9", text);
}

static void done(struct applied *a)
{
	sim_arena_destroy(a->load.arena);
	free(a->load.diag);
	free(a);
}

static bool has_note(const struct applied *a, const char *text)
{
	for (size_t i = 0; i < a->load.note_count; i++)
		if (strstr(a->load.notes[i], text))
			return true;
	return false;
}

static void refuse(const char *text, int column, const char *message, const char *hint)
{
	struct applied *a = apply(text);
	const struct diag_item *item = &a->load.diag->items[0];

	ck_assert_msg(!a->ok, "%s", text);
	ck_assert_msg(strstr(item->text, message) != NULL, "'%s' lacks '%s'", item->text, message);
	ck_assert_int_eq(item->column, column);
	if (hint)
		ck_assert_str_eq(item->hint, hint);
	done(a);
}

START_TEST(every_parameter_reaches_its_field)
{
	struct applied *a = apply(
		"rcupdate.rcu_expedited=1 rcupdate.rcu_normal=1 rcupdate.rcu_normal_after_boot=1 "
		"rcutree.jiffies_till_first_fqs=2 rcutree.jiffies_till_next_fqs=5 "
		"rcutree.jiffies_till_sched_qs=100 rcutree.rcu_fanout_leaf=32 "
		"rcutree.rcu_fanout_exact=1 rcutree.blimit=20 rcutree.qhimark=500 "
		"rcutree.qlowmark=50 nohz=off highres=off skew_tick=1");

	ck_assert(a->ok);
	ck_assert(a->config.kernel.rcu_expedited);
	ck_assert(a->config.kernel.rcu_normal);
	ck_assert(a->config.kernel.rcu_normal_after_boot);
	ck_assert_int_eq(a->config.kernel.jiffies_till_first_fqs, 2);
	ck_assert_int_eq(a->config.kernel.jiffies_till_next_fqs, 5);
	ck_assert_int_eq(a->config.kernel.jiffies_till_sched_qs, 100);
	ck_assert_int_eq(a->config.kernel.rcu_fanout_leaf, 32);
	ck_assert(a->config.kernel.rcu_fanout_exact);
	ck_assert_int_eq(a->config.kernel.blimit, 20);
	ck_assert_int_eq(a->config.kernel.qhimark, 500);
	ck_assert_int_eq(a->config.kernel.qlowmark, 50);
	ck_assert(!a->config.kernel.nohz);
	ck_assert(!a->config.kernel.highres);
	ck_assert(a->config.kernel.skew_tick);
	ck_assert_uint_eq(a->load.note_count, 0);
	done(a);
}
END_TEST

START_TEST(stall_parameters_reach_their_fields_where_the_profile_has_them)
{
	static const char text[] = "rcupdate.rcu_cpu_stall_timeout=60 rcupdate.rcu_cpu_stall_suppress=1 "
				   "rcupdate.rcu_exp_cpu_stall_timeout=20";
	struct applied *a = apply_to("v6.1", text);

	ck_assert(a->ok);
	ck_assert_int_eq(a->config.kernel.rcu_cpu_stall_timeout, 60);
	ck_assert_int_eq(a->config.kernel.rcu_exp_cpu_stall_timeout, 20);
	ck_assert(a->config.kernel.rcu_cpu_stall_suppress);
	done(a);
	a = apply_to("v4.9", text);
	ck_assert(a->ok);
	ck_assert_int_eq(a->config.kernel.rcu_exp_cpu_stall_timeout, 0);
	ck_assert(has_note(a, "rcu_exp_cpu_stall_timeout is not read by kernel v4.9"));
	done(a);
}
END_TEST

START_TEST(an_empty_command_line_changes_nothing)
{
	struct applied *a = apply("   ");
	struct applied *b = apply("");

	ck_assert(a->ok && b->ok);
	ck_assert(!a->config.kernel.rcu_expedited);
	ck_assert_int_eq(a->config.kernel.jiffies_till_first_fqs, -1);
	done(a);
	done(b);
}
END_TEST

START_TEST(cpu_lists_offload_cpus)
{
	struct applied *a = apply("rcu_nocbs=0-2,5");

	ck_assert_uint_eq(a->config.machine.nocb.word[0], 0x27);
	done(a);
	a = apply("rcu_nocbs=all");
	ck_assert_uint_eq(a->config.machine.nocb.word[0], 0xff);
	done(a);
	a = apply("rcu_nocbs=6-N");
	ck_assert_uint_eq(a->config.machine.nocb.word[0], 0xc0);
	done(a);
	a = apply("nohz_full=1-3 rcu_nocbs=0");
	ck_assert_uint_eq(a->config.machine.nocb.word[0], 0x0f);
	ck_assert(has_note(a, "not modelled"));
	done(a);
	a = apply("rcu_nocbs=6-20");
	ck_assert(a->ok);
	ck_assert_uint_eq(a->config.machine.nocb.word[0], 0xc0);
	ck_assert(has_note(a, "do not exist"));
	done(a);
}
END_TEST

START_TEST(cpu_counts_are_limited_wherever_they_stand)
{
	struct applied *a = apply("rcu_nocbs=all nr_cpus=4 maxcpus=2");

	ck_assert_int_eq(a->config.machine.cpus, 4);
	ck_assert_int_eq(a->config.machine.cpus_online, 2);
	ck_assert_uint_eq(a->config.machine.nocb.word[0], 0xf);
	done(a);
	a = apply("maxcpus=0");
	ck_assert_int_eq(a->config.machine.cpus, 8);
	ck_assert_int_eq(a->config.machine.cpus_online, 1);
	done(a);
	a = apply("nosmp");
	ck_assert_int_eq(a->config.machine.cpus_online, 1);
	done(a);
	a = apply("possible_cpus=64");
	ck_assert_int_eq(a->config.machine.cpus, 64);
	ck_assert_int_eq(a->config.machine.cpus_online, 8);
	done(a);
	a = apply("nr_cpus=64");
	ck_assert_int_eq(a->config.machine.cpus, 8);
	done(a);
}
END_TEST

START_TEST(words_that_rcu_does_not_read_become_one_note)
{
	struct applied *a = apply("root=/dev/sda1 quiet console=ttyS0,115200 rcu_nocb_poll");

	ck_assert(a->ok);
	ck_assert(has_note(a, "ignored: root, quiet, console"));
	ck_assert(has_note(a, "rcu_nocb_poll is read by the kernel but not modelled"));
	ck_assert_uint_eq(a->load.note_count, 2);
	done(a);
	a = apply("rcutorture.nreaders=4");
	ck_assert(a->ok);
	done(a);
}
END_TEST

START_TEST(parameters_that_the_profile_lacks_are_noted_and_not_applied)
{
	struct applied *a = apply_to("v4.1", "rcupdate.rcu_normal=1 rcutree.rcu_fanout_exact=1");

	ck_assert(a->ok);
	ck_assert(!a->config.kernel.rcu_normal);
	ck_assert(!a->config.kernel.rcu_fanout_exact);
	ck_assert(has_note(a, "rcupdate.rcu_normal is not read by kernel v4.1"));
	ck_assert(has_note(a, "rcutree.rcu_fanout_exact is not read by kernel v4.1"));
	done(a);
}
END_TEST

START_TEST(misspelt_parameters_are_errors_with_a_hint)
{
	refuse("quiet rcupdate.rcu_expedite=1", 7, "unknown RCU parameter",
	       "did you mean 'rcupdate.rcu_expedited'?");
	refuse("rcu_nocb=1", 1, "unknown RCU parameter", "did you mean 'rcu_nocbs'?");
	refuse("rcu_expedited=1", 1, "unknown RCU parameter",
	       "did you mean 'rcupdate.rcu_expedited'?");
	refuse("rcutree.nothing_like_it=1", 1, "unknown RCU parameter", NULL);
	refuse("cupdate.rcu_expedited=1", 1, "unknown RCU parameter",
	       "did you mean 'rcupdate.rcu_expedited'?");
}
END_TEST

START_TEST(values_are_checked)
{
	refuse("rcupdate.rcu_expedited", 1, "needs a value", NULL);
	refuse("rcupdate.rcu_expedited=", 1, "needs a value", NULL);
	refuse("rcupdate.rcu_expedited=yes", 1, "is no number", NULL);
	refuse("rcutree.rcu_fanout_leaf=1", 1, "must be 2 to 64", NULL);
	refuse("rcutree.jiffies_till_first_fqs=-1", 1, "must be 0 to", NULL);
	refuse("rcutree.blimit=99999999999999999999", 1, "is no number", NULL);
	refuse("nohz=maybe", 1, "on or off", NULL);
	refuse("rcu_nocbs=3-1", 1, "list of CPUs", NULL);
	refuse("maxcpus=two", 1, "is no number", NULL);
}
END_TEST

START_TEST(the_kernels_own_syntax_is_understood)
{
	struct applied *a = apply("rcupdate.rcu-expedited=0x1 \"rcutree.blimit\"=\"12\"\tnohz=0 -- "
				  "rcu_nocb=1 nonsense");

	ck_assert(a->ok);
	ck_assert(a->config.kernel.rcu_expedited);
	ck_assert_int_eq(a->config.kernel.blimit, 12);
	ck_assert(!a->config.kernel.nohz);
	ck_assert_uint_eq(a->load.note_count, 0);
	done(a);
	a = apply("rcupdate.rcu_expedited=1 rcupdate.rcu_expedited=0");
	ck_assert(!a->config.kernel.rcu_expedited);
	done(a);
}
END_TEST

START_TEST(fqs_times_are_capped_as_the_kernel_caps_them)
{
	struct applied *a =
		apply("rcutree.jiffies_till_first_fqs=5000 rcutree.jiffies_till_next_fqs=0");

	ck_assert_int_eq(a->config.kernel.jiffies_till_first_fqs, a->config.machine.hz);
	ck_assert_int_eq(a->config.kernel.jiffies_till_next_fqs, 1);
	done(a);
}
END_TEST

START_TEST(a_command_line_longer_than_the_kernels_is_refused)
{
	char text[CMDLINE_BYTES_MAX + 2];

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	refuse(text, 1, "more than 4096 bytes", NULL);
}
END_TEST

START_TEST(the_list_of_parameters_is_complete_and_ends)
{
	size_t count = 0;

	while (cmdline_info(count)) {
		ck_assert_ptr_nonnull(cmdline_info(count)->name);
		ck_assert_ptr_nonnull(cmdline_info(count)->help);
		count++;
	}
	ck_assert_uint_ge(count, 20);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cmdline");
	TCase *tcase = tcase_create("cmdline");
	SRunner *runner = srunner_create(suite);
	int failed;

	suite_add_tcase(suite, tcase);
	tcase_add_test(tcase, every_parameter_reaches_its_field);
	tcase_add_test(tcase, stall_parameters_reach_their_fields_where_the_profile_has_them);
	tcase_add_test(tcase, an_empty_command_line_changes_nothing);
	tcase_add_test(tcase, cpu_lists_offload_cpus);
	tcase_add_test(tcase, cpu_counts_are_limited_wherever_they_stand);
	tcase_add_test(tcase, words_that_rcu_does_not_read_become_one_note);
	tcase_add_test(tcase, parameters_that_the_profile_lacks_are_noted_and_not_applied);
	tcase_add_test(tcase, misspelt_parameters_are_errors_with_a_hint);
	tcase_add_test(tcase, values_are_checked);
	tcase_add_test(tcase, the_kernels_own_syntax_is_understood);
	tcase_add_test(tcase, fqs_times_are_capped_as_the_kernel_caps_them);
	tcase_add_test(tcase, a_command_line_longer_than_the_kernels_is_refused);
	tcase_add_test(tcase, the_list_of_parameters_is_complete_and_ends);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
