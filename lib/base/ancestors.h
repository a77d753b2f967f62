/* SPDX-License-Identifier: MIT */
/*
 * ancestors.h - whose descendant a process is.
 *
 * Nobody needs to know as long as no session tracks descendants. The first who does, be it the
 * process itself or a tool, walks up /proc and notes the pids in the process's registry
 * (format/runtime.h); everybody goes by what is noted there, so all give the same answer, and what a
 * child of fork() inherits stays right when its parent has ended. A program that is executed anew
 * has a new registry, and is looked up anew.
 *
 * Context: as rule.h.
 */
#ifndef TACHO_BASE_ANCESTORS_H
#define TACHO_BASE_ANCESTORS_H

#include <stdint.h>

#include "format/runtime.h"

/* ancestors_parent() - the parent that @stat, the beginning of /proc/PID/stat, tells; 0: none */
uint32_t ancestors_parent(const char *stat);

/*
 * ancestors_get() - the ancestors that @registry tells of
 * @parent_of: a process's parent; 0: there is none, or it cannot be told
 * @ret_list:  TACHO_ANCESTORS_MAX of them
 *
 * Where nothing is noted yet they are found out, and noted.
 * Return: how many; the parent is the first.
 */
uint32_t ancestors_get(struct tacho_registry *registry, uint32_t (*parent_of)(uint32_t pid),
		       uint32_t *ret_list);

/* ancestors_inherit() - after fork: note in @child, as yet unseen, what @parent tells and itself */
void ancestors_inherit(struct tacho_registry *child, const struct tacho_registry *parent);

#endif
