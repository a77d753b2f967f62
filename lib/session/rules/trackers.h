/* SPDX-License-Identifier: MIT */
/*
 * trackers.h - of which processes a session records.
 *
 * There is a set for each kind of attribute (enum tacho_tracker_kind). In the beginning each holds
 * every value; a process is recorded if its attributes are in all sets. To add a value to a set that
 * holds every one makes it hold just this one. Changes take effect at once, also in programs that
 * are recorded already.
 */
#ifndef TACHO_SESSION_RULES_TRACKERS_H
#define TACHO_SESSION_RULES_TRACKERS_H

#include "session/session.h"

struct tracked_value {
	enum tacho_tracker_kind kind;
	uint64_t id;            /* VPID, VUID, VGID, DESCENDANTS */
	const char *executable; /* EXECUTABLE: a pattern, as of rules */
};

/*
 * session_track() - add values to the sets of their kinds; one that is in it already is no error
 * session_untrack() - take values out again; one that is not in it is no error
 *
 * All or, where one is wrong, none.
 *
 * Return: 0; -ENOSPC: there is no room for so many; -ENOENT: a set holds every value, of which none
 * can be taken out; -EINVAL.
 */
int session_track(struct session *session, const struct tracked_value *values, size_t count,
		  struct tacho_error *error);
int session_untrack(struct session *session, const struct tracked_value *values, size_t count,
		    struct tacho_error *error);

/* session_tracks() - is this value one that is tracked for itself? */
bool session_tracks(const struct session *session, const struct tracked_value *value);

/* session_track_all() - the sets of these kinds (bits) hold every value
 * session_untrack_all() - they hold none: nothing is recorded */
int session_track_all(struct session *session, uint32_t kinds, struct tacho_error *error);
int session_untrack_all(struct session *session, uint32_t kinds, struct tacho_error *error);

#endif
