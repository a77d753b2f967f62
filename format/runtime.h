/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * runtime.h - the runtime directory: all state of Tacho is files in it, and `ls` shows it.
 *
 *      /dev/shm/tacho-UID/              0700, made by whoever comes first; TACHO_RUNTIME_DIR moves it
 *        apps/PID.STARTTIME             registry of one process: its events, one state word each
 *        sessions/NAME/session          a session: its rules, channels, state (session.h); 0600
 *        sessions/NAME/events           its event table: what the ids in its rings mean
 *        sessions/NAME/triggers         which of its triggers were hit (trigger.h)
 *        sessions/NAME/CHANNEL.rings    rings (ring.h), restartable writers
 *        sessions/NAME/CHANNEL.shards   rings, portable writers; both, and `events`, may be links to
 *                                       files of this name in tacho_session.shm_path
 *        sessions/NAME/session.copy     such a link only: what `session` says, for `tacho recover`
 *        sessions/NAME/unrecorded       text, a line per program that cannot be recorded: its pid,
 *                                       a word that says why, and libtacho's version
 *        slots/N                        symbolic link to ../sessions/NAME: slot N is taken
 *        current                        symbolic link to sessions/NAME: the session that commands
 *                                       mean which name none
 *
 * NAME and CHANNEL are escaped: each byte that is '/', '%', below 0x20 or 0x7f, and a first '.',
 * becomes %XX. STARTTIME is field 22 of /proc/PID/stat, and PID is as seen in the process's own
 * pid namespace.
 *
 * A session has a SLOT, 0 .. 30, while it exists. Bit N of an event's state word says that the
 * session in slot N records the event. A traced program finds a session by the link slots/N.
 *
 * WHO SETS A BIT, without a lock and without missing one:
 *
 *      tool (enable, start):                    program (start, dlopen):
 *      en:A  write rules, state into session    reg:A  event_count, description, desc_at
 *      en:B  --- full fence ---                 reg:B  --- full fence ---
 *      en:C  walk all of apps, set bits        reg:C  read the sessions, set bits
 *
 *      en:D  (nothing)                          reg:D  --- full fence ---
 *                                               reg:E  generation as before reg:C? else again
 *
 *      pairs: en:B with reg:B. Whichever comes second sees what the other wrote (the usual
 *      store-then-load argument), so at least one sets the bit. en:B with reg:D: a program that
 *      set a bit by rules which no longer hold sees the new generation and looks again, or the
 *      tool sees the bit and clears it. Bits change by atomic or and atomic and.
 *
 *      A tool that sets a bit, or changes a rule that an event with a bit matches, sets
 *      TACHO_STATE_STALE with it: the slot may have had another session before, which the program
 *      still maps.
 *
 * The rules that an event must match, and which channel it goes to, are in the session file
 * (session.h); the program looks them up once per event and session, when it first hits the event,
 * and caches the route until `generation` changes.
 */
#ifndef TACHO_FORMAT_RUNTIME_H
#define TACHO_FORMAT_RUNTIME_H

#include "port.h"
#include "record.h"

#define TACHO_SLOTS 31
/* Bit of a state word: what the program knows of the event is stale. Set while the event's object
 * is not registered yet, and by a tool that changed a rule which matches the event. The next hit
 * clears it and looks everything up again. */
#define TACHO_STATE_STALE (1u << 31)

/*
 * A FAMILY is a program that `tacho record` started, and its descendants: the environment variable
 * TACHO_FAMILY has the family's number in hexadecimal, behind a ':' those of families further up. A
 * session may record one family only.
 */
#define TACHO_FAMILY_VARIABLE "TACHO_FAMILY"
#define TACHO_FAMILIES_MAX    4

/* Why a program wrote a line into it. The file has a page from the beginning, so that this works
 * when nothing else has room. */
#define TACHO_UNRECORDED_FILE     "unrecorded"
#define TACHO_UNRECORDED_BYTES    4096
#define TACHO_UNRECORDED_VERSION  "version"  /* the session is of another version of Tacho */
#define TACHO_UNRECORDED_REGISTRY "registry" /* its registry could not be made */
#define TACHO_UNRECORDED_MAP      "map"      /* the session could not be mapped */
#define TACHO_UNRECORDED_CONFINED "confined" /* mapping it takes system calls, which it gave up */

#define TACHO_SESSION_NAME_BYTES 256 /* unescaped, with its 0 byte */
#define TACHO_CHANNEL_NAME_BYTES 64
#define TACHO_PATTERN_BYTES      512
#define TACHO_PATH_BYTES         4096
/* The runtime directory's path is short, since paths in it are put together on small stacks. */
#define TACHO_RUNTIME_PATH_BYTES 512

/*
 * ---- apps/PID.STARTTIME: struct tacho_registry ------------------------------------------------
 *
 *      0          2048                                       descriptions
 *      +---------+------------------------------------------+----------------------+
 *      | header  | struct tacho_registry_event [131072]     | struct tacho_desc .. |
 *      +---------+------------------------------------------+----------------------+
 *
 * The file is sparse; the program allocates pages before it touches them. A small program has two:
 * one of header and events, one of descriptions. Event i is below event_count, which an atomic add
 * hands out.
 *
 * The file is made under its name, since its magic is what comes last (made:A, release): a tool that
 * does not see it (made:B, acquire) passes the file over, as it would have if it had come earlier.
 */
#define TACHO_REGISTRY_MAGIC     0x79727473676572ull
#define TACHO_REGISTRY_VERSION   4
#define TACHO_REGISTRY_EVENTS    131072
#define TACHO_REGISTRY_EVENTS_AT 2048
#define TACHO_REGISTRY_DESCS_AT  (4096 + 8 * TACHO_REGISTRY_EVENTS)
#define TACHO_REGISTRY_BYTES     (32u << 20)
#define TACHO_ANCESTORS_MAX      64

struct tacho_registry {
	uint64_t magic;
	uint32_t version;
	uint32_t library_version; /* major << 16 | minor << 8 | patch of libtacho */
	uint32_t pid;             /* as the program sees itself */
	uint32_t uid;
	uint64_t start_time;      /* field 22 of /proc/PID/stat */
	uint64_t pid_namespace;   /* inode of /proc/self/ns/pid */
	uint32_t event_count;     /* indices handed out */
	uint32_t events_refused;  /* events that did not fit or were malformed */
	uint64_t next_byte;       /* of the file: where the next description goes */
	uint64_t allocated_bytes; /* from TACHO_REGISTRY_DESCS_AT to here pages exist */
	uint64_t allocated_events; /* so many events have pages; a tool touches no state word beyond */
	uint64_t family[TACHO_FAMILIES_MAX]; /* that the program is of; 0: no more */
	uint64_t attach_failures; /* sessions that could not be mapped: how often that was tried */
	uint64_t lost_without_ring; /* records lost since their session could not be mapped */
	uint32_t gid;
	uint32_t ancestors_known; /* 1 + how many there are of ancestor[]; 0: nobody has looked yet.
				   * By the program or a tool, once (base/ancestors.h) */
	uint32_t ancestor[TACHO_ANCESTORS_MAX]; /* pids: its parent, then that one's, and so on */
	char executable[1024];    /* /proc/PID/exe, cut if longer */
	/* Bit N: the session in slot N could not be mapped, and TACHO_UNRECORDED_FILE could not be
	 * opened to say so: no descriptor was free. The next tool clears it, and says it. A program
	 * leaves its registry behind with it. */
	uint32_t unnoted_slots;
	/* The same: it had given up system calls before it should have mapped the session. */
	uint32_t confined_slots;
};
TACHO_STATIC_ASSERT(sizeof(struct tacho_registry) <= TACHO_REGISTRY_EVENTS_AT,
		    "layout of struct tacho_registry");

struct tacho_registry_event {
	uint32_t state;   /* tools and the program: or, and */
	uint32_t desc_at; /* byte of the file (release; it publishes the event); 0: not published yet */
};
/* In desc_at, which is a multiple of 8: the event's object was unloaded. Nobody but its program looks at
 * the description then, to use its place again, once its state word is cleared. */
#define TACHO_REGISTRY_DROPPED 1u
#define TACHO_REGISTRY_CLEARED 2u

/*
 * ---- sessions/NAME/events: struct tacho_events ------------------------------------------------
 *
 *      0         4096            entry[]         more_bucket[]         descriptions
 *      +--------+---------------+---------------+---------------------+----------------------+
 *      | header | bucket[32768] | entry[262144] | more_bucket[262144] | tacho_event_class .. |
 *      +--------+---------------+---------------+---------------------+----------------------+
 *
 * The file is sparse: entries have memory up to allocated_ids, descriptions up to allocated_bytes,
 * more_bucket[] only if has_more_buckets is not 0. Whoever needs more allocates it, then says so.
 *
 * An id means a description, and with which contexts: where a channel gets another context, its
 * events get other ids, and records without it, which are in the rings already, keep theirs.
 *
 * Grows only. Written by traced programs, wait-free, none waiting for another:
 *
 *      find    look from tacho_event_bucket() on, at most TACHO_BUCKET_PROBES places, for an id
 *              whose contexts and description have the same bytes; an empty bucket ends the search.
 *              All probed taken: the same in more_bucket[]
 *      add:A   id = next_id++, at = next_byte += bytes     (both atomic; too large: no memory)
 *      add:B   copy contexts and description to `at`
 *      add:C   entry[id] = at                              (release: publishes it)
 *      add:D   compare and exchange an empty bucket to id; all probed taken: leave it out
 *      pairs:  add:C with every reader's load of entry[id] (acquire)
 *
 * Two programs that add the same event at the same time get two ids for it: that is legal, and a
 * program killed between add:A and add:C leaves an id without a description that no record uses.
 * An id is in a record only after add:C, and a drain reads heads before it reads entries, so it
 * knows every id of the records it copies.
 */
#define TACHO_EVENTS_MAGIC       0x73746e657665ull
#define TACHO_EVENTS_VERSION         3
#define TACHO_EVENT_IDS              262144
#define TACHO_EVENT_BUCKETS          32768
#define TACHO_EVENT_MORE_BUCKETS     262144
#define TACHO_BUCKET_PROBES          64
#define TACHO_EVENTS_BUCKETS_AT      4096
#define TACHO_EVENTS_ENTRIES_AT      (TACHO_EVENTS_BUCKETS_AT + 4 * TACHO_EVENT_BUCKETS)
#define TACHO_EVENTS_MORE_BUCKETS_AT (TACHO_EVENTS_ENTRIES_AT + 4 * TACHO_EVENT_IDS)
#define TACHO_EVENTS_DESCS_AT        (TACHO_EVENTS_MORE_BUCKETS_AT + 4 * TACHO_EVENT_MORE_BUCKETS)
#define TACHO_EVENTS_BYTES           (TACHO_EVENTS_DESCS_AT + (48u << 20))
/* Allocated at create, from the beginning and of the descriptions. */
#define TACHO_EVENTS_FIRST_IDS   4096
#define TACHO_EVENTS_FIRST_HEAD  (TACHO_EVENTS_ENTRIES_AT + 4 * TACHO_EVENTS_FIRST_IDS)
#define TACHO_EVENTS_FIRST_DESCS (256u << 10)

struct tacho_events {
	uint64_t magic;
	uint32_t version;
	uint32_t next_id;         /* starts with TACHO_ID_FIRST */
	uint64_t next_byte;       /* starts with TACHO_EVENTS_DESCS_AT */
	uint64_t allocated_bytes; /* of the file: there, descriptions end that have memory */
	uint64_t instance;        /* tacho_session.instance */
	uint64_t allocated_ids;
	uint32_t has_more_buckets;
};

#define TACHO_CLASS_KERNEL (1ull << 63) /* in place of contexts: its records are of the kernel */

struct tacho_event_class {
	uint64_t contexts;      /* bit N: its records begin with enum tacho_context N (session.h) */
	struct tacho_desc desc; /* which goes on behind this struct */
};
TACHO_STATIC_ASSERT(sizeof(struct tacho_event_class) == 48, "layout of struct tacho_event_class");

/* Modulo the number of buckets. */
static inline uint64_t tacho_event_bucket(uint64_t contexts, uint64_t desc_hash)
{
	return desc_hash ^ contexts * 0x9e3779b97f4a7c15ull;
}

#endif
