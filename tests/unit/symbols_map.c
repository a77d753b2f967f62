/* SPDX-License-Identifier: MIT */
/* symbols_map.c - which module was where, and when (lib/symbols/map.c) */
#include "tests/test.h"

#include "symbols/map.c"

#define NS_END 1000

static const struct symbols_process first = { 1, 100 }, other_host = { 2, 100 };

static const char *path_at(struct map *map, struct symbols_process who, uint64_t time_ns,
			   uint64_t address)
{
	const struct place *place = map_find(map, who, time_ns, address);

	return place ? place->path : NULL;
}

static void dump(struct map *map, uint64_t time_ns, const char *program, const char *library)
{
	assert_int_equal(map_begin(map, first, time_ns), 0);
	assert_int_equal(map_load(map, first, time_ns + 1, 0x1000, 0x1000, program), 0);
	if (library)
		assert_int_equal(map_load(map, first, time_ns + 2, 0x8000, 0x800, library), 0);
	map_end(map, first);
}

static void what_a_process_tells_at_its_start_goes_for_earlier(void **state)
{
	struct map map = { 0 };

	(void)state;
	dump(&map, 10, "program", "library");
	assert_string_equal(path_at(&map, first, 0, 0x1000), "program");
	assert_string_equal(path_at(&map, first, NS_END, 0x1fff), "program");
	assert_string_equal(path_at(&map, first, 5, 0x87ff), "library");
	assert_null(path_at(&map, first, 5, 0x8800));
	assert_null(path_at(&map, first, 5, 0xfff));
	assert_null(path_at(&map, other_host, 5, 0x1000));
	map_free(&map);
}

static void a_library_is_there_from_its_load_to_its_unload(void **state)
{
	struct map map = { 0 };

	(void)state;
	dump(&map, 10, "program", NULL);
	map_load(&map, first, 20, 0x4000, 0x100, "plugin");
	map_load(&map, first, 21, 0x4000, 0x100, "plugin");
	map_unload(&map, first, 30, 0x4000);
	map_load(&map, first, 40, 0x4000, 0x200, "another");
	assert_null(path_at(&map, first, 19, 0x4000));
	assert_string_equal(path_at(&map, first, 20, 0x4000), "plugin");
	assert_string_equal(path_at(&map, first, 29, 0x40ff), "plugin");
	assert_null(path_at(&map, first, 30, 0x4000));
	assert_string_equal(path_at(&map, first, 40, 0x41ff), "another");
	map_free(&map);
}

static void what_lies_over_a_library_ends_it(void **state)
{
	struct map map = { 0 };

	(void)state;
	dump(&map, 10, "program", "library");
	map_load(&map, first, 20, 0x8400, 0x1000, "over_its_end");
	assert_string_equal(path_at(&map, first, 19, 0x8400), "library");
	assert_null(path_at(&map, first, 20, 0x8000));
	map_load(&map, first, 30, 0x7000, 0x10000, "over_all");
	assert_string_equal(path_at(&map, first, 30, 0x8400), "over_all");
	map_free(&map);
}

static void the_list_of_another_program_ends_the_first(void **state)
{
	struct map map = { 0 };

	(void)state;
	dump(&map, 10, "program", "library");
	dump(&map, 50, "executed", NULL);
	assert_string_equal(path_at(&map, first, 49, 0x1000), "program");
	assert_string_equal(path_at(&map, first, 49, 0x8000), "library");
	assert_string_equal(path_at(&map, first, 51, 0x1000), "executed");
	assert_null(path_at(&map, first, 51, 0x8000));
	map_free(&map);
}

static void a_list_that_says_the_same_again_changes_nothing(void **state)
{
	static const uint8_t id[] = { 1, 2, 3 };
	struct map map = { 0 };
	size_t count;

	(void)state;
	dump(&map, 10, "program", "library");
	map_build_id(&map, first, 0x8000, id, sizeof(id));
	count = map.place_count;
	dump(&map, 50, "program", "library");
	assert_int_equal(map.place_count, count);
	assert_string_equal(path_at(&map, first, 40, 0x8000), "library");
	assert_string_equal(path_at(&map, first, NS_END, 0x8000), "library");
	assert_int_equal(map_find(&map, first, 40, 0x8000)->build_id_bytes, sizeof(id));
	map_free(&map);
}

static void there_is_an_end_of_places(void **state)
{
	struct map map = { 0 };
	int err = 0;

	(void)state;
	for (uint64_t i = 0; !err && i <= SYMBOLS_PLACES_MAX; i++) {
		const struct symbols_process process = { 0, (uint32_t)(i / 16) };

		err = map_load(&map, process, 0, i << 12, 1, "x");
	}
	assert_true(err == -ENOSPC || err == -ENOMEM);
	assert_int_equal(map.place_count, SYMBOLS_PLACES_MAX);
	map_free(&map);
}

static void sizes_beyond_memory_and_odd_build_ids_do_no_harm(void **state)
{
	uint8_t id[SYMBOLS_BUILD_ID_MAX + 1] = { 0 };
	struct map map = { 0 };

	(void)state;
	map_load(&map, first, 1, UINT64_MAX - 1, UINT64_MAX, "all");
	map_load(&map, first, 2, 0, 0, "nothing");
	map_build_id(&map, first, UINT64_MAX - 1, id, sizeof(id));
	map_build_id(&map, first, 77, id, 4);
	map_end(&map, other_host);
	map_unload(&map, other_host, 3, 0);
	assert_string_equal(path_at(&map, first, 5, UINT64_MAX - 1), "all");
	assert_null(path_at(&map, first, 5, 0));
	assert_int_equal(map_find(&map, first, 5, UINT64_MAX - 1)->build_id_bytes, 0);
	map_free(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_process_tells_at_its_start_goes_for_earlier),
		cmocka_unit_test(a_library_is_there_from_its_load_to_its_unload),
		cmocka_unit_test(what_lies_over_a_library_ends_it),
		cmocka_unit_test(the_list_of_another_program_ends_the_first),
		cmocka_unit_test(a_list_that_says_the_same_again_changes_nothing),
		cmocka_unit_test(there_is_an_end_of_places),
		cmocka_unit_test(sizes_beyond_memory_and_odd_build_ids_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
