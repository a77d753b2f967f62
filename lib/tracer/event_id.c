/* SPDX-License-Identifier: MIT */
/*
 * event_id.c - ids in the event table of a session that is attached.
 */
#include <errno.h>
#include <fcntl.h>

#include "base/event_ids.h"
#include "tracer/sys.h"
#include "tracer/tracer.h"

static int allocate(uint64_t at, uint64_t bytes, void *arg)
{
	const struct attachment *a = arg;
	char path[TRACER_PATH_BYTES];
	int fd, ret;

	if (attachment_is_refused(a->slot))
		return -EPERM;
	if (!tracer_path(path, "slots/%u/events", a->slot))
		return -ENOSPC;
	fd = sys_open(path, attachment_open_flags(a), 0);
	if (fd < 0)
		return fd;
	ret = sys_allocate(fd, at, bytes);
	sys_close(fd);
	return ret;
}

int event_id(struct attachment *a, uint64_t contexts, const struct tacho_desc *desc)
{
	return event_ids_get(a->events, contexts, desc, allocate, a);
}
