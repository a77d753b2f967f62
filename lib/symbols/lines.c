/* SPDX-License-Identifier: MIT */
/* lines.c - see lines.h */
#include "lines.h"

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

void lines_find(struct lines *lines, uint64_t address, struct symbol *symbol)
{
	(void)lines;
	(void)address;
	(void)symbol;
}

#else

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "inlined.h"
#include "paths.h"
#include "ranges.h"

struct unit {
	Dwarf_Off offset;
	bool has_functions; /* they were looked for */
	struct ranges functions;
};

struct lines {
	Dwarf *dwarf;
	struct unit *units;
	size_t unit_count, unit_room;
	struct ranges ranges; /* of units, by their index */
	struct paths paths;
};

bool symbols_have_lines(void)
{
	return true;
}

static struct unit *new_unit(struct lines *lines)
{
	struct unit *more;

	if (lines->unit_count == lines->unit_room) {
		size_t room = lines->unit_room ? 2 * lines->unit_room : 64;

		more = reallocarray(lines->units, room, sizeof(*more));
		if (!more)
			return NULL;
		lines->units = more;
		lines->unit_room = room;
	}
	lines->units[lines->unit_count] = (struct unit){ 0 };
	return &lines->units[lines->unit_count++];
}

static bool add_unit(struct lines *lines, Dwarf_Die *die)
{
	struct range range = { .of = lines->unit_count };
	struct unit *unit = new_unit(lines);
	Dwarf_Addr base, begin, end;
	ptrdiff_t at = 0;

	if (!unit)
		return false;
	unit->offset = dwarf_dieoffset(die);
	while ((at = dwarf_ranges(die, at, &base, &begin, &end)) > 0) {
		range.begin = begin;
		range.end = end;
		if (!ranges_add(&lines->ranges, &range))
			return false;
	}
	return true;
}

static void add_units(struct lines *lines)
{
	Dwarf_Off at = 0, next;
	size_t header_bytes;

	while (!dwarf_nextcu(lines->dwarf, at, &next, &header_bytes, NULL, NULL, NULL)) {
		Dwarf_Die die;

		if (dwarf_offdie(lines->dwarf, at + header_bytes, &die) && !add_unit(lines, &die))
			return;
		if (next <= at)
			return;
		at = next;
	}
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
	ranges_sort(&lines->ranges);
	return lines;
}

void lines_free(struct lines *lines)
{
	if (!lines)
		return;
	for (size_t i = 0; i < lines->unit_count; i++)
		ranges_fini(&lines->units[i].functions);
	free(lines->units);
	ranges_fini(&lines->ranges);
	paths_fini(&lines->paths);
	dwarf_end(lines->dwarf);
	free(lines);
}

static void find_line(Dwarf_Die *die, uint64_t address, struct symbol *symbol)
{
	Dwarf_Line *line = dwarf_getsrc_die(die, address);
	const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	int number;

	if (!file || dwarf_lineno(line, &number) || number <= 0)
		return;
	symbol->file = file;
	symbol->line = (uint32_t)number;
}

static const struct range *find_function(struct unit *unit, Dwarf_Die *die, uint64_t address)
{
	if (!unit->has_functions)
		inlined_add_functions(die, &unit->functions);
	unit->has_functions = true;
	return ranges_find(&unit->functions, address);
}

/*
 * The line is that of the innermost call. Where a call is made is known of the call itself: so each
 * line goes one place out, and that of the outermost one is the function's.
 */
static void find_inlined(struct lines *lines, struct unit *unit, Dwarf_Die *die, uint64_t address,
			 struct symbol *symbol)
{
	const struct range *range = find_function(unit, die, address);
	Dwarf_Die function;

	if (!range || !dwarf_offdie(lines->dwarf, range->of, &function))
		return;
	symbol->inlined_count = inlined_find(die, &function, address, symbol->inlined);
	for (uint32_t i = 0; i < symbol->inlined_count; i++) {
		struct symbol_frame *frame = &symbol->inlined[i];
		struct symbol_frame called = *frame;

		frame->file = symbol->file;
		frame->line = symbol->line;
		symbol->file = called.file;
		symbol->line = called.line;
	}
}

static const char *directory_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;

	return dwarf_attr(die, DW_AT_comp_dir, &attribute) ? dwarf_formstring(&attribute) : NULL;
}

static void complete_paths(struct lines *lines, Dwarf_Die *die, struct symbol *symbol)
{
	const char *dir = directory_of(die);

	symbol->file = paths_join(&lines->paths, dir, symbol->file);
	for (uint32_t i = 0; i < symbol->inlined_count; i++)
		symbol->inlined[i].file = paths_join(&lines->paths, dir, symbol->inlined[i].file);
}

void lines_find(struct lines *lines, uint64_t address, struct symbol *symbol)
{
	const struct range *range = ranges_find(&lines->ranges, address);
	struct unit *unit = range ? &lines->units[range->of] : NULL;
	Dwarf_Die die;

	if (!unit || !dwarf_offdie(lines->dwarf, unit->offset, &die))
		return;
	find_line(&die, address, symbol);
	find_inlined(lines, unit, &die, address, symbol);
	complete_paths(lines, &die, symbol);
}

#endif
