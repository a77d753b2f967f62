/* SPDX-License-Identifier: MIT */
/*
 * symbols.h - addresses of an event as function, file and line, from what a trace tells of the
 * libraries of its processes (tacho-libs(7), or LTTng's state dump).
 *
 * The trace is read once before, for these events alone: what a process tells at its start also goes
 * for what it recorded earlier.
 */
#ifndef TACHO_CLI_VIEW_SYMBOLS_H
#define TACHO_CLI_VIEW_SYMBOLS_H

#include "ctf/read/reader.h"
#include "symbols/symbols.h"

struct view_symbols;

/* view_symbols_new() - says what is wrong, and what is missing. Return: exit status. */
int view_symbols_new(const char *dir, struct view_symbols **ret_symbols);
void view_symbols_free(struct view_symbols *symbols);

/*
 * view_symbols_find() - what a field or context of an event is the address of
 *
 * Return: false: it is none, or there is no module.
 */
bool view_symbols_find(struct view_symbols *symbols, const struct ctf_event *event,
		       uint64_t time_ns, const struct ctf_value *value, struct symbol *ret_symbol);

/* view_symbols_process() - the one that an event is of */
struct symbols_process view_symbols_process(struct view_symbols *symbols,
					    const struct ctf_event *event);

/* view_symbols_at() - what is at a given address of a process; as symbols_find() */
bool view_symbols_at(struct view_symbols *symbols, struct symbols_process who, uint64_t time_ns,
		     uint64_t address, bool is_return, struct symbol *ret_symbol);

/* view_symbol_text() - "main+0x1f at shop.c:42", or "make at shop.h:7, inlined into main+0x1f at
 * shop.c:42"; to be freed */
char *view_symbol_text(const struct symbol *symbol);

#endif
