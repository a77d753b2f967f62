/* SPDX-License-Identifier: MIT */
/*
 * name.h - identifiers of TSDL for names that may be any texts.
 *
 * What can be in no identifier becomes '_', so different names may become the same one. Of those that
 * are the same, the second has "_2" behind it, and so on. Readers leave out one '_' at the beginning:
 * names that differ in that alone are the same, too.
 */
#ifndef TACHO_EDIT_NAME_H
#define TACHO_EDIT_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define NAME_COMPARED_MAX 1024 /* with so many others a name is compared: some lists are endless */
#define NAME_NUMBER_BYTES 24

struct edit_name {
	const char *before; /* and behind: identifiers, or "" */
	const char *text;
	char behind[NAME_NUMBER_BYTES];
};

/* Names that stand beside each other. */
struct edit_names {
	struct edit_name (*at)(const void *data, size_t i); /* without a number */
	const void *data;
	size_t count;
};

/* name_at() - with its number, if there is one like it before. */
struct edit_name name_at(const struct edit_names *names, size_t i);
void name_print(FILE *out, const struct edit_name *name);

#endif
