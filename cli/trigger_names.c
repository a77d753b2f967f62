/* SPDX-License-Identifier: MIT */
/* trigger_names.c - see trigger_names.h */
#include "trigger_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/rule.h"
#include "duration.h"
#include "parse.h"
#include "text.h"

const char *const trigger_conditions[] = {
	[TACHO_CONDITION_EVENT] = "event-rule-matches",
	[TACHO_CONDITION_USAGE_ABOVE] = "channel-usage-over",
	[TACHO_CONDITION_USAGE_BELOW] = "channel-usage-under",
	[TACHO_CONDITION_LOST] = "events-lost",
	[TACHO_CONDITION_SIZE] = "session-size-over",
	[TACHO_CONDITION_REQUEST] = "snapshot-request",
	NULL,
};

const char *const trigger_actions[] = {
	"snapshot-session", "rotate-session", "start-session", "stop-session", "run", NULL,
};

const char *trigger_condition(uint32_t condition)
{
	return condition <= TACHO_CONDITION_REQUEST ? trigger_conditions[condition] : "?";
}

const struct tacho_rule *trigger_rule(const struct tacho_session *file, uint32_t index)
{
	for (uint32_t i = 0; i < rule_count(file); i++) {
		if (file->rule[i].enabled && file->rule[i].trigger == index + 1)
			return &file->rule[i];
	}
	return NULL;
}

char *trigger_span(const struct tacho_session *file, const struct tacho_span *span)
{
	uint32_t bytes;
	const char *text = rule_text(file, span, &bytes);

	return text ? xasprintf("%.*s", (int)bytes, text) : NULL;
}

/* ---- as a command ---- */

static void put_option(FILE *out, const char *option, const char *value)
{
	char *word = shell_word(value);

	fprintf(out, " %s %s", option, word);
	free(word);
}

static void put_span(FILE *out, const struct tacho_session *file, const char *option,
		     const struct tacho_span *span)
{
	char *text = trigger_span(file, span);

	if (text)
		put_option(out, option, text);
	free(text);
}

static void put_exclusions(FILE *out, const struct tacho_session *file,
			   const struct tacho_rule *rule)
{
	uint32_t bytes;
	const char *text = rule_text(file, &rule->exclude, &bytes);

	for (uint32_t at = 0; text && at < bytes;) {
		char *one = strndup(text + at, bytes - at);

		if (!one)
			abort();
		put_option(out, "--exclude-name", one);
		at += (uint32_t)strlen(one) + 1;
		free(one);
	}
}

static void put_rule(FILE *out, const struct tacho_session *file, const struct tacho_rule *rule)
{
	put_option(out, "--name", rule->pattern);
	put_exclusions(out, file, rule);
	if (rule->level_match != TACHO_LEVEL_ANY)
		fprintf(out, " --log-level %s%s", level_name(rule->level),
			rule->level_match == TACHO_LEVEL_AT_LEAST ? ".." : "");
	put_span(out, file, "--exec", &rule->executable);
	if (rule->pid)
		fprintf(out, " --pid %" PRIu32, rule->pid);
	put_span(out, file, "--filter", &rule->filter_text);
}

static void put_condition(FILE *out, const struct tacho_session *file, uint32_t index)
{
	const struct tacho_trigger *t = &file->trigger[index];
	const struct tacho_rule *rule = trigger_rule(file, index);

	fprintf(out, " --condition %s", trigger_condition(t->condition));
	if (t->condition == TACHO_CONDITION_USAGE_ABOVE ||
	    t->condition == TACHO_CONDITION_USAGE_BELOW)
		fprintf(out, " %" PRIu64 ".%03" PRIu64, t->threshold / 1000, t->threshold % 1000);
	if (t->condition == TACHO_CONDITION_SIZE)
		fprintf(out, " %" PRIu64, t->threshold);
	if (t->condition != TACHO_CONDITION_EVENT && t->channel < file->channel_count)
		put_option(out, "--channel", file->channel[t->channel].name);
	if (rule)
		put_rule(out, file, rule);
}

/* What looks like an option goes behind a '='. */
static void put_argument(FILE *out, const char *text)
{
	char *word = shell_word(text);

	fprintf(out, "%s%s", *text == '-' ? "=" : " ", word);
	free(word);
}

static void put_actions(FILE *out, const struct tacho_session *file, const struct tacho_trigger *t)
{
	char *session = trigger_span(file, &t->session);
	char *command = trigger_span(file, &t->command);

	for (int i = 0; trigger_actions[i]; i++) {
		bool is_run = 1u << i == TACHO_ACTION_RUN;
		const char *argument = is_run ? command : session;

		if (!(t->actions >> i & 1))
			continue;
		fprintf(out, " --action %s", trigger_actions[i]);
		if (argument)
			put_argument(out, argument);
	}
	free(session);
	free(command);
}

static void put_rate(FILE *out, const struct tacho_trigger *t)
{
	if (t->every > 1)
		fprintf(out, " --rate-policy every:%" PRIu32, t->every);
	if (t->once_after)
		fprintf(out, " --rate-policy once-after:%" PRIu32, t->once_after);
	if (t->interval_ns)
		fprintf(out, " --interval %s", duration_text(t->interval_ns).text);
}

void trigger_print_options(FILE *out, const struct tacho_session *file, uint32_t index)
{
	const struct tacho_trigger *t = &file->trigger[index];

	put_span(out, file, "--name", &t->name);
	put_condition(out, file, index);
	put_actions(out, file, t);
	put_rate(out, t);
}

void trigger_print_command(FILE *out, const struct tacho_session *file, uint32_t index)
{
	fputs("add-trigger", out);
	trigger_print_options(out, file, index);
}
