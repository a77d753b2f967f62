/* SPDX-License-Identifier: MIT */
/*
 * trace.h - one trace: its classes, ready to decode with, and its files.
 *
 * Everything here is constant once the trace is open; all streams of the trace share it.
 */
#ifndef TACHO_CTF_READ_TRACE_H
#define TACHO_CTF_READ_TRACE_H

#include "file.h"
#include "header.h"
#include "layout.h"

#define READ_THREAD_BYTES 64

/* Who writes. */
struct read_writer {
	uint32_t pid, tid; /* 0: not known */
	char thread[READ_THREAD_BYTES];
};

struct read_event {
	uint64_t id;
	const char *name;
	const char *provider;
	const char *base_name;
	const char *uri; /* of its model; or NULL */
	int32_t level;
	const char *source; /* as read_event_class has it */
	bool is_writer;     /* tacho:writer */
	uint32_t order;     /* in the metadata */
	struct read_layout *context;
	struct read_layout *fields;
	const struct read_flat *flat; /* flat.h; or NULL */
};

struct read_stream_layout {
	uint64_t id;
	struct read_layout *packet_context;
	struct read_layout *event_header;
	struct read_layout *event_context;
	struct read_header header; /* event_header, if it is of the form that we know */
	const struct read_clock *clock;
	uint32_t discarded_bits;   /* how wide the count of lost events is; 0: there is none */
	struct read_event *events; /* by id */
	uint32_t event_count;
};

struct read_trace {
	struct read_trace *next;
	char *path;             /* the directory; NULL if the metadata did not come from a file */
	struct ctf_file_id dir; /* the same of its directory */
	struct read_file_state state; /* of the metadata, before it was read */
	struct read_metadata metadata;
	struct read_layout *packet_header;
	struct read_stream_layout *streams;
	uint32_t stream_count;
	uint32_t slot_count;
	uint32_t align_bytes;      /* a multiple of the alignments of all fields */
	struct read_writer writer; /* of a trace of one process: what the environment says */
};

/*
 * read_trace_open() - read a directory's metadata
 * @ret_trace: also set, with an error, if part of the metadata is of use; else NULL
 *
 * Return: 0, -EINVAL (wrong metadata), -ENOMEM, or what reading the file gave.
 */
int read_trace_open(const char *dir, struct tacho_error *e, struct read_trace **ret_trace);
/* The same from a text in memory, which is changed. */
int read_trace_parse(char *text, size_t bytes, struct tacho_error *e,
		     struct read_trace **ret_trace);
void read_trace_free(struct read_trace *trace);

/* read_trace_is_outdated() - was the metadata written anew since, as a growing trace's is? */
bool read_trace_is_outdated(const struct read_trace *trace);
/* read_trace_is_moved() - is there no directory at its path any more, or another one? */
bool read_trace_is_moved(const struct read_trace *trace);

/* NULL if there is none. */
const struct read_stream_layout *read_trace_stream(const struct read_trace *trace, uint64_t id);
const struct read_event *read_trace_search(const struct read_stream_layout *stream, uint64_t id);

/* Ids are mostly 0, 1, 2, ..: then each has its own place. */
static inline const struct read_event *read_trace_event(const struct read_stream_layout *stream,
							uint64_t id)
{
	if (id < stream->event_count && stream->events[id].id == id)
		return &stream->events[id];
	return read_trace_search(stream, id);
}

const char *read_trace_env(const struct read_trace *trace, const char *name);

#endif
