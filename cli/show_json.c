/* SPDX-License-Identifier: MIT */
/* show_json.c - a session, for programs. Keys stay as they are; more may come. */
#include <stdlib.h>

#include "cmd.h"
#include "json.h"
#include "loss.h"
#include "rule_json.h"
#include "say.h"
#include "session/rules/contexts.h"
#include "shown.h"
#include "tracked.h"
#include "trigger_json.h"

static void add_head(json_object *root, const struct shown *shown)
{
	const struct tacho_session *file = &shown->file;
	const struct session_stats *stats = &shown->stats;

	json_add_text(root, "name", file->name);
	json_add_text(root, "state", look_state(file));
	json_add_bool(root, "streaming", file->streaming);
	json_add_text(root, "output", file->output);
	json_add_text(root, "clock",
		      file->clock_kind == TACHO_CLOCK_COUNTER ? "counter" : "monotonic");
	json_add_count(root, "max_bytes", file->max_bytes);
	json_add_count(root, "rotate_every_ns", file->rotate_every_ns);
	json_add_count(root, "rotate_every_bytes", file->rotate_every_bytes);
	json_add_count(root, "rotated", file->rotate_done);
	json_add_count(root, "memory_bytes", stats->memory_bytes);
	json_add_count(root, "written_bytes", stats->bytes);
	json_add_count(root, "overwritten_bytes", stats->overwritten_bytes);
	json_add_lost(root, "lost", stats->lost);
	json_add_bool(root, "drain_alive", stats->drain_alive);
	json_add_text(root, "drain_error", stats->drain_error);
	json_add_count(root, "unrecorded", stats->unrecorded);
	json_add_count(root, "damaged", stats->damaged);
	json_add_count(root, "drain_pid", stats->drain_alive ? (uint64_t)stats->drain_pid : 0);
	json_add_count(root, "watch_pid", shown->watch_alive ? file->watch_pid : 0);
}

/* ---- rules ---- */

static void add_rule(json_object *list, const struct shown *shown, const struct tacho_rule *rule)
{
	json_object *entry = json_append_object(list);

	json_add_text(entry, "channel", shown_channel_name(shown, rule->channel));
	json_add_bool(entry, "enabled", rule->enabled == TACHO_RULE_ENABLED);
	json_add_text(entry, "kind", look_rule_kind_word(rule->kind));
	rule_add_json(entry, &shown->file, rule);
}

static void add_rules(json_object *root, const struct shown *shown)
{
	json_object *list = json_add_array(root, "rules");

	for (uint32_t i = 0; i < shown->file.rule_count; i++)
		if (is_rule_shown(shown, &shown->file.rule[i]))
			add_rule(list, shown, &shown->file.rule[i]);
}

/* ---- trackers ---- */

/* Kinds of which every value is tracked are not there. */
static void add_trackers(json_object *root, const struct tacho_session *file)
{
	json_object *sets = json_add_object(root, "tracked");

	for (uint32_t kind = 0; kind < TACHO_TRACK_KINDS; kind++) {
		json_object *list;

		if (!(file->tracked_kinds >> kind & 1))
			continue;
		list = json_add_array(sets, tracked_key(kind));
		for (uint32_t i = 0; i < TACHO_TRACKERS_MAX; i++) {
			const struct tacho_tracker *tracker = &file->tracker[i];
			char *text;

			if (!tracker->is_used || tracker->kind != kind)
				continue;
			text = tracked_value_text(file, tracker);
			json_append_text(list, text);
			free(text);
		}
	}
}

/* ---- channels ---- */

static void add_rings(json_object *channel, const struct look_ring *rings, uint32_t count)
{
	json_object *list = json_add_array(channel, "rings");

	for (uint32_t cpu = 0; cpu < count; cpu++) {
		json_object *entry;

		if (!rings[cpu].is_allocated)
			continue;
		entry = json_append_object(list);
		json_add_count(entry, "cpu", cpu);
		json_add_count(entry, "size_bytes", rings[cpu].size_bytes);
		json_add_count(entry, "used_bytes", rings[cpu].used_bytes);
		json_add_count(entry, "written_bytes", rings[cpu].written_bytes);
		json_add_lost(entry, "lost", rings[cpu].lost);
	}
}

static void add_contexts(json_object *entry, const struct tacho_session *file,
			 const struct tacho_channel *channel)
{
	json_object *list = json_add_array(entry, "contexts");
	char room[CONTEXT_PERF_NAME_BYTES];

	for (unsigned int i = 0; i < CONTEXTS_MAX; i++)
		if (channel->contexts >> i & 1)
			json_append_text(list, session_context_name(file, i, room));
}

static void add_channel_head(json_object *entry, const struct tacho_channel *channel)
{
	json_add_text(entry, "name", channel->name);
	json_add_text(entry, "mode", look_mode(channel->mode));
	json_add_bool(entry, "enabled", !channel->is_disabled);
	json_add_count(entry, "buffer_bytes", look_buffer_bytes(channel));
	json_add_count(entry, "subbuf_count", channel->subbuf_count);
	if (channel->mode == TACHO_MODE_BLOCK && channel->block_timeout_ns != UINT64_MAX)
		json_add_count(entry, "blocking_timeout_us", channel->block_timeout_ns / 1000);
	json_add_count(entry, "tracefile_bytes", channel->tracefile_bytes);
	json_add_count(entry, "tracefile_count", channel->tracefile_count);
	json_add_text(entry, "ownership",
		      channel->ownership == TACHO_OWNERSHIP_PROCESS ? "process" : "user");
}

static int add_channel(json_object *list, const struct shown *shown,
		       const struct tacho_channel *channel)
{
	json_object *entry = json_append_object(list);
	struct tacho_error error;
	struct look_ring *rings;
	uint32_t count;

	add_channel_head(entry, channel);
	json_add_text(entry, "domain",
		      channel->domain == TACHO_DOMAIN_KERNEL ? "kernel" : "userspace");
	add_contexts(entry, &shown->file, channel);
	if (look_rings(shown->runtime, &shown->file, channel, &rings, &count, &error))
		return fail_with(&error);
	add_rings(entry, rings, count);
	free(rings);
	return STATUS_DONE;
}

int show_json(const struct shown *shown)
{
	json_object *root = json_object_new_object();
	int status = STATUS_DONE;
	json_object *channels;

	add_head(root, shown);
	add_trackers(root, &shown->file);
	add_rules(root, shown);
	triggers_add_json(json_add_array(root, "triggers"), &shown->file, shown->trigger_hits);
	channels = json_add_array(root, "channels");
	for (uint32_t i = 0; i < shown->file.channel_count; i++)
		if (is_channel_shown(shown, i) &&
		    add_channel(channels, shown, &shown->file.channel[i]))
			status = STATUS_FAILED;
	json_print(root);
	return status;
}
