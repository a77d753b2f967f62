/* SPDX-License-Identifier: MIT */
/*
 * A ring file that a disk or a program has damaged, as tacho recover looks through it.
 *
 * The input is what matters of a file with one ring of four small sub-buffers:
 *
 *      HEAD_BYTES    of struct tacho_rings
 *      RING_BYTES    of struct tacho_ring
 *      TABLE_BYTES   of its table
 *      the rest      in pieces of PIECE_BYTES: where the sub-buffers begin
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ctf/file.h"
#include "session/drain/record_walk.h"
#include "session/recover/image.h"
#include "session/recover/sound.h"

#define HEAD_BYTES   80
#define RING_BYTES   320
#define TABLE_BYTES  (TACHO_SUBBUFS_MIN * sizeof(struct tacho_subbuf))
#define PIECE_BYTES  256
#define SHIFT        TACHO_SUBBUF_SHIFT_MIN
#define STRIDE       (TACHO_RING_CONTROL_BYTES + TACHO_RING_BYTES_MIN)
#define RINGS_SEEN   4u /* of what a header says that may say thousands */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void check(int is_true)
{
	if (!is_true)
		abort();
}

/* ---- the file ---- */

struct input {
	const uint8_t *data;
	size_t bytes;
};

static void put(int fd, struct input *input, size_t bytes, uint64_t at)
{
	size_t count = input->bytes < bytes ? input->bytes : bytes;

	check(file_write_at(fd, input->data, count, at) == 0);
	input->data += count;
	input->bytes -= count;
}

static int make_file(struct input *input)
{
	int fd = memfd_create("rings", MFD_CLOEXEC);
	uint64_t ring_at = TACHO_RINGS_HEADER_BYTES;

	check(fd >= 0);
	put(fd, input, HEAD_BYTES, 0);
	put(fd, input, RING_BYTES, ring_at);
	put(fd, input, TABLE_BYTES, ring_at + offsetof(struct tacho_ring, subbuf));
	for (uint64_t i = 0; i < TACHO_SUBBUFS_MIN; i++)
		put(fd, input, PIECE_BYTES,
		    ring_at + tacho_subbuf_at(i, TACHO_SUBBUFS_MIN, SHIFT));
	return fd;
}

/* ---- what is found in it ---- */

static const struct event_field number[] = { { "n", TACHO_TYPE(TACHO_KIND_INTEGER, 4, 0), 0 } };
static struct event_desc tick = {
	.provider = "fuzz", .name = "tick", .field_count = 1, .fields = number
};
static struct event_desc *descs[] = { NULL, &tick };
static uint64_t contexts[2];
static const struct event_table events = { .id_count = 2, .desc = descs, .contexts = contexts };

static void check_part(const struct rings *rings, const struct sound_part *part)
{
	struct record_walk walk = { .is_strict = true };
	const struct ring_view *view = &part->view;

	check(view->content_bytes && view->content_bytes <= 1ull << rings->subbuf_shift);
	check(record_walk(&walk, &events, view->content, view->content_bytes) == 0);
	check(walk.event_count == part->event_count);
	check(view->begin_ts <= walk.last_ts && walk.last_ts <= view->end_ts);
}

static void look_through(struct rings *rings, uint32_t cpu, uint64_t first)
{
	static struct sound sound;

	image_load(rings, cpu);
	sound_find(rings, cpu, &events, first, first != 0, &sound);
	check(sound.part_count <= rings->subbuf_count);
	for (uint32_t i = 0; i < sound.part_count; i++) {
		check_part(rings, &sound.part[i]);
		check(sound.part[i].view.number >= first);
		check(!i || sound.part[i - 1].view.number < sound.part[i].view.number);
	}
	image_unload(rings, cpu);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct tacho_channel channel = {
		.subbuf_count = TACHO_SUBBUFS_MIN,
		.subbuf_shift = SHIFT,
		.ring_count = 1,
		.stride = STRIDE,
	};
	struct recover_options options = { .output = "" };
	struct input input = { data, bytes };
	int fd = make_file(&input);
	struct rings rings;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!image_open(AT_FDCWD, path, &channel, 0, &options, &rings)) {
		for (uint32_t cpu = 0; cpu < rings.ring_count && cpu < RINGS_SEEN; cpu++)
			look_through(&rings, cpu, bytes % 2 ? 5 : 0);
		rings_close(&rings);
	}
	close(fd);
	return 0;
}
