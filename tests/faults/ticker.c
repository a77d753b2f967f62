/* SPDX-License-Identifier: MIT */
/*
 * ticker.c - a program that records an event now and then, and keeps a book of it.
 *
 *	ticker BOOK [PAUSE_US]
 *
 * Until its input ends; says "ready" first. With a pause of 0 it is busy all the time.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <tacho/event.h>

#include "book.h"

#define BUSY_LOOPS 3000

static void tick(struct book_page *page, uint64_t number)
{
	__atomic_store_n(&page->begun, number + 1, __ATOMIC_SEQ_CST);
	tacho_event(fault, tick, "writer", 0, "number", number, "check", book_check(0, number));
	__atomic_store_n(&page->ended, number + 1, __ATOMIC_SEQ_CST);
}

/* Return: has the input ended? */
static int is_over(void)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };

	return poll(&input, 1, 0) != 0;
}

static void tick_busily(struct book_page *page)
{
	for (uint64_t number = 0; number % 128 || !is_over(); number++) {
		tick(page, number);
		for (volatile int i = 0; i < BUSY_LOOPS; i++)
			;
	}
}

int main(int argc, char **argv)
{
	long pause_us = argc > 2 ? atol(argv[2]) : 200;
	struct timespec pause = { .tv_nsec = pause_us * 1000 };
	struct book *book;

	if (argc < 2)
		return 2;
	book = book_open(argv[1], 1);
	puts("ready");
	fflush(stdout);
	if (!pause_us)
		tick_busily(&book->page[0]);
	for (uint64_t number = 0; pause_us && !is_over(); number++) {
		tick(&book->page[0], number);
		nanosleep(&pause, NULL);
	}
	return 0;
}
