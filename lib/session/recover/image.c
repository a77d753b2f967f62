/* SPDX-License-Identifier: MIT */
/* image.c - see image.h */
#include "session/recover/image.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "ctf/file.h"
#include "session/recover/note.h"

/* Read at once; where that fails, page by page. */
#define CHUNK_BYTES (1u << 20)

struct tacho_ring *image_ring(const struct rings *rings, uint32_t cpu)
{
	return (struct tacho_ring *)((char *)rings->map + tacho_ring_at(cpu, rings->stride));
}

static bool read_pages(int fd, char *to, uint64_t bytes, uint64_t at)
{
	bool is_whole = true;

	for (uint64_t done = 0; done < bytes; done += RECOVER_PAGE)
		is_whole &= file_read_at(fd, to + done, RECOVER_PAGE, at + done) >= 0;
	return is_whole;
}

/* The part of a file that is within its size; holes are passed over, since zeros are there already.
 * @bytes: a multiple of a page. Return: could all be read, and is the file so long? */
static bool read_range(int fd, char *to, uint64_t bytes, uint64_t at)
{
	uint64_t end = at + bytes;
	bool is_whole = true;
	off_t data = (off_t)at;

	while ((data = lseek(fd, data, SEEK_DATA)) >= 0 && (uint64_t)data < end) {
		uint64_t from = (uint64_t)data / RECOVER_PAGE * RECOVER_PAGE;
		uint64_t count = end - from < CHUNK_BYTES ? end - from : CHUNK_BYTES;

		if (from < at)
			from = at;
		if (file_read_at(fd, to + (from - at), count, from) < 0)
			is_whole &= read_pages(fd, to + (from - at), count, from);
		data = (off_t)(from + count);
	}
	return is_whole && lseek(fd, 0, SEEK_END) >= (off_t)end;
}

/* ---- the header ---- */

static bool is_laid_out(const struct tacho_rings *header)
{
	return tacho_rings_are_sane(header, UINT64_MAX);
}

bool image_peek(int dir_fd, const char *name, struct tacho_rings *ret_header)
{
	int fd = file_open_linked_at(dir_fd, name, O_RDONLY, 0);

	if (fd < 0)
		return false;
	memset(ret_header, 0, sizeof(*ret_header));
	file_read_at(fd, ret_header, sizeof(*ret_header), 0);
	fd_close(fd);
	return is_laid_out(ret_header);
}

static struct tacho_rings header_of(const struct tacho_channel *channel)
{
	return (struct tacho_rings){
		.magic = TACHO_RINGS_MAGIC,
		.version = TACHO_RINGS_VERSION,
		.ring_count = channel->ring_count,
		.subbuf_count = channel->subbuf_count,
		.subbuf_shift = channel->subbuf_shift,
		.mode = channel->mode,
		.stride = channel->stride,
	};
}

/* Return: does the file itself say it? */
static bool read_header(int fd, const struct tacho_channel *channel, struct tacho_rings *ret_header)
{
	memset(ret_header, 0, sizeof(*ret_header));
	file_read_at(fd, ret_header, sizeof(*ret_header), 0);
	if (is_laid_out(ret_header))
		return true;
	*ret_header = header_of(channel);
	return false;
}

/* ---- open ---- */

static int map_image(const struct tacho_rings *header, struct rings *rings)
{
	*rings = (struct rings){
		.map_bytes = tacho_rings_file_bytes(header->ring_count, header->stride),
		.fd = -1,
		.ring_count = header->ring_count,
		.subbuf_count = header->subbuf_count,
		.subbuf_shift = header->subbuf_shift,
		.mode = header->mode,
		.clock_kind = header->clock_kind,
		.stride = header->stride,
		.session_instance = header->session_instance,
	};
	rings->map = mmap(NULL, rings->map_bytes, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (rings->map == MAP_FAILED)
		return -errno;
	*rings->map = *header;
	memset(rings->map->allocated, 0, sizeof(rings->map->allocated));
	return 0;
}

/* Whether a ring was allocated is told by what is in it. */
static bool load_controls(struct rings *rings)
{
	uint64_t file_bytes = (uint64_t)lseek(rings->fd, 0, SEEK_END);
	bool is_whole = true;

	for (uint32_t cpu = 0; cpu < rings->ring_count; cpu++) {
		uint64_t at = tacho_ring_at(cpu, rings->stride);

		if (at >= file_bytes)
			return false;
		is_whole &= read_range(rings->fd, (char *)image_ring(rings, cpu),
				       TACHO_RING_CONTROL_BYTES, at);
		rings->map->allocated[cpu / 64] |= 1ull << cpu % 64;
	}
	return is_whole;
}

static void load(struct rings *rings, const char *name, bool has_header,
		 const struct recover_options *options)
{
	if (!has_header)
		note(options,
		     "the head of the ring file '%s' is damaged: its layout is taken from the "
		     "session's file",
		     name);
	if (!load_controls(rings) || lseek(rings->fd, 0, SEEK_END) < (off_t)rings->map_bytes)
		note(options, "the ring file '%s' is cut short, or cannot be read everywhere",
		     name);
}

int image_open(int dir_fd, const char *name, const struct tacho_channel *channel, uint64_t instance,
	       const struct recover_options *options, struct rings *ret_rings)
{
	int fd = file_open_linked_at(dir_fd, name, O_RDONLY, 0);
	struct tacho_rings header = header_of(channel);
	bool has_header = fd >= 0 && read_header(fd, channel, &header);
	int ret = is_laid_out(&header) ? map_image(&header, ret_rings) : -EBADMSG;

	if (ret) {
		fd_close(fd);
		return ret;
	}
	ret_rings->fd = fd;
	if (fd < 0)
		note(options, "the ring file '%s' cannot be opened: %s", name, strerror(-fd));
	else if (has_header && instance && header.session_instance != instance)
		note(options, "the ring file '%s' is of another session", name);
	else
		load(ret_rings, name, has_header, options);
	return 0;
}

/* ---- data ---- */

static uint64_t data_bytes(const struct rings *rings)
{
	return rings->stride - TACHO_RING_CONTROL_BYTES;
}

bool image_load(struct rings *rings, uint32_t cpu)
{
	char *data = (char *)image_ring(rings, cpu) + TACHO_RING_CONTROL_BYTES;

	return read_range(rings->fd, data, data_bytes(rings),
			  tacho_ring_at(cpu, rings->stride) + TACHO_RING_CONTROL_BYTES);
}

void image_unload(struct rings *rings, uint32_t cpu)
{
	madvise((char *)image_ring(rings, cpu) + TACHO_RING_CONTROL_BYTES, data_bytes(rings),
		MADV_DONTNEED);
}

uint64_t image_opened(const struct rings *rings, uint32_t cpu)
{
	uint64_t opened = 0;

	file_read_at(rings->fd, &opened, sizeof(opened),
		     tacho_ring_at(cpu, rings->stride) + offsetof(struct tacho_ring, opened));
	return opened;
}
