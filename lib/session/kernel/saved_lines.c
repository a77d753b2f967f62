/* SPDX-License-Identifier: MIT */
/* saved_lines.c - see saved_lines.h */
#include "session/kernel/saved_lines.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernel/tracefs.h"

#define OLD_NS     1000000000u
#define COST_SHARE 10 /* reading takes no more than one of so many parts of the time */

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	uint32_t x = ((const struct saved_line *)a)->tid, y = ((const struct saved_line *)b)->tid;

	return x < y ? -1 : x > y;
}

static size_t count_lines(const char *text)
{
	size_t count = 1;

	for (; *text; text++)
		count += *text == '\n';
	return count;
}

static void take_lines(struct saved_lines *lines)
{
	char *rest;

	for (char *line = strtok_r(lines->text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *value;
		unsigned long tid = strtoul(line, &value, 10);

		if (*value == ' ')
			lines->line[lines->count++] = (struct saved_line){ (uint32_t)tid, value + 1 };
	}
	qsort(lines->line, lines->count, sizeof(*lines->line), compare);
}

static void read_lines(struct saved_lines *lines, int tracefs_fd)
{
	uint64_t begin_ns = now_ns();

	saved_lines_fini(lines);
	if (tracefs_read(tracefs_fd, lines->file, &lines->text) >= 0)
		lines->line = calloc(count_lines(lines->text), sizeof(*lines->line));
	if (lines->line)
		take_lines(lines);
	lines->read_ns = now_ns();
	lines->cost_ns = lines->read_ns - begin_ns;
}

static const char *find(const struct saved_lines *lines, uint32_t tid)
{
	struct saved_line wanted = { tid, NULL }, *found = NULL;

	if (lines->count)
		found = bsearch(&wanted, lines->line, lines->count, sizeof(wanted), compare);
	return found ? found->value : NULL;
}

const char *saved_lines_find(struct saved_lines *lines, int tracefs_fd, uint32_t tid)
{
	uint64_t age_ns = now_ns() - lines->read_ns;
	const char *value = find(lines, tid);
	bool is_wanting = !value || age_ns > OLD_NS;

	if (lines->read_ns && (!is_wanting || age_ns < COST_SHARE * lines->cost_ns))
		return value;
	read_lines(lines, tracefs_fd);
	return find(lines, tid);
}

void saved_lines_fini(struct saved_lines *lines)
{
	free(lines->text);
	free(lines->line);
	lines->text = NULL;
	lines->line = NULL;
	lines->count = 0;
}
