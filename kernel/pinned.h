/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * pinned.h - pages of a tool's mapping, kept and mapped by the kernel: they stay when the tool unmaps
 * them, truncates the file, or ends.
 */
#ifndef TACHO_KERNEL_PINNED_H
#define TACHO_KERNEL_PINNED_H

#include <linux/types.h>

struct page;

struct pinned {
	struct page **pages;
	unsigned long page_count;
	void *map;
};

/* pinned_init() - of the caller's memory; @address and @bytes are multiples of the page size.
 * Return: 0; -EFAULT, -ENOMEM, -EINTR. */
int pinned_init(struct pinned *pinned, unsigned long address, unsigned long bytes);
/* pinned_fini() - also of one that is all zeros. May sleep. */
void pinned_fini(struct pinned *pinned);

#endif
