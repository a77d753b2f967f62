/* SPDX-License-Identifier: MIT */
/*
 * place.h - where things are: what is installed beside tacho, and room for a trace.
 */
#ifndef TACHO_CLI_PLACE_H
#define TACHO_CLI_PLACE_H

#include <stdbool.h>

/*
 * place_of_module() - path of a library that can be preloaded; to be freed
 * @name: "libtacho-malloc.so"
 *
 * Found from the place of the running tacho: ../preload in a build directory, ../lib/tacho when
 * installed.
 *
 * Return: 0, -ENOENT, or -EINVAL: LD_PRELOAD cannot name the place.
 */
int place_of_module(const char *name, char **ret_path);
/* place_of_library() - the same of a library that programs are linked with. */
int place_of_library(const char *name, char **ret_path);

/*
 * place_is_usable() - can a trace be written to this directory, that does not exist or is empty?
 *
 * Return: 0, or a negative errno: -ENOTEMPTY if something is in it.
 */
int place_is_usable(const char *dir);

#endif
