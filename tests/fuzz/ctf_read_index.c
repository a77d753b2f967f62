/* SPDX-License-Identifier: MIT */
/*
 * The index of a stream: whatever is in it, going to a time and to the end finds the same events as
 * without one.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctf/read/stream.h"
#include "ctf/read/trace.h"

#define PACKETS 8
#define STEP_NS 100

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static const char metadata[] =
	"/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; };\n"
	"clock { name = c; freq = 1000000000; };\n"
	"typealias integer { size = 64; align = 64; signed = false; } := u64;\n"
	"typealias integer { size = 64; align = 64; signed = false; map = clock.c.value; } := "
	"time;\n"
	"stream { packet.context := struct { u64 packet_size; u64 content_size;\n"
	"	time timestamp_begin; time timestamp_end; };\n"
	"	event.header := struct { time timestamp; }; };\n"
	"event { name = \"e\"; fields := struct { u64 _n; }; };\n";

struct packet {
	uint64_t packet_bits, content_bits, begin, end;
	struct {
		uint64_t time, n;
	} events[2];
};

static void fill(struct packet *packets)
{
	for (uint64_t i = 0; i < PACKETS; i++) {
		uint64_t begin = (i + 1) * STEP_NS;

		packets[i] = (struct packet){
			.packet_bits = sizeof(*packets) * 8,
			.content_bits = sizeof(*packets) * 8,
			.begin = begin,
			.end = begin + 50,
			.events = { { begin, 2 * i }, { begin + 50, 2 * i + 1 } },
		};
	}
}

static void write_file(const char *path, const void *data, size_t bytes)
{
	FILE *file = fopen(path, "we");

	if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file))
		abort();
}

/* The events from a packet on, which is the first that ends at or behind the time. */
static void expect_from(struct read_stream *stream, uint64_t time_ns)
{
	uint64_t n = 0;
	const struct ctf_item *item;

	while (n < PACKETS && (n + 1) * STEP_NS + 50 < time_ns)
		n++;
	if (read_stream_seek(stream, time_ns))
		abort();
	for (n *= 2; read_stream_next(stream, &item) > 0; n++) {
		if (item->kind != CTF_ITEM_EVENT || item->event.fields[0].u != n)
			abort();
	}
	if (n != 2 * PACKETS)
		abort();
}

static void look(const char *path)
{
	struct read_trace *trace;
	struct read_stream *stream;
	struct tacho_error error;
	char text[sizeof(metadata)];
	uint64_t last_ns;

	memcpy(text, metadata, sizeof(text));
	if (read_trace_parse(text, sizeof(text) - 1, &error, &trace) ||
	    read_stream_new(trace, path, &stream))
		abort();
	for (uint64_t time_ns = 0; time_ns < (PACKETS + 2) * STEP_NS; time_ns += STEP_NS / 4)
		expect_from(stream, time_ns);
	if (read_stream_find_last(stream, &last_ns) != 1 || last_ns != PACKETS * STEP_NS + 50)
		abort();
	read_stream_free(stream);
	read_trace_free(trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct packet packets[PACKETS];
	char dir[] = "/tmp/tacho-fuzz-XXXXXX";
	char stream[64], folder[64], index[128];

	if (!mkdtemp(dir))
		abort();
	snprintf(stream, sizeof(stream), "%s/s", dir);
	snprintf(folder, sizeof(folder), "%s/index", dir);
	snprintf(index, sizeof(index), "%s/s.idx", folder);
	if (mkdir(folder, 0700))
		abort();
	fill(packets);
	write_file(stream, packets, sizeof(packets));
	write_file(index, data, bytes);
	look(stream);
	unlink(index);
	rmdir(folder);
	unlink(stream);
	rmdir(dir);
	return 0;
}
