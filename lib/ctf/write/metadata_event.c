/* SPDX-License-Identifier: MIT */
/*
 * metadata_event.c - an event and its fields in TSDL.
 *
 * Names get a '_' in front, as LTTng's do: so none is a word of the language. Readers take it off.
 */
#include <errno.h>
#include <inttypes.h>

#include "base/context_name.h"
#include "metadata.h"
#include "metadata_text.h"

static void print_integer(FILE *out, uint32_t type, const char *extra)
{
	uint32_t flags = TACHO_TYPE_FLAGS(type);

	fprintf(out, "integer { size = %u; align = 8; signed = %s; base = %s; %s%s}",
		8 * TACHO_TYPE_BYTES(type), flags & TACHO_FLAG_SIGNED ? "true" : "false",
		flags & TACHO_FLAG_HEX ? "hex" : "decimal",
		flags & TACHO_FLAG_NETWORK ? "byte_order = be; " : "", extra);
}

static void print_float(FILE *out, uint32_t type)
{
	bool is_double = TACHO_TYPE_BYTES(type) == 8;

	fprintf(out, "floating_point { exp_dig = %d; mant_dig = %d; align = 8; }",
		is_double ? 11 : 8, is_double ? 53 : 24);
}

/* An element of an array or a sequence. Characters in a row are text. */
static void print_element(FILE *out, uint32_t type)
{
	uint32_t flags = TACHO_TYPE_FLAGS(type);
	bool is_text = TACHO_TYPE_KIND(type) == TACHO_KIND_TEXT || flags & TACHO_FLAG_CHAR;

	if (flags & TACHO_FLAG_FLOAT)
		print_float(out, type);
	else if (TACHO_TYPE_KIND(type) == TACHO_KIND_BYTES)
		print_integer(out, TACHO_TYPE(TACHO_KIND_BYTES, 1, TACHO_FLAG_HEX), "");
	else
		print_integer(out, type,
			      is_text && TACHO_TYPE_BYTES(type) == 1 ? "encoding = UTF8; " : "");
}

static int print_counted(FILE *out, const struct event_field *field, struct metadata_names *names)
{
	const char *length = metadata_name_new(names, "__", field->name, "_length");
	const char *name = metadata_name_new(names, "_", field->name, "");

	if (!length || !name)
		return -ENOMEM;
	fprintf(out, "\t\tinteger { size = %u; align = 8; signed = false; } %s;\n\t\t",
		8 * TACHO_TYPE_LENGTH_BYTES(field->type), length);
	print_element(out, field->type);
	fprintf(out, " %s[ %s ];\n", name, length);
	return 0;
}

/* A value as the field's integer has it: a label beyond its size is cut as the integer was. */
static uint64_t cut_value(uint32_t type, uint64_t value)
{
	unsigned int unused_bits = 64 - 8 * TACHO_TYPE_BYTES(type);

	value <<= unused_bits;
	if (TACHO_TYPE_FLAGS(type) & TACHO_FLAG_SIGNED)
		return (uint64_t)((int64_t)value >> unused_bits);
	return value >> unused_bits;
}

static bool is_below(uint32_t type, uint64_t low, uint64_t high)
{
	if (TACHO_TYPE_FLAGS(type) & TACHO_FLAG_SIGNED)
		return (int64_t)low < (int64_t)high;
	return low < high;
}

static void print_value(FILE *out, uint32_t type, uint64_t value)
{
	if (TACHO_TYPE_FLAGS(type) & TACHO_FLAG_SIGNED)
		fprintf(out, "%" PRId64, (int64_t)value);
	else
		fprintf(out, "%" PRIu64, value);
}

struct range {
	uint64_t low, high;
};

/* All values of the integer. */
static struct range whole_range(uint32_t type)
{
	uint64_t most = UINT64_MAX >> (64 - 8 * TACHO_TYPE_BYTES(type));

	if (TACHO_TYPE_FLAGS(type) & TACHO_FLAG_SIGNED)
		return (struct range){ ~(most >> 1), most >> 1 };
	return (struct range){ 0, most };
}

/* It ends before it begins, in whatever way an unsigned field's label is meant. */
static bool is_reversed(uint32_t type, const struct event_label *label)
{
	bool is_signed = TACHO_TYPE_FLAGS(type) & TACHO_FLAG_SIGNED;

	return (int64_t)label->high < (int64_t)label->low &&
	       (is_signed || label->high < label->low);
}

/*
 * The values of the field that a label names: one range or, from -2 to 3 in an unsigned integer,
 * two. Readers refuse a range that ends before it begins, and the trace with it.
 */
static unsigned int cut_range(uint32_t type, const struct event_label *label, struct range cut[2])
{
	struct range whole = whole_range(type);

	cut[0] = (struct range){ cut_value(type, label->low), cut_value(type, label->high) };
	if (is_reversed(type, label))
		cut[0].high = cut[0].low;
	else if (label->high - label->low > whole.high - whole.low)
		cut[0] = whole;
	if (!is_below(type, cut[0].high, cut[0].low))
		return 1;
	cut[1] = (struct range){ whole.low, cut[0].high };
	cut[0].high = whole.high;
	return 2;
}

static void print_range(FILE *out, uint32_t type, const struct range *range)
{
	print_value(out, type, range->low);
	if (range->low == range->high)
		return;
	fputs(" ... ", out);
	print_value(out, type, range->high);
}

static void print_label(FILE *out, uint32_t type, const struct event_label *label)
{
	struct range range[2];
	unsigned int count = cut_range(type, label, range);

	for (unsigned int i = 0; i < count; i++) {
		fputs(i ? ",\n\t\t\t\"" : "\n\t\t\t\"", out);
		metadata_print_text(out, label->text);
		fputs("\" = ", out);
		print_range(out, type, &range[i]);
	}
}

static void print_enum(FILE *out, uint32_t type, const struct event_labels *labels)
{
	fputs("enum : ", out);
	print_integer(out, type, "");
	fputs(" {", out);
	for (unsigned int i = 0; i < labels->count; i++) {
		if (i)
			fputc(',', out);
		print_label(out, type, &labels->label[i]);
	}
	fputs("\n\t\t}", out);
}

/* An enum without labels is none, to a reader. */
static void print_number(FILE *out, uint32_t type, const struct event_labels *labels)
{
	if (TACHO_TYPE_FLAGS(type) & TACHO_FLAG_ENUM && labels && labels->count)
		print_enum(out, type, labels);
	else
		print_integer(out, type, "");
}

static int print_field(FILE *out, const struct event_field *field,
		       const struct event_labels *labels, struct metadata_names *names)
{
	uint32_t kind = TACHO_TYPE_KIND(field->type);
	const char *name;

	if (!TACHO_TYPE_IS_WRITTEN(field->type))
		return 0;
	if (kind == TACHO_KIND_TEXT || kind == TACHO_KIND_BYTES || kind == TACHO_KIND_SEQUENCE)
		return print_counted(out, field, names);
	name = metadata_name_new(names, "_", field->name, "");
	if (!name)
		return -ENOMEM;
	fputs("\t\t", out);
	if (kind == TACHO_KIND_STRING)
		fputs("string { encoding = UTF8; }", out);
	else if (kind == TACHO_KIND_FLOAT)
		print_float(out, field->type);
	else if (kind == TACHO_KIND_ARRAY)
		print_element(out, field->type);
	else
		print_number(out, field->type, labels);
	fprintf(out, " %s", name);
	if (kind == TACHO_KIND_ARRAY)
		fprintf(out, "[%" PRIu32 "]", field->count);
	fputs(";\n", out);
	return 0;
}

static void print_name(FILE *out, const struct event_desc *desc)
{
	metadata_print_text(out, desc->provider);
	if (*desc->provider)
		fputc(':', out);
	metadata_print_text(out, desc->name);
}

static void print_model(FILE *out, const struct event_desc *desc)
{
	if (!desc->model_uri)
		return;
	fputs("\tmodel.emf.uri = \"", out);
	metadata_print_text(out, desc->model_uri);
	fputs("\";\n", out);
}

/* TSDL has no place for it that all readers accept, so it is a comment. */
static void print_source(FILE *out, const struct event_desc *desc)
{
	if (!*desc->file)
		return;
	fputs("/* source: \"", out);
	metadata_print_text(out, desc->file);
	fprintf(out, "\":%u */\n", desc->line);
}

/* @labels: of each field, or NULL */
static int print_fields(FILE *out, const struct event_field *fields, unsigned int count,
			const struct event_labels *labels)
{
	struct metadata_names names = { .count = 0 };
	int err = 0;

	for (unsigned int i = 0; i < count && !err; i++)
		err = print_field(out, &fields[i], labels ? &labels[i] : NULL, &names);
	metadata_names_fini(&names);
	return err;
}

/* @room: for the name of a counter */
static struct event_field describe_context(unsigned int number, const struct tacho_perf *perf,
					   char room[CONTEXT_PERF_NAME_BYTES])
{
	struct event_field field = { room, TACHO_TYPE(TACHO_KIND_INTEGER, 8, 0), 0 };

	if (number < TACHO_CONTEXT_FIXED_COUNT)
		return *context_field(number);
	room[0] = 0;
	if (perf)
		context_perf_field(perf[number - TACHO_CONTEXT_PERF].name, room);
	if (!room[0])
		snprintf(room, CONTEXT_PERF_NAME_BYTES, "perf_%u", number - TACHO_CONTEXT_PERF);
	return field;
}

/* They are the event's, not the stream's: records of one stream may differ in them. */
static int print_contexts(FILE *out, uint64_t contexts, const struct tacho_perf *perf)
{
	char rooms[TACHO_PERF_MAX][CONTEXT_PERF_NAME_BYTES];
	struct event_field fields[CONTEXTS_MAX];
	unsigned int count = 0;
	int err;

	if (!contexts || !contexts_are_known(contexts))
		return 0;
	for (; contexts; contexts &= contexts - 1) {
		unsigned int number = (unsigned int)__builtin_ctzll(contexts);

		fields[count++] = describe_context(number, perf, rooms[number % TACHO_PERF_MAX]);
	}
	fputs("\tcontext := struct {\n", out);
	err = print_fields(out, fields, count, NULL);
	fputs("\t};\n", out);
	return err;
}

int metadata_print_event(FILE *out, const struct ctf_event_class *event,
			 const struct tacho_perf *perf, uint32_t stream_id)
{
	const struct event_desc *desc = event->desc;
	int err;

	print_source(out, desc);
	fputs("event {\n\tname = \"", out);
	print_name(out, desc);
	fprintf(out, "\";\n\tid = %" PRIu32 ";\n\tstream_id = %" PRIu32 ";\n", event->id,
		stream_id);
	fprintf(out, "\tloglevel = %u;\n", desc->level);
	print_model(out, desc);
	err = print_contexts(out, event->contexts, perf);
	if (err)
		return err;
	fputs("\tfields := struct {\n", out);
	err = print_fields(out, desc->fields, desc->field_count, desc->labels);
	fputs("\t};\n};\n\n", out);
	return err;
}
