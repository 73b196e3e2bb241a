/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the tests of the model's behaviour share: a config with the costs of an
 * x86 KVM guest, short forms for steps and tasks, one call that runs and checks
 * a replication, and a recorder of trace events. Every run has the oracle on.
 */
#ifndef TESTS_MODEL_MODEL_FIXTURE_H
#define TESTS_MODEL_MODEL_FIXTURE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/model.h"

/* Each ck_assert writes to a pipe, too slow inside large loops. */
#define EXPECT(cond, ...) \
	do { \
		if (!(cond)) \
			ck_abort_msg(__VA_ARGS__); \
	} while (0)

#define TASKS(array) (array), sizeof(array) / sizeof((array)[0])

/* The values of scenarios/platforms/kvm-x86.yaml, written down again: tests do not read files. */
static inline struct platform_costs fixture_costs(void)
{
	return (struct platform_costs){
		.context_switch_ns = 2490,
		.wakeup_ns = 1000,
		.idle_exit_ns = 5000,
		.tick_ns = 2000,
		.timer_softirq_ns = 1000,
		.rcu_softirq_ns = 1000,
		.ipi_send_ns = 500,
		.ipi_deliver_ns = 1450,
		.ipi_handle_ns = 1000,
		.resched_handle_ns = 1000,
		.node_walk_ns = 100,
		.cpu_scan_ns = 50,
		.call_rcu_ns = 100,
		.callback_ns = 200,
		.sync_ns = 1000,
		.stopper_ns = 1000,
		.work_item_ns = 1000,
	};
}

/* A booted machine of `cpus` CPUs whose first tick comes one jiffy after time 0. */
static inline void fixture_booted(struct model_config *cfg, const char *profile, int hz, int cpus)
{
	const struct rcu_profile *p = profile_find(profile);

	RS_REQUIRE(p != NULL);
	model_config_default(cfg);
	cfg->kernel.profile = *p;
	cfg->machine.cpus = cpus;
	cfg->machine.cpus_online = cpus;
	cfg->machine.hz = hz;
	cfg->machine.booted = true;
	cfg->machine.tick_phase = dist_constant(NS_PER_S / hz);
	cfg->machine.costs = fixture_costs();
	cfg->time_limit_ns = 100 * NS_PER_S;
	cfg->event_limit = 20000000;
}

/* As fixture_booted(), but the run is a boot; CPU 0's tick phase is uniform. */
static inline void fixture_boot(struct model_config *cfg, const char *profile, int hz, int cpus)
{
	fixture_booted(cfg, profile, hz, cpus);
	cfg->machine.booted = false;
	cfg->machine.tick_phase.kind = DIST_UNIFORM;
	cfg->machine.tick_phase.a = 0.0;
	cfg->machine.tick_phase.b = 1e9 / hz;
}

static inline sim_time_ns fixture_jiffy_ns(const struct model_config *cfg)
{
	return NS_PER_S / cfg->machine.hz;
}

static inline void fixture_offload_all(struct model_config *cfg)
{
	for (int cpu = 0; cpu < cfg->machine.cpus; cpu++)
		cpu_mask_set(&cfg->machine.nocb, cpu);
}

static inline void fixture_tasks(struct model_config *cfg, const struct task_config *tasks,
				 size_t count)
{
	cfg->tasks = tasks;
	cfg->task_count = count;
}

/* --- steps --- */

static inline struct step step_of(enum step_kind kind, uint32_t id)
{
	return (struct step){ .kind = kind, .id = id, .cpu = -1 };
}

static inline struct step step_timed(enum step_kind kind, uint32_t id, sim_time_ns ns)
{
	struct step s = step_of(kind, id);

	s.duration = dist_constant(ns);
	return s;
}

static inline struct step step_counted(enum step_kind kind, uint32_t id, int64_t count)
{
	struct step s = step_of(kind, id);

	s.count = count;
	return s;
}

static inline struct step step_mark(uint32_t id, const char *label)
{
	struct step s = step_of(STEP_MARK, id);

	s.label = label;
	return s;
}

static inline struct step step_loop(uint32_t id, int64_t count, const struct step *body,
				    size_t body_count)
{
	struct step s = step_counted(STEP_LOOP, id, count);

	s.body = body;
	s.body_count = body_count;
	return s;
}

static inline struct step step_spawn(uint32_t id, int cpu, const struct step *body,
				     size_t body_count)
{
	struct step s = step_of(STEP_SPAWN, id);

	s.cpu = cpu;
	s.body = body;
	s.body_count = body_count;
	return s;
}

/* The step at a boot level. */
static inline struct step step_at(enum boot_level level, struct step s)
{
	s.level = level;
	return s;
}

/* --- traces --- */

struct traced {
	sim_time_ns at_ns;
	int cpu;
	bool softirq; /* emitted in a softirq */
	char event[32];
	char detail[160];
};

struct trace_log {
	struct traced *entry; /* owned */
	size_t count, capacity;
};

static inline void trace_log_emit(void *ctx, const struct trace_event *event)
{
	struct trace_log *log = ctx;
	struct traced *e;

	if (log->count == log->capacity) {
		log->capacity = log->capacity ? 2 * log->capacity : 256;
		log->entry = rs_realloc(log->entry, log->capacity * sizeof(*log->entry));
	}
	e = &log->entry[log->count++];
	e->at_ns = event->at_ns;
	e->cpu = event->cpu;
	e->softirq = event->softirq && !event->hardirq;
	snprintf(e->event, sizeof(e->event), "%s", event->name);
	snprintf(e->detail, sizeof(e->detail), "%s", event->fields);
}

static inline void trace_log_fini(struct trace_log *log)
{
	free(log->entry);
	*log = (struct trace_log){ 0 };
}

/*
 * First entry from `from` on with this event whose detail contains `part`, on
 * cpu (-1: any); its index, or log->count.
 */
static inline size_t trace_log_find(const struct trace_log *log, size_t from, int cpu,
				    const char *event, const char *part)
{
	for (size_t i = from; i < log->count; i++) {
		const struct traced *e = &log->entry[i];

		if ((cpu < 0 || e->cpu == cpu) && strcmp(e->event, event) == 0 &&
		    strstr(e->detail, part))
			return i;
	}
	return log->count;
}

static inline size_t trace_log_count(const struct trace_log *log, int cpu, const char *event,
				     const char *part)
{
	size_t count = 0;

	for (size_t i = trace_log_find(log, 0, cpu, event, part); i < log->count;
	     i = trace_log_find(log, i + 1, cpu, event, part))
		count++;
	return count;
}

/* --- runs --- */

/* Runs one replication with the oracle on, whatever comes of it; log may be NULL. */
static inline struct run_record fixture_run_any(const struct model_config *cfg, uint64_t seed,
						uint64_t replication, struct sim_arena *arena,
						struct trace_log *log)
{
	const struct trace_sink trace = { trace_log_emit, log };
	const struct run_options options = { .seed = seed,
					     .replication = replication,
					     .check = true,
					     .trace = log ? &trace : NULL };
	struct run_record record;
	char why[240];
	uint32_t step_id;

	if (!model_config_check(cfg, why, sizeof(why), &step_id))
		ck_abort_msg("config of the test: %s (step %u)", why, step_id);
	sim_arena_reset(arena);
	model_run(cfg, &options, arena, &record);
	return record;
}

/* The same for a run that must complete. */
static inline struct run_record fixture_run(const struct model_config *cfg, uint64_t seed,
					    uint64_t replication, struct sim_arena *arena,
					    struct trace_log *log)
{
	struct run_record r = fixture_run_any(cfg, seed, replication, arena, log);

	EXPECT(r.stop == RUN_COMPLETED, "%s HZ=%lld, replication %llu: %s: %s",
	       cfg->kernel.profile.name, (long long)cfg->machine.hz,
	       (unsigned long long)replication, run_stop_name(r.stop), r.stop_text);
	return r;
}

static inline sim_time_ns wait_ns(const struct wait_record *w)
{
	return w->end_ns - w->start_ns;
}

/* The idx-th wait made by the step `step_id`. */
static inline const struct wait_record *record_wait(const struct run_record *r, uint32_t step_id,
						    size_t idx)
{
	for (size_t i = 0; i < r->wait_count; i++)
		if (r->waits[i].step_id == step_id && idx-- == 0)
			return &r->waits[i];
	ck_abort_msg("step %u made fewer waits than expected", step_id);
	return NULL;
}

/* When the mark was set. */
static inline sim_time_ns record_mark_ns(const struct run_record *r, const char *name)
{
	for (size_t i = 0; i < r->mark_count; i++)
		if (strcmp(r->marks[i].name, name) == 0)
			return r->marks[i].at_ns;
	ck_abort_msg("no mark %s", name);
	return 0;
}

static inline int fixture_compare_ns(const void *a, const void *b)
{
	const sim_time_ns *x = a;
	const sim_time_ns *y = b;

	return (*x > *y) - (*x < *y);
}

/* Sorts values and returns the median (the upper one of an even count). */
static inline sim_time_ns fixture_median_ns(sim_time_ns *values, size_t count)
{
	qsort(values, count, sizeof(*values), fixture_compare_ns);
	return values[count / 2];
}

/* Runs the suite's only case; the exit status of main(). */
static inline int fixture_main(Suite *suite, TCase *tcase)
{
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 60);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
