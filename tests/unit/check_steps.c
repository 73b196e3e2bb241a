/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of scenario files that are sections: what is decoded. Errors: tests/data/bad. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scenario/scenario.h"

START_TEST(a_section_is_a_duration_or_steps_and_may_end_in_a_region)
{
	static const char text[] = "rcusim: 1\n"
				   "workload:\n"
				   "  tasks:\n"
				   "    - name: reader\n"
				   "      do:\n"
				   "        - read: {uniform: [1ms, 2ms]}\n"
				   "        - read: {do: [{irqs_off: {do: [{run: 5us}, call_rcu]}}],\n"
				   "                 ends_in: {bh_off: 20us}}\n"
				   "        - preempt_off: 3us\n";
	struct rs_diag *diag = calloc(1, sizeof(*diag));
	struct scenario *scenario;
	const struct task_config *task;
	const struct step *s;

	ck_assert_ptr_nonnull(diag);
	ck_assert(scenario_load_bytes("t.yaml", text, strlen(text), NULL, NULL, &scenario, diag));
	task = scenario->cells[0].variants[0].config.tasks;
	s = task->steps;
	ck_assert_uint_eq(task->step_count, 3);
	ck_assert_int_eq(s[0].kind, STEP_READ);
	ck_assert_int_eq(s[0].count, SECTION_RCU);
	ck_assert_uint_eq(s[0].body_count, 1);
	ck_assert_int_eq(s[0].body[0].kind, STEP_RUN);
	ck_assert_int_eq(s[0].body[0].duration.kind, DIST_UNIFORM);
	ck_assert_uint_eq(s[0].body[0].id, s[0].id);
	ck_assert_int_eq(s[1].count, SECTION_BH);
	ck_assert_double_eq(s[1].duration.a, 20e3);
	ck_assert_int_eq(s[1].body[0].kind, STEP_IRQS_OFF);
	ck_assert_uint_eq(s[1].body[0].body_count, 2);
	ck_assert_uint_eq(s[2].id, s[1].body[0].body[1].id + 1);
	ck_assert_int_eq(s[2].kind, STEP_PREEMPT_OFF);
	ck_assert_double_eq(s[2].body[0].duration.a, 3e3);
	scenario_destroy(scenario);
	free(diag);
}
END_TEST

START_TEST(a_work_item_has_steps_and_a_cpu_and_faults_are_a_section)
{
	static const char text[] = "rcusim: 1\n"
				   "faults: {lose_ipi: 3}\n"
				   "machine: {cpus: 4}\n"
				   "workload:\n"
				   "  tasks:\n"
				   "    - name: feeder\n"
				   "      do:\n"
				   "        - queue_work: {cpu: 2, do: [{run: 1ms}, synchronize_rcu]}\n"
				   "        - queue_work: {do: [{run: 2ms}]}\n"
				   "variants: {a: {}, b: {faults.lose_ipi: 4}}\n";
	struct rs_diag *diag = calloc(1, sizeof(*diag));
	struct scenario *scenario;
	const struct scenario_variant *variants;
	const struct step *s;

	ck_assert_ptr_nonnull(diag);
	ck_assert(scenario_load_bytes("t.yaml", text, strlen(text), NULL, NULL, &scenario, diag));
	variants = scenario->cells[0].variants;
	ck_assert_int_eq(variants[0].config.faults.lose_ipi, 3);
	ck_assert_int_eq(variants[1].config.faults.lose_ipi, 4);
	s = variants[0].config.tasks[0].steps;
	ck_assert_int_eq(s[0].kind, STEP_QUEUE_WORK);
	ck_assert_int_eq(s[0].cpu, 2);
	ck_assert_uint_eq(s[0].body_count, 2);
	ck_assert_int_eq(s[0].body[1].kind, STEP_SYNC);
	ck_assert_int_eq(s[1].cpu, -1);
	ck_assert_uint_eq(s[1].body_count, 1);
	scenario_destroy(scenario);
	free(diag);
}
END_TEST

START_TEST(a_run_may_call_cond_resched_and_a_task_may_be_latency_sensitive)
{
	static const char text[] = "rcusim: 1\n"
				   "machine: {cpus: 2}\n"
				   "workload:\n"
				   "  tasks:\n"
				   "    - name: plain\n"
				   "      do: [{run: {exponential: 1ms}}]\n"
				   "    - name: control\n"
				   "      cpu: 1\n"
				   "      latency_sensitive: true\n"
				   "      do:\n"
				   "        - run: {for: {uniform: [1ms, 2ms]}, cond_resched: 10us}\n"
				   "        - run: {for: 5ms, cond_resched_rcu_qs: 1ms}\n"
				   "        - run: {for: 5ms}\n";
	struct rs_diag *diag = calloc(1, sizeof(*diag));
	struct scenario *scenario;
	const struct model_config *config;
	const struct step *s;

	ck_assert_ptr_nonnull(diag);
	ck_assert(scenario_load_bytes("t.yaml", text, strlen(text), NULL, NULL, &scenario, diag));
	config = &scenario->cells[0].variants[0].config;
	ck_assert(!config->task_is_sensitive[0]);
	ck_assert(config->task_is_sensitive[1]);
	s = config->tasks[0].steps;
	ck_assert_int_eq(s[0].duration.kind, DIST_EXPONENTIAL);
	ck_assert_int_eq(s[0].cond_resched_ns, 0);
	s = config->tasks[1].steps;
	ck_assert_int_eq(s[0].kind, STEP_RUN);
	ck_assert_int_eq(s[0].duration.kind, DIST_UNIFORM);
	ck_assert_int_eq(s[0].cond_resched_ns, 10000);
	ck_assert(!s[0].cond_resched_rcu_qs);
	ck_assert_int_eq(s[1].cond_resched_ns, 1000000);
	ck_assert(s[1].cond_resched_rcu_qs);
	ck_assert_int_eq(s[2].cond_resched_ns, 0);
	ck_assert_double_eq(s[2].duration.a, 5e6);
	scenario_destroy(scenario);
	free(diag);
}
END_TEST

START_TEST(hotplug_steps_have_their_cpus_times_and_defaults)
{
	static const char text[] = "rcusim: 1\n"
				   "machine: {cpus: 8}\n"
				   "workload:\n"
				   "  tasks:\n"
				   "    - name: admin\n"
				   "      do:\n"
				   "        - offline: {cpu: 3, takes: 2ms}\n"
				   "        - online: {cpu: 3}\n"
				   "        - smt: {switch: off, each: 1ms}\n"
				   "        - smt: {switch: on, threads: 4}\n"
				   "        - percpu_write: {name: sem, do: [{run: 1us}, synchronize_rcu]}\n";
	struct rs_diag *diag = calloc(1, sizeof(*diag));
	struct scenario *scenario;
	const struct step *s;

	ck_assert_ptr_nonnull(diag);
	ck_assert(scenario_load_bytes("t.yaml", text, strlen(text), NULL, NULL, &scenario, diag));
	s = scenario->cells[0].variants[0].config.tasks->steps;
	ck_assert_int_eq(s[0].kind, STEP_OFFLINE);
	ck_assert_int_eq(s[0].cpu, 3);
	ck_assert_double_eq(s[0].duration.a, 2e6);
	ck_assert_int_eq(s[1].kind, STEP_ONLINE);
	ck_assert_double_eq(s[1].duration.a, 0);
	ck_assert_int_eq(s[2].kind, STEP_SMT);
	ck_assert_int_eq(s[2].count, 0);
	ck_assert_int_eq(s[2].cpu, 2);
	ck_assert_double_eq(s[2].duration.a, 1e6);
	ck_assert_int_eq(s[3].count, 1);
	ck_assert_int_eq(s[3].cpu, 4);
	ck_assert_int_eq(s[4].kind, STEP_PERCPU_WRITE);
	ck_assert_str_eq(s[4].label, "sem");
	ck_assert_uint_eq(s[4].body_count, 2);
	scenario_destroy(scenario);
	free(diag);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("steps");
	Suite *suite = suite_create("steps");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, a_section_is_a_duration_or_steps_and_may_end_in_a_region);
	tcase_add_test(tcase, a_work_item_has_steps_and_a_cpu_and_faults_are_a_section);
	tcase_add_test(tcase, a_run_may_call_cond_resched_and_a_task_may_be_latency_sensitive);
	tcase_add_test(tcase, hotplug_steps_have_their_cpus_times_and_defaults);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
