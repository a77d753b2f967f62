/* SPDX-License-Identifier: MIT */
/* route_filter.c - see route_filter.h */
#include "tracer/route_filter.h"

#include <errno.h>
#include <string.h>

#include "base/context.h"
#include "base/rule.h"

static struct memory *memory(void)
{
	return &tacho_tracer.memory;
}

int filter_copy_take(struct filter_copy *copy, const struct tacho_session *session,
		     const struct tacho_span *span)
{
	uint32_t bytes;
	const char *text = rule_text(session, span, &bytes);

	if (!text || bytes < sizeof(struct tacho_filter) || bytes > TACHO_FILTER_BYTES_MAX)
		return -EBADMSG;
	copy->program = memory_get(memory(), bytes);
	if (!copy->program)
		return -ENOMEM;
	copy->bytes = bytes;
	memcpy(copy->program, text, bytes);
	return 0;
}

void filter_copy_drop(struct filter_copy *copy)
{
	memory_put(memory(), copy->program, copy->bytes);
	copy->program = NULL;
}

/* One block: the program, and what links it to the event. */
int route_filter_init(struct route_filter *filter, const struct filter_copy *copy,
		      const struct tacho_desc *desc)
{
	uint32_t linked_at = (copy->bytes + 7) & ~7u;

	if (filter_check(copy->program, copy->bytes))
		return -EBADMSG;
	filter->destination = copy->destination;
	filter->bytes = linked_at + (uint32_t)filter_linked_bytes(copy->program, desc);
	filter->block = memory_get(memory(), filter->bytes);
	if (!filter->block)
		return -ENOMEM;
	memcpy(filter->block, copy->program, copy->bytes);
	filter->linked = filter_link(filter->block, desc, (char *)filter->block + linked_at,
				     filter->bytes - linked_at);
	if (filter->linked)
		return 0;
	route_filter_fini(filter);
	return -EBADMSG;
}

void route_filter_fini(struct route_filter *filter)
{
	memory_put(memory(), filter->block, filter->bytes);
	filter->block = NULL;
}

bool route_filter_may_agree(const struct tacho_session *session, const struct tacho_span *span,
			    const struct tacho_desc *desc)
{
	struct filter_copy copy = { .destination = 0 };
	struct route_filter filter;
	int ret;

	if (!tacho_load_relaxed(&span->bytes))
		return true;
	ret = filter_copy_take(&copy, session, span);
	if (ret)
		return ret == -ENOMEM;
	ret = route_filter_init(&filter, &copy, desc);
	if (!ret)
		route_filter_fini(&filter);
	filter_copy_drop(&copy);
	return !ret || ret == -ENOMEM;
}

/* ---- contexts ---- */

static int procname(struct filter_value *ret_value)
{
	ret_value->kind = FILTER_STRING;
	ret_value->text = tacho_thread.name;
	ret_value->bytes = (uint32_t)strnlen(tacho_thread.name, sizeof(tacho_thread.name));
	return 0;
}

/* As with fields: what has less than 8 bytes is signed. A counter that cannot be read is not there. */
static int context_value(void *source, uint32_t number, struct filter_value *ret_value)
{
	if (number == TACHO_CONTEXT_PROCNAME)
		return procname(ret_value);
	ret_value->word = context_integer(source, number);
	ret_value->kind = context_bytes(number) == 8 ? FILTER_UNSIGNED : FILTER_SIGNED;
	return number >= TACHO_CONTEXT_PERF && ret_value->word == TACHO_PERF_UNAVAILABLE ? -1 : 0;
}

bool route_filter_agrees(const struct route_filter *filter, const struct tacho_part *parts,
			 uint32_t count, struct context_source *source)
{
	return filter_run_parts(filter->linked, parts, count, context_value, source);
}
