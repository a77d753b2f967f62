/* SPDX-License-Identifier: MIT */
/*
 * writer.h - writing to rings, from inside traced programs. format/ring.h has the protocol; here
 * is how a thread gets a record through it.
 *
 * WHAT A THREAD KNOWS: struct ring_slot
 *
 * A thread keeps, in thread-local memory, what the last record that it wrote to a channel left
 * behind: which ring on which CPU, the ring's head, and the window (format/record.h) of its
 * timestamp. If the ring's head still is where the thread left it, then nobody else wrote to this
 * ring since - positions never come back - and the next record needs no more than a compact header.
 * If the head is elsewhere, another thread was here: the record gets an extended header, and a
 * tacho:writer record before it that says who writes.
 *
 * So no timestamp or thread id of "the last record" is kept in shared memory: there is nothing to
 * keep consistent with the head, and nothing that a killed writer could leave half changed.
 *
 *      slot.head == ring->head                this thread wrote the ring's last record
 *      slot.head + size <= slot.limit         and the sub-buffer that bias is for is still open
 *
 * A slot changes only inside of restartable sections, so ring and head always belong together:
 *
 *      tacho_emit_word   and ring_write_word store slot.head just before they commit. Aborted in
 *                        between, the slot is 4 to 14 bytes ahead, and so matches nothing: whoever
 *                        writes next to that ring did not write its last record, so adds at least
 *                        RING_STRANGER_BYTES to head, and from then on the ring is beyond. (If that
 *                        were not so, a slot might come to match a head that others have moved to
 *                        where it is.)
 *      tacho_emit_parts  may be larger than that, as routed events may, so it stores slot.head after
 *                        the commit, in a section of its own, if the slot still is what it was.
 *                        Aborted, the slot is behind, and matches nothing.
 *      ring_slot_copy    fills or reads a slot as a whole.
 *
 * TWELVE RESTARTABLE SECTIONS (writer-x86_64.S, chosen-x86_64.S; three of them, the first of
 * tacho_emit_word, ring_append and ring_slot_copy, are in writer-aarch64.S, too; a section that is
 * preempted, migrated or interrupted by a signal is aborted by the kernel):
 *
 *      tacho_emit_word   the whole way of a small event, for the channel in slot 0; and, where the
 *                        event is routed (RING_ROUTED()), two more sections, the second of them as below
 *      tacho_emit_parts  the same for a larger one: two sections; and two more where it is routed
 *      ring_write        the same for one channel of an event whose destinations C code chose: two
 *      ring_write_word   the same of a small event
 *      ring_append       everything else: a record of any size, with or without a sub-buffer
 *                        switch; all decisions were made in C, the section checks them and commits
 *      ring_slot_copy    above
 *
 * Where there are no restartable sequences the portable writer (writer-portable.c) does what
 * ring_append does, holding the ring's owner word.
 */
#ifndef TACHO_RING_WRITER_H
#define TACHO_RING_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "format/ring.h"
#include "format/session.h"
#include "tacho/abi.h"

/* What a thread knows of one channel. */
struct ring_slot {
	struct tacho_ring *ring;
	uint64_t head;  /* the ring's, if nobody else has written since */
	uint64_t limit; /* position that no record may pass */
	uint64_t bias;  /* address of a byte - its position, in the open sub-buffer */
	uint32_t window;
	uint32_t tag; /* of the channel, never used twice in a process */
	uint32_t cpu;
	uint32_t reserved;
};
#define RING_SLOTS          5
#define RING_SLOT_TAG_EMPTY 0xffffffffu /* no channel's tag */

/* A record that is not its thread's next on a ring has two extended headers and tacho:writer's
 * payload. */
#define RING_STRANGER_BYTES (TACHO_EXTENDED_BYTES + 4 + 4 + 1 + TACHO_EXTENDED_BYTES)
TACHO_STATIC_ASSERT(RING_STRANGER_BYTES > TACHO_MEDIUM_BYTES + 8,
		    "a slot that is ahead never matches");

/*
 * Per event and process, in memory that fork() wipes: what the fast path needs to know. `id_and_tag` is
 * read by one load and written by one store: a thread that is stopped in between anything else must not
 * pair one channel's tag with another session's id. It has one of two forms:
 *
 *	RING_HOT()      63  id  59                              31         tag         0
 *	RING_ROUTED()   63      id      48 47 set 40 39 route 32 1         tag         0
 *
 *	tag    of the channel; always below 2^31
 *	set    0: no contexts; else those that have this number (contexts_set())
 *	route  the channel's slot, times 2; bit 0: the event goes to the channel in its second place as
 *	       well, RING_HOT_MORE_AT bytes behind the first
 *
 * The first is of what is the simplest: one channel, which has slot 0, a short id, no contexts.
 */
struct tacho_hot {
	uint64_t id_and_tag; /* 0: only the slow path knows */
	uint32_t bits;       /* the event's state word when this was true */
	uint32_t guard;      /* tracer/hot.h */
} __attribute__((aligned(16)));
#define RING_HOT_MORE_AT (sizeof(struct tacho_hot) * TACHO_REGISTRY_EVENTS)
/* The id is in the high bits, from where one instruction shifts it below a timestamp. */
#define RING_HOT(id, tag) ((uint64_t)(id) << (64 - TACHO_ID_BITS) | (tag))
#define RING_ROUTED(id, set, tag)                                                                  \
	((uint64_t)(id) << 48 | (uint64_t)(set) << 40 | 1ull << 31 | (tag))
#define RING_ROUTED_TAG(word)   ((uint32_t)(word) & 0x7fffffffu)
#define RING_ROUTED_SET(word)   ((uint32_t)((word) >> 40) & 0xffu)
#define RING_ROUTED_SLOT(index) ((uint64_t)(index) << 33)
#define RING_ROUTED_MORE        (1ull << 32)
#define RING_SETS_MAX           255
TACHO_STATIC_ASSERT(RING_SLOTS <= 16, "a slot's number fits above `more`");

/* In tacho_event.hot: it is not the address of a struct tacho_hot but, but for this, of the event's
 * struct hot_list (tracer/hot_list.h). */
#define RING_HOT_LISTED 1u

/*
 * What a thread's contexts were when it last asked for some, as they stand in a record. Filled by
 * tracer/emit-hot.c, which a signal handler may interrupt, and read in sections only:
 *
 *	keep:A  is_busy = true          a handler from here on leaves it alone
 *	keep:B  set = 0                 and finds nothing in it
 *	keep:C  what is kept
 *	keep:D  set = which they are
 *	keep:E  is_busy = false         (never, where a handler is left by longjmp())
 */
#define RING_KEPT_BYTES 144
struct ring_kept {
	uint32_t set;    /* RING_ROUTED()'s; 0: none */
	uint32_t number; /* ring_contexts_number before they were asked for */
	uint32_t bytes;
	int32_t ip_at; /* where these two, which differ from record to record, are; negative: nowhere */
	int32_t cpu_at;
	uint32_t is_busy;
	char data[RING_KEPT_BYTES]; /* is copied by 16 bytes */
};
/* Changes when a thread's contexts may be others than they were; never 0. */
extern uint32_t ring_contexts_number __attribute__((visibility("hidden")));

/* All that the tracer keeps per thread. */
struct ring_thread {
	struct ring_slot slot[RING_SLOTS];
	uint32_t tid;             /* 0: not known yet */
	uint32_t shard;           /* of the portable writer, where it last succeeded */
	uint32_t names_published; /* tracer/thread_name.c */
	uint32_t name_order;
	uint32_t name_changes;
	uint32_t in_vfork;    /* 1: this is a vfork child, or its parent that waits for it */
	uint32_t sections;    /* of tracer/grace.h: how many the thread is in */
	uint32_t has_retired; /* 1: something, in one of these */
	char name[TACHO_THREAD_NAME_BYTES];
	struct ring_kept kept;
	/* Where an rseq area should be, as long as it is not known where it is. */
	struct {
		uint32_t cpu_id_start;
		uint32_t cpu_id; /* never a CPU's: sends every event to the slow path */
		uint64_t rseq_cs;
	} no_rseq;
	uint32_t owning; /* rings of the portable writer that it owns, or is about to: one, and one
			  * more in each signal handler below that */
};
/* The C library sets 1664 bytes of static TLS aside for what is loaded late, of which each namespace of
 * dlmopen() takes its own, with a C library of its own: two of them must find room. */
TACHO_STATIC_ASSERT(sizeof(struct ring_thread) <= 480, "static TLS is scarce");
extern __thread struct ring_thread tacho_thread
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

/* What a section is to do; filled by plan.c. */
struct ring_append {
	struct tacho_ring *ring;
	uint64_t expected_head;
	uint64_t new_head;
	char *dest;         /* prefix and parts go here, one behind the other */
	const void *prefix; /* headers, and a tacho:writer record where one is due */
	uint64_t prefix_bytes;
	const struct tacho_part *parts;
	uint32_t part_count;
	uint32_t cpu;
	const uint32_t *live; /* must hold live_tag: the channel is still mapped */
	uint32_t live_tag;
	uint32_t
		rules_number; /* must be that of `rules`, but for the lowest bit: all is as decided */
	const uint32_t *rules;
	uint32_t window;    /* short header: that of the record before */
	uint32_t mark;      /* short header: its low bits; else RING_EXTENDED */
	uint32_t is_switch; /* a new sub-buffer is opened: the next four count */
	uint64_t opened;
	struct tacho_subbuf *closing; /* NULL: the ring was empty */
	struct tacho_subbuf *opening;
	uint64_t opening_number;
	char *ts_at[2]; /* extended headers: where their timestamps go (NULL: nowhere) */
	uint64_t ret_ts;
};
#define RING_EXTENDED 0xffffffffu

enum ring_result {
	RING_DONE = 0,
	RING_RESTART = 1, /* preempted, migrated, interrupted, or the ring moved on: look again */
	RING_NEW_WINDOW = 2,  /* a short header will not do */
	RING_GONE = 3,        /* the channel was unmapped */
	RING_OTHER_RULES = 4, /* a tool changed them, and may be done */
};

/* The head of what is known of an event whose records do not all go the same way:
 * tracer/hot_list.h. */
struct ring_list {
	uint32_t number; /* changes whenever what is known is no longer so */
	uint32_t of;
	uint32_t always;
	uint32_t bits;         /* the event's state word */
	const uint32_t *state; /* where that is: nowhere else is another event's */
};

/*
 * ring_write() - the fast way into one channel, for who has chosen it by @list while its number was
 * @number: only if it still is
 * @word: a RING_ROUTED()
 * @bytes: of the parts, with the 0 bytes behind strings
 * @caller: where the event returns to
 *
 * Return: false: nothing is done, take the slow path
 */
bool ring_write(const struct ring_list *list, uint32_t number, uint64_t word,
		const struct tacho_part *parts, uint32_t count, uint64_t bytes, const void *caller);

/* ring_write_word() - the same of a payload as tacho_emit_word() gets it, where @word says that there are
 * no contexts */
bool ring_write_word(const struct ring_list *list, uint32_t number, uint64_t word, uint64_t payload,
		     uint64_t bytes);

/* ring_append() - do it all, or nothing that anybody can see; by the CPU that owns the ring. */
enum ring_result ring_append(struct ring_append *append);

/* What tells a thread, under its present name, from others. */
struct ring_writer {
	uint64_t owner; /* tacho_ring_owner() */
	uint64_t name;  /* its pid, and how often its name has changed */
};

/*
 * ring_append_owned() - the same for the portable writer
 * @now: the clock's; it must not be smaller than that of the record before
 *
 * The caller holds the ring's owner word (ring_own()).
 */
enum ring_result ring_append_owned(struct ring_append *append, uint64_t now,
				   const struct ring_writer *writer);

/*
 * ring_own() - become the owner of a ring of the portable writer
 * @me: tacho_ring_owner()
 * @may_call: whether the owner lives may be asked for by a system call
 *
 * Never waits. An owner that no longer lives is replaced.
 * Return: true if the caller owns it now; false if another thread, or this one below a signal
 * handler, does.
 */
bool ring_own(struct tacho_ring *ring, uint64_t me, bool may_call);
void ring_disown(struct tacho_ring *ring);

/* ring_slot_copy() - copy a slot as a whole, or empty @to if interrupted; then it returns 1. */
int ring_slot_copy(struct ring_slot *to, const struct ring_slot *from);

/* From tacho_thread to the thread's rseq area: one load, where __rseq_offset takes two. */
extern int64_t ring_rseq_at __attribute__((visibility("hidden")));

/* ring_rseq_init() - find this process's rseq areas. Return: true if rseq works here. */
bool ring_rseq_init(void);

/* ring_cpu() - the CPU this thread runs on now; UINT32_MAX where rseq does not work. */
uint32_t ring_cpu(void);

/* A channel's rings as a traced program sees them: copied from checked headers. */
struct ring_channel {
	struct tacho_rings *map;
	uint64_t stride;
	uint64_t block_timeout_ns;
	uint32_t ring_count;
	uint32_t subbuf_count;
	uint32_t subbuf_shift;
	uint32_t mode;
	uint32_t clock_kind;
	uint32_t writer_kind;
	uint32_t tag;
};

/* A record to be written. */
struct ring_record {
	uint32_t id;
	uint32_t pid; /* who writes: tacho_thread has only its name */
	uint32_t tid;
	const struct tacho_part *parts;
	uint32_t part_count;
	uint64_t payload_bytes;
	const void *contexts; /* what stands before the parts, TACHO_CONTEXTS_BYTES_MAX at most */
	uint32_t context_bytes;
	/* Made by ring_plan_*(): all before the parts. */
	char prefix[TACHO_WRITER_BYTES_MAX + TACHO_EXTENDED_BYTES + TACHO_CONTEXTS_BYTES_MAX];
};

/*
 * ring_plan_short() - a record with a short header, behind one that the same thread wrote
 * @slot: what it knows; it fits if ring_slot_fits() says so
 *
 * ring_plan_extended() - a record with an extended header behind @head
 * @same_writer: no tacho:writer record is needed, as long as the sub-buffer is the same
 *
 * The caller fills `live` and `live_tag` of @append.
 * Return: 0, or 1 + enum tacho_lost if the record cannot be written (now: FULL).
 */
void ring_plan_short(struct ring_append *append, const struct ring_slot *slot,
		     struct ring_record *record);
int ring_plan_extended(struct ring_append *append, const struct ring_channel *channel, uint32_t cpu,
		       uint64_t head, bool same_writer, struct ring_record *record);
bool ring_slot_fits(const struct ring_slot *slot, const struct ring_record *record);

/* ring_plan_slot() - what the thread knows when @append is done. */
void ring_plan_slot(const struct ring_append *append, const struct ring_channel *channel,
		    struct ring_slot *ret_slot);

/* ring_plan_state() - what the portable writer's ring knows of its last record, as a slot; @head is
 * its head and its state_head. */
void ring_plan_state(const struct ring_channel *channel, uint32_t cpu, uint64_t head,
		     struct ring_slot *ret_slot);

static inline struct tacho_ring *ring_of_cpu(const struct ring_channel *channel, uint32_t cpu)
{
	return (struct tacho_ring *)((char *)channel->map + tacho_ring_at(cpu, channel->stride));
}

#endif
