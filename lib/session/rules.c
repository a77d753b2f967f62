/* SPDX-License-Identifier: MIT */
/* rules.c - which events a session records; see session.h, and format/runtime.h for how a change
 * of the rules is seen by programs that read them meanwhile. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "session/apply.h"
#include "session/state.h"

static uint32_t rule_count(const struct tacho_session *file)
{
	return file->rule_count <= TACHO_RULES_MAX ? file->rule_count : TACHO_RULES_MAX;
}

/* The enabled rule with this pattern, or NULL. */
static struct tacho_rule *find_rule(struct tacho_session *file, const char *pattern)
{
	for (uint32_t i = 0; i < rule_count(file); i++) {
		struct tacho_rule *rule = &file->rule[i];

		if (rule->enabled && !strncmp(rule->pattern, pattern, sizeof(rule->pattern)))
			return rule;
	}
	return NULL;
}

static struct tacho_rule *find_place(struct tacho_session *file)
{
	for (uint32_t i = 0; i < TACHO_RULES_MAX; i++) {
		if (i >= rule_count(file) || !file->rule[i].enabled)
			return &file->rule[i];
	}
	return NULL;
}

static int find_channel(const struct tacho_session *file, const char *name, uint32_t *ret_index,
			struct tacho_error *error)
{
	uint32_t count = file->channel_count;

	for (uint32_t i = 0; i < count && i < TACHO_CHANNELS_MAX; i++) {
		if (!name || !strncmp(file->channel[i].name, name, TACHO_CHANNEL_NAME_BYTES)) {
			*ret_index = i;
			return 0;
		}
	}
	return error_set(error, -ENOENT, "the session '%s' has no channel '%s'", file->name,
			 name ? name : "");
}

/* A pattern that no name of an event can match is a mistake. */
static int check_pattern(const char *pattern, struct tacho_error *error)
{
	size_t bytes = strlen(pattern);

	if (!bytes)
		return error_set(error, -EINVAL,
				 "the pattern of an event cannot be empty; '*' is "
				 "for all events");
	if (bytes >= TACHO_PATTERN_BYTES)
		return error_set(error, -ENAMETOOLONG,
				 "the pattern has %zu bytes, at most %d are "
				 "possible",
				 bytes, TACHO_PATTERN_BYTES - 1);
	if (!strchr(pattern, ':') && !strchr(pattern, '*'))
		return error_set(error, -EINVAL,
				 "'%s' matches no event, since their names are "
				 "provider:event; did you mean '%s:*' or '*:%s'?",
				 pattern, pattern, pattern);
	return 0;
}

static int check_options(const struct rule_options *o, struct tacho_error *error)
{
	if ((unsigned)o->level_match > TACHO_LEVEL_EXACTLY || (unsigned)o->level > TACHO_LEVEL_MAX)
		return error_set(error, -EINVAL, "there is no level %d (0 to %d)", (int)o->level,
				 TACHO_LEVEL_MAX);
	return check_pattern(o->pattern, error);
}

static void write_rule(struct tacho_session *file, struct tacho_rule *rule,
		       const struct tacho_rule *wanted)
{
	uint32_t generation = session_change_begin(file);
	uint32_t place = (uint32_t)(rule - file->rule);

	*rule = *wanted;
	if (place >= file->rule_count)
		file->rule_count = place + 1;
	session_change_end(file, generation);
}

static int enable_locked(struct session *session, const struct rule_options *options,
			 struct tacho_error *error)
{
	struct tacho_session *file = session->file;
	struct tacho_rule *rule = find_rule(file, options->pattern);
	struct tacho_rule wanted = {
		.enabled = 1,
		.level_match = options->level_match,
		.level = options->level,
	};
	int ret = find_channel(file, options->channel, &wanted.channel, error);

	if (ret)
		return ret;
	if (!rule)
		rule = find_place(file);
	if (!rule)
		return error_set(error, -ENOSPC,
				 "the session '%s' has %d rules already, the most "
				 "that are possible",
				 file->name, TACHO_RULES_MAX);
	str_copy(wanted.pattern, sizeof(wanted.pattern), options->pattern);
	write_rule(file, rule, &wanted);
	apply_rules(session);
	return 0;
}

int session_enable_event(struct session *session, const struct rule_options *options,
			 struct tacho_error *error)
{
	int ret = check_options(options, error);

	if (!ret)
		ret = session_lock(session, error);
	if (ret)
		return ret;
	ret = enable_locked(session, options, error);
	session_unlock(session);
	return ret;
}

static int disable_locked(struct session *session, const char *pattern, struct tacho_error *error)
{
	struct tacho_rule nothing = { 0 };
	struct tacho_rule *rule = find_rule(session->file, pattern);

	if (!rule)
		return error_set(error, -ENOENT,
				 "the session '%s' has no rule '%s'; tacho status "
				 "shows its rules",
				 session->file->name, pattern);
	write_rule(session->file, rule, &nothing);
	apply_rules(session);
	return 0;
}

int session_disable_event(struct session *session, const char *pattern, struct tacho_error *error)
{
	int ret = session_lock(session, error);

	if (ret)
		return ret;
	ret = disable_locked(session, pattern, error);
	session_unlock(session);
	return ret;
}
