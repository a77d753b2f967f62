/* SPDX-License-Identifier: MIT */
/*
 * exe.h - what the file of a program tells about whether a library can be preloaded into it.
 */
#ifndef TACHO_CLI_EXE_H
#define TACHO_CLI_EXE_H

enum exe_kind {
	EXE_UNKNOWN, /* a script, or not readable */
	EXE_DYNAMIC,
	EXE_STATIC,
	EXE_FOREIGN, /* for another kind of processor, or of another size of words */
	EXE_SET_ID,  /* runs as another user or group: the dynamic linker preloads nothing */
};

enum exe_kind exe_kind(const char *path);

/* exe_obstacle() - why nothing can be preloaded, as the end of "the program ..", or NULL. */
const char *exe_obstacle(enum exe_kind kind);

#endif
