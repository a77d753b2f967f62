/* SPDX-License-Identifier: MIT */
/*
 * snapshot_output.h - where a snapshot goes: as it says itself, as `snapshot add-output` said, or by
 * default.
 */
#ifndef TACHO_SESSION_DRAIN_SNAPSHOT_OUTPUT_H
#define TACHO_SESSION_DRAIN_SNAPSHOT_OUTPUT_H

#include "session/session.h"

/* snapshot_make_dir() - make its directory. @ret_made: it was not there before. */
int snapshot_make_dir(const struct session *session, const struct snapshot_options *options,
		      char ret_path[TACHO_PATH_BYTES], bool *ret_made, struct tacho_error *error);

#endif
