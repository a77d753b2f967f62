/* SPDX-License-Identifier: MIT */
/*
 * memory.h - blocks of memory for what libtacho keeps while it records: channels, routes, filters.
 * The program's heap is not ours to use: we may be in a signal handler that interrupted malloc().
 *
 *	base                     used                                    MEMORY_BYTES
 *	+-------+-------+-------+- - - - - - - - - - - - - - - - - - - -+
 *	| block | block | block |  never touched: costs addresses only   |
 *	+-------+-------+-------+- - - - - - - - - - - - - - - - - - - -+
 *
 *	free[class]   tag << 32 | the first block that was put back, in units of 64 bytes from
 *	              base, counted from 1; 0: none. Its first 4 bytes name the next one.
 *
 * A block has 64 << class bytes, 64 to 65536, and stays of its class. The one mapping is made when
 * the first block is asked for, and lasts as long as the process: what a slow thread still reads of
 * a block that another took meanwhile is memory, and its compare-and-exchange fails by the tag, which
 * goes up by one with each change.
 *
 * Context: any thread, any signal handler. Lock-free. A child of fork() goes on with its copy; what
 * other threads were about to take or to put back is lost to it.
 */
#ifndef TACHO_TRACER_MEMORY_H
#define TACHO_TRACER_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#define MEMORY_BYTES     (16u << 20)
#define MEMORY_CLASSES   11
#define MEMORY_BLOCK_MIN 64u
#define MEMORY_BLOCK_MAX (MEMORY_BLOCK_MIN << (MEMORY_CLASSES - 1))

struct memory {
	char *base;
	uint32_t used; /* bytes */
	uint64_t free[MEMORY_CLASSES];
};

/* memory_get() - a block of at least so many bytes, whatever is in it, at a multiple of 64; NULL if
 * there is none */
void *memory_get(struct memory *memory, size_t bytes);
/* memory_put() - @bytes: as for memory_get(). NULL is nothing. */
void memory_put(struct memory *memory, void *block, size_t bytes);

#endif
