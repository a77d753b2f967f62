/* SPDX-License-Identifier: MIT */
/* A provider with a mistake: DECLARATION. */
#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER wrong

#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "./template.h"

#if !defined(TACHO_TEST_WRONG_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define TACHO_TEST_WRONG_H

#include <lttng/tracepoint.h>

DECLARATION

#endif

#include <lttng/tracepoint-event.h>
