/* SPDX-License-Identifier: MIT */
/*
 * hello.c - the smallest program with an event. From an installed Tacho:
 *
 *	cc hello.c -o hello $(pkg-config --cflags --libs tacho)
 *	tacho record -- ./hello
 */
#include <stdio.h>

#include <tacho/event.h>

int main(void)
{
	for (int i = 0; i < 10; i++) {
		tacho_event(hello, greeting, "number", i, "text", "Hello, world");
		printf("Hello, world %d\n", i);
	}
	return 0;
}
