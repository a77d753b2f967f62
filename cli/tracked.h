/* SPDX-License-Identifier: MIT */
/*
 * tracked.h - of which processes a session records: what track and untrack share, and how it is
 * shown.
 */
#ifndef TACHO_CLI_TRACKED_H
#define TACHO_CLI_TRACKED_H

#include "cmd.h"
#include "pick.h"
#include "session/rules/trackers.h"

/* What each kind is called: "process ids", and "vpid" for JSON. */
const char *tracked_title(uint32_t kind);
const char *tracked_key(uint32_t kind);

/* tracked_text() - "every", "none", or "3, 5"; to be freed. */
char *tracked_text(const struct tacho_session *file, uint32_t kind);

/* tracked_value_text() - of one tracker; to be freed. */
char *tracked_value_text(const struct tacho_session *file, const struct tacho_tracker *tracker);

/* Lists of values; `untouched` where the option was not given, NULL where it had no value. */
extern const char tracked_untouched[];
struct tracked_asked {
	const char *session;
	const char *values[TACHO_TRACK_KINDS];
	int all;
};
extern struct tracked_asked tracked_asked;

/* clang-format off */
#define TRACKED_ENTRY(name, letter, kind, hidden, text, what)                                      \
	{                                                                                          \
		name, letter, POPT_ARG_STRING | POPT_ARGFLAG_OPTIONAL | (hidden),                  \
		&tracked_asked.values[kind], 0, text, what                                         \
	}
#define TRACKED_ENTRIES                                                                            \
	{ "session", 's', POPT_ARG_STRING, &tracked_asked.session, 0,                              \
	  "Of this session (else: the current)", "SESSION" },                                      \
	TRACKED_ENTRY("vpid", 0, TACHO_TRACK_VPID, 0, "Processes by their ids, as they see them",  \
		      "PID[,PID].."),                                                             \
	TRACKED_ENTRY("vuid", 0, TACHO_TRACK_VUID, 0, "By their users, names or numbers",          \
		      "USER[,USER].."),                                                           \
	TRACKED_ENTRY("vgid", 0, TACHO_TRACK_VGID, 0, "By their groups, names or numbers",         \
		      "GROUP[,GROUP].."),                                                         \
	TRACKED_ENTRY("exec", 0, TACHO_TRACK_EXECUTABLE, 0,                                        \
		      "By their programs: names, or paths if there is a / in it; * is anything",   \
		      "PATTERN[,PATTERN].."),                                                     \
	TRACKED_ENTRY("descendants", 0, TACHO_TRACK_DESCENDANTS, 0,                                \
		      "Processes and all that they start", "PID[,PID].."),                        \
	TRACKED_ENTRY("pid", 'p', TACHO_TRACK_VPID, POPT_ARGFLAG_DOC_HIDDEN, NULL, NULL),          \
	TRACKED_ENTRY("uid", 0, TACHO_TRACK_VUID, POPT_ARGFLAG_DOC_HIDDEN, NULL, NULL),            \
	TRACKED_ENTRY("gid", 0, TACHO_TRACK_VGID, POPT_ARGFLAG_DOC_HIDDEN, NULL, NULL)
/* clang-format on */

/* What is to be done with a session. */
struct tracked_work {
	bool is_to_track; /* else to untrack */
	int (*all)(struct session *session, uint32_t kinds, struct tacho_error *error);
	int (*some)(struct session *session, const struct tracked_value *values, size_t count,
		    struct tacho_error *error);
};

/* tracked_run() - do what the options ask for, and say how it is now. Return: exit status. */
int tracked_run(const struct command *command, const struct tracked_work *work);

#endif
