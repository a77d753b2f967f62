/* SPDX-License-Identifier: MIT */
/*
 * watched.c - events on one CPU, and on all of them, while the emulator watches what the module does
 * (watch/watch.c). Which watch is which: lines.sh.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/firing.h"
#include "lib/guest.h"
#include "lib/ring_file.h"
#include "watch/watch.h"

#define RING_BYTES (64u << 10)
#define CALLS      10000
#define FIRING_MS  300

static void say_at(uint64_t address)
{
	*(volatile char *)address = 1;
}

static void watch(uint32_t number)
{
	say_at(WATCH_BEGIN + number);
}

static bool read_number(const char *path, const char *format, unsigned long long *ret_number)
{
	FILE *file = fopen(path, "r");
	bool is_read = file && fscanf(file, format, ret_number) == 1;

	if (file)
		fclose(file);
	return is_read;
}

/* Its pages hold nothing of anybody else. */
static bool say_where_the_module_is(void)
{
	unsigned long long text, bytes;
	void *said =
		mmap((void *)WATCH_LOW, 2 * WATCH_BYTES + WATCH_NUMBERS, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (said == MAP_FAILED || !read_number("/sys/module/tacho/sections/.text", "%llx", &text) ||
	    !read_number("/sys/module/tacho/coresize", "%llu", &bytes) || text < WATCH_MODULES ||
	    text + bytes > WATCH_MODULES + WATCH_BYTES)
		return false;
	say_at(WATCH_LOW + (text - WATCH_MODULES));
	say_at(WATCH_HIGH + (text + bytes - WATCH_MODULES));
	return true;
}

static pthread_barrier_t all_are_ready;

static void *call(void *cpu)
{
	cpu_set_t here;

	CPU_ZERO(&here);
	CPU_SET((uintptr_t)cpu, &here);
	sched_setaffinity(0, sizeof(here), &here);
	pthread_barrier_wait(&all_are_ready);
	for (int i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
	return NULL;
}

/* Each of the first CPUs makes as many calls, at the same time. */
static void call_on(uint32_t cpus)
{
	pthread_t threads[FIRING_CPUS_MAX];

	pthread_barrier_init(&all_are_ready, NULL, cpus);
	for (uintptr_t cpu = 0; cpu < cpus; cpu++)
		pthread_create(&threads[cpu], NULL, call, (void *)cpu);
	for (uint32_t cpu = 0; cpu < cpus; cpu++)
		pthread_join(threads[cpu], NULL);
	pthread_barrier_destroy(&all_are_ready);
}

static bool watch_calls(void)
{
	struct ring_file file;
	bool is_recorded = !ring_file_open(&file, TACHO_MODE_OVERWRITE, RING_BYTES, guest_cpus()) &&
			   !ring_file_record(&file, "sys_enter", 1, 5) &&
			   !ring_file_record(&file, "sys_exit", 2, 5);

	if (is_recorded) {
		watch(WATCH_CALLS_ON_ONE);
		call_on(1);
		watch(WATCH_CALLS_ON_ALL);
		call_on(guest_cpus());
		watch(WATCH_NOTHING);
		ring_file_detach(&file);
	}
	ring_file_close(&file);
	return is_recorded;
}

static void fire(void)
{
	struct firing firing;

	if (firing_start(&firing, FIRING_MS))
		firing_join(&firing);
}

/* From all contexts; what is done once is watched as well, or not. */
static bool watch_firing(uint32_t number, bool is_from_the_start)
{
	struct ring_file file;
	bool is_recorded;

	if (is_from_the_start)
		watch(number);
	is_recorded = !ring_file_open(&file, TACHO_MODE_OVERWRITE, RING_BYTES, guest_cpus()) &&
		      !ring_file_record(&file, "tacho_fire", FIRING_ID, 2);
	if (!is_from_the_start)
		watch(number);
	if (is_recorded)
		fire();
	watch(WATCH_NOTHING);
	ring_file_detach(&file);
	ring_file_close(&file);
	return is_recorded;
}

static bool events_are_watched(unsigned int unused)
{
	(void)unused;
	return guest_say("events_are_recorded_while_the_emulator_watches",
			 say_where_the_module_is() && watch_calls() &&
				 watch_firing(WATCH_FIRING, false) &&
				 watch_firing(WATCH_FIRST_AND_FIRING, true),
			 "%u CPUs: %s", guest_cpus(), strerror(errno));
}

static const struct guest_case cases[] = {
	{ "all", events_are_watched },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	return guest_main(cases, argc, argv);
}
