/* SPDX-License-Identifier: MIT */
/* cmd-list-triggers.c - tacho list-triggers: what is to be done when, and what became of it. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/rule.h"
#include "cmd.h"
#include "json.h"
#include "look.h"
#include "pick.h"
#include "say.h"
#include "text.h"
#include "trigger_json.h"
#include "trigger_names.h"

static struct {
	const char *session;
	int json;
	json_object *list;
	bool any;
} asked;

/* What is shown of one session; large. */
static struct {
	struct tacho_session file;
	uint64_t hits[TACHO_TRIGGERS_MAX];
} shown;

/* ---- text ---- */

static struct short_text time_text(uint64_t realtime_ns)
{
	time_t seconds = (time_t)(realtime_ns / 1000000000);
	struct short_text made = { "" };
	struct tm tm;

	if (localtime_r(&seconds, &tm))
		strftime(made.text, sizeof(made.text), "%Y-%m-%d %H:%M:%S", &tm);
	return made;
}

static void print_progress(uint32_t index)
{
	const struct tacho_trigger *t = &shown.file.trigger[index];
	uint64_t hits = trigger_own_hits(&shown.file, index, shown.hits);

	printf("    hit %s time%s, acted %s time%s", count_text(hits).text, hits == 1 ? "" : "s",
	       count_text(t->done_count).text, t->done_count == 1 ? "" : "s");
	if (t->failed_count)
		printf(", failed %s time%s", count_text(t->failed_count).text,
		       t->failed_count == 1 ? "" : "s");
	printf("%s\n", trigger_is_armed(&shown.file, index) ?
			       "" :
			       "; not watched while the session is stopped");
	if (t->done_count)
		printf("    last: %s, %s\n", time_text(t->done_realtime_ns).text,
		       visible(t->result).text);
}

static void print_trigger(uint32_t index)
{
	char *line = NULL, *name = trigger_span(&shown.file, &shown.file.trigger[index].name);
	char *session = shell_word(shown.file.name);
	size_t length;
	FILE *out = open_memstream(&line, &length);

	if (!out)
		abort();
	fprintf(out, "tacho add-trigger -s %s", session);
	trigger_print_options(out, &shown.file, index);
	fclose(out);
	printf("  %s\n    %s\n", visible(name ? name : "?").text, visible(line).text);
	print_progress(index);
	free(session);
	free(line);
	free(name);
}

static void print_session(void)
{
	bool is_first = true;

	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++) {
		if (!shown.file.trigger[i].is_used)
			continue;
		if (is_first)
			printf("%sSession %s:\n", asked.any ? "\n" : "",
			       visible(shown.file.name).text);
		is_first = false;
		asked.any = true;
		print_trigger(i);
	}
}

/* ---- the command ---- */

static int show(struct picked *picked)
{
	look_session(picked->session, &shown.file);
	session_trigger_hits(picked->session, shown.hits);
	if (asked.json)
		triggers_add_json(asked.list, &shown.file, shown.hits);
	else
		print_session();
	return STATUS_DONE;
}

static int show_wanted(const struct command *self)
{
	return asked.session ? with_session(self, asked.session, show) :
			       with_all_sessions(self, show);
}

static int run(const struct command *self, const char **arguments)
{
	json_object *root;
	int status;

	(void)arguments;
	if (!asked.json) {
		status = show_wanted(self);
		if (!status && !asked.any)
			puts("No trigger. Make one: tacho add-trigger");
		return status;
	}
	root = json_object_new_object();
	asked.list = json_add_array(root, "triggers");
	status = show_wanted(self);
	json_print(root);
	return status;
}

static const struct poptOption options[] = {
	{ "session", 's', POPT_ARG_STRING, &asked.session, 0, "Of this session (else of all)",
	  "SESSION" },
	{ "json", 0, POPT_ARG_NONE, &asked.json, 0, "Print one JSON object", NULL },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_list_triggers = {
	.name = "list-triggers",
	.arguments = "",
	.summary = "Show triggers, and what became of them",
	.options = options,
	.arguments_max = 0,
	.run = run,
};
