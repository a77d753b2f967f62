/* SPDX-License-Identifier: MIT */
/*
 * export_spans.c - a program whose spans are not all plain: for the tests of tacho export.
 *
 *	export_spans DEPTH
 *
 * In the thread "spans": two spans that overlap, one in which others are, ends without a begin, DEPTH
 * spans within each other, one that is never over, and a counter; strings that need care in JSON.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include <tacho/event.h>

static void overlap(void)
{
	tacho_begin(over, outer, "id", 1);
	tacho_begin(over, left, "id", 2);
	tacho_begin(over, right, "id", 3);
	tacho_end(over, left, "result", -1);
	tacho_event(over, between);
	tacho_end(over, right);
	tacho_end(over, outer);
}

static void recurse(int depth)
{
	if (!depth)
		return;
	tacho_begin(deep, call, "depth", depth);
	recurse(depth - 1);
	tacho_end(deep, call);
}

static void count(void)
{
	for (int i = 0; i < 10; i++)
		tacho_event(shop, stock, "total", 5 - i, "share", i / 4.0, "big",
			    UINT64_MAX - (uint64_t)i);
}

static void *run(void *depth)
{
	pthread_setname_np(pthread_self(), "spans");
	overlap();
	tacho_end(lone, some, "id", 1);
	recurse((int)(intptr_t)depth);
	count();
	tacho_event(odd, texts, "quoted", "a \"b\"\\\n\t\1\177", "bytes", tacho_bytes("\1\377", 2),
		    "text", tacho_text("x\0\303\244\377", 5), "address",
		    (void *)0xffff800012345678);
	tacho_begin(never, over);
	return NULL;
}

int main(int argc, char **argv)
{
	intptr_t depth = argc > 1 ? atoi(argv[1]) : 10;
	pthread_t thread;

	tacho_event(main, begins);
	if (pthread_create(&thread, NULL, run, (void *)depth))
		return 1;
	return pthread_join(thread, NULL) != 0;
}
