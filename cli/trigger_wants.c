/* SPDX-License-Identifier: MIT */
/* trigger_wants.c - see trigger_wants.h */
#include "trigger_wants.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "duration.h"
#include "options.h"
#include "parse.h"
#include "suggest.h"
#include "trigger_names.h"
#include "wants.h"

/* ---- the condition ---- */

static int unknown_name(const struct command *self, const char *what, const char *typed,
			const char *const *names)
{
	struct suggestion s = suggestion_for(typed);

	for (int i = 0; names[i]; i++)
		suggestion_consider(&s, names[i]);
	if (suggestion_word(&s))
		return wrong_use(self, "there is no %s '%s'; did you mean %s?", what, typed,
				 suggestion_word(&s));
	return wrong_use(self, "there is no %s '%s'; man tacho-add-trigger has the list", what,
			 typed);
}

static int find_name(const char *const *names, const char *typed)
{
	for (int i = 0; names[i]; i++) {
		if (!strcmp(names[i], typed))
			return i;
	}
	return -1;
}

static int take_condition(const struct command *self, struct trigger_wants *w, const char *value)
{
	int number = find_name(trigger_conditions, value);

	if (w->has_condition)
		return wrong_use(self, "a trigger has one condition; make another trigger for the "
				       "second one");
	if (number < 0)
		return unknown_name(self, "condition", value, trigger_conditions);
	w->has_condition = true;
	w->options.condition = (enum tacho_condition)number;
	w->place = IN_CONDITION;
	return STATUS_DONE;
}

static bool is_event(const struct trigger_wants *w)
{
	return w->place == IN_CONDITION && w->options.condition == TACHO_CONDITION_EVENT;
}

/* What only an event can have. */
static int needs_event(const struct command *self, const struct trigger_wants *w,
		       const char *option)
{
	if (is_event(w))
		return STATUS_DONE;
	return wrong_use(self, "%s belongs behind --condition event-rule-matches", option);
}

static int take_name(const struct command *self, struct trigger_wants *w, const char *value)
{
	if (!is_event(w)) {
		w->options.name = value;
		return STATUS_DONE;
	}
	if (w->options.rule.pattern)
		return wrong_use(self,
				 "the condition has the pattern '%s' already; the name of the "
				 "trigger stands before --condition",
				 w->options.rule.pattern);
	w->options.rule.pattern = value;
	return wants_pattern(self, value);
}

static int take_type(const struct command *self, const struct trigger_wants *w, const char *value)
{
	int status = needs_event(self, w, "--type");

	if (status || !strcmp(value, "user") || !strcmp(value, "user:tracepoint"))
		return status;
	return wrong_use(self,
			 "--type %s: only events of programs can hit a trigger: "
			 "user:tracepoint",
			 value);
}

static int take_exclude(const struct command *self, struct trigger_wants *w, const char *value)
{
	int status = needs_event(self, w, "--exclude-name");

	if (status)
		return status;
	if (w->exclude_count == TRIGGER_EXCLUDES_MAX)
		return wrong_use(self, "more than %d times --exclude-name", TRIGGER_EXCLUDES_MAX);
	w->exclude[w->exclude_count++] = value;
	w->options.rule.exclude = w->exclude;
	return wants_pattern(self, value);
}

/* "warning..": as grave, or graver; "warning": only that; "..": all. */
static int take_level(const struct command *self, struct trigger_wants *w, const char *value)
{
	struct rule_options *rule = &w->options.rule;
	size_t length = strlen(value);
	bool is_open = length >= 2 && !strcmp(value + length - 2, "..");
	char *name = strndup(value, is_open ? length - 2 : length);
	int status = needs_event(self, w, "--log-level");

	if (!name)
		abort();
	rule->level_match = is_open ? TACHO_LEVEL_AT_LEAST : TACHO_LEVEL_EXACTLY;
	if (is_open && !*name)
		rule->level_match = TACHO_LEVEL_ANY;
	else if (!status && parse_level(name, &rule->level))
		status = wrong_use(self,
				   "--log-level %s is not a level, nor a level with .. behind it",
				   value);
	free(name);
	return status;
}

static int take_text(const struct command *self, const struct trigger_wants *w, const char *option,
		     const char *value, const char **ret_text)
{
	*ret_text = value;
	return needs_event(self, w, option);
}

static int take_filter(const struct command *self, struct trigger_wants *w, const char *value)
{
	int status = take_text(self, w, "--filter", value, &w->options.rule.filter);

	return status ? status : wants_filter(self, value);
}

static int take_pid(const struct command *self, struct trigger_wants *w, const char *value)
{
	int status = needs_event(self, w, "--pid");
	int pid;

	if (!status && parse_pid(value, &pid))
		return wrong_use(self, "--pid %s is not a process id", value);
	if (!status)
		w->options.rule.pid = (uint32_t)pid;
	return status;
}

static bool is_of_rings(enum tacho_condition condition)
{
	return condition == TACHO_CONDITION_USAGE_ABOVE ||
	       condition == TACHO_CONDITION_USAGE_BELOW || condition == TACHO_CONDITION_LOST;
}

static int take_channel(const struct command *self, struct trigger_wants *w, const char *value)
{
	if (w->place != IN_CONDITION || !is_of_rings(w->options.condition))
		return wrong_use(self, "--channel belongs behind --condition channel-usage-over, "
				       "channel-usage-under or events-lost");
	w->options.channel = value;
	return STATUS_DONE;
}

/* "0.75" or "75%". */
static int take_ratio(const struct command *self, struct trigger_wants *w, const char *value)
{
	char *rest;
	double ratio = strtod(value, &rest);

	if (!strcmp(rest, "%"))
		ratio /= 100;
	else if (*rest)
		ratio = -1;
	if (rest == value || !(ratio >= 0 && ratio <= 1))
		return wrong_use(self, "'%s' is no share of a buffer, like 0.75 or 75%%", value);
	w->options.threshold = (uint64_t)(ratio * 1000 + 0.5);
	return STATUS_DONE;
}

static int take_size(const struct command *self, struct trigger_wants *w, const char *value)
{
	if (!parse_bytes(value, &w->options.threshold) && w->options.threshold)
		return STATUS_DONE;
	return wrong_use(self, "'%s' is not a number of bytes, like 65536, 512K, 8M or 1G", value);
}

/* ---- actions ---- */

static int take_action_session(const struct command *self, struct trigger_wants *w,
			       const char *value)
{
	if (w->action_session && strcmp(w->action_session, value))
		return wrong_use(self,
				 "the actions of a trigger are about one session, not about "
				 "'%s' and '%s'; make two triggers",
				 w->action_session, value);
	w->action_session = value;
	return STATUS_DONE;
}

/* Behind an action: a session, or the command to run. */
static int take_action_argument(const struct command *self, struct trigger_wants *w,
				const char *value)
{
	if (w->action != TACHO_ACTION_RUN)
		return take_action_session(self, w, value);
	if (w->options.command)
		return wrong_use(self,
				 "'%s' is one argument too many: the whole command is one "
				 "word, in quotes",
				 value);
	w->options.command = value;
	return STATUS_DONE;
}

static int begin_action(const struct command *self, struct trigger_wants *w, const char *name)
{
	int number = find_name(trigger_actions, name);

	if (!strcmp(name, "notify"))
		return wrong_use(self,
				 "there is no action notify, since nobody would be listening; "
				 "what it is for is done by: --action run 'COMMAND'");
	if (number < 0)
		return unknown_name(self, "action", name, trigger_actions);
	w->place = IN_ACTION;
	w->action = 1u << number;
	if (w->options.actions & w->action)
		return wrong_use(self, "--action %s is there twice", name);
	w->options.actions |= w->action;
	return STATUS_DONE;
}

/* "run", with its argument behind it; or "run=ARGUMENT". */
static int take_action(const struct command *self, struct trigger_wants *w, const char *value)
{
	const char *equals = strchr(value, '=');
	char *name = equals ? strndup(value, (size_t)(equals - value)) : strdup(value);
	int status;

	if (!name)
		abort();
	status = begin_action(self, w, name);
	free(name);
	return status || !equals ? status : take_action_argument(self, w, equals + 1);
}

static int take_argument(const struct command *self, struct trigger_wants *w, const char *value)
{
	enum tacho_condition condition = w->options.condition;

	if (w->place == IN_ACTION)
		return take_action_argument(self, w, value);
	if (w->place == IN_CONDITION && !w->has_value) {
		w->has_value = true;
		if (condition == TACHO_CONDITION_USAGE_ABOVE ||
		    condition == TACHO_CONDITION_USAGE_BELOW)
			return take_ratio(self, w, value);
		if (condition == TACHO_CONDITION_SIZE)
			return take_size(self, w, value);
	}
	return wrong_use(self, "'%s' is one argument too many", value);
}

static int take_rate(const struct command *self, struct trigger_wants *w, const char *value)
{
	struct trigger_options *o = &w->options;
	const char *colon = strchr(value, ':');
	uint64_t count = 0;

	if (w->place != IN_ACTION)
		return wrong_use(self, "--rate-policy belongs behind an --action");
	if (w->rate && strcmp(w->rate, value))
		return wrong_use(self,
				 "all actions of a trigger have one rate, not %s and %s; make "
				 "two triggers",
				 w->rate, value);
	w->rate = value;
	if (!colon || parse_count(colon + 1, &count) || !count || count > UINT32_MAX)
		colon = "";
	o->every = !strncmp(value, "every:", 6) ? (uint32_t)count : 0;
	o->once_after = !strncmp(value, "once-after:", 11) ? (uint32_t)count : 0;
	if (*colon && (o->every || o->once_after))
		return STATUS_DONE;
	return wrong_use(self, "--rate-policy %s is neither every:COUNT nor once-after:COUNT",
			 value);
}

static int take_interval(const struct command *self, struct trigger_wants *w, const char *value)
{
	size_t length = strlen(value);

	if (length && value[length - 1] >= 'a' && !duration_parse(value, &w->options.interval_ns))
		return STATUS_DONE;
	return wrong_use(self, "--interval %s is not a time with its unit, like 10s, 500ms or 2m",
			 value);
}

/* ---- all of it ---- */

int trigger_take(const struct command *self, struct trigger_wants *w, int option, const char *value)
{
	struct rule_options *rule = &w->options.rule;

	switch ((enum trigger_word)option) {
	case TRIGGER_ARGUMENT:
		return take_argument(self, w, value);
	case TRIGGER_SESSION:
		w->session = value;
		return STATUS_DONE;
	case TRIGGER_NAME:
		return take_name(self, w, value);
	case TRIGGER_CONDITION:
		return take_condition(self, w, value);
	case TRIGGER_TYPE:
		return take_type(self, w, value);
	case TRIGGER_EXCLUDE:
		return take_exclude(self, w, value);
	case TRIGGER_LEVEL:
		return take_level(self, w, value);
	case TRIGGER_FILTER:
		return take_filter(self, w, value);
	case TRIGGER_EXECUTABLE:
		return take_text(self, w, "--exec", value, &rule->executable);
	case TRIGGER_PID:
		return take_pid(self, w, value);
	case TRIGGER_CHANNEL:
		return take_channel(self, w, value);
	case TRIGGER_ACTION:
		return take_action(self, w, value);
	case TRIGGER_RATE:
		return take_rate(self, w, value);
	case TRIGGER_INTERVAL:
		return take_interval(self, w, value);
	}
	return STATUS_WRONG_USE;
}

static bool needs_value(enum tacho_condition condition)
{
	return condition == TACHO_CONDITION_USAGE_ABOVE ||
	       condition == TACHO_CONDITION_USAGE_BELOW || condition == TACHO_CONDITION_SIZE;
}

int trigger_complete(const struct command *self, struct trigger_wants *w)
{
	struct trigger_options *o = &w->options;

	if (!w->has_condition)
		return wrong_use(self, "--condition is missing: when is something to be done?");
	if (!o->actions)
		return wrong_use(self, "--action is missing: what is to be done?");
	if (needs_value(o->condition) && !w->has_value)
		return wrong_use(self, "--condition %s needs a value behind it",
				 trigger_conditions[o->condition]);
	if (o->actions & TACHO_ACTION_RUN && !o->command)
		return wrong_use(self, "--action run needs a command behind it, in quotes");
	if (o->condition == TACHO_CONDITION_EVENT && !o->rule.pattern)
		o->rule.pattern = "*";
	return STATUS_DONE;
}
