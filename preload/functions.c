/* SPDX-License-Identifier: MIT */
/*
 * functions.c - libtacho-functions.so: records each function of a program that was compiled with
 * -finstrument-functions, when it is entered and when it returns; functions_pg.c those of -pg.
 *
 * The compiler calls these two by their names; the C library has some that do nothing. The events
 * have the names, fields and level of LTTng's helper; tacho-functions(7) tells more.
 */
#include "tacho/event.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT void __cyg_profile_func_enter(void *function, void *call_site);
EXPORT void __cyg_profile_func_exit(void *function, void *call_site);

void __cyg_profile_func_enter(void *function, void *call_site)
{
	tacho_event_level(TACHO_LEVEL_DEBUG_FUNCTION, lttng_ust_cyg_profile, func_entry,
			  "func_addr", function, "call_site", call_site);
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
	tacho_event_level(TACHO_LEVEL_DEBUG_FUNCTION, lttng_ust_cyg_profile, func_exit, "func_addr",
			  function, "call_site", call_site);
}
