/* SPDX-License-Identifier: MIT */
/*
 * page.h - walk through the events of a page of the kernel's ring buffer, as trace_pipe_raw gives it.
 *
 *      0           8           16
 *      +-----------+-----------+--------+--------+--------+- - -
 *      | timestamp | commit    | event  | event  | event  |
 *      +-----------+-----------+--------+--------+--------+- - -
 *                    |              |
 *                    |              +-- 31      27               5 4        0
 *                    |                  +-----------------------+-----------+
 *                    |                  | time_delta, 27 bits   | type_len  |
 *                    |                  +-----------------------+-----------+
 *                    +-- low 20 bits: bytes of events; bit 31: events were lost before this page;
 *                        bit 30: how many is told, in 8 bytes behind the events
 *
 *      type_len   0        a long event: u32 length (itself included), data
 *                 1..28    data of 4 * type_len bytes
 *                 29       padding: delta 0: up to the end of the page; else u32 of bytes to skip
 *                 30       time goes on by u32 << 27 | time_delta
 *                 31       time is u32 << 27 | time_delta, its upper 5 bits those of the page's
 *
 * Data begins with u16 id (the format's), u8 flags, u8 preempt count, s32 tid of who it happened to.
 *
 * The kernel is trusted to mean no harm, but not to have no faults: nothing beyond the page is read.
 */
#ifndef TACHO_KERNEL_PAGE_H
#define TACHO_KERNEL_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/load.h"

#define KERNEL_PAGE_HEADER_BYTES 16
#define KERNEL_PAGE_COMMIT_AT    8
#define KERNEL_EVENT_HEAD_BYTES  8 /* id, flags, preempt count, tid */
#define KERNEL_TYPE_BITS         5
#define KERNEL_TYPE_MASK         31u
#define KERNEL_TYPE_DATA_MAX     28

struct kernel_page {
	const uint8_t *bytes;
	uint32_t at;  /* of the next event */
	uint32_t end; /* of events */
	uint64_t time;
	uint64_t lost; /* before this page, where the kernel tells; else 0 */
	bool has_lost;
};

struct kernel_record {
	uint64_t time;
	uint16_t id;
	int32_t tid;
	const uint8_t *data; /* its head included: offsets of formats count from here */
	uint32_t bytes;
};

/* kernel_page_open() - @size bytes, of which the kernel has filled as many as it says.
 * Return: false if there is nothing in it. */
bool kernel_page_open(struct kernel_page *page, const void *bytes, uint32_t size);

/* kernel_page_take() - the event at page->at, of which @head bytes are the ring buffer's.
 * Return: false if it makes no sense. */
static inline bool kernel_page_take(struct kernel_page *page, uint32_t delta, uint32_t head,
				    uint32_t bytes, struct kernel_record *ret_record)
{
	const uint8_t *data = page->bytes + page->at + head;

	page->time += delta;
	if (page->at + head > page->end || bytes > page->end - page->at - head ||
	    bytes < KERNEL_EVENT_HEAD_BYTES)
		return false;
	ret_record->data = data;
	ret_record->bytes = bytes;
	ret_record->time = page->time;
	memcpy(&ret_record->id, data, sizeof(ret_record->id));
	memcpy(&ret_record->tid, data + 4, sizeof(ret_record->tid));
	page->at += head + ((bytes + 3) & ~3u);
	return true;
}

/* kernel_page_find() - kernel_page_next(), whatever is before the next event */
bool kernel_page_find(struct kernel_page *page, struct kernel_record *ret_record);

/* kernel_page_next() - Return: false at the end, or where the page makes no sense. */
static inline bool kernel_page_next(struct kernel_page *page, struct kernel_record *ret_record)
{
	uint32_t word = page->at + 4 <= page->end ? load_u32(page->bytes + page->at) : 0;
	uint32_t type = word & KERNEL_TYPE_MASK;

	if (!type || type > KERNEL_TYPE_DATA_MAX)
		return kernel_page_find(page, ret_record);
	return kernel_page_take(page, word >> KERNEL_TYPE_BITS, 4, 4 * type, ret_record);
}

#endif
