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
#include <stdbool.h>
#include <stdint.h>

struct lines;

/* lines_new() - of a file that stays open. Return: NULL: it has none. */
struct lines *lines_new(Elf *elf);
void lines_free(struct lines *lines);

/* lines_find() - @ret_file: lives as long as the lines */
bool lines_find(struct lines *lines, uint64_t address, const char **ret_file, uint32_t *ret_line);

#endif
