/* SPDX-License-Identifier: MIT */
/*
 * text.h - the heap of text at the end of the session file (format/session.h).
 *
 * There is no list of what is free: what the spans of all rules, trackers and triggers name is in
 * use, and everything else is not. So nothing has to be freed, a tool that is killed leaks nothing,
 * and text in use never moves. Memory is allocated before it is touched, and stays allocated.
 *
 * A program may still be reading a text by a rule that was just taken back; it finds out, since
 * the generation changed before the text's place could be used again, and reads again.
 */
#ifndef TACHO_SESSION_TEXT_H
#define TACHO_SESSION_TEXT_H

#include "session/session.h"

/* One piece of text, or anything else made of bytes; 0 bytes: nothing. */
struct text_piece {
	const void *data;
	size_t bytes;
	struct tacho_span span; /* out: where it is now; starts at a multiple of 8 */
};

/*
 * session_text_put() - put all texts of one rule, tracker or trigger into the heap
 * @pieces: span is set, on success
 *
 * Together, since only what the session file names is in use: a second call, before the spans of
 * the first are in it, would find the same place.
 *
 * Context: below the session lock; not between session_change_begin() and _end(), since it has a
 * change of its own.
 *
 * Return: 0; -ENOSPC: the heap has no room in one piece, or the file system has none.
 */
int session_text_put(struct session *session, struct text_piece *pieces, size_t count,
		     struct tacho_error *error);

/* session_text_reserve() - memory for the first @bytes of the heap, at most TACHO_TEXT_BYTES; below
 * the session lock. */
int session_text_reserve(struct session *session, uint32_t bytes, struct tacho_error *error);

#endif
