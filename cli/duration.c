/* SPDX-License-Identifier: MIT */
/* duration.c - see duration.h */
#include "duration.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* From the largest on: duration_text() takes the first that fits. "" comes last. */
static const struct unit {
	const char *name;
	uint64_t ns;
} units[] = {
	{ "h", 3600000000000ull }, { "m", 60000000000ull }, { "s", 1000000000ull },
	{ "ms", 1000000ull },      { "us", 1000ull },       { "", 1000ull },
};
#define UNIT_COUNT (sizeof(units) / sizeof(units[0]))

static const struct unit *find_unit(const char *name)
{
	for (size_t i = 0; i < UNIT_COUNT; i++) {
		if (!strcmp(units[i].name, name))
			return &units[i];
	}
	return NULL;
}

/* Digits, in a number that must not overflow. */
static int take_digits(const char **text, uint64_t *number)
{
	if (!isdigit((unsigned char)**text))
		return -EINVAL;
	for (; isdigit((unsigned char)**text); (*text)++) {
		if (__builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, (uint64_t)(**text - '0'), number))
			return -ERANGE;
	}
	return 0;
}

/* What stands behind the point, as so many ns of a unit; digits below a nanosecond are dropped. */
static int take_fraction(const char **text, uint64_t *ret_billionths)
{
	uint64_t weight = 100000000;

	*ret_billionths = 0;
	if (**text != '.')
		return 0;
	(*text)++;
	if (!isdigit((unsigned char)**text))
		return -EINVAL;
	for (; isdigit((unsigned char)**text); (*text)++) {
		*ret_billionths += weight * (uint64_t)(**text - '0');
		weight /= 10;
	}
	return 0;
}

int duration_parse(const char *text, uint64_t *ret_ns)
{
	uint64_t whole = 0, billionths, ns;
	const struct unit *unit;
	int err = take_digits(&text, &whole);

	if (!err)
		err = take_fraction(&text, &billionths);
	if (err)
		return err;
	unit = find_unit(text);
	if (!unit)
		return -EINVAL;
	if (__builtin_mul_overflow(whole, unit->ns, &ns) ||
	    __builtin_add_overflow(ns, (uint64_t)((__uint128_t)billionths * unit->ns / 1000000000),
				   &ns))
		return -ERANGE;
	*ret_ns = ns;
	return 0;
}

struct duration_text duration_text(uint64_t ns)
{
	struct duration_text made = { "" };

	for (size_t i = 0; i < UNIT_COUNT - 1; i++) {
		if (ns % units[i].ns && i < UNIT_COUNT - 2)
			continue;
		snprintf(made.text, sizeof(made.text), "%" PRIu64 "%s", ns / units[i].ns,
			 units[i].name);
		break;
	}
	return made;
}
