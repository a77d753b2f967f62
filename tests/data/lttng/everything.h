/* SPDX-License-Identifier: MIT */
/* A field of each kind, classes, levels, labels: for C and C++, and any dialect. */
#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER every

#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "./everything.h"

#if !defined(TACHO_TEST_EVERYTHING_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define TACHO_TEST_EVERYTHING_H

#include <lttng/tracepoint.h>

TRACEPOINT_EVENT(every, number,
	TP_ARGS(int, n),
	TP_FIELDS(
		ctf_integer(int, decimal, n)
		ctf_integer_hex(short, hex, n)
		ctf_integer_network(unsigned short, network, n)
		ctf_float(double, half, n / 2.0)
		ctf_float(float, quarter, n / 4.0)
	)
)
TRACEPOINT_LOGLEVEL(every, number, TRACE_WARNING)

TRACEPOINT_EVENT(every, text,
	TP_ARGS(const char *, text, unsigned, length),
	TP_FIELDS(
		ctf_string(text, text)
		ctf_array(char, array, text, 2)
		ctf_array_text(char, errno, text, 2)
		ctf_sequence(unsigned char, sequence, text, unsigned char, length)
		ctf_sequence_text(char, counted, text, unsigned long, length)
		ctf_unused(length)
	)
)

TRACEPOINT_EVENT(every, label,
	TP_ARGS(int, n),
	TP_FIELDS(
		ctf_enum(every, names, int, name, n)
		ctf_enum(every, names, unsigned char, small, n)
	)
)

/* The filter sees both; the trace has one. */
TRACEPOINT_EVENT(every, hidden,
	TP_ARGS(int, shown, const char *, secret),
	TP_FIELDS(
		ctf_string_nowrite(secret, secret)
		ctf_integer(int, shown, shown)
	)
)

TRACEPOINT_ENUM(every, names,
	TP_ENUM_VALUES(
		ctf_enum_value("one", 1)
		ctf_enum_auto("two")
		ctf_enum_range("few", 3, 9)
		ctf_enum_value("minus", -1)
	)
)

TRACEPOINT_EVENT_CLASS(every, family, TP_ARGS(long, id), TP_FIELDS(ctf_integer(long, id, id)))
TRACEPOINT_EVENT_INSTANCE(every, family, mother, TP_ARGS(long, id))
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(every, family, every, child, LTTNG_UST_TP_ARGS(long, number))
TRACEPOINT_MODEL_EMF_URI(every, child, "urn:example:child")

TRACEPOINT_EVENT(every, nothing, TP_ARGS(), TP_FIELDS())

#endif

#include <lttng/tracepoint-event.h>
