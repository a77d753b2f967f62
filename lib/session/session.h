/* SPDX-License-Identifier: MIT */
/*
 * session.h - recording sessions, from the side of the tools. The layout of everything this
 * library touches is drawn in format/runtime.h.
 *
 * There is no daemon: each function does its work on the files of the runtime directory, under
 * flock(2) where two tools could meet, and any tool can go on where another was killed.
 *
 * A function that fails returns a negative errno and fills @error with a text for people: what
 * was tried, on what, why it failed, what to do next.
 */
#ifndef TACHO_SESSION_SESSION_H
#define TACHO_SESSION_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "format/ring.h"
#include "format/runtime.h"
#include "format/session.h"

/* ---- the runtime directory ---- */

struct runtime {
	int fd;                      /* of the directory */
	char path[TACHO_PATH_BYTES]; /* for messages */
	bool is_visited; /* by root, who became its owner for it: users.h */
};

/*
 * runtime_open() - open the runtime directory, after making it and what belongs into it
 *
 * It is $TACHO_RUNTIME_DIR, or /dev/shm/tacho-UID of the effective user. Refused (-EPERM) if it is
 * not a directory of this user or others may write to it.
 */
int runtime_open(struct runtime *ret_runtime, struct tacho_error *error);
/* runtime_open_fd() - the same for a directory that is open already, wherever it lies. */
int runtime_open_fd(int fd, struct runtime *ret_runtime, struct tacho_error *error);
void runtime_close(struct runtime *runtime);

/* ---- sessions ---- */

struct session; /* an open one; not to be shared between threads */

struct channel_options {
	enum tacho_domain domain;
	const char *name;      /* NULL: "channel0" */
	uint64_t buffer_bytes; /* per CPU; 0: TACHO_RING_BYTES_DEFAULT */
	uint64_t subbuf_bytes; /* instead: of a sub-buffer, and how many of them; 0: as they come */
	uint32_t subbuf_count;
	bool mode_given; /* session_enable_channel(): else as of the session's first channel */
	enum tacho_mode mode;
	uint64_t block_timeout_ns;
	uint64_t tracefile_bytes; /* as in struct tacho_channel */
	uint32_t tracefile_count;
	enum tacho_ownership ownership;
};

struct session_options {
	const char *name; /* NULL: "auto-YYYYmmdd-HHMMSS" */
	/* Directory of the trace; it must not exist, or be empty. NULL: $HOME/tacho-traces/NAME-DATE.
	 * Of a flight recorder: the directory above its snapshots; NULL: chosen at each of them. */
	const char *output;
	bool family;    /* record only programs that have session_file()->family in TACHO_FAMILY */
	uint64_t mirror_of; /* mirror.h: instance of the session that this is to be like; else 0 */
	bool streaming; /* false: flight recorder, a trace only by session_snapshot() */
	const char *shm_path; /* directory to make that of the ring files in; NULL: the session's own */
	uint64_t max_bytes; /* of the trace on disk: the oldest packets go; 0: no limit */
	uint32_t ctf_major; /* version of the trace's format: 2; else 1.8 */
	struct channel_options channel; /* the first channel */
	bool channel_later; /* it is made with the first rule that names no channel */
};

/*
 * session_create() - make a session, stopped, with its first channel's rings allocated
 *
 * Return: 0; -EEXIST: there is one of this name, or the directory of the trace is not empty, or that
 * of another session; -EBUSY: no slot is free; -ENOSPC: no memory for the rings; -EINVAL,
 * -ENAMETOOLONG: wrong options; or what making the trace's directory gave. On failure nothing is
 * left behind.
 */
int session_create(struct runtime *runtime, const struct session_options *options,
		   struct session **ret_session, struct tacho_error *error);
/* session_open() - by name; -ENOENT says which there are. */
int session_open(struct runtime *runtime, const char *name, struct session **ret_session,
		 struct tacho_error *error);
/* session_close() - let go of it; the session itself goes on. Takes NULL. */
void session_close(struct session *session);

/* The mapped session file; read only for callers. */
const struct tacho_session *session_file(const struct session *session);

/* session_names() - the names of all sessions, sorted; a NULL-terminated array, free it with
 * session_names_free(). */
int session_names(struct runtime *runtime, char ***ret_names, struct tacho_error *error);
void session_names_free(char **names);

/* ---- channels ---- */

enum channel_change {
	CHANNEL_MADE,
	CHANNEL_ENABLED,
	CHANNEL_AS_IT_WAS, /* it was there, and enabled */
};

/*
 * session_enable_channel() - make a channel, at any time, or enable one that was disabled
 * @options: of a channel that is there, what they say must be so already: rings that programs write
 *           to cannot change (-EBUSY)
 *
 * Return: 0; -ENOSPC: no memory for its rings, or TACHO_CHANNELS_MAX are there; -EINVAL: wrong
 * options.
 */
int session_enable_channel(struct session *session, const struct channel_options *options,
			   enum channel_change *ret_change, struct tacho_error *error);

/* session_disable_channel() - nothing goes to it any more; its rules stay. -ENOENT. */
int session_disable_channel(struct session *session, enum tacho_domain domain, const char *name,
			    struct tacho_error *error);

/*
 * session_add_contexts() - have the records of a channel begin with more, also while it records
 * @channel: NULL: all that there are; if there is none, "channel0" is made
 * @names: as context_parse() takes them (base/context_name.h), up to NULL: all or none are added
 * @ret_new: false: the channels had them all
 *
 * Return: 0; -EINVAL: there is no such context; -ENOENT: no such channel; -ENOSPC: more different
 * counters than a session can name.
 */
int session_add_contexts(struct session *session, const char *channel, const char *const *names,
			 bool *ret_new, struct tacho_error *error);

/* ---- rules ---- */

/*
 * A rule. It is known by all that it says: rules of one pattern that differ in anything else stand
 * beside each other, and an event that several match is recorded once in a channel.
 */
struct rule_options {
	enum tacho_rule_kind kind;
	const char *pattern; /* of provider:event; "*" for all; format/session.h */
	/* It is made if there is none of this name. NULL: "channel0", or the only one */
	const char *channel;
	enum tacho_level_match level_match;
	enum tacho_level level;
	const char *const *exclude; /* patterns of events that are left out, up to NULL; or NULL */
	const char *executable; /* pattern: only programs of this path, or name; or NULL */
	uint32_t pid; /* only this process, as it sees itself; 0: any */
	const char *filter; /* an expression (filter/filter.h), or NULL */
};

/* Which rules are to be disabled. */
struct rule_choice {
	enum tacho_rule_kind kind;
	const char *pattern; /* exactly this; NULL: all */
	const char *channel; /* NULL: of all */
	bool remove;         /* else they are kept, to be enabled again */
};

/*
 * session_enable_event() - record what matches, in running programs and in those still to start
 * session_disable_event() - disable the rules with exactly this pattern; -ENOENT if there are none
 * session_disable_events() - the same with a choice; @ret_count: how many rules were meant
 * When they return, they have taken effect in every running program.
 */
int session_enable_event(struct session *session, const struct rule_options *options,
			 struct tacho_error *error);
int session_disable_event(struct session *session, const char *pattern, struct tacho_error *error);
int session_disable_events(struct session *session, const struct rule_choice *choice,
			   size_t *ret_count, struct tacho_error *error);

/* session_rule_state() - is there such a rule, and is it enabled? TACHO_RULE_FREE: there is none. */
enum tacho_rule_state session_rule_state(const struct session *session,
					 const struct rule_options *options);

/*
 * session_start() - begin or go on recording; starts a drain if the session is streaming
 * session_stop() - stop recording, and wait until the trace is complete on disk (unless the session
 *                  is a flight recorder); it may be repeated where that failed
 * session_stop_begin() - the same without waiting
 *
 * All are harmless when there is nothing to do.
 */
int session_start(struct session *session, struct tacho_error *error);
int session_stop(struct session *session, struct tacho_error *error);
int session_stop_begin(struct session *session, struct tacho_error *error);

/*
 * session_destroy() - stop it, and give back all its memory; closes @session. The trace stays; a
 *                     directory that was made for it goes if the session was never started.
 * session_discard() - the same without completing the trace, for when that is not possible
 * session_destroy_later() - stop it, and have the rest done by a process in the background; does not
 *                           close @session
 *
 * Where the trace cannot be completed (a full disk), session_destroy() fails, and @session and all
 * that it recorded are still there.
 */
int session_destroy(struct session *session, struct tacho_error *error);
int session_discard(struct session *session, struct tacho_error *error);
int session_destroy_later(struct session *session, struct tacho_error *error);

/* session_users_trouble() - what kept the last call from reaching the programs of all users, for root;
 * NULL if nothing did. */
const struct tacho_error *session_users_trouble(const struct session *session);

/* What a session did so far. */
struct session_stats {
	uint64_t events; /* 0: rings do not count events; who read the trace may fill it in */
	uint64_t bytes;  /* recorded so far: sum of the rings' heads */
	uint64_t lost[TACHO_LOST_REASONS];
	uint64_t channel_lost[TACHO_CHANNELS_MAX]; /* the same, for all reasons, by channel */
	uint64_t overwritten_bytes; /* flight recorder: what is gone by design */
	uint64_t memory_bytes;      /* allocated rings */
	uint32_t rings;
	bool drain_alive;
	pid_t drain_pid;
	/* Programs that could not be recorded at all; of the last one why (TACHO_UNRECORDED_*) and
	 * libtacho's version. The list is cut: the number is a lower bound. */
	uint64_t unrecorded;
	char unrecorded_why[16];
	char unrecorded_version[16];
	/* Parts of rings that the drain left out since they were damaged: by a program that wrote
	 * where it should not, or recorded what it did not describe. */
	uint64_t damaged;
	char drain_error[TACHO_ERROR_TEXT_BYTES]; /* what keeps the drain from writing; "" */
};
int session_stats(struct session *session, struct session_stats *ret_stats,
		  struct tacho_error *error);

struct snapshot_result {
	char path[TACHO_PATH_BYTES]; /* the trace's directory */
	uint64_t packets;
	uint64_t bytes;
	uint64_t overwritten_while_copying; /* sub-buffers missing since writers were faster */
	uint64_t damaged; /* parts of rings that are missing since they were damaged */
};
/* Zeros: no wish. */
struct snapshot_options {
	/* Directory, which must not exist or be empty. NULL: a new one, in the place of
	 * session_add_snapshot_output(), under the session's output or $HOME/tacho-traces. */
	const char *output;
	const char *name;   /* what a new directory's name begins with; NULL: "snapshot" */
	uint64_t max_bytes; /* of all packets together: the newest are kept */
	uint64_t last_ns;   /* only packets that overlap the last so many nanoseconds */
};
/*
 * session_snapshot() - copy what the rings hold now into a new trace
 * @options: may be NULL
 *
 * Writers go on undisturbed. Works on any session, also on a stopped one.
 */
int session_snapshot(struct session *session, const struct snapshot_options *options,
		     struct snapshot_result *ret_result, struct tacho_error *error);

/*
 * session_add_snapshot_output() - where snapshots go that do not say it: @output->output is the
 *                                 directory in which they are made; with name and max_bytes
 *
 * Return: 0; -EEXIST: there is one, take it back first; -EINVAL, -ENAMETOOLONG.
 */
int session_add_snapshot_output(struct session *session, const struct snapshot_options *output,
				struct tacho_error *error);
/* session_del_snapshot_output() - -ENOENT: there is none. */
int session_del_snapshot_output(struct session *session, struct tacho_error *error);

/* ---- triggers ---- */

struct trigger_options {
	const char *name; /* NULL: "trigger0", or the next number that is free */
	enum tacho_condition condition;
	struct rule_options rule; /* EVENT: what hits it; its channel is of no account */
	const char *channel;      /* USAGE_*, LOST: NULL: any */
	uint64_t threshold;       /* as in struct tacho_trigger, like the rest */
	uint32_t actions;
	const char *command; /* ACTION_RUN */
	const char *session; /* NULL: this one */
	uint64_t interval_ns;
	uint32_t every;
	uint32_t once_after;
};

/*
 * session_add_trigger() - have something done when something happens; also while recording
 * @ret_name: TACHO_TRIGGER_NAME_BYTES: what it is called; or NULL
 *
 * Return: 0; -EEXIST: there is one of this name; -ENOSPC: TACHO_TRIGGERS_MAX are there, or there is
 * no room for its texts; -ENOENT: no such channel; -ENOTSUP: a flight recorder is to be rotated;
 * -EINVAL: wrong options.
 */
#define TACHO_TRIGGER_NAME_BYTES 128
int session_add_trigger(struct session *session, const struct trigger_options *options,
			char *ret_name, struct tacho_error *error);

/* session_remove_trigger() - -ENOENT says which there are. */
int session_remove_trigger(struct session *session, const char *name, struct tacho_error *error);

/* session_is_watched() - is there a watcher that acts on its triggers? */
bool session_is_watched(const struct session *session);

/* session_trigger_hits() - how often each trigger was hit so far; TACHO_TRIGGERS_MAX of them */
void session_trigger_hits(const struct session *session, uint64_t *ret_hits);

/*
 * session_rotate() - make an archived chunk of all that was recorded so far; doc/design/rotation.md
 * @wait: until it is there; else the drain does it soon, and @ret_path is ""
 * @ret_path: the chunk's directory, a complete trace
 *
 * A session that is stopped can be rotated as long as it has a trace. Return: 0; -ENOTSUP: it is a
 * flight recorder; -ENODATA: nothing was recorded since the last time; or what kept it from being
 * written.
 */
int session_rotate(struct session *session, bool wait, char ret_path[TACHO_PATH_BYTES],
		   struct tacho_error *error);

/* session_schedule_rotation() - rotate by itself so often, or when the trace is so large; 0: not. */
int session_schedule_rotation(struct session *session, uint64_t every_ns, uint64_t every_bytes,
			      struct tacho_error *error);

/*
 * session_clear() - drop what was recorded so far, in the buffers and in the trace; archived chunks
 * and snapshots stay
 *
 * It goes on recording meanwhile. Return: 0, or what kept the trace from being removed.
 */
int session_clear(struct session *session, struct tacho_error *error);

/*
 * session_regenerate_statedump() - have each program say again, before its next event, what it has
 *                                  loaded where: doc/design/state-dump.md
 *
 * Return: 0; -ENOMSG, without words: the session does not record that.
 */
int session_regenerate_statedump(struct session *session, struct tacho_error *error);

/*
 * session_regenerate_metadata() - write the trace's metadata again, with the time of day as it is
 *                                 set now, and the best estimate of the clock
 * @ret_now: the drain has done it; else it comes with the next metadata: of a snapshot, or when the
 *           session is started again
 *
 * Return: 0; -ETIMEDOUT: the drain does not answer.
 */
int session_regenerate_metadata(struct session *session, bool *ret_now, struct tacho_error *error);

/* ---- the drain: copies sub-buffers to the trace as they fill ---- */

/*
 * drain_spawn() - make sure that the session has a drain; a process of its own, detached from the
 * terminal. A drain that was killed is replaced; nothing that the rings still hold is lost.
 * Every tool calls drain_revive_all() first.
 */
int drain_spawn(struct session *session, struct tacho_error *error);
void drain_revive_all(struct runtime *runtime);

/*
 * watch_revive_all() - the same of watchers, which do what triggers ask for: one process for each
 * session that has a trigger to be watched
 */
void watch_revive_all(struct runtime *runtime);

/* ---- programs ---- */

struct program_event {
	uint32_t index;
	uint32_t state;                /* bits of the sessions that record it */
	const struct event_desc *desc; /* base/event_desc.h */
};

struct program {
	pid_t pid;
	uid_t uid;
	const char *executable;
	uint32_t event_count;
	const struct program_event *events;
	uint64_t attach_failures;
	uint64_t lost_without_ring; /* events that were lost since a session could not be mapped */
};

/* programs_list() - all running instrumented programs of this runtime directory, by pid. What
 * dead ones left behind is removed on the way. */
int programs_list(struct runtime *runtime, struct program **ret_programs, size_t *ret_count,
		  struct tacho_error *error);
void programs_free(struct program *programs, size_t count);

#endif
