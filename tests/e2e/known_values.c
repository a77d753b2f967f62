/* SPDX-License-Identifier: MIT */
/*
 * known_values.c - a program whose trace is known: for the tests of tacho view and tacho stats.
 *
 *	known_values COUNT
 *
 * For i from 0 to COUNT - 1, of two threads, one after the other, "first" and "second":
 *	numbers:value      i, square = i * i, half = i / 2.0, sign = -i, name "even" or "odd",
 *	                   list = i, i + 1, i + 2, nothing = i elements
 *	net:request        id = i; net:response with id = i follows when i + 1 was asked for
 *	work:step_begin    i; a span, and in it one more of the same name; work:step_end
 * At the end numbers:rare (a warning) and numbers:odd "name" with what needs care in CSV and JSON.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include <tacho/event.h>

static void nested_spans(int i)
{
	tacho_begin(work, step, "i", i);
	tacho_begin(work, step, "i", -i);
	tacho_end(work, step, "inner", 1);
	tacho_end(work, step, "inner", 0);
}

static void record(int i)
{
	int list[] = { i, i + 1, i + 2 };

	tacho_event(numbers, value, "i", i, "square", (int64_t)i * i, "half", i / 2.0, "sign", -i,
		    "name", i % 2 ? "odd" : "even", "list", tacho_array(list, 3), "nothing",
		    tacho_array(list, i % 3));
	tacho_event(net, request, "id", i);
	if (i)
		tacho_event(net, response, "id", i - 1);
	nested_spans(i);
}

struct work {
	const char *name;
	int begin, end;
};

static void *run(void *data)
{
	const struct work *work = data;

	pthread_setname_np(pthread_self(), work->name);
	for (int i = work->begin; i < work->end; i++)
		record(i);
	return NULL;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 100;
	struct work works[] = { { "first", 0, count / 2 }, { "second", count / 2, count } };

	for (int i = 0; i < 2; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, run, &works[i]))
			return 1;
		pthread_join(thread, NULL);
	}
	tacho_event_level(TACHO_LEVEL_WARNING, numbers, rare, "i", count);
	tacho_event(numbers, odd, "name", "a \"b\", c\r\nd\\e", "bytes", tacho_bytes("\1\377", 2),
		    "text", tacho_text("x\0\303\244\377", 5), "big", UINT64_MAX);
	return 0;
}
