/* SPDX-License-Identifier: MIT */
/*
 * list_file.h - tacho list FILE: the events that are built into an executable or a shared library,
 * which is not run.
 */
#ifndef TACHO_CLI_LIST_FILE_H
#define TACHO_CLI_LIST_FILE_H

#include <stdbool.h>

/* list_is_path() - whether it can be nothing but a file: it has a slash. */
bool list_is_path(const char *name);

/* list_is_program() - whether there is an ELF file of this name. */
bool list_is_program(const char *name);

/* Return: exit status. */
int list_file(const char *path, bool as_json);

#endif
