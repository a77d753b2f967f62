/* SPDX-License-Identifier: MIT */
/*
 * paths.h - names of source files that do not begin at the root, from the directory that they were
 * compiled in: a part of lines.h.
 *
 * gcc and DWARF 5 name directories in full; in clang's DWARF 4 those of headers are as they were found.
 */
#ifndef TACHO_SYMBOLS_PATHS_H
#define TACHO_SYMBOLS_PATHS_H

#include <stddef.h>

/* Zeroed, there are none. */
struct paths {
	void *tree; /* by name and directory, which are known by where they are */
	size_t count;
};

void paths_fini(struct paths *paths);

/*
 * paths_join() - @dir: of the compilation; or NULL. It and @name stay where they are.
 *
 * Return: lives as long as the paths; or is @name, where nothing is to be added, or cannot be.
 */
const char *paths_join(struct paths *paths, const char *dir, const char *name);

#endif
