/* SPDX-License-Identifier: MIT */
/* shared.h - inline functions and templates with events, used by several units of one program. */
#ifndef TACHO_TESTS_EVENT_API_SHARED_H
#define TACHO_TESTS_EVENT_API_SHARED_H

#include <tacho/event.h>

inline void hit_inline(int value)
{
	tacho_event(shop, in_inline, "v", value);
}

template <class T> void hit_template(T value)
{
	tacho_event(shop, in_template, "v", value);
}

struct shelf {
	int items;
	int count() const
	{
		tacho_event(shop, in_method, "v", items);
		return items;
	}
};

inline bool inline_is_enabled()
{
	return tacho_enabled(shop, in_inline);
}

#endif
