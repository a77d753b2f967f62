/* SPDX-License-Identifier: MIT */
/*
 * names.h - names of C++ functions as people write them: a part of symbols.h.
 *
 * The C++ library spells them, if there is one where the trace is read: it is loaded when the first
 * such name is met. Else, and where a name is none after all, or too long, it stays what it is.
 */
#ifndef TACHO_SYMBOLS_NAMES_H
#define TACHO_SYMBOLS_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct name; /* as linked, and as spelled */

/* Zeroed, there are none. */
struct names {
	void *library;
	bool was_sought;
	char *(*demangle)(const char *name, char *buffer, size_t *bytes, int *status);
	struct name *name; /* a table with free places */
	size_t count, room;
};

void names_fini(struct names *names);

/*
 * names_spell() - @name: stays where it is as long as the names; the same name in the same place is
 * spelled once
 *
 * Return: lives as long as the names, or is @name.
 */
const char *names_spell(struct names *names, const char *name);

#endif
