/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/model/torture_run.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* RS_BUG() ends the process with it (sim/engine/base.h). */
#define BUG_STATUS 70

void torture_run(const struct model_config *config, uint64_t seed, struct sim_arena *arena,
		 struct torture_outcome *out)
{
	/* every other run: no rule may hang on the order of what happens together */
	const struct run_options options = { .seed = seed, .check = true,
					     .shuffle_ties = seed % 2 == 1, .tie_seed = seed };
	struct run_record record;
	const char *text;
	int condition;

	memset(out, 0, sizeof(*out));
	model_run(config, &options, arena, &record);
	out->waits = record.wait_count;
	if (record.stop == RUN_COMPLETED)
		return;
	out->failed = true;
	snprintf(out->text, sizeof(out->text), "%s", record.stop_text);
	text = strstr(record.stop_text, "condition ");
	if (record.stop == RUN_VIOLATION && text && sscanf(text, "condition %d", &condition) == 1)
		snprintf(out->kind, sizeof(out->kind), "condition %d", condition);
	else
		snprintf(out->kind, sizeof(out->kind), "%s", run_stop_name(record.stop));
}

void torture_died(int wait_status, struct torture_outcome *out)
{
	memset(out, 0, sizeof(*out));
	out->failed = true;
	if (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGALRM)
		snprintf(out->kind, sizeof(out->kind), "hangs");
	else if (WIFSIGNALED(wait_status))
		snprintf(out->kind, sizeof(out->kind), "killed by signal %d", WTERMSIG(wait_status));
	else if (WEXITSTATUS(wait_status) == BUG_STATUS)
		snprintf(out->kind, sizeof(out->kind), "bug");
	else
		snprintf(out->kind, sizeof(out->kind), "exit status %d", WEXITSTATUS(wait_status));
}

static void run_in_child(const struct model_config *config, uint64_t seed, unsigned limit_s,
			 struct torture_outcome *out)
{
	struct sim_arena *arena = sim_arena_create(0);
	int nowhere = open("/dev/null", O_WRONLY);

	if (nowhere >= 0)
		dup2(nowhere, STDERR_FILENO);
	alarm(limit_s);
	torture_run(config, seed, arena, out);
	_exit(0);
}

void torture_run_apart(const struct model_config *config, uint64_t seed, unsigned limit_s,
		       struct torture_outcome *out)
{
	struct torture_outcome *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
					      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t pid;

	if (shared == MAP_FAILED)
		RS_BUG("no shared memory");
	fflush(NULL);
	pid = fork();
	if (pid < 0)
		RS_BUG("no process");
	if (pid == 0)
		run_in_child(config, seed, limit_s, shared);
	if (waitpid(pid, &status, 0) != pid)
		RS_BUG("a child got lost");
	if (status == 0)
		*out = *shared;
	else
		torture_died(status, out);
	munmap(shared, sizeof(*shared));
}
