/* SPDX-License-Identifier: MIT */
/*
 * list_kernel.h - tacho list --kernel: the events that the kernel has, and with --syscall its system
 * calls.
 */
#ifndef TACHO_CLI_LIST_KERNEL_H
#define TACHO_CLI_LIST_KERNEL_H

#include <stdbool.h>

struct list_kernel_wish {
	const char *pattern; /* only events whose name matches; NULL: all */
	bool syscalls; /* only them; else everything but them */
	bool fields;
	bool json;
};

/* Return: exit status. */
int list_kernel(const struct list_kernel_wish *wish);

#endif
