/* SPDX-License-Identifier: MIT */
/*
 * metadata.h - the text of a metadata file, which is plain or comes in packets.
 *
 * A packet of metadata, integers in the byte order of the machine that wrote it:
 *
 *      0      4         20         24             28            32                    37
 *      +-------+---------+----------+--------------+-------------+---------------------+------+
 *      | magic | uuid    | checksum | content bits | packet bits | 3 schemes, 2 vers.  | text |
 *      +-------+---------+----------+--------------+-------------+---------------------+------+
 */
#ifndef TACHO_CTF_READ_METADATA_H
#define TACHO_CTF_READ_METADATA_H

#include <stddef.h>

#include "base/error.h"
#include "types.h"

#define READ_METADATA_BYTES_MAX ((size_t)128 << 20)

/*
 * read_metadata_text() - take the text out of its packets, in place
 * @bytes: of @data; then, of the text
 *
 * Text without packets is left as it is. The sound packets before a damaged one are kept.
 *
 * Return: 0, or -EINVAL.
 */
int read_metadata_text(char *data, size_t *bytes, enum read_order *ret_order,
		       struct tacho_error *e);

/*
 * read_metadata_parse() - parse what a metadata file contains
 * @data: changed
 *
 * Return: 0, -EINVAL or -ENOMEM; @metadata has what came before the error.
 */
int read_metadata_parse(char *data, size_t bytes, struct read_metadata *metadata,
			struct tacho_error *e);

#endif
