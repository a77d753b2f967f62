/* SPDX-License-Identifier: MIT */
/*
 * What is compiled - scopes, headers, clocks - gives what the general code gives, for any data:
 * random bytes are decoded both ways.
 */
#include "tests/test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ctf/read/clock.h"
#include "ctf/read/flat.h"
#include "ctf/read/header.h"
#include "ctf/read/trace.h"

#define DATA_BYTES 200
#define ROUNDS     2000

#define U8   "integer { size = 8; align = 8; } "
#define S16  "integer { size = 16; align = 16; signed = true; } "
#define B16  "integer { size = 16; align = 8; byte_order = be; signed = true; } "
#define U32  "integer { size = 32; align = 32; base = hex; } "
#define S64  "integer { size = 64; align = 8; signed = true; } "
#define BIT3 "integer { size = 3; align = 1; signed = true; } "
#define TEXT "integer { size = 8; align = 8; encoding = UTF8; } "
#define FLT  "floating_point { exp_dig = 8; mant_dig = 24; align = 8; } "
#define DBL  "floating_point { exp_dig = 11; mant_dig = 53; align = 32; } "
#define STATE                                                                                      \
	"enum : integer { size = 8; align = 8; signed = true; } { A = -100 ... 3, B = 4 ... 90 } "

static uint64_t random_number(void)
{
	static uint64_t state = 88172645463325252ull;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void fill(uint8_t *data, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		data[i] = random_number() % 3 ? (uint8_t)random_number() : 0;
}

static struct read_trace *parse(const char *order, const char *header, const char *fields)
{
	struct tacho_error error = { 0 };
	struct read_trace *trace;
	char text[4096];

	snprintf(text, sizeof(text),
		 "trace { byte_order = %s; }; clock { name = m; };"
		 "stream { event.header := struct { %s } align(8); };"
		 "event { fields := struct { %s }; };",
		 order, header, fields);
	if (read_trace_parse(text, strlen(text), &error, &trace))
		fail_msg("%s", error.text);
	return trace;
}

/* ---- scopes ---- */

static void assert_same_values(const struct read_decoder *a, const struct read_decoder *b)
{
	assert_int_equal(a->value_count, b->value_count);
	for (uint32_t i = 0; i < a->value_count; i++) {
		const struct ctf_value *x = &a->values[i], *y = &b->values[i];

		assert_string_equal(x->name, y->name);
		assert_int_equal(x->u, y->u);
		assert_ptr_equal(x->label, y->label);
		assert_ptr_equal(x->mappings, y->mappings);
		assert_int_equal(x->length, y->length);
		assert_int_equal(x->span, y->span);
		assert_int_equal(x->kind, y->kind);
		assert_int_equal(x->base, y->base);
		assert_int_equal(x->bits, y->bits);
		assert_int_equal(x->is_signed, y->is_signed);
		assert_int_equal(x->is_length, y->is_length);
		assert_int_equal(x->is_character, y->is_character);
		assert_int_equal(x->variants, y->variants);
	}
}

static int decode(struct read_decoder *d, const struct read_trace *trace, const uint8_t *data,
		  uint64_t bits, bool is_kept)
{
	assert_int_equal(read_decoder_init(d, trace->slot_count), 0);
	d->data = data;
	d->end = bits;
	return read_decode(d, trace->streams[0].events[0].fields, is_kept);
}

/* With the program, passed over with the program, and without it. */
static void assert_same_fields(struct read_trace *trace, const uint8_t *data, uint64_t bits)
{
	struct read_layout *fields = trace->streams[0].events[0].fields;
	const struct read_program *program = fields->program;
	struct read_decoder kept, passed, general;
	int rc;

	assert_non_null(program);
	rc = decode(&kept, trace, data, bits, true);
	assert_int_equal(rc, decode(&passed, trace, data, bits, false));
	fields->program = NULL;
	assert_int_equal(rc, decode(&general, trace, data, bits, true));
	fields->program = program;
	if (!rc) {
		assert_int_equal(kept.pos, general.pos);
		assert_int_equal(passed.pos, general.pos);
		assert_int_equal(passed.value_count, 0);
		assert_same_values(&kept, &general);
	}
	read_decoder_fini(&kept);
	read_decoder_fini(&passed);
	read_decoder_fini(&general);
}

static void compiled_fields_are_what_the_general_decoder_gives(void **unused)
{
	static const char *const fields[] = {
		U8 "a; " S16 "b; " U32 "c; " S64 "d;",
		BIT3 "a; " BIT3 "b; " U8 "c; " BIT3 "d[7]; " U32 "e;",
		U8 "n; " TEXT "t[n]; " U32 "e; " S16 "f; string s; " U8 "g; " U32 "h;",
		FLT "f; " DBL "d; " STATE "s; " B16 "b; " B16 "c[3];",
		"struct { " U8 "x; struct { " U32 "y; } z[4]; } s[3]; struct { } none; " TEXT
		"t[5]; " U8 "l;",
		STATE "tag; variant <tag> { " U8 "A; struct { " S16 "x; " U32 "y; } B; } v; " U8
		      "l;",
		"string s; string t; " S64 "d; " S16 "b[65]; " U8 "e;",
		U8 "n; " BIT3 "m; " U32 "q[m]; " U8 "z;",
	};
	uint8_t data[DATA_BYTES];

	(void)unused;
	for (size_t i = 0; i < 2 * sizeof(fields) / sizeof(fields[0]); i++) {
		struct read_trace *trace = parse(i % 2 ? "be" : "le", U8 "id;", fields[i / 2]);

		for (int round = 0; round < ROUNDS; round++) {
			fill(data, sizeof(data));
			assert_same_fields(trace, data, random_number() % (8 * DATA_BYTES));
		}
		read_trace_free(trace);
	}
}

/* ---- whole events ---- */

/* Contexts of stream and event, and fields; the last one has values that are not always the same. */
static const char *const bodies[][3] = {
	{ U8 "a; string s;", TEXT "procname[9]; " S64 "vtid;", "string t; " U32 "e; " FLT "f;" },
	{ "", "struct { } none;", BIT3 "a; " BIT3 "b[5]; " B16 "c; string s; " DBL "d;" },
	{ STATE "s; " TEXT "t[3];", "", "integer { size = 8; align = 8; base = hex; } raw[6]; " },
	{ "string procname;", S16 "vpid;", "struct { " U8 "x; struct { " U32 "y; } z[2]; } s[3];" },
	{ U8 "a;", U8 "b;", U8 "n; " U32 "q[n];" },
};

static struct read_trace *parse_body(const char *order, const char *const body[3])
{
	struct tacho_error error = { 0 };
	struct read_trace *trace;
	char text[4096];

	snprintf(text, sizeof(text),
		 "trace { byte_order = %s; }; clock { name = m; };"
		 "stream { event.header := struct { } align(8); event.context := struct { %s }; };"
		 "event { context := struct { %s } align(16); fields := struct { %s }; };",
		 order, body[0], body[1], body[2]);
	if (read_trace_parse(text, strlen(text), &error, &trace))
		fail_msg("%s", error.text);
	return trace;
}

static int decode_scopes(struct read_decoder *d, const struct read_trace *trace,
			 uint32_t ret_ends[2])
{
	const struct read_event *event = &trace->streams[0].events[0];
	int rc = read_decode(d, trace->streams[0].event_context, true);

	ret_ends[0] = d->value_count;
	if (!rc)
		rc = read_decode(d, event->context, true);
	ret_ends[1] = d->value_count;
	return rc ? rc : read_decode(d, event->fields, true);
}

static void begin(struct read_decoder *d, const uint8_t *data, uint64_t bits)
{
	d->data = data;
	d->end = bits;
	d->pos = 0;
}

/* @io_flat: the values of the event before are in it, if there was one */
static void assert_same_event(const struct read_trace *trace, struct read_decoder *io_flat,
			      bool *io_is_filled, const uint8_t *data, uint64_t bits)
{
	const struct read_flat *flat = trace->streams[0].events[0].flat;
	struct read_decoder general;
	uint32_t ends[2];
	int rc;

	assert_int_equal(read_decoder_init(&general, trace->slot_count), 0);
	begin(&general, data, bits);
	begin(io_flat, data, bits);
	rc = read_decode_flat(io_flat, flat, true, *io_is_filled);
	assert_int_equal(rc, decode_scopes(&general, trace, ends) ? -EAGAIN : 0);
	assert_int_equal(io_flat->pos, rc ? 0 : general.pos);
	if (!rc) {
		*io_is_filled = true;
		assert_int_equal(ends[0], flat->stream_context_count);
		assert_int_equal(ends[1], flat->context_count);
		assert_same_values(io_flat, &general);
		begin(io_flat, data, bits);
		assert_int_equal(read_decode_flat(io_flat, flat, false, false), 0);
		assert_int_equal(io_flat->pos, general.pos);
	}
	read_decoder_fini(&general);
}

static void flat_events_are_what_the_general_decoder_gives(void **unused)
{
	const size_t count = sizeof(bodies) / sizeof(bodies[0]) - 1;
	uint8_t data[DATA_BYTES + READ_SLACK_BYTES];

	(void)unused;
	for (size_t i = 0; i < 2 * count; i++) {
		struct read_trace *trace = parse_body(i % 2 ? "be" : "le", bodies[i / 2]);
		struct read_decoder flat;
		bool is_filled = false;

		assert_non_null(trace->streams[0].events[0].flat);
		assert_int_equal(read_decoder_init(&flat, trace->slot_count), 0);
		for (int round = 0; round < ROUNDS; round++) {
			fill(data, sizeof(data));
			assert_same_event(trace, &flat, &is_filled, data,
					  random_number() % (8 * DATA_BYTES));
		}
		assert_true(is_filled);
		read_decoder_fini(&flat);
		read_trace_free(trace);
	}
}

static void events_with_other_values_each_time_are_not_flat(void **unused)
{
	struct read_trace *trace = parse_body("le", bodies[sizeof(bodies) / sizeof(bodies[0]) - 1]);

	(void)unused;
	assert_null(trace->streams[0].events[0].flat);
	read_trace_free(trace);
}

/* ---- headers ---- */

#define CLOCK(bits, align)                                                                         \
	"integer { size = " #bits "; align = " #align "; map = clock.m.value; } timestamp; "

static const char *const headers[] = {
	/* LTTng's compact and large ones */
	"enum : integer { size = 5; align = 1; } { compact = 0 ... 30, extended = 31 } id; "
	"variant <id> { struct { " CLOCK(27, 1) "} compact; struct { "
						"integer { size = 32; align = 8; } id; " CLOCK(
							64, 8) "} extended; } v;",
	"enum : integer { size = 16; align = 8; } { compact = 0 ... 65534, extended = 65535 } id; "
	"variant <id> { struct { " CLOCK(32, 8) "} compact; struct { "
						"integer { size = 32; align = 8; } id; " CLOCK(
							64, 8) "} extended; } v;",
	/* Tacho's */
	"enum : integer { size = 5; align = 1; } { c = 0 ... 28, medium = 30, extended = 31 } id; "
	"variant <id> { struct { " CLOCK(27, 1) "} c; struct { " CLOCK(
		27, 1) "integer { size = 16; align = 1; } id; } medium; struct { "
		       "integer { size = 32; align = 8; } id; " CLOCK(64, 8) "} extended; } v;",
	/* without a tag */
	"integer { size = 32; align = 8; } id; " CLOCK(64, 8),
	CLOCK(64, 8),
};

static void assert_same_header(struct read_trace *trace, const uint8_t *data, uint64_t bits)
{
	const struct read_stream_layout *stream = &trace->streams[0];
	struct read_decoder a, b;
	uint64_t id = 0;
	int rc;

	assert_int_equal(read_decoder_init(&a, trace->slot_count), 0);
	assert_int_equal(read_decoder_init(&b, trace->slot_count), 0);
	a.data = b.data = data;
	a.end = b.end = bits;
	a.ticks = b.ticks = random_number();
	rc = read_header_decode(&stream->header, &a, &id);
	assert_int_equal(rc, read_decode(&b, stream->event_header, false) ? -EAGAIN : 0);
	if (!rc) {
		assert_int_equal(a.pos, b.pos);
		assert_int_equal(a.ticks, b.ticks);
		assert_int_equal(id, b.roles[READ_ROLE_EVENT_ID]);
		assert_memory_equal(a.slots, b.slots, trace->slot_count * sizeof(*a.slots));
	}
	read_decoder_fini(&a);
	read_decoder_fini(&b);
}

static void compiled_headers_are_what_the_general_decoder_gives(void **unused)
{
	uint8_t data[32 + READ_SLACK_BYTES];

	(void)unused;
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		struct read_trace *trace = parse("le", headers[i], U8 "a;");

		assert_true(trace->streams[0].header.form_count > 0);
		for (int round = 0; round < ROUNDS; round++) {
			fill(data, sizeof(data));
			if (round % 2)
				data[0] = data[1] = 0xff;
			assert_same_header(trace, data, 1 + random_number() % 256);
		}
		read_trace_free(trace);
	}
}

static void headers_of_another_form_are_left_to_the_general_decoder(void **unused)
{
	static const char *const others[] = {
		"integer { size = 32; align = 8; signed = true; } id; " CLOCK(64, 8),
		"integer { size = 32; align = 8; byte_order = be; } id; " CLOCK(64, 8),
		"integer { size = 32; align = 8; } id; " CLOCK(64, 8) U8 "more;",
		"string name; " CLOCK(64, 8),
		/* 60 bits at bit 5 are more than one load has. */
		"integer { size = 5; align = 1; } id; " CLOCK(60, 1),
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct read_trace *trace = parse("le", others[i], U8 "a;");

		assert_int_equal(trace->streams[0].header.form_count, 0);
		read_trace_free(trace);
	}
}

/* ---- clocks ---- */

static uint64_t next_ticks(uint64_t ticks)
{
	static const unsigned int shifts[] = { 0, 20, 30, 40, 54, 58 };
	uint64_t step = random_number() >> shifts[random_number() % 6];

	return random_number() % 8 ? ticks + step : ticks - step;
}

static void assert_same_times(const struct read_clock *clock)
{
	struct read_clock_pace pace;
	uint64_t ticks = 0;

	read_clock_pace_init(&pace, clock);
	for (int round = 0; round < 50 * ROUNDS; round++) {
		assert_true(read_clock_pace_ns(&pace, ticks) == read_clock_ns(clock, ticks));
		ticks = next_ticks(ticks);
	}
}

static void clock_goes_as_the_division_says(void **unused)
{
	static const struct read_clock clocks[] = {
		{ .freq_hz = 1000000000, .offset_s = 1700000000, .offset_ticks = 123456789 },
		{ .freq_hz = 2299999917, .offset_s = 1796042793, .offset_ticks = 2163816933 },
		{ .freq_hz = 2299999917, .offset_s = -5, .offset_ticks = INT64_MIN },
		{ .freq_hz = 1 },
		{ .freq_hz = 3, .offset_ticks = -7 },
		{ .freq_hz = UINT64_MAX },
		{ .freq_hz = 1ull << 62 },
		{ .freq_hz = (1ull << 62) - 1, .offset_s = INT64_MAX },
	};

	(void)unused;
	assert_same_times(NULL);
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		assert_same_times(&clocks[i]);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(compiled_fields_are_what_the_general_decoder_gives),
		cmocka_unit_test(flat_events_are_what_the_general_decoder_gives),
		cmocka_unit_test(events_with_other_values_each_time_are_not_flat),
		cmocka_unit_test(compiled_headers_are_what_the_general_decoder_gives),
		cmocka_unit_test(headers_of_another_form_are_left_to_the_general_decoder),
		cmocka_unit_test(clock_goes_as_the_division_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
