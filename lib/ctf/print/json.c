/* SPDX-License-Identifier: MIT */
/* json.c - items as lines of JSON; see print.h */
#include <math.h>
#include <string.h>

#include "kinds.h"
#include "print_private.h"

static void print_string(struct read_out *out, const char *text)
{
	out_json_string(out, text, strlen(text));
}

static void print_key(struct read_out *out, const char *separator, const char *name)
{
	out_text(out, separator);
	print_string(out, name);
	out_char(out, ':');
}

static void print_number(struct read_out *out, const char *separator, const char *name,
			 uint64_t number)
{
	print_key(out, separator, name);
	out_unsigned(out, number);
}

static void print_text(struct read_out *out, const char *name, const char *text)
{
	print_key(out, ",", name);
	print_string(out, text);
}

/* ---- values ---- */

static void print_integer(struct read_out *out, const struct ctf_value *value)
{
	if (value->is_signed)
		out_signed(out, value->i);
	else
		out_unsigned(out, value->u);
}

/* JSON has no word for what is not finite. */
static void print_float(struct read_out *out, const struct ctf_value *value)
{
	const char *quote = isfinite(value->f) ? "" : "\"";

	out_text(out, quote);
	out_float(out, value->f, value->bits);
	out_text(out, quote);
}

static void print_characters(struct read_out *out, const struct ctf_value *value)
{
	out_json_string(out, value->bytes, value->length);
}

static void print_bytes(struct read_out *out, const struct ctf_value *value)
{
	out_char(out, '"');
	for (uint32_t i = 0; i < value->length; i++)
		out_hex_byte(out, (uint8_t)value->bytes[i]);
	out_char(out, '"');
}

static void print_enum(struct read_out *out, const struct ctf_value *value)
{
	if (value->label)
		print_string(out, value->label);
	else
		print_integer(out, value);
}

static void print_level(struct read_out *out, const struct ctf_value *values, uint32_t count,
			bool with_names);

static void print_fields(struct read_out *out, const struct ctf_value *fields, uint32_t count)
{
	out_char(out, '{');
	print_level(out, fields, count, true);
	out_char(out, '}');
}

static void print_struct(struct read_out *out, const struct ctf_value *value)
{
	print_fields(out, value + 1, value->span - 1);
}

static void print_array(struct read_out *out, const struct ctf_value *value)
{
	out_char(out, '[');
	print_level(out, value + 1, value->span - 1, false);
	out_char(out, ']');
}

static void print_value(struct read_out *out, const struct ctf_value *value)
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

static void print_level(struct read_out *out, const struct ctf_value *values, uint32_t count,
			bool with_names)
{
	const char *separator = "";

	for (uint32_t i = 0; i < count; i += values[i].span) {
		if (values[i].is_length)
			continue;
		if (with_names)
			print_key(out, separator, values[i].name);
		else
			out_text(out, separator);
		separator = ",";
		print_value(out, &values[i]);
	}
}

/* ---- items ---- */

static void print_cpu(struct read_out *out, int32_t cpu)
{
	if (cpu != CTF_CPU_NONE)
		print_number(out, ",", "cpu", (uint64_t)cpu);
}

static void print_context_value(struct read_out *out, const struct ctf_value *value)
{
	if (print_is_unavailable(value))
		out_text(out, "null");
	else
		print_value(out, value);
}

static void print_context(struct ctf_printer *printer, const struct ctf_event *event)
{
	const char *separator = "{";

	for (uint32_t i = 0; i < event->context_count; i += event->context[i].span) {
		if (!print_is_wanted(printer, &event->context[i]))
			continue;
		if (separator[0] == '{')
			print_key(&printer->out, ",", "context");
		print_key(&printer->out, separator, event->context[i].name);
		separator = ",";
		print_context_value(&printer->out, &event->context[i]);
	}
	if (separator[0] == ',')
		out_char(&printer->out, '}');
}

static const char *print_remarks(struct ctf_printer *printer, const struct ctf_event *event,
				 uint64_t time_ns, const struct ctf_value *values, uint32_t count,
				 const char *separator)
{
	for (uint32_t i = 0; i < count; i += values[i].span) {
		const char *remark = print_remark(printer, event, time_ns, &values[i]);

		if (!remark)
			continue;
		if (separator[0] == '{')
			print_key(&printer->out, ",", "symbols");
		print_key(&printer->out, separator, values[i].name);
		print_string(&printer->out, remark);
		separator = ",";
	}
	return separator;
}

static void print_symbols(struct ctf_printer *printer, const struct ctf_event *event,
			  uint64_t time_ns)
{
	const char *separator =
		print_remarks(printer, event, time_ns, event->context, event->context_count, "{");

	separator = print_remarks(printer, event, time_ns, event->fields, event->field_count,
				  separator);
	if (separator[0] == ',')
		out_char(&printer->out, '}');
}

static void print_event(struct ctf_printer *printer, const struct ctf_event *event,
			uint64_t time_ns)
{
	struct read_out *out = &printer->out;

	print_cpu(out, event->cpu);
	if (event->pid)
		print_number(out, ",", "pid", event->pid);
	if (event->tid)
		print_number(out, ",", "tid", event->tid);
	if (event->thread[0])
		print_text(out, "thread", event->thread);
	print_text(out, "event", event->name);
	if (event->level != CTF_LEVEL_NONE)
		print_number(out, ",", "level", (uint64_t)event->level);
	print_context(printer, event);
	print_key(out, ",", "fields");
	print_fields(out, event->fields, event->field_count);
	if (printer->options.with_source && event->source)
		print_text(out, "source", event->source);
	if (printer->options.remark)
		print_symbols(printer, event, time_ns);
}

static void print_lost(struct read_out *out, const struct ctf_lost *lost)
{
	print_cpu(out, lost->cpu);
	print_key(out, ",", "lost");
	print_number(out, "{", "events", lost->events);
	print_number(out, ",", "packets", lost->packets);
	print_number(out, ",", "begin_ns", lost->begin_ns);
	print_number(out, ",", "end_ns", lost->end_ns);
	out_char(out, '}');
}

static void print_damage(struct read_out *out, const struct ctf_item *item)
{
	print_key(out, ",", "damage");
	print_key(out, "{", "code");
	out_signed(out, item->damage.code);
	print_text(out, "path", item->path);
	print_number(out, ",", "offset", item->damage.offset);
	print_text(out, "text", item->damage.text);
	out_char(out, '}');
}

void print_json_item(struct ctf_printer *printer, const struct ctf_item *item)
{
	struct read_out *out = &printer->out;

	print_number(out, "{", "time_ns", item->time_ns);
	switch (item->kind) {
	case CTF_ITEM_EVENT:
		print_event(printer, &item->event, item->time_ns);
		break;
	case CTF_ITEM_LOST:
		print_lost(out, &item->lost);
		break;
	case CTF_ITEM_DAMAGE:
		print_damage(out, item);
		break;
	}
	out_text(out, "}\n");
}
