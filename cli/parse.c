/* SPDX-License-Identifier: MIT */
/* parse.c - see parse.h */
#include "parse.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "suggest.h"

static const char *const level_names[TACHO_LEVEL_MAX + 1] = {
	[TACHO_LEVEL_EMERG] = "emerg",
	[TACHO_LEVEL_ALERT] = "alert",
	[TACHO_LEVEL_CRIT] = "crit",
	[TACHO_LEVEL_ERR] = "err",
	[TACHO_LEVEL_WARNING] = "warning",
	[TACHO_LEVEL_NOTICE] = "notice",
	[TACHO_LEVEL_INFO] = "info",
	[TACHO_LEVEL_DEBUG_SYSTEM] = "debug_system",
	[TACHO_LEVEL_DEBUG_PROGRAM] = "debug_program",
	[TACHO_LEVEL_DEBUG_PROCESS] = "debug_process",
	[TACHO_LEVEL_DEBUG_MODULE] = "debug_module",
	[TACHO_LEVEL_DEBUG_UNIT] = "debug_unit",
	[TACHO_LEVEL_DEBUG_FUNCTION] = "debug_function",
	[TACHO_LEVEL_DEBUG_LINE] = "debug_line",
	[TACHO_LEVEL_DEBUG] = "debug",
};

/* Digits only: strtoull() would take spaces and signs as well. */
static int parse_number(const char *text, uint64_t *ret_number, const char **ret_rest)
{
	char *rest;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	*ret_number = strtoull(text, &rest, 10);
	if (errno)
		return -ERANGE;
	*ret_rest = rest;
	return 0;
}

/* The shift of a unit's letter; -1 if it is none. */
static int unit_shift(const char *unit)
{
	static const char letters[] = "KMGT";
	const char *letter;

	if (!*unit || !strcasecmp(unit, "B"))
		return 0;
	letter = strchr(letters, toupper((unsigned char)*unit));
	if (!letter || (unit[1] && strcasecmp(unit + 1, "B") && strcasecmp(unit + 1, "iB")))
		return -1;
	return 10 * (int)(letter - letters + 1);
}

int parse_bytes(const char *text, uint64_t *ret_bytes)
{
	const char *unit;
	uint64_t number;
	int shift;
	int err = parse_number(text, &number, &unit);

	if (err)
		return err;
	shift = unit_shift(unit);
	if (shift < 0)
		return -EINVAL;
	if (number > UINT64_MAX >> shift)
		return -ERANGE;
	*ret_bytes = number << shift;
	return 0;
}

int parse_timeout_ns(const char *text, uint64_t *ret_ns)
{
	const char *rest;
	uint64_t number;
	int err;

	if (!strcmp(text, "inf")) {
		*ret_ns = UINT64_MAX;
		return 0;
	}
	err = parse_number(text, &number, &rest);
	if (err)
		return err;
	if (*rest)
		return -EINVAL;
	if (number > (UINT64_MAX - 1) / 1000)
		return -ERANGE;
	*ret_ns = number * 1000;
	return 0;
}

/* 0: there is no such unit. */
static uint64_t duration_unit(const char *text, uint64_t unit_ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "ns", 1 },
		{ "us", 1000 },
		{ "ms", 1000000 },
		{ "s", 1000000000 },
		{ "m", 60000000000 },
		{ "h", 3600000000000 },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!strcmp(text, units[i].name))
			return units[i].ns;
	}
	return *text ? 0 : unit_ns;
}

int parse_duration_ns(const char *text, uint64_t unit_ns, uint64_t *ret_ns)
{
	const char *rest;
	uint64_t number;
	int err = parse_number(text, &number, &rest);

	if (err)
		return err;
	unit_ns = duration_unit(rest, unit_ns);
	if (!unit_ns || !number)
		return -EINVAL;
	if (number > INT64_MAX / unit_ns)
		return -ERANGE;
	*ret_ns = number * unit_ns;
	return 0;
}

int parse_count(const char *text, uint64_t *ret_count)
{
	const char *rest;
	uint64_t number;
	int err = parse_number(text, &number, &rest);

	if (err)
		return err;
	if (*rest)
		return -EINVAL;
	*ret_count = number;
	return 0;
}

int parse_pid(const char *text, int *ret_pid)
{
	uint64_t number;
	int err = parse_count(text, &number);

	if (err)
		return err;
	if (!number)
		return -EINVAL;
	if (number > INT_MAX)
		return -ERANGE;
	*ret_pid = (int)number;
	return 0;
}

/* <tacho/event.h> writes TACHO_LEVEL_ before its levels, LTTng TRACE_. */
static const char *without_prefix(const char *text)
{
	static const char *const prefixes[] = { "TACHO_LEVEL_", "TRACE_" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncasecmp(text, prefixes[i], strlen(prefixes[i])))
			return text + strlen(prefixes[i]);
	return text;
}

int parse_level(const char *text, enum tacho_level *ret_level)
{
	const char *rest;
	uint64_t number;

	for (unsigned int i = 0; i <= TACHO_LEVEL_MAX; i++) {
		if (!strcasecmp(without_prefix(text), level_names[i])) {
			*ret_level = i;
			return 0;
		}
	}
	if (parse_number(text, &number, &rest) || *rest)
		return -EINVAL;
	if (number > TACHO_LEVEL_MAX)
		return -ERANGE;
	*ret_level = (enum tacho_level)number;
	return 0;
}

const char *level_name(uint32_t level)
{
	return level <= TACHO_LEVEL_MAX ? level_names[level] : "?";
}

const char *level_nearest(const char *text)
{
	struct suggestion s = suggestion_for(without_prefix(text));

	for (unsigned int i = 0; i <= TACHO_LEVEL_MAX; i++)
		suggestion_consider(&s, level_names[i]);
	return suggestion_word(&s);
}
