/* SPDX-License-Identifier: MIT */
/*
 * A trace made by LTTng-UST 2.13: that of the fuzz corpus, metadata and stream in one file. What
 * must come out is what babeltrace2 makes of it.
 */
#include "tests/test.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctf/read/count.h"
#include "ctf/read/reader.h"

#define CORPUS "tests/fuzz/corpus/ctf_read_packet/lttng"

struct fixture {
	char dir[64];
	char metadata[80];
	char stream[80];
};

static void write_file(const char *path, const char *data, size_t bytes)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, bytes, file), bytes);
	assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
	static struct fixture f;
	static char data[1 << 16];
	const char *source = getenv("TACHO_SOURCE");
	char path[4096];
	size_t bytes, text_bytes;
	FILE *file;

	snprintf(path, sizeof(path), "%s/" CORPUS, source ? source : ".");
	file = fopen(path, "re");
	assert_non_null(file);
	bytes = fread(data, 1, sizeof(data), file);
	fclose(file);
	text_bytes = strnlen(data, bytes);
	strcpy(f.dir, "/tmp/tacho-ctf-lttng-XXXXXX");
	assert_non_null(mkdtemp(f.dir));
	snprintf(f.metadata, sizeof(f.metadata), "%s/metadata", f.dir);
	snprintf(f.stream, sizeof(f.stream), "%s/ch_0", f.dir);
	write_file(f.metadata, data, text_bytes);
	write_file(f.stream, data + text_bytes + 1, bytes - text_bytes - 1);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	unlink(f->metadata);
	unlink(f->stream);
	return rmdir(f->dir);
}

static const struct ctf_event *next_event(struct ctf_reader *reader, uint64_t time_ns)
{
	const struct ctf_item *item;

	assert_int_equal(ctf_reader_next(reader, &item), 1);
	assert_int_equal(item->kind, CTF_ITEM_EVENT);
	assert_int_equal(item->time_ns, time_ns);
	return &item->event;
}

static void first_events_are_those_that_babeltrace_prints(void **state)
{
	struct fixture *f = *state;
	const struct ctf_event *event;
	struct ctf_reader *reader;

	assert_int_equal(ctf_reader_open(f->dir, NULL, &reader), 0);
	assert_string_equal(ctf_reader_env(reader, "tracer_name"), "lttng-ust");
	event = next_event(reader, 1796045171909834566);
	assert_string_equal(event->name, "lttng_ust_libc:calloc");
	assert_int_equal(event->cpu, 0);
	assert_int_equal(event->tid, 11540);
	assert_int_equal(event->context_count, 1);
	assert_string_equal(event->context[0].name, "vtid");
	assert_int_equal(event->field_count, 3);
	assert_string_equal(event->fields[2].name, "ptr");
	assert_int_equal(event->fields[2].u, 0x55c0dd119580);
	assert_int_equal(event->fields[2].base, 16);
	event = next_event(reader, 1796045171909837535);
	assert_int_equal(event->fields[0].u, 48);
	ctf_reader_close(reader);
}

static void all_events_are_counted(void **state)
{
	struct fixture *f = *state;
	const struct ctf_count *counts;
	struct ctf_counter *counter;
	struct ctf_reader *reader;
	const struct ctf_item *item;
	size_t count;

	assert_int_equal(ctf_reader_open(f->dir, NULL, &reader), 0);
	assert_int_equal(ctf_counter_new(&counter), 0);
	while (ctf_reader_next(reader, &item) > 0)
		assert_int_equal(ctf_counter_add(counter, item), 0);
	assert_int_equal(ctf_reader_totals(reader).events, 158);
	assert_int_equal(ctf_reader_totals(reader).damages, 0);
	counts = ctf_counter_sort(counter, &count);
	assert_int_equal(count, 4);
	assert_string_equal(counts[0].name, "lttng_ust_libc:malloc");
	assert_int_equal(counts[0].events, 118);
	ctf_counter_free(counter);
	ctf_reader_close(reader);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(first_events_are_those_that_babeltrace_prints,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(all_events_are_counted, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
