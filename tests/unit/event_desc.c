/* SPDX-License-Identifier: MIT */
/*
 * Descriptions of events from memory that others write.
 */
#include "tests/test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/event_desc.h"

static const struct event_field fields[] = {
	{ "id", TACHO_TYPE(TACHO_KIND_INTEGER, 4, TACHO_FLAG_SIGNED), 0 },
	{ "name", TACHO_TYPE(TACHO_KIND_STRING, 1, 0), 0 },
	{ "", TACHO_TYPE(TACHO_KIND_ARRAY, 8, TACHO_FLAG_FLOAT), 3 },
};
static const struct event_desc sample = {
	.provider = "shop",
	.name = "order_placed",
	.file = "src/shop.c",
	.line = 42,
	.level = TACHO_LEVEL_WARNING,
	.field_count = 3,
	.fields = fields,
};

struct fixture {
	uint64_t bytes[TACHO_DESC_BYTES_MAX / 8];
	size_t size;
	struct tacho_error error;
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	int bytes;

	assert_non_null(f);
	bytes = event_desc_build(&sample, f->bytes, sizeof(f->bytes));
	assert_true(bytes > 0 && bytes % 8 == 0);
	f->size = (size_t)bytes;
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	free(*state);
	return 0;
}

static struct tacho_desc *head(struct fixture *f)
{
	return (struct tacho_desc *)f->bytes;
}

static struct tacho_desc_field *field(struct fixture *f, size_t i)
{
	return (struct tacho_desc_field *)(head(f) + 1) + i;
}

static void hash_again(struct fixture *f)
{
	head(f)->hash =
		tacho_desc_hash((char *)f->bytes + TACHO_DESC_HASHED, f->size - TACHO_DESC_HASHED);
}

/* The description, with its hash made right, is refused, with @reason. */
static void expect_refusal(struct fixture *f, const char *reason)
{
	struct event_desc *desc;

	hash_again(f);
	assert_int_equal(event_desc_parse(f->bytes, f->size, &desc, &f->error), -EBADMSG);
	assert_non_null(strstr(f->error.text, reason));
}

static void what_was_built_is_parsed_back(void **state)
{
	struct fixture *f = *state;
	struct event_desc *desc;

	assert_int_equal(event_desc_parse(f->bytes, sizeof(f->bytes), &desc, &f->error), 0);
	memset(f->bytes, 0xff, sizeof(f->bytes));
	assert_string_equal(desc->provider, sample.provider);
	assert_string_equal(desc->name, sample.name);
	assert_string_equal(desc->file, sample.file);
	assert_int_equal(desc->line, sample.line);
	assert_int_equal(desc->level, sample.level);
	assert_int_equal(desc->field_count, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(desc->fields[i].name, fields[i].name);
		assert_int_equal(desc->fields[i].type, fields[i].type);
		assert_int_equal(desc->fields[i].count, fields[i].count);
	}
	event_desc_free(desc);
	event_desc_free(NULL);
}

static void what_does_not_fit_is_not_built(void **state)
{
	static const struct event_field many[TACHO_FIELDS_MAX] = { { NULL, 0, 0 } };
	struct event_field long_fields[TACHO_FIELDS_MAX];
	struct event_desc desc = sample;
	struct fixture *f = *state;
	char name[TACHO_NAME_MAX + 1];

	for (size_t size = 0; size < f->size; size++)
		assert_int_equal(event_desc_build(&sample, f->bytes, size), -E2BIG);
	memcpy(long_fields, many, sizeof(many));
	memset(name, 'n', TACHO_NAME_MAX);
	name[TACHO_NAME_MAX] = 0;
	for (size_t i = 0; i < TACHO_FIELDS_MAX; i++)
		long_fields[i].name = name;
	desc.fields = long_fields;
	desc.field_count = TACHO_FIELDS_MAX;
	assert_int_equal(event_desc_build(&desc, f->bytes, sizeof(f->bytes)), -E2BIG);
}

static void a_description_that_is_cut_is_refused(void **state)
{
	struct fixture *f = *state;
	struct event_desc *desc;

	for (size_t size = 0; size < f->size; size++)
		assert_int_equal(event_desc_parse(f->bytes, size, &desc, NULL), -EBADMSG);
}

static void a_size_out_of_range_is_refused(void **state)
{
	static const uint32_t sizes[] = { 0, 8, 39, 41, 47, 65544, UINT32_MAX, UINT32_MAX - 7 };
	struct fixture *f = *state;
	struct event_desc *desc;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		head(f)->bytes = sizes[i];
		assert_int_equal(event_desc_parse(f->bytes, sizeof(f->bytes), &desc, NULL),
				 -EBADMSG);
	}
}

static void any_changed_byte_is_noticed(void **state)
{
	struct fixture *f = *state;
	struct event_desc *desc;

	for (size_t at = 4; at < f->size; at++) {
		((unsigned char *)f->bytes)[at] ^= 0x5a;
		assert_int_equal(event_desc_parse(f->bytes, f->size, &desc, NULL), -EBADMSG);
		((unsigned char *)f->bytes)[at] ^= 0x5a;
	}
}

static void strings_outside_are_refused(void **state)
{
	struct fixture *f = *state;
	uint32_t wrong[] = { 0, 39, (uint32_t)f->size, (uint32_t)f->size + 1, UINT32_MAX };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		uint32_t *places[] = { &head(f)->provider_at, &head(f)->event_at, &head(f)->file_at,
				       &field(f, 1)->name_at };

		for (size_t k = 0; k < 4; k++) {
			uint32_t right = *places[k];

			*places[k] = wrong[i];
			expect_refusal(f, "not a string");
			*places[k] = right;
		}
	}
}

static void a_string_without_an_end_is_refused(void **state)
{
	struct fixture *f = *state;

	memset((char *)f->bytes + f->size - 8, 'x', 8);
	field(f, 2)->name_at = (uint32_t)f->size - 4;
	expect_refusal(f, "not a string");
}

/* The description, with its hash made right, is taken. */
static struct event_desc *expect_success(struct fixture *f)
{
	struct event_desc *desc = NULL;

	hash_again(f);
	if (event_desc_parse(f->bytes, f->size, &desc, &f->error))
		fail_msg("%s", f->error.text);
	return desc;
}

static void names_are_cut_but_files_are_not(void **state)
{
	struct event_desc desc = sample, *parsed;
	struct fixture *f = *state;
	char name[TACHO_NAME_MAX + 2];

	memset(name, 'n', sizeof(name));
	name[TACHO_NAME_MAX + 1] = 0;
	desc.name = name;
	desc.file = name;
	f->size = (size_t)event_desc_build(&desc, f->bytes, sizeof(f->bytes));
	parsed = expect_success(f);
	assert_int_equal(strlen(parsed->name), TACHO_NAME_MAX);
	assert_int_equal(strlen(parsed->file), TACHO_NAME_MAX + 1);
	event_desc_free(parsed);
}

static void types_whose_size_is_unknown_are_refused(void **state)
{
	static const uint32_t types[] = {
		TACHO_TYPE(TACHO_KIND_NONE, 4, 0),
		TACHO_TYPE(TACHO_KIND_MAX + 1, 4, 0),
		TACHO_TYPE(TACHO_KIND_STRING, 2, 0),
		TACHO_TYPE(TACHO_KIND_TEXT, 4, 0),
		TACHO_TYPE(TACHO_KIND_BYTES, 0, 0),
		TACHO_TYPE(TACHO_KIND_SEQUENCE, 0, 0),
		TACHO_TYPE(TACHO_KIND_SEQUENCE, 16, TACHO_FLAG_FLOAT),
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		field(f, 0)->type = types[i];
		expect_refusal(f, "type of a field");
	}
}

static void odd_types_of_a_known_size_are_described(void **state)
{
	static const struct {
		uint32_t type, count, shown_type, shown_count;
	} cases[] = {
		{ TACHO_TYPE(TACHO_KIND_INTEGER, 16, 0), 0,
		  TACHO_TYPE(TACHO_KIND_ARRAY, 1, TACHO_FLAG_HEX), 16 },
		{ TACHO_TYPE(TACHO_KIND_INTEGER, 3, TACHO_FLAG_SIGNED), 0,
		  TACHO_TYPE(TACHO_KIND_ARRAY, 1, TACHO_FLAG_HEX), 3 },
		{ TACHO_TYPE(TACHO_KIND_FLOAT, 2, 0), 0,
		  TACHO_TYPE(TACHO_KIND_ARRAY, 1, TACHO_FLAG_HEX), 2 },
		{ TACHO_TYPE(TACHO_KIND_ARRAY, 16, 0), 3,
		  TACHO_TYPE(TACHO_KIND_ARRAY, 1, TACHO_FLAG_HEX), 48 },
		{ TACHO_TYPE(TACHO_KIND_INTEGER, 4, TACHO_FLAG_FLOAT), 7,
		  TACHO_TYPE(TACHO_KIND_INTEGER, 4, 0), 0 },
		{ TACHO_TYPE(TACHO_KIND_INTEGER, 4, TACHO_FLAG_ALL + 1), 0,
		  TACHO_TYPE(TACHO_KIND_INTEGER, 4, 0), 0 },
		{ TACHO_TYPE(TACHO_KIND_TEXT, 1, TACHO_FLAG_FLOAT), 0,
		  TACHO_TYPE(TACHO_KIND_TEXT, 1, 0), 0 },
		{ TACHO_TYPE(TACHO_KIND_SEQUENCE, 2, TACHO_FLAG_FLOAT), 0,
		  TACHO_TYPE(TACHO_KIND_SEQUENCE, 2, 0), 0 },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct event_desc *desc;

		field(f, 0)->type = cases[i].type;
		field(f, 0)->count = cases[i].count;
		desc = expect_success(f);
		assert_int_equal(desc->fields[0].type, cases[i].shown_type);
		assert_int_equal(desc->fields[0].count, cases[i].shown_count);
		event_desc_free(desc);
	}
}

static void a_level_out_of_range_is_the_least_grave(void **state)
{
	static const uint32_t levels[] = { TACHO_LEVEL_MAX + 1, 99, UINT32_MAX };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		struct event_desc *desc;

		head(f)->level = levels[i];
		desc = expect_success(f);
		assert_int_equal(desc->level, TACHO_LEVEL_MAX);
		event_desc_free(desc);
	}
}

static void counts_out_of_range_are_refused(void **state)
{
	struct fixture *f = *state;

	field(f, 2)->count = UINT32_MAX;
	expect_refusal(f, "larger than any buffer");
	field(f, 2)->type = TACHO_TYPE(TACHO_KIND_ARRAY, 255, 0);
	expect_refusal(f, "type of a field");
	field(f, 2)->type = fields[2].type;
	field(f, 2)->count = 1;
	head(f)->field_count = TACHO_FIELDS_MAX + 1;
	expect_refusal(f, "too many fields");
	head(f)->field_count = (uint32_t)(f->size - sizeof(struct tacho_desc)) / 16 + 1;
	expect_refusal(f, "too many fields");
}

/* ---- names of values ---- */

static const struct event_label labels[] = {
	{ "none", 0, 0 },
	{ "few", 1, 9 },
	{ "minus", (uint64_t)-1, (uint64_t)-1 },
	{ "few", 11, 12 },
};
static const struct event_labels labelled[] = { { labels, 4 }, { NULL, 0 }, { labels, 1 } };

static void build_labelled(struct fixture *f)
{
	struct event_desc desc = sample;

	desc.labels = labelled;
	desc.model_uri = "urn:example:order";
	f->size = (size_t)event_desc_build(&desc, f->bytes, sizeof(f->bytes));
	assert_true(f->size < sizeof(f->bytes));
}

static void names_of_values_are_parsed_back(void **state)
{
	struct fixture *f = *state;
	struct event_desc *desc;

	build_labelled(f);
	desc = expect_success(f);
	assert_string_equal(desc->model_uri, "urn:example:order");
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(desc->labels[i].count, labelled[i].count);
		for (size_t j = 0; j < labelled[i].count; j++) {
			assert_string_equal(desc->labels[i].label[j].text, labels[j].text);
			assert_true(desc->labels[i].label[j].low == labels[j].low);
			assert_true(desc->labels[i].label[j].high == labels[j].high);
		}
	}
	event_desc_free(desc);
}

static struct tacho_desc_labels *raw_labels(struct fixture *f)
{
	return (struct tacho_desc_labels *)(void *)((char *)f->bytes + field(f, 0)->labels_at);
}

/* The event is there without them, and other fields have theirs. */
static void expect_labels(struct fixture *f, unsigned int first, unsigned int third)
{
	struct event_desc *desc = expect_success(f);

	assert_int_equal(desc->labels[0].count, first);
	assert_int_equal(desc->labels[2].count, third);
	event_desc_free(desc);
}

static void names_of_values_that_cannot_be_had_are_left_out(void **state)
{
	static const uint32_t places[] = { 1, 39, TACHO_DESC_BYTES_MAX, UINT32_MAX };
	static const uint32_t counts[] = { 1000, TACHO_LABELS_MAX + 1, UINT32_MAX };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		build_labelled(f);
		field(f, 0)->labels_at = places[i];
		expect_labels(f, 0, 1);
	}
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		build_labelled(f);
		raw_labels(f)->count = counts[i];
		expect_labels(f, 0, 1);
	}
	build_labelled(f);
	((struct tacho_desc_label *)(void *)(raw_labels(f) + 1))[2].text_at = UINT32_MAX;
	expect_labels(f, 2, 1);
}

static void fields_may_share_names_of_values(void **state)
{
	struct fixture *f = *state;

	build_labelled(f);
	field(f, 2)->labels_at = field(f, 0)->labels_at;
	expect_labels(f, 4, 4);
}

static void a_model_that_is_no_string_is_none(void **state)
{
	struct fixture *f = *state;
	struct event_desc *desc;

	build_labelled(f);
	head(f)->model_uri_at = UINT32_MAX;
	desc = expect_success(f);
	assert_null(desc->model_uri);
	event_desc_free(desc);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_was_built_is_parsed_back),
		TEST(what_does_not_fit_is_not_built),
		TEST(a_description_that_is_cut_is_refused),
		TEST(a_size_out_of_range_is_refused),
		TEST(any_changed_byte_is_noticed),
		TEST(strings_outside_are_refused),
		TEST(a_string_without_an_end_is_refused),
		TEST(names_are_cut_but_files_are_not),
		TEST(types_whose_size_is_unknown_are_refused),
		TEST(odd_types_of_a_known_size_are_described),
		TEST(a_level_out_of_range_is_the_least_grave),
		TEST(counts_out_of_range_are_refused),
		TEST(names_of_values_are_parsed_back),
		TEST(names_of_values_that_cannot_be_had_are_left_out),
		TEST(fields_may_share_names_of_values),
		TEST(a_model_that_is_no_string_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
