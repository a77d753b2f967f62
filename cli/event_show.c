/* SPDX-License-Identifier: MIT */
#include "event_show.h"

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

void event_show_fields(const struct event_desc *desc)
{
	for (unsigned int i = 0; i < desc->field_count; i++) {
		char *field = printable(desc->fields[i].name);

		printf("          %s: %s\n", field, field_type(&desc->fields[i]).text);
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

void event_show_json_fields(const struct event_desc *desc, json_object *entry)
{
	json_object *fields = json_add_array(entry, "fields");

	for (unsigned int i = 0; i < desc->field_count; i++) {
		json_object *field = json_append_object(fields);

		json_add_text(field, "name", desc->fields[i].name);
		json_add_text(field, "type", field_type(&desc->fields[i]).text);
	}
}
