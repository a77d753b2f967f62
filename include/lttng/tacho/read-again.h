/* SPDX-License-Identifier: MIT */
/*
 * read-again.h - reads a provider's header again. Not for direct use: include
 * <lttng/tracepoint-event.h>.
 *
 * It is in a folder of its own because "tp.h" is first looked for in the folder of the file that
 * includes it.
 */
#pragma GCC system_header

#include <lttng/ust-api-compat.h>

#ifndef TACHO_TP_IS_READING_

#undef TACHO_TP_CREATES_
#undef TACHO_TP_DEFINES_
#undef TACHO_TP_IS_UNBOUND_
#if defined(LTTNG_UST_TRACEPOINT_CREATE_PROBES)
#define TACHO_TP_CREATES_
#elif LTTNG_UST_COMPAT_API(0) && defined(TRACEPOINT_CREATE_PROBES)
#define TACHO_TP_CREATES_
#endif
#if defined(LTTNG_UST_TRACEPOINT_DEFINE)
#define TACHO_TP_DEFINES_
#elif LTTNG_UST_COMPAT_API(0) && defined(TRACEPOINT_DEFINE)
#define TACHO_TP_DEFINES_
#endif
#ifdef TACHO_TP_CREATES_
#elif defined(LTTNG_UST_TRACEPOINT_PROBE_DYNAMIC_LINKAGE)
#define TACHO_TP_IS_UNBOUND_
#elif LTTNG_UST_COMPAT_API(0) && defined(TRACEPOINT_PROBE_DYNAMIC_LINKAGE)
#define TACHO_TP_IS_UNBOUND_
#endif

#if !defined(TACHO_TP_CREATES_) && !defined(TACHO_TP_DEFINES_)
#ifdef TACHO_TP_HAS_NEWS_
#undef TACHO_TP_HAS_OLD_NEWS_
#define TACHO_TP_HAS_OLD_NEWS_
#endif
#elif defined(TACHO_TP_HAS_NEWS_) || defined(TACHO_TP_HAS_OLD_NEWS_)

/* How the program calls its header. */
#undef TACHO_TP_INCLUDE_
#if defined(LTTNG_UST_TRACEPOINT_INCLUDE)
#define TACHO_TP_INCLUDE_ LTTNG_UST_TRACEPOINT_INCLUDE
#elif defined(TRACEPOINT_INCLUDE)
#define TACHO_TP_INCLUDE_ TRACEPOINT_INCLUDE
#elif defined(TRACEPOINT_INCLUDE_FILE)
#define TACHO_TP_INCLUDE_ TACHO_TP_TEXT_(TRACEPOINT_INCLUDE_FILE)
#define TACHO_TP_TEXT_(file)  TACHO_TP_TEXT__(file)
#define TACHO_TP_TEXT__(file) #file
#else
#error "tacho: a header that ends with <lttng/tracepoint-event.h> defines TRACEPOINT_INCLUDE as its own name"
#endif

#define TACHO_TP_IS_READING_
#define LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ
#define TRACEPOINT_HEADER_MULTI_READ

#ifdef TACHO_TP_CREATES_
#include "facts.h"
#include TACHO_TP_INCLUDE_
#include "probe.h"
#include TACHO_TP_INCLUDE_
#endif
#ifdef TACHO_TP_DEFINES_
#include "define.h"
#include TACHO_TP_INCLUDE_
#endif
#include "declare.h"

#undef TACHO_TP_IS_READING_
#undef LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ
#undef TRACEPOINT_HEADER_MULTI_READ
#endif

#undef TACHO_TP_HAS_NEWS_
/* The next header has another name, and says so in another version's spelling perhaps. */
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#undef TRACEPOINT_INCLUDE
#undef TRACEPOINT_INCLUDE_FILE

#endif /* TACHO_TP_IS_READING_ */
