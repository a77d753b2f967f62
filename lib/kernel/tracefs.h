/* SPDX-License-Identifier: MIT */
/*
 * tracefs.h - the kernel's own tracer, as far as it is files: tracefs(5).
 *
 * Everything of Tacho's is in instances of its own, directories below instances/ with buffers,
 * events, filters and clock apart from everybody else's:
 *
 *      tracefs/
 *        events/SYSTEM/EVENT/format       what an event's bytes are
 *        instances/tacho-.../             one per kernel channel of a session
 *          tracing_on, trace_clock, buffer_size_kb, options/, set_event_pid
 *          events/SYSTEM/EVENT/{enable,filter}
 *          per_cpu/cpuN/trace_pipe_raw    pages of its ring buffer (page.h)
 *          per_cpu/cpuN/stats             what was lost
 *
 * It is used where it is mounted. Where it is not, root gets a mount of its own that is in no
 * directory, so that nothing stays behind.
 */
#ifndef TACHO_KERNEL_TRACEFS_H
#define TACHO_KERNEL_TRACEFS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* tracefs_open() - Return: a descriptor of its root directory; or a negative errno and, in @error,
 * what is missing and what to do. */
int tracefs_open(struct tacho_error *error);

/* tracefs_read() - a whole file, however long; free() it. Return: its length, or a negative errno. */
long tracefs_read(int dir_fd, const char *path, char **ret_text);

/* tracefs_write() - one write(2) of @text to a file that is there, as the kernel wants it */
int tracefs_write(int dir_fd, const char *path, const char *text);
/* tracefs_append() - the same with O_APPEND: lists are added to, not replaced */
int tracefs_append(int dir_fd, const char *path, const char *text);

/* tracefs_choose() - write the first of @choices (up to NULL) that the kernel takes.
 * Return: its index, or a negative errno. */
int tracefs_choose(int dir_fd, const char *path, const char *const *choices);

#endif
