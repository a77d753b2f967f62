/* SPDX-License-Identifier: MIT */
#include "event_show.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "field.h"
#include "options.h"
#include "parse.h"
#include "text.h"

char *event_show_name(const struct event_desc *desc)
{
	char *raw = *desc->provider ? xasprintf("%s:%s", desc->provider, desc->name) :
				      xstrdup(desc->name);
	char *name = printable(raw);

	free(raw);
	return name;
}

void event_show_head(const struct event_desc *desc)
{
	char *name = event_show_name(desc);
	char *file = printable(desc->file);

	printf("      %s (%s)", name, level_name(desc->level));
	if (*file)
		printf(" at %s:%u", file, desc->line);
	free(file);
	free(name);
}

/* What only programs instrumented for LTTng say of their fields. */
static const struct event_labels *labels_of(const struct event_desc *desc, unsigned int field)
{
	static const struct event_labels none;

	return desc->labels ? &desc->labels[field] : &none;
}

/* Are its labels' values? A label as it is declared may be more than its field can be. */
static bool has_signed_labels(const struct event_field *field)
{
	return TACHO_TYPE_FLAGS(field->type) & TACHO_FLAG_SIGNED ||
	       TACHO_TYPE_BYTES(field->type) < 8;
}

static void show_value(uint64_t value, bool is_signed)
{
	if (is_signed)
		printf("%" PRId64, (int64_t)value);
	else
		printf("%" PRIu64, value);
}

static void show_labels(const struct event_labels *labels, bool is_signed)
{
	for (unsigned int i = 0; i < labels->count; i++) {
		const struct event_label *label = &labels->label[i];
		char *text = printable(label->text);

		printf("%s%s = ", i ? ", " : " (", text);
		show_value(label->low, is_signed);
		if (label->high != label->low) {
			printf(" to ");
			show_value(label->high, is_signed);
		}
		free(text);
	}
	if (labels->count)
		putchar(')');
}

void event_show_fields(const struct event_desc *desc)
{
	for (unsigned int i = 0; i < desc->field_count; i++) {
		char *field = printable(desc->fields[i].name);

		printf("          %s: %s%s", field, labels_of(desc, i)->count ? "enum of " : "",
		       field_type(&desc->fields[i]).text);
		show_labels(labels_of(desc, i), has_signed_labels(&desc->fields[i]));
		putchar('\n');
		free(field);
	}
}

void event_show_json_head(const struct event_desc *desc, json_object *entry)
{
	json_add_text(entry, "provider", desc->provider);
	json_add_text(entry, "name", desc->name);
	json_add_text(entry, "level", level_name(desc->level));
	json_add_text(entry, "file", desc->file);
	json_add_count(entry, "line", desc->line);
}

static void json_add_value(json_object *entry, const char *key, uint64_t value, bool is_signed)
{
	json_object_object_add(entry, key,
			       is_signed ? json_object_new_int64((int64_t)value) :
					   json_object_new_uint64(value));
}

static void json_add_labels(json_object *entry, const struct event_labels *labels, bool is_signed)
{
	json_object *list = labels->count ? json_add_array(entry, "labels") : NULL;

	for (unsigned int i = 0; i < labels->count; i++) {
		json_object *label = json_append_object(list);

		json_add_text(label, "label", labels->label[i].text);
		json_add_value(label, "low", labels->label[i].low, is_signed);
		json_add_value(label, "high", labels->label[i].high, is_signed);
	}
}

void event_show_json_fields(const struct event_desc *desc, json_object *entry)
{
	json_object *fields = json_add_array(entry, "fields");

	for (unsigned int i = 0; i < desc->field_count; i++) {
		json_object *field = json_append_object(fields);

		json_add_text(field, "name", desc->fields[i].name);
		json_add_text(field, "type", field_type(&desc->fields[i]).text);
		json_add_labels(field, labels_of(desc, i), has_signed_labels(&desc->fields[i]));
	}
}
