/* SPDX-License-Identifier: MIT */
/* names.c - see names.h */
#include "names.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "symbols.h"

#define LIBRARY    "libstdc++.so.6"
#define BYTES_MAX  16384 /* of a name that is spelled */
#define FIRST_ROOM 256

struct name {
	const char *linked;
	char *spelled; /* NULL: it stays what it is */
};

void names_fini(struct names *names)
{
	for (size_t i = 0; i < names->room; i++)
		free(names->name[i].spelled);
	free(names->name);
	if (names->library)
		dlclose(names->library);
	*names = (struct names){ 0 };
}

/* ---- the table ---- */

static struct name *place_of(struct name *table, size_t room, const char *linked)
{
	size_t i = ((uintptr_t)linked * 0x9e3779b97f4a7c15ull >> 32) & (room - 1);

	while (table[i].linked && table[i].linked != linked)
		i = (i + 1) & (room - 1);
	return &table[i];
}

static bool grow(struct names *names)
{
	size_t room = names->room ? 2 * names->room : FIRST_ROOM;
	struct name *table = calloc(room, sizeof(*table));

	if (!table)
		return false;
	for (size_t i = 0; i < names->room; i++) {
		if (names->name[i].linked)
			*place_of(table, room, names->name[i].linked) = names->name[i];
	}
	free(names->name);
	names->name = table;
	names->room = room;
	return true;
}

/* ---- spelling ---- */

static void seek(struct names *names)
{
	names->was_sought = true;
	names->library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
	if (names->library)
		*(void **)&names->demangle = dlsym(names->library, "__cxa_demangle");
}

static char *spell(struct names *names, const char *linked)
{
	int status;

	if (!names->was_sought)
		seek(names);
	if (!names->demangle || strnlen(linked, BYTES_MAX) == BYTES_MAX)
		return NULL;
	return names->demangle(linked, NULL, NULL, &status);
}

const char *names_spell(struct names *names, const char *name)
{
	struct name *known;

	if (strncmp(name, "_Z", 2))
		return name;
	if (names->count >= names->room / 2 && (names->count >= SYMBOLS_NAMES_MAX || !grow(names)))
		return name;
	known = place_of(names->name, names->room, name);
	if (!known->linked) {
		*known = (struct name){ name, spell(names, name) };
		names->count++;
	}
	return known->spelled ? known->spelled : name;
}
