/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read-side critical sections (mechanics 3.7, 4.5, 5): where a preempted reader
 * is queued, and how long readers of all kinds hold grace periods. Every run
 * has the oracle on, which knows the readers.
 */
#include "tests/model/model_fixture.h"
#include "tests/model/oracle_bench.h"

enum { ID_READ = 1, ID_RUN, ID_HOG, ID_SLEEP, ID_WAIT, ID_DONE, ID_REGION, ID_LOOP };

static const char *const all_profiles[] = { "v3.19", "v4.1", "v4.4", "v4.9", "v6.1" };
#define PROFILES (sizeof(all_profiles) / sizeof(all_profiles[0]))

/* Reports, wake-ups and switches after the unlock that ends a grace period. */
#define REPORT_NS (60 * NS_PER_US)

static struct step step_section(enum step_kind kind, uint32_t id, const struct step *body,
				size_t body_count)
{
	struct step s = step_of(kind, id);

	s.body = body;
	s.body_count = body_count;
	return s;
}

/* --- the insertion table --- */

#define QUEUED 4

/* A leaf with four tasks blocked, a to d; gp_tasks at b and exp_tasks at c where asked for. */
struct table {
	struct bench bench;
	struct cpu *c;
	struct rcu_node *leaf;
	struct task task[QUEUED + 1];
	char order[QUEUED + 2];
};

static void table_start(struct table *t, const char *profile, bool gp, bool exp)
{
	struct task *prev = NULL;

	memset(t, 0, sizeof(*t));
	bench_config(&t->bench, profile, 2);
	t->bench.config.machine.preempt = PREEMPT_FULL;
	bench_start(&t->bench);
	t->bench.m->oracle = NULL; /* the lists are made up */
	t->c = &t->bench.m->cpus[0];
	t->leaf = t->c->rdp->mynode;
	for (int i = 0; i < QUEUED; i++) {
		struct task *q = &t->task[i];

		q->machine = t->bench.m;
		q->rcu_depth = 1;
		q->blkd_node = t->leaf;
		q->blkd_prev = prev;
		if (prev)
			prev->blkd_next = q;
		else
			t->leaf->blkd_head = q;
		t->leaf->blkd_tail = prev = q;
	}
	t->leaf->gp_tasks = gp ? &t->task[1] : NULL;
	t->leaf->exp_tasks = exp ? &t->task[2] : NULL;
}

/* Task x is switched out in a reader; the list's order after that. */
static const char *table_block(struct table *t, bool owes_gp, bool owes_exp)
{
	struct task *x = &t->task[QUEUED];
	int count = 0;

	x->machine = t->bench.m;
	x->name = "x";
	x->rcu_depth = 1;
	t->c->curr = x;
	t->leaf->qsmask = owes_gp ? t->c->rdp->grpmask : 0;
	t->leaf->expmask = owes_exp ? t->c->rdp->grpmask : 0;
	rcu_preempt_switch(t->c);
	for (const struct task *q = t->leaf->blkd_head; q; q = q->blkd_next)
		t->order[count++] = "abcdx"[q - t->task];
	return t->order;
}

struct row {
	int gp_bit, exp_bit, gp_tasks, exp_tasks; /* 0, 1; -1: any */
	const char *order;
};

static void check_row(const char *profile, const struct row *row, bool gp, bool exp)
{
	struct table t;
	const struct task *x = &t.task[QUEUED];
	const char *order;

	table_start(&t, profile, gp, exp);
	order = table_block(&t, row->gp_bit, row->exp_bit);
	ck_assert_msg(strcmp(order, row->order) == 0, "%s: G %d, E %d, gp_tasks %d, exp_tasks %d: %s, "
		      "should be %s", profile, row->gp_bit, row->exp_bit, gp, exp, order, row->order);
	if (profile_find(profile)->version >= 404) {
		ck_assert_ptr_eq(t.leaf->gp_tasks, gp ? &t.task[1] : row->gp_bit ? x : NULL);
		ck_assert_ptr_eq(t.leaf->exp_tasks, exp ? &t.task[2] : row->exp_bit ? x : NULL);
	} else {
		ck_assert_ptr_eq(t.leaf->gp_tasks, row->gp_bit ? x : gp ? &t.task[1] : NULL);
		ck_assert_ptr_eq(t.leaf->exp_tasks, exp ? &t.task[2] : NULL);
	}
	bench_stop(&t.bench);
}

static void check_rows(const char *profile, const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (int bits = 0; bits < 4; bits++) {
			bool gp = bits & 1;
			bool exp = bits & 2;

			if ((rows[i].gp_tasks < 0 || rows[i].gp_tasks == gp) &&
			    (rows[i].exp_tasks < 0 || rows[i].exp_tasks == exp))
				check_row(profile, &rows[i], gp, exp);
		}
	}
}

START_TEST(a_preempted_reader_is_queued_as_each_row_of_the_table_says)
{
	static const struct row rows[] = {
		{ 0, 0, -1, -1, "xabcd" }, /* holds nothing: first */
		{ 1, 0, 0, 1, "xabcd" },   /* do not hold the expedited one: first */
		{ 1, 0, 1, -1, "abxcd" },  /* just after gp_tasks */
		{ 1, 0, 0, 0, "abcdx" },   /* last */
		{ 0, 1, -1, 1, "abcxd" },  /* just after exp_tasks */
		{ 1, 1, 0, 1, "abcxd" },   /* just after exp_tasks */
		{ 0, 1, -1, 0, "abcdx" },  /* last */
		{ 1, 1, -1, 0, "abcdx" },  /* last */
		{ 1, 1, 1, 1, "abcdx" },   /* last */
	};

	check_rows("v6.1", rows, sizeof(rows) / sizeof(rows[0]));
	check_rows("v4.4", rows, sizeof(rows) / sizeof(rows[0]));
}
END_TEST

START_TEST(up_to_4_3_a_preempted_reader_goes_before_gp_tasks_or_first)
{
	static const struct row rows[] = {
		{ 0, -1, -1, -1, "xabcd" },
		{ 1, -1, 0, -1, "xabcd" },
		{ 1, -1, 1, -1, "axbcd" },
	};
	struct row row;

	for (size_t i = 0; i < 3; i++) {
		row = rows[i];
		row.exp_bit = 0; /* stoppers leave no CPU owing */
		check_rows("v4.1", &row, 1);
	}
}
END_TEST

START_TEST(an_unlock_moves_the_pointers_that_stood_at_its_task)
{
	struct table t;

	table_start(&t, "v6.1", true, true);
	t.leaf->expmask = t.leaf->qsmask = 3; /* CPUs owe: nothing goes up */
	for (int i = 1; i < QUEUED; i++) {
		t.c->curr = &t.task[i];
		section_leave(t.c, &t.task[i], SECTION_RCU);
		ck_assert_ptr_eq(t.leaf->gp_tasks, i + 1 < QUEUED ? &t.task[i + 1] : NULL);
		ck_assert_ptr_eq(t.leaf->exp_tasks,
				 i == 1 ? &t.task[2] : i + 1 < QUEUED ? &t.task[i + 1] : NULL);
		ck_assert_ptr_null(t.task[i].blkd_node);
	}
	ck_assert_ptr_eq(t.leaf->blkd_head, &t.task[0]);
	ck_assert_ptr_eq(t.leaf->blkd_tail, &t.task[0]);
	bench_stop(&t.bench);
}
END_TEST

/* --- readers against grace periods --- */

/*
 * Two CPUs. On CPU 1 the reader's steps, with a mark "unlocked" after them, and
 * `hogs` tasks of hog_ns; CPU 0 waits from wait_at_ns on.
 */
struct contest {
	struct model_config cfg;
	struct sim_arena *arena;
	struct step reader[4];
	size_t reader_count;
	int hogs;
	sim_time_ns hog_ns;
	sim_time_ns wait_at_ns;
	enum step_kind wait;
	sim_time_ns on_ns; /* kernel code after the mark */
	struct run_record r;
};

static void contest_init(struct contest *k, const char *profile, int preempt)
{
	memset(k, 0, sizeof(*k));
	k->arena = sim_arena_create(0);
	fixture_booted(&k->cfg, profile, 1000, 2);
	k->cfg.machine.preempt = preempt;
	k->wait = STEP_SYNC_EXPEDITED;
	k->wait_at_ns = 500 * NS_PER_US;
}

#define HOGS_MAX 40

static void contest_run(struct contest *k)
{
	const struct step hog[] = { step_timed(STEP_RUN, ID_HOG, k->hog_ns) };
	const struct step waiter[] = { step_timed(STEP_SLEEP, ID_SLEEP, k->wait_at_ns),
				       step_of(k->wait, ID_WAIT) };
	struct task_config tasks[2 + HOGS_MAX] = {
		{ "waiter", 0, waiter, 2 },
		{ "reader", 1, k->reader, k->reader_count + 1 + (k->on_ns > 0) },
	};

	k->reader[k->reader_count] = step_mark(ID_DONE, "unlocked");
	if (k->on_ns > 0)
		k->reader[k->reader_count + 1] = step_timed(STEP_RUN, ID_LOOP, k->on_ns);
	for (int i = 0; i < k->hogs; i++)
		tasks[2 + i] = (struct task_config){ "hog", 1, hog, 1 };
	fixture_tasks(&k->cfg, tasks, 2 + (size_t)k->hogs);
	k->r = fixture_run(&k->cfg, 1, 0, k->arena, NULL);
}

static sim_time_ns contest_wait_ns(const struct contest *k)
{
	return wait_ns(record_wait(&k->r, ID_WAIT, 0));
}

/* How long after the reader's mark the grace period of the wait ended. */
static sim_time_ns contest_gp_after_ns(const struct contest *k)
{
	ck_assert_uint_ge(k->r.gp_count, 1);
	return k->r.gps[0].end_ns - record_mark_ns(&k->r, "unlocked");
}

static void contest_fini(struct contest *k)
{
	sim_arena_destroy(k->arena);
}

/* A reader of 20 ms shares CPU 1 with a hog, so it is switched out after 6 ms at most. */
static void preempted_reader(struct contest *k, const char *profile, enum step_kind wait,
			     const struct step *body)
{
	contest_init(k, profile, PREEMPT_FULL);
	k->reader[k->reader_count++] = step_section(STEP_READ, ID_READ, body, 1);
	k->hogs = 1;
	k->hog_ns = 100 * NS_PER_MS;
	k->wait_at_ns = 9 * NS_PER_MS;
	k->wait = wait;
	contest_run(k);
	ck_assert_int_ge(k->r.totals.readers_preempted, 1);
}

START_TEST(a_preempted_reader_holds_an_expedited_grace_period_exactly_to_its_unlock)
{
	const struct step body[] = { step_timed(STEP_RUN, ID_RUN, 20 * NS_PER_MS) };

	for (size_t i = 0; i < PROFILES; i++) {
		struct contest k;

		preempted_reader(&k, all_profiles[i], STEP_SYNC_EXPEDITED, body);
		EXPECT(k.r.gps[0].expedited, "%s: not expedited", all_profiles[i]);
		EXPECT(contest_gp_after_ns(&k) >= -5 * NS_PER_US &&
			       contest_gp_after_ns(&k) <= REPORT_NS,
		       "%s: ends %lld ns after the unlock", all_profiles[i],
		       (long long)contest_gp_after_ns(&k));
		contest_fini(&k);
	}
}
END_TEST

/* To 4.1 the kthread is not woken: its timer notices, up to three jiffies later. */
START_TEST(a_preempted_reader_holds_a_normal_grace_period_exactly_to_its_unlock)
{
	const struct step body[] = { step_timed(STEP_RUN, ID_RUN, 40 * NS_PER_MS) };

	for (size_t i = 0; i < PROFILES; i++) {
		struct contest k;
		sim_time_ns late_ns = REPORT_NS;

		preempted_reader(&k, all_profiles[i], STEP_SYNC, body);
		if (!k.cfg.kernel.profile.final_wakeup)
			late_ns += 3 * NS_PER_MS;
		EXPECT(contest_gp_after_ns(&k) >= -5 * NS_PER_US &&
			       contest_gp_after_ns(&k) <= late_ns,
		       "%s: ends %lld ns after the unlock", all_profiles[i],
		       (long long)contest_gp_after_ns(&k));
		contest_fini(&k);
	}
}
END_TEST

/*
 * The reader begins after the grace period, and after two ticks in user mode by
 * which its CPU noticed that and reported: nobody waits for it.
 */
START_TEST(a_reader_that_begins_after_the_grace_period_does_not_hold_it)
{
	const struct step body[] = { step_timed(STEP_RUN, ID_RUN, 40 * NS_PER_MS) };

	for (int normal = 0; normal < 2; normal++) {
		struct contest k;

		contest_init(&k, "v6.1", PREEMPT_FULL);
		k.wait = normal ? STEP_SYNC : STEP_SYNC_EXPEDITED;
		/* the wait begins at 0.5 ms, its grace period with the tick after that */
		k.reader[k.reader_count++] = step_timed(STEP_RUN_USER, ID_RUN, 3500 * NS_PER_US);
		k.reader[k.reader_count++] = step_section(STEP_READ, ID_READ, body, 1);
		contest_run(&k);
		ck_assert_int_lt(contest_gp_after_ns(&k), -30 * NS_PER_MS);
		contest_fini(&k);
	}
}
END_TEST

/* 3 ms of reader, an expedited wait 0.5 ms after its begin. */
START_TEST(a_running_reader_delays_an_expedited_grace_period_by_the_rest_of_it)
{
	const struct step body[] = { step_timed(STEP_RUN, ID_RUN, 3 * NS_PER_MS) };

	for (size_t i = 0; i < PROFILES; i++) {
		for (int preempt = 0; preempt < PREEMPT_MODEL_COUNT; preempt++) {
			struct contest k;

			contest_init(&k, all_profiles[i], preempt);
			k.reader[k.reader_count++] = step_section(STEP_READ, ID_READ, body, 1);
			contest_run(&k);
			EXPECT(contest_gp_after_ns(&k) >= -5 * NS_PER_US &&
				       contest_gp_after_ns(&k) <= REPORT_NS,
			       "%s %s: ends %lld ns after the unlock", all_profiles[i],
			       preempt_model_name((enum preempt_model)preempt),
			       (long long)contest_gp_after_ns(&k));
			contest_fini(&k);
		}
	}
}
END_TEST

/*
 * Readers of 3 ms, 0.1 ms apart, and waits at any time: half a section in the
 * median. Measured on a 4-CPU guest whose CPUs share one clock: 0.95 ms.
 */
START_TEST(expedited_waits_beside_readers_take_half_a_section_in_the_median)
{
	const struct step section[] = { step_timed(STEP_RUN, ID_RUN, 3 * NS_PER_MS) };
	const struct step read[] = { step_section(STEP_READ, ID_READ, section, 1),
				     step_timed(STEP_SLEEP, ID_SLEEP, 100 * NS_PER_US) };
	const struct step reader[] = { step_loop(ID_LOOP, 600, read, 2) };
	struct step wait[2] = { step_of(STEP_SLEEP, ID_DONE), step_of(STEP_SYNC_EXPEDITED, ID_WAIT) };
	struct sim_arena *arena = sim_arena_create(0);

	wait[0].duration = (struct dist){ .kind = DIST_UNIFORM, .a = 1e5, .b = 9e6 };
	for (int preempt = 0; preempt < PREEMPT_MODEL_COUNT; preempt++) {
		const struct step waiter[] = { step_loop(ID_LOOP, 200, wait, 2) };
		const struct task_config tasks[] = { { "reader", 1, reader, 1 },
						     { "waiter", 0, waiter, 1 } };
		sim_time_ns values[200];
		struct model_config cfg;
		struct run_record r;

		fixture_booted(&cfg, "v6.1", 250, 4);
		cfg.machine.preempt = preempt;
		fixture_tasks(&cfg, TASKS(tasks));
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		ck_assert_uint_eq(r.wait_count, 200);
		for (size_t i = 0; i < 200; i++)
			values[i] = wait_ns(&r.waits[i]);
		ck_assert_int_ge(fixture_median_ns(values, 200), 1000 * NS_PER_US);
		ck_assert_int_le(fixture_median_ns(values, 200), 2000 * NS_PER_US);
		ck_assert_int_le(values[199], 3 * NS_PER_MS + REPORT_NS);
	}
	sim_arena_destroy(arena);
}
END_TEST

/* Alone on its CPU for 2 s: after HZ/10 jiffies a tick makes schedule() note it. */
START_TEST(a_long_reader_that_nobody_preempts_is_queued_and_holds_the_grace_period)
{
	const struct step body[] = { step_timed(STEP_RUN, ID_RUN, 2 * NS_PER_S) };
	struct contest k;

	contest_init(&k, "v6.1", PREEMPT_FULL);
	k.wait = STEP_SYNC;
	k.reader[k.reader_count++] = step_section(STEP_READ, ID_READ, body, 1);
	contest_run(&k);
	ck_assert_int_eq(k.r.totals.readers_preempted, 1);
	ck_assert_int_ge(contest_gp_after_ns(&k), -5 * NS_PER_US);
	ck_assert_int_le(contest_gp_after_ns(&k), REPORT_NS);
	contest_fini(&k);
}
END_TEST

START_TEST(only_the_outermost_unlock_ends_a_reader)
{
	const struct step run[] = { step_timed(STEP_RUN, ID_RUN, NS_PER_MS) };
	const struct step body[] = { step_section(STEP_READ, ID_READ, run, 1),
				     step_timed(STEP_RUN, ID_RUN, 2 * NS_PER_MS) };

	for (int preempt = 0; preempt < PREEMPT_MODEL_COUNT; preempt++) {
		struct contest k;

		contest_init(&k, "v6.1", preempt);
		k.reader[k.reader_count++] = step_section(STEP_READ, ID_READ, body, 2);
		contest_run(&k);
		ck_assert_int_ge(contest_gp_after_ns(&k), -5 * NS_PER_US);
		ck_assert_int_le(contest_gp_after_ns(&k), REPORT_NS);
		contest_fini(&k);
	}
}
END_TEST

/* --- regions and deferred reports --- */

/* The reader's last step, its unlock in a region that goes on for 2 ms. */
static void ends_in(struct contest *k, const char *profile, enum section section,
		    const struct step *body)
{
	struct step read = step_section(STEP_READ, ID_READ, body, 1);

	contest_init(k, profile, PREEMPT_FULL);
	read.count = section;
	read.duration = dist_constant(2 * NS_PER_MS);
	k->reader[k->reader_count++] = read;
	k->on_ns = 20 * NS_PER_MS; /* no switch and no tick makes it report */
	k->cfg.machine.hz = 100;
	k->cfg.machine.tick_phase = dist_constant(10 * NS_PER_MS);
	contest_run(k);
}

START_TEST(from_4_20_an_unlock_in_a_region_is_reported_at_the_regions_end)
{
	const struct step body[] = { step_timed(STEP_RUN, ID_RUN, 2 * NS_PER_MS) };
	const enum section sections[] = { SECTION_PREEMPT, SECTION_BH, SECTION_IRQS };

	for (int i = 0; i < 3; i++) {
		struct contest k;

		/* the mark comes after the region */
		ends_in(&k, "v6.1", sections[i], body);
		EXPECT(contest_gp_after_ns(&k) >= -10 * NS_PER_US &&
			       contest_gp_after_ns(&k) <= REPORT_NS,
		       "region %d: ends %lld ns after it", (int)sections[i],
		       (long long)contest_gp_after_ns(&k));
		contest_fini(&k);
		ends_in(&k, "v4.9", sections[i], body);
		EXPECT(contest_gp_after_ns(&k) <= -1900 * NS_PER_US,
		       "4.9, region %d: the unlock does not report at once", (int)sections[i]);
		contest_fini(&k);
	}
}
END_TEST

/* A blocked reader's report is deferred as well, for normal grace periods too. */
START_TEST(a_preempted_reader_that_unlocks_in_a_region_is_off_the_list_at_its_end)
{
	const struct step body[] = { step_timed(STEP_RUN, ID_RUN, 20 * NS_PER_MS) };
	const enum step_kind waits[] = { STEP_SYNC, STEP_SYNC_EXPEDITED };

	for (int i = 0; i < 6; i++) {
		struct step read = step_section(STEP_READ, ID_READ, body, 1);
		struct contest k;

		contest_init(&k, "v6.1", PREEMPT_FULL);
		read.count = SECTION_PREEMPT + i / 2;
		read.duration = dist_constant(2 * NS_PER_MS);
		k.reader[k.reader_count++] = read;
		k.hogs = 1;
		k.hog_ns = 100 * NS_PER_MS;
		k.wait_at_ns = 9 * NS_PER_MS;
		k.wait = waits[i % 2];
		contest_run(&k);
		ck_assert_int_ge(k.r.totals.readers_preempted, 1);
		/* the region's end lets the hog in: the mark may come a slice later */
		EXPECT(contest_gp_after_ns(&k) <= REPORT_NS, "case %d: ends %lld ns after", i,
		       (long long)contest_gp_after_ns(&k));
		EXPECT(k.r.gps[0].end_ns - k.r.gps[0].start_ns >= 22 * NS_PER_MS, "case %d: too early",
		       i);
		contest_fini(&k);
	}
}
END_TEST

/* Does 5 ms of the region hold an expedited grace period back? */
static bool region_holds(const char *profile, int preempt, enum step_kind region)
{
	const struct step body[] = { step_timed(STEP_RUN, ID_RUN, 5 * NS_PER_MS) };
	struct contest k;
	bool held;

	contest_init(&k, profile, preempt);
	k.reader[k.reader_count++] = step_section(region, ID_REGION, body, 1);
	contest_run(&k);
	held = contest_gp_after_ns(&k) >= -5 * NS_PER_US;
	if (held)
		ck_assert_int_le(contest_gp_after_ns(&k), REPORT_NS);
	else
		ck_assert_int_le(contest_wait_ns(&k), REPORT_NS);
	contest_fini(&k);
	return held;
}

START_TEST(regions_are_readers_but_of_rcu_preempt_up_to_4_19)
{
	const enum step_kind regions[] = { STEP_PREEMPT_OFF, STEP_BH_OFF, STEP_IRQS_OFF };

	for (int i = 0; i < 3; i++) {
		ck_assert(region_holds("v4.9", PREEMPT_NONE, regions[i]));
		ck_assert(region_holds("v6.1", PREEMPT_NONE, regions[i]));
		ck_assert(region_holds("v6.1", PREEMPT_FULL, regions[i]));
		/* with interrupts off the handler itself has to wait; so has a stopper */
		ck_assert_int_eq(region_holds("v4.9", PREEMPT_FULL, regions[i]),
				 regions[i] == STEP_IRQS_OFF);
		ck_assert(region_holds("v4.1", PREEMPT_FULL, regions[i]));
	}
}
END_TEST

/* One CPU: callbacks are invoked by softirq, which a region of 50 ms holds back. */
START_TEST(softirqs_wait_for_the_end_of_a_region)
{
	const struct step body[] = { step_timed(STEP_RUN, ID_RUN, 50 * NS_PER_MS) };
	struct sim_arena *arena = sim_arena_create(0);

	for (int i = 0; i < 2; i++) {
		const struct step hog[] = { step_timed(STEP_SLEEP, ID_SLEEP, NS_PER_MS),
					    step_section(i ? STEP_IRQS_OFF : STEP_BH_OFF, ID_REGION,
							 body, 1),
					    step_mark(ID_DONE, "enabled") };
		const struct step waiter[] = { step_of(STEP_CALL_RCU_WAIT, ID_WAIT) };
		const struct task_config tasks[] = { { "hog", 0, hog, 3 },
						     { "waiter", 0, waiter, 1 } };
		struct model_config cfg;
		struct run_record r;

		fixture_booted(&cfg, "v6.1", 1000, 1);
		fixture_tasks(&cfg, TASKS(tasks));
		r = fixture_run(&cfg, 1, 0, arena, NULL);
		ck_assert_int_gt(record_wait(&r, ID_WAIT, 0)->end_ns, 51 * NS_PER_MS);
		ck_assert_int_gt(record_mark_ns(&r, "enabled"), 51 * NS_PER_MS);
	}
	sim_arena_destroy(arena);
}
END_TEST

START_TEST(a_reader_that_could_sleep_is_refused)
{
	const enum step_kind kinds[] = { STEP_SLEEP, STEP_SYNC, STEP_SYNC_EXPEDITED,
					 STEP_CALL_RCU_WAIT, STEP_RCU_BARRIER, STEP_RUN_USER };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const struct step inner[] = { step_of(kinds[i], ID_WAIT) };
		const struct step block[] = { step_section(STEP_GROUP, ID_REGION, inner, 1) };
		const struct step steps[] = { step_section(STEP_READ, ID_READ, block, 1) };
		const struct task_config task = { "reader", 0, steps, 1 };
		struct model_config cfg;
		char why[240];
		uint32_t id;

		fixture_booted(&cfg, "v6.1", 250, 1);
		fixture_tasks(&cfg, &task, 1);
		ck_assert(!model_config_check(&cfg, why, sizeof(why), &id));
		ck_assert_uint_eq(id, ID_WAIT);
	}
}
END_TEST

/* --- boosting --- */

#define BOOST_HOGS 20
#define BOOST_DELAY_MS 100

/* A reader of 15 ms among twenty hogs of its priority gets a twentieth of the CPU. */
static sim_time_ns starved_reader(bool boost, enum step_kind wait, int64_t *boosted)
{
	const struct step body[] = { step_timed(STEP_RUN, ID_RUN, 15 * NS_PER_MS) };
	sim_time_ns gp_ns;
	struct contest k;

	contest_init(&k, "v6.1", PREEMPT_FULL);
	k.cfg.kernel.rcu_boost = boost;
	k.cfg.kernel.rcu_boost_delay_ms = BOOST_DELAY_MS;
	k.reader[k.reader_count++] = step_section(STEP_READ, ID_READ, body, 1);
	k.hogs = BOOST_HOGS;
	k.hog_ns = 500 * NS_PER_MS;
	k.wait_at_ns = 10 * NS_PER_MS;
	k.wait = wait;
	contest_run(&k);
	gp_ns = k.r.gps[0].end_ns - k.r.gps[0].start_ns;
	*boosted = k.r.totals.readers_boosted;
	contest_fini(&k);
	return gp_ns;
}

START_TEST(a_boosted_reader_ends_a_normal_grace_period_after_the_delay)
{
	int64_t boosted;
	sim_time_ns gp_ns = starved_reader(true, STEP_SYNC, &boosted);
	/* the delay, the scan after it (three jiffies and the wheel's one), the rest of the reader */
	sim_time_ns bound_ns = (BOOST_DELAY_MS + 2 * 4 + 15 + 1) * NS_PER_MS;

	ck_assert_int_eq(boosted, 1);
	ck_assert_int_ge(gp_ns, BOOST_DELAY_MS * NS_PER_MS);
	ck_assert_int_le(gp_ns, bound_ns);
	ck_assert_int_gt(starved_reader(false, STEP_SYNC, &boosted), 2 * bound_ns);
	ck_assert_int_eq(boosted, 0);
}
END_TEST

START_TEST(an_expedited_grace_period_boosts_at_once)
{
	int64_t boosted;

	ck_assert_int_le(starved_reader(true, STEP_SYNC_EXPEDITED, &boosted), 16 * NS_PER_MS);
	ck_assert_int_eq(boosted, 1);
	ck_assert_int_gt(starved_reader(false, STEP_SYNC_EXPEDITED, &boosted), 150 * NS_PER_MS);
}
END_TEST

/* Three starved readers on one leaf: one after the other gets the priority. */
START_TEST(blocked_readers_are_boosted_one_at_a_time)
{
	const struct step body[] = { step_timed(STEP_RUN, ID_RUN, 15 * NS_PER_MS) };
	const struct step reader[] = { step_section(STEP_READ, ID_READ, body, 1) };
	const struct step hog[] = { step_timed(STEP_RUN, ID_HOG, 400 * NS_PER_MS) };
	const struct step waiter[] = { step_timed(STEP_SLEEP, ID_SLEEP, 40 * NS_PER_MS),
				       step_of(STEP_SYNC_EXPEDITED, ID_WAIT) };
	struct task_config tasks[4 + BOOST_HOGS] = {
		{ "waiter", 0, waiter, 2 },
		{ "reader", 1, reader, 1 },
		{ "reader", 1, reader, 1 },
		{ "reader", 1, reader, 1 },
	};
	struct sim_arena *arena = sim_arena_create(0);
	struct model_config cfg;
	struct run_record r;

	for (int i = 0; i < BOOST_HOGS; i++)
		tasks[4 + i] = (struct task_config){ "hog", 1, hog, 1 };
	fixture_booted(&cfg, "v6.1", 1000, 2);
	cfg.machine.preempt = PREEMPT_FULL;
	cfg.kernel.rcu_boost = true;
	fixture_tasks(&cfg, TASKS(tasks));
	r = fixture_run(&cfg, 1, 0, arena, NULL);
	ck_assert_int_ge(r.totals.readers_preempted, 3);
	ck_assert_int_eq(r.totals.readers_boosted, 3);
	ck_assert_int_le(wait_ns(record_wait(&r, ID_WAIT, 0)), 46 * NS_PER_MS);
	sim_arena_destroy(arena);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("readers");

	tcase_add_test(tc, a_preempted_reader_is_queued_as_each_row_of_the_table_says);
	tcase_add_test(tc, up_to_4_3_a_preempted_reader_goes_before_gp_tasks_or_first);
	tcase_add_test(tc, an_unlock_moves_the_pointers_that_stood_at_its_task);
	tcase_add_test(tc, a_preempted_reader_holds_an_expedited_grace_period_exactly_to_its_unlock);
	tcase_add_test(tc, a_preempted_reader_holds_a_normal_grace_period_exactly_to_its_unlock);
	tcase_add_test(tc, a_reader_that_begins_after_the_grace_period_does_not_hold_it);
	tcase_add_test(tc, a_running_reader_delays_an_expedited_grace_period_by_the_rest_of_it);
	tcase_add_test(tc, expedited_waits_beside_readers_take_half_a_section_in_the_median);
	tcase_add_test(tc, a_long_reader_that_nobody_preempts_is_queued_and_holds_the_grace_period);
	tcase_add_test(tc, only_the_outermost_unlock_ends_a_reader);
	tcase_add_test(tc, from_4_20_an_unlock_in_a_region_is_reported_at_the_regions_end);
	tcase_add_test(tc, a_preempted_reader_that_unlocks_in_a_region_is_off_the_list_at_its_end);
	tcase_add_test(tc, regions_are_readers_but_of_rcu_preempt_up_to_4_19);
	tcase_add_test(tc, softirqs_wait_for_the_end_of_a_region);
	tcase_add_test(tc, a_reader_that_could_sleep_is_refused);
	tcase_add_test(tc, a_boosted_reader_ends_a_normal_grace_period_after_the_delay);
	tcase_add_test(tc, an_expedited_grace_period_boosts_at_once);
	tcase_add_test(tc, blocked_readers_are_boosted_one_at_a_time);
	return fixture_main(suite_create("readers"), tc);
}
