/* SPDX-License-Identifier: MIT */
/* tsdl.c - the blocks of TSDL; see tsdl.h */
#include "tsdl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "reader.h"

#define PATH_BYTES_MAX 512

void *tsdl_alloc(struct tsdl *p, size_t bytes)
{
	void *object = read_arena_alloc(&p->metadata->arena, 1, bytes);

	if (!object)
		lex_fail(&p->lex, -ENOMEM, "the metadata is too large");
	return object;
}

bool tsdl_enter(struct tsdl *p)
{
	if (p->depth == TSDL_DEPTH_MAX) {
		lex_fail(&p->lex, -EINVAL, "types and blocks are nested too deeply");
		return false;
	}
	p->depth++;
	return true;
}

void tsdl_leave(struct tsdl *p)
{
	p->depth--;
}

const char *tsdl_path(struct tsdl *p)
{
	char path[PATH_BYTES_MAX];
	size_t bytes = 0;
	char *copy;

	do {
		const char *name = lex_expect_name(&p->lex);
		size_t more = name ? strlen(name) : 0;

		if (!name)
			return NULL;
		if (bytes + more + 2 > sizeof(path)) {
			lex_fail(&p->lex, -EINVAL, "a path that is too long");
			return NULL;
		}
		bytes += (size_t)sprintf(path + bytes, "%s%s", bytes ? "." : "", name);
	} while (lex_take_mark(&p->lex, '.'));
	copy = read_arena_text(&p->metadata->arena, path, bytes);
	if (!copy)
		lex_fail(&p->lex, -ENOMEM, "the metadata is too large");
	return copy;
}

uint64_t tsdl_number(struct tsdl *p, bool *ret_is_negative)
{
	bool is_negative = false;
	uint64_t number;

	while (lex_is_mark(&p->lex, '-') || lex_is_mark(&p->lex, '+')) {
		is_negative ^= lex_is_mark(&p->lex, '-');
		lex_advance(&p->lex);
	}
	*ret_is_negative = is_negative;
	if (p->lex.token.kind != TOKEN_NUMBER) {
		lex_fail(&p->lex, -EINVAL, "a number expected");
		return 0;
	}
	number = p->lex.token.number;
	lex_advance(&p->lex);
	return is_negative ? -number : number;
}

static void parse_value(struct tsdl *p, struct tsdl_attribute *a)
{
	if (p->lex.token.kind == TOKEN_STRING) {
		a->kind = TSDL_STRING;
		a->text = p->lex.token.text;
		lex_advance(&p->lex);
	} else if (p->lex.token.kind == TOKEN_NAME) {
		a->kind = TSDL_NAME;
		a->text = tsdl_path(p);
	} else {
		a->kind = TSDL_NUMBER;
		a->number = tsdl_number(p, &a->is_negative);
	}
}

static void parse_attribute(struct tsdl *p, tsdl_attribute_fn fn, void *object)
{
	struct tsdl_attribute a = { .name = tsdl_path(p) };

	if (lex_take_mark(&p->lex, MARK_ASSIGN_TYPE)) {
		a.kind = TSDL_TYPE;
		a.type = tsdl_type(p);
	} else {
		lex_expect(&p->lex, '=');
		parse_value(p, &a);
	}
	if (!p->lex.error)
		fn(p, object, &a);
	lex_expect(&p->lex, ';');
}

void tsdl_block(struct tsdl *p, tsdl_attribute_fn fn, void *object)
{
	struct tsdl_name *outer_names = p->names;
	uint32_t outer_count = p->name_count;

	if (!tsdl_enter(p))
		return;
	lex_expect(&p->lex, '{');
	while (!p->lex.error && !lex_is_mark(&p->lex, '}')) {
		if (!tsdl_declaration(p))
			parse_attribute(p, fn, object);
	}
	lex_expect(&p->lex, '}');
	p->names = outer_names;
	p->name_count = outer_count;
	tsdl_leave(p);
}

/* Attributes: true if @a has this name and kind. */
static bool is_type(const struct tsdl_attribute *a, const char *name)
{
	return a->kind == TSDL_TYPE && !strcmp(a->name, name);
}

static bool is_number(const struct tsdl_attribute *a, const char *name)
{
	return a->kind == TSDL_NUMBER && !strcmp(a->name, name);
}

static bool is_text(const struct tsdl_attribute *a, const char *name)
{
	return (a->kind == TSDL_STRING || a->kind == TSDL_NAME) && !strcmp(a->name, name);
}

static void trace_attribute(struct tsdl *p, void *object, const struct tsdl_attribute *a)
{
	struct read_metadata *metadata = object;

	if (is_type(a, "packet.header"))
		metadata->packet_header = a->type;
	else if (is_text(a, "byte_order"))
		metadata->order = tsdl_order(p, a);
	else if (is_text(a, "uuid"))
		metadata->uuid = a->text;
	else if (is_number(a, "minor"))
		metadata->minor = (uint32_t)a->number;
	else if (is_number(a, "major") && a->number != 1)
		lex_fail(&p->lex, -EINVAL, "only version 1 of CTF is known here");
}

static void env_attribute(struct tsdl *p, void *object, const struct tsdl_attribute *a)
{
	struct read_env ***tail = object;
	struct read_env *env = tsdl_alloc(p, sizeof(*env));
	char number[24];

	if (!env)
		return;
	env->name = a->name;
	env->value = a->text;
	env->is_number = a->kind == TSDL_NUMBER;
	if (env->is_number) {
		snprintf(number, sizeof(number), a->is_negative ? "%lld" : "%llu",
			 (unsigned long long)a->number);
		env->value = read_arena_text(&p->metadata->arena, number, strlen(number));
	}
	if (!env->value)
		return;
	**tail = env;
	*tail = &env->next;
}

static void clock_attribute(struct tsdl *p, void *object, const struct tsdl_attribute *a)
{
	struct read_clock *clock = object;

	if (is_text(a, "name"))
		clock->name = a->text;
	else if (is_number(a, "offset_s"))
		clock->offset_s = (int64_t)a->number;
	else if (is_number(a, "offset"))
		clock->offset_ticks = (int64_t)a->number;
	else if (is_number(a, "freq"))
		clock->freq_hz = a->number;
	else if (is_number(a, "precision"))
		clock->precision_ticks = a->number;
	else if (is_text(a, "uuid"))
		clock->uuid = a->text;
	else if (is_text(a, "description"))
		clock->description = a->text;
	else if (!strcmp(a->name, "absolute"))
		clock->is_absolute = tsdl_is_true(a);
	if (!clock->freq_hz)
		lex_fail(&p->lex, -EINVAL, "a clock with the frequency 0");
}

static void stream_attribute(struct tsdl *p, void *object, const struct tsdl_attribute *a)
{
	struct read_stream_class *stream = object;

	(void)p;
	if (is_number(a, "id"))
		stream->id = a->number;
	else if (is_type(a, "packet.context"))
		stream->packet_context = a->type;
	else if (is_type(a, "event.header"))
		stream->event_header = a->type;
	else if (is_type(a, "event.context"))
		stream->event_context = a->type;
}

static void event_attribute(struct tsdl *p, void *object, const struct tsdl_attribute *a)
{
	struct read_event_class *event = object;

	(void)p;
	if (is_number(a, "id"))
		event->id = a->number;
	else if (is_number(a, "stream_id"))
		event->stream_id = a->number;
	else if (is_number(a, "loglevel"))
		event->level = (int32_t)(a->number & 0x7fffffff);
	else if (is_text(a, "name"))
		event->name = a->text;
	else if (is_text(a, "model.emf.uri"))
		event->uri = a->text;
	else if (is_type(a, "fields"))
		event->fields = a->type;
	else if (is_type(a, "context"))
		event->context = a->type;
}

static void ignore_attribute(struct tsdl *p, void *object, const struct tsdl_attribute *a)
{
	(void)p;
	(void)object;
	(void)a;
}

/* Where the next element of each list goes. */
struct tails {
	struct read_env **env;
	struct read_clock **clock;
	struct read_stream_class **stream;
	struct read_event_class **event;
};

static void parse_clock(struct tsdl *p, struct tails *tails)
{
	struct read_clock *clock = tsdl_alloc(p, sizeof(*clock));

	if (!clock)
		return;
	clock->freq_hz = 1000000000;
	tsdl_block(p, clock_attribute, clock);
	if (!clock->name)
		clock->name = "";
	*tails->clock = clock;
	tails->clock = &clock->next;
}

static void parse_stream(struct tsdl *p, struct tails *tails)
{
	struct read_stream_class *stream = tsdl_alloc(p, sizeof(*stream));

	if (!stream)
		return;
	tsdl_block(p, stream_attribute, stream);
	*tails->stream = stream;
	tails->stream = &stream->next;
}

static void parse_event(struct tsdl *p, struct tails *tails)
{
	struct read_event_class *event = tsdl_alloc(p, sizeof(*event));

	if (!event)
		return;
	event->level = CTF_LEVEL_NONE;
	event->source = lex_take_source(&p->lex);
	tsdl_block(p, event_attribute, event);
	if (!event->name)
		event->name = "";
	*tails->event = event;
	tails->event = &event->next;
}

static void parse_top(struct tsdl *p, struct tails *tails)
{
	if (tsdl_declaration(p) || lex_take_mark(&p->lex, ';'))
		return;
	if (lex_take_name(&p->lex, "trace"))
		tsdl_block(p, trace_attribute, p->metadata);
	else if (lex_take_name(&p->lex, "env"))
		tsdl_block(p, env_attribute, &tails->env);
	else if (lex_take_name(&p->lex, "clock"))
		parse_clock(p, tails);
	else if (lex_take_name(&p->lex, "stream"))
		parse_stream(p, tails);
	else if (lex_take_name(&p->lex, "event"))
		parse_event(p, tails);
	else if (lex_expect_name(&p->lex))
		tsdl_block(p, ignore_attribute, NULL);
	if (!lex_is_mark(&p->lex, ';'))
		lex_fail(&p->lex, -EINVAL, "';' expected behind a block");
}

int tsdl_parse(const char *text, size_t bytes, struct read_metadata *metadata,
	       struct tacho_error *e)
{
	struct tsdl p = { .metadata = metadata };
	struct tails tails = {
		.env = &metadata->envs,
		.clock = &metadata->clocks,
		.stream = &metadata->streams,
		.event = &metadata->events,
	};

	metadata->major = 1;
	metadata->minor = 8;
	lex_init(&p.lex, text, bytes, &metadata->arena, e);
	while (!p.lex.error && p.lex.token.kind != TOKEN_END)
		parse_top(&p, &tails);
	return p.lex.error;
}
