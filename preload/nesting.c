/* SPDX-License-Identifier: MIT */
/*
 * nesting.c - bounds how deep in the recording of an allocation a thread can be.
 *
 * Recording allocates nothing, but that is the promise of another library, and this is a place
 * where breaking it would recurse for ever. A signal handler that allocates while its thread is
 * recording is recorded all the same: so it is a depth that is bounded, not a flag.
 *
 * A handler may leave by siglongjmp(), and then nobody comes back to take the depth down. Hence
 * the address of the frame beside it: what was recorded in a deeper frame than the caller's is
 * over.
 *
 * The linker (--wrap, in meson.build) sends what tacho_event() calls here first. So a call that
 * nobody records pays nothing for it.
 */
#include <stdbool.h>
#include <stdint.h>

#include "tacho/abi.h"

#define NESTING_MAX 8

struct nesting {
	uintptr_t frame; /* of the innermost recording */
	uintptr_t depth; /* 0: there is none */
};

static __thread struct nesting now __attribute__((tls_model("initial-exec")));

/* @outer is in the caller's frame. Return: false if this can only be a recursion. */
static inline bool begin(struct nesting *outer)
{
	uintptr_t here = (uintptr_t)outer;

	*outer = now;
	now.depth = outer->depth && here < outer->frame ? outer->depth + 1 : 1;
	now.frame = here;
	return now.depth <= NESTING_MAX;
}

static inline void end(const struct nesting *outer)
{
	now = *outer;
}

/* Names that the linker makes up. */
void __real_tacho_emit_word(struct tacho_event *event, uint64_t payload, uint64_t bytes);
void __real_tacho_emit_parts(struct tacho_event *event, const struct tacho_part *parts,
			     uint32_t count);
void __wrap_tacho_emit_word(struct tacho_event *event, uint64_t payload, uint64_t bytes);
void __wrap_tacho_emit_parts(struct tacho_event *event, const struct tacho_part *parts,
			     uint32_t count);

void __wrap_tacho_emit_word(struct tacho_event *event, uint64_t payload, uint64_t bytes)
{
	struct nesting outer;

	if (begin(&outer))
		__real_tacho_emit_word(event, payload, bytes);
	end(&outer);
}

void __wrap_tacho_emit_parts(struct tacho_event *event, const struct tacho_part *parts,
			     uint32_t count)
{
	struct nesting outer;

	if (begin(&outer))
		__real_tacho_emit_parts(event, parts, count);
	end(&outer);
}
