/* SPDX-License-Identifier: MIT */
/* called.c - see called.h */
#include "called.h"

#include <tacho/event.h>

void called_word(uint32_t value)
{
	tacho_event(bench, word, "value", value);
}

void called_order(const char *name, uint32_t id, uint64_t total)
{
	tacho_event(bench, order, "name", name, "id", id, "total", total);
}
