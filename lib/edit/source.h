/* SPDX-License-Identifier: MIT */
/*
 * source.h - the traces at or below a directory, to be looked at or rewritten stream by stream:
 * with one stream at a time, memory and open files do not grow with their number.
 */
#ifndef TACHO_EDIT_SOURCE_H
#define TACHO_EDIT_SOURCE_H

#include "ctf/read/parts.h"
#include "ctf/read/stream.h"
#include "ctf/read/trace.h"

struct source_trace {
	char *dir;
	const char *place;         /* of `dir`, below the directory that was opened; "" */
	struct read_trace *trace;  /* NULL: its metadata is of no use */
	struct tacho_error damage; /* of the metadata; code 0: none */
	struct read_paths paths;
	struct read_part *parts; /* paths.count of them, in the order in which they are read */
};

struct source {
	struct source_trace *traces;
	size_t trace_count;
	struct tacho_error skipped; /* a directory that could not be read; code 0: none */
};

/*
 * source_open() - Return: 0; -ENOENT: there is no trace; -ENOMEM; or what opening the directory
 * gave. A trace that cannot be read is in the list, with its damage.
 */
int source_open(const char *dir, struct tacho_error *e, struct source *ret_source);
void source_close(struct source *source);

/*
 * source_stream() - the stream that begins with the file @at
 * @ret_next: the file with which the next one begins
 *
 * Return: 0 or -ENOMEM.
 */
int source_stream(const struct source_trace *trace, size_t at, size_t *ret_next,
		  struct read_stream **ret_stream);

/* source_bytes() - of all files of a trace's streams */
uint64_t source_bytes(const struct source_trace *trace);

/* source_file_name() - without its directory */
const char *source_file_name(const char *path);

#endif
