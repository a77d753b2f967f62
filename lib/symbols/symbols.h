/* SPDX-License-Identifier: MIT */
/*
 * symbols.h - what an address in a process was at a time: function, file and line.
 *
 *      what a trace tells of a process        symbols_load(), .. --> map.c: who was where, when
 *                                                                      |
 *      address, process, time --> symbols_find() ----------------------+
 *                                                                      v
 *                                   module.c: the file of that build id --> function
 *                                   lines.c: its DWARF     --> file and line, inlined.c: calls
 *                                   names.c: names of C++ as people write them
 *
 * A module is an executable or a shared library. Its file is the one that the trace names, if its
 * build id is the one that was recorded; what was stripped from it is looked for by its build id
 * in /usr/lib/debug/.build-id, and by its .gnu_debuglink. A file of another build tells nothing:
 * then there is a module and an offset, and why there is no more.
 *
 * Files and their contents are hostile: they are read by libelf and libdw, tables of ours are
 * bounded by SYMBOLS_.. below, and what is wrong there is as if it were not there.
 *
 * Context: one thread at a time for all that belongs together.
 */
#ifndef TACHO_SYMBOLS_SYMBOLS_H
#define TACHO_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SYMBOLS_BUILD_ID_MAX  64
#define SYMBOLS_PLACES_MAX    65536      /* modules in processes, over all time */
#define SYMBOLS_MODULES_MAX   4096       /* files */
#define SYMBOLS_FUNCTIONS_MAX (1u << 22) /* of a file */
#define SYMBOLS_RANGES_MAX    (1u << 20) /* of compilation units of a file, or of functions of one */
#define SYMBOLS_INLINED_MAX   16         /* calls in each other */
#define SYMBOLS_NAMES_MAX     (1u << 18) /* that are spelled out */
#define SYMBOLS_PATHS_MAX     (1u << 14) /* of source files of a file, that are put together */

struct symbols;

/* A call that was put in place. */
struct symbol_frame {
	const char *function;
	const char *file; /* where in it; NULL: not known */
	uint32_t line;
};

/*
 * Where calls were put in place, the function is the one that there is, and file and line are where
 * it has the outermost of these calls.
 *
 * Lives as long as the symbols it is of. What is not known is NULL or 0.
 */
struct symbol {
	const char *module; /* path, as recorded */
	uint64_t offset;    /* in the module: from where it begins in memory */
	const char *function;
	uint64_t function_offset; /* from the begin of the function */
	const char *file;
	uint32_t line;
	uint32_t inlined_count;
	struct symbol_frame inlined[SYMBOLS_INLINED_MAX]; /* the innermost first */
	const char *trouble; /* why function and line are not known: words for people; or NULL */
};

/* Return: NULL: no memory. */
struct symbols *symbols_new(void);
void symbols_free(struct symbols *symbols);

/*
 * What a trace tells, by time. Of a process, `pid` and a number that tells those of several hosts
 * apart.
 *
 * symbols_begin() - a list of all modules of the process begins; the first one is of its start
 * symbols_load() - a module is there, as one of the list, or since then
 * symbols_build_id() - of the module that is at @base
 * symbols_end() - the list ends: what was there before, and is not in it, is gone
 * symbols_unload() - the module at @base is gone
 *
 * Return: 0; -ENOMEM; -ENOSPC: there are too many.
 */
struct symbols_process {
	uint32_t host, pid;
};

int symbols_begin(struct symbols *symbols, struct symbols_process process, uint64_t time_ns);
int symbols_load(struct symbols *symbols, struct symbols_process process, uint64_t time_ns,
		 uint64_t base, uint64_t bytes, const char *path);
int symbols_build_id(struct symbols *symbols, struct symbols_process process, uint64_t base,
		     const void *id, size_t bytes);
void symbols_end(struct symbols *symbols, struct symbols_process process);
void symbols_unload(struct symbols *symbols, struct symbols_process process, uint64_t time_ns,
		    uint64_t base);

/* symbols_count() - how many modules were recorded */
size_t symbols_count(const struct symbols *symbols);

/*
 * symbols_find() - what is at an address
 * @is_return: it is where a call returns to: the call is what is looked for, just before
 *
 * Return: false: no module was there, as far as the trace tells.
 */
bool symbols_find(struct symbols *symbols, struct symbols_process process, uint64_t time_ns,
		  uint64_t address, bool is_return, struct symbol *ret_symbol);

/* symbols_have_lines() - whether this was built with libdw */
bool symbols_have_lines(void);

#endif
