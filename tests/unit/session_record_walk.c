/* SPDX-License-Identifier: MIT */
/* session_record_walk.c - going through records, good and bad ones (lib/session) */
#include "tests/test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/session.h"
#include "session/drain/record_walk.h"

#define ID_ALL_KINDS 1
#define ID_EMPTY     1000

static const struct event_field all_fields[] = {
	{ "u16", TACHO_TYPE(TACHO_KIND_INTEGER, 2, 0), 0 },
	{ "real", TACHO_TYPE(TACHO_KIND_FLOAT, 8, 0), 0 },
	{ "string", TACHO_TYPE(TACHO_KIND_STRING, 1, 0), 0 },
	{ "text", TACHO_TYPE(TACHO_KIND_TEXT, 1, 0), 0 },
	{ "bytes", TACHO_TYPE(TACHO_KIND_BYTES, 1, 0), 0 },
	{ "sequence", TACHO_TYPE(TACHO_KIND_SEQUENCE, 4, 0), 0 },
	{ "array", TACHO_TYPE(TACHO_KIND_ARRAY, 8, 0), 3 },
};

static struct event_desc all_kinds = {
	.provider = "test",
	.name = "all",
	.field_count = sizeof(all_fields) / sizeof(all_fields[0]),
	.fields = all_fields,
};
static struct event_desc empty = { .provider = "test", .name = "empty" };

static struct event_desc *descs[ID_EMPTY + 1] = {
	[ID_ALL_KINDS] = &all_kinds, [ID_EMPTY] = &empty
};
static uint64_t contexts[ID_EMPTY + 1]; /* none, unless a test says so */
static const struct event_table table = {
	.id_count = ID_EMPTY + 1, .desc = descs, .contexts = contexts
};

struct content {
	unsigned char bytes[4096];
	size_t count;
};

static void add(struct content *c, const void *data, size_t bytes)
{
	memcpy(c->bytes + c->count, data, bytes);
	c->count += bytes;
}

static void add_u32(struct content *c, uint32_t value)
{
	add(c, &value, sizeof(value));
}

static void add_extended(struct content *c, uint32_t id, uint64_t ts)
{
	unsigned char mark = TACHO_BIG_ENDIAN ? TACHO_ID_EXTENDED << 3 : TACHO_ID_EXTENDED;

	add(c, &mark, 1);
	add_u32(c, id);
	add(c, &ts, sizeof(ts));
}

static void add_payload(struct content *c)
{
	add(c, "\1\2", 2);
	add(c, "realreal", 8);
	add(c, "string", 7);
	add_u32(c, 4);
	add(c, "text", 4);
	add_u32(c, 0);
	add_u32(c, 2);
	add(c, "elemelem", 8);
	add(c, "arrayarrayarrayarrayarra", 24);
}

/* A writer record, one event with each header; the last at 0x8000007. Return: where they end. */
static size_t build(struct content *c, size_t ends[4])
{
	uint16_t id = ID_EMPTY;

	c->count = 0;
	add_extended(c, TACHO_ID_WRITER, 0x7fffff0);
	add(c, "pid.tid.name", 13);
	ends[0] = c->count;
	add_u32(c, tacho_header_word(0x7fffff5, ID_ALL_KINDS));
	add_payload(c);
	ends[1] = c->count;
	add_u32(c, tacho_header_word(0x7fffff6, TACHO_ID_MEDIUM));
	add(c, &id, sizeof(id));
	ends[2] = c->count;
	add_extended(c, ID_ALL_KINDS, 0x8000007);
	add_payload(c);
	return ends[3] = c->count;
}

static void last_record_tells_the_time(void **state)
{
	struct record_walk walk = { 0 };
	struct content c;
	size_t ends[4];

	(void)state;
	build(&c, ends);
	assert_int_equal(record_walk(&walk, &table, c.bytes, ends[0]), 0);
	assert_int_equal(walk.last_ts, 0x7fffff0);
	assert_int_equal(record_walk(&walk, &table, c.bytes, ends[1]), 0);
	assert_int_equal(walk.last_ts, 0x7fffff5);
	assert_int_equal(record_walk(&walk, &table, c.bytes, ends[2]), 0);
	assert_int_equal(walk.last_ts, 0x7fffff6);
	assert_int_equal(record_walk(&walk, &table, c.bytes, ends[3]), 0);
	assert_int_equal(walk.last_ts, 0x8000007);
	assert_int_equal(record_walk(&walk, &table, c.bytes, ends[3]), 0);
	assert_int_equal(walk.offset, ends[3]);
}

static void cut_record_is_refused_and_the_one_before_kept(void **state)
{
	struct content c;
	size_t ends[4];
	size_t count = 0;

	(void)state;
	build(&c, ends);
	for (size_t bytes = 1; bytes <= ends[3]; bytes++) {
		unsigned char *copy = malloc(bytes); /* so that a read beyond it is seen */
		struct record_walk walk = { 0 };
		bool is_whole = bytes == ends[count];

		memcpy(copy, c.bytes, bytes);
		assert_int_equal(record_walk(&walk, &table, copy, bytes), is_whole ? 0 : -EBADMSG);
		count += is_whole;
		assert_int_equal(walk.offset, count ? ends[count - 1] : 0);
		free(copy);
	}
	assert_int_equal(count, 4);
}

static void unknown_event_is_refused(void **state)
{
	struct record_walk walk = { 0 };
	struct content c = { .count = 0 };

	(void)state;
	add_u32(&c, tacho_header_word(5, 2));
	assert_int_equal(record_walk(&walk, &table, c.bytes, c.count), -EBADMSG);
	add_extended(&c, UINT32_MAX, 5);
	assert_int_equal(record_walk(&walk, &table, c.bytes + 4, c.count - 4), -EBADMSG);
}

static void contexts_stand_before_the_fields(void **state)
{
	const uint64_t mask = 1 << TACHO_CONTEXT_VTID | 1 << TACHO_CONTEXT_PROCNAME |
			      1 << TACHO_CONTEXT_UTS_NS;
	struct record_walk walk = { 0 };
	struct content c = { .count = 0 };

	(void)state;
	contexts[ID_ALL_KINDS] = mask;
	add_extended(&c, ID_ALL_KINDS, 5);
	add(&c, "vtid" "procname_procname" "uts_ns__", 4 + 17 + 8);
	add_payload(&c);
	add_u32(&c, tacho_header_word(6, ID_ALL_KINDS));
	add(&c, "vtid" "procname_procname" "uts_ns__", 4 + 17 + 8);
	add_payload(&c);
	assert_int_equal(record_walk(&walk, &table, c.bytes, c.count - 1), -EBADMSG);
	assert_int_equal(walk.last_ts, 5);
	assert_int_equal(record_walk(&walk, &table, c.bytes, c.count), 0);
	assert_int_equal(walk.last_ts, 6);
	contexts[ID_ALL_KINDS] = 0;
}

static void damage_never_leads_beyond_the_content(void **state)
{
	struct content c;
	size_t ends[4];
	size_t bytes = build(&c, ends);

	(void)state;
	srand(7);
	for (int i = 0; i < 20000; i++) {
		unsigned char *copy = malloc(bytes);
		struct record_walk walk = { 0 };

		memcpy(copy, c.bytes, bytes);
		for (int k = rand() % 4; k >= 0; k--)
			copy[(size_t)rand() % bytes] = (unsigned char)rand();
		record_walk(&walk, &table, copy, bytes);
		assert_true(walk.offset <= bytes);
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(last_record_tells_the_time),
		cmocka_unit_test(cut_record_is_refused_and_the_one_before_kept),
		cmocka_unit_test(unknown_event_is_refused),
		cmocka_unit_test(contexts_stand_before_the_fields),
		cmocka_unit_test(damage_never_leads_beyond_the_content),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
