/* SPDX-License-Identifier: MIT */
/* name.c - see name.h */
#include "name.h"

#include <inttypes.h>

#include "ctf/read/lex.h"

/* Where one is read, letter by letter. */
struct place {
	const char *parts[3];
	size_t part;
};

static struct place begin(const struct edit_name *name)
{
	return (struct place){ .parts = { name->before, name->text, name->behind } };
}

/* Return: 0 at the end. */
static char next(struct place *place)
{
	for (; place->part < 3; place->part++) {
		if (*place->parts[place->part])
			return lex_identifier_char(*place->parts[place->part]++);
	}
	return 0;
}

static char first_shown(struct place *place)
{
	char c = next(place);

	return c == '_' ? next(place) : c;
}

static bool is_same(const struct edit_name *a, const struct edit_name *b)
{
	struct place in_a = begin(a), in_b = begin(b);
	char x = first_shown(&in_a), y = first_shown(&in_b);

	while (x && x == y) {
		x = next(&in_a);
		y = next(&in_b);
	}
	return x == y;
}

/* How many of the first @count are like it. */
static size_t count_same(const struct edit_names *names, size_t count, const struct edit_name *name)
{
	size_t same = 0;

	for (size_t i = 0; i < count && i < NAME_COMPARED_MAX; i++) {
		const struct edit_name other = names->at(names->data, i);

		same += is_same(&other, name);
	}
	return same;
}

/*
 * A number that makes it one that no other has. One that is taken is raised by the count of names:
 * so no two that are the same without a number get the same one.
 */
struct edit_name name_at(const struct edit_names *names, size_t i)
{
	struct edit_name name = names->at(names->data, i);
	uint64_t number = count_same(names, i, &name);

	if (!number++)
		return name;
	for (size_t tries = 0; tries < NAME_COMPARED_MAX; tries++, number += names->count) {
		snprintf(name.behind, sizeof(name.behind), "_%" PRIu64, number);
		if (!count_same(names, names->count, &name))
			break;
	}
	return name;
}

void name_print(FILE *out, const struct edit_name *name)
{
	struct place place = begin(name);

	for (char c = next(&place); c; c = next(&place))
		fputc(c, out);
}
