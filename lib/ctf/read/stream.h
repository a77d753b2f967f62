/* SPDX-License-Identifier: MIT */
/*
 * stream.h - the items of one stream's file, or files, in their order.
 *
 *      load a packet --> lost records before it? --> its events --> load the next
 *            |                                          |
 *            +---- damaged: one damage item, then the end of the stream
 *
 * An event that the metadata does not describe is damage, unless the metadata was written anew
 * meanwhile: then the trace has grown since it was opened, and the stream ends before that event.
 *
 * A stream keeps its packet in memory, and its file closed in between: a trace has a file per CPU
 * and channel, more than a process may have open.
 */
#ifndef TACHO_CTF_READ_STREAM_H
#define TACHO_CTF_READ_STREAM_H

#include "packet.h"

struct read_stream;

/* Return: 0 or -ENOMEM. @path is copied. */
int read_stream_new(const struct read_trace *trace, const char *path,
		    struct read_stream **ret_stream);
/* read_stream_add() - another file of the stream, behind those there are. Return: 0 or -ENOMEM. */
int read_stream_add(struct read_stream *stream, const char *path);
void read_stream_free(struct read_stream *stream);
/* read_stream_rest() - give memory back that is not needed until the stream is read again */
void read_stream_rest(struct read_stream *stream);
/* read_stream_number() - what its items say in `stream` */
void read_stream_number(struct read_stream *stream, uint32_t number);
/* read_stream_path() - of one of its files; NULL: it has not so many */
const char *read_stream_path(const struct read_stream *stream, size_t index);
/*
 * read_stream_file() - which file one of its paths is; zeroed: that is not known yet; NULL: as above
 * read_stream_expect() - .. and has to be when it is read; else that is damage, with the code -ESTALE
 */
const struct ctf_file_id *read_stream_file(const struct read_stream *stream, size_t index);
void read_stream_expect(struct read_stream *stream, size_t index, const struct ctf_file_id *file);
const struct read_trace *read_stream_trace(const struct read_stream *stream);
/* read_stream_done_bytes() - of its files, before where it is */
uint64_t read_stream_done_bytes(const struct read_stream *stream);
/* read_stream_select() - a stream that is not wanted has no items */
void read_stream_select(struct read_stream *stream, bool is_wanted);
/*
 * read_stream_watch_order() - be told of what times of packets, and of items before, do not promise
 * @ret_is_disordered: becomes true as soon as a packet begins before the one before it ends, or
 *                     ends before it begins, or an item is earlier than the one before it or later
 *                     than its packet's end
 */
void read_stream_watch_order(struct read_stream *stream, bool *ret_is_disordered);
/* read_stream_skip_fields() - from the next event on, do not decode fields and contexts */
void read_stream_skip_fields(struct read_stream *stream);

/*
 * read_stream_set_window() - of larger packets, have about so many bytes in memory. Without it, and
 * for who watches, packets are there as a whole.
 */
void read_stream_set_window(struct read_stream *stream, uint64_t bytes);

/*
 * read_stream_seek() - go on with the first packet that ends at or behind a time (seek.c)
 *
 * Items before may still come, but not whole packets of them. What stands before is not looked at,
 * nor is its damage. Return: 0 or -ENOMEM.
 */
int read_stream_seek(struct read_stream *stream, uint64_t time_ns);
/*
 * read_stream_check_index() - does a walk without the index come to the same packet, for any time?
 *
 * Also if there is none. Afterwards, it has to be sought.
 */
bool read_stream_check_index(struct read_stream *stream);
/* read_stream_go() - see ctf_reader_go() */
int read_stream_go(struct read_stream *stream, const struct ctf_place *place);
/*
 * read_stream_find_last() - when its last item is; then, it has to be sought
 *
 * Return: 1, 0 (it has none), or -ENOMEM.
 */
int read_stream_find_last(struct read_stream *stream, uint64_t *ret_time_ns);

/*
 * For those who make a new trace of it (lib/edit):
 *
 * read_stream_watch() - have @fn called with each packet before its items; valid until the next
 * read_stream_where() - the class of the event that read_stream_next() gave, and which bits of the
 *                       packet it is
 * read_stream_skip_to() - go on in the same file with the packet at @offset, be it damaged or not
 *                         @bytes: its size, whatever it says of it; 0: what it says
 * read_stream_then() - behind the packet that was just begun, go on in the same file with the one at
 *                      @offset
 * read_stream_set_ticks() - the packet that was just begun begins at this time, whatever it says
 */
typedef void (*read_stream_fn)(void *data, const struct read_packet *packet, const char *path);
void read_stream_watch(struct read_stream *stream, read_stream_fn fn, void *data);
const struct read_event *read_stream_where(const struct read_stream *stream, uint64_t *ret_begin,
					   uint64_t *ret_end);
void read_stream_skip_to(struct read_stream *stream, uint64_t offset, uint64_t bytes);
void read_stream_then(struct read_stream *stream, uint64_t offset);
void read_stream_set_ticks(struct read_stream *stream, uint64_t ticks);

/* Return: 1 with an item that is valid until the next call, 0 at the end, or -ENOMEM. */
int read_stream_next(struct read_stream *stream, const struct ctf_item **ret_item);

#endif
