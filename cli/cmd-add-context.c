/* SPDX-License-Identifier: MIT */
/* cmd-add-context.c - tacho add-context: have a channel's records begin with more. */
#include <stdio.h>
#include <string.h>

#include "base/context_name.h"
#include "cmd.h"
#include "domain.h"
#include "json.h"
#include "lists.h"
#include "options.h"
#include "pick.h"
#include "say.h"
#include "session/rules/contexts.h"
#include "suggest.h"
#include "text.h"

static struct {
	const char *session;
	const char *channel;
	const char **types;
	int list;
	int json;
} asked;

/* ---- --list ---- */

static int list_json(void)
{
	json_object *root = json_object_new_object();
	json_object *contexts = json_add_array(root, "contexts");
	const char *name;

	for (size_t i = 0; (name = context_name_at(i)); i++)
		json_append_text(contexts, name);
	return json_print(root);
}

static int list_text(void)
{
	const char *name;

	for (size_t i = 0; (name = context_name_at(i)); i++)
		puts(name);
	return STATUS_DONE;
}

/* ---- adding ---- */

static int unknown(const struct command *self, const char *type, const struct tacho_error *error)
{
	struct suggestion s = suggestion_for(type);
	const char *name;

	for (size_t i = 0; (name = context_name_at(i)); i++)
		suggestion_consider(&s, name);
	name = suggestion_word(&s);
	if (name && strncmp(type, "perf:cpu:", 9))
		return wrong_use(self, "%s; did you mean '%s'?", error->text, name);
	return wrong_use(self, "%s; all there are: tacho add-context --list", error->text);
}

static int check_types(const struct command *self, char *const *types)
{
	struct context_wish wish;
	struct tacho_error error;

	for (; *types; types++) {
		if (context_parse(*types, &wish, &error))
			return unknown(self, *types, &error);
	}
	return STATUS_DONE;
}

/* A counter that does not work here may do so in a program that runs later, or elsewhere. */
static void warn_unavailable(char *const *types)
{
	struct tacho_error error;

	for (; *types; types++) {
		if (context_check(*types, &error))
			say(SAY_WARNING, "%s; its value will be \"unavailable\"", error.text);
	}
}

static void print_added(const struct picked *picked, char *const *types, bool is_new)
{
	for (size_t i = 0; types[i]; i++)
		printf("%s%s", i ? ", " : "", visible(types[i]).text);
	printf(" %s in records of ", is_new ? "will be" : "was already");
	if (asked.channel)
		printf("channel '%s'", visible(asked.channel).text);
	else
		printf("all channels");
	printf(" of session '%s'.\n", visible(picked_name(picked)).text);
}

static int add(const struct command *self, char *const *types)
{
	struct tacho_error error;
	struct picked picked;
	bool is_new;
	int status = pick(self, asked.session, &picked);

	if (!status && session_add_contexts(picked.session, asked.channel,
					    (const char *const *)types, &is_new, &error))
		status = fail_with(&error);
	if (!status) {
		print_added(&picked, types, is_new);
		warn_unavailable(types);
	}
	pick_close(&picked);
	return status;
}

static int run_list(const struct command *self)
{
	if (asked.session || asked.channel || asked.types)
		return wrong_use(self, "--list shows what there is, for any channel: "
				       "it goes with --json only");
	return asked.json ? list_json() : list_text();
}

static int run(const struct command *self, const char **arguments)
{
	char **types = list_of_words(asked.types);
	int status = wants_userspace(self);

	(void)arguments;
	if (!status && asked.list)
		status = run_list(self);
	else if (!status && asked.json)
		status = wrong_use(self, "--json goes with --list only");
	else if (!status && !*types)
		status = wrong_use(self, "what to add is missing (--type); all there are: tacho "
					 "add-context --list");
	else if (!status)
		status = check_types(self, types);
	if (!status && !asked.list)
		status = add(self, types);
	list_free(types);
	return status;
}

static const struct poptOption options[] = {
	{ "session", 's', POPT_ARG_STRING, &asked.session, 0, "Of this session (else: the current)",
	  "SESSION" },
	{ "channel", 'c', POPT_ARG_STRING, &asked.channel, 0,
	  "To the records of this channel (else: of all channels)", "CHANNEL" },
	{ "type", 't', POPT_ARG_ARGV, &asked.types, 0, "What to add; may be given several times",
	  "TYPE" },
	{ "list", 0, POPT_ARG_NONE, &asked.list, 0, "Show all that can be added", NULL },
	{ "json", 0, POPT_ARG_NONE, &asked.json, 0, "With --list: as JSON", NULL },
	DOMAIN_ENTRIES_WITHOUT_KERNEL,
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_add_context = {
	.name = "add-context",
	.arguments = "",
	.summary = "Record with each event who or where it was: process, thread, user, counters",
	.examples = "At any time, also while programs are recorded.\n"
		    "\n"
		    "  tacho add-context -t vtid -t procname\n"
		    "  tacho add-context -c channel0 -t perf:thread:cpu-cycles\n",
	.options = options,
	.arguments_max = 0,
	.run = run,
};
