/* SPDX-License-Identifier: MIT */
/*
 * prctl.c - prctl(), in front of the C library's, so that the tracer learns that its process is about
 * to give up system calls (tracer/call_drain.h). Only in shared libraries, as pthread_setname.c says.
 *
 * It looks nothing up: programs call it between fork() and exec(), when a lock of the dynamic linker
 * may be held for ever.
 */
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tacho/abi.h"

#define EXPORTED __attribute__((visibility("default")))

static int own_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	if (option == PR_SET_NO_NEW_PRIVS || option == PR_SET_SECCOMP)
		tacho_process_confined();
	if ((option == PR_SET_SECCOMP && a == SECCOMP_MODE_STRICT) ||
	    (option == PR_SET_TSC && a == PR_TSC_SIGSEGV))
		tacho_process_clockless();
	return (int)syscall(SYS_prctl, option, a, b, c, d);
}

/* The C library declares it with `...`; all machines pass so few words the same way. */
EXPORTED int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
	__attribute__((alias("own_prctl")));

extern void *const tacho_prctl_seen;
EXPORTED void *const tacho_prctl_seen = (void *)own_prctl;
