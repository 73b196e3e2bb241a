/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the machine of one run, runs it, collects the record. */
#include "models/machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "models/hotplug.h"
#include "models/oracle.h"
#include "models/rcu.h"
#include "models/workqueue.h"

void machine_stop(struct machine *m, enum run_stop why, const char *fmt, ...)
{
	va_list args;
	int used;

	if (m->stop != RUN_STOP_COUNT)
		return;
	m->stop = why;
	sim_stop(m->engine);
	if (why == RUN_COMPLETED)
		return;
	used = snprintf(m->stop_text, m->stop_text_size, "at %lld ns: ", (long long)machine_now(m));
	va_start(args, fmt);
	vsnprintf(m->stop_text + used, m->stop_text_size - (size_t)used, fmt, args);
	va_end(args);
}

/* Room for one more in a record array of the arena. */
static void *grow(struct machine *m, void *old, size_t count, size_t *capacity, size_t size)
{
	void *new;

	if (count < *capacity)
		return old;
	*capacity = *capacity ? 2 * *capacity : 16;
	new = sim_arena_array_raw(m->arena, *capacity, size);
	if (count)
		memcpy(new, old, count * size);
	return new;
}

void machine_record_wait(struct machine *m, const struct wait_record *w)
{
	struct run_totals *totals = m->totals;

	m->waits = grow(m, m->waits, m->wait_count, &m->wait_capacity, sizeof(*m->waits));
	m->waits[m->wait_count++] = *w;
	switch (w->path) {
	case WAIT_NOOP:
		totals->wait_noop++;
		break;
	case WAIT_NORMAL:
		totals->wait_normal++;
		break;
	case WAIT_EXPEDITED:
		totals->wait_expedited++;
		break;
	case WAIT_CALLBACK:
	case WAIT_BARRIER:
	case WAIT_SRCU:
	case WAIT_TASKS:
	case WAIT_PATH_COUNT:
		break;
	}
	if (w->on_boot_path)
		totals->wait_ns += w->end_ns - w->start_ns;
}

void machine_record_gp(struct machine *m, bool expedited, sim_time_ns start_ns)
{
	m->gps = grow(m, m->gps, m->gp_count, &m->gp_capacity, sizeof(*m->gps));
	m->gps[m->gp_count++] = (struct gp_record){ expedited, start_ns, machine_now(m) };
	if (expedited)
		m->totals->gp_expedited++;
	else
		m->totals->gp_normal++;
}

void machine_record_mark(struct machine *m, const char *name)
{
	m->marks = grow(m, m->marks, m->mark_count, &m->mark_capacity, sizeof(*m->marks));
	m->marks[m->mark_count++] = (struct mark_record){ name, machine_now(m) };
}

void machine_record_stall(struct machine *m, bool expedited, const char *text)
{
	struct stall_record *s;

	m->stalls = grow(m, m->stalls, m->stall_count, &m->stall_capacity, sizeof(*m->stalls));
	s = &m->stalls[m->stall_count++];
	s->at_ns = machine_now(m);
	s->expedited = expedited;
	snprintf(s->text, sizeof(s->text), "%s", text);
}

void machine_record_interruption(struct machine *m, enum interruption_cause cause, sim_time_ns ns)
{
	struct run_totals *totals = m->totals;

	m->interruptions = grow(m, m->interruptions, m->interruption_count,
				&m->interruption_capacity, sizeof(*m->interruptions));
	m->interruptions[m->interruption_count++] = (struct interruption_record){ cause, ns };
	totals->sensitive_interruptions++;
	totals->sensitive_interruption_ns += ns;
	if (ns > totals->sensitive_interruption_max_ns)
		totals->sensitive_interruption_max_ns = ns;
}

/* Phase of a CPU's tick in a run that starts booted with periodic ticks. */
static sim_time_ns draw_phase(struct machine *m, int cpu)
{
	struct rng_stream stream;

	rng_stream_init(&stream, m->seed, m->replication, (uint64_t)cpu, RNG_TICK_PHASE);
	return dist_draw_ns(&m->cfg->machine.tick_phase, &stream);
}

static void start_booted(struct machine *m)
{
	bool periodic = m->cfg->machine.periodic;

	m->hres_ready = m->hres_allowed && !periodic;
	for (int i = 0; i < m->cfg->machine.cpus_online; i++) {
		struct cpu *c = &m->cpus[i];
		sim_time_ns first_ns = periodic && i > 0 ? draw_phase(m, i) : m->first_edge_ns;

		if (m->hres_ready && m->cfg->kernel.skew_tick)
			first_ns += m->jiffy_ns / 2 / m->nr_cpu_ids * i;
		cpu_start_booted(c, first_ns, m->hres_ready);
	}
	rcu_spawn_gp_kthread(m);
}

/* For shuffled ties: what happens on one CPU keeps its order. */
static int32_t event_cpu(const void *ctx, const void *ptr, int32_t arg)
{
	const struct machine *m = ctx;
	uintptr_t at = (uintptr_t)ptr;

	if (at >= (uintptr_t)m->cpus && at < (uintptr_t)(m->cpus + m->nr_cpu_ids))
		return ((const struct cpu *)ptr)->id;
	return arg; /* a task's timer: its CPU */
}

static struct machine *machine_create(const struct model_config *cfg,
				      const struct run_options *options, struct sim_arena *arena,
				      struct run_record *record)
{
	struct machine *m = sim_arena_alloc(arena, sizeof(*m));

	m->cfg = cfg;
	m->cost = &cfg->machine.costs;
	m->arena = arena;
	m->trace = options->trace;
	m->next_pid = cfg->machine.booted ? 2 : 1; /* init is 1, and not simulated later */
	m->totals = &record->totals;
	m->seed = options->seed;
	m->replication = options->replication;
	m->stop = RUN_STOP_COUNT;
	m->stop_text = record->stop_text;
	m->stop_text_size = sizeof(record->stop_text);
	m->nr_cpu_ids = (int)cfg->machine.cpus;
	m->hz = (int)cfg->machine.hz;
	m->preemptible = cfg->machine.preempt != PREEMPT_NONE;
	m->preempt_rcu = cfg->machine.preempt == PREEMPT_FULL;
	m->engine = sim_engine_create(arena, (uint32_t)(4 * m->nr_cpu_ids + 16));
	m->cpus = sim_arena_array(arena, (size_t)m->nr_cpu_ids, sizeof(*m->cpus));
	for (int i = 0; i < m->nr_cpu_ids; i++) {
		m->cpus[i].m = m;
		m->cpus[i].id = i;
	}
	if (options->shuffle_ties)
		sim_shuffle_ties(m->engine, options->tie_seed + (options->replication << 32),
				 event_cpu, m);
	tick_init(m);
	sched_init(m);
	workqueue_init(m);
	for (size_t i = 0; i < cfg->task_count; i++)
		if (cfg->task_is_sensitive && cfg->task_is_sensitive[i] && !m->sensitive)
			sensitive_init(m);
	m->lane_tick = sim_lane_open(m->engine, m->jiffy_ns);
	m->lane_tick_cost = sim_lane_open(m->engine, m->cost->tick_ns);
	m->lane_switch = sim_lane_open(m->engine, m->cost->context_switch_ns);
	rcu_init(m);
	rcu_exp_init(m);
	rcu_stop_init(m);
	rcu_barrier_init(m);
	rcu_sr_init(m);
	srcu_init(m);
	rcu_tasks_init(m);
	hotplug_init(m);
	m->first_edge_ns = draw_phase(m, 0);
	if (cfg->machine.booted)
		rcu_flags_init_booted(&m->flags, &cfg->kernel, &cfg->machine);
	else
		rcu_flags_init(&m->flags, &cfg->kernel, &cfg->machine);
	if (options->check)
		oracle_init(m);
	return m;
}

void model_run(const struct model_config *config, const struct run_options *options,
	       struct sim_arena *arena, struct run_record *record)
{
	struct machine *m;
	enum sim_stop stop;

	memset(record, 0, sizeof(*record));
	m = machine_create(config, options, arena, record);
	if (config->machine.booted)
		start_booted(m);
	else
		cpu_start(&m->cpus[0], m->first_edge_ns);
	workload_init(m);
	stop = m->stop == RUN_STOP_COUNT
		       ? sim_run(m->engine, config->time_limit_ns, config->event_limit)
		       : SIM_STOP_ASKED;
	switch (stop) {
	case SIM_STOP_ASKED:
		break;
	case SIM_STOP_EMPTY:
		machine_stop(m, RUN_DEADLOCK, "nothing left to happen, but tasks still wait");
		break;
	case SIM_STOP_TIME_LIMIT:
		machine_stop(m, RUN_TIME_LIMIT, "time limit reached");
		break;
	case SIM_STOP_EVENT_LIMIT:
		machine_stop(m, RUN_EVENT_LIMIT, "event limit reached");
		break;
	case SIM_STOP_COUNT:
		break;
	}
	ORACLE(m, oracle_finish(m));
	record->stop = m->stop;
	record->totals.boot_time_ns = machine_now(m);
	record->totals.events = (int64_t)sim_events_executed(m->engine);
	record->totals.events_tied = (int64_t)sim_events_tied(m->engine);
	record->waits = m->waits;
	record->wait_count = m->wait_count;
	record->gps = m->gps;
	record->gp_count = m->gp_count;
	record->marks = m->marks;
	record->mark_count = m->mark_count;
	record->stalls = m->stalls;
	record->stall_count = m->stall_count;
	record->interruptions = m->interruptions;
	record->interruption_count = m->interruption_count;
}
