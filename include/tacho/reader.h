/* SPDX-License-Identifier: MIT */
/*
 * reader.h - read traces: those of Tacho, and any in CTF 1.8 or CTF 2. C from C11, C++ from C++11.
 * Link with `pkg-config --libs tacho-reader`. `tacho view` and `tacho stats` are made of the same.
 *
 *	struct tacho_reader_error error;
 *	const struct tacho_reader_item *item;
 *	struct tacho_reader *reader;
 *	const char *dir = "/tmp/trace";
 *	int more = tacho_reader_open(&dir, 1, &error, &reader);
 *
 *	if (more < 0)
 *		return error.text ...
 *	while ((more = tacho_reader_next(reader, &item)) > 0)
 *		if (tacho_reader_item_kind(item) == TACHO_READER_EVENT)
 *			puts(tacho_reader_event_name(item));
 *	tacho_reader_close(reader);
 *
 * A reader gives the ITEMS of all streams of all traces that it opened, by time; at the same time, in
 * the order of traces, streams, and within a stream as they were written. An item is an event, a
 * loss (records that the tracer could not keep), or damage (a part of a file that cannot be read).
 *
 * Traces are taken as hostile: whatever is in them, the library neither crashes nor takes memory or
 * time without bound. A damaged file ends its own stream, with an item that says where and why.
 *
 * What all of this has in common:
 *
 *   ownership   Pointers that functions return are borrowed. Items, and values, texts and bytes of
 *               theirs, are valid until the next call of tacho_reader_next() or tacho_reader_seek()
 *               with the same reader; all others (names, classes, types, paths, environment) until
 *               tacho_reader_close(). Texts end with a 0 byte unless a length is returned with them.
 *   threads     A reader, with all that is borrowed from it, belongs to one thread at a time.
 *               Different readers have nothing in common.
 *   errors      A negative errno, and words for people where there is a struct tacho_reader_error.
 *               The library prints nothing, keeps errno as it finds it or changes it, and handles no
 *               signals. -ENOMEM may come from each function that opens or reads.
 *   units       Times are nanoseconds since 1970-01-01 00:00 UTC, unless they are ticks: those are
 *               of the trace's clock.
 *   since       All of it is there since 0.1. Members are added to the end of enums only: be prepared
 *               for kinds that you do not know.
 */
#ifndef TACHO_READER_H
#define TACHO_READER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct tacho_reader;       /* all that was opened, as one sequence of items */
struct tacho_reader_item;  /* an event, a loss, or damage */
struct tacho_reader_value; /* a field of an event, or what is in one */
struct tacho_reader_trace; /* a directory with a file `metadata` */
struct tacho_reader_class; /* an event as a trace declares it */
struct tacho_reader_type;  /* a field as a class declares it */

struct tacho_reader_error {
	int code;       /* negative errno */
	char text[512]; /* what was tried, on what, why it failed; one line, ends with a 0 byte */
};

/* tacho_reader_version() - of the library: 0x000100 is 0.1.0. Context: any thread. */
uint32_t tacho_reader_version(void);

/* ---- opening ---- */

/*
 * tacho_reader_open() - open all traces at or below some directories
 * @dirs:       paths of directories; at or below each there has to be a trace
 * @count:      how many
 * @reterr_e:   says what went wrong, on failure only; may be NULL
 * @ret_reader: to be closed with tacho_reader_close()
 *
 * A trace whose metadata cannot be read becomes an item of damage, unless no other is there.
 *
 * Context: any thread; reads files, follows no symbolic links but @dirs.
 * Return: 0; -ENOENT (no trace there), -EINVAL (the metadata is wrong), -ENOMEM, or what opening a
 * directory gave.
 */
int tacho_reader_open(const char *const *dirs, size_t count, struct tacho_reader_error *reterr_e,
		      struct tacho_reader **ret_reader);

/* tacho_reader_close() - close, and free all that was borrowed. @reader: may be NULL. */
void tacho_reader_close(struct tacho_reader *reader);

/* ---- what is wanted: before the first tacho_reader_next(), or before tacho_reader_seek() ---- */

/*
 * tacho_reader_set_range() - only items between two times, both included
 * @end_ns: UINT64_MAX: no end
 *
 * A loss is within if a part of its span of time is. Damage always is, as long as it is met.
 */
void tacho_reader_set_range(struct tacho_reader *reader, uint64_t begin_ns, uint64_t end_ns);

/*
 * tacho_reader_skip_fields() - whoever only counts events does not look at their fields
 *
 * Events then have no values; all else of them is the same. Reading takes half of the time.
 */
void tacho_reader_skip_fields(struct tacho_reader *reader);

/*
 * tacho_reader_select_stream() - whether items of a stream are wanted; without it, they are
 * @stream: from 0 to below tacho_reader_stream_count(); others are ignored
 * @wanted: 0: no
 */
void tacho_reader_select_stream(struct tacho_reader *reader, size_t stream, int wanted);

/* ---- reading ---- */

/*
 * tacho_reader_next() - the next item
 * @ret_item: borrowed until the next call
 *
 * Return: 1; 0 at the end; -ENOMEM.
 */
int tacho_reader_next(struct tacho_reader *reader, const struct tacho_reader_item **ret_item);

/*
 * tacho_reader_seek() - go on with the first item at or behind a time, be it before or behind the
 * present one; it becomes the begin of the range
 *
 * Where packets have times, those that end before are passed without a look at their events, nor at
 * damage in them. An index file, as Tacho and LTTng write them, makes it quicker.
 *
 * Return: 0 or -ENOMEM.
 */
int tacho_reader_seek(struct tacho_reader *reader, uint64_t time_ns);

/*
 * tacho_reader_find_last() - when the last item is; then, the next one is the first of the range
 *
 * Return: 1; 0: there is none; -ENOMEM.
 */
int tacho_reader_find_last(struct tacho_reader *reader, uint64_t *ret_time_ns);

enum tacho_reader_item_kind {
	TACHO_READER_EVENT = 0,
	TACHO_READER_LOST = 1,
	TACHO_READER_DAMAGE = 2
};

enum tacho_reader_item_kind tacho_reader_item_kind(const struct tacho_reader_item *item);

/* tacho_reader_item_time_ns() - of an event; when a loss was told; of the event before damage */
uint64_t tacho_reader_item_time_ns(const struct tacho_reader_item *item);

/* tacho_reader_item_path() - the file it comes from; "" for damage that is not in a stream */
const char *tacho_reader_item_path(const struct tacho_reader_item *item);

/* tacho_reader_item_stream() - the number of its stream; SIZE_MAX where the path is "" */
size_t tacho_reader_item_stream(const struct tacho_reader_item *item);

/* ---- events: of other items, the same as of an event that says nothing ---- */

/* tacho_reader_event_name() - "provider:event", or what the trace has as a name */
const char *tacho_reader_event_name(const struct tacho_reader_item *item);

/* tacho_reader_event_level() - enum tacho_level, 0 (emergency) to 14 (debug); -1: not known */
int tacho_reader_event_level(const struct tacho_reader_item *item);

/* tacho_reader_event_cpu() - on which CPU it was recorded, or lost; -1: not known */
int tacho_reader_event_cpu(const struct tacho_reader_item *item);

/* Process, thread and name of the thread; 0 and "": not known. */
uint32_t tacho_reader_event_pid(const struct tacho_reader_item *item);
uint32_t tacho_reader_event_tid(const struct tacho_reader_item *item);
const char *tacho_reader_event_thread(const struct tacho_reader_item *item);

/* tacho_reader_event_ticks() - the time as it is in the trace, in ticks of the stream's clock */
uint64_t tacho_reader_event_ticks(const struct tacho_reader_item *item);

/*
 * tacho_reader_event_is_writer() - is it tacho:writer? Tacho writes these to say who recorded what
 * follows; the program did not record them. Return: 1 or 0.
 */
int tacho_reader_event_is_writer(const struct tacho_reader_item *item);

/* tacho_reader_event_class() - what its trace declares of it; NULL: it is no event */
const struct tacho_reader_class *tacho_reader_event_class(const struct tacho_reader_item *item);

/* tacho_reader_event_trace() - the trace it is in; NULL: it is no event */
const struct tacho_reader_trace *tacho_reader_event_trace(const struct tacho_reader_item *item);

/* ---- values ---- */

enum tacho_reader_scope {
	TACHO_READER_FIELDS = 0,
	TACHO_READER_CONTEXT = 1, /* of the stream, then of the event */
	TACHO_READER_PACKET = 2   /* context of the packet */
};

/*
 * struct tacho_reader_values - values in a row, of which each can contain others. It is the
 * caller's; its members are the library's. Copy it to go through the same values again.
 */
struct tacho_reader_values {
	const void *at;
	const void *end;
};

/* tacho_reader_event_values() - the values of an event in one scope; of others there are none */
struct tacho_reader_values tacho_reader_event_values(const struct tacho_reader_item *item,
						     enum tacho_reader_scope scope);

/* tacho_reader_values_next() - the next of them, without what it contains; NULL at the end */
const struct tacho_reader_value *tacho_reader_values_next(struct tacho_reader_values *values);

/* tacho_reader_value_members() - fields of a structure, elements of an array; else none */
struct tacho_reader_values tacho_reader_value_members(const struct tacho_reader_value *value);

/*
 * tacho_reader_event_field() - a field by its name; where no field has it, a context
 *
 * Return: NULL: the event has none of that name.
 */
const struct tacho_reader_value *tacho_reader_event_field(const struct tacho_reader_item *item,
							  const char *name);

/* What a value is, or what a type is of; behind it, what it can be asked for. */
enum tacho_reader_kind {
	TACHO_READER_UNSIGNED = 0, /* u64, f64 */
	TACHO_READER_SIGNED = 1,   /* i64, f64 */
	TACHO_READER_FLOAT = 2,    /* f64 */
	TACHO_READER_STRING = 3,   /* bytes: text, without a 0 byte behind it */
	TACHO_READER_BYTES =
		4, /* bytes: not text; CTF has them as arrays of 8-bit integers, base 16 */
	TACHO_READER_ENUM = 5,   /* u64 or i64 (is_signed), f64, label */
	TACHO_READER_STRUCT = 6, /* members */
	TACHO_READER_ARRAY = 7,  /* members; of a fixed or counted length */
	TACHO_READER_VARIANT = 8 /* types only: a value is what was chosen */
};

enum tacho_reader_kind tacho_reader_value_kind(const struct tacho_reader_value *value);

/* tacho_reader_value_name() - without the underscore that CTF puts before names; "" for elements */
const char *tacho_reader_value_name(const struct tacho_reader_value *value);

/*
 * Numbers. u64 of a negative number and i64 of one from 2^63 on are its two's complement, f64 is the
 * nearest there is. Of what is no number: 0.
 */
uint64_t tacho_reader_value_u64(const struct tacho_reader_value *value);
int64_t tacho_reader_value_i64(const struct tacho_reader_value *value);
double tacho_reader_value_f64(const struct tacho_reader_value *value);

/* tacho_reader_value_is_signed() - of an integer or enum. Return: 1 or 0. */
int tacho_reader_value_is_signed(const struct tacho_reader_value *value);

/* How wide a number is, in bits; 0 of others. In which base it is to be shown: 2, 8, 10, 16. */
unsigned int tacho_reader_value_bits(const struct tacho_reader_value *value);
unsigned int tacho_reader_value_base(const struct tacho_reader_value *value);

/* tacho_reader_value_label() - of an enum: the first label that the number has; NULL: none */
const char *tacho_reader_value_label(const struct tacho_reader_value *value);

/*
 * tacho_reader_value_bytes() - of a string, or of bytes
 * @ret_bytes: how many there are
 *
 * Return: not ended by a 0 byte; NULL: it is something else, and @ret_bytes is 0.
 */
const char *tacho_reader_value_bytes(const struct tacho_reader_value *value, size_t *ret_bytes);

/*
 * tacho_reader_value_is_length() - does it only say how long a later field is? Return: 1 or 0. Views
 * leave such fields out.
 */
int tacho_reader_value_is_length(const struct tacho_reader_value *value);

/* ---- losses and damage ---- */

struct tacho_reader_lost {
	uint64_t begin_ns; /* between these two times */
	uint64_t end_ns;
	uint64_t events;  /* 0 where only packets are known to be missing */
	uint64_t packets; /* parts of the ring buffer, each with any number of events */
	int32_t cpu;      /* -1: not known */
};

/* tacho_reader_item_lost() - Return: 0; -EINVAL: the item is no loss. */
int tacho_reader_item_lost(const struct tacho_reader_item *item,
			   struct tacho_reader_lost *ret_lost);

struct tacho_reader_damage {
	int code;         /* negative errno */
	uint64_t offset;  /* in the file, in bytes */
	const char *text; /* for people, with file and offset; valid as long as the item is */
};

/* tacho_reader_item_damage() - Return: 0; -EINVAL: the item is no damage. */
int tacho_reader_item_damage(const struct tacho_reader_item *item,
			     struct tacho_reader_damage *ret_damage);

/* Counted by tacho_reader_next() since the reader was opened. */
struct tacho_reader_totals {
	uint64_t events; /* without tacho:writer */
	uint64_t lost_events;
	uint64_t lost_packets;
	uint64_t damages;
	uint64_t bytes; /* of the streams' files, when they were opened */
};

struct tacho_reader_totals tacho_reader_get_totals(const struct tacho_reader *reader);

/* tacho_reader_done_bytes() - how much of the totals' bytes is behind the items that were given */
uint64_t tacho_reader_done_bytes(const struct tacho_reader *reader);

/* ---- what there is: traces, streams, clocks, classes, types ---- */

/* tacho_reader_trace_next() - @trace: NULL: the first one. Return: NULL at the end. */
const struct tacho_reader_trace *tacho_reader_trace_next(const struct tacho_reader *reader,
							 const struct tacho_reader_trace *trace);

/* tacho_reader_trace_path() - its directory */
const char *tacho_reader_trace_path(const struct tacho_reader_trace *trace);

/* tacho_reader_trace_env() - the value of an entry of its environment ("hostname"); NULL: none.
 * Numbers are text. */
const char *tacho_reader_trace_env(const struct tacho_reader_trace *trace, const char *name);

/*
 * tacho_reader_trace_env_at() - the entries one by one
 * @index:     from 0 on
 * @ret_value: may be NULL
 *
 * Return: its name; NULL: there are not so many.
 */
const char *tacho_reader_trace_env_at(const struct tacho_reader_trace *trace, size_t index,
				      const char **ret_value);

/* ns since 1970 = offset_s * 10^9 + (offset_ticks + ticks) * 10^9 / freq_hz */
struct tacho_reader_clock {
	const char *name;
	uint64_t freq_hz;
	int64_t offset_s;
	int64_t offset_ticks;
};

/* tacho_reader_trace_clock() - @index: from 0 on. Return: 0; -ENOENT: there are not so many. */
int tacho_reader_trace_clock(const struct tacho_reader_trace *trace, size_t index,
			     struct tacho_reader_clock *ret_clock);

/* tacho_reader_stream_count() - of all traces together */
size_t tacho_reader_stream_count(const struct tacho_reader *reader);

/* tacho_reader_stream_trace() - the trace of a stream; NULL: there are not so many */
const struct tacho_reader_trace *tacho_reader_stream_trace(const struct tacho_reader *reader,
							   size_t stream);

/*
 * tacho_reader_stream_path() - the files of a stream, in their order
 * @file: from 0 on
 *
 * Return: NULL: there are not so many.
 */
const char *tacho_reader_stream_path(const struct tacho_reader *reader, size_t stream, size_t file);

/*
 * tacho_reader_trace_class() - the events that a trace declares, whether they occurred or not
 * @index: from 0 on
 *
 * Return: NULL: there are not so many.
 */
const struct tacho_reader_class *tacho_reader_trace_class(const struct tacho_reader_trace *trace,
							  size_t index);

const char *tacho_reader_class_name(const struct tacho_reader_class *event_class);
int tacho_reader_class_level(const struct tacho_reader_class *event_class);   /* -1: none */
uint64_t tacho_reader_class_id(const struct tacho_reader_class *event_class); /* in its streams */

/* tacho_reader_class_type() - the structure of its fields, or of its own context; NULL: none */
const struct tacho_reader_type *tacho_reader_class_type(
	const struct tacho_reader_class *event_class, enum tacho_reader_scope scope);

/* The kind is that of the values; an array of characters is a string. */
enum tacho_reader_kind tacho_reader_type_kind(const struct tacho_reader_type *type);
const char *tacho_reader_type_name(const struct tacho_reader_type *type); /* "": an element */
unsigned int tacho_reader_type_bits(const struct tacho_reader_type *type);
unsigned int tacho_reader_type_base(const struct tacho_reader_type *type);
int tacho_reader_type_is_signed(const struct tacho_reader_type *type);

/* tacho_reader_type_length() - of an array of fixed length; 0 of all others */
uint64_t tacho_reader_type_length(const struct tacho_reader_type *type);

/*
 * tacho_reader_type_member() - fields of a structure, options of a variant, the element of an array
 * @index: from 0 on; of an array, 0
 *
 * Return: NULL: there are not so many.
 */
const struct tacho_reader_type *tacho_reader_type_member(const struct tacho_reader_type *type,
							 size_t index);

/* A label of an enum, with the first and the last number that have it; signed if the type is. */
struct tacho_reader_label {
	const char *text;
	uint64_t low, high;
};

/* tacho_reader_type_label() - @index: from 0 on. Return: 0; -ENOENT: there are not so many. */
int tacho_reader_type_label(const struct tacho_reader_type *type, size_t index,
			    struct tacho_reader_label *ret_label);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
