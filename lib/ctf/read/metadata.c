/* SPDX-License-Identifier: MIT */
/* metadata.c - see metadata.h */
#include "metadata.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/load.h"
#include "ctf2.h"
#include "format/port.h"
#include "tsdl.h"

#define MAGIC         0x75d11d57u
#define HEADER_BYTES  37
#define CONTENT_AT    24
#define PACKET_AT     28
#define SCHEMES_AT    32
#define SCHEMES_BYTES 2 /* compression and encryption; a checksum may be there */

static uint32_t get_u32(const char *data, bool is_swapped)
{
	uint32_t value = load_u32(data);

	return is_swapped ? __builtin_bswap32(value) : value;
}

static enum read_order machine_order(bool is_swapped)
{
	return is_swapped == TACHO_BIG_ENDIAN ? READ_ORDER_LITTLE : READ_ORDER_BIG;
}

static int check_packet(const char *packet, size_t left, bool is_swapped, size_t at,
			struct tacho_error *e)
{
	static const char no_schemes[SCHEMES_BYTES];
	uint32_t content, size;

	if (left < HEADER_BYTES || get_u32(packet, is_swapped) != MAGIC)
		return error_set(e, -EINVAL, "byte %zu: no packet of metadata", at);
	if (memcmp(packet + SCHEMES_AT, no_schemes, SCHEMES_BYTES))
		return error_set(e, -EINVAL, "byte %zu: compressed or encrypted metadata", at);
	content = get_u32(packet + CONTENT_AT, is_swapped) / 8;
	size = get_u32(packet + PACKET_AT, is_swapped) / 8;
	if (content < HEADER_BYTES || content > size || size > left)
		return error_set(e, -EINVAL,
				 "byte %zu: a packet of %u bytes, %u of them used, "
				 "where %zu are left",
				 at, size, content, left);
	return 0;
}

static int unpack(char *data, size_t *bytes, bool is_swapped, struct tacho_error *e)
{
	size_t at = 0, text_bytes = 0;
	int rc = 0;

	while (at < *bytes && !rc) {
		rc = check_packet(data + at, *bytes - at, is_swapped, at, e);
		if (!rc) {
			size_t more =
				get_u32(data + at + CONTENT_AT, is_swapped) / 8 - HEADER_BYTES;
			size_t size = get_u32(data + at + PACKET_AT, is_swapped) / 8;

			memmove(data + text_bytes, data + at + HEADER_BYTES, more);
			text_bytes += more;
			at += size;
		}
	}
	*bytes = text_bytes;
	return rc;
}

int read_metadata_text(char *data, size_t *bytes, enum read_order *ret_order, struct tacho_error *e)
{
	*ret_order = machine_order(false);
	if (*bytes < sizeof(uint32_t))
		return 0;
	if (get_u32(data, false) == MAGIC)
		return unpack(data, bytes, false, e);
	if (get_u32(data, true) != MAGIC)
		return 0;
	*ret_order = machine_order(true);
	return unpack(data, bytes, true, e);
}

int read_metadata_parse(char *data, size_t bytes, struct read_metadata *metadata,
			struct tacho_error *e)
{
	size_t file_bytes = bytes;
	int rc = read_metadata_text(data, &bytes, &metadata->order, e);
	int parse_rc = ctf2_is_metadata(data, bytes) ?
			       ctf2_parse(data, bytes, metadata, rc ? NULL : e) :
			       tsdl_parse(data, bytes, metadata, rc ? NULL : e);

	metadata->is_packetized = bytes != file_bytes;
	return rc ? rc : parse_rc;
}
