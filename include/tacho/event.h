/* SPDX-License-Identifier: MIT */
/*
 * event.h - put events into a program. C from C11, C++ from C++11, with gcc or clang. This header
 * and -ltacho, behind what is linked with it, are all there is to it: no registration, no generated
 * file.
 *
 *	#include <tacho/event.h>
 *
 *	tacho_event(shop, order_placed, "id", o->id, "customer", o->name, "total", o->total);
 *	tacho_event_level(TACHO_LEVEL_WARNING, shop, low_stock, "item", i);
 *	tacho_begin(shop, order, "id", 7);  ...  tacho_end(shop, order);
 *	TACHO_SPAN(shop, order, "id", 7);         ends with the scope
 *	tacho_log(TACHO_LEVEL_INFO, "%d left", n);
 *	if (tacho_enabled(shop, stock)) ...       where preparing the values costs something
 *
 * WHAT AN EVENT COSTS. While nobody records it: two loads, a compare and a branch that is not
 * taken; its values are not evaluated. While somebody does: its integers and floats are put
 * together in registers or on the stack, and handed over in one call.
 *
 * NAMES. `provider` and `name` are written as identifiers are, without quotes, and no macro is
 * expanded in them: 1 to 255 bytes without spaces, quotes, ':' and '*'. The event is called
 * provider:name. The same event may be in several places, with the same fields or others.
 *
 * FIELDS. After the names come 0 to 16 pairs of a key, which is a string literal of 1 to 255 bytes,
 * and a value. A value that has a comma outside of parentheses needs parentheses around it. Each
 * value is evaluated once, from left to right. Its type is found by the compiler:
 *
 *	value                                          recorded as
 *	integers of every size, bool, char             itself, with its size and sign
 *	enums                                          in C++ as their underlying type, in C as the
 *	                                               compiler's choice of one
 *	bit-fields                                     an integer that holds them
 *	float, double, long double                     float, double, double
 *	char *, const char *, char arrays, literals    string up to its 0 byte; NULL is "(null)"
 *	pointers to anything else, functions, nullptr  the address, shown in base 16
 *	tacho_hex(integer)                             the integer, shown in base 16
 *	tacho_text(pointer, bytes)                     so many bytes of UTF-8
 *	tacho_bytes(pointer, bytes)                    so many bytes, shown in base 16
 *	tacho_array(pointer, count)                    so many integers, bools, chars, floats or doubles
 *
 * (volatile, const, _Atomic and references do not matter.) Anything else, as __int128, does not
 * compile. Nothing of a value is kept: what it points to is copied before the event returns. A
 * record larger than a sub-buffer is counted as lost.
 *
 * A trace has keys as identifiers: each byte but A-Z, a-z, 0-9 and _ becomes _ and two hexadecimal
 * digits ("a b" is a_20b), and the second of two equal keys of an event gets _2 behind it.
 *
 * CONTEXT. All of this may be used in any thread and, but for tacho_log(), in any signal handler,
 * from constructors of static objects to their destructors, after fork() and around dlopen() and
 * dlclose(). It takes no lock, allocates nothing, does not wait (unless a session in blocking mode
 * and the program both allow it) and keeps errno. Nothing is returned: what cannot be recorded is
 * counted, and shown by `tacho status`.
 *
 * OTHER TRACERS. Where TACHO_SDT is defined as 1 before this header (x86-64 and AArch64), each event is
 * an SDT probe as well, PROVIDER:NAME, which bpftrace, perf and their like find; up to 12 of its values
 * are the probe's arguments. It fires whether or not a session records the event. While nobody traces
 * it, that costs one load more. The names have to be identifiers then. See event-sdt.h.
 *
 * LIMITS. An event is a statement. In C, a function that is `inline` but not `static` should have
 * none: it may not name what is static, and clang says so. On 32-bit x86, in position independent
 * code, an event is listed only once it was hit.
 *
 * The files next to this one are its parts: event-args.h the preprocessor's work, event-c.h and
 * event-cxx.h types in either language, event-pack.h the payload, event-object.h the list of a
 * program's events, event-probe.h tacho_enabled(), event-log.h tacho_log(), event-sdt.h SDT probes.
 */
#ifndef TACHO_EVENT_H
#define TACHO_EVENT_H

/* With -std=gnu99, gcc and clang have what is missing in C99. With -std=c99 they have it too, but
 * the C library makes a macro of _Static_assert. */
#ifndef __GNUC__
#error "Tacho needs gcc or clang"
#elif defined(__cplusplus) && __cplusplus < 201103L
#error "Tacho needs C11 or C++11; compile with -std=gnu++11 or later"
#elif !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L)
#error "Tacho needs C11 or C++11; compile with -std=gnu11 or later"
#elif !defined(__cplusplus) && __STDC_VERSION__ < 201112L && defined(__STRICT_ANSI__)
#error "Tacho needs C11 or C++11; compile with -std=gnu11 or later"
#else

/* Ours to answer for, not the including program's. */
#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif

#include "abi.h"
#include "event-args.h"
#include "event-c.h"
#include "event-cxx.h"
#include "event-log.h"
#include "event-object.h"
#include "event-pack.h"
#include "event-probe.h"

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

/*
 * tacho_event(provider, name, "key", value, ...) - record an event
 *
 * Its level is TACHO_LEVEL_DEBUG_LINE.
 *
 * Context: any; see above. Errors: none; a wrong use does not compile. Since 0.1.
 */
#define tacho_event(provider, ...)                                                                 \
	TACHO_EVENT_(TACHO_LEVEL_DEBUG_LINE, #provider,                                            \
		     TACHO_TEXT_(TACHO_FIRST_(TACHO_N_##__VA_ARGS__)), __VA_ARGS__)

/*
 * tacho_event_level(level, provider, name, "key", value, ...) - record an event of a given severity
 * @level: a constant of enum tacho_level: TACHO_LEVEL_EMERG (0, the gravest) to TACHO_LEVEL_DEBUG
 *         (14); anything else does not compile
 *
 * A rule of a session may ask for events of a level or graver.
 *
 * Context: any; see above. Errors: none. Since 0.1.
 */
#define tacho_event_level(level, provider, ...)                                                    \
	TACHO_EVENT_(level, #provider, TACHO_TEXT_(TACHO_FIRST_(TACHO_N_##__VA_ARGS__)),           \
		     __VA_ARGS__)

/*
 * tacho_begin(provider, name, "key", value, ...) - something begins: the event provider:name_begin
 * tacho_end(provider, name, "key", value, ...)   - and ends: the event provider:name_end
 *
 * Viewers show the two as a span of their thread. They belong together by thread and name, so spans
 * of one name nest; nothing is checked when they are recorded.
 *
 * Context: any; see above. Errors: none. Since 0.1.
 */
#define tacho_begin(provider, ...)                                                                 \
	TACHO_EVENT_(TACHO_LEVEL_DEBUG_LINE, #provider,                                            \
		     TACHO_TEXT_(TACHO_FIRST_(TACHO_N_##__VA_ARGS__)) "_begin", __VA_ARGS__)

#define tacho_end(provider, ...)                                                                   \
	TACHO_EVENT_(TACHO_LEVEL_DEBUG_LINE, #provider,                                            \
		     TACHO_TEXT_(TACHO_FIRST_(TACHO_N_##__VA_ARGS__)) "_end", __VA_ARGS__)

/*
 * TACHO_SPAN(provider, name, "key", value, ...) - a span from here to the end of the scope
 *
 * tacho_begin() now, with the fields, and tacho_end() without any when the scope is left: by its
 * end, return, break, continue, goto or a C++ exception; not by longjmp() or exit(). It is a
 * declaration: where a scope needs braces to hold one, it needs braces.
 *
 * Context: any; see above. Errors: none. Since 0.1.
 */
#define TACHO_SPAN(provider, ...)                                                                  \
	TACHO_SPAN_(TACHO_CAT_(tacho_span_, __COUNTER__), #provider,                               \
		    TACHO_TEXT_(TACHO_FIRST_(TACHO_N_##__VA_ARGS__)), __VA_ARGS__)
#define TACHO_SPAN_(variable, provider, name, ...)                                                 \
	struct tacho_event *const variable __attribute__((cleanup(tacho_span_leave), unused)) =    \
		__extension__({                                                                    \
			TACHO_EVENT_(TACHO_LEVEL_DEBUG_LINE, provider, name "_begin",              \
				     __VA_ARGS__);                                                 \
			TACHO_END_SITE_(provider, name "_end");                                    \
		})

TACHO_INLINE_ void tacho_span_leave(struct tacho_event *const *event)
{
	if (TACHO_UNLIKELY_(tacho_event_is_hit(*event)))
		tacho_emit_word(*event, 0, 0);
}

/*
 * tacho_log(level, format, ...) - record a message
 * @level:  a constant of enum tacho_level, as above; where it is a variable, switch between several
 * @format: as of printf(), checked by the compiler
 *
 * The event log:message with one field, "message": at most 1,023 bytes, "..." at the end of one that
 * was longer. It is formatted, on the stack, only while somebody records it. "%m" is the errno of
 * the caller; if vsnprintf() fails, the format itself is recorded.
 *
 * Context: any thread; a signal handler only where it may call vsnprintf(). Keeps errno.
 * Errors: none. Since 0.1.
 */
#define tacho_log(level, ...) TACHO_LOG_(level, __VA_ARGS__)

/*
 * tacho_enabled(provider, name) - is anybody recording this event of this program or library?
 *
 * For work that only prepares the values of an event. It looks at the events provider:name that are
 * compiled into the same executable or shared library, and is false when there are none. When they
 * differ in level, and a session wants only some of them, any of these makes it true. It costs a
 * load more than an event that is not recorded; several places of one name are looked at in turn.
 * The answer may be out of date at once, in either way.
 *
 * Context: any; see above. Return: 1 or 0. Since 0.1.
 */
#define tacho_enabled(provider, name) TACHO_ENABLED_(#provider, TACHO_TEXT__(TACHO_N_##name))

/*
 * Values that need a word about how to record them. They are only for the list of values of an
 * event; what they give lives as long as the event's statement.
 *
 * tacho_hex(x)              an integer or enum, shown in base 16, as wide as it is
 * tacho_text(text, bytes)   `bytes` bytes at `text`, a char *; they may contain 0 bytes
 * tacho_bytes(data, bytes)  `bytes` bytes at `data`, any pointer
 * tacho_array(data, count)  `count` elements at `data`, whose type is what data points to: an
 *                           integer, bool, char, float or double
 *
 * A length is a size_t. Where the pointer is NULL nothing is recorded, whatever the length; a length
 * of 2 GiB or more is cut, to a record that fits nowhere. The bytes are read, once, before the event
 * returns; they may change meanwhile.
 *
 * Context: any; see above. Since 0.1. (In event-c.h macros, in event-cxx.h functions.)
 */

#endif /* language */
#endif
