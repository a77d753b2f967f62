/* SPDX-License-Identifier: MIT */
/*
 * ctf_write_trace.h - records, traces and babeltrace2, for the tests of lib/ctf's writing half.
 */
#ifndef TACHO_TESTS_CTF_WRITE_TRACE_H
#define TACHO_TESTS_CTF_WRITE_TRACE_H

#include "tests/test.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ctf/write/packet.h"
#include "ctf/write/trace.h"

#define SUBBUF_BYTES 65536
#define TEXT_BYTES   (1 << 20)

/* ---- records, as a writer makes them ---- */

struct records {
	unsigned char bytes[SUBBUF_BYTES];
	size_t used;
};

static inline void put(struct records *records, const void *data, size_t bytes)
{
	assert_true(records->used + bytes <= sizeof(records->bytes));
	memcpy(records->bytes + records->used, data, bytes);
	records->used += bytes;
}

static inline void put_u8(struct records *records, uint8_t value)
{
	put(records, &value, sizeof(value));
}

static inline void put_u32(struct records *records, uint32_t value)
{
	put(records, &value, sizeof(value));
}

static inline void put_u64(struct records *records, uint64_t value)
{
	put(records, &value, sizeof(value));
}

static inline void put_string(struct records *records, const char *text)
{
	put(records, text, strlen(text) + 1);
}

static inline void put_compact(struct records *records, uint32_t id, uint64_t ts)
{
	put_u32(records, tacho_header_word(ts, id));
}

static inline void put_medium(struct records *records, uint16_t id, uint64_t ts)
{
	put_u32(records, tacho_header_word(ts, TACHO_ID_MEDIUM));
	put(records, &id, sizeof(id));
}

static inline void put_extended(struct records *records, uint32_t id, uint64_t ts)
{
	put_u8(records, TACHO_BIG_ENDIAN ? TACHO_ID_EXTENDED << 3 : TACHO_ID_EXTENDED);
	put_u32(records, id);
	put_u64(records, ts);
}

static inline void put_writer(struct records *records, uint64_t ts, uint32_t pid, uint32_t tid,
			      const char *name)
{
	put_extended(records, TACHO_ID_WRITER, ts);
	put_u32(records, pid);
	put_u32(records, tid);
	put_string(records, name);
}

/* ---- events ---- */

#define INTEGER(bytes, flags) TACHO_TYPE(TACHO_KIND_INTEGER, bytes, flags)

static const struct event_field number_fields[] = { { "n", INTEGER(4, 0), 0 } };
static const struct event_desc number_desc = {
	.provider = "shop",
	.name = "number",
	.file = "shop.c",
	.line = 12,
	.level = TACHO_LEVEL_DEBUG_LINE,
	.field_count = 1,
	.fields = number_fields,
};
static const struct ctf_event_class number_class = { 1, &number_desc, 0 };

static const struct ctf_channel one_channel = { "channel0", 0 };
/* Ticks are nanoseconds since 1970: so babeltrace2's raw numbers are the test's. */
static const struct ctf_schema plain_schema = {
	.clock = { .freq_hz = 1000000000 },
	.channels = &one_channel,
	.channel_count = 1,
	.events = &number_class,
	.event_count = 1,
};
static const struct ctf_stream_spec plain_spec = {
	.channel = "channel0",
	.writer_kind = TACHO_WRITER_RSEQ,
	.subbuf_bytes = SUBBUF_BYTES,
};

/* ---- a trace of its own for each test ---- */

struct fixture {
	char dir[64];
	struct ctf_trace *trace;
	struct tacho_error error;
	char text[TEXT_BYTES]; /* what babeltrace2 said */
	struct records records;
};

static inline void open_trace(struct fixture *f, const char *session)
{
	struct ctf_trace_info info;

	assert_int_equal(ctf_trace_info_init(&info, session, 1000, 0), 0);
	assert_int_equal(ctf_trace_open(f->dir, &info, &f->trace, &f->error), 0);
}

static inline int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	strcpy(f->dir, "/tmp/tacho-ctf-write-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	open_trace(f, "test");
	*state = f;
	return 0;
}

static inline void run(const char *const argv[])
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		execvp(argv[0], (char *const *)argv);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
}

static inline int tear_down(void **state)
{
	struct fixture *f = *state;
	const char *const argv[] = { "rm", "-rf", f->dir, NULL };

	ctf_trace_close(f->trace);
	run(argv);
	free(f);
	return 0;
}

/* ---- babeltrace2 ---- */

static inline bool has_babeltrace(void)
{
	return !system("command -v babeltrace2 >/dev/null 2>&1");
}

/* Both outputs of a reader. Fails the test unless it exits with 0. */
static inline const char *judge_by(struct fixture *f, const char *reader, const char *options)
{
	char command[512];
	size_t bytes;
	FILE *pipe;

	snprintf(command, sizeof(command), "%s %s '%s' 2>&1", reader, options, f->dir);
	pipe = popen(command, "re");
	assert_non_null(pipe);
	bytes = fread(f->text, 1, sizeof(f->text) - 1, pipe);
	f->text[bytes] = 0;
	if (pclose(pipe)) {
		print_error("%s\n", f->text);
		fail_msg("%s failed", reader);
	}
	return f->text;
}

static inline const char *judge(struct fixture *f, const char *options)
{
	return judge_by(f, "babeltrace2", options);
}

#define TICKS "--clock-cycles --no-delta --names=none --fields=emf"

static inline void expect_no_warning(const char *text)
{
	if (strstr(text, "WARNING") || strstr(text, "ERROR") || strstr(text, " W ")) {
		print_error("%s\n", text);
		fail_msg("babeltrace2 complains");
	}
}

static inline size_t count_lines(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += *text == '\n';
	return count;
}

static inline void expect_text(const char *text, const char *part)
{
	if (!strstr(text, part)) {
		print_error("%s\nlacks: %s\n", text, part);
		fail_msg("babeltrace2 did not print what was recorded");
	}
}

#define NEED_BABELTRACE()                                                                          \
	do {                                                                                       \
		if (!has_babeltrace())                                                             \
			test_skip("babeltrace2 is not installed");                                 \
	} while (0)

/* ---- short cuts ---- */

static inline struct ctf_stream *open_stream(struct fixture *f, const struct ctf_stream_spec *spec)
{
	struct ctf_stream *stream = NULL;
	int err = ctf_stream_open(f->trace, spec, &stream, &f->error);

	if (err)
		fail_msg("ctf_stream_open: %s", f->error.text);
	return stream;
}

static inline void write_metadata(struct fixture *f, const struct ctf_schema *schema)
{
	assert_int_equal(ctf_trace_metadata(f->trace, schema, &f->error), 0);
}

static inline struct ctf_packet packet_of(const struct records *records, uint64_t seq,
					  uint64_t begin_ts, uint64_t end_ts)
{
	return (struct ctf_packet){
		.seq = seq,
		.begin_ts = begin_ts,
		.end_ts = end_ts,
		.content = records->bytes,
		.bytes = records->used,
	};
}

static inline void put_packet(struct fixture *f, struct ctf_stream *stream,
			      const struct ctf_packet *packet)
{
	if (ctf_stream_put(stream, packet, &f->error))
		fail_msg("ctf_stream_put: %s", f->error.text);
}

/* A packet of a writer and @count numbers from @begin_ts on, a tick each; as seq @seq. */
static inline void put_numbers(struct fixture *f, struct ctf_stream *stream, uint64_t seq,
			       uint64_t begin_ts, uint32_t count)
{
	struct records *records = &f->records;
	struct ctf_packet packet;

	records->used = 0;
	put_writer(records, begin_ts, 10, 11, "thread");
	for (uint32_t i = 0; i < count; i++) {
		put_compact(records, 1, begin_ts + i);
		put_u32(records, i);
	}
	packet = packet_of(records, seq, begin_ts, begin_ts + count);
	put_packet(f, stream, &packet);
}

static inline void stream_path(const struct fixture *f, const char *file, char *ret_path,
			       size_t bytes)
{
	snprintf(ret_path, bytes, "%s/%s", ctf_trace_path(f->trace), file);
}

static inline uint64_t size_of(const struct fixture *f, const char *file)
{
	char path[512];
	struct stat st;

	stream_path(f, file, path, sizeof(path));
	return stat(path, &st) ? UINT64_MAX : (uint64_t)st.st_size;
}

#endif
