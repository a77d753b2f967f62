/* SPDX-License-Identifier: MIT */
/*
 * parts.h - the files of a trace in the order in which they are read: those of one stream,
 * which a tracer that limits the size of files cuts into several, follow each other by time.
 */
#ifndef TACHO_CTF_READ_PARTS_H
#define TACHO_CTF_READ_PARTS_H

#include "find.h"
#include "packet.h"

struct read_part {
	const char *path; /* of the struct read_paths */
	struct read_identity identity;
};

/*
 * read_parts_new() - the files @paths of a trace, in order
 * @ret_parts: to be freed with free(); paths->count of them
 *
 * Return: 0 or -ENOMEM.
 */
int read_parts_new(const struct read_trace *trace, const struct read_paths *paths,
		   struct read_part **ret_parts);

/* read_parts_of_stream() - how many of @parts, from the first one on, are of its stream */
size_t read_parts_of_stream(const struct read_part *parts, size_t count);

#endif
