/* SPDX-License-Identifier: MIT */
/*
 * cases.cpp - <tacho/event.h> in C++, against a libtacho that remembers. What is the same in C is
 * tested by tests/unit/event_api.c.
 */
extern "C" {
#include <tacho/event.h>
}
#include <string>

#include "shared.h"
#include "tests/test.h"
#include "unit/event_api_fake.h"

#ifdef TACHO_TEST_PLUGIN
#include <dlfcn.h>
#endif

void hit_from_second();

#define INTEGER(bytes, flags) TACHO_TYPE(TACHO_KIND_INTEGER, bytes, flags)
#define FLOAT(bytes)          TACHO_TYPE(TACHO_KIND_FLOAT, bytes, 0)
#define STRING                TACHO_TYPE(TACHO_KIND_STRING, 1, 0)
#define ADDRESS INTEGER(sizeof(void *), TACHO_FLAG_HEX | TACHO_FLAG_POINTER)

static void assert_field(uint32_t type, const void *bytes, uint32_t count)
{
	assert_int_equal(fake.hits, 1u);
	assert_int_equal(fake.info->field_count, 1u);
	assert_string_equal(fake.info->fields[0].name, "v");
	assert_int_equal(fake.info->fields[0].type, type);
	assert_int_equal(fake.payload_bytes, count);
	assert_memory_equal(fake.payload, bytes, count);
	fake_reset();
}

#define ASSERT_SCALAR(value, type, stored_type)                                                    \
	do {                                                                                       \
		const stored_type stored = (stored_type)(value);                                   \
		tacho_event(shop, scalar, "v", value);                                             \
		assert_int_equal(fake.words, 1u);                                                  \
		assert_field(type, &stored, sizeof(stored));                                       \
	} while (0)

enum plain { PLAIN_A, PLAIN_B = 9 };
enum class narrow : int16_t { BELOW = -2 };
enum class wide : uint64_t { HUGE_ONE = ~0ull };

struct parcel {
	unsigned int three : 3;
	signed int five : 5;
	static const int CONSTANT = 12;
	int weigh() const
	{
		return 77;
	}
};

struct __attribute__((packed)) tight {
	char c;
	int unaligned;
};

static int constructed_early = [] {
	tacho_event(shop, static_constructor, "v", 1);
	return static_cast<int>(fake.event_count);
}();

static void events_work_in_static_constructors(void **)
{
	assert_true(constructed_early > 0);
}

static void scalars_have_their_types(void **)
{
	const bool yes = true;
	volatile short loud = -3;
	int number = 5;
	int &reference = number;
	const parcel box = {5, -7};
	const tight tied = {'c', 1234567};

	ASSERT_SCALAR(yes, INTEGER(1, TACHO_FLAG_BOOL), bool);
	ASSERT_SCALAR(loud, INTEGER(2, TACHO_FLAG_SIGNED), short);
	ASSERT_SCALAR(reference, INTEGER(4, TACHO_FLAG_SIGNED), int);
	ASSERT_SCALAR(~0ull, INTEGER(8, 0), unsigned long long);
	ASSERT_SCALAR(L'x', INTEGER(sizeof(wchar_t), L'x' - L'y' < 0 && (wchar_t)-1 < 0 ?
						      TACHO_FLAG_SIGNED : 0), wchar_t);
	ASSERT_SCALAR(u'x', INTEGER(2, 0), char16_t);
	ASSERT_SCALAR(1.5f, FLOAT(4), float);
	ASSERT_SCALAR(1.5L, FLOAT(8), double);
	ASSERT_SCALAR(box.three, INTEGER(4, 0), unsigned int);
	ASSERT_SCALAR(box.five, INTEGER(4, TACHO_FLAG_SIGNED), int);
	ASSERT_SCALAR(parcel::CONSTANT, INTEGER(4, TACHO_FLAG_SIGNED), int);
	ASSERT_SCALAR(box.weigh(), INTEGER(4, TACHO_FLAG_SIGNED), int);
	ASSERT_SCALAR(tied.unaligned, INTEGER(4, TACHO_FLAG_SIGNED), int);
}

static void enums_have_the_sign_of_their_type(void **)
{
	ASSERT_SCALAR(PLAIN_B, INTEGER(4, 0), unsigned int);
	ASSERT_SCALAR(narrow::BELOW, INTEGER(2, TACHO_FLAG_SIGNED), int16_t);
	ASSERT_SCALAR(wide::HUGE_ONE, INTEGER(8, 0), uint64_t);
	tacho_event(shop, hex, "v", tacho_hex(narrow::BELOW));
	assert_field(INTEGER(2, TACHO_FLAG_HEX), "\xfe\xff", 2);
}

static void pointers_of_all_kinds_are_addresses(void **)
{
	const parcel box = {0, 0};
	const volatile void *const where = &box;

	ASSERT_SCALAR(&box, ADDRESS, uintptr_t);
	ASSERT_SCALAR(where, ADDRESS, uintptr_t);
	ASSERT_SCALAR(hit_from_second, ADDRESS, uintptr_t);
	tacho_event(shop, null, "v", nullptr);
	assert_field(ADDRESS, "\0\0\0\0\0\0\0", sizeof(void *));
}

static void strings_outlive_the_expression_they_are_made_in(void **)
{
	const std::string half = "a string too long to be kept within the object";
	char array[8] = "array";

	tacho_event(shop, string, "v", (half + half).c_str());
	assert_field(STRING, (half + half).c_str(), static_cast<uint32_t>(2 * half.size() + 1));
	tacho_event(shop, string, "v", array);
	assert_field(STRING, "array", 6);
	tacho_event(shop, string, "v", __func__);
	assert_field(STRING, __func__, sizeof(__func__));
	tacho_event(shop, string, "v", static_cast<const char *>(nullptr));
	assert_field(STRING, "(null)", 7);
}

static void counted_values_have_their_length_first(void **)
{
	const int16_t numbers[] = {1, -2, 3};
	unsigned char expected[10] = {0};
	const uint32_t three = 3;

	memcpy(expected, &three, 4);
	memcpy(expected + 4, numbers, 6);
	tacho_event(shop, counted, "v", tacho_array(numbers, 3));
	assert_field(TACHO_TYPE(TACHO_KIND_SEQUENCE, 2, TACHO_FLAG_SIGNED), expected, 10);
	memcpy(expected + 4, "abc", 3);
	tacho_event(shop, counted, "v", tacho_text("abcd", 3));
	assert_field(TACHO_TYPE(TACHO_KIND_TEXT, 1, 0), expected, 7);
	tacho_event(shop, counted, "v", tacho_bytes("abcd", 3));
	assert_field(TACHO_TYPE(TACHO_KIND_BYTES, 1, 0), expected, 7);
	tacho_event(shop, counted, "v", tacho_text(nullptr, 3));
	assert_field(TACHO_TYPE(TACHO_KIND_TEXT, 1, 0), "\0\0\0", 4);
}

static void arguments_are_evaluated_once_and_in_order(void **)
{
	int count = 0;
	const int expected[] = {1, 2, 3};
	const auto next = [&count] { return ++count; };

	tacho_event(shop, ordered, "a", next(), "b", [&] { return next(); }(), "c", next());
	assert_memory_equal(fake.payload, expected, sizeof(expected));
	fake_enable("");
	tacho_event(shop, ordered, "a", next(), "b", std::string(std::to_string(next())).c_str());
	assert_int_equal(count, 3);
}

/* One event in another's value hides its variables. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
static void events_nest_in_lambdas(void **)
{
	const int expected[] = {4, 5};

	tacho_event(shop, outer, "a", [](int in) {
		tacho_event(shop, middle, "b", [](int deep) {
			tacho_event(shop, inner, "c", deep, "d", deep);
			return deep + 1;
		}(in), "e", in);
		tacho_log(TACHO_LEVEL_INFO, "%d %d", in, in);
		TACHO_SPAN(shop, span, "f", in, "g", in);
		return in + tacho_enabled(shop, inner);
	}(3), "h", 5);
	assert_string_equal(fake.names, "inner middle message span_begin span_end outer ");
	assert_memory_equal(fake.payload, expected, sizeof(expected));
}
#pragma GCC diagnostic pop

#if __cplusplus >= 201703L
static void structured_bindings_are_values(void **)
{
	struct {
		int a;
		const char *b;
	} pair = {4, "four"};
	const auto &[number, text] = pair;

	tacho_event(shop, bound, "a", number, "b", text);
	assert_memory_equal(fake.payload + 4, "four", 5);
}
#endif

#if __cplusplus >= 201402L
static void generic_lambdas_have_events_too(void **)
{
	int outer = 1;
	const auto hit = [outer](auto value) {
		tacho_event(shop, generic, "v", value, "outer", outer);
		TACHO_SPAN(shop, span, "v", value);
		tacho_log(TACHO_LEVEL_INFO, "%d", tacho_enabled(shop, generic));
	};

	hit(1);
	hit("text");
	assert_string_equal(fake.names, "generic span_begin message span_end "
					"generic span_begin message span_end ");
	assert_int_equal(fake_count_events("generic"), 2u);
}
#endif

template <class... T> static void hit_pack(T... value)
{
	tacho_event(shop, pack, "count", sizeof...(value), "sum", [](int x) { return x + 1; }(1));
}

static void templates_have_one_event_for_each_instance(void **)
{
	hit_template(1);
	hit_template("text");
	hit_template(&fake);
	hit_pack(1, 2, 3);
	[](int in_lambda) { tacho_event(shop, in_lambda, "v", in_lambda); }(1);
	assert_string_equal(fake.names, "in_template in_template in_template pack in_lambda ");
	assert_int_equal(fake_count_events("in_template"), 4u); /* and double, in second.cpp */
}

static void an_inline_function_in_two_units_is_one_event(void **)
{
	hit_inline(1);
	shelf{1}.count();
	hit_from_second();
	assert_int_equal(fake_count_events("in_inline"), 1u);
	assert_int_equal(fake_count_events("in_method"), 1u);
	assert_int_equal(fake.hits, 6u);
	assert_true(inline_is_enabled());
	fake_enable("");
	assert_false(inline_is_enabled());
	fake_reset();
	hit_from_second();
	assert_int_equal(fake.hits, 0u);
}

static void a_program_is_one_object(void **)
{
	assert_int_equal(fake.object_count, 1u);
	assert_true(fake.objects[0] == &tacho_this_object);
}

static void throw_through_span()
{
	TACHO_SPAN(shop, risky, "v", 1);
	throw 1;
}

static void a_span_ends_by_an_exception_too(void **)
{
	try {
		throw_through_span();
	} catch (int) {
		tacho_event(shop, caught);
	}
	assert_string_equal(fake.names, "risky_begin risky_end caught ");
}

static void a_message_is_formatted(void **)
{
	tacho_log(TACHO_LEVEL_INFO, "%s %d", "x", 1);
	assert_string_equal(reinterpret_cast<const char *>(fake.payload), "x 1");
	assert_int_equal(fake.info->level, static_cast<uint32_t>(TACHO_LEVEL_INFO));
}

#ifdef TACHO_TEST_PLUGIN
static void a_library_has_its_own_events_and_takes_them_along(void **)
{
	void *plugin = dlopen(TACHO_TEST_PLUGIN, RTLD_NOW | RTLD_GLOBAL);
	void (*hit)() = nullptr;

	assert_non_null(plugin);
	if (!plugin)
		return;
	assert_int_equal(fake.object_count, 2u);
	assert_string_equal(fake.names, "constructed ");
	assert_int_equal(fake_count_events("own"), 1u);
	assert_int_equal(fake_count_events("in_inline"), 2u);
	*reinterpret_cast<void **>(&hit) = dlsym(plugin, "plugin_hit");
	hit();
	assert_string_equal(fake.names, "constructed own in_inline ");
	assert_int_equal(dlclose(plugin), 0);
	assert_string_equal(fake.names, "constructed own in_inline destroyed ");
	assert_null(dlopen(TACHO_TEST_PLUGIN, RTLD_NOW | RTLD_NOLOAD));
	assert_int_equal(fake.object_count, 1u);
	assert_int_equal(fake_count_events("own"), 0u);
	assert_int_equal(fake_count_events("in_inline"), 1u);
}
#endif

static int enable_all(void **)
{
	fake_enable("*");
	fake_reset();
	return 0;
}

#define CASE(f) cmocka_unit_test_setup(f, enable_all)

int main()
{
	const struct CMUnitTest tests[] = {
		CASE(events_work_in_static_constructors),
		CASE(scalars_have_their_types),
		CASE(enums_have_the_sign_of_their_type),
		CASE(pointers_of_all_kinds_are_addresses),
		CASE(strings_outlive_the_expression_they_are_made_in),
		CASE(counted_values_have_their_length_first),
		CASE(arguments_are_evaluated_once_and_in_order),
#if __cplusplus >= 201402L
		CASE(generic_lambdas_have_events_too),
#endif
#if __cplusplus >= 201703L
		CASE(structured_bindings_are_values),
#endif
		CASE(events_nest_in_lambdas),
		CASE(templates_have_one_event_for_each_instance),
		CASE(an_inline_function_in_two_units_is_one_event),
		CASE(a_program_is_one_object),
		CASE(a_span_ends_by_an_exception_too),
		CASE(a_message_is_formatted),
#ifdef TACHO_TEST_PLUGIN
		CASE(a_library_has_its_own_events_and_takes_them_along),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
