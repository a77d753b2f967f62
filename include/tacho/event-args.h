/* SPDX-License-Identifier: MIT */
/*
 * event-args.h - the preprocessor half of <tacho/event.h>: counting arguments and visiting pairs.
 * Not for direct use.
 *
 * The public macros take (provider, name, key, value, ...) as (provider, ...), so that an event
 * without pairs leaves no `...` empty: strict C11 and C++11 warn about that. The argument list
 * below is therefore always  name, key, value, ...  and its name is dropped: it was expanded
 * already. The name that counts is the first argument pasted to TACHO_N_, which keeps the
 * preprocessor from expanding it (an event may be called errno), and TACHO_NAME_ strips that again.
 */
#ifndef TACHO_EVENT_ARGS_H
#define TACHO_EVENT_ARGS_H

#define TACHO_PAIRS_MAX 16

#define TACHO_CAT_(a, b)   TACHO_CAT__(a, b)
#define TACHO_CAT__(a, b)  a##b
#define TACHO_TEXT_(...)   TACHO_TEXT__(__VA_ARGS__)
#define TACHO_TEXT__(...)  #__VA_ARGS__
#define TACHO_FIRST_(...)  TACHO_FIRST__(__VA_ARGS__, ~)
#define TACHO_FIRST__(a, ...) a

/* "TACHO_N_order" -> "order", as an address constant; and how long it is. */
#define TACHO_NAME_(text)       (&(text)[8])
#define TACHO_NAME_BYTES_(text) (sizeof(text) - 9)

/*
 * TACHO_SHAPE_(name, key, value, ...) - the number of pairs, 0 to 16; or one of these two, whose
 * visit is empty and which TACHO_CHECK_SHAPE_ refuses with words.
 */
#define TACHO_SHAPE_ODD_  17
#define TACHO_SHAPE_MANY_ 18
#define TACHO_SHAPE_(...)                                                                          \
	TACHO_COUNT__(__VA_ARGS__, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, \
		      18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 16, 17, 15, 17, 14,  \
		      17, 13, 17, 12, 17, 11, 17, 10, 17, 9, 17, 8, 17, 7, 17, 6, 17, 5, 17, 4,    \
		      17, 3, 17, 2, 17, 1, 17, 0, ~)
#define TACHO_COUNT__(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17,  \
		      a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32,   \
		      a33, a34, a35, a36, a37, a38, a39, a40, a41, a42, a43, a44, a45, a46, a47,   \
		      a48, a49, a50, a51, a52, a53, a54, a55, a56, a57, a58, a59, a60, a61, a62,   \
		      a63, shape, ...)                                                             \
	shape

/* TACHO_EACH_(M, name, k1, v1, k2, v2, ...) -> M(k1, v1) M(k2, v2) ... */
#define TACHO_EACH_(M, ...) TACHO_CAT_(TACHO_EACH_, TACHO_SHAPE_(__VA_ARGS__))(M, __VA_ARGS__)

#define TACHO_EACH_0(M, n)
#define TACHO_EACH_1(M, n, k, v)       M(k, v)
#define TACHO_EACH_2(M, n, k, v, ...)  M(k, v) TACHO_EACH_1(M, n, __VA_ARGS__)
#define TACHO_EACH_3(M, n, k, v, ...)  M(k, v) TACHO_EACH_2(M, n, __VA_ARGS__)
#define TACHO_EACH_4(M, n, k, v, ...)  M(k, v) TACHO_EACH_3(M, n, __VA_ARGS__)
#define TACHO_EACH_5(M, n, k, v, ...)  M(k, v) TACHO_EACH_4(M, n, __VA_ARGS__)
#define TACHO_EACH_6(M, n, k, v, ...)  M(k, v) TACHO_EACH_5(M, n, __VA_ARGS__)
#define TACHO_EACH_7(M, n, k, v, ...)  M(k, v) TACHO_EACH_6(M, n, __VA_ARGS__)
#define TACHO_EACH_8(M, n, k, v, ...)  M(k, v) TACHO_EACH_7(M, n, __VA_ARGS__)
#define TACHO_EACH_9(M, n, k, v, ...)  M(k, v) TACHO_EACH_8(M, n, __VA_ARGS__)
#define TACHO_EACH_10(M, n, k, v, ...) M(k, v) TACHO_EACH_9(M, n, __VA_ARGS__)
#define TACHO_EACH_11(M, n, k, v, ...) M(k, v) TACHO_EACH_10(M, n, __VA_ARGS__)
#define TACHO_EACH_12(M, n, k, v, ...) M(k, v) TACHO_EACH_11(M, n, __VA_ARGS__)
#define TACHO_EACH_13(M, n, k, v, ...) M(k, v) TACHO_EACH_12(M, n, __VA_ARGS__)
#define TACHO_EACH_14(M, n, k, v, ...) M(k, v) TACHO_EACH_13(M, n, __VA_ARGS__)
#define TACHO_EACH_15(M, n, k, v, ...) M(k, v) TACHO_EACH_14(M, n, __VA_ARGS__)
#define TACHO_EACH_16(M, n, k, v, ...) M(k, v) TACHO_EACH_15(M, n, __VA_ARGS__)
#define TACHO_EACH_17(M, ...)
#define TACHO_EACH_18(M, ...)

/* A name can be told from a pattern and from the pair that it becomes part of. Pasting what has
 * quotes fails before, but says less. */
#define TACHO_LACKS_(text, character) (__builtin_strchr(text, character) ? 0 : 1)
#define TACHO_IS_PLAIN_(text)                                                                      \
	(TACHO_LACKS_(text, ' ') && TACHO_LACKS_(text, '"') && TACHO_LACKS_(text, '\'') &&         \
	 TACHO_LACKS_(text, ':') && TACHO_LACKS_(text, '*'))

/* Wrong use is told in words. `provider` and `name` are string literals, the name's prefixed. */
#define TACHO_CHECK_SHAPE_(shape)                                                                  \
	TACHO_STATIC_ASSERT((shape) != TACHO_SHAPE_ODD_,                                           \
			    "tacho: the fields of an event come in pairs: \"key\", value; a "      \
			    "value that has a comma outside of parentheses needs them around it"); \
	TACHO_STATIC_ASSERT((shape) != TACHO_SHAPE_MANY_,                                          \
			    "tacho: an event has at most 16 fields")
#define TACHO_CHECK_NAMES_(provider, name)                                                         \
	TACHO_STATIC_ASSERT(sizeof(provider) > 1 && TACHO_NAME_BYTES_(name) > 0,                   \
			    "tacho: provider and event need a name");                              \
	TACHO_STATIC_ASSERT(sizeof(provider) - 1 <= TACHO_NAME_MAX,                                \
			    "tacho: a provider's name has at most 255 bytes");                     \
	TACHO_STATIC_ASSERT(TACHO_NAME_BYTES_(name) <= TACHO_NAME_MAX,                             \
			    "tacho: an event's name has at most 255 bytes");                       \
	TACHO_CHECK_PLAIN_(TACHO_IS_PLAIN_(provider) && TACHO_IS_PLAIN_(name),                     \
			   "tacho: the names of provider and event are written as identifiers "    \
			   "are: without quotes, spaces, ':' and '*'")
#define TACHO_CHECK_LEVEL_(level)                                                                  \
	TACHO_STATIC_ASSERT(__builtin_constant_p(level),                                           \
			    "tacho: the level of an event or message is a constant; for a "        \
			    "variable, switch between several");                                   \
	TACHO_STATIC_ASSERT(TACHO_LEVEL_IN_RANGE_(level),                                          \
			    "tacho: a level is one from TACHO_LEVEL_EMERG (0) to "                 \
			    "TACHO_LEVEL_DEBUG (14)")
#define TACHO_CHECK_KEY_(key, value)                                                               \
	TACHO_STATIC_ASSERT(TACHO_IS_LITERAL_(key), "tacho: a field's key is a string literal");   \
	TACHO_STATIC_ASSERT(sizeof(key) > 1, "tacho: a field needs a key");                        \
	TACHO_STATIC_ASSERT(sizeof(key) - 1 <= TACHO_NAME_MAX,                                     \
			    "tacho: a field's key has at most 255 bytes");                         \
	TACHO_CHECK_VALUE_(value)

#endif
