/* SPDX-License-Identifier: MIT */
/*
 * guest.h - what the programs share that run in the booted kernel: cases, modules, threads that keep the
 * kernel busy.
 */
#ifndef TACHO_TESTS_KERNEL_GUEST_H
#define TACHO_TESTS_KERNEL_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#define GUEST_MODULE "/tacho.ko"
#define GUEST_FIRE   "/tacho_fire.ko"

/* guest_say() - the case passed, or failed and why, in a line for tests/lib.sh. Return: did it pass? */
bool guest_say(const char *name, bool passed, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Each returns 0 or a negative errno. */
int guest_load(const char *path);
int guest_unload(const char *name);

uint32_t guest_cpus(void);

/* Threads that make system calls, switches, new names, until they are told to stop. */
struct guest_load;
struct guest_load *guest_load_start(uint32_t threads);
uint64_t guest_load_stop(struct guest_load *load); /* what they have done; frees it */

/* guest_kernel_complains() - is there a warning of the kernel in its log? Prints it. */
bool guest_kernel_complains(void);

/* A case of a program, by its name, for so long or so often as the number says. The last one has no name. */
struct guest_case {
	const char *name;
	bool (*run)(unsigned int number);
};

/* guest_main() - PROGRAM CASE [NUMBER], with the modules, which are then unloaded. */
int guest_main(const struct guest_case *cases, int argc, char **argv);

#endif
