// SPDX-License-Identifier: MIT OR GPL-2.0-only
/* bell.c - see bell.h */
#include "bell.h"

#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/eventfd.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/version.h>

#include "pinned.h"

struct bell {
	u32 *word; /* in the page */
	struct irq_work work;
	struct eventfd_ctx *event;
	struct pinned page;
};

static void signal_event(struct irq_work *work)
{
	struct bell *bell = container_of(work, struct bell, work);

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
	eventfd_signal(bell->event);
#else
	eventfd_signal(bell->event, 1);
#endif
}

void bell_ring(struct bell *bell)
{
	/* bell_ring:A pairs with doze:B */
	smp_mb();
	if (READ_ONCE(*bell->word) && xchg(bell->word, 0))
		irq_work_queue(&bell->work);
}

static int init(struct bell *bell, u64 address, int event_fd)
{
	struct eventfd_ctx *event;
	int ret;

	init_irq_work(&bell->work, signal_event);
	event = eventfd_ctx_fdget(event_fd);
	if (IS_ERR(event))
		return PTR_ERR(event);
	bell->event = event;
	ret = pinned_init(&bell->page, address & PAGE_MASK, PAGE_SIZE);
	if (!ret)
		bell->word = bell->page.map + offset_in_page(address);
	return ret;
}

struct bell *bell_new(u64 address, int event_fd)
{
	struct bell *bell;
	int ret;

	if (!IS_ALIGNED(address, sizeof(*bell->word)))
		return ERR_PTR(-EINVAL);
	bell = kzalloc(sizeof(*bell), GFP_KERNEL);
	if (!bell)
		return ERR_PTR(-ENOMEM);
	ret = init(bell, address, event_fd);
	if (ret) {
		bell_free(bell);
		return ERR_PTR(ret);
	}
	return bell;
}

void bell_free(struct bell *bell)
{
	if (!bell)
		return;
	irq_work_sync(&bell->work);
	pinned_fini(&bell->page);
	if (bell->event)
		eventfd_ctx_put(bell->event);
	kfree(bell);
}
