/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each condition of the oracle trips when its history is broken: the hooks are
 * called as the model would call them, but for one thing.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/model/oracle_bench.h"

/* cpu runs kernel code from now on. */
static void busy(struct bench *b, int cpu)
{
	struct cpu *c = &b->m->cpus[cpu];

	c->eqs_seq |= 1u;
	oracle_quiescent(c);
	c->ctx = CTX_TASK;
	c->curr = &b->hog;
}

/* A grace period starts, as the kthread does it. */
static void gp_begin(struct bench *b)
{
	struct rcu_state *rs = b->rs;

	rs->gp_seq++;
	for (int i = rs->geometry.nodes - 1; i >= 0; i--) {
		struct rcu_node *rnp = &rs->node[i];

		if (rnp >= rs->leaf)
			rnp->qsmaskinit = rnp->qsmaskinitnext;
		if (rnp->parent)
			rnp->parent->qsmaskinit |= rnp->grpmask;
	}
	oracle_gp_start(b->m);
	for (int i = 0; i < rs->geometry.nodes; i++) {
		rs->node[i].qsmask = rs->node[i].qsmaskinit;
		rs->node[i].gp_seq = rs->gp_seq;
	}
}

static void clear(struct bench *b, struct rcu_node *rnp, uint64_t mask, int cpu)
{
	oracle_qs_clear(b->m, rnp, mask, cpu);
	rnp->qsmask &= ~mask;
}

/* All CPUs idle: the scan credits them. */
static void gp_credit(struct bench *b)
{
	struct rcu_state *rs = b->rs;

	for (int i = 0; i < b->m->nr_cpu_ids; i++)
		oracle_eqs_credit(b->m, i);
	for (int i = rs->geometry.nodes - 1; i >= 0; i--)
		clear(b, &rs->node[i], rs->node[i].qsmaskinit, 0);
}

static void gp_finish(struct bench *b)
{
	oracle_gp_end(b->m);
	b->rs->gp_seq = (b->rs->gp_seq | RCU_SEQ_PHASE_MASK) + 1;
	for (int i = 0; i < b->rs->geometry.nodes; i++)
		b->rs->node[i].gp_seq = b->rs->gp_seq;
}

static void gp_whole(struct bench *b)
{
	gp_begin(b);
	gp_credit(b);
	gp_finish(b);
}

static void begin_wait(struct bench *b, enum wait_path path, bool expedited)
{
	b->wait.path = path;
	b->wait.start_ns = machine_now(b->m);
	oracle_wait_begin(b->m, &b->wait, expedited);
}

static void exp_begin(struct bench *b, int64_t seq)
{
	oracle_exp_start(b->m, seq, 0);
	for (int i = b->rs->geometry.nodes - 1; i >= 0; i--) {
		struct rcu_node *rnp = &b->rs->node[i];

		rnp->expmask = rnp >= b->rs->leaf ? rnp->expmaskinitnext : 3;
	}
	oracle_exp_reset(b->m);
	oracle_exp_select(&b->m->cpus[0]);
}

static void exp_clear_all(struct bench *b)
{
	for (int i = b->rs->geometry.nodes - 1; i >= 0; i--) {
		oracle_exp_clear(b->m, &b->rs->node[i], b->rs->node[i].expmask);
		b->rs->node[i].expmask = 0;
	}
}

/* --- histories --- */

static void whole_history(struct bench *b)
{
	struct rcu_cb cb[2] = { { 0 } };

	busy(b, 1);
	begin_wait(b, WAIT_NORMAL, false);
	oracle_cb_queued(b->m, 2, &cb[0]);
	oracle_cb_queued(b->m, 2, &cb[1]);
	gp_begin(b);
	oracle_qs_noticed(&b->m->cpus[1]);
	oracle_context_switch(&b->m->cpus[1]);
	oracle_qs(&b->m->cpus[1]);
	clear(b, &b->rs->leaf[0], 2, 1);
	oracle_eqs_credit(b->m, 0);
	clear(b, &b->rs->leaf[0], 1, 0);
	clear(b, &b->rs->node[0], 1, 0);
	oracle_eqs_credit(b->m, 2);
	oracle_eqs_credit(b->m, 3);
	clear(b, &b->rs->leaf[1], 3, 0);
	clear(b, &b->rs->node[0], 2, 0);
	gp_finish(b);
	oracle_cb_invoked(b->m, 2, &cb[0]);
	oracle_cb_invoked(b->m, 2, &cb[1]);
	oracle_wait_end(b->m, &b->wait);
	begin_wait(b, WAIT_EXPEDITED, true);
	b->wait.seq = 4;
	oracle_exp_snap(b->m, &b->wait);
	exp_begin(b, 1);
	oracle_exp_ipi(b->m, 0, 1);
	oracle_handler(&b->m->cpus[1], CTX_IDLE);
	exp_clear_all(b);
	oracle_exp_end(b->m, 4);
	bench_run_to(b, 1000);
	oracle_wait_end(b->m, &b->wait);
	oracle_finish(b->m);
}

static void reader_survives_normal(struct bench *b)
{
	busy(b, 3);
	gp_begin(b);
	memset(b->o->owed, 0, (size_t)b->rs->geometry.nodes * sizeof(uint64_t));
	gp_finish(b);
}

static void reader_survives_expedited(struct bench *b)
{
	busy(b, 3);
	begin_wait(b, WAIT_EXPEDITED, true);
	exp_begin(b, 1);
	memset(b->o->exp_owed, 0, (size_t)b->rs->geometry.nodes * sizeof(uint64_t));
	oracle_exp_end(b->m, 4);
}

static void online_cpu_is_forgotten(struct bench *b)
{
	b->rs->leaf[1].qsmaskinitnext = 2;
	gp_begin(b);
}

static void wait_ends_with_no_gp(struct bench *b)
{
	gp_whole(b);
	begin_wait(b, WAIT_NORMAL, false);
	oracle_wait_end(b->m, &b->wait);
}

static void wait_ends_with_a_gp_begun_before(struct bench *b)
{
	gp_begin(b);
	begin_wait(b, WAIT_NORMAL, false);
	gp_credit(b);
	gp_finish(b);
	oracle_wait_end(b->m, &b->wait);
}

static void expedited_joins_a_gp_begun_before(struct bench *b)
{
	struct rcu_wait other = { .path = WAIT_EXPEDITED, .task = &b->hog };

	oracle_wait_begin(b->m, &other, true);
	exp_begin(b, 1);
	begin_wait(b, WAIT_EXPEDITED, true);
	exp_clear_all(b);
	oracle_exp_end(b->m, 4);
	bench_run_to(b, 1000);
	oracle_wait_end(b->m, &b->wait);
}

static void noop_on_four_cpus(struct bench *b)
{
	begin_wait(b, WAIT_NOOP, false);
}

static void gp_starts_twice(struct bench *b)
{
	gp_begin(b);
	gp_begin(b);
}

static void gp_ends_twice(struct bench *b)
{
	gp_whole(b);
	gp_finish(b);
}

static void node_falls_behind(struct bench *b)
{
	gp_begin(b);
	gp_credit(b);
	b->rs->leaf[1].gp_seq -= 4;
	gp_finish(b);
}

static void expedited_gps_overlap(struct bench *b)
{
	begin_wait(b, WAIT_EXPEDITED, true);
	exp_begin(b, 1);
	exp_begin(b, 2);
}

static void callback_takes_a_running_gp_for_its_own(struct bench *b)
{
	struct rcu_cb cb = { 0 };

	gp_begin(b);
	oracle_cb_queued(b->m, 2, &cb);
	gp_credit(b);
	gp_finish(b);
	oracle_cb_invoked(b->m, 2, &cb);
}

static void bit_is_cleared_twice(struct bench *b)
{
	gp_begin(b);
	oracle_eqs_credit(b->m, 2);
	clear(b, &b->rs->leaf[1], 1, 0);
	clear(b, &b->rs->leaf[1], 1, 0);
}

static void bit_vanishes(struct bench *b)
{
	gp_begin(b);
	oracle_eqs_credit(b->m, 2);
	b->rs->leaf[1].qsmask &= ~UINT64_C(2);
	clear(b, &b->rs->leaf[1], 1, 0);
}

static void expedited_bit_is_cleared_twice(struct bench *b)
{
	begin_wait(b, WAIT_EXPEDITED, true);
	exp_begin(b, 1);
	exp_clear_all(b);
	exp_clear_all(b);
}

static void parent_clears_before_child(struct bench *b)
{
	gp_begin(b);
	oracle_eqs_credit(b->m, 2);
	clear(b, &b->rs->leaf[1], 1, 0);
	clear(b, &b->rs->node[0], 2, 0);
}

static void gp_ends_while_a_bit_is_set(struct bench *b)
{
	gp_begin(b);
	gp_finish(b);
}

static void quiescent_before_noticing(struct bench *b)
{
	busy(b, 1);
	gp_begin(b);
	oracle_context_switch(&b->m->cpus[1]);
	oracle_qs_noticed(&b->m->cpus[1]);
	clear(b, &b->rs->leaf[0], 2, 1);
}

static void reports_without_noticing(struct bench *b)
{
	busy(b, 1);
	gp_begin(b);
	oracle_context_switch(&b->m->cpus[1]);
	clear(b, &b->rs->leaf[0], 2, 1);
}

static void scan_credits_a_busy_cpu(struct bench *b)
{
	busy(b, 1);
	gp_begin(b);
	oracle_eqs_credit(b->m, 1);
}

static void expedited_report_of_a_reader(struct bench *b)
{
	busy(b, 1);
	begin_wait(b, WAIT_EXPEDITED, true);
	exp_begin(b, 1);
	oracle_exp_clear(b->m, &b->rs->leaf[0], 2);
}

static void tick_in_the_kernel_counts(struct bench *b)
{
	busy(b, 1);
	oracle_tick(&b->m->cpus[1], CTX_TASK);
	oracle_qs(&b->m->cpus[1]);
}

static void callbacks_overtake(struct bench *b)
{
	struct rcu_cb cb[2] = { { 0 } };

	oracle_cb_queued(b->m, 2, &cb[0]);
	oracle_cb_queued(b->m, 2, &cb[1]);
	gp_whole(b);
	oracle_cb_invoked(b->m, 2, &cb[1]);
}

static void callback_runs_twice(struct bench *b)
{
	struct rcu_cb cb = { 0 };

	oracle_cb_queued(b->m, 2, &cb);
	gp_whole(b);
	oracle_cb_invoked(b->m, 2, &cb);
	oracle_cb_invoked(b->m, 2, &cb);
}

static void callback_runs_too_early_in_boot(struct bench *b)
{
	struct rcu_cb cb = { 0 };

	oracle_cb_queued(b->m, 2, &cb);
	gp_whole(b);
	b->m->flags.fully_active = false;
	oracle_cb_invoked(b->m, 2, &cb);
}

static void callback_has_a_number_but_no_gp(struct bench *b)
{
	struct rcu_cb cb = { 0 };

	oracle_cb_queued(b->m, 2, &cb);
	b->o->gp_seq += RCU_SEQ_STEP;
	oracle_cb_invoked(b->m, 2, &cb);
}

static void callback_is_lost(struct bench *b)
{
	struct rcu_cb cb = { 0 };

	oracle_cb_queued(b->m, 2, &cb);
	oracle_finish(b->m);
}

static void ipi_to_an_idle_cpu(struct bench *b)
{
	begin_wait(b, WAIT_EXPEDITED, true);
	exp_begin(b, 1);
	oracle_exp_ipi(b->m, 0, 1);
}

static void ipi_to_itself(struct bench *b)
{
	busy(b, 0);
	begin_wait(b, WAIT_EXPEDITED, true);
	exp_begin(b, 1);
	oracle_exp_ipi(b->m, 0, 0);
}

static void ipi_twice(struct bench *b)
{
	busy(b, 1);
	begin_wait(b, WAIT_EXPEDITED, true);
	exp_begin(b, 1);
	oracle_exp_ipi(b->m, 0, 1);
	oracle_exp_ipi(b->m, 0, 1);
}

static void stopper_mask_misses_a_cpu(struct bench *b)
{
	struct cpu_mask mask = { { 0 } };

	busy(b, 1);
	begin_wait(b, WAIT_EXPEDITED, true);
	b->wait.mask = &mask;
	oracle_stop_mask(&b->m->cpus[0], &b->wait);
}

static void stopper_does_not_work(struct bench *b)
{
	struct cpu_mask mask = { { 2 } };

	busy(b, 1);
	begin_wait(b, WAIT_EXPEDITED, true);
	b->wait.mask = &mask;
	oracle_stop_mask(&b->m->cpus[0], &b->wait);
	oracle_stop_queued(b->m, &b->wait, 1);
	oracle_stop_end(b->m, &b->wait);
}

static void snapshot_asks_for_three(struct bench *b)
{
	begin_wait(b, WAIT_EXPEDITED, true);
	b->wait.seq = 12;
	oracle_exp_snap(b->m, &b->wait);
}

static void request_sleeps_on(struct bench *b)
{
	begin_wait(b, WAIT_EXPEDITED, true);
	b->wait.seq = 4;
	oracle_exp_snap(b->m, &b->wait);
	for (int64_t seq = 1; seq <= 9; seq += 4) {
		exp_begin(b, seq);
		exp_clear_all(b);
		oracle_exp_end(b->m, seq + 3);
	}
}

static void counter_drifts(struct bench *b)
{
	const struct step s = { .kind = STEP_EXPEDITE };

	b->m->flags.nesting += 2;
	oracle_control(b->m, &s);
}

static void counter_is_not_0_after_boot(struct bench *b)
{
	b->m->flags.nesting = 1;
	oracle_finish(b->m);
}

static void wait_is_normal_though_expedited(struct bench *b)
{
	const struct step s = { .kind = STEP_EXPEDITE };

	b->m->flags.nesting++;
	oracle_control(b->m, &s);
	begin_wait(b, WAIT_NORMAL, false);
}

static void wait_changes_its_way(struct bench *b)
{
	begin_wait(b, WAIT_NORMAL, false);
	b->wait.path = WAIT_EXPEDITED;
	oracle_wait_end(b->m, &b->wait);
}

static void expedited_though_rcu_normal(struct bench *b)
{
	const struct step s = { .kind = STEP_SET_NORMAL, .count = 1 };

	b->m->flags.normal = 1;
	oracle_control(b->m, &s);
	begin_wait(b, WAIT_EXPEDITED, true);
}

static void expedited_gp_that_nobody_asked_for(struct bench *b)
{
	exp_begin(b, 1);
}

static void expedited_in_no_time(struct bench *b)
{
	begin_wait(b, WAIT_EXPEDITED, true);
	exp_begin(b, 1);
	exp_clear_all(b);
	oracle_exp_end(b->m, 4);
	oracle_wait_end(b->m, &b->wait);
}

static void normal_within_a_tick(struct bench *b)
{
	begin_wait(b, WAIT_NORMAL, false);
	oracle_wait_queued(&b->m->cpus[2], &b->wait);
	gp_whole(b);
	oracle_wait_end(b->m, &b->wait);
}

static void normal_within_one_tick_though_started_by_it(struct bench *b)
{
	begin_wait(b, WAIT_NORMAL, false);
	oracle_wait_queued(&b->m->cpus[2], &b->wait);
	oracle_tick(&b->m->cpus[2], CTX_IDLE);
	gp_whole(b);
	oracle_wait_end(b->m, &b->wait);
}

static void one_cpu_waits(struct bench *b)
{
	begin_wait(b, WAIT_NOOP, false);
	bench_run_to(b, 1000);
	oracle_wait_end(b->m, &b->wait);
}

static void time_is_lost(struct bench *b)
{
	oracle_boot_task(b->m, &b->hog);
	b->hog.state = TASK_RUNNING;
	oracle_task_state(&b->hog);
	oracle_task_asked(&b->hog, 500);
	oracle_task_ran(&b->hog, 400);
	b->hog.state = TASK_SLEEPING;
	oracle_task_state(&b->hog);
	oracle_finish(b->m);
}

static void state_changes_unseen(struct bench *b)
{
	oracle_boot_task(b->m, &b->hog);
	bench_run_to(b, 500);
	b->hog.state = TASK_RUNNABLE;
	oracle_finish(b->m);
}

static const struct history {
	void (*happens)(struct bench *b);
	int condition; /* 0: none */
	int cpu;
	const char *profile; /* NULL: v6.1 */
	int cpus;            /* 0: 4 */
} histories[] = {
	{ whole_history, 0, 0, NULL, 0 },
	{ reader_survives_normal, 1, 3, NULL, 0 },
	{ reader_survives_expedited, 1, 3, NULL, 0 },
	{ online_cpu_is_forgotten, 1, 2, NULL, 0 },
	{ wait_ends_with_no_gp, 2, 0, NULL, 0 },
	{ wait_ends_with_a_gp_begun_before, 2, 0, NULL, 0 },
	{ expedited_joins_a_gp_begun_before, 2, 0, NULL, 0 },
	{ noop_on_four_cpus, 2, 0, NULL, 0 },
	{ gp_starts_twice, 3, 0, NULL, 0 },
	{ gp_ends_twice, 3, 0, NULL, 0 },
	{ node_falls_behind, 3, 2, NULL, 0 },
	{ expedited_gps_overlap, 3, 0, NULL, 0 },
	{ callback_takes_a_running_gp_for_its_own, 4, 2, NULL, 0 },
	{ bit_is_cleared_twice, 5, 2, NULL, 0 },
	{ bit_vanishes, 5, 2, NULL, 0 },
	{ expedited_bit_is_cleared_twice, 5, 2, NULL, 0 },
	{ parent_clears_before_child, 6, 0, NULL, 0 },
	{ gp_ends_while_a_bit_is_set, 6, 0, NULL, 0 },
	{ quiescent_before_noticing, 7, 1, NULL, 0 },
	{ reports_without_noticing, 7, 1, NULL, 0 },
	{ scan_credits_a_busy_cpu, 7, 1, NULL, 0 },
	{ expedited_report_of_a_reader, 7, 1, NULL, 0 },
	{ tick_in_the_kernel_counts, 8, 1, NULL, 0 },
	{ callbacks_overtake, 10, 2, NULL, 0 },
	{ callback_runs_twice, 10, 2, NULL, 0 },
	{ callback_runs_too_early_in_boot, 10, 2, NULL, 0 },
	{ callback_has_a_number_but_no_gp, 10, 2, NULL, 0 },
	{ callback_is_lost, 10, 2, NULL, 0 },
	{ ipi_to_an_idle_cpu, 12, 1, NULL, 0 },
	{ ipi_to_itself, 12, 0, NULL, 0 },
	{ ipi_twice, 12, 1, NULL, 0 },
	{ stopper_mask_misses_a_cpu, 12, 1, "v4.1", 0 },
	{ stopper_does_not_work, 12, 0, "v4.1", 0 },
	{ snapshot_asks_for_three, 13, 0, NULL, 0 },
	{ request_sleeps_on, 13, 0, NULL, 0 },
	{ counter_drifts, 14, 0, NULL, 0 },
	{ counter_is_not_0_after_boot, 14, 0, NULL, 0 },
	{ wait_is_normal_though_expedited, 14, 0, NULL, 0 },
	{ wait_changes_its_way, 15, 0, NULL, 0 },
	{ expedited_though_rcu_normal, 16, 0, NULL, 0 },
	{ expedited_gp_that_nobody_asked_for, 16, 0, NULL, 0 },
	{ expedited_in_no_time, 17, 0, NULL, 0 },
	{ normal_within_a_tick, 17, 0, NULL, 0 },
	{ normal_within_one_tick_though_started_by_it, 17, 0, NULL, 0 },
	{ one_cpu_waits, 19, 0, "v4.1", 1 },
	{ time_is_lost, 21, 0, NULL, 0 },
	{ state_changes_unseen, 21, 0, NULL, 0 },
};

START_TEST(a_broken_history_trips_its_condition)
{
	const struct history *h = &histories[_i];
	struct bench b;

	bench_config(&b, h->profile ? h->profile : "v6.1", h->cpus ? h->cpus : 4);
	bench_start(&b);
	h->happens(&b);
	if (h->condition)
		bench_check_tripped(&b, h->condition, h->cpu);
	else
		bench_check_silent(&b);
	bench_stop(&b);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("oracle histories");
	TCase *tcase = tcase_create("histories");
	SRunner *runner;
	int failed;

	tcase_add_loop_test(tcase, a_broken_history_trips_its_condition, 0,
			    (int)(sizeof(histories) / sizeof(histories[0])));
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
