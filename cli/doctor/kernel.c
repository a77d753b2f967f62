/* SPDX-License-Identifier: MIT */
/* kernel.c - what the kernel and the C library give to a traced program. */
#include <linux/membarrier.h>
#include <sys/resource.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "doctor.h"

static void check_rseq(struct findings *all)
{
	if (__rseq_size) {
		found(all, "rseq", VERDICT_OK,
		      "restartable sequences are registered by the C "
		      "library");
		return;
	}
	found_mend(found(all, "rseq", VERDICT_WARN,
			 "restartable sequences are off, events cost "
			 "several times as much"),
		   "unset GLIBC_TUNABLES (it switches glibc.pthread.rseq off), or use Linux 4.18 "
		   "or later outside of valgrind and qemu");
}

static void check_membarrier(struct findings *all)
{
	long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
	struct utsname name;

	if (commands > 0 && commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ) {
		found(all, "membarrier", VERDICT_OK, "can restart sequences when a session ends");
		return;
	}
	uname(&name);
	found_mend(found(all, "membarrier", VERDICT_WARN,
			 "Linux %s cannot restart sequences; "
			 "programs keep the memory of ended sessions mapped",
			 name.release),
		   "use Linux 5.10 or later, and allow membarrier() where seccomp forbids it");
}

/* Buffers are files: a program that may not write large ones is killed by SIGXFSZ. */
static void check_file_limit(struct findings *all)
{
	struct rlimit limit;

	if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY)
		found_mend(found(all, "limits", VERDICT_WARN,
				 "files are limited to %llu bytes; "
				 "buffers and traces are files",
				 (unsigned long long)limit.rlim_cur),
			   "ulimit -f unlimited");
	else
		found(all, "limits", VERDICT_OK, "none is in the way");
}

void doctor_kernel(struct findings *all)
{
	check_rseq(all);
	check_membarrier(all);
	check_file_limit(all);
	found(all, "privileges", VERDICT_OK,
	      "none needed; perf_event_paranoid, ptrace_scope and "
	      "the like do not matter");
}
