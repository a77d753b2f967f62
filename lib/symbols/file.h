/* SPDX-License-Identifier: MIT */
/* file.h - ELF files that may be those that are meant: a part of symbols.h. */
#ifndef TACHO_SYMBOLS_FILE_H
#define TACHO_SYMBOLS_FILE_H

#include "module.h"

/* file_open() - a regular file that is ELF. Return: 0 or a negative errno. */
int file_open(const char *path, struct module_file *ret_file);
void file_close(struct module_file *file);

/* file_build_id() - Return: how many bytes there are; 0: it has none. */
size_t file_build_id(const struct module_file *file, uint8_t ret_id[SYMBOLS_BUILD_ID_MAX]);

/* file_is_build() - has it this build id? */
bool file_is_build(const struct module_file *file, const uint8_t *id, size_t bytes);

/* file_first_address() - of its first segment */
uint64_t file_first_address(const struct module_file *file);

/* file_has_section() - and is there anything in it? */
bool file_has_section(const struct module_file *file, const char *name);

/*
 * file_open_debug() - the file with what was stripped from another, of the same build
 * @path: of the other
 */
int file_open_debug(const char *path, const struct module_file *file,
		    struct module_file *ret_debug);

#endif
