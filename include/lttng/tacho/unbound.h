/* SPDX-License-Identifier: MIT */
/*
 * unbound.h - an object whose events are to find their probes later. Not for direct use: include
 * <lttng/tracepoint.h>.
 *
 * It is linked without libtacho, so it looks for it when it is loaded: there where the dynamic linker
 * looks for libraries. Without it, its events stay off.
 */
#ifndef LTTNG_TACHO_UNBOUND_H
#define LTTNG_TACHO_UNBOUND_H

#include <dlfcn.h>

#include <tacho/event-list.h>

#include "types.h"

#define TACHO_TP_LIBRARY_ "libtacho.so.0"

/* The state of an event that is never hit: a word that is always 0. */
#ifdef __cplusplus
#define TACHO_TP_UNBOUND_INIT_(info)                                                               \
	{                                                                                          \
		reinterpret_cast<uint32_t *>(tacho_this_object.no_hot),                            \
			reinterpret_cast<struct tacho_hot *>(tacho_this_object.no_hot), (info),    \
			&tacho_this_object                                                         \
	}
#else
#define TACHO_TP_UNBOUND_INIT_(info)                                                               \
	{                                                                                          \
		(uint32_t *)tacho_this_object.no_hot, (struct tacho_hot *)tacho_this_object.no_hot, \
			(info), &tacho_this_object                                                 \
	}
#endif

TACHO_OUTLINE_ void tacho_lttng_tell(const char *name)
{
	void *const library = dlopen(TACHO_TP_LIBRARY_, RTLD_LAZY | RTLD_LOCAL);
	void (*tell)(struct tacho_object *);
	void *symbol;

	if (!library)
		return;
	symbol = dlsym(library, name);
	if (symbol) {
		__builtin_memcpy(&tell, &symbol, sizeof(tell));
		tell(&tacho_this_object);
	}
	dlclose(library);
}

static __attribute__((constructor(101))) void tacho_lttng_unbound_begin(void)
{
	tacho_lttng_tell("tacho_object_register");
}

static __attribute__((destructor(101))) void tacho_lttng_unbound_end(void)
{
	tacho_lttng_tell("tacho_object_unregister");
}

#endif
