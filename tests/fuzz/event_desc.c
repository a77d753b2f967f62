/* SPDX-License-Identifier: MIT */
/*
 * The description of an event as a hostile program may write it, and the metadata made of it.
 *
 * Each input is tried as it is and with its hash made right, so that the checks behind that of the
 * hash are reached.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/event_desc.h"
#include "ctf/write/metadata.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void check(int is_true)
{
	if (!is_true)
		abort();
}

static void check_promises(const struct event_desc *desc)
{
	check(strlen(desc->provider) <= TACHO_NAME_MAX && strlen(desc->name) <= TACHO_NAME_MAX);
	check(desc->level <= TACHO_LEVEL_MAX && desc->field_count <= TACHO_FIELDS_MAX);
	for (unsigned int i = 0; i < desc->field_count; i++) {
		uint32_t type = desc->fields[i].type, kind = TACHO_TYPE_KIND(type);

		check(strlen(desc->fields[i].name) <= TACHO_NAME_MAX);
		check(kind != TACHO_KIND_NONE && kind <= TACHO_KIND_MAX);
		check(TACHO_TYPE_BYTES(type) >= 1 && TACHO_TYPE_BYTES(type) <= 8);
	}
}

static void print(const struct event_desc *desc)
{
	const struct ctf_event_class class = { 1, desc, 0 };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	check(out != NULL);
	check(metadata_print_event(out, &class, NULL, 0) == 0);
	check(fclose(out) == 0);
	check(strlen(text) == size);
	free(text);
}

static void parse(const void *data, size_t bytes)
{
	struct event_desc *desc;

	if (event_desc_parse(data, bytes, &desc, NULL))
		return;
	check_promises(desc);
	print(desc);
	event_desc_free(desc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct tacho_desc head;
	uint8_t *copy;

	parse(data, bytes);
	if (bytes < sizeof(head))
		return 0;
	memcpy(&head, data, sizeof(head));
	if (head.bytes > bytes || head.bytes < sizeof(head))
		return 0;
	head.hash = tacho_desc_hash(data + TACHO_DESC_HASHED, head.bytes - TACHO_DESC_HASHED);
	copy = malloc(bytes);
	check(copy != NULL);
	memcpy(copy, data, bytes);
	memcpy(copy, &head, sizeof(head));
	parse(copy, bytes);
	free(copy);
	return 0;
}
