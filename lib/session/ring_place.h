/* SPDX-License-Identifier: MIT */
/*
 * ring_place.h - where a session's ring files are: in its directory; or, as `create --shm-path DIR`
 * asks for, in a directory of their own, where they may outlast the machine's end. So does all that is
 * needed to make a trace of them (session/recover/recover.h): the event table, and a copy of the
 * session file.
 *
 *      sessions/NAME/CHANNEL.rings  ->  DIR/NAME-DATE/CHANNEL.rings      (tacho_session.shm_path)
 *      sessions/NAME/events         ->  DIR/NAME-DATE/events
 *      sessions/NAME/session.copy   ->  DIR/NAME-DATE/session.copy
 *
 * Programs and tools open the links as if they were the files. They are removed with the session.
 */
#ifndef TACHO_SESSION_RING_PLACE_H
#define TACHO_SESSION_RING_PLACE_H

#include "session/session.h"

/*
 * ring_place_make() - make the directory for a new session: below @dir, called after the session
 * @ret_path: its absolute path
 */
int ring_place_make(const char *dir, const char *escaped_name, char ret_path[TACHO_PATH_BYTES],
		    struct tacho_error *error);

/*
 * ring_place_open() - the directory to make ring files in
 * @dir_fd: of the session
 *
 * Return: a descriptor, to be closed; or a negative errno.
 */
int ring_place_open(int dir_fd, const struct tacho_session *file, struct tacho_error *error);

/* ring_place_link() - let the session's directory lead to a ring file; nothing to do where it is in
 * it. Return: 0 or a negative errno. */
int ring_place_link(int dir_fd, const struct tacho_session *file, const char *name);

/* ring_place_unlink() - remove a file that was just made, or that a tool left that was killed. */
void ring_place_unlink(int dir_fd, const struct tacho_session *file, const char *name);

/* ring_place_copy_session() - after it was changed; nothing to do where the rings are in its own
 * directory. On failure, the copy that is there stays: what is missing in it is told by the rings. */
void ring_place_copy_session(const struct tacho_session *file);

/*
 * ring_place_remove() - if @name is such a link: take the bytes out of the file that it leads to, and
 *                       remove that, and its directory with the last
 *
 * A link that leads to anything but such a file of ours, of the same name, is left alone.
 */
void ring_place_remove(int dir_fd, const char *name);

#endif
