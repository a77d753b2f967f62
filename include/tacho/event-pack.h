/* SPDX-License-Identifier: MIT */
/*
 * event-pack.h - turns the values of an event into its payload. Not for direct use: include
 * <tacho/event.h>.
 *
 * Values are put one after the other. Integers and floats are copied into `buffer`, and a run of
 * them is one part; the bytes of strings, text and sequences are not copied but pointed to. The
 * first 8 bytes of the buffer are collected in `word` as well: an event that fits it is sent in
 * registers.
 *
 *      buffer    | id | total | length of note | count of items |
 *                |<--- part 0 ---------------->|<-- part 2 ---->|
 *      parts     [ 0 scalars ] [ 1 -> note ] [ 2 scalars ] [ 3 -> items ]
 *
 * All of it is inlined into the site of the event with constant offsets, so that the compiler
 * removes what is not used: an event of one integer is one call and no memory.
 */
#ifndef TACHO_EVENT_PACK_H
#define TACHO_EVENT_PACK_H

#include "event-object.h"
#include "event-sdt.h"

struct tacho_packer {
	unsigned char *buffer;
	struct tacho_part *parts;
	uint64_t word;
	uint32_t used_bytes; /* of the buffer */
	uint32_t part_begin; /* where in the buffer the part that is not in `parts` yet begins */
	uint32_t part_count;
	uint32_t open_count; /* of `parts`, up to a string whose bytes are not counted yet; or 0 */
	TACHO_SDT_MEMBER_
};

/* How much n values need at most. */
#define TACHO_PACK_BYTES_(n) (8 * (n) + 8)
#define TACHO_PACK_PARTS_(n) (2 * (n) + 1)

TACHO_INLINE_ void tacho_pack_init(struct tacho_packer *packer, unsigned char *buffer,
				   struct tacho_part *parts)
{
	packer->buffer = buffer;
	packer->parts = parts;
	packer->word = 0;
	packer->used_bytes = 0;
	packer->part_begin = 0;
	packer->part_count = 0;
	packer->open_count = 0;
	TACHO_SDT_RESET_(packer);
}

TACHO_INLINE_ uint64_t tacho_pack_shift(uint32_t used_bytes, uint32_t bytes)
{
	return 8 * (TACHO_BIG_ENDIAN ? 8 - bytes - used_bytes : used_bytes);
}

/* @bits: the value as an unsigned integer of `bytes` bytes */
TACHO_INLINE_ void tacho_pack_bits(struct tacho_packer *packer, uint64_t bits, uint32_t bytes)
{
	if (packer->used_bytes + bytes <= 8)
		packer->word |= bits << tacho_pack_shift(packer->used_bytes, bytes);
	if (TACHO_BIG_ENDIAN)
		bits <<= 64 - 8 * bytes;
	__builtin_memcpy(packer->buffer + packer->used_bytes, &bits, bytes);
	packer->used_bytes += bytes;
}

/* @value: sign-extended or not; its low `bytes` bytes count */
TACHO_INLINE_ void tacho_pack_integer(struct tacho_packer *packer, uint64_t value, uint32_t bytes)
{
	TACHO_SDT_KEEP_(packer, value);
	tacho_pack_bits(packer, value & (~0ull >> (64 - 8 * bytes)), bytes);
}

/* What is above its low bytes is no part of the value. */
TACHO_INLINE_ void tacho_pack_unsigned(struct tacho_packer *packer, uint64_t value, uint32_t bytes)
{
	tacho_pack_integer(packer, value & (~0ull >> (64 - 8 * bytes)), bytes);
}

TACHO_INLINE_ uint64_t tacho_pack_bits_of(double value)
{
	uint64_t bits;

	__builtin_memcpy(&bits, &value, sizeof(bits));
	return bits;
}

TACHO_INLINE_ void tacho_pack_float(struct tacho_packer *packer, float value)
{
	uint32_t bits;

	__builtin_memcpy(&bits, &value, sizeof(bits));
	TACHO_SDT_KEEP_(packer, tacho_pack_bits_of((double)value));
	tacho_pack_bits(packer, bits, sizeof(bits));
}

TACHO_INLINE_ void tacho_pack_double(struct tacho_packer *packer, double value)
{
	const uint64_t bits = tacho_pack_bits_of(value);

	TACHO_SDT_KEEP_(packer, bits);
	tacho_pack_bits(packer, bits, sizeof(bits));
}

TACHO_INLINE_ void tacho_pack_long_double(struct tacho_packer *packer, long double value)
{
	tacho_pack_double(packer, (double)value);
}

TACHO_INLINE_ void tacho_pack_part(struct tacho_packer *packer, const void *data, uint32_t bytes,
				   uint32_t is_string)
{
	struct tacho_part *part = &packer->parts[packer->part_count++];

	part->data = data;
	part->bytes = bytes;
	part->is_string = is_string;
}

/* The scalars that were put since the last part become one. */
TACHO_INLINE_ void tacho_pack_close(struct tacho_packer *packer)
{
	if (packer->used_bytes == packer->part_begin)
		return;
	tacho_pack_part(packer, packer->buffer + packer->part_begin,
			packer->used_bytes - packer->part_begin, 0);
	packer->part_begin = packer->used_bytes;
}

/* A record of 2 GiB fits nowhere: it is counted as lost, whatever its exact length. */
TACHO_INLINE_ uint32_t tacho_pack_limit(size_t count, uint32_t element_bytes)
{
	const uint32_t limit = 0x7fffffffu / element_bytes;

	return count < limit ? (uint32_t)count : limit;
}

/*
 * The bytes of a string are counted when another comes, or all is sent: strlen() is a call, and what is
 * in the buffer by then needs no register beyond it.
 */
TACHO_INLINE_ void tacho_pack_count(struct tacho_packer *packer)
{
	struct tacho_part *part;

	if (packer->open_count == 0)
		return;
	part = &packer->parts[packer->open_count - 1];
	part->bytes = tacho_pack_limit(__builtin_strlen((const char *)part->data), 1);
	packer->open_count = 0;
}

TACHO_INLINE_ void tacho_pack_string(struct tacho_packer *packer, const char *text)
{
	TACHO_SDT_KEEP_(packer, (uintptr_t)text);
	tacho_pack_count(packer);
	tacho_pack_close(packer);
	tacho_pack_part(packer, text ? text : "(null)", 0, 1);
	packer->open_count = packer->part_count;
}

TACHO_INLINE_ void tacho_pack_counted(struct tacho_packer *packer, const void *data, size_t count,
				      uint32_t element_bytes)
{
	const uint32_t taken = data ? tacho_pack_limit(count, element_bytes) : 0;

	TACHO_SDT_KEEP_(packer, (uintptr_t)data);
	tacho_pack_bits(packer, taken, sizeof(taken));
	tacho_pack_close(packer);
	tacho_pack_part(packer, data ? data : "", taken * element_bytes, 0);
}

/* Behind the last value: whether one word is all there is. */
TACHO_INLINE_ int tacho_pack_end(struct tacho_packer *packer)
{
	if (packer->part_count == 0 && packer->used_bytes <= 8)
		return 1;
	tacho_pack_count(packer);
	tacho_pack_close(packer);
	return 0;
}

/* From the site itself: the context `ip` is behind the call. */
TACHO_ALWAYS_INLINE_ void tacho_pack_send(struct tacho_packer *packer, struct tacho_event *event)
{
	if (!TACHO_SDT_IS_SENT_(event))
		return;
	if (tacho_pack_end(packer))
		tacho_emit_word(event, packer->word, packer->used_bytes);
	else
		tacho_emit_parts(event, packer->parts, packer->part_count);
}

/*
 * From a function that the site calls, and that does nothing else.
 *
 * @caller: where it returns to. A compiler that optimizes makes the last call a jump, so a word needs no
 * other way; one that does not has it sent as a part.
 */
TACHO_INLINE_ void tacho_pack_send_from(struct tacho_packer *packer, struct tacho_event *event,
					const void *caller)
{
	if (!TACHO_SDT_IS_SENT_(event))
		return;
#ifdef __OPTIMIZE__
	if (tacho_pack_end(packer)) {
		tacho_emit_word(event, packer->word, packer->used_bytes);
		return;
	}
#else
	tacho_pack_count(packer);
	tacho_pack_close(packer);
#endif
	tacho_emit_parts_from(event, packer->parts, packer->part_count, caller);
}

/*
 * The arithmetic types: X(name, type, flags as an element of a sequence).
 */
#ifdef __cplusplus
#define TACHO_BOOL_ bool
#else
#define TACHO_BOOL_ _Bool
#endif
#define TACHO_CHAR_SIGN_ ((char)-1 < 0 ? TACHO_FLAG_SIGNED : 0)

#define TACHO_INTEGERS_(X)                                                                         \
	X(boolean, TACHO_BOOL_, TACHO_FLAG_BOOL)                                                   \
	X(character, char, TACHO_FLAG_CHAR | TACHO_CHAR_SIGN_)                                     \
	X(schar, signed char, TACHO_FLAG_SIGNED)                                                   \
	X(uchar, unsigned char, 0)                                                                 \
	X(short, short, TACHO_FLAG_SIGNED)                                                         \
	X(ushort, unsigned short, 0)                                                               \
	X(int, int, TACHO_FLAG_SIGNED)                                                             \
	X(uint, unsigned int, 0)                                                                   \
	X(long, long, TACHO_FLAG_SIGNED)                                                           \
	X(ulong, unsigned long, 0)                                                                 \
	X(llong, long long, TACHO_FLAG_SIGNED)                                                     \
	X(ullong, unsigned long long, 0)

#define TACHO_FLOATS_(X)                                                                           \
	X(float, float, TACHO_FLAG_FLOAT)                                                          \
	X(double, double, TACHO_FLAG_FLOAT)

#define TACHO_INTEGER_TYPE_(c_type, flags) TACHO_TYPE(TACHO_KIND_INTEGER, sizeof(c_type), flags)
#define TACHO_FLOAT_TYPE_(c_type)          TACHO_TYPE(TACHO_KIND_FLOAT, sizeof(c_type), 0)
#define TACHO_SEQUENCE_TYPE_(c_type, flags) TACHO_TYPE(TACHO_KIND_SEQUENCE, sizeof(c_type), flags)
#define TACHO_STRING_TYPE_                 TACHO_TYPE(TACHO_KIND_STRING, 1, 0)
#define TACHO_POINTER_TYPE_                                                                        \
	TACHO_TYPE(TACHO_KIND_INTEGER, sizeof(void *), TACHO_FLAG_HEX | TACHO_FLAG_POINTER)

#endif
