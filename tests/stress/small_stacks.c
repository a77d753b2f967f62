/* SPDX-License-Identifier: MIT */
/*
 * small_stacks.c - libtacho is a guest on other people's stacks: the longest way of an event, the
 * first one that attaches to a session, must fit into the smallest that there are. And it leaves
 * no trace in a program: errno, threads and file descriptors are as they were.
 */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/home.h"
#include "lib/parse.h"
#include "lib/scenario.h"
#include "tacho/event.h"

#define PAINT 0x5a

static struct home_session session;
static uint32_t expected;

static void open_session(void)
{
	struct home_channel channel = { "channel0", 64u << 10, TACHO_MODE_OVERWRITE, 0, true };
	struct home_rule rule = { "*", 0 };

	expected = 0;
	home_session_create(&session, "small", 0, &channel, 1, &rule, 1);
	home_session_apply(&session);
}

/* Events of each way: a word, a string, the printf-like one would be the program's own stack. */
static void record(void)
{
	errno = 4711;
	tacho_event(small, word, "n", expected);
	tacho_event(small, text, "n", expected, "text", "a string that does not fit a word");
	if (errno != 4711)
		abort();
	expected += 2;
}

static uint32_t count_records(void)
{
	const struct rings *rings = &session.rings[0];
	uint32_t count = 0;

	for (uint32_t cpu = 0; cpu < rings->ring_count; cpu++) {
		struct ring_range range = ring_range(rings, cpu);
		struct parse_record record;
		struct ring_view view;
		struct parse p;

		for (uint64_t k = range.oldest; k < range.end; k++) {
			if (ring_view(rings, cpu, k, &view))
				return 0;
			parse_begin(&p, view.content, view.content_bytes, 0);
			for (; parse_next(&p, &record); count++)
				parse_skip(&p, record.max > 4 && record.payload[4] == 'a' ?
						       4 + strlen((char *)record.payload + 4) + 1 :
						       4);
			if (p.wrong)
				printf("# %s\n", p.wrong);
		}
	}
	return count;
}

static bool all_is_there(void)
{
	uint32_t found = count_records();

	if (found != expected)
		printf("# recorded %u, found %u\n", expected, found);
	home_session_destroy(&session);
	return found == expected && found;
}

/* ---- a stack between two guard pages ---- */

static char *new_stack(size_t bytes)
{
	char *stack = mmap(NULL, bytes + 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);

	if (stack == MAP_FAILED || mprotect(stack, 4096, PROT_NONE) ||
	    mprotect(stack + 4096 + bytes, 4096, PROT_NONE))
		die("make a stack");
	memset(stack + 4096, PAINT, bytes);
	return stack + 4096;
}

static size_t used(const char *stack, size_t bytes)
{
	size_t untouched = 0;

	while (untouched < bytes && stack[untouched] == PAINT)
		untouched++;
	return bytes - untouched;
}

static void *record_once(void *unused)
{
	record();
	return unused;
}

static void *do_nothing(void *unused)
{
	return unused;
}

static size_t run_on(size_t bytes, void *(*function)(void *))
{
	char *stack = new_stack(bytes);
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	if (pthread_attr_setstack(&attributes, stack, bytes) ||
	    pthread_create(&thread, &attributes, function, NULL))
		die("start a thread");
	pthread_join(thread, NULL);
	return used(stack, bytes);
}

static bool thread_of_16_kib(const struct scenario *scenario)
{
	size_t before, after;

	(void)scenario;
	before = run_on(PTHREAD_STACK_MIN, do_nothing);
	open_session();
	after = run_on(PTHREAD_STACK_MIN, record_once);
	printf("# an event that attaches takes %zu bytes of stack\n", after - before);
	record();
	return all_is_there();
}

static void on_signal(int signal)
{
	(void)signal;
	record();
}

static void do_nothing_on_signal(int signal)
{
	(void)signal;
}

static size_t signal_on(size_t bytes, void (*handler)(int))
{
	char *stack = new_stack(bytes);
	stack_t alternate = { .ss_sp = stack, .ss_size = bytes };
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };

	if (sigaltstack(&alternate, NULL) || sigaction(SIGUSR1, &action, NULL))
		die("an alternate stack");
	raise(SIGUSR1);
	return used(stack, bytes);
}

/* The frame of the signal itself is as large as the CPU's registers make it. */
static bool small_alternate_stack(const struct scenario *scenario)
{
	size_t frame = signal_on(65536, do_nothing_on_signal);
	size_t bytes = (frame + 4095) / 4096 * 4096 + 8192;

	(void)scenario;
	open_session();
	printf("# an event that attaches takes %zu bytes behind a signal's %zu\n",
	       signal_on(bytes, on_signal) - frame, frame);
	record();
	return all_is_there();
}

/* ---- what a program has ---- */

static int count_entries(const char *path)
{
	DIR *dir = opendir(path);
	int count = 0;

	while (dir && readdir(dir))
		count++;
	if (dir)
		closedir(dir);
	return count;
}

struct belongings {
	int threads;
	int fds;
};

static struct belongings look(void)
{
	return (struct belongings){ count_entries("/proc/self/task"),
				    count_entries("/proc/self/fd") };
}

static bool are_same(struct belongings a, struct belongings b)
{
	if (a.threads == b.threads && a.fds == b.fds)
		return true;
	printf("# threads %d, then %d; file descriptors %d, then %d\n", a.threads, b.threads, a.fds,
	       b.fds);
	return false;
}

static bool nothing_is_left(const struct scenario *scenario)
{
	struct belongings before, other;
	bool good = true;

	(void)scenario;
	for (int i = 0; i < 3; i++) {
		open_session();
		before = look();
		record();
		other = look();
		good &= are_same(before, other);
		good &= all_is_there();
	}
	/* `.`, `..`, the three standard ones, and the one that looks. */
	return good && are_same((struct belongings){ 3, 6 }, look());
}

static const struct scenario scenarios[] = {
	{ .name = "an_event_fits_the_smallest_stack_of_a_thread", .run = thread_of_16_kib },
	{ .name = "without_rseq_too", .run = thread_of_16_kib, .portable = true },
	{ .name = "an_event_fits_a_small_alternate_stack", .run = small_alternate_stack },
	{ .name = "without_rseq_it_fits_there_too",
	  .run = small_alternate_stack,
	  .portable = true },
	{ .name = "a_program_has_no_more_threads_and_fds_than_before", .run = nothing_is_left },
};

int main(int argc, char **argv)
{
	return scenarios_main(scenarios, sizeof(scenarios) / sizeof(scenarios[0]), argc, argv);
}
