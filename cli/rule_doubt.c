/* SPDX-License-Identifier: MIT */
/* rule_doubt.c - see rule_doubt.h */
#include "rule_doubt.h"

#include <stdlib.h>
#include <string.h>

#include "base/event_desc.h"
#include "base/pattern.h"
#include "parse.h"
#include "text.h"

static bool is_match(const char *pattern, const char *text)
{
	return pattern_is_match(pattern, strlen(pattern), text);
}

static bool is_level(const struct rule_options *rule, unsigned int level)
{
	if (rule->level_match == TACHO_LEVEL_AT_LEAST)
		return level <= rule->level;
	return rule->level_match == TACHO_LEVEL_ANY || level == rule->level;
}

static bool is_excluded(const struct rule_options *rule, const char *name)
{
	for (const char *const *pattern = rule->exclude; pattern && *pattern; pattern++)
		if (is_match(*pattern, name))
			return true;
	return false;
}

static bool is_recorded(const struct rule_options *rule, const struct event_desc *desc)
{
	const char *colon = *desc->provider ? ":" : "";
	char *name = xasprintf("%s%s%s", desc->provider, colon, desc->name);
	bool is = is_level(rule, desc->level) && is_match(rule->pattern, name) &&
		  !is_excluded(rule, name);

	free(name);
	return is;
}

/* As in format/session.h: of the path if there is a slash in the pattern, else of its last part. */
static bool is_executable(const struct program *program, char *const *patterns)
{
	const char *path = program->executable, *slash = strrchr(path, '/');
	const char *last = slash ? slash + 1 : path;

	if (!*patterns)
		return true;
	for (; *patterns; patterns++)
		if (is_match(*patterns, strchr(*patterns, '/') ? path : last))
			return true;
	return false;
}

static bool is_pid(const struct program *program, char *const *texts)
{
	int pid;

	if (!*texts)
		return true;
	for (; *texts; texts++)
		if (!parse_pid(*texts, &pid) && pid == program->pid)
			return true;
	return false;
}

static bool has_recorded(const struct program *program, const struct rule_options *rule)
{
	for (uint32_t i = 0; i < program->event_count; i++)
		if (is_recorded(rule, program->events[i].desc))
			return true;
	return false;
}

bool rule_is_doubtful(struct runtime *runtime, const struct rule_options *rule,
		      char *const *executables, char *const *pids)
{
	bool has_events = false, is_found = false;
	struct program *programs;
	size_t count;

	if (programs_list(runtime, &programs, &count, NULL))
		return false;
	for (size_t i = 0; !is_found && i < count; i++) {
		has_events = has_events || programs[i].event_count;
		is_found = is_executable(&programs[i], executables) && is_pid(&programs[i], pids) &&
			   has_recorded(&programs[i], rule);
	}
	programs_free(programs, count);
	return has_events && !is_found;
}
