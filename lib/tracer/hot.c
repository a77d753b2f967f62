/* SPDX-License-Identifier: MIT */
/* hot.c - see hot.h. Where there is no fast path nothing is ever kept. */
#include "tracer/hot.h"

#include "ring/have-rseq.h"
#include "tracer/hot_list.h"
#include "tracer/tracer.h"

/* Of a guard. A thread that is killed while it clears leaves the event to the slow path for ever. */
#define CLEARING_ONE  1u
#define CLEARING_MASK 0xffu
#define NUMBER_ONE    0x100u

#ifdef TACHO_HAVE_RSEQ

/* Of both halves, which may not belong together: then the exchange fails. */
static struct tacho_hot read_hot(const struct tacho_hot *hot)
{
	return (struct tacho_hot){
		.id_and_tag = tacho_load_relaxed(&hot->id_and_tag),
		.bits = tacho_load_relaxed(&hot->bits),
		.guard = tacho_load_relaxed(&hot->guard),
	};
}

#ifdef __aarch64__
/* What is found without a store behind it may be of two halves, as what read_hot() gives. */
static bool exchange_pair(struct tacho_hot *hot, const uint64_t expected[2], uint64_t *ret_low,
			  uint64_t *ret_high, uint64_t wanted_low, uint64_t wanted_high)
{
	uint32_t failed;

	do {
		__asm__ volatile("ldaxp %[low], %[high], %[hot]"
				 : [low] "=&r"(*ret_low), [high] "=&r"(*ret_high)
				 : [hot] "Q"(*hot)
				 : "memory");
		if (*ret_low != expected[0] || *ret_high != expected[1])
			return false;
		__asm__ volatile("stlxp %w[failed], %[low], %[high], %[hot]"
				 : [failed] "=&r"(failed), [hot] "=Q"(*hot)
				 : [low] "r"(wanted_low), [high] "r"(wanted_high)
				 : "memory");
	} while (failed);
	tacho_fence_full();
	return true;
}
#endif

/* A full barrier. *found receives what was there. */
static bool exchange(struct tacho_hot *hot, struct tacho_hot *found, const struct tacho_hot *wanted)
{
	uint64_t low = found->id_and_tag;
	uint64_t high = (uint64_t)found->guard << 32 | found->bits;
	uint64_t wanted_high = (uint64_t)wanted->guard << 32 | wanted->bits;
	bool done;

#ifdef __aarch64__
	uint64_t expected[2] = { low, high };

	done = exchange_pair(hot, expected, &low, &high, wanted->id_and_tag, wanted_high);
#else
	__asm__ volatile("lock cmpxchg16b %[hot]"
			 : [hot] "+m"(*hot), "=@ccz"(done), "+a"(low), "+d"(high)
			 : "b"(wanted->id_and_tag), "c"(wanted_high)
			 : "memory");
#endif
	*found = (struct tacho_hot){ low, (uint32_t)high, (uint32_t)(high >> 32) };
	return done;
}

static void empty_place(struct tacho_hot *hot, uint32_t guard_change)
{
	struct tacho_hot found = read_hot(hot), nothing;

	do {
		nothing = (struct tacho_hot){ .guard = found.guard + guard_change };
	} while (!exchange(hot, &found, &nothing));
}

bool hot_look(const struct tacho_hot *hot, struct tacho_hot *ret_ticket)
{
	*ret_ticket = read_hot(hot); /* keep:A */
	tacho_fence_full();          /* keep:B pairs with forget:B */
	return !(ret_ticket->guard & CLEARING_MASK) &&
	       !tacho_load_relaxed(&tacho_tracer.is_clockless);
}

bool hot_keep(struct tacho_hot *hot, const struct tacho_hot *ticket, uint64_t id_and_tag,
	      uint32_t bits)
{
	struct tacho_hot expected = *ticket;
	struct tacho_hot wanted = { id_and_tag, bits, ticket->guard };

	return exchange(hot, &expected, &wanted); /* keep:D */
}

#else

static void empty_place(struct tacho_hot *hot, uint32_t guard_change)
{
	(void)hot;
	(void)guard_change;
}

bool hot_look(const struct tacho_hot *hot, struct tacho_hot *ret_ticket)
{
	(void)hot;
	*ret_ticket = (struct tacho_hot){ 0 };
	return false;
}

bool hot_keep(struct tacho_hot *hot, const struct tacho_hot *ticket, uint64_t id_and_tag,
	      uint32_t bits)
{
	(void)hot;
	(void)ticket;
	(void)id_and_tag;
	(void)bits;
	return false;
}

#endif

static void empty(uint32_t index, uint32_t guard_change)
{
	empty_place(&tacho_tracer.wiped->hot[index], guard_change);
	empty_place(&tacho_tracer.wiped->more_hot[index], guard_change);
	hot_list_forget(index); /* drop:B is in the two before */
}

void hot_forget(uint32_t index)
{
	tacho_fence_full();       /* forget:B pairs with keep:B */
	empty(index, NUMBER_ONE); /* forget:C */
}

void hot_forget_all(void)
{
	uint32_t count = registry_event_count();

	for (uint32_t i = 0; i < count; i++)
		hot_forget(i);
}

void hot_clearing_begin(uint32_t index)
{
	empty(index, CLEARING_ONE); /* refresh:A */
}

void hot_clearing_end(uint32_t index)
{
	tacho_fence_full();                      /* forget:B pairs with keep:B */
	empty(index, NUMBER_ONE - CLEARING_ONE); /* refresh:D, and forget:C */
}
