// SPDX-License-Identifier: MIT OR GPL-2.0-only
/* pinned.c - see pinned.h */
#include "pinned.h"

#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/vmalloc.h>

#define AT_ONCE 1024 /* pages between two looks at signals and the scheduler */

static int pin_some(struct pinned *pinned, unsigned long address, unsigned long count)
{
	int got;

	if (fatal_signal_pending(current))
		return -EINTR;
	cond_resched();
	got = pin_user_pages_fast(address + (pinned->page_count << PAGE_SHIFT),
				  (int)min_t(unsigned long, count - pinned->page_count, AT_ONCE),
				  FOLL_WRITE | FOLL_LONGTERM, pinned->pages + pinned->page_count);
	if (got <= 0)
		return got ? got : -EFAULT;
	pinned->page_count += got;
	return 0;
}

int pinned_init(struct pinned *pinned, unsigned long address, unsigned long bytes)
{
	unsigned long count = bytes >> PAGE_SHIFT;
	int ret = 0;

	*pinned = (struct pinned){ .pages = kvcalloc(count, sizeof(struct page *), GFP_KERNEL) };
	if (!pinned->pages)
		return -ENOMEM;
	while (!ret && pinned->page_count < count)
		ret = pin_some(pinned, address, count);
	if (!ret) {
		pinned->map = vmap(pinned->pages, count, VM_MAP, PAGE_KERNEL);
		ret = pinned->map ? 0 : -ENOMEM;
	}
	if (ret)
		pinned_fini(pinned);
	return ret;
}

void pinned_fini(struct pinned *pinned)
{
	vunmap(pinned->map);
	unpin_user_pages_dirty_lock(pinned->pages, pinned->page_count, true);
	kvfree(pinned->pages);
	*pinned = (struct pinned){ 0 };
}
