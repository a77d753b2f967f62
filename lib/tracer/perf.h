/* SPDX-License-Identifier: MIT */
/*
 * perf.h - counters of the calling thread, named as perf_event_open(2) names them.
 *
 * What the kernel keeps for each thread anyway - times, faults, switches - is asked by a system call
 * and counts from the thread's start. What the processor counts is read from user space, without a
 * system call and without an open file: the page that the kernel maps for a counter keeps it alive,
 * its file is closed at once. It counts from when it was first asked for.
 */
#ifndef TACHO_TRACER_PERF_H
#define TACHO_TRACER_PERF_H

#include <linux/perf_event.h>
#include <stdint.h>

/*
 * perf_read() - the value of a counter; @type, @config: of struct perf_event_attr
 *
 * Return: the value; TACHO_PERF_UNAVAILABLE where it cannot be read.
 */
uint64_t perf_read(uint32_t type, uint64_t config);

/* perf_forget() - in a child of fork(), which has none of its parent's counters. */
void perf_forget(void);

/*
 * perf_page_read() - the value of a counter of this thread that is mapped
 * @read_counter: how the processor's counter of this number is read
 */
uint64_t perf_page_read(const struct perf_event_mmap_page *page,
			uint64_t (*read_counter)(uint32_t number));

#endif
