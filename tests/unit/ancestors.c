/* SPDX-License-Identifier: MIT */
/* ancestors.c - whose descendant a process is (base/ancestors.h). */
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/ancestors.h"

static struct tacho_registry registry;
static uint32_t list[TACHO_ANCESTORS_MAX];
static uint32_t asked;

static uint32_t half(uint32_t pid)
{
	asked++;
	return pid / 2;
}

static uint32_t itself(uint32_t pid)
{
	return pid;
}

static int forget(void **state)
{
	(void)state;
	memset(&registry, 0, sizeof(registry));
	memset(list, 0, sizeof(list));
	asked = 0;
	return 0;
}

static void parent_stands_behind_any_name(void **state)
{
	(void)state;
	assert_int_equal(ancestors_parent("12 (cat) S 4711 12 12 0"), 4711);
	assert_int_equal(ancestors_parent("12 (a) S 1 b) R 7 8"), 7);
	assert_int_equal(ancestors_parent("12 (init) S 0 1 1"), 0);
	assert_int_equal(ancestors_parent("12 (cut)"), 0);
	assert_int_equal(ancestors_parent("12 (cut) S"), 0);
	assert_int_equal(ancestors_parent(""), 0);
}

static void they_are_found_out_once(void **state)
{
	(void)state;
	registry.pid = 10;
	assert_int_equal(ancestors_get(&registry, half, list), 3);
	assert_int_equal(list[0], 5);
	assert_int_equal(list[2], 1);
	asked = 0;
	memset(list, 0, sizeof(list));
	assert_int_equal(ancestors_get(&registry, half, list), 3);
	assert_int_equal(list[1], 2);
	assert_int_equal(asked, 0);
}

static void who_has_none_is_not_asked_again(void **state)
{
	(void)state;
	registry.pid = 1;
	assert_int_equal(ancestors_get(&registry, half, list), 0);
	asked = 0;
	assert_int_equal(ancestors_get(&registry, half, list), 0);
	assert_int_equal(asked, 0);
}

static void circle_comes_to_an_end(void **state)
{
	(void)state;
	registry.pid = 3;
	assert_int_equal(ancestors_get(&registry, itself, list), TACHO_ANCESTORS_MAX);
}

static void damaged_number_stays_in_the_list(void **state)
{
	(void)state;
	registry.ancestors_known = UINT32_MAX;
	assert_int_equal(ancestors_get(&registry, half, list), TACHO_ANCESTORS_MAX);
}

static void child_inherits_its_parent_and_those_above(void **state)
{
	struct tacho_registry child = { .pid = 20 };

	(void)state;
	registry.pid = 10;
	ancestors_inherit(&child, &registry);
	assert_int_equal(child.ancestors_known, 0);
	ancestors_get(&registry, half, list);
	ancestors_inherit(&child, &registry);
	assert_int_equal(ancestors_get(&child, itself, list), 4);
	assert_int_equal(list[0], 10);
	assert_int_equal(list[1], 5);
	assert_int_equal(list[3], 1);
}

static void longest_list_loses_its_oldest(void **state)
{
	struct tacho_registry child = { .pid = 4 };

	(void)state;
	registry.pid = 3;
	ancestors_get(&registry, itself, list);
	ancestors_inherit(&child, &registry);
	assert_int_equal(ancestors_get(&child, itself, list), TACHO_ANCESTORS_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(parent_stands_behind_any_name, forget),
		cmocka_unit_test_setup(they_are_found_out_once, forget),
		cmocka_unit_test_setup(who_has_none_is_not_asked_again, forget),
		cmocka_unit_test_setup(circle_comes_to_an_end, forget),
		cmocka_unit_test_setup(damaged_number_stays_in_the_list, forget),
		cmocka_unit_test_setup(child_inherits_its_parent_and_those_above, forget),
		cmocka_unit_test_setup(longest_list_loses_its_oldest, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
