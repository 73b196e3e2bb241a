/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/model/config_dump.h"

#include <string.h>

struct dump {
	FILE *out;
	int names; /* blocks and tasks without one get a number */
};

static void indent(struct dump *d, int depth)
{
	fprintf(d->out, "%*s", 2 * depth, "");
}

static void put_dist(struct dump *d, const struct dist *dist)
{
	if (dist->kind == DIST_EXPONENTIAL)
		fprintf(d->out, "{exponential: %.0fns}", dist->a);
	else if (dist->kind == DIST_UNIFORM)
		fprintf(d->out, "{uniform: [%.0fns, %.0fns]}", dist->a, dist->b);
	else
		fprintf(d->out, "%.0fns", dist->a);
}

static void put_steps(struct dump *d, const struct step *steps, size_t count, int depth,
		      bool has_levels);

static void put_do(struct dump *d, const struct step *s, int depth)
{
	indent(d, depth);
	fputs("do:\n", d->out);
	put_steps(d, s->body, s->body_count, depth + 1, false);
}

static void put_section(struct dump *d, const struct step *s, int depth)
{
	static const char *const regions[SECTION_COUNT] = {
		[SECTION_PREEMPT] = "preempt_off", [SECTION_BH] = "bh_off", [SECTION_IRQS] = "irqs_off",
	};

	fprintf(d->out, "%s:\n", step_kind_name(s->kind));
	if (s->kind == STEP_READ && s->count != SECTION_RCU) {
		indent(d, depth + 2);
		fprintf(d->out, "ends_in: {%s: ", regions[s->count]);
		put_dist(d, &s->duration);
		fputs("}\n", d->out);
	}
	put_do(d, s, depth + 2);
}

/* A step with a body; the cursor stands behind "- ". */
static void put_block(struct dump *d, const struct step *s, int depth)
{
	if (s->kind == STEP_GROUP) {
		fprintf(d->out, "block: b%d\n", ++d->names);
		put_do(d, s, depth + 1);
	} else if (s->kind == STEP_LOOP) {
		fputs("loop:\n", d->out);
		indent(d, depth + 2);
		if (s->count < 0)
			fputs("count: forever\n", d->out);
		else
			fprintf(d->out, "count: %lld\n", (long long)s->count);
		put_do(d, s, depth + 2);
	} else if (s->kind == STEP_SPAWN) {
		fputs("spawn:\n", d->out);
		indent(d, depth + 2);
		fprintf(d->out, "name: t%d\n", ++d->names);
		if (s->cpu >= 0) {
			indent(d, depth + 2);
			fprintf(d->out, "cpu: %d\n", s->cpu);
		}
		put_do(d, s, depth + 2);
	} else if (s->kind == STEP_PERCPU_WRITE) {
		fputs("percpu_write:\n", d->out);
		indent(d, depth + 2);
		fprintf(d->out, "name: %s\n", s->label);
		put_do(d, s, depth + 2);
	} else {
		put_section(d, s, depth);
	}
}

/* Steps of CPU hotplug; the cursor stands behind the name. */
static void put_hotplug(struct dump *d, const struct step *s)
{
	if (s->kind == STEP_SMT)
		fprintf(d->out, ": {switch: %s, threads: %d, each: ", s->count ? "on" : "off", s->cpu);
	else
		fprintf(d->out, ": {cpu: %d, takes: ", s->cpu);
	put_dist(d, &s->duration);
	fputs("}", d->out);
}

/* Without its level. */
static void put_step(struct dump *d, const struct step *s, int depth)
{
	static const char *const renamed[STEP_KIND_COUNT] = {
		[STEP_CALL_RCU_WAIT] = "call_rcu_and_wait",
		[STEP_SET_EXPEDITED] = "set_rcu_expedited",
		[STEP_SET_NORMAL] = "set_rcu_normal",
	};
	const char *name = renamed[s->kind] ? renamed[s->kind] : step_kind_name(s->kind);

	if (s->body_count > 0) {
		put_block(d, s, depth);
		return;
	}
	fputs(name, d->out);
	if (s->kind == STEP_RUN && s->cond_resched_ns > 0) {
		fputs(": {for: ", d->out);
		put_dist(d, &s->duration);
		fprintf(d->out, ", %s: %lldns}", s->cond_resched_rcu_qs ? "cond_resched_rcu_qs" : "cond_resched",
			(long long)s->cond_resched_ns);
	} else if (s->kind == STEP_OFFLINE || s->kind == STEP_ONLINE || s->kind == STEP_SMT) {
		put_hotplug(d, s);
	} else if (s->kind == STEP_RUN || s->kind == STEP_RUN_USER || s->kind == STEP_SLEEP) {
		fputs(": ", d->out);
		put_dist(d, &s->duration);
	} else if (s->kind == STEP_BRING_UP) {
		fputs(": {each: ", d->out);
		put_dist(d, &s->duration);
		fputs("}", d->out);
	} else if (s->kind == STEP_CALL_RCU) {
		fprintf(d->out, ": %lld", (long long)s->count);
	} else if (s->kind == STEP_SET_EXPEDITED || s->kind == STEP_SET_NORMAL) {
		fprintf(d->out, ": %s", s->count ? "true" : "false");
	} else if (s->kind == STEP_MARK) {
		fprintf(d->out, ": %s", s->label);
	} else {
		fputs(":", d->out);
	}
	fputs("\n", d->out);
}

static bool is_empty_frame(const struct step *s)
{
	return s->body_count == 0 &&
	       (s->kind == STEP_GROUP || s->kind == STEP_LOOP || s->kind == STEP_SPAWN ||
		s->kind == STEP_READ || s->kind == STEP_PREEMPT_OFF || s->kind == STEP_BH_OFF ||
		s->kind == STEP_IRQS_OFF || s->kind == STEP_PERCPU_WRITE);
}

static void put_steps(struct dump *d, const struct step *steps, size_t count, int depth,
		      bool has_levels)
{
	static const struct step nothing = { .kind = STEP_RUN, .duration = { .kind = DIST_CONSTANT } };

	for (size_t i = 0; i < count; i++) {
		/* a frame with nothing in it has no spelling */
		const struct step *s = is_empty_frame(&steps[i]) ? &nothing : &steps[i];

		indent(d, depth);
		fputs("- ", d->out);
		if (has_levels && s->kind != STEP_BRING_UP) {
			fprintf(d->out, "level: %s\n", boot_level_name(steps[i].level));
			indent(d, depth + 1);
		}
		put_step(d, s, depth);
	}
	if (count == 0) {
		indent(d, depth);
		fputs("- run: 0ns\n", d->out);
	}
}

static void put_bool(struct dump *d, const char *key, bool value, bool plain)
{
	if (value != plain)
		fprintf(d->out, "  %s: %s\n", key, value ? "true" : "false");
}

static void put_int(struct dump *d, const char *key, int64_t value, int64_t plain)
{
	if (value != plain)
		fprintf(d->out, "  %s: %lld\n", key, (long long)value);
}

/* What has no key of its own. */
static void put_cmdline(struct dump *d, const struct kernel_config *k, const struct kernel_config *plain)
{
	if (k->blimit == plain->blimit && k->qhimark == plain->qhimark &&
	    k->qlowmark == plain->qlowmark && k->highres)
		return;
	fprintf(d->out, "  cmdline: rcutree.blimit=%lld rcutree.qhimark=%lld rcutree.qlowmark=%lld%s\n",
		(long long)k->blimit, (long long)k->qhimark, (long long)k->qlowmark,
		k->highres ? "" : " highres=off");
}

static void put_cells(struct dump *d, const struct kernel_config *k)
{
	const struct rcu_profile *own = profile_find(k->profile.name);
	size_t count;
	const struct profile_cell_info *cells = profile_cells(&count);

	for (size_t i = 0; own && i < count; i++) {
		int64_t value = profile_cell_value(&k->profile, i);
		const char *name = profile_cell_value_name(&k->profile, i);

		/* fast_no_hz says whether there is such an option, not whether it is chosen */
		if (value == profile_cell_value(own, i) || strcmp(cells[i].name, "fast_no_hz") == 0)
			continue;
		if (name)
			fprintf(d->out, "  %s: %s\n", cells[i].name, name);
		else
			fprintf(d->out, "  %s: %lld\n", cells[i].name, (long long)value);
	}
}

static void put_kernel(struct dump *d, const struct kernel_config *k,
		       const struct kernel_config *plain)
{
	fprintf(d->out, "kernel:\n  profile: %s\n", k->profile.name);
	put_cells(d, k);
	put_cmdline(d, k, plain);
	put_bool(d, "expedite_boot", k->expedite_boot, plain->expedite_boot);
	put_bool(d, "fast_no_hz", k->fast_no_hz, plain->fast_no_hz);
	put_bool(d, "rcu_expedited", k->rcu_expedited, plain->rcu_expedited);
	put_bool(d, "rcu_normal", k->rcu_normal, plain->rcu_normal);
	put_bool(d, "rcu_normal_after_boot", k->rcu_normal_after_boot, plain->rcu_normal_after_boot);
	put_int(d, "jiffies_till_first_fqs", k->jiffies_till_first_fqs, plain->jiffies_till_first_fqs);
	put_int(d, "jiffies_till_next_fqs", k->jiffies_till_next_fqs, plain->jiffies_till_next_fqs);
	put_int(d, "jiffies_till_sched_qs", k->jiffies_till_sched_qs, plain->jiffies_till_sched_qs);
	put_int(d, "rcu_normal_wake_from_gp", k->rcu_normal_wake_from_gp,
		plain->rcu_normal_wake_from_gp);
	if (k->rcu_fanout_leaf >= 0)
		put_int(d, "leaf_fanout", k->rcu_fanout_leaf, -1);
	put_bool(d, "nohz", k->nohz, plain->nohz);
	put_bool(d, "skew_tick", k->skew_tick, plain->skew_tick);
	put_bool(d, "rcu_boost", k->rcu_boost, plain->rcu_boost);
	put_int(d, "rcu_boost_delay_ms", k->rcu_boost_delay_ms, plain->rcu_boost_delay_ms);
}

static void put_costs(struct dump *d, const struct platform_costs *costs)
{
	static const char *const names[] = {
		"context_switch", "wakeup", "idle_exit", "tick", "timer_softirq", "rcu_softirq",
		"ipi_send", "ipi_deliver", "ipi_handle", "resched_handle", "node_walk", "cpu_scan",
		"call_rcu", "callback", "sync", "stopper", "work_item",
	};
	const sim_time_ns *cost = (const sim_time_ns *)costs;
	bool any = false;

	_Static_assert(sizeof(names) / sizeof(names[0]) == sizeof(*costs) / sizeof(*cost),
		       "each cost has a name");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (cost[i] == 0)
			continue;
		if (!any)
			fputs("  costs:\n", d->out);
		any = true;
		fprintf(d->out, "    %s: %lldns\n", names[i], (long long)cost[i]);
	}
}

static void put_machine(struct dump *d, const struct machine_config *m)
{
	const char *comma = "";

	fprintf(d->out, "machine:\n  cpus: %lld\n  cpus_online: %lld\n  hz: %lld\n  preempt: %s\n",
		(long long)m->cpus, (long long)m->cpus_online, (long long)m->hz,
		preempt_model_name((enum preempt_model)m->preempt));
	put_bool(d, "periodic", m->periodic, false);
	fputs("  tick_phase: ", d->out);
	put_dist(d, &m->tick_phase);
	fputs("\n", d->out);
	for (int cpu = 0; cpu < (int)m->cpus; cpu++) {
		if (!cpu_mask_has(&m->nocb, cpu))
			continue;
		fprintf(d->out, "%s%d", *comma ? comma : "  nocb: \"", cpu);
		comma = ",";
	}
	if (*comma)
		fputs("\"\n", d->out);
	put_costs(d, &m->costs);
}

void config_dump(FILE *out, const struct model_config *config, uint64_t seed, const char *title)
{
	struct dump d = { .out = out };
	struct model_config plain;

	model_config_default(&plain);
	fprintf(out, "rcusim: 1\ntitle: \"%s\"\nseed: %llu\nreplications: 1\n", title,
		(unsigned long long)seed);
	put_kernel(&d, &config->kernel, &plain.kernel);
	put_machine(&d, &config->machine);
	fprintf(out, "limits:\n  time: %lldns\n  events: %llu\n", (long long)config->time_limit_ns,
		(unsigned long long)config->event_limit);
	if (!config->machine.booted) {
		fputs("boot:\n  steps:\n", out);
		put_steps(&d, config->boot_steps, config->boot_step_count, 2, true);
		return;
	}
	fputs("workload:\n  tasks:\n", out);
	for (size_t i = 0; i < config->task_count; i++) {
		const struct task_config *task = &config->tasks[i];

		fprintf(out, "    - name: task%zu\n", i);
		if (task->cpu >= 0)
			fprintf(out, "      cpu: %d\n", task->cpu);
		fputs("      do:\n", out);
		put_steps(&d, task->steps, task->step_count, 4, false);
	}
}
