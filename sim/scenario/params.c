/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of parameters: static rows for what this layer defines, followed
 * by the profile cells of models/profile.c and the platform costs. It is put
 * together once, because the cells' table belongs to the models; after that
 * it is read-only and shared by all threads.
 */
#include "sim/scenario/params.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "sim/scenario/suggest.h"

#define PARAMS_MAX 128
#define PROFILES_MAX 32

static const char *const preempt_names[] = {"none", "voluntary", "full", NULL};
_Static_assert(sizeof(preempt_names) / sizeof(preempt_names[0]) == PREEMPT_MODEL_COUNT + 1,
	       "each preemption model has a name");

#define KERNEL(field) offsetof(struct model_config, kernel.field)
#define MACHINE(field) offsetof(struct model_config, machine.field)

static const struct param_info kernel_rows[] = {
	{"kernel.cmdline", PARAM_TEXT, "", 0, 0, NULL, "\"\"",
	 "kernel parameters as typed at the boot loader", PARAM_NO_OFFSET},
	{"kernel.expedite_boot", PARAM_BOOL, "", 0, 1, NULL, "false",
	 "CONFIG_RCU_EXPEDITE_BOOT, where the profile has it", KERNEL(expedite_boot)},
	{"kernel.fast_no_hz", PARAM_BOOL, "", 0, 1, NULL, "false",
	 "CONFIG_RCU_FAST_NO_HZ, where the profile has it", KERNEL(fast_no_hz)},
	/* boot parameters; kernel.cmdline sets the same ones and wins */
	{"kernel.rcu_expedited", PARAM_BOOL, "", 0, 1, NULL, "false", "rcupdate.rcu_expedited",
	 KERNEL(rcu_expedited)},
	{"kernel.rcu_normal", PARAM_BOOL, "", 0, 1, NULL, "false",
	 "rcupdate.rcu_normal, where the profile has it", KERNEL(rcu_normal)},
	{"kernel.rcu_normal_after_boot", PARAM_BOOL, "", 0, 1, NULL, "false",
	 "rcupdate.rcu_normal_after_boot, where the profile has it", KERNEL(rcu_normal_after_boot)},
	{"kernel.jiffies_till_first_fqs", PARAM_INT, "jiffies", 0, 1000000, NULL,
	 "from HZ and CPU count", "rcutree.jiffies_till_first_fqs", KERNEL(jiffies_till_first_fqs)},
	{"kernel.jiffies_till_next_fqs", PARAM_INT, "jiffies", 0, 1000000, NULL,
	 "from HZ and CPU count", "rcutree.jiffies_till_next_fqs", KERNEL(jiffies_till_next_fqs)},
	{"kernel.rcu_normal_wake_from_gp", PARAM_INT, "", 0, 1, NULL, "the kernel's own",
	 "rcutree.rcu_normal_wake_from_gp, where the profile has it",
	 KERNEL(rcu_normal_wake_from_gp)},
	{"kernel.jiffies_till_sched_qs", PARAM_INT, "jiffies", 0, 1000000, NULL,
	 "from HZ and the profile", "rcutree.jiffies_till_sched_qs", KERNEL(jiffies_till_sched_qs)},
	{"kernel.nohz", PARAM_BOOL, "", 0, 1, NULL, "true", "nohz=: idle CPUs may stop their tick",
	 KERNEL(nohz)},
	{"kernel.skew_tick", PARAM_BOOL, "", 0, 1, NULL, "false",
	 "skew_tick=: CPUs' ticks are spread over half a jiffy", KERNEL(skew_tick)},
	{"kernel.rcu_boost", PARAM_BOOL, "", 0, 1, NULL, "false",
	 "CONFIG_RCU_BOOST: preempted readers that hold grace periods get real-time priority",
	 KERNEL(rcu_boost)},
	{"kernel.rcu_exp_kthread", PARAM_BOOL, "", 0, 1, NULL, "false",
	 "CONFIG_RCU_EXP_KTHREAD: expedited grace periods are driven by real-time kthreads",
	 KERNEL(rcu_exp_kthread)},
	{"kernel.rcu_cpu_stall_timeout", PARAM_INT, "s", 1, 1000000, NULL, "21",
	 "rcupdate.rcu_cpu_stall_timeout: age at which a grace period is a stall; 3 to 300 s count",
	 KERNEL(rcu_cpu_stall_timeout)},
	{"kernel.rcu_exp_cpu_stall_timeout", PARAM_INT, "ms", 0, 300000, NULL, "0 (as the normal one)",
	 "rcupdate.rcu_exp_cpu_stall_timeout, where the profile has it",
	 KERNEL(rcu_exp_cpu_stall_timeout)},
	{"kernel.rcu_cpu_stall_suppress", PARAM_BOOL, "", 0, 1, NULL, "false",
	 "rcupdate.rcu_cpu_stall_suppress: no stall warnings", KERNEL(rcu_cpu_stall_suppress)},
	{"kernel.rcu_boost_delay_ms", PARAM_INT, "ms", 0, 3000, NULL, "500",
	 "CONFIG_RCU_BOOST_DELAY: age at which a normal grace period boosts",
	 KERNEL(rcu_boost_delay_ms)},
};

static const struct param_info machine_rows[] = {
	{"machine.cpus", PARAM_INT, "", 1, CPUS_MAX, NULL, "1", "possible CPUs (nr_cpu_ids)",
	 MACHINE(cpus)},
	{"machine.cpus_online", PARAM_INT, "", 1, CPUS_MAX, NULL, "machine.cpus",
	 "CPUs started at boot", MACHINE(cpus_online)},
	{"machine.hz", PARAM_INT, "Hz", 12, 1000, NULL, "250", "CONFIG_HZ, ticks a second",
	 MACHINE(hz)},
	{"machine.preempt", PARAM_ENUM, "", 0, PREEMPT_MODEL_COUNT - 1, preempt_names, "none",
	 "preemption model of the kernel", MACHINE(preempt)},
	{"machine.nocb", PARAM_CPUS, "", 0, 0, NULL, "none",
	 "CPUs whose RCU callbacks are offloaded", MACHINE(nocb)},
	{"machine.tick_phase", PARAM_DIST, "ns", 0, 0, NULL, "uniform over one jiffy",
	 "time of CPU 0's first tick after time 0", MACHINE(tick_phase)},
	{"machine.platform", PARAM_TEXT, "", 0, 0, NULL, "none (costs are 0)",
	 "named set of costs, a file of scenarios/platforms/", PARAM_NO_OFFSET},
	{"machine.booted", PARAM_BOOL, "", 0, 1, NULL,
	 "true with workload:, false with boot:", "start as after boot", MACHINE(booted)},
	{"machine.periodic", PARAM_BOOL, "", 0, 1, NULL, "false",
	 "booted machines: ticks still periodic, as before high-resolution mode",
	 MACHINE(periodic)},
};

static const struct param_info fault_rows[] = {
	{"faults.lose_ipi", PARAM_INT, "", 0, 1000000000, NULL, "0 (none)",
	 "the n-th IPI by which expedited grace periods ask a CPU is lost",
	 offsetof(struct model_config, faults.lose_ipi)},
};

static const struct param_info limit_rows[] = {
	{"limits.time", PARAM_DURATION, "ns", 1, INT64_C(1000000000000000), NULL, "3600s",
	 "virtual time at which a run is stopped", offsetof(struct model_config, time_limit_ns)},
	{"limits.events", PARAM_INT, "", 1, INT64_MAX, NULL, "10000000000",
	 "events after which a run is stopped", offsetof(struct model_config, event_limit)},
};

/* A cost may not exceed a second: a larger one is a wrong unit. */
#define COST(name, text) \
	{ \
		"machine.costs." #name, PARAM_DURATION, "ns", 0, NS_PER_S, NULL, \
			"from the platform", text, MACHINE(costs.name##_ns) \
	}

static const struct param_info cost_rows[] = {
	COST(context_switch, "switch from one task to another, either may be idle"),
	COST(wakeup, "try_to_wake_up, paid by the waker"),
	COST(idle_exit, "interrupt arrival at an idle CPU to its first instruction"),
	COST(tick, "scheduler tick, hard-interrupt part"),
	COST(timer_softirq, "TIMER_SOFTIRQ that runs at least one timer"),
	COST(rcu_softirq, "RCU_SOFTIRQ without its tree walk and callbacks"),
	COST(ipi_send, "sender's time for one IPI"),
	COST(ipi_deliver, "send to handler entry on a running CPU"),
	COST(ipi_handle, "function-call IPI handler, entry to exit"),
	COST(resched_handle, "reschedule IPI handler, entry to exit"),
	COST(node_walk, "one rcu_node visited under its lock"),
	COST(cpu_scan, "reading one CPU's dyntick counter"),
	COST(call_rcu, "enqueueing one callback"),
	COST(callback, "invoking one callback"),
	COST(sync, "synchronize_rcu()'s own work around the wait"),
	COST(stopper, "a stopper's work item: barrier and completion"),
	COST(work_item, "queueing and dequeueing one work item"),
};
_Static_assert(sizeof(cost_rows) / sizeof(cost_rows[0]) ==
		       sizeof(struct platform_costs) / sizeof(sim_time_ns),
	       "each platform cost is a parameter");

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

struct table {
	struct param_info rows[PARAMS_MAX];
	size_t count;
	size_t first_cost;
	const char *profile_names[PROFILES_MAX + 1];
	char cell_paths[PARAMS_MAX][48];
};

static struct table shared_table;
static pthread_once_t shared_once = PTHREAD_ONCE_INIT;

static void add_rows(const struct param_info *rows, size_t count)
{
	RS_REQUIRE(shared_table.count + count <= PARAMS_MAX);
	memcpy(&shared_table.rows[shared_table.count], rows, count * sizeof(rows[0]));
	shared_table.count += count;
}

static bool has_path(const char *path)
{
	for (size_t i = 0; i < shared_table.count; i++)
		if (strcmp(shared_table.rows[i].path, path) == 0)
			return true;
	return false;
}

static void add_profile_row(void)
{
	size_t count;
	const struct rcu_profile *profiles = profile_all(&count);
	struct param_info row = {.path = "kernel.profile",
				 .type = PARAM_ENUM,
				 .unit = "",
				 .low = 0,
				 .default_text = "v6.1",
				 .help = "kernel version whose RCU is simulated",
				 .offset = PARAM_NO_OFFSET};

	RS_REQUIRE(count <= PROFILES_MAX);
	for (size_t i = 0; i < count; i++)
		shared_table.profile_names[i] = profiles[i].name;
	row.value_names = shared_table.profile_names;
	row.high = (int64_t)count - 1;
	add_rows(&row, 1);
}

static void add_cell_rows(void)
{
	size_t count;
	const struct profile_cell_info *cells = profile_cells(&count);

	for (size_t i = 0; i < count; i++) {
		char *path = shared_table.cell_paths[i];
		int length = snprintf(path, sizeof(shared_table.cell_paths[i]), "kernel.%s",
				      cells[i].name);
		/* A build option keeps the short name; the cell says whether it exists. */
		if (has_path(path))
			length = snprintf(path, sizeof(shared_table.cell_paths[i]),
					  "kernel.%s_option", cells[i].name);
		RS_REQUIRE(length > 0 && (size_t)length < sizeof(shared_table.cell_paths[i]));
		struct param_info row = {
			.path = path,
			.type = cells[i].value_names ? PARAM_ENUM : PARAM_INT,
			.unit = strstr(path, "_jiffies") ? "jiffies" : "",
			.low = cells[i].low,
			.high = cells[i].high,
			.value_names = cells[i].value_names,
			.default_text = "from the profile",
			.help = cells[i].help,
			.offset = offsetof(struct model_config, kernel.profile) + cells[i].offset,
		};
		add_rows(&row, 1);
	}
}

static void build_table(void)
{
	add_profile_row();
	add_rows(kernel_rows, ROWS(kernel_rows));
	add_cell_rows();
	add_rows(machine_rows, ROWS(machine_rows));
	shared_table.first_cost = shared_table.count;
	add_rows(cost_rows, ROWS(cost_rows));
	add_rows(limit_rows, ROWS(limit_rows));
	add_rows(fault_rows, ROWS(fault_rows));
}

const struct param_info *param_all(size_t *count)
{
	pthread_once(&shared_once, build_table);
	*count = shared_table.count;
	return shared_table.rows;
}

const struct param_info *param_costs(size_t *count)
{
	size_t all;
	const struct param_info *rows = param_all(&all);

	*count = ROWS(cost_rows);
	return &rows[shared_table.first_cost];
}

const struct param_info *param_find(const char *path)
{
	size_t count;
	const struct param_info *rows = param_all(&count);

	for (size_t i = 0; i < count; i++)
		if (strcmp(rows[i].path, path) == 0)
			return &rows[i];
	return NULL;
}

/* A path nobody is near to may still be a bare name: "hz" for machine.hz. */
static const char *find_by_last_word(const char *text)
{
	size_t count;
	const struct param_info *rows = param_all(&count);
	const char *dot = strrchr(text, '.');
	const char *word = dot ? dot + 1 : text;
	struct suggest suggest;
	const char *found = NULL;

	suggest_begin(&suggest, word);
	for (size_t i = 0; i < count; i++) {
		const char *before = suggest.best;

		suggest_offer(&suggest, strrchr(rows[i].path, '.') + 1);
		if (suggest.best != before)
			found = rows[i].path;
	}
	return found;
}

const char *param_nearest(const char *text)
{
	size_t count;
	const struct param_info *rows = param_all(&count);
	struct suggest suggest;

	suggest_begin(&suggest, text);
	for (size_t i = 0; i < count; i++)
		suggest_offer(&suggest, rows[i].path);
	const char *found = find_by_last_word(text);
	const char *dot = strrchr(text, '.');

	/* The right word in the wrong section beats two changed letters. */
	if (found && strcmp(strrchr(found, '.') + 1, dot ? dot + 1 : text) == 0 &&
	    suggest.best_distance > 1)
		return found;
	/* A long path is near to many: trust it only when few letters differ. */
	if (suggest.best && suggest.best_distance <= 3)
		return suggest.best;

	return found ? found : suggest.best;
}

const char *param_type_name(enum param_type type)
{
	switch (type) {
	case PARAM_INT:
		return "int";
	case PARAM_BOOL:
		return "bool";
	case PARAM_ENUM:
		return "enum";
	case PARAM_DURATION:
		return "duration";
	case PARAM_DIST:
		return "distribution";
	case PARAM_CPUS:
		return "CPU list";
	case PARAM_TEXT:
		return "text";
	case PARAM_TYPE_COUNT:
		break;
	}
	RS_BUG("unknown param_type %d", (int)type);
}
