/* SPDX-License-Identifier: MIT */
/* catalogue.c - see catalogue.h */
#include "catalogue.h"

#include "cmd.h"
#include "json.h"
#include "page.h"

static const char *or_nothing(const char *text)
{
	return text ? text : "";
}

static void add_option(json_object *list, const struct poptOption *option)
{
	char letter[2] = { option->shortName, 0 };
	json_object *entry = json_append_object(list);

	json_add_text(entry, "name", or_nothing(option->longName));
	json_add_text(entry, "letter", letter);
	json_add_text(entry, "value", or_nothing(option->argDescrip));
	json_add_text(entry, "text", or_nothing(option->descrip));
}

static void add_command(json_object *list, const struct command *command)
{
	json_object *entry = json_append_object(list);
	json_object *options;

	json_add_text(entry, "name", command->name);
	json_add_text(entry, "arguments", command->arguments);
	json_add_text(entry, "summary", command->summary);
	json_add_text(entry, "page", page_name(command));
	options = json_add_array(entry, "options");
	for (const struct poptOption *o = command->options; o->longName || o->shortName; o++)
		if (!(o->argInfo & POPT_ARGFLAG_DOC_HIDDEN))
			add_option(options, o);
}

int catalogue_print_json(void)
{
	json_object *root = json_object_new_object();
	json_object *list = json_add_array(root, "commands");

	for (int i = 0; commands[i]; i++)
		if (!commands[i]->is_hidden)
			add_command(list, commands[i]);
	return json_print(root);
}
