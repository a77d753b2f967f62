/* SPDX-License-Identifier: MIT */
/* events.c - a few events, for programs and libraries of every make; also as C++. */
#include <tacho/event.h>

struct thing;
void use(int count, struct thing *thing, const double *list);
void use(int count, struct thing *thing, const double *list)
{
	tacho_event(shop, order, "id", count, "who", "Ada", "at", thing);
	tacho_event_level(TACHO_LEVEL_WARNING, shop, low, "list", tacho_array(list, 3));
	tacho_event(empty, event);
}

int main(void)
{
	use(1, 0, 0);
	return 0;
}
