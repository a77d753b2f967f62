/* SPDX-License-Identifier: MIT */
/*
 * filter_event.h - an event and its record, for the fuzz targets of filters to run on: a field of
 * each kind, in blocks of exactly their size, for the tools that watch such blocks.
 */
#ifndef TACHO_TESTS_FUZZ_FILTER_EVENT_H
#define TACHO_TESTS_FUZZ_FILTER_EVENT_H

#include <stdlib.h>
#include <string.h>

#include "base/event_desc.h"
#include "filter/filter.h"

#define EVENT_FIELDS 12
#define EVENT_PARTS  14

static inline void check(int is_true)
{
	if (!is_true)
		abort();
}

static inline void *block(const void *data, size_t bytes)
{
	void *copy = malloc(bytes ? bytes : 1);

	check(copy != NULL);
	return memcpy(copy, data, bytes);
}

static inline struct tacho_desc *event_desc_make(void)
{
	static const struct event_field fields[EVENT_FIELDS] = {
		{ "a", TACHO_TYPE(TACHO_KIND_INTEGER, 1, TACHO_FLAG_SIGNED), 0 },
		{ "b", TACHO_TYPE(TACHO_KIND_INTEGER, 8, TACHO_FLAG_SIGNED), 0 },
		{ "c", TACHO_TYPE(TACHO_KIND_INTEGER, 8, 0), 0 },
		{ "d", TACHO_TYPE(TACHO_KIND_FLOAT, 8, 0), 0 },
		{ "s", TACHO_TYPE(TACHO_KIND_STRING, 1, 0), 0 },
		{ "e", TACHO_TYPE(TACHO_KIND_FLOAT, 4, 0), 0 },
		{ "t", TACHO_TYPE(TACHO_KIND_TEXT, 1, 0), 0 },
		{ "h", TACHO_TYPE(TACHO_KIND_BYTES, 1, 0), 0 },
		{ "l", TACHO_TYPE(TACHO_KIND_ARRAY, 2, 0), 3 },
		{ "m", TACHO_TYPE(TACHO_KIND_SEQUENCE, 8, TACHO_FLAG_FLOAT), 0 },
		{ "n", TACHO_TYPE(TACHO_KIND_SEQUENCE, 1, TACHO_FLAG_CHAR), 0 },
		{ "o.p", TACHO_TYPE(TACHO_KIND_INTEGER, 2, 0), 0 },
	};
	static const struct event_desc desc = {
		.provider = "fuzz",
		.name = "all",
		.file = "",
		.field_count = EVENT_FIELDS,
		.fields = fields,
	};
	char bytes[1024];
	int n = event_desc_build(&desc, bytes, sizeof(bytes));

	check(n > 0);
	return block(bytes, (size_t)n);
}

static inline uint32_t event_parts_make(struct tacho_part parts[EVENT_PARTS])
{
	static const uint32_t counts[] = { 5, 3, 2, 4 };
	static const int64_t words[] = { INT64_MIN, -1 };
	static const double reals[] = { 2.5, -0.0 };
	static const struct tacho_part all[EVENT_PARTS] = {
		{ "\xf8", 1, 0 },         { words, 16, 0 },         { reals, 8, 0 },
		{ "a*b.log", 7, 1 },      { "\0\0\x80\x3f", 4, 0 }, { &counts[0], 4, 0 },
		{ "te\0xt", 5, 0 },       { &counts[1], 4, 0 },     { "\1\2\xff", 3, 0 },
		{ "\1\0\2\0\3\0", 6, 0 }, { &counts[2], 4, 0 },     { reals, 16, 0 },
		{ &counts[3], 4, 0 },     { "anna\7\0", 6, 0 },
	};

	for (int i = 0; i < EVENT_PARTS; i++) {
		parts[i] = all[i];
		parts[i].data = block(all[i].data, all[i].bytes);
	}
	return EVENT_PARTS;
}

static inline int event_context(void *data, uint32_t context, struct filter_value *ret_value)
{
	(void)data;
	ret_value->kind = context == 2 ? FILTER_STRING : FILTER_SIGNED;
	if (context == 2) {
		ret_value->text = "shop";
		ret_value->bytes = 4;
	} else {
		ret_value->word = context;
	}
	return context % 7 == 6 ? -1 : 0;
}

/* Link it to the event and, where that is possible, run it. */
static inline void event_run(const struct tacho_filter *filter)
{
	static struct tacho_part parts[EVENT_PARTS];
	static struct tacho_desc *desc;
	const struct filter_linked *linked;
	size_t bytes;
	void *memory;

	if (!desc) {
		desc = event_desc_make();
		event_parts_make(parts);
	}
	bytes = filter_linked_bytes(filter, desc);
	memory = malloc(bytes);
	check(memory != NULL);
	linked = filter_link(filter, desc, memory, bytes);
	if (linked) {
		bool answer = filter_run_parts(linked, parts, EVENT_PARTS, event_context, NULL);

		check(answer == filter_run_parts(linked, parts, EVENT_PARTS, event_context, NULL));
		/* A record that is cut: another answer perhaps, but an answer. */
		filter_run_parts(linked, parts, EVENT_PARTS / 2, event_context, NULL);
	}
	free(memory);
}

#endif
