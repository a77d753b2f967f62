/* SPDX-License-Identifier: MIT */
/* view_map.c - what is known by a key, and its limit (cli/view/map.c) */
#include "tests/test.h"

#include "cli/text.c"
#include "cli/view/map.c"

static void values_stay_where_they_are(void **state)
{
	struct view_map *map = view_map_new(sizeof(uint64_t), 100000);
	uint64_t *first = view_map_get(map, "first", 5);

	(void)state;
	*first = 7;
	for (uint32_t i = 0; i < 10000; i++)
		*(uint64_t *)view_map_get(map, &i, sizeof(i)) = i;
	assert_ptr_equal(view_map_find(map, "first", 5), first);
	assert_int_equal(*first, 7);
	for (uint32_t i = 0; i < 10000; i++)
		assert_int_equal(*(uint64_t *)view_map_find(map, &i, sizeof(i)), i);
	assert_int_equal(view_map_count(map), 10001);
	view_map_free(map);
}

static void new_values_are_zero_also_after_a_removal(void **state)
{
	struct view_map *map = view_map_new(3, 10);
	unsigned char *value = view_map_get(map, "k", 1);

	(void)state;
	value[0] = value[2] = 255;
	view_map_remove(map, "k", 1);
	view_map_remove(map, "k", 1);
	assert_null(view_map_find(map, "k", 1));
	value = view_map_get(map, "k", 1);
	assert_int_equal(value[0] + value[1] + value[2], 0);
	view_map_free(map);
}

static void keys_of_other_lengths_are_other_keys(void **state)
{
	struct view_map *map = view_map_new(1, 10);

	(void)state;
	assert_ptr_not_equal(view_map_get(map, "ab", 1), view_map_get(map, "ab", 2));
	assert_int_equal(view_map_count(map), 2);
	view_map_free(map);
}

static void beyond_the_limit_is_refused_and_counted(void **state)
{
	struct view_map *map = view_map_new(8, 2);

	(void)state;
	assert_non_null(view_map_get(map, "a", 1));
	assert_non_null(view_map_get(map, "b", 1));
	assert_null(view_map_get(map, "c", 1));
	assert_null(view_map_get(map, "c", 1));
	assert_non_null(view_map_get(map, "a", 1));
	assert_int_equal(view_map_refused(map), 2);
	view_map_remove(map, "a", 1);
	assert_non_null(view_map_get(map, "c", 1));
	view_map_free(map);
}

static int by_key(const void *a, const void *b)
{
	const struct view_map_entry *x = a, *y = b;

	return memcmp(x->key, y->key, 1);
}

static void entries_come_in_order(void **state)
{
	struct view_map *map = view_map_new(8, 100);
	struct view_map_entry *entries;

	(void)state;
	for (char c = 'z'; c >= 'a'; c--)
		*(uint64_t *)view_map_get(map, &c, 1) = (uint64_t)c;
	entries = view_map_sorted(map, by_key);
	for (int i = 0; i < 26; i++)
		assert_int_equal(*(uint64_t *)entries[i].value, 'a' + i);
	free(entries);
	view_map_free(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_stay_where_they_are),
		cmocka_unit_test(new_values_are_zero_also_after_a_removal),
		cmocka_unit_test(keys_of_other_lengths_are_other_keys),
		cmocka_unit_test(beyond_the_limit_is_refused_and_counted),
		cmocka_unit_test(entries_come_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
