/* SPDX-License-Identifier: MIT */
/*
 * Traces as lib/ctf writes them, read back by lib/ctf: whole, still growing, and damaged.
 */
#include "ctf_write_trace.h"

#include "ctf/read/count.h"
#include "ctf/read/reader.h"

static struct ctf_reader *open_reader(struct fixture *f)
{
	struct ctf_reader *reader;

	if (ctf_reader_open(f->dir, &f->error, &reader))
		fail_msg("ctf_reader_open: %s", f->error.text);
	return reader;
}

/* The next item, which must be of this kind. */
static const struct ctf_item *expect_item(struct ctf_reader *reader, enum ctf_item_kind kind)
{
	const struct ctf_item *item;

	assert_int_equal(ctf_reader_next(reader, &item), 1);
	if (item->kind == CTF_ITEM_DAMAGE && kind != CTF_ITEM_DAMAGE)
		fail_msg("damage: %s", item->damage.text);
	assert_int_equal(item->kind, kind);
	return item;
}

static const struct ctf_event *expect_event(struct ctf_reader *reader, const char *name)
{
	const struct ctf_item *item = expect_item(reader, CTF_ITEM_EVENT);

	assert_string_equal(item->event.name, name);
	return &item->event;
}

static void expect_end(struct ctf_reader *reader)
{
	const struct ctf_item *item;

	assert_int_equal(ctf_reader_next(reader, &item), 0);
}

static void expect_only_numbers(struct ctf_reader *reader, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(expect_event(reader, "shop:number")->fields[0].u, i);
}

/* A writer and the numbers from 0 up to @count. */
static void expect_numbers(struct ctf_reader *reader, uint32_t count)
{
	expect_event(reader, "tacho:writer");
	expect_only_numbers(reader, count);
}

static struct ctf_reader_totals read_all(struct fixture *f, char *ret_damage, size_t bytes)
{
	struct ctf_reader *reader = open_reader(f);
	struct ctf_reader_totals totals;
	const struct ctf_item *item;
	int more;

	ret_damage[0] = 0;
	while ((more = ctf_reader_next(reader, &item)) > 0) {
		if (item->kind == CTF_ITEM_DAMAGE)
			snprintf(ret_damage, bytes, "%s", item->damage.text);
	}
	assert_int_equal(more, 0);
	totals = ctf_reader_totals(reader);
	ctf_reader_close(reader);
	return totals;
}

/* ---- whole ---- */

static void event_has_time_cpu_level_and_the_thread_that_wrote_it(void **state)
{
	struct ctf_schema schema = plain_schema;
	struct ctf_stream_spec spec = plain_spec;
	const struct ctf_event *event;
	struct fixture *f = *state;
	struct ctf_stream *stream;
	struct ctf_reader *reader;
	struct ctf_packet packet;

	schema.clock = (struct ctf_clock){ .freq_hz = 2000000000, .offset_s = 1700000000 };
	write_metadata(f, &schema);
	spec.cpu = 3;
	stream = open_stream(f, &spec);
	put_writer(&f->records, 100, 7, 8, "first");
	put_compact(&f->records, 1, 102);
	put_u32(&f->records, 42);
	put_writer(&f->records, 104, 7, 9, "second");
	put_medium(&f->records, 1, 106);
	put_u32(&f->records, 43);
	put_extended(&f->records, 1, 1ull << 40);
	put_u32(&f->records, 44);
	packet = packet_of(&f->records, 0, 100, 1ull << 40);
	put_packet(f, stream, &packet);
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);

	reader = open_reader(f);
	event = expect_event(reader, "tacho:writer");
	assert_true(event->is_writer);
	event = expect_event(reader, "shop:number");
	assert_false(event->is_writer);
	assert_string_equal(event->provider, "shop");
	assert_string_equal(event->base_name, "number");
	assert_int_equal(event->level, TACHO_LEVEL_DEBUG_LINE);
	assert_int_equal(event->cpu, 3);
	assert_int_equal(event->ticks, 102);
	assert_int_equal(event->pid, 7);
	assert_int_equal(event->tid, 8);
	assert_string_equal(event->thread, "first");
	assert_int_equal(event->field_count, 1);
	assert_string_equal(event->fields[0].name, "n");
	assert_int_equal(event->fields[0].u, 42);
	expect_event(reader, "tacho:writer");
	event = expect_event(reader, "shop:number");
	assert_int_equal(event->tid, 9);
	assert_string_equal(event->thread, "second");
	assert_int_equal(expect_item(reader, CTF_ITEM_EVENT)->time_ns,
			 1700000000000000000 + (1ull << 39));
	expect_end(reader);
	assert_string_equal(ctf_reader_env(reader, "domain"), "ust");
	assert_null(ctf_reader_env(reader, "no such field"));
	ctf_reader_close(reader);
}

static void streams_are_merged_by_time(void **state)
{
	struct ctf_stream_spec spec = plain_spec;
	struct fixture *f = *state;
	struct ctf_reader *reader;
	const struct ctf_item *item;
	uint64_t events = 0, before = 0;

	write_metadata(f, &plain_schema);
	for (spec.cpu = 0; spec.cpu < 5; spec.cpu++) {
		struct ctf_stream *stream = open_stream(f, &spec);

		for (uint64_t seq = 0; seq < 4; seq++)
			put_numbers(f, stream, seq, 1000 + seq * 200 + spec.cpu * 7, 50);
		assert_int_equal(ctf_stream_close(stream, &f->error), 0);
	}
	reader = open_reader(f);
	while (ctf_reader_next(reader, &item) > 0) {
		assert_int_equal(item->kind, CTF_ITEM_EVENT);
		assert_true(item->time_ns >= before);
		before = item->time_ns;
		events += !item->event.is_writer;
	}
	assert_int_equal(events, 5 * 4 * 50);
	assert_int_equal(ctf_reader_totals(reader).events, events);
	assert_int_equal(ctf_reader_totals(reader).streams, 5);
	assert_int_equal(ctf_reader_totals(reader).traces, 1);
	ctf_reader_close(reader);
}

static void lost_records_are_items_with_their_time(void **state)
{
	struct fixture *f = *state;
	struct ctf_stream *stream;
	struct ctf_reader *reader;
	const struct ctf_lost *lost;
	struct ctf_packet packet;

	write_metadata(f, &plain_schema);
	stream = open_stream(f, &plain_spec);
	put_writer(&f->records, 100, 7, 8, "first");
	packet = packet_of(&f->records, 5, 100, 110);
	put_packet(f, stream, &packet);
	f->records.used = 0;
	put_writer(&f->records, 200, 7, 8, "first");
	packet = packet_of(&f->records, 8, 200, 210);
	packet.discarded = 17;
	put_packet(f, stream, &packet);
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);

	reader = open_reader(f);
	expect_event(reader, "tacho:writer");
	lost = &expect_item(reader, CTF_ITEM_LOST)->lost;
	assert_int_equal(lost->events, 17);
	assert_int_equal(lost->packets, 2);
	assert_int_equal(lost->begin_ns, 110);
	assert_int_equal(lost->end_ns, 210);
	expect_event(reader, "tacho:writer");
	expect_end(reader);
	assert_int_equal(ctf_reader_totals(reader).lost_events, 17);
	ctf_reader_close(reader);
}

static void events_are_counted_by_name(void **state)
{
	const struct ctf_count *counts;
	struct ctf_counter *counter;
	struct ctf_item item = { .kind = CTF_ITEM_EVENT };
	char name[16];
	size_t count;

	(void)state;
	assert_int_equal(ctf_counter_new(&counter), 0);
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 1000; i++) {
			snprintf(name, sizeof(name), "p:%04d", i);
			item.event.name = name;
			if (i % 3 <= round)
				assert_int_equal(ctf_counter_add(counter, &item), 0);
		}
		counts = ctf_counter_sort(counter, &count);
	}
	item.kind = CTF_ITEM_LOST;
	assert_int_equal(ctf_counter_add(counter, &item), 0);
	assert_int_equal(count, 1000);
	assert_string_equal(counts[0].name, "p:0000");
	assert_int_equal(counts[0].events, 3);
	assert_string_equal(counts[999].name, "p:0998");
	assert_int_equal(counts[999].events, 1);
	ctf_counter_free(counter);
}

/* ---- growing ---- */

static void growing_stream_is_read_as_far_as_it_was(void **state)
{
	struct fixture *f = *state;
	struct ctf_stream *stream;
	struct ctf_reader *reader;

	write_metadata(f, &plain_schema);
	stream = open_stream(f, &plain_spec);
	put_numbers(f, stream, 0, 1000, 50);
	reader = open_reader(f);
	expect_event(reader, "tacho:writer");
	put_numbers(f, stream, 0, 1000, 60);
	for (uint64_t seq = 1; seq < 30; seq++)
		put_numbers(f, stream, seq, 10000 * seq, 5000);
	expect_only_numbers(reader, 50);
	expect_end(reader);
	ctf_reader_close(reader);
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);
}

static void trimmed_stream_is_not_damaged(void **state)
{
	struct fixture *f = *state;
	struct ctf_stream *stream;
	struct ctf_reader *reader;

	write_metadata(f, &plain_schema);
	stream = open_stream(f, &plain_spec);
	put_numbers(f, stream, 0, 1000, 50);
	put_numbers(f, stream, 1, 2000, 70);
	reader = open_reader(f);
	expect_numbers(reader, 50);
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);
	expect_numbers(reader, 70);
	expect_end(reader);
	ctf_reader_close(reader);
}

static void event_declared_after_opening_ends_its_stream_quietly(void **state)
{
	const struct ctf_event_class classes[] = { number_class, { 2, &number_desc, 0 } };
	struct ctf_schema schema = plain_schema;
	struct fixture *f = *state;
	struct ctf_stream *stream;
	struct ctf_reader *reader;
	struct ctf_packet packet;

	write_metadata(f, &plain_schema);
	stream = open_stream(f, &plain_spec);
	put_numbers(f, stream, 0, 1000, 50);
	put_numbers(f, stream, 1, 2000, 60);
	reader = open_reader(f);
	schema.events = classes;
	schema.event_count = 2;
	write_metadata(f, &schema);
	put_compact(&f->records, 2, 2060);
	put_u32(&f->records, 0);
	packet = packet_of(&f->records, 1, 2000, 2060);
	put_packet(f, stream, &packet);
	expect_numbers(reader, 50);
	expect_numbers(reader, 60);
	expect_end(reader);
	ctf_reader_close(reader);
	assert_int_equal(ctf_stream_close(stream, &f->error), 0);
}

/* ---- damaged ---- */

/* Two streams, of CPU 0 and 1, of two packets with 50 numbers each. */
static void write_two_streams(struct fixture *f)
{
	struct ctf_stream_spec spec = plain_spec;

	write_metadata(f, &plain_schema);
	for (spec.cpu = 0; spec.cpu < 2; spec.cpu++) {
		struct ctf_stream *stream = open_stream(f, &spec);

		put_numbers(f, stream, 0, 1000, 50);
		put_numbers(f, stream, 1, 2000, 50);
		assert_int_equal(ctf_stream_close(stream, &f->error), 0);
	}
}

static void overwrite(struct fixture *f, const char *file, off_t at, const void *data, size_t bytes)
{
	char path[512];
	int fd;

	stream_path(f, file, path, sizeof(path));
	fd = open(path, O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, data, bytes, at), bytes);
	close(fd);
}

static void cut_file_gives_what_is_whole_and_says_where_it_ends(void **state)
{
	struct fixture *f = *state;
	char path[512], damage[512];
	struct ctf_reader_totals totals;

	write_two_streams(f);
	stream_path(f, "channel0_0", path, sizeof(path));
	/* Padding may be missing; a part of a record may not. */
	assert_int_equal(truncate(path, (off_t)size_of(f, "channel0_0") - 16), 0);
	totals = read_all(f, damage, sizeof(damage));
	assert_int_equal(totals.damages, 1);
	assert_true(totals.events >= 197 && totals.events < 200);
	assert_non_null(strstr(damage, "channel0_0, byte "));
	assert_non_null(strstr(damage, "the file ends within"));
}

static void wrong_magic_number_ends_its_stream_only(void **state)
{
	struct fixture *f = *state;
	struct ctf_reader_totals totals;
	char damage[512];

	write_two_streams(f);
	overwrite(f, "channel0_0", (off_t)size_of(f, "channel0_0") / 2, "\0\0\0\0", 4);
	totals = read_all(f, damage, sizeof(damage));
	assert_int_equal(totals.events, 150);
	assert_int_equal(totals.damages, 1);
	assert_non_null(strstr(damage, "magic"));
}

static void absurd_sizes_are_refused(void **state)
{
	static const uint64_t sizes[] = { 0, 1, 7, 8, 1ull << 40, UINT64_MAX };
	struct fixture *f = *state;
	struct ctf_reader_totals totals;
	char damage[512];

	write_two_streams(f);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		overwrite(f, "channel0_0", offsetof(struct ctf_packet_head, content_bits),
			  &sizes[i], 8);
		totals = read_all(f, damage, sizeof(damage));
		assert_int_equal(totals.events, 100);
		assert_int_equal(totals.damages, 1);
	}
}

static void unknown_event_ends_its_stream(void **state)
{
	struct fixture *f = *state;
	struct ctf_reader_totals totals;
	uint32_t word = tacho_header_word(1000, 5);
	char damage[512];

	write_two_streams(f);
	overwrite(f, "channel0_0", CTF_PACKET_HEAD_BYTES + 28, &word, 4);
	totals = read_all(f, damage, sizeof(damage));
	assert_int_equal(totals.events, 100);
	assert_non_null(strstr(damage, "an event that the metadata does not describe"));
}

static void directory_without_a_trace_is_named(void **state)
{
	struct fixture *f = *state;
	struct ctf_reader *reader;

	assert_int_equal(ctf_reader_open("/proc/self/fdinfo", &f->error, &reader), -ENOENT);
	assert_non_null(strstr(f->error.text, "no trace in /proc/self/fdinfo"));
	assert_int_equal(ctf_reader_open("/nonexistent", &f->error, &reader), -ENOENT);
	assert_non_null(strstr(f->error.text, "/nonexistent"));
	assert_int_equal(ctf_reader_open("/dev/null", &f->error, &reader), -ENOTDIR);
}

static void directory_that_may_not_be_read_is_named(void **state)
{
	struct fixture *f = *state;
	struct ctf_reader *reader;
	bool is_root = !geteuid();
	char path[512];
	int rc;

	write_two_streams(f);
	snprintf(path, sizeof(path), "%s/ust", f->dir);
	assert_int_equal(chmod(f->dir, 0755), 0);
	assert_int_equal(chmod(path, 0), 0);
	if (is_root)
		assert_int_equal(seteuid(65534), 0);
	rc = ctf_reader_open(f->dir, &f->error, &reader);
	if (is_root)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(chmod(path, 0700), 0);
	assert_int_equal(rc, -EACCES);
	assert_non_null(strstr(f->error.text, path));
}

static void only_trace_with_wrong_metadata_is_an_error(void **state)
{
	struct fixture *f = *state;
	struct ctf_reader *reader;

	write_metadata(f, &plain_schema);
	overwrite(f, "metadata", 0, "{", 1);
	assert_int_equal(ctf_reader_open(f->dir, &f->error, &reader), -EINVAL);
	assert_non_null(strstr(f->error.text, "metadata: line 1"));
}

static void trace_with_wrong_metadata_does_not_hide_others(void **state)
{
	struct fixture *f = *state;
	struct ctf_reader_totals totals;
	char path[512], damage[512];
	FILE *file;

	write_two_streams(f);
	snprintf(path, sizeof(path), "%s/metadata", f->dir);
	file = fopen(path, "we");
	assert_non_null(file);
	fputs("nonsense", file);
	fclose(file);
	totals = read_all(f, damage, sizeof(damage));
	assert_int_equal(totals.events, 200);
	assert_int_equal(totals.damages, 1);
	assert_non_null(strstr(damage, path));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(event_has_time_cpu_level_and_the_thread_that_wrote_it),
		TEST(streams_are_merged_by_time),
		TEST(lost_records_are_items_with_their_time),
		TEST(events_are_counted_by_name),
		TEST(growing_stream_is_read_as_far_as_it_was),
		TEST(trimmed_stream_is_not_damaged),
		TEST(event_declared_after_opening_ends_its_stream_quietly),
		TEST(cut_file_gives_what_is_whole_and_says_where_it_ends),
		TEST(wrong_magic_number_ends_its_stream_only),
		TEST(absurd_sizes_are_refused),
		TEST(unknown_event_ends_its_stream),
		TEST(directory_without_a_trace_is_named),
		TEST(directory_that_may_not_be_read_is_named),
		TEST(only_trace_with_wrong_metadata_is_an_error),
		TEST(trace_with_wrong_metadata_does_not_hide_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
