/* SPDX-License-Identifier: MIT */
/*
 * registry.c - the process's registry file (format/runtime.h). It is mapped once, at a fixed place
 * for life: state words never move, so an instrumented object can point to them.
 *
 * Pages are allocated before they are touched (a hole in a full tmpfs would be a SIGBUS), in steps
 * that grow with what there is; allocated_* in the header say how far. Two threads that grow at the
 * same time both allocate, which is harmless.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/ancestors.h"
#include "tracer/sys.h"
#include "tracer/tracer.h"

#define PAGE_BYTES   4096u
#define FIRST_EVENTS ((PAGE_BYTES - TACHO_REGISTRY_EVENTS_AT) / sizeof(struct tacho_registry_event))
#define FIRST_END    (TACHO_REGISTRY_DESCS_AT + PAGE_BYTES) /* of descriptions */

static struct tacho_registry *registry(void)
{
	return tacho_tracer.registry;
}

static struct tacho_registry_event *event_at(uint32_t index)
{
	return (struct tacho_registry_event *)((char *)registry() + TACHO_REGISTRY_EVENTS_AT) +
	       index;
}

uint32_t *registry_state(uint32_t index)
{
	return &event_at(index)->state;
}

uint32_t registry_index(const uint32_t *state)
{
	return (uint32_t)((const struct tacho_registry_event *)state - event_at(0));
}

static uint32_t *desc_at(uint32_t index)
{
	return &event_at(index)->desc_at;
}

const struct tacho_desc *registry_desc(uint32_t index)
{
	uint32_t at = tacho_load_acquire(desc_at(index));

	if (at & TACHO_REGISTRY_DROPPED)
		return NULL;
	return at ? (const struct tacho_desc *)((char *)registry() + at) : NULL;
}

/* ---- the file ---- */

/* The start time is the 22nd field; the second, the name, may hold blanks and parentheses. */
static uint64_t own_start_time(void)
{
	char text[1024], *p;
	int fd = sys_open("/proc/self/stat", O_RDONLY, 0);
	long n = fd < 0 ? 0 : sys_read(fd, text, sizeof(text) - 1);
	uint64_t time = 0;

	if (fd >= 0)
		sys_close(fd);
	text[n > 0 ? n : 0] = 0;
	p = strrchr(text, ')');
	for (int field = 2; p && field < 22; field++) {
		p = strchr(p, ' ');
		p += p != NULL;
	}
	for (; p && *p >= '0' && *p <= '9'; p++)
		time = time * 10 + (uint64_t)(*p - '0');
	return time;
}

static void fill_header(struct tacho_registry *r, uint64_t start_time)
{
	r->pid = tacho_tracer.pid;
	r->uid = tacho_tracer.uid;
	r->gid = tacho_tracer.gid;
	r->start_time = start_time;
	memcpy(r->family, tacho_tracer.family, sizeof(r->family));
	r->pid_namespace = tacho_tracer.pid_namespace;
	memcpy(r->executable, tacho_tracer.executable, sizeof(r->executable));
}

/* What an earlier program of the same pid left (before exec) is replaced as a whole. */
static int create_file(const char *path)
{
	int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW;
	int fd = sys_open(path, flags, 0600);

	if (fd != -EEXIST)
		return fd;
	sys_unlink(path);
	return sys_open(path, flags, 0600);
}

/* Allocate the header, room for so many events, and descriptions up to so many bytes. */
static int reserve(int fd, uint64_t events, uint64_t bytes)
{
	int ret = sys_allocate(fd, 0,
			       TACHO_REGISTRY_EVENTS_AT + events * sizeof(struct tacho_registry_event));

	return ret ? ret : sys_allocate(fd, TACHO_REGISTRY_DESCS_AT, bytes - TACHO_REGISTRY_DESCS_AT);
}

/* An empty file of full length, without a magic yet. */
static int open_new(uint64_t events, uint64_t bytes, uint64_t *ret_start_time)
{
	char *path = tacho_tracer.registry_path, new_path[TRACER_PATH_BYTES];
	int fd, ret;

	*ret_start_time = own_start_time();
	if (!tracer_path(new_path, "apps/%u.%llu", tacho_tracer.pid,
			 (unsigned long long)*ret_start_time))
		return -ENAMETOOLONG;
	memcpy(path, new_path, sizeof(tacho_tracer.registry_path));
	fd = create_file(path);
	if (fd < 0)
		return fd;
	sys_chmod_fd(fd, 0600); /* a umask may have taken its owner's rights */
	ret = sys_truncate(fd, TACHO_REGISTRY_BYTES);
	if (!ret)
		ret = reserve(fd, events, bytes);
	if (!ret)
		return fd;
	sys_close(fd);
	sys_unlink(path);
	return ret;
}

static void publish(struct tacho_registry *r)
{
	tacho_store_release(&r->magic, TACHO_REGISTRY_MAGIC); /* made:A pairs with made:B */
}

int registry_create(void)
{
	struct tacho_registry *r;
	uint64_t start_time;
	int fd = open_new(FIRST_EVENTS, FIRST_END, &start_time);

	if (fd < 0)
		return fd;
	r = sys_map(NULL, TACHO_REGISTRY_BYTES, true, fd);
	sys_close(fd);
	if (!r) {
		sys_unlink(tacho_tracer.registry_path);
		return -ENOMEM;
	}
	r->version = TACHO_REGISTRY_VERSION;
	r->library_version = TACHO_VERSION_NUMBER;
	r->next_byte = TACHO_REGISTRY_DESCS_AT;
	r->allocated_bytes = FIRST_END;
	r->allocated_events = FIRST_EVENTS;
	fill_header(r, start_time);
	tacho_tracer.registry = r;
	publish(r);
	return 0;
}

/* A copy of the parent's content, but for its magic; its state words stay 0 until the sessions are read
 * anew. */
static void copy_content(char *to, const char *from, const struct tacho_registry *r)
{
	struct tacho_registry_event *event = (void *)(to + TACHO_REGISTRY_EVENTS_AT);

	memcpy(to + sizeof(r->magic), from + sizeof(r->magic), sizeof(*r) - sizeof(r->magic));
	for (uint32_t i = 0; i < r->allocated_events; i++)
		event[i].desc_at = tacho_load_acquire(desc_at(i));
	memcpy(to + TACHO_REGISTRY_DESCS_AT, from + TACHO_REGISTRY_DESCS_AT,
	       r->allocated_bytes - TACHO_REGISTRY_DESCS_AT);
}

int registry_renew(void)
{
	struct tacho_registry *old = registry();
	uint64_t start_time;
	int fd = open_new(old->allocated_events, old->allocated_bytes, &start_time);
	int ret = -ENOMEM;
	char *copy;

	if (fd < 0)
		return fd;
	copy = sys_map(NULL, TACHO_REGISTRY_BYTES, true, fd);
	if (copy) {
		copy_content(copy, (char *)old, old);
		fill_header((struct tacho_registry *)copy, start_time);
		ancestors_inherit((struct tacho_registry *)copy, old);
		sys_unmap(copy, TACHO_REGISTRY_BYTES);
		ret = sys_map(old, TACHO_REGISTRY_BYTES, true, fd) ? 0 : -ENOMEM;
	}
	sys_close(fd);
	if (ret)
		sys_unlink(tacho_tracer.registry_path);
	else
		publish(old);
	return ret;
}

void registry_remove(void)
{
	if (tacho_tracer.registry_path[0] &&
	    !tacho_load_relaxed(&tacho_tracer.registry->unnoted_slots) &&
	    !tacho_load_relaxed(&tacho_tracer.registry->confined_slots))
		sys_unlink(tacho_tracer.registry_path);
}

/* ---- events ---- */

/* Readers know no others. */
static uint32_t level_of(const struct tacho_event_info *info)
{
	return info->level <= TACHO_LEVEL_MAX ? info->level : TACHO_LEVEL_MAX;
}

static uint32_t string_bytes(const char *s)
{
	return (uint32_t)strnlen(s, TACHO_DESC_BYTES_MAX) + 1;
}

/* ---- what only a struct tacho_rich_info has ---- */

static const char *model_uri_of(const struct tacho_event_info *info)
{
	return info->flags & TACHO_INFO_RICH ? ((const struct tacho_rich_info *)info)->model_uri :
					       NULL;
}

static const struct tacho_label *labels_of(const struct tacho_event_info *info, uint32_t field)
{
	const struct tacho_rich_info *rich = (const struct tacho_rich_info *)info;

	return info->flags & TACHO_INFO_RICH && rich->labels ? rich->labels[field] : NULL;
}

/* @count: so many; with their texts, and aligned whatever is before and behind */
static uint32_t labels_bytes(const struct tacho_label *labels, uint32_t *ret_count)
{
	uint64_t bytes = sizeof(struct tacho_desc_labels) + 7;
	uint32_t count = 0;

	for (; labels && labels[count].text && count < TACHO_LABELS_MAX; count++)
		bytes += sizeof(struct tacho_desc_label) + string_bytes(labels[count].text);
	*ret_count = count;
	if (!count)
		return 0;
	return bytes < TACHO_DESC_BYTES_MAX ? (uint32_t)bytes : TACHO_DESC_BYTES_MAX;
}

/* ---- descriptions ---- */

static uint32_t desc_bytes(const struct tacho_event_info *info)
{
	uint32_t bytes = (uint32_t)sizeof(struct tacho_desc) +
			 info->field_count * (uint32_t)sizeof(struct tacho_desc_field) +
			 string_bytes(info->provider) + string_bytes(info->name) +
			 string_bytes(info->file);
	uint32_t label_count;

	if (model_uri_of(info))
		bytes += string_bytes(model_uri_of(info));
	for (uint32_t i = 0; i < info->field_count; i++)
		bytes += string_bytes(info->fields[i].name) +
			 labels_bytes(labels_of(info, i), &label_count);
	return (bytes + 7) & ~7u;
}

static uint32_t put_name(char *base, uint32_t *at, const char *name)
{
	uint32_t start = *at, bytes = string_bytes(name);

	memcpy(base + start, name, bytes - 1);
	base[start + bytes - 1] = 0;
	*at += bytes;
	return start;
}

/* Return: where they start; 0: there are none. */
static uint32_t put_labels(char *base, uint32_t *at, const struct tacho_label *labels)
{
	struct tacho_desc_label *label;
	uint32_t count, start;
	uint64_t next = 0;

	if (!labels_bytes(labels, &count))
		return 0;
	start = *at = (*at + 7) & ~7u;
	((struct tacho_desc_labels *)(base + start))->count = count;
	label = (struct tacho_desc_label *)(base + start + sizeof(struct tacho_desc_labels));
	*at += (uint32_t)(sizeof(struct tacho_desc_labels) + count * sizeof(*label));
	for (uint32_t i = 0; i < count; i++) {
		label[i].low = labels[i].is_next ? next : labels[i].low;
		label[i].high = labels[i].is_next ? next : labels[i].high;
		label[i].text_at = put_name(base, at, labels[i].text);
		next = label[i].high + 1;
	}
	return start;
}

static void write_desc(struct tacho_desc *desc, uint32_t bytes, const struct tacho_event_info *info)
{
	struct tacho_desc_field *fields = (struct tacho_desc_field *)(desc + 1);
	char *base = (char *)desc;
	uint32_t at = (uint32_t)(sizeof(*desc) + info->field_count * sizeof(*fields));

	memset(desc, 0, bytes);
	desc->bytes = bytes;
	desc->field_count = info->field_count;
	desc->level = level_of(info);
	desc->line = info->line;
	desc->provider_at = put_name(base, &at, info->provider);
	desc->event_at = put_name(base, &at, info->name);
	desc->file_at = put_name(base, &at, info->file);
	if (model_uri_of(info))
		desc->model_uri_at = put_name(base, &at, model_uri_of(info));
	for (uint32_t i = 0; i < info->field_count; i++) {
		fields[i].type = info->fields[i].type;
		fields[i].count = info->fields[i].count;
		fields[i].name_at = put_name(base, &at, info->fields[i].name);
		fields[i].labels_at = put_labels(base, &at, labels_of(info, i));
	}
	desc->hash = tacho_desc_hash(base + TACHO_DESC_HASHED, bytes - TACHO_DESC_HASHED);
}

static void raise_to(uint64_t *mark, uint64_t value)
{
	uint64_t old = tacho_load_relaxed(mark);

	while (old < value && !tacho_cmpxchg_acq_rel(mark, &old, value))
		;
}

/* How far to allocate so that there is @needed: a quarter more than there is, by whole pages. */
static uint64_t next_end(uint64_t begin, uint64_t old_end, uint64_t needed, uint64_t limit)
{
	uint64_t end = old_end + (old_end - begin) / 4;

	if (end < needed)
		end = needed;
	end = (end + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	return end < limit ? end : limit;
}

static uint64_t end_of_events(uint64_t events)
{
	return TACHO_REGISTRY_EVENTS_AT + events * sizeof(struct tacho_registry_event);
}

static int allocate(uint64_t begin, uint64_t end)
{
	int fd = sys_open(tacho_tracer.registry_path, O_RDWR | O_NOFOLLOW, 0), ret;

	if (fd < 0)
		return fd;
	ret = sys_allocate(fd, begin, end - begin);
	sys_close(fd);
	return ret;
}

static int grow_events(uint64_t events)
{
	struct tacho_registry *r = registry();
	uint64_t old = tacho_load_acquire(&r->allocated_events);
	uint64_t end = next_end(TACHO_REGISTRY_EVENTS_AT, end_of_events(old), end_of_events(events),
				end_of_events(TACHO_REGISTRY_EVENTS));
	int ret;

	if (events <= old)
		return 0;
	ret = allocate(end_of_events(old), end);
	if (!ret)
		raise_to(&r->allocated_events, (end - TACHO_REGISTRY_EVENTS_AT) /
						       sizeof(struct tacho_registry_event));
	return ret;
}

static int grow_descs(uint64_t bytes)
{
	struct tacho_registry *r = registry();
	uint64_t old = tacho_load_acquire(&r->allocated_bytes);
	uint64_t end = next_end(TACHO_REGISTRY_DESCS_AT, old, bytes, TACHO_REGISTRY_BYTES);
	int ret;

	if (bytes <= old)
		return 0;
	ret = allocate(old, end);
	if (!ret)
		raise_to(&r->allocated_bytes, end);
	return ret;
}

static int refuse(int code)
{
	tacho_fetch_add_relaxed(&registry()->events_refused, 1);
	return code;
}

static bool is_same(const struct tacho_desc *desc, const struct tacho_event_info *info)
{
	const struct tacho_desc_field *fields = (const struct tacho_desc_field *)(desc + 1);
	const char *base = (const char *)desc;

	if (desc->bytes != desc_bytes(info) || desc->field_count != info->field_count ||
	    desc->level != level_of(info) ||
	    desc->line != info->line || strcmp(base + desc->event_at, info->name) ||
	    strcmp(base + desc->provider_at, info->provider) ||
	    strcmp(base + desc->file_at, info->file))
		return false;
	for (uint32_t i = 0; i < info->field_count; i++) {
		if (fields[i].type != info->fields[i].type ||
		    fields[i].count != info->fields[i].count ||
		    strcmp(base + fields[i].name_at, info->fields[i].name))
			return false;
	}
	return true;
}

static bool revive_at(uint32_t index, const struct tacho_event_info *info)
{
	uint32_t dropped = tacho_load_acquire(desc_at(index));
	uint32_t at = dropped & ~(TACHO_REGISTRY_DROPPED | TACHO_REGISTRY_CLEARED);

	if (!(dropped & TACHO_REGISTRY_CLEARED) ||
	    !is_same((struct tacho_desc *)((char *)registry() + at), info) ||
	    !tacho_cmpxchg_acq_rel(desc_at(index), &dropped, at))
		return false;
	tacho_fetch_add_relaxed(&tacho_tracer.dropped_count, -1u);
	return true;
}

/* A plug-in that comes and goes a million times has the same events each time, in the same order: so
 * the next one is mostly behind the one that was found last. */
static int revive(const struct tacho_event_info *info)
{
	uint32_t count = registry_event_count();
	uint32_t i = tacho_load_relaxed(&tacho_tracer.revived);

	if (!tacho_load_relaxed(&tacho_tracer.dropped_count))
		return -ENOENT;
	for (uint32_t left = count; left; left--) {
		i = i + 1 < count ? i + 1 : 0;
		if (!revive_at(i, info))
			continue;
		tacho_store_relaxed(&tacho_tracer.revived, i);
		return (int)i;
	}
	return -ENOENT;
}

static int add_new(const struct tacho_event_info *info, uint32_t bytes)
{
	struct tacho_registry *r = registry();
	struct tacho_desc *desc;
	uint32_t index;
	uint64_t at;

	index = tacho_fetch_add_acq_rel(&r->event_count, 1);
	at = tacho_fetch_add_acq_rel(&r->next_byte, (uint64_t)bytes);
	if (index >= TACHO_REGISTRY_EVENTS || at + bytes > TACHO_REGISTRY_BYTES ||
	    grow_events((uint64_t)index + 1) || grow_descs(at + bytes))
		return refuse(-ENOSPC);
	desc = (struct tacho_desc *)((char *)r + at);
	write_desc(desc, bytes, info);
	/* reg:A publishes the event */
	tacho_store_release(desc_at(index), (uint32_t)at);
	return (int)index;
}

/* What a small event's description takes. */
#define DESC_BYTES_USUAL 112

void registry_expect(uint32_t count)
{
	struct tacho_registry *r = registry();
	uint64_t events = tacho_load_relaxed(&r->event_count) + (uint64_t)count;
	uint64_t end = tacho_load_relaxed(&r->next_byte) + (uint64_t)count * DESC_BYTES_USUAL;

	if (events <= TACHO_REGISTRY_EVENTS && end <= TACHO_REGISTRY_BYTES && !grow_events(events))
		grow_descs(end);
}

int registry_add(const struct tacho_event_info *info)
{
	struct tacho_registry *r = registry();
	uint32_t bytes;
	int index;

	if (info->field_count > TACHO_FIELDS_MAX)
		return refuse(-EINVAL);
	index = revive(info);
	if (index >= 0)
		return index;
	/* The margins keep the counters from running away: whoever adds was below them. */
	bytes = desc_bytes(info);
	if (bytes > TACHO_DESC_BYTES_MAX ||
	    tacho_load_relaxed(&r->event_count) >= TACHO_REGISTRY_EVENTS - 64 ||
	    tacho_load_relaxed(&r->next_byte) >= TACHO_REGISTRY_BYTES - 64 * TACHO_DESC_BYTES_MAX)
		return refuse(-ENOSPC);
	return add_new(info, bytes);
}

void registry_drop(uint32_t index)
{
	uint32_t at = tacho_load_relaxed(desc_at(index));

	if (!at || at & TACHO_REGISTRY_DROPPED ||
	    !tacho_cmpxchg_acq_rel(desc_at(index), &at, at | TACHO_REGISTRY_DROPPED))
		return;
	tacho_store_relaxed(registry_state(index), 0);
	tacho_fetch_add_relaxed(&tacho_tracer.dropped_count, 1);
	tacho_fetch_or_acq_rel(desc_at(index), TACHO_REGISTRY_CLEARED);
}

uint32_t registry_event_count(void)
{
	uint32_t count = tacho_load_acquire(&registry()->event_count);
	uint64_t allocated = tacho_load_acquire(&registry()->allocated_events);

	return count < allocated ? count : (uint32_t)allocated;
}

bool registry_has_state(const uint32_t *state)
{
	return tacho_tracer.registry && state >= registry_state(0) &&
	       state < registry_state(TACHO_REGISTRY_EVENTS);
}
