/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The polled API: a cookie names the grace period that would be enough, and can be
 * asked later whether it is over. Follows kernel/rcu/tree.c
 * get_state_synchronize_rcu, cond_synchronize_rcu (3.19-6.12),
 * start_poll_synchronize_rcu, poll_state_synchronize_rcu (by 5.15), and
 * rcu_poll_gp_seq_start, rcu_poll_gp_seq_end (by 6.1). Facts: mechanics 3.13.
 *
 * By 6.1 cookies count by a number of their own, gp_seq_polled, which a grace
 * period of either kind starts if none runs, and ends if it is still as that grace
 * period's start left it. Of two that overlap, the first to end thus satisfies
 * cookies from before both; the other one then ends nothing.
 *
 * P1: a cookie is done only after a grace period that began after it was taken.
 */
#include <string.h>

#include "models/oracle.h"
#include "models/rcu.h"

struct poll_cookie {
	const char *name;
	int64_t seq;
	int64_t oracle_moment;
	bool is_marked; /* it was found done since it was taken */
	struct poll_cookie *next;
};

struct poll_state {
	bool any_gp;         /* gp_seq_polled is in use */
	int64_t seq;         /* gp_seq_polled */
	int64_t snap[2];     /* gp_seq_polled_snap, _exp_snap; 0: none */
	struct poll_cookie *cookies;
};

void rcu_poll_init(struct machine *m)
{
	m->poll = sim_arena_alloc(m->arena, sizeof(*m->poll));
	m->poll->any_gp = m->cfg->kernel.profile.polled_api == POLLED_ANY_GP;
	m->poll->seq = RCU_SEQ_INITIAL;
}

void rcu_poll_gp_start(struct machine *m, bool expedited)
{
	struct poll_state *ps = m->poll;

	if (!rcu_seq_running(ps->seq))
		ps->seq++;
	ps->snap[expedited] = ps->seq;
}

void rcu_poll_gp_end(struct machine *m, bool expedited)
{
	struct poll_state *ps = m->poll;

	if (ps->snap[expedited] && ps->snap[expedited] == ps->seq) {
		ps->seq = (ps->seq | RCU_SEQ_PHASE_MASK) + 1;
		ps->snap[0] = 0;
		ps->snap[1] = 0;
	} else {
		ps->snap[expedited] = 0;
	}
}

void rcu_poll_noop(struct machine *m)
{
	/* synchronize_rcu() borrows gp_seq_polled_snap: no grace period runs there */
	rcu_poll_gp_start(m, false);
	rcu_poll_gp_end(m, false);
}

static int64_t current_seq(const struct machine *m)
{
	return m->poll->any_gp ? m->poll->seq : m->rcu->gp_seq;
}

static struct poll_cookie *cookie_find(struct poll_state *ps, const char *name)
{
	struct poll_cookie *cookie = ps->cookies;

	while (cookie && strcmp(cookie->name, name) != 0)
		cookie = cookie->next;
	return cookie;
}

static void cookie_take(struct cpu *c, const char *name)
{
	struct machine *m = c->m;
	struct poll_cookie *cookie = cookie_find(m->poll, name);

	if (!cookie) {
		cookie = sim_arena_alloc(m->arena, sizeof(*cookie));
		cookie->name = name;
		cookie->next = m->poll->cookies;
		m->poll->cookies = cookie;
	}
	cookie->seq = rcu_seq_snap(current_seq(m));
	cookie->is_marked = false;
	ORACLE(m, cookie->oracle_moment = oracle_poll_begin(m));
}

bool rcu_poll_step(struct cpu *c, const struct step *s)
{
	struct machine *m = c->m;
	struct poll_cookie *cookie;

	if (s->kind == STEP_GET_STATE || s->kind == STEP_START_POLL) {
		cookie_take(c, s->label);
		if (s->kind == STEP_START_POLL &&
		    rcu_start_this_gp(c->rdp, rcu_seq_snap(m->rcu->gp_seq)))
			rcu_gp_kthread_wake(c);
		return false;
	}
	cookie = cookie_find(m->poll, s->label);
	if (!cookie) {
		machine_stop(m, RUN_MODEL_ERROR, "cookie %s is asked for, but holds no state",
			     s->label);
		return true;
	}
	if (!rcu_seq_done(current_seq(m), cookie->seq))
		return false;
	ORACLE(m, oracle_poll_done(m, cookie->oracle_moment, c->id));
	if (s->kind == STEP_POLL && !cookie->is_marked) {
		cookie->is_marked = true;
		machine_record_mark(m, cookie->name);
	}
	return true;
}
