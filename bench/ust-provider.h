/* SPDX-License-Identifier: MIT */
/*
 * ust-provider.h - the events of tacho.c, as LTTng-UST wants them described.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./ust-provider.h"

#if !defined(TACHO_BENCH_UST_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define TACHO_BENCH_UST_PROVIDER_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(
	bench, disabled,
	LTTNG_UST_TP_ARGS(uint32_t, value),
	LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint32_t, value, value)))

LTTNG_UST_TRACEPOINT_EVENT(
	bench, word,
	LTTNG_UST_TP_ARGS(uint32_t, value),
	LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint32_t, value, value)))

LTTNG_UST_TRACEPOINT_EVENT(
	bench, order,
	LTTNG_UST_TP_ARGS(const char *, name, uint32_t, id, uint64_t, total),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_string(name, name)
		lttng_ust_field_integer(uint32_t, id, id)
		lttng_ust_field_integer(uint64_t, total, total)))

#endif

#include <lttng/tracepoint-event.h>
