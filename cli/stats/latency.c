/* SPDX-License-Identifier: MIT */
/* latency.c - see latency.h */
#include "latency.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "cli/view/filter.h"
#include "cli/view/map.h"

#define KEY_BYTES_MAX 256

struct stack {
	uint64_t depth; /* may be more than there is room for */
	uint64_t begin_ns[STATS_DEPTH_MAX];
};

/* What belongs together: bytes that are equal. */
struct key {
	size_t count;
	char bytes[KEY_BYTES_MAX];
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

/* A long text counts by its begin and its length. */
static bool set_key(const struct stats_latency *latency, const struct ctf_event *event,
		    struct key *ret_key)
{
	const struct ctf_value *value = view_field(event, latency->key, strlen(latency->key));
	size_t bytes;

	if (!value || value->kind == CTF_VALUE_STRUCT || value->kind == CTF_VALUE_ARRAY)
		return false;
	if (!is_text(value)) {
		ret_key->count = sizeof(value->u);
		memcpy(ret_key->bytes, &value->u, sizeof(value->u));
		return true;
	}
	bytes = value->length;
	if (bytes > KEY_BYTES_MAX - sizeof(value->length))
		bytes = KEY_BYTES_MAX - sizeof(value->length);
	memcpy(ret_key->bytes, &value->length, sizeof(value->length));
	memcpy(ret_key->bytes + sizeof(value->length), value->bytes, bytes);
	ret_key->count = sizeof(value->length) + bytes;
	return true;
}

static void begin_key(struct stats_latency *latency, const struct key *key, uint64_t time_ns)
{
	bool is_open = view_map_find(latency->open, key->bytes, key->count);
	uint64_t *begin_ns = view_map_get(latency->open, key->bytes, key->count);

	latency->begins_replaced += is_open;
	latency->unfinished += begin_ns && !is_open;
	if (begin_ns)
		*begin_ns = time_ns;
	else
		latency->left_out++;
}

static void end_key(struct stats_latency *latency, const struct key *key, uint64_t time_ns)
{
	const uint64_t *begin_ns = view_map_find(latency->open, key->bytes, key->count);

	if (!begin_ns) {
		latency->ends_alone++;
		return;
	}
	stats_values_add(latency->values, (double)(time_ns - *begin_ns));
	latency->unfinished--;
	view_map_remove(latency->open, key->bytes, key->count);
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

static void end(struct stats_latency *latency, const struct ctf_event *event, uint64_t time_ns)
{
	const uint32_t who[] = { event->pid, event->tid };
	struct key key;

	latency->ends++;
	if (!latency->key)
		end_thread(latency, who, time_ns);
	else if (set_key(latency, event, &key))
		end_key(latency, &key, time_ns);
	else
		latency->ends_alone++;
}

static void begin(struct stats_latency *latency, const struct ctf_event *event, uint64_t time_ns)
{
	const uint32_t who[] = { event->pid, event->tid };
	struct key key;

	latency->begins++;
	if (!latency->key)
		begin_thread(latency, who, time_ns);
	else if (set_key(latency, event, &key))
		begin_key(latency, &key, time_ns);
	else
		latency->left_out++;
}

/* An event may be both: the end of one and the begin of the next. */
void stats_latency_add(struct stats_latency *latency, const struct ctf_item *item)
{
	const struct ctf_event *event = &item->event;

	if (!strcmp(event->name, latency->end))
		end(latency, event, item->time_ns);
	if (!strcmp(event->name, latency->begin))
		begin(latency, event, item->time_ns);
}
