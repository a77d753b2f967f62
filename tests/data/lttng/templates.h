/* SPDX-License-Identifier: MIT */
/* A provider of a program in C++: instances made by a macro, fields that call methods of what templates are. */
#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER store
#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "templates.h"

#if !defined(TACHO_TEST_TEMPLATES_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define TACHO_TEST_TEMPLATES_H

#include <lttng/tracepoint.h>
#include <memory>
#include <string>
#include <vector>

#ifndef TACHO_TEST_TEMPLATES_TYPES
#define TACHO_TEST_TEMPLATES_TYPES
enum class verb : uint16_t { read = 1, write = 2 };
template <class K, class V> struct pair {
	K k;
	V v;
	K key() const { return k; }
	const V &value() const { return v; }
};
typedef pair<int, std::string> named;
typedef std::vector<uint32_t> numbers;
#endif

#define HEAD        const std::string &, id, verb, what
#define HEAD_FIELDS ctf_string(id, id.c_str()) ctf_enum(store, verb, uint16_t, what, (uint16_t)what)
#define CALL(name)                                                                                 \
	TRACEPOINT_EVENT_INSTANCE(store, call, name, TP_ARGS(HEAD, uint64_t, size))                \
	TRACEPOINT_LOGLEVEL(store, name, TRACE_INFO)

TRACEPOINT_ENUM(store, verb, TP_ENUM_VALUES(ctf_enum_value("read", 1) ctf_enum_value("write", 2)))
TRACEPOINT_EVENT_CLASS(store, call, TP_ARGS(HEAD, uint64_t, size),
	TP_FIELDS(HEAD_FIELDS ctf_integer(uint64_t, size, size)))
CALL(enter)
CALL(leave)
TRACEPOINT_EVENT(store, done, TP_ARGS(const named &, p, const std::shared_ptr<numbers> &, n),
	TP_FIELDS(
		ctf_integer(int, key, p.key())
		ctf_string(value, p.value().c_str())
		ctf_sequence(uint32_t, all, n->data(), size_t, n->size())
		ctf_integer(long, uses, n.use_count())
		ctf_float(double, half, n->empty() ? 0.0 : n->front() / 2.0)))
/* Strings that are gone behind the expression in which they are. */
TRACEPOINT_EVENT(store, passing, TP_ARGS(const std::string &, id),
	TP_FIELDS(
		ctf_string(first, (id + ", and more than fits into the object of a string").c_str())
		ctf_sequence_text(char, text, std::string(30, 't').data(), size_t, 30)
		ctf_string(last, std::string(40, 'l').c_str())))

#endif

#include <lttng/tracepoint-event.h>
