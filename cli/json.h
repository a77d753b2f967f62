/* SPDX-License-Identifier: MIT */
/*
 * json.h - the few shapes of JSON that commands print. No memory ends the command.
 */
#ifndef TACHO_CLI_JSON_H
#define TACHO_CLI_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "format/ring.h"

/* Values of an object. */
void json_add_text(json_object *object, const char *key, const char *text);
void json_add_count(json_object *object, const char *key, uint64_t count);
void json_add_bool(json_object *object, const char *key, bool value);
/* {"full": 0, "too_big": 0, ..} */
void json_add_lost(json_object *object, const char *key, const uint64_t lost[TACHO_LOST_REASONS]);

/* Return: borrowed from the parent. */
json_object *json_add_array(json_object *object, const char *key);
json_object *json_add_object(json_object *object, const char *key);
json_object *json_append_object(json_object *array);
void json_append_text(json_object *array, const char *text);

/* json_print() - on the standard output; frees it. Return: STATUS_DONE. */
int json_print(json_object *root);

#endif
