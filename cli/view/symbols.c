/* SPDX-License-Identifier: MIT */
/* symbols.c - see symbols.h */
#include "symbols.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "cli/text.h"
#include "filter.h"

/* Items between two looks at how far it is: some milliseconds. */
#define PAUSE_ITEMS 65536

struct view_symbols {
	struct symbols *symbols;
	const struct read_trace *trace; /* whose host is at hand */
	uint32_t host;
};

/* ---- what the trace tells ---- */

/* Processes of hosts are told apart by a number made of the host's name. */
static uint32_t host_number(const char *name)
{
	uint32_t hash = 2166136261u;

	for (; name && *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return hash;
}

struct symbols_process view_symbols_process(struct view_symbols *symbols,
					    const struct ctf_event *event)
{
	if (event->trace != symbols->trace) {
		symbols->trace = event->trace;
		symbols->host = host_number(ctf_event_env(event, "hostname"));
	}
	return (struct symbols_process){ symbols->host, event->pid };
}

static uint64_t number_of(const struct ctf_event *event, const char *name)
{
	const struct ctf_value *value = view_field(event, name, strlen(name));

	return value && (value->kind == CTF_VALUE_UNSIGNED || value->kind == CTF_VALUE_SIGNED) ?
		       value->u :
		       0;
}

static int load(struct view_symbols *symbols, const struct ctf_item *item)
{
	const struct ctf_event *event = &item->event;
	const struct ctf_value *path = view_field(event, "path", 4);
	char *text;
	int err;

	if (!path || path->kind != CTF_VALUE_STRING)
		return 0;
	text = xasprintf("%.*s", (int)path->length, path->bytes);
	err = symbols_load(symbols->symbols, view_symbols_process(symbols, event), item->time_ns,
			   number_of(event, "baddr"), number_of(event, "memsz"), text);
	free(text);
	return err;
}

/* Bytes, or, of other tracers, an array of integers. */
static int build_id(struct view_symbols *symbols, const struct ctf_event *event)
{
	const struct ctf_value *value = view_field(event, "build_id", 8);
	uint8_t id[SYMBOLS_BUILD_ID_MAX];
	size_t bytes = 0;

	if (!value)
		return 0;
	if (value->kind == CTF_VALUE_BYTES)
		return symbols_build_id(symbols->symbols, view_symbols_process(symbols, event),
					number_of(event, "baddr"), value->bytes, value->length);
	if (value->kind != CTF_VALUE_ARRAY)
		return 0;
	for (uint32_t i = 1; i < value->span && bytes < sizeof(id); i += value[i].span)
		id[bytes++] = (uint8_t)value[i].u;
	return symbols_build_id(symbols->symbols, view_symbols_process(symbols, event),
				number_of(event, "baddr"), id, bytes);
}

static int take_dump(struct view_symbols *symbols, const struct ctf_item *item)
{
	const struct ctf_event *event = &item->event;

	if (!strcmp(event->base_name, "start"))
		return symbols_begin(symbols->symbols, view_symbols_process(symbols, event),
				     item->time_ns);
	if (!strcmp(event->base_name, "bin_info"))
		return load(symbols, item);
	if (!strcmp(event->base_name, "build_id"))
		return build_id(symbols, event);
	if (!strcmp(event->base_name, "end"))
		symbols_end(symbols->symbols, view_symbols_process(symbols, event));
	return 0;
}

static int take_change(struct view_symbols *symbols, const struct ctf_item *item)
{
	const struct ctf_event *event = &item->event;

	if (!strcmp(event->base_name, "load"))
		return load(symbols, item);
	if (!strcmp(event->base_name, "build_id"))
		return build_id(symbols, event);
	if (!strcmp(event->base_name, "unload"))
		symbols_unload(symbols->symbols, view_symbols_process(symbols, event),
			       item->time_ns, number_of(event, "baddr"));
	return 0;
}

static int take(struct view_symbols *symbols, const struct ctf_item *item)
{
	if (item->kind != CTF_ITEM_EVENT || strncmp(item->event.name, "lttng_ust_", 10))
		return 0;
	if (!strcmp(item->event.provider, "lttng_ust_statedump"))
		return take_dump(symbols, item);
	if (!strcmp(item->event.provider, "lttng_ust_lib"))
		return take_change(symbols, item);
	return 0;
}

static int read_all(struct view_symbols *symbols, struct ctf_reader *reader)
{
	const struct ctf_item *item;
	int more, err = 0;

	progress_begin("reading symbols", false);
	for (unsigned int i = 1; !err && (more = ctf_reader_next(reader, &item)) > 0; i++) {
		err = take(symbols, item);
		if (i % PAUSE_ITEMS == 0)
			progress_show(ctf_reader_done_bytes(reader),
				      ctf_reader_totals(reader).bytes);
	}
	progress_end();
	return err ? err : more;
}

static void say_what_is_missing(const struct view_symbols *symbols)
{
	if (!symbols_count(symbols->symbols))
		say(SAY_WARNING, "the trace does not tell which libraries its programs had, so "
				 "addresses stay what they are: tacho record --libs");
	else if (!symbols_have_lines())
		say(SAY_WARNING, "this tacho was built without libdw, so there are functions, but "
				 "no lines");
}

int view_symbols_new(const char *dir, struct view_symbols **ret_symbols)
{
	struct view_symbols *symbols = xcalloc(1, sizeof(*symbols));
	struct ctf_reader *reader;
	struct tacho_error error;
	int err;

	symbols->symbols = symbols_new();
	if (ctf_reader_open(dir, &error, &reader)) {
		view_symbols_free(symbols);
		return fail_with(&error);
	}
	err = symbols->symbols ? read_all(symbols, reader) : -ENOMEM;
	ctf_reader_close(reader);
	symbols->trace = NULL; /* of that reader */
	if (err == -ENOMEM || !symbols->symbols) {
		view_symbols_free(symbols);
		return fail("cannot look for symbols: %s", strerror(ENOMEM));
	}
	if (err == -ENOSPC)
		say(SAY_WARNING,
		    "there are more libraries than %u: some addresses stay what they "
		    "are",
		    SYMBOLS_PLACES_MAX);
	say_what_is_missing(symbols);
	*ret_symbols = symbols;
	return STATUS_DONE;
}

void view_symbols_free(struct view_symbols *symbols)
{
	if (symbols)
		symbols_free(symbols->symbols);
	free(symbols);
}

/* ---- which fields are addresses of code ---- */

/* Those of our own helpers and of LTTng's; all but func_addr are where a call returns to. */
static bool is_code(const char *name, bool *ret_is_return)
{
	static const char *const returns[] = { "caller", "call_site", "ip", "parent_ip", "_ip" };
	static const char *const functions[] = { "func_addr", "func", "function" };

	for (size_t i = 0; i < sizeof(returns) / sizeof(returns[0]); i++) {
		*ret_is_return = true;
		if (!strcmp(name, returns[i]))
			return true;
	}
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		*ret_is_return = false;
		if (!strcmp(name, functions[i]))
			return true;
	}
	return false;
}

bool view_symbols_at(struct view_symbols *symbols, struct symbols_process who, uint64_t time_ns,
		     uint64_t address, bool is_return, struct symbol *ret_symbol)
{
	return symbols_find(symbols->symbols, who, time_ns, address, is_return, ret_symbol);
}

bool view_symbols_find(struct view_symbols *symbols, const struct ctf_event *event,
		       uint64_t time_ns, const struct ctf_value *value, struct symbol *ret_symbol)
{
	bool is_return;

	return value->kind == CTF_VALUE_UNSIGNED && is_code(value->name, &is_return) &&
	       view_symbols_at(symbols, view_symbols_process(symbols, event), time_ns, value->u,
			       is_return, ret_symbol);
}

static char *place_text(const struct symbol *symbol)
{
	const char *slash = strrchr(symbol->module, '/');
	const char *name = slash ? slash + 1 : symbol->module;

	if (!symbol->function)
		return xasprintf("%s+0x%" PRIx64, name, symbol->offset);
	return xasprintf("%s+0x%" PRIx64, symbol->function, symbol->function_offset);
}

static char *function_text(const struct symbol *symbol)
{
	char *place = place_text(symbol), *text;
	const char *slash = strrchr(symbol->module, '/');

	if (symbol->file)
		text = xasprintf("%s at %s:%u", place, symbol->file, symbol->line);
	else if (symbol->function)
		text = xasprintf("%s in %s", place, slash ? slash + 1 : symbol->module);
	else if (symbol->trouble)
		text = xasprintf("%s: %s", place, symbol->trouble);
	else
		text = xstrdup(place);
	free(place);
	return text;
}

static char *add_inlined(const struct symbol_frame *frame, char *rest)
{
	char *text;

	if (frame->file)
		text = xasprintf("%s at %s:%u, inlined into %s", frame->function, frame->file,
				 frame->line, rest);
	else
		text = xasprintf("%s, inlined into %s", frame->function, rest);
	free(rest);
	return text;
}

char *view_symbol_text(const struct symbol *symbol)
{
	char *text = function_text(symbol);

	for (uint32_t i = symbol->inlined_count; i; i--)
		text = add_inlined(&symbol->inlined[i - 1], text);
	return text;
}
