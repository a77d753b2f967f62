/* SPDX-License-Identifier: MIT */
/* show_text.c - a session, for people. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "duration.h"
#include "loss.h"
#include "rule_words.h"
#include "say.h"
#include "session/rules/contexts.h"
#include "shown.h"
#include "table.h"
#include "text.h"
#include "tracked.h"
#include "trigger_names.h"

/* ---- the head ---- */

static void print_trouble(const struct session_stats *stats)
{
	if (stats->drain_error[0])
		printf("Trouble:  the drain cannot write: %s\n", stats->drain_error);
	if (stats->unrecorded)
		printf("Missing:  %s program%s could not be recorded: %s\n",
		       count_text(stats->unrecorded).text, stats->unrecorded == 1 ? "" : "s",
		       loss_unrecorded(stats));
	if (stats->damaged)
		printf("Damaged:  %s part%s of the buffers made no sense and %s left out\n",
		       count_text(stats->damaged).text, stats->damaged == 1 ? "" : "s",
		       stats->damaged == 1 ? "was" : "were");
	if (stats->overwritten_bytes)
		printf("Gone:     %s, overwritten by newer events\n",
		       bytes_text(stats->overwritten_bytes).text);
}

static void print_limits(const struct tacho_session *file)
{
	if (file->max_bytes)
		printf("Limit:    %s on disk, then the oldest goes\n",
		       bytes_text(file->max_bytes).text);
}

static void print_rotation(const struct tacho_session *file)
{
	const char *before = ", ";

	if (!file->rotate_every_ns && !file->rotate_every_bytes && !file->rotate_done)
		return;
	printf("Rotation: %s chunk%s archived", count_text(file->rotate_done).text,
	       file->rotate_done == 1 ? "" : "s");
	if (file->rotate_every_ns) {
		printf("%severy %s", before, duration_text(file->rotate_every_ns).text);
		before = " or ";
	}
	if (file->rotate_every_bytes)
		printf("%swhen it has %s", before, bytes_text(file->rotate_every_bytes).text);
	putchar('\n');
}

static void print_head(const struct shown *shown)
{
	const struct tacho_session *file = &shown->file;
	const struct session_stats *stats = &shown->stats;
	char drain[32];

	printf("Session:  %s\n"
	       "State:    %s, %s\n"
	       "Trace:    %s\n"
	       "Clock:    %s\n"
	       "Memory:   %s in %u ring%s\n"
	       "Written:  %s by programs\n"
	       "Drain:    %s\n",
	       visible(file->name).text, look_state(file), look_kind(file),
	       file->output[0] ? visible(file->output).text : "by tacho snapshot record",
	       file->clock_kind == TACHO_CLOCK_COUNTER ? "the CPU's counter" : "CLOCK_MONOTONIC",
	       bytes_text(stats->memory_bytes).text, stats->rings, stats->rings == 1 ? "" : "s",
	       bytes_text(stats->bytes).text, look_drain(file, stats, drain, sizeof(drain)));
	print_limits(file);
	print_rotation(file);
	print_trouble(stats);
}

static void print_lost(const struct session_stats *stats)
{
	if (!loss_total(stats->lost))
		puts("Lost:     nothing");
	for (int i = 0; i < TACHO_LOST_REASONS; i++)
		if (stats->lost[i])
			printf("Lost:     %s, as %s\n", count_text(stats->lost[i]).text,
			       loss_meaning(i));
}

static void print_trackers(const struct tacho_session *file)
{
	for (uint32_t kind = 0; kind < TACHO_TRACK_KINDS; kind++) {
		char *text;

		if (!(file->tracked_kinds >> kind & 1))
			continue;
		text = tracked_text(file, kind);
		printf("Only of:  %s: %s\n", tracked_title(kind), visible(text).text);
		free(text);
	}
}

/* ---- triggers ---- */

/* What each of them does is for list-triggers; here, whether there is trouble. */
static void print_trigger_trouble(const struct tacho_session *file, uint32_t index)
{
	const struct tacho_trigger *trigger = &file->trigger[index];
	char *name = trigger_span(file, &trigger->name);

	if (trigger->is_used && trigger->failed_count)
		printf("Trouble:  trigger '%s' failed %s time%s; the last result: %s\n",
		       visible(name ? name : "?").text, count_text(trigger->failed_count).text,
		       trigger->failed_count == 1 ? "" : "s", visible(trigger->result).text);
	free(name);
}

static void print_triggers(const struct shown *shown)
{
	unsigned int count = 0;

	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++)
		count += shown->file.trigger[i].is_used != 0;
	if (!count)
		return;
	printf("Triggers: %u, ", count);
	if (shown->watch_alive)
		printf("watched by pid %" PRIu64 "\n", shown->file.watch_pid);
	else
		puts("not watched");
	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++)
		print_trigger_trouble(&shown->file, i);
}

/* ---- rules ---- */

static bool has_conditions(const struct shown *shown)
{
	for (uint32_t i = 0; i < shown->file.rule_count; i++) {
		const struct tacho_rule *rule = &shown->file.rule[i];

		if (is_rule_shown(shown, rule) && (rule->exclude.bytes || rule->executable.bytes ||
						   rule->filter_text.bytes || rule->pid))
			return true;
	}
	return false;
}

static void add_rule(struct table *table, const struct shown *shown, const struct tacho_rule *rule)
{
	char *conditions = rule_conditions(&shown->file, rule);
	char *events = xasprintf("%s%s", look_rule_kind(rule->kind), rule->pattern);
	char level[48];

	table_row(table, events,
		  look_level(rule->level_match, rule->level, level, sizeof(level)),
		  shown_channel_name(shown, rule->channel),
		  rule->enabled == TACHO_RULE_ENABLED ? "enabled" : "disabled", conditions);
	free(events);
	free(conditions);
}

/* The last column is there only where it says something. */
static void print_rules(const struct shown *shown)
{
	static const struct column columns[] = {
		{ "EVENTS", COLUMN_LEFT }, { "LEVEL", COLUMN_LEFT }, { "CHANNEL", COLUMN_LEFT },
		{ "STATE", COLUMN_LEFT },  { "ONLY", COLUMN_LEFT },  { 0 },
	};
	static const struct column fewer[] = {
		{ "EVENTS", COLUMN_LEFT },
		{ "LEVEL", COLUMN_LEFT },
		{ "CHANNEL", COLUMN_LEFT },
		{ "STATE", COLUMN_LEFT },
		{ 0 },
	};
	struct table *table = table_new(has_conditions(shown) ? columns : fewer);
	unsigned int enabled = 0;

	for (uint32_t i = 0; i < shown->file.rule_count; i++) {
		const struct tacho_rule *rule = &shown->file.rule[i];

		if (!is_rule_shown(shown, rule))
			continue;
		add_rule(table, shown, rule);
		enabled += rule->enabled == TACHO_RULE_ENABLED;
	}
	putchar('\n');
	table_print(table);
	if (!enabled)
		puts("No events are enabled. All of them: tacho enable-event '*'");
}

/* ---- channels ---- */

static void print_rings(const struct look_ring *rings, uint32_t count)
{
	static const struct column columns[] = {
		{ "CPU", COLUMN_RIGHT },     { "FILLED", COLUMN_RIGHT }, { "OF", COLUMN_RIGHT },
		{ "WRITTEN", COLUMN_RIGHT }, { "LOST", COLUMN_RIGHT },   { 0 },
	};
	struct table *table = table_new(columns);
	char cpu_number[16];

	for (uint32_t cpu = 0; cpu < count; cpu++) {
		const struct look_ring *ring = &rings[cpu];

		if (!ring->is_allocated)
			continue;
		snprintf(cpu_number, sizeof(cpu_number), "%u", cpu);
		table_row(table, cpu_number, percent_text(ring->used_bytes, ring->size_bytes).text,
			  bytes_text(ring->size_bytes).text, bytes_text(ring->written_bytes).text,
			  count_text(loss_total(ring->lost)).text);
	}
	table_print(table);
}

static void print_mode(const struct tacho_channel *channel)
{
	if (channel->mode == TACHO_MODE_DISCARD)
		printf("when full, new events are lost, and counted (discard)");
	else if (channel->mode == TACHO_MODE_OVERWRITE)
		printf("when full, the oldest events go (overwrite)");
	else if (channel->block_timeout_ns == UINT64_MAX)
		printf("when full, programs wait for room, as long as it takes (block)");
	else
		printf("when full, programs wait for room, %s at most (block)",
		       duration_text(channel->block_timeout_ns).text);
}

static void print_contexts(const struct tacho_session *file, const struct tacho_channel *channel)
{
	const char *before = "Contexts: ";
	char room[CONTEXT_PERF_NAME_BYTES];

	for (unsigned int i = 0; i < CONTEXTS_MAX; i++) {
		if (!(channel->contexts >> i & 1))
			continue;
		printf("%s%s", before, visible(session_context_name(file, i, room)).text);
		before = ", ";
	}
	if (channel->contexts)
		putchar('\n');
}

static void print_tracefiles(const struct tacho_channel *channel)
{
	if (!channel->tracefile_bytes)
		return;
	printf("Files:    %s at most", bytes_text(channel->tracefile_bytes).text);
	if (channel->tracefile_count)
		printf(", the newest %" PRIu32, channel->tracefile_count);
	putchar('\n');
}

static void print_channel_head(const struct tacho_session *file,
			       const struct tacho_channel *channel)
{
	printf("\nChannel:  %s%s%s\n"
	       "Buffers:  %u x %s per CPU; ",
	       visible(channel->name).text,
	       channel->domain == TACHO_DOMAIN_KERNEL ? " (kernel)" : "",
	       channel->is_disabled ? " (disabled)" : "", channel->subbuf_count,
	       bytes_text(channel->subbuf_count ?
				  look_buffer_bytes(channel) / channel->subbuf_count :
				  0)
		       .text);
	print_mode(channel);
	putchar('\n');
	print_contexts(file, channel);
	print_tracefiles(channel);
}

static int print_channel(const struct shown *shown, const struct tacho_channel *channel)
{
	struct tacho_error error;
	struct look_ring *rings;
	uint32_t count;

	print_channel_head(&shown->file, channel);
	if (look_rings(shown->runtime, &shown->file, channel, &rings, &count, &error))
		return fail_with(&error);
	print_rings(rings, count);
	free(rings);
	return STATUS_DONE;
}

static void print_no_channel(const struct tacho_session *file)
{
	const struct tacho_channel *channel = &file->first_channel;

	printf("\nNo channel yet. The first event that is enabled makes %s, with %s per "
	       "CPU;\n",
	       visible(channel->name).text, bytes_text(look_buffer_bytes(channel)).text);
	print_mode(channel);
	printf(".\n");
}

int show_text(const struct shown *shown)
{
	int status = STATUS_DONE;

	print_head(shown);
	print_lost(&shown->stats);
	print_trackers(&shown->file);
	print_triggers(shown);
	print_rules(shown);
	for (uint32_t i = 0; i < shown->file.channel_count; i++)
		if (is_channel_shown(shown, i) && print_channel(shown, &shown->file.channel[i]))
			status = STATUS_FAILED;
	if (!shown->file.channel_count)
		print_no_channel(&shown->file);
	return status;
}
