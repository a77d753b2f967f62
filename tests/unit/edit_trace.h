/* SPDX-License-Identifier: MIT */
/*
 * edit_trace.h - small traces for the tests of lib/edit, made by hand: one stream, whose packets hold
 * events of a byte behind 16 bits of the clock, which counts milliseconds.
 */
#ifndef TACHO_UNIT_EDIT_TRACE_H
#define TACHO_UNIT_EDIT_TRACE_H

#include "tests/test.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "edit/edit.h"

#define EDIT_HEAD_BYTES 36

static const char edit_metadata[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 64; align = 8; byte_order = le; } := u64;\n"
	"trace { major = 1; minor = 8; byte_order = le; packet.header := struct {\n"
	"	integer { size = 32; align = 8; } magic; }; };\n"
	"clock { name = c; freq = 1000; offset_s = 1700000000; };\n"
	"typealias integer { size = 64; align = 8; map = clock.c.value; } := time;\n"
	"stream { packet.context := struct { u64 packet_size; u64 content_size; time "
	"timestamp_begin;\n"
	"		time timestamp_end; };\n"
	"	event.header := struct { integer { size = 16; align = 8; map = clock.c.value; } "
	"timestamp; }; };\n"
	"event { name = \"one\"; fields := struct { integer { size = 8; align = 8; } number; }; "
	"};\n";

struct edit_fixture {
	char dir[64], in[80], out[80], file[96];
	struct edit_totals totals;
	struct tacho_error error;
	uint64_t keep_from, keep_to; /* numbers of events */
};

static inline int edit_set_up(void **state)
{
	struct edit_fixture *f = calloc(1, sizeof(*f));

	strcpy(f->dir, "/tmp/tacho-edit-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	snprintf(f->in, sizeof(f->in), "%s/in", f->dir);
	snprintf(f->out, sizeof(f->out), "%s/out", f->dir);
	snprintf(f->file, sizeof(f->file), "%s/stream", f->in);
	assert_int_equal(mkdir(f->in, 0700), 0);
	*state = f;
	return 0;
}

static inline int edit_remove_one(const char *path, const struct stat *st, int type,
				  struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline int edit_tear_down(void **state)
{
	struct edit_fixture *f = *state;

	nftw(f->dir, edit_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(f);
	return 0;
}

static inline void edit_append(const char *path, const void *data, size_t bytes)
{
	FILE *file = fopen(path, "abe");

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, bytes, file), bytes);
	fclose(file);
}

static inline void edit_put_metadata(const struct edit_fixture *f, const char *text)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/metadata", f->in);
	edit_append(path, text, strlen(text));
}

/* A packet that says that it lasts from @begin to @end, with events at these times, numbered from @first. */
static inline void edit_put_packet(const struct edit_fixture *f, uint64_t begin, uint64_t end,
				   const uint64_t *times, size_t count, uint8_t first)
{
	uint64_t bits = (EDIT_HEAD_BYTES + count * 3) * 8;
	uint8_t data[EDIT_HEAD_BYTES + 3 * 64];
	const uint32_t magic = 0xc1fc1fc1;

	assert_true(count <= 64);
	memcpy(data, &magic, 4);
	memcpy(data + 4, &bits, 8);
	memcpy(data + 12, &bits, 8);
	memcpy(data + 20, &begin, 8);
	memcpy(data + 28, &end, 8);
	for (size_t i = 0; i < count; i++) {
		data[EDIT_HEAD_BYTES + i * 3] = (uint8_t)times[i];
		data[EDIT_HEAD_BYTES + i * 3 + 1] = (uint8_t)(times[i] >> 8);
		data[EDIT_HEAD_BYTES + i * 3 + 2] = (uint8_t)(first + i);
	}
	edit_append(f->file, data, bits / 8);
}

/* What is in the new trace: packets, as "begin..end: time=number time=number; ", by the reader. */
static inline void edit_describe(const struct edit_fixture *f, char *text, size_t bytes)
{
	struct ctf_reader *reader;
	const struct ctf_item *item;
	struct tacho_error error;
	size_t used = 0;

	text[0] = 0;
	if (ctf_reader_open(f->out, &error, &reader))
		fail_msg("%s", error.text);
	while (ctf_reader_next(reader, &item) > 0) {
		assert_int_equal(item->kind, CTF_ITEM_EVENT);
		used += (size_t)snprintf(text + used, bytes - used, "%llu=%llu ",
					 (unsigned long long)item->event.ticks,
					 (unsigned long long)item->event.fields[0].u);
		assert_true(used < bytes);
	}
	ctf_reader_close(reader);
}

/* The begins and ends of its packets, which follow each other in its file at multiples of 8 bytes. */
static inline void edit_describe_packets(const struct edit_fixture *f, char *text, size_t bytes)
{
	uint8_t data[4096];
	char path[96];
	size_t used = 0, size;
	FILE *file;

	snprintf(path, sizeof(path), "%s/stream", f->out);
	file = fopen(path, "rbe");
	assert_non_null(file);
	size = fread(data, 1, sizeof(data), file);
	fclose(file);
	text[0] = 0;
	for (size_t at = 0; at < size;) {
		uint64_t head[4];

		memcpy(head, data + at + 4, sizeof(head));
		assert_true(head[0] >= head[1] && head[0] && head[0] / 8 <= size - at);
		used += (size_t)snprintf(text + used, bytes - used, "%llu..%llu ",
					 (unsigned long long)head[2], (unsigned long long)head[3]);
		at += head[0] / 8;
	}
}

#endif
