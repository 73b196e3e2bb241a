/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The schema is for editors: it knows keys, types, units and enumerations. The
 * loader knows more (levels, marks, rules over several values) and has the
 * last word. Everything that stands in a table is taken from the table.
 */
#include "sim/scenario/schema.h"

#include <string.h>

#include "models/metrics.h"
#include "sim/scenario/document.h"
#include "sim/scenario/params.h"
#include "sim/scenario/steps.h"

#define DURATION_PATTERN "^(0|[1-9][0-9]*)(\\\\.[0-9]+)?(ns|us|ms|s)$"

static void write_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < 0x20)
			fprintf(out, "\\u%04x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

static void write_ref(FILE *out, const char *name)
{
	fprintf(out, "{\"$ref\": \"#/definitions/%s\"}", name);
}

static void write_names(FILE *out, const char *const *names)
{
	fputc('[', out);
	for (size_t i = 0; names[i]; i++) {
		fputs(i ? ", " : "", out);
		write_text(out, names[i]);
	}
	fputc(']', out);
}

static void write_enum(FILE *out, const struct param_info *row)
{
	bool yes_no = strcmp(row->value_names[0], "no") == 0 && row->value_names[1] &&
		      strcmp(row->value_names[1], "yes") == 0 && !row->value_names[2];

	/* YAML 1.1 editors read a bare yes or no as a boolean. */
	if (yes_no) {
		fputs("\"enum\": [\"no\", \"yes\", true, false]", out);
		return;
	}
	fputs("\"enum\": ", out);
	write_names(out, row->value_names);
}

static void write_param(FILE *out, const struct param_info *row)
{
	fputc('{', out);
	switch (row->type) {
	case PARAM_INT:
		fprintf(out, "\"type\": \"integer\", \"minimum\": %lld, \"maximum\": %lld",
			(long long)row->low, (long long)row->high);
		break;
	case PARAM_BOOL:
		fputs("\"type\": \"boolean\"", out);
		break;
	case PARAM_ENUM:
		write_enum(out, row);
		break;
	case PARAM_DURATION:
		fputs("\"type\": \"string\", \"pattern\": \"" DURATION_PATTERN "\"", out);
		break;
	case PARAM_DIST:
		fputs("\"allOf\": [{\"$ref\": \"#/definitions/distribution\"}]", out);
		break;
	case PARAM_CPUS:
		fputs("\"type\": [\"string\", \"integer\"]", out);
		break;
	case PARAM_TEXT:
	case PARAM_TYPE_COUNT:
		fputs("\"type\": \"string\"", out);
		break;
	}
	fputs(", \"description\": ", out);
	write_text(out, row->help);
	fputc('}', out);
}

/* The properties of a section: the rows directly below "name.". */
static void write_rows(FILE *out, const char *name, const char *indent)
{
	size_t count, length = strlen(name);
	const struct param_info *rows = param_all(&count);
	bool first = true;

	for (size_t i = 0; i < count; i++) {
		const char *path = rows[i].path;

		if (strncmp(path, name, length) != 0 || path[length] != '.' ||
		    strchr(path + length + 1, '.'))
			continue;
		fprintf(out, "%s\n%s", first ? "" : ",", indent);
		write_text(out, path + length + 1);
		fputs(": ", out);
		write_param(out, &rows[i]);
		first = false;
	}
}

static void write_section(FILE *out, const char *name)
{
	fprintf(out,
		"    \"%s\": {\"type\": \"object\", \"additionalProperties\": false, "
		"\"properties\": {",
		name);
	write_rows(out, name, "      ");
	if (strcmp(name, "machine") == 0) {
		fputs(",\n      \"costs\": {\"type\": \"object\", \"additionalProperties\": false, "
		      "\"properties\": {",
		      out);
		write_rows(out, "machine.costs", "        ");
		fputs("}}", out);
	}
	fputs("}},\n", out);
}

static void write_section_arg(FILE *out, bool may_end_in)
{
	fputs("{\"anyOf\": [{\"$ref\": \"#/definitions/distribution\"}, "
	      "{\"type\": \"object\", \"additionalProperties\": false, "
	      "\"required\": [\"do\"], "
	      "\"properties\": {\"do\": {\"$ref\": \"#/definitions/steps\"}",
	      out);
	if (may_end_in)
		fputs(", \"ends_in\": {\"type\": \"object\", "
		      "\"additionalProperties\": false, \"minProperties\": 1, "
		      "\"maxProperties\": 1, \"properties\": {"
		      "\"preempt_off\": {\"$ref\": \"#/definitions/distribution\"}, "
		      "\"bh_off\": {\"$ref\": \"#/definitions/distribution\"}, "
		      "\"irqs_off\": {\"$ref\": \"#/definitions/distribution\"}}}",
		      out);
	fputs("}}]}", out);
}

static void write_step_arg(FILE *out, const struct step_info *info)
{
	switch (info->arg) {
	case ARG_NONE:
		fputs("{\"type\": \"null\"}", out);
		return;
	case ARG_DIST:
		write_ref(out, "distribution");
		return;
	case ARG_RUN:
		fputs("{\"anyOf\": [{\"$ref\": \"#/definitions/distribution\"}, "
		      "{\"type\": \"object\", \"additionalProperties\": false, "
		      "\"required\": [\"for\"], "
		      "\"properties\": {\"for\": {\"$ref\": \"#/definitions/distribution\"}, "
		      "\"cond_resched\": {\"$ref\": \"#/definitions/duration\"}, "
		      "\"cond_resched_rcu_qs\": {\"$ref\": \"#/definitions/duration\"}}}]}",
		      out);
		return;
	case ARG_COUNT:
		fputs("{\"type\": [\"integer\", \"null\"], \"minimum\": 1}", out);
		return;
	case ARG_BOOL:
		fputs("{\"type\": \"boolean\"}", out);
		return;
	case ARG_NAME:
		write_ref(out, "name");
		return;
	case ARG_EACH:
		fputs("{\"type\": \"object\", \"additionalProperties\": false, \"required\": "
		      "[\"each\"], "
		      "\"properties\": {\"each\": {\"$ref\": \"#/definitions/distribution\"}}}",
		      out);
		return;
	case ARG_LOOP:
		fputs("{\"type\": \"object\", \"additionalProperties\": false, "
		      "\"required\": [\"count\", \"do\"], \"properties\": {"
		      "\"count\": {\"anyOf\": [{\"type\": \"integer\", \"minimum\": 1}, "
		      "{\"const\": \"forever\"}]}, \"do\": {\"$ref\": \"#/definitions/steps\"}}}",
		      out);
		return;
	case ARG_SPAWN:
		write_ref(out, "task");
		return;
	case ARG_WORK:
		fputs("{\"type\": \"object\", \"additionalProperties\": false, \"required\": "
		      "[\"do\"], \"properties\": {\"cpu\": {\"anyOf\": [{\"type\": \"integer\", "
		      "\"minimum\": 0}, {\"const\": \"any\"}]}, "
		      "\"do\": {\"$ref\": \"#/definitions/steps\"}}}",
		      out);
		return;
	case ARG_HOTPLUG:
		fputs("{\"type\": \"object\", \"additionalProperties\": false, \"required\": "
		      "[\"cpu\"], \"properties\": {\"cpu\": {\"type\": \"integer\", "
		      "\"minimum\": 1}, \"takes\": {\"$ref\": \"#/definitions/distribution\"}}}",
		      out);
		return;
	case ARG_SMT:
		/* YAML 1.1 readers take the two words for truth values */
		fputs("{\"type\": \"object\", \"additionalProperties\": false, \"required\": "
		      "[\"switch\"], \"properties\": {\"switch\": {\"enum\": [\"off\", \"on\", "
		      "false, true]}, \"threads\": {\"type\": \"integer\", \"minimum\": 2}, "
		      "\"each\": {\"$ref\": \"#/definitions/distribution\"}}}",
		      out);
		return;
	case ARG_WRITE:
		fputs("{\"type\": \"object\", \"additionalProperties\": false, \"required\": "
		      "[\"name\", \"do\"], \"properties\": {\"name\": {\"$ref\": "
		      "\"#/definitions/name\"}, \"do\": {\"$ref\": \"#/definitions/steps\"}}}",
		      out);
		return;
	case ARG_SECTION:
		write_section_arg(out, info->kind == STEP_READ);
		return;
	}
}

static void write_steps(FILE *out)
{
	fputs("    \"steps\": {\"type\": \"array\", \"items\": {\"$ref\": "
	      "\"#/definitions/step\"}},\n",
	      out);
	fputs("    \"step\": {\"anyOf\": [\n      {\"enum\": [", out);
	bool first = true;
	for (size_t i = 0; steps_info(i); i++) {
		const struct step_info *info = steps_info(i);

		if (info->arg != ARG_NONE && !info->arg_optional)
			continue;
		fputs(first ? "" : ", ", out);
		write_text(out, info->key);
		first = false;
	}
	fputs("]}", out);
	for (size_t i = 0; steps_info(i); i++) {
		const struct step_info *info = steps_info(i);

		fputs(",\n      {\"type\": \"object\", \"additionalProperties\": false, "
		      "\"required\": [",
		      out);
		write_text(out, info->key);
		fputs(info->has_do ? ", \"do\"], \"description\": " : "], \"description\": ", out);
		write_text(out, info->help);
		fputs(", \"properties\": {", out);
		write_text(out, info->key);
		fputs(": ", out);
		write_step_arg(out, info);
		fputs(info->has_do ? ", \"do\": {\"$ref\": \"#/definitions/steps\"}" : "", out);
		fputs(", \"level\": {\"$ref\": \"#/definitions/level\"}}}", out);
	}
	fputs("]},\n", out);
	fputs("    \"level\": {\"enum\": [", out);
	for (int i = 0; i < LEVEL_COUNT; i++) {
		fputs(i ? ", " : "", out);
		write_text(out, boot_level_name((enum boot_level)i));
	}
	fputs("]},\n", out);
}

static void write_distribution(FILE *out)
{
	static const char spread[] =
		"{\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"mean\"], "
		"\"properties\": {\"mean\": {\"$ref\": \"#/definitions/duration\"}, "
		"\"sd\": {\"$ref\": \"#/definitions/duration\"}, \"cv\": {\"type\": [\"string\", "
		"\"number\"]}}}";
	static const char list[] = "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"$ref\": "
				   "\"#/definitions/duration\"}}";

	fputs("    \"duration\": {\"type\": \"string\", \"pattern\": \"" DURATION_PATTERN "\"},\n",
	      out);
	fputs("    \"distribution\": {\"anyOf\": [{\"$ref\": \"#/definitions/duration\"}, "
	      "{\"type\": \"object\", \"additionalProperties\": false, \"minProperties\": 1, "
	      "\"maxProperties\": 1, \"properties\": {\n",
	      out);
	for (int i = 0; i < DIST_KIND_COUNT; i++) {
		enum dist_kind kind = (enum dist_kind)i;

		fprintf(out, "      \"%s\": ", dist_kind_name(kind));
		switch (kind) {
		case DIST_CONSTANT:
		case DIST_EXPONENTIAL:
			write_ref(out, "duration");
			break;
		case DIST_UNIFORM:
		case DIST_EMPIRICAL:
			fputs(list, out);
			break;
		case DIST_NORMAL:
		case DIST_LOGNORMAL:
		case DIST_GAMMA:
			fputs(spread, out);
			break;
		case DIST_WEIBULL:
		case DIST_PARETO:
			fprintf(out,
				"{\"type\": \"object\", \"additionalProperties\": false, "
				"\"properties\": "
				"{\"%s\": {\"$ref\": \"#/definitions/duration\"}, "
				"\"shape\": {\"type\": \"number\"}}}",
				kind == DIST_PARETO ? "min" : "scale");
			break;
		case DIST_MIXTURE:
			fputs("{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": "
			      "\"object\", "
			      "\"additionalProperties\": false, \"required\": [\"weight\", "
			      "\"of\"], "
			      "\"properties\": {\"weight\": {\"type\": \"number\"}, "
			      "\"of\": {\"$ref\": \"#/definitions/distribution\"}}}}",
			      out);
			break;
		case DIST_KIND_COUNT:
			break;
		}
		fputs(i + 1 < DIST_KIND_COUNT ? ",\n" : "}}]},\n", out);
	}
}

static void write_programs(FILE *out)
{
	fputs("    \"boot\": {\"type\": \"object\", \"additionalProperties\": false, "
	      "\"required\": [\"steps\"], \"properties\": {\"end\": {\"$ref\": "
	      "\"#/definitions/name\"}, "
	      "\"begin\": {\"$ref\": \"#/definitions/steps\"}, "
	      "\"steps\": {\"$ref\": \"#/definitions/steps\"}, "
	      "\"finish\": {\"$ref\": \"#/definitions/steps\"}}},\n",
	      out);
	fputs("    \"task\": {\"type\": \"object\", \"additionalProperties\": false, "
	      "\"required\": [\"name\", \"do\"], \"properties\": {"
	      "\"name\": {\"$ref\": \"#/definitions/name\"}, "
	      "\"cpu\": {\"anyOf\": [{\"type\": \"integer\", \"minimum\": 0}, {\"const\": "
	      "\"any\"}]}, \"latency_sensitive\": {\"type\": \"boolean\"}, "
	      "\"do\": {\"$ref\": \"#/definitions/steps\"}}},\n",
	      out);
	fputs("    \"workload\": {\"type\": \"object\", \"additionalProperties\": false, "
	      "\"required\": [\"tasks\"], \"properties\": {\"end\": {\"$ref\": "
	      "\"#/definitions/name\"}, "
	      "\"tasks\": {\"type\": \"array\", \"minItems\": 1, "
	      "\"items\": {\"$ref\": \"#/definitions/task\"}}}},\n",
	      out);
}

static void write_question(FILE *out)
{
	size_t count;
	const struct metric_info *metrics = metric_all(&count);

	fputs("    \"question\": {\"type\": \"object\", \"additionalProperties\": false, "
	      "\"properties\": {\n"
	      "      \"variant\": {\"$ref\": \"#/definitions/name\"},\n"
	      "      \"text\": {\"type\": \"string\"}",
	      out);
	for (size_t i = 0; i < count; i++) {
		fputs(",\n      ", out);
		write_text(out, metrics[i].name);
		fputs(metrics[i].unit == METRIC_COUNT ? ": {\"type\": \"integer\""
						      : ": {\"type\": \"string\"",
		      out);
		fputs(", \"description\": ", out);
		write_text(out, metrics[i].help);
		fputc('}', out);
	}
	fputs("}},\n", out);
}

void schema_write(FILE *out)
{
	fputs("{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
	      "  \"title\": \"rcusim scenario\",\n"
	      "  \"type\": \"object\",\n  \"additionalProperties\": false,\n"
	      "  \"required\": [\"rcusim\"],\n"
	      "  \"anyOf\": [{\"required\": [\"boot\"]}, {\"required\": [\"workload\"]}],\n"
	      "  \"properties\": {\n"
	      "    \"rcusim\": {\"const\": 1},\n"
	      "    \"title\": {\"type\": \"string\"},\n"
	      "    \"seed\": {\"type\": \"integer\", \"minimum\": 0},\n",
	      out);
	fprintf(out,
		"    \"replications\": {\"type\": \"integer\", \"minimum\": 1, \"maximum\": %d},\n",
		DOCUMENT_REPLICATIONS_MAX);
	fputs("    \"assumed\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}},\n", out);
	for (const char *const *key = document_keys(); *key; key++) {
		if (strcmp(*key, "kernel") != 0 && strcmp(*key, "machine") != 0 &&
		    strcmp(*key, "limits") != 0 && strcmp(*key, "faults") != 0 &&
		    strcmp(*key, "boot") != 0 && strcmp(*key, "workload") != 0 && strcmp(*key, "question") != 0)
			continue;
		fprintf(out, "    \"%s\": {\"$ref\": \"#/definitions/%s\"},\n", *key, *key);
	}
	fputs("    \"variants\": {\"type\": \"object\", \"minProperties\": 1, "
	      "\"additionalProperties\": {\"type\": [\"object\", \"null\"]}},\n"
	      "    \"baseline\": {\"$ref\": \"#/definitions/name\"},\n"
	      "    \"cases\": {\"type\": \"object\", \"minProperties\": 1,\n"
	      "      \"additionalProperties\": {\"type\": \"object\"}},\n"
	      "    \"matrix\": {\"type\": \"object\", \"minProperties\": 1}\n  },\n"
	      "  \"definitions\": {\n",
	      out);
	write_section(out, "kernel");
	write_section(out, "machine");
	write_section(out, "limits");
	write_section(out, "faults");
	write_programs(out);
	write_steps(out);
	write_distribution(out);
	write_question(out);
	fputs("    \"name\": {\"type\": \"string\", \"minLength\": 1, \"maxLength\": 64}\n  }\n}\n",
	      out);
}
