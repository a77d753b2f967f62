/* SPDX-License-Identifier: MIT */
/*
 * counted.c - a program that records so many events, and says what it has computed.
 *
 *	counted COUNT [wait]
 *
 * With "wait" it says "ready", and begins when its input ends.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <tacho/event.h>

int main(int argc, char **argv)
{
	unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	unsigned long sum = 0;

	if (argc > 2) {
		puts("ready");
		fflush(stdout);
		while (getchar() != EOF)
			;
	}
	for (unsigned long i = 0; i < count; i++) {
		errno = (int)(i % 100);
		tacho_event(fault, counted, "number", i, "text", "some text");
		sum += i * (unsigned long)errno;
	}
	printf("%lu events, %lu\n", count, sum);
	return 0;
}
