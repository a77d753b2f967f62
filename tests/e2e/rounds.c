/* SPDX-License-Identifier: MIT */
/*
 * rounds.c - a program that does as it is told, line by line, for tests that change what is recorded
 * between two lines (tests/lib-rounds.sh).
 *
 *	COUNT     COUNT times each: round:alpha, round:beta, and round:alarm, which is a warning;
 *	          then prints "done"
 *	end       ends, as the end of the input does
 *
 * It prints "ready" first.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/event.h>

static void do_round(int count)
{
	for (int i = 0; i < count; i++) {
		tacho_event(round, alpha, "number", i);
		tacho_event(round, beta, "number", i);
		tacho_event_level(TACHO_LEVEL_WARNING, round, alarm, "number", i);
	}
}

static void answer(const char *text)
{
	puts(text);
	fflush(stdout);
}

int main(void)
{
	char line[32];

	answer("ready");
	while (fgets(line, sizeof(line), stdin) && strcmp(line, "end\n")) {
		do_round(atoi(line));
		answer("done");
	}
	return 0;
}
