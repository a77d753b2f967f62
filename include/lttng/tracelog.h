/* SPDX-License-Identifier: MIT */
/*
 * tracelog.h - a formatted message of a level, and where it comes from, as an event.
 *
 *	tracelog(TRACE_WARNING, "%d left", n);  vtracelog(TRACE_INFO, format, values);
 *
 * Its name is lttng_ust_tracelog: and the level's, in the spelling of version 1; its fields are
 * "line", "file", "func" and "msg". The level is one of the names, as they are.
 *
 * The arguments are evaluated, and the message is formatted, only where somebody records it.
 *
 * Context: any thread. Keeps errno.
 */
#ifndef LTTNG_UST_TRACELOG_H
#define LTTNG_UST_TRACELOG_H

#pragma GCC system_header

#include <lttng/tracepoint.h>

#include "tacho/messages.h"

static const struct tacho_field tacho_lttng_fields_tracelog[] = {
	{"line", TACHO_TYPE(TACHO_KIND_INTEGER, sizeof(int), TACHO_FLAG_SIGNED), 0},
	{"file", TACHO_TYPE(TACHO_KIND_STRING, 1, 0), 0},
	{"func", TACHO_TYPE(TACHO_KIND_STRING, 1, 0), 0},
	TACHO_TP_MESSAGE_ROW_,
};

#define TACHO_TP_DEFINE_TRACELOG_(level)                                                           \
	TACHO_TP_MESSAGE_EVENT_(lttng_ust_tracelog___LTTNG_UST_TRACEPOINT_LOGLEVEL_##level,        \
				"lttng_ust_tracelog", "LTTNG_UST_TRACEPOINT_LOGLEVEL_" #level,     \
				TACHO_LEVEL_##level, tacho_lttng_fields_tracelog, 4)
TACHO_TP_DEFINE_TRACELOG_(EMERG)
TACHO_TP_DEFINE_TRACELOG_(ALERT)
TACHO_TP_DEFINE_TRACELOG_(CRIT)
TACHO_TP_DEFINE_TRACELOG_(ERR)
TACHO_TP_DEFINE_TRACELOG_(WARNING)
TACHO_TP_DEFINE_TRACELOG_(NOTICE)
TACHO_TP_DEFINE_TRACELOG_(INFO)
TACHO_TP_DEFINE_TRACELOG_(DEBUG_SYSTEM)
TACHO_TP_DEFINE_TRACELOG_(DEBUG_PROGRAM)
TACHO_TP_DEFINE_TRACELOG_(DEBUG_PROCESS)
TACHO_TP_DEFINE_TRACELOG_(DEBUG_MODULE)
TACHO_TP_DEFINE_TRACELOG_(DEBUG_UNIT)
TACHO_TP_DEFINE_TRACELOG_(DEBUG_FUNCTION)
TACHO_TP_DEFINE_TRACELOG_(DEBUG_LINE)
TACHO_TP_DEFINE_TRACELOG_(DEBUG)
#undef TACHO_TP_DEFINE_TRACELOG_

#define lttng_ust_tracelog(level, ...)          TACHO_TP_LOG_(tacho_lttng_message, level, __VA_ARGS__)
#define lttng_ust_vtracelog(level, format, values)                                                 \
	TACHO_TP_LOG_(tacho_lttng_vmessage, level, format, values)

#define TACHO_TP_LOG_(send, level, ...)                                                            \
	do {                                                                                       \
		struct tacho_event *const tacho_event_ =                                           \
			&tacho_lttng_event_lttng_ust_tracelog___##level;                           \
		if (TACHO_UNLIKELY_(tacho_event_is_hit(tacho_event_))) {                           \
			const struct tacho_lttng_place tacho_place_ = {__FILE__, __func__,         \
								       __LINE__};                  \
			send(tacho_event_, &tacho_place_, __VA_ARGS__);                            \
			TACHO_STAY_;                                                               \
		}                                                                                  \
	} while (0)

#if LTTNG_UST_COMPAT_API(0)
#define tracelog  lttng_ust_tracelog
#define vtracelog lttng_ust_vtracelog
#endif

#endif
