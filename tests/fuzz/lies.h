/* SPDX-License-Identifier: MIT */
/*
 * lies.h - what is changed in sound files that are mapped, LIE_BYTES of the input each:
 *
 *      file, place in it, 2 bytes: offset in words from there, 8 bytes: the value
 *
 * and put back afterwards. Lies about one word are put back in the opposite order, so the first one's is
 * what was there.
 */
#ifndef TACHO_FUZZ_LIES_H
#define TACHO_FUZZ_LIES_H

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/unit/session_fixture.h"

#define LIE_BYTES  12
#define LIES_MAX   64
#define PLACES     4
#define AREA_BYTES 4096u /* lies are told in so many bytes from a place on */

struct target {
	char *map;
	uint64_t place[PLACES];
};

struct lie {
	uint64_t *at;
	uint64_t was;
};

/* A file of the session "s". */
static inline char *map_in_session(struct fixture *fixture, const char *name, size_t bytes)
{
	int dir_fd = session_dir(fixture, "s"), fd = openat(dir_fd, name, O_RDWR);
	char *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (map == MAP_FAILED)
		abort();
	close(fd);
	close(dir_fd);
	return map;
}

static inline struct lie lie_tell(const struct target *targets, size_t count, const uint8_t *input)
{
	const struct target *t = &targets[input[0] % count];
	uint16_t word;
	struct lie lie;
	uint64_t value;

	memcpy(&word, input + 2, sizeof(word));
	memcpy(&value, input + 4, sizeof(value));
	lie.at = (uint64_t *)(void *)(t->map + t->place[input[1] % PLACES]) +
		 word % (AREA_BYTES / sizeof(uint64_t));
	lie.was = *lie.at;
	*lie.at = value;
	return lie;
}

/* Return: how many, at most LIES_MAX. */
static inline size_t lies_tell(const struct target *targets, size_t count, const uint8_t *data,
			       size_t bytes, struct lie *ret_lies)
{
	size_t told = 0;

	for (; told < LIES_MAX && bytes >= LIE_BYTES; told++, bytes -= LIE_BYTES) {
		ret_lies[told] = lie_tell(targets, count, data);
		data += LIE_BYTES;
	}
	return told;
}

static inline void lies_put_back(const struct lie *lies, size_t count)
{
	while (count > 0) {
		count--;
		*lies[count].at = lies[count].was;
	}
}

#endif
