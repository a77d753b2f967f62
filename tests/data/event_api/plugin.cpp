/* SPDX-License-Identifier: MIT */
/* plugin.cpp - a shared library with events of the same inline functions as its program. */
#include "shared.h"

extern "C" void plugin_hit();

struct during_life {
	during_life()
	{
		tacho_event(plugin, constructed);
	}
	~during_life()
	{
		tacho_event(plugin, destroyed);
	}
};
static during_life life;

extern "C" void plugin_hit()
{
	tacho_event(plugin, own);
	hit_inline(3);
}
