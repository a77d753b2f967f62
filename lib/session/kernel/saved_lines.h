/* SPDX-License-Identifier: MIT */
/*
 * saved_lines.h - tracefs's saved_cmdlines and saved_tgids: "TID VALUE", a line for each of some
 * thousand threads. The kernel makes the text anew for each who reads it, in a millisecond or several,
 * which is too long for each thread that has ended. So it is kept, and read again when it is a second
 * old, or does not have a thread: but for no more than a tenth of the time.
 */
#ifndef TACHO_SESSION_KERNEL_SAVED_LINES_H
#define TACHO_SESSION_KERNEL_SAVED_LINES_H

#include <stddef.h>
#include <stdint.h>

struct saved_line {
	uint32_t tid;
	const char *value;
};

struct saved_lines {
	const char *file; /* to be set; the rest is 0 before the first use */
	char *text;
	struct saved_line *line; /* by tid */
	size_t count;
	uint64_t read_ns; /* when: CLOCK_MONOTONIC */
	uint64_t cost_ns;
};

/* saved_lines_find() - Return: the value, up to the next call; NULL: there is none. */
const char *saved_lines_find(struct saved_lines *lines, int tracefs_fd, uint32_t tid);
void saved_lines_fini(struct saved_lines *lines);

#endif
