/* SPDX-License-Identifier: MIT */
/* cmd-list-triggers.c - tacho list-triggers: what is to be done when, and what became of it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rule.h"
#include "cmd.h"
#include "json.h"
#include "look.h"
#include "parse.h"
#include "pick.h"
#include "say.h"
#include "text.h"
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

/* Hits of the place before the trigger was there are not its own. */
static uint64_t own_hits(uint32_t index)
{
	const struct tacho_trigger *t = &shown.file.trigger[index];

	return shown.hits[index] > t->first_hit ? shown.hits[index] - t->first_hit : 0;
}

static void print_progress(uint32_t index)
{
	const struct tacho_trigger *t = &shown.file.trigger[index];

	printf("    hit %s time%s, acted %s time%s", count_text(own_hits(index)).text,
	       own_hits(index) == 1 ? "" : "s", count_text(t->done_count).text,
	       t->done_count == 1 ? "" : "s");
	if (t->failed_count)
		printf(", failed %s time%s", count_text(t->failed_count).text,
		       t->failed_count == 1 ? "" : "s");
	printf("%s\n", trigger_is_armed(&shown.file, index) ? "" :
							      "; not watched while the session is stopped");
	if (t->done_count)
		printf("    last: %s, %s\n", time_text(t->done_realtime_ns).text,
		       visible(t->result).text);
}

static void print_trigger(uint32_t index)
{
	char *line = NULL, *name = trigger_span(&shown.file, &shown.file.trigger[index].name);
	size_t length;
	FILE *out = open_memstream(&line, &length);

	if (!out)
		abort();
	trigger_print_command(out, &shown.file, index);
	fclose(out);
	printf("  %s\n    tacho %s\n", visible(name ? name : "?").text, visible(line).text);
	print_progress(index);
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

/* ---- JSON ---- */

static void add_rule(json_object *entry, const struct tacho_rule *rule)
{
	char *filter = trigger_span(&shown.file, &rule->filter_text);

	json_add_text(entry, "pattern", rule->pattern);
	if (rule->level_match == TACHO_LEVEL_AT_LEAST)
		json_add_text(entry, "level_at_least", level_name(rule->level));
	else if (rule->level_match == TACHO_LEVEL_EXACTLY)
		json_add_text(entry, "level_only", level_name(rule->level));
	if (filter)
		json_add_text(entry, "filter", filter);
	free(filter);
}

static void add_condition(json_object *entry, uint32_t index)
{
	const struct tacho_trigger *t = &shown.file.trigger[index];
	const struct tacho_rule *rule = trigger_rule(&shown.file, index);

	json_add_text(entry, "condition", trigger_condition(t->condition));
	if (t->condition == TACHO_CONDITION_USAGE_ABOVE ||
	    t->condition == TACHO_CONDITION_USAGE_BELOW)
		json_add_count(entry, "usage_permille", t->threshold);
	if (t->condition == TACHO_CONDITION_SIZE)
		json_add_count(entry, "size_bytes", t->threshold);
	if (t->condition != TACHO_CONDITION_EVENT && t->channel < shown.file.channel_count)
		json_add_text(entry, "channel", shown.file.channel[t->channel].name);
	if (rule)
		add_rule(entry, rule);
}

static void add_actions(json_object *entry, const struct tacho_trigger *t)
{
	json_object *list = json_add_array(entry, "actions");
	char *command = trigger_span(&shown.file, &t->command);
	char *session = trigger_span(&shown.file, &t->session);

	for (int i = 0; trigger_actions[i]; i++) {
		if (t->actions >> i & 1)
			json_append_text(list, trigger_actions[i]);
	}
	if (command)
		json_add_text(entry, "command", command);
	if (session)
		json_add_text(entry, "action_session", session);
	free(command);
	free(session);
}

static void add_progress(json_object *entry, uint32_t index)
{
	const struct tacho_trigger *t = &shown.file.trigger[index];

	json_add_count(entry, "every", t->every > 1 ? t->every : 1);
	json_add_count(entry, "once_after", t->once_after);
	json_add_count(entry, "interval_ns", t->interval_ns);
	json_add_bool(entry, "armed", trigger_is_armed(&shown.file, index));
	json_add_count(entry, "hits", own_hits(index));
	json_add_count(entry, "done", t->done_count);
	json_add_count(entry, "failed", t->failed_count);
	json_add_count(entry, "passed_over", t->passed_count);
	json_add_count(entry, "last_realtime_ns", t->done_realtime_ns);
	json_add_text(entry, "last_result", t->result);
}

static void add_session(void)
{
	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++) {
		const struct tacho_trigger *t = &shown.file.trigger[i];
		char *name = trigger_span(&shown.file, &t->name);
		json_object *entry;

		if (t->is_used) {
			entry = json_append_object(asked.list);
			json_add_text(entry, "session", shown.file.name);
			json_add_text(entry, "name", name ? name : "");
			add_condition(entry, i);
			add_actions(entry, t);
			add_progress(entry, i);
		}
		free(name);
	}
}

/* ---- the command ---- */

static int show(struct picked *picked)
{
	look_session(picked->session, &shown.file);
	session_trigger_hits(picked->session, shown.hits);
	if (asked.json)
		add_session();
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
