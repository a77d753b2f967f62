/* SPDX-License-Identifier: MIT */
/*
 * nesting.h - how deep in the recording of an allocation a thread is.
 *
 * Recording allocates nothing, but that is the promise of another library, and this is a place
 * where breaking it would recurse for ever. A signal handler that allocates while its thread is
 * recording is recorded all the same: so it is a depth that is bounded, not a flag.
 *
 * A handler may leave by siglongjmp(), and then nobody comes back to take the depth down. Hence
 * the address of the frame beside it: what was recorded in a deeper frame than the caller's is
 * over.
 */
#ifndef TACHO_PRELOAD_NESTING_H
#define TACHO_PRELOAD_NESTING_H

#include <stdbool.h>
#include <stdint.h>

#define NESTING_MAX 8

struct nesting {
	uintptr_t frame; /* of the innermost recording */
	uintptr_t depth; /* 0: there is none */
};

static __thread struct nesting nesting_now __attribute__((tls_model("initial-exec")));

/*
 * nesting_begin() - enter
 * @outer: kept by the caller, for nesting_end(), which is to follow in any case
 *
 * Return: false if this is too deep to be anything but a recursion.
 */
static inline bool nesting_begin(struct nesting *outer)
{
	uintptr_t here = (uintptr_t)outer; /* in the caller's frame */

	*outer = nesting_now;
	nesting_now.depth = outer->depth && here < outer->frame ? outer->depth + 1 : 1;
	nesting_now.frame = here;
	return nesting_now.depth <= NESTING_MAX;
}

static inline void nesting_end(const struct nesting *outer)
{
	nesting_now = *outer;
}

#endif
