/* SPDX-License-Identifier: MIT */
/*
 * babeltrace.c - events as babeltrace2's text output has them, to the letter, for
 * whatever reads that; see print.h
 */
#include <stdio.h>
#include <string.h>

#include "ctf/read/types.h"
#include "kinds.h"
#include "print_private.h"

#define NS_PER_S   1000000000
#define LABELS_MAX 1024u /* that are gone through where ranges overlap: it takes their square */

/* ---- numbers ---- */

/* The low bits, rounded up to whole digits of so many bits. */
static uint64_t cut_to_digits(const struct ctf_value *value, uint32_t digit_bits)
{
	uint32_t bits = (value->bits + digit_bits - 1) / digit_bits * digit_bits;

	return bits < 64 ? value->u & ((1ull << bits) - 1) : value->u;
}

static void print_hex(struct read_out *out, uint64_t number)
{
	char text[20];
	int bytes = snprintf(text, sizeof(text), "0x%llX", (unsigned long long)number);

	out_bytes(out, text, (size_t)bytes);
}

static void print_octal(struct read_out *out, const struct ctf_value *value)
{
	out_char(out, '0');
	out_padded(out, value->is_signed ? cut_to_digits(value, 3) : value->u, 8, 1);
}

static void print_binary(struct read_out *out, const struct ctf_value *value)
{
	out_text(out, "0b");
	out_padded(out, cut_to_digits(value, 1), 2, value->bits);
}

static void print_integer(struct read_out *out, const struct ctf_value *value)
{
	if (value->base == 16)
		print_hex(out, cut_to_digits(value, 4));
	else if (value->base == 8)
		print_octal(out, value);
	else if (value->base == 2)
		print_binary(out, value);
	else if (value->is_signed)
		out_signed(out, value->i);
	else
		out_unsigned(out, value->u);
}

static void print_float(struct read_out *out, const struct ctf_value *value)
{
	char text[32];
	int bytes = snprintf(text, sizeof(text), "%g", value->f);

	out_bytes(out, text, (size_t)bytes);
}

/* ---- strings ---- */

/* The letter behind the backslash, or 0. */
static char escape_letter(char c)
{
	static const char special[] = "\\'\"?\a\b\033\f\n\r\t\v";
	static const char letters[] = "\\'\"?abefnrtv";
	const char *found = c ? strchr(special, c) : NULL;

	return found ? letters[found - special] : 0;
}

static void print_escape(struct read_out *out, char c)
{
	char letter = escape_letter(c);

	out_char(out, '\\');
	out_char(out, letter ? letter : 'x');
	if (!letter)
		out_hex_byte(out, (uint8_t)c);
}

/* Beside what C escapes, babeltrace2 does so of question marks and apostrophes; not of other bytes
 * beyond ASCII. */
static void print_byte(struct read_out *out, char c)
{
	if (escape_letter(c) || (unsigned char)c < 0x20 || c == 0x7f)
		print_escape(out, c);
	else
		out_char(out, c);
}

static void print_string(struct read_out *out, const char *text, size_t bytes)
{
	out_char(out, '"');
	for (size_t i = 0; i < bytes && text[i];) {
		size_t plain = out_plain_bytes(text + i, bytes - i);

		if (plain)
			out_bytes(out, text + i, plain);
		else
			print_byte(out, text[i++]);
		i += plain;
	}
	out_char(out, '"');
}

static void print_characters(struct read_out *out, const struct ctf_value *value)
{
	print_string(out, value->bytes, value->length);
}

/* ---- enums ---- */

static bool has_number(const struct read_mapping *map, const struct ctf_value *value)
{
	if (value->is_signed)
		return value->i >= (int64_t)map->low && value->i <= (int64_t)map->high;
	return value->u >= map->low && value->u <= map->high;
}

static const struct read_mapping *next_fitting(const struct read_mapping *map,
					       const struct ctf_value *value)
{
	while (map && !has_number(map, value))
		map = map->next;
	return map;
}

/* A label may stand for several ranges; its place is that of the first of them. */
static const struct read_mapping *first_of_label(const struct ctf_value *value, const char *label)
{
	const struct read_mapping *map = value->mappings;

	while (strcmp(map->label, label))
		map = map->next;
	return map;
}

static bool is_label_fitting(const struct read_mapping *first, const struct ctf_value *value)
{
	const struct read_mapping *map = next_fitting(first, value);

	while (map && strcmp(map->label, first->label))
		map = next_fitting(map->next, value);
	return map;
}

static void print_labels(struct read_out *out, const struct ctf_value *value)
{
	const struct read_mapping *map = value->mappings;
	const char *separator = "";

	for (uint32_t i = 0; map && i < LABELS_MAX; map = map->next, i++) {
		if (first_of_label(value, map->label) != map || !is_label_fitting(map, value))
			continue;
		out_text(out, separator);
		separator = ", ";
		print_string(out, map->label, strlen(map->label));
	}
}

static void print_label(struct read_out *out, const struct ctf_value *value)
{
	const struct read_mapping *map = next_fitting(value->mappings, value);

	if (!map)
		out_text(out, "<unknown>");
	else if (next_fitting(map->next, value))
		print_labels(out, value);
	else
		print_string(out, map->label, strlen(map->label));
}

static void print_enum(struct read_out *out, const struct ctf_value *value)
{
	out_text(out, "( ");
	print_label(out, value);
	out_text(out, " : container = ");
	print_integer(out, value);
	out_text(out, " )");
}

/* ---- compounds ---- */

static void print_value(struct read_out *out, const struct ctf_value *value);

static void print_fields(struct read_out *out, const struct ctf_value *fields, uint32_t count)
{
	bool is_first = true;

	out_char(out, '{');
	for (uint32_t i = 0; i < count; i += fields[i].span) {
		if (fields[i].is_clock)
			continue;
		if (!is_first)
			out_char(out, ',');
		is_first = false;
		out_char(out, ' ');
		out_text(out, fields[i].name);
		out_text(out, " = ");
		print_value(out, &fields[i]);
	}
	out_text(out, " }");
}

static void print_struct(struct read_out *out, const struct ctf_value *value)
{
	print_fields(out, value + 1, value->span - 1);
}

static void print_index(struct read_out *out, uint32_t index)
{
	out_text(out, index ? ", [" : " [");
	out_unsigned(out, index);
	out_text(out, "] = ");
}

static void print_array(struct read_out *out, const struct ctf_value *value)
{
	uint32_t index = 0;

	out_char(out, '[');
	for (uint32_t i = 1; i < value->span; i += value[i].span) {
		print_index(out, index++);
		print_value(out, &value[i]);
	}
	out_text(out, " ]");
}

static void print_bytes(struct read_out *out, const struct ctf_value *value)
{
	out_char(out, '[');
	for (uint32_t i = 0; i < value->length; i++) {
		print_index(out, i);
		print_hex(out, (uint8_t)value->bytes[i]);
	}
	out_text(out, " ]");
}

static void print_plain(struct read_out *out, const struct ctf_value *value)
{
	static const struct print_kinds kinds = {
		.integer = print_integer,
		.real = print_float,
		.string = print_characters,
		.bytes = print_bytes,
		.label = print_enum,
		.structure = print_struct,
		.array = print_array,
	};

	print_by_kind(&kinds, out, value);
}

static void print_value(struct read_out *out, const struct ctf_value *value)
{
	for (uint8_t i = 0; i < value->variants; i++)
		out_text(out, "{ ");
	print_plain(out, value);
	for (uint8_t i = 0; i < value->variants; i++)
		out_text(out, " }");
}

/* ---- events ---- */

/* babeltrace2 counts in floating point, and offset and ticks apart: that is up to 2 ns less. */
static uint64_t to_ns(const struct read_clock *clock, uint64_t ticks)
{
	double ns = 1e9 * (double)ticks / (double)clock->freq_hz;

	if (clock->freq_hz == NS_PER_S)
		return ticks;
	return ns >= (double)UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

static void find_base(struct ctf_printer *printer, const struct read_clock *clock)
{
	int64_t freq = clock->freq_hz > INT64_MAX ? INT64_MAX : (int64_t)clock->freq_hz;
	int64_t seconds = clock->offset_ticks / freq;
	int64_t ticks = clock->offset_ticks % freq;

	if (ticks < 0) {
		ticks += freq;
		seconds--;
	}
	printer->clock = clock;
	printer->clock_base_ns = ((uint64_t)clock->offset_s + (uint64_t)seconds) * NS_PER_S +
				 to_ns(clock, (uint64_t)ticks);
}

static uint64_t time_of(struct ctf_printer *printer, const struct ctf_event *event)
{
	if (printer->clock != event->clock)
		find_base(printer, event->clock);
	return printer->clock_base_ns + to_ns(event->clock, event->ticks);
}

static void print_time(struct ctf_printer *printer, const struct ctf_event *event)
{
	struct read_out *out = &printer->out;
	uint64_t time_ns;

	if (!event->clock)
		return;
	time_ns = time_of(printer, event);
	out_char(out, '[');
	print_clock(printer, time_ns);
	out_text(out, "] (");
	print_since_last(printer, time_ns);
	out_text(out, ") ");
	printer->last = (struct ctf_print_last){ true, time_ns };
}

static const char *text_or_empty(const char *text)
{
	return text ? text : "";
}

static void find_origin(struct ctf_printer *printer, const struct ctf_event *event)
{
	printer->trace = event->trace;
	printer->origin = (struct print_origin){
		.host = text_or_empty(ctf_event_env(event, "hostname")),
		.program = text_or_empty(ctf_event_env(event, "procname")),
		.pid = ctf_event_env(event, "vpid"),
	};
}

static void print_origin(struct ctf_printer *printer, const struct ctf_event *event)
{
	const struct print_origin *origin = &printer->origin;
	struct read_out *out = &printer->out;

	if (!event->trace)
		return;
	if (printer->trace != event->trace)
		find_origin(printer, event);
	out_text(out, origin->host);
	if (origin->host[0] && origin->program[0])
		out_char(out, ':');
	out_text(out, origin->program);
	if (origin->pid) {
		out_text(out, origin->host[0] || origin->program[0] ? ":(" : "(");
		out_text(out, origin->pid);
		out_char(out, ')');
	}
	if (origin->host[0] || origin->program[0] || origin->pid)
		out_char(out, ' ');
}

/* One scope, if it is declared at all. Return: whether it is, or one before was. */
static bool print_scope(struct read_out *out, const struct ctf_event *event, enum ctf_scope scope,
			bool is_next, const struct ctf_value *values, uint32_t count)
{
	if (!(event->scopes & scope))
		return is_next;
	if (is_next)
		out_text(out, ", ");
	print_fields(out, values, count);
	return true;
}

static void print_scopes(struct read_out *out, const struct ctf_event *event)
{
	uint32_t own = event->stream_context_count;
	bool is_next;

	is_next = print_scope(out, event, CTF_SCOPE_PACKET, false, event->packet,
			      event->packet_count);
	is_next = print_scope(out, event, CTF_SCOPE_STREAM_CONTEXT, is_next, event->context, own);
	is_next = print_scope(out, event, CTF_SCOPE_EVENT_CONTEXT, is_next, event->context + own,
			      event->context_count - own);
	print_scope(out, event, CTF_SCOPE_FIELDS, is_next, event->fields, event->field_count);
}

static void print_names(struct ctf_printer *printer, const struct ctf_event *event)
{
	print_origin(printer, event);
	out_text(&printer->out, event->name);
	out_text(&printer->out, ": ");
}

void print_babeltrace_item(struct ctf_printer *printer, const struct ctf_item *item)
{
	const struct ctf_event *event = &item->event;
	struct read_out *out = &printer->out;

	print_time(printer, event);
	print_head(printer, event, print_names);
	print_scopes(out, event);
	out_char(out, '\n');
}
