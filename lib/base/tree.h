/* SPDX-License-Identifier: MIT */
/*
 * tree.h - directories with all that is below them. Symbolic links are not followed, other file systems
 * are not entered, and every directory that is read is closed on exec, which those of nftw(3) are not.
 */
#ifndef TACHO_BASE_TREE_H
#define TACHO_BASE_TREE_H

#include <stdbool.h>

/* tree_has_file() - is there a file of this name in @dir or below it, with anything in it? */
bool tree_has_file(const char *dir, const char *name);

/* tree_remove() - remove what is below @dir, as far as that may be removed; and, unless it is to be kept,
 * itself. */
void tree_remove(const char *dir, bool keep_dir);

#endif
