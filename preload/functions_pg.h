/* SPDX-License-Identifier: MIT */
/*
 * functions_pg.h - records the entries of functions that were compiled with -pg.
 *
 *      compiled with             each function calls      when           written in
 *      -pg -mfentry (x86-64)     __fentry__()             first of all   functions_pg-x86_64.S
 *      -pg          (x86-64)     mcount() or _mcount()    in its frame   functions_pg-x86_64.S
 *      -pg          (aarch64)    _mcount(call site)       in its frame   functions_pg.c
 *
 * WHAT MUST HOLD. On x86-64 the compiler believes that these calls change nothing but %r11 and the
 * flags: the arguments of the function are still in their registers, those in vector registers too.
 * Afterwards the C library's function of that name goes on with the same stack and registers, so
 * that a program which writes gmon.out writes the same.
 *
 * WHEN. Constructors of other libraries, and functions that choose implementations while the
 * dynamic linker relocates (IFUNC), may come before this module is relocated. Its event has no state
 * then, and that is what is looked at first.
 *
 * NO EXITS. They could only be had by other return addresses on the stack of the program. What looks
 * at these - exceptions, longjmp(), backtraces, coroutines, shadow stacks - would have to be told,
 * and nobody can tell all of them. -finstrument-functions has exits.
 */
#ifndef TACHO_PRELOAD_FUNCTIONS_PG_H
#define TACHO_PRELOAD_FUNCTIONS_PG_H

/* functions_pg_vectors: how wide vector registers are, for the CPU and the kernel */
#define VECTORS_UNKNOWN 0 /* nobody has looked yet */
#define VECTORS_128     1
#define VECTORS_256     2
#define VECTORS_512     3

#endif
