/* SPDX-License-Identifier: MIT */
/* inlined.c - see inlined.h */
#ifdef TACHO_WITH_LIBDW

#include "inlined.h"

#include <dwarf.h>

#define DEPTH_MAX 64      /* of scopes in each other */
#define DIES_MAX  1000000 /* descriptions that are looked at, of a unit or a function */

/* ---- functions of a unit ---- */

static void add_function(Dwarf_Die *function, struct ranges *functions)
{
	struct range range = { .of = dwarf_dieoffset(function) };
	Dwarf_Addr base, begin, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(function, at, &base, &begin, &end)) > 0) {
		range.begin = begin;
		range.end = end;
		if (!ranges_add(functions, &range))
			return;
	}
}

static bool has_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_class_type ||
	       tag == DW_TAG_structure_type;
}

static void add_level(Dwarf_Die *parent, struct ranges *functions, unsigned int depth,
		      unsigned int *left)
{
	Dwarf_Die die;

	if (depth == DEPTH_MAX || dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram)
			add_function(&die, functions);
		else if (has_functions(tag))
			add_level(&die, functions, depth + 1, left);
	} while (*left && (*left)-- && !dwarf_siblingof(&die, &die));
}

void inlined_add_functions(Dwarf_Die *unit, struct ranges *functions)
{
	unsigned int left = DIES_MAX;

	add_level(unit, functions, 0, &left);
	ranges_sort(functions);
}

/* ---- calls in a function ---- */

/* The name that was linked by says more than that of the source: which namespace, which types. */
static const char *name_of(Dwarf_Die *die)
{
	static const unsigned int names[] = { DW_AT_linkage_name, DW_AT_MIPS_linkage_name,
					      DW_AT_name };
	const char *name = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !name; i++) {
		Dwarf_Attribute attribute;

		if (dwarf_attr_integrate(die, names[i], &attribute))
			name = dwarf_formstring(&attribute);
	}
	return name;
}

static uint64_t number_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;

	if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &number))
		return 0;
	return number;
}

static struct symbol_frame frame_of(Dwarf_Die *unit, Dwarf_Die *call)
{
	uint64_t line = number_of(call, DW_AT_call_line);
	struct symbol_frame frame = { .function = name_of(call) };
	Dwarf_Files *files;
	size_t count;

	if (!line || line > UINT32_MAX || dwarf_getsrcfiles(unit, &files, &count))
		return frame;
	frame.file = dwarf_filesrc(files, number_of(call, DW_AT_call_file), NULL, NULL);
	frame.line = frame.file ? (uint32_t)line : 0;
	return frame;
}

static bool is_scope(int tag)
{
	return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
	       tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

/* The next scope towards an address. */
static bool descend(Dwarf_Die *scope, uint64_t address, unsigned int *left)
{
	Dwarf_Die die;

	if (dwarf_child(scope, &die))
		return false;
	do {
		if (is_scope(dwarf_tag(&die)) && dwarf_haspc(&die, address) > 0) {
			*scope = die;
			return true;
		}
	} while (*left && (*left)-- && !dwarf_siblingof(&die, &die));
	return false;
}

/* Return: how many calls there are, the outermost first. */
static unsigned int find_calls(const Dwarf_Die *function, uint64_t address,
			       Dwarf_Die ret_calls[DEPTH_MAX])
{
	unsigned int count = 0, left = DIES_MAX;
	Dwarf_Die scope = *function;

	for (unsigned int depth = 0; depth < DEPTH_MAX; depth++) {
		if (!descend(&scope, address, &left))
			break;
		if (dwarf_tag(&scope) == DW_TAG_inlined_subroutine)
			ret_calls[count++] = scope;
	}
	return count;
}

uint32_t inlined_find(Dwarf_Die *unit, Dwarf_Die *function, uint64_t address,
		      struct symbol_frame ret_frames[SYMBOLS_INLINED_MAX])
{
	Dwarf_Die calls[DEPTH_MAX];
	unsigned int count = find_calls(function, address, calls), used = 0;

	while (count && used < SYMBOLS_INLINED_MAX) {
		ret_frames[used] = frame_of(unit, &calls[--count]);
		used += ret_frames[used].function != NULL;
	}
	return used;
}

#endif
