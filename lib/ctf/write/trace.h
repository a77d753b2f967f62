/* SPDX-License-Identifier: MIT */
/*
 * trace.h - write a CTF trace, of version 1.8 or 2, that any reader can open at any moment.
 *
 *      struct ctf_trace_info info;
 *      struct ctf_trace *trace;
 *      struct ctf_stream *stream;
 *
 *      ctf_trace_info_init(&info, "my-session", uid, created_ns);
 *      ctf_trace_open("/traces/one", &info, &trace, &error);
 *      ctf_trace_metadata(trace, &schema, &error);             before the first packet, and again
 *      ctf_stream_open(trace, &spec, &stream, &error);         whenever an event was added
 *      ctf_stream_put(stream, &packet, &error);                as often as there is something new
 *      ctf_stream_close(stream, &error);
 *      ctf_trace_close(trace);
 *
 * The files are LTTng's:
 *
 *      DIR/ust/uid/UID/64-bit/metadata                  what the bytes mean
 *      DIR/ust/uid/UID/64-bit/CHANNEL_CPU               packets: sub-buffers behind a header
 *      DIR/ust/uid/UID/64-bit/CHANNEL_portable_CPU      the same, from portable writers' rings
 *      DIR/ust/uid/UID/64-bit/index/CHANNEL_CPU.idx     where each packet is
 *      DIR/kernel/..                                    the same of the kernel's events
 *
 * Where a stream is limited to files of a size, they are CHANNEL_CPU_0, CHANNEL_CPU_1, .., each with
 * an index of its own; a packet is never split.
 *
 * Everything can be stopped by SIGKILL at any instruction and opened again: the directory goes on
 * where it was. How a packet grows under a reader's eyes is told in stream_put.c and in
 * doc/design/trace-format.md.
 *
 * Context: any thread, one at a time per trace. One process at a time per directory (the caller
 * holds the session's drain lock).
 */
#ifndef TACHO_CTF_TRACE_H
#define TACHO_CTF_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/event_desc.h"
#include "clock.h"
#include "format/ring.h"
#include "format/runtime.h"
#include "format/session.h"

#define CTF_UUID_BYTES 16

/* Who recorded the trace, where and when. All strings are shortened where they do not fit. */
struct ctf_trace_info {
	uint8_t uuid[CTF_UUID_BYTES];
	uint8_t boot_uuid[CTF_UUID_BYTES]; /* clocks of one boot can be compared; 0s: unknown */
	enum tacho_domain domain;          /* whose events; this and uid name the directory */
	uint32_t ctf_major;                /* 2: metadata in that version; else in 1.8 */
	uint32_t uid;                      /* of the traced user */
	uint64_t created_ns;               /* CLOCK_REALTIME when the session was created */
	char session_name[TACHO_SESSION_NAME_BYTES];
	char hostname[65];
	char sysname[65];
	char kernel_release[65];
	char kernel_version[65];
	char machine[65];
};

/* A channel of the session. */
struct ctf_channel {
	const char *name;   /* unescaped */
	uint32_t stream_id; /* its index in tacho_session.channel[] */
};

/* What an event id means. */
struct ctf_event_class {
	uint32_t id;
	const struct event_desc *desc;
	uint64_t contexts; /* bit N: its records begin with enum tacho_context N */
};

/* All that the metadata says beyond the trace's info. */
struct ctf_schema {
	struct ctf_clock clock;
	const struct ctf_channel *channels;
	size_t channel_count;
	const struct ctf_event_class *events; /* without tacho:writer, which is always declared */
	size_t event_count;
	const struct tacho_perf *perf; /* TACHO_PERF_MAX: names of counters; or NULL */
};

/* Which ring a stream holds. */
struct ctf_stream_spec {
	const char *channel; /* unescaped name */
	uint32_t stream_id;  /* ctf_channel.stream_id */
	uint32_t cpu;
	uint32_t writer_kind;  /* enum tacho_writer_kind: rings and shards are separate streams */
	uint64_t subbuf_bytes; /* the most a packet can hold */
	uint64_t file_bytes;   /* of a file, after which the next one begins; 0: there is but one */
	uint32_t file_count;   /* then the oldest is written over; 0: never */
};

/* A sub-buffer, open or closed, on its way to disk. */
struct ctf_packet {
	uint64_t seq;        /* number of the sub-buffer */
	uint64_t begin_ts;   /* clock of its first record */
	uint64_t end_ts;     /* clock of its last record or of its close */
	uint64_t discarded;  /* records lost in this ring since its creation */
	/* Records that stand before the content; the same ones as long as the packet grows. */
	const void *prefix;
	uint64_t prefix_bytes;
	const void *content; /* records; may be a mapping that others truncate */
	uint64_t bytes;      /* of both together */
	bool final; /* closed: it will not grow any more */
	/*
	 * Asked after the content was written and before a reader can see it. Where it is not 0
	 * (the ring's writer has overwritten the sub-buffer) nothing changes and
	 * ctf_stream_put() returns it. NULL: the content cannot change.
	 */
	int (*confirm)(void *arg);
	void *confirm_arg;
};

struct ctf_trace;
struct ctf_stream;

/* ctf_uuid_make() - a random one. Return: 0, or the negative errno of getrandom(). */
int ctf_uuid_make(uint8_t ret_uuid[CTF_UUID_BYTES]);

/* ctf_boot_uuid() - which run of this machine it is; zeros where the kernel does not say. */
void ctf_boot_uuid(uint8_t ret_uuid[CTF_UUID_BYTES]);

/*
 * ctf_trace_info_init() - describe this host, now
 * @session_name: shown as the trace's name
 * @uid:          the traced user
 * @created_ns:   CLOCK_REALTIME; 0 for now
 *
 * Return: 0, or the negative errno of getrandom().
 */
int ctf_trace_info_init(struct ctf_trace_info *info, const char *session_name, uint32_t uid,
			uint64_t created_ns);

/*
 * ctf_trace_open() - make the directory of a trace, or take up one that is there
 *
 * The UUID of a trace that is there is kept; that of @info is for a new one.
 *
 * Return: 0; -EBADMSG where there is metadata that is not ours; the negative errno of mkdir(),
 * open(), read().
 */
int ctf_trace_open(const char *dir, const struct ctf_trace_info *info, struct ctf_trace **ret_trace,
		   struct tacho_error *error);
/* ctf_trace_open_past() - one that is there, only for ctf_stream_peek(). Return: 0; -ENOENT; -EBADMSG
 * where it is not ours; or what open() or read() gave. */
int ctf_trace_open_past(const char *dir, enum tacho_domain domain, uint32_t uid,
			struct ctf_trace **ret_trace);
/* ctf_trace_close() - takes NULL. A trace that never got metadata leaves no directory in @dir. */
void ctf_trace_close(struct ctf_trace *trace);

/* ctf_trace_uuid() - of the trace in @dir. Return: 0; -ENOENT: there is none, or one without
 * metadata; -EBADMSG: it is not ours; or what open() or read() gave. */
int ctf_trace_uuid(const char *dir, enum tacho_domain domain, uint32_t uid,
		   uint8_t ret_uuid[CTF_UUID_BYTES]);

/* A file of a stream, with its index. */
struct ctf_trace_file {
	char *name;
	uint64_t begin_ts; /* of its first packet */
	uint64_t bytes;    /* that it takes on disk */
};

/*
 * ctf_trace_files() - list the files of streams
 * @ret_files: free with ctf_trace_files_free()
 * @ret_bytes: of all, and of the metadata
 *
 * Return: how many, or a negative errno.
 */
int ctf_trace_files(const struct ctf_trace *trace, struct ctf_trace_file **ret_files,
		    uint64_t *ret_bytes);
void ctf_trace_files_free(struct ctf_trace_file *files, int count);
/* ctf_trace_remove_file() - one that no open stream writes to. Return: 0 or a negative errno. */
int ctf_trace_remove_file(const struct ctf_trace *trace, const char *name);

/* ctf_trace_remove_unused() - remove what a killed ctf_trace_open() left in @dir: directories with
 * nothing in them. A trace, which has its metadata from the beginning, is left alone. */
void ctf_trace_remove_unused(const char *dir, uint32_t uid);

/* The directory in which the metadata is, for messages; lives as long as the trace. */
const char *ctf_trace_path(const struct ctf_trace *trace);

/*
 * ctf_trace_metadata() - write the metadata anew
 *
 * Readers find the old or the new file, whole. To be called before a packet is put that holds an
 * event that was not declared yet. Costs a rename; call it when something changed.
 *
 * Return: 0, -ENOMEM, or the negative errno of open(), write(), rename().
 */
int ctf_trace_metadata(struct ctf_trace *trace, const struct ctf_schema *schema,
		       struct tacho_error *error);

/*
 * ctf_stream_open() - start the stream of a ring, or go on with the one that is there
 *
 * What a killed drain left half-written behind the last whole packet is dropped.
 *
 * Return: 0; -EBADMSG where the file is a stream of another trace; -EINVAL for a name that is too
 * long or a sub-buffer that is too large; -ENOMEM; the negative errno of open(), pread(), pwrite().
 */
int ctf_stream_open(struct ctf_trace *trace, const struct ctf_stream_spec *spec,
		    struct ctf_stream **ret_stream, struct tacho_error *error);

/*
 * ctf_stream_last() - the last packet in the stream, content apart
 *
 * A drain goes on with it: with the same seq, as it may have grown since, or a later one. `final` is
 * not kept on disk.
 *
 * Return: false where there is none yet.
 */
bool ctf_stream_last(const struct ctf_stream *stream, struct ctf_packet *ret_packet);

/*
 * ctf_stream_peek() - the same of a stream that nobody writes to, without a change to it
 *
 * Where a part of it is damaged, it is the last one before. Return: false where there is none.
 */
bool ctf_stream_peek(struct ctf_trace *trace, const struct ctf_stream_spec *spec,
		     struct ctf_packet *ret_packet);

/* ctf_stream_bytes() - how much was put into it since it was opened, and was in its last file. */
uint64_t ctf_stream_bytes(const struct ctf_stream *stream);

/* ctf_stream_name() - of the file that is written to; of one that is complete: "". */
const char *ctf_stream_name(const struct ctf_stream *stream);

/* ctf_stream_drop() - of a stream in limited files: remove the one that is written to. If its last
 * packet grows after that, all of it goes to the next file. */
void ctf_stream_drop(struct ctf_stream *stream);

/*
 * ctf_stream_put() - append a packet, or let the last one grow
 *
 * A packet with the seq of the last one replaces it; only the bytes that were added are written.
 * A put that brings nothing new is no I/O. An end or a count of lost records that is less than what
 * is there is taken as what is there.
 *
 * Return: 0. On failure the stream, for us and for readers, is what it was before: -ENOSPC,
 * -EDQUOT, -EIO as write() says; -EFAULT where @content is a mapping that was truncated; -EINVAL
 * for a packet that is empty, larger than the sub-buffer, or does not go with the last one: an
 * older seq, a begin before the last one's end, the same packet smaller, or larger after it was
 * final; what confirm() returned.
 */
int ctf_stream_put(struct ctf_stream *stream, const struct ctf_packet *packet,
		   struct tacho_error *error);

/*
 * ctf_stream_close() - trim the file to its last packet, publish the index, free
 *
 * Return: 0 or the first negative errno; the stream is gone either way. NULL is allowed.
 */
int ctf_stream_close(struct ctf_stream *stream, struct tacho_error *error);

#endif
