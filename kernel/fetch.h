/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * fetch.h - the payload of an event, by its recipe (format/module.h).
 *
 * A recipe was checked when the event was made: this believes it. The words are the tracepoint's
 * arguments; pointers among them may point nowhere. A load of such a one gives zeros: an address that is no
 * canonical one of the kernel's half is not touched, and a fault of another is taken by the
 * exception table.
 */
#ifndef TACHO_KERNEL_FETCH_H
#define TACHO_KERNEL_FETCH_H

#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "format/module.h"

/* Addresses from here on are the kernel's, and canonical. */
extern u64 fetch_lowest_address;

static __always_inline bool fetch_may_touch(u64 address)
{
	return likely(address >= fetch_lowest_address);
}

/* A type of each size, since __get_kernel_nofault() takes one. */
#define FETCH_DEFINE_LOAD(bits)                                                                    \
	static __always_inline u##bits fetch_load_##bits(u64 address)                              \
	{                                                                                          \
		u##bits value;                                                                     \
		if (!fetch_may_touch(address))                                                     \
			return 0;                                                                  \
		__get_kernel_nofault(&value, (u##bits *)address, u##bits, fault);                  \
		return value;                                                                      \
fault:                                                                                             \
		return 0;                                                                          \
	}
FETCH_DEFINE_LOAD(8)
FETCH_DEFINE_LOAD(16)
FETCH_DEFINE_LOAD(32)
FETCH_DEFINE_LOAD(64)

static __always_inline u8 *fetch_put(u8 *at, u64 value, unsigned int bytes)
{
	__builtin_memcpy(at, &value, bytes);
	return at + bytes;
}

static __always_inline u8 *fetch_put_load(u8 *at, u64 address)
{
	return fetch_put(at, fetch_load_64(address), 8);
}

/* Six arguments, as the kernel's ABI for system calls has them. */
static __always_inline u8 *fetch_arguments(u64 regs, u8 *at)
{
	at = fetch_put_load(at, regs + offsetof(struct pt_regs, di));
	at = fetch_put_load(at, regs + offsetof(struct pt_regs, si));
	at = fetch_put_load(at, regs + offsetof(struct pt_regs, dx));
	at = fetch_put_load(at, regs + offsetof(struct pt_regs, r10));
	at = fetch_put_load(at, regs + offsetof(struct pt_regs, r8));
	return fetch_put_load(at, regs + offsetof(struct pt_regs, r9));
}

/* Bytes one by one: a string ends before memory that is not there. */
static noinline u8 *fetch_kernel_string(u64 address, u8 *at)
{
	const u8 *last = at + TACHO_STRING_BYTES_MAX - 1;

	for (; at < last; at++, address++) {
		*at = fetch_load_8(address);
		if (!*at)
			break;
	}
	*at = 0;
	return at + 1;
}

#define FETCH_PIECE_BYTES 64u

/* In pieces, none of which is in two pages: what is behind the string may not be there. */
static noinline u8 *fetch_user_string(u64 address, u8 *at)
{
	const u8 *last = at + TACHO_STRING_BYTES_MAX - 1;

	while (at < last) {
		u32 bytes = min_t(u32, FETCH_PIECE_BYTES, last - at);
		u32 length;

		bytes = min_t(u32, bytes, PAGE_SIZE - offset_in_page(address));
		if (copy_from_user_nofault(at, (const void __user *)address, bytes))
			break;
		length = strnlen((const char *)at, bytes);
		at += length;
		address += length;
		if (length < bytes)
			break;
	}
	*at = 0;
	return at + 1;
}

static __always_inline u8 *fetch_rare(const struct tacho_fetch *f, u64 *words, u64 word, u8 *at)
{
	u64 address = word + f->offset;

	switch (f->kind) {
	case TACHO_FETCH_WORD_4:
		return fetch_put(at, word, 4);
	case TACHO_FETCH_WORD_2:
		return fetch_put(at, word, 2);
	case TACHO_FETCH_WORD_1:
		return fetch_put(at, word, 1);
	case TACHO_FETCH_LOAD_8:
		return fetch_put_load(at, address);
	case TACHO_FETCH_LOAD_2:
		return fetch_put(at, fetch_load_16(address), 2);
	case TACHO_FETCH_LOAD_1:
		return fetch_put(at, fetch_load_8(address), 1);
	case TACHO_FETCH_LOAD_8_8:
		at = fetch_put_load(at, address);
		return fetch_put_load(at, word + f->second_offset);
	case TACHO_FETCH_ARGUMENTS:
		return fetch_arguments(word, at);
	case TACHO_FETCH_LOAD_4_ADD:
		return fetch_put(at, fetch_load_32(address) + (s16)f->second_offset, 4);
	case TACHO_FETCH_UNLESS:
		return fetch_put(at, (u8)words[f->offset] ? f->second_offset : (u32)word, 8);
	case TACHO_FETCH_FOLLOW:
		words[f->second_offset] = fetch_load_64(address);
		return at;
	}
	return at;
}

/* What most events are made of comes first. */
static __always_inline u8 *fetch_one(const struct tacho_fetch *f, u64 *words, u8 *at)
{
	u64 word = words[f->word], address = word + f->offset;

	if (f->kind == TACHO_FETCH_WORD_8)
		return fetch_put(at, word, 8);
	if (f->kind == TACHO_FETCH_LOAD_4_4) {
		at = fetch_put(at, fetch_load_32(address), 4);
		return fetch_put(at, fetch_load_32(word + f->second_offset), 4);
	}
	if (f->kind == TACHO_FETCH_LOAD_16) {
		at = fetch_put_load(at, address);
		return fetch_put_load(at, address + 8);
	}
	if (f->kind == TACHO_FETCH_LOAD_4)
		return fetch_put(at, fetch_load_32(address), 4);
	return fetch_rare(f, words, word, at);
}

/* fetch_all() - of a recipe without strings: it makes no calls, which would cost each event registers */
static __always_inline void fetch_all(const struct tacho_fetch *f, u64 *words, u8 *at)
{
	for (; f->kind != TACHO_FETCH_END; f++)
		at = fetch_one(f, words, at);
}

/* fetch_varied() - of any. Return: the payload's end. */
static __always_inline u8 *fetch_varied(const struct tacho_fetch *f, u64 *words, u8 *at)
{
	for (; f->kind != TACHO_FETCH_END; f++) {
		if (f->kind == TACHO_FETCH_KERNEL_STRING)
			at = fetch_kernel_string(words[f->word] + f->offset, at);
		else if (f->kind == TACHO_FETCH_USER_STRING)
			at = fetch_user_string(words[f->word] + f->offset, at);
		else
			at = fetch_one(f, words, at);
	}
	return at;
}

#endif
