/* SPDX-License-Identifier: MIT */
/* rule.c - see rule.h */
#include "base/rule.h"

#include <string.h>

#include "base/pattern.h"

uint32_t rule_count(const struct tacho_session *session)
{
	uint32_t count = tacho_load_relaxed(&session->rule_count);

	return count <= TACHO_RULES_MAX ? count : TACHO_RULES_MAX;
}

/* ---- text ---- */

/* Beyond what is allocated there may be no memory to be had, and looking would kill. */
static bool is_in_text(const struct tacho_session *session, struct tacho_span span)
{
	uint32_t allocated = tacho_load_relaxed(&session->text_allocated);

	if (allocated > TACHO_TEXT_BYTES)
		return false;
	return span.bytes <= allocated && span.at <= allocated - span.bytes;
}

static struct tacho_span read_span(const struct tacho_span *span)
{
	return (struct tacho_span){
		.at = tacho_load_relaxed(&span->at),
		.bytes = tacho_load_relaxed(&span->bytes),
	};
}

bool rule_asks_for_dump(const struct tacho_session *session)
{
	uint32_t count = rule_count(session);

	for (uint32_t i = 0; i < count; i++) {
		const struct tacho_rule *rule = &session->rule[i];

		if (rule_is_armed(session, rule) && !tacho_load_relaxed(&rule->trigger) &&
		    !strncmp(rule->pattern, RULE_DUMP ":", sizeof(RULE_DUMP)))
			return true;
	}
	return false;
}

const char *rule_text(const struct tacho_session *session, const struct tacho_span *span,
		      uint32_t *ret_bytes)
{
	struct tacho_span copy = read_span(span);

	*ret_bytes = 0;
	if (!copy.bytes || !is_in_text(session, copy))
		return NULL;
	*ret_bytes = copy.bytes;
	return session->text + copy.at;
}

/* ---- parts of a rule ---- */

static bool level_fits(const struct tacho_rule *rule, uint32_t level)
{
	uint32_t limit = tacho_load_relaxed(&rule->level);

	switch (tacho_load_relaxed(&rule->level_match)) {
	case TACHO_LEVEL_ANY:
		return true;
	case TACHO_LEVEL_AT_LEAST:
		return level <= limit;
	case TACHO_LEVEL_EXACTLY:
		return level == limit;
	}
	return false;
}

static bool pid_fits(const struct tacho_rule *rule, uint32_t pid)
{
	uint32_t wanted = tacho_load_relaxed(&rule->pid);

	return !wanted || wanted == pid;
}

/* A rule of a trigger records nothing, so no channel can keep it from being hit. */
static bool channel_fits(const struct tacho_session *session, const struct tacho_rule *rule)
{
	uint32_t channel = tacho_load_relaxed(&rule->channel);

	if (tacho_load_relaxed(&rule->trigger))
		return true;
	return channel < TACHO_CHANNELS_MAX &&
	       channel < tacho_load_relaxed(&session->channel_count) &&
	       !tacho_load_relaxed(&session->channel[channel].is_disabled);
}

static bool is_excluded(const struct tacho_session *session, const struct tacho_rule *rule,
			const char *event)
{
	struct tacho_span span = read_span(&rule->exclude);

	if (span.bytes && !is_in_text(session, span))
		return true;
	for (uint32_t at = 0; at < span.bytes;) {
		const char *pattern = session->text + span.at + at;
		size_t bytes = strnlen(pattern, span.bytes - at);

		if (pattern_is_match(pattern, bytes, event))
			return true;
		at += (uint32_t)bytes + 1;
	}
	return false;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool executable_fits(const struct tacho_session *session, const struct tacho_span *span,
			    const char *executable)
{
	uint32_t bytes;
	const char *pattern = rule_text(session, span, &bytes);

	if (!pattern)
		return false;
	if (!memchr(pattern, '/', strnlen(pattern, bytes)))
		executable = last_part(executable);
	return pattern_is_match(pattern, bytes, executable);
}

bool rule_is_match(const struct tacho_session *session, const struct tacho_rule *rule,
		   const struct rule_subject *subject)
{
	/* Acquire: of a tool that is in the middle of writing, a rule is whole or not there. */
	return tacho_load_acquire(&rule->enabled) == TACHO_RULE_ENABLED &&
	       tacho_load_relaxed(&rule->kind) == subject->kind &&
	       channel_fits(session, rule) && level_fits(rule, subject->level) &&
	       pid_fits(rule, subject->pid) &&
	       pattern_is_match(rule->pattern, sizeof(rule->pattern), subject->event) &&
	       !is_excluded(session, rule, subject->event) &&
	       (!tacho_load_relaxed(&rule->executable.bytes) ||
		executable_fits(session, &rule->executable, subject->executable));
}

bool trigger_is_armed(const struct tacho_session *session, uint32_t index)
{
	uint32_t state = tacho_load_relaxed(&session->state);
	const struct tacho_trigger *trigger;

	if (index >= TACHO_TRIGGERS_MAX)
		return false;
	trigger = &session->trigger[index];
	if (!tacho_load_relaxed(&trigger->is_used))
		return false;
	return state == TACHO_SESSION_ACTIVE ||
	       (state == TACHO_SESSION_STOPPED &&
		tacho_load_relaxed(&trigger->actions) & TACHO_ACTIONS_WHEN_STOPPED);
}

bool rule_is_armed(const struct tacho_session *session, const struct tacho_rule *rule)
{
	uint32_t trigger = tacho_load_relaxed(&rule->trigger);

	if (trigger)
		return trigger_is_armed(session, trigger - 1);
	return tacho_load_relaxed(&session->state) == TACHO_SESSION_ACTIVE;
}

/* ---- trackers ---- */

static bool is_descendant(const struct rule_subject *subject, uint64_t pid)
{
	for (uint32_t i = 0; i < subject->ancestor_count; i++) {
		if (subject->ancestors[i] == pid)
			return true;
	}
	return subject->pid == pid;
}

static bool tracker_fits(const struct tacho_session *session, const struct tacho_tracker *tracker,
			 uint32_t kind, const struct rule_subject *subject)
{
	uint64_t id = tacho_load_relaxed(&tracker->id);

	switch (kind) {
	case TACHO_TRACK_VPID:
		return subject->pid == id;
	case TACHO_TRACK_VUID:
		return subject->uid == id;
	case TACHO_TRACK_VGID:
		return subject->gid == id;
	case TACHO_TRACK_EXECUTABLE:
		return executable_fits(session, &tracker->executable, subject->executable);
	case TACHO_TRACK_DESCENDANTS:
		return is_descendant(subject, id);
	}
	return false;
}

bool rule_trackers_admit(const struct tacho_session *session, const struct rule_subject *subject)
{
	uint32_t missing = tacho_load_relaxed(&session->tracked_kinds);

	for (uint32_t i = 0; missing && i < TACHO_TRACKERS_MAX; i++) {
		const struct tacho_tracker *tracker = &session->tracker[i];
		uint32_t kind = tacho_load_relaxed(&tracker->kind);

		if (tacho_load_relaxed(&tracker->is_used) && kind < TACHO_TRACK_KINDS &&
		    missing >> kind & 1 && tracker_fits(session, tracker, kind, subject))
			missing &= ~(1u << kind);
	}
	return !missing;
}
