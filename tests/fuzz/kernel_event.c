/* SPDX-License-Identifier: MIT */
/*
 * What the kernel says of an event, and a page of its ring buffer: format, recipe, and each event of the
 * page made a payload by it, which stays in the room that was asked for.
 *
 * The input is the text of a format, a 0 byte, and the page. As it may be any length, so may the page.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/recipe.h"

#define EVENTS_MAX 10000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

extern const unsigned long fuzz_random_runs;
const unsigned long fuzz_random_runs = 20000;

/* A block of its very size, so that whoever writes beyond is noticed. */
static void make_payload(const struct kernel_recipe *recipe, const struct kernel_record *record)
{
	struct kernel_recipe_needs needs = kernel_recipe_needs(recipe);
	uint32_t room = kernel_recipe_room(&needs, record->bytes);
	uint8_t *payload = malloc(room ? room : 1);

	if (payload && kernel_recipe_run(recipe, record, payload) > payload + room)
		abort();
	free(payload);
}

static bool fits(const struct kernel_recipe *recipe, const struct kernel_record *record)
{
	struct kernel_recipe_needs needs = kernel_recipe_needs(recipe);

	return kernel_recipe_fits(&needs, record);
}

static void walk_page(const struct kernel_recipe *recipe, const uint8_t *bytes, uint32_t size)
{
	struct kernel_record record;
	struct kernel_page page;
	int count = 0;

	if (!kernel_page_open(&page, bytes, size))
		return;
	while (kernel_page_next(&page, &record)) {
		if (record.data < bytes || record.bytes > (size_t)(bytes + size - record.data) ||
		    ++count > EVENTS_MAX)
			abort();
		if (recipe && fits(recipe, &record))
			make_payload(recipe, &record);
	}
}

static struct kernel_recipe *make_recipe(const char *text)
{
	static struct kernel_format format;
	struct kernel_recipe *recipe = NULL;
	const char *system = strstr(text, "sys_") ? "syscalls" : "sched";

	if (!kernel_format_parse(text, &format, NULL))
		kernel_recipe_make(system, &format, &recipe, NULL);
	return recipe;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	size_t text_bytes = strnlen((const char *)data, bytes);
	char *text = strndup((const char *)data, text_bytes);
	struct kernel_recipe *recipe = text ? make_recipe(text) : NULL;

	free(text);
	if (text_bytes < bytes)
		walk_page(recipe, data + text_bytes + 1, (uint32_t)(bytes - text_bytes - 1));
	kernel_recipe_free(recipe);
	return 0;
}
