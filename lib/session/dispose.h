/* SPDX-License-Identifier: MIT */
/*
 * dispose.h - the end of a session: it is taken out of the programs, then out of the directory,
 * then its memory is given back. Killed anywhere on the way, the next tool goes on.
 */
#ifndef TACHO_SESSION_DISPOSE_H
#define TACHO_SESSION_DISPOSE_H

#include "session/session.h"

/*
 * session_bury() - remove a session whose state is DEAD
 * @sessions_fd: the directory sessions/, with the runtime lock held
 */
int session_bury(struct session *session, int sessions_fd);

/*
 * session_dir_remove() - remove a directory below sessions/, whatever is in it
 *
 * A program may still map the rings: their bytes are taken out of the files, so that the memory
 * comes back, but the files never get shorter, which would kill the program.
 */
int session_dir_remove(int sessions_fd, const char *name);

#endif
