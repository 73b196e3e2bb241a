/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Per-CPU worker pools and kthread workers. Follows kernel/workqueue.c
 * insert_work, worker_thread, need_more_worker, keep_working, wq_worker_sleeping
 * and kernel/kthread.c kthread_worker_fn; alike in 4.9-6.12.
 *
 * A pool's items run in the order they were queued, one at a time: only when a
 * worker sleeps inside its item does another take the next one. A worker that
 * waits for the CPU behind other tasks holds the whole pool, and so does an item
 * that runs long: that is what an expedited grace period meets there. When two
 * workers of a pool are awake, the one that finishes first leaves.
 *
 * W1: a pool with items and no worker awake has one on its way.
 *
 * Simplified: a new worker costs nothing; no high-priority or unbound pools, no
 * CPU-intensive items, no rescuers; an item's items are never cancelled.
 *
 * Test: tests/model/check_exp_eras.c.
 */
#include "models/workqueue.h"

struct pool_worker {
	struct worker_pool *pool;
	struct task *task;
	struct work_item *item;   /* running; NULL: none */
	bool asleep;              /* inside its item */
	bool active;              /* off the idle list */
	struct pool_worker *next; /* on the idle list */
};

struct worker_pool {
	struct work_item *head, *tail;
	int running;              /* workers awake with an item: nr_running */
	int workers;
	struct pool_worker *idle; /* latest first */
};

struct kthread_worker {
	struct task *task;
	struct work_item *head, *tail;
	struct work_item *item;
};

void workqueue_init(struct machine *m)
{
	m->pools = sim_arena_array(m->arena, (size_t)m->nr_cpu_ids, sizeof(*m->pools));
}

static void list_add(struct work_item **head, struct work_item **tail, struct work_item *item)
{
	item->next = NULL;
	if (*head)
		(*tail)->next = item;
	else
		*head = item;
	*tail = item;
}

static struct work_item *list_pop(struct work_item **head)
{
	struct work_item *item = *head;

	*head = item->next;
	item->next = NULL;
	return item;
}

/* Task t begins an item: whose time is it? */
static void item_begins(struct task *t, const struct work_item *item)
{
	t->is_rcu = item->is_rcu;
	t->awaited_by_rcu = false;
}

/* --- pools --- */

static bool more_to_do(const struct pool_worker *w)
{
	return w->pool->head && w->pool->running <= (w->active ? 1 : 0);
}

static void become_idle(struct pool_worker *w)
{
	if (!w->active)
		return;
	w->active = false;
	w->pool->running--;
	w->next = w->pool->idle;
	w->pool->idle = w;
}

static void become_active(struct pool_worker *w)
{
	struct pool_worker **link = &w->pool->idle;

	if (w->active)
		return;
	while (*link != w)
		link = &(*link)->next;
	*link = w->next;
	w->active = true;
	w->pool->running++;
}

static void worker_fn(struct machine *m, struct task *t)
{
	struct pool_worker *w = t->data;

	if (w->asleep) {
		w->asleep = false;
		w->pool->running++;
	}
	for (;;) {
		if (!w->item) {
			if (!more_to_do(w)) {
				become_idle(w);
				task_sleep(m, t);
				return;
			}
			become_active(w);
			w->item = list_pop(&w->pool->head);
			item_begins(t, w->item);
		}
		if (!w->item->fn(m, t, w->item->data))
			return;
		w->item = NULL;
		if (m->cpus[t->cpu].charge_ns > 0 && w->pool->head) {
			task_run(m, t, 0, false); /* this item's work ends before the next begins */
			return;
		}
	}
}

static struct pool_worker *worker_create(struct machine *m, struct worker_pool *pool, int cpu)
{
	static const char *const names[] = { "kworker/%:1", "kworker/%:0", "kworker/%:2",
					     "kworker/%:3" };
	int nr = pool->workers < 3 ? pool->workers : 3;
	struct pool_worker *w = sim_arena_alloc(m->arena, sizeof(*w));

	pool->workers++;
	w->pool = pool;
	w->task = task_create(m, names[nr], worker_fn, w, cpu, cpu, CLASS_FAIR);
	w->task->worker = w;
	w->task->vruntime_ns = 0; /* asleep since long ago: there is always an idle one */
	w->next = pool->idle;
	pool->idle = w;
	return w;
}

/* wake_up_worker() */
static void wake_worker(struct machine *m, struct worker_pool *pool, int cpu, struct cpu *from)
{
	struct pool_worker *w = pool->idle ? pool->idle : worker_create(m, pool, cpu);

	if (w->task->state == TASK_SLEEPING)
		item_begins(w->task, pool->head);
	task_wake(m, w->task, from);
}

void workqueue_queue_on(struct machine *m, int cpu, struct work_item *item, struct cpu *from)
{
	struct worker_pool *pool = &m->pools[cpu];

	list_add(&pool->head, &pool->tail, item);
	cpu_charge(from, m->cost->work_item_ns);
	if (pool->running == 0)
		wake_worker(m, pool, cpu, from);
}

void workqueue_worker_sleeps(struct machine *m, struct task *t)
{
	struct pool_worker *w = t->worker;
	struct worker_pool *pool = w->pool;

	if (!w->item)
		return;
	w->asleep = true;
	pool->running--;
	if (pool->running == 0 && pool->head)
		wake_worker(m, pool, (int)(pool - m->pools), &m->cpus[t->cpu]);
}

/* --- kthread workers --- */

static void kthread_fn(struct machine *m, struct task *t)
{
	struct kthread_worker *kw = t->data;

	for (;;) {
		if (!kw->item) {
			if (!kw->head) {
				task_sleep(m, t);
				return;
			}
			kw->item = list_pop(&kw->head);
			item_begins(t, kw->item);
		}
		if (!kw->item->fn(m, t, kw->item->data))
			return;
		kw->item = NULL;
		if (m->cpus[t->cpu].charge_ns > 0 && kw->head) {
			task_run(m, t, 0, false);
			return;
		}
	}
}

struct kthread_worker *kthread_worker_create(struct machine *m, const char *name, int cpu,
					     enum task_class class)
{
	struct kthread_worker *kw = sim_arena_alloc(m->arena, sizeof(*kw));

	kw->task = task_create(m, name, kthread_fn, kw, cpu, -1, class);
	kw->task->vruntime_ns = 0; /* asleep since the boot */
	return kw;
}

void kthread_worker_queue(struct machine *m, struct kthread_worker *kw, struct work_item *item,
			  struct cpu *from)
{
	list_add(&kw->head, &kw->tail, item);
	cpu_charge(from, m->cost->work_item_ns);
	if (kw->task->state == TASK_SLEEPING && !kw->item)
		item_begins(kw->task, item);
	if (!kw->item) /* else it sleeps inside its item, or takes the next after it */
		task_wake(m, kw->task, from);
}
