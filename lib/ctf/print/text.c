/* SPDX-License-Identifier: MIT */
/* text.c - items as lines for people; see print.h */
#include <string.h>

#include "kinds.h"
#include "print_private.h"

/* ---- time ---- */

/* Damaged traces may go back in time. */
static void print_since_first(struct ctf_printer *printer, uint64_t time_ns)
{
	uint64_t first_ns = printer->first_ns;

	out_char(&printer->out, time_ns < first_ns ? '-' : '+');
	print_seconds(&printer->out, time_ns < first_ns ? first_ns - time_ns : time_ns - first_ns);
}

static void print_time(struct ctf_printer *printer, uint64_t time_ns)
{
	if (printer->options.time == CTF_PRINT_RELATIVE)
		print_since_first(printer, time_ns);
	else if (printer->options.time == CTF_PRINT_DELTA)
		print_since_last(printer, time_ns);
	else if (printer->options.time == CTF_PRINT_RAW)
		print_seconds(&printer->out, time_ns);
	else if (printer->options.time == CTF_PRINT_DATE)
		print_date(printer, time_ns);
	if (printer->options.time <= CTF_PRINT_DATE)
		print_clock(printer, time_ns);
}

/* ---- values ---- */

static void print_based(struct read_out *out, const struct ctf_value *value)
{
	uint64_t mask = value->bits < 64 ? (1ull << value->bits) - 1 : ~0ull;

	out_text(out, value->base == 16 ? "0x" : value->base == 8 ? "0" : "0b");
	out_padded(out, value->u & mask, value->base, 1);
}

static void print_character(struct read_out *out, char c)
{
	out_char(out, '\'');
	if (c == '\'')
		out_char(out, '\\');
	out_c_escaped(out, &c, 1);
	out_char(out, '\'');
}

static void print_integer(struct read_out *out, const struct ctf_value *value)
{
	if (value->is_character && value->bits == 8)
		print_character(out, (char)value->u);
	else if (value->base != 10)
		print_based(out, value);
	else if (value->is_signed)
		out_signed(out, value->i);
	else
		out_unsigned(out, value->u);
}

static void print_string(struct read_out *out, const struct ctf_value *value)
{
	out_char(out, '"');
	out_c_escaped(out, value->bytes, value->length);
	out_char(out, '"');
}

static void print_bytes(struct read_out *out, const struct ctf_value *value)
{
	out_char(out, '<');
	for (uint32_t i = 0; i < value->length; i++) {
		if (i)
			out_char(out, ' ');
		out_hex_byte(out, (uint8_t)value->bytes[i]);
	}
	out_char(out, '>');
}

static void print_enum(struct read_out *out, const struct ctf_value *value)
{
	if (value->label)
		out_c_escaped(out, value->label, strlen(value->label));
	else
		print_integer(out, value);
}

static void print_level(struct read_out *out, const struct ctf_value *values, uint32_t count);

static void print_compound(struct read_out *out, const struct ctf_value *value, const char *marks)
{
	out_char(out, marks[0]);
	if (value->span > 1) {
		out_char(out, ' ');
		print_level(out, value + 1, value->span - 1);
		out_char(out, ' ');
	}
	out_char(out, marks[1]);
}

static void print_float(struct read_out *out, const struct ctf_value *value)
{
	out_float(out, value->f, value->bits);
}

static void print_struct(struct read_out *out, const struct ctf_value *value)
{
	print_compound(out, value, "{}");
}

static void print_array(struct read_out *out, const struct ctf_value *value)
{
	print_compound(out, value, "[]");
}

static void print_value(struct read_out *out, const struct ctf_value *value)
{
	static const struct print_kinds kinds = {
		.integer = print_integer,
		.real = print_float,
		.string = print_string,
		.bytes = print_bytes,
		.label = print_enum,
		.structure = print_struct,
		.array = print_array,
	};

	print_by_kind(&kinds, out, value);
}

/* Fields or elements of one level. */
static void print_level(struct read_out *out, const struct ctf_value *values, uint32_t count)
{
	const char *separator = "";

	for (uint32_t i = 0; i < count; i += values[i].span) {
		if (values[i].is_length)
			continue;
		out_text(out, separator);
		separator = ", ";
		if (values[i].name[0]) {
			out_text(out, values[i].name);
			out_text(out, " = ");
		}
		print_value(out, &values[i]);
	}
}

/* ---- items ---- */

static void print_cpu(struct read_out *out, int32_t cpu)
{
	out_text(out, " [");
	if (cpu == CTF_CPU_NONE)
		out_char(out, '?');
	else
		out_unsigned(out, (uint64_t)cpu);
	out_char(out, ']');
}

/* A pid or tid; 0: not known. */
static void print_id(struct read_out *out, uint32_t id)
{
	if (id)
		out_unsigned(out, id);
	else
		out_char(out, '?');
}

static void print_writer(struct read_out *out, const struct ctf_event *event)
{
	if (!event->pid && !event->tid)
		return;
	out_char(out, ' ');
	print_id(out, event->pid);
	out_char(out, '/');
	print_id(out, event->tid);
	if (!event->thread[0])
		return;
	out_text(out, " (");
	out_c_escaped(out, event->thread, strlen(event->thread));
	out_char(out, ')');
}

static void print_context_value(struct read_out *out, const struct ctf_value *value)
{
	if (!print_is_unavailable(value)) {
		print_level(out, value, value->span);
		return;
	}
	out_text(out, value->name);
	out_text(out, " = unavailable");
}

static void print_remarked(struct ctf_printer *printer, const struct ctf_event *event,
			   uint64_t time_ns, const struct ctf_value *value)
{
	const char *remark = print_remark(printer, event, time_ns, value);

	if (!remark)
		return;
	out_text(&printer->out, " <");
	out_c_escaped(&printer->out, remark, strlen(remark));
	out_char(&printer->out, '>');
}

static void print_context(struct ctf_printer *printer, const struct ctf_event *event,
			  uint64_t time_ns)
{
	const char *separator = " { ";

	for (uint32_t i = 0; i < event->context_count; i += event->context[i].span) {
		if (!print_is_wanted(printer, &event->context[i]))
			continue;
		out_text(&printer->out, separator);
		separator = ", ";
		print_context_value(&printer->out, &event->context[i]);
		print_remarked(printer, event, time_ns, &event->context[i]);
	}
	if (separator[0] == ',')
		out_text(&printer->out, " }");
}

/* As print_level(), with what is to be said about each. */
static void print_fields(struct ctf_printer *printer, const struct ctf_event *event,
			 uint64_t time_ns)
{
	const char *separator = " ";

	for (uint32_t i = 0; i < event->field_count; i += event->fields[i].span) {
		if (event->fields[i].is_length)
			continue;
		out_text(&printer->out, separator);
		separator = ", ";
		print_level(&printer->out, &event->fields[i], event->fields[i].span);
		print_remarked(printer, event, time_ns, &event->fields[i]);
	}
}

static void print_names(struct ctf_printer *printer, const struct ctf_event *event)
{
	struct read_out *out = &printer->out;

	print_cpu(out, event->cpu);
	print_writer(out, event);
	out_char(out, ' ');
	out_c_escaped(out, event->name, strlen(event->name));
}

static void print_source(struct read_out *out, const char *source)
{
	out_text(out, " at ");
	out_c_escaped(out, source, strlen(source));
}

static void print_event(struct ctf_printer *printer, const struct ctf_event *event,
			uint64_t time_ns)
{
	struct read_out *out = &printer->out;

	print_head(printer, event, print_names);
	print_context(printer, event, time_ns);
	if (printer->options.remark) {
		print_fields(printer, event, time_ns);
	} else {
		if (event->field_count)
			out_char(out, ' ');
		print_level(out, event->fields, event->field_count);
	}
	if (printer->options.with_source && event->source)
		print_source(out, event->source);
}

static void print_lost_count(struct read_out *out, uint64_t count, const char *what)
{
	out_char(out, ' ');
	out_unsigned(out, count);
	out_char(out, ' ');
	out_text(out, what);
	out_text(out, count == 1 ? "" : "s");
}

static void print_lost(struct ctf_printer *printer, const struct ctf_lost *lost)
{
	struct read_out *out = &printer->out;

	print_cpu(out, lost->cpu);
	out_text(out, " *** lost");
	if (lost->events)
		print_lost_count(out, lost->events, "event");
	if (lost->events && lost->packets)
		out_text(out, " and");
	if (lost->packets)
		print_lost_count(out, lost->packets, "packet");
	out_text(out, " between ");
	print_time(printer, lost->begin_ns);
	out_text(out, " and ");
	print_time(printer, lost->end_ns);
}

void print_text_item(struct ctf_printer *printer, const struct ctf_item *item)
{
	print_time(printer, item->time_ns);
	if (item->kind == CTF_ITEM_EVENT)
		print_event(printer, &item->event, item->time_ns);
	else
		print_lost(printer, &item->lost);
	out_char(&printer->out, '\n');
}
