/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one wait that public boot logs show to the microsecond: the cpuidle
 * governors ladder and menu register one after the other at postcore level,
 * each followed by synchronize_rcu(), and each message comes after the wait. So
 * ladder to menu is one grace period asked for right behind another. The rows
 * and their sources: docs/grace-periods.md.
 *
 * Each boot brings its CPUs up with the durations of the log's machine, runs
 * 30 us of work before each wait and has CPU 0's tick phase uniform over a
 * jiffy. 401 replications a row. Nearly all of them are at the median. A boot takes
 * a jiffy more when a secondary's tick falls into the microseconds after CPU 0's:
 * it then misses the start (delta of the tick path is just above 1) or is seen in
 * its own interrupt by the scan. 0 to 3 % of the boots, 6 % on the router with 4
 * CPUs, where a few microseconds are a larger part of a jiffy.
 */
#include "tests/model/model_fixture.h"

#define REPLICATIONS 401
#define WORK_NS (30 * NS_PER_US)

struct row {
	const char *what;
	const char *profile;
	int hz;
	int cpus;
	int preempt;
	bool nocb;
	bool fast_no_hz;
	double bring_up_low_ms, bring_up_high_ms;
	double jiffies;  /* ladder to menu, median */
	double slack;    /* of the median, in jiffies */
	double low, high; /* 5 % and 95 % of the replications lie between, in jiffies */
};

static const struct row rows[] = {
	/* log: 3.998, 4.004, 4.002 ms */
	{ "3.19 distribution, 8 CPUs, NOCB + FAST_NO_HZ", "v3.19", 250, 8, PREEMPT_VOLUNTARY, true,
	  true, 1.0, 1.2, 1.00, 0.02, 0.98, 1.02 },
	/* log: 11.992, 11.997, 11.980 ms */
	{ "4.4 KVM, 4 CPUs", "v4.4", 250, 4, PREEMPT_VOLUNTARY, false, false, 5.1, 5.6, 3.00, 0.02,
	  2.98, 3.02 },
	/* log: 12.009 ms */
	{ "4.9 Atom, 4 CPUs", "v4.9", 250, 4, PREEMPT_VOLUNTARY, false, false, 2.3, 2.5, 3.00, 0.02,
	  2.98, 3.02 },
	/* log: 2.994 ms, both */
	{ "4.4 router, 2 CPUs", "v4.4", 1000, 2, PREEMPT_NONE, false, false, 0.5, 0.6, 2.99, 0.1,
	  2.98, 3.02 },
	{ "4.4 router, 4 CPUs", "v4.4", 1000, 4, PREEMPT_NONE, false, false, 0.5, 0.6, 2.99, 0.1,
	  2.98, 4.02 },
	/* logs: 4 us to 0.6 ms, typically 0.1-0.2: expedited */
	{ "6.1, 4 CPUs", "v6.1", 250, 4, PREEMPT_VOLUNTARY, false, false, 5.1, 5.6, 0.02, 0.08, 0.0,
	  0.1 },
};

static void row_config(const struct row *row, struct model_config *cfg)
{
	fixture_boot(cfg, row->profile, row->hz, row->cpus);
	cfg->machine.preempt = row->preempt;
	cfg->kernel.fast_no_hz = row->fast_no_hz;
	if (row->nocb)
		fixture_offload_all(cfg);
}

START_TEST(ladder_to_menu_takes_what_the_log_says)
{
	const struct row *row = &rows[_i];
	struct sim_arena *arena = sim_arena_create(0);
	static const char menu[] = "menu";
	struct step bring_up = step_of(STEP_BRING_UP, 2);
	struct model_config cfg;
	sim_time_ns interval_ns[REPLICATIONS];
	double tau_ns = 1e9 / row->hz;
	const size_t tail = REPLICATIONS / 20;
	double median, low, high;

	bring_up.duration = (struct dist){ .kind = DIST_UNIFORM,
					   .a = row->bring_up_low_ms * 1e6,
					   .b = row->bring_up_high_ms * 1e6 };
	{
		const struct step steps[] = {
			step_at(LEVEL_START_KERNEL, step_timed(STEP_RUN, 1, 5 * NS_PER_MS)),
			step_at(LEVEL_SMP, bring_up),
			step_at(LEVEL_CORE, step_timed(STEP_RUN, 3, 3 * NS_PER_MS)),
			step_at(LEVEL_POSTCORE, step_timed(STEP_RUN, 4, WORK_NS)),
			step_at(LEVEL_POSTCORE, step_of(STEP_SYNC, 5)),
			step_at(LEVEL_POSTCORE, step_mark(6, "ladder")),
			step_at(LEVEL_POSTCORE, step_timed(STEP_RUN, 7, WORK_NS)),
			step_at(LEVEL_POSTCORE, step_of(STEP_SYNC, 8)),
			step_at(LEVEL_POSTCORE, step_mark(9, menu)),
		};

		row_config(row, &cfg);
		cfg.boot_steps = steps;
		cfg.boot_step_count = sizeof(steps) / sizeof(steps[0]);
		cfg.end_mark = menu;
		for (uint64_t i = 0; i < REPLICATIONS; i++) {
			struct run_record r = fixture_run(&cfg, 7, i, arena, NULL);

			interval_ns[i] = record_mark_ns(&r, menu) - record_mark_ns(&r, "ladder");
		}
	}
	median = (double)fixture_median_ns(interval_ns, REPLICATIONS) / tau_ns;
	low = (double)interval_ns[tail] / tau_ns;
	high = (double)interval_ns[REPLICATIONS - 1 - tail] / tau_ns;
	EXPECT(median >= row->jiffies - row->slack && median <= row->jiffies + row->slack,
	       "%s: median %.3f jiffies (5-95 %%: %.3f-%.3f), the log says %.2f", row->what, median,
	       low, high, row->jiffies);
	EXPECT(low >= row->low && high <= row->high, "%s: 5-95 %%: %.3f-%.3f jiffies", row->what,
	       low, high);
	sim_arena_destroy(arena);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("logs");

	tcase_add_loop_test(tcase, ladder_to_menu_takes_what_the_log_says, 0,
			    (int)(sizeof(rows) / sizeof(rows[0])));
	return fixture_main(suite_create("governors"), tcase);
}
