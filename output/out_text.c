/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sentences about a result: verdicts, warnings, the machine's description.
 * A verdict says "saves" or "costs" only when the 95 % interval of the mean
 * excludes 0, and "exactly" only when every single pair agrees.
 * Guarded by tests/unit/check_output.c.
 */
#include "output/out_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "output/out_format.h"

/* Fewer give a 95 % range that is little more than the smallest and largest value. */
#define RANGE_REPLICATIONS_MIN 40

const char *out_runs_word(const struct xp_result *result, int64_t count)
{
	if (result->scenario->cells[0].variants[0].config.machine.booted)
		return count == 1 ? "run" : "runs";
	return count == 1 ? "boot" : "boots";
}

/* A text being put together in a fixed buffer; cut when it is full. */
struct sentence {
	char *buf;
	size_t size;
	size_t used;
};

static void add(struct sentence *s, const char *fmt, ...) RS_PRINTF(2, 3);
static void add(struct sentence *s, const char *fmt, ...)
{
	va_list args;
	int written;

	va_start(args, fmt);
	written = vsnprintf(s->buf + s->used, s->size - s->used, fmt, args);
	va_end(args);
	if (written > 0)
		s->used += (size_t)written;
	if (s->used >= s->size)
		s->used = s->size - 1;
}

/* What the verdict rests on. */
struct evidence {
	struct xp_summary saved;
	struct xp_summary saved_pct;
	struct xp_summary per_ipi;
	struct xp_summary break_even;
	double extra_ipis;
};

static void gather(const struct xp_result *result, size_t cell_idx, size_t variant_idx,
		   struct evidence *e)
{
	xp_summarize(result, cell_idx, variant_idx, metric_find("saved_ns"), &e->saved);
	xp_summarize(result, cell_idx, variant_idx, metric_find("saved_pct"), &e->saved_pct);
	xp_summarize(result, cell_idx, variant_idx, metric_find("saved_per_ipi_ns"), &e->per_ipi);
	xp_summarize(result, cell_idx, variant_idx, metric_find("break_even_ipi_ns"),
		     &e->break_even);
	e->extra_ipis = xp_extra_ipis(result, cell_idx, variant_idx);
}

static void add_ipis(struct sentence *s, double extra)
{
	if (extra == 0.0)
		add(s, " for 0 extra IPIs");
	else if (extra > 0.0)
		add(s, " for %s extra IPI%s", fmt_count(extra).text, extra == 1.0 ? "" : "s");
	else
		add(s, " and needs %s IPI%s fewer", fmt_count(-extra).text,
		    extra == -1.0 ? "" : "s");
}

/* "6.956 ms (18.0 %; 95 % of boots 4.2..8.0 ms)" */
static void add_amount(struct sentence *s, const struct evidence *e, double sign, const char *runs)
{
	struct fmt_unit unit = fmt_unit_for(fmax(fabs(e->saved.p2_5), fabs(e->saved.p97_5)));
	double low = sign > 0 ? e->saved.p2_5 : -e->saved.p97_5;
	double high = sign > 0 ? e->saved.p97_5 : -e->saved.p2_5;

	add(s, "%s (", fmt_ns_in(sign * e->saved.mean, unit).text);
	if (e->saved_pct.undefined == XP_DEFINED)
		add(s, "%s; ", fmt_pct(sign * e->saved_pct.mean).text);
	if (e->saved.n < 2)
		add(s, "one %s", runs);
	else if (e->saved.min == e->saved.max)
		add(s, "the same in all %" PRId64 " %s", e->saved.n, runs);
	else
		add(s, "95 %% of %s %s", runs, fmt_range_ns(low, high, unit).text);
	add(s, ")");
}

static void add_price(struct sentence *s, const struct evidence *e)
{
	double now_ns;

	if (e->break_even.undefined != XP_DEFINED) {
		add(s, ": worth it, no IPI to pay for");
		return;
	}
	now_ns = e->break_even.mean - e->per_ipi.mean;
	add(s, ": worth it unless an IPI costs more than %s", fmt_ns(e->break_even.mean).text);
	if (now_ns > 0.0)
		add(s, " (here %s)", fmt_ns(now_ns).text);
}

void out_verdict(const struct xp_result *result, size_t cell_idx, size_t variant_idx, char *buf,
		 size_t size)
{
	const char *name = result->scenario->cells[cell_idx].variants[variant_idx].name;
	struct sentence s = {buf, size, 0};
	struct evidence e;
	const char *runs;
	double half;

	gather(result, cell_idx, variant_idx, &e);
	runs = out_runs_word(result, e.saved.n);
	buf[0] = '\0';
	if (e.saved.undefined != XP_DEFINED) {
		add(&s, "%s: nothing to compare, no %s completed in both it and the baseline.",
		    name, out_runs_word(result, 1));
		return;
	}
	half = e.saved.n < 2 ? 0.0 : e.saved.half_width;
	if (e.saved.min == 0.0 && e.saved.max == 0.0) {
		if (e.saved.n == 1)
			add(&s, "%s saves exactly 0 in the one %s", name, runs);
		else
			add(&s, "%s saves exactly 0 in all %" PRId64 " %s", name, e.saved.n, runs);
		add_ipis(&s, e.extra_ipis);
		add(&s, ": it changes nothing here");
	} else if (e.saved.mean - half > 0.0) {
		add(&s, "%s saves ", name);
		add_amount(&s, &e, 1.0, runs);
		add_ipis(&s, e.extra_ipis);
		add_price(&s, &e);
	} else if (e.saved.mean + half < 0.0) {
		add(&s, "%s costs ", name);
		add_amount(&s, &e, -1.0, runs);
		add_ipis(&s, e.extra_ipis);
		add(&s, ": not worth it");
	} else {
		struct fmt_unit unit = fmt_unit_for(fmax(fabs(e.saved.mean), half));

		add(&s, "%s: undecided, mean saving %s ±%s over %" PRId64 " %s", name,
		    fmt_ns_in(e.saved.mean, unit).text, fmt_ns_in(half, unit).text, e.saved.n,
		    runs);
		add_ipis(&s, e.extra_ipis);
		add(&s, "; more %s (-n) would narrow it", runs);
	}
	add(&s, ".");
}

void out_matrix_verdict(const struct xp_result *result, size_t variant_idx, char *buf, size_t size)
{
	const char *name = result->scenario->cells[0].variants[variant_idx].name;
	const struct metric_info *saved = metric_find("saved_ns");
	struct sentence s = {buf, size, 0};
	double low = INFINITY;
	double high = -INFINITY;

	buf[0] = '\0';
	for (size_t c = 0; c < result->scenario->cell_count; c++) {
		struct xp_summary summary;

		xp_summarize(result, c, variant_idx, saved, &summary);
		if (summary.undefined != XP_DEFINED)
			continue;
		low = fmin(low, summary.mean);
		high = fmax(high, summary.mean);
	}
	if (low > high)
		add(&s, "%s: nothing to compare in any cell.", name);
	else if (low == high)
		add(&s, "%s saves %s on average in every cell.", name, fmt_ns(low).text);
	else
		add(&s, "%s saves from %s to %s on average, depending on the cell.", name,
		    fmt_ns(low).text, fmt_ns(high).text);
}

/* Is a property the same in all variants of all cells? */
static bool is_common(const struct scenario *scenario,
		      bool (*same)(const struct model_config *, const struct model_config *))
{
	const struct model_config *first = &scenario->cells[0].variants[0].config;

	for (size_t c = 0; c < scenario->cell_count; c++)
		for (size_t v = 0; v < scenario->variant_count; v++)
			if (!same(first, &scenario->cells[c].variants[v].config))
				return false;
	return true;
}

static bool same_cpus(const struct model_config *a, const struct model_config *b)
{
	return a->machine.cpus == b->machine.cpus &&
	       a->machine.cpus_online == b->machine.cpus_online;
}

static bool same_hz(const struct model_config *a, const struct model_config *b)
{
	return a->machine.hz == b->machine.hz;
}

static bool same_profile(const struct model_config *a, const struct model_config *b)
{
	return strcmp(a->kernel.profile.name, b->kernel.profile.name) == 0;
}

static bool same_preempt(const struct model_config *a, const struct model_config *b)
{
	return a->machine.preempt == b->machine.preempt;
}

static int64_t count_nocb(const struct model_config *config)
{
	int64_t count = 0;

	for (int64_t cpu = 0; cpu < config->machine.cpus; cpu++)
		if (cpu_mask_has(&config->machine.nocb, (int)cpu))
			count++;
	return count;
}

static bool same_nocb(const struct model_config *a, const struct model_config *b)
{
	return count_nocb(a) == count_nocb(b);
}

void out_describe(const struct scenario *scenario, char *buf, size_t size)
{
	static const char *const preempt[PREEMPT_MODEL_COUNT] = {
		[PREEMPT_NONE] = "!PREEMPT",
		[PREEMPT_VOLUNTARY] = "PREEMPT_VOLUNTARY",
		[PREEMPT_FULL] = "PREEMPT",
	};
	const struct model_config *config = &scenario->cells[0].variants[0].config;
	struct sentence s = {buf, size, 0};
	const char *between = "";

	buf[0] = '\0';
	if (is_common(scenario, same_cpus)) {
		add(&s, "%" PRId64 " CPU%s", config->machine.cpus,
		    config->machine.cpus == 1 ? "" : "s");
		if (config->machine.cpus_online < config->machine.cpus)
			add(&s, " (%" PRId64 " started)", config->machine.cpus_online);
		between = ", ";
	}
	if (is_common(scenario, same_hz)) {
		add(&s, "%sHZ=%" PRId64, between, config->machine.hz);
		between = ", ";
	}
	if (is_common(scenario, same_profile)) {
		add(&s, "%s%s", between, config->kernel.profile.name);
		between = ", ";
	}
	if (is_common(scenario, same_preempt) && config->machine.preempt >= 0 &&
	    config->machine.preempt < PREEMPT_MODEL_COUNT) {
		add(&s, "%s%s", between, preempt[config->machine.preempt]);
		between = ", ";
	}
	if (is_common(scenario, same_nocb) && is_common(scenario, same_cpus)) {
		int64_t nocb = count_nocb(config);

		if (nocb == config->machine.cpus)
			add(&s, "%sNOCB", between);
		else if (nocb > 0)
			add(&s, "%sNOCB on %" PRId64 " CPUs", between, nocb);
	}
}

static void warn(out_text_fn *fn, void *ctx, const char *fmt, ...) RS_PRINTF(3, 4);
static void warn(out_text_fn *fn, void *ctx, const char *fmt, ...)
{
	char text[600];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	fn(ctx, text);
}

/* The first stop of each variant over all cells, so that a matrix says it once. */
static void warn_stopped(const struct xp_result *result, size_t variant_idx, out_text_fn *fn,
			 void *ctx)
{
	const struct scenario *scenario = result->scenario;
	const struct xp_stopped *first = NULL;
	int64_t stopped = 0;
	int64_t runs = 0;

	for (size_t c = 0; c < scenario->cell_count; c++) {
		const struct xp_variant *variant = &result->cells[c].variants[variant_idx];

		for (int s = 0; s < RUN_STOP_COUNT; s++) {
			runs += variant->stop_count[s];
			if (s != RUN_COMPLETED)
				stopped += variant->stop_count[s];
		}
		if (first == NULL && variant->first_stopped.replication >= 0)
			first = &variant->first_stopped;
	}
	if (first == NULL)
		return;
	warn(fn, ctx,
	     "%s: %" PRId64 " of %" PRId64 " %s did not complete and are left out; the first: "
	     "replication %" PRId64 ", seed %" PRIu64 ", %s: %s",
	     scenario->cells[0].variants[variant_idx].name, stopped, runs,
	     out_runs_word(result, runs), first->replication, scenario->seed,
	     run_stop_name(first->stop), first->text);
}

/* Likewise the first stall warning of each variant. */
static void warn_stalls(const struct xp_result *result, size_t variant_idx, out_text_fn *fn, void *ctx)
{
	const struct scenario *scenario = result->scenario;
	const struct xp_stalls *first = NULL;
	int64_t runs = 0;

	for (size_t c = 0; c < scenario->cell_count; c++) {
		const struct xp_stalls *stalls = &result->cells[c].variants[variant_idx].stalls;

		runs += stalls->runs;
		if (first == NULL && stalls->runs > 0)
			first = stalls;
	}
	if (first == NULL)
		return;
	warn(fn, ctx,
	     "%s: stall warnings in %" PRId64 " %s; the first: replication %" PRId64 ", at %.3f s: %s",
	     scenario->cells[0].variants[variant_idx].name, runs, out_runs_word(result, runs),
	     first->replication, (double)first->at_ns / NS_PER_S, first->text);
}

void out_warnings(const struct xp_result *result, out_text_fn *fn, void *ctx)
{
	const struct scenario *scenario = result->scenario;
	int64_t fewest = result->cells[0].replications;

	for (size_t c = 1; c < scenario->cell_count; c++)
		if (result->cells[c].replications < fewest)
			fewest = result->cells[c].replications;
	for (size_t v = 0; v < scenario->variant_count; v++)
		warn_stopped(result, v, fn, ctx);
	for (size_t v = 0; v < scenario->variant_count; v++)
		warn_stalls(result, v, fn, ctx);
	if (result->interrupted)
		warn(fn, ctx,
		     "interrupted: %" PRId64 " of %" PRId64 " %s of each variant were made", fewest,
		     result->replications_asked, out_runs_word(result, 2));
	if (fewest < 2)
		warn(fn, ctx, "one %s of each variant: no interval can be given, use -n",
		     out_runs_word(result, 1));
	else if (fewest < RANGE_REPLICATIONS_MIN)
		warn(fn, ctx,
		     "%" PRId64
		     " %s of each variant: the 95 %% range is little more than the smallest "
		     "and largest value, %d or more give a better one",
		     fewest, out_runs_word(result, fewest), RANGE_REPLICATIONS_MIN);
}
