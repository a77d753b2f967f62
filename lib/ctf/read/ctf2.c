/* SPDX-License-Identifier: MIT */
/* ctf2.c - the fragments; see ctf2.h */
#include "ctf2.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ctf2_private.h"
#include "reader.h"

#define UUID_BYTES 16

/* ---- JSON ---- */

void ctf2_fail(struct ctf2 *p, int code, const char *what)
{
	if (!p->error)
		error_set(p->e, code, "fragment %u: %s", p->fragment, what);
	if (!p->error)
		p->error = code;
}

void *ctf2_alloc(struct ctf2 *p, size_t bytes)
{
	void *object = p->error ? NULL : read_arena_alloc(&p->metadata->arena, 1, bytes);

	if (!object)
		ctf2_fail(p, -ENOMEM, "the metadata is too large");
	return object;
}

const char *ctf2_copy(struct ctf2 *p, json_object *value)
{
	const char *text = json_object_get_string(value);
	char *copy = text ? read_arena_text(&p->metadata->arena, text, strlen(text)) : NULL;

	if (!copy)
		ctf2_fail(p, -ENOMEM, "the metadata is too large");
	return copy;
}

json_object *ctf2_get(json_object *object, const char *key)
{
	json_object *value = NULL;

	json_object_object_get_ex(object, key, &value);
	return value;
}

const char *ctf2_text(struct ctf2 *p, json_object *object, const char *key)
{
	json_object *value = ctf2_get(object, key);

	if (!value)
		return NULL;
	if (json_object_is_type(value, json_type_string))
		return ctf2_copy(p, value);
	ctf2_fail(p, -EINVAL, "a property that is to be a text is none");
	return NULL;
}

uint64_t ctf2_number(struct ctf2 *p, json_object *object, const char *key, uint64_t otherwise,
		     uint64_t max)
{
	json_object *value = ctf2_get(object, key);
	uint64_t number;

	if (!value)
		return otherwise;
	number = json_object_get_uint64(value);
	if (!json_object_is_type(value, json_type_int) ||
	    (json_object_get_int64(value) < 0 && number <= INT64_MAX) || number > max)
		ctf2_fail(p, -EINVAL, "a number that is none, or too large");
	return number <= max ? number : otherwise;
}

int64_t ctf2_signed(struct ctf2 *p, json_object *object, const char *key)
{
	json_object *value = ctf2_get(object, key);

	if (value && !json_object_is_type(value, json_type_int))
		ctf2_fail(p, -EINVAL, "a property that is to be a number is none");
	return value ? json_object_get_int64(value) : 0;
}

/* ---- fragments ---- */

static const char *uuid_of(struct ctf2 *p, json_object *list)
{
	char text[2 * UUID_BYTES + 5];
	size_t at = 0;

	if (!json_object_is_type(list, json_type_array) ||
	    json_object_array_length(list) != UUID_BYTES) {
		ctf2_fail(p, -EINVAL, "a UUID is 16 numbers");
		return NULL;
	}
	for (size_t i = 0; i < UUID_BYTES; i++) {
		bool has_dash = i == 4 || i == 6 || i == 8 || i == 10;
		unsigned int byte =
			(unsigned int)json_object_get_int(json_object_array_get_idx(list, i));

		at += (size_t)sprintf(text + at, "%s%02x", has_dash ? "-" : "", byte & 0xff);
	}
	return read_arena_text(&p->metadata->arena, text, at);
}

static void read_preamble(struct ctf2 *p, json_object *fragment)
{
	json_object *uuid = ctf2_get(fragment, "uuid");
	json_object *extensions = ctf2_get(fragment, "extensions");

	if (p->fragment != 1)
		ctf2_fail(p, -EINVAL, "the preamble comes first, and once");
	if (ctf2_number(p, fragment, "version", 0, UINT32_MAX) != 2)
		ctf2_fail(p, -EINVAL, "only version 2 of CTF has such metadata");
	if (extensions && json_object_is_type(extensions, json_type_object) &&
	    json_object_object_length(extensions))
		ctf2_fail(p, -EINVAL, "the trace needs an extension of CTF 2");
	if (uuid)
		p->metadata->uuid = uuid_of(p, uuid);
}

static void read_alias(struct ctf2 *p, json_object *fragment)
{
	const char *name = ctf2_text(p, fragment, "name");
	struct read_type *type = ctf2_type(p, ctf2_get(fragment, "field-class"));
	struct ctf2_alias *alias;

	if (!name || p->alias_count++ == CTF2_ALIASES_MAX)
		ctf2_fail(p, -EINVAL, "an alias without a name, or too many");
	alias = type ? ctf2_alloc(p, sizeof(*alias)) : NULL;
	if (!alias)
		return;
	*alias = (struct ctf2_alias){ .next = p->aliases, .name = name, .type = type };
	p->aliases = alias;
}

static void add_env(struct ctf2 *p, const char *name, json_object *value)
{
	struct read_env *env = ctf2_alloc(p, sizeof(*env));

	if (!env)
		return;
	env->name = read_arena_text(&p->metadata->arena, name, strlen(name));
	env->value = ctf2_copy(p, value);
	env->is_number = json_object_is_type(value, json_type_int);
	if (!env->name || !env->value)
		return;
	*p->env_tail = env;
	p->env_tail = &env->next;
}

/* A structure, which these all are. */
static struct read_type *structure(struct ctf2 *p, json_object *fragment, const char *key)
{
	json_object *value = ctf2_get(fragment, key);
	struct read_type *type = value ? ctf2_type(p, value) : NULL;

	if (type && type->kind != READ_STRUCT)
		ctf2_fail(p, -EINVAL, "a scope that is no structure");
	return type;
}

static void read_trace_class(struct ctf2 *p, json_object *fragment)
{
	json_object *environment = ctf2_get(fragment, "environment");

	p->metadata->packet_header = structure(p, fragment, "packet-header-field-class");
	if (!environment || !json_object_is_type(environment, json_type_object))
		return;
	json_object_object_foreach(environment, name, value)
	{
		if (value)
			add_env(p, name, value);
	}
}

static void read_origin(struct ctf2 *p, json_object *fragment, struct read_clock *clock)
{
	json_object *origin = ctf2_get(fragment, "origin");
	json_object *offset = ctf2_get(fragment, "offset-from-origin");

	clock->is_absolute = origin && json_object_is_type(origin, json_type_string) &&
			     !strcmp(json_object_get_string(origin), "unix-epoch");
	if (!offset)
		return;
	clock->offset_s = ctf2_signed(p, offset, "seconds");
	clock->offset_ticks = ctf2_signed(p, offset, "cycles");
}

static void read_clock_class(struct ctf2 *p, json_object *fragment)
{
	struct read_clock *clock = ctf2_alloc(p, sizeof(*clock));
	struct ctf2_clock *known = ctf2_alloc(p, sizeof(*known));

	if (!clock || !known)
		return;
	known->id = ctf2_text(p, fragment, "id");
	if (!known->id)
		ctf2_fail(p, -EINVAL, "a clock without an id");
	clock->name = ctf2_text(p, fragment, "name");
	if (!clock->name)
		clock->name = known->id ? known->id : "";
	clock->uuid = ctf2_text(p, fragment, "uid");
	clock->description = ctf2_text(p, fragment, "description");
	clock->freq_hz = ctf2_number(p, fragment, "frequency", 0, UINT64_MAX);
	if (!clock->freq_hz) {
		ctf2_fail(p, -EINVAL, "a clock with the frequency 0");
		return;
	}
	clock->precision_ticks = ctf2_number(p, fragment, "precision", 0, UINT64_MAX);
	read_origin(p, fragment, clock);
	known->clock = clock;
	known->next = p->clocks;
	p->clocks = known;
	*p->clock_tail = clock;
	p->clock_tail = &clock->next;
}

static const struct read_clock *find_clock(struct ctf2 *p, const char *id)
{
	for (const struct ctf2_clock *known = p->clocks; id && known; known = known->next) {
		if (known->id && !strcmp(known->id, id))
			return known->clock;
	}
	if (id)
		ctf2_fail(p, -EINVAL, "a clock that was not described");
	return NULL;
}

static void read_stream_class(struct ctf2 *p, json_object *fragment)
{
	struct read_stream_class *stream = ctf2_alloc(p, sizeof(*stream));

	if (!stream)
		return;
	stream->id = ctf2_number(p, fragment, "id", 0, UINT64_MAX);
	stream->clock = find_clock(p, ctf2_text(p, fragment, "default-clock-class-id"));
	stream->packet_context = structure(p, fragment, "packet-context-field-class");
	stream->event_header = structure(p, fragment, "event-record-header-field-class");
	stream->event_context = structure(p, fragment, "event-record-common-context-field-class");
	if (p->error)
		return;
	*p->stream_tail = stream;
	p->stream_tail = &stream->next;
}

static const char *const level_names[] = {
	"emergency",    "alert",      "critical",       "error",         "warning",
	"notice",       "info",       "debug:system",   "debug:program", "debug:process",
	"debug:module", "debug:unit", "debug:function", "debug:line",    "debug",
};

#define LEVELS ((int32_t)(sizeof(level_names) / sizeof(level_names[0])))

const char *ctf2_level_name(int32_t level)
{
	return level >= 0 && level < LEVELS ? level_names[level] : NULL;
}

/* The attributes that babeltrace and LTTng give an event, and ours. */
static void read_attributes(struct ctf2 *p, json_object *fragment, struct read_event_class *event)
{
	json_object *attributes = ctf2_get(fragment, "attributes");
	json_object *theirs = attributes ? ctf2_get(attributes, "babeltrace.org,2020") : NULL;
	json_object *ours = attributes ? ctf2_get(attributes, "tacho") : NULL;
	const char *level = theirs ? ctf2_text(p, theirs, "log-level") : NULL;

	event->level = CTF_LEVEL_NONE;
	event->uri = theirs ? ctf2_text(p, theirs, "emf-uri") : NULL;
	event->source = ours ? ctf2_text(p, ours, "source") : NULL;
	for (int32_t i = 0; level && i < LEVELS; i++) {
		if (!strcmp(level, level_names[i]))
			event->level = i;
	}
}

static void read_event_class(struct ctf2 *p, json_object *fragment)
{
	struct read_event_class *event = ctf2_alloc(p, sizeof(*event));

	if (!event)
		return;
	event->id = ctf2_number(p, fragment, "id", 0, UINT64_MAX);
	event->stream_id = ctf2_number(p, fragment, "data-stream-class-id", 0, UINT64_MAX);
	event->name = ctf2_text(p, fragment, "name");
	if (!event->name)
		event->name = read_arena_text(&p->metadata->arena, "", 0);
	if (!event->name)
		ctf2_fail(p, -ENOMEM, "the metadata is too large");
	read_attributes(p, fragment, event);
	event->context = structure(p, fragment, "specific-context-field-class");
	event->fields = structure(p, fragment, "payload-field-class");
	if (p->error)
		return;
	*p->event_tail = event;
	p->event_tail = &event->next;
}

static void read_fragment(struct ctf2 *p, json_object *fragment)
{
	static const struct {
		const char *type;
		void (*read)(struct ctf2 *p, json_object *fragment);
	} rules[] = {
		{ "preamble", read_preamble },
		{ "field-class-alias", read_alias },
		{ "trace-class", read_trace_class },
		{ "clock-class", read_clock_class },
		{ "data-stream-class", read_stream_class },
		{ "event-record-class", read_event_class },
	};
	json_object *type = ctf2_get(fragment, "type");
	const char *name = type ? json_object_get_string(type) : "";

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (!strcmp(name, rules[i].type)) {
			rules[i].read(p, fragment);
			return;
		}
	}
	ctf2_fail(p, -EINVAL, "a fragment of a type that is not known");
}

/* ---- the sequence ---- */

static void parse_text(struct ctf2 *p, struct json_tokener *tokener, const char *text, size_t bytes)
{
	json_object *fragment;

	if (bytes > CTF2_FRAGMENT_BYTES_MAX) {
		ctf2_fail(p, -EINVAL, "it is too long");
		return;
	}
	json_tokener_reset(tokener);
	fragment = json_tokener_parse_ex(tokener, text, (int)bytes);
	if (json_object_is_type(fragment, json_type_object))
		read_fragment(p, fragment);
	else if (json_tokener_get_error(tokener) == json_tokener_error_depth)
		ctf2_fail(p, -EINVAL, "it is nested too deeply");
	else
		ctf2_fail(p, -EINVAL, "no JSON object, or not all of one");
	json_object_put(fragment);
}

static void parse_texts(struct ctf2 *p, struct json_tokener *tokener, const char *text,
			size_t bytes)
{
	const char *end = text + bytes;

	while (text < end && !p->error) {
		const char *next = memchr(text + 1, CTF2_SEPARATOR, (size_t)(end - text) - 1);

		if (!next)
			next = end;
		p->fragment++;
		parse_text(p, tokener, text + 1, (size_t)(next - text) - 1);
		text = next;
	}
}

bool ctf2_is_metadata(const char *text, size_t bytes)
{
	return bytes && text[0] == CTF2_SEPARATOR;
}

int ctf2_parse(const char *text, size_t bytes, struct read_metadata *metadata,
	       struct tacho_error *e)
{
	struct ctf2 p = {
		.metadata = metadata,
		.env_tail = &metadata->envs,
		.clock_tail = &metadata->clocks,
		.stream_tail = &metadata->streams,
		.event_tail = &metadata->events,
		.e = e,
	};
	struct json_tokener *tokener = json_tokener_new_ex(CTF2_DEPTH_MAX);

	metadata->major = 2;
	metadata->minor = 0;
	if (!tokener)
		return error_set(e, -ENOMEM, "no memory");
	parse_texts(&p, tokener, text, bytes);
	json_tokener_free(tokener);
	return p.error;
}
