/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of metrics. Names equal the fields of struct run_totals and the
 * output's columns; a new total needs one row here and nothing in the writers.
 */
#include "models/metrics.h"

#include <string.h>

#define TOTAL(field, unit_, in_table_, title_, help_) \
	{ \
		.name = #field, .title = (title_), .unit = (unit_), .source = METRIC_TOTAL, \
		.offset = offsetof(struct run_totals, field), .in_table = (in_table_), \
		.help = (help_) \
	}

#define PAIRED(name_, unit_, in_table_, title_, help_) \
	{ \
		.name = (name_), .title = (title_), .unit = (unit_), .source = METRIC_PAIRED, \
		.offset = 0, .in_table = (in_table_), .help = (help_) \
	}

static const struct metric_info metrics[] = {
	TOTAL(boot_time_ns, METRIC_NS, true, "boot time to end mark",
	      "virtual time at the end mark (at the end of the run if there is none)"),
	PAIRED("saved_ns", METRIC_NS, true, "saved",
	       "the baseline's boot_time_ns minus this variant's, paired by replication"),
	PAIRED("saved_pct", METRIC_PCT, true, "saved, part of baseline",
	       "saved_ns as a percentage of the baseline's boot_time_ns"),
	TOTAL(gp_normal, METRIC_COUNT, true, "grace periods, normal",
	      "normal grace periods completed before the end mark"),
	TOTAL(gp_expedited, METRIC_COUNT, true, "grace periods, expedited",
	      "expedited grace periods completed before the end mark"),
	TOTAL(wait_noop, METRIC_COUNT, false, "waits, no-op",
	      "synchronous waits that returned at once because a grace period was vacuous"),
	TOTAL(wait_normal, METRIC_COUNT, true, "waits, normal",
	      "synchronous waits that took the normal path"),
	TOTAL(wait_expedited, METRIC_COUNT, true, "waits, expedited",
	      "synchronous waits that took the expedited path"),
	TOTAL(wait_ns, METRIC_NS, true, "time in waits",
	      "time the boot path was blocked in grace-period waits"),
	TOTAL(ipi_exp, METRIC_COUNT, true, "IPIs, expedited",
	      "function-call IPIs sent to select CPUs for expedited grace periods"),
	TOTAL(ipi_resched, METRIC_COUNT, true, "IPIs, reschedule",
	      "reschedule IPIs due to RCU: wake-ups of and by its threads, urging slow CPUs"),
	TOTAL(ipi_barrier, METRIC_COUNT, false, "IPIs, rcu_barrier",
	      "function-call IPIs by which rcu_barrier asks CPUs that have callbacks"),
	TOTAL(stopper_wakeups, METRIC_COUNT, true, "stopper wake-ups",
	      "stopper works queued by expedited grace periods (kernels up to 4.2)"),
	TOTAL(ipi_send_ns, METRIC_NS, true, "IPI sending time",
	      "time senders spent on IPIs of RCU"),
	TOTAL(ipi_stolen_ns, METRIC_NS, true, "time stolen from targets",
	      "time taken from interrupted CPUs: handler, forced context switches, stoppers"),
	TOTAL(idle_wakeups, METRIC_COUNT, true, "idle CPUs woken",
	      "times RCU woke an idle CPU"),
	TOTAL(interruption_max_ns, METRIC_NS, true, "longest interruption",
	      "longest interruption of a running task that RCU caused"),
	TOTAL(rcu_cpu_ns, METRIC_NS, true, "RCU's CPU time",
	      "CPU time of RCU's own work: kthreads, softirq, ticks kept alive for RCU"),
	TOTAL(callbacks_invoked, METRIC_COUNT, false, "callbacks invoked",
	      "RCU callbacks invoked before the end mark"),
	TOTAL(fqs_scans, METRIC_COUNT, false, "FQS scans",
	      "scans for CPUs in extended quiescent states by the grace-period kthread"),
	TOTAL(exp_fallbacks, METRIC_COUNT, false, "expedited fallbacks",
	      "expedited requests that became normal ones: CPU hotplug or contention"),
	TOTAL(readers_preempted, METRIC_COUNT, false, "readers preempted",
	      "tasks switched out inside a reader (preempt: full): they block grace periods"),
	TOTAL(readers_boosted, METRIC_COUNT, false, "readers boosted",
	      "tasks that got rcub's priority (kernel.rcu_boost)"),
	TOTAL(stall_warnings, METRIC_COUNT, false, "stall warnings",
	      "RCU CPU stall warnings, of normal and expedited grace periods"),
	TOTAL(sensitive_interruptions, METRIC_COUNT, false, "sensitive tasks, interruptions",
	      "times RCU took the CPU from a latency-sensitive task"),
	TOTAL(sensitive_interruption_ns, METRIC_NS, false, "sensitive tasks, interrupted for",
	      "time RCU took from latency-sensitive tasks"),
	TOTAL(sensitive_interruption_max_ns, METRIC_NS, false, "sensitive tasks, longest",
	      "longest interruption of a latency-sensitive task that RCU caused"),
	TOTAL(ticks, METRIC_COUNT, false, "ticks", "scheduler ticks taken on all CPUs"),
	TOTAL(events, METRIC_COUNT, false, "events", "events the engine executed"),
	TOTAL(events_tied, METRIC_COUNT, false, "events tied",
	      "events at the time and priority of the one before them: --shuffle-ties permutes these"),
	PAIRED("saved_per_ipi_ns", METRIC_NS, true, "saved for each extra IPI",
	       "saved_ns divided by the IPIs beyond the baseline's"),
	PAIRED("break_even_ipi_ns", METRIC_NS, true, "break-even IPI cost",
	       "cost of one extra IPI at which the saving would be gone"),
};

/* A total without a row would be missing from every output. */
_Static_assert(sizeof(metrics) / sizeof(metrics[0]) ==
		       sizeof(struct run_totals) / sizeof(int64_t) + 4,
	       "each field of struct run_totals has a row in the table of metrics");

const struct metric_info *metric_all(size_t *count)
{
	*count = sizeof(metrics) / sizeof(metrics[0]);
	return metrics;
}

const struct metric_info *metric_find(const char *name)
{
	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
		if (strcmp(metrics[i].name, name) == 0)
			return &metrics[i];
	return NULL;
}

int64_t metric_total(const struct metric_info *metric, const struct run_totals *totals)
{
	int64_t value;

	RS_REQUIRE(metric->source == METRIC_TOTAL);
	memcpy(&value, (const char *)totals + metric->offset, sizeof(value));
	return value;
}

const char *metric_unit_name(enum metric_unit unit)
{
	switch (unit) {
	case METRIC_NS:
		return "ns";
	case METRIC_COUNT:
		return "count";
	case METRIC_PCT:
		return "percent";
	case METRIC_UNIT_COUNT:
		break;
	}
	RS_BUG("unknown metric_unit %d", (int)unit);
}
