/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * port.h - the few primitives below the ring.
 *
 * Everything in format/ compiles unchanged as C11, as C++17 and inside the kernel; this file
 * is the only one that knows which of the three it is in. Orders of memory are in the name of
 * each operation; there is no operation whose order is implied.
 */
#ifndef TACHO_FORMAT_PORT_H
#define TACHO_FORMAT_PORT_H

#ifdef __KERNEL__
#include <linux/build_bug.h>
#include <linux/stddef.h>
#include <linux/types.h>
#define TACHO_STATIC_ASSERT(condition, text) static_assert(condition, text)
#elif defined(__cplusplus)
#include <stddef.h>
#include <stdint.h>
#define TACHO_STATIC_ASSERT(condition, text) static_assert(condition, text)
#else
#include <stddef.h>
#include <stdint.h>
#define TACHO_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#endif

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define TACHO_BIG_ENDIAN 1
#else
#define TACHO_BIG_ENDIAN 0
#endif

/* A cache line of every machine that Tacho runs on fits into two of the usual 64 bytes: adjacent
 * lines are fetched in pairs on x86, and some aarch64 have lines of 128. */
#define TACHO_LINE_BYTES 128

/* Loads and stores of aligned integers that other parties write or read at the same time. Each
 * accepts 32-bit and 64-bit objects. */
#define tacho_load_relaxed(p)           __atomic_load_n((p), __ATOMIC_RELAXED)
#define tacho_load_acquire(p)           __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define tacho_store_relaxed(p, v)       __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define tacho_store_release(p, v)       __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define tacho_fetch_add_relaxed(p, v)   __atomic_fetch_add((p), (v), __ATOMIC_RELAXED)
#define tacho_fetch_add_acq_rel(p, v)   __atomic_fetch_add((p), (v), __ATOMIC_ACQ_REL)
#define tacho_fetch_or_acq_rel(p, v)    __atomic_fetch_or((p), (v), __ATOMIC_ACQ_REL)
#define tacho_fetch_and_acq_rel(p, v)   __atomic_fetch_and((p), (v), __ATOMIC_ACQ_REL)
#define tacho_exchange_acq_rel(p, v)    __atomic_exchange_n((p), (v), __ATOMIC_ACQ_REL)
/* Strong compare and exchange; *expected receives what was found. */
#define tacho_cmpxchg_acq_rel(p, expected, v)                                                      \
	__atomic_compare_exchange_n((p), (expected), (v), 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)

#define tacho_fence_acquire() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define tacho_fence_release() __atomic_thread_fence(__ATOMIC_RELEASE)
#define tacho_fence_full()    __atomic_thread_fence(__ATOMIC_SEQ_CST)
/* Between a thread and its own signal handlers only. */
#define tacho_fence_signal()  __atomic_signal_fence(__ATOMIC_SEQ_CST)

#endif
