/* SPDX-License-Identifier: MIT */
/*
 * have-rseq.h - whether writer-x86_64.S or writer-aarch64.S can be built: for C and for the assembler.
 * The C library must be one that registers rseq, and that has the area in every thread even where the
 * kernel, or a tunable, does not let it: then its cpu_id is no CPU's, and the fast path never matches.
 *
 * TACHO_HAVE_RSEQ_PARTS: tacho_emit_parts and routed events have sections of their own, too.
 */
#ifndef TACHO_RING_HAVE_RSEQ_H
#define TACHO_RING_HAVE_RSEQ_H

#include <features.h>

#if defined(__LP64__) && defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 35)
#if defined(__x86_64__)
#define TACHO_HAVE_RSEQ       1
#define TACHO_HAVE_RSEQ_PARTS 1
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define TACHO_HAVE_RSEQ 1
#endif
#endif
#endif

#endif
