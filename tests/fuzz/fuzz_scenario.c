/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libFuzzer target: no input may crash the scenario loader, hang it or eat
 * memory. An input is a scenario; what follows a line "#--set" is taken as a
 * --set argument, "#--cmdline" as a command line. Corpus: corpus/scenario/.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scenario/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ARG_BYTES_MAX 512

/* The rest of the line after marker, or NULL. */
static const char *find_arg(const uint8_t *data, size_t size, const char *marker, char *out)
{
	const uint8_t *found = memmem(data, size, marker, strlen(marker));
	size_t length = 0;

	if (!found)
		return NULL;
	found += strlen(marker);
	while (found + length < data + size && found[length] != '\n' && found[length] != '\0' &&
	       length < ARG_BYTES_MAX - 1)
		length++;
	memcpy(out, found, length);
	out[length] = '\0';
	return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char set_text[ARG_BYTES_MAX], cmdline_text[ARG_BYTES_MAX];
	struct rs_diag *diag = rs_calloc(1, sizeof(*diag));
	const char *set = find_arg(data, size, "#--set ", set_text);
	struct scenario_overrides overrides = {.sets = &set, .set_count = set ? 1 : 0};
	struct scenario *scenario = NULL;

	overrides.cmdline = find_arg(data, size, "#--cmdline ", cmdline_text);
	bool ok = scenario_load_bytes("fuzz.yaml", (const char *)data, size, &overrides,
				      "scenarios/platforms", &scenario, diag);
	if (ok != (scenario != NULL) || ok == (diag->error_count > 0))
		abort();
	scenario_destroy(scenario);
	free(diag);
	return 0;
}
