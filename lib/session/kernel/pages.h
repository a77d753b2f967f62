/* SPDX-License-Identifier: MIT */
/*
 * pages.h - sessions/NAME/CHANNEL.pages: for each CPU the page of the kernel's ring buffer that is
 * being put into the channel's ring. In shared memory, so that a page which was taken out of the
 * kernel's buffer outlives whoever took it.
 *
 *      CPU 0                                    CPU 1
 *      +--------------------+------------------+--------------------+-----------------
 *      | struct kernel_slot | page, up to 64 K | struct kernel_slot | ..
 *      +--------------------+------------------+--------------------+-----------------
 *      0                    4096               KERNEL_SLOT_BYTES
 *
 * Who holds the owner word of the CPU's ring (ring/writer.h) writes:
 *
 *      take:A   done = 0, next_head = none
 *      take:B   the page's commit word = 0        now the slot is empty
 *      take:C   read(2) of a page                 the kernel writes it whole, commit word and all,
 *                                                 before the reader can be killed
 *      put:A    next_head = none; next_done; next_head      what will be so, in this order: the
 *                                                 next_head of the last time may be the ring's head
 *      put:B    the ring's head = next_head       (release) the records exist
 *      put:C    done = next_done
 *      end      the page's commit word = 0        all of it was put
 *
 * Killed anywhere, the next finds a page if its commit word is not 0; and if the ring's head is
 * next_head, then put:B was done, and done is next_done. Heads never come back, so it cannot be by
 * chance. So each event of the page gets into the ring exactly once.
 */
#ifndef TACHO_SESSION_KERNEL_PAGES_H
#define TACHO_SESSION_KERNEL_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/page.h"
#include "ring/batch.h"

#define KERNEL_PAGE_BYTES_MAX 65536u

struct kernel_slot {
	uint32_t done; /* bytes of the page that were put: kernel_page.at; 0: none */
	uint32_t next_done;
	uint64_t next_head;
};

struct kernel_pages {
	uint8_t *map;
	uint64_t bytes;
	uint32_t count; /* of CPUs */
};

/* kernel_pages_create() - the file; memory comes with kernel_pages_open() */
int kernel_pages_create(int dir_fd, const char *name, uint32_t count);
/* kernel_pages_open() - and give the slots of CPUs whose rings have memory theirs. Return: 0, or a
 * negative errno. */
int kernel_pages_open(int dir_fd, const char *name, const struct rings *rings,
		      struct kernel_pages *ret_pages);
void kernel_pages_close(struct kernel_pages *pages);

/*
 * kernel_slot_take() - a page that is still there, or the next from the kernel
 * @pages_fd: kernel_instance_open_pages()
 * @ret_page: at the first event that was not put yet
 *
 * Return: 0; -EAGAIN: there is none; or what read(2) gave.
 */
int kernel_slot_take(const struct kernel_pages *pages, uint32_t cpu, const struct ring_batch *batch,
		     int pages_fd, struct kernel_page *ret_page);

/* kernel_slot_put() - publish the batch: all events of the page before @done */
void kernel_slot_put(const struct kernel_pages *pages, uint32_t cpu, struct ring_batch *batch,
		     uint32_t done);

/* kernel_slot_end() - nothing in the page is of any use any more. */
void kernel_slot_end(const struct kernel_pages *pages, uint32_t cpu);

#endif
