/* SPDX-License-Identifier: MIT */
/* item.c - items and values of include/tacho/reader.h; see open.c */
#include <errno.h>
#include <string.h>

#include "names.h"

static const struct ctf_event nothing = {
	.name = "",
	.provider = "",
	.base_name = "",
	.level = CTF_LEVEL_NONE,
	.cpu = CTF_CPU_NONE,
	.thread = "",
};

static const struct ctf_event *event_of(const struct tacho_reader_item *item)
{
	return inner_item(item)->kind == CTF_ITEM_EVENT ? &inner_item(item)->event : &nothing;
}

int tacho_reader_next(struct tacho_reader *reader, const struct tacho_reader_item **ret_item)
{
	const struct ctf_item *item;
	int more = ctf_reader_next(inner_reader(reader), &item);

	if (more > 0)
		*ret_item = (const struct tacho_reader_item *)item;
	return more;
}

int tacho_reader_seek(struct tacho_reader *reader, uint64_t time_ns)
{
	return ctf_reader_seek(inner_reader(reader), time_ns);
}

int tacho_reader_find_last(struct tacho_reader *reader, uint64_t *ret_time_ns)
{
	return ctf_reader_find_last(inner_reader(reader), ret_time_ns);
}

enum tacho_reader_item_kind tacho_reader_item_kind(const struct tacho_reader_item *item)
{
	switch (inner_item(item)->kind) {
	case CTF_ITEM_EVENT:
		return TACHO_READER_EVENT;
	case CTF_ITEM_LOST:
		return TACHO_READER_LOST;
	case CTF_ITEM_DAMAGE:
		break;
	}
	return TACHO_READER_DAMAGE;
}

uint64_t tacho_reader_item_time_ns(const struct tacho_reader_item *item)
{
	return inner_item(item)->time_ns;
}

const char *tacho_reader_item_path(const struct tacho_reader_item *item)
{
	return inner_item(item)->path;
}

size_t tacho_reader_item_stream(const struct tacho_reader_item *item)
{
	return inner_item(item)->path[0] ? inner_item(item)->stream : SIZE_MAX;
}

/* ---- events ---- */

const char *tacho_reader_event_name(const struct tacho_reader_item *item)
{
	return event_of(item)->name;
}

int tacho_reader_event_level(const struct tacho_reader_item *item)
{
	return event_of(item)->level;
}

int tacho_reader_event_cpu(const struct tacho_reader_item *item)
{
	const struct ctf_item *inner = inner_item(item);

	return inner->kind == CTF_ITEM_LOST ? inner->lost.cpu : event_of(item)->cpu;
}

uint32_t tacho_reader_event_pid(const struct tacho_reader_item *item)
{
	return event_of(item)->pid;
}

uint32_t tacho_reader_event_tid(const struct tacho_reader_item *item)
{
	return event_of(item)->tid;
}

const char *tacho_reader_event_thread(const struct tacho_reader_item *item)
{
	return event_of(item)->thread;
}

uint64_t tacho_reader_event_ticks(const struct tacho_reader_item *item)
{
	return event_of(item)->ticks;
}

int tacho_reader_event_is_writer(const struct tacho_reader_item *item)
{
	return event_of(item)->is_writer;
}

const struct tacho_reader_class *tacho_reader_event_class(const struct tacho_reader_item *item)
{
	return outer_class(event_of(item)->class);
}

const struct tacho_reader_trace *tacho_reader_event_trace(const struct tacho_reader_item *item)
{
	return outer_trace(event_of(item)->trace);
}

/* ---- values ---- */

static struct tacho_reader_values values_of(const struct ctf_value *first, uint32_t count)
{
	return (struct tacho_reader_values){ first, count ? first + count : first };
}

struct tacho_reader_values tacho_reader_event_values(const struct tacho_reader_item *item,
						     enum tacho_reader_scope scope)
{
	const struct ctf_event *event = event_of(item);

	switch (scope) {
	case TACHO_READER_FIELDS:
		return values_of(event->fields, event->field_count);
	case TACHO_READER_CONTEXT:
		return values_of(event->context, event->context_count);
	case TACHO_READER_PACKET:
		return values_of(event->packet, event->packet_count);
	}
	return values_of(NULL, 0);
}

const struct tacho_reader_value *tacho_reader_values_next(struct tacho_reader_values *values)
{
	const struct ctf_value *value = values->at;

	if (value == values->end)
		return NULL;
	values->at = value + value->span;
	return (const struct tacho_reader_value *)value;
}

struct tacho_reader_values tacho_reader_value_members(const struct tacho_reader_value *value)
{
	return values_of(inner_value(value) + 1, inner_value(value)->span - 1);
}

static const struct tacho_reader_value *find(struct tacho_reader_values values, const char *name)
{
	const struct tacho_reader_value *value;

	do {
		value = tacho_reader_values_next(&values);
	} while (value && strcmp(inner_value(value)->name, name));
	return value;
}

const struct tacho_reader_value *tacho_reader_event_field(const struct tacho_reader_item *item,
							  const char *name)
{
	const struct tacho_reader_value *value =
		find(tacho_reader_event_values(item, TACHO_READER_FIELDS), name);

	return value ? value : find(tacho_reader_event_values(item, TACHO_READER_CONTEXT), name);
}

enum tacho_reader_kind tacho_reader_value_kind(const struct tacho_reader_value *value)
{
	return (enum tacho_reader_kind)inner_value(value)->kind;
}

const char *tacho_reader_value_name(const struct tacho_reader_value *value)
{
	return inner_value(value)->name;
}

static int is_integer(const struct ctf_value *value)
{
	return value->kind == CTF_VALUE_UNSIGNED || value->kind == CTF_VALUE_SIGNED ||
	       value->kind == CTF_VALUE_ENUM;
}

uint64_t tacho_reader_value_u64(const struct tacho_reader_value *value)
{
	return is_integer(inner_value(value)) ? inner_value(value)->u : 0;
}

int64_t tacho_reader_value_i64(const struct tacho_reader_value *value)
{
	return is_integer(inner_value(value)) ? inner_value(value)->i : 0;
}

double tacho_reader_value_f64(const struct tacho_reader_value *value)
{
	const struct ctf_value *inner = inner_value(value);

	if (inner->kind == CTF_VALUE_FLOAT)
		return inner->f;
	if (!is_integer(inner))
		return 0;
	return inner->is_signed ? (double)inner->i : (double)inner->u;
}

int tacho_reader_value_is_signed(const struct tacho_reader_value *value)
{
	return is_integer(inner_value(value)) && inner_value(value)->is_signed;
}

unsigned int tacho_reader_value_bits(const struct tacho_reader_value *value)
{
	return inner_value(value)->bits;
}

unsigned int tacho_reader_value_base(const struct tacho_reader_value *value)
{
	return inner_value(value)->base;
}

const char *tacho_reader_value_label(const struct tacho_reader_value *value)
{
	return inner_value(value)->label;
}

const char *tacho_reader_value_bytes(const struct tacho_reader_value *value, size_t *ret_bytes)
{
	const struct ctf_value *inner = inner_value(value);
	int has_bytes = inner->kind == CTF_VALUE_STRING || inner->kind == CTF_VALUE_BYTES;

	*ret_bytes = has_bytes ? inner->length : 0;
	return has_bytes ? inner->bytes : NULL;
}

int tacho_reader_value_is_length(const struct tacho_reader_value *value)
{
	return inner_value(value)->is_length;
}

/* ---- losses and damage ---- */

int tacho_reader_item_lost(const struct tacho_reader_item *item, struct tacho_reader_lost *ret_lost)
{
	const struct ctf_lost *lost = &inner_item(item)->lost;

	if (inner_item(item)->kind != CTF_ITEM_LOST)
		return -EINVAL;
	*ret_lost = (struct tacho_reader_lost){
		.begin_ns = lost->begin_ns,
		.end_ns = lost->end_ns,
		.events = lost->events,
		.packets = lost->packets,
		.cpu = lost->cpu,
	};
	return 0;
}

int tacho_reader_item_damage(const struct tacho_reader_item *item,
			     struct tacho_reader_damage *ret_damage)
{
	const struct ctf_damage *damage = &inner_item(item)->damage;

	if (inner_item(item)->kind != CTF_ITEM_DAMAGE)
		return -EINVAL;
	*ret_damage = (struct tacho_reader_damage){
		.code = damage->code,
		.offset = damage->offset,
		.text = damage->text,
	};
	return 0;
}
