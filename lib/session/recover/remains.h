/* SPDX-License-Identifier: MIT */
/*
 * remains.h - the directory of a session that is over, and what is known of the session.
 *
 * The session's file is read into memory, checked and mended there: strings end, counts are within
 * their arrays, and each ring file in the directory belongs to a channel. Without a file that can be
 * used, channels are called like their ring files, and times are those of a clock that began when
 * the machine started.
 */
#ifndef TACHO_SESSION_RECOVER_REMAINS_H
#define TACHO_SESSION_RECOVER_REMAINS_H

#include "session/recover/recover.h"
#include "session/state.h"

struct remains {
	struct session
		session; /* as the rest of the library takes it: its directory and its file */
	bool has_file;   /* the file is that of the session, not made up */
	bool is_of_this_boot;
};

/* remains_open() - Return: 0; -ENODATA: nothing of a session is there; or a negative errno. */
int remains_open(const char *dir, const struct recover_options *options,
		 struct remains *ret_remains, struct tacho_error *error);
void remains_close(struct remains *remains);

#endif
