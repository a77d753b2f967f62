/* SPDX-License-Identifier: MIT */
/*
 * event_id.c - ids in the event table of a session that is attached.
 */
#include <errno.h>
#include <fcntl.h>

#include "base/event_ids.h"
#include "tracer/sys.h"
#include "tracer/tracer.h"

static int grow(struct tacho_events *events, uint64_t bytes, void *arg)
{
	const struct attachment *a = arg;
	uint64_t old = tacho_load_acquire(&events->allocated_bytes);
	char path[TRACER_PATH_BYTES];
	int fd, ret;

	if (bytes <= old)
		return 0;
	bytes = (bytes + EVENT_IDS_GROW_BYTES - 1) / EVENT_IDS_GROW_BYTES * EVENT_IDS_GROW_BYTES;
	if (bytes > TACHO_EVENTS_BYTES || !tracer_path(path, "slots/%u/events", a->slot))
		return -ENOSPC;
	fd = sys_open(path, attachment_open_flags(a), 0);
	if (fd < 0)
		return fd;
	ret = sys_allocate(fd, TACHO_EVENTS_DESCS_AT, bytes - TACHO_EVENTS_DESCS_AT);
	sys_close(fd);
	while (!ret && old < bytes &&
	       !tacho_cmpxchg_acq_rel(&events->allocated_bytes, &old, bytes))
		;
	return ret;
}

int event_id(struct attachment *a, uint64_t contexts, const struct tacho_desc *desc)
{
	return event_ids_get(a->events, contexts, desc, grow, a);
}
