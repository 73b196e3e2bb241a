/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defaults of a model's input and the rules between its parameters. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "models/config.h"

static char text[300];
static uint32_t step_id;

static bool ok(const struct model_config *config)
{
	return model_config_check(config, text, sizeof(text), &step_id);
}

/* Refused, with `part` in the message, about step `id`. */
static void check_refused(const struct model_config *config, const char *part, uint32_t id)
{
	ck_assert_msg(!ok(config), "accepted, but should say '%s'", part);
	ck_assert_msg(strstr(text, part) != NULL, "says '%s', not '%s'", text, part);
	ck_assert_uint_eq(step_id, id);
}

static void use_profile(struct model_config *config, const char *name)
{
	config->kernel.profile = *profile_find(name);
}

static void use_steps(struct model_config *config, const struct step *steps, size_t count)
{
	config->boot_steps = steps;
	config->boot_step_count = count;
}

START_TEST(the_default_is_complete_and_accepted)
{
	struct model_config config;

	memset(&config, 0x5a, sizeof(config));
	model_config_default(&config);
	ck_assert(ok(&config));
	ck_assert_str_eq(text, "");
	ck_assert_str_eq(config.kernel.profile.name, "v6.1");
	ck_assert_int_eq(config.kernel.jiffies_till_first_fqs, -1);
	ck_assert_int_eq(config.kernel.jiffies_till_next_fqs, -1);
	ck_assert_int_eq(config.kernel.jiffies_till_sched_qs, -1);
	ck_assert_int_eq(config.kernel.rcu_fanout_leaf, -1);
	ck_assert_int_eq(config.kernel.blimit, 10);
	ck_assert_int_eq(config.kernel.qhimark, 10000);
	ck_assert_int_eq(config.kernel.qlowmark, 100);
	ck_assert(config.kernel.nohz && config.kernel.highres && !config.kernel.skew_tick);
	ck_assert(!config.kernel.rcu_expedited && !config.kernel.rcu_normal);
	ck_assert_int_eq(config.machine.cpus, 1);
	ck_assert_int_eq(config.machine.cpus_online, 1);
	ck_assert_int_eq(config.machine.hz, 250);
	ck_assert_int_eq(config.machine.preempt, PREEMPT_NONE);
	ck_assert_int_eq(config.machine.tick_phase.kind, DIST_UNIFORM);
	ck_assert_double_eq(config.machine.tick_phase.b, 4e6);
	ck_assert_int_eq(config.machine.costs.ipi_send_ns, 0);
	ck_assert_int_eq(config.time_limit_ns, 3600 * NS_PER_S);
	ck_assert_uint_eq(config.event_limit, 10000000000u);
	for (int cpu = 0; cpu < CPUS_MAX; cpu++)
		if (cpu_mask_has(&config.machine.nocb, cpu))
			ck_abort_msg("CPU %d is offloaded", cpu);
}
END_TEST

START_TEST(machines_that_cannot_exist_are_refused)
{
	struct model_config config;

	model_config_default(&config);
	config.machine.cpus = 0;
	check_refused(&config, "machine.cpus is 0", 0);
	config.machine.cpus = CPUS_MAX + 1;
	check_refused(&config, "machine.cpus is 8193", 0);
	config.machine.cpus = 2;
	config.machine.cpus_online = 3;
	check_refused(&config, "1 to machine.cpus (2)", 0);
	config.machine.cpus_online = 0;
	check_refused(&config, "machine.cpus_online is 0", 0);
	config.machine.cpus_online = 2;
	ck_assert(ok(&config));
	cpu_mask_set(&config.machine.nocb, 1);
	ck_assert(ok(&config));
	cpu_mask_set(&config.machine.nocb, 2);
	check_refused(&config, "names CPU 2", 0);
	cpu_mask_clear(&config.machine.nocb, 2);
	config.machine.hz = 11;
	check_refused(&config, "machine.hz is 11", 0);
	config.machine.hz = 1001;
	check_refused(&config, "machine.hz is 1001", 0);
	config.machine.hz = 1000;
	config.machine.preempt = PREEMPT_MODEL_COUNT;
	check_refused(&config, "machine.preempt", 0);
	config.machine.preempt = PREEMPT_FULL;
	config.machine.periodic = true;
	check_refused(&config, "machine.periodic", 0);
	config.machine.booted = true;
	ck_assert(ok(&config));
}
END_TEST

START_TEST(options_a_profile_lacks_are_refused)
{
	struct model_config config;

	model_config_default(&config);
	config.kernel.expedite_boot = true;
	check_refused(&config, "v6.1 has no CONFIG_RCU_EXPEDITE_BOOT", 0);
	use_profile(&config, "v4.1");
	ck_assert(ok(&config));
	use_profile(&config, "v3.19");
	check_refused(&config, "v3.19 has no CONFIG_RCU_EXPEDITE_BOOT", 0);

	model_config_default(&config);
	config.kernel.fast_no_hz = true;
	check_refused(&config, "CONFIG_RCU_FAST_NO_HZ", 0);
	use_profile(&config, "v4.9");
	ck_assert(ok(&config));

	model_config_default(&config);
	config.kernel.rcu_normal = true;
	ck_assert(ok(&config));
	use_profile(&config, "v4.4");
	check_refused(&config, "v4.4 has no rcu_normal", 0);
	config.kernel.rcu_normal = false;
	config.kernel.rcu_normal_after_boot = true;
	check_refused(&config, "v4.4 has no rcu_normal", 0);

	model_config_default(&config);
	config.kernel.profile.has_nesting = 0;
	check_refused(&config, "kernel.nesting_initial", 0);
}
END_TEST

START_TEST(a_tree_that_cannot_hold_the_cpus_is_refused)
{
	struct model_config config;

	model_config_default(&config);
	config.machine.cpus = 17;
	config.kernel.rcu_fanout_leaf = 2;
	ck_assert(ok(&config));
	config.kernel.profile.fanout = 2;
	check_refused(&config, "cannot hold 17 CPUs in 4 levels", 0);
	config.machine.cpus = 16;
	ck_assert(ok(&config));
	config.kernel.rcu_fanout_leaf = 65;
	check_refused(&config, "leaf fanout is 65", 0);
}
END_TEST

START_TEST(boot_levels_never_go_back)
{
	const struct step steps[] = {
		{ .kind = STEP_SYNC, .level = LEVEL_POSTCORE, .id = 1 },
		{ .kind = STEP_SYNC, .level = LEVEL_POSTCORE, .id = 2 },
		{ .kind = STEP_SYNC, .level = LEVEL_CORE, .id = 3 },
	};
	struct model_config config;

	model_config_default(&config);
	use_steps(&config, steps, 2);
	ck_assert(ok(&config));
	use_steps(&config, steps, 3);
	check_refused(&config, "level core after level postcore", 3);
}
END_TEST

START_TEST(cpus_are_brought_up_once_and_by_the_boot_only)
{
	const struct step up = { .kind = STEP_BRING_UP, .level = LEVEL_SMP, .id = 1 };
	const struct step again = { .kind = STEP_BRING_UP, .level = LEVEL_SMP, .id = 2 };
	const struct step twice[] = {
		up, { .kind = STEP_GROUP, .level = LEVEL_SMP, .id = 3, .body = &again, .body_count = 1 }
	};
	const struct step loop = { .kind = STEP_LOOP, .id = 4, .count = 2, .body = &up, .body_count = 1 };
	const struct step spawn = { .kind = STEP_SPAWN, .id = 5, .cpu = -1, .body = &up, .body_count = 1 };
	const struct task_config task = { .name = "t", .cpu = -1, .steps = &up, .step_count = 1 };
	struct model_config config;

	model_config_default(&config);
	use_steps(&config, twice, 1);
	ck_assert(ok(&config));
	use_steps(&config, twice, 2);
	check_refused(&config, "second bring_up", 2);
	use_steps(&config, &loop, 1);
	check_refused(&config, "bring_up inside", 1);
	use_steps(&config, &spawn, 1);
	check_refused(&config, "bring_up inside", 1);
	use_steps(&config, NULL, 0);
	config.machine.booted = true;
	config.tasks = &task;
	config.task_count = 1;
	check_refused(&config, "starts booted", 1);
}
END_TEST

START_TEST(steps_a_profile_lacks_are_refused)
{
	const struct step expedite = { .kind = STEP_EXPEDITE, .id = 1 };
	const struct step unexpedite = { .kind = STEP_UNEXPEDITE, .id = 2 };
	const struct step set_normal = { .kind = STEP_SET_NORMAL, .id = 3, .count = 1 };
	const struct step group = { .kind = STEP_GROUP, .id = 4, .body = &expedite, .body_count = 1 };
	struct model_config config;

	model_config_default(&config);
	use_profile(&config, "v3.19");
	use_steps(&config, &group, 1);
	check_refused(&config, "v3.19 has no rcu_expedite_gp()", 1);
	use_steps(&config, &unexpedite, 1);
	check_refused(&config, "v3.19 has no rcu_unexpedite_gp()", 2);
	use_profile(&config, "v4.1");
	ck_assert(ok(&config));
	use_steps(&config, &set_normal, 1);
	check_refused(&config, "v4.1 has no /sys/kernel/rcu_normal", 3);
	use_profile(&config, "v4.9");
	ck_assert(ok(&config));
}
END_TEST

START_TEST(the_end_mark_must_be_set_by_some_step)
{
	const struct step mark = { .kind = STEP_MARK, .id = 1, .label = "done" };
	const struct step group = { .kind = STEP_GROUP, .id = 2, .body = &mark, .body_count = 1 };
	const struct step no_name = { .kind = STEP_MARK, .id = 3 };
	const struct task_config task = { .name = "t", .cpu = -1, .steps = &group, .step_count = 1 };
	struct model_config config;

	model_config_default(&config);
	config.end_mark = "done";
	check_refused(&config, "no step sets the end mark 'done'", 0);
	use_steps(&config, &group, 1);
	ck_assert(ok(&config));
	config.end_mark = "elsewhere";
	check_refused(&config, "'elsewhere'", 0);
	use_steps(&config, &no_name, 1);
	check_refused(&config, "a mark without a name", 3);
	use_steps(&config, NULL, 0);
	config.end_mark = "done";
	config.machine.booted = true;
	config.tasks = &task;
	config.task_count = 1;
	ck_assert(ok(&config));
}
END_TEST

START_TEST(loops_must_end_or_let_time_pass)
{
	struct step body[] = { { .kind = STEP_SYNC, .id = 1 }, { .kind = STEP_RUN, .id = 2 } };
	struct step loop = { .kind = STEP_LOOP, .id = 3, .count = -1, .body = body, .body_count = 2 };
	struct model_config config;

	model_config_default(&config);
	use_steps(&config, &loop, 1);
	check_refused(&config, "no time passes", 3);
	body[1].duration.a = 1000.0;
	ck_assert(ok(&config));
	loop.body_count = 1;
	check_refused(&config, "no time passes", 3);
	loop.count = 5;
	ck_assert(ok(&config));
	loop.count = -2;
	check_refused(&config, "-2 rounds", 3);
}
END_TEST

START_TEST(tasks_are_bound_to_cpus_that_come_online)
{
	struct step spawn = { .kind = STEP_SPAWN, .id = 1, .cpu = 1 };
	struct task_config task = { .name = "reader", .cpu = 2 };
	struct model_config config;

	model_config_default(&config);
	config.machine.cpus = 4;
	config.machine.cpus_online = 2;
	use_steps(&config, &spawn, 1);
	ck_assert(ok(&config));
	spawn.cpu = 2;
	check_refused(&config, "bound to CPU 2", 1);
	spawn.cpu = -2;
	check_refused(&config, "bound to CPU -2", 1);

	use_steps(&config, NULL, 0);
	config.tasks = &task;
	config.task_count = 1;
	check_refused(&config, "tasks beside a boot program", 0);
	config.machine.booted = true;
	check_refused(&config, "reader is bound to CPU 2", 0);
	task.cpu = 1;
	ck_assert(ok(&config));
	use_steps(&config, &spawn, 1);
	check_refused(&config, "a boot program on a machine that starts booted", 1);
}
END_TEST

START_TEST(broken_steps_and_limits_are_refused)
{
	struct step deep[80];
	struct step step = { .kind = STEP_KIND_COUNT, .id = 1 };
	struct model_config config;

	model_config_default(&config);
	use_steps(&config, &step, 1);
	check_refused(&config, "unknown kind", 1);
	step.kind = STEP_CALL_RCU;
	check_refused(&config, "0 callbacks", 1);
	step.count = 1;
	ck_assert(ok(&config));
	step.level = LEVEL_COUNT;
	check_refused(&config, "unknown boot level", 1);

	for (uint32_t i = 0; i < 80; i++)
		deep[i] = (struct step){ .kind = STEP_GROUP, .id = i + 1,
					 .body = i < 79 ? &deep[i + 1] : NULL,
					 .body_count = i < 79 ? 1 : 0 };
	use_steps(&config, deep, 1);
	ck_assert(!ok(&config));
	ck_assert_ptr_nonnull(strstr(text, "nested deeper"));

	model_config_default(&config);
	config.time_limit_ns = 0;
	check_refused(&config, "virtual time", 0);
	model_config_default(&config);
	config.event_limit = 0;
	check_refused(&config, "events", 0);
}
END_TEST

START_TEST(a_short_buffer_is_never_overrun)
{
	struct model_config config;
	char small[9] = "########";

	model_config_default(&config);
	config.machine.hz = 5000;
	ck_assert(!model_config_check(&config, small, 4, &step_id));
	ck_assert_str_eq(small, "mac");
	ck_assert_int_eq(small[4], '#');
	ck_assert(!model_config_check(&config, NULL, 0, &step_id));
}
END_TEST

START_TEST(every_enumeration_has_names_of_its_own)
{
	for (int i = 0; i < LEVEL_COUNT; i++)
		for (int j = 0; j < i; j++)
			ck_assert_str_ne(boot_level_name((enum boot_level)i),
					 boot_level_name((enum boot_level)j));
	for (int i = 0; i < STEP_KIND_COUNT; i++)
		for (int j = 0; j < i; j++)
			ck_assert_str_ne(step_kind_name((enum step_kind)i),
					 step_kind_name((enum step_kind)j));
	ck_assert_str_eq(boot_level_name(LEVEL_POSTCORE), "postcore");
	ck_assert_str_eq(step_kind_name(STEP_SYNC), "synchronize_rcu");
	ck_assert_str_eq(preempt_model_name(PREEMPT_FULL), "full");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("config");
	TCase *tcase = tcase_create("rules");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, the_default_is_complete_and_accepted);
	tcase_add_test(tcase, machines_that_cannot_exist_are_refused);
	tcase_add_test(tcase, options_a_profile_lacks_are_refused);
	tcase_add_test(tcase, a_tree_that_cannot_hold_the_cpus_is_refused);
	tcase_add_test(tcase, boot_levels_never_go_back);
	tcase_add_test(tcase, cpus_are_brought_up_once_and_by_the_boot_only);
	tcase_add_test(tcase, steps_a_profile_lacks_are_refused);
	tcase_add_test(tcase, the_end_mark_must_be_set_by_some_step);
	tcase_add_test(tcase, loops_must_end_or_let_time_pass);
	tcase_add_test(tcase, tasks_are_bound_to_cpus_that_come_online);
	tcase_add_test(tcase, broken_steps_and_limits_are_refused);
	tcase_add_test(tcase, a_short_buffer_is_never_overrun);
	tcase_add_test(tcase, every_enumeration_has_names_of_its_own);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
