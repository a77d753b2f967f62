/* SPDX-License-Identifier: MIT */
/*
 * tracef.h - a formatted message as an event: lttng_ust_tracef:event with one field, "msg".
 *
 *	tracef("%d left", n);  vtracef(format, values);
 *
 * The arguments are evaluated, and the message is formatted, only where somebody records it.
 *
 * Context: any thread. Keeps errno.
 */
#ifndef LTTNG_UST_TRACEF_H
#define LTTNG_UST_TRACEF_H

#pragma GCC system_header

#include <lttng/tracepoint.h>

#include "tacho/messages.h"

static const struct tacho_field tacho_lttng_fields_tracef[] = {TACHO_TP_MESSAGE_ROW_};
TACHO_TP_MESSAGE_EVENT_(lttng_ust_tracef___event, "lttng_ust_tracef", "event",
			TACHO_LEVEL_DEBUG, tacho_lttng_fields_tracef, 1)

#define lttng_ust_tracef(...)                                                                      \
	do {                                                                                       \
		if (TACHO_UNLIKELY_(                                                               \
			    tacho_event_is_hit(&tacho_lttng_event_lttng_ust_tracef___event))) {    \
			tacho_lttng_message(&tacho_lttng_event_lttng_ust_tracef___event,           \
					    TACHO_TP_NULL_, __VA_ARGS__);                          \
			TACHO_STAY_;                                                               \
		}                                                                                  \
	} while (0)

#define lttng_ust_vtracef(format, values)                                                          \
	do {                                                                                       \
		if (TACHO_UNLIKELY_(                                                               \
			    tacho_event_is_hit(&tacho_lttng_event_lttng_ust_tracef___event))) {    \
			tacho_lttng_vmessage(&tacho_lttng_event_lttng_ust_tracef___event,          \
					     TACHO_TP_NULL_, format, values);                      \
			TACHO_STAY_;                                                               \
		}                                                                                  \
	} while (0)

#if LTTNG_UST_COMPAT_API(0)
#define tracef  lttng_ust_tracef
#define vtracef lttng_ust_vtracef
#endif

#endif
