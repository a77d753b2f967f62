/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * bell.h - wakes the drain that sleeps: the module's half of what format/trigger.h says of drain_sleeps.
 *
 *	a CPU that opens sub-buffer k + 1                       the drain
 *	      head is in k, so k - 1 is complete                doze:A  word = 1
 *	bell_ring:A  --- full fence ---                         doze:B  --- full fence ---
 *	      word? then 0 by exchange, and an irq_work         doze:C  a sub-buffer that it has not seen?
 *	      irq_work: signals the eventfd                     doze:D  futex wait while the word is 1
 *	                                                        its thread: read the eventfd, futex wake
 *
 * pairs: bell_ring:A with doze:B, as for programs (call:B): whichever comes second sees what the other wrote.
 *
 * A module cannot wake who waits for a futex, since the kernel exports nothing for that; so a thread of the
 * drain's own does it. The record that opens k + 1 is published when its writer leaves, maybe not before
 * the drain looks: what is sure to be there is k - 1, and the next call comes with k + 2 at the latest.
 *
 * Where nobody sleeps, bell_ring() is a fence and a load. The word is in memory that programs may write to as
 * well: who scribbles there wakes the drain, once for a sub-buffer, or lets it sleep to its end.
 */
#ifndef TACHO_KERNEL_BELL_H
#define TACHO_KERNEL_BELL_H

#include <linux/types.h>

struct bell;

/*
 * bell_new() - of a word in the caller's memory, whose page is pinned, and an eventfd of the caller's
 * @address: a multiple of 4
 *
 * Return: a pointer or an ERR_PTR() of -EINVAL (no such address, another kind of file), -EBADF,
 * -EFAULT, -ENOMEM, -EINTR.
 */
struct bell *bell_new(u64 address, int event_fd);
/* bell_free() - nobody rings it now, or will. NULL is fine. May sleep. */
void bell_free(struct bell *bell);

/* bell_ring() - a sub-buffer has been opened. Any context, NMI as well. */
void bell_ring(struct bell *bell);

#endif
