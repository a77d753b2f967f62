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

#include <linux/ptrace.h>
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

static __always_inline u8 *fetch_rare(const struct tacho_fetch *f, u64 word, u8 *at)
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
	case TACHO_FETCH_LOAD_4:
		return fetch_put(at, fetch_load_32(address), 4);
	case TACHO_FETCH_LOAD_2:
		return fetch_put(at, fetch_load_16(address), 2);
	case TACHO_FETCH_LOAD_1:
		return fetch_put(at, fetch_load_8(address), 1);
	case TACHO_FETCH_LOAD_8_8:
		at = fetch_put_load(at, address);
		return fetch_put_load(at, word + f->second_offset);
	case TACHO_FETCH_ARGUMENTS:
		return fetch_arguments(word, at);
	}
	return at;
}

/* What most events are made of comes first. */
static __always_inline u8 *fetch_one(const struct tacho_fetch *f, u64 word, u8 *at)
{
	u64 address = word + f->offset;

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
	return fetch_rare(f, word, at);
}

static __always_inline void fetch_all(const struct tacho_fetch *f, const u64 *words, u8 *at)
{
	for (; f->kind != TACHO_FETCH_END; f++)
		at = fetch_one(f, words[f->word], at);
}

#endif
