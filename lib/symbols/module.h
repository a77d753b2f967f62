/* SPDX-License-Identifier: MIT */
/*
 * module.h - the file of an executable or shared library: its functions, and where its lines are
 * looked up; a part of symbols.h.
 *
 * Addresses here are those that the file itself has.
 */
#ifndef TACHO_SYMBOLS_MODULE_H
#define TACHO_SYMBOLS_MODULE_H

#include <libelf.h>

#include "symbols.h"

struct lines;

struct module_function {
	uint64_t address, bytes;
	const char *name;
	bool is_global;
};

struct module_file {
	int fd; /* -1: there is none */
	Elf *elf;
};

struct module {
	struct module *next;
	char *path;
	uint8_t build_id[SYMBOLS_BUILD_ID_MAX];
	uint32_t build_id_bytes; /* 0: none was recorded, the path has to do */
	const char *trouble;     /* why there is no file; or NULL */
	struct module_file file;
	struct module_file debug; /* what was stripped from it; may be none */
	uint64_t first_address;   /* of its first segment: that is where it begins in memory */
	struct module_function *functions; /* by address */
	size_t function_count;
	bool has_functions; /* they were looked for */
	struct lines *lines;
	bool has_lines; /* they were looked for */
};

/* module_new() - of what was recorded. Return: NULL: no memory. */
struct module *module_new(const char *path, const void *build_id, uint32_t build_id_bytes);
void module_free(struct module *module);

/* module_function() - the one with this address in it; or NULL */
const struct module_function *module_function(struct module *module, uint64_t address);

/* module_find_lines() - where the source of it is, as lines_find() */
void module_find_lines(struct module *module, uint64_t address, struct symbol *symbol);

#endif
