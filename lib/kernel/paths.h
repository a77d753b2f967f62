/* SPDX-License-Identifier: MIT */
/*
 * paths.h - where the fields of well-known events come from, in words of the tracepoint's arguments.
 *
 *      vec_nr                     an argument
 *      prev->comm                 a member of what it points to; a->b->c, a->b.c as in C
 *      *now                       what it points to
 *      prev_state!preempt:256     256 where preempt is true, else prev_state
 *
 * One that does not fit the kernel that runs is not used: then the event's arguments are recorded.
 */
#ifndef TACHO_KERNEL_PATHS_H
#define TACHO_KERNEL_PATHS_H

#include "kernel/types.h"

/* kernel_path_find() - tracefs's names. NULL: there is none. */
const char *kernel_path_find(const char *system, const char *event, const char *field);

/* Where a path leads: a word, or memory at word + offset. */
struct kernel_place_of {
	uint32_t word;
	bool is_memory;
	uint32_t offset;
	uint32_t type;
	bool has_unless; /* a word only */
	uint32_t unless_word;
	uint32_t unless_value;
	uint32_t follow_count;
	struct tacho_fetch follow[4]; /* what is to be loaded before */
};

/* kernel_path_resolve() - Return: 0; -ENOENT: it leads nowhere. */
int kernel_path_resolve(const struct kernel_prototype *prototype, const char *path,
			struct kernel_place_of *ret_place);

#endif
