/* SPDX-License-Identifier: MIT */
/* functions_pg.c - see functions_pg.h */
#include "functions_pg.h"

#include <dlfcn.h>
#include <stdbool.h>

#include "tacho/event-object.h"
#include "tacho/event-pack.h"

#define EXPORT __attribute__((visibility("default")))

typedef void real_function(void *call_site);

static const struct tacho_field fields[] = {
	{ "func_addr", TACHO_POINTER_TYPE_, 0 },
	{ "call_site", TACHO_POINTER_TYPE_, 0 },
};
static const struct tacho_event_info info = {
	"function", "entry", fields, 2, TACHO_LEVEL_DEBUG_FUNCTION, __FILE__, __LINE__, 0,
};

/* Not in a function, as tacho_event() has it: the assembly looks at its state. */
struct tacho_event functions_pg_entry = TACHO_EVENT_INIT_(&info);
_Static_assert(!__builtin_offsetof(struct tacho_event, state), "functions_pg-x86_64.S knows it");

/* The C library's, or whatever comes next in the order of libraries; NULL: there is none. */
real_function *functions_pg_real_fentry;
real_function *functions_pg_real_mcount;

static void record(const void *function, const void *call_site)
{
	const void *payload[] = { function, call_site };
	const struct tacho_part part = { payload, sizeof(payload), 0 };

	TACHO_LIST_(functions_pg_entry);
	tacho_emit_parts(&functions_pg_entry, &part, 1);
}

static real_function *next(const char *name)
{
	return (real_function *)dlsym(RTLD_NEXT, name);
}

static __attribute__((constructor)) void find_real(void)
{
	tacho_store_relaxed(&functions_pg_real_fentry, next("__fentry__"));
	tacho_store_relaxed(&functions_pg_real_mcount, next("_mcount"));
}

#ifdef __x86_64__

#include <cpuid.h>
#include <string.h>

#define CALL_BYTES          5 /* call rel32 */
#define CALL_INDIRECT_BYTES 6 /* call *rel32(%rip) */
#define ENDBR_BYTES         4
#define PAGE_MASK           4095u

#define XCR0_YMM 0x06u
#define XCR0_ZMM 0xe6u

void functions_pg_entered(const uint8_t *after_call, const void *call_site);
void functions_pg_called(const void *in_function, const void *call_site);
void functions_pg_look(void);

uint32_t functions_pg_vectors;

/* Where the function begins whose first instruction but ENDBR64 was this call. */
static const uint8_t *begin_of(const uint8_t *after_call)
{
	static const uint8_t endbr64[ENDBR_BYTES] = { 0xf3, 0x0f, 0x1e, 0xfa };
	bool is_direct = after_call[-CALL_BYTES] == 0xe8;
	const uint8_t *call = after_call - (is_direct ? CALL_BYTES : CALL_INDIRECT_BYTES);

	/* What is before the page may not be there. */
	if (((uintptr_t)call & PAGE_MASK) < ENDBR_BYTES ||
	    memcmp(call - ENDBR_BYTES, endbr64, ENDBR_BYTES))
		return call;
	return call - ENDBR_BYTES;
}

void functions_pg_entered(const uint8_t *after_call, const void *call_site)
{
	record(begin_of(after_call), call_site);
}

void functions_pg_called(const void *in_function, const void *call_site)
{
	record(in_function, call_site);
}

static __attribute__((target("general-regs-only"))) uint32_t enabled_state(void)
{
	uint32_t low, high;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return low;
}

/* Called while the vector registers are the program's. All who look find the same. */
__attribute__((target("general-regs-only"))) void functions_pg_look(void)
{
	uint32_t a, b, c, d, state = 0;

	__cpuid(1, a, b, c, d);
	if (c & bit_OSXSAVE)
		state = enabled_state();
	tacho_store_relaxed(&functions_pg_vectors, (state & XCR0_ZMM) == XCR0_ZMM ? VECTORS_512 :
						   (state & XCR0_YMM) == XCR0_YMM ? VECTORS_256 :
										    VECTORS_128);
}

#elif defined(__aarch64__)

EXPORT void _mcount(void *call_site);

/* The last call is a jump (-foptimize-sibling-calls): the real one looks at its return address. */
void _mcount(void *call_site)
{
	if (functions_pg_entry.state && TACHO_UNLIKELY_(tacho_event_is_hit(&functions_pg_entry)))
		record(__builtin_return_address(0), call_site);
	if (functions_pg_real_mcount)
		functions_pg_real_mcount(call_site);
}

#endif
