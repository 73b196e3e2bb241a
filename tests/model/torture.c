/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random machines and workloads, the oracle as judge: docs/testing.md.
 *
 *   torture [-t SECONDS] [-n RUNS] [-s FIRST] [-j JOBS] [-m TRIES] [-o FILE]
 *   torture -r NUMBER [-m TRIES] [-o FILE]
 *
 * Run number N is config number N with seed N: a number is all it takes to run
 * it again. Workers are processes, so that a run that crashes or hangs is a
 * finding like others. The first failing run ends all; it is made smaller and
 * written as a scenario. Status 0: no run failed, 1: one did, 2: usage.
 */
#include <getopt.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/model/config_dump.h"
#include "tests/model/minimise.h"
#include "tests/model/random_config.h"
#include "tests/model/torture_run.h"

#define JOBS_MAX 256
/* Runs last milliseconds; virtual time and events are limited besides. */
#define HANG_S 60
/* Attempts of the minimiser: a hang must not make it last for hours. */
#define ATTEMPT_S 5

struct slot {
	uint64_t number; /* run under way */
	uint64_t runs;
	uint64_t waits;
	struct torture_outcome failure;
	pid_t pid;
};

struct shared {
	atomic_uint_fast64_t next;
	atomic_bool stop;
	struct slot slots[JOBS_MAX];
};

struct options {
	uint64_t first;
	uint64_t runs; /* 0: no limit */
	time_t seconds; /* 0: no limit */
	int jobs;
	int tries;
	bool one; /* -r */
	const char *path;
};

static time_t now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

static void worker(struct shared *shared, struct slot *slot, const struct options *o, time_t end_s)
{
	struct sim_arena *config_arena = sim_arena_create(0);
	struct sim_arena *arena = sim_arena_create(0);

	while (!atomic_load(&shared->stop) && (o->seconds == 0 || now_s() < end_s)) {
		uint64_t count = atomic_fetch_add(&shared->next, 1);
		struct torture_outcome out;

		if (o->runs > 0 && count >= o->runs)
			break;
		slot->number = o->first + count;
		sim_arena_reset(config_arena);
		sim_arena_reset(arena);
		alarm(HANG_S);
		torture_run(random_config(config_arena, slot->number), slot->number, arena, &out);
		slot->runs++;
		slot->waits += out.waits;
		if (out.failed) {
			slot->failure = out;
			atomic_store(&shared->stop, true);
			break;
		}
	}
	_exit(0);
}

/* Waits for the workers; returns the failed slot with the smallest number, or NULL. */
static const struct slot *collect(struct shared *shared, int jobs)
{
	const struct slot *first = NULL;
	int status;
	pid_t pid;

	while ((pid = wait(&status)) > 0) {
		for (int i = 0; i < jobs && status != 0; i++) {
			struct slot *slot = &shared->slots[i];

			if (slot->pid != pid)
				continue;
			slot->runs++;
			torture_died(status, &slot->failure);
			atomic_store(&shared->stop, true);
		}
	}
	for (int i = 0; i < jobs; i++) {
		const struct slot *slot = &shared->slots[i];

		if (slot->failure.failed && (!first || slot->number < first->number))
			first = slot;
	}
	return first;
}

/* --- the smallest config that fails the same way --- */

struct same_failure {
	uint64_t seed;
	const char *kind;
};

static bool fails_alike(const struct model_config *config, void *arg)
{
	const struct same_failure *same = arg;
	struct torture_outcome out;

	torture_run_apart(config, same->seed, ATTEMPT_S, &out);
	return out.failed && strcmp(out.kind, same->kind) == 0;
}

static void reproduce(const struct options *o, uint64_t number, const char *kind)
{
	struct sim_arena *arena = sim_arena_create(0);
	const struct model_config *config = random_config(arena, number);
	struct same_failure same = { number, kind };
	size_t steps = config_step_count(config);
	struct minimise_result small = minimise(arena, config, o->tries, fails_alike, &same);
	FILE *out = o->path ? fopen(o->path, "w") : stdout;
	char title[100];

	printf("smaller: %zu of %zu steps, %lld of %lld CPUs, %d tries%s; seed %llu%s%s\n",
	       config_step_count(small.config), steps, (long long)small.config->machine.cpus,
	       (long long)config->machine.cpus, small.tries,
	       small.is_minimal ? "" : " (more might go)", (unsigned long long)number,
	       o->path ? ", " : ":", o->path ? o->path : "");
	snprintf(title, sizeof(title), "torture run %llu, %s%s", (unsigned long long)number, kind,
		 number % 2 ? "; with --shuffle-ties, the seed" : "");
	if (!out) {
		fprintf(stderr, "torture: cannot write %s\n", o->path);
		exit(2);
	}
	config_dump(out, small.config, number, title);
	if (out != stdout)
		fclose(out);
	sim_arena_destroy(arena);
}

static int report(const struct options *o, uint64_t number, const struct torture_outcome *failure)
{
	struct sim_arena *arena = sim_arena_create(0);
	char what[200];

	random_config_describe(random_config(arena, number), what, sizeof(what));
	sim_arena_destroy(arena);
	printf("run %llu (%s): %s%s%s\n", (unsigned long long)number, what, failure->kind,
	       failure->text[0] ? ", " : "", failure->text);
	fflush(stdout);
	if (o->tries > 0)
		reproduce(o, number, failure->kind);
	return 1;
}

static int run_one(const struct options *o)
{
	struct sim_arena *arena = sim_arena_create(0);
	const struct model_config *config = random_config(arena, o->first);
	struct torture_outcome out;

	torture_run_apart(config, o->first, HANG_S, &out);
	if (out.failed)
		return report(o, o->first, &out);
	printf("run %llu: no failure, %llu waits\n", (unsigned long long)o->first,
	       (unsigned long long)out.waits);
	if (o->path || o->tries > 0) {
		FILE *file = o->path ? fopen(o->path, "w") : stdout;

		if (file)
			config_dump(file, config, o->first, "torture run");
	}
	return 0;
}

static int run_many(const struct options *o)
{
	struct shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	time_t start_s = now_s();
	uint64_t runs = 0, waits = 0;
	const struct slot *failed;

	if (shared == MAP_FAILED)
		RS_BUG("no shared memory");
	for (int i = 0; i < o->jobs; i++) {
		struct slot *slot = &shared->slots[i];

		slot->pid = fork();
		if (slot->pid < 0)
			RS_BUG("no process");
		if (slot->pid == 0)
			worker(shared, slot, o, start_s + o->seconds);
	}
	failed = collect(shared, o->jobs);
	for (int i = 0; i < o->jobs; i++) {
		runs += shared->slots[i].runs;
		waits += shared->slots[i].waits;
	}
	printf("%llu runs, numbers and seeds from %llu, %llu waits, %lld s, %d processes: %s\n",
	       (unsigned long long)runs, (unsigned long long)o->first, (unsigned long long)waits,
	       (long long)(now_s() - start_s), o->jobs, failed ? "one failed" : "none failed");
	return failed ? report(o, failed->number, &failed->failure) : 0;
}

static bool parse(int argc, char **argv, struct options *o)
{
	int option;

	while ((option = getopt(argc, argv, "t:n:s:j:m:o:r:")) != -1) {
		uint64_t value = 0;

		if (option == '?')
			return false;
		if (option != 'o') { /* all but its file are numbers */
			char *end;

			value = strtoull(optarg, &end, 10);
			if (*end != '\0' || end == optarg)
				return false;
		}
		if (option == 't')
			o->seconds = (time_t)value;
		else if (option == 'n')
			o->runs = value;
		else if (option == 's' || option == 'r')
			o->first = value;
		else if (option == 'j')
			o->jobs = (int)value;
		else if (option == 'm')
			o->tries = (int)value;
		else
			o->path = optarg;
		o->one = o->one || option == 'r';
	}
	return optind == argc && o->jobs >= 1 && o->jobs <= JOBS_MAX &&
	       (o->one || o->runs > 0 || o->seconds > 0);
}

int main(int argc, char **argv)
{
	struct options o = { .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN), .tries = 3000 };

	if (!parse(argc, argv, &o)) {
		fputs("usage: torture -t SECONDS | -n RUNS | -r NUMBER [-s FIRST] [-j JOBS] "
		      "[-m TRIES] [-o FILE]\n", stderr);
		return 2;
	}
	return o.one ? run_one(&o) : run_many(&o);
}
