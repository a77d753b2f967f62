/* SPDX-License-Identifier: MIT */
/* tsdl.c - the blocks of TSDL; see tsdl.h */
#include "tsdl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "reader.h"

#define SIGNATURE      "/* CTF 1.8"
#define PATH_BYTES_MAX 512
#define NAMES_SEEN_MAX 64 /* in one block; behind them, none is known to be there twice */

void *tsdl_alloc(struct tsdl *p, size_t bytes)
{
	void *object = read_arena_alloc(&p->metadata->arena, 1, bytes);

	if (!object)
		lex_fail(&p->lex, -ENOMEM, "the metadata is too large");
	return object;
}

void tsdl_odd(struct tsdl *p, const char *what)
{
	char text[PATH_BYTES_MAX];

	if (p->metadata->odd || p->lex.error)
		return;
	snprintf(text, sizeof(text), "line %u: %s", p->lex.token.line, what);
	p->metadata->odd = read_arena_text(&p->metadata->arena, text, strlen(text));
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

/* The attributes of a block so far, of which most have a few. */
struct seen {
	const char *names[NAMES_SEEN_MAX];
	size_t count;
};

static void note_name(struct tsdl *p, struct seen *seen, const char *name)
{
	if (!name)
		return;
	for (size_t i = 0; i < seen->count; i++) {
		if (!strcmp(seen->names[i], name))
			tsdl_odd(p, "an attribute that is there twice");
	}
	if (seen->count < NAMES_SEEN_MAX)
		seen->names[seen->count++] = name;
}

static void parse_attribute(struct tsdl *p, struct seen *seen, tsdl_attribute_fn fn, void *object)
{
	struct tsdl_attribute a = { .name = tsdl_path(p) };

	note_name(p, seen, a.name);
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
	struct seen seen = { .count = 0 };
	struct tsdl_scope before;

	if (!tsdl_enter(p))
		return;
	before = tsdl_scope_begin(p);
	lex_expect(&p->lex, '{');
	while (!p->lex.error && !lex_is_mark(&p->lex, '}')) {
		if (!tsdl_declaration(p))
			parse_attribute(p, &seen, fn, object);
	}
	lex_expect(&p->lex, '}');
	tsdl_scope_end(p, before);
	tsdl_leave(p);
}

static void odd_attribute(struct tsdl *p, const struct tsdl_attribute *a)
{
	char what[PATH_BYTES_MAX];

	snprintf(what, sizeof(what), "an attribute that is not known, or of another kind: `%s`",
		 a->name);
	tsdl_odd(p, what);
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
	else if (!is_number(a, "major"))
		odd_attribute(p, a);
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
		clock->is_absolute = tsdl_is_true(p, a);
	else
		odd_attribute(p, a);
	if (!clock->freq_hz)
		lex_fail(&p->lex, -EINVAL, "a clock with the frequency 0");
}

static void stream_attribute(struct tsdl *p, void *object, const struct tsdl_attribute *a)
{
	struct read_stream_class *stream = object;

	stream->has_id |= is_number(a, "id");
	if (is_number(a, "id"))
		stream->id = a->number;
	else if (is_type(a, "packet.context"))
		stream->packet_context = a->type;
	else if (is_type(a, "event.header"))
		stream->event_header = a->type;
	else if (is_type(a, "event.context"))
		stream->event_context = a->type;
	else
		odd_attribute(p, a);
}

static void event_attribute(struct tsdl *p, void *object, const struct tsdl_attribute *a)
{
	struct read_event_class *event = object;

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
	else
		odd_attribute(p, a);
}

static void ignore_attribute(struct tsdl *p, void *object, const struct tsdl_attribute *a)
{
	(void)object;
	(void)a;
	tsdl_odd(p, "a block that is not known");
}

/* Of these there is one. */
static void note_block(struct tsdl *p, bool *has_block)
{
	if (*has_block)
		tsdl_odd(p, "a block that is there twice");
	*has_block = true;
}

static void parse_trace(struct tsdl *p)
{
	note_block(p, &p->has_trace);
	tsdl_block(p, trace_attribute, p->metadata);
}

/* Where the next element of each list goes. */
struct tails {
	struct read_env **env;
	struct read_clock **clock;
	struct read_stream_class **stream;
	struct read_event_class **event;
};

static void parse_env(struct tsdl *p, struct tails *tails)
{
	note_block(p, &p->has_env);
	tsdl_block(p, env_attribute, &tails->env);
}

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
		parse_trace(p);
	else if (lex_take_name(&p->lex, "env"))
		parse_env(p, tails);
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
	if (bytes < strlen(SIGNATURE) || memcmp(text, SIGNATURE, strlen(SIGNATURE)))
		tsdl_odd(&p, "they do not begin with " SIGNATURE);
	if (memchr(text, 0, bytes))
		tsdl_odd(&p, "a byte that is 0");
	while (!p.lex.error && p.lex.token.kind != TOKEN_END)
		parse_top(&p, &tails);
	if (!p.has_trace)
		tsdl_odd(&p, "no trace is described");
	return p.lex.error;
}
