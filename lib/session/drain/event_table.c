/* SPDX-License-Identifier: MIT */
/* event_table.c - see event_table.h */
#include "session/drain/event_table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/context.h"
#include "base/fd.h"
#include "session/state.h"

/* Entries that are read at once. */
#define ENTRIES_AT_ONCE 256

static int check_header(int fd)
{
	struct tacho_events header;
	int ret = fd_read_at(fd, &header, sizeof(header), 0);

	if (ret)
		return ret;
	if (header.magic != TACHO_EVENTS_MAGIC || header.version != TACHO_EVENTS_VERSION)
		return -EBADMSG;
	return 0;
}

static int open_table(int session_dir_fd, struct event_table *table)
{
	int ret;

	table->fd = file_open_linked_at(session_dir_fd, EVENTS_FILE, O_RDONLY, 0);
	if (table->fd < 0)
		return table->fd;
	ret = check_header(table->fd);
	if (ret)
		return ret;
	table->desc = calloc(TACHO_EVENT_IDS, sizeof(*table->desc));
	table->contexts = calloc(TACHO_EVENT_IDS, sizeof(*table->contexts));
	table->malformed = calloc(TACHO_EVENT_IDS / 64, sizeof(*table->malformed));
	return table->desc && table->contexts && table->malformed ? 0 : -ENOMEM;
}

int event_table_open(int session_dir_fd, struct event_table *ret_table, struct tacho_error *error)
{
	int ret;

	*ret_table = (struct event_table){ .fd = -1, .settled = TACHO_ID_FIRST };
	ret = open_table(session_dir_fd, ret_table);
	if (!ret)
		return 0;
	event_table_close(ret_table);
	return error_set(error, ret, "cannot read the session's event table: %s",
			 ret == -EBADMSG ? "it is damaged, or of another version of tacho" :
					   strerror(-ret));
}

void event_table_close(struct event_table *table)
{
	for (uint32_t id = 0; table->desc && id < table->id_count; id++)
		event_desc_free(table->desc[id]);
	free(table->desc);
	free(table->contexts);
	free(table->malformed);
	fd_close(table->fd);
	*table = (struct event_table){ .fd = -1 };
}

static bool is_malformed(const struct event_table *table, uint32_t id)
{
	return table->malformed[id / 64] >> (id % 64) & 1;
}

static bool is_settled(const struct event_table *table, uint32_t id)
{
	return table->desc[id] || is_malformed(table, id);
}

/* A description of @bytes bytes at @at, copied out of the file. */
static int read_desc(const struct event_table *table, uint32_t at, uint32_t bytes,
		     struct event_desc **ret_desc)
{
	unsigned char *copy = malloc(bytes);
	int ret;

	if (!copy)
		return -ENOMEM;
	ret = fd_read_at(table->fd, copy, bytes, at);
	if (!ret)
		ret = event_desc_parse(copy, bytes, ret_desc, NULL);
	free(copy);
	return ret;
}

static int load_desc(struct event_table *table, uint32_t id, uint32_t at)
{
	uint32_t desc_at = at + (uint32_t)offsetof(struct tacho_event_class, desc);
	struct tacho_event_class head;
	int ret;

	if (at < TACHO_EVENTS_DESCS_AT || at > TACHO_EVENTS_BYTES - sizeof(head))
		ret = -EBADMSG;
	else
		ret = fd_read_at(table->fd, &head, sizeof(head), at);
	if (!ret && (head.desc.bytes < sizeof(head.desc) ||
		     head.desc.bytes > TACHO_DESC_BYTES_MAX || 
		     !contexts_are_known(head.contexts & ~TACHO_CLASS_KERNEL)))
		ret = -EBADMSG;
	if (!ret)
		ret = read_desc(table, desc_at, head.desc.bytes, &table->desc[id]);
	if (ret != -EBADMSG) {
		table->contexts[id] = ret ? 0 : head.contexts;
		table->known_count += !ret;
		return ret ? ret : 1;
	}
	table->malformed[id / 64] |= 1ull << (id % 64);
	table->malformed_count++;
	return 0;
}

/* Entries @first to @first + @count - 1. */
static int load_entries(struct event_table *table, uint32_t first, uint32_t count)
{
	uint32_t entry[ENTRIES_AT_ONCE];
	int loaded = 0;
	int ret = fd_read_at(table->fd, entry, count * sizeof(entry[0]),
			     TACHO_EVENTS_ENTRIES_AT + first * sizeof(entry[0]));

	/* pairs with add:C: the entry before the description that it publishes */
	tacho_fence_acquire();
	for (uint32_t i = 0; ret >= 0 && i < count; i++) {
		if (!entry[i] || is_settled(table, first + i))
			continue;
		ret = load_desc(table, first + i, entry[i]);
		loaded += ret > 0;
	}
	return ret < 0 ? ret : loaded;
}

static int read_id_count(struct event_table *table)
{
	uint32_t next_id;
	int ret = fd_read_at(table->fd, &next_id, sizeof(next_id),
			     offsetof(struct tacho_events, next_id));

	if (ret)
		return ret;
	if (next_id > TACHO_EVENT_IDS)
		next_id = TACHO_EVENT_IDS;
	if (next_id > table->id_count)
		table->id_count = next_id;
	return 0;
}

int event_table_refresh(struct event_table *table)
{
	int loaded = 0;
	int ret = read_id_count(table);

	for (uint32_t id = table->settled; !ret && id < table->id_count;) {
		uint32_t count = table->id_count - id;

		if (count > ENTRIES_AT_ONCE)
			count = ENTRIES_AT_ONCE;
		ret = load_entries(table, id, count);
		if (ret < 0)
			break;
		loaded += ret;
		ret = 0;
		id += count;
	}
	while (table->settled < table->id_count && is_settled(table, table->settled))
		table->settled++;
	return ret ? ret : loaded;
}

const struct event_desc *event_table_get(const struct event_table *table, uint32_t id)
{
	return id < table->id_count ? table->desc[id] : NULL;
}

bool event_table_is_kernel(const struct event_table *table, uint32_t id)
{
	return id < table->id_count && table->contexts[id] & TACHO_CLASS_KERNEL;
}

uint64_t event_table_contexts(const struct event_table *table, uint32_t id)
{
	return id < table->id_count ? table->contexts[id] & ~TACHO_CLASS_KERNEL : 0;
}
