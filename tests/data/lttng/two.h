/* SPDX-License-Identifier: MIT */
/* An event whose fields are others in each version of the library that has it. */
#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER two
#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "two.h"

#if !defined(TWO_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define TWO_H

#include <lttng/tracepoint.h>

#if VERSION == 1
#define FIELDS TP_FIELDS(ctf_string(name, name) ctf_integer(int, id, id))
#else
#define FIELDS TP_FIELDS(ctf_integer(long, identity, id))
#endif

TRACEPOINT_EVENT(two, order, TP_ARGS(const char *, name, int, id), FIELDS)
TRACEPOINT_EVENT_CLASS(two, some, TP_ARGS(const char *, name), TP_FIELDS(ctf_string(name, name)))
TRACEPOINT_EVENT_INSTANCE(two, some, one, TP_ARGS(const char *, name))

#endif

#include <lttng/tracepoint-event.h>
