/* SPDX-License-Identifier: MIT */
/*
 * take.h - sub-buffers out of a ring while it is written to, as a drain and a snapshot take them: copied,
 * found to be whole, walked.
 */
#ifndef TACHO_TESTS_KERNEL_TAKE_H
#define TACHO_TESTS_KERNEL_TAKE_H

#include "ring_file.h"
#include "walk.h"

/* take_subbuf() - Return: 1: walked; 0: it was overwritten, or reused; -1: wrong, for take_blame(). */
int take_subbuf(struct ring_file *file, uint32_t cpu, uint64_t number, struct walk *walk);
/* take_blame() - say what is wrong. Return: false. */
bool take_blame(const char *what, uint32_t cpu, uint64_t number, const struct walk *walk);
/* take_ring() - all complete sub-buffers of a ring, and the open one at the end; each is released. */
bool take_ring(struct ring_file *file, uint32_t cpu, struct walk *walk, bool is_end);

#endif
