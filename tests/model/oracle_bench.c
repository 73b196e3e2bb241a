/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/model/oracle_bench.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "models/workqueue.h"

void bench_config(struct bench *b, const char *profile, int cpus)
{
	memset(b, 0, sizeof(*b));
	model_config_default(&b->config);
	b->config.kernel.profile = *profile_find(profile);
	b->config.kernel.rcu_fanout_leaf = 2;
	b->config.machine.cpus = b->config.machine.cpus_online = cpus;
	b->config.machine.booted = true;
	b->config.machine.tick_phase = dist_constant(1000000);
	b->config.machine.costs.sync_ns = 1000;
	b->config.machine.costs.node_walk_ns = 1000;
	b->config.machine.costs.context_switch_ns = 1000;
	b->config.machine.costs.ipi_deliver_ns = 10000;
	b->task = (struct task_config){ .name = "task", .cpu = 0, .steps = b->steps };
	b->config.tasks = &b->task;
	b->config.task_count = 1;
}

void bench_start(struct bench *b)
{
	struct machine *m;

	b->arena = sim_arena_create(0);
	b->m = m = sim_arena_alloc(b->arena, sizeof(*m));
	m->cfg = &b->config;
	m->cost = &b->config.machine.costs;
	m->arena = b->arena;
	m->totals = &b->record.totals;
	m->seed = 7;
	m->replication = 3;
	m->stop = RUN_STOP_COUNT;
	m->stop_text = b->record.stop_text;
	m->stop_text_size = sizeof(b->record.stop_text);
	m->nr_cpu_ids = (int)b->config.machine.cpus;
	m->hz = (int)b->config.machine.hz;
	m->preempt_rcu = b->config.machine.preempt == PREEMPT_FULL;
	m->engine = sim_engine_create(b->arena, 64);
	m->cpus = sim_arena_array(b->arena, (size_t)m->nr_cpu_ids, sizeof(*m->cpus));
	for (int i = 0; i < m->nr_cpu_ids; i++) {
		m->cpus[i].m = m;
		m->cpus[i].id = i;
	}
	tick_init(m);
	sched_init(m);
	workqueue_init(m);
	m->lane_tick = sim_lane_open(m->engine, m->jiffy_ns);
	m->lane_tick_cost = sim_lane_open(m->engine, 0);
	m->lane_switch = sim_lane_open(m->engine, m->cost->context_switch_ns);
	rcu_init(m);
	rcu_exp_init(m);
	rcu_stop_init(m);
	rcu_barrier_init(m);
	rcu_sr_init(m);
	srcu_init(m);
	rcu_tasks_init(m);
	m->first_edge_ns = 1000000;
	m->hres_ready = true;
	rcu_flags_init_booted(&m->flags, &b->config.kernel, &b->config.machine);
	oracle_init(m);
	b->o = m->oracle;
	b->rs = m->rcu;
	for (int i = 0; i < m->nr_cpu_ids; i++)
		cpu_start_booted(&m->cpus[i], m->first_edge_ns, true);
	b->hog.machine = m;
	b->wait.task = &b->hog;
}

void bench_program(struct bench *b)
{
	rcu_spawn_gp_kthread(b->m);
	workload_init(b->m);
}

void bench_stop(struct bench *b)
{
	sim_arena_destroy(b->arena);
}

static void nothing(struct sim_engine *engine, void *ptr, int32_t arg)
{
	(void)engine;
	(void)ptr;
	(void)arg;
}

void bench_run_to(struct bench *b, sim_time_ns at_ns)
{
	sim_at(b->m->engine, at_ns, SIM_PRIORITY_MAX, nothing, NULL, 0); /* the clock needs an event */
	sim_run(b->m->engine, at_ns, 0);
}

void bench_check_silent(const struct bench *b)
{
	ck_assert_msg(b->m->stop == RUN_STOP_COUNT, "%s", b->record.stop_text);
}

void bench_check_tripped(const struct bench *b, int condition, int cpu)
{
	char what[40], where[60];

	ck_assert_int_eq(b->m->stop, RUN_VIOLATION);
	snprintf(what, sizeof(what), "condition %d: ", condition);
	snprintf(where, sizeof(where), "; CPU %d, seed 7, replication 3", cpu);
	ck_assert_msg(strstr(b->record.stop_text, what) != NULL, "%d, but: %s", condition,
		      b->record.stop_text);
	ck_assert_msg(strstr(b->record.stop_text, where) != NULL, "CPU %d, but: %s", cpu,
		      b->record.stop_text);
	ck_assert(strncmp(b->record.stop_text, "at ", 3) == 0);
}
