/* SPDX-License-Identifier: MIT */
/*
 * names.h - what LTTng calls the kernel's events and their fields, so that analyses that were
 * written for its traces find what they look for.
 *
 *      tracefs                           in traces, rules and listings
 *      sched:sched_switch                sched_switch
 *          prev_pid, prev_prio               prev_tid, prev_prio (counted from the lowest
 *                                            real-time priority on, as LTTng does)
 *      irq:softirq_entry                 irq_softirq_entry
 *      syscalls:sys_enter_openat         syscall_entry_openat
 *      syscalls:sys_exit_openat          syscall_exit_openat
 *
 * An event that LTTng does not know is called as the kernel calls it.
 */
#ifndef TACHO_KERNEL_NAMES_H
#define TACHO_KERNEL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define KERNEL_SYSCALLS "syscalls"

/* kernel_name_event() - Return: 0, or -ENAMETOOLONG. */
int kernel_name_event(const char *system, const char *event, char *ret_name, size_t size);

/* kernel_name_field() - lives for ever, or as long as @field. NULL: it is left out, since the event's name
 * says it. */
const char *kernel_name_field(const char *system, const char *field);

/* kernel_field_bias() - what is to be added to the values of an integer field */
int kernel_field_bias(const char *system, const char *field);

#endif
