/* SPDX-License-Identifier: MIT */
/*
 * A stream file that something has damaged, as it is found when a drain goes on with it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ctf/file.h"
#include "ctf/write/stream_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void check(int is_true)
{
	if (!is_true)
		abort();
}

/* Packets go forward, are as large as they say, and their content is in the file. */
static void walk_through(int fd, const struct ctf_packet_head *like)
{
	struct ctf_packet_head head;
	struct stream_walk walk;
	uint64_t end = 0, next_seq = 0;

	check(stream_walk_init(&walk, fd, like) == 0);
	while (stream_walk_next(&walk, &head) > 0) {
		check(walk.at == end && head.seq >= next_seq);
		check(head.content_bits / 8 <= walk.file_bytes - walk.at);
		check(head.begin_ts <= head.end_ts && head.packet_bits >= head.content_bits);
		end = walk.at + head.packet_bits / 8;
		next_seq = head.seq + 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct ctf_packet_head like = { 0 };
	int fd = memfd_create("stream", MFD_CLOEXEC);

	check(fd >= 0 && file_write_at(fd, data, bytes, 0) == 0);
	/* The input says itself whose stream it is. */
	if (bytes >= offsetof(struct ctf_packet_head, content_bits))
		memcpy(&like, data, offsetof(struct ctf_packet_head, content_bits));
	walk_through(fd, &like);
	close(fd);
	return 0;
}
