/* SPDX-License-Identifier: MIT */
/* Items as lines of text and of JSON. */
#include "tests/test.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "ctf/print/print.h"

#define TIME_NS (1700000000000000000u + 5)

static char printed[1 << 16];

/* Print items and give back what was written. */
static const char *print(struct ctf_print_options options, const struct ctf_item *items,
			 size_t count)
{
	struct ctf_printer *printer;
	ssize_t bytes;
	int fd = memfd_create("print", MFD_CLOEXEC);

	assert_true(fd >= 0);
	options.fd = fd;
	assert_int_equal(ctf_printer_new(&options, &printer), 0);
	for (size_t i = 0; i < count; i++)
		assert_true(ctf_print_item(printer, &items[i]) >= 0);
	assert_int_equal(ctf_print_flush(printer), 0);
	ctf_printer_free(printer);
	bytes = pread(fd, printed, sizeof(printed) - 1, 0);
	assert_true(bytes >= 0);
	printed[bytes] = 0;
	close(fd);
	return printed;
}

static const struct ctf_print_options text = { .format = CTF_PRINT_TEXT };
static const struct ctf_print_options json = { .format = CTF_PRINT_JSON };

static struct ctf_item event_of(const struct ctf_value *fields, uint32_t count)
{
	return (struct ctf_item){
		.kind = CTF_ITEM_EVENT,
		.time_ns = TIME_NS,
		.path = "f",
		.event = { .name = "p:e",
			   .provider = "p",
			   .base_name = "e",
			   .level = 6,
			   .cpu = 2,
			   .pid = 10,
			   .tid = 11,
			   .thread = "work\"er",
			   .fields = fields,
			   .field_count = count },
	};
}

#define NUMBER(name_, member, value, kind_, base_, ...)                                            \
	{                                                                                          \
		.name = name_, .member = value, .span = 1, .kind = kind_, .base = base_,           \
		__VA_ARGS__                                                                        \
	}
#define STRING(name_, text_, kind_)                                                                \
	{                                                                                          \
		.name = name_, .bytes = text_, .length = sizeof(text_) - 1, .span = 1,             \
		.kind = kind_                                                                      \
	}

static const struct ctf_value all_values[] = {
	NUMBER("big", u, UINT64_MAX, CTF_VALUE_UNSIGNED, 10, .bits = 64),
	NUMBER("low", i, INT64_MIN, CTF_VALUE_SIGNED, 10, .bits = 64, .is_signed = true),
	NUMBER("hex", i, -1, CTF_VALUE_SIGNED, 16, .bits = 16, .is_signed = true),
	NUMBER("oct", u, 8, CTF_VALUE_UNSIGNED, 8, .bits = 8),
	NUMBER("letter", u, '\'', CTF_VALUE_UNSIGNED, 10, .bits = 8, .is_character = true),
	NUMBER("f", f, (double)0.1f, CTF_VALUE_FLOAT, 0, .bits = 32),
	NUMBER("d", f, 0.1, CTF_VALUE_FLOAT, 0, .bits = 64),
	NUMBER("state", u, 1, CTF_VALUE_ENUM, 10, .bits = 8, .label = "RUNNING"),
	NUMBER("other", u, 9, CTF_VALUE_ENUM, 10, .bits = 8),
	NUMBER("_seq_length", u, 2, CTF_VALUE_UNSIGNED, 10, .bits = 32, .is_length = true),
	{ .name = "seq", .kind = CTF_VALUE_ARRAY, .length = 2, .span = 3 },
	NUMBER("", u, 1, CTF_VALUE_UNSIGNED, 10, .bits = 8),
	NUMBER("", u, 2, CTF_VALUE_UNSIGNED, 10, .bits = 8),
	{ .name = "none", .kind = CTF_VALUE_ARRAY, .span = 1 },
	{ .name = "s", .kind = CTF_VALUE_STRUCT, .length = 1, .span = 2 },
	STRING("t", "a", CTF_VALUE_STRING),
	STRING("raw", "\x01\xff", CTF_VALUE_BYTES),
};

static void each_kind_of_value_has_its_form_in_text(void **state)
{
	struct ctf_item item = event_of(all_values, sizeof(all_values) / sizeof(all_values[0]));

	(void)state;
	assert_string_equal(
		print(text, &item, 1),
		"22:13:20.000000005 [2] 10/11 (work\\\"er) p:e big = 18446744073709551615, "
		"low = -9223372036854775808, hex = 0xffff, oct = 010, letter = '\\'', "
		"f = 0.1, d = 0.1, state = RUNNING, other = 9, seq = [ 1, 2 ], none = [], "
		"s = { t = \"a\" }, raw = <01 ff>\n");
}

static void each_kind_of_value_has_its_form_in_json(void **state)
{
	struct ctf_item item = event_of(all_values, sizeof(all_values) / sizeof(all_values[0]));

	(void)state;
	assert_string_equal(
		print(json, &item, 1),
		"{\"time_ns\":1700000000000000005,\"cpu\":2,\"pid\":10,\"tid\":11,"
		"\"thread\":\"work\\\"er\",\"event\":\"p:e\",\"level\":6,\"fields\":{"
		"\"big\":18446744073709551615,\"low\":-9223372036854775808,\"hex\":-1,"
		"\"oct\":8,\"letter\":39,\"f\":0.1,\"d\":0.1,\"state\":\"RUNNING\",\"other\":9,"
		"\"seq\":[1,2],\"none\":[],\"s\":{\"t\":\"a\"},\"raw\":\"01ff\"}}\n");
}

static void control_characters_never_reach_a_terminal(void **state)
{
	static const struct ctf_value value[] = {
		STRING("s",
		       "\x1b[31m\n\x7f\xc2\x9b \xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80 "
		       "\xc3(\xed\xa0\x80",
		       CTF_VALUE_STRING),
	};
	struct ctf_item item = event_of(value, 1);

	(void)state;
	print(text, &item, 1);
	assert_non_null(strstr(printed, "s = \"\\x1b[31m\\n\\x7f\\xc2\\x9b \xc3\xbc \xe2\x82\xac "
					"\xf0\x9f\x98\x80 \\xc3(\\xed\\xa0\\x80\"\n"));
	print(json, &item, 1);
	assert_non_null(strstr(printed, "\"\\u001b[31m\\n\\u007f\xc2\x9b \xc3\xbc \xe2\x82\xac "
					"\xf0\x9f\x98\x80 \\ufffd(\\ufffd\\ufffd\\ufffd\""));
}

static const char *print_string(const char *string)
{
	struct ctf_value value = { .name = "s",
				   .span = 1,
				   .kind = CTF_VALUE_STRING,
				   .bytes = string,
				   .length = (uint32_t)strlen(string) };
	struct ctf_item item = event_of(&value, 1);

	return strchr(strstr(print(text, &item, 1), "s = "), '"') + 1;
}

static void character_is_escaped_wherever_it_stands(void **state)
{
	char string[20], expected[40], escaped[8];

	(void)state;
	for (int c = 1; c < 256; c++) {
		snprintf(escaped, sizeof(escaped), "%s", print_string((char[]){ (char)c, 0 }));
		*strrchr(escaped, '"') = 0;
		for (size_t at = 0; at < sizeof(string) - 1; at += 3) {
			memset(string, '~', sizeof(string) - 1);
			string[sizeof(string) - 1] = 0;
			string[at] = (char)c;
			snprintf(expected, sizeof(expected), "%.*s%s%s\"\n", (int)at, string,
				 escaped, string + at + 1);
			assert_string_equal(print_string(string), expected);
		}
	}
}

static void floats_read_back_as_what_they_were(void **state)
{
	static const double numbers[] = {
		0.1, 1e300, 5e-324, -0.0, 3.0, 1.0 / 3, 123456789012345680.0
	};
	struct ctf_value value = { .name = "d", .span = 1, .kind = CTF_VALUE_FLOAT, .bits = 64 };
	struct ctf_item item = event_of(&value, 1);

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		value.f = numbers[i];
		print(json, &item, 1);
		assert_true(strtod(strstr(printed, "\"d\":") + 4, NULL) == numbers[i]);
	}
	value.f = -INFINITY;
	assert_non_null(strstr(print(json, &item, 1), "\"d\":\"-inf\""));
	value.f = NAN;
	assert_non_null(strstr(print(text, &item, 1), "d = nan"));
}

static void times_may_be_relative(void **state)
{
	struct ctf_print_options options = text;
	struct ctf_item items[3];

	(void)state;
	for (int i = 0; i < 3; i++)
		items[i] = event_of(NULL, 0);
	items[1].time_ns += 1500000000;
	items[2].time_ns += 1000000000;
	options.time = CTF_PRINT_RELATIVE;
	print(options, items, 3);
	assert_non_null(strstr(printed, "+0.000000000 [2]"));
	assert_non_null(strstr(printed, "\n+1.500000000 [2]"));
	assert_non_null(strstr(printed, "\n+1.000000000 [2]"));
	options.time = CTF_PRINT_DELTA;
	assert_non_null(strstr(print(options, items, 3), "\n-0.500000000 [2]"));
	options.time = CTF_PRINT_DATE;
	assert_non_null(strstr(print(options, items, 3), "2023-11-14 22:13:20.000000005 [2]"));
}

static void loss_is_a_line_of_its_own(void **state)
{
	struct ctf_item item = {
		.kind = CTF_ITEM_LOST,
		.time_ns = TIME_NS,
		.lost = { .begin_ns = TIME_NS,
			  .end_ns = TIME_NS + 1,
			  .events = 1,
			  .packets = 2,
			  .cpu = CTF_CPU_NONE },
	};

	(void)state;
	assert_string_equal(print(text, &item, 1),
			    "22:13:20.000000005 [?] *** lost 1 event and 2 packets between "
			    "22:13:20.000000005 and 22:13:20.000000006\n");
	assert_string_equal(print(json, &item, 1),
			    "{\"time_ns\":1700000000000000005,\"lost\":{\"events\":1,\"packets\":2,"
			    "\"begin_ns\":1700000000000000005,\"end_ns\":1700000000000000006}}\n");
}

static void writers_are_shown_on_demand(void **state)
{
	struct ctf_print_options options = text;
	struct ctf_item item = event_of(NULL, 0);

	(void)state;
	item.event.is_writer = true;
	assert_string_equal(print(options, &item, 1), "");
	options.with_writers = true;
	assert_non_null(strstr(print(options, &item, 1), "p:e\n"));
}

static const struct ctf_value contexts[] = {
	NUMBER("vpid", u, 4, CTF_VALUE_UNSIGNED, 10, .bits = 32),
	NUMBER("vuid", u, 5, CTF_VALUE_UNSIGNED, 10, .bits = 32),
	NUMBER("perf_thread_cycles", u, UINT64_MAX, CTF_VALUE_UNSIGNED, 10, .bits = 64),
	NUMBER("perf_thread_faults", u, 7, CTF_VALUE_UNSIGNED, 10, .bits = 64),
};

static void contexts_are_shown_but_those_that_repeat_who_it_was(void **state)
{
	struct ctf_print_options options = text;
	struct ctf_item item = event_of(NULL, 0);

	(void)state;
	item.event.context = contexts;
	item.event.context_count = 4;
	assert_non_null(strstr(print(options, &item, 1),
			       "p:e { vuid = 5, perf_thread_cycles = unavailable, "
			       "perf_thread_faults = 7 }\n"));
	item.event.context_count = 1;
	assert_non_null(strstr(print(options, &item, 1), "p:e\n"));
	options.with_context = true;
	assert_non_null(strstr(print(options, &item, 1), "p:e { vpid = 4 }\n"));
}

static void contexts_in_json_are_null_where_a_counter_is_unavailable(void **state)
{
	struct ctf_print_options options = text;
	struct ctf_item item = event_of(NULL, 0);

	(void)state;
	options.format = CTF_PRINT_JSON;
	item.event.context = contexts;
	item.event.context_count = 4;
	assert_non_null(strstr(print(options, &item, 1),
			       "\"context\":{\"vuid\":5,\"perf_thread_cycles\":null,"
			       "\"perf_thread_faults\":7},\"fields\":{}"));
	item.event.context_count = 1;
	assert_null(strstr(print(options, &item, 1), "context"));
}

static void reader_that_went_away_ends_the_printing(void **state)
{
	struct ctf_print_options options = text;
	struct ctf_item item = event_of(NULL, 0);
	struct ctf_printer *printer;
	int fds[2], rc = 0;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	close(fds[0]);
	options.fd = fds[1];
	assert_int_equal(ctf_printer_new(&options, &printer), 0);
	for (int i = 0; i < 100000 && rc >= 0; i++)
		rc = ctf_print_item(printer, &item);
	assert_int_equal(rc, -EPIPE);
	assert_int_equal(ctf_print_flush(printer), -EPIPE);
	ctf_printer_free(printer);
	close(fds[1]);
}

static int set_zone(void **state)
{
	(void)state;
	setenv("TZ", "UTC", 1);
	tzset();
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_value_has_its_form_in_text),
		cmocka_unit_test(each_kind_of_value_has_its_form_in_json),
		cmocka_unit_test(control_characters_never_reach_a_terminal),
		cmocka_unit_test(character_is_escaped_wherever_it_stands),
		cmocka_unit_test(floats_read_back_as_what_they_were),
		cmocka_unit_test(times_may_be_relative),
		cmocka_unit_test(loss_is_a_line_of_its_own),
		cmocka_unit_test(writers_are_shown_on_demand),
		cmocka_unit_test(contexts_are_shown_but_those_that_repeat_who_it_was),
		cmocka_unit_test(contexts_in_json_are_null_where_a_counter_is_unavailable),
		cmocka_unit_test(reader_that_went_away_ends_the_printing),
	};

	return cmocka_run_group_tests(tests, set_zone, NULL);
}
