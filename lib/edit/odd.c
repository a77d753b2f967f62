/* SPDX-License-Identifier: MIT */
/* odd.c - see odd.h */
#include "odd.h"

#include <string.h>

#include "ctf/read/lex.h"
#include "ctf/write/metadata_text.h"

#define NS_PER_S     1000000000
#define COMPARED_MAX 1024 /* with so many before it a name is compared: some lists are endless */

bool odd_uuid(const char *uuid)
{
	uint8_t bytes[CTF_UUID_BYTES];

	return uuid &&
	       (strlen(uuid) != METADATA_UUID_TEXT_BYTES - 1 || metadata_uuid_parse(uuid, bytes));
}

bool odd_clock(const struct read_clock *first, const struct read_clock *clock)
{
	for (size_t i = 0; i < COMPARED_MAX && first != clock; i++, first = first->next) {
		if (!strcmp(first->name, clock->name))
			return true;
	}
	return false;
}

bool odd_freq(const struct read_clock *clock)
{
	return clock->freq_hz > INT64_MAX;
}

bool odd_offset(const struct read_clock *clock)
{
	__int128 ns = (__int128)clock->offset_s * NS_PER_S +
		      (__int128)clock->offset_ticks * NS_PER_S / (__int128)clock->freq_hz;

	return ns > INT64_MAX || ns < INT64_MIN;
}

bool odd_env(const struct read_env *first, const struct read_env *env)
{
	for (size_t i = 0; i < COMPARED_MAX && first != env; i++, first = first->next) {
		if (!strcmp(first->name, env->name))
			return true;
	}
	return false;
}

static bool has_role(const struct read_layout *l, enum read_role role)
{
	for (uint32_t i = 0; l && i < l->child_count; i++) {
		if (l->children[i].role == role || has_role(&l->children[i], role))
			return true;
	}
	return false;
}

bool odd_stream(const struct read_trace *trace, uint32_t at)
{
	uint64_t id = trace->streams[at].id;

	if (read_trace_stream(trace, id) != &trace->streams[at])
		return true;
	return trace->stream_count > 1 && id &&
	       !has_role(trace->packet_header, READ_ROLE_STREAM_ID);
}

bool odd_mapping(const struct read_layout *l, const struct read_mapping *map)
{
	return l->is_signed ? (int64_t)map->low > (int64_t)map->high : map->low > map->high;
}

bool odd_has_mappings(const struct read_layout *l)
{
	for (const struct read_mapping *map = l->mappings; map; map = map->next) {
		if (!odd_mapping(l, map))
			return true;
	}
	return false;
}

bool odd_option(const struct read_layout *variant, const struct read_layout *option)
{
	for (const struct read_mapping *map = variant->mappings; map; map = map->next) {
		if (!odd_mapping(variant, map) &&
		    (!strcmp(map->label, option->raw_name) || !strcmp(map->label, option->name)))
			return false;
	}
	return true;
}

bool odd_word(const char *name)
{
	static const char *const words[] = {
		"align",     "callsite", "char",    "clock", "const",
		"double",    "enum",     "env",     "event", "float",
		"int",       "integer",  "long",    "short", "signed",
		"stream",    "string",   "struct",  "trace", "typedef",
		"typealias", "unsigned", "variant", "void",  "floating_point",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!strcmp(words[i], name))
			return true;
	}
	return false;
}

static bool is_number(const struct read_layout *l)
{
	return l->kind == READ_INTEGER || l->kind == READ_ENUM || l->kind == READ_VARINT;
}

static bool is_uuid(const struct read_layout *l)
{
	return l->kind == READ_ARRAY && l->count == CTF_UUID_BYTES &&
	       l->children->kind == READ_INTEGER && l->children->bits == 8 &&
	       l->children->align == 8 && !l->children->is_signed;
}

bool odd_role(const struct read_layout *l)
{
	if (l->role == READ_ROLE_MAGIC)
		return l->kind == READ_INTEGER && l->bits != 32;
	if (l->role != READ_ROLE_NONE && l->role <= READ_ROLE_CLOCK)
		return !is_number(l);
	return false;
}

bool odd_uuid_field(const struct read_layout *l)
{
	return !strcmp(l->raw_name, "uuid") && !is_uuid(l);
}

bool odd_event_id(const struct read_stream_layout *stream, const struct read_event *event)
{
	return event->id > INT64_MAX ||
	       (event->id && !has_role(stream->event_header, READ_ROLE_EVENT_ID));
}

uint32_t odd_name_number(const struct read_layout *parent, const struct read_layout *l)
{
	const struct read_layout *other = parent->children;
	uint32_t number = 0;

	for (size_t i = 0; i < COMPARED_MAX && other < l; i++, other++)
		number += !strcmp(lex_shown_name(other->raw_name), lex_shown_name(l->raw_name));
	return number;
}

/* ---- all of it ---- */

static bool is_odd_enum(const struct read_layout *l)
{
	for (const struct read_mapping *map = l->mappings; map; map = map->next) {
		if (odd_mapping(l, map))
			return true;
	}
	return !l->mappings;
}

static bool is_signed_role(const struct read_layout *l)
{
	return l->role != READ_ROLE_NONE && l->role <= READ_ROLE_CLOCK && l->is_signed;
}

static const char *odd_layout(const struct read_layout *l)
{
	const char *odd = NULL;

	if (!l)
		return NULL;
	if (l->kind == READ_ENUM && is_odd_enum(l))
		return "an enum with a label that has no value";
	if (odd_role(l) || is_signed_role(l))
		return "a field of packets or events that is not of its type";
	for (uint32_t i = 0; i < l->child_count && !odd; i++) {
		if (l->kind == READ_STRUCT && odd_name_number(l, &l->children[i]))
			return "two fields with the same name";
		if (l->kind == READ_VARIANT && odd_option(l, &l->children[i]))
			return "an option of a variant that its tag has no label for";
		if (odd_word(l->children[i].raw_name))
			return "a field whose name is a word of TSDL";
		odd = odd_layout(&l->children[i]);
	}
	return odd;
}

static const char *odd_event(const struct read_event *event)
{
	const char *odd = odd_layout(event->context);

	if (event->level != CTF_LEVEL_NONE && (event->level < 0 || event->level > ODD_LEVEL_MAX))
		return "an event with a level that does not exist";
	return odd ? odd : odd_layout(event->fields);
}

static const char *odd_class(const struct read_stream_layout *stream)
{
	const struct read_layout *scopes[] = { stream->packet_context, stream->event_header,
					       stream->event_context };
	const char *odd = NULL;

	for (size_t i = 0; i < sizeof(scopes) / sizeof(scopes[0]) && !odd; i++)
		odd = odd_layout(scopes[i]);
	for (uint32_t i = 0; i < stream->event_count && !odd; i++)
		odd = odd_event_id(stream, &stream->events[i]) ? "an event that no header can say" :
								 odd_event(&stream->events[i]);
	return odd;
}

static const char *odd_clocks(const struct read_metadata *metadata)
{
	for (const struct read_clock *clock = metadata->clocks; clock; clock = clock->next) {
		if (odd_clock(metadata->clocks, clock))
			return "two clocks with the same name";
		if (odd_uuid(clock->uuid))
			return "a clock with a UUID that is none";
		if (odd_freq(clock))
			return "a clock of an absurd frequency";
		if (odd_word(clock->name) || !*clock->name)
			return "a clock without a name";
		if (odd_offset(clock))
			return "a clock whose offset is too large";
	}
	return NULL;
}

static const char *odd_lists(const struct read_trace *trace)
{
	const struct read_metadata *metadata = &trace->metadata;

	if (metadata->odd)
		return metadata->odd;
	if (metadata->minor != 8)
		return "a version that is not 1.8";
	if (odd_uuid(metadata->uuid))
		return "a UUID that is none";
	for (const struct read_env *env = metadata->envs; env; env = env->next) {
		if (odd_env(metadata->envs, env))
			return "two variables of the environment with the same name";
	}
	for (const struct read_event_class *event = metadata->events; event; event = event->next) {
		if (!read_trace_stream(trace, event->stream_id))
			return "an event of a stream that is not described";
	}
	for (const struct read_stream_class *stream = metadata->streams; stream;
	     stream = stream->next) {
		if (stream->has_id && !has_role(trace->packet_header, READ_ROLE_STREAM_ID))
			return "a stream with an id that no packet says";
	}
	return odd_clocks(metadata);
}

static const char *odd_header(const struct read_layout *header)
{
	for (uint32_t i = 0; header && i < header->child_count; i++) {
		if (odd_uuid_field(&header->children[i]))
			return "a UUID of packets that is none";
	}
	return odd_layout(header);
}

const char *odd_metadata(const struct read_trace *trace)
{
	const char *odd;

	if (trace->metadata.major == 2)
		return NULL;
	odd = odd_lists(trace);
	if (!odd)
		odd = odd_header(trace->packet_header);
	for (uint32_t i = 0; i < trace->stream_count && !odd; i++)
		odd = odd_stream(trace, i) ? "two streams that cannot be told apart" :
					     odd_class(&trace->streams[i]);
	return odd;
}
