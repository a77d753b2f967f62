/* SPDX-License-Identifier: MIT */
/*
 * cli_orders.c - a program to be traced by the tests of the command.
 *
 *	cli_orders COUNT          COUNT times shop:order_placed, one shop:closed; ends
 *	cli_orders COUNT wait     then prints "ready" and waits for a line, or the end, of its input;
 *	                          then COUNT events once more
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/event.h>

static void place_orders(int count)
{
	for (int i = 0; i < count; i++)
		tacho_event(shop, order_placed, "id", i, "customer", "Ada", "total", 2.5);
}

static void wait_for_line(void)
{
	puts("ready");
	fflush(stdout);
	while (getchar() != '\n' && !feof(stdin))
		;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1;

	place_orders(count);
	if (argc > 2 && !strcmp(argv[2], "wait")) {
		wait_for_line();
		place_orders(count);
	}
	tacho_event_level(TACHO_LEVEL_WARNING, shop, closed, "orders", count);
	return 0;
}
