/* SPDX-License-Identifier: MIT */
/*
 * projects.h - declarations in the manner of large projects, as hard to read as theirs: macros that
 * hide the provider, the arguments and the fields; types with spaces and stars; both versions of the API.
 */
#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER projects
#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "projects.h"

#if !defined(PROJECTS_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define PROJECTS_H

#include <lttng/tracepoint.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef PROJECTS_TYPES
#define PROJECTS_TYPES
struct projects_buffer {
	const uint8_t *data;
	uint32_t length;
	uint8_t address[6];
};
typedef void (*projects_callback)(int, void *);
typedef struct projects_buffer projects_buffer_t;
enum projects_state { PROJECTS_IDLE, PROJECTS_BUSY = 5, PROJECTS_GONE = -1 };
#endif

/* As in ROS 2 tracetools: a macro of a macro that takes the list of arguments. */
#define PROJECTS_ARGS(...) TP_ARGS(__VA_ARGS__)
#define PROJECTS_EVENT(event, args, fields) \
	TRACEPOINT_EVENT(TRACEPOINT_PROVIDER, event, TP_ARGS args, TP_FIELDS(fields))
#define PROJECTS_HANDLE(name) ctf_integer_hex(const void *, name, name)

TRACEPOINT_EVENT(
	TRACEPOINT_PROVIDER,
	rcl_init,
	TP_ARGS(
		const void *, context_handle_arg,
		const char *, version_arg
	),
	TP_FIELDS(
		ctf_integer_hex(const void *, context_handle, context_handle_arg)
		ctf_string(version, version_arg)
	)
)
PROJECTS_EVENT(callback_start, (const void *, handle, bool, is_intra),
	PROJECTS_HANDLE(handle) ctf_integer(int, is_intra_process, (is_intra ? 1 : 0)))

/* As in Ceph: classes and instances made by a macro, with a level of each. */
#define PROJECTS_OP(op) \
	TRACEPOINT_EVENT_INSTANCE(projects, op_class, op, TP_ARGS(uint64_t, num, const char *, name)) \
	TRACEPOINT_LOGLEVEL(projects, op, TRACE_INFO)
TRACEPOINT_EVENT_CLASS(projects, op_class, TP_ARGS(uint64_t, num, const char *, name),
	TP_FIELDS(ctf_integer(uint64_t, num, num) ctf_string(name, name)))
PROJECTS_OP(op_read)
PROJECTS_OP(op_write)

/* As in msquic: generated, one field a line, lengths of 8 and 16 bits, arrays in sequences. */
TRACEPOINT_EVENT(TRACEPOINT_PROVIDER, quic_sent,
	TP_ARGS(
		const void *, arg2,
		unsigned char, arg3,
		unsigned int, arg4_len,
		const void *, arg4),
	TP_FIELDS(
		ctf_integer_hex(uint64_t, arg2, (uint64_t)arg2)
		ctf_integer(unsigned char, arg3, arg3)
		ctf_integer(unsigned int, arg4_len, arg4_len)
		ctf_sequence(char, arg4, arg4, unsigned int, arg4_len)
	))
TRACEPOINT_EVENT(TRACEPOINT_PROVIDER, quic_lengths,
	TP_ARGS(const projects_buffer_t *, b),
	TP_FIELDS(
		ctf_sequence_hex(uint8_t, by_8, b->data, uint8_t, b->length)
		ctf_sequence(uint16_t, by_16, (const uint16_t *)(const void *)b->data,
			uint16_t, b->length / 2)
		ctf_sequence_text(char, by_64, (const char *)b->data, uint64_t, b->length)
		ctf_sequence_network(uint16_t, net, (const uint16_t *)(const void *)b->data,
			size_t, b->length / 2)
		ctf_array_hex(uint8_t, mac, b->address, 6)
		ctf_array_text(char, four, (const char *)b->data, 4)
	))

/* As in DPDK and FRR: expressions in fields, pointers to functions, strings that are arrays, NULL. */
TRACEPOINT_EVENT(projects, lib_call,
	TP_ARGS(projects_callback, cb, char *, name, const struct projects_buffer *, b, size_t, n),
	TP_FIELDS(
		ctf_integer_hex(uintptr_t, cb, (uintptr_t)cb)
		ctf_string(name, name)
		ctf_string(missing, NULL)
		ctf_integer(size_t, scaled, n * 3 + (b ? b->length : 0u))
		ctf_integer_network(uint32_t, port, (uint32_t)n)
		ctf_integer_network_hex(uint16_t, port_hex, (uint16_t)n)
		ctf_unused(b)
	))

/* As in QEMU and OpenJ9: every C spelling of a type. */
TRACEPOINT_EVENT(projects, types,
	TP_ARGS(long long int, a, unsigned long int, b, signed char, c, short unsigned, d, const int, e,
		float, f, double, g, long double, h, enum projects_state, s),
	TP_FIELDS(
		ctf_integer(long long int, a, a) ctf_integer(unsigned long int, b, b)
		ctf_integer(signed char, c, c) ctf_integer(short unsigned, d, d)
		ctf_integer(const int, e, e) ctf_float(float, f, f) ctf_float(double, g, g)
		ctf_float(double, fg, f + g) ctf_float(long double, h, h)
		ctf_integer(int, s, s) ctf_integer(enum projects_state, s_too, s)
		ctf_integer(bool, is, s == PROJECTS_BUSY)
	))

TRACEPOINT_ENUM(projects, state_enum,
	TP_ENUM_VALUES(
		ctf_enum_value("IDLE", PROJECTS_IDLE)
		ctf_enum_auto("NEXT")
		ctf_enum_value("a label, with (signs)", PROJECTS_BUSY)
		ctf_enum_range("many", 10, 20)
		ctf_enum_value("GONE", -1)
		ctf_enum_range("below", -100, -50)
		ctf_enum_auto("after")
	))
TRACEPOINT_EVENT(projects, states, TP_ARGS(int, s, unsigned char, u),
	TP_FIELDS(
		ctf_enum(projects, state_enum, int, s, s)
		ctf_enum(projects, state_enum, unsigned char, u, u)
		ctf_enum_nowrite(projects, state_enum, int, hidden, s + 1)
		ctf_enum(projects, state_enum, int64_t, wide, (int64_t)s * 10)
	))

/* Version 1, in the same header; names that are words of C, and fields of other events' names. */
LTTNG_UST_TRACEPOINT_EVENT(projects, words,
	LTTNG_UST_TP_ARGS(int, in, const char *, out),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, int, in)
		lttng_ust_field_string(struct, out)
		lttng_ust_field_integer_nowrite(int, return, in * 2)
		lttng_ust_field_integer(int, errno, in + 1)
		lttng_ust_field_integer(int, types, in + 2)
		lttng_ust_field_array_nowrite(int, array, &in, 1)
		lttng_ust_field_sequence_text_nowrite(char, hidden, out, int, (int)strlen(out))
	))
LTTNG_UST_TRACEPOINT_EVENT_CLASS(projects, v1_class, LTTNG_UST_TP_ARGS(int, value), LTTNG_UST_TP_FIELDS(
	lttng_ust_field_integer(int, value, value)))
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(projects, v1_class, projects, v1_instance, LTTNG_UST_TP_ARGS(int, other))
LTTNG_UST_TRACEPOINT_LOGLEVEL(projects, v1_instance, LTTNG_UST_TRACEPOINT_LOGLEVEL_CRIT)
TRACEPOINT_MODEL_EMF_URI(projects, v1_instance, "http://example.org/model#1?a=b&c")

TRACEPOINT_EVENT(projects, nothing, TP_ARGS(void), TP_FIELDS())
TRACEPOINT_EVENT(projects, nothing_at_all, TP_ARGS(), TP_FIELDS())
TRACEPOINT_EVENT(projects, only_hidden, TP_ARGS(int, a), TP_FIELDS(ctf_integer_nowrite(int, a, a)))
TRACEPOINT_EVENT(projects, no_field_used, TP_ARGS(int, a, int, b), TP_FIELDS(ctf_unused(a) ctf_unused(b)))

#endif

#include <lttng/tracepoint-event.h>
