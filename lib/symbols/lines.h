/* SPDX-License-Identifier: MIT */
/*
 * lines.h - from an address to file and line, by libdw; without it nothing is found. A part of
 * symbols.h.
 *
 * Which compilation unit an address belongs to is found in a table of our own, made once from the
 * ranges of all units: not every compiler writes .debug_aranges.
 */
#ifndef TACHO_SYMBOLS_LINES_H
#define TACHO_SYMBOLS_LINES_H

#include <libelf.h>
#include <stdint.h>

#include "symbols.h"

struct lines;

/* lines_new() - of a file that stays open. Return: NULL: it has none. */
struct lines *lines_new(Elf *elf);
void lines_free(struct lines *lines);

/* lines_find() - file, line and inlined calls of a symbol, if they are known; they live as long as
 * the lines */
void lines_find(struct lines *lines, uint64_t address, struct symbol *symbol);

#endif
