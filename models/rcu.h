/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The RCU machine of one flavour: tree, per-CPU data, grace-period kthread,
 * callbacks, offloading, expedited grace periods. Internal to models/.
 * Follows kernel/rcu/tree.c, tree_plugin.h, tree_nocb.h, tree_exp.h and
 * rcu_segcblist.c; which version decides what is in models/profile.c.
 *
 * One encoding of grace-period numbers serves all versions: gp_seq as since
 * 4.19, low two bits the phase. Before, completed = gp_seq >> 2 and gpnum =
 * completed + (phase != 0) carry the same information.
 *
 * R1: a bit of qsmask is set at grace-period start only and cleared once, by its
 *     CPU's report or by a scan that finds the CPU in an EQS.
 * R2: a node's bit is cleared in its parent only when its own mask is 0.
 * R3: a quiescent state counts for a grace period only when recorded after the
 *     CPU noticed it, or sampled as EQS after the leaf was initialised.
 * R4: a callback is invoked only after the end of a grace period that started
 *     after it was queued.
 */
#ifndef MODELS_RCU_H
#define MODELS_RCU_H

#include "models/machine.h"
#include "models/rcu_tree.h"

/* --- sequence numbers: kernel/rcu/rcu.h rcu_seq_*(), 4.19-6.18 --- */

#define RCU_SEQ_PHASE_MASK 3
#define RCU_SEQ_STEP 4
#define RCU_SEQ_INITIAL (-300 * RCU_SEQ_STEP)

static inline bool rcu_seq_running(int64_t seq)
{
	return (seq & RCU_SEQ_PHASE_MASK) != 0;
}
/* The value that proves a full grace period from now. */
static inline int64_t rcu_seq_snap(int64_t seq)
{
	return (seq + 2 * RCU_SEQ_PHASE_MASK + 1) & ~(int64_t)RCU_SEQ_PHASE_MASK;
}
static inline bool rcu_seq_done(int64_t seq, int64_t snap)
{
	return seq >= snap;
}
/* The counter part: completed grace periods. */
static inline int64_t rcu_seq_ctr(int64_t seq)
{
	return seq >> 2;
}

/* --- callbacks: kernel/rcu/rcu_segcblist.c --- */

typedef void rcu_cb_fn(struct machine *m, struct cpu *c, void *arg);

struct rcu_cb {
	struct rcu_cb *next;
	rcu_cb_fn *fn;
	void *arg;
	const char *func; /* fn's name in traces */
	int64_t id;       /* its address in traces: kept when reused */
	bool entrained; /* rides with the callback before it: rcu_barrier */
};

enum { SEG_DONE, SEG_WAIT, SEG_NEXT_READY, SEG_NEXT, SEG_COUNT };

struct rcu_segcblist {
	struct rcu_cb *head;
	struct rcu_cb **tails[SEG_COUNT]; /* address of the pointer that ends each segment */
	int64_t gp_seq[SEG_COUNT];        /* of WAIT and NEXT_READY */
	int64_t len;
};

void rcu_segcblist_init(struct rcu_segcblist *l);
void rcu_segcblist_enqueue(struct rcu_segcblist *l, struct rcu_cb *cb);
bool rcu_segcblist_ready(const struct rcu_segcblist *l);       /* DONE not empty */
bool rcu_segcblist_pending(const struct rcu_segcblist *l);     /* anything behind DONE */
bool rcu_segcblist_unassigned(const struct rcu_segcblist *l);  /* NEXT not empty */
bool rcu_segcblist_restempty(const struct rcu_segcblist *l, int seg); /* nothing behind seg */
void rcu_segcblist_advance(struct rcu_segcblist *l, int64_t seq);
/* True if callbacks were given the number seq: the grace period is then needed. */
bool rcu_segcblist_accelerate(struct rcu_segcblist *l, int64_t seq);
/* Takes the oldest ready callback, or NULL. */
/* Appends cb behind the last callback, to its segment; false: the list is empty. */
bool rcu_segcblist_entrain(struct rcu_segcblist *l, struct rcu_cb *cb);
struct rcu_cb *rcu_segcblist_take(struct rcu_segcblist *l);
/*
 * Moves all of `from` to `to`: ready ones to the front, or behind those ready there;
 * the others behind everything, without a number. Returns how many were ready.
 */
int64_t rcu_segcblist_merge(struct rcu_segcblist *to, struct rcu_segcblist *from, bool ready_first);
/* Number the first waiting segment waits for; false if none waits. */
bool rcu_segcblist_nextgp(const struct rcu_segcblist *l, int64_t *seq);

/* --- tree --- */

struct rcu_node {
	int64_t gp_seq;
	int64_t gp_seq_needed;
	uint64_t qsmask;
	uint64_t qsmaskinit;
	uint64_t qsmaskinitnext;
	uint64_t expmask;
	uint64_t expmaskinit;
	uint64_t expmaskinitnext;
	uint64_t grpmask;        /* bit in the parent */
	struct rcu_node *parent; /* NULL: root */
	int grplo, grphi, level;
	struct wait_queue nocb_gp_wq;
	/* leaves, CONFIG_PREEMPT_RCU: tasks switched out inside a reader, newest first;
	 * a pointer's task and all after it block the grace period (models/rcu_readers.c) */
	struct task *blkd_head, *blkd_tail;
	struct task *gp_tasks, *exp_tasks, *boost_tasks;
	struct task *boost_kthread; /* rcub; NULL: no CONFIG_RCU_BOOST */
	struct task *boosted;       /* task that has rcub's priority */
	int64_t boost_time_jiffies; /* a normal grace period boosts from then on */
	int boosts_in_a_row;
	int64_t exp_seq_rq;
	struct wait_queue exp_wq[4];
};

struct rcu_data {
	struct rcu_state *state;
	struct rcu_node *mynode;
	uint64_t grpmask;
	int64_t gp_seq;         /* last number this CPU noticed */
	bool core_needs_qs;     /* the running grace period waits for this CPU */
	bool cpu_no_qs;         /* and has not seen a quiescent state since noticing */
	bool exp_no_qs;         /* same for the expedited one: set by the IPI handler */
	/* asked of a CPU that is slow (models/rcu_slow.c) */
	bool sched_qs_mask;     /* rcu_sched_qs_mask, to 4.9, */
	int64_t mask_completed; /* ... of the grace period after this one */
	bool urgent_qs;         /* rcu_urgent_qs, 4.14+ */
	bool need_heavy_qs;     /* rcu_need_heavy_qs, 4.14+ */
	int64_t last_fqs_resched; /* jiffies, 4.20+ */
	int64_t qs_ctr;         /* rcu_qs_ctr, to 4.14 */
	int64_t qs_ctr_snap;    /* when the CPU noticed the grace period */
	uint32_t eqs_snap;      /* at the first scan of this grace period */
	uint32_t exp_eqs_snap;
	struct rcu_segcblist cblist;
	bool offloaded;
	struct nocb_group *nocb;
	struct task *nocb_cb_task; /* rcuoc / follower rcuo; NULL: the group's task invokes */
	int64_t last_advance_all;  /* jiffies, RCU_FAST_NO_HZ */
	int64_t qlen_last_check;
	bool blimit_lifted;
};

enum { GP_FLAG_INIT = 1, GP_FLAG_FQS = 2 };

struct rcu_state {
	struct machine *m;
	struct rcu_geometry geometry;
	struct rcu_node *node;
	struct rcu_node *leaf; /* first leaf */
	int leaves;
	int64_t gp_seq;
	unsigned gp_flags;
	sim_time_ns gp_start_ns;
	int64_t gp_start_jiffies;
	int64_t jiffies_resched;
	int64_t stall_jiffies;   /* rcu_jiffies_till_stall_check() */
	int64_t jiffies_stall;
	sim_time_ns stall_at_ns; /* no tick before it finds a stall */
	int64_t jiffies_force_qs;
	int64_t j1, jn, jtsq;
	bool first_scan;
	struct task *gp_kthread; /* NULL before rcu_spawn_gp_kthread */
	struct rcu_data *data;
	struct nocb_group *nocb_groups;
	int nocb_group_count;
	struct rcu_cb *free_cbs;
	int64_t cb_count; /* made so far: names them in traces */
	bool online_changed; /* since the latest grace period began, or a leaf without CPUs holds tasks */
	bool newreq_traced; /* by the newest rcu_start_this_gp(); while tracing */
};

static inline bool rcu_gp_in_progress(const struct rcu_state *rs)
{
	return rcu_seq_running(rs->gp_seq);
}

/* --- rcu_core.c: what a CPU does --- */

void rcu_init(struct machine *m);
void rcu_cpu_online(struct cpu *c);
/* call_rcu() on c; fn(arg) runs on the CPU that invokes it. func: fn's name in traces. */
void rcu_call_as(struct cpu *c, rcu_cb_fn *fn, void *arg, const char *func);
#define rcu_call(c, fn, arg) rcu_call_as((c), (fn), (arg), #fn)
/*
 * Queues a callback behind all others of CPU `of` (maybe c itself), without
 * starting anything; c runs this. False, and nothing queued: it has none.
 */
bool rcu_call_entrain_as(struct cpu *c, struct cpu *of, rcu_cb_fn *fn, void *arg, const char *func);
#define rcu_call_entrain(c, of, fn, arg) rcu_call_entrain_as((c), (of), (fn), (arg), #fn)
/* A quiescent state of the running context of c (context switch). */
void rcu_note_context_switch(struct cpu *c);
/* A report of the CPU's quiescent state: no more need to hurry it. */
void rcu_disable_urgency(struct rcu_data *rdp);
/* c passes a quiescent state; it counts if c noticed a grace period before. */
void rcu_qs(struct cpu *c);
/* The tick's RCU part; over: the layer it interrupted. */
void rcu_sched_clock_irq(struct cpu *c, enum cpu_ctx over);
/* RCU_SOFTIRQ's effects. */
void rcu_core(struct cpu *c);
/* Does RCU need the next tick of an idle CPU in periodic mode? */
bool rcu_tick_matters(struct cpu *c);
/* rcu_needs_cpu() at nohz idle entry: 1 keeps the tick, n > 1 wakes in n jiffies, -1 no need. */
int64_t rcu_needs_cpu(struct cpu *c);
/* An interrupt ends an idle period: RCU_FAST_NO_HZ looks for ready callbacks. */
void rcu_cleanup_after_idle(struct cpu *c);
/* Records need for the grace period seq; true: the kthread must be woken. */
bool rcu_start_this_gp(struct rcu_data *rdp, int64_t seq);
bool rcu_accelerate_cbs(struct rcu_data *rdp);
bool rcu_advance_cbs(struct rcu_data *rdp);
/* Notes a changed number of c's leaf; true: the kthread must be woken. */
bool rcu_note_gp_changes(struct cpu *c);
/* Clears bits of the leaf and upwards; c is where it happens. */
void rcu_report_qs_rnp(struct cpu *c, struct rcu_node *rnp, uint64_t mask);
/* The same for a node none of whose CPUs owes: the last blocked task is gone. */
void rcu_report_unblock_qs_rnp(struct cpu *c, struct rcu_node *rnp);
void rcu_gp_kthread_wake(struct cpu *c);
void rcu_invoke_cb(struct cpu *c, struct rcu_cb *cb);

/* --- rcu_readers.c: read-side critical sections --- */

/* Entering and leaving sections; c runs t. Leave an outermost one through cpu_sections_left(). */
void section_enter(struct task *t, enum section section);
void section_leave(struct cpu *c, struct task *t, enum section section);
/* CONFIG_PREEMPT_RCU: c's task is about to be switched out, maybe inside a reader. */
void rcu_preempt_switch(struct cpu *c);
/* ... the tick's part, the handler's part, RCU_SOFTIRQ's part. */
void rcu_preempt_tick(struct cpu *c, enum cpu_ctx over);
void rcu_preempt_exp_handler(struct cpu *c, enum cpu_ctx over);
void rcu_preempt_core(struct cpu *c);
/* A grace period starts on rnp: all tasks blocked there hold it. */
void rcu_preempt_gp_init(struct machine *m, struct rcu_node *rnp);
/* An expedited one does; true if any task holds it. */
bool rcu_preempt_exp_init(struct rcu_node *rnp);
/* Lends rcub's priority to what blocks a grace period on rnp, if it is time to. */
void rcu_initiate_boost(struct cpu *c, struct rcu_node *rnp);
void rcu_spawn_boost_kthreads(struct machine *m, struct cpu *waker);

/* --- rcu_gp.c: the kthread --- */

void rcu_spawn_gp_kthread(struct machine *m);

/* --- rcu_slow.c: CPUs that do not pass a quiescent state --- */

/* A re-scan on `from` found that target still owes: asks for what the version asks for. */
void rcu_help_slow_cpu(struct rcu_state *rs, struct cpu *from, struct cpu *target);
/* Does a re-scan take the CPU's rcu_qs_ctr for a quiescent state? */
bool rcu_counter_credit(const struct rcu_state *rs, const struct rcu_data *rdp);
/* c switches context: answers what it was asked for. */
void rcu_switch_helps(struct cpu *c);
/* c's task calls cond_resched() (rcu_qs_variant: cond_resched_rcu_qs()), which does not switch. */
void rcu_cond_resched(struct cpu *c, bool rcu_qs_variant);

/* --- rcu_stall.c: stall warnings --- */

int64_t rcu_stall_jiffies(const struct machine *m);
/* A grace period has started: when it is a stall, and when CPUs are rescheduled. */
void rcu_stall_gp_start(struct rcu_state *rs);
/* A tick of c at or after stall_at_ns. */
void rcu_check_cpu_stall(struct cpu *c);
/* The driver of an expedited grace period begins, ends its wait; on CPU cpu. */
void rcu_exp_stall_begin(struct machine *m, int cpu);
void rcu_exp_stall_end(struct machine *m);

/* --- rcu_nocb.c --- */

void rcu_nocb_init(struct machine *m);
/* Where the kthread runs that serves an offloaded CPU. */
int rcu_nocb_cpu(const struct rcu_data *rdp);
void rcu_spawn_nocb_kthreads(struct machine *m, struct cpu *waker);
/* After a callback was queued on the offloaded CPU of rdp; c runs this. */
void rcu_nocb_wake(struct cpu *c, const struct rcu_data *rdp, bool was_all_done);

/* --- rcu_exp.c, rcu_exp_stop.c: waits --- */

/* One synchronous wait under way; part of the waiting task's data. */
struct rcu_wait {
	enum wait_path path;
	int state_idx;
	bool done;
	bool direct;          /* the caller drives the expedited grace period */
	bool holds_rcu_mutex; /* stoppers, PREEMPT */
	bool pins_hotplug;    /* holds the hotplug lock for reading */
	bool queued;          /* rcu_barrier(): waits, or waited, for the mutex */
	int cpu;              /* rcu_barrier(): the next to visit */
	int64_t seq;
	int64_t first_seq;    /* stopper tickets: firstsnap */
	int tries;
	int targets_left;     /* stopper works not done */
	struct task *task;
	struct cpu_mask *mask; /* stoppers: CPUs to stop */
	struct rcu_wait *sr_next;
	sim_time_ns start_ns;
	sim_time_ns gp_start_ns;
	int64_t oracle_seq;   /* the oracle's own number of this wait */
};

/* Begins synchronize_rcu() (expedited: synchronize_rcu_expedited()) for task t. */
void rcu_wait_begin(struct machine *m, struct task *t, struct rcu_wait *w, bool expedited);
/* Begins call_rcu() and wait. */
void rcu_wait_begin_callback(struct machine *m, struct task *t, struct rcu_wait *w);
/*
 * Carries the wait on; called from the task's fn. True: it is over and the task
 * goes on. False: the task was put to sleep or runs (its fn has ended).
 */
bool rcu_wait_step(struct machine *m, struct task *t, struct rcu_wait *w);

/* Turns w into a normal wait (an expedited request that gives up). */
void rcu_wait_begin_normal(struct machine *m, struct task *t, struct rcu_wait *w);

/* Fills w for a wait of task t that begins now. */
void rcu_wait_init(struct machine *m, struct task *t, struct rcu_wait *w, enum wait_path path);
/* Begins rcu_barrier(). */
void rcu_wait_begin_barrier(struct machine *m, struct task *t, struct rcu_wait *w);

/* --- rcu_sr.c: normal waits woken by the kthread itself (6.10+) --- */

void rcu_sr_init(struct machine *m);
/* Queues w, a normal wait made on c, and starts a grace period for it. */
void rcu_sr_wait(struct cpu *c, struct rcu_wait *w);
/* A grace period has started: takes the callers it covers. True: it missed some. */
bool rcu_sr_gp_init(struct machine *m);
/* A grace period is over: wakes its callers. */
void rcu_sr_gp_cleanup(struct machine *m, struct cpu *c);

/* --- rcu_poll.c: the polled API --- */

void rcu_poll_init(struct machine *m);
/* A normal or expedited grace period begins; ends; a wait was vacuous. */
void rcu_poll_gp_start(struct machine *m, bool expedited);
void rcu_poll_gp_end(struct machine *m, bool expedited);
void rcu_poll_noop(struct machine *m);
/* Does a step on a cookie, on c. True: the cookie's grace period is over. */
bool rcu_poll_step(struct cpu *c, const struct step *s);

/* --- srcu.c, rcu_tasks.c: neighbours --- */

void srcu_init(struct machine *m);
/* Begins synchronize_srcu() (expedited: synchronize_srcu_expedited()). */
void srcu_wait_begin(struct machine *m, struct task *t, struct rcu_wait *w, bool expedited);
void rcu_tasks_init(struct machine *m);
/* Begins synchronize_rcu_tasks(), synchronize_rcu_tasks_rude(). */
void rcu_tasks_wait_begin(struct machine *m, struct task *t, struct rcu_wait *w);
void rcu_tasks_rude_wait_begin(struct machine *m, struct task *t, struct rcu_wait *w);

void rcu_barrier_init(struct machine *m);
bool rcu_barrier_step(struct machine *m, struct task *t, struct rcu_wait *w);
/* The IPI of rcu_barrier() on its target. */
void rcu_barrier_handler(struct cpu *c);
/* A barrier that has yet to visit a CPU off line finds its callbacks nowhere else. */
void rcu_barrier_migrate(struct cpu *c, struct cpu *dead);
/* c leaves its idle loop: a call whose interrupt got lost may be found there. */
void rcu_exp_flush_lost(struct cpu *c);
void rcu_exp_init(struct machine *m);
void rcu_exp_cpu_online(struct cpu *c);
bool rcu_exp_step(struct machine *m, struct task *t, struct rcu_wait *w);
void rcu_exp_handler(struct cpu *c, enum cpu_ctx over);
/* Reports bits of a leaf to the running expedited grace period. */
void rcu_report_exp_rnp(struct cpu *c, struct rcu_node *rnp, uint64_t mask);
/* Nothing blocks it on rnp any more, maybe: reports upwards if so. */
void rcu_report_exp_up(struct cpu *c, struct rcu_node *rnp);
/* Sleeps until the root is clear: t waits for that. True: it is clear. */
bool rcu_exp_wait_root(struct machine *m, struct task *t);
bool rcu_stop_step(struct machine *m, struct task *t, struct rcu_wait *w);
void rcu_stop_init(struct machine *m);

/* --- rcu_hotplug.c --- */

/* c is in its last idle loop. */
void rcu_cpu_dead(struct cpu *c);
/* The callbacks of a CPU off line become those of c. */
void rcu_migrate_callbacks(struct cpu *c, struct cpu *dead);

#endif
