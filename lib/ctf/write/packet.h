/* SPDX-License-Identifier: MIT */
/*
 * packet.h - the bytes before the records of each packet: CTF's packet header and packet context.
 *
 *      0    magic        0xC1FC1FC1             \
 *      4    uuid         of the trace            |  packet.header
 *      20   stream_id    the channel             |
 *      24   instance     the ring               /
 *      32   content_size  bits, with this head  \
 *      40   packet_size   bits, with padding     |
 *      48   timestamp_begin                      |  packet.context
 *      56   timestamp_end                        |
 *      64   packet_seq_num                       |
 *      72   events_discarded                     |
 *      80   cpu_id                              /
 *      84   records, then padding to the next packet
 *
 * Integers are in the byte order of the machine. Packets begin at multiples of 8, so that each
 * field that changes while a packet grows is one aligned store. content_size stands before
 * timestamp_end on purpose: a reader, which goes through the fields in order, finds an end that is
 * at least as late as the content it was told of (stream_put.c writes them in the opposite order).
 */
#ifndef TACHO_CTF_PACKET_H
#define TACHO_CTF_PACKET_H

#include <stddef.h>
#include <stdint.h>

#include "trace.h"

#define CTF_PACKET_MAGIC      0xc1fc1fc1u
#define CTF_PACKET_ALIGN      8
#define CTF_INSTANCE_PORTABLE (1ull << 32) /* instance of a portable writers' ring: this | cpu */

struct ctf_packet_head {
	uint32_t magic;
	uint8_t uuid[CTF_UUID_BYTES];
	uint32_t stream_id;
	uint64_t instance;
	uint64_t content_bits;
	uint64_t packet_bits;
	uint64_t begin_ts;
	uint64_t end_ts;
	uint64_t seq;
	uint64_t discarded;
	uint32_t cpu;
} __attribute__((packed));

#define CTF_PACKET_HEAD_BYTES sizeof(struct ctf_packet_head)
TACHO_STATIC_ASSERT(CTF_PACKET_HEAD_BYTES == 84, "layout of struct ctf_packet_head");
TACHO_STATIC_ASSERT(offsetof(struct ctf_packet_head, content_bits) == 32, "content_size's place");

/* How far a packet with @bytes of records reaches, its padding included. */
static inline uint64_t ctf_packet_extent(uint64_t bytes)
{
	uint64_t end = CTF_PACKET_HEAD_BYTES + bytes;

	return (end + CTF_PACKET_ALIGN - 1) / CTF_PACKET_ALIGN * CTF_PACKET_ALIGN;
}

#endif
