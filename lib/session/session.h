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
	const char *name;      /* NULL: "channel0" */
	uint64_t buffer_bytes; /* per CPU; 0: TACHO_RING_BYTES_DEFAULT */
	enum tacho_mode mode;
	uint64_t block_timeout_ns;
};

struct session_options {
	const char *name; /* NULL: "auto-YYYYmmdd-HHMMSS" */
	/* Directory of the trace; it must not exist, or be empty. NULL: $HOME/tacho-traces/NAME-DATE.
	 * Of a flight recorder: the directory above its snapshots; NULL: chosen at each of them. */
	const char *output;
	bool family;    /* record only programs that have session_file()->family in TACHO_FAMILY */
	bool streaming; /* false: flight recorder, a trace only by session_snapshot() */
	struct channel_options channel; /* the first channel */
};

/*
 * session_create() - make a session, stopped, with its first channel's rings allocated
 *
 * Return: 0; -EEXIST: there is one of this name, or the directory of the trace is not empty;
 * -EBUSY: no slot is free; -ENOSPC: no memory for the rings; -EINVAL, -ENAMETOOLONG: wrong
 * options; or what making the trace's directory gave. On failure nothing is left behind.
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

struct rule_options {
	const char *pattern; /* of provider:event; "*" for all */
	const char *channel; /* NULL: the first */
	enum tacho_level_match level_match;
	enum tacho_level level;
};

/*
 * session_enable_event() - record what matches, in running programs and in those still to start
 * session_disable_event() - take back the rule with exactly this pattern; -ENOENT if there is none
 * When they return, they have taken effect in every running program.
 */
int session_enable_event(struct session *session, const struct rule_options *options,
			 struct tacho_error *error);
int session_disable_event(struct session *session, const char *pattern, struct tacho_error *error);

/*
 * session_start() - begin or go on recording; starts a drain if the session is streaming
 * session_stop() - stop recording, and wait until the trace is complete on disk (unless the session
 *                  is a flight recorder); it may be repeated where that failed
 *
 * Both are harmless when there is nothing to do.
 */
int session_start(struct session *session, struct tacho_error *error);
int session_stop(struct session *session, struct tacho_error *error);

/*
 * session_destroy() - stop it, and give back all its memory; closes @session. The trace stays; a
 *                     directory that was made for it goes if the session was never started.
 * session_discard() - the same without completing the trace, for when that is not possible
 *
 * Where the trace cannot be completed (a full disk), session_destroy() fails, and @session and all
 * that it recorded are still there.
 */
int session_destroy(struct session *session, struct tacho_error *error);
int session_discard(struct session *session, struct tacho_error *error);

/* What a session did so far. */
struct session_stats {
	uint64_t events; /* 0: rings do not count events; who read the trace may fill it in */
	uint64_t bytes;  /* recorded so far: sum of the rings' heads */
	uint64_t lost[TACHO_LOST_REASONS];
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
	uint64_t overwritten_while_copying; /* sub-buffers dropped since writers were faster */
	uint64_t damaged; /* parts of rings that are missing since they were damaged */
};
/*
 * session_snapshot() - copy what the rings hold now into a new trace
 * @output: directory, which must not exist or be empty; NULL: a new one under the session's
 *          output or $HOME/tacho-traces
 *
 * Writers go on undisturbed. Works on any session, also on a stopped one.
 */
int session_snapshot(struct session *session, const char *output,
		     struct snapshot_result *ret_result, struct tacho_error *error);

/* ---- the drain: copies sub-buffers to the trace as they fill ---- */

/*
 * drain_spawn() - make sure that the session has a drain; a process of its own, detached from the
 * terminal. A drain that was killed is replaced; nothing that the rings still hold is lost.
 * Every tool calls drain_revive_all() first.
 */
int drain_spawn(struct session *session, struct tacho_error *error);
void drain_revive_all(struct runtime *runtime);

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
