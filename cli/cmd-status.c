/* SPDX-License-Identifier: MIT */
/*
 * cmd-status.c - tacho status: everything about one session.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "json.h"
#include "look.h"
#include "loss.h"
#include "parse.h"
#include "pick.h"
#include "say.h"
#include "table.h"
#include "text.h"
#include "wants.h"

static struct {
	int json;
} asked;

/* What is shown; large, as it holds a copy of the session's file. */
static struct {
	struct tacho_session file;
	struct session_stats stats;
} shown;

/* ---- text ---- */

static void print_head(void)
{
	const struct tacho_session *file = &shown.file;
	const struct session_stats *stats = &shown.stats;
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

static void print_lost(void)
{
	if (!loss_total(shown.stats.lost))
		puts("Lost:     nothing");
	for (int i = 0; i < TACHO_LOST_REASONS; i++)
		if (shown.stats.lost[i])
			printf("Lost:     %s, as %s\n", count_text(shown.stats.lost[i]).text,
			       loss_meaning(i));
}

static void print_rules(void)
{
	static const struct column columns[] = {
		{ "EVENTS", COLUMN_LEFT },
		{ "LEVEL", COLUMN_LEFT },
		{ 0 },
	};
	struct table *table = table_new(columns);
	unsigned int count = 0;
	char level[48];

	for (unsigned int i = 0; i < shown.file.rule_count; i++) {
		const struct tacho_rule *rule = &shown.file.rule[i];

		if (!rule->enabled)
			continue;
		table_row(table, rule->pattern,
			  look_level(rule->level_match, rule->level, level, sizeof(level)));
		count++;
	}
	putchar('\n');
	table_print(table);
	if (!count)
		puts("No events are enabled. All of them: tacho enable-event '*'");
}

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

static const char *mode_meaning(uint32_t mode)
{
	static const char *const meanings[] = {
		[TACHO_MODE_DISCARD] = "when full, new events are lost, and counted (discard)",
		[TACHO_MODE_OVERWRITE] = "when full, the oldest events go (overwrite)",
		[TACHO_MODE_BLOCK] = "when full, programs wait for room (block)",
	};

	return mode <= TACHO_MODE_BLOCK ? meanings[mode] : "?";
}

/* No command makes a second channel, so that none is named. */
static int print_channel(const struct runtime *runtime, const struct tacho_channel *channel)
{
	struct tacho_error error;
	struct look_ring *rings;
	uint32_t count;

	printf("\nBuffers: %s\n", mode_meaning(channel->mode));
	if (look_rings(runtime, &shown.file, channel, &rings, &count, &error))
		return fail_with(&error);
	print_rings(rings, count);
	free(rings);
	return STATUS_DONE;
}

static int print_text(const struct runtime *runtime)
{
	int status = STATUS_DONE;

	print_head();
	print_lost();
	print_rules();
	for (unsigned int i = 0; i < shown.file.channel_count; i++)
		if (print_channel(runtime, &shown.file.channel[i]))
			status = STATUS_FAILED;
	return status;
}

/* ---- JSON ---- */

static const char *channel_name(uint32_t index)
{
	return index < shown.file.channel_count ? shown.file.channel[index].name : "?";
}

static void add_rules(json_object *root)
{
	json_object *list = json_add_array(root, "rules");

	for (unsigned int i = 0; i < shown.file.rule_count; i++) {
		const struct tacho_rule *rule = &shown.file.rule[i];
		json_object *entry;

		if (!rule->enabled)
			continue;
		entry = json_append_object(list);
		json_add_text(entry, "pattern", rule->pattern);
		json_add_text(entry, "channel", channel_name(rule->channel));
		if (rule->level_match == TACHO_LEVEL_AT_LEAST)
			json_add_text(entry, "level_at_least", level_name(rule->level));
		else if (rule->level_match == TACHO_LEVEL_EXACTLY)
			json_add_text(entry, "level_only", level_name(rule->level));
	}
}

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

static int add_channel(json_object *list, const struct runtime *runtime,
		       const struct tacho_channel *channel)
{
	json_object *entry = json_append_object(list);
	struct tacho_error error;
	struct look_ring *rings;
	uint32_t count;

	json_add_text(entry, "name", channel->name);
	json_add_text(entry, "mode", look_mode(channel->mode));
	if (look_rings(runtime, &shown.file, channel, &rings, &count, &error))
		return fail_with(&error);
	add_rings(entry, rings, count);
	free(rings);
	return STATUS_DONE;
}

static void add_head(json_object *root)
{
	const struct tacho_session *file = &shown.file;
	const struct session_stats *stats = &shown.stats;

	json_add_text(root, "name", file->name);
	json_add_text(root, "state", look_state(file));
	json_add_bool(root, "streaming", file->streaming);
	json_add_text(root, "output", file->output);
	json_add_text(root, "clock",
		      file->clock_kind == TACHO_CLOCK_COUNTER ? "counter" : "monotonic");
	json_add_count(root, "memory_bytes", stats->memory_bytes);
	json_add_count(root, "written_bytes", stats->bytes);
	json_add_count(root, "overwritten_bytes", stats->overwritten_bytes);
	json_add_lost(root, "lost", stats->lost);
	json_add_bool(root, "drain_alive", stats->drain_alive);
	json_add_text(root, "drain_error", stats->drain_error);
	json_add_count(root, "unrecorded", stats->unrecorded);
	json_add_count(root, "damaged", stats->damaged);
	json_add_count(root, "drain_pid", stats->drain_alive ? (uint64_t)stats->drain_pid : 0);
}

static int print_json(const struct runtime *runtime)
{
	json_object *root = json_object_new_object();
	int status = STATUS_DONE;
	json_object *channels;

	add_head(root);
	add_rules(root);
	channels = json_add_array(root, "channels");
	for (unsigned int i = 0; i < shown.file.channel_count; i++)
		if (add_channel(channels, runtime, &shown.file.channel[i]))
			status = STATUS_FAILED;
	json_print(root);
	return status;
}

/* ---- the command ---- */

static int show(struct picked *picked)
{
	struct tacho_error error;

	if (session_stats(picked->session, &shown.stats, &error))
		return fail_with(&error);
	look_session(picked->session, &shown.file);
	return asked.json ? print_json(&picked->runtime) : print_text(&picked->runtime);
}

static int run(const struct command *self, const char **arguments)
{
	return with_session(self, arguments[0], show);
}

static const struct poptOption options[] = {
	{ "json", 0, POPT_ARG_NONE, &asked.json, 0, "Print one JSON object", NULL },
	OPTION_HELP_ENTRY,
	POPT_TABLEEND,
};

const struct command cmd_status = {
	.name = "status",
	.arguments = "[SESSION]",
	.summary = "Show everything about a session: buffers, rules, what was lost",
	.options = options,
	.arguments_max = 1,
	.run = run,
};
