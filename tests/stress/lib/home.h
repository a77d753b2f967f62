/* SPDX-License-Identifier: MIT */
/*
 * home.h - a runtime directory (format/runtime.h) of a test's own, with sessions in it that are
 * made by hand: the tests of the tracer stand on the format, not on lib/session.
 *
 * home_enter() starts the test program anew inside of a fresh directory, since libtacho looks for
 * it before main().
 */
#ifndef TACHO_STRESS_HOME_H
#define TACHO_STRESS_HOME_H

#include <stdbool.h>
#include <stdint.h>

#include "format/ring.h"
#include "format/runtime.h"
#include "format/session.h"
#include "ring/rings.h"

#define HOME_CHANNELS 4

struct home_channel {
	const char *name;
	uint64_t ring_bytes;
	enum tacho_mode mode;
	uint64_t block_timeout_ns;
	bool late; /* the rings are left to be allocated by who needs them */
};

struct home_rule {
	const char *pattern;
	uint32_t channel;
};

struct home_session {
	char name[64];
	uint32_t slot;
	uint32_t channel_count;
	struct tacho_session *file;
	char *events; /* the mapped event table */
	struct rings rings[HOME_CHANNELS];
};

/*
 * home_enter() - go on in a new program, in a runtime directory of its own
 * @args: of the new program, as for execv()
 * @portable: without restartable sequences
 *
 * Return: only in the new program. Its end removes the directory, if it comes to exit().
 */
void home_enter(char **args, bool portable);
bool home_is_entered(void);
/* home_is_portable() - do programs here have no restartable sequences? */
bool home_is_portable(void);
const char *home_path(void);

/* home_first_id() - what ids the sessions made from now on begin with, as if that many events were
 * known already */
void home_first_id(uint32_t id);

/* home_session_create() - a session that is active; running programs do not know it yet. */
void home_session_create(struct home_session *s, const char *name, uint32_t slot,
			 const struct home_channel *channels, uint32_t channel_count,
			 const struct home_rule *rules, uint32_t rule_count);
/* home_session_add_rings() - the files of one channel more
 * home_session_add_channel() - which the session has from now on; between two changes of generation */
void home_session_add_rings(struct home_session *s, const struct home_channel *channel);
void home_session_add_channel(struct home_session *s, const struct home_channel *channel);
/* home_session_apply() - tell the running programs, as a tool does. */
void home_session_apply(const struct home_session *s);
/* home_session_hide() - nobody can attach to it any more
 * home_session_show() - take that back */
void home_session_hide(const struct home_session *s);
void home_session_show(const struct home_session *s);
/* home_session_stop() - bits cleared; what it recorded stays until it is destroyed */
void home_session_stop(struct home_session *s);
/* home_session_destroy() - as a tool does: dead, bits cleared, files gone */
void home_session_destroy(struct home_session *s);
/* home_session_event_name() - "provider:event" of an id; false if there is no such id */
bool home_session_event_name(const struct home_session *s, uint32_t id, char *ret_name,
			     size_t bytes);
/* home_session_event_contexts() - what its records begin with; 0 if there is no such id */
uint64_t home_session_event_contexts(const struct home_session *s, uint32_t id);

/* die() - the test cannot go on: what it tried, and errno. */
void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
