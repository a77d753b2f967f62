/* SPDX-License-Identifier: MIT */
/* csv.c - see csv.h */
#include "csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "ctf/print/kinds.h"
#include "ctf/print/out.h"
#include "filter.h"

struct view_csv {
	char *const *columns;
	struct read_out out;
};

/* ---- cells ---- */

/* Quotation marks are doubled; the cell's own stand around it already. */
static void put_doubled(struct read_out *out, const char *text, size_t bytes)
{
	const char *mark;

	while ((mark = memchr(text, '"', bytes))) {
		size_t before = (size_t)(mark - text) + 1;

		out_bytes(out, text, before);
		out_char(out, '"');
		text += before;
		bytes -= before;
	}
	out_bytes(out, text, bytes);
}

static bool needs_quotes(const char *text, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		if (strchr(",\"\r\n", text[i])) /* a 0 byte as well */
			return true;
	}
	return false;
}

static void put_text(struct read_out *out, const char *text, size_t bytes)
{
	if (!needs_quotes(text, bytes)) {
		out_bytes(out, text, bytes);
		return;
	}
	out_char(out, '"');
	put_doubled(out, text, bytes);
	out_char(out, '"');
}

/* ---- JSON within a cell ---- */

static void put_control(struct read_out *out, unsigned char c)
{
	out_text(out, "\\u00");
	out_hex_byte(out, c);
}

static void put_json_bytes(struct read_out *out, const char *text, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		char c = text[i];

		if ((unsigned char)c < ' ')
			put_control(out, (unsigned char)c);
		else if (c == '"')
			out_text(out, "\\\"\""); /* JSON's escape, doubled for the cell */
		else if (c == '\\')
			out_text(out, "\\\\");
		else
			out_char(out, c);
	}
}

/* JSON is UTF-8; what is not, becomes so. */
static void put_json_text(struct read_out *out, const char *text, size_t bytes)
{
	char *clean = utf8_bytes(text, bytes, &bytes);

	put_json_bytes(out, clean, bytes);
	free(clean);
}

static void put_json_string(struct read_out *out, const char *text, size_t bytes)
{
	out_text(out, "\"\"");
	if (is_ascii(text, bytes))
		put_json_bytes(out, text, bytes);
	else
		put_json_text(out, text, bytes);
	out_text(out, "\"\"");
}

static void put_hex(struct read_out *out, const struct ctf_value *value)
{
	for (uint32_t i = 0; i < value->length; i++)
		out_hex_byte(out, (uint8_t)value->bytes[i]);
}

static void put_integer(struct read_out *out, const struct ctf_value *value)
{
	if (value->is_signed)
		out_signed(out, value->i);
	else
		out_unsigned(out, value->u);
}

static void put_json_value(struct read_out *out, const struct ctf_value *value);

static void put_json_level(struct read_out *out, const struct ctf_value *values, uint32_t count)
{
	const char *separator = "";

	for (uint32_t i = 0; i < count; i += values[i].span) {
		if (values[i].is_length)
			continue;
		out_text(out, separator);
		separator = ",";
		if (values[i].name[0]) {
			put_json_string(out, values[i].name, strlen(values[i].name));
			out_char(out, ':');
		}
		put_json_value(out, &values[i]);
	}
}

static void put_json_nested(struct read_out *out, const struct ctf_value *value, const char *marks)
{
	out_char(out, marks[0]);
	put_json_level(out, value + 1, value->span - 1);
	out_char(out, marks[1]);
}

/* JSON has no word for what is not finite. */
static void put_json_float(struct read_out *out, const struct ctf_value *value)
{
	const char *quote = isfinite(value->f) ? "" : "\"\"";

	out_text(out, quote);
	out_float(out, value->f, value->bits);
	out_text(out, quote);
}

static void put_json_enum(struct read_out *out, const struct ctf_value *value)
{
	if (value->label)
		put_json_string(out, value->label, strlen(value->label));
	else
		put_integer(out, value);
}

static void put_json_characters(struct read_out *out, const struct ctf_value *value)
{
	put_json_string(out, value->bytes, value->length);
}

static void put_json_hex(struct read_out *out, const struct ctf_value *value)
{
	out_text(out, "\"\"");
	put_hex(out, value);
	out_text(out, "\"\"");
}

static void put_json_struct(struct read_out *out, const struct ctf_value *value)
{
	put_json_nested(out, value, "{}");
}

static void put_json_array(struct read_out *out, const struct ctf_value *value)
{
	put_json_nested(out, value, "[]");
}

static void put_json_value(struct read_out *out, const struct ctf_value *value)
{
	static const struct print_kinds kinds = {
		.integer = put_integer,
		.real = put_json_float,
		.string = put_json_characters,
		.bytes = put_json_hex,
		.label = put_json_enum,
		.structure = put_json_struct,
		.array = put_json_array,
	};

	print_by_kind(&kinds, out, value);
}

/* ---- lines ---- */

static void put_quoted_json(struct read_out *out, const struct ctf_value *value)
{
	out_char(out, '"');
	put_json_value(out, value);
	out_char(out, '"');
}

static void put_enum(struct read_out *out, const struct ctf_value *value)
{
	if (value->label)
		put_text(out, value->label, strlen(value->label));
	else
		put_integer(out, value);
}

static void put_float(struct read_out *out, const struct ctf_value *value)
{
	out_float(out, value->f, value->bits);
}

static void put_characters(struct read_out *out, const struct ctf_value *value)
{
	put_text(out, value->bytes, value->length);
}

static void put_cell(struct read_out *out, const struct ctf_value *value)
{
	static const struct print_kinds kinds = {
		.integer = put_integer,
		.real = put_float,
		.string = put_characters,
		.bytes = put_hex,
		.label = put_enum,
		.structure = put_quoted_json,
		.array = put_quoted_json,
	};

	print_by_kind(&kinds, out, value);
}

static void put_columns(struct view_csv *csv, const struct ctf_event *event)
{
	for (char *const *column = csv->columns; *column; column++) {
		const struct ctf_value *value = view_field(event, *column, strlen(*column));

		out_char(&csv->out, ',');
		if (value)
			put_cell(&csv->out, value);
	}
}

/* 0: not known. */
static void put_id(struct read_out *out, uint32_t id)
{
	out_char(out, ',');
	if (id)
		out_unsigned(out, id);
}

static void put_head(struct read_out *out, const struct ctf_event *event, uint64_t time_ns)
{
	out_unsigned(out, time_ns);
	out_char(out, ',');
	if (event->cpu != CTF_CPU_NONE)
		out_unsigned(out, (uint64_t)event->cpu);
	put_id(out, event->pid);
	put_id(out, event->tid);
	out_char(out, ',');
	put_text(out, event->thread, strlen(event->thread));
	out_char(out, ',');
	put_text(out, event->name, strlen(event->name));
	out_char(out, ',');
	if (event->level != CTF_LEVEL_NONE)
		out_unsigned(out, (uint64_t)event->level);
}

int view_csv_event(struct view_csv *csv, const struct ctf_event *event, uint64_t time_ns)
{
	put_head(&csv->out, event, time_ns);
	if (*csv->columns) {
		put_columns(csv, event);
	} else {
		out_text(&csv->out, ",\"{");
		put_json_level(&csv->out, event->fields, event->field_count);
		out_text(&csv->out, "}\"");
	}
	out_text(&csv->out, "\r\n");
	return csv->out.error;
}

static void put_header(struct view_csv *csv)
{
	out_text(&csv->out, "time_ns,cpu,pid,tid,thread,event,level");
	if (!*csv->columns)
		out_text(&csv->out, ",fields");
	for (char *const *column = csv->columns; *column; column++) {
		out_char(&csv->out, ',');
		put_text(&csv->out, *column, strlen(*column));
	}
	out_text(&csv->out, "\r\n");
}

struct view_csv *view_csv_new(int fd, char *const *columns, bool with_header)
{
	struct view_csv *csv = xcalloc(1, sizeof(*csv));

	csv->columns = columns;
	csv->out.fd = fd;
	if (with_header)
		put_header(csv);
	return csv;
}

void view_csv_free(struct view_csv *csv)
{
	free(csv);
}

int view_csv_flush(struct view_csv *csv)
{
	return out_flush(&csv->out);
}

uint64_t view_csv_bytes(const struct view_csv *csv)
{
	return out_total(&csv->out);
}
