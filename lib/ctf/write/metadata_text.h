/* SPDX-License-Identifier: MIT */
/*
 * metadata_text.h - words of TSDL made from names that may hold any byte.
 */
#ifndef TACHO_CTF_METADATA_TEXT_H
#define TACHO_CTF_METADATA_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "trace.h"

#define METADATA_UUID_TEXT_BYTES 37

/*
 * metadata_print_text() - the inside of a quoted string
 *
 * Control characters become octal escapes; '*' as well, so that no text can end a comment. Bytes
 * that are not UTF-8 become a visible "\xHH": the metadata is always valid UTF-8.
 */
void metadata_print_text(FILE *out, const char *text);

/* Identifiers of one structure, all different. */
struct metadata_names {
	char *names[2 * TACHO_FIELDS_MAX]; /* a field and its length */
	size_t count;
};

/*
 * metadata_name_new() - an identifier for prefix, name, suffix
 *
 * Bytes that an identifier cannot have become _XX; where the structure has the identifier
 * already, a number is added.
 *
 * Return: the identifier, which lives until metadata_names_fini(); NULL if there is no memory.
 */
const char *metadata_name_new(struct metadata_names *names, const char *prefix, const char *name,
			      const char *suffix);
void metadata_names_fini(struct metadata_names *names);

void metadata_uuid_format(const uint8_t uuid[CTF_UUID_BYTES],
			  char ret_text[METADATA_UUID_TEXT_BYTES]);
/* Return: 0 or -EBADMSG. */
int metadata_uuid_parse(const char *text, uint8_t ret_uuid[CTF_UUID_BYTES]);

#endif
