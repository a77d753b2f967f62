/* SPDX-License-Identifier: MIT */
/* places.h - events of each way into a record; see places.c */
#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER places
#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "places.h"

#if !defined(PLACES_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define PLACES_H

#include <lttng/tracepoint.h>

TRACEPOINT_EVENT(places, small, TP_ARGS(int, a), TP_FIELDS(ctf_integer(int, a, a)))
TRACEPOINT_EVENT(places, large, TP_ARGS(const char *, s, long, a),
		 TP_FIELDS(ctf_string(s, s) ctf_integer(long, a, a)))
TRACEPOINT_EVENT(places, hiding, TP_ARGS(const char *, s, long, a),
		 TP_FIELDS(ctf_string(s, s) ctf_integer_nowrite(long, a, a)))

#endif

#include <lttng/tracepoint-event.h>
