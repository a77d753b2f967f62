/* SPDX-License-Identifier: MIT */
/*
 * state.h - what this library keeps of the runtime directory and of an open session, and the two
 * locks.
 *
 *	runtime lock    flock on the directory sessions/. Held to add or remove a session or a slot,
 *	                so that what lies around half-made, seen by a holder, has a dead maker.
 *	session lock    flock on sessions/NAME/session. Held to change rules or state, and while the
 *	                programs are told; so they are told in the same order.
 *
 * The runtime lock may be held when a session lock is taken, not the other way round. Both end
 * with their holder, however it ends.
 */
#ifndef TACHO_SESSION_STATE_H
#define TACHO_SESSION_STATE_H

#include "session/names.h"
#include "session/session.h"

#define SESSIONS_DIR "sessions"
#define APPS_DIR     "apps"
#define SLOTS_DIR    "slots"

#define SESSION_FILE "session"
#define EVENTS_FILE  "events"
#define SESSION_COPY_FILE "session.copy" /* ring_place.h */
#define DRAIN_FILE   "drain"       /* its flock is the drain's life */
#define WATCH_FILE   "watch"       /* its flock is the watcher's life */
#define TROUBLE_FILE "drain-error" /* text: what keeps the drain from writing */

#define RINGS_SUFFIX  ".rings"
#define SHARDS_SUFFIX ".shards"
#define KERNEL_SUFFIX ".kernel" /* the rings of a channel for the kernel: session/kernel/pump.h */
#define PAGES_SUFFIX  ".pages"  /* what is on its way there */

/* Directories below sessions/ that are not sessions: being made, being removed. No escaped name
 * starts with a '.'. */
#define NEW_PREFIX  ".new-"
#define GONE_PREFIX ".gone-"

struct session {
	struct runtime *runtime;
	int dir_fd;                 /* sessions/NAME */
	int lock_fd;                /* while it is locked */
	int life_fd;                /* of a detached process (detached.h): its sign of life */
	struct tacho_session *file; /* mapped */
	uint32_t generation_locked; /* what it was when it was locked */
	char escaped[NAME_ESCAPED_BYTES];
	const struct tacho_session *model; /* of a mirror, as long as root's child has it open */
	/* mirrors.h: users whose programs could not be reached, and why the first of them */
	uint32_t users_trouble_count;
	struct tacho_error users_trouble;
};

/* runtime_lock() - Return: a descriptor for runtime_unlock(), or a negative errno with @error. */
int runtime_lock(struct runtime *runtime, struct tacho_error *error);
void runtime_unlock(int lock_fd);

/* runtime_clean() - remove what dead tools left. Skipped while another tool has the lock. */
void runtime_clean(struct runtime *runtime);

/* runtime_open_dir() - a directory below the runtime directory. */
int runtime_open_dir(struct runtime *runtime, const char *name, struct tacho_error *error);

/* session_open_at() - open what lies in the directory @dir_name below sessions/, dead or alive;
 * -EBADMSG if that is no session. */
int session_open_at(struct runtime *runtime, const char *dir_name, struct session **ret_session,
		    struct tacho_error *error);
/* session_visit_living() - call @visit with each session that can be opened and is not dead */
void session_visit_living(struct runtime *runtime, void (*visit)(struct session *session));

/*
 * session_lock() - 0, or a negative errno with @error; -ENOENT if it was destroyed meanwhile
 *
 * The file is opened for it: the open file is what is locked, and the mapping of a session would
 * keep its own open, and locked, in each process that was forked off in the meantime.
 */
int session_lock(struct session *session, struct tacho_error *error);
void session_unlock(struct session *session);

/*
 * session_change_begin() - before rules or state are written, under the session lock
 *
 * Programs that read them meanwhile find an odd generation, or another one afterwards, and read
 * again (format/runtime.h). A generation that is odd already is of a tool that died in the middle.
 *
 * Return: the number for session_change_end().
 */
uint32_t session_change_begin(struct tacho_session *file);
void session_change_end(struct tacho_session *file, uint32_t generation);

/* session_drain_trouble() - what keeps the drain from writing, in words, or "" and false */
bool session_drain_trouble(const struct session *session, char *ret_text, size_t size);

/* session_output() - where the trace is, for who writes it: of a mirror (mirror.h) the working
 * directory, since the user may have no other way to it. */
const char *session_output(const struct session *session);

/* session_has_rings() - has a channel a ring file for writers of this kind? */
bool session_has_rings(const struct tacho_session *file, const struct tacho_channel *channel,
		       enum tacho_writer_kind kind);
/* session_ring_file() - its name; @ret_name holds NAME_MAX + 1 bytes. Return: 0 or a negative errno:
 * the name in the session file is damaged. */
int session_ring_file(const struct tacho_channel *channel, enum tacho_writer_kind kind,
		      char *ret_name);
/* session_channel_file() - the same with any ending */
int session_channel_file(const struct tacho_channel *channel, const char *suffix, char *ret_name);

#endif
