/* SPDX-License-Identifier: MIT */
/*
 * event-object.h - the one struct tacho_object of an instrumented program or shared library, and
 * the list of its events. Not for direct use: include <tacho/event.h>.
 *
 * Each translation unit defines tacho_this_object, weak and hidden: the linker keeps one per
 * program and one per shared library, and none of them sees another's. Each unit also has a
 * constructor and a destructor that (un)register it; all but the first of an object do nothing.
 * Priority 101 is the first that programs may use: events work before the constructors of C++
 * objects, and the object is forgotten after their destructors.
 *
 * The list is the section tacho_events: one pointer per event site, so that a program's events are
 * known before they are hit. The pointer is written by the assembler, for two reasons: GCC refuses
 * a section attribute that is used both in and out of inline functions of C++ ("section type
 * conflict"), and "?" puts the pointer into the COMDAT group of its function, so that it is dropped
 * together with it. "R" keeps it from --gc-sections. A function that is inlined into several
 * others repeats the pointer: the list has duplicates.
 */
#ifndef TACHO_EVENT_OBJECT_H
#define TACHO_EVENT_OBJECT_H

#include "event-list.h"
#include "event-state.h"

static TACHO_UNHOOKED_ __attribute__((constructor(101))) void tacho_object_begin_(void)
{
	tacho_object_register(&tacho_this_object);
}

static TACHO_UNHOOKED_ __attribute__((destructor(101))) void tacho_object_end_(void)
{
	tacho_object_unregister(&tacho_this_object);
}

#if __SIZEOF_POINTER__ == 8
#define TACHO_POINTER_ASM_ ".balign 8\n\t.quad %c0"
#else
#define TACHO_POINTER_ASM_ ".balign 4\n\t.long %c0"
#endif

/* A symbol's address as an operand, where code is position independent too. */
#if defined(__aarch64__) || defined(__riscv)
#define TACHO_SYMBOL_ "S"
#else
#define TACHO_SYMBOL_ "i"
#endif

/*
 * TACHO_LIST_() - put an event into the list
 *
 * 32-bit x86 has no operand for a symbol in position independent code: there an event becomes
 * known when it is first hit.
 */
#if defined(__i386__) && defined(__PIC__)
#define TACHO_LIST_(event) ((void)0)
#else
#define TACHO_LIST_(event)                                                                         \
	__asm__(".pushsection tacho_events,\"awR?\",%%progbits\n\t" TACHO_POINTER_ASM_             \
		"\n\t.popsection"                                                                  \
		:                                                                                  \
		: TACHO_SYMBOL_(&(event)))
#endif

#endif
