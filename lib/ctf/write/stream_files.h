/* SPDX-License-Identifier: MIT */
/*
 * stream_files.h - the files of a stream that is limited to files of a size: BASE_0, BASE_1, ..
 */
#ifndef TACHO_CTF_STREAM_FILES_H
#define TACHO_CTF_STREAM_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "packet.h"

/* stream_files_number() - is @name one of them? */
bool stream_files_number(const char *name, const char *base, uint64_t *ret_number);

/*
 * stream_files_newest() - the one whose packets are the last ones
 * @like: magic, uuid, stream and instance of all packets: other streams' files are passed over
 *
 * Return: 1; 0: there is none; or a negative errno.
 */
int stream_files_newest(int dir_fd, const char *base, const struct ctf_packet_head *like,
			uint64_t *ret_number);

#endif
