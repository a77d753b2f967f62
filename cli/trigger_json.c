/* SPDX-License-Identifier: MIT */
/* trigger_json.c - see trigger_json.h */
#include "trigger_json.h"

#include <stdlib.h>

#include "base/rule.h"
#include "rule_json.h"
#include "trigger_names.h"

uint64_t trigger_own_hits(const struct tacho_session *file, uint32_t index, const uint64_t *hits)
{
	uint64_t first = file->trigger[index].first_hit;

	return hits[index] > first ? hits[index] - first : 0;
}

static void add_condition(json_object *entry, const struct tacho_session *file, uint32_t index)
{
	const struct tacho_trigger *t = &file->trigger[index];
	const struct tacho_rule *rule = trigger_rule(file, index);

	json_add_text(entry, "condition", trigger_condition(t->condition));
	if (t->condition == TACHO_CONDITION_USAGE_ABOVE ||
	    t->condition == TACHO_CONDITION_USAGE_BELOW)
		json_add_count(entry, "usage_permille", t->threshold);
	if (t->condition == TACHO_CONDITION_SIZE)
		json_add_count(entry, "size_bytes", t->threshold);
	if (t->condition != TACHO_CONDITION_EVENT && t->channel < file->channel_count)
		json_add_text(entry, "channel", file->channel[t->channel].name);
	if (rule)
		rule_add_json(entry, file, rule);
}

static void add_actions(json_object *entry, const struct tacho_session *file,
			const struct tacho_trigger *t)
{
	json_object *list = json_add_array(entry, "actions");
	char *command = trigger_span(file, &t->command);
	char *session = trigger_span(file, &t->session);

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

static void add_progress(json_object *entry, const struct tacho_session *file, uint32_t index,
			 const uint64_t *hits)
{
	const struct tacho_trigger *t = &file->trigger[index];

	json_add_count(entry, "every", t->every > 1 ? t->every : 1);
	json_add_count(entry, "once_after", t->once_after);
	json_add_count(entry, "interval_ns", t->interval_ns);
	json_add_bool(entry, "armed", trigger_is_armed(file, index));
	json_add_count(entry, "hits", trigger_own_hits(file, index, hits));
	json_add_count(entry, "done", t->done_count);
	json_add_count(entry, "failed", t->failed_count);
	json_add_count(entry, "passed_over", t->passed_count);
	json_add_count(entry, "last_realtime_ns", t->done_realtime_ns);
	json_add_text(entry, "last_result", t->result);
}

static void add_trigger(json_object *entry, const struct tacho_session *file, uint32_t index,
			const uint64_t *hits)
{
	char *name = trigger_span(file, &file->trigger[index].name);

	json_add_text(entry, "session", file->name);
	json_add_text(entry, "name", name ? name : "");
	add_condition(entry, file, index);
	add_actions(entry, file, &file->trigger[index]);
	add_progress(entry, file, index, hits);
	free(name);
}

void triggers_add_json(json_object *list, const struct tacho_session *file, const uint64_t *hits)
{
	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++) {
		if (file->trigger[i].is_used)
			add_trigger(json_append_object(list), file, i, hits);
	}
}
