/* SPDX-License-Identifier: MIT */
/*
 * tracepoint.h - LTTng-UST's API, for programs that are instrumented with it: they are recorded by
 * Tacho after a rebuild. A header that declares events (a provider) includes this file, declares,
 * and ends with <lttng/tracepoint-event.h>. The manual of LTTng-UST is the manual of all that.
 *
 * ONE HEADER, SEVERAL READINGS
 *
 *	reading    by whom                        what its macros make of a declaration
 *	-------    -------                        -------------------------------------
 *	first      the program's #include         declare.h: for the sites of the event
 *	facts      tracepoint-event.h, where      facts.h: labels, level, model URI, which others
 *	           TRACEPOINT_CREATE_PROBES is      refer to and which may come after them
 *	probes     the same, once more            probe.h: field table, put function, info
 *	events     where TRACEPOINT_DEFINE is     define.h: the event itself
 *
 * WHO DEFINES WHAT. An event provider:name consists of
 *
 *	tacho_lttng_event_provider___name   struct tacho_event, as native events have it: what
 *	                                    tracepoint() looks at. Where TRACEPOINT_DEFINE is.
 *	tacho_lttng_info_provider___name    struct tacho_rich_info: name, level, fields, and the
 *	                                    function that records it. Where TRACEPOINT_CREATE_PROBES is.
 *
 *      site                            event                     info (a class's instances share
 *      if (*event.state != 0)  ------> state                     table and function)
 *        info->put(event, ..)          info -------------------> fields --> table
 *                                                                put -----> put(event, n, text)
 *                                                                             tacho_emit_word() ..
 *
 * A site in the unit that has the probes, behind them, has the put() folded into it instead: its code is
 * that of a native event. In a shared library it first looks whether put() is this unit's.
 *
 * Both are weak symbols with default visibility (hidden, where the program says so): a provider that
 * is compiled into two libraries is one; a program may use that of a library. An event refers to
 * its info, so the linker takes it from an archive, or says that it is missing; unless
 * TRACEPOINT_PROBE_DYNAMIC_LINKAGE says that the probes are somewhere else. Such an event is unbound:
 * it is off, and the unit needs no library, until libtacho finds an info of its name
 * (lib/tracer/bind.c). For that the unit looks for libtacho when it is loaded.
 *
 * A unit that has only sites refers to no symbol of libtacho either.
 *
 * Everything in these headers that is not LTTng's begins with tacho_ or TACHO_.
 */
#ifndef LTTNG_UST_TRACEPOINT_H
#define LTTNG_UST_TRACEPOINT_H

#pragma GCC system_header

#ifndef __GNUC__
#error "Tacho needs gcc or clang"
#elif defined(__cplusplus) && __cplusplus < 201103L
#error "Tacho needs C99 or C++11; compile with -std=gnu++11 or later"
#elif !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L)
#error "Tacho needs C99 or C++11; compile with -std=gnu99 or later"
#endif

#include <stdint.h>
#include <stdlib.h>

#include <lttng/ust-api-compat.h>
#include <lttng/ust-version.h>
#include <tacho/event-state.h>

#include "tacho/arguments.h"
#include "tacho/fields.h"

/* ---- declarations ---- */

#define LTTNG_UST_TP_ARGS(...)        __VA_ARGS__
#define LTTNG_UST_TP_FIELDS(...)      __VA_ARGS__
#define LTTNG_UST_TP_ENUM_VALUES(...) __VA_ARGS__

/* The lists are in parentheses from here on: their commas must not be taken for others. */
#define LTTNG_UST_TRACEPOINT_EVENT(provider, name, arguments, fields)                              \
	TACHO_TP_EVENT_(provider, name, (arguments), fields)
#define LTTNG_UST_TRACEPOINT_EVENT_CLASS(provider, name, arguments, fields)                        \
	TACHO_TP_CLASS_(provider, name, (arguments), fields)
#define LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(class_provider, class_name, provider, name, arguments) \
	TACHO_TP_INSTANCE_(class_provider, class_name, provider, name, (arguments))
#define LTTNG_UST_TRACEPOINT_LOGLEVEL(provider, name, level) TACHO_TP_LEVEL_(provider, name, level)
#define LTTNG_UST_TRACEPOINT_MODEL_EMF_URI(provider, name, uri) TACHO_TP_MODEL_(provider, name, uri)
#define LTTNG_UST_TRACEPOINT_ENUM(provider, name, ...) TACHO_TP_ENUM__(provider, name, __VA_ARGS__)

enum lttng_ust_tracepoint_loglevel {
	LTTNG_UST_TRACEPOINT_LOGLEVEL_EMERG = TACHO_LEVEL_EMERG,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_ALERT = TACHO_LEVEL_ALERT,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_CRIT = TACHO_LEVEL_CRIT,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_ERR = TACHO_LEVEL_ERR,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_WARNING = TACHO_LEVEL_WARNING,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_NOTICE = TACHO_LEVEL_NOTICE,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO = TACHO_LEVEL_INFO,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_SYSTEM = TACHO_LEVEL_DEBUG_SYSTEM,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROGRAM = TACHO_LEVEL_DEBUG_PROGRAM,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROCESS = TACHO_LEVEL_DEBUG_PROCESS,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_MODULE = TACHO_LEVEL_DEBUG_MODULE,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_UNIT = TACHO_LEVEL_DEBUG_UNIT,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_FUNCTION = TACHO_LEVEL_DEBUG_FUNCTION,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_LINE = TACHO_LEVEL_DEBUG_LINE,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG = TACHO_LEVEL_DEBUG,
};

/* ---- sites ---- */

/*
 * lttng_ust_tracepoint(provider, name, ...) - record an event; its values are evaluated only where
 *                                             somebody records it
 * lttng_ust_tracepoint_enabled(provider, name) - does anybody?
 *
 * Provider and name are expanded. A comma behind the name, and nothing, is allowed.
 *
 * Context: any thread, any signal handler, constructors and destructors. Keeps errno.
 */
#define lttng_ust_tracepoint(provider, ...)                                                        \
	do {                                                                                       \
		TACHO_TP_QUIET_BEGIN_                                                              \
		TACHO_TP_SITE_(provider, __VA_ARGS__)                                              \
		TACHO_TP_QUIET_END_                                                                \
	} while (0)
#define lttng_ust_do_tracepoint(provider, ...) lttng_ust_tracepoint(provider, __VA_ARGS__)
#define TACHO_TP_SITE_(provider, name, ...)                                                        \
	if (TACHO_UNLIKELY_(tacho_event_is_hit(&TACHO_TP_NAME_(event, provider, name))))           \
		TACHO_TP_CALL_(provider, name)(__VA_ARGS__);

/* That nothing need follow the name is what clang calls pedantic, though the macro is a system's. */
#ifdef __clang__
#define TACHO_TP_QUIET_BEGIN_                                                                      \
	_Pragma("clang diagnostic push")                                                           \
	_Pragma("clang diagnostic ignored \"-Wgnu-zero-variadic-macro-arguments\"")
#define TACHO_TP_QUIET_END_ _Pragma("clang diagnostic pop")
#else
#define TACHO_TP_QUIET_BEGIN_
#define TACHO_TP_QUIET_END_
#endif
#define lttng_ust_tracepoint_enabled(provider, name)                                               \
	tacho_lttng_is_on(&TACHO_TP_NAME_(event, provider, name))

/* A symbol or type of an event. */
#define TACHO_TP_NAME_(kind, provider, name)  TACHO_TP_NAME__(kind, provider, name)
#define TACHO_TP_NAME__(kind, provider, name) tacho_lttng_##kind##_##provider##___##name

/* The bit STALE alone tells nothing, but before registration it is all there is. */
TACHO_INLINE_ int tacho_lttng_is_on(struct tacho_event *event)
{
	const uint32_t state = tacho_load_relaxed(tacho_load_relaxed(&event->state));

	return TACHO_UNLIKELY_(state) &&
	       ((state & ~TACHO_STATE_STALE) || !tacho_load_relaxed(&event->home));
}

/* The symbols of events and infos. */
#ifdef LTTNG_UST_TRACEPOINT_HIDDEN_DEFINITION
#define TACHO_TP_EVENT_ATTRIBUTES_ __attribute__((visibility("hidden")))
#else
#define TACHO_TP_EVENT_ATTRIBUTES_ __attribute__((visibility("default")))
#endif
#ifdef LTTNG_UST_TRACEPOINT_PROVIDER_HIDDEN_DEFINITION
#define TACHO_TP_INFO_ATTRIBUTES_ __attribute__((visibility("hidden")))
#else
#define TACHO_TP_INFO_ATTRIBUTES_ __attribute__((visibility("default")))
#endif
#ifdef __cplusplus
#define TACHO_TP_EXTERN_ extern "C"
#define TACHO_TP_C_BEGIN_ extern "C" {
#define TACHO_TP_C_END_ }
#else
#define TACHO_TP_EXTERN_ extern
#define TACHO_TP_C_BEGIN_
#define TACHO_TP_C_END_
#endif

/* ---- version 0 ---- */

#if LTTNG_UST_COMPAT_API(0)
#define TP_ARGS                  LTTNG_UST_TP_ARGS
#define TP_FIELDS                LTTNG_UST_TP_FIELDS
#define TP_ENUM_VALUES           LTTNG_UST_TP_ENUM_VALUES
#define TRACEPOINT_EVENT         LTTNG_UST_TRACEPOINT_EVENT
#define TRACEPOINT_EVENT_CLASS   LTTNG_UST_TRACEPOINT_EVENT_CLASS
#define TRACEPOINT_LOGLEVEL      LTTNG_UST_TRACEPOINT_LOGLEVEL
#define TRACEPOINT_MODEL_EMF_URI LTTNG_UST_TRACEPOINT_MODEL_EMF_URI
#define TRACEPOINT_ENUM          LTTNG_UST_TRACEPOINT_ENUM
#define TRACEPOINT_EVENT_INSTANCE(provider, class_name, name, arguments)                           \
	TACHO_TP_INSTANCE_(provider, class_name, provider, name, (arguments))

#define tracepoint         lttng_ust_tracepoint
#define do_tracepoint      lttng_ust_do_tracepoint
#define tracepoint_enabled lttng_ust_tracepoint_enabled

#define TRACE_EMERG          LTTNG_UST_TRACEPOINT_LOGLEVEL_EMERG
#define TRACE_ALERT          LTTNG_UST_TRACEPOINT_LOGLEVEL_ALERT
#define TRACE_CRIT           LTTNG_UST_TRACEPOINT_LOGLEVEL_CRIT
#define TRACE_ERR            LTTNG_UST_TRACEPOINT_LOGLEVEL_ERR
#define TRACE_WARNING        LTTNG_UST_TRACEPOINT_LOGLEVEL_WARNING
#define TRACE_NOTICE         LTTNG_UST_TRACEPOINT_LOGLEVEL_NOTICE
#define TRACE_INFO           LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO
#define TRACE_DEBUG_SYSTEM   LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_SYSTEM
#define TRACE_DEBUG_PROGRAM  LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROGRAM
#define TRACE_DEBUG_PROCESS  LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROCESS
#define TRACE_DEBUG_MODULE   LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_MODULE
#define TRACE_DEBUG_UNIT     LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_UNIT
#define TRACE_DEBUG_FUNCTION LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_FUNCTION
#define TRACE_DEBUG_LINE     LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_LINE
#define TRACE_DEBUG          LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG
#endif

#include "tacho/declare.h"

#endif /* LTTNG_UST_TRACEPOINT_H */

/* Whoever includes this file declares something: see tracepoint-event.h. */
#ifndef TACHO_TP_IS_READING_
#undef TACHO_TP_HAS_NEWS_
#define TACHO_TP_HAS_NEWS_
#endif
