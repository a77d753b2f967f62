/* SPDX-License-Identifier: MIT */
/* Labels that the integers of their fields cannot have as they are written. */
#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER labels

#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "./labels.h"

#if !defined(TACHO_TEST_LABELS_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define TACHO_TEST_LABELS_H

#include <lttng/tracepoint.h>

TRACEPOINT_ENUM(labels, around, TP_ENUM_VALUES(
	ctf_enum_range("around", -2, 3)
	ctf_enum_value("least", -128)
	ctf_enum_range("turned", 90, 80)))
TRACEPOINT_ENUM(labels, many, TP_ENUM_VALUES(ctf_enum_range("many", 100, 1000)))

TRACEPOINT_EVENT(labels, seen, TP_ARGS(int, n),
	TP_FIELDS(
		ctf_integer(int, n, n)
		ctf_enum(labels, around, unsigned, u32, n)
		ctf_enum(labels, around, uint8_t, u8, n)
		ctf_enum(labels, around, uint64_t, u64, n)
		ctf_enum(labels, around, int8_t, i8, n)
		ctf_enum(labels, many, uint8_t, many8, n)
		ctf_enum(labels, many, uint16_t, many16, n)))

#endif

#include <lttng/tracepoint-event.h>
