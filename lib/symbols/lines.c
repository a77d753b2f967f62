/* SPDX-License-Identifier: MIT */
/* lines.c - see lines.h */
#include "lines.h"

#include "symbols.h"

#ifndef TACHO_WITH_LIBDW

bool symbols_have_lines(void)
{
	return false;
}

struct lines *lines_new(Elf *elf)
{
	(void)elf;
	return NULL;
}

void lines_free(struct lines *lines)
{
	(void)lines;
}

bool lines_find(struct lines *lines, uint64_t address, const char **ret_file, uint32_t *ret_line)
{
	(void)lines;
	(void)address;
	(void)ret_file;
	(void)ret_line;
	return false;
}

#else

#include <elfutils/libdw.h>
#include <stdlib.h>

/* Addresses of one unit: [begin, end). */
struct range {
	uint64_t begin, end;
	Dwarf_Off unit;
};

struct lines {
	Dwarf *dwarf;
	struct range *ranges; /* by begin */
	size_t count, room;
};

bool symbols_have_lines(void)
{
	return true;
}

static bool add_range(struct lines *lines, const struct range *range)
{
	struct range *more;

	if (range->begin >= range->end)
		return true;
	if (lines->count == SYMBOLS_UNITS_MAX)
		return false;
	if (lines->count == lines->room) {
		size_t room = lines->room ? 2 * lines->room : 64;

		more = reallocarray(lines->ranges, room, sizeof(*more));
		if (!more)
			return false;
		lines->ranges = more;
		lines->room = room;
	}
	lines->ranges[lines->count++] = *range;
	return true;
}

static bool add_unit(struct lines *lines, Dwarf_Die *unit)
{
	struct range range = { .unit = dwarf_dieoffset(unit) };
	Dwarf_Addr base, begin, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(unit, at, &base, &begin, &end)) > 0) {
		range.begin = begin;
		range.end = end;
		if (!add_range(lines, &range))
			return false;
	}
	return true;
}

static void add_units(struct lines *lines)
{
	Dwarf_Off at = 0, next;
	size_t header_bytes;

	while (!dwarf_nextcu(lines->dwarf, at, &next, &header_bytes, NULL, NULL, NULL)) {
		Dwarf_Die unit;

		if (dwarf_offdie(lines->dwarf, at + header_bytes, &unit) && !add_unit(lines, &unit))
			return;
		if (next <= at)
			return;
		at = next;
	}
}

static int by_begin(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

struct lines *lines_new(Elf *elf)
{
	struct lines *lines = calloc(1, sizeof(*lines));

	if (!lines)
		return NULL;
	lines->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (!lines->dwarf) {
		free(lines);
		return NULL;
	}
	add_units(lines);
	if (lines->count)
		qsort(lines->ranges, lines->count, sizeof(lines->ranges[0]), by_begin);
	return lines;
}

void lines_free(struct lines *lines)
{
	if (!lines)
		return;
	dwarf_end(lines->dwarf);
	free(lines->ranges);
	free(lines);
}

/* The last that begins before the address. */
static const struct range *find_range(const struct lines *lines, uint64_t address)
{
	size_t low = 0, high = lines->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lines->ranges[middle].begin <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < lines->ranges[low - 1].end ? &lines->ranges[low - 1] : NULL;
}

bool lines_find(struct lines *lines, uint64_t address, const char **ret_file, uint32_t *ret_line)
{
	const struct range *range = find_range(lines, address);
	const char *file;
	Dwarf_Line *line;
	Dwarf_Die unit;
	int number;

	if (!range || !dwarf_offdie(lines->dwarf, range->unit, &unit))
		return false;
	line = dwarf_getsrc_die(&unit, address);
	file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	if (!file || dwarf_lineno(line, &number) || number <= 0)
		return false;
	*ret_file = file;
	*ret_line = (uint32_t)number;
	return true;
}

#endif
