/* SPDX-License-Identifier: MIT */
/* cmd-enable-event.c - tacho enable-event: add rules to a session. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/event_desc.h"
#include "base/pattern.h"
#include "cmd.h"
#include "look.h"
#include "options.h"
#include "pick.h"
#include "say.h"
#include "text.h"
#include "wants.h"

#define LEVEL_TEXT_BYTES 48

static struct {
	const char *session;
	const char *level_at_least;
	const char *level_only;
} asked;

/* What the session has for this pattern already. Return: was there such a rule? */
static bool find_rule(const struct tacho_session *file, const char *pattern,
		      struct tacho_rule *ret_rule)
{
	for (unsigned int i = 0; i < file->rule_count; i++) {
		if (!file->rule[i].enabled || strcmp(file->rule[i].pattern, pattern))
			continue;
		*ret_rule = file->rule[i];
		return true;
	}
	return false;
}

static bool has_match(const struct program *program, const char *pattern)
{
	for (uint32_t i = 0; i < program->event_count; i++) {
		const struct event_desc *desc = program->events[i].desc;
		const char *colon = *desc->provider ? ":" : "";
		char *name = xasprintf("%s%s%s", desc->provider, colon, desc->name);
		bool matches = pattern_is_match(pattern, strlen(pattern), name);

		free(name);
		if (matches)
			return true;
	}
	return false;
}

/* A mistyped pattern would record nothing, without a word. Where no program runs, who can tell? */
static bool is_doubtful(struct runtime *runtime, const char *pattern)
{
	struct program *programs;
	bool has_events = false, is_found = false;
	size_t count;

	if (programs_list(runtime, &programs, &count, NULL))
		return false;
	for (size_t i = 0; !is_found && i < count; i++) {
		has_events = has_events || programs[i].event_count;
		is_found = has_match(&programs[i], pattern);
	}
	programs_free(programs, count);
	return has_events && !is_found;
}

static void print_enabled(const struct picked *picked, const struct rule_options *rule,
			  const struct tacho_rule *before)
{
	const char *now, *then;
	char room[2][LEVEL_TEXT_BYTES];

	now = look_level(rule->level_match, rule->level, room[0], sizeof(room[0]));
	printf("Session '%s' records '%s', level: %s", visible(picked_name(picked)).text,
	       visible(rule->pattern).text, now);
	if (before) {
		then = look_level(before->level_match, before->level, room[1], sizeof(room[1]));
		if (strcmp(now, then))
			printf(" (until now: %s)", then);
		else
			printf(", as it did");
	}
	puts(".");
}

static int enable(struct picked *picked, const struct rule_options *rule)
{
	static struct tacho_session file; /* large */
	struct tacho_rule before;
	struct tacho_error error;
	bool was_there;

	look_session(picked->session, &file);
	was_there = find_rule(&file, rule->pattern, &before);
	if (session_enable_event(picked->session, rule, &error))
		return fail_with(&error);
	print_enabled(picked, rule, was_there ? &before : NULL);
	if (is_doubtful(&picked->runtime, rule->pattern))
		puts("No program that runs now has such an event; what there is: tacho list");
	return STATUS_DONE;
}

static void print_next(const struct picked *picked)
{
	char *word = shell_operand(picked_name(picked));

	if (session_file(picked->session)->state != TACHO_SESSION_ACTIVE)
		printf("Next:  tacho start %s\n", word);
	free(word);
}

static int check(const struct command *self, const char **patterns, struct rule_options *ret_rule)
{
	int status = wants_level(self, asked.level_at_least, asked.level_only, ret_rule);

	for (; !status && *patterns; patterns++)
		status = wants_pattern(self, *patterns);
	return status;
}

static int run(const struct command *self, const char **arguments)
{
	struct rule_options rule = { 0 };
	struct picked picked;
	int status = check(self, arguments, &rule);

	if (status)
		return status;
	status = pick(self, asked.session, &picked);
	for (; !status && *arguments; arguments++) {
		rule.pattern = *arguments;
		status = enable(&picked, &rule);
	}
	if (!status)
		print_next(&picked);
	pick_close(&picked);
	return status;
}

static const struct poptOption options[] = {
	{ "session", 's', POPT_ARG_STRING, &asked.session, 0,
	  "Of this session (may be left out when there is just one)", "SESSION" },
	{ "loglevel", 0, POPT_ARG_STRING, &asked.level_at_least, 0,
	  "Only events as grave as this, or graver", "LEVEL" },
	{ "loglevel-only", 0, POPT_ARG_STRING, &asked.level_only, 0, "Only events of this level",
	  "LEVEL" },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_enable_event = {
	.name = "enable-event",
	.arguments = "PATTERN..",
	.summary = "Record events that match, in running programs and in those to come",
	.examples = "A pattern is matched against provider:name; * stands for anything, \\* for a "
		    "star.\n"
		    "A pattern that is enabled already gets the new level instead of its old one.\n"
		    "\n"
		    "  tacho enable-event 'shop:*'\n"
		    "  tacho enable-event -s box --loglevel warning '*'\n",
	.options = options,
	.arguments_max = ARGUMENTS_ANY,
	.needs = "a pattern",
	.run = run,
};
