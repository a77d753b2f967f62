/* SPDX-License-Identifier: MIT */
/*
 * recover.h - make a trace of what a session left behind whose programs, drain and tools are dead:
 * killed, or gone with the machine; also of files that are damaged or cut short.
 *
 *      remains.c   the session's file, or its copy, or what can be told without either
 *      image.c    a ring file, copied to memory: nothing is mapped, nothing is changed
 *      sound.c    which parts of a ring are sound
 *      past.c     where the trace ends that the session has written already
 *      recover.c  copies the sound parts to a new trace
 *      alive.c    is it really over?
 *      find.c     which directory is meant
 *
 * Of each ring, what is written is   oldest .. drained .. head:   a trace that a drain wrote keeps
 * what it has, and the new trace begins behind it, to the record. So of a ring in discard mode
 *
 *      records written  =  in the session's trace  +  recovered  +  lost (counted in the ring)
 *
 * WHAT IS SOUND. Within one run of the machine, memory is what the writers made of it, wherever they
 * were killed (format/ring.h). A disk that lost its power has pages from different moments, and
 * zeros. So nothing is taken at its word: a part is sound as far as its records follow each other
 * (record_walk.h, is_strict), begin with the tacho:writer and the time that the table says, and end
 * no later than it says; and it stands where its number belongs. The part that was open is sound up
 * to the head, if the head's page knows of it.
 */
#ifndef TACHO_SESSION_RECOVER_RECOVER_H
#define TACHO_SESSION_RECOVER_RECOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "format/ring.h"
#include "format/runtime.h"

struct recover_options {
	const char *output; /* directory of the new trace, which must not exist or be empty */
	bool all;           /* also what is in the session's trace, as far as it is still there */
	/* What could not be recovered, in words, as it is found. */
	void (*note)(void *arg, const char *text);
	void *note_arg;
};

struct recover_result {
	char name[TACHO_SESSION_NAME_BYTES];
	char path[TACHO_PATH_BYTES]; /* of the trace */
	char drained
		[TACHO_PATH_BYTES]; /* the session's own trace, that this one goes on from; or "" */
	uint64_t events;
	uint64_t bytes; /* of packets */
	uint64_t packets;
	uint64_t damaged; /* parts of rings, or the ends of some, that are not sound */
	uint64_t lost[TACHO_LOST_REASONS]; /* counted by the writers, since the session began */
};

/*
 * recover_find() - the directories of sessions that are meant
 * @word: a runtime directory, a session's, that of --shm-path, or one above such; or the name of a
 *        session; NULL: the runtime directory
 * @ret_dirs: absolute paths, NULL-terminated; free with str_array_free()
 *
 * Return: 0; -ENOENT says what there is instead.
 */
int recover_find(const char *word, char ***ret_dirs, struct tacho_error *error);

/*
 * recover_session() - make a trace of what is left in @dir
 *
 * Return: 0; -EBUSY: it is alive, and @error says which command has its events; -EEXIST: the output is
 * not empty; -ENODATA: there is nothing of a session; or what writing gave.
 */
int recover_session(const char *dir, const struct recover_options *options,
		    struct recover_result *ret_result, struct tacho_error *error);

#endif
