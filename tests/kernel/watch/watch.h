/* SPDX-License-Identifier: MIT */
/*
 * watch.h - what a program in the guest says to watch.c, which sees to which addresses of user space is
 * stored, but not what: a store to
 *	WATCH_LOW + n, WATCH_HIGH + n    watch the instructions from WATCH_MODULES + n on, and below it
 *	WATCH_BEGIN + n                  watch n begins, and its counts are 0; the one before ends
 * Say where before the instructions run for the first time: they are looked at when QEMU translates them.
 */
#ifndef TACHO_TESTS_KERNEL_WATCH_H
#define TACHO_TESTS_KERNEL_WATCH_H

#define WATCH_MODULES  0xffffffffc0000000ull /* where the text of modules may be, and how long that is */
#define WATCH_BYTES    0x3f000000ull
#define WATCH_LOW      0x100000000000ull
#define WATCH_HIGH     (WATCH_LOW + WATCH_BYTES)
#define WATCH_BEGIN    (WATCH_HIGH + WATCH_BYTES)
#define WATCH_NUMBERS  4096ull
#define WATCH_USER_END (1ull << 47)
#define WATCH_CPUS_MAX 64

/* Which watch is which. */
#define WATCH_NOTHING          0
#define WATCH_CALLS_ON_ONE     1 /* system calls on the first CPU */
#define WATCH_CALLS_ON_ALL     2 /* the same number on each */
#define WATCH_FIRING           3 /* hits from all contexts of all CPUs */
#define WATCH_FIRST_AND_FIRING 4 /* and what makes the writers before, from one CPU */

#endif
