/* SPDX-License-Identifier: MIT */
/*
 * probes.h - events of the kernel that a session makes itself: rules of the kinds TACHO_RULE_PROBE,
 * TACHO_RULE_FUNCTION and TACHO_RULE_USERSPACE. Their pattern is the event's name, and in place of a
 * program they have what it is made of:
 *
 *      SYMBOL[+OFFSET] or ADDRESS            of the kernel: PROBE, FUNCTION
 *      elf:PATH:FUNCTION, elf:PATH:OFFSET    USERSPACE
 *      sdt:PATH:PROVIDER:NAME                USERSPACE: all places of a static probe, with its arguments
 *      followed, where there is something to fetch, by a newline and the kernel's words for that
 *
 * The events are in a group of the session's own in tracefs (kernel/dynamic.h), TACHO_DIRECTORY_SESSION, as
 * its instances are called, so that what a killed tool left is found and removed.
 */
#ifndef TACHO_SESSION_KERNEL_PROBES_H
#define TACHO_SESSION_KERNEL_PROBES_H

#include "kernel/catalog.h"
#include "session/session.h"

#define KERNEL_GROUP_PREFIX "tacho_"
#define KERNEL_GROUP_BYTES  48

/* kernel_group_print() - @instance: of the session; @dir_fd: its directory */
void kernel_group_print(int dir_fd, uint64_t instance, char ret_group[KERNEL_GROUP_BYTES]);

/* kernel_probe_is_event() - is this the event, or one of the two, of a rule of this kind? */
bool kernel_probe_is_event(uint32_t kind, const char *pattern, const char *group,
			   const struct kernel_event *event);

/*
 * kernel_probe_make() - the event(s) of a rule that is not there yet; kernel_probe_unmake() them if it
 * comes to nothing
 *
 * Return: 0; -EINVAL: a name or place that cannot be; -EEXIST: there is another of this name; -ENOENT,
 * -ENOEXEC: no such place; or what the kernel gave. All with words.
 */
int kernel_probe_make(const struct session *session, const struct rule_options *options,
		      struct tacho_error *error);
void kernel_probe_unmake(const struct session *session, const struct rule_options *options);

#endif
