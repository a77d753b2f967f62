/* SPDX-License-Identifier: MIT */
/* session_recover.c - what of a damaged ring is sound (lib/session/recover) */
#include "tests/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "session/recover/image.h"
#include "session/recover/sound.h"

#define SUBBUFS       4
#define SHIFT         13 /* two pages */
#define SUBBUF_BYTES  (1u << SHIFT)
#define PAGE          4096
#define EVENTS        1000 /* in a sub-buffer */
#define EVENT_BYTES   8
#define FIRST_EVENT   (TACHO_EXTENDED_BYTES + 8 + 5)
#define CONTENT_BYTES (FIRST_EVENT + EVENTS * EVENT_BYTES)
#define LAST          9u /* number of the open sub-buffer */

static const struct event_field number[] = { { "n", TACHO_TYPE(TACHO_KIND_INTEGER, 4, 0), 0 } };
static struct event_desc tick = {
	.provider = "test", .name = "tick", .field_count = 1, .fields = number
};
static struct event_desc *descs[] = { NULL, &tick };
static uint64_t contexts[2];
static const struct event_table events = { .id_count = 2, .desc = descs, .contexts = contexts };

/* A file with one ring, mapped, as a machine leaves it. */
struct file {
	int fd;
	char *map;
	size_t bytes;
	struct tacho_ring *ring;
	struct sound sound;
};

static char *subbuf(struct file *f, uint64_t k)
{
	return (char *)f->ring + tacho_subbuf_at(k, SUBBUFS, SHIFT);
}

static uint64_t begin_of(uint64_t k)
{
	return 1000000 + k * 2 * EVENTS;
}

static void write_subbuf(struct file *f, uint64_t k)
{
	unsigned char *at = (unsigned char *)subbuf(f, k);
	uint32_t id = TACHO_ID_WRITER;
	uint64_t ts = begin_of(k);

	memset(at, 0, SUBBUF_BYTES);
	*at = TACHO_BIG_ENDIAN ? TACHO_ID_EXTENDED << 3 : TACHO_ID_EXTENDED;
	memcpy(at + TACHO_EXTENDED_ID, &id, sizeof(id));
	memcpy(at + TACHO_EXTENDED_TS, &ts, sizeof(ts));
	memcpy(at + TACHO_EXTENDED_BYTES + 8, "name", 5);
	for (uint32_t i = 0; i < EVENTS; i++) {
		uint32_t word = tacho_header_word(ts + i, 1);

		memcpy(at + FIRST_EVENT + (size_t)i * EVENT_BYTES, &word, sizeof(word));
		memcpy(at + FIRST_EVENT + (size_t)i * EVENT_BYTES + 4, &i, sizeof(i));
	}
	f->ring->subbuf[k % SUBBUFS] = (struct tacho_subbuf){
		.subbuf_number = k,
		.begin_ts = ts,
		.end_ts = ts + EVENTS,
		.content_end = (k << SHIFT) + CONTENT_BYTES,
	};
}

static void set_head(struct file *f, uint64_t k)
{
	f->ring->head = (k << SHIFT) + CONTENT_BYTES;
	f->ring->opened = k + 1;
}

static void make(struct file *f)
{
	struct tacho_rings header = {
		.magic = TACHO_RINGS_MAGIC,
		.version = TACHO_RINGS_VERSION,
		.ring_count = 1,
		.subbuf_count = SUBBUFS,
		.subbuf_shift = SHIFT,
		.mode = TACHO_MODE_OVERWRITE,
		.stride = TACHO_RING_CONTROL_BYTES + SUBBUFS * SUBBUF_BYTES,
	};

	f->bytes = tacho_rings_file_bytes(1, header.stride);
	f->fd = memfd_create("rings", MFD_CLOEXEC);
	assert_true(f->fd >= 0 && !ftruncate(f->fd, (off_t)f->bytes));
	f->map = mmap(NULL, f->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, f->fd, 0);
	assert_true(f->map != MAP_FAILED);
	memcpy(f->map, &header, sizeof(header));
	f->ring = (struct tacho_ring *)(f->map + tacho_ring_at(0, header.stride));
	for (uint64_t k = LAST - SUBBUFS + 1; k <= LAST; k++)
		write_subbuf(f, k);
	f->ring->subbuf[LAST % SUBBUFS].content_end = 0;
	f->ring->subbuf[LAST % SUBBUFS].end_ts = 0;
	set_head(f, LAST);
}

static void look(struct file *f, uint64_t first)
{
	struct recover_options options = { .output = "" };
	struct tacho_channel none = { 0 };
	struct rings rings;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", f->fd);
	assert_int_equal(image_open(AT_FDCWD, path, &none, 0, &options, &rings), 0);
	image_load(&rings, 0);
	sound_find(&rings, 0, &events, first, true, &f->sound);
	rings_close(&rings);
}

static void drop(struct file *f)
{
	munmap(f->map, f->bytes);
	close(f->fd);
}

static void assert_found(const struct file *f, uint32_t parts, uint64_t damaged)
{
	assert_int_equal(f->sound.part_count, parts);
	assert_int_equal(f->sound.damaged, damaged);
}

static void all_of_a_sound_ring_is_found(void **state)
{
	struct file f;

	(void)state;
	make(&f);
	look(&f, 0);
	assert_found(&f, SUBBUFS, 0);
	for (uint32_t i = 0; i < SUBBUFS; i++) {
		assert_int_equal(f.sound.part[i].view.number, LAST - SUBBUFS + 1 + i);
		assert_int_equal(f.sound.part[i].view.content_bytes, CONTENT_BYTES);
		assert_int_equal(f.sound.part[i].event_count, EVENTS);
	}
	look(&f, LAST);
	assert_found(&f, 1, 0);
	drop(&f);
}

/* The first page of sub-buffer 7 is there, the second was never written back. */
static void zeros_end_a_part(void **state)
{
	struct file f;

	(void)state;
	make(&f);
	memset(subbuf(&f, 7) + PAGE, 0, PAGE);
	look(&f, 0);
	assert_found(&f, SUBBUFS, 1);
	assert_false(f.sound.part[1].is_whole);
	assert_int_equal(f.sound.part[1].event_count, (PAGE - FIRST_EVENT) / EVENT_BYTES);
	drop(&f);
}

/* Its second page is of the lap before: records of the same size, but of an earlier time. */
static void a_page_of_another_lap_ends_a_part(void **state)
{
	char page[PAGE];
	struct file f;

	(void)state;
	make(&f);
	write_subbuf(&f, 3);
	memcpy(page, subbuf(&f, 3) + PAGE, PAGE);
	write_subbuf(&f, 7);
	memcpy(subbuf(&f, 7) + PAGE, page, PAGE);
	look(&f, 0);
	assert_found(&f, SUBBUFS, 1);
	assert_true(f.sound.part[1].event_count <= (PAGE - FIRST_EVENT) / EVENT_BYTES);
	drop(&f);
}

static void of_an_old_table_what_is_not_there_any_more_is_damaged(void **state)
{
	struct file f;

	(void)state;
	make(&f);
	write_subbuf(&f, 10); /* over 6 */
	f.ring->subbuf[10 % SUBBUFS] = (struct tacho_subbuf){
		.subbuf_number = 6,
		.begin_ts = begin_of(6),
		.end_ts = begin_of(6) + EVENTS,
		.content_end = (6ull << SHIFT) + CONTENT_BYTES,
	};
	look(&f, 0);
	assert_found(&f, SUBBUFS - 1, 1);
	drop(&f);
}

/* Closed sub-buffers are told by the table; of the open one nobody knows how far it goes. */
static void with_an_old_head_the_closed_parts_are_found(void **state)
{
	struct file f;

	(void)state;
	make(&f);
	set_head(&f, LAST - 2);
	look(&f, 0);
	assert_found(&f, SUBBUFS - 1, 1);
	memset(f.ring, 0, PAGE);
	look(&f, 0);
	assert_found(&f, SUBBUFS - 1, 1);
	drop(&f);
}

/* The writer had opened the next one in the table, when it was killed: it has no record. */
static void a_writer_killed_at_a_switch_left_no_damage(void **state)
{
	struct file f;

	(void)state;
	make(&f);
	f.ring->opened = LAST + 2;
	look(&f, 0);
	assert_found(&f, SUBBUFS - 1, 0); /* the oldest is given up */
	f.ring->subbuf[LAST % SUBBUFS].content_end = f.ring->head;
	f.ring->subbuf[LAST % SUBBUFS].end_ts = begin_of(LAST) + EVENTS + 5;
	f.ring->subbuf[(LAST + 1) % SUBBUFS].subbuf_number = LAST + 1;
	f.ring->subbuf[(LAST + 1) % SUBBUFS].begin_ts = begin_of(LAST + 1);
	look(&f, 0);
	assert_found(&f, SUBBUFS - 1, 0);
	drop(&f);
}

static void a_number_out_of_the_blue_hides_nothing(void **state)
{
	struct file f;

	(void)state;
	make(&f);
	f.ring->subbuf[7 % SUBBUFS].subbuf_number = 7 + SUBBUFS * 1000000ull;
	look(&f, 0);
	assert_found(&f, SUBBUFS - 1, 2);
	drop(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_of_a_sound_ring_is_found),
		cmocka_unit_test(zeros_end_a_part),
		cmocka_unit_test(a_page_of_another_lap_ends_a_part),
		cmocka_unit_test(of_an_old_table_what_is_not_there_any_more_is_damaged),
		cmocka_unit_test(with_an_old_head_the_closed_parts_are_found),
		cmocka_unit_test(a_writer_killed_at_a_switch_left_no_damage),
		cmocka_unit_test(a_number_out_of_the_blue_hides_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
