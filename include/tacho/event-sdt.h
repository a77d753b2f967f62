/* SPDX-License-Identifier: MIT */
/*
 * event-sdt.h - each event as an SDT probe as well, so that bpftrace, perf and others that know this
 * format find it. Not for direct use: define TACHO_SDT as 1 and include <tacho/event.h>.
 *
 * Without TACHO_SDT, events are what they are without this file. With it, a site reads one more word
 * of memory, the semaphore: how many tracers have attached to the probe; the kernel counts. The values
 * are evaluated, once, where a session records the event or the semaphore is not 0. Then the probe is
 * a nop at the end of the unlikely path, whose address its note tells. In the section .note.stapsdt,
 * which is not loaded:
 *
 *      uint32_t  8                    length of the owner's name
 *      uint32_t                       length of what comes behind it, without padding
 *      uint32_t  3                    type of the note
 *      char[8]   "stapsdt"
 *      uint64_t                       address of the nop
 *      uint64_t                       address of the byte of .stapsdt.base: whoever moves the program
 *                                     after linking (prelink) moves that too
 *      uint64_t                       address of the semaphore, a uint16_t in the section .probes
 *      string    provider
 *      string    name
 *      string    arguments, "SIZE@WHERE SIZE@WHERE ..": as many bytes, signed if the number is
 *                negative, at a place as the assembler spells it
 *      padding to a multiple of 4
 *
 * An argument is 8 bytes in memory, wherever the value was, so that a dozen of them needs one register.
 * It is the integer itself; the address of a string, or NULL; the address that a pointer has, or the
 * first element of tacho_text(), tacho_bytes() and tacho_array(); the bits of a floating point number
 * as a double.
 *
 * All sites of one provider and name in a program or library share a semaphore, as some tracers look at
 * that of the first site only. Its symbol is tacho_sdt.PROVIDER.TACHO_N_NAME, hidden. Since these names
 * are written by the assembler, they have to be identifiers. The name comes with the prefix that keeps
 * the preprocessor from expanding it, and loses it character by character.
 *
 * An event of <lttng/tracepoint.h>, tacho_log(), and the end of TACHO_SPAN() are no probes.
 */
#ifndef TACHO_EVENT_SDT_H
#define TACHO_EVENT_SDT_H

#include "event-args.h"
#include "event-state.h"

#if defined(TACHO_SDT) && TACHO_SDT

#define TACHO_SDT_ARGUMENTS_MAX 12

/* Functions of C++ that are compiled with and without probes are not to be taken for each other. */
#define tacho_packer tacho_packer_of_sdt

#if defined(__x86_64__)
#define TACHO_SDT_LOAD_(symbol)     "movzwl " symbol "(%%rip), %k0"
#define TACHO_SDT_AT_(size, offset) "%c" #size "@" #offset "(%0)"
#elif defined(__aarch64__) && __SIZEOF_POINTER__ == 8
#define TACHO_SDT_LOAD_(symbol)     "adrp %0, " symbol "\n\tldrh %w0, [%0, :lo12:" symbol "]"
#define TACHO_SDT_AT_(size, offset) "%c" #size "@[%0, " #offset "]"
#else
#error "TACHO_SDT is for x86-64 and AArch64"
#endif

/* The places of the first n arguments: operand 0 has their address, operand i the size of the i-th. */
#define TACHO_SDT_TEXT_0  ""
#define TACHO_SDT_TEXT_1  TACHO_SDT_AT_(1, 0)
#define TACHO_SDT_TEXT_2  TACHO_SDT_TEXT_1 " " TACHO_SDT_AT_(2, 8)
#define TACHO_SDT_TEXT_3  TACHO_SDT_TEXT_2 " " TACHO_SDT_AT_(3, 16)
#define TACHO_SDT_TEXT_4  TACHO_SDT_TEXT_3 " " TACHO_SDT_AT_(4, 24)
#define TACHO_SDT_TEXT_5  TACHO_SDT_TEXT_4 " " TACHO_SDT_AT_(5, 32)
#define TACHO_SDT_TEXT_6  TACHO_SDT_TEXT_5 " " TACHO_SDT_AT_(6, 40)
#define TACHO_SDT_TEXT_7  TACHO_SDT_TEXT_6 " " TACHO_SDT_AT_(7, 48)
#define TACHO_SDT_TEXT_8  TACHO_SDT_TEXT_7 " " TACHO_SDT_AT_(8, 56)
#define TACHO_SDT_TEXT_9  TACHO_SDT_TEXT_8 " " TACHO_SDT_AT_(9, 64)
#define TACHO_SDT_TEXT_10 TACHO_SDT_TEXT_9 " " TACHO_SDT_AT_(10, 72)
#define TACHO_SDT_TEXT_11 TACHO_SDT_TEXT_10 " " TACHO_SDT_AT_(11, 80)
#define TACHO_SDT_TEXT_12 TACHO_SDT_TEXT_11 " " TACHO_SDT_AT_(12, 88)
#define TACHO_SDT_TEXT_13 TACHO_SDT_TEXT_12
#define TACHO_SDT_TEXT_14 TACHO_SDT_TEXT_12
#define TACHO_SDT_TEXT_15 TACHO_SDT_TEXT_12
#define TACHO_SDT_TEXT_16 TACHO_SDT_TEXT_12
#define TACHO_SDT_TEXT_17 ""
#define TACHO_SDT_TEXT_18 ""

#define TACHO_SDT_BYTES_(type) (TACHO_TYPE_FLAGS(type) & TACHO_FLAG_SIGNED ? -8 : 8)

#define TACHO_SDT_SYMBOL_(provider, name) "tacho_sdt." provider "." name

/* A group of its own, of which the linker keeps one. */
#define TACHO_SDT_SEMAPHORE_(symbol)                                                               \
	".ifndef " symbol "\n\t"                                                                   \
	".pushsection .probes,\"awG\",%%progbits," symbol ",comdat\n\t"                            \
	".weak " symbol "\n\t"                                                                     \
	".hidden " symbol "\n\t"                                                                   \
	".balign 2\n"                                                                              \
	symbol ":\n\t"                                                                             \
	".2byte 0\n\t"                                                                             \
	".popsection\n\t"                                                                          \
	".endif\n"
#define TACHO_SDT_BASE_                                                                            \
	".ifndef _.stapsdt.base\n\t"                                                               \
	".pushsection .stapsdt.base,\"aG\",%%progbits,.stapsdt.base,comdat\n\t"                    \
	".weak _.stapsdt.base\n\t"                                                                 \
	".hidden _.stapsdt.base\n"                                                                 \
	"_.stapsdt.base:\n\t"                                                                      \
	".space 1\n\t"                                                                             \
	".popsection\n\t"                                                                          \
	".endif\n"
/* Behind "TACHO_N_". */
#define TACHO_SDT_NAME_(name)                                                                      \
	".set .Ltacho_sdt_at, 0\n\t"                                                               \
	".irpc tacho_char, " name "\n\t"                                                           \
	".set .Ltacho_sdt_at, .Ltacho_sdt_at + 1\n\t"                                              \
	".if .Ltacho_sdt_at > 8\n\t"                                                               \
	".ascii \"\\tacho_char\"\n\t"                                                              \
	".endif\n\t"                                                                               \
	".endr\n\t"                                                                                \
	".byte 0\n\t"
#define TACHO_SDT_NOTE_(provider, name, places)                                                    \
	"990:\tnop\n\t"                                                                            \
	".pushsection .note.stapsdt,\"?\",%%note\n\t"                                              \
	".balign 4\n\t"                                                                            \
	".4byte 992f-991f, 994f-993f, 3\n"                                                         \
	"991:\t.asciz \"stapsdt\"\n"                                                               \
	"992:\t.balign 4\n"                                                                        \
	"993:\t.8byte 990b, _.stapsdt.base, " TACHO_SDT_SYMBOL_(provider, name) "\n\t"             \
	".asciz \"" provider "\"\n\t"                                                              \
	TACHO_SDT_NAME_(name)                                                                      \
	".asciz \"" places "\"\n"                                                                  \
	"994:\t.balign 4\n\t"                                                                      \
	".popsection\n" TACHO_SDT_BASE_

/* Written by the kernel: read anew at each site. */
#define TACHO_SDT_IS_TRACED_(provider, name)                                                       \
	__extension__({                                                                            \
		uint64_t tacho_semaphore_;                                                         \
		__asm__ __volatile__(TACHO_SDT_LOAD_(TACHO_SDT_SYMBOL_(provider, name)) "\n"       \
				     TACHO_SDT_SEMAPHORE_(TACHO_SDT_SYMBOL_(provider, name))       \
				     : "=r"(tacho_semaphore_));                                    \
		tacho_semaphore_ != 0;                                                             \
	})

#define TACHO_IS_WANTED_(event, provider, name)                                                    \
	(tacho_event_is_hit(event) | TACHO_SDT_IS_TRACED_(provider, name))

/* The values of a site, and a pointer to where the next one goes; both in front of its packer. */
#define TACHO_SDT_WORDS_(n) uint64_t tacho_words_[(n) + 1];
/* @...: , "i"(size) for each argument */
#define TACHO_SDT_FIRE_(provider, name, n, ...)                                                    \
	__asm__ __volatile__(TACHO_SDT_NOTE_(provider, name, TACHO_CAT_(TACHO_SDT_TEXT_, n))       \
			     :                                                                     \
			     : "r"(&tacho_words_[0]) __VA_ARGS__                                   \
			     : "memory");

/* Where only the probe is wanted, nothing is. */
#define TACHO_SDT_IS_SENT_(event) tacho_event_is_hit(event)

#define TACHO_SDT_MEMBER_        uint64_t *words; /* where the next value goes, or NULL */
#define TACHO_SDT_RESET_(packer) ((packer)->words = TACHO_SDT_NONE_)
#define TACHO_SDT_ATTACH_(packer, place) ((packer)->words = (place))
#define TACHO_SDT_KEEP_(packer, value)                                                             \
	do {                                                                                       \
		if ((packer)->words)                                                               \
			*(packer)->words++ = (value);                                              \
	} while (0)
#ifdef __cplusplus
#define TACHO_SDT_NONE_ nullptr
#define TACHO_SDT_PARAMETER_ uint64_t *tacho_words_,
#define TACHO_SDT_PASS_      &tacho_words_[0],
/* The sizes of the first n values, whose types<> are those of tacho_types_. */
#define TACHO_SDT_SIZE_(i)                                                                         \
	, "i"(TACHO_SDT_BYTES_((::tacho::detail::type_at<i, decltype(tacho_types_)>::value)))
#define TACHO_SDT_SIZES_0
#define TACHO_SDT_SIZES_1  TACHO_SDT_SIZE_(0)
#define TACHO_SDT_SIZES_2  TACHO_SDT_SIZES_1 TACHO_SDT_SIZE_(1)
#define TACHO_SDT_SIZES_3  TACHO_SDT_SIZES_2 TACHO_SDT_SIZE_(2)
#define TACHO_SDT_SIZES_4  TACHO_SDT_SIZES_3 TACHO_SDT_SIZE_(3)
#define TACHO_SDT_SIZES_5  TACHO_SDT_SIZES_4 TACHO_SDT_SIZE_(4)
#define TACHO_SDT_SIZES_6  TACHO_SDT_SIZES_5 TACHO_SDT_SIZE_(5)
#define TACHO_SDT_SIZES_7  TACHO_SDT_SIZES_6 TACHO_SDT_SIZE_(6)
#define TACHO_SDT_SIZES_8  TACHO_SDT_SIZES_7 TACHO_SDT_SIZE_(7)
#define TACHO_SDT_SIZES_9  TACHO_SDT_SIZES_8 TACHO_SDT_SIZE_(8)
#define TACHO_SDT_SIZES_10 TACHO_SDT_SIZES_9 TACHO_SDT_SIZE_(9)
#define TACHO_SDT_SIZES_11 TACHO_SDT_SIZES_10 TACHO_SDT_SIZE_(10)
#define TACHO_SDT_SIZES_12 TACHO_SDT_SIZES_11 TACHO_SDT_SIZE_(11)
#define TACHO_SDT_SIZES_13 TACHO_SDT_SIZES_12
#define TACHO_SDT_SIZES_14 TACHO_SDT_SIZES_12
#define TACHO_SDT_SIZES_15 TACHO_SDT_SIZES_12
#define TACHO_SDT_SIZES_16 TACHO_SDT_SIZES_12
#define TACHO_SDT_SIZES_17
#define TACHO_SDT_SIZES_18
#else
#define TACHO_SDT_NONE_ NULL
#endif

#else

#define TACHO_IS_WANTED_(event, provider, name) tacho_event_is_hit(event)
#define TACHO_SDT_WORDS_(n)
#define TACHO_SDT_FIRE_(provider, name, n, ...)
#define TACHO_SDT_IS_SENT_(event) 1
#define TACHO_SDT_MEMBER_
#define TACHO_SDT_PARAMETER_
#define TACHO_SDT_PASS_
#define TACHO_SDT_RESET_(packer)       ((void)0)
#define TACHO_SDT_ATTACH_(packer, place) ((void)0)
#define TACHO_SDT_KEEP_(packer, value) ((void)0)

#endif
#endif
