/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * ring.h - THE ring: what a channel's shared memory looks like and who may write what when.
 *
 * THE FILE
 *
 * One file per channel of a session holds one ring per CPU, at a fixed stride:
 *
 *      0                 TACHO_RINGS_HEADER_BYTES
 *      +----------------+-------------------------------+-------------------------------+---
 *      | struct         | ring 0                        | ring 1                        |
 *      | tacho_rings    | control    | data             | control    | data             | ...
 *      +----------------+-------------------------------+-------------------------------+---
 *                       |<---------- stride ----------->|
 *                       |<-control ->|<- n sub-buffers->|
 *                         _BYTES
 *
 * The file is sparse; a ring exists once its bytes are allocated and its bit in
 * tacho_rings.allocated is set; before that nobody touches it, since a hole of a full tmpfs kills
 * whoever does. A ring is written either by restartable sequences (TACHO_WRITER_RSEQ: its CPU owns
 * it), under its owner word (TACHO_WRITER_PORTABLE: whoever holds the word owns it), or by the kernel
 * module (TACHO_WRITER_KERNEL), never by two of them; the header says which, for the whole file.
 *
 * POSITIONS
 *
 * A position counts the bytes of a ring since its creation, in 64 bits: it runs freely and never
 * comes back. With sub-buffers of 2^s bytes, n of them,
 *
 *      sub-buffer number   k      = position >> s
 *      its place           slot   = k % n
 *      address                      data + (slot << s) + (position & (2^s - 1))
 *
 *      head      the position behind the last record. ONE store of head commits a record: bytes
 *                at or behind head do not exist. A ring that nothing was written to has head 0.
 *      opened    numbers below it may have been, or be in the middle of being, opened. Sub-buffer
 *                k holds what it says only while  opened <= k + n.
 *      released  numbers below it were copied out by the drain and may be reused (discard and
 *                blocking mode only).
 *
 * Sub-buffer k = (head - 1) >> s is open; all before it are closed. The last
 * TACHO_SLACK_BYTES of a sub-buffer are never part of a record: a writer may store that far
 * beyond the end of its record.
 *
 * STATES of the place of sub-buffer k
 *
 *                     close k, open k+1                open k+n begins
 *      +--------+     (one commit)       +----------+  (opened = k+n+1)    +-----------+
 *      |  open  | ---------------------> |  closed  | -------------------> |  garbage  |
 *      +--------+                        +----------+                      +-----------+
 *        grows by commits                  complete; entry k%n               bytes of k+n appear
 *                                          of the table is right             in any order
 *
 * A discard or blocking channel makes the last step only once released > k; else the record is
 * not written but counted in lost[TACHO_LOST_FULL].
 *
 * WRITER, in a restartable section of the CPU that owns the ring (or holding the owner word). All
 * stores but the last are idempotent or invisible, so being restarted or killed between any two of
 * them changes nothing that a reader believes:
 *
 *      append(record):
 *              new = head + size
 *              if new > end of the open sub-buffer - slack:          switch, see below
 *      write:A store the record's bytes at head                      (nobody looks there)
 *      write:B head = new                                            (release)
 *
 *      switch from k to k+1, then the record:
 *              if k + 1 - n >= released:                             (acquire) lost[FULL]++, drop
 *      open:A  opened = max(opened, k+2)
 *      open:B  --- store fence ---
 *      open:C  table[k % n]: content_end = head, end_ts, lost        (close k)
 *      open:D  table[(k+1) % n]: number, begin_ts                    (open k+1)
 *      open:E  tacho:writer and the record at (k+1) << s
 *      open:F  head = ((k+1) << s) + size of both                    (release)
 *
 *      (Closing k rewrites its entry when the section restarts: head has not moved, so the values
 *      are the same but for end_ts, which only grows.)
 *
 * READER (a drain or a snapshot), any process, any time, without a lock:
 *
 *      read:A  h = head                                              (acquire)
 *              the sub-buffers k with  h's k - n < k <= h's k  may be read; the open one up to h
 *      read:B  copy table entry and bytes
 *      read:C  --- load fence ---
 *      read:D  if opened > k + n: what was copied is garbage, drop it
 *      read:E  (discard mode) released = k + 1                       (release)
 *
 * ORDERING, in pairs:
 *
 *      write:B / open:F  with read:A   the record's bytes and table entry before the head that
 *                                      makes them exist
 *      open:B            with read:C   opened before the bytes that overwrite, and bytes before
 *                                      opened: a reader that got a new byte sees opened move
 *      read:E            with open     the drain's copy before the writer's reuse
 *
 * THE KERNEL'S WRITER cannot be restarted: an interrupt or an NMI that hits a writer between its
 * reservation and its commit records its own events behind it, and leaves before the writer goes on.
 * That strict order is what makes `head` mean the same: only the outermost writer of a CPU moves it,
 * when it leaves, behind everything that was reserved, since whatever interrupted it has committed by
 * then. So below head there is never a hole, and the reader needs no count of commits. Where the
 * writer reserves is its own business, in memory of its own (kernel/writer.h); here it stores
 * open:A,B before it reserves, and open:C,D behind it. For it the number of sub-buffers is a power
 * of two, and the bytes behind a record may be another's already: it stores no byte beyond its own.
 *
 * Progress: writers of an rseq ring are wait-free but for restarts by the scheduler; readers are
 * wait-free. A blocking channel waits, at most as long as its timeout, for the drain.
 *
 * LOSS is counted where it happens, by reason, in 64 bits that never go back. Counters are added
 * to with an atomic add: losing is rare, and any party may have to count.
 */
#ifndef TACHO_FORMAT_RING_H
#define TACHO_FORMAT_RING_H

#include "port.h"

#define TACHO_RINGS_MAGIC   0x736f6863617473ull
#define TACHO_RINGS_VERSION 1

#define TACHO_RINGS_HEADER_BYTES 4096
#define TACHO_RING_CONTROL_BYTES 8192
#define TACHO_SUBBUFS_MIN        4
#define TACHO_SUBBUFS_MAX        64
#define TACHO_SUBBUF_SHIFT_MIN   12
#define TACHO_SUBBUF_SHIFT_MAX   30
#define TACHO_SLACK_BYTES        32
#define TACHO_RING_BYTES_MIN     (TACHO_SUBBUFS_MIN << TACHO_SUBBUF_SHIFT_MIN)
#define TACHO_RING_BYTES_MAX     (1ull << 34)
#define TACHO_RING_BYTES_DEFAULT (4ull << 20)
#define TACHO_CPUS_MAX           4096

/* What happens to a record when the ring is full. */
enum tacho_mode {
	TACHO_MODE_DISCARD = 0,   /* it is lost, and counted */
	TACHO_MODE_OVERWRITE = 1, /* the oldest sub-buffer is: a flight recorder */
	TACHO_MODE_BLOCK = 2,     /* wait for the drain, at most block_timeout_ns; then discard */
};

enum tacho_writer_kind {
	TACHO_WRITER_RSEQ = 0,
	TACHO_WRITER_PORTABLE = 1,
	TACHO_WRITER_KERNEL = 2, /* the kernel module: see below, "THE KERNEL'S WRITER" */
	TACHO_WRITER_KIND_MAX = 2,
};

/* Where timestamps come from. */
enum tacho_clock_kind {
	TACHO_CLOCK_COUNTER = 0,   /* the CPU's counter: TSC, CNTVCT */
	TACHO_CLOCK_MONOTONIC = 1, /* CLOCK_MONOTONIC, in nanoseconds */
};

/* Why a record was lost. */
enum tacho_lost {
	TACHO_LOST_FULL = 0,      /* the drain was too slow (discard, blocking) */
	TACHO_LOST_TOO_BIG = 1,   /* larger than a sub-buffer */
	TACHO_LOST_NO_MEMORY = 2, /* the ring or the event's description could not be allocated */
	TACHO_LOST_CONTENDED = 3, /* the writer was interrupted, or the ring owned, again and again;
				   * or it was a child of vfork() that has no rseq, or the program
				   * must not read the clock any more */
	TACHO_LOST_REASONS = 4,
};

/* A closed, or the open, sub-buffer. Written by the ring's writer (open:C, open:D). */
struct tacho_subbuf {
	uint64_t subbuf_number; /* k */
	uint64_t begin_ts;      /* clock of its first record */
	uint64_t end_ts;        /* clock when it was closed */
	uint64_t content_end;   /* position behind its last record, when closed */
	uint64_t lost_before_close[TACHO_LOST_REASONS]; /* the ring's lost[] when it was closed */
};
TACHO_STATIC_ASSERT(sizeof(struct tacho_subbuf) == 64, "layout of struct tacho_subbuf");

/*
 * The control block of one ring.
 *
 *      0     head, opened, owner, ...    written by the ring's writer
 *      128   lost[]                      added to by anyone who loses a record
 *      256   released                    written by the drain
 *      4096  the table of sub-buffers    written by the ring's writer
 */
struct tacho_ring {
	uint64_t head;
	uint64_t opened;
	/* The portable writer's: who owns the ring now (tacho_ring_owner(), 0 for nobody), and what
	 * is known of the last record if state_head == head; anything else means "unknown". */
	uint64_t owner;
	uint64_t state_head;
	uint64_t state_ts;
	uint64_t state_writer; /* its tacho_ring_owner() */
	uint64_t state_name;   /* its pid and more: only the portable writer compares it */
	uint8_t pad0[TACHO_LINE_BYTES - 7 * 8];

	uint64_t lost[TACHO_LOST_REASONS];
	uint8_t pad1[TACHO_LINE_BYTES - TACHO_LOST_REASONS * 8];

	uint64_t released;
	uint32_t release_futex; /* changes with released: blocked writers wait for it */
	uint8_t pad2[4096 - 2 * TACHO_LINE_BYTES - 12];

	struct tacho_subbuf subbuf[TACHO_SUBBUFS_MAX];
};
TACHO_STATIC_ASSERT(offsetof(struct tacho_ring, lost) == 128, "layout of struct tacho_ring");
TACHO_STATIC_ASSERT(offsetof(struct tacho_ring, released) == 256, "layout of struct tacho_ring");
TACHO_STATIC_ASSERT(offsetof(struct tacho_ring, subbuf) == 4096, "layout of struct tacho_ring");
TACHO_STATIC_ASSERT(sizeof(struct tacho_ring) == TACHO_RING_CONTROL_BYTES,
		    "layout of struct tacho_ring");

/* The head of a ring file. Written once, by who creates it, before the session's file names the
 * channel; but for `unattributed`, where a record is counted that was lost before its ring was
 * known, and `allocated`, a bit per ring, set (release) by whoever has allocated its bytes. */
struct tacho_rings {
	uint64_t magic;
	uint32_t version;
	uint32_t writer_kind;      /* enum tacho_writer_kind */
	uint64_t session_instance; /* whose it is: tacho_session.instance */
	uint32_t ring_count;       /* one per possible CPU */
	uint32_t subbuf_count;     /* n */
	uint32_t subbuf_shift;     /* s */
	uint32_t mode;             /* enum tacho_mode */
	uint64_t stride;           /* bytes from ring to ring, a multiple of 4096 */
	uint64_t block_timeout_ns; /* UINT64_MAX: for ever */
	uint32_t clock_kind;       /* enum tacho_clock_kind */
	uint32_t reserved;
	uint64_t unattributed[TACHO_LOST_REASONS];
	uint64_t allocated[TACHO_CPUS_MAX / 64];
};
TACHO_STATIC_ASSERT(sizeof(struct tacho_rings) <= TACHO_RINGS_HEADER_BYTES,
		    "layout of struct tacho_rings");

/*
 * A thread as an owner: the inode of its pid namespace, which fits, as that of no two at a time is the
 * same; and its id in there. Programs of several containers may share a session, and a pid alone
 * would mean another one's thread, or none. Whether an owner lives only those of its namespace can ask
 * the kernel; to all others it does. Namespace 0 is one that is not known: it always lives.
 */
static inline uint64_t tacho_ring_owner(uint64_t pid_namespace, uint32_t tid)
{
	return (pid_namespace & 0xffffffffu) << 32 | tid;
}

static inline uint64_t tacho_subbuf_of(uint64_t position, uint32_t shift)
{
	return position >> shift;
}

/* The number of the open sub-buffer of a ring with this head, which is not 0. */
static inline uint64_t tacho_open_subbuf(uint64_t head, uint32_t shift)
{
	return (head - 1) >> shift;
}

static inline uint64_t tacho_rings_file_bytes(uint32_t ring_count, uint64_t stride)
{
	return TACHO_RINGS_HEADER_BYTES + ring_count * stride;
}

static inline uint64_t tacho_ring_at(uint32_t cpu, uint64_t stride)
{
	return TACHO_RINGS_HEADER_BYTES + cpu * stride;
}

/* Where sub-buffer number k's bytes are, counted from the ring's control block. */
static inline uint64_t tacho_subbuf_at(uint64_t number, uint32_t count, uint32_t shift)
{
	return TACHO_RING_CONTROL_BYTES + ((number % count) << shift);
}

/* Does a file of so many bytes with this head make sense? Nothing in it can be trusted otherwise. */
static inline int tacho_rings_are_sane(const struct tacho_rings *h, uint64_t file_bytes)
{
	return h->magic == TACHO_RINGS_MAGIC && h->version == TACHO_RINGS_VERSION &&
	       h->ring_count >= 1 && h->ring_count <= TACHO_CPUS_MAX &&
	       h->subbuf_count >= TACHO_SUBBUFS_MIN && h->subbuf_count <= TACHO_SUBBUFS_MAX &&
	       h->subbuf_shift >= TACHO_SUBBUF_SHIFT_MIN &&
	       h->subbuf_shift <= TACHO_SUBBUF_SHIFT_MAX && h->mode <= TACHO_MODE_BLOCK &&
	       h->writer_kind <= TACHO_WRITER_KIND_MAX && h->clock_kind <= TACHO_CLOCK_MONOTONIC &&
	       h->stride == TACHO_RING_CONTROL_BYTES +
				    ((uint64_t)h->subbuf_count << h->subbuf_shift) &&
	       file_bytes >= tacho_rings_file_bytes(h->ring_count, h->stride);
}

#endif
