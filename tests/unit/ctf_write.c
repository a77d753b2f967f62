/* SPDX-License-Identifier: MIT */
/*
 * Traces as lib/ctf writes them, with babeltrace2 as the judge: it must read them, print what was
 * recorded, and warn of nothing.
 */
#include "ctf_write_trace.h"

#include <endian.h>

/* Write one packet, of f->records, as the whole trace. */
static void write_trace(struct fixture *f, const struct ctf_schema *schema, uint64_t begin_ts,
			uint64_t end_ts)
{
	struct ctf_packet packet = packet_of(&f->records, 0, begin_ts, end_ts);
	struct ctf_stream *stream;

	write_metadata(f, schema);
	stream = open_stream(f, &plain_spec);
	put_packet(f, stream, &packet);
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);
}

/* ---- fields ---- */

static const struct event_field all_fields[] = {
	{ "u8", INTEGER(1, 0), 0 },
	{ "i8", INTEGER(1, TACHO_FLAG_SIGNED), 0 },
	{ "i16", INTEGER(2, TACHO_FLAG_SIGNED), 0 },
	{ "u32", INTEGER(4, 0), 0 },
	{ "i64", INTEGER(8, TACHO_FLAG_SIGNED), 0 },
	{ "u64", INTEGER(8, 0), 0 },
	{ "hex", INTEGER(8, TACHO_FLAG_HEX | TACHO_FLAG_POINTER), 0 },
	{ "yes", INTEGER(1, TACHO_FLAG_BOOL), 0 },
	{ "letter", INTEGER(1, TACHO_FLAG_CHAR | TACHO_FLAG_SIGNED), 0 },
	{ "f", TACHO_TYPE(TACHO_KIND_FLOAT, 4, 0), 0 },
	{ "d", TACHO_TYPE(TACHO_KIND_FLOAT, 8, TACHO_FLAG_SIGNED), 0 },
	{ "s", TACHO_TYPE(TACHO_KIND_STRING, 1, 0), 0 },
	{ "t", TACHO_TYPE(TACHO_KIND_TEXT, 1, 0), 0 },
	{ "b", TACHO_TYPE(TACHO_KIND_BYTES, 1, 0), 0 },
	{ "seq", TACHO_TYPE(TACHO_KIND_SEQUENCE, 2, TACHO_FLAG_SIGNED), 0 },
	{ "fseq", TACHO_TYPE(TACHO_KIND_SEQUENCE, 8, TACHO_FLAG_FLOAT), 0 },
	{ "arr", TACHO_TYPE(TACHO_KIND_ARRAY, 4, 0), 2 },
	{ "chars", TACHO_TYPE(TACHO_KIND_ARRAY, 1, TACHO_FLAG_CHAR), 3 },
	{ "none", TACHO_TYPE(TACHO_KIND_ARRAY, 4, 0), 0 },
	{ "empty", TACHO_TYPE(TACHO_KIND_TEXT, 1, 0), 0 },
};
static const struct event_desc all_desc = {
	.provider = "p",
	.name = "all",
	.file = "a \"file\" */.c",
	.line = 1,
	.level = TACHO_LEVEL_ERR,
	.field_count = sizeof(all_fields) / sizeof(all_fields[0]),
	.fields = all_fields,
};

static void put_all_fields(struct records *r)
{
	put_u8(r, 200);
	put_u8(r, (uint8_t)-5);
	put(r, &(int16_t){ -300 }, 2);
	put_u32(r, 4000000000u);
	put_u64(r, (uint64_t)INT64_MIN);
	put_u64(r, UINT64_MAX);
	put_u64(r, 0xdeadbeef);
	put_u8(r, 1);
	put_u8(r, 'A');
	put(r, &(float){ 1.5f }, 4);
	put(r, &(double){ -2.25 }, 8);
	put_string(r, "gr\xc3\xbc\xc3\x9f");
	put_u32(r, 3);
	put(r, "abc", 3);
	put_u32(r, 2);
	put(r, "\x01\xff", 2);
	put_u32(r, 2);
	put(r, &(int16_t[]){ -1, 2 }, 4);
	put_u32(r, 1);
	put(r, &(double){ 0.5 }, 8);
	put(r, &(uint32_t[]){ 10, 20 }, 8);
	put(r, "xyz", 3);
	put_u32(r, 0);
}

static void each_kind_of_field_is_read_back(void **state)
{
	static const struct ctf_event_class class = { 1, &all_desc, 0 };
	struct ctf_schema schema = plain_schema;
	struct fixture *f = *state;
	const char *text;

	NEED_BABELTRACE();
	schema.events = &class;
	put_writer(&f->records, 100, 7, 8, "main");
	put_compact(&f->records, 1, 101);
	put_all_fields(&f->records);
	write_trace(f, &schema, 100, 102);
	text = judge(f, "--clock-cycles --no-delta --fields=loglevel");
	expect_no_warning(text);
	assert_int_equal(count_lines(text), 2);
	expect_text(text, "tacho:writer: { cpu_id = 0 }, { pid = 7, tid = 8, name = \"main\" }");
	expect_text(
		text,
		"[00000000000000000101] TRACE_ERR (3) p:all: { cpu_id = 0 }, "
		"{ u8 = 200, i8 = -5, i16 = -300, u32 = 4000000000, i64 = -9223372036854775808, "
		"u64 = 18446744073709551615, hex = 0xDEADBEEF, yes = 1, letter = 65, f = 1.5, "
		"d = -2.25, s = \"gr\xc3\xbc\xc3\x9f\", _t_length = 3, t = \"abc\", "
		"_b_length = 2, b = [ [0] = 0x1, [1] = 0xFF ], "
		"_seq_length = 2, seq = [ [0] = -1, [1] = 2 ], "
		"_fseq_length = 1, fseq = [ [0] = 0.5 ], arr = [ [0] = 10, [1] = 20 ], "
		"chars = \"xyz\", none = [ ], _empty_length = 0, empty = \"\" }");
}

static void contexts_are_read_back(void **state)
{
	static const struct tacho_perf perf[TACHO_PERF_MAX] = {
		[2] = { .is_used = 1, .name = "perf:thread:cpu-cycles" },
	};
	static const struct ctf_event_class classes[] = {
		{ 1, &number_desc, 0 },
		{ 2, &number_desc,
		  1 << TACHO_CONTEXT_VPID | 1 << TACHO_CONTEXT_PROCNAME | 1 << TACHO_CONTEXT_IP },
		{ 3, &number_desc, 5ull << TACHO_CONTEXT_PERF },
	};
	struct ctf_schema schema = plain_schema;
	struct fixture *f = *state;
	const char *text;

	NEED_BABELTRACE();
	schema.events = classes;
	schema.event_count = 3;
	schema.perf = perf;
	put_writer(&f->records, 100, 7, 8, "main");
	put_compact(&f->records, 1, 101);
	put_u32(&f->records, 1);
	put_compact(&f->records, 2, 102);
	put_u32(&f->records, 4711);
	put(&f->records, "name\0\0\0\0\0\0\0\0\0\0\0\0\0", TACHO_PROCNAME_BYTES);
	put_u64(&f->records, 0x1234);
	put_u32(&f->records, 2);
	put_compact(&f->records, 3, 103);
	put_u64(&f->records, 5);
	put_u64(&f->records, UINT64_MAX);
	put_u32(&f->records, 3);
	write_trace(f, &schema, 100, 104);
	text = judge(f, "--clock-cycles --no-delta");
	expect_no_warning(text);
	expect_text(text, "{ cpu_id = 0 }, { n = 1 }");
	expect_text(text, "{ cpu_id = 0 }, { vpid = 4711, procname = \"name\", ip = 0x1234 }, "
			  "{ n = 2 }");
	expect_text(text, "{ cpu_id = 0 }, { perf_0 = 5, perf_thread_cpu_cycles = "
			  "18446744073709551615 }, { n = 3 }");
}

/* Whether babeltrace 1.5, which is stricter with some words of TSDL, is content too. */
static void babeltrace_1_reads_it_too(void **state)
{
	static const struct ctf_event_class class = { 1, &all_desc, 0 };
	struct ctf_schema schema = plain_schema;
	struct fixture *f = *state;
	const char *text;

	if (system("babeltrace --help 2>/dev/null | grep -q 'Viewer and Converter 1\\.'"))
		test_skip("babeltrace 1.5 is not installed");
	schema.events = &class;
	put_writer(&f->records, 100, 7, 8, "main");
	put_compact(&f->records, 1, 101);
	put_all_fields(&f->records);
	write_trace(f, &schema, 100, 102);
	text = judge_by(f, "babeltrace", "");
	assert_int_equal(count_lines(text), 2);
	expect_text(text, "p:all: { cpu_id = 0 }, { u8 = 200, i8 = -5");
}

/* ---- names ---- */

static void any_byte_may_be_in_a_name(void **state)
{
	static const struct event_field fields[] = {
		{ "integer", INTEGER(1, 0), 0 },   { "a b", INTEGER(1, 0), 0 },
		{ "a_20b", INTEGER(1, 0), 0 },     { "same", INTEGER(1, 0), 0 },
		{ "same", INTEGER(1, 0), 0 },      { "", INTEGER(1, 0), 0 },
		{ "_t_length", INTEGER(1, 0), 0 }, { "t", TACHO_TYPE(TACHO_KIND_TEXT, 1, 0), 0 },
		{ "\xc3\xbc", INTEGER(1, 0), 0 },
	};
	static const struct event_desc desc = {
		.provider = "pro\"vi\\der",
		.name = "*/ new\nline \xff \xc3\xbc ${x} %s",
		.file = "\x01",
		.field_count = 9,
		.fields = fields,
	};
	static const struct ctf_event_class class = { 1, &desc, 0 };
	static const struct ctf_channel channel = { "channel0 */ \"\\\n", 0 };
	struct ctf_schema schema = plain_schema;
	struct fixture *f = *state;
	const char *text;

	NEED_BABELTRACE();
	ctf_trace_close(f->trace);
	open_trace(f, "session \"\\ \n\xfe*/");
	schema.events = &class;
	schema.channels = &channel;
	put_writer(&f->records, 100, 7, 8, "main");
	put_compact(&f->records, 1, 101);
	for (uint8_t i = 1; i <= 7; i++)
		put_u8(&f->records, i);
	put_u32(&f->records, 1);
	put_u8(&f->records, 'T');
	put_u8(&f->records, 9);
	write_trace(f, &schema, 100, 102);
	text = judge(f, "--clock-cycles --no-delta --fields=emf");
	expect_no_warning(text);
	expect_text(text, "pro\"vi\\der:*/ new\nline \\xFF \xc3\xbc ${x} %s: ");
	expect_text(text, "integer = 1, a_20b = 2, a_20b_2 = 3, same = 4, same_2 = 5, unnamed = 6, "
			  "_t_length = 7, _t_length_2 = 1, t = \"T\", _C3_BC = 9");
}

static void a_channel_name_makes_no_path(void **state)
{
	static const char *const names[][2] = {
		{ "/", "%2F_3" },
		{ "..", "%2E._3" },
		{ ".x", "%2Ex_3" },
		{ "a%b\n", "a%25b%0A_3" },
		{ "metadata", "metadata_3" },
		{ "gr\xc3\xbc", "gr\xc3\xbc_3" },
	};
	struct ctf_stream_spec spec = plain_spec;
	struct fixture *f = *state;

	write_metadata(f, &plain_schema);
	spec.cpu = 3;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct ctf_stream *stream;

		spec.channel = names[i][0];
		stream = open_stream(f, &spec);
		put_numbers(f, stream, 0, 100, 1);
		assert_int_equal(ctf_stream_close(stream, &f->error), 0);
		assert_int_not_equal(size_of(f, names[i][1]), UINT64_MAX);
	}
}

static void a_channel_name_that_fits_no_file_name_is_refused(void **state)
{
	struct ctf_stream_spec spec = plain_spec;
	struct fixture *f = *state;
	struct ctf_stream *stream;
	char name[301];

	memset(name, 'x', 300);
	name[300] = 0;
	spec.channel = name;
	assert_int_equal(ctf_stream_open(f->trace, &spec, &stream, &f->error), -EINVAL);
	spec.channel = "";
	assert_int_equal(ctf_stream_open(f->trace, &spec, &stream, &f->error), -EINVAL);
}

/* ---- headers and clocks ---- */

static void all_headers_are_read_back(void **state)
{
	static const uint32_t ids[] = { 1, 28, 29, 30, 31, 32, 0xffff, 0x10000 };
	enum { COUNT = sizeof(ids) / sizeof(ids[0]) };
	struct event_desc descs[COUNT];
	struct ctf_event_class classes[COUNT];
	struct ctf_schema schema = plain_schema;
	char names[COUNT][16], line[128];
	struct fixture *f = *state;
	struct records *r = &f->records;
	const char *text;

	NEED_BABELTRACE();
	put_writer(r, 1000, 7, 8, "main");
	for (uint32_t i = 0; i < COUNT; i++) {
		snprintf(names[i], sizeof(names[i]), "e%u", ids[i]);
		descs[i] = number_desc;
		descs[i].name = names[i];
		classes[i] = (struct ctf_event_class){ ids[i], &descs[i], 0 };
		if (ids[i] <= TACHO_ID_COMPACT_MAX)
			put_compact(r, ids[i], 1001 + i);
		else if (ids[i] <= TACHO_ID_MEDIUM_MAX)
			put_medium(r, (uint16_t)ids[i], 1001 + i);
		else
			put_extended(r, ids[i], 1001 + i);
		put_u32(r, i);
	}
	schema.events = classes;
	schema.event_count = COUNT;
	write_trace(f, &schema, 1000, 2000);
	text = judge(f, TICKS);
	expect_no_warning(text);
	assert_int_equal(count_lines(text), 1 + COUNT);
	for (uint32_t i = 0; i < COUNT; i++) {
		snprintf(line, sizeof(line), "[%020u] shop:e%u: { 0 }, { %u }", 1001 + i, ids[i],
			 i);
		expect_text(text, line);
	}
}

static void a_new_window_begins_with_a_whole_timestamp(void **state)
{
	const uint64_t window = 1ull << TACHO_WINDOW_SHIFT;
	/* Up to the last tick of a window, the first of the next, and far beyond. */
	const uint64_t times[] = { 5 * window + 7, 6 * window - 1,   6 * window,
				   6 * window + 1, 900 * window + 3, 901 * window - 1 };
	struct fixture *f = *state;
	char line[128];
	const char *text;

	NEED_BABELTRACE();
	put_writer(&f->records, times[0], 7, 8, "main");
	for (uint32_t i = 1; i < 6; i++) {
		if (times[i] >> TACHO_WINDOW_SHIFT == times[i - 1] >> TACHO_WINDOW_SHIFT)
			put_compact(&f->records, 1, times[i]);
		else
			put_extended(&f->records, 1, times[i]);
		put_u32(&f->records, i);
	}
	write_trace(f, &plain_schema, times[0], times[5]);
	text = judge(f, TICKS);
	expect_no_warning(text);
	for (uint32_t i = 1; i < 6; i++) {
		snprintf(line, sizeof(line), "[%020" PRIu64 "] shop:number: { 0 }, { %u }",
			 times[i], i);
		expect_text(text, line);
	}
}

static void time_of_day_comes_from_the_clock(void **state)
{
	struct ctf_schema schema = plain_schema;
	struct fixture *f = *state;
	char line[64];

	NEED_BABELTRACE();
	schema.clock = (struct ctf_clock){ 2500000000u, 1700000000, 1250000000u };
	put_writer(&f->records, 5000000000u, 7, 8, "main");
	write_trace(f, &schema, 5000000000u, 5000000000u);
	assert_int_equal(ctf_clock_realtime_ns(&schema.clock, 5000000000u), 1700000002500000000);
	snprintf(line, sizeof(line), "[1700000002.500000000] tacho:writer");
	expect_text(judge(f, "--clock-seconds --no-delta --fields=emf"), line);
}

/* ---- streams ---- */

static void each_cpu_has_its_stream(void **state)
{
	static const struct ctf_channel channels[] = { { "channel0", 0 }, { "other", 5 } };
	struct ctf_schema schema = plain_schema;
	struct ctf_stream_spec spec = plain_spec;
	struct ctf_stream *streams[8];
	struct fixture *f = *state;
	const char *text;

	NEED_BABELTRACE();
	schema.channels = channels;
	schema.channel_count = 2;
	write_metadata(f, &schema);
	for (uint32_t i = 0; i < 8; i++) {
		spec.cpu = i % 4 / 2 * 77;
		spec.channel = channels[i / 4].name;
		spec.stream_id = channels[i / 4].stream_id;
		spec.writer_kind = i % 2 ? TACHO_WRITER_PORTABLE : TACHO_WRITER_RSEQ;
		streams[i] = open_stream(f, &spec);
	}
	for (uint64_t seq = 0; seq < 3; seq++)
		for (uint32_t i = 0; i < 8; i++)
			put_numbers(f, streams[i], seq, 1000 * seq + 100 + i, 10);
	for (uint32_t i = 0; i < 8; i++)
		assert_int_equal(ctf_stream_close(streams[i], &f->error), 0);
	text = judge(f, TICKS);
	expect_no_warning(text);
	assert_int_equal(count_lines(text), 8 * 3 * 11);
	expect_text(text, "{ 77 }, { 9 }");
	assert_int_not_equal(size_of(f, "other_77"), UINT64_MAX);
	assert_int_not_equal(size_of(f, "other_portable_77"), UINT64_MAX);
}

static void lost_records_are_told(void **state)
{
	static const uint64_t lost[] = { 0, 0, 3, 3, 10 };
	struct fixture *f = *state;
	struct ctf_stream *stream;
	const char *text;

	NEED_BABELTRACE();
	write_metadata(f, &plain_schema);
	stream = open_stream(f, &plain_spec);
	for (uint64_t seq = 0; seq < 5; seq++) {
		struct ctf_packet packet;

		f->records.used = 0;
		put_writer(&f->records, 100 * seq, 7, 8, "main");
		packet = packet_of(&f->records, seq, 100 * seq, 100 * seq + 50);
		packet.discarded = lost[seq];
		put_packet(f, stream, &packet);
	}
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);
	text = judge(f, TICKS);
	assert_int_equal(count_lines(text), 5 + 2);
	expect_text(text, "discarded 3 events");
	expect_text(text, "discarded 7 events");
}

static void missing_packets_are_told(void **state)
{
	struct fixture *f = *state;
	struct ctf_stream *stream;

	NEED_BABELTRACE();
	write_metadata(f, &plain_schema);
	stream = open_stream(f, &plain_spec);
	put_numbers(f, stream, 5, 100, 1);
	put_numbers(f, stream, 9, 200, 1);
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);
	expect_text(judge(f, TICKS), "discarded 3 packets");
}

static void a_stream_without_packets_leaves_no_file(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(ctf_stream_close(open_stream(f, &plain_spec), &f->error), 0);
	assert_int_equal(size_of(f, "channel0_0"), UINT64_MAX);
	assert_int_equal(size_of(f, ".channel0_0"), UINT64_MAX);
	assert_int_equal(ctf_stream_close(NULL, NULL), 0);
}

static void a_packet_that_does_not_fit_the_last_is_refused(void **state)
{
	static const struct {
		uint64_t seq, begin_ts, end_ts, discarded, bytes;
	} wrong[] = {
		{ 4, 300, 400, 5, 100 },          /* an older number */
		{ UINT64_MAX, 300, 400, 5, 100 }, /* a number out of range */
		{ 6, 199, 400, 5, 100 },          /* begins before the last ends */
		{ 6, 300, 299, 5, 100 },          /* ends before it begins */
		{ 6, 300, 400, 5, 0 },            /* nothing */
		{ 6, 300, 400, 5, SUBBUF_BYTES + 1 },
		{ 5, 100, 200, 5, 99 },  /* shrank */
		{ 5, 101, 200, 5, 100 }, /* begins elsewhere */
		{ 5, 100, 200, 5, 101 }, /* grows after it was final */
	};
	struct fixture *f = *state;
	struct ctf_stream *stream = open_stream(f, &plain_spec);
	struct ctf_packet packet = packet_of(&f->records, 5, 100, 200), last;

	packet.bytes = 100;
	packet.discarded = 5;
	packet.final = true;
	put_packet(f, stream, &packet);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		packet.seq = wrong[i].seq;
		packet.begin_ts = wrong[i].begin_ts;
		packet.end_ts = wrong[i].end_ts;
		packet.discarded = wrong[i].discarded;
		packet.bytes = wrong[i].bytes;
		assert_int_equal(ctf_stream_put(stream, &packet, &f->error), -EINVAL);
		assert_true(ctf_stream_last(stream, &last));
		assert_true(last.seq == 5 && last.bytes == 100 && last.end_ts == 200);
	}
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);
}

static void an_end_and_losses_never_go_back(void **state)
{
	struct fixture *f = *state;
	struct ctf_stream *stream = open_stream(f, &plain_spec);
	struct ctf_packet packet = packet_of(&f->records, 5, 100, 200), last;

	packet.bytes = 100;
	packet.discarded = 5;
	put_packet(f, stream, &packet);
	packet.bytes = 150;
	packet.discarded = 4;
	packet.end_ts = 150;
	put_packet(f, stream, &packet);
	assert_true(ctf_stream_last(stream, &last));
	assert_true(last.bytes == 150 && last.discarded == 5 && last.end_ts == 200);
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);
}

/* ---- index ---- */

static void the_index_says_where_each_packet_is(void **state)
{
	struct fixture *f = *state;
	struct ctf_stream *stream = open_stream(f, &plain_spec);
	uint64_t raw[2 + 9 * 100 + 1], at = 0;
	const size_t bytes = (2 + 9 * 100) * 8;
	char path[512];
	int fd;

	for (uint64_t seq = 0; seq < 100; seq++)
		put_numbers(f, stream, 10 + seq, 1000 * seq, (uint32_t)seq + 1);
	assert_int_equal(size_of(f, "index/channel0_0.idx"), UINT64_MAX);
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);
	stream_path(f, "index/channel0_0.idx", path, sizeof(path));
	fd = open(path, O_RDONLY);
	assert_int_equal(read(fd, raw, sizeof(raw)), bytes);
	close(fd);
	assert_int_equal(be64toh(raw[0]), 0xc1f1dcc100000001);
	assert_int_equal(be64toh(raw[1]), 0x0000000100000048);
	for (uint64_t i = 0; i < 100; i++) {
		const uint64_t *entry = raw + 2 + 9 * i;

		assert_int_equal(be64toh(entry[0]), at);
		at += be64toh(entry[1]) / 8;
		assert_true(be64toh(entry[2]) <= be64toh(entry[1]));
		assert_int_equal(be64toh(entry[3]), 1000 * i);
		assert_int_equal(be64toh(entry[4]), 1000 * i + i + 1);
		assert_int_equal(be64toh(entry[8]), 10 + i);
	}
	assert_int_equal(at, size_of(f, "channel0_0"));
}

static void a_stream_that_goes_on_has_no_index(void **state)
{
	struct fixture *f = *state;
	struct ctf_stream *stream = open_stream(f, &plain_spec);

	put_numbers(f, stream, 0, 100, 1);
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);
	assert_int_not_equal(size_of(f, "index/channel0_0.idx"), UINT64_MAX);
	stream = open_stream(f, &plain_spec);
	assert_int_equal(size_of(f, "index/channel0_0.idx"), UINT64_MAX);
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);
	assert_int_not_equal(size_of(f, "index/channel0_0.idx"), UINT64_MAX);
}

/* ---- metadata ---- */

static void a_trace_keeps_its_uuid(void **state)
{
	struct fixture *f = *state;
	struct ctf_stream *stream;

	NEED_BABELTRACE();
	write_metadata(f, &plain_schema);
	stream = open_stream(f, &plain_spec);
	put_numbers(f, stream, 0, 100, 5);
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);
	ctf_trace_close(f->trace);
	open_trace(f, "again");
	write_metadata(f, &plain_schema);
	stream = open_stream(f, &plain_spec);
	put_numbers(f, stream, 1, 200, 5);
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);
	expect_no_warning(judge(f, TICKS));
	assert_int_equal(count_lines(f->text), 12);
}

static void write_file(const struct fixture *f, const char *file, const char *text)
{
	char path[512];
	FILE *out;

	stream_path(f, file, path, sizeof(path));
	out = fopen(path, "we");
	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
}

#define LTTNG_METADATA                                                                             \
	"trace {\n\tuuid = \"8cea02c3-97bc-4bb9-934a-2de46b19ebeb\";\n};\n"                        \
	"env {\n\ttracer_name = \"lttng-ust\";\n};\n"

static void metadata_of_others_is_left_alone(void **state)
{
	static const char *const others[] = {
		"",
		"/* CTF 1.8 */",
		"\tuuid = \"",
		LTTNG_METADATA,
		"trace {\n\tuuid = \"8cea02c3-97bc-4bb9-934a\n\ttracer_name = \"tacho\";\n};\n",
	};
	struct fixture *f = *state;
	struct ctf_trace_info info;
	struct ctf_trace *trace;

	assert_int_equal(ctf_trace_info_init(&info, "x", 1000, 0), 0);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		write_file(f, "metadata", others[i]);
		assert_int_equal(ctf_trace_open(f->dir, &info, &trace, &f->error), -EBADMSG);
		expect_text(f->error.text, "another tracer");
	}
}

static void a_stream_of_another_trace_is_left_alone(void **state)
{
	struct fixture *f = *state;
	struct ctf_stream *stream = open_stream(f, &plain_spec);
	struct ctf_stream_spec spec = plain_spec;

	put_numbers(f, stream, 0, 100, 5);
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);
	spec.stream_id = 1;
	assert_int_equal(ctf_stream_open(f->trace, &spec, &stream, &f->error), -EBADMSG);
	expect_text(f->error.text, "at byte 0: not a packet of this stream");
}

static void a_directory_that_cannot_be_made_is_an_error(void **state)
{
	struct fixture *f = *state;
	struct ctf_trace_info info;
	struct ctf_trace *trace;
	char path[512];

	write_file(f, "file", "x");
	stream_path(f, "file/trace", path, sizeof(path));
	assert_int_equal(ctf_trace_info_init(&info, "x", 1000, 0), 0);
	assert_int_equal(ctf_trace_open(path, &info, &trace, &f->error), -ENOTDIR);
	expect_text(f->error.text, "cannot make the trace directory");
	assert_int_equal(ctf_trace_open("", &info, &trace, &f->error), -EINVAL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(each_kind_of_field_is_read_back),
		TEST(contexts_are_read_back),
		TEST(babeltrace_1_reads_it_too),
		TEST(any_byte_may_be_in_a_name),
		TEST(a_channel_name_makes_no_path),
		TEST(a_channel_name_that_fits_no_file_name_is_refused),
		TEST(all_headers_are_read_back),
		TEST(a_new_window_begins_with_a_whole_timestamp),
		TEST(time_of_day_comes_from_the_clock),
		TEST(each_cpu_has_its_stream),
		TEST(lost_records_are_told),
		TEST(missing_packets_are_told),
		TEST(a_stream_without_packets_leaves_no_file),
		TEST(a_packet_that_does_not_fit_the_last_is_refused),
		TEST(an_end_and_losses_never_go_back),
		TEST(the_index_says_where_each_packet_is),
		TEST(a_stream_that_goes_on_has_no_index),
		TEST(a_trace_keeps_its_uuid),
		TEST(metadata_of_others_is_left_alone),
		TEST(a_stream_of_another_trace_is_left_alone),
		TEST(a_directory_that_cannot_be_made_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
