/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/fake_scenario.h"

#include <string.h>

static const char *const labels[] = {NULL, "init_ladder: synchronize_rcu",
				     "init_menu: synchronize_rcu"};
static const char *const notes[] = {"HZ (not published for this guest)"};
static const char *const axes[] = {"machine.hz", "machine.cpus"};
static const char text[] = "rcusim: 1\ntitle: \"fake\"\n";

void fake_set(struct fake *fake, size_t variant_idx, const char *name, int64_t saved_ns,
	      int64_t ipis)
{
	struct scenario_variant *variant = &fake->variants[0][variant_idx];

	variant->name = name;
	variant->config.machine.cpus = 2;
	variant->config.machine.cpus_online = 2;
	variant->config.machine.hz = 250;
	cpu_mask_set(&variant->config.machine.nocb, 0);
	cpu_mask_set(&variant->config.machine.nocb, 1);
	strcpy(variant->config.kernel.profile.name, "v4.1");
	variant->config.machine.costs.sync_ns = saved_ns;
	variant->config.machine.costs.ipi_send_ns = ipis;
	if (variant_idx >= fake->scenario.variant_count)
		fake->scenario.variant_count = variant_idx + 1;
}

void fake_init(struct fake *fake)
{
	memset(fake, 0, sizeof(*fake));
	fake->setting = (struct scenario_setting){"machine.hz", "250", "fake.yaml:3"};
	fake->scenario = (struct scenario){
		.path = "scenarios/fake.yaml",
		.name = "fake",
		.title = "A \"fake\" boot",
		.text = text,
		.text_bytes = sizeof(text) - 1,
		.hash = UINT64_C(0xfedcba9876543210),
		.seed = 1,
		.replications = 50,
		.cells = fake->cells,
		.cell_count = 1,
		.notes = notes,
		.note_count = 1,
		.step_labels = labels,
		.step_label_count = 2,
	};
	fake->cells[0].variants = fake->variants[0];
	fake_set(fake, 0, "default", 0, 0);
	fake_set(fake, 1, "expedited", 7 * NS_PER_MS, 10);
	fake->variants[0][0].settings = &fake->setting;
	fake->variants[0][0].setting_count = 1;
}

void fake_make_matrix(struct fake *fake)
{
	static const char *const hz[] = {"100", "1000"};
	static const char *const cpus[] = {"1", "2"};

	for (size_t c = 0; c < FAKE_CELLS; c++) {
		memcpy(fake->variants[c], fake->variants[0], sizeof(fake->variants[0]));
		fake->cells[c].variants = fake->variants[c];
		fake->cells[c].axis_values = fake->axis_values[c];
	}
	for (size_t c = 0; c < FAKE_CELLS; c++) {
		fake->axis_values[c][0] = hz[c / 2];
		fake->axis_values[c][1] = cpus[c % 2];
		for (size_t v = 0; v < fake->scenario.variant_count; v++) {
			struct machine_config *machine = &fake->variants[c][v].config.machine;

			machine->hz = c / 2 == 0 ? 100 : 1000;
			machine->cpus = c % 2 == 0 ? 1 : 2;
			if (machine->cpus == 1)
				machine->costs.sync_ns = 0;
			else if (machine->hz == 1000)
				machine->costs.sync_ns /= 4;
		}
	}
	fake->scenario.cell_count = FAKE_CELLS;
	fake->scenario.axis_paths = axes;
	fake->scenario.axis_count = 2;
}

int64_t fake_noise_ns(uint64_t seed, uint64_t replication)
{
	return (int64_t)((seed * 7919 + (replication + 1) * 104729) % 1000000);
}

void fake_model(const struct model_config *config, const struct run_options *options,
		struct sim_arena *arena, struct run_record *record)
{
	int64_t noise_ns = fake_noise_ns(options->seed, options->replication);
	int64_t saved_ns = config->machine.costs.sync_ns;
	bool expedited = saved_ns != 0;
	struct wait_record *waits = sim_arena_array(arena, 2, sizeof(*waits));
	struct gp_record *gps = sim_arena_array(arena, 1, sizeof(*gps));
	struct mark_record *marks = sim_arena_array(arena, 1, sizeof(*marks));
	struct run_totals *totals = &record->totals;

	/* A saving varies with the noise: a tenth of it is gone at the top. */
	saved_ns -= expedited ? noise_ns / 10 : 0;
	totals->boot_time_ns = 40 * NS_PER_MS + noise_ns - saved_ns;
	totals->gp_normal = expedited ? 0 : 1;
	totals->gp_expedited = expedited ? 1 : 0;
	totals->ipi_exp = config->machine.costs.ipi_send_ns;
	totals->ipi_send_ns = 500 * totals->ipi_exp;
	totals->ipi_stolen_ns = 1500 * totals->ipi_exp;
	for (uint32_t i = 0; i < 2; i++) {
		waits[i] = (struct wait_record){
			.step_id = i + 1,
			.path = expedited ? WAIT_EXPEDITED : WAIT_NORMAL,
			.on_boot_path = true,
			.start_ns = 1000,
			.end_ns = 1000 + (expedited ? 5000 : 4 * NS_PER_MS + noise_ns),
		};
		totals->wait_ns += waits[i].end_ns - waits[i].start_ns;
	}
	gps[0] = (struct gp_record){expedited, 0, expedited ? 4000 : 3 * NS_PER_MS + noise_ns};
	marks[0] = (struct mark_record){"end", totals->boot_time_ns};
	record->waits = waits;
	record->wait_count = 2;
	record->gps = gps;
	record->gp_count = 1;
	record->marks = marks;
	record->mark_count = 1;
	record->stop = RUN_COMPLETED;
	if (config->event_limit != 0 &&
	    (uint64_t)(config->event_limit - 1) <= options->replication) {
		record->stop = RUN_DEADLOCK;
		strcpy(record->stop_text, "nothing left to do while init waits");
	}
}

struct xp_result *fake_run(const struct fake *fake, int jobs)
{
	struct xp_options options = {.model = fake_model, .jobs = jobs};

	return xp_run(&fake->scenario, &options);
}
