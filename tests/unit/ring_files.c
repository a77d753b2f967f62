/* SPDX-License-Identifier: MIT */
/*
 * ring_files.c - ring files from the side of the tools (ring/rings.h): geometry, making and opening
 * them, and views of rings that someone scribbled over.
 */
#include "tests/test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ring/rings.h"

#define NAME "channel0.rings"
#define CPUS 3

struct fixture {
	char path[64];
	int dir;
	struct rings_parameters p;
	struct tacho_error error;
};

static int make_directory(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	strcpy(f->path, "/dev/shm/tacho-test.ring_files.XXXXXX");
	if (!mkdtemp(f->path))
		return -1;
	f->dir = open(f->path, O_RDONLY | O_DIRECTORY);
	f->p = (struct rings_parameters){
		.session_instance = 77,
		.ring_count = CPUS,
		.mode = TACHO_MODE_DISCARD,
	};
	ring_geometry_init(&f->p.geometry, 64 << 10);
	*state = f;
	return f->dir < 0;
}

static int remove_directory(void **state)
{
	struct fixture *f = *state;

	unlinkat(f->dir, NAME, 0);
	close(f->dir);
	rmdir(f->path);
	free(f);
	return 0;
}

static struct tacho_ring *control_of(const struct rings *rings, uint32_t cpu)
{
	return (struct tacho_ring *)((char *)rings->map + tacho_ring_at(cpu, rings->stride));
}

static void make_and_open(struct fixture *f, struct rings *rings)
{
	assert_int_equal(rings_create(f->dir, NAME, &f->p, &f->error), 0);
	assert_int_equal(rings_open(f->dir, NAME, rings, &f->error), 0);
	for (uint32_t cpu = 0; cpu < CPUS; cpu++)
		assert_int_equal(ring_allocate(rings, cpu), 0);
}

static void geometry_uses_most_of_what_was_asked_for(void **state)
{
	(void)state;
	for (uint64_t bytes = TACHO_RING_BYTES_MIN; bytes < 1ull << 26;
	     bytes += 4096 + bytes / 50) {
		struct ring_geometry g;
		uint64_t data;

		assert_int_equal(ring_geometry_init(&g, bytes), 0);
		data = (uint64_t)g.subbuf_count << g.subbuf_shift;
		assert_true(data <= bytes);
		assert_true(bytes < 32768 || data > bytes / 8 * 7);
		assert_in_range(g.subbuf_count, TACHO_SUBBUFS_MIN, TACHO_SUBBUFS_MAX);
		assert_int_equal(g.stride, TACHO_RING_CONTROL_BYTES + data);
	}
}

static void geometry_refuses_what_is_too_small_or_large(void **state)
{
	struct ring_geometry g;

	(void)state;
	assert_int_equal(ring_geometry_init(&g, 0), -EINVAL);
	assert_int_equal(ring_geometry_init(&g, TACHO_RING_BYTES_MIN - 1), -EINVAL);
	assert_int_equal(ring_geometry_init(&g, TACHO_RING_BYTES_MAX + 1), -EINVAL);
	assert_int_equal(ring_geometry_init(&g, TACHO_RING_BYTES_MAX), 0);
}

static void second_file_of_the_same_name_is_refused(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(rings_create(f->dir, NAME, &f->p, &f->error), 0);
	assert_int_equal(rings_create(f->dir, NAME, &f->p, &f->error), -EEXIST);
}

static void new_ring_is_empty(void **state)
{
	struct fixture *f = *state;
	struct ring_view view;
	struct rings rings;

	make_and_open(f, &rings);
	for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
		struct ring_range range = ring_range(&rings, cpu);

		assert_int_equal(range.oldest, range.end);
		assert_int_equal(ring_view(&rings, cpu, 0, &view), -EAGAIN);
	}
	rings_close(&rings);
}

static void unallocated_ring_takes_no_memory_and_is_empty(void **state)
{
	struct fixture *f = *state;
	struct rings rings;
	uint64_t lost[TACHO_LOST_REASONS];
	struct stat st;

	assert_int_equal(rings_create(f->dir, NAME, &f->p, &f->error), 0);
	assert_int_equal(rings_open(f->dir, NAME, &rings, &f->error), 0);
	assert_int_equal(ring_range(&rings, 1).end, 0);
	ring_lost(&rings, 1, lost);
	assert_int_equal(lost[TACHO_LOST_FULL], 0);
	assert_false(ring_is_allocated(&rings, 1));
	assert_false(ring_is_allocated(&rings, CPUS));
	assert_int_equal(ring_allocate(&rings, CPUS), -EINVAL);
	assert_int_equal(fstat(rings.fd, &st), 0);
	assert_true(st.st_blocks * 512 <= TACHO_RINGS_HEADER_BYTES);
	rings_close(&rings);
}

/* As on a full tmpfs, or below a limit. */
static void ring_that_gets_no_memory_is_not_there(void **state)
{
	struct fixture *f = *state;
	int read_only;
	struct rings rings;

	assert_int_equal(rings_create(f->dir, NAME, &f->p, &f->error), 0);
	assert_int_equal(rings_open(f->dir, NAME, &rings, &f->error), 0);
	read_only = openat(f->dir, NAME, O_RDONLY);
	assert_int_equal(dup2(read_only, rings.fd), rings.fd);
	assert_int_equal(ring_allocate(&rings, 1), -EBADF);
	assert_false(ring_is_allocated(&rings, 1));
	close(read_only);
	rings_close(&rings);
}

static void what_cannot_be_made_leaves_nothing(void **state)
{
	struct fixture *f = *state;
	struct rings_parameters huge = f->p;
	struct rings rings;

	huge.geometry.stride = UINT64_MAX / CPUS / 2;
	assert_true(rings_create(f->dir, NAME, &huge, &f->error) < 0);
	assert_int_equal(rings_open(f->dir, NAME, &rings, &f->error), -ENOENT);
	assert_int_equal(rings_create(-1, NAME, &f->p, &f->error), -EBADF);
}

static void ring_of_no_cpu_is_not_allocated(void **state)
{
	struct fixture *f = *state;
	struct rings rings;

	make_and_open(f, &rings);
	assert_int_equal(ring_allocate(&rings, CPUS), -EINVAL);
	assert_int_equal(ring_allocate(&rings, 1), 0);
	assert_int_equal(ring_allocate(&rings, 1), 0);
	ring_wake(&rings, 1);
	rings_close(&rings);
}

static void damaged_header_is_refused(void **state)
{
	static const struct {
		size_t at;
		uint32_t value;
	} damage[] = {
		{ offsetof(struct tacho_rings, magic), 1 },
		{ offsetof(struct tacho_rings, version), 99 },
		{ offsetof(struct tacho_rings, ring_count), 0 },
		{ offsetof(struct tacho_rings, ring_count), CPUS + 1 }, /* the file is too short */
		{ offsetof(struct tacho_rings, ring_count), 0xffffffff },
		{ offsetof(struct tacho_rings, subbuf_count), 0 },
		{ offsetof(struct tacho_rings, subbuf_count), 0xffffffff },
		{ offsetof(struct tacho_rings, subbuf_shift), 0 },
		{ offsetof(struct tacho_rings, subbuf_shift), 63 },
		{ offsetof(struct tacho_rings, mode), 3 },
		{ offsetof(struct tacho_rings, stride), 4096 },
		{ offsetof(struct tacho_rings, clock_kind), 7 },
	};
	struct fixture *f = *state;
	struct rings rings;

	for (size_t i = 0; i < sizeof(damage) / sizeof(damage[0]); i++) {
		int fd;

		unlinkat(f->dir, NAME, 0);
		assert_int_equal(rings_create(f->dir, NAME, &f->p, &f->error), 0);
		fd = openat(f->dir, NAME, O_RDWR);
		assert_int_equal(pwrite(fd, &damage[i].value, 4, (off_t)damage[i].at), 4);
		close(fd);
		assert_int_equal(rings_open(f->dir, NAME, &rings, &f->error), -EBADMSG);
	}
}

static void short_file_is_refused(void **state)
{
	struct fixture *f = *state;
	struct rings rings;

	assert_int_equal(rings_create(f->dir, NAME, &f->p, &f->error), 0);
	for (off_t bytes = 0; bytes < 40000; bytes += 1111) {
		int fd = openat(f->dir, NAME, O_RDWR);

		assert_int_equal(ftruncate(fd, bytes), 0);
		close(fd);
		assert_int_equal(rings_open(f->dir, NAME, &rings, &f->error), -EBADMSG);
	}
}

/* A ring that holds sub-buffers @first to @open, as a writer would leave it. */
static void fill_ring(const struct rings *rings, uint64_t first, uint64_t open)
{
	struct tacho_ring *ring = control_of(rings, 0);

	for (uint64_t k = first; k <= open; k++) {
		ring->subbuf[k % rings->subbuf_count] = (struct tacho_subbuf){
			.subbuf_number = k,
			.begin_ts = 10 * k,
			.end_ts = 10 * k + 9,
			.content_end = (k << rings->subbuf_shift) + 100,
		};
	}
	ring->head = (open << rings->subbuf_shift) + 50;
	ring->opened = open + 1;
}

static void views_show_what_is_closed_and_open(void **state)
{
	struct fixture *f = *state;
	struct ring_view view;
	struct rings rings;

	make_and_open(f, &rings);
	fill_ring(&rings, 5, 8);
	ring_release(&rings, 0, 5);
	assert_int_equal(ring_range(&rings, 0).oldest, 5);
	assert_int_equal(ring_range(&rings, 0).end, 9);
	assert_int_equal(ring_view(&rings, 0, 4, &view), -ESTALE);
	assert_int_equal(ring_view(&rings, 0, 9, &view), -EAGAIN);
	assert_int_equal(ring_view(&rings, 0, 6, &view), 0);
	assert_int_equal(view.content_bytes, 100);
	assert_int_equal(view.begin_ts, 60);
	assert_false(view.is_open);
	assert_int_equal(ring_view(&rings, 0, 8, &view), 0);
	assert_int_equal(view.content_bytes, 50);
	assert_true(view.is_open);
	rings_close(&rings);
}

static void view_goes_stale_when_its_place_is_opened(void **state)
{
	struct fixture *f = *state;
	struct ring_view view;
	struct rings rings;

	make_and_open(f, &rings);
	fill_ring(&rings, 0, 3);
	assert_int_equal(ring_view(&rings, 0, 0, &view), 0);
	control_of(&rings, 0)->opened = rings.subbuf_count;
	assert_true(ring_view_is_intact(&rings, 0, &view));
	control_of(&rings, 0)->opened = rings.subbuf_count + 1;
	assert_false(ring_view_is_intact(&rings, 0, &view));
	rings_close(&rings);
}

static void entry_that_makes_no_sense_is_told(void **state)
{
	struct fixture *f = *state;
	struct ring_view view;
	struct rings rings;

	make_and_open(f, &rings);
	fill_ring(&rings, 0, 3);
	control_of(&rings, 0)->subbuf[1].content_end += 1 << 20;
	control_of(&rings, 0)->subbuf[2].subbuf_number = 99;
	assert_int_equal(ring_view(&rings, 0, 1, &view), -EBADMSG);
	assert_int_equal(ring_view(&rings, 0, 2, &view), -EBADMSG);
	rings_close(&rings);
}

static uint64_t random_number(void)
{
	uint64_t wide = (uint64_t)rand() << 33 ^ (uint64_t)rand() << 12 ^ (uint64_t)rand();

	return wide >> rand() % 64;
}

/* Whatever is written there, a view lies within the ring's data. */
static void scribbled_ring_is_harmless(void **state)
{
	struct fixture *f = *state;
	struct rings rings;

	make_and_open(f, &rings);
	srand(2);
	for (int i = 0; i < 100000; i++) {
		struct tacho_ring *ring = control_of(&rings, 0);
		struct ring_range range;
		struct ring_view view;

		fill_ring(&rings, 0, (uint64_t)rand() % 20);
		if (rand() % 2)
			ring->head = random_number();
		if (rand() % 2)
			ring->opened = random_number();
		ring->released = rand() % 3 ? 0 : random_number();
		ring->subbuf[rand() % 8].content_end = random_number();
		range = ring_range(&rings, 0);
		assert_true(range.oldest <= range.end);
		assert_true(range.end - range.oldest <= rings.subbuf_count);
		for (uint64_t k = range.oldest; k < range.end; k++) {
			const char *data = (char *)ring + TACHO_RING_CONTROL_BYTES;

			if (ring_view(&rings, 0, k, &view))
				continue;
			assert_true((char *)view.content >= data);
			assert_true((char *)view.content + view.content_bytes <=
				    (char *)ring + rings.stride);
		}
	}
	rings_close(&rings);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, make_directory, remove_directory)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(geometry_uses_most_of_what_was_asked_for),
		cmocka_unit_test(geometry_refuses_what_is_too_small_or_large),
		CASE(second_file_of_the_same_name_is_refused),
		CASE(new_ring_is_empty),
		CASE(unallocated_ring_takes_no_memory_and_is_empty),
		CASE(ring_that_gets_no_memory_is_not_there),
		CASE(what_cannot_be_made_leaves_nothing),
		CASE(ring_of_no_cpu_is_not_allocated),
		CASE(damaged_header_is_refused),
		CASE(short_file_is_refused),
		CASE(views_show_what_is_closed_and_open),
		CASE(view_goes_stale_when_its_place_is_opened),
		CASE(entry_that_makes_no_sense_is_told),
		CASE(scribbled_ring_is_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
