/* SPDX-License-Identifier: MIT */
/*
 * syscalls.h - system calls: their numbers, and which of their arguments are strings.
 */
#ifndef TACHO_KERNEL_SYSCALLS_H
#define TACHO_KERNEL_SYSCALLS_H

#include <stdbool.h>

/* kernel_call_number() - of one that tracefs calls @name: "openat". Return: -ENOENT: not known. */
int kernel_call_number(const char *name);

/* kernel_call_is_string() - does an argument of this type and name lead to a string that the program has
 * there when it calls? */
bool kernel_call_is_string(const char *type, const char *name);

#endif
