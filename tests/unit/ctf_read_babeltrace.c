/* SPDX-License-Identifier: MIT */
/*
 * The form of babeltrace2 against babeltrace2 itself, to the letter: hand-made traces with fields
 * of all kinds and random values, and those of the fuzz corpus. Skipped where it is not installed.
 */
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctf/print/print.h"

#define TEXT_BYTES (4u << 20)
#define EVENTS     200

#define U8    "integer { size = 8; align = 8; } "
#define TEXT8 "integer { size = 8; align = 8; encoding = UTF8; } "
#define HEX8  "integer { size = 8; align = 8; base = hex; } "

struct data {
	uint8_t bytes[1 << 16];
	size_t count;
};

struct fixture {
	char dir[64];
	char metadata[96];
	char stream[96];
};

static uint64_t random_number(void)
{
	static uint64_t state = 88172645463325252ull;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* ---- data ---- */

static void add(struct data *data, const void *bytes, size_t count)
{
	assert_true(count <= sizeof(data->bytes) - data->count);
	memcpy(data->bytes + data->count, bytes, count);
	data->count += count;
}

static void add_byte(struct data *data, uint8_t byte)
{
	add(data, &byte, 1);
}

/* Many small numbers, and many 0 and 0xff. */
static void add_random(struct data *data, size_t count)
{
	uint8_t mask = random_number() % 2 ? 0xff : 0x03;

	for (size_t i = 0; i < count; i++)
		add_byte(data, random_number() % 4 ? (uint8_t)random_number() & mask : 0xff);
}

static void add_string(struct data *data)
{
	for (size_t count = 1 + random_number() % 12; count; count--)
		add_byte(data, (uint8_t)(1 + random_number() % 255));
	add_byte(data, 0);
}

static void add_text(struct data *data, size_t bytes)
{
	add_byte(data, 'x');
	add_random(data, bytes - 1);
}

/*
 * The bytes of one event's fields, as a plan says:
 *      1 .. 9   so many random bytes
 *      s        a string
 *      t        a byte from 0 to 3
 *      q        the same, and as many random bytes behind it
 *      T        a text of 4 bytes
 *      Q        a byte from 1 to 4, and a text of so many bytes
 *      f F      a float of 32 or 64 bits
 *
 * No text is empty: babeltrace2 2.0.4 shows what the field was in an earlier event then.
 */
static void add_planned(struct data *data, char plan)
{
	static const double numbers[] = { 0, -0.0, 0.1, -1.5e300, 1e10, 123456789, 1 / 3.0, 7e-7 };
	double number = numbers[random_number() % 8] * (random_number() % 2 ? 1 : 1e9);
	float single = (float)number;
	uint8_t small = random_number() % 4;

	if (plan >= '1' && plan <= '9')
		add_random(data, (size_t)(plan - '0'));
	else if (plan == 's')
		add_string(data);
	else if (plan == 'f')
		add(data, &single, sizeof(single));
	else if (plan == 'F')
		add(data, &number, sizeof(number));
	else if (plan == 'T')
		add_text(data, 4);
	else
		add_byte(data, small + (plan == 'Q'));
	if (plan == 'q')
		add_random(data, small);
	if (plan == 'Q')
		add_text(data, small + 1u);
}

/* ---- both readers ---- */

static const char *read_babeltrace(const struct fixture *f)
{
	static char text[TEXT_BYTES];
	char command[160];
	FILE *pipe;
	size_t bytes;

	snprintf(command, sizeof(command), "babeltrace2 %s 2>%s/../babeltrace.err", f->dir, f->dir);
	pipe = popen(command, "re");
	assert_non_null(pipe);
	bytes = fread(text, 1, sizeof(text) - 1, pipe);
	pclose(pipe);
	text[bytes] = 0;
	return text;
}

static const char *read_ours(const struct fixture *f)
{
	static char text[TEXT_BYTES];
	struct ctf_print_options options = {
		.fd = memfd_create("print", MFD_CLOEXEC),
		.format = CTF_PRINT_BABELTRACE,
	};
	const struct ctf_item *item;
	struct ctf_printer *printer;
	struct ctf_reader *reader;
	ssize_t bytes;

	assert_int_equal(ctf_reader_open(f->dir, NULL, &reader), 0);
	assert_int_equal(ctf_printer_new(&options, &printer), 0);
	while (ctf_reader_next(reader, &item) > 0)
		assert_true(ctf_print_item(printer, item) >= 0);
	assert_int_equal(ctf_print_flush(printer), 0);
	ctf_printer_free(printer);
	ctf_reader_close(reader);
	bytes = pread(options.fd, text, sizeof(text) - 1, 0);
	assert_true(bytes >= 0);
	text[bytes] = 0;
	close(options.fd);
	return text;
}

static void write_file(const char *path, const void *data, size_t bytes)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, bytes, file), bytes);
	assert_int_equal(fclose(file), 0);
}

/* Line by line, so that a failure shows the line. */
static void assert_same_text(const char *ours, const char *theirs)
{
	while (*ours || *theirs) {
		size_t bytes = strcspn(ours, "\n"), their_bytes = strcspn(theirs, "\n");

		if (bytes != their_bytes || memcmp(ours, theirs, bytes))
			fail_msg("\nours:   %.*s\ntheirs: %.*s", (int)bytes, ours, (int)their_bytes,
				 theirs);
		ours += bytes + (ours[bytes] == '\n');
		theirs += their_bytes + (theirs[their_bytes] == '\n');
	}
}

static void assert_same(const struct fixture *f, const char *metadata, size_t metadata_bytes,
			const void *data, size_t bytes)
{
	const char *theirs;

	write_file(f->metadata, metadata, metadata_bytes);
	write_file(f->stream, data, bytes);
	theirs = read_babeltrace(f);
	assert_true(strlen(theirs) > 0);
	assert_same_text(read_ours(f), theirs);
}

static bool has_babeltrace(void)
{
	return !system("babeltrace2 --version >/dev/null 2>&1");
}

/* ---- cases ---- */

#define CLOCK "clock { name = m; freq = 2299999917; offset_s = 1796042793; offset = 2163816933; };"
#define STAMP "integer { size = 64; align = 8; map = clock.m.value; } timestamp; "

/* A trace with one class of event whose fields are as @plan says. */
static void check(void **state, const char *order, const char *top, const char *fields,
		  const char *plan)
{
	static struct data data;
	char metadata[8192];

	if (!has_babeltrace())
		skip();
	data.count = 0;
	for (uint64_t i = 0; i < EVENTS; i++) {
		uint64_t ticks = i * 1234567;

		if (!strcmp(order, "be"))
			ticks = __builtin_bswap64(ticks);
		add(&data, &ticks, sizeof(ticks));
		for (const char *p = plan; *p; p++)
			add_planned(&data, *p);
	}
	snprintf(metadata, sizeof(metadata),
		 "/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = %s; };\n" CLOCK "%s\n"
		 "stream { event.header := struct { " STAMP "}; };\n"
		 "event { name = \"p:e\"; fields := struct { %s }; };\n",
		 order, top, fields);
	assert_same(*state, metadata, strlen(metadata), data.bytes, data.count);
}

static void integers_of_all_bases(void **state)
{
	static const char fields[] =
		"integer { size = 8; align = 8; } a; "
		"integer { size = 16; align = 8; signed = true; } _b; "
		"integer { size = 32; align = 8; base = hex; } c; "
		"integer { size = 32; align = 8; base = hex; signed = true; } d; "
		"integer { size = 64; align = 8; base = oct; } e; "
		"integer { size = 16; align = 8; base = oct; signed = true; } __f; "
		"integer { size = 8; align = 8; base = b; } g; "
		"integer { size = 8; align = 8; base = b; signed = true; } h; "
		"integer { size = 8; align = 8; encoding = UTF8; } letter; "
		"integer { size = 64; align = 8; signed = true; } i; "
		"integer { size = 64; align = 8; base = hex; signed = true; } j;";

	check(state, "le", "", fields, "12448211188");
	check(state, "be", "", fields, "12448211188");
}

static void integers_of_odd_sizes(void **state)
{
	static const char fields[] =
		"integer { size = 3; align = 1; signed = true; } a; "
		"integer { size = 13; align = 1; base = hex; signed = true; } b; "
		"integer { size = 7; align = 1; base = oct; signed = true; } c; "
		"integer { size = 5; align = 1; base = b; } d; "
		"integer { size = 36; align = 1; } e;";

	check(state, "le", "", fields, "8");
	check(state, "be", "", fields, "8");
}

static void enums_with_one_label_or_several_or_none(void **state)
{
	static const char fields[] =
		"enum : integer { size = 8; align = 8; signed = true; } "
		"{ A = 0 ... 1, B = 1 ... 2, \"C \\\"c\\\"\" = -1, A = 2 } a; "
		"enum : integer { size = 8; align = 8; } { X, Y, Z = 200 ... 255, Y = 2 } b; "
		"enum : integer { size = 16; align = 8; base = hex; } "
		"{ LOW = 0 ... 255, _ALL = 0 ... 65535 } c;";

	check(state, "le", "", fields, "t12");
}

static void floats(void **state)
{
	check(state, "le", "",
	      "floating_point { exp_dig = 8; mant_dig = 24; align = 8; } f; "
	      "floating_point { exp_dig = 11; mant_dig = 53; align = 8; } d; "
	      "floating_point { exp_dig = 8; mant_dig = 24; align = 8; } any;",
	      "fFf");
}

static void strings_and_texts(void **state)
{
	check(state, "le", "",
	      "string s; " TEXT8 "fixed[4]; " U8 "_counted_length; " TEXT8
	      "_counted[ _counted_length ]; string { encoding = ASCII; } t;",
	      "sTQs");
}

static void arrays_and_sequences(void **state)
{
	check(state, "le", "",
	      U8 "a[3]; " HEX8 "b[2]; " U8 "_n; " HEX8 "_c[ _n ]; " U8 "m; " U8 "d[m]; "
		 "struct { " U8 "x; " HEX8 "y; } e[2]; " U8 "f[2][2]; struct { } g; " U8 "h[0];",
	      "32qq44");
}

static void variants(void **state)
{
	check(state, "le", "",
	      "enum : " U8 "{ A = 0 ... 1, B = 2, C = 3 } tag; variant <tag> { " U8
	      "A; struct { " HEX8 "x; } B; " U8 "C[1]; } v; struct { variant <tag> { " U8 "A; " U8
	      "B; enum : " U8 "{ ONE = 1 } C; } w; } s;",
	      "t11");
}

static void times_of_a_clock_among_the_fields_are_left_out(void **state)
{
	check(state, "le", "", U8 "a; " STAMP U8 "b;", "181");
}

static void origin_of_a_trace_of_one_process(void **state)
{
	check(state, "le",
	      "env { hostname = \"host\"; domain = \"ust\"; procname = \"prog\"; vpid = 77; };",
	      U8 "a;", "1");
	check(state, "le", "env { procname = \"prog\"; };", "", "");
	check(state, "le", "env { vpid = 12; };", U8 "a;", "1");
}

static void contexts_each_have_their_place(void **state)
{
	static const char metadata[] =
		"/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; };"
		"clock { name = m; freq = 1000000000; offset_s = 1796042793; offset = 5; };"
		"stream { packet.context := struct { "
		"integer { size = 64; align = 8; } packet_size; "
		"integer { size = 64; align = 8; } content_size; "
		"integer { size = 8; align = 8; } cpu_id; string where; };"
		"event.header := struct { " STAMP "};"
		"event.context := struct { integer { size = 8; align = 8; } vpid; }; };"
		"event { name = one; context := struct { string who; };"
		"fields := struct { integer { size = 8; align = 8; } a; }; };";
	static struct data data;
	uint64_t bits = 50 * 8;

	if (!has_babeltrace())
		skip();
	data.count = 0;
	add(&data, &bits, 8); /* of the packet: 22 bytes and two events of 13, and 2 to spare */
	bits -= 2 * 8;
	add(&data, &bits, 8);
	add(&data, "\3here", 6);
	for (uint64_t ticks = 10; ticks < 12; ticks++) {
		add(&data, &ticks, 8);
		add(&data, "\7me\0\5", 5);
	}
	add(&data, "\0\0", 2);
	assert_same(*state, metadata, strlen(metadata), data.bytes, data.count);
}

static void check_corpus(void **state, const char *name)
{
	static char data[1 << 16];
	const char *source = getenv("TACHO_SOURCE");
	char path[4096];
	size_t bytes, metadata_bytes;
	FILE *file;

	if (!has_babeltrace())
		skip();
	snprintf(path, sizeof(path), "%s/tests/fuzz/corpus/ctf_read_packet/%s",
		 source ? source : ".", name);
	file = fopen(path, "re");
	assert_non_null(file);
	bytes = fread(data, 1, sizeof(data), file);
	fclose(file);
	metadata_bytes = strnlen(data, bytes);
	assert_same(*state, data, metadata_bytes, data + metadata_bytes + 1,
		    bytes - metadata_bytes - 1);
}

static void trace_of_lttng(void **state)
{
	check_corpus(state, "lttng");
}

static void trace_of_tacho_with_loss(void **state)
{
	check_corpus(state, "tacho");
}

static int set_up(void **state)
{
	static struct fixture f;

	strcpy(f.dir, "/tmp/tacho-ctf-text-XXXXXX");
	assert_non_null(mkdtemp(f.dir));
	strcat(f.dir, "/trace");
	assert_int_equal(mkdir(f.dir, 0700), 0);
	snprintf(f.metadata, sizeof(f.metadata), "%s/metadata", f.dir);
	snprintf(f.stream, sizeof(f.stream), "%s/stream", f.dir);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	char path[96];

	unlink(f->metadata);
	unlink(f->stream);
	rmdir(f->dir);
	*strrchr(f->dir, '/') = 0;
	snprintf(path, sizeof(path), "%s/babeltrace.err", f->dir);
	unlink(path);
	return rmdir(f->dir);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_of_all_bases),
		cmocka_unit_test(integers_of_odd_sizes),
		cmocka_unit_test(enums_with_one_label_or_several_or_none),
		cmocka_unit_test(floats),
		cmocka_unit_test(strings_and_texts),
		cmocka_unit_test(arrays_and_sequences),
		cmocka_unit_test(variants),
		cmocka_unit_test(times_of_a_clock_among_the_fields_are_left_out),
		cmocka_unit_test(origin_of_a_trace_of_one_process),
		cmocka_unit_test(contexts_each_have_their_place),
		cmocka_unit_test(trace_of_lttng),
		cmocka_unit_test(trace_of_tacho_with_loss),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
