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
 *      en:A  write rules, state into session    reg:A  event_count, description, desc_at[]
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
 *      0          4096                      desc_at[]                 descriptions
 *      +---------+-------------------------+-------------------------+----------------------+
 *      | header  | state[65536]            | desc_at[65536]          | struct tacho_desc .. |
 *      +---------+-------------------------+-------------------------+----------------------+
 *                 tools: or, and; program:   program                   program
 *                 or, and
 *
 * The file is sparse; the program allocates pages before it touches them. Event i has the state
 * word state[i] and the description at byte desc_at[i] of the file (release; it publishes the
 * event). desc_at[i] == 0: not published yet, or the event's object was unloaded. i is below
 * event_count, which an atomic add hands out.
 */
#define TACHO_REGISTRY_MAGIC    0x79727473676572ull
#define TACHO_REGISTRY_VERSION  3
#define TACHO_REGISTRY_EVENTS   65536
#define TACHO_REGISTRY_STATE_AT 4096
#define TACHO_REGISTRY_INDEX_AT (TACHO_REGISTRY_STATE_AT + 4 * TACHO_REGISTRY_EVENTS)
#define TACHO_REGISTRY_DESCS_AT (TACHO_REGISTRY_INDEX_AT + 4 * TACHO_REGISTRY_EVENTS)
#define TACHO_REGISTRY_BYTES    (32u << 20)
#define TACHO_ANCESTORS_MAX     64

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
	uint64_t allocated_events; /* of state[] and desc_at[] so many have pages; a tool touches no
				    * state word beyond */
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
TACHO_STATIC_ASSERT(sizeof(struct tacho_registry) <= TACHO_REGISTRY_STATE_AT,
		    "layout of struct tacho_registry");

/*
 * ---- sessions/NAME/events: struct tacho_events ------------------------------------------------
 *
 *      0         4096                       entry[]                   descriptions
 *      +--------+--------------------------+-------------------------+----------------------+
 *      | header | bucket[32768]            | entry[65536]            | tacho_event_class .. |
 *      +--------+--------------------------+-------------------------+----------------------+
 *
 * An id means a description, and with which contexts: where a channel gets another context, its
 * events get other ids, and records without it, which are in the rings already, keep theirs.
 *
 * Grows only. Written by traced programs, wait-free, none waiting for another:
 *
 *      find    look from tacho_event_bucket() on, at most TACHO_BUCKET_PROBES places, for an id
 *              whose contexts and description have the same bytes; an empty bucket ends the search
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
#define TACHO_EVENTS_VERSION     2
#define TACHO_EVENT_IDS          65536
#define TACHO_EVENT_BUCKETS      32768
#define TACHO_BUCKET_PROBES      64
#define TACHO_EVENTS_BUCKETS_AT  4096
#define TACHO_EVENTS_ENTRIES_AT  (TACHO_EVENTS_BUCKETS_AT + 4 * TACHO_EVENT_BUCKETS)
#define TACHO_EVENTS_DESCS_AT    (TACHO_EVENTS_ENTRIES_AT + 4 * TACHO_EVENT_IDS)
#define TACHO_EVENTS_BYTES       (TACHO_EVENTS_DESCS_AT + (16u << 20))
#define TACHO_EVENTS_FIRST_BYTES (TACHO_EVENTS_DESCS_AT + (256u << 10)) /* allocated at create */

struct tacho_events {
	uint64_t magic;
	uint32_t version;
	uint32_t next_id;         /* starts with TACHO_ID_FIRST */
	uint64_t next_byte;       /* starts with TACHO_EVENTS_DESCS_AT */
	uint64_t allocated_bytes; /* of the file; whoever needs more allocates, then raises it */
	uint64_t instance;        /* tacho_session.instance */
};

#define TACHO_CLASS_KERNEL (1ull << 63) /* in place of contexts: its records are of the kernel */

struct tacho_event_class {
	uint64_t contexts;      /* bit N: its records begin with enum tacho_context N (session.h) */
	struct tacho_desc desc; /* which goes on behind this struct */
};
TACHO_STATIC_ASSERT(sizeof(struct tacho_event_class) == 48, "layout of struct tacho_event_class");

static inline uint32_t tacho_event_bucket(uint64_t contexts, uint64_t desc_hash)
{
	return (uint32_t)((desc_hash ^ contexts * 0x9e3779b97f4a7c15ull) % TACHO_EVENT_BUCKETS);
}

#endif
