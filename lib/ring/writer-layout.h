/* SPDX-License-Identifier: MIT */
/*
 * writer-layout.h - the offsets that the assembly in writer-x86_64.S and writer-aarch64.S relies on,
 * with the assertions that keep them true (checked where C includes it: writer-rseq.c).
 */
#ifndef TACHO_RING_WRITER_LAYOUT_H
#define TACHO_RING_WRITER_LAYOUT_H

#define EVENT_STATE 0
#define EVENT_HOT   8

#define HOT_ID_AND_TAG 0
#define HOT_BITS       8
#define HOT_IS_LISTED  1        /* in an event's `hot`: RING_HOT_LISTED */
#define HOT_MORE_AT    0x200000 /* from an event's first place to its second: RING_HOT_MORE_AT */

/* In a RING_ROUTED(). */
#define ROUTED_BIT        31
#define ROUTED_MORE_BIT   32
#define ROUTED_SLOT_SHIFT 32
#define ROUTED_SLOT_MASK  0x1e
#define ROUTED_SET_SHIFT  40
#define ROUTED_ID_SHIFT   48

#define COMPACT_BYTES  4
#define MEDIUM_BYTES   6
#define ID_COMPACT_MAX 28
#define ID_MEDIUM      30

#define SLOT_RING   0
#define SLOT_HEAD   8
#define SLOT_LIMIT  16
#define SLOT_BIAS   24
#define SLOT_WINDOW 32
#define SLOT_TAG    36
#define SLOT_CPU    40
#define SLOT_SIZE   48
#define SLOT_COUNT  5

#define THREAD_IN_VFORK 260

#define KEPT_SET    288
#define KEPT_NUMBER 292
#define KEPT_BYTES  296
#define KEPT_IP_AT  300
#define KEPT_CPU_AT 304
#define KEPT_DATA   312

/* The kernel's struct rseq. */
#define RSEQ_CPU_ID 4
#define RSEQ_CS     8

#define PART_DATA      0
#define PART_BYTES     8
#define PART_IS_STRING 12
#define PART_SIZE      16

/* In a struct ring_list. */
#define LIST_NUMBER 0
#define LIST_BITS   12
#define LIST_STATE  16

#define APPEND_RING           0
#define APPEND_EXPECTED_HEAD  8
#define APPEND_NEW_HEAD       16
#define APPEND_DEST           24
#define APPEND_PREFIX         32
#define APPEND_PREFIX_BYTES   40
#define APPEND_PARTS          48
#define APPEND_PART_COUNT     56
#define APPEND_CPU            60
#define APPEND_LIVE           64
#define APPEND_LIVE_TAG       72
#define APPEND_RULES_NUMBER   76
#define APPEND_RULES          80
#define APPEND_WINDOW         88
#define APPEND_MARK           92
#define APPEND_IS_SWITCH      96
#define APPEND_OPENED         104
#define APPEND_CLOSING        112
#define APPEND_OPENING        120
#define APPEND_OPENING_NUMBER 128
#define APPEND_TS_AT          136
#define APPEND_RET_TS         152

#define RING_HEAD   0
#define RING_OPENED 8
#define RING_LOST   128

#define SUBBUF_NUMBER      0
#define SUBBUF_BEGIN_TS    8
#define SUBBUF_END_TS      16
#define SUBBUF_CONTENT_END 24
#define SUBBUF_LOST        32

#ifndef __ASSEMBLER__
#include "ring/writer.h"

#define LAYOUT(type, member, offset)                                                               \
	TACHO_STATIC_ASSERT(offsetof(struct type, member) == (offset), #type "." #member)

LAYOUT(tacho_event, state, EVENT_STATE);
LAYOUT(tacho_event, hot, EVENT_HOT);
LAYOUT(tacho_hot, id_and_tag, HOT_ID_AND_TAG);
LAYOUT(tacho_hot, bits, HOT_BITS);
LAYOUT(ring_slot, ring, SLOT_RING);
LAYOUT(ring_slot, head, SLOT_HEAD);
LAYOUT(ring_slot, limit, SLOT_LIMIT);
LAYOUT(ring_slot, bias, SLOT_BIAS);
LAYOUT(ring_slot, window, SLOT_WINDOW);
LAYOUT(ring_slot, tag, SLOT_TAG);
LAYOUT(ring_slot, cpu, SLOT_CPU);
LAYOUT(ring_thread, slot, 0);
LAYOUT(ring_thread, in_vfork, THREAD_IN_VFORK);
LAYOUT(ring_thread, kept.set, KEPT_SET);
LAYOUT(ring_thread, kept.number, KEPT_NUMBER);
LAYOUT(ring_thread, kept.bytes, KEPT_BYTES);
LAYOUT(ring_thread, kept.ip_at, KEPT_IP_AT);
LAYOUT(ring_thread, kept.cpu_at, KEPT_CPU_AT);
LAYOUT(ring_thread, kept.data, KEPT_DATA);
TACHO_STATIC_ASSERT(COMPACT_BYTES == TACHO_COMPACT_BYTES && MEDIUM_BYTES == TACHO_MEDIUM_BYTES &&
			    ID_COMPACT_MAX == TACHO_ID_COMPACT_MAX && ID_MEDIUM == TACHO_ID_MEDIUM,
		    "headers are those of format/record.h");
TACHO_STATIC_ASSERT(HOT_MORE_AT == RING_HOT_MORE_AT, "the second places are behind the first ones");
TACHO_STATIC_ASSERT(HOT_IS_LISTED == RING_HOT_LISTED, "the mark is where the assembly looks");
TACHO_STATIC_ASSERT(SLOT_SIZE == 2 * 24 && RING_ROUTED_SLOT(1) == 2ull << ROUTED_SLOT_SHIFT,
		    "a slot is found by two additions");
TACHO_STATIC_ASSERT(RING_ROUTED(1, 0, 0) == (1ull << ROUTED_ID_SHIFT | 1ull << ROUTED_BIT),
		    "the id is where the assembly takes it from");
TACHO_STATIC_ASSERT(sizeof(struct ring_slot) == SLOT_SIZE && RING_SLOTS == SLOT_COUNT,
		    "vfork-x86_64.S empties all slots");
LAYOUT(tacho_part, data, PART_DATA);
LAYOUT(tacho_part, bytes, PART_BYTES);
LAYOUT(tacho_part, is_string, PART_IS_STRING);
LAYOUT(ring_list, number, LIST_NUMBER);
LAYOUT(ring_list, bits, LIST_BITS);
LAYOUT(ring_list, state, LIST_STATE);
LAYOUT(ring_append, ring, APPEND_RING);
LAYOUT(ring_append, expected_head, APPEND_EXPECTED_HEAD);
LAYOUT(ring_append, new_head, APPEND_NEW_HEAD);
LAYOUT(ring_append, dest, APPEND_DEST);
LAYOUT(ring_append, prefix, APPEND_PREFIX);
LAYOUT(ring_append, prefix_bytes, APPEND_PREFIX_BYTES);
LAYOUT(ring_append, parts, APPEND_PARTS);
LAYOUT(ring_append, part_count, APPEND_PART_COUNT);
LAYOUT(ring_append, cpu, APPEND_CPU);
LAYOUT(ring_append, live, APPEND_LIVE);
LAYOUT(ring_append, live_tag, APPEND_LIVE_TAG);
LAYOUT(ring_append, rules_number, APPEND_RULES_NUMBER);
LAYOUT(ring_append, rules, APPEND_RULES);
LAYOUT(ring_append, window, APPEND_WINDOW);
LAYOUT(ring_append, mark, APPEND_MARK);
LAYOUT(ring_append, is_switch, APPEND_IS_SWITCH);
LAYOUT(ring_append, opened, APPEND_OPENED);
LAYOUT(ring_append, closing, APPEND_CLOSING);
LAYOUT(ring_append, opening, APPEND_OPENING);
LAYOUT(ring_append, opening_number, APPEND_OPENING_NUMBER);
LAYOUT(ring_append, ts_at, APPEND_TS_AT);
LAYOUT(ring_append, ret_ts, APPEND_RET_TS);
LAYOUT(tacho_ring, head, RING_HEAD);
LAYOUT(tacho_ring, opened, RING_OPENED);
LAYOUT(tacho_ring, lost, RING_LOST);
LAYOUT(tacho_subbuf, subbuf_number, SUBBUF_NUMBER);
LAYOUT(tacho_subbuf, begin_ts, SUBBUF_BEGIN_TS);
LAYOUT(tacho_subbuf, end_ts, SUBBUF_END_TS);
LAYOUT(tacho_subbuf, content_end, SUBBUF_CONTENT_END);
LAYOUT(tacho_subbuf, lost_before_close, SUBBUF_LOST);
#undef LAYOUT
#endif

#endif
