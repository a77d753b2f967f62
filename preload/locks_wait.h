/* SPDX-License-Identifier: MIT */
/*
 * locks_wait.h - what the wrappers of locks share.
 *
 * HOW LONG A LOCK WAS WAITED FOR. It is tried first. If that succeeds, or fails for any other reason
 * than that somebody holds it, this is the answer, and the wait was 0. Else the time that the real
 * function takes is the wait. Both give the same answers for a lock that can be had at once or that
 * can never be had; where the real function looks at its clock or time before the lock, and would
 * refuse it, it is not tried.
 */
#ifndef TACHO_PRELOAD_LOCKS_WAIT_H
#define TACHO_PRELOAD_LOCKS_WAIT_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

/* Where the program goes on; only in a function that it calls itself. */
#define CALLER() __builtin_extract_return_addr(__builtin_return_address(0))

#define NS_PER_S 1000000000

static inline uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* wait_begin() - @tried: what the try was answered with. Return: when the wait for the real function
 * begins; 0: there is none */
static inline uint64_t wait_begin(int tried)
{
	return tried == EBUSY ? now_ns() : 0;
}

static inline uint64_t wait_end(uint64_t begin_ns)
{
	return begin_ns ? now_ns() - begin_ns : 0;
}

static inline bool may_be_tried(clockid_t clock, const struct timespec *until)
{
	return (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC) && until &&
	       until->tv_nsec >= 0 && until->tv_nsec < NS_PER_S;
}

#endif
