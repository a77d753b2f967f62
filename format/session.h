/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * session.h - sessions/NAME/session: what a session records, of whom, and where it goes.
 *
 *      struct tacho_session
 *      +--------------------+
 *      | header             |  state, clock, output, the drain, rotation, limits
 *      | channel[]          |  where records go: rings, mode, contexts, limits of the files
 *      | rule[]             |  which events: pattern, level; exclusions, filter, program
 *      | tracker[]          |  of which processes
 *      | trigger[]          |  what to do when something happens
 *      | perf[]             |  hardware counters that contexts name
 *      +--------------------+
 *      | text               |  a heap of what has no fixed length, named by struct tacho_span
 *      +--------------------+
 *
 * Written by tools only, one at a time: the one that holds flock(LOCK_EX) on the file. Read by
 * traced programs, without a lock: `generation` is odd while a tool writes rules, channels,
 * trackers, text or `state`, and a reader that saw it odd, or changed, reads again (at most a few
 * times: a tool may have died; the next tool makes it even).
 *
 *      write:A  generation + 1 (odd)          read:A  g = generation        (acquire)
 *      write:B  --- release fence ---         read:B  copy
 *      write:C  rules, channels               read:C  --- acquire fence ---
 *      write:D  generation + 1 (release)      read:D  g == generation and even?
 *
 *      pairs: write:D with read:A (what was written is seen), write:B with read:C (a copy that
 *      holds something new sees an odd or another generation).
 *
 * Everything in it may change while programs record: channels and contexts are added, rules and
 * trackers come and go. A channel keeps its place in channel[] as long as the session lives.
 */
#ifndef TACHO_FORMAT_SESSION_H
#define TACHO_FORMAT_SESSION_H

#include "port.h"
#include "record.h"
#include "runtime.h"

#define TACHO_SESSION_MAGIC   0x6e6f6973736573ull
/* Also changes with the size, so that no two layouts can pass for each other by an oversight. */
#define TACHO_SESSION_VERSION (3u << 24 | (uint32_t)sizeof(struct tacho_session))
#define TACHO_CHANNELS_MAX    64
#define TACHO_RULES_MAX       256
#define TACHO_TRACKERS_MAX    64
#define TACHO_TRIGGERS_MAX    31 /* their hits fill a page, trigger.h */
#define TACHO_PERF_MAX        16
/* The file has its whole length from the beginning, but pages only up to text_allocated. */
#define TACHO_TEXT_BYTES (1u << 20)

/* Bytes of the heap of text: where, counted from tacho_session.text, and how many. 0 bytes: nothing.
 * A reader checks it: at + bytes <= text_allocated <= TACHO_TEXT_BYTES. */
struct tacho_span {
	uint32_t at;
	uint32_t bytes;
};

enum tacho_session_state {
	TACHO_SESSION_STOPPED = 0, /* also: created, not yet started */
	TACHO_SESSION_ACTIVE = 1,
	TACHO_SESSION_DEAD = 2,    /* destroyed; whoever still maps it should let go */
};

enum tacho_level_match {
	TACHO_LEVEL_ANY = 0,
	TACHO_LEVEL_AT_LEAST = 1, /* as grave as `level` or graver: its number or smaller */
	TACHO_LEVEL_EXACTLY = 2,
};

/* What a record of a channel may begin with. A channel has a mask of them; they stand in a record in
 * the order of their numbers, before its own fields. */
enum tacho_context {
	/* integers of 4 bytes, signed, unless said otherwise */
	TACHO_CONTEXT_VPID = 0,
	TACHO_CONTEXT_VTID = 1,
	TACHO_CONTEXT_PROCNAME = 2,   /* TACHO_PROCNAME_BYTES characters, filled up with 0 bytes */
	TACHO_CONTEXT_PTHREAD_ID = 3, /* 8 bytes, hexadecimal */
	TACHO_CONTEXT_IP = 4,         /* 8 bytes, hexadecimal: where the event is in the program */
	TACHO_CONTEXT_CPU_ID = 5,
	TACHO_CONTEXT_VUID = 6,       /* this and the other five: unsigned */
	TACHO_CONTEXT_VEUID = 7,
	TACHO_CONTEXT_VSUID = 8,
	TACHO_CONTEXT_VGID = 9,
	TACHO_CONTEXT_VEGID = 10,
	TACHO_CONTEXT_VSGID = 11,
	TACHO_CONTEXT_CGROUP_NS = 12, /* this and the other seven: 8 bytes, unsigned: inode; 0: unknown */
	TACHO_CONTEXT_IPC_NS = 13,
	TACHO_CONTEXT_MNT_NS = 14,
	TACHO_CONTEXT_NET_NS = 15,
	TACHO_CONTEXT_PID_NS = 16,
	TACHO_CONTEXT_TIME_NS = 17,
	TACHO_CONTEXT_USER_NS = 18,
	TACHO_CONTEXT_UTS_NS = 19,
	TACHO_CONTEXT_FIXED_COUNT = 20,
	TACHO_CONTEXT_PERF = 32,      /* + place in tacho_session.perf[]: 8 bytes, unsigned;
				       * TACHO_PERF_UNAVAILABLE where it cannot be read */
};
#define TACHO_PROCNAME_BYTES   17
/* All at once. */
#define TACHO_CONTEXTS_BYTES_MAX \
	(9 * 4 + 2 * 8 + 8 * 8 + TACHO_PROCNAME_BYTES + 8 * TACHO_PERF_MAX)
#define TACHO_PERF_UNAVAILABLE UINT64_MAX

struct tacho_perf {
	uint32_t type; /* perf_event_attr.type */
	uint32_t is_used;
	uint64_t config;
	char name[64]; /* "perf:thread:cpu-cycles" */
};

/* Who asked for what is only kept for the listings: rings are per CPU and user, and each record's
 * process is known. */
enum tacho_ownership {
	TACHO_OWNERSHIP_USER = 0,
	TACHO_OWNERSHIP_PROCESS = 1,
};

/* Whose events a channel holds. Two channels may have one name, if their domains differ. */
enum tacho_domain {
	TACHO_DOMAIN_USER = 0,
	TACHO_DOMAIN_KERNEL = 1, /* doc/design/kernel.md; nothing for programs to look at */
};

/* Who writes the records of a channel for the kernel into its rings. */
enum tacho_kernel_tracer {
	TACHO_KERNEL_TRACER_TRACEFS = 0, /* a tool, from the kernel's own buffers */
	TACHO_KERNEL_TRACER_MODULE = 1,  /* the kernel module: doc/design/kernel-module.md */
};

struct tacho_channel {
	char name[TACHO_CHANNEL_NAME_BYTES]; /* as in the trace; the file's is escaped */
	uint32_t mode;                       /* enum tacho_mode */
	uint32_t subbuf_count;
	uint32_t subbuf_shift;
	uint32_t ring_count;
	uint64_t stride;
	uint64_t block_timeout_ns;
	uint64_t contexts;        /* bit N: enum tacho_context N */
	uint64_t tracefile_bytes; /* of one file of a stream; 0: no limit */
	uint32_t tracefile_count; /* files of a stream, then the oldest goes; 0: no limit */
	uint32_t is_disabled;     /* 1: nothing goes to it */
	uint32_t ownership;       /* enum tacho_ownership */
	uint32_t domain;          /* enum tacho_domain */
	uint32_t kernel_tracer;   /* enum tacho_kernel_tracer */
	uint32_t reserved;
};

enum tacho_rule_state {
	TACHO_RULE_FREE = 0, /* this place is free */
	TACHO_RULE_ENABLED = 1,
	TACHO_RULE_DISABLED = 2, /* kept, and shown, to be enabled again */
};

/* What a rule is about. Programs go by those of the first kind only. */
enum tacho_rule_kind {
	TACHO_RULE_EVENT = 0,      /* events of programs: provider:event */
	TACHO_RULE_TRACEPOINT = 1, /* events of the kernel, by name */
	TACHO_RULE_SYSCALL = 2,    /* system calls, by name: their begin and their end */
	/* Events that the session makes in the kernel, called `pattern`; in place of `executable` is where
	 * (session/kernel/probes.h). */
	TACHO_RULE_PROBE = 3,     /* an instruction of the kernel */
	TACHO_RULE_FUNCTION = 4,  /* begin and end of a function of the kernel */
	TACHO_RULE_USERSPACE = 5, /* an instruction of a program */
};
#define TACHO_RULE_KINDS 6

/*
 * An event that several rules of a channel match is recorded once. One whose rules all have filters
 * is recorded if one of these says yes.
 */
struct tacho_rule {
	uint32_t enabled;     /* enum tacho_rule_state */
	uint32_t channel;     /* index of the channel the events go to */
	uint32_t level_match; /* enum tacho_level_match */
	uint32_t level;
	uint32_t pid;         /* only of this process, as it sees itself; 0: of any */
	uint32_t trigger;     /* 0: record; else 1 + index of the trigger that is hit instead */
	uint32_t kind;        /* enum tacho_rule_kind */
	uint32_t reserved;
	struct tacho_span exclude;     /* patterns of names that do not match, each with a 0 byte */
	struct tacho_span executable;  /* a pattern: of a path if it has a '/', else of its last part */
	struct tacho_span filter_text; /* as it was typed */
	struct tacho_span filter;      /* compiled: struct tacho_filter, filter.h */
	char pattern[TACHO_PATTERN_BYTES]; /* of provider:event, `*` anywhere, `\` before one that is meant */
};

/* What processes a session records: for each kind that is in tracked_kinds, one of its trackers
 * must be right. A kind without any tracker is right for nobody. */
enum tacho_tracker_kind {
	TACHO_TRACK_VPID = 0,
	TACHO_TRACK_VUID = 1,
	TACHO_TRACK_VGID = 2,
	TACHO_TRACK_EXECUTABLE = 3,  /* as tacho_rule.executable */
	TACHO_TRACK_DESCENDANTS = 4, /* of the process `id`, itself included */
	TACHO_TRACK_KINDS = 5,
};

struct tacho_tracker {
	uint32_t is_used;
	uint32_t kind;
	uint64_t id;
	struct tacho_span executable;
};

enum tacho_condition {
	TACHO_CONDITION_EVENT = 0,       /* an event matches the rule(s) that name the trigger */
	TACHO_CONDITION_USAGE_ABOVE = 1, /* a ring of the channel is `threshold` / 1000 full, or more */
	TACHO_CONDITION_USAGE_BELOW = 2,
	TACHO_CONDITION_LOST = 3,        /* a ring of the channel has lost records */
	TACHO_CONDITION_SIZE = 4,        /* the session has recorded `threshold` bytes, or more */
	TACHO_CONDITION_REQUEST = 5,     /* a program called tacho_snapshot() */
};

enum tacho_action { /* bits of tacho_trigger.actions, done in this order */
	TACHO_ACTION_SNAPSHOT = 1 << 0,
	TACHO_ACTION_ROTATE = 1 << 1,
	TACHO_ACTION_START = 1 << 2,
	TACHO_ACTION_STOP = 1 << 3,
	TACHO_ACTION_RUN = 1 << 4, /* `command`, by /bin/sh -c */
};

/* A trigger that starts sessions is armed also while its own session is stopped. */
#define TACHO_ACTIONS_WHEN_STOPPED TACHO_ACTION_START
#define TACHO_TRIGGER_RESULT_BYTES 512

struct tacho_trigger {
	uint32_t is_used;
	uint32_t condition; /* enum tacho_condition */
	uint32_t channel;   /* USAGE_*, LOST: index; UINT32_MAX: any */
	uint32_t actions;   /* mask of enum tacho_action */
	uint64_t threshold;
	uint64_t interval_ns; /* not more often than this */
	uint32_t every;       /* at every so manieth time only; 0 and 1: each */
	uint32_t once_after;  /* only once, at this time; 0: no */
	struct tacho_span name;
	struct tacho_span command;
	struct tacho_span session; /* whose snapshot, start, stop; nothing: this one's */
	/* What became of it; by the watcher, which is a tool. Hits are counted in tacho_trigger_hits,
	 * trigger.h, and go on from one trigger of a place to the next. */
	uint64_t first_hit; /* hits that were there when it was added */
	uint64_t handled;   /* hits that are done with, those included */
	uint64_t seen;      /* by the last look, of a condition that is looked at: how many records
			     * were lost; else 1: it held, so that it has to cease before it is hit again */
	uint64_t done_count;       /* how often its actions were done */
	uint64_t failed_count;     /* how often one of these failed */
	uint64_t passed_count;     /* hits that had no actions, since it is not to act so often */
	uint64_t done_ns;          /* when they were last done: CLOCK_MONOTONIC */
	uint64_t done_realtime_ns;
	char result[TACHO_TRIGGER_RESULT_BYTES]; /* of that time, for people */
};

/* ELF's number (e_machine) of the machine that this is compiled for, where it has a counter. */
#if defined(__x86_64__) || defined(__i386__)
#define TACHO_MACHINE 62
#elif defined(__aarch64__)
#define TACHO_MACHINE 183
#else
#define TACHO_MACHINE 0
#endif

/* The same instant on four clocks. */
struct tacho_clock_tuple {
	uint64_t counter;      /* the session's clock: raw ticks, or CLOCK_MONOTONIC again */
	uint64_t monotonic_ns;
	uint64_t realtime_ns;
	uint64_t boottime_ns;
};

static inline int tacho_is_of_family(const uint64_t *families, uint64_t family)
{
	for (int i = 0; family && i < TACHO_FAMILIES_MAX; i++) {
		if (families[i] == family)
			return 1;
	}
	return !family;
}

struct tacho_session {
	uint64_t magic;
	uint32_t version;
	uint32_t slot;
	uint64_t instance;   /* never the same for two sessions of one boot */
	uint32_t generation;
	uint32_t state;      /* enum tacho_session_state */
	uint32_t clock_kind; /* enum tacho_clock_kind */
	uint32_t channel_count;
	uint32_t rule_count; /* places of rule[] that were ever used */
	uint32_t streaming;  /* 1: a drain writes the trace while recording */
	uint32_t counter_machine; /* TACHO_CLOCK_COUNTER: TACHO_MACHINE of whose counter it is. A
				   * program of another one (an emulated one) computes what the
				   * counter would be from CLOCK_MONOTONIC. */
	uint32_t output_made; /* 1: the directory `output` was not there before the session */
	uint32_t output_chosen; /* 1: `output` was asked for; 0: it is a new one in ~/tacho-traces */
	uint32_t metadata_wanted; /* counts wishes for metadata with a fresh estimate of the clock */
	uint32_t metadata_done;   /* by the drain, which sets it to metadata_wanted */
	uint32_t drain_trouble;   /* errno of what keeps the drain from writing; 0: nothing does. The
				   * words for it are in sessions/NAME/drain-error, if there is room */
	uint64_t family;     /* whose events are recorded; 0: everybody's */
	uint64_t mirror_of;  /* instance of root's session that this one is kept like; 0: none */
	uint64_t counter_hz; /* first estimate; the trace's metadata has the refined one */
	struct tacho_clock_tuple clock_at_create;
	uint8_t boot_uuid[16]; /* of the machine's run that clocks and pids belong to; 0s: unknown */
	/* The drain that is at work: its pid and start time, 0 for none. Its liveness is the flock
	 * it holds on sessions/NAME/drain, not these, which are for people. */
	uint32_t drain_pid;
	uint32_t drain_stop; /* 1: the drain is to write what is left and to end */
	uint64_t drain_start_time;
	uint64_t watch_pid;  /* of the watcher that does what triggers ask for, for people; its
			      * liveness is the flock it holds on sessions/NAME/watch */
	uint32_t drain_carrier; /* the ring, counted from 1 over all files, in whose stream those
				 * losses are shown that have no stream of their own; 0: none yet */
	uint32_t drain_damaged; /* parts of rings that were damaged, so that they are not in the trace */
	/* Rotation: the drain makes a new chunk when rotate_wanted is not rotate_done. */
	uint32_t rotate_wanted; /* counts wishes: by `rotate`, by the timer, by the size */
	uint32_t rotate_done;   /* what rotate_wanted was when the newest chunk was made */
	uint32_t clear_wanted; /* the same of `clear`: what was recorded is dropped instead */
	uint32_t clear_done;
	uint32_t dump_wanted; /* counts wishes that programs say again what they have loaded */
	uint32_t ctf_major;   /* version of the trace's format: 2; else 1.8 */
	uint64_t rotate_every_ns;    /* 0: not by time */
	uint64_t rotate_every_bytes; /* 0: not by size */
	uint64_t max_bytes; /* of the whole trace on disk: the oldest packets go; 0: no limit */
	uint64_t started_count; /* how often `start` was done */
	uint32_t tracked_kinds; /* bit N: enum tacho_tracker_kind N restricts */
	uint32_t text_allocated; /* bytes of text that have pages; only grows */
	char name[TACHO_SESSION_NAME_BYTES];
	char output[TACHO_PATH_BYTES]; /* directory of the trace, absolute; "" for none */
	char shm_path[TACHO_PATH_BYTES]; /* of the ring files, if it is not the session's own: there
					  * they are links then */
	/* Where new snapshots are made, "": by default; what their names begin with; their most
	 * bytes, 0: no limit. */
	char snapshot_output[TACHO_PATH_BYTES];
	char snapshot_name[TACHO_CHANNEL_NAME_BYTES];
	uint64_t snapshot_max_bytes;
	struct tacho_channel first_channel; /* how channel[0] will be, if the first rule needs one
					     * and names none: its rings are made then */
	struct tacho_channel channel[TACHO_CHANNELS_MAX];
	struct tacho_rule rule[TACHO_RULES_MAX];
	struct tacho_tracker tracker[TACHO_TRACKERS_MAX];
	struct tacho_trigger trigger[TACHO_TRIGGERS_MAX];
	struct tacho_perf perf[TACHO_PERF_MAX];
	char text[TACHO_TEXT_BYTES];
};
/* What is allocated of a session file before it has any text. */
#define TACHO_SESSION_FIXED_BYTES offsetof(struct tacho_session, text)

#endif
