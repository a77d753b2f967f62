/* SPDX-License-Identifier: MIT */
/* page.c - see page.h */
#include "kernel/page.h"

#include <string.h>

#include "base/load.h"

#define COMMIT_BYTES  0xfffffu
#define LOST_EVENTS   (1u << 31)
#define LOST_IS_TOLD  (1u << 30)
#define DELTA_BITS    27
#define TYPE_PADDING  29
#define TYPE_EXTEND   30
#define TIME_TOP_BITS (~0ull << 59)

bool kernel_page_open(struct kernel_page *page, const void *bytes, uint32_t size)
{
	const uint8_t *at = bytes;
	uint32_t commit, used;

	*page = (struct kernel_page){ 0 };
	if (size < KERNEL_PAGE_HEADER_BYTES)
		return false;
	commit = load_u32(at + KERNEL_PAGE_COMMIT_AT);
	used = commit & COMMIT_BYTES;
	if (used > size - KERNEL_PAGE_HEADER_BYTES)
		used = size - KERNEL_PAGE_HEADER_BYTES;
	*page = (struct kernel_page){
		.bytes = at,
		.at = KERNEL_PAGE_HEADER_BYTES,
		.end = KERNEL_PAGE_HEADER_BYTES + used,
		.time = load_u64(at),
		.has_lost = commit & LOST_EVENTS,
	};
	if (commit & LOST_IS_TOLD && page->end + 8 <= size)
		page->lost = load_u64(at + page->end);
	return used;
}

/* Behind the first word of an event, which is at @page->at. */
static uint32_t second_word(const struct kernel_page *page)
{
	return page->at + 8 <= page->end ? load_u32(page->bytes + page->at + 4) : 0;
}

static void set_time(struct kernel_page *page, uint32_t type, uint32_t delta)
{
	uint64_t time = (uint64_t)second_word(page) << DELTA_BITS | delta;

	if (type == TYPE_EXTEND)
		page->time += time;
	else
		page->time = (page->time & TIME_TOP_BITS) | time;
	page->at += 8;
}

/* Return: does the page go on? */
static bool skip_padding(struct kernel_page *page, uint32_t delta)
{
	uint32_t bytes = second_word(page);

	if (!delta || bytes < 4 || bytes > page->end - page->at)
		return false;
	page->time += delta;
	page->at += 4 + bytes;
	return true;
}

bool kernel_page_find(struct kernel_page *page, struct kernel_record *ret_record)
{
	while (page->at + 4 <= page->end) {
		uint32_t word = load_u32(page->bytes + page->at);
		uint32_t type = word & KERNEL_TYPE_MASK, delta = word >> KERNEL_TYPE_BITS;

		if (!type)
			return kernel_page_take(page, delta, 8, second_word(page) - 4, ret_record);
		if (type <= KERNEL_TYPE_DATA_MAX)
			return kernel_page_take(page, delta, 4, 4 * type, ret_record);
		if (type == TYPE_PADDING && !skip_padding(page, delta))
			return false;
		if (type > TYPE_PADDING)
			set_time(page, type, delta);
	}
	return false;
}
