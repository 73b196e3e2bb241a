/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Value readers. Decimal texts are turned into integers by hand: strtod()
 * follows the locale, and a duration such as 1.1ms must come out exact.
 */
#include "sim/scenario/values.h"

#include <stdio.h>
#include <string.h>

#include "sim/scenario/suggest.h"

/* digits[.digits] as mantissa / 10^decimals; at most 18 significant digits. */
struct decimal {
	uint64_t mantissa;
	int decimals;
	const char *end; /* first byte after it */
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool parse_decimal(const char *text, struct decimal *out)
{
	const char *at = text;
	int digits = 0;

	out->mantissa = 0;
	out->decimals = 0;
	if (!is_digit(*at) || (at[0] == '0' && is_digit(at[1])))
		return false;
	for (bool fraction = false;; at++) {
		if (*at == '.' && !fraction && is_digit(at[1])) {
			fraction = true;
			continue;
		}
		if (!is_digit(*at))
			break;
		if (++digits > 18)
			return false;
		out->mantissa = out->mantissa * 10 + (uint64_t)(*at - '0');
		out->decimals += fraction;
	}
	out->end = at;
	return true;
}

static double decimal_value(const struct decimal *decimal)
{
	double divisor = 1.0;

	/* Powers of ten to 10^22 are exact, so one rounding at most is left. */
	for (int i = 0; i < decimal->decimals; i++)
		divisor *= 10.0;
	return (double)decimal->mantissa / divisor;
}

bool parse_int(const char *text, int64_t *out)
{
	const char *at = text + (*text == '-');
	int64_t value = 0;

	*out = 0;
	if (!is_digit(*at) || (at[0] == '0' && at[1] != '\0'))
		return false;
	for (; is_digit(*at); at++) {
		if (value > (INT64_MAX - (*at - '0')) / 10)
			return false;
		value = value * 10 + (*at - '0');
	}
	if (*at != '\0')
		return false;
	*out = *text == '-' ? -value : value;
	return true;
}

/* A plain scalar with something in it, or an error that names what was expected. */
static bool plain_scalar(struct load *load, struct tree_node *node, const char *what,
			 const char *expected)
{
	if (node->kind != TREE_SCALAR)
		return load_fault(load, node, NULL, "%s must be %s, not %s", what, expected,
				  tree_kind_name(node));
	if (tree_is_empty(node))
		return load_fault(load, node, NULL, "%s has no value; it must be %s", what,
				  expected);
	if (!node->plain)
		return load_fault(load, node, "remove the quotes",
				  "%s must be %s, not a quoted text", what, expected);
	return true;
}

static const char *int_problem(const char *text)
{
	const char *digits = text + (*text == '-');

	if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
		return "numbers are decimal";
	if (digits[0] == '0' && is_digit(digits[1]))
		return "numbers are decimal and have no leading zeros";
	if (strchr(text, '_') && is_digit(digits[0]))
		return "write the number without '_'";
	return NULL;
}

bool value_int(struct load *load, struct tree_node *node, const char *what, int64_t low,
	       int64_t high, int64_t *out)
{
	*out = low;
	if (!plain_scalar(load, node, what, "a whole number"))
		return false;
	if (!parse_int(node->text, out)) {
		*out = low;
		return load_fault(load, node, int_problem(node->text),
				  "%s must be a whole number, not '%.60s'", what, node->text);
	}
	if (*out < low || *out > high) {
		load_fault(load, node, NULL, "%s is %lld: it must be %lld to %lld", what,
			   (long long)*out, (long long)low, (long long)high);
		*out = low;
		return false;
	}
	return true;
}

bool value_bool(struct load *load, struct tree_node *node, const char *what, bool *out)
{
	*out = false;
	if (!plain_scalar(load, node, what, "true or false"))
		return false;
	if (strcmp(node->text, "true") == 0) {
		*out = true;
		return true;
	}
	if (strcmp(node->text, "false") == 0)
		return true;
	return load_fault(load, node, NULL, "%s must be true or false, not '%.60s'", what,
			  node->text);
}

struct unit {
	const char *name;
	int64_t ns;
	int digits; /* decimal places that are whole nanoseconds */
};

static const struct unit *find_unit(const char *name)
{
	static const struct unit units[] = {
		{"ns", 1, 0},
		{"us", NS_PER_US, 3},
		{"ms", NS_PER_MS, 6},
		{"s", NS_PER_S, 9},
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i].name, name) == 0)
			return &units[i];
	return NULL;
}

/* Reports why a text is no duration, with the hint that fits. */
static bool not_a_duration(struct load *load, struct tree_node *node, const char *what)
{
	struct decimal decimal;
	char hint[120];

	if (node->text[0] == '-')
		return load_fault(load, node, NULL, "%s is negative: '%.60s'", what, node->text);
	if (!parse_decimal(node->text, &decimal))
		return load_fault(load, node, "write a number and a unit, such as 10us or 1.5ms",
				  "%s must be a duration, not '%.60s'", what, node->text);
	if (*decimal.end == '\0') {
		snprintf(hint, sizeof(hint), "units are ns, us, ms, s: %.20sus or %.20sms?",
			 node->text, node->text);
		return load_fault(load, node, hint, "%s has no unit: '%.60s'", what, node->text);
	}
	const char *unit = decimal.end;
	while (*unit == ' ')
		unit++;
	if (unit != decimal.end && find_unit(unit)) {
		snprintf(hint, sizeof(hint), "write %.*s%s", (int)(decimal.end - node->text),
			 node->text, unit);
		return load_fault(load, node, hint, "%s: blank before the unit in '%.60s'", what,
				  node->text);
	}
	return load_fault(load, node, "units are ns, us, ms, s", "%s has no known unit: '%.60s'",
			  what, node->text);
}

bool value_duration(struct load *load, struct tree_node *node, const char *what, int64_t low_ns,
		    int64_t high_ns, int64_t *out_ns)
{
	struct decimal decimal;
	const struct unit *unit = NULL;

	*out_ns = low_ns;
	if (!plain_scalar(load, node, what, "a duration"))
		return false;
	if (parse_decimal(node->text, &decimal))
		unit = find_unit(decimal.end);
	if (!unit)
		return not_a_duration(load, node, what);
	int64_t scale = unit->ns;
	int extra = decimal.decimals;
	for (; extra > 0 && scale >= 10; extra--)
		scale /= 10;
	for (; extra > 0; extra--) {
		if (decimal.mantissa % 10 != 0)
			return load_fault(load, node, NULL, "%s is finer than 1ns: '%.60s'", what,
					  node->text);
		decimal.mantissa /= 10;
	}
	if (decimal.mantissa > (uint64_t)(INT64_MAX / scale) ||
	    (int64_t)decimal.mantissa * scale > high_ns)
		return load_fault(load, node, NULL, "%s is too long: '%.60s' (at most %lldns)",
				  what, node->text, (long long)high_ns);
	int64_t value = (int64_t)decimal.mantissa * scale;
	if (value < low_ns)
		return load_fault(load, node, NULL, "%s is too short: '%.60s' (at least %lldns)",
				  what, node->text, (long long)low_ns);
	*out_ns = value;
	return true;
}

bool value_number(struct load *load, struct tree_node *node, const char *what, double *out)
{
	struct decimal decimal;

	*out = 1.0;
	if (!plain_scalar(load, node, what, "a number"))
		return false;
	if (!parse_decimal(node->text, &decimal) || *decimal.end != '\0')
		return load_fault(load, node, NULL, "%s must be a positive number, not '%.60s'",
				  what, node->text);
	if (decimal.mantissa == 0 || decimal_value(&decimal) > 1e9)
		return load_fault(load, node, NULL, "%s must be above 0 and at most 10^9", what);
	*out = decimal_value(&decimal);
	return true;
}

bool value_enum(struct load *load, struct tree_node *node, const char *what,
		const char *const *names, int64_t *out)
{
	char list[160] = "";
	char hint[120];
	struct suggest suggest;

	*out = 0;
	if (!load_expect(load, node, TREE_SCALAR, what))
		return false;
	suggest_begin(&suggest, node->text);
	for (size_t i = 0; names[i]; i++) {
		size_t used = strlen(list);

		if (strcmp(names[i], node->text) == 0) {
			*out = (int64_t)i;
			return true;
		}
		suggest_offer(&suggest, names[i]);
		snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "", names[i]);
	}
	suggest_hint(&suggest, hint, sizeof(hint));
	return load_fault(load, node, hint, "%s must be one of %s, not '%.60s'", what, list,
			  node->text);
}

bool value_text(struct load *load, struct tree_node *node, const char *what, size_t bytes_max,
		const char **out)
{
	*out = "";
	if (node->kind != TREE_SCALAR)
		return load_fault(load, node, NULL, "%s must be a text, not %s", what,
				  tree_kind_name(node));
	if (node->count > bytes_max)
		return load_fault(load, node, NULL, "%s has more than %zu bytes", what, bytes_max);
	*out = node->text;
	return true;
}

/* --- CPU lists --- */

/* A CPU number, or N for the last one; *at is moved behind it. */
static bool parse_cpu(const char **at, int64_t cpus, int64_t *out)
{
	if (**at == 'N') {
		(*at)++;
		*out = cpus - 1;
		return true;
	}
	if (!is_digit(**at))
		return false;
	*out = 0;
	for (; is_digit(**at); (*at)++) {
		*out = *out * 10 + (**at - '0');
		if (*out > 1000000)
			return false;
	}
	return true;
}

static bool parse_range(const char **at, int64_t cpus, struct cpu_mask *out, bool *beyond)
{
	int64_t first, last, used = 1, group = 1;

	if (!parse_cpu(at, cpus, &first))
		return false;
	last = first;
	if (**at == '-') {
		(*at)++;
		if (!parse_cpu(at, cpus, &last) || last < first)
			return false;
		if (**at == ':') {
			(*at)++;
			if (!parse_cpu(at, cpus, &used) || **at != '/')
				return false;
			(*at)++;
			if (!parse_cpu(at, cpus, &group) || group < 1 || used < 1 || used > group)
				return false;
		}
	}
	if (last >= cpus) {
		*beyond = true;
		last = cpus - 1;
	}
	for (int64_t cpu = first; cpu <= last; cpu++)
		if ((cpu - first) % group < used)
			cpu_mask_set(out, (int)cpu);
	return true;
}

bool parse_cpu_list(const char *text, int64_t cpus, struct cpu_mask *out, bool *beyond,
		    const char **why)
{
	const char *at = text;

	memset(out, 0, sizeof(*out));
	*beyond = false;
	*why = NULL;
	if (strcmp(text, "all") == 0)
		at = "0-N";
	for (;;) {
		if (!parse_range(&at, cpus, out, beyond)) {
			*why = "a CPU list is 'all' or numbers and ranges, such as 0-3,8";
			return false;
		}
		if (*at == '\0')
			return true;
		if (*at++ != ',') {
			*why = "a CPU list is 'all' or numbers and ranges, such as 0-3,8";
			return false;
		}
	}
}

bool value_cpus(struct load *load, struct tree_node *node, const char *what, int64_t cpus,
		struct cpu_mask *out)
{
	bool beyond;
	const char *why;

	memset(out, 0, sizeof(*out));
	if (!load_expect(load, node, TREE_SCALAR, what))
		return false;
	if (strcmp(node->text, "none") == 0)
		return true;
	/* A long list costs up to 8192 steps for each range. */
	if (!load_work(load, node->count > 64 ? node->count * 16 : 0, &node->at))
		return false;
	if (!parse_cpu_list(node->text, cpus, out, &beyond, &why))
		return load_fault(load, node, why,
				  "%s must be all, none or a list of CPUs, not '%.60s'", what,
				  node->text);
	if (beyond)
		return load_fault(load, node, NULL,
				  "%s names a CPU beyond the last: the machine has CPUs 0 to %lld",
				  what, (long long)cpus - 1);
	return true;
}
