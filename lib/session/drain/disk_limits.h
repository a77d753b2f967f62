/* SPDX-License-Identifier: MIT */
/*
 * disk_limits.h - how much of a disk a trace takes: files of bounded size for each stream, and a
 * bound for all of them together. What is archived (rotation.h) does not count.
 */
#ifndef TACHO_SESSION_DRAIN_DISK_LIMITS_H
#define TACHO_SESSION_DRAIN_DISK_LIMITS_H

#include "session/drain/ring_copy.h"

/* limits_file_bytes() - of each file of a stream of this channel; 0: there is no limit. */
uint64_t limits_file_bytes(const struct tacho_session *file, uint32_t channel);

/*
 * limits_keep() - remove the oldest files, of whatever stream, until another one fits
 *
 * To be called after each sub-buffer that was written; it seldom has something to do.
 *
 * Return: 0, or a negative errno: the trace cannot be looked through.
 */
struct limits {
	uint64_t unchecked_bytes; /* written since it was looked at */
	bool is_checked;
};
int limits_keep(struct limits *limits, struct ring_set *set, const struct trace_output *output,
		uint64_t written_bytes);

#endif
