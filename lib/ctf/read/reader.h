/* SPDX-License-Identifier: MIT */
/*
 * reader.h - read CTF 1.8 and CTF 2 traces: what the commands use. The way of the bytes:
 *
 *      DIR/.../metadata --> tsdl or ctf2 --> types        --> layout --+   (classes, once;
 *                                            declarations   roles, slots |    compiled by
 *                                                                        |    program, header)
 *                                                                        v
 *      DIR/.../STREAM   --> packet       --> stream       --> merge --> ctf_reader_next()
 *                           one packet in    records of     all streams
 *                           memory           one stream     by time
 *
 *      struct ctf_item  --> ctf/print/   text, or JSON lines
 *                       --> count        events per name
 *
 * A trace is a directory that holds a file `metadata`; a reader takes all traces at or below one
 * directory. What is read is hostile: a damaged file ends its own stream, with an item that says
 * where and why, and never those of others.
 *
 *      struct ctf_reader *reader;
 *      const struct ctf_item *item;
 *      int more = ctf_reader_open(dir, &error, &reader);
 *
 *      if (more < 0)
 *              return more;
 *      while ((more = ctf_reader_next(reader, &item)) > 0)
 *              ... look at item ...
 *      ctf_reader_close(reader);
 */
#ifndef TACHO_CTF_READER_H
#define TACHO_CTF_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct ctf_reader;
struct read_event;   /* trace.h */
struct read_clock;   /* types.h */
struct read_mapping; /* the same */
struct read_stream;  /* stream.h */
struct read_trace;   /* trace.h */

/* What a value is. The comment names the member that holds it. */
enum ctf_value_kind {
	CTF_VALUE_UNSIGNED, /* u */
	CTF_VALUE_SIGNED,   /* i */
	CTF_VALUE_FLOAT,    /* f */
	CTF_VALUE_STRING,   /* bytes, length; no 0 byte at the end */
	CTF_VALUE_BYTES,    /* bytes, length; to be shown in hexadecimal */
	CTF_VALUE_ENUM,     /* u or i (is_signed), label */
	CTF_VALUE_STRUCT,   /* its fields follow */
	CTF_VALUE_ARRAY,    /* its elements follow, without names */
};

/*
 * A field of an event. An event's values are one array in preorder: those of a struct or array
 * follow it. `span` counts the value and all within, so that
 *
 *      for (i = 0; i < count; i += values[i].span)
 *
 * visits one level, and the same loop from `i + 1` below `i + values[i].span` the level below.
 */
struct ctf_value {
	const char *name; /* "" for an element */
	union {
		uint64_t u;
		int64_t i;
		double f;
		const char *bytes;
	};
	const char *label; /* of an enum: the name of the value, or NULL if it has none */
	const struct read_mapping *mappings; /* of an enum: all labels, of which several may fit */
	uint32_t length; /* bytes of a string, elements of an array, fields of a struct */
	uint32_t span;
	uint8_t kind; /* enum ctf_value_kind */
	uint8_t base; /* of an integer: 2, 8, 10 or 16 */
	uint8_t bits; /* of an integer or float */
	bool is_signed;
	bool is_length;    /* only says how long a later field is; views leave it out */
	bool is_character; /* an integer that stands for a character */
	bool is_clock;     /* a time of a clock, to which no length or tag refers */
	uint8_t variants;  /* so many variants stand around it, in which it was chosen */
};

/* What the metadata declares of an event, be it empty. */
enum ctf_scope {
	CTF_SCOPE_PACKET = 1,         /* context of the packet, beyond what only readers need */
	CTF_SCOPE_STREAM_CONTEXT = 2, /* context of each event of the stream */
	CTF_SCOPE_EVENT_CONTEXT = 4,  /* context of this event only */
	CTF_SCOPE_FIELDS = 8,
};

enum {
	CTF_LEVEL_NONE = -1, /* the metadata names no level */
	CTF_CPU_NONE = -1,
};

struct ctf_event {
	const char *name;      /* "provider:event" */
	const char *provider;  /* "" where the name has none */
	const char *base_name; /* the name behind the provider */
	int32_t level;         /* enum tacho_level */
	const char *source;    /* "shop.c:42", or NULL where the trace does not say */
	int32_t cpu;
	uint64_t ticks;     /* the raw clock */
	uint32_t pid, tid;  /* 0 where the trace does not say */
	const char *thread; /* name of the thread, "" where the trace does not say */
	bool is_writer;     /* "tacho:writer": not an event of the program's; views leave it out */
	const struct ctf_value *context; /* of the stream and of the event */
	uint32_t context_count;
	const struct ctf_value *fields;
	uint32_t field_count; /* of all levels */

	uint8_t scopes;                 /* enum ctf_scope */
	uint32_t stream_context_count;  /* of `context`, those of the stream; they come first */
	const struct ctf_value *packet; /* context of the packet: "cpu_id" */
	uint32_t packet_count;
	const struct read_trace *trace;
	const struct read_clock *clock; /* of `ticks`; NULL: they are nanoseconds */
	const struct read_event *class; /* what the metadata declares */
};

/* Records that the tracer could not keep, between two instants. */
struct ctf_lost {
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t events;  /* 0 where only packets are known to be missing */
	uint64_t packets; /* sub-buffers that were overwritten or not copied out */
	int32_t cpu;
};

/* Something that could not be read. The rest of its file is left out, nothing else. */
struct ctf_damage {
	int code;         /* negative errno */
	uint64_t offset;  /* in bytes */
	const char *text; /* what is wrong, for people; names file and offset */
};

enum ctf_item_kind {
	CTF_ITEM_EVENT,
	CTF_ITEM_LOST,
	CTF_ITEM_DAMAGE,
};

/*
 * Which file it is, whatever its name is by now. The number of a file that was removed is soon that of
 * a new one, which was born later.
 */
struct ctf_file_id {
	uint64_t device, inode;
	int64_t born_ns; /* 0 where the file system does not know */
};

static inline bool ctf_file_is_same(const struct ctf_file_id *a, const struct ctf_file_id *b)
{
	return a->device == b->device && a->inode == b->inode && a->born_ns == b->born_ns;
}

/*
 * Where in a file a packet is, with all that its stream has to know of what is before: with it,
 * another reader of the same trace, which has grown meanwhile, goes on there (ctf_reader_go()).
 */
struct ctf_place {
	struct ctf_file_id file;
	uint64_t offset;
	uint64_t begin_ticks; /* of the packet */
	uint64_t ticks;       /* of the decoder, before it */
	bool has_previous;
	uint64_t previous_end_ticks;
	uint64_t previous_discarded;
	uint64_t previous_sequence;
};

/* What ctf_reader_next() gives: valid, with all it points to, until the next call. */
struct ctf_item {
	enum ctf_item_kind kind;
	uint64_t time_ns; /* since 1970-01-01 UTC; for damage, the time of the event before it */
	const char *path; /* file it comes from */
	uint32_t stream;  /* of ctf_reader_stream(); not of damage whose path is "" */
	const struct ctf_place *place; /* of the packet that it is of; NULL where the path is "" */
	union {
		struct ctf_event event;
		struct ctf_lost lost;
		struct ctf_damage damage;
	};
};

/* Counted since ctf_reader_open(). */
struct ctf_reader_totals {
	uint64_t traces;
	uint64_t streams;
	uint64_t bytes;  /* of the streams' files */
	uint64_t events; /* without tacho:writer */
	uint64_t lost_events;
	uint64_t lost_packets;
	uint64_t damages;
};

/*
 * ctf_reader_open() - open all traces at or below a directory
 * @dir:        the directory
 * @e:          filled on failure; may be NULL
 * @ret_reader: to be closed with ctf_reader_close()
 *
 * A trace whose metadata cannot be read becomes a damage item, unless it is the only one. Where
 * traces are moved meanwhile, as a rotation does it, it is begun anew, some times.
 *
 * Context: any thread; a reader belongs to one thread at a time.
 * Return: 0, -ENOENT (no trace there), -EINVAL (the metadata is wrong), -ENOMEM, or what opening
 * the directory gave.
 */
int ctf_reader_open(const char *dir, struct tacho_error *e, struct ctf_reader **ret_reader);
/* The same of several directories, each of which must have a trace. */
int ctf_reader_open_all(const char *const *dirs, size_t count, struct tacho_error *e,
			struct ctf_reader **ret_reader);
void ctf_reader_close(struct ctf_reader *reader);

/* ctf_reader_is_changed() - are there other traces by now, or are they at other places? */
bool ctf_reader_is_changed(const struct ctf_reader *reader);

/*
 * ctf_reader_next() - the next item of all streams, by time
 * @ret_item: borrowed until the next call
 *
 * Return: 1, 0 at the end, or -ENOMEM.
 */
int ctf_reader_next(struct ctf_reader *reader, const struct ctf_item **ret_item);

/*
 * ctf_reader_skip_fields() - whoever only counts events does not look at their fields
 *
 * Events then have neither fields nor contexts, but those that the streams are at may still have
 * them, if it is called behind the first ctf_reader_next(). Everything else is the same: who wrote an
 * event, what was lost, and what is damaged.
 */
void ctf_reader_skip_fields(struct ctf_reader *reader);

/*
 * ctf_reader_set_range() - only items between two times, both included
 *
 * A loss is one if its span of time has a part there; damage always is one, if it is met: packets
 * before the begin are not looked at. To be called before the first ctf_reader_next().
 */
void ctf_reader_set_range(struct ctf_reader *reader, uint64_t begin_ns, uint64_t end_ns);

/*
 * ctf_reader_seek() - go on with the first item at or behind a time, wherever that is
 *
 * It becomes the begin of the range. Where packets have times, those that end before are not looked
 * at, and with an index most of them are not even passed. Return: 0 or -ENOMEM.
 */
int ctf_reader_seek(struct ctf_reader *reader, uint64_t time_ns);

/*
 * ctf_reader_watch_order() - for those who read a trace in parts, which takes sound times: those of
 * packets hold for their items, and no item of a stream is earlier than the one before it
 * @begin_ns: the begin of the range as soon as that is not so any more
 *
 * ctf_reader_is_disordered() - it is not so any more; known as soon as the item before the wrong one
 *                              in its stream was given and ctf_reader_next() is called again
 * ctf_reader_check_indexes() - would the streams be sought to the same packets without indexes?
 *                              What comes next is the first item of the range
 */
void ctf_reader_watch_order(struct ctf_reader *reader, uint64_t begin_ns);
bool ctf_reader_is_disordered(const struct ctf_reader *reader);
bool ctf_reader_check_indexes(struct ctf_reader *reader);

/*
 * ctf_reader_find_last() - when the last item is, by a look at the end of each stream
 *
 * What comes next is the first item of the range. Return: 1, 0 (there is none), or -ENOMEM.
 */
int ctf_reader_find_last(struct ctf_reader *reader, uint64_t *ret_time_ns);

/*
 * ctf_reader_go() - let a stream go on with a packet, before the first ctf_reader_next()
 *
 * Return: 1; 0: it is not there any more, and the stream is where it was; or -ENOMEM.
 */
int ctf_reader_go(struct ctf_reader *reader, size_t stream, const struct ctf_place *place);

/* The first trace, which leads to the next one. */
const struct read_trace *ctf_reader_traces(const struct ctf_reader *reader);
/* One of the streams, from 0 on; NULL: there are not so many. */
const struct read_stream *ctf_reader_stream(const struct ctf_reader *reader, size_t index);
/* Whether a stream's items are wanted, before the first ctf_reader_next(); else they are. */
void ctf_reader_select_stream(struct ctf_reader *reader, size_t index, bool is_wanted);

struct ctf_reader_totals ctf_reader_totals(const struct ctf_reader *reader);

/* ctf_reader_set_memory() - about how much of files may be in memory; else 16 MiB */
void ctf_reader_set_memory(struct ctf_reader *reader, uint64_t bytes);

/* How much of ctf_reader_totals().bytes is behind the items that were given. */
uint64_t ctf_reader_done_bytes(const struct ctf_reader *reader);

/* The value of an environment field ("hostname", ..) of the first trace that has it, or NULL. */
const char *ctf_reader_env(const struct ctf_reader *reader, const char *name);
/* That of the trace of one event. */
const char *ctf_event_env(const struct ctf_event *event, const char *name);

#endif
