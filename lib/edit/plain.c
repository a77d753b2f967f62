/* SPDX-License-Identifier: MIT */
/* plain.c - see plain.h */
#include "plain.h"

#include "ctf/read/value.h"

static bool is_array(const struct read_layout *l)
{
	return l->kind == READ_ARRAY || l->kind == READ_SEQUENCE;
}

bool plain_is_string(const struct read_layout *l)
{
	if (l->encoding == READ_UTF8)
		return false;
	return l->kind == READ_STRING ||
	       (is_array(l) && read_is_bytes(l->children) && l->children->is_text);
}

bool plain_has_tag(const struct read_layout *l)
{
	return l->kind == READ_OPTIONAL || (l->kind == READ_VARIANT && !l->is_labelled);
}

uint32_t plain_tag(const struct read_layout *l, uint64_t tag)
{
	const struct read_option *option = read_layout_option(l, tag);

	if (l->kind == READ_OPTIONAL)
		return option != NULL;
	return option ? option->index : 0;
}

uint32_t plain_align(const struct read_layout *l)
{
	if (plain_is_string(l))
		return PLAIN_ALIGN;
	while (is_array(l))
		l = l->children;
	return l->kind == READ_STRUCT && l->align < PLAIN_ALIGN ? PLAIN_ALIGN : l->align;
}

int plain_each_tag(const struct read_layout *member,
		   int (*take)(void *data, const struct read_layout *tagged), void *data)
{
	int rc = plain_has_tag(member) ? take(data, member) : 0;

	if (member->kind == READ_STRUCT)
		return 0;
	for (uint32_t i = 0; i < member->child_count && !rc; i++)
		rc = plain_each_tag(&member->children[i], take, data);
	return rc;
}

/* ---- is there any? ---- */

static bool is_needed(const struct read_layout *l)
{
	if (!l)
		return false;
	if (l->kind == READ_VARINT || plain_has_tag(l) || plain_is_string(l) ||
	    (is_array(l) && l->align > l->children->align))
		return true;
	for (uint32_t i = 0; i < l->child_count; i++) {
		if (is_needed(&l->children[i]))
			return true;
	}
	return false;
}

static bool stream_needs(const struct read_stream_layout *stream)
{
	if (is_needed(stream->packet_context) || is_needed(stream->event_header) ||
	    is_needed(stream->event_context))
		return true;
	for (uint32_t i = 0; i < stream->event_count; i++) {
		if (is_needed(stream->events[i].context) || is_needed(stream->events[i].fields))
			return true;
	}
	return false;
}

bool plain_is_needed(const struct read_trace *trace)
{
	bool needs = is_needed(trace->packet_header);

	if (trace->metadata.major != 2)
		return false;
	for (uint32_t i = 0; i < trace->stream_count && !needs; i++)
		needs = stream_needs(&trace->streams[i]);
	return needs;
}
