/* SPDX-License-Identifier: MIT */
/* rule_json.c - see rule_json.h */
#include "rule_json.h"

#include <stdlib.h>

#include "look.h"
#include "parse.h"
#include "rule_words.h"

static void add_exclusions(json_object *entry, const struct tacho_session *file,
			   const struct tacho_rule *rule)
{
	json_object *list = json_add_array(entry, "exclude");
	uint32_t at = 0;
	char *pattern;

	while ((pattern = rule_exclusion(file, rule, &at))) {
		json_append_text(list, pattern);
		free(pattern);
	}
}

static void add_span(json_object *entry, const char *key, const struct tacho_session *file,
		     const struct tacho_span *span)
{
	char *text;

	if (!span->bytes)
		return;
	text = look_text(file, span);
	json_add_text(entry, key, text);
	free(text);
}

void rule_add_json(json_object *entry, const struct tacho_session *file,
		   const struct tacho_rule *rule)
{
	json_add_text(entry, "pattern", rule->pattern);
	if (rule->level_match == TACHO_LEVEL_AT_LEAST)
		json_add_text(entry, "level_at_least", level_name(rule->level));
	else if (rule->level_match == TACHO_LEVEL_EXACTLY)
		json_add_text(entry, "level_only", level_name(rule->level));
	add_exclusions(entry, file, rule);
	add_span(entry, "executable", file, &rule->executable);
	add_span(entry, "filter", file, &rule->filter_text);
	if (rule->pid)
		json_add_count(entry, "pid", rule->pid);
}
