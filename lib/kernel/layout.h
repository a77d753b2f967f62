/* SPDX-License-Identifier: MIT */
/*
 * layout.h - what the module records of an event (format/module.h), and what that is called.
 *
 *      the kernel's types                    tracefs's format           paths.h
 *      sched_switch(preempt, prev, ..)       char prev_comm[16]         prev_comm = prev->comm
 *      task_struct.comm: 16 chars at 1800    pid_t prev_pid             prev_pid = prev->pid
 *                      \                        |                        /
 *                       recipe: 16 bytes at word 1 + 1800, 4 bytes at ..
 *
 * The fields are those of tracefs's format, so that it makes no difference to who reads a trace which way
 * an event came, if there is a path for each of them, or an argument of its name. Otherwise they
 * are the tracepoint's arguments: numbers, addresses, and strings.
 *
 * Of system calls they are the format's; but strings in the program's memory are strings.
 */
#ifndef TACHO_KERNEL_LAYOUT_H
#define TACHO_KERNEL_LAYOUT_H

#include "base/event_desc.h"
#include "kernel/catalog.h"
#include "kernel/event_format.h"
#include "kernel/types.h"

struct kernel_recipe;

struct kernel_layout {
	struct tacho_module_event event; /* but for the recorder's name and the id */
	struct kernel_recipe *recipe;    /* that describes the payload: kernel_recipe_desc() */
};

/*
 * kernel_layout_make() - of an event whose format this is
 * @ret_layout: for kernel_layout_free()
 *
 * Return: 0; -ENOTSUP: the module cannot record it; -ENOMEM. All with words.
 */
int kernel_layout_make(struct kernel_types *types, const struct kernel_event *event,
		       const struct kernel_format *format, struct kernel_layout **ret_layout,
		       struct tacho_error *error);
void kernel_layout_free(struct kernel_layout *layout);

#endif
