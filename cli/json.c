/* SPDX-License-Identifier: MIT */
/* json.c - see json.h */
#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "loss.h"
#include "text.h"

static json_object *not_null(json_object *value)
{
	if (!value) {
		fputs("tacho: out of memory\n", stderr);
		exit(STATUS_FAILED);
	}
	return value;
}

static json_object *add(json_object *object, const char *key, json_object *value)
{
	json_object_object_add(object, key, not_null(value));
	return value;
}

static json_object *new_text(const char *text)
{
	char *copy = utf8(text);
	json_object *value = not_null(json_object_new_string(copy));

	free(copy);
	return value;
}

void json_add_text(json_object *object, const char *key, const char *text)
{
	add(object, key, new_text(text));
}

void json_add_count(json_object *object, const char *key, uint64_t count)
{
	add(object, key, json_object_new_uint64(count));
}

void json_add_bool(json_object *object, const char *key, bool value)
{
	add(object, key, json_object_new_boolean(value));
}

void json_add_lost(json_object *object, const char *key, const uint64_t lost[TACHO_LOST_REASONS])
{
	json_object *reasons = add(object, key, json_object_new_object());

	for (int i = 0; i < TACHO_LOST_REASONS; i++)
		json_add_count(reasons, loss_name(i), lost[i]);
}

json_object *json_add_array(json_object *object, const char *key)
{
	return add(object, key, json_object_new_array());
}

json_object *json_add_object(json_object *object, const char *key)
{
	return add(object, key, json_object_new_object());
}

json_object *json_append_object(json_object *array)
{
	json_object *value = not_null(json_object_new_object());

	json_object_array_add(array, value);
	return value;
}

void json_append_text(json_object *array, const char *text)
{
	json_object_array_add(array, new_text(text));
}

int json_print(json_object *root)
{
	const int flags =
		JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE;

	puts(json_object_to_json_string_ext(not_null(root), flags));
	json_object_put(root);
	return STATUS_DONE;
}
