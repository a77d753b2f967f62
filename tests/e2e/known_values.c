/* SPDX-License-Identifier: MIT */
/*
 * known_values.c - a program whose trace is known: for the tests of tacho view and tacho stats.
 *
 *	known_values COUNT [locks]
 *
 * For i from 0 to COUNT - 1, of two threads, one after the other, "first" and "second":
 *	numbers:value      i, square = i * i, half = i / 2.0, sign = -i, name "even" or "odd",
 *	                   list = i, i + 1, i + 2, nothing = i % 3 elements
 *	net:request        id = i; net:response with id = i follows when i + 1 was asked for
 *	lttng_ust_pthread:..  with "locks": mutex 16 * (1 + i % 3), which is waited for i ns; at each
 *	                   tenth i, rwlock 512 (i ns) and condition 1024 (1000 ns)
 *	work:step_begin    i; a span, and in it one more of the same name; work:step_end
 * At the end numbers:rare (a warning) and numbers:odd "name" with what needs care in CSV and JSON.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include <tacho/event.h>

static int with_locks;

static void nested_spans(int i)
{
	tacho_begin(work, step, "i", i);
	tacho_begin(work, step, "i", -i);
	tacho_end(work, step, "inner", 1);
	tacho_end(work, step, "inner", 0);
}

/* Is called from record(), as its events say. */
static __attribute__((noinline)) void wait_for_locks(int i)
{
	uint64_t caller = (uintptr_t)__builtin_return_address(0);
	uint64_t mutex = 16 * (1 + (uint64_t)i % 3), wait_ns = (uint64_t)i;

	tacho_event(lttng_ust_pthread, pthread_mutex_lock_req, "mutex", mutex);
	tacho_event(lttng_ust_pthread, pthread_mutex_lock_acq, "mutex", mutex, "status", 0,
		    "wait_ns", wait_ns, "caller", caller);
	tacho_event(lttng_ust_pthread, pthread_mutex_unlock, "mutex", mutex, "status", 0);
	if (i % 10)
		return;
	tacho_event(lttng_ust_pthread, pthread_rwlock_rdlock, "rwlock", (uint64_t)512, "status", 0,
		    "wait_ns", wait_ns);
	tacho_event(lttng_ust_pthread, pthread_cond_wait, "cond", (uint64_t)1024, "mutex", mutex,
		    "status", 0, "wait_ns", (uint64_t)1000);
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
	if (with_locks)
		wait_for_locks(i);
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

	with_locks = argc > 2;
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
