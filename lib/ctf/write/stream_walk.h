/* SPDX-License-Identifier: MIT */
/*
 * stream_walk.h - go through the packets of a stream that we, or a killed one of us, wrote.
 */
#ifndef TACHO_CTF_STREAM_WALK_H
#define TACHO_CTF_STREAM_WALK_H

#include <stdint.h>

#include "packet.h"

struct stream_walk {
	int fd;
	uint64_t file_bytes;
	const struct ctf_packet_head *like; /* magic, uuid, stream and instance of all packets */
	uint64_t at;                        /* where the packet that was found begins */
	uint64_t next_at;
	uint64_t next_seq; /* the least that the next packet may have */
};

/* @like must live as long as the walk. Return: 0 or the negative errno of fstat(). */
int stream_walk_init(struct stream_walk *walk, int fd, const struct ctf_packet_head *like);

/*
 * stream_walk_next() - the next packet whose content is all there
 *
 * What only a writer that was killed can leave at the end, a cut packet or zeros, is the end.
 *
 * Return: 1 and its head; 0 at the end; -EBADMSG for anything else that is no packet of ours
 * (walk->next_at tells where); the negative errno of pread().
 */
int stream_walk_next(struct stream_walk *walk, struct ctf_packet_head *ret_head);

#endif
