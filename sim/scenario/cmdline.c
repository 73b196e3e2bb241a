/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel's own rules are followed where they matter: words are separated
 * by blanks outside double quotes, '-' and '_' in names are the same
 * (lib/cmdline.c, kernel/params.c), "--" ends the kernel's part, integers may
 * be written in hex, booleans as y, n, on, off, 1, 0. The last of several equal
 * parameters wins.
 */
#include "sim/scenario/cmdline.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/scenario/suggest.h"
#include "sim/scenario/values.h"

#define WORD_BYTES_MAX 256

/* One word being applied. */
struct word {
	struct load *load;
	const struct cmdline_text *cmdline;
	struct model_config *config;
	struct rs_where at;
	char name[WORD_BYTES_MAX];
	const char *value; /* NULL: no '=' */
	bool ok;
};

static void word_error(struct word *w, const char *hint, const char *fmt, ...) RS_PRINTF(3, 4);

static void word_error(struct word *w, const char *hint, const char *fmt, ...)
{
	char text[300];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	w->ok = false;
	diag_add(w->load->diag, DIAG_ERROR, &w->at, hint, "%s", text);
}

static bool parse_hex(const char *text, int64_t *out)
{
	*out = 0;
	if (text[0] != '0' || (text[1] != 'x' && text[1] != 'X') || text[2] == '\0')
		return false;
	for (const char *at = text + 2; *at; at++) {
		const char *digits = "0123456789abcdef";
		const char *digit = strchr(digits, *at >= 'A' && *at <= 'F' ? *at + 32 : *at);

		if (!digit || *out > (INT64_MAX >> 4))
			return false;
		*out = *out * 16 + (digit - digits);
	}
	return true;
}

/* An integer of low..high, or an error. */
static bool word_int(struct word *w, int64_t low, int64_t high, int64_t *out)
{
	if (!w->value || w->value[0] == '\0') {
		word_error(w, NULL, "kernel parameter '%.80s' needs a value", w->name);
		return false;
	}
	if (!parse_int(w->value, out) && !parse_hex(w->value, out)) {
		word_error(w, NULL, "kernel parameter '%.80s': '%.60s' is no number", w->name,
			   w->value);
		return false;
	}
	if (*out < low || *out > high) {
		word_error(w, NULL, "kernel parameter '%.80s' is %lld: it must be %lld to %lld",
			   w->name, (long long)*out, (long long)low, (long long)high);
		return false;
	}
	return true;
}

static bool word_bool(struct word *w, bool *out)
{
	static const char *const yes[] = {"1", "y", "Y", "on", "yes", "true"};
	static const char *const no[] = {"0", "n", "N", "off", "no", "false"};

	for (size_t i = 0; w->value && i < sizeof(yes) / sizeof(yes[0]); i++) {
		if (strcmp(w->value, yes[i]) == 0) {
			*out = true;
			return true;
		}
		if (strcmp(w->value, no[i]) == 0) {
			*out = false;
			return true;
		}
	}
	word_error(w, NULL, "kernel parameter '%.80s' must be on or off, 1 or 0", w->name);
	return false;
}

/* "rcu_normal is not read by v4.1: ignored". */
static bool profile_has(struct word *w, bool has)
{
	if (!has)
		load_note(w->load, "%s is not read by kernel %s: ignored", w->name,
			  w->config->kernel.profile.name);
	return has;
}

static void set_flag(struct word *w, bool has, bool *out)
{
	int64_t value;

	if (word_int(w, INT32_MIN, INT32_MAX, &value) && profile_has(w, has))
		*out = value != 0;
}

static void set_int(struct word *w, int64_t low, int64_t high, int64_t *out)
{
	int64_t value;

	if (word_int(w, low, high, &value))
		*out = value;
}

static void set_bool(struct word *w, bool *out)
{
	bool value;

	if (word_bool(w, &value))
		*out = value;
}

static void do_expedited(struct word *w)
{
	set_flag(w, true, &w->config->kernel.rcu_expedited);
}

static void do_normal(struct word *w)
{
	set_flag(w, w->config->kernel.profile.has_rcu_normal != 0, &w->config->kernel.rcu_normal);
}

static void do_normal_after_boot(struct word *w)
{
	set_flag(w, w->config->kernel.profile.has_rcu_normal != 0,
		 &w->config->kernel.rcu_normal_after_boot);
}

/* rcu_init_geometry() and the kthread cap these at HZ without a word. */
static void do_first_fqs(struct word *w)
{
	set_int(w, 0, 1000000, &w->config->kernel.jiffies_till_first_fqs);
	if (w->ok && w->config->kernel.jiffies_till_first_fqs > w->config->machine.hz)
		w->config->kernel.jiffies_till_first_fqs = w->config->machine.hz;
}

static void do_next_fqs(struct word *w)
{
	set_int(w, 0, 1000000, &w->config->kernel.jiffies_till_next_fqs);
	if (w->ok && w->config->kernel.jiffies_till_next_fqs > w->config->machine.hz)
		w->config->kernel.jiffies_till_next_fqs = w->config->machine.hz;
	if (w->ok && w->config->kernel.jiffies_till_next_fqs == 0)
		w->config->kernel.jiffies_till_next_fqs = 1;
}

static void do_sched_qs(struct word *w)
{
	set_int(w, 0, 1000000000, &w->config->kernel.jiffies_till_sched_qs);
}

static void do_wake_from_gp(struct word *w)
{
	int64_t value;

	if (word_int(w, -1, 1, &value) && profile_has(w, w->config->kernel.profile.wake_from_gp != 0))
		w->config->kernel.rcu_normal_wake_from_gp = value;
}

static void do_stall_timeout(struct word *w)
{
	set_int(w, 1, 1000000, &w->config->kernel.rcu_cpu_stall_timeout);
}

static void do_exp_stall_timeout(struct word *w)
{
	int64_t value;

	if (word_int(w, 0, 300000, &value) && profile_has(w, w->config->kernel.profile.exp_stall_timeout != 0))
		w->config->kernel.rcu_exp_cpu_stall_timeout = value;
}

static void do_stall_suppress(struct word *w)
{
	set_flag(w, true, &w->config->kernel.rcu_cpu_stall_suppress);
}

static void do_fanout_leaf(struct word *w)
{
	set_int(w, 2, 64, &w->config->kernel.rcu_fanout_leaf);
}

static void do_fanout_exact(struct word *w)
{
	bool value;

	if (w->value ? !word_bool(w, &value) : !(value = true))
		return;
	if (profile_has(w, w->config->kernel.profile.version >= 402))
		w->config->kernel.rcu_fanout_exact = value;
}

static void do_blimit(struct word *w)
{
	set_int(w, 1, INT32_MAX, &w->config->kernel.blimit);
}

static void do_qhimark(struct word *w)
{
	set_int(w, 1, INT32_MAX, &w->config->kernel.qhimark);
}

static void do_qlowmark(struct word *w)
{
	set_int(w, 0, INT32_MAX, &w->config->kernel.qlowmark);
}

static bool word_cpus(struct word *w, struct cpu_mask *mask)
{
	const char *why;
	bool beyond;

	if (!w->value || !parse_cpu_list(w->value, w->config->machine.cpus, mask, &beyond, &why)) {
		word_error(w, w->value ? why : NULL,
			   "kernel parameter '%.80s' needs a list of CPUs", w->name);
		return false;
	}
	if (beyond)
		load_note(w->load, "%s=%s names CPUs that do not exist: left out", w->name,
			  w->value);
	return true;
}

static void offload(struct word *w, const struct cpu_mask *mask)
{
	for (size_t i = 0; i < CPUS_MAX / 64; i++)
		w->config->machine.nocb.word[i] |= mask->word[i];
}

static void do_nocbs(struct word *w)
{
	struct cpu_mask mask;

	if (!w->value) {
		load_note(w->load, "rcu_nocbs without a list offloads no CPU at boot");
		return;
	}
	if (word_cpus(w, &mask))
		offload(w, &mask);
}

static void do_nohz_full(struct word *w)
{
	struct cpu_mask mask;

	if (!word_cpus(w, &mask))
		return;
	offload(w, &mask);
	load_note(w->load,
		  "nohz_full=%s offloads those CPUs' callbacks; that their ticks stop while "
		  "they run is not modelled",
		  w->value);
}

static void do_nohz(struct word *w)
{
	set_bool(w, &w->config->kernel.nohz);
}

static void do_highres(struct word *w)
{
	set_bool(w, &w->config->kernel.highres);
}

static void do_skew_tick(struct word *w)
{
	int64_t value;

	if (word_int(w, INT32_MIN, INT32_MAX, &value))
		w->config->kernel.skew_tick = value != 0;
}

static void limit_online(struct word *w, int64_t limit)
{
	if (w->config->machine.cpus_online > limit)
		w->config->machine.cpus_online = limit;
}

static void do_maxcpus(struct word *w)
{
	int64_t value;

	if (word_int(w, 0, INT32_MAX, &value))
		limit_online(w, value < 1 ? 1 : value);
}

static void do_nosmp(struct word *w)
{
	limit_online(w, 1);
}

static void set_possible(struct word *w, int64_t cpus)
{
	w->config->machine.cpus = cpus;
	limit_online(w, cpus);
	for (int64_t cpu = cpus; cpu < CPUS_MAX; cpu++)
		cpu_mask_clear(&w->config->machine.nocb, (int)cpu);
}

static void do_nr_cpus(struct word *w)
{
	int64_t value;

	if (word_int(w, 1, INT32_MAX, &value) && value < w->config->machine.cpus)
		set_possible(w, value);
}

static void do_possible_cpus(struct word *w)
{
	int64_t value;

	if (word_int(w, 1, CPUS_MAX, &value))
		set_possible(w, value);
}

struct handler {
	struct cmdline_info info;
	void (*apply)(struct word *w);
};

/* CPU counts first: lists of CPUs are read against them (see apply_all()). */
static const struct handler handlers[] = {
	{{"nr_cpus", "N", "at most N possible CPUs"}, do_nr_cpus},
	{{"possible_cpus", "N", "N possible CPUs"}, do_possible_cpus},
	{{"maxcpus", "N", "start at most N CPUs at boot"}, do_maxcpus},
	{{"nosmp", "", "start one CPU only"}, do_nosmp},
	{{"rcupdate.rcu_expedited", "0|1", "synchronous waits are expedited"}, do_expedited},
	{{"rcupdate.rcu_normal", "0|1", "synchronous waits are normal; beats expediting"},
	 do_normal},
	{{"rcupdate.rcu_normal_after_boot", "0|1", "sets rcu_normal at the end of the boot"},
	 do_normal_after_boot},
	{{"rcutree.jiffies_till_first_fqs", "jiffies", "first scan after the start of a GP"},
	 do_first_fqs},
	{{"rcutree.jiffies_till_next_fqs", "jiffies", "between later scans"}, do_next_fqs},
	{{"rcutree.jiffies_till_sched_qs", "jiffies", "age of a GP that asks CPUs for help"},
	 do_sched_qs},
	{{"rcutree.rcu_normal_wake_from_gp", "0|1", "normal waits without a callback"},
	 do_wake_from_gp},
	{{"rcupdate.rcu_cpu_stall_timeout", "s", "age of a GP that is a stall"}, do_stall_timeout},
	{{"rcupdate.rcu_exp_cpu_stall_timeout", "ms", "the same for expedited ones"},
	 do_exp_stall_timeout},
	{{"rcupdate.rcu_cpu_stall_suppress", "0|1", "no stall warnings"}, do_stall_suppress},
	{{"rcutree.rcu_fanout_leaf", "N", "CPUs for each leaf of the tree"}, do_fanout_leaf},
	{{"rcutree.rcu_fanout_exact", "0|1", "do not balance the tree"}, do_fanout_exact},
	{{"rcutree.blimit", "N", "callbacks in one batch"}, do_blimit},
	{{"rcutree.qhimark", "N", "queue length that lifts blimit"}, do_qhimark},
	{{"rcutree.qlowmark", "N", "queue length that restores blimit"}, do_qlowmark},
	{{"rcu_nocbs", "CPU list", "CPUs with offloaded callbacks"}, do_nocbs},
	{{"nohz_full", "CPU list", "offloads those CPUs; their ticks stay"}, do_nohz_full},
	{{"nohz", "on|off", "idle CPUs may stop their tick"}, do_nohz},
	{{"highres", "on|off", "high-resolution timers"}, do_highres},
	{{"skew_tick", "0|1", "spread the CPUs' ticks over the jiffy"}, do_skew_tick},
};
#define HANDLERS (sizeof(handlers) / sizeof(handlers[0]))
#define CPU_COUNT_HANDLERS 4

/* Read by the kernel's RCU, or by its tests, but without a part in the model. */
static const char *const not_modelled[] = {
	"rcu_nocb_poll",
	"rcupdate.rcu_cpu_stall_suppress_at_boot",
	"rcupdate.rcu_cpu_stall_ftrace_dump",
	"rcupdate.rcu_cpu_stall_cputime",
	"rcupdate.rcu_exp_stall_task_details",
	"rcupdate.rcu_task_ipi_delay",
	"rcupdate.rcu_task_stall_timeout",
	"rcupdate.rcu_task_stall_info",
	"rcupdate.rcu_task_stall_info_mult",
	"rcupdate.rcu_task_enqueue_lim",
	"rcupdate.rcu_task_contend_lim",
	"rcupdate.rcu_task_collapse_lim",
	"rcupdate.rcu_self_test",
	"rcupdate.android_rcu_boot_end_delay",
	"rcupdate.rcu_boot_end_delay",
	"rcutree.kthread_prio",
	"rcutree.use_softirq",
	"rcutree.dump_tree",
	"rcutree.gp_preinit_delay",
	"rcutree.gp_init_delay",
	"rcutree.gp_cleanup_delay",
	"rcutree.rcu_idle_gp_delay",
	"rcutree.rcu_idle_lazy_gp_delay",
	"rcutree.rcu_kick_kthreads",
	"rcutree.rcu_resched_ns",
	"rcutree.rcu_divisor",
	"rcutree.rcu_min_cached_objs",
	"rcutree.rcu_delay_page_cache_fill_msec",
	"rcutree.rcu_nocb_gp_stride",
	"rcutree.rcu_nocb_leader_stride",
	"rcutree.rcu_unlock_delay",
	"rcutree.sysrq_rcu",
	"rcutree.qovld",
	"rcutree.jiffies_to_sched_qs",
	"rcutree.enable_rcu_lazy",
	"rcutree.rcu_normal_wake_from_gp",
	"rcutree.nocb_nobypass_lim_per_jiffy",
	"rcutree.nohz_full_patience_delay",
};
#define NOT_MODELLED (sizeof(not_modelled) / sizeof(not_modelled[0]))

const struct cmdline_info *cmdline_info(size_t idx)
{
	return idx < HANDLERS ? &handlers[idx].info : NULL;
}

static bool starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Names the kernel compares with '-' and '_' alike. */
static void normalise(char *name)
{
	for (; *name; name++)
		if (*name == '-')
			*name = '_';
}

static bool is_test_module(const char *name)
{
	static const char *const modules[] = {"rcutorture.", "rcuscale.", "rcuperf.",
					      "refscale.",   "srcutree.", "torture."};

	for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
		if (starts_with(name, modules[i]))
			return true;
	return false;
}

/* A name the model has no handler for: ours misspelt, known, or none of RCU's business? */
static void unknown_word(struct word *w, char *ignored, size_t ignored_size)
{
	struct suggest suggest;
	char hint[120];

	for (size_t i = 0; i < NOT_MODELLED; i++)
		if (strcmp(w->name, not_modelled[i]) == 0) {
			load_note(w->load, "%s is read by the kernel but not modelled: ignored",
				  w->name);
			return;
		}
	if (starts_with(w->name, "rcu") && !is_test_module(w->name)) {
		suggest_begin(&suggest, w->name);
		for (size_t i = 0; i < HANDLERS; i++)
			suggest_offer(&suggest, handlers[i].info.name);
		for (size_t i = 0; !suggest.best && i < HANDLERS; i++) {
			const char *dot = strchr(handlers[i].info.name, '.');

			if (dot && strcmp(dot + 1, w->name) == 0)
				suggest.best = handlers[i].info.name;
		}
		for (size_t i = 0; i < NOT_MODELLED; i++)
			suggest_offer(&suggest, not_modelled[i]);
		suggest_hint(&suggest, hint, sizeof(hint));
		word_error(w, hint, "unknown RCU parameter '%.80s'", w->name);
		return;
	}
	/* Near misses of the others, such as rcu_nocbs without its first letter. */
	size_t length = strlen(w->name);
	for (size_t i = 0; i < HANDLERS; i++) {
		if (strchr(handlers[i].info.name, '.') &&
		    length + 2 >= strlen(handlers[i].info.name) &&
		    suggest_distance(w->name, handlers[i].info.name) <= 2) {
			snprintf(hint, sizeof(hint), "did you mean '%s'?", handlers[i].info.name);
			word_error(w, hint, "unknown RCU parameter '%.80s'", w->name);
			return;
		}
	}
	size_t used = strlen(ignored);
	snprintf(ignored + used, ignored_size - used, "%s%.40s", used ? ", " : "", w->name);
}

/* The next word at *at, without its quotes; false at the end. */
static bool next_word(const char **at, char *out, size_t *offset, const char *start)
{
	size_t length = 0;
	bool quoted = false;

	while (**at == ' ' || **at == '\t' || **at == '\n')
		(*at)++;
	*offset = (size_t)(*at - start);
	if (**at == '\0')
		return false;
	for (; **at; (*at)++) {
		if (**at == '"') {
			quoted = !quoted;
			continue;
		}
		if (!quoted && (**at == ' ' || **at == '\t' || **at == '\n'))
			break;
		if (length < WORD_BYTES_MAX - 1)
			out[length++] = **at;
	}
	out[length] = '\0';
	return true;
}

static bool apply_all(struct load *load, const struct cmdline_text *cmdline,
		      struct model_config *config, bool cpu_counts, char *ignored,
		      size_t ignored_size)
{
	const char *at = cmdline->text;
	char text[WORD_BYTES_MAX];
	bool ok = true;
	size_t offset;

	while (next_word(&at, text, &offset, cmdline->text) && strcmp(text, "--") != 0) {
		struct word w = {.load = load,
				 .cmdline = cmdline,
				 .config = config,
				 .at = cmdline->at,
				 .ok = true};
		char *equals = strchr(text, '=');
		size_t handler = 0;

		if (cmdline->exact)
			w.at.column += (int)offset;
		if (equals)
			*equals = '\0';
		w.value = equals ? equals + 1 : NULL;
		snprintf(w.name, sizeof(w.name), "%s", text);
		normalise(w.name);
		while (handler < HANDLERS && strcmp(handlers[handler].info.name, w.name) != 0)
			handler++;
		if ((handler < CPU_COUNT_HANDLERS) != cpu_counts)
			continue;
		if (handler < HANDLERS)
			handlers[handler].apply(&w);
		else
			unknown_word(&w, ignored, ignored_size);
		ok = ok && w.ok;
	}
	return ok;
}

bool cmdline_apply(struct load *load, const struct cmdline_text *cmdline,
		   struct model_config *config)
{
	char ignored[400] = "";
	struct cmdline_text text = *cmdline;

	if (cmdline->node && cmdline->node->faulty)
		return false;
	if (strlen(text.text) > CMDLINE_BYTES_MAX) {
		diag_add(load->diag, DIAG_ERROR, &text.at, NULL,
			 "the kernel command line has more than %d bytes", CMDLINE_BYTES_MAX);
		return false;
	}
	/* A long one may hold many long CPU lists. */
	size_t length = strlen(text.text);

	if (!load_work(load, length > 64 ? length * 16 : 0, &text.at))
		return false;
	bool ok = apply_all(load, &text, config, true, ignored, sizeof(ignored));
	ok = apply_all(load, &text, config, false, ignored, sizeof(ignored)) && ok;
	if (ignored[0])
		load_note(load, "kernel parameters that RCU does not read were ignored: %s",
			  ignored);
	if (!ok && cmdline->node)
		cmdline->node->faulty = true;
	return ok;
}
