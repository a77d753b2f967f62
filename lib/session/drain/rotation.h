/* SPDX-License-Identifier: MIT */
/*
 * rotation.h - chunks of a trace: what a killed drain, or a tool in its place, finds and goes on
 * with. The protocol, and why it can end at any instruction, is in doc/design/rotation.md.
 */
#ifndef TACHO_SESSION_DRAIN_ROTATION_H
#define TACHO_SESSION_DRAIN_ROTATION_H

#include "session/drain/ring_cut.h"
#include "session/session.h"

/* Below OUTPUT. */
#define ARCHIVES_DIR "archives"

/* In the session's directory, each a struct ring_cuts. */
#define CHUNK_FILE      "chunk"      /* where the current chunk begins; none: it is the first */
#define CHUNK_NEXT_FILE "chunk.next" /* where the next one will begin */
#define CLEARED_FILE    "cleared"    /* what is before was cleared away, also for snapshots */

/*
 * rotation_settle() - bring to its end what a rotation left, however far it came
 * @ret_cuts: where the current chunk begins; NULL for the first one; free() it
 *
 * Under the drain lock, with the trace closed. Harmless when there is nothing to do.
 */
int rotation_settle(struct session *session, struct ring_cuts **ret_cuts,
		    struct tacho_error *error);

/*
 * rotation_prepare() - describe the chunk that begins now
 * @cuts: of the current one, or NULL
 * @is_clear: the current one is to be removed, not archived
 *
 * Return: zeros in cut[] for the caller to fill; NULL: no memory, or no random number.
 */
struct ring_cuts *rotation_prepare(const struct session *session, const struct ring_cuts *cuts,
				   uint32_t ring_count, bool is_clear);

/* rotation_commit() - move the current trace, which is closed, out of the way: from then on @next
 * is the current chunk. rotation_settle() does what is left. */
int rotation_commit(struct session *session, const struct ring_cuts *next,
		    struct tacho_error *error);

/* rotation_path() - of the chunk that was archived before @cuts. */
int rotation_path(const struct session *session, const struct ring_cuts *cuts,
		  char ret_path[TACHO_PATH_BYTES]);

#endif
