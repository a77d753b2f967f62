/* SPDX-License-Identifier: MIT */
/*
 * event-list.h - tacho_this_object, and the list of events it leads to; see event-object.h. Not for
 * direct use: include <tacho/event.h>.
 *
 * Nothing here refers to libtacho.
 */
#ifndef TACHO_EVENT_LIST_H
#define TACHO_EVENT_LIST_H

#include "abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Made by the linker; weak, for a unit that includes the header and has no event. */
extern struct tacho_event *__start_tacho_events[] __attribute__((weak, visibility("hidden")));
extern struct tacho_event *__stop_tacho_events[] __attribute__((weak, visibility("hidden")));

extern struct tacho_object tacho_this_object __attribute__((visibility("hidden")));
__attribute__((weak)) struct tacho_object tacho_this_object = {
	TACHO_ABI_VERSION, TACHO_STATE_STALE, __start_tacho_events, __stop_tacho_events, {0, 0, 0, 0},
};

#ifdef __cplusplus
}
#endif

/* What a struct tacho_event is before its object is registered. */
#ifdef __cplusplus
#define TACHO_EVENT_INIT_(info)                                                                    \
	{                                                                                          \
		&tacho_this_object.unregistered,                                                   \
		reinterpret_cast<struct tacho_hot *>(tacho_this_object.no_hot), (info), nullptr    \
	}
#else
#define TACHO_EVENT_INIT_(info)                                                                    \
	{                                                                                          \
		&tacho_this_object.unregistered, (struct tacho_hot *)tacho_this_object.no_hot,     \
		(info), NULL                                                                       \
	}
#endif

#endif
