/* SPDX-License-Identifier: MIT */
/*
 * events.h - the events that are built into an executable or a shared library.
 *
 *	section tacho_events      struct tacho_event    struct tacho_event_info     (tacho/abi.h)
 *	+-----------+             +--------------+      +-----------------------+
 *	| pointer   | ----------> | state        |  +-> | provider, name, file  | --> strings
 *	| pointer   |             | info         | -+   | fields                | --> struct tacho_field[]
 *	+-----------+             +--------------+      +-----------------------+
 *
 * A pointer may be there twice, or lead to another object. An event without a state is an offer of
 * probes to another object's event, and an unbound one waits for such an offer (lib/tracer/bind.c):
 * either is listed where the file does not have the event itself.
 */
#ifndef TACHO_ELF_EVENTS_H
#define TACHO_ELF_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/event_desc.h"
#include "elf/image.h"

struct elf_event {
	struct event_desc *desc; /* without a model */
	bool is_unbound;         /* no more than a name: its fields are in another object */
};

struct elf_events {
	struct elf_event *event; /* by provider, name, file and line */
	size_t count;
};

/*
 * elf_events_read() - find them
 *
 * Return: 0, also where there are none, and events for elf_events_free(); -ENODATA: the file has not
 * what is in its sections; -EBADMSG: it is damaged; -E2BIG: it has more events than any program may;
 * -ENOMEM. @error has words.
 */
int elf_events_read(struct elf_image *image, struct elf_events *ret_events,
		    struct tacho_error *error);

void elf_events_free(struct elf_events *events);

#endif
