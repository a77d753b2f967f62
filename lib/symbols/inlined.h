/* SPDX-License-Identifier: MIT */
/*
 * inlined.h - which calls were put in place where an address is: a part of lines.h, by libdw.
 *
 *      subprogram main                  the function that there is
 *        inlined_subroutine fill        called at a.cpp:9
 *          lexical_block
 *            inlined_subroutine push    called at a.cpp:5
 *                                       the address: its line is one of push
 *
 * The functions of a unit are looked for once, when an address in it is asked for. What a file says
 * may be anything: at most a million descriptions are looked at, to a limited depth.
 */
#ifndef TACHO_SYMBOLS_INLINED_H
#define TACHO_SYMBOLS_INLINED_H

#include <elfutils/libdw.h>

#include "ranges.h"
#include "symbols.h"

/* inlined_add_functions() - those of a unit, with the offsets of their descriptions */
void inlined_add_functions(Dwarf_Die *unit, struct ranges *functions);

/*
 * inlined_find() - the calls around an address in a function
 * @ret_frames: the innermost first; of a frame, `file` and `line` are where it was called
 *
 * Return: how many; beyond SYMBOLS_INLINED_MAX, outer ones are left out.
 */
uint32_t inlined_find(Dwarf_Die *unit, Dwarf_Die *function, uint64_t address,
		      struct symbol_frame ret_frames[SYMBOLS_INLINED_MAX]);

#endif
