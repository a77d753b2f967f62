/* SPDX-License-Identifier: MIT */
/*
 * hot_list.h - what is known of an event whose records do not all go the same way, or go to more than
 * two channels: a list of its destinations, and what each of them asks of a record. emit-listed.c
 * goes through it instead of all of emit.c, and has each record written by ring_write().
 *
 *	always          destinations of each record, as bits
 *	test[]          the others: a record goes to a destination if all tests of one of its groups say
 *	                so; the last one of a group says that it is
 *	asks_routes     the filters are no such tests: they are asked themselves (route_wanted())
 *
 * Lists lie in memory that fork() wipes. A list may be of any event whose index has the same
 * remainder; the first that comes has it until it is forgotten.
 *
 * As with hot.h a list must never be found that is of rules that hold no more. It is good while NUMBER,
 * which changes with each forgetting, is the one that it was written by:
 *
 *	number     even; odd while somebody writes        of      the number that the rest is of
 *
 *	list:A  has_lists = 1, full fence; ticket = number, even?
 *	list:B  hot_look(): nobody is clearing STALE; --- full fence ---
 *	list:C  gather: the routes and tags that are there now
 *	list:D  number = ticket + 1 if it is ticket; write; number = ticket + 2 if it is ticket + 1,
 *	        else only make it even: it was forgotten meanwhile
 *
 *	drop:A  the tag or the route goes, or refresh:A has said so in the guard    (by the caller)
 *	drop:B  --- full fence ---
 *	drop:C  number = number + 2, where has_lists
 *
 *	pairs: list:B with drop:B: what drop:C changes lets list:D fail, or list:C sees drop:A; a list is
 *	forgotten by all who come after has_lists is set, and those before do not matter to list:C.
 *
 *	read:A  number, after the event's state word        (acquire)
 *	read:B  `of` the same, and the state word and its place; then what the list says
 *	read:C  number as in read:A                         (acquire)
 *
 *	read:C pairs with list:D and drop:C: what was read is of one list, which was good at read:A.
 *	ring_write() looks at the number once more, in its section.
 *
 * A thread that is killed between list:D's two steps leaves the event to the slow path for ever.
 */
#ifndef TACHO_TRACER_HOT_LIST_H
#define TACHO_TRACER_HOT_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/simple.h"
#include "format/port.h"
#include "ring/writer.h"

#define HOT_LISTS             4096
#define HOT_LIST_DESTINATIONS 8
#define HOT_LIST_TESTS        7

struct hot_test {
	struct filter_test test;
	uint32_t destination; /* which bit */
};

struct hot_list {
	struct ring_list head;
	uint32_t index; /* of the event */
	uint16_t asks_routes;
	uint8_t count; /* destinations */
	uint8_t test_count;
	uint64_t id_and_tag[HOT_LIST_DESTINATIONS]; /* RING_ROUTED() */
	struct hot_test test[HOT_LIST_TESTS];
} __attribute__((aligned(TACHO_LINE_BYTES)));

/* hot_list_is_of() - read:A and read:B. @state: the event's state word, where @bits were found before */
static inline bool hot_list_is_of(const struct hot_list *list, const uint32_t *state, uint32_t bits,
				  uint32_t *ret_number)
{
	*ret_number = tacho_load_acquire(&list->head.number); /* read:A */
	return tacho_load_relaxed(&list->head.of) == *ret_number &&
	       tacho_load_relaxed(&list->head.state) == state &&
	       tacho_load_relaxed(&list->head.bits) == bits;
}

/* hot_list_is_good() - read:C */
static inline bool hot_list_is_good(const struct hot_list *list, uint32_t number)
{
	tacho_fence_acquire();
	return tacho_load_relaxed(&list->head.number) ==
	       number; /* read:C pairs with list:D and drop:C */
}

/* hot_list_look() - list:A and list:B. Return: false if nothing may be kept now
 * hot_list_keep() - list:D; @list->index says where. Return: is it kept? */
bool hot_list_look(uint32_t index, uint32_t *ret_ticket);
bool hot_list_keep(const struct hot_list *list, uint32_t ticket);

/* hot_list_forget() - drop:C, of one event, and whichever has its list */
void hot_list_forget(uint32_t index);

#endif
