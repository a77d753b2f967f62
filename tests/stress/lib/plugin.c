/* SPDX-License-Identifier: MIT */
/*
 * plugin.c - an instrumented object that comes and goes. Its event has the name of one of work.c's
 * and another description.
 */
#include "tacho/event.h"

__attribute__((visibility("default"))) void plugin_emit(uint64_t word);

void plugin_emit(uint64_t word)
{
	tacho_event(stress, word8, "word", word);
}
