/* SPDX-License-Identifier: MIT */
#include "stream_walk.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "ctf/file.h"

int stream_walk_init(struct stream_walk *walk, int fd, const struct ctf_packet_head *like)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	*walk = (struct stream_walk){
		.fd = fd,
		.file_bytes = (uint64_t)st.st_size,
		.like = like,
	};
	return 0;
}

/* Whether a packet says it is of this stream. */
static bool is_ours(const struct ctf_packet_head *head, const struct ctf_packet_head *like)
{
	return !memcmp(head, like, offsetof(struct ctf_packet_head, content_bits));
}

static bool is_sane(const struct ctf_packet_head *head, uint64_t next_seq)
{
	uint64_t least = ctf_packet_extent(0) * 8;

	return head->content_bits >= CTF_PACKET_HEAD_BYTES * 8 && head->content_bits % 8 == 0 &&
	       head->content_bits <= head->packet_bits && head->packet_bits >= least &&
	       head->packet_bits % (CTF_PACKET_ALIGN * 8) == 0 && head->begin_ts <= head->end_ts &&
	       head->seq >= next_seq && head->seq < UINT64_MAX;
}

int stream_walk_next(struct stream_walk *walk, struct ctf_packet_head *ret_head)
{
	static const struct ctf_packet_head nothing;
	struct ctf_packet_head head;
	ssize_t bytes = file_read_at(walk->fd, &head, sizeof(head), walk->next_at);

	if (bytes < 0)
		return (int)bytes;
	if ((size_t)bytes < sizeof(head) || !memcmp(&head, &nothing, sizeof(head)))
		return 0;
	if (!is_ours(&head, walk->like) || !is_sane(&head, walk->next_seq))
		return -EBADMSG;
	if (head.content_bits / 8 > walk->file_bytes - walk->next_at)
		return 0;
	walk->at = walk->next_at;
	walk->next_at += head.packet_bits / 8;
	walk->next_seq = head.seq + 1;
	*ret_head = head;
	return 1;
}
