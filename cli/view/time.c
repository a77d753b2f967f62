/* SPDX-License-Identifier: MIT */
/* time.c - see time.h */
#include "time.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/duration.h"

#define NS_PER_S 1000000000ull

#define SECONDS_MAX (INT64_MAX / (int64_t)NS_PER_S)

/* ".5": behind the seconds, up to nine digits; or nothing. Return: what follows; NULL: no such. */
static const char *take_nanoseconds(const char *text, uint64_t *ret_ns)
{
	uint64_t unit = NS_PER_S;

	*ret_ns = 0;
	if (*text != '.')
		return text;
	if (!isdigit((unsigned char)*++text))
		return NULL;
	for (; isdigit((unsigned char)*text); text++) {
		unit /= 10;
		if (!unit)
			return NULL;
		*ret_ns += (uint64_t)(*text - '0') * unit;
	}
	return text;
}

static int parse_seconds(const char *text, uint64_t *ret_ns)
{
	uint64_t seconds, fraction_ns;
	char *end;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	seconds = strtoull(text, &end, 10);
	text = take_nanoseconds(end, &fraction_ns);
	if (errno || !text || *text || seconds > SECONDS_MAX)
		return -EINVAL;
	*ret_ns = seconds * NS_PER_S + fraction_ns;
	return 0;
}

static const char *take_clock(const char *text, struct tm *ret_tm, uint64_t *ret_fraction_ns)
{
	const char *end = strptime(text, "%H:%M:%S", ret_tm);

	if (end)
		return take_nanoseconds(end, ret_fraction_ns);
	*ret_fraction_ns = 0;
	ret_tm->tm_sec = 0;
	return strptime(text, "%H:%M", ret_tm);
}

static int parse_of_day(const char *text, struct view_time *ret_time)
{
	struct tm tm = { 0 };
	uint64_t fraction_ns;
	const char *end = take_clock(text, &tm, &fraction_ns);

	if (!end || *end)
		return -EINVAL;
	ret_time->kind = VIEW_TIME_OF_DAY;
	ret_time->ns =
		(uint64_t)(tm.tm_hour * 3600 + tm.tm_min * 60 + tm.tm_sec) * NS_PER_S + fraction_ns;
	return 0;
}

static int parse_date(const char *text, struct view_time *ret_time)
{
	struct tm tm = { .tm_isdst = -1 };
	uint64_t fraction_ns = 0;
	const char *end = strptime(text, "%Y-%m-%d", &tm);
	bool is_utc;
	time_t seconds;

	if (end && (*end == ' ' || *end == 'T'))
		end = take_clock(end + 1, &tm, &fraction_ns);
	if (!end)
		return -EINVAL;
	is_utc = *end == 'Z';
	if (end[is_utc])
		return -EINVAL;
	seconds = is_utc ? timegm(&tm) : mktime(&tm);
	if (seconds < 0 || seconds > SECONDS_MAX)
		return -EINVAL;
	*ret_time = (struct view_time){ VIEW_TIME_AT, (uint64_t)seconds * NS_PER_S + fraction_ns };
	return 0;
}

int view_time_span(const char *text, uint64_t *ret_ns)
{
	return parse_seconds(text, ret_ns) && duration_parse(text, ret_ns) ? -EINVAL : 0;
}

int view_time_parse(const char *text, struct view_time *ret_time)
{
	struct view_time time = { VIEW_TIME_AT, 0 };
	int err;

	if (*text == '@') {
		err = parse_seconds(text + 1, &time.ns);
	} else if (*text == '+') {
		time.kind = VIEW_TIME_SINCE;
		err = view_time_span(text + 1, &time.ns);
	} else if (strchr(text, '-')) {
		err = parse_date(text, &time);
	} else {
		err = parse_of_day(text, &time);
	}
	if (err)
		return -EINVAL;
	*ret_time = time;
	return 0;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a < b ? b - a : a - b;
}

/* The local day of the begin, and the days beside it: clocks may be changed in between. */
static uint64_t nearest_of_day(uint64_t of_day_ns, uint64_t begin_ns)
{
	time_t begin_s = (time_t)(begin_ns / NS_PER_S);
	uint64_t nearest = UINT64_MAX;

	for (int day = -1; day <= 1; day++) {
		uint64_t second = of_day_ns / NS_PER_S;
		struct tm tm = { 0 };
		uint64_t ns;

		localtime_r(&begin_s, &tm);
		tm.tm_mday += day;
		tm.tm_hour = (int)(second / 3600);
		tm.tm_min = (int)(second / 60 % 60);
		tm.tm_sec = (int)(second % 60);
		tm.tm_isdst = -1;
		ns = (uint64_t)mktime(&tm) * NS_PER_S + of_day_ns % NS_PER_S;
		if (distance(ns, begin_ns) < distance(nearest, begin_ns))
			nearest = ns;
	}
	return nearest;
}

uint64_t view_time_resolve(const struct view_time *time, uint64_t begin_ns)
{
	if (time->kind == VIEW_TIME_OF_DAY)
		return nearest_of_day(time->ns, begin_ns);
	if (time->kind == VIEW_TIME_SINCE)
		return time->ns > UINT64_MAX - begin_ns ? UINT64_MAX : begin_ns + time->ns;
	return time->ns;
}
