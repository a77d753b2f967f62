/* SPDX-License-Identifier: MIT */
/* Text that is not of bytes. */
#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER wide

#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "./wide.h"

#if !defined(TACHO_TEST_WIDE_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define TACHO_TEST_WIDE_H

#include <lttng/tracepoint.h>

TRACEPOINT_EVENT(wide, text, TP_ARGS(const int *, s, const char *, bytes, unsigned int, n),
	TP_FIELDS(
		ctf_array_text(int, array, s, 2)
		ctf_sequence_text(int, sequence, s, unsigned int, n)
		ctf_sequence_text(unsigned char, bytes, bytes, unsigned int, n)
		ctf_integer(int, behind, 7)))

#endif

#include <lttng/tracepoint-event.h>
