/* SPDX-License-Identifier: MIT */
/* edit_private.h - between edit.c and what does its parts */
#ifndef TACHO_EDIT_EDIT_PRIVATE_H
#define TACHO_EDIT_EDIT_PRIVATE_H

#include "edit.h"
#include "output.h"
#include "packets.h"
#include "source.h"

/* A clock of the traces so far; its text is that of a source that may be gone, so it is a copy. */
struct edit_clock {
	struct edit_clock *next;
	char uuid[40];
	struct read_clock clock;
};

/* How far the input at hand is. */
struct edit_progress {
	size_t input;
	uint64_t done_bytes, total_bytes; /* of files: of those that are done, of all */
};

struct edit {
	const struct edit_request *request;
	struct edit_clock *clocks;
	struct output output;
	struct edit_totals totals;
	struct edit_progress progress;
	struct tacho_error *e;
};

/* edit_note() - say something, to whoever wants to hear it */
void edit_note(struct edit *edit, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* edit_repaired() - the same of something that is mended by it */
void edit_repaired(struct edit *edit, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

bool edit_is_stopped(const struct edit *edit);
/* edit_progress() - so much of the stream at hand is done */
void edit_progress(struct edit *edit, uint64_t bytes);

/*
 * edit_clocks() - let the clocks of a trace be comparable with those of the others
 * @ret_is_changed: its metadata are to be written anew
 *
 * Return: 0 or -ENOMEM.
 */
int edit_clocks(struct edit *edit, size_t input, struct source_trace *trace, bool *ret_is_changed);
void edit_clocks_fini(struct edit *edit);

/* edit_is_plain() - what CTF 2 only has becomes what CTF 1.8 has: plain.h */
bool edit_is_plain(const struct edit *edit, const struct read_trace *trace);

/*
 * edit_metadata() - the metadata of a trace, into a directory
 * @is_changed: not as they are in the source
 *
 * Return: 0 or a negative errno.
 */
int edit_metadata(struct edit *edit, const struct source_trace *trace, bool is_changed, int dir_fd);

/* edit_stream() - the stream that begins with the file @at. Return: 0 or a negative errno. */
int edit_stream(struct edit *edit, const struct source_trace *trace, size_t at, int dir_fd,
		int index_dir_fd, size_t *ret_next);

/*
 * resume_offset() - where, behind a damaged packet, the next one is
 * @from: where to look from, in bytes
 * @ret_offset: if there is none, the end of the file
 *
 * Return: 1, 0 (there is none), -ENOMEM.
 */
int resume_offset(const struct read_trace *trace, const char *path, uint64_t from,
		  uint64_t *ret_offset);

/* resume_has_magic() - does what is at @offset begin like a packet? */
bool resume_has_magic(const struct read_trace *trace, const char *path, uint64_t offset);

/* index_check() - note what is wrong with the index of a file that has one, or is to have one. */
void index_check(struct edit *edit, const struct source_trace *trace, const char *path);

#endif
