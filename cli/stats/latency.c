/* SPDX-License-Identifier: MIT */
/* latency.c - see latency.h */
#include "latency.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "cli/view/filter.h"
#include "cli/view/map.h"

struct stack {
	uint64_t depth; /* may be more than there is room for */
	uint64_t begin_ns[STATS_DEPTH_MAX];
};

int stats_latency_init(struct stats_latency *latency, const char *text, const char *key)
{
	const char *comma = strchr(text, ',');

	*latency = (struct stats_latency){ .key = key };
	if (!*text || (comma && (comma == text || !comma[1] || strchr(comma + 1, ','))))
		return -EINVAL;
	if (comma) {
		latency->begin = xasprintf("%.*s", (int)(comma - text), text);
		latency->end = xstrdup(comma + 1);
	} else {
		latency->span = text;
		latency->begin = xasprintf("%s_begin", text);
		latency->end = xasprintf("%s_end", text);
	}
	latency->values = stats_values_new();
	latency->open = key ? view_map_new(sizeof(uint64_t), STATS_OPEN_MAX) :
			      view_map_new(sizeof(struct stack), STATS_THREADS_MAX);
	return 0;
}

void stats_latency_fini(struct stats_latency *latency)
{
	stats_values_free(latency->values);
	view_map_free(latency->open);
	free(latency->begin);
	free(latency->end);
}

/* ---- of a key ---- */

static bool is_text(const struct ctf_value *value)
{
	return value->kind == CTF_VALUE_STRING || value->kind == CTF_VALUE_BYTES;
}

static void set_text_key(const struct ctf_value *value, struct stats_latency_call *call)
{
	size_t bytes = value->length;

	if (bytes > STATS_KEY_BYTES_MAX - sizeof(value->length))
		bytes = STATS_KEY_BYTES_MAX - sizeof(value->length);
	memcpy(call->key, &value->length, sizeof(value->length));
	memcpy(call->key + sizeof(value->length), value->bytes, bytes);
	call->key_bytes = (uint32_t)(sizeof(value->length) + bytes);
}

/* A long text counts by its begin and its length. */
static void set_key(const struct stats_latency *latency, const struct ctf_event *event,
		    struct stats_latency_call *call)
{
	const struct ctf_value *value = view_field(event, latency->key, strlen(latency->key));

	call->has_key = value && value->kind != CTF_VALUE_STRUCT && value->kind != CTF_VALUE_ARRAY;
	if (!call->has_key)
		return;
	if (is_text(value)) {
		set_text_key(value, call);
		return;
	}
	call->key_bytes = sizeof(value->u);
	memcpy(call->key, &value->u, sizeof(value->u));
}

static void begin_key(struct stats_latency *latency, const struct stats_latency_call *call)
{
	bool is_open = view_map_find(latency->open, call->key, call->key_bytes);
	uint64_t *begin_ns = view_map_get(latency->open, call->key, call->key_bytes);

	latency->begins_replaced += is_open;
	latency->unfinished += begin_ns && !is_open;
	if (begin_ns)
		*begin_ns = call->time_ns;
	else
		latency->left_out++;
}

static void end_key(struct stats_latency *latency, const struct stats_latency_call *call)
{
	const uint64_t *begin_ns = view_map_find(latency->open, call->key, call->key_bytes);

	if (!begin_ns) {
		latency->ends_alone++;
		return;
	}
	stats_values_add(latency->values, (double)(call->time_ns - *begin_ns));
	latency->unfinished--;
	view_map_remove(latency->open, call->key, call->key_bytes);
}

/* ---- of a thread ---- */

static void begin_thread(struct stats_latency *latency, const uint32_t who[2], uint64_t time_ns)
{
	struct stack *stack = view_map_get(latency->open, who, 2 * sizeof(who[0]));

	if (!stack) {
		latency->left_out++;
		return;
	}
	if (stack->depth < STATS_DEPTH_MAX)
		stack->begin_ns[stack->depth] = time_ns;
	else
		latency->left_out++;
	stack->depth++;
	latency->unfinished++;
}

static void end_thread(struct stats_latency *latency, const uint32_t who[2], uint64_t time_ns)
{
	struct stack *stack = view_map_find(latency->open, who, 2 * sizeof(who[0]));

	if (!stack) {
		latency->ends_alone++;
		return;
	}
	stack->depth--;
	latency->unfinished--;
	if (stack->depth < STATS_DEPTH_MAX)
		stats_values_add(latency->values,
				 (double)(time_ns - stack->begin_ns[stack->depth]));
	if (!stack->depth)
		view_map_remove(latency->open, who, 2 * sizeof(who[0]));
}

/* ---- items ---- */

size_t stats_latency_take(const struct stats_latency *latency, const struct ctf_item *item,
			  struct stats_latency_call *ret_call)
{
	const struct ctf_event *event = &item->event;

	ret_call->is_end = !strcmp(event->name, latency->end);
	ret_call->is_begin = !strcmp(event->name, latency->begin);
	if (!ret_call->is_end && !ret_call->is_begin)
		return 0;
	ret_call->time_ns = item->time_ns;
	ret_call->pid = event->pid;
	ret_call->tid = event->tid;
	ret_call->key_bytes = 0;
	if (latency->key)
		set_key(latency, event, ret_call);
	return offsetof(struct stats_latency_call, key) + ret_call->key_bytes;
}

static void end(struct stats_latency *latency, const struct stats_latency_call *call)
{
	const uint32_t who[] = { call->pid, call->tid };

	latency->ends++;
	if (!latency->key)
		end_thread(latency, who, call->time_ns);
	else if (call->has_key)
		end_key(latency, call);
	else
		latency->ends_alone++;
}

static void begin(struct stats_latency *latency, const struct stats_latency_call *call)
{
	const uint32_t who[] = { call->pid, call->tid };

	latency->begins++;
	if (!latency->key)
		begin_thread(latency, who, call->time_ns);
	else if (call->has_key)
		begin_key(latency, call);
	else
		latency->left_out++;
}

void stats_latency_put(struct stats_latency *latency, const struct stats_latency_call *call)
{
	if (call->is_end)
		end(latency, call);
	if (call->is_begin)
		begin(latency, call);
}
