/* SPDX-License-Identifier: MIT */
/*
 * threads.h - which process a thread is of, and what it is called: the kernel's events have its tid
 * only. Learned from /proc when a tid is seen first, and from the kernel's events themselves; of what ended
 * before anybody looked from tracefs's saved_cmdlines and saved_tgids, which keep some thousand threads.
 * One that is not there either has no name, and its tid for a process.
 */
#ifndef TACHO_SESSION_KERNEL_THREADS_H
#define TACHO_SESSION_KERNEL_THREADS_H

#include "ring/batch.h"

struct kernel_threads;

/* Return: NULL if there is no memory. */
struct kernel_threads *kernel_threads_new(int tracefs_fd);
void kernel_threads_free(struct kernel_threads *threads);

/* kernel_threads_get() - lives until the next call */
const struct ring_batch_thread *kernel_threads_get(struct kernel_threads *threads, uint32_t tid,
						   uint32_t cpu);

/* kernel_threads_exec() - it has become the program of this path, not longer than @bytes */
void kernel_threads_exec(struct kernel_threads *threads, uint32_t tid, const char *path,
			 uint32_t bytes);
/* kernel_threads_forget() - it has become another program; unless that was told by which */
void kernel_threads_forget(struct kernel_threads *threads, uint32_t tid);

/* kernel_threads_name() - an event has told that @tid is called so: up to 16 characters */
void kernel_threads_name(struct kernel_threads *threads, uint32_t tid, const char *name);

#endif
