/* SPDX-License-Identifier: MIT */
/*
 * An executable or library of somebody else's making, whose events are looked for.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "elf/events.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void check(int is_true)
{
	if (!is_true)
		abort();
}

static void check_promises(const struct elf_events *events)
{
	for (size_t i = 0; i < events->count; i++) {
		const struct event_desc *desc = events->event[i].desc;

		check(strlen(desc->provider) <= TACHO_NAME_MAX);
		check(strlen(desc->name) <= TACHO_NAME_MAX);
		check(desc->level <= TACHO_LEVEL_MAX && desc->field_count <= TACHO_FIELDS_MAX);
		for (unsigned int f = 0; f < desc->field_count; f++)
			check(strlen(desc->fields[f].name) <= TACHO_NAME_MAX);
	}
}

static void check_words(const struct tacho_error *error)
{
	check(error->code < 0 && error->text[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct tacho_error error = { 0 };
	struct elf_events events;
	struct elf_image *image;
	void *copy = malloc(bytes ? bytes : 1);

	check(copy != NULL);
	memcpy(copy, data, bytes);
	if (elf_image_open_memory("the input", copy, bytes, &image, &error)) {
		check_words(&error);
	} else {
		if (elf_events_read(image, &events, &error))
			check_words(&error);
		else
			check_promises(&events);
		elf_events_free(&events);
		elf_image_close(image);
	}
	free(copy);
	return 0;
}
