/* SPDX-License-Identifier: MIT */
/*
 * Where a record has the fields of a filter: payloads in unusual parts, descriptions that are wrong,
 * and a program whose floating point is not as usual.
 */
#include "tests/unit/filter_fixture.h"

#include <fenv.h>
#include <pthread.h>

static void use_event(struct filter_fixture *f, const struct event_field *fields,
		      unsigned int count)
{
	const struct event_desc desc = {
		.provider = "", .name = "", .file = "", .field_count = count, .fields = fields
	};

	assert_true(event_desc_build(&desc, f->desc, sizeof(f->desc)) > 0);
	f->part_count = 0;
}

static void add_part(struct filter_fixture *f, const void *data, uint32_t bytes, bool is_string)
{
	f->parts[f->part_count++] = (struct tacho_part){ data, bytes, is_string };
}

static const struct event_field few_fields[] = {
	{ "a", UNSIGNED_INTEGER(2), 0 }, { "s", TACHO_TYPE(TACHO_KIND_STRING, 1, 0), 0 },
	{ "b", UNSIGNED_INTEGER(2), 0 }, { "t", TACHO_TYPE(TACHO_KIND_TEXT, 1, 0), 0 },
	{ "c", UNSIGNED_INTEGER(2), 0 },
};

#define ALL_OF_FEW "a == 1 && s == \"xy\" && b == 2 && t == \"zz\" && c == 3"

static const uint16_t few_words[] = { 1, 2, 3 };

static void it_does_not_matter_how_a_payload_is_cut(void **state)
{
	struct filter_fixture *f = *state;
	static const char all[] = "\1\0xy\0\2\0\2\0\0\0zz\3\0";

	if (TACHO_BIG_ENDIAN)
		test_skip("the bytes are those of a little-endian machine");
	use_event(f, few_fields, 5);
	add_part(f, all, sizeof(all) - 1, false);
	assert_true(is_match(f, ALL_OF_FEW));
	use_event(f, few_fields, 5);
	add_part(f, "", 0, false);
	add_part(f, &few_words[0], 2, false);
	add_part(f, "", 0, false);
	add_part(f, "xy", 2, true);
	add_part(f, "", 0, false);
	add_part(f, "", 0, false);
	add_part(f, &few_words[1], 2, false);
	add_part(f, "\2\0\0\0", 4, false);
	add_part(f, "zz\3\0", 4, false);
	assert_true(is_match(f, ALL_OF_FEW));
}

static void a_payload_that_ends_too_early_is_false(void **state)
{
	struct filter_fixture *f = *state;

	use_event(f, few_fields, 5);
	assert_false(is_match(f, "a == 1 || a != 1"));
	add_part(f, &few_words[0], 1, false);
	assert_false(is_match(f, "a == 1 || a != 1"));
	f->part_count = 0;
	add_part(f, &few_words[0], 2, false);
	assert_true(is_match(f, "a == 1"));
	assert_false(is_match(f, "s == \"*\""));
	add_part(f, "not ended", 9, false);
	assert_false(is_match(f, "s == \"*\""));
	assert_false(is_match(f, "b == b"));
	/* A string where a number should be. */
	f->part_count = 0;
	add_part(f, "ab", 2, true);
	assert_false(is_match(f, "a == a"));
	assert_false(is_match(f, "b == b"));
}

static void a_count_that_is_too_large_is_false(void **state)
{
	static const struct event_field fields[] = {
		{ "q", TACHO_TYPE(TACHO_KIND_SEQUENCE, 8, 0), 0 },
		{ "z", UNSIGNED_INTEGER(1), 0 },
	};
	static const uint32_t counts[] = { 2, 0x20000000, UINT32_MAX };
	struct filter_fixture *f = *state;
	uint64_t word = 7;

	for (size_t i = 0; i < 3; i++) {
		use_event(f, fields, 2);
		add_part(f, &counts[i], 4, false);
		add_part(f, &word, 8, false);
		add_part(f, "z", 1, false);
		assert_false(is_match(f, "q[0] == 7"));
		assert_false(is_match(f, "z || !z"));
	}
}

static void a_payload_in_one_word_is_read(void **state)
{
	static const struct event_field fields[] = {
		{ "a", SIGNED_INTEGER(4), 0 },
		{ "b", SIGNED_INTEGER(2), 0 },
	};
	struct filter_fixture *f = *state;
	struct tacho_packer p;
	unsigned char buffer[16];

	tacho_pack_init(&p, buffer, f->parts);
	tacho_pack_integer(&p, (uint64_t)-3, 4);
	tacho_pack_integer(&p, 9, 2);
	use_event(f, fields, 2);
	add_part(f, &p.word, p.used_bytes, false);
	if (TACHO_BIG_ENDIAN)
		f->parts[0].data = &p.word;
	assert_true(is_match(f, "a == -3 && b == 9"));
}

static void lengths_may_be_of_any_size(void **state)
{
	static const struct event_field fields[] = {
		{ "t", TACHO_TYPE(TACHO_KIND_TEXT, 1, TACHO_FLAG_LENGTH_8), 0 },
		{ "q", TACHO_TYPE(TACHO_KIND_SEQUENCE, 2, TACHO_FLAG_LENGTH_64), 0 },
		{ "h", TACHO_TYPE(TACHO_KIND_BYTES, 1, TACHO_FLAG_LENGTH_16), 0 },
		{ "z", UNSIGNED_INTEGER(1), 0 },
	};
	static const uint64_t counts[] = { 3, 1ull << 32, UINT64_MAX };
	struct filter_fixture *f = *state;
	const uint16_t two = 2;

	for (int i = 0; i < 3; i++) {
		use_event(f, fields, 4);
		add_part(f, "\2ab", 3, false);
		add_part(f, &counts[i], 8, false);
		add_part(f, few_words, 6, false);
		add_part(f, &two, 2, false);
		add_part(f, "xyz", 3, false);
		assert_true(is_match(f, "t == \"ab\""));
		assert_int_equal(is_match(f, "q[2] == 3 && h == \"xy\" && z == 'z'"), i == 0);
	}
}

static void network_order_is_turned_round(void **state)
{
	static const struct event_field fields[] = {
		{ "a", TACHO_TYPE(TACHO_KIND_INTEGER, 2, TACHO_FLAG_NETWORK), 0 },
		{ "b", TACHO_TYPE(TACHO_KIND_INTEGER, 4, TACHO_FLAG_NETWORK | TACHO_FLAG_SIGNED),
		  0 },
		{ "c", TACHO_TYPE(TACHO_KIND_INTEGER, 8, TACHO_FLAG_NETWORK), 0 },
		{ "d", TACHO_TYPE(TACHO_KIND_ARRAY, 1, TACHO_FLAG_NETWORK | TACHO_FLAG_SIGNED), 1 },
	};

	use_event(*state, fields, 4);
	add_part(*state, "\1\2\xff\xff\xff\xfe\x80\0\0\0\0\0\0\1\xff", 15, false);
	assert_true(
		is_match(*state, "a == 258 && b == -2 && c == 0x8000000000000001 && d[0] == -1"));
}

static void memory_suffices_exactly(void **state)
{
	struct filter_fixture *f = *state;
	const struct tacho_desc *desc = (const struct tacho_desc *)f->desc;
	struct tacho_filter *filter = compiled(f, "last == 14 && name == \"a*\" && i8");
	size_t bytes = filter_linked_bytes(filter, desc);
	/* Exactly as long, for the tools that watch blocks. */
	void *memory = malloc(bytes);
	const struct filter_linked *l;

	assert_non_null(memory);
	assert_null(filter_link(filter, desc, memory, bytes - 1));
	l = filter_link(filter, desc, memory, bytes);
	assert_non_null(l);
	assert_true(filter_run_parts(l, f->parts, f->part_count, NULL, NULL));
	free(memory);
	free(filter);
}

static void of_two_equal_names_the_first_counts(void **state)
{
	static const struct event_field fields[] = {
		{ "a", UNSIGNED_INTEGER(2), 0 },
		{ "a", UNSIGNED_INTEGER(2), 0 },
	};

	use_event(*state, fields, 2);
	add_part(*state, few_words, 4, false);
	assert_true(is_match(*state, "a == 1"));
}

static void keys_are_found_as_the_trace_shows_them(void **state)
{
	static const struct event_field fields[] = {
		{ "a-b.c", UNSIGNED_INTEGER(2), 0 },
		{ "\xc3\xa4", UNSIGNED_INTEGER(2), 0 },
		{ "_20", UNSIGNED_INTEGER(2), 0 },
	};

	use_event(*state, fields, 3);
	add_part(*state, few_words, 6, false);
	assert_true(is_match(*state, "a_2db.c == 1 && a_2db_2ec == 1 && _c3_a4 == 2 && _20 == 3"));
	assert_false(is_match(*state, "a_2Db_2ec == 1"));
	assert_false(is_match(*state, "a_2db_2e == 1"));
	assert_false(is_match(*state, "a_2db_2ecc == 1"));
}

static const char *lacking(struct filter_fixture *f, const char *text, char room[32])
{
	struct tacho_filter *filter = compiled(f, text);
	const struct tacho_filter_field *field =
		filter_lacks(filter, (const struct tacho_desc *)f->desc);

	if (field)
		snprintf(room, 32, "%.*s", (int)field->name_bytes,
			 tacho_filter_pool(filter) + field->name_at);
	free(filter);
	return field ? room : "";
}

static void the_field_that_an_event_lacks_is_told(void **state)
{
	char room[32];

	assert_string_equal(lacking(*state, "i8 == 1 && order_2eid && a_20b", room), "");
	assert_string_equal(lacking(*state, "i8 == 1 && i9 == 2 && i10", room), "i9");
	assert_string_equal(lacking(*state, "order.idx[3]", room), "order.idx");
}

/* ---- descriptions that are wrong ---- */

static void a_description_that_is_wrong_is_not_left(void **state)
{
	struct filter_fixture *f = *state;
	struct tacho_desc *desc = (struct tacho_desc *)f->desc;
	struct tacho_desc_field *field = (struct tacho_desc_field *)(desc + 1);
	struct tacho_filter *filter = compiled(f, "i8 == -8 && last == 14");
	uint32_t sizes[] = { 0, 39, 40, UINT32_MAX }, bytes = desc->bytes;

	assert_non_null(linked(f, filter));
	for (size_t i = 0; i < 4; i++) {
		desc->bytes = sizes[i];
		assert_null(linked(f, filter));
	}
	desc->bytes = bytes;
	desc->field_count = TACHO_FIELDS_MAX + 1;
	assert_null(linked(f, filter));
	desc->field_count = UINT32_MAX;
	assert_null(linked(f, filter));
	desc->field_count = ALL_FIELDS_COUNT;
	field[0].name_at = bytes;
	assert_null(linked(f, filter));
	field[0].name_at = UINT32_MAX;
	assert_null(linked(f, filter));
	free(filter);
}

/* Whatever types a description claims, only the payload is read. */
static void any_type_is_harmless(void **state)
{
	struct filter_fixture *f = *state;
	struct tacho_desc_field *field =
		(struct tacho_desc_field *)((struct tacho_desc *)f->desc + 1);
	struct tacho_filter *number = compiled(f, "i16 == 3 || last[1] == 3");
	struct tacho_filter *text = compiled(f, "string == \"x\" || last == \"*\"");

	for (uint32_t type = 0; type < 1 << 27; type += type < 4096 ? 1 : 7919) {
		struct tacho_desc_field saved[ALL_FIELDS_COUNT];
		const struct tacho_filter *filters[] = { number, text };

		memcpy(saved, field, sizeof(saved));
		for (size_t i = type % 3; i < ALL_FIELDS_COUNT; i += 3) {
			field[i].type = type;
			field[i].count = type % 7 == 0 ? UINT32_MAX : type;
		}
		for (int i = 0; i < 2; i++) {
			const struct filter_linked *l = linked(f, filters[i]);

			if (l)
				filter_run_parts(l, f->parts, f->part_count, some_context, NULL);
		}
		memcpy(field, saved, sizeof(saved));
	}
	free(number);
	free(text);
}

/* ---- the program's surroundings ---- */

static void floating_point_is_left_as_it_was(void **state)
{
	struct filter_fixture *f = *state;
	struct tacho_filter *filter = compiled(f, "1.0 / 3 == 0.33333333333333333 && real / 0 > 1");
	const struct filter_linked *l = linked(f, filter);
	bool answer;

	assert_non_null(l);
	feclearexcept(FE_ALL_EXCEPT);
	fesetround(FE_UPWARD);
	answer = filter_run_parts(l, f->parts, f->part_count, some_context, NULL);
	assert_int_equal(fegetround(), FE_UPWARD);
	assert_int_equal(fetestexcept(FE_ALL_EXCEPT), 0);
	fesetround(FE_TONEAREST);
	assert_true(answer);
	free(filter);
}

static void exceptions_that_kill_do_not(void **state)
{
	struct filter_fixture *f = *state;
	struct tacho_filter *filter = compiled(f, "0.0 / 0.0 < 1 || real / 0 > 1");
	const struct filter_linked *l = linked(f, filter);
	bool answer;

	assert_non_null(l);
	feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
	answer = filter_run_parts(l, f->parts, f->part_count, some_context, NULL);
	assert_int_equal(fegetexcept(), FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
	fedisableexcept(FE_ALL_EXCEPT);
	assert_true(answer);
	free(filter);
}

/* A string of another thread: its bytes change, and may be without an end for a while. */
#ifdef __SANITIZE_THREAD__
#define ARE_RACES_TOLD 1
#else
#define ARE_RACES_TOLD 0
#endif

struct changing {
	char text[64];
	int stop;
};

static void *change(void *data)
{
	struct changing *c = data;

	for (unsigned int i = 0; !tacho_load_relaxed(&c->stop); i++) {
		for (size_t k = 0; k < sizeof(c->text); k++)
			__atomic_store_n(&c->text[k], (char)(i * 7 + k), __ATOMIC_RELAXED);
	}
	return NULL;
}

static void text_that_changes_meanwhile_is_harmless(void **state)
{
	struct filter_fixture *f = *state;
	struct changing *c = calloc(1, sizeof(*c));
	struct tacho_filter *filter = compiled(f, "s == \"*ab*b*c*\" || s == s || s[3] == 'a'");
	const struct filter_linked *l;
	pthread_t thread;

	if (ARE_RACES_TOLD)
		test_skip("the race is the program's own, and meant");
	assert_non_null(c);
	use_event(f, few_fields, 5);
	add_part(f, few_words, 2, false);
	add_part(f, c->text, sizeof(c->text), true);
	l = linked(f, filter);
	assert_non_null(l);
	assert_int_equal(pthread_create(&thread, NULL, change, c), 0);
	for (int i = 0; i < 100000; i++)
		filter_run_parts(l, f->parts, f->part_count, some_context, NULL);
	tacho_store_relaxed(&c->stop, 1);
	pthread_join(thread, NULL);
	free(filter);
	free(c);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, filter_set_up, filter_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(it_does_not_matter_how_a_payload_is_cut),
		CASE(a_payload_that_ends_too_early_is_false),
		CASE(a_count_that_is_too_large_is_false),
		CASE(a_payload_in_one_word_is_read),
		CASE(lengths_may_be_of_any_size),
		CASE(network_order_is_turned_round),
		CASE(memory_suffices_exactly),
		CASE(of_two_equal_names_the_first_counts),
		CASE(keys_are_found_as_the_trace_shows_them),
		CASE(the_field_that_an_event_lacks_is_told),
		CASE(a_description_that_is_wrong_is_not_left),
		CASE(any_type_is_harmless),
		CASE(floating_point_is_left_as_it_was),
		CASE(exceptions_that_kill_do_not),
		CASE(text_that_changes_meanwhile_is_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
