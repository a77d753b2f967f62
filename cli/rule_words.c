/* SPDX-License-Identifier: MIT */
/* rule_words.c - see rule_words.h */
#include "rule_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/rule.h"
#include "look.h"
#include "text.h"

char *rule_exclusion(const struct tacho_session *file, const struct tacho_rule *rule, uint32_t *at)
{
	uint32_t bytes;
	const char *text = rule_text(file, &rule->exclude, &bytes);
	size_t length;

	if (!text || *at >= bytes)
		return NULL;
	text += *at;
	length = strnlen(text, bytes - *at);
	*at += (uint32_t)length + 1;
	return xasprintf("%.*s", (int)length, text);
}

/* @words, then @separator if there are any, then @more, which is freed. */
static char *append(char *words, const char *separator, char *more)
{
	char *longer = xasprintf("%s%s%s", words, *words ? separator : "", more);

	free(words);
	free(more);
	return longer;
}

static char *add_exclusions(char *words, const struct tacho_session *file,
			    const struct tacho_rule *rule)
{
	const char *before = "not ";
	uint32_t at = 0;
	char *pattern;

	while ((pattern = rule_exclusion(file, rule, &at))) {
		words = append(words, ", ", xasprintf("%s'%s'", before, pattern));
		before = "";
		free(pattern);
	}
	return words;
}

static char *add_text(char *words, const struct tacho_session *file, const struct tacho_span *span,
		      const char *format_before, const char *format_after)
{
	char *text;

	if (!span->bytes)
		return words;
	text = look_text(file, span);
	words = append(words, "; ", xasprintf("%s%s%s", format_before, text, format_after));
	free(text);
	return words;
}

/* Where it is, and what it fetches, in one line. */
static char *add_probe(char *words, const struct tacho_session *file, const struct tacho_rule *rule)
{
	char *text = look_text(file, &rule->executable);
	char *newline = strchr(text, '\n');

	if (newline)
		*newline = ' ';
	words = append(words, "; ", xasprintf("at '%s'", text));
	free(text);
	return words;
}

char *rule_conditions(const struct tacho_session *file, const struct tacho_rule *rule)
{
	char *words = add_exclusions(xstrdup(""), file, rule);

	if (rule_is_probe(rule->kind))
		words = add_probe(words, file, rule);
	else
		words = add_text(words, file, &rule->executable, "program '", "'");
	if (rule->pid)
		words = append(words, "; ", xasprintf("process %" PRIu32, rule->pid));
	return add_text(words, file, &rule->filter_text, "filter ", "");
}
