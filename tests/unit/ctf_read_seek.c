/* SPDX-License-Identifier: MIT */
/*
 * Going to a time: what comes is what reading from the begin gives from that time on, with an index,
 * without one, and with one that lies. And windows: what a large packet gives is what it gives as a
 * whole.
 */
#include "ctf_write_trace.h"

#include "ctf/index.h"
#include "ctf/read/reader.h"
#include "ctf/read/stream.h"
#include "ctf/read/trace.h"

#define PACKETS   40
#define NUMBERS   20
#define DISTANCE  1000 /* ticks from packet to packet, which are nanoseconds */
#define INDEX     "index/channel0_0.idx"
#define END_TICKS ((PACKETS + 1) * DISTANCE)

/* CPU 0 writes at 1000, 2000, ..; CPU 1 at 1500, 2500, .. */
static void write_trace(struct fixture *f)
{
	struct ctf_stream_spec spec = plain_spec;

	write_metadata(f, &plain_schema);
	for (spec.cpu = 0; spec.cpu < 2; spec.cpu++) {
		struct ctf_stream *stream = open_stream(f, &spec);

		for (uint64_t seq = 0; seq < PACKETS; seq++)
			put_numbers(f, stream, seq, (seq + 1) * DISTANCE + spec.cpu * DISTANCE / 2,
				    NUMBERS);
		assert_int_equal(ctf_stream_close(stream, &f->error), 0);
	}
}

static struct ctf_reader *open_reader(struct fixture *f)
{
	struct ctf_reader *reader;

	if (ctf_reader_open(f->dir, &f->error, &reader))
		fail_msg("ctf_reader_open: %s", f->error.text);
	return reader;
}

/* Items from @time_ns on: their number and, in order, what they say. */
struct sum {
	uint64_t items;
	uint64_t hash;
};

static void add(struct sum *sum, const struct ctf_item *item)
{
	uint64_t field = item->kind == CTF_ITEM_EVENT && !item->event.is_writer ?
				 item->event.fields[0].u :
				 item->kind;

	sum->items++;
	sum->hash = (sum->hash ^ item->time_ns) * 0x100000001b3ull;
	sum->hash = (sum->hash ^ field ^ item->stream) * 0x100000001b3ull;
	if (item->kind == CTF_ITEM_EVENT)
		assert_int_equal(item->event.tid, 11);
}

static struct sum sum_of_rest(struct ctf_reader *reader, uint64_t from_ns)
{
	const struct ctf_item *item;
	struct sum sum = { 0 };
	int more;

	while ((more = ctf_reader_next(reader, &item)) > 0) {
		if (item->time_ns >= from_ns)
			add(&sum, item);
	}
	assert_int_equal(more, 0);
	return sum;
}

static struct sum sum_by_reading(struct fixture *f, uint64_t from_ns)
{
	struct ctf_reader *reader = open_reader(f);
	struct sum sum = sum_of_rest(reader, from_ns);

	ctf_reader_close(reader);
	return sum;
}

static struct sum sum_by_seeking(struct fixture *f, uint64_t from_ns)
{
	struct ctf_reader *reader = open_reader(f);
	struct sum sum;

	assert_int_equal(ctf_reader_seek(reader, from_ns), 0);
	sum = sum_of_rest(reader, 0);
	ctf_reader_close(reader);
	return sum;
}

static void expect_the_same_from_everywhere(struct fixture *f)
{
	for (uint64_t from_ns = 0; from_ns < END_TICKS + DISTANCE; from_ns += DISTANCE / 4 + 3) {
		struct sum read = sum_by_reading(f, from_ns), sought = sum_by_seeking(f, from_ns);

		assert_int_equal(read.items, sought.items);
		assert_int_equal(read.hash, sought.hash);
	}
}

/* ---- seeking ---- */

static void sought_time_begins_where_reading_comes_to_it(void **state)
{
	struct fixture *f = *state;

	write_trace(f);
	assert_true(size_of(f, INDEX) < UINT64_MAX);
	expect_the_same_from_everywhere(f);
}

static void time_is_found_without_an_index(void **state)
{
	struct fixture *f = *state;
	char path[512];

	write_trace(f);
	stream_path(f, INDEX, path, sizeof(path));
	assert_int_equal(unlink(path), 0);
	expect_the_same_from_everywhere(f);
}

/* Each byte of header, first, middle and last entry is turned round, one after the other. */
static void index_that_lies_changes_nothing(void **state)
{
	struct fixture *f = *state;
	uint64_t bytes, from_ns = PACKETS / 2 * DISTANCE + DISTANCE / 3;
	struct sum read;
	char path[512];
	int fd;

	write_trace(f);
	read = sum_by_reading(f, from_ns);
	bytes = size_of(f, INDEX);
	stream_path(f, INDEX, path, sizeof(path));
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	for (uint64_t at = 0; at < bytes; at++) {
		unsigned char byte, wrong;

		assert_int_equal(pread(fd, &byte, 1, (off_t)at), 1);
		wrong = (unsigned char)~byte;
		assert_int_equal(pwrite(fd, &wrong, 1, (off_t)at), 1);
		assert_int_equal(sum_by_seeking(f, from_ns).hash, read.hash);
		assert_int_equal(pwrite(fd, &byte, 1, (off_t)at), 1);
	}
	assert_int_equal(ftruncate(fd, (off_t)bytes - 72), 0);
	assert_int_equal(sum_by_seeking(f, from_ns).hash, read.hash);
	assert_int_equal(ftruncate(fd, 7), 0);
	assert_int_equal(sum_by_seeking(f, from_ns).hash, read.hash);
	close(fd);
}

static void seeking_goes_back_and_on(void **state)
{
	struct fixture *f = *state;
	struct ctf_reader *reader;

	write_trace(f);
	reader = open_reader(f);
	for (uint64_t from_ns = END_TICKS; from_ns > 4 * DISTANCE; from_ns -= 7 * DISTANCE / 2) {
		struct sum read = sum_by_reading(f, from_ns);

		assert_int_equal(ctf_reader_seek(reader, from_ns), 0);
		assert_int_equal(sum_of_rest(reader, 0).hash, read.hash);
	}
	ctf_reader_close(reader);
}

static bool has_damage(struct fixture *f, uint64_t from_ns)
{
	struct ctf_reader *reader = open_reader(f);
	const struct ctf_item *item;
	bool is_found = false;

	assert_int_equal(ctf_reader_seek(reader, from_ns), 0);
	while (ctf_reader_next(reader, &item) > 0)
		is_found |= item->kind == CTF_ITEM_DAMAGE;
	ctf_reader_close(reader);
	return is_found;
}

static void damage_before_the_time_is_passed(void **state)
{
	static const unsigned char wrong[32] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	struct fixture *f = *state;
	char path[512];
	int fd;

	write_trace(f);
	stream_path(f, "channel0_0", path, sizeof(path));
	fd = open(path, O_WRONLY | O_CLOEXEC);
	assert_int_equal(pwrite(fd, wrong, sizeof(wrong), 160), sizeof(wrong));
	close(fd);
	assert_true(has_damage(f, 0));
	assert_false(has_damage(f, 4 * DISTANCE));
}

static bool are_indexes_right(struct fixture *f)
{
	struct ctf_reader *reader = open_reader(f);
	struct sum read = sum_by_reading(f, 0);
	bool are_right = ctf_reader_check_indexes(reader);

	assert_int_equal(sum_of_rest(reader, 0).hash, read.hash);
	ctf_reader_close(reader);
	return are_right;
}

static void index_is_right_if_headers_lead_where_it_leads(void **state)
{
	struct fixture *f = *state;
	unsigned char wrong = 0xff;
	char path[512];
	int fd;

	write_trace(f);
	assert_true(are_indexes_right(f));
	stream_path(f, INDEX, path, sizeof(path));
	fd = open(path, O_WRONLY | O_CLOEXEC);
	assert_int_equal(pwrite(fd, &wrong, 1, 16 + 5 * 72 + 7), 1);
	close(fd);
	assert_false(are_indexes_right(f));
	assert_int_equal(unlink(path), 0);
	assert_true(are_indexes_right(f));
}

/* Packets of CPU 0, which all have one size, in the wrong order. */
static void swap_halves(struct fixture *f)
{
	size_t half = size_of(f, "channel0_0") / 2;
	char *data = malloc(2 * half);
	char path[512];
	int fd;

	stream_path(f, "channel0_0", path, sizeof(path));
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_non_null(data);
	assert_int_equal(pread(fd, data, 2 * half, 0), 2 * half);
	assert_int_equal(pwrite(fd, data + half, half, 0), half);
	assert_int_equal(pwrite(fd, data, half, (off_t)half), half);
	close(fd);
	free(data);
}

static bool is_told_of_disorder(struct fixture *f)
{
	struct ctf_reader *reader = open_reader(f);
	bool is_told;

	ctf_reader_watch_order(reader, 0);
	sum_of_rest(reader, 0);
	is_told = ctf_reader_is_disordered(reader);
	ctf_reader_close(reader);
	return is_told;
}

static void times_that_go_back_are_told_of(void **state)
{
	struct fixture *f = *state;

	write_trace(f);
	assert_false(is_told_of_disorder(f));
	swap_halves(f);
	assert_true(is_told_of_disorder(f));
	assert_false(are_indexes_right(f));
}

/* The rest of both streams from where one reader stood, by another one. */
static void reading_goes_on_at_places_that_were_kept(void **state)
{
	struct ctf_place place[2] = { 0 };
	uint64_t from_ns = 7 * DISTANCE;
	struct fixture *f = *state;
	const struct ctf_item *item;
	struct ctf_reader *reader, *other;
	struct sum read, gone_on;

	write_trace(f);
	reader = open_reader(f);
	do {
		assert_int_equal(ctf_reader_next(reader, &item), 1);
		place[item->stream] = *item->place;
	} while (item->time_ns < from_ns);
	other = open_reader(f);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(ctf_reader_go(other, i, &place[i]), 1);
	gone_on = sum_of_rest(other, from_ns);
	read = sum_by_reading(f, from_ns);
	assert_int_equal(gone_on.hash, read.hash);
	ctf_reader_close(other);
	ctf_reader_close(reader);
}

static void place_that_is_gone_is_not_gone_to(void **state)
{
	struct ctf_place place = { .offset = 8, .begin_ticks = 5 };
	struct fixture *f = *state;
	struct ctf_reader *reader;

	write_trace(f);
	reader = open_reader(f);
	assert_int_equal(ctf_reader_go(reader, 0, &place), 0); /* no such file */
	place.file = *read_stream_file(ctf_reader_stream(reader, 0), 0);
	assert_int_equal(ctf_reader_go(reader, 0, &place), 0);
	place.offset = 1 << 30;
	assert_int_equal(ctf_reader_go(reader, 0, &place), 0);
	assert_int_equal(sum_of_rest(reader, 0).hash, sum_by_reading(f, 0).hash);
	ctf_reader_close(reader);
}

static void range_has_both_of_its_ends(void **state)
{
	struct fixture *f = *state;
	const struct ctf_item *item;
	struct ctf_reader *reader;
	uint64_t last_ns = 0, count = 0;

	write_trace(f);
	reader = open_reader(f);
	ctf_reader_set_range(reader, 2005, 3007);
	while (ctf_reader_next(reader, &item) > 0) {
		if (!count++)
			assert_int_equal(item->time_ns, 2005);
		last_ns = item->time_ns;
	}
	assert_int_equal(last_ns, 3007);
	assert_int_equal(count, NUMBERS - 5 + NUMBERS + 1 + 8 + 1);
	ctf_reader_close(reader);
}

static void last_item_is_found(void **state)
{
	struct fixture *f = *state;
	struct ctf_reader *reader;
	uint64_t last_ns, items;

	write_trace(f);
	items = sum_by_reading(f, 0).items;
	reader = open_reader(f);
	assert_int_equal(ctf_reader_find_last(reader, &last_ns), 1);
	assert_int_equal(last_ns, PACKETS * DISTANCE + DISTANCE / 2 + NUMBERS - 1);
	assert_int_equal(sum_of_rest(reader, 0).items, items);
	ctf_reader_close(reader);
}

static void streams_that_are_not_wanted_have_no_items(void **state)
{
	struct fixture *f = *state;
	const struct ctf_item *item;
	struct ctf_reader *reader;
	uint64_t count = 0;

	write_trace(f);
	reader = open_reader(f);
	ctf_reader_select_stream(reader, 0, false);
	for (; ctf_reader_next(reader, &item) > 0; count++)
		assert_int_equal(item->stream, 1);
	assert_int_equal(count, PACKETS * (NUMBERS + 1));
	ctf_reader_close(reader);
}

/* ---- windows ---- */

#define TEXTS 3000

/* One packet, whose size nothing says, of texts of 0 to 96 bytes; one of 100,000 in their middle. */
static const char texts_metadata[] =
	"/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; };\n"
	"typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
	"clock { name = c; freq = 1000000000; };\n"
	"typealias integer { size = 64; align = 64; signed = false; map = clock.c.value; } := "
	"u64;\n"
	"stream { event.header := struct { u64 timestamp; }; };\n"
	"event { name = \"text\"; fields := struct { u32 _n; string _text; }; };\n";

static size_t text_bytes(uint32_t i)
{
	return i == TEXTS / 2 ? 100000 : i % 97;
}

static void write_texts(const char *path)
{
	FILE *file = fopen(path, "we");
	uint64_t at = 0;

	assert_non_null(file);
	for (uint32_t i = 0; i < TEXTS; i++) {
		uint64_t time = i;

		for (; at % 8; at++)
			fputc(0, file);
		fwrite(&time, sizeof(time), 1, file);
		fwrite(&i, sizeof(i), 1, file);
		for (size_t k = 0; k < text_bytes(i); k++)
			fputc('a' + (int)(k % 26), file);
		fputc(0, file);
		at += sizeof(time) + sizeof(i) + text_bytes(i) + 1;
	}
	assert_int_equal(fclose(file), 0);
}

static void expect_texts(const struct read_trace *trace, const char *path, uint64_t window_bytes)
{
	struct read_stream *stream;
	const struct ctf_item *item;

	assert_int_equal(read_stream_new(trace, path, &stream), 0);
	read_stream_set_window(stream, window_bytes);
	for (uint32_t i = 0; i < TEXTS; i++) {
		if (read_stream_next(stream, &item) != 1)
			fail_msg("window %u: event %u of %u is missing", (unsigned int)window_bytes,
				 i, TEXTS);
		if (item->kind == CTF_ITEM_DAMAGE)
			fail_msg("%s", item->damage.text);
		assert_int_equal(item->time_ns, i);
		assert_int_equal(item->event.fields[0].u, i);
		assert_int_equal(item->event.fields[1].length, text_bytes(i));
		for (size_t k = 0; k < text_bytes(i); k++)
			assert_int_equal(item->event.fields[1].bytes[k], 'a' + (int)(k % 26));
	}
	assert_int_equal(read_stream_next(stream, &item), 0);
	read_stream_free(stream);
}

static void packet_is_the_same_through_any_window(void **state)
{
	struct fixture *f = *state;
	struct read_trace *trace;
	char path[512];
	char text[sizeof(texts_metadata)];

	memcpy(text, texts_metadata, sizeof(text));
	if (read_trace_parse(text, strlen(text), &f->error, &trace))
		fail_msg("%s", f->error.text);
	snprintf(path, sizeof(path), "%s/stream", f->dir);
	write_texts(path);
	for (uint64_t window_bytes = 32; window_bytes < 1 << 22;
	     window_bytes = window_bytes * 3 + 1)
		expect_texts(trace, path, window_bytes);
	read_trace_free(trace);
}

static void event_of_an_absurd_size_is_damage(void **state)
{
	struct fixture *f = *state;
	struct read_trace *trace;
	struct read_stream *stream;
	const struct ctf_item *item;
	char path[512];
	char text[sizeof(texts_metadata)];
	int fd;

	memcpy(text, texts_metadata, sizeof(text));
	assert_int_equal(read_trace_parse(text, strlen(text), &f->error, &trace), 0);
	snprintf(path, sizeof(path), "%s/stream", f->dir);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(pwrite(fd, "a", 1, 12), 1);
	for (off_t at = 13; at < 80 << 20; at += sizeof(f->text)) {
		memset(f->text, 'a', sizeof(f->text));
		assert_int_equal(pwrite(fd, f->text, sizeof(f->text), at), sizeof(f->text));
	}
	close(fd);
	assert_int_equal(read_stream_new(trace, path, &stream), 0);
	read_stream_set_window(stream, 1 << 20);
	assert_int_equal(read_stream_next(stream, &item), 1);
	assert_int_equal(item->kind, CTF_ITEM_DAMAGE);
	assert_non_null(strstr(item->damage.text, "byte 0: an event of an absurd size"));
	read_stream_free(stream);
	read_trace_free(trace);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(sought_time_begins_where_reading_comes_to_it),
		TEST(time_is_found_without_an_index),
		TEST(index_that_lies_changes_nothing),
		TEST(seeking_goes_back_and_on),
		TEST(damage_before_the_time_is_passed),
		TEST(index_is_right_if_headers_lead_where_it_leads),
		TEST(times_that_go_back_are_told_of),
		TEST(reading_goes_on_at_places_that_were_kept),
		TEST(place_that_is_gone_is_not_gone_to),
		TEST(range_has_both_of_its_ends),
		TEST(last_item_is_found),
		TEST(streams_that_are_not_wanted_have_no_items),
		TEST(packet_is_the_same_through_any_window),
		TEST(event_of_an_absurd_size_is_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
