/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * writer.h - the kernel's writer of a ring: records from any context of one CPU, into the ring of
 * format/ring.h. No lock, no allocation, no atomic read-modify-write, no wait for another CPU.
 *
 *	if (!writer_enter(w))
 *		return;                          counted
 *	payload = writer_begin(w, thread, &format);
 *	if (payload)                             else counted
 *		write exactly so many bytes there
 *	writer_leave(w);
 *
 * with preemption disabled from before writer_enter() until after writer_leave().
 *
 * WHO WRITES WHAT
 *
 *	struct writer             the CPU it belongs to, and nobody else. It is not in the mapped memory:
 *	                          nothing of what decides where is written can be changed from outside.
 *	tacho_ring.head, opened,  the same CPU. They are never believed: `opened` is only raised, and
 *	lost, subbuf; data        head is read once, when the writer is made.
 *	tacho_ring.released       the drain; compared with, no more
 *
 * STATES of a record
 *
 *	                 moved reserved             the outermost left
 *	+-----------+    (cmpxchg_local)   +-----------+   (head = reserved)   +-----------+
 *	| not there | -------------------> | reserved  | --------------------> | exists    |
 *	+-----------+                      +-----------+                       +-----------+
 *	     ^  |                           its writer fills it; who
 *	     +--+                           interrupts appends behind it
 *	   somebody came between: read the clock and try again
 *
 * WHY NO COUNT OF COMMITS. All writers of a ring run on one CPU, and preemption is off: they nest
 * (task, softirq, irq, NMI). Whoever interrupts a writer has left before the interrupted one goes on.
 * So when the outermost leaves, everything below `reserved` is complete, and it may say so by one
 * store of head. An interrupt that comes between its look at `reserved` and its leaving is nested, and
 * does not publish: therefore the outermost looks again after it has left.
 *
 *	leave:   end = reserved;  head = end;  depth = 0;  if reserved != end: depth = 1, again
 *
 * WHY OLD VALUES DO NO HARM. last_ts and thread are stored after the reservation, so an interrupt may
 * find those of an earlier record, or have its own replaced by older ones.
 *	last_ts   is the time of some record before. The clock is read between the look at `reserved` and
 *	          its cmpxchg, so times are in the order of places. If last_ts lies in the window of now, so
 *	          does every record between the two, and a short header is right.
 *	thread    is stored by a context that ran on top of it. Whoever finds an old one runs on top of the
 *	          same thread as the one that was about to store, and writes tacho:writer once more.
 *
 * A SWITCH to sub-buffer k: opened is raised to k + 1 before the cmpxchg, since who interrupts right
 * behind that writes into k. Who won the cmpxchg closes k - 1 and opens k in the table. It may be
 * interrupted by who closes k; these are other words. Sub-buffer k is not opened when its place holds
 * what was not published: interrupts that fill the whole ring on top of one writer lose their records,
 * counted as TACHO_LOST_CONTENDED, not the writer's.
 *
 * BOUNDS. WRITER_DEPTH_MAX contexts of a CPU nest; what comes on top is counted as contended, and so is
 * a record that lost WRITER_TRIES_MAX races. A CPU without a ring starts at the full depth: no test of
 * its own.
 *
 * Progress: wait-free but for interrupts: each repetition of a loop means that a record was written on
 * top.
 *
 * ORDERING, besides the order of one CPU with itself, which barrier() keeps:
 *	writer_switch:A    pairs with read:C   opened before the bytes that overwrite
 *	writer_obstacle:A  pairs with read:E   the drain's copy before the reuse
 *	writer_publish:A   pairs with read:A   bytes and table before the head that makes them exist
 *
 * Includes nothing of the kernel: cpu.h has the operations below, and so has a test, which interrupts at
 * each of them.
 *	cpu_load() cpu_store()            of words that contexts of one CPU share
 *	cpu_exchange_if(p, old, value)    atomic towards interrupts; returns what was there
 *	cpu_increment(p)                  the same
 *	cpu_clock(kind)
 *	cpu_ring_bell(bell)               a sub-buffer was opened: wake the drain if it asked
 */
#ifndef TACHO_KERNEL_WRITER_H
#define TACHO_KERNEL_WRITER_H

#include "format/record.h"
#include "format/ring.h"

struct bell;

#define WRITER_DEPTH_MAX 4
#define WRITER_TRIES_MAX 16
#define WRITER_NONE      (~0ull) /* no position, no time, no thread */

/* Who runs on the CPU. As it stands in tacho:writer, which is little-endian here. */
struct writer_thread {
	uint64_t ids;     /* pid | tid << 32 */
	uint64_t name[2]; /* its bytes, and zeros: one at the end at least */
};

struct writer {
	uint64_t depth; /* contexts of this CPU that are between enter and leave */
	uint64_t
		reserved; /* position behind the last reservation; moved by cpu_exchange_if() only */
	uint64_t published; /* what head says */
	uint64_t last_ts;   /* of a record before; WRITER_NONE: of none */
	uint64_t latest_ts; /* no clock was read before this; kept for CLOCK_MONOTONIC only */
	struct writer_thread thread; /* of a tacho:writer before */
	uint64_t subbuf_mask;
	uint64_t usable; /* bytes of a sub-buffer that records may have */
	uint64_t data_mask;
	uint8_t *data;
	struct tacho_ring *ring; /* NULL: this CPU has none */
	struct bell *bell;       /* NULL: nobody wants to know; changed by who attached the ring */
	uint32_t subbuf_count;
	uint8_t subbuf_shift;
	uint8_t mode;
	uint8_t clock_kind;
	uint64_t lost_without_ring;
};

/* All records of an event. */
struct writer_format {
	uint32_t id;          /* at most TACHO_ID_MEDIUM_MAX */
	uint32_t mark;        /* in the first word of a short header */
	uint32_t short_bytes; /* of a record with a short header */
	uint32_t payload_bytes;
};

/* What is before the payload, and how long it is. */
struct writer_plan {
	bool has_writer;     /* tacho:writer first */
	bool is_short;       /* the first header is */
	uint32_t name_bytes; /* of tacho:writer, with the 0 byte */
	uint32_t bytes;      /* of the record, and of tacho:writer */
};

static inline void writer_lose(struct writer *w, enum tacho_lost reason)
{
	cpu_increment(&w->ring->lost[reason]);
}

static noinline void writer_refuse(struct writer *w)
{
	if (w->ring)
		writer_lose(w, TACHO_LOST_CONTENDED);
	else
		cpu_increment(&w->lost_without_ring);
}

/* Whoever interrupts between load and store has put the same value back. */
static __always_inline bool writer_enter(struct writer *w)
{
	uint64_t depth = cpu_load(&w->depth);

	if (unlikely(depth >= WRITER_DEPTH_MAX)) {
		writer_refuse(w);
		return false;
	}
	cpu_store(&w->depth, depth + 1);
	barrier();
	return true;
}

static __always_inline void writer_publish(struct writer *w, uint64_t end)
{
	cpu_store(&w->published, end);
	/* writer_publish:A (write:B, open:F) pairs with read:A */
	tacho_store_release(&w->ring->head, end);
}

static __always_inline void writer_leave(struct writer *w)
{
	uint64_t depth = cpu_load(&w->depth), end;

	barrier();
	if (unlikely(depth > 1)) {
		cpu_store(&w->depth, depth - 1);
		return;
	}
	for (;;) {
		end = cpu_load(&w->reserved);
		writer_publish(w, end);
		barrier();
		cpu_store(&w->depth, 0);
		barrier();
		if (likely(cpu_load(&w->reserved) == end))
			return;
		cpu_store(&w->depth, 1);
		barrier();
	}
}

static __always_inline uint64_t writer_now(struct writer *w)
{
	uint64_t now = cpu_clock(w->clock_kind);

	if (likely(w->clock_kind == TACHO_CLOCK_COUNTER))
		return now;
	/* The kernel's clock may go back a little for who interrupts its update. */
	if (now < cpu_load(&w->latest_ts))
		now = cpu_load(&w->latest_ts);
	cpu_store(&w->latest_ts, now);
	return now;
}

static __always_inline bool writer_is_same(struct writer *w, struct writer_thread thread)
{
	return cpu_load(&w->thread.ids) == thread.ids &&
	       cpu_load(&w->thread.name[0]) == thread.name[0] &&
	       cpu_load(&w->thread.name[1]) == thread.name[1];
}

/* Is @ts in the window of the record before? */
static __always_inline bool writer_is_short(struct writer *w, uint64_t ts)
{
	return (ts ^ cpu_load(&w->last_ts)) >> TACHO_WINDOW_SHIFT == 0;
}

/* @from is never at the start of a sub-buffer but for 0, where none is open. */
static __always_inline bool writer_has_room(const struct writer *w, uint64_t from, uint64_t bytes)
{
	return ((from - 1) & w->subbuf_mask) + bytes < w->usable;
}

/* Bytes of a name, whose last byte is 0: the first zero byte of a word is the lowest that this marks. */
static __always_inline uint32_t writer_name_bytes(struct writer_thread thread)
{
	uint64_t ones = 0x0101010101010101ull, highs = 0x8080808080808080ull;
	uint64_t zero = (thread.name[0] - ones) & ~thread.name[0] & highs;

	if (zero)
		return (uint32_t)__builtin_ctzll(zero) >> 3;
	zero = (thread.name[1] - ones) & ~thread.name[1] & highs;
	return 8 + ((uint32_t)__builtin_ctzll(zero) >> 3);
}

/* An event behind its tacho:writer has the same time, so its header is short. */
static __always_inline struct writer_plan writer_plan(struct writer_thread thread,
						      const struct writer_format *format,
						      bool has_writer, bool is_short)
{
	struct writer_plan plan = { .has_writer = has_writer, .is_short = is_short };

	if (!has_writer) {
		plan.bytes = is_short ? format->short_bytes :
					TACHO_EXTENDED_BYTES + format->payload_bytes;
		return plan;
	}
	plan.name_bytes = writer_name_bytes(thread) + 1;
	plan.bytes = (is_short ? TACHO_COMPACT_BYTES : TACHO_EXTENDED_BYTES) +
		     (uint32_t)sizeof(thread.ids) + plan.name_bytes + format->short_bytes;
	return plan;
}

/* Raises `opened`; a value that somebody else has put there is as good if it is larger. */
static inline bool writer_announce(struct writer *w, uint64_t opened)
{
	for (int tries = 0; tries < WRITER_TRIES_MAX; tries++) {
		uint64_t before = cpu_load(&w->ring->opened);

		if (before >= opened || cpu_exchange_if(&w->ring->opened, before, opened) == before)
			return true;
	}
	return false;
}

/* Why sub-buffer @number cannot be opened now; TACHO_LOST_REASONS: it can. */
static inline enum tacho_lost writer_obstacle(struct writer *w, uint64_t number, uint64_t bytes)
{
	uint64_t published = cpu_load(&w->published);
	uint64_t kept = published ? tacho_open_subbuf(published, w->subbuf_shift) : 0;

	if (bytes > w->usable)
		return TACHO_LOST_TOO_BIG;
	if (number < w->subbuf_count)
		return TACHO_LOST_REASONS;
	number -= w->subbuf_count;
	/* writer_obstacle:A pairs with read:E */
	if (w->mode != TACHO_MODE_OVERWRITE && number >= tacho_load_acquire(&w->ring->released))
		return TACHO_LOST_FULL;
	return number >= kept ? TACHO_LOST_CONTENDED : TACHO_LOST_REASONS;
}

static inline void writer_close_subbuf(struct writer *w, uint64_t end, uint64_t ts)
{
	uint64_t number = tacho_open_subbuf(end, w->subbuf_shift);
	struct tacho_subbuf *entry = &w->ring->subbuf[number & (w->subbuf_count - 1)];

	cpu_store(&entry->end_ts, ts);
	cpu_store(&entry->content_end, end);
	for (int i = 0; i < TACHO_LOST_REASONS; i++)
		cpu_store(&entry->lost_before_close[i], cpu_load(&w->ring->lost[i]));
}

static inline void writer_open_subbuf(struct writer *w, uint64_t number, uint64_t ts)
{
	struct tacho_subbuf *entry = &w->ring->subbuf[number & (w->subbuf_count - 1)];
	struct bell *bell = cpu_load(&w->bell);

	cpu_store(&entry->begin_ts, ts);
	cpu_store(&entry->subbuf_number, number);
	if (bell)
		cpu_ring_bell(bell);
}

/* Reserves @bytes at the start of the next sub-buffer. Returns their position + 1; 0: the record is
 * lost, and counted; WRITER_NONE: somebody came between. (No sub-buffer starts at either.) */
static noinline uint64_t writer_switch(struct writer *w, uint64_t from, uint64_t bytes, uint64_t ts)
{
	uint64_t number = from ? tacho_open_subbuf(from, w->subbuf_shift) + 1 : 0;
	uint64_t begin = number << w->subbuf_shift;
	enum tacho_lost obstacle = writer_obstacle(w, number, bytes);

	if (obstacle == TACHO_LOST_REASONS && !writer_announce(w, number + 1))
		obstacle = TACHO_LOST_CONTENDED;
	if (obstacle != TACHO_LOST_REASONS) {
		writer_lose(w, obstacle);
		return 0;
	}
	/* writer_switch:A (open:B) pairs with read:C */
	tacho_fence_release();
	if (cpu_exchange_if(&w->reserved, from, begin + bytes) != from)
		return WRITER_NONE;
	if (from)
		writer_close_subbuf(w, from, ts);
	writer_open_subbuf(w, number, ts);
	return begin + 1;
}

/* The first @bytes of a name, 1 to 16, and no more. */
static __always_inline uint8_t *writer_put_bytes(uint8_t *at, struct writer_thread thread,
						 uint32_t bytes)
{
	uint64_t rest = thread.name[0];

	if (bytes >= 8) {
		__builtin_memcpy(at, &thread.name[0], 8);
		at += 8;
		bytes -= 8;
		rest = thread.name[1];
	}
	if (bytes & 8) {
		__builtin_memcpy(at, &rest, 8);
		return at + 8;
	}
	if (bytes & 4) {
		__builtin_memcpy(at, &rest, 4);
		at += 4;
		rest >>= 32;
	}
	if (bytes & 2) {
		__builtin_memcpy(at, &rest, 2);
		at += 2;
		rest >>= 16;
	}
	if (bytes & 1)
		*at++ = (uint8_t)rest;
	return at;
}

/*
 * A name is stored with all its 16 bytes where the record is long enough for them: what is too much is
 * then written over by what follows. Never beyond @end: there may be another's record.
 */
static __always_inline uint8_t *writer_put_name(uint8_t *at, struct writer_thread thread,
						uint32_t bytes, const uint8_t *end)
{
	if (likely(at + sizeof(thread.name) <= end)) {
		__builtin_memcpy(at, &thread.name[0], 8);
		__builtin_memcpy(at + 8, &thread.name[1], 8);
		return at + bytes;
	}
	return writer_put_bytes(at, thread, bytes);
}

static __always_inline uint8_t *writer_put_extended(uint8_t *at, uint32_t id, uint64_t ts)
{
	*at = TACHO_ID_EXTENDED;
	__builtin_memcpy(at + TACHO_EXTENDED_ID, &id, sizeof(id));
	__builtin_memcpy(at + TACHO_EXTENDED_TS, &ts, sizeof(ts));
	return at + TACHO_EXTENDED_BYTES;
}

static __always_inline uint8_t *writer_put_word(uint8_t *at, uint32_t mark, uint64_t ts)
{
	uint32_t word = tacho_header_word(ts, mark);

	__builtin_memcpy(at, &word, sizeof(word));
	return at + sizeof(word);
}

static __always_inline uint8_t *writer_put_short(uint8_t *at, const struct writer_format *format,
						 uint64_t ts)
{
	uint16_t id = (uint16_t)format->id;

	at = writer_put_word(at, format->mark, ts);
	if (likely(format->mark != TACHO_ID_MEDIUM))
		return at;
	__builtin_memcpy(at, &id, sizeof(id));
	return at + sizeof(id);
}

/* Writes what stands before the payload, and returns where that goes. */
static __always_inline uint8_t *writer_put_headers(struct writer *w, struct writer_thread thread,
						   const struct writer_format *format,
						   struct writer_plan plan, uint64_t ts,
						   uint8_t *at)
{
	const uint8_t *end = at + plan.bytes;

	cpu_store(&w->last_ts, ts);
	if (!plan.has_writer)
		return plan.is_short ? writer_put_short(at, format, ts) :
				       writer_put_extended(at, format->id, ts);
	cpu_store(&w->thread.ids, thread.ids);
	cpu_store(&w->thread.name[0], thread.name[0]);
	cpu_store(&w->thread.name[1], thread.name[1]);
	at = plan.is_short ? writer_put_word(at, TACHO_ID_WRITER, ts) :
			     writer_put_extended(at, TACHO_ID_WRITER, ts);
	__builtin_memcpy(at, &thread.ids, sizeof(thread.ids));
	at = writer_put_name(at + sizeof(thread.ids), thread, plan.name_bytes, end);
	return writer_put_short(at, format, ts);
}

/* Any record, at any place. (A structure would go over the stack.) */
static noinline uint8_t *writer_begin_any(struct writer *w, const struct writer_format *format,
					  uint64_t ids, uint64_t name, uint64_t name_end)
{
	struct writer_thread thread = { .ids = ids, .name = { name, name_end } };

	for (int tries = 0; tries < WRITER_TRIES_MAX; tries++) {
		uint64_t from = cpu_load(&w->reserved);
		uint64_t ts = writer_now(w);
		bool has_writer = !writer_is_same(w, thread);
		struct writer_plan plan =
			writer_plan(thread, format, has_writer, writer_is_short(w, ts));
		uint64_t begin = from;

		if (likely(writer_has_room(w, from, plan.bytes))) {
			if (unlikely(cpu_exchange_if(&w->reserved, from, from + plan.bytes) !=
				     from))
				continue;
		} else {
			plan = writer_plan(thread, format, true, false);
			begin = writer_switch(w, from, plan.bytes, ts);
			if (begin == WRITER_NONE)
				continue;
			if (!begin)
				return NULL;
			begin--;
		}
		return writer_put_headers(w, thread, format, plan, ts,
					  w->data + (begin & w->data_mask));
	}
	writer_lose(w, TACHO_LOST_CONTENDED);
	return NULL;
}

/* The usual record of a thread that was not the last one. */
static __always_inline uint8_t *writer_begin_thread(struct writer *w, struct writer_thread thread,
						    const struct writer_format *format)
{
	struct writer_plan plan = writer_plan(thread, format, true, true);
	uint64_t from = cpu_load(&w->reserved);
	uint64_t ts = writer_now(w);

	if (unlikely(!writer_is_short(w, ts) || !writer_has_room(w, from, plan.bytes) ||
		     cpu_exchange_if(&w->reserved, from, from + plan.bytes) != from))
		return writer_begin_any(w, format, thread.ids, thread.name[0], thread.name[1]);
	return writer_put_headers(w, thread, format, plan, ts, w->data + (from & w->data_mask));
}

/*
 * writer_begin() - room for a record, and its header
 * @thread: who runs on this CPU
 * @format: whose payload_bytes the caller is going to write, all of them
 *
 * Return: where the payload goes; NULL: the record is lost, and counted.
 */
static __always_inline uint8_t *writer_begin(struct writer *w, struct writer_thread thread,
					     const struct writer_format *format)
{
	uint64_t from, ts;

	if (unlikely(!writer_is_same(w, thread)))
		return writer_begin_thread(w, thread, format);
	from = cpu_load(&w->reserved);
	ts = writer_now(w);
	if (unlikely(!writer_is_short(w, ts) || !writer_has_room(w, from, format->short_bytes) ||
		     cpu_exchange_if(&w->reserved, from, from + format->short_bytes) != from))
		return writer_begin_any(w, format, thread.ids, thread.name[0], thread.name[1]);
	cpu_store(&w->last_ts, ts);
	return writer_put_short(w->data + (from & w->data_mask), format, ts);
}

static inline void writer_format_init(struct writer_format *format, uint32_t id,
				      uint32_t payload_bytes)
{
	bool is_compact = id <= TACHO_ID_COMPACT_MAX;

	format->id = id;
	format->mark = is_compact ? id : TACHO_ID_MEDIUM;
	format->short_bytes =
		(is_compact ? TACHO_COMPACT_BYTES : TACHO_MEDIUM_BYTES) + payload_bytes;
	format->payload_bytes = payload_bytes;
}

/* Can a writer go on behind this head? It was written by whoever had the file before. */
static inline bool writer_may_resume(const struct writer *w, uint64_t head, uint64_t opened)
{
	uint64_t number;

	if (!head)
		return opened <= 1;
	number = tacho_open_subbuf(head, w->subbuf_shift);
	return head >> 62 == 0 && opened > number && opened - number <= 2 &&
	       ((head - 1) & w->subbuf_mask) < w->usable;
}

/*
 * writer_init() - a writer of this ring, which nobody writes to now
 * @h: the ring file's header, sane, with a power of two of sub-buffers; a copy that nobody changes
 * @ring: NULL: the CPU has none
 *
 * Return: false if the ring makes no sense.
 */
static inline bool writer_init(struct writer *w, const struct tacho_rings *h,
			       struct tacho_ring *ring)
{
	uint64_t head = ring ? tacho_load_relaxed(&ring->head) : 0;

	*w = (struct writer){
		.depth = ring ? 0 : WRITER_DEPTH_MAX,
		.reserved = head,
		.published = head,
		.last_ts = WRITER_NONE,
		.thread.ids = WRITER_NONE,
		.subbuf_mask = (1ull << h->subbuf_shift) - 1,
		.usable = (1ull << h->subbuf_shift) - TACHO_SLACK_BYTES,
		.data_mask = ((uint64_t)h->subbuf_count << h->subbuf_shift) - 1,
		.data = ring ? (uint8_t *)ring + TACHO_RING_CONTROL_BYTES : NULL,
		.ring = ring,
		.subbuf_count = h->subbuf_count,
		.subbuf_shift = (uint8_t)h->subbuf_shift,
		.mode = (uint8_t)h->mode,
		.clock_kind = (uint8_t)h->clock_kind,
	};
	return !ring || writer_may_resume(w, head, tacho_load_relaxed(&ring->opened));
}

#endif
