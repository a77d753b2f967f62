/* SPDX-License-Identifier: MIT */
/*
 * have-rseq.h - whether writer-x86_64.S can be built: for C and for the assembler. The C library
 * must be one that registers rseq, and that has the area in every thread even where the kernel, or
 * a tunable, does not let it: then its cpu_id is no CPU's, and the fast path never matches.
 */
#ifndef TACHO_RING_HAVE_RSEQ_H
#define TACHO_RING_HAVE_RSEQ_H

#include <features.h>

#if defined(__x86_64__) && defined(__LP64__) && defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 35)
#define TACHO_HAVE_RSEQ 1
#endif
#endif

#endif
