/* SPDX-License-Identifier: MIT */
/* library.c - a shared library with events, to be loaded and unloaded; with -DLIBRARY_NUMBER=N it has
 * one event of its own. */
#include <tacho/event.h>

#ifndef LIBRARY_NUMBER
#define LIBRARY_NUMBER 0
#endif

int library_work(int count);

static __attribute__((constructor)) void loaded(void)
{
	tacho_event(fault, life, "where", "library constructor");
}

static __attribute__((destructor)) void unloaded(void)
{
	tacho_event(fault, life, "where", "library destructor");
}

/* Return: how many events it has recorded, those of its loading and unloading included. */
int library_work(int count)
{
	for (int i = 0; i < count; i++)
		tacho_event(fault, life, "where", "library", "number", LIBRARY_NUMBER);
	return count + 2;
}
