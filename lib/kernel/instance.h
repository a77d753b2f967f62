/* SPDX-License-Identifier: MIT */
/*
 * instance.h - an instance of the kernel's tracer: buffers, and which events go there.
 */
#ifndef TACHO_KERNEL_INSTANCE_H
#define TACHO_KERNEL_INSTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "format/ring.h"
#include "kernel/event_format.h"

/* All that Tacho makes begin with it. */
#define KERNEL_INSTANCE_PREFIX "tacho-"
#define KERNEL_INSTANCE_BYTES  80

struct kernel_instance_options {
	uint64_t buffer_bytes; /* per CPU */
	bool is_overwrite;     /* keep the newest, else the oldest */
	enum tacho_clock_kind clock_kind;
};

/*
 * kernel_instance_make() - with buffers, but without events, and not recording
 *
 * Return: a descriptor of its directory; or a negative errno: -ENOTSUP: the kernel cannot take time
 * from such a clock.
 */
int kernel_instance_make(int tracefs_fd, const char *name,
			 const struct kernel_instance_options *options, struct tacho_error *error);
/* kernel_instance_open() - one that is there; -ENOENT */
int kernel_instance_open(int tracefs_fd, const char *name);
/* kernel_instance_remove() - with all that it holds. Return: 0, also if it is not there. */
int kernel_instance_remove(int tracefs_fd, const char *name);

/* kernel_instance_switch() - let it record, or not */
int kernel_instance_switch(int fd, bool is_on);

/* kernel_instance_enable() - an event, or not any more. Return: 0, or a negative errno. */
int kernel_instance_enable(int fd, const char *system, const char *event, bool is_enabled);

/* kernel_instance_filter() - record only what @filter, in the kernel's language, is true of; NULL: all.
 * A filter that is there already is left alone. */
int kernel_instance_filter(int fd, const char *system, const char *event, const char *filter);

/*
 * kernel_instance_follow() - record only what the thread @tid does, besides those named before
 * @descendants: and the threads and processes that it starts from now on, and theirs
 *
 * kernel_instance_follow_all() - of all threads again
 * kernel_instance_spare() - but not of @tid; of who was spared before, again
 */
int kernel_instance_follow(int fd, int tid, bool descendants);
int kernel_instance_follow_all(int fd);
int kernel_instance_spare(int fd, int tid);

/* kernel_instance_followed() - the threads that are followed now, those that were started included: a text
 * of lines, for free(). Return: its length, 0: all are; or a negative errno. */
long kernel_instance_followed(int fd, char **ret_text);

/* What a CPU's buffer lost since it was made. */
struct kernel_losses {
	uint64_t overrun; /* overwritten before they were read */
	uint64_t dropped; /* there was no room */
};
int kernel_instance_losses(int fd, uint32_t cpu, struct kernel_losses *ret_losses);

/* kernel_instance_used() - bytes in a CPU's buffer that were not read yet */
int kernel_instance_used(int fd, uint32_t cpu, uint64_t *ret_bytes);

/* kernel_instance_open_marker() - trace_marker_raw: what is written becomes an event of the CPU that runs,
 * as long as the instance records */
int kernel_instance_open_marker(int fd);

/* kernel_instance_open_pages() - trace_pipe_raw of a CPU; read(2) of it takes a page, or gives -EAGAIN */
int kernel_instance_open_pages(int fd, uint32_t cpu);

/* kernel_instance_format() - of one of its events */
int kernel_instance_format(int fd, const char *system, const char *event,
			   struct kernel_format *ret_format, struct tacho_error *error);

#endif
