/* SPDX-License-Identifier: MIT */
/*
 * metadata.h - the text that says what the bytes of a trace mean: TSDL, the language of CTF 1.8.
 *
 * The packets of CTF 2 are the same, and what its metadata say is what TSDL says: they are made of that
 * (ctf2.h), so that there is one description of what is recorded.
 */
#ifndef TACHO_CTF_METADATA_H
#define TACHO_CTF_METADATA_H

#include <stdio.h>

#include "trace.h"

/* The whole metadata, on a stream. The caller looks at ferror(). Return: 0 or -ENOMEM. */
int metadata_print(FILE *out, const struct ctf_trace_info *info, const struct ctf_schema *schema);

/* The declaration of an event, on a stream. @perf: ctf_schema.perf. Return: 0 or -ENOMEM. */
int metadata_print_event(FILE *out, const struct ctf_event_class *event,
			 const struct tacho_perf *perf, uint32_t stream_id);

/*
 * metadata_write() - put the metadata into a directory, at one stroke
 *
 * Return: 0 or a negative errno; then the old metadata is still there.
 */
int metadata_write(int dir_fd, const struct ctf_trace_info *info, const struct ctf_schema *schema);

/*
 * metadata_read_uuid() - the UUID of the trace in a directory
 *
 * Return: 0; -ENOENT where there is no metadata; -EBADMSG where it is not ours.
 */
int metadata_read_uuid(int dir_fd, uint8_t ret_uuid[CTF_UUID_BYTES]);

#endif
