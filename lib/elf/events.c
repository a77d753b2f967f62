/* SPDX-License-Identifier: MIT */
#include "elf/events.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "format/runtime.h"
#include "tacho/abi.h"

#define SECTION "tacho_events"

/* Of all descriptions together: a hostile file may have each string in all of its events. */
#define ALL_DESC_BYTES_MAX (32u << 20)

/* tacho/abi.h as objects of 64 bits have it: pointers are addresses. */
struct file_event {
	uint64_t state;
	uint64_t hot;
	uint64_t info;
	uint64_t home;
};

struct file_info {
	uint64_t provider;
	uint64_t name;
	uint64_t fields;
	uint32_t field_count;
	uint32_t level;
	uint64_t file;
	uint32_t line;
	uint32_t flags;
};

struct file_field {
	uint64_t name;
	uint32_t type;
	uint32_t count;
};

struct file_rich_info {
	struct file_info info;
	uint64_t labels; /* address of a list for each field, or 0 */
	uint64_t model_uri;
	uint64_t put;
};

struct file_label {
	uint64_t text;
	uint64_t low;
	uint64_t high;
	uint64_t is_next;
};

#if __SIZEOF_POINTER__ == 8
TACHO_STATIC_ASSERT(sizeof(struct file_event) == sizeof(struct tacho_event), "as abi.h has it");
TACHO_STATIC_ASSERT(sizeof(struct file_info) == sizeof(struct tacho_event_info), "as abi.h has it");
TACHO_STATIC_ASSERT(sizeof(struct file_field) == sizeof(struct tacho_field), "as abi.h has it");
TACHO_STATIC_ASSERT(sizeof(struct file_rich_info) == sizeof(struct tacho_rich_info), "as abi.h has it");
TACHO_STATIC_ASSERT(sizeof(struct file_label) == sizeof(struct tacho_label), "as abi.h has it");
#endif

enum rank { RANK_EVENT, RANK_OFFER, RANK_UNBOUND };

struct found {
	struct event_desc *desc;
	enum rank rank;
};

struct reading {
	struct elf_image *image;
	struct tacho_error *error;
	uint64_t *address; /* of struct tacho_event, each once */
	size_t address_count;
	struct found *found;
	size_t found_count;
	size_t desc_bytes;
	struct event_label label[TACHO_LABELS_MAX]; /* of the description being made */
	size_t label_count;
	char bytes[TACHO_DESC_BYTES_MAX]; /* of the description being made */
};

static int bad(const struct reading *r, const char *what)
{
	return error_set(r->error, -EBADMSG,
			 "the events in '%s' cannot be read: %s; is it damaged?",
			 elf_image_name(r->image), what);
}

static int no_memory(const struct reading *r)
{
	return error_set(r->error, -ENOMEM, "no memory for the events in '%s'",
			 elf_image_name(r->image));
}

static int too_many(const struct reading *r)
{
	return error_set(r->error, -E2BIG, "'%s' has more events than any program may have",
			 elf_image_name(r->image));
}

/* ---- which events there are ---- */

static int by_value(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static int read_list(struct reading *r, uint64_t start, uint64_t bytes)
{
	size_t count = bytes / sizeof(uint64_t), kept = 0;

	if (count && !elf_image_has(r->image, start, bytes))
		return bad(r, "their list is cut off");
	/* An event may be in the list many times; but not that often. */
	if (count > 64u * TACHO_REGISTRY_EVENTS)
		return too_many(r);
	r->address = calloc(count + 1, sizeof(*r->address));
	if (!r->address)
		return no_memory(r);
	for (size_t i = 0; i < count; i++)
		r->address[i] = elf_image_pointer(r->image, start + i * sizeof(uint64_t));
	if (count)
		qsort(r->address, count, sizeof(*r->address), by_value);
	for (size_t i = 0; i < count; i++)
		if (r->address[i] && (!kept || r->address[i] != r->address[kept - 1]))
			r->address[kept++] = r->address[i];
	r->address_count = kept;
	return kept > TACHO_REGISTRY_EVENTS ? too_many(r) : 0;
}

/* ---- what they are ---- */

static uint64_t pointer(const struct reading *r, uint64_t start, size_t offset)
{
	return elf_image_pointer(r->image, start + offset);
}

static const char *string(const struct reading *r, uint64_t start, size_t offset)
{
	return elf_image_string(r->image, pointer(r, start, offset), TACHO_DESC_BYTES_MAX);
}

static int read_fields(const struct reading *r, uint64_t start, struct event_field *ret_fields,
		       uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const uint64_t at = start + i * sizeof(struct file_field);
		struct file_field raw;

		if (!elf_image_read(r->image, at, &raw, sizeof(raw)))
			return bad(r, "the fields of an event are not in it");
		ret_fields[i] = (struct event_field){
			.name = string(r, at, offsetof(struct file_field, name)),
			.type = raw.type,
			.count = raw.count,
		};
		if (!ret_fields[i].name)
			return bad(r, "the name of a field is not in it");
	}
	return 0;
}

/* A list ends with a label without a text. What is_next means is told in tacho/abi.h. */
static int read_list_of_labels(struct reading *r, uint64_t at, struct event_labels *ret_labels)
{
	const size_t first = r->label_count;
	struct file_label raw = { 0 };

	for (uint64_t next = 0;; next = r->label[r->label_count++].high + 1, at += sizeof(raw)) {
		struct event_label *label = &r->label[r->label_count];

		if (!elf_image_read(r->image, at, &raw, sizeof(raw)))
			return bad(r, "the labels of a field are not in it");
		if (!pointer(r, at, offsetof(struct file_label, text)))
			break;
		if (r->label_count == TACHO_LABELS_MAX)
			return bad(r, "an event has too many labels");
		*label = (struct event_label){
			.text = string(r, at, offsetof(struct file_label, text)),
			.low = raw.is_next ? next : raw.low,
			.high = raw.is_next ? next : raw.high,
		};
		if (!label->text)
			return bad(r, "a label is not in it");
	}
	*ret_labels = (struct event_labels){
		.label = &r->label[first],
		.count = (unsigned int)(r->label_count - first),
	};
	return 0;
}

/* @ret_labels: zeros */
static int read_labels(struct reading *r, uint64_t lists, uint32_t field_count,
		       struct event_labels *ret_labels)
{
	int err = 0;

	r->label_count = 0;
	for (uint32_t i = 0; !err && i < field_count; i++) {
		uint64_t list = pointer(r, lists, i * sizeof(uint64_t));

		if (list)
			err = read_list_of_labels(r, list, &ret_labels[i]);
	}
	return err;
}

/* Built and parsed, what it says is as checked as what a running program says. */
static int check_desc(struct reading *r, const struct event_desc *raw, struct event_desc **ret_desc)
{
	int bytes = event_desc_build(raw, r->bytes, sizeof(r->bytes));

	if (bytes < 0)
		return bad(r, "the description of an event is too large");
	r->desc_bytes += (size_t)bytes;
	if (r->desc_bytes > ALL_DESC_BYTES_MAX)
		return too_many(r);
	return event_desc_parse(r->bytes, (size_t)bytes, ret_desc, r->error);
}

static int read_desc(struct reading *r, uint64_t start, const struct file_info *info,
		     struct event_desc **ret_desc)
{
	struct event_field fields[TACHO_FIELDS_MAX];
	struct event_labels labels[TACHO_FIELDS_MAX] = { 0 };
	const uint64_t lists = info->flags & TACHO_INFO_RICH ?
				       pointer(r, start, offsetof(struct file_rich_info, labels)) :
				       0;
	const struct event_desc raw = {
		.provider = string(r, start, offsetof(struct file_info, provider)),
		.name = string(r, start, offsetof(struct file_info, name)),
		.file = string(r, start, offsetof(struct file_info, file)),
		.line = info->line,
		.level = info->level,
		.field_count = info->field_count,
		.fields = fields,
		.labels = labels,
	};
	int err;

	if (!raw.provider || !raw.name || !raw.file)
		return bad(r, "the name of an event is not in it");
	if (raw.field_count > TACHO_FIELDS_MAX)
		return bad(r, "an event has too many fields");
	err = read_fields(r, pointer(r, start, offsetof(struct file_info, fields)), fields,
			  raw.field_count);
	if (!err && lists)
		err = read_labels(r, lists, raw.field_count, labels);
	return err ? err : check_desc(r, &raw, ret_desc);
}

static enum rank rank_of(const struct reading *r, uint64_t event, const struct file_info *info)
{
	if (info->flags & TACHO_INFO_UNBOUND)
		return RANK_UNBOUND;
	return pointer(r, event, offsetof(struct file_event, state)) ? RANK_EVENT : RANK_OFFER;
}

/* What the file has no bytes for, or no info, is another object's. */
static int read_event(struct reading *r, uint64_t address)
{
	struct found *found = &r->found[r->found_count];
	struct file_event event;
	struct file_info info;
	uint64_t start;
	int err;

	if (!elf_image_read(r->image, address, &event, sizeof(event)))
		return 0;
	start = pointer(r, address, offsetof(struct file_event, info));
	if (!start)
		return 0;
	if (!elf_image_read(r->image, start, &info, sizeof(info)))
		return bad(r, "what an event is, is not in it");
	found->rank = rank_of(r, address, &info);
	err = read_desc(r, start, &info, &found->desc);
	if (!err)
		r->found_count++;
	return err;
}

/* ---- the listing ---- */

static int by_name(const struct event_desc *a, const struct event_desc *b)
{
	int order = strcmp(a->provider, b->provider);

	return order ? order : strcmp(a->name, b->name);
}

static int by_name_and_place(const void *a, const void *b)
{
	const struct found *left = a, *right = b;
	int order = by_name(left->desc, right->desc);

	if (!order)
		order = (int)left->rank - (int)right->rank;
	if (!order)
		order = strcmp(left->desc->file, right->desc->file);
	if (!order)
		order = (left->desc->line > right->desc->line) -
			(left->desc->line < right->desc->line);
	return order;
}

/* Of a name whose event is there, or which has an offer, the others that are none are not needed. */
static int hand_over(struct reading *r, struct elf_events *ret_events)
{
	struct elf_event *event = calloc(r->found_count + 1, sizeof(*event));
	size_t count = 0;

	if (!event)
		return no_memory(r);
	if (r->found_count)
		qsort(r->found, r->found_count, sizeof(*r->found), by_name_and_place);
	for (size_t i = 0; i < r->found_count; i++) {
		struct found *found = &r->found[i];
		bool is_first = !count || by_name(event[count - 1].desc, found->desc) != 0;

		if (!is_first && found->rank != RANK_EVENT)
			continue;
		event[count++] = (struct elf_event){ found->desc, found->rank == RANK_UNBOUND };
		found->desc = NULL;
	}
	ret_events->event = event;
	ret_events->count = count;
	return 0;
}

static int read_events(struct reading *r, struct elf_events *ret_events)
{
	int err = 0;

	r->found = calloc(r->address_count + 1, sizeof(*r->found));
	if (!r->found)
		return no_memory(r);
	for (size_t i = 0; !err && i < r->address_count; i++)
		err = read_event(r, r->address[i]);
	return err ? err : hand_over(r, ret_events);
}

static int find_events(struct reading *r, struct elf_events *ret_events)
{
	uint64_t start, bytes;
	int err = elf_image_section(r->image, SECTION, &start, &bytes);

	if (err == -ENODATA)
		return error_set(r->error, err,
				 "'%s' has no events in it, only debugging information; look at "
				 "the program that it belongs to",
				 elf_image_name(r->image));
	if (err)
		return 0;
	err = read_list(r, start, bytes);
	return err ? err : read_events(r, ret_events);
}

int elf_events_read(struct elf_image *image, struct elf_events *ret_events,
		    struct tacho_error *error)
{
	struct reading *r = calloc(1, sizeof(*r));
	int err;

	if (!r)
		return error_set(error, -ENOMEM, "no memory for the events in '%s'",
				 elf_image_name(image));
	r->image = image;
	r->error = error;
	*ret_events = (struct elf_events){ 0 };
	err = find_events(r, ret_events);
	for (size_t i = 0; i < r->found_count; i++)
		event_desc_free(r->found[i].desc);
	free(r->found);
	free(r->address);
	free(r);
	return err;
}

void elf_events_free(struct elf_events *events)
{
	for (size_t i = 0; i < events->count; i++)
		event_desc_free(events->event[i].desc);
	free(events->event);
	*events = (struct elf_events){ 0 };
}
