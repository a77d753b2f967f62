/* SPDX-License-Identifier: MIT */
/* filter.c - see filter.h */
#include "filter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/context_name.h"
#include "cli/say.h"
#include "cli/text.h"
#include "cli/wants.h"
#include "filter/filter.h"
#include "filter/fit.h"
#include "filter/value.h"

struct view_filter {
	struct filter_source source; /* the first member */
	struct tacho_filter *program;
	char perf[TACHO_PERF_MAX][CONTEXT_PERF_NAME_BYTES]; /* counters, as traces call them */
	int perf_count;
	const struct ctf_event *event; /* the one at hand */
	const struct ctf_value *field[TACHO_FILTER_FIELDS_MAX];
};

/* ---- fields ---- */

static bool is_named(const struct ctf_value *value, const char *name, size_t bytes)
{
	return !strncmp(value->name, name, bytes) && !value->name[bytes] && !value->is_length;
}

/* One level: as it is, or the rest of a path in the struct that its first part names. */
static const struct ctf_value *find(const struct ctf_value *values, uint32_t count,
				    const char *name, size_t bytes)
{
	for (uint32_t i = 0; i < count; i += values[i].span) {
		const struct ctf_value *value = &values[i];
		size_t length = strlen(value->name);

		if (is_named(value, name, bytes))
			return value;
		if (value->kind == CTF_VALUE_STRUCT && length < bytes && name[length] == '.' &&
		    is_named(value, name, length))
			return find(value + 1, value->span - 1, name + length + 1,
				    bytes - length - 1);
	}
	return NULL;
}

size_t view_shown_name(const char *name, size_t bytes, char ret_name[VIEW_SHOWN_NAME_MAX])
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	static const char digits[] = "0123456789abcdef";
	size_t length = 0;

	for (size_t i = 0; i < bytes; i++) {
		unsigned char c = (unsigned char)name[i];

		if (memchr(plain, c, sizeof(plain) - 1)) {
			ret_name[length++] = (char)c;
			continue;
		}
		ret_name[length++] = '_';
		ret_name[length++] = digits[c >> 4];
		ret_name[length++] = digits[c & 15];
	}
	return length == bytes ? 0 : length;
}

const struct ctf_value *view_field(const struct ctf_event *event, const char *name, size_t bytes)
{
	const struct ctf_value *found = find(event->fields, event->field_count, name, bytes);
	char shown[VIEW_SHOWN_NAME_MAX];
	size_t length;

	if (found || bytes > TACHO_NAME_MAX)
		return found;
	length = view_shown_name(name, bytes, shown);
	return length ? find(event->fields, event->field_count, shown, length) : NULL;
}

/* All of them, before anything else is done. */
static bool find_fields(struct view_filter *filter)
{
	const struct tacho_filter_field *wanted = tacho_filter_fields(filter->program);
	const char *pool = tacho_filter_pool(filter->program);

	for (uint32_t i = 0; i < filter->program->field_count; i++) {
		filter->field[i] =
			view_field(filter->event, pool + wanted[i].name_at, wanted[i].name_bytes);
		if (!filter->field[i])
			return false;
	}
	return true;
}

void view_filter_each_field(const struct view_filter *filter,
			    void (*take)(void *data, const char *name, size_t bytes), void *data)
{
	const struct tacho_filter_field *fields = tacho_filter_fields(filter->program);
	const char *pool = tacho_filter_pool(filter->program);

	for (uint32_t i = 0; i < filter->program->field_count; i++)
		take(data, pool + fields[i].name_at, fields[i].name_bytes);
}

/* ---- values ---- */

static int give_word(struct filter_value *ret_value, uint64_t word, uint32_t kind)
{
	*ret_value = (struct filter_value){ .word = word, .kind = kind };
	return 0;
}

static int give_string(struct filter_value *ret_value, const char *text, size_t bytes)
{
	*ret_value = (struct filter_value){ .text = text,
					    .bytes = (uint32_t)bytes,
					    .kind = FILTER_STRING };
	return 0;
}

static int give(struct filter_value *ret_value, const struct ctf_value *value)
{
	switch ((enum ctf_value_kind)value->kind) {
	case CTF_VALUE_UNSIGNED:
	case CTF_VALUE_SIGNED:
	case CTF_VALUE_ENUM:
		return give_word(ret_value, value->u,
				 value->is_signed || value->bits < 64 ? FILTER_SIGNED :
									FILTER_UNSIGNED);
	case CTF_VALUE_FLOAT:
		*ret_value = (struct filter_value){ .real = value->f, .kind = FILTER_DOUBLE };
		return 0;
	case CTF_VALUE_STRING:
	case CTF_VALUE_BYTES:
		return give_string(ret_value, value->bytes, value->length);
	default:
		return -1;
	}
}

static bool is_text(const struct ctf_value *value)
{
	return value->kind == CTF_VALUE_STRING || value->kind == CTF_VALUE_BYTES;
}

static int give_element(struct filter_value *ret_value, const struct ctf_value *value,
			uint32_t element)
{
	const struct ctf_value *at = value + 1;

	if ((!is_text(value) && value->kind != CTF_VALUE_ARRAY) || element >= value->length)
		return -1;
	if (is_text(value))
		return give_word(ret_value, (unsigned char)value->bytes[element], FILTER_SIGNED);
	while (element-- && at < value + value->span)
		at += at->span;
	return at < value + value->span ? give(ret_value, at) : -1;
}

static int give_field(struct filter_source *source, uint32_t number, struct filter_value *ret_value)
{
	const struct view_filter *filter = (const struct view_filter *)source;
	uint32_t element = tacho_filter_fields(filter->program)[number].element;

	if (element == TACHO_FILTER_WHOLE)
		return give(ret_value, filter->field[number]);
	return give_element(ret_value, filter->field[number], element);
}

/* ---- contexts ---- */

static const char *context_name(const struct view_filter *filter, uint32_t number)
{
	if (number < TACHO_CONTEXT_FIXED_COUNT)
		return context_field(number)->name;
	return filter->perf[number - TACHO_CONTEXT_PERF];
}

/* What is known of each event, whether or not it was asked for. */
static int give_known(const struct ctf_event *event, uint32_t number,
		      struct filter_value *ret_value)
{
	switch (number) {
	case TACHO_CONTEXT_VPID:
		return event->pid ? give_word(ret_value, event->pid, FILTER_SIGNED) : -1;
	case TACHO_CONTEXT_VTID:
		return event->tid ? give_word(ret_value, event->tid, FILTER_SIGNED) : -1;
	case TACHO_CONTEXT_PROCNAME:
		return give_string(ret_value, event->thread, strlen(event->thread));
	case TACHO_CONTEXT_CPU_ID:
		return event->cpu == CTF_CPU_NONE ?
			       -1 :
			       give_word(ret_value, (uint64_t)event->cpu, FILTER_SIGNED);
	default:
		return -1;
	}
}

static int give_context(void *data, uint32_t number, struct filter_value *ret_value)
{
	const struct view_filter *filter = data;
	const struct ctf_event *event = filter->event;
	const char *name = context_name(filter, number);
	const struct ctf_value *found =
		find(event->context, event->context_count, name, strlen(name));

	if (!found)
		return give_known(event, number, ret_value);
	if (number >= TACHO_CONTEXT_PERF && found->u == TACHO_PERF_UNAVAILABLE)
		return -1;
	return give(ret_value, found);
}

/* ---- kinds ---- */

/* Of an element that is not there: whatever it would be. */
static uint32_t field_kind(const struct view_filter *filter, uint32_t number)
{
	const struct ctf_value *field = filter->field[number];
	uint32_t element = tacho_filter_fields(filter->program)[number].element;
	struct filter_value value = { .kind = FILTER_NOTHING };

	if (element == TACHO_FILTER_WHOLE)
		give(&value, field);
	else if (is_text(field))
		return FILTER_SIGNED;
	else if (field->kind == CTF_VALUE_ARRAY && give_element(&value, field, element))
		return FILTER_ANY;
	return value.kind == FILTER_UNSIGNED ? FILTER_SIGNED : value.kind;
}

static uint32_t kind_of(const void *data, uint32_t opcode, uint32_t operand)
{
	if (opcode == TACHO_FILTER_FIELD)
		return field_kind(data, operand);
	return operand == TACHO_CONTEXT_PROCNAME ? FILTER_STRING : FILTER_SIGNED;
}

bool view_filter_is_match(struct view_filter *filter, const struct ctf_event *event)
{
	bool has_doubles;

	filter->event = event;
	return find_fields(filter) && filter_fits(filter->program, kind_of, filter, &has_doubles) &&
	       filter_run(filter->program, &filter->source);
}

/* ---- making one ---- */

/* Each counter that the expression names gets the next number. */
static int counter_number(void *data, const char *name)
{
	struct view_filter *filter = data;
	char padded[CONTEXT_PERF_NAME_BYTES] = "", *field = filter->perf[filter->perf_count];
	struct context_wish wish;
	int ret = context_parse(name, &wish, NULL);

	if (ret || filter->perf_count == TACHO_PERF_MAX - 1)
		return ret ? ret : -ENOSPC;
	strncpy(padded, name, sizeof(padded) - 1);
	context_perf_field(padded, field);
	for (int i = 0; i < filter->perf_count; i++) {
		if (!strcmp(filter->perf[i], field))
			return TACHO_CONTEXT_PERF + i;
	}
	return TACHO_CONTEXT_PERF + filter->perf_count++;
}

int view_filter_new(const struct command *command, const char *text,
		    struct view_filter **ret_filter)
{
	struct view_filter *filter = xcalloc(1, sizeof(*filter));
	struct filter_complaint warning, complaint = { 0 };
	int status = wants_filter(command, text);

	filter->source = (struct filter_source){ give_field, give_context, filter };
	if (!status &&
	    filter_compile(text, counter_number, filter, &filter->program, &warning, &complaint))
		status = fail("the filter cannot be used: %s",
			      complaint.what[0] ? complaint.what : "no memory");
	if (status)
		free(filter);
	else
		*ret_filter = filter;
	return status;
}

void view_filter_free(struct view_filter *filter)
{
	if (filter)
		free(filter->program);
	free(filter);
}
