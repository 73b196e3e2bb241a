/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model's events beside a real kernel's: the same names and fields, on the
 * same CPUs, of the same threads, in the same order. The measured excerpts are
 * in tests/data/truth; where the model differs and why: docs/trace.md.
 */
#include "tests/model/model_fixture.h"

#define TRUTH "tests/data/truth/"
#define LINES_MAX 64
#define LINE_BYTES 200

/* A trace reduced to what must be equal. */
struct sequence {
	int count;
	char line[LINES_MAX][LINE_BYTES];
	bool has_base;
	long long base; /* the first grace-period number: others are told from it */
};

/* Events that the measured kernel had on. */
static const char *const enabled[] = {
	"rcu_grace_period", "rcu_future_grace_period", "rcu_grace_period_init",
	"rcu_quiescent_state_report", "rcu_fqs", "rcu_exp_grace_period", "rcu_exp_funnel_lock",
	"rcu_barrier", "call_function_single_entry", "reschedule_entry",
};
static const char *const enabled_in_boot[] = {
	"rcu_callback", "rcu_batch_start", "rcu_batch_end", "initcall_start", "initcall_finish",
};

static bool is_one_of(const char *event, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(event, list[i]) == 0)
			return true;
	return false;
}

/* The thread's role: kernel threads by name, whoever waits is "caller". */
static const char *role(const char *comm)
{
	if (strcmp(comm, "rcubench") == 0 || strcmp(comm, "init") == 0)
		return "caller";
	return comm;
}

/* "rcu_sched -1016 -1012 0 0 3 Startleaf" -> "rcu_sched +0 +4 0 0 3 Startleaf" */
static void relative(struct sequence *s, const char *event, const char *fields, char *out,
		     size_t size)
{
	int numbers = strcmp(event, "rcu_future_grace_period") == 0 ? 2 : 1;
	char word[64];
	int used = 0, at = 0;

	for (int i = 0; sscanf(fields + at, " %63s%n", word, &used) == 1; i++, at += used) {
		size_t length = strlen(out);
		long long number = atoll(word);

		if (i < 1 || i > numbers) {
			snprintf(out + length, size - length, " %s", word);
			continue;
		}
		if (!s->has_base)
			s->base = number;
		s->has_base = true;
		/* rcu_fqs tells what the CPU noticed last, which may be long ago */
		if (strcmp(event, "rcu_fqs") == 0)
			snprintf(out + length, size - length, " *");
		else
			snprintf(out + length, size - length, " %+lld", number - s->base);
	}
}

static void add(struct sequence *s, int cpu, const char *comm, const char *event,
		const char *fields)
{
	char *out = s->line[s->count];
	const char *func = strstr(fields, "func=");

	EXPECT(s->count < LINES_MAX, "more than %d events", LINES_MAX);
	s->count++;
	snprintf(out, LINE_BYTES, "CPU %d %s %s", cpu, role(comm), event);
	if (strncmp(event, "rcu_batch", 9) == 0)
		return; /* how many other callbacks there are is no part of the comparison */
	if (func != NULL)
		snprintf(out + strlen(out), LINE_BYTES - strlen(out), " %.*s",
			 (int)strcspn(func, "+ "), func);
	else if (strncmp(event, "rcu_", 4) == 0)
		relative(s, event, fields, out, LINE_BYTES);
	else
		snprintf(out + strlen(out), LINE_BYTES - strlen(out), " %s", fields);
}

/* Reads an excerpt: ftrace text. */
static void read_truth(const char *path, struct sequence *s)
{
	FILE *file = fopen(path, "r");
	char text[256];

	EXPECT(file != NULL, "%s: run the tests from the repository's root", path);
	memset(s, 0, sizeof(*s));
	while (fgets(text, sizeof(text), file)) {
		char comm[32], flags[8], event[48], fields[160];
		char *dash, *bracket = strchr(text, '[');
		int cpu;

		if (text[0] == '#')
			continue;
		EXPECT(bracket != NULL, "%s: %s", path, text);
		EXPECT(sscanf(text, " %31s", comm) == 1 && (dash = strrchr(comm, '-')) != NULL,
		       "%s: %s", path, text);
		*dash = '\0';
		EXPECT(sscanf(bracket, "[%d] %7s %*[0-9.]: %47[^:]: %159[^\n]", &cpu, flags, event,
			      fields) == 4,
		       "%s: %s", path, text);
		add(s, cpu, comm, event, fields);
	}
	fclose(file);
}

/* --- the model's events --- */

struct recorder {
	struct sequence *out;
	bool is_boot;
	bool is_on;
	/* the first line wanted, and the event that ends the recording */
	const char *first_event, *first_part;
	const char *last_event, *last_part;
	sim_time_ns from_ns;
};

static void record(void *ctx, const struct trace_event *e)
{
	struct recorder *r = ctx;

	if (!is_one_of(e->name, enabled, sizeof(enabled) / sizeof(enabled[0])) &&
	    !(r->is_boot && is_one_of(e->name, enabled_in_boot,
				      sizeof(enabled_in_boot) / sizeof(enabled_in_boot[0]))))
		return;
	if (!r->is_on && e->at_ns >= r->from_ns && strcmp(e->name, r->first_event) == 0 &&
	    strstr(e->fields, r->first_part) && r->out->count == 0)
		r->is_on = true;
	if (!r->is_on || r->out->count == LINES_MAX)
		return;
	add(r->out, e->cpu, e->comm, e->name, e->fields);
	if (strcmp(e->name, r->last_event) == 0 && strstr(e->fields, r->last_part))
		r->is_on = false;
}

static void run_recorded(const struct model_config *cfg, uint64_t replication,
			 struct recorder *recorder, struct sim_arena *arena)
{
	const struct trace_sink sink = { record, recorder };
	const struct run_options options = {
		.seed = 1, .replication = replication, .check = true, .trace = &sink
	};
	struct run_record result;
	char why[240];
	uint32_t step_id;

	EXPECT(model_config_check(cfg, why, sizeof(why), &step_id), "%s", why);
	memset(recorder->out, 0, sizeof(*recorder->out));
	recorder->is_on = false;
	sim_arena_reset(arena);
	model_run(cfg, &options, arena, &result);
	EXPECT(result.stop == RUN_COMPLETED, "%s", result.stop_text);
}

/* Index of the first difference, -1: none. */
static int difference(const struct sequence *a, const struct sequence *b)
{
	int i = 0;

	while (i < a->count && i < b->count && strcmp(a->line[i], b->line[i]) == 0)
		i++;
	return i == a->count && i == b->count ? -1 : i;
}

static void must_be_equal(const struct sequence *truth, const struct sequence *model)
{
	int i = difference(truth, model);

	EXPECT(i < 0, "event %d: measured '%s', model '%s'", i,
	       i < truth->count ? truth->line[i] : "nothing more",
	       i < model->count ? model->line[i] : "nothing more");
}

/* Sleeps till all is quiet, waits once. */
static void lone_wait(struct model_config *cfg, struct step steps[2], struct task_config *task)
{
	fixture_booted(cfg, "v6.1", 250, 4);
	cfg->machine.preempt = PREEMPT_VOLUNTARY;
	steps[0] = step_timed(STEP_SLEEP, 1, 22500 * NS_PER_US);
	steps[1] = step_of(STEP_SYNC, 2);
	*task = (struct task_config){ "rcubench", 0, steps, 2 };
	fixture_tasks(cfg, task, 1);
}

START_TEST(a_lone_wait_on_an_idle_machine_shows_the_kernels_events_in_its_order)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct sequence truth, model;
	struct recorder recorder = { .out = &model,
				     .first_event = "rcu_future_grace_period",
				     .first_part = "Startleaf",
				     .last_event = "rcu_grace_period",
				     .last_part = "reqwait" };
	struct model_config cfg;
	struct step steps[2];
	struct task_config task;

	read_truth(TRUTH "normal-idle-6.1.txt", &truth);
	lone_wait(&cfg, steps, &task);
	run_recorded(&cfg, 0, &recorder, arena);
	must_be_equal(&truth, &model);
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(a_lone_expedited_wait_shows_the_kernels_events_in_its_order)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct sequence truth, model;
	struct recorder recorder = { .out = &model,
				     .first_event = "rcu_exp_grace_period",
				     .first_part = "snap",
				     .last_event = "rcu_exp_grace_period",
				     .last_part = "done" };
	struct model_config cfg;
	struct step steps[2];
	struct task_config task;

	read_truth(TRUTH "expedited-idle-6.1.txt", &truth);
	lone_wait(&cfg, steps, &task);
	cfg.kernel.rcu_expedited = true;
	run_recorded(&cfg, 0, &recorder, arena);
	must_be_equal(&truth, &model);
	sim_arena_destroy(arena);
}
END_TEST

/*
 * As in a boot before high-resolution mode: every CPU has a tick of its own
 * phase. The caller is on CPU 1; the grace period before its own, asked for on
 * CPU 0, is over, but CPUs 1-3 have not noticed. One of many phases is the
 * measured one: some replication must show the measured sequence, whole.
 */
START_TEST(a_wait_under_periodic_ticks_shows_the_kernels_events_in_its_order)
{
	struct sim_arena *arena = sim_arena_create(0);
	struct sequence truth, model;
	struct recorder recorder = { .out = &model,
				     .is_boot = true,
				     .first_event = "initcall_start",
				     .first_part = "func=init_menu",
				     .last_event = "initcall_finish",
				     .last_part = "func=init_menu" };
	const struct step wait = step_of(STEP_SYNC, 5);
	struct step before[] = { step_timed(STEP_SLEEP, 1, 20 * NS_PER_MS), step_of(STEP_SYNC, 2) };
	struct step steps[] = { step_timed(STEP_SLEEP, 3, 0), step_of(STEP_GROUP, 4) };
	struct task_config tasks[] = { { "before", 0, before, 2 }, { "init", 1, steps, 2 } };
	struct model_config cfg;
	int best = -1;
	char seen[LINE_BYTES] = "";

	read_truth(TRUTH "normal-boot-6.1.txt", &truth);
	fixture_booted(&cfg, "v6.1", 250, 4);
	cfg.machine.preempt = PREEMPT_VOLUNTARY;
	cfg.machine.periodic = true;
	cfg.machine.tick_phase.kind = DIST_UNIFORM;
	cfg.machine.tick_phase.a = 0.0;
	cfg.machine.tick_phase.b = 4e6;
	steps[1].label = "init_menu";
	steps[1].body = &wait;
	steps[1].body_count = 1;
	fixture_tasks(&cfg, tasks, 2);
	for (uint64_t run = 0; run < 2400; run++) {
		int i;

		steps[0].duration = dist_constant((sim_time_ns)(30 + run % 12) * NS_PER_MS);
		run_recorded(&cfg, run / 12, &recorder, arena);
		i = difference(&truth, &model);
		if (i < 0) {
			sim_arena_destroy(arena);
			return;
		}
		if (i > best) {
			best = i;
			snprintf(seen, sizeof(seen), "%s", model.line[i]);
		}
	}
	ck_abort_msg("at best the first %d events agree; then measured '%s', model '%s'", best,
		     best < truth.count ? truth.line[best] : "nothing more", seen);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trace_order");
	TCase *tcase = tcase_create("order");

	tcase_add_test(tcase, a_lone_wait_on_an_idle_machine_shows_the_kernels_events_in_its_order);
	tcase_add_test(tcase, a_lone_expedited_wait_shows_the_kernels_events_in_its_order);
	tcase_add_test(tcase, a_wait_under_periodic_ticks_shows_the_kernels_events_in_its_order);
	return fixture_main(suite, tcase);
}
