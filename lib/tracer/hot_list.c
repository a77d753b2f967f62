/* SPDX-License-Identifier: MIT */
/* hot_list.c - see hot_list.h */
#include "tracer/hot_list.h"

#include <string.h>

#include "tracer/hot.h"
#include "tracer/tracer.h"

/* Another event's is left alone. */
static bool is_free(const struct hot_list *list, uint32_t number, uint32_t index)
{
	return !(number & 1) && (tacho_load_relaxed(&list->head.of) != number ||
				 tacho_load_relaxed(&list->index) == index || !number);
}

bool hot_list_look(uint32_t index, uint32_t *ret_ticket)
{
	const struct hot_list *list = hot_list_at(index);
	struct tacho_hot place;

	tacho_store_relaxed(&tacho_tracer.wiped->has_lists, 1); /* list:A */
	tacho_fence_full();
	*ret_ticket = tacho_load_acquire(&list->head.number);
	return is_free(list, *ret_ticket, index) &&
	       hot_look(&tacho_tracer.wiped->hot[index], &place); /* list:B pairs with drop:B */
}

static void copy_content(struct hot_list *to, const struct hot_list *from)
{
	const size_t at = offsetof(struct hot_list, head.always);

	memcpy((char *)to + at, (const char *)from + at, sizeof(*to) - at);
}

bool hot_list_keep(const struct hot_list *content, uint32_t ticket)
{
	struct hot_list *list = hot_list_at(content->index);
	uint32_t writing = ticket + 1;

	if (!tacho_cmpxchg_acq_rel(&list->head.number, &ticket, writing)) /* list:D */
		return false;
	tacho_fence_release(); /* the odd number before the content: who reads of both notices, read:C */
	copy_content(list, content);
	tacho_store_relaxed(&list->head.of, writing + 1);
	if (tacho_cmpxchg_acq_rel(&list->head.number, &writing, writing + 1))
		return true;
	tacho_fetch_add_acq_rel(&list->head.number, 1);
	return false;
}

void hot_list_forget(uint32_t index)
{
	if (tacho_load_relaxed(&tacho_tracer.wiped->has_lists))
		tacho_fetch_add_acq_rel(&hot_list_at(index)->head.number, 2); /* drop:C */
}
