/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * cpu.h - what writer.h does to words that the contexts of one CPU share. No lock prefix: no other
 * CPU touches them.
 */
#ifndef TACHO_KERNEL_CPU_H
#define TACHO_KERNEL_CPU_H

#include <asm/local.h>
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/ktime.h>
#include <linux/timex.h>

#include "bell.h"
#include "format/ring.h"

#define cpu_load(p)                    READ_ONCE(*(p))
#define cpu_store(p, v)                WRITE_ONCE(*(p), (v))
#define cpu_exchange_if(p, old, value) cmpxchg_local((p), (old), (value))
#define cpu_ring_bell(bell)            bell_ring(bell)

static __always_inline void cpu_increment(uint64_t *p)
{
	BUILD_BUG_ON(sizeof(local_t) != sizeof(*p));
	local_inc((local_t *)p);
}

static __always_inline uint64_t cpu_clock(uint32_t kind)
{
	return likely(kind == TACHO_CLOCK_COUNTER) ? get_cycles() : ktime_get_mono_fast_ns();
}

#endif
