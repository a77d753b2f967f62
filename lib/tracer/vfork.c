/* SPDX-License-Identifier: MIT */
/*
 * vfork.c - events of a child of vfork(), until it calls exec() or ends.
 *
 * It runs in its parent's memory and on its parent's stack, while the parent's thread waits in the
 * kernel; tacho_thread is the parent's. So nothing of the child may stay in there:
 *
 *	slots     are empty, and are kept so: what the parent records next says again who it is
 *	tid, name the name is the same; the id comes with the record
 *	rseq      the kernel does not know of the child's. The child registers the area of the
 *	          parent's thread, which nobody uses meanwhile; for a child that is registered already
 *	          the kernel says so. exec() and exit() undo it. When the parent goes on, it was away:
 *	          the kernel writes its CPU into the area before it returns to it.
 *
 * A handler of a signal that comes between the mark in vfork-x86_64.S and the system call is the
 * parent's still: it is as good as a child, but for its id.
 */
#include "tracer/emit.h"
#include "tracer/sys.h"

#include "ring/have-rseq.h"

#ifdef TACHO_HAVE_RSEQ

#include <sys/rseq.h>

/* What the kernel took from the first; the C library may have registered more. */
#define RSEQ_FIRST_BYTES 32

bool vfork_begin(struct emission *e)
{
	void *area = (char *)__builtin_thread_pointer() + __rseq_offset;
	uint32_t pid = sys_getpid();

	if (pid == tacho_tracer.pid)
		return true;
	e->record.pid = pid;
	e->record.tid = pid;
	return sys_register_rseq(area, RSEQ_FIRST_BYTES, RSEQ_SIG);
}

#else

bool vfork_begin(struct emission *e)
{
	(void)e;
	return false;
}

#endif
