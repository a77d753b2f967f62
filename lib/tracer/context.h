/* SPDX-License-Identifier: MIT */
/*
 * context.h - the values of contexts (enum tacho_context), as they are when an event happens.
 *
 * What only a system call can tell is asked once per thread and kept:
 *
 *      ids         until this process changes them: setuid() and its like are interposed
 *                  (interpose/credentials.c), programs that make the system calls themselves call
 *                  tacho_process_changed()
 *      namespaces  the same, by setns() and unshare()
 *
 * A child of fork() knows nothing of what its parent knew, and one of vfork() leaves nothing behind in
 * the memory that it shares with its parent. An id that is the overflow id is not
 * kept: it is what a user namespace shows until somebody, perhaps another process, writes its map.
 */
#ifndef TACHO_TRACER_CONTEXT_H
#define TACHO_TRACER_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "format/session.h"

#define CONTEXT_CPU_NOW UINT32_MAX

/* What the values are of. */
struct context_source {
	uint32_t pid;
	uint32_t tid;
	uint64_t ip;                         /* of the event in the program */
	const struct tacho_session *session; /* names the hardware counters */
	uint32_t cpu;                        /* CONTEXT_CPU_NOW: where the thread is */
};

/*
 * context_integer() - the value of a context that is a number, extended to 64 bits
 * @number: any enum tacho_context but PROCNAME. (That is tacho_thread.name.)
 *
 * Context: any thread, any signal handler, as everything here. After tracer_know_thread().
 */
uint64_t context_integer(const struct context_source *source, unsigned int number);

/*
 * contexts_fill() - put the values one behind the other, as they stand in a record
 * @mask: contexts that are known: contexts_are_known()
 * @to:   TACHO_CONTEXTS_BYTES_MAX bytes
 *
 * Return: how many bytes.
 */
uint32_t contexts_fill(const struct context_source *source, uint64_t mask, char *to);

/* contexts_number() - differs from what it was if values that were the same for all events of a thread
 * may not be any more
 * contexts_are_settled() - are they all such values, where the event is and on which CPU apart? After
 * contexts_fill() of some that are in CONTEXTS_FIXED. */
uint32_t contexts_number(void);
bool contexts_are_settled(uint64_t mask);

/* contexts_set() - the number by which this process knows a mask: 1 to RING_SETS_MAX; 0: there are too
 * many, or it is empty */
uint32_t contexts_set(uint64_t mask);

/* context_changed() - the process has got other ids or namespaces, or a thread another name: they are
 * asked for again. */
void context_changed(void);

/* context_forget() - what is known is of another process: the parent of this one. */
void context_forget(void);

#endif
