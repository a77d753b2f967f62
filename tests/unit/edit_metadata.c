/* SPDX-License-Identifier: MIT */
/* Metadata that are written anew: they mean what they meant, and the clocks of several traces fit. */
#include "edit_trace.h"

#include "ctf/read/trace.h"
#include "ctf/write/ctf2.h"
#include "edit/odd.h"
#include "edit/tsdl.h"

static struct read_trace *parse(const char *text)
{
	struct tacho_error error = { .text = "" };
	char *copy = strdup(text);
	struct read_trace *trace;

	assert_non_null(copy);
	if (read_trace_parse(copy, strlen(copy), &error, &trace))
		fail_msg("%s", error.text);
	free(copy);
	return trace;
}

typedef int (*write_fn)(FILE *out, const struct read_trace *trace);

/* Free it. */
static char *write_anew(const struct read_trace *trace, write_fn write)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	assert_non_null(out);
	assert_int_equal(write(out, trace), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

static const char all_types[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; align = 8; } := u8;\n"
	"trace { major = 1; minor = 8; byte_order = be; "
	"uuid = \"01020304-0506-0708-090a-0b0c0d0e0f10\"; };\n"
	"env { hostname = \"a \\\"host\\\"\"; number = -12; };\n"
	"clock { name = c; freq = 1000; offset_s = 17; offset = 3; };\n"
	"stream { event.header := struct { u8 id;\n"
	"	integer { size = 16; align = 8; map = clock.c.value; } timestamp; }; };\n"
	"/* source: \"a.c\":42 */\n"
	"event { name = \"one:all\"; id = 3; loglevel = 6; fields := struct {\n"
	"	integer { size = 3; align = 1; signed = true; } _three; u8 _n; u8 _bytes[_n];\n"
	"	integer { size = 8; encoding = UTF8; } _text[4]; string _s;\n"
	"	enum : u8 { A = 0 ... 3, \"a b\" = 4, C = 250 ... 255 } _tag;\n"
	"	variant <_tag> { u8 A; struct { floating_point { exp_dig = 8; mant_dig = 24; } _f; "
	"} C; } "
	"_choice; u8 _two[2][3]; }; };\n";

/* Written and read again, nothing changes any more. */
static void expect_fixpoint(const char *text, write_fn write)
{
	struct read_trace *trace = parse(text), *again;
	char *first = write_anew(trace, write), *second;

	again = parse(first);
	second = write_anew(again, write);
	assert_string_equal(first, second);
	free(first);
	free(second);
	read_trace_free(trace);
	read_trace_free(again);
}

static void tsdl_of_tsdl_is_the_same(void **state)
{
	(void)state;
	expect_fixpoint(all_types, tsdl_write);
}

static void ctf2_of_ctf2_is_the_same(void **state)
{
	(void)state;
	expect_fixpoint(all_types, ctf2_write);
}

static void levels_sources_and_the_environment_survive_both(void **state)
{
	struct read_trace *trace = parse(all_types);
	char *ctf2 = write_anew(trace, ctf2_write), *tsdl;

	(void)state;
	read_trace_free(trace);
	trace = parse(ctf2);
	tsdl = write_anew(trace, tsdl_write);
	read_trace_free(trace);
	trace = parse(tsdl);
	assert_string_equal(trace->streams[0].events[0].source, "a.c:42");
	assert_int_equal(trace->streams[0].events[0].level, 6);
	assert_string_equal(read_trace_env(trace, "hostname"), "a \"host\"");
	assert_string_equal(read_trace_env(trace, "number"), "-12");
	assert_string_equal(trace->metadata.uuid, "01020304-0506-0708-090a-0b0c0d0e0f10");
	assert_null(odd_metadata(trace));
	read_trace_free(trace);
	free(ctf2);
	free(tsdl);
}

/* @words: of what is odd; what is written anew is not. */
static void expect_odd(const char *text, const char *words)
{
	struct read_trace *trace = parse(text);
	const char *odd = odd_metadata(trace);
	char *anew;

	assert_non_null(odd);
	if (!strstr(odd, words))
		fail_msg("'%s' says nothing of '%s'", odd, words);
	anew = write_anew(trace, tsdl_write);
	read_trace_free(trace);
	trace = parse(anew);
	odd = odd_metadata(trace);
	if (odd)
		fail_msg("still odd: %s\n%s", odd, anew);
	read_trace_free(trace);
	free(anew);
}

#define TRACE "/* CTF 1.8 */\ntrace { major = 1; minor = 8; byte_order = le; };\n"
#define BYTE  "integer { size = 8; }"

static void what_others_refuse_is_odd_and_is_left_out(void **state)
{
	(void)state;
	expect_odd(TRACE "stream { colour = 3; };\n", "`colour`");
	expect_odd(TRACE "callsite { name = 3; };\nstream { };\n", "block");
	expect_odd(TRACE TRACE "stream { };\n", "twice");
	expect_odd(TRACE "stream { };\nstream { };\n", "two streams");
	expect_odd(TRACE "stream { event.header := struct { " BYTE " id; }; };\n"
			 "event { id = 1; };\nevent { id = 1; };\n",
		   "same id");
	expect_odd(TRACE "stream { };\nevent { fields := struct { " BYTE " a; " BYTE " a; }; };\n",
		   "same name");
	expect_odd(TRACE "stream { };\nevent { fields := struct { " BYTE " a_2; " BYTE " a; " BYTE
			 " _a; }; };\n",
		   "same name");
	expect_odd(TRACE "stream { };\nevent { fields := struct { enum : " BYTE
			 " { A = 5 ... 3 } a; }; };\n",
		   "label");
	expect_odd(TRACE "stream { id = 3; };\n", "id that no packet");
	expect_odd(TRACE "clock { name = a; uuid = \"none\"; };\nstream { };\n", "UUID");
	expect_odd("/* CTF 1.8 */\ntrace { minor = 64; byte_order = le; };\nstream { };\n", "1.8");
	expect_odd("trace { major = 1; minor = 8; byte_order = le; };\nstream { };\n", "begin");
}

static void of_two_events_with_one_id_the_first_is_meant(void **state)
{
	struct read_trace *trace =
		parse(TRACE "stream { event.header := struct { " BYTE " id; }; };\n"
			    "event { id = 1; name = b; };\nevent { id = 0; name = a; };\n"
			    "event { id = 1; name = c; };\n");

	(void)state;
	assert_int_equal(trace->streams[0].event_count, 2);
	assert_string_equal(read_trace_event(&trace->streams[0], 1)->name, "b");
	read_trace_free(trace);
}

/* ---- clocks of several traces ---- */

static struct edit_correction correct(void *data, size_t input, const struct read_trace *trace)
{
	(void)trace;
	return input ? *(struct edit_correction *)data : (struct edit_correction){ 0 };
}

/* The time of the second one's event, which both had at 1700000000.5. */
static uint64_t merged_time(struct edit_fixture *f, struct edit_correction *correction)
{
	const char *const inputs[] = { f->in, f->in };
	const struct edit_request request = {
		.inputs = inputs,
		.input_count = 2,
		.output = f->out,
		.correct = correct,
		.data = correction,
	};
	const uint64_t times[] = { 500 };
	struct ctf_reader *reader;
	const struct ctf_item *item;
	uint64_t time_ns = 0;

	edit_put_metadata(f, edit_metadata);
	edit_put_packet(f, 0, 1000, times, 1, 0);
	if (edit_run(&request, &f->error, &f->totals))
		fail_msg("%s", f->error.text);
	strcat(f->out, "/2-in");
	assert_int_equal(ctf_reader_open(f->out, &f->error, &reader), 0);
	while (ctf_reader_next(reader, &item) > 0)
		time_ns = item->time_ns;
	ctf_reader_close(reader);
	return time_ns;
}

static void offset_moves_a_clock(void **state)
{
	struct edit_correction always = { .offset_ns = { -2500000000, -2500000000 } };

	assert_int_equal(merged_time(*state, &always), 1699999998000000000);
}

static void two_offsets_make_a_clock_faster(void **state)
{
	/* It shows a second where two pass. */
	struct edit_correction drift = {
		.offset_ns = { 0, 1000000000 },
		.at_ns = { 1700000000000000000, 1700000001000000000 },
	};

	assert_int_equal(merged_time(*state, &drift), 1700000001000000000);
}

static void drift_that_lets_time_go_back_is_none(void **state)
{
	struct edit_correction absurd = {
		.offset_ns = { 0, -2000000000 },
		.at_ns = { 1700000000000000000, 1700000001000000000 },
	};

	assert_int_equal(merged_time(*state, &absurd), 1700000000500000000);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(tsdl_of_tsdl_is_the_same),
		cmocka_unit_test(ctf2_of_ctf2_is_the_same),
		cmocka_unit_test(levels_sources_and_the_environment_survive_both),
		cmocka_unit_test(what_others_refuse_is_odd_and_is_left_out),
		cmocka_unit_test(of_two_events_with_one_id_the_first_is_meant),
#define TEST(name) cmocka_unit_test_setup_teardown(name, edit_set_up, edit_tear_down)
		TEST(offset_moves_a_clock),
		TEST(two_offsets_make_a_clock_faster),
		TEST(drift_that_lets_time_go_back_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
