/* SPDX-License-Identifier: MIT */
/*
 * sleeper.h - a drain that sleeps until the module tells it (kernel/bell.h), as format/trigger.h says: who
 * sleeps on a word, and the thread beside it that wakes it.
 */
#ifndef TACHO_TESTS_KERNEL_SLEEPER_H
#define TACHO_TESTS_KERNEL_SLEEPER_H

#include <pthread.h>

#include "ring_file.h"

struct sleeper {
	uint32_t *word; /* 1: it sleeps, or is about to */
	int event_fd;
	pthread_t teller;
	uint64_t told;
	bool is_over;
};

/* Each returns 0 or a negative errno. */
int sleeper_init(struct sleeper *sleeper, struct ring_file *file);
/* sleeper_hang() - the module tells it of this file; a second time: in the place of the first. */
int sleeper_hang(struct sleeper *sleeper, struct ring_file *file);
int sleeper_take_down(struct ring_file *file);
void sleeper_fini(struct sleeper *sleeper);

/* sleeper_sleep() - until told, or some time. Return: false if it should have been told, and was not. */
bool sleeper_sleep(struct sleeper *sleeper, struct ring_file *file);
uint64_t sleeper_told(struct sleeper *sleeper);

#endif
