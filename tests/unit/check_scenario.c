/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of scenario_load(): what a file means, who wins where values meet, ids
 * of steps, and every broken file of tests/data/bad with its messages. Files
 * are found from RCUSIM_SRC (default: the current folder).
 */
#include <check.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scenario/scenario.h"

#define TEXT_MAX 4096

/* One load; freed by done(). */
struct loaded {
	struct scenario *s;
	struct rs_diag *diag;
};

static const char *source_dir(void)
{
	const char *dir = getenv("RCUSIM_SRC");

	return dir ? dir : ".";
}

static const char *platform_dir(void)
{
	static char path[1000];

	snprintf(path, sizeof(path), "%s/scenarios/platforms", source_dir());
	return path;
}

static struct loaded load_with(const char *text, const struct scenario_overrides *overrides)
{
	struct loaded l = {.diag = calloc(1, sizeof(*l.diag))};

	ck_assert_ptr_nonnull(l.diag);
	bool ok = scenario_load_bytes("folder/t.yaml", text, strlen(text), overrides,
				      platform_dir(), &l.s, l.diag);
	ck_assert_int_eq(ok, l.s != NULL);
	ck_assert_int_eq(ok, l.diag->error_count == 0);
	return l;
}

static struct loaded load(const char *text)
{
	return load_with(text, NULL);
}

/* As load(), and must succeed. */
static struct loaded good(const char *text, const struct scenario_overrides *overrides)
{
	struct loaded l = load_with(text, overrides);

	if (!l.s)
		diag_print(l.diag, stderr);
	ck_assert_ptr_nonnull(l.s);
	return l;
}

static void done(struct loaded *l)
{
	scenario_destroy(l->s);
	free(l->diag);
}

static const struct model_config *config_of(const struct loaded *l, size_t cell, size_t variant)
{
	return &l->s->cells[cell].variants[variant].config;
}

static const char *setting(const struct scenario_variant *variant, const char *path, bool origin)
{
	for (size_t i = 0; i < variant->setting_count; i++)
		if (strcmp(variant->settings[i].path, path) == 0)
			return origin ? variant->settings[i].origin : variant->settings[i].value;
	return "";
}

static bool has_note(const struct loaded *l, const char *text)
{
	for (size_t i = 0; i < l->s->note_count; i++)
		if (strstr(l->s->notes[i], text))
			return true;
	return false;
}

#define BOOT \
	"boot:\n" \
	"  end: write-protecting\n" \
	"  steps:\n" \
	"    - {run: 1ms, level: start_kernel}\n" \
	"    - bring_up: {each: 200us}\n" \
	"    - initcall: init_ladder\n" \
	"      level: postcore\n" \
	"      do: [{run: 30us}, synchronize_rcu]\n" \
	"    - run: {lognormal: {mean: 24ms, cv: 1%}}\n" \
	"    - mark: write-protecting\n"
#define HEAD \
	"rcusim: 1\n" \
	"title: a guest\n" \
	"kernel: {profile: v4.1}\n" \
	"machine: {cpus: 2, hz: 250, nocb: all, platform: kvm-x86}\n"
#define VARIANTS \
	"variants:\n" \
	"  default:\n" \
	"  expedited: {kernel.cmdline: rcupdate.rcu_expedited=1}\n" \
	"  nested: {boot.begin: [expedite], boot.finish: [unexpedite]}\n" \
	"baseline: default\n"

START_TEST(a_whole_scenario_is_read)
{
	struct loaded l = good(HEAD "seed: 7\nreplications: 50\n" BOOT VARIANTS, NULL);
	const struct model_config *config = config_of(&l, 0, 0);

	ck_assert_str_eq(l.s->name, "t");
	ck_assert_str_eq(l.s->title, "a guest");
	ck_assert_uint_eq(l.s->seed, 7);
	ck_assert_int_eq(l.s->replications, 50);
	ck_assert_uint_eq(l.s->variant_count, 3);
	ck_assert_uint_eq(l.s->cell_count, 1);
	ck_assert_uint_eq(l.s->baseline_idx, 0);
	ck_assert_str_eq(config->kernel.profile.name, "v4.1");
	ck_assert_int_eq(config->machine.cpus, 2);
	ck_assert_int_eq(config->machine.cpus_online, 2);
	ck_assert_uint_eq(config->machine.nocb.word[0], 3);
	ck_assert_int_eq(config->machine.costs.context_switch_ns, 2490);
	ck_assert_double_eq(config->machine.tick_phase.b, 4e6);
	ck_assert(!config->machine.booted);
	ck_assert_str_eq(config->end_mark, "write-protecting");
	ck_assert_uint_eq(config->boot_step_count, 5);
	ck_assert_int_eq(config->boot_steps[0].level, LEVEL_START_KERNEL);
	ck_assert_int_eq(config->boot_steps[1].level, LEVEL_SMP);
	ck_assert_int_eq(config->boot_steps[2].kind, STEP_GROUP);
	ck_assert_str_eq(config->boot_steps[2].label, "init_ladder");
	ck_assert_int_eq(config->boot_steps[2].body[1].kind, STEP_SYNC);
	ck_assert_int_eq(config->boot_steps[2].body[1].level, LEVEL_POSTCORE);
	ck_assert_int_eq(config->boot_steps[3].level, LEVEL_POSTCORE);
	ck_assert(!config->kernel.rcu_expedited);
	ck_assert(config_of(&l, 0, 1)->kernel.rcu_expedited);
	done(&l);
}
END_TEST

START_TEST(begin_stands_where_the_boot_task_starts_and_finish_before_the_end_mark)
{
	struct loaded l = good(HEAD BOOT VARIANTS, NULL);
	const struct model_config *nested = config_of(&l, 0, 2);

	ck_assert_uint_eq(nested->boot_step_count, 7);
	ck_assert_int_eq(nested->boot_steps[0].kind, STEP_RUN);
	ck_assert_int_eq(nested->boot_steps[1].kind, STEP_EXPEDITE);
	ck_assert_int_eq(nested->boot_steps[1].level, LEVEL_EARLY);
	ck_assert_int_eq(nested->boot_steps[5].kind, STEP_UNEXPEDITE);
	ck_assert_int_eq(nested->boot_steps[5].level, LEVEL_POSTCORE);
	ck_assert_int_eq(nested->boot_steps[6].kind, STEP_MARK);
	done(&l);
}
END_TEST

START_TEST(finish_follows_the_end_mark_into_a_group)
{
	struct loaded l = good("rcusim: 1\nkernel: {profile: v4.1}\nboot:\n  end: m\n"
			       "  finish: [unexpedite]\n  begin: [expedite]\n"
			       "  steps: [{block: b, do: [{run: 1ms}, {mark: m}]}]\n",
			       NULL);
	const struct step *group = &config_of(&l, 0, 0)->boot_steps[1];

	ck_assert_int_eq(group->kind, STEP_GROUP);
	ck_assert_uint_eq(group->body_count, 3);
	ck_assert_int_eq(group->body[1].kind, STEP_UNEXPEDITE);
	ck_assert_int_eq(group->body[2].kind, STEP_MARK);
	done(&l);
}
END_TEST

START_TEST(steps_keep_their_ids_in_every_variant)
{
	struct loaded l = good(HEAD BOOT VARIANTS, NULL);
	const struct model_config *plain = config_of(&l, 0, 0);
	const struct model_config *nested = config_of(&l, 0, 2);

	for (uint32_t i = 0; i < 3; i++)
		ck_assert_uint_eq(plain->boot_steps[i].id, i + 1);
	ck_assert_uint_eq(plain->boot_steps[2].body[0].id, 4);
	ck_assert_uint_eq(plain->boot_steps[3].id, 6);
	ck_assert_uint_eq(plain->boot_steps[4].id, 7);
	ck_assert_uint_eq(nested->boot_steps[0].id, 1);
	ck_assert_uint_eq(nested->boot_steps[1].id, 8);
	ck_assert_uint_eq(nested->boot_steps[2].id, 2);
	ck_assert_uint_eq(nested->boot_steps[5].id, 9);
	ck_assert_uint_eq(nested->boot_steps[6].id, 7);
	ck_assert_uint_eq(l.s->step_label_count, 9);
	ck_assert_str_eq(l.s->step_labels[5], "init_ladder: synchronize_rcu");
	ck_assert_str_eq(l.s->step_labels[7], "mark write-protecting");
	ck_assert_str_eq(l.s->step_labels[8], "expedite");
	done(&l);
}
END_TEST

START_TEST(an_aliased_step_is_a_step_of_its_own)
{
	struct loaded l = good("rcusim: 1\nboot: {steps: [&w synchronize_rcu, *w]}\n", NULL);
	const struct model_config *config = config_of(&l, 0, 0);

	ck_assert_uint_eq(config->boot_steps[0].id, 1);
	ck_assert_uint_eq(config->boot_steps[1].id, 2);
	done(&l);
}
END_TEST

START_TEST(a_path_may_reach_into_a_step)
{
	struct loaded l =
		good("rcusim: 1\nboot: {steps: [{run: {exponential: 1ms}}, synchronize_rcu]}\n"
		     "variants: {a: {}, b: {boot.steps.0.run: 5ms}, "
		     "c: {boot.steps.1: synchronize_rcu_expedited}}\n",
		     NULL);

	ck_assert_int_eq(config_of(&l, 0, 0)->boot_steps[0].duration.kind, DIST_EXPONENTIAL);
	ck_assert_int_eq(config_of(&l, 0, 1)->boot_steps[0].duration.kind, DIST_CONSTANT);
	ck_assert_double_eq(config_of(&l, 0, 1)->boot_steps[0].duration.a, 5e6);
	ck_assert_uint_eq(config_of(&l, 0, 1)->boot_steps[0].id, 1);
	ck_assert_int_eq(config_of(&l, 0, 2)->boot_steps[1].kind, STEP_SYNC_EXPEDITED);
	ck_assert_uint_eq(config_of(&l, 0, 2)->boot_steps[1].id, 3);
	done(&l);
}
END_TEST

START_TEST(a_matrix_is_the_product_of_its_axes_last_axis_fastest)
{
	struct loaded l =
		good(HEAD BOOT VARIANTS
		     "matrix: {kernel.profile: [v4.1, v4.4], machine.hz: [100, 250, 1000]}\n",
		     NULL);

	ck_assert_uint_eq(l.s->cell_count, 6);
	ck_assert_uint_eq(l.s->axis_count, 2);
	ck_assert_str_eq(l.s->axis_paths[1], "machine.hz");
	ck_assert_str_eq(l.s->cells[4].axis_values[0], "v4.4");
	ck_assert_str_eq(l.s->cells[4].axis_values[1], "250");
	for (size_t v = 0; v < 3; v++) {
		ck_assert_str_eq(config_of(&l, 4, v)->kernel.profile.name, "v4.4");
		ck_assert_int_eq(config_of(&l, 5, v)->machine.hz, 1000);
	}
	ck_assert_double_eq(config_of(&l, 0, 0)->machine.tick_phase.b, 1e7);
	ck_assert_double_eq(config_of(&l, 5, 0)->machine.tick_phase.b, 1e6);
	done(&l);
}
END_TEST

START_TEST(cases_are_an_axis_of_named_overrides)
{
	struct loaded l = good("rcusim: 1\nboot: {steps: [synchronize_rcu]}\n"
			       "cases: {small: {machine: {cpus: 2, nocb: all}}, plain: {}, "
			       "first: {boot.begin: [{run: 1ms}]}}\n"
			       "matrix: {machine.hz: [100, 1000]}\n",
			       NULL);

	ck_assert_uint_eq(l.s->axis_count, 2);
	ck_assert_uint_eq(l.s->cell_count, 6);
	ck_assert_str_eq(l.s->axis_paths[0], "case");
	ck_assert_str_eq(l.s->cells[1].axis_values[0], "small");
	ck_assert_str_eq(l.s->cells[1].axis_values[1], "1000");
	ck_assert_int_eq(config_of(&l, 1, 0)->machine.cpus, 2);
	ck_assert_uint_eq(config_of(&l, 1, 0)->machine.nocb.word[0], 3);
	ck_assert_int_eq(config_of(&l, 1, 0)->machine.hz, 1000);
	ck_assert_int_eq(config_of(&l, 2, 0)->machine.cpus, 1);
	ck_assert_uint_eq(config_of(&l, 4, 0)->boot_step_count, 2);
	ck_assert_uint_eq(config_of(&l, 4, 0)->boot_steps[0].id, 2);
	done(&l);
}
END_TEST

START_TEST(the_first_step_may_stand_at_any_level_and_is_early_without_one)
{
	struct loaded l =
		good("rcusim: 1\nboot: {steps: [{run: 1ms}]}\n"
		     "variants: {a: {}, b: {boot.steps.0: {run: 1ms, level: start_kernel}}, "
		     "c: {boot.steps.0: {run: 1ms, level: user}}}\n",
		     NULL);

	ck_assert_int_eq(config_of(&l, 0, 0)->boot_steps[0].level, LEVEL_EARLY);
	ck_assert_int_eq(config_of(&l, 0, 1)->boot_steps[0].level, LEVEL_START_KERNEL);
	ck_assert_int_eq(config_of(&l, 0, 2)->boot_steps[0].level, LEVEL_USER);
	done(&l);
}
END_TEST

START_TEST(boot_parameters_are_paths_too_and_the_command_line_wins)
{
	struct loaded l = good("rcusim: 1\nkernel: {jiffies_till_first_fqs: 5000, "
			       "jiffies_till_next_fqs: 3, nohz: false, "
			       "cmdline: rcutree.jiffies_till_next_fqs=2}\n"
			       "boot: {steps: [synchronize_rcu]}\n",
			       NULL);

	ck_assert_int_eq(config_of(&l, 0, 0)->kernel.jiffies_till_first_fqs, 250);
	ck_assert_int_eq(config_of(&l, 0, 0)->kernel.jiffies_till_next_fqs, 2);
	ck_assert(!config_of(&l, 0, 0)->kernel.nohz);
	done(&l);
}
END_TEST

START_TEST(a_changed_profile_brings_its_cells_and_keeps_explicit_ones)
{
	struct loaded l =
		good("rcusim: 1\nkernel: {profile: v4.1, timer_extra_jiffies: 1}\n"
		     "boot: {steps: [synchronize_rcu]}\n"
		     "variants: {a: {}, b: {kernel.profile: v4.4}, "
		     "c: {kernel: {profile: v4.4, leaf_fanout: 8, exp_driver: rcu_gp_wq}}}\n",
		     NULL);

	ck_assert_int_eq(config_of(&l, 0, 0)->kernel.profile.exp_engine, EXP_STOPPERS);
	ck_assert_int_eq(config_of(&l, 0, 1)->kernel.profile.exp_engine, EXP_IPI);
	ck_assert_int_eq(config_of(&l, 0, 0)->kernel.profile.timer_extra_jiffies, 1);
	ck_assert_int_eq(config_of(&l, 0, 1)->kernel.profile.timer_extra_jiffies, 1);
	ck_assert_int_eq(config_of(&l, 0, 1)->kernel.profile.leaf_fanout, 64);
	ck_assert_int_eq(config_of(&l, 0, 2)->kernel.profile.leaf_fanout, 8);
	ck_assert_int_eq(config_of(&l, 0, 2)->kernel.profile.exp_driver, EXP_DRIVER_RCU_GP_WQ);
	done(&l);
}
END_TEST

START_TEST(file_cell_variant_and_set_win_in_that_order)
{
	const char *set = "machine.costs.tick=9us";
	const char *text =
		"rcusim: 1\nmachine: {platform: kvm-x86, costs: {tick: 1us, sync: 1us}}\n"
		"boot: {steps: [synchronize_rcu]}\n"
		"matrix: {machine.costs.sync: [2us, 3us]}\n"
		"variants: {a: {}, b: {machine.costs.tick: 4us}}\n";
	struct scenario_overrides overrides = {.sets = &set, .set_count = 1};
	struct loaded l = good(text, NULL);

	ck_assert_int_eq(config_of(&l, 1, 0)->machine.costs.sync_ns, 3000);
	ck_assert_int_eq(config_of(&l, 1, 0)->machine.costs.tick_ns, 1000);
	ck_assert_int_eq(config_of(&l, 1, 1)->machine.costs.tick_ns, 4000);
	ck_assert_str_eq(setting(&l.s->cells[1].variants[1], "machine.costs.tick", true),
			 "t.yaml:5");
	done(&l);
	l = good(text, &overrides);
	ck_assert_int_eq(config_of(&l, 1, 1)->machine.costs.tick_ns, 9000);
	ck_assert_str_eq(setting(&l.s->cells[1].variants[1], "machine.costs.tick", true), "--set");
	ck_assert_str_eq(setting(&l.s->cells[1].variants[1], "machine.costs.wakeup", true),
			 "platform kvm-x86");
	done(&l);
}
END_TEST

START_TEST(set_reaches_the_top_level_and_collapses_an_axis)
{
	const char *sets[] = {"replications=3", "machine.hz=1000", "baseline=b", "seed=9"};
	struct scenario_overrides overrides = {.sets = sets, .set_count = 4};
	struct loaded l =
		good("rcusim: 1\nboot: {steps: [synchronize_rcu]}\nvariants: {a: {}, b: {}}\n"
		     "matrix: {machine.hz: [100, 250]}\n",
		     &overrides);

	ck_assert_int_eq(l.s->replications, 3);
	ck_assert_uint_eq(l.s->seed, 9);
	ck_assert_uint_eq(l.s->baseline_idx, 1);
	ck_assert_uint_eq(l.s->cell_count, 1);
	ck_assert_str_eq(l.s->cells[0].axis_values[0], "1000");
	ck_assert_int_eq(config_of(&l, 0, 0)->machine.hz, 1000);
	done(&l);
}
END_TEST

START_TEST(options_override_seed_replications_and_command_line)
{
	struct scenario_overrides overrides = {.cmdline = "rcutree.blimit=7",
					       .replications = 5,
					       .has_seed = true,
					       .seed = UINT64_MAX};
	struct loaded l = good(HEAD BOOT VARIANTS, &overrides);

	ck_assert_uint_eq(l.s->seed, UINT64_MAX);
	ck_assert_int_eq(l.s->replications, 5);
	ck_assert_int_eq(config_of(&l, 0, 0)->kernel.blimit, 7);
	ck_assert(config_of(&l, 0, 1)->kernel.rcu_expedited);
	ck_assert_int_eq(config_of(&l, 0, 1)->kernel.blimit, 7);
	ck_assert_str_eq(setting(&l.s->cells[0].variants[1], "kernel.cmdline", false),
			 "rcupdate.rcu_expedited=1 rcutree.blimit=7");
	ck_assert_str_eq(setting(&l.s->cells[0].variants[0], "kernel.cmdline", true), "--cmdline");
	done(&l);
}
END_TEST

START_TEST(one_variant_is_kept_together_with_the_baseline)
{
	struct scenario_overrides overrides = {.only_variant = "nested"};
	const char *text =
		HEAD BOOT "variants: {default: , expedited: {boot.begin: [{run: 1ms}]}, "
			  "nested: {boot.begin: [expedite]}}\n"
			  "question: {saved_ns: 6.956ms, variant: expedited, text: Which?}\n";
	struct loaded l = good(text, &overrides);

	ck_assert_uint_eq(l.s->variant_count, 2);
	ck_assert_str_eq(l.s->cells[0].variants[0].name, "default");
	ck_assert_str_eq(l.s->cells[0].variants[1].name, "nested");
	ck_assert(!l.s->question.asked);
	ck_assert_uint_eq(config_of(&l, 0, 1)->boot_steps[1].id, 9);
	done(&l);
	l = good(text, NULL);
	ck_assert(l.s->question.asked);
	ck_assert_uint_eq(l.s->question.variant_idx, 1);
	ck_assert_int_eq(l.s->question.value, 6956000);
	ck_assert_str_eq(l.s->question.metric, "saved_ns");
	done(&l);
	overrides.only_variant = "nestde";
	l = load_with(text, &overrides);
	ck_assert_ptr_null(l.s);
	ck_assert_str_eq(l.diag->items[0].hint, "did you mean 'nested'?");
	done(&l);
}
END_TEST

START_TEST(assumptions_become_notes)
{
	struct loaded l = good(HEAD "assumed: [HZ is not published]\n" BOOT VARIANTS, NULL);

	ck_assert_str_eq(l.s->notes[0], "HZ is not published");
	ck_assert(has_note(&l, "Assumed costs: wakeup 1us"));
	ck_assert(has_note(&l, "(platform kvm-x86)"));
	ck_assert(!has_note(&l, "context_switch"));
	done(&l);
	l = good("rcusim: 1\nboot: {steps: [synchronize_rcu]}\n", NULL);
	ck_assert(has_note(&l, "No machine.platform"));
	done(&l);
}
END_TEST

START_TEST(a_workload_starts_booted)
{
	struct loaded l = good(
		"rcusim: 1\nmachine: {cpus: 4, cpus_online: 3, hz: 1000}\n"
		"workload:\n  tasks:\n"
		"    - {name: caller, cpu: 2, do: [{call_rcu: 3}, call_rcu, call_rcu_and_wait]}\n"
		"    - {name: other, do: [{loop: {count: forever, do: [{sleep: 1ms}]}}, "
		"{set_rcu_normal: true}]}\n",
		NULL);
	const struct model_config *config = config_of(&l, 0, 0);

	ck_assert(config->machine.booted);
	ck_assert_uint_eq(config->task_count, 2);
	ck_assert_int_eq(config->tasks[0].cpu, 2);
	ck_assert_int_eq(config->tasks[1].cpu, -1);
	ck_assert_int_eq(config->tasks[0].steps[0].count, 3);
	ck_assert_int_eq(config->tasks[0].steps[1].count, 1);
	ck_assert_int_eq(config->tasks[1].steps[0].count, -1);
	ck_assert_int_eq(config->tasks[1].steps[1].count, 1);
	ck_assert_str_eq(l.s->step_labels[3], "caller: call_rcu_and_wait");
	done(&l);
}
END_TEST

START_TEST(the_hash_follows_text_and_overrides_only)
{
	const char *set = "machine.hz=100";
	struct scenario_overrides overrides = {.replications = 3};
	struct loaded a = good(HEAD BOOT, NULL);
	struct loaded b = good(HEAD BOOT, &overrides);
	struct loaded c = good(HEAD BOOT "# more\n", NULL);

	ck_assert_uint_eq(a.s->hash, b.s->hash);
	ck_assert_uint_ne(a.s->hash, c.s->hash);
	done(&b);
	overrides.sets = &set;
	overrides.set_count = 1;
	b = good(HEAD BOOT, &overrides);
	ck_assert_uint_ne(a.s->hash, b.s->hash);
	done(&a);
	done(&b);
	done(&c);
}
END_TEST

START_TEST(errors_of_an_override_point_to_where_it_was_given)
{
	const char *sets[] = {"machine.cpus=2", "machine.hz=1O", "nonsense"};
	struct scenario_overrides overrides = {
		.sets = sets, .set_count = 3, .cmdline = "quiet rcu_nocb=1"};
	struct loaded l = load_with(HEAD BOOT VARIANTS, &overrides);

	ck_assert_ptr_null(l.s);
	ck_assert_uint_eq(l.diag->count, 3);
	ck_assert_str_eq(l.diag->items[1].file, "--set");
	ck_assert_int_eq(l.diag->items[0].line, 2);
	ck_assert_int_eq(l.diag->items[0].column, 12);
	ck_assert_str_eq(l.diag->items[0].source, "machine.hz=1O");
	ck_assert_str_eq(l.diag->items[2].file, "--cmdline");
	ck_assert_int_eq(l.diag->items[2].column, 7);
	done(&l);
}
END_TEST

START_TEST(all_errors_of_a_file_are_reported_at_once_and_once)
{
	struct loaded l = load("rcusim: 1\nkernel: {profil: v4.1}\nmachine: {cpus: 0, hx: 1}\n"
			       "boot:\n  steps:\n    - run: 3\n    - slep: 1ms\n"
			       "variants: {a: {}, b: {machine.hz: 5}, c: {kernel.nothing: 3}}\n"
			       "matrix: {machine.preempt: [none, ful]}\nbaseline: z\n");

	ck_assert_uint_eq(l.diag->error_count, 9);
	for (size_t i = 1; i < l.diag->count; i++)
		ck_assert_int_ge(l.diag->items[i].line, l.diag->items[i - 1].line);
	for (size_t i = 0; i < l.diag->count; i++)
		ck_assert_str_ne(l.diag->items[i].source, "");
	done(&l);
}
END_TEST

START_TEST(a_missing_file_has_its_own_code)
{
	struct scenario *s;
	struct rs_diag *diag = calloc(1, sizeof(*diag));

	ck_assert_ptr_nonnull(diag);
	ck_assert(!scenario_load("no/such/file.yaml", NULL, NULL, &s, diag));
	ck_assert_ptr_null(s);
	ck_assert_int_eq(diag->code, RS_NO_FILE);
	free(diag);
}
END_TEST

START_TEST(the_platform_is_found_from_the_scenarios_folder)
{
	struct scenario *s;
	struct rs_diag *diag = calloc(1, sizeof(*diag));
	char path[1200];

	ck_assert_ptr_nonnull(diag);
	snprintf(path, sizeof(path), "%s/scenarios/boot/t.yaml", source_dir());
	unsetenv("RCUSIM_DATA");
	ck_assert(scenario_load_bytes(path, HEAD BOOT, strlen(HEAD BOOT), NULL, NULL, &s, diag));
	scenario_destroy(s);
	free(diag);
}
END_TEST

/* --- tests/data/bad --- */

static char *read_all(FILE *stream, size_t *size)
{
	size_t capacity = (size_t)2 << 20;
	char *bytes = malloc(capacity);

	ck_assert_ptr_nonnull(bytes);
	*size = fread(bytes, 1, capacity - 1, stream);
	bytes[*size] = '\0';
	return bytes;
}

/* The bytes of NAME.yaml, or what NAME.gen prints. */
static char *bad_file(const char *dir, const char *name, size_t *size)
{
	char path[TEXT_MAX], command[TEXT_MAX + 20];
	FILE *stream;
	char *bytes;

	snprintf(path, sizeof(path), "%s/%s.yaml", dir, name);
	stream = fopen(path, "rb");
	if (stream) {
		bytes = read_all(stream, size);
		fclose(stream);
		return bytes;
	}
	snprintf(command, sizeof(command), "sh '%s/%s.gen'", dir, name);
	stream = popen(command, "r");
	ck_assert_ptr_nonnull(stream);
	bytes = read_all(stream, size);
	ck_assert_int_eq(pclose(stream), 0);
	return bytes;
}

/* Every line of NAME.expect occurs in the messages. */
static void check_expected(const char *dir, const char *name, const char *messages)
{
	char path[TEXT_MAX], line[TEXT_MAX];
	size_t lines = 0;

	snprintf(path, sizeof(path), "%s/%s.expect", dir, name);
	FILE *stream = fopen(path, "r");
	ck_assert_ptr_nonnull(stream);
	while (fgets(line, sizeof(line), stream)) {
		line[strcspn(line, "\n")] = '\0';
		ck_assert_msg(strstr(messages, line) != NULL, "%s: '%s' is not in:\n%s", name, line,
			      messages);
		lines++;
	}
	fclose(stream);
	ck_assert_uint_ge(lines, 1);
}

static void check_bad(const char *dir, const char *name)
{
	struct rs_diag *diag = calloc(1, sizeof(*diag));
	struct scenario *s;
	char file[300];
	size_t size, text_size;
	char *bytes = bad_file(dir, name, &size), *text = NULL;
	FILE *stream = open_memstream(&text, &text_size);

	ck_assert_ptr_nonnull(diag);
	ck_assert_ptr_nonnull(stream);
	snprintf(file, sizeof(file), "bad/%.200s.yaml", name);
	ck_assert_msg(!scenario_load_bytes(file, bytes, size, NULL, platform_dir(), &s, diag),
		      "%s was accepted", name);
	ck_assert_ptr_null(s);
	ck_assert_int_eq(diag->code, RS_BAD_INPUT);
	diag_print(diag, stream);
	fclose(stream);
	check_expected(dir, name, text);
	free(text);
	free(bytes);
	free(diag);
}

START_TEST(every_broken_file_is_refused_with_its_message)
{
	char path[1000];
	size_t count = 0;
	struct dirent *entry;

	snprintf(path, sizeof(path), "%s/tests/data/bad", source_dir());
	DIR *dir = opendir(path);
	ck_assert_ptr_nonnull(dir);
	while ((entry = readdir(dir)) != NULL) {
		char name[256];
		char *dot;

		snprintf(name, sizeof(name), "%s", entry->d_name);
		dot = strrchr(name, '.');
		if (!dot || strcmp(dot, ".expect") != 0)
			continue;
		*dot = '\0';
		check_bad(path, name);
		count++;
	}
	closedir(dir);
	ck_assert_uint_ge(count, 40);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("scenario");
	TCase *tcase = tcase_create("scenario");
	SRunner *runner = srunner_create(suite);
	int failed;

	suite_add_tcase(suite, tcase);
	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, a_whole_scenario_is_read);
	tcase_add_test(tcase,
		       begin_stands_where_the_boot_task_starts_and_finish_before_the_end_mark);
	tcase_add_test(tcase, finish_follows_the_end_mark_into_a_group);
	tcase_add_test(tcase, steps_keep_their_ids_in_every_variant);
	tcase_add_test(tcase, an_aliased_step_is_a_step_of_its_own);
	tcase_add_test(tcase, a_path_may_reach_into_a_step);
	tcase_add_test(tcase, a_matrix_is_the_product_of_its_axes_last_axis_fastest);
	tcase_add_test(tcase, cases_are_an_axis_of_named_overrides);
	tcase_add_test(tcase, the_first_step_may_stand_at_any_level_and_is_early_without_one);
	tcase_add_test(tcase, boot_parameters_are_paths_too_and_the_command_line_wins);
	tcase_add_test(tcase, a_changed_profile_brings_its_cells_and_keeps_explicit_ones);
	tcase_add_test(tcase, file_cell_variant_and_set_win_in_that_order);
	tcase_add_test(tcase, set_reaches_the_top_level_and_collapses_an_axis);
	tcase_add_test(tcase, options_override_seed_replications_and_command_line);
	tcase_add_test(tcase, one_variant_is_kept_together_with_the_baseline);
	tcase_add_test(tcase, assumptions_become_notes);
	tcase_add_test(tcase, a_workload_starts_booted);
	tcase_add_test(tcase, the_hash_follows_text_and_overrides_only);
	tcase_add_test(tcase, errors_of_an_override_point_to_where_it_was_given);
	tcase_add_test(tcase, all_errors_of_a_file_are_reported_at_once_and_once);
	tcase_add_test(tcase, a_missing_file_has_its_own_code);
	tcase_add_test(tcase, the_platform_is_found_from_the_scenarios_folder);
	tcase_add_test(tcase, every_broken_file_is_refused_with_its_message);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
