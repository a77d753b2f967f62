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

static inline bool may_be_tried(clockid_t clock, const struct timespec *until)
{
	return (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC) && until &&
	       until->tv_nsec >= 0 && until->tv_nsec < NS_PER_S;
}

/*
 * TRY_THEN_WAIT() - take a lock, and measure how long it was waited for; see above
 * @may_try: may it be tried?
 * @tried:   the call that tries it, evaluated only where it may be
 * @waited:  the call of the program, evaluated only where trying it did not give the answer
 *
 * The calls differ in type and number of arguments, so this is no function.
 * Return: the status
 */
#define TRY_THEN_WAIT(may_try, tried, waited, ret_wait_ns)                                         \
	({                                                                                         \
		int status_ = (may_try) ? (tried) : EBUSY;                                         \
		uint64_t begin_ns_;                                                                \
                                                                                                   \
		*(ret_wait_ns) = 0;                                                                \
		if (status_ == EBUSY) {                                                            \
			begin_ns_ = now_ns();                                                      \
			status_ = (waited);                                                        \
			*(ret_wait_ns) = now_ns() - begin_ns_;                                     \
		}                                                                                  \
		status_;                                                                           \
	})

#endif
