/* SPDX-License-Identifier: MIT */
/* saved.c - see saved.h */
#include "saved.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/rule.h"
#include "duration.h"
#include "look.h"
#include "parse.h"
#include "ring/rings.h"
#include "session/names.h"
#include "session/rules/contexts.h"
#include "text.h"
#include "trigger_names.h"

/* A session file on its way to the text. */
struct printing {
	FILE *out;
	const struct tacho_session *file;
};

/* " WORD", quoted where that is needed. */
static void put_word(const struct printing *p, const char *text)
{
	char *word = shell_word(text);

	fprintf(p->out, " %s", word);
	free(word);
}

static void put_option(const struct printing *p, const char *option, const char *value)
{
	fprintf(p->out, " %s", option);
	put_word(p, value);
}

static void put_operand(const struct printing *p, const char *text)
{
	char *word = shell_operand(text);

	fprintf(p->out, " %s\n", word);
	free(word);
}

/* In the largest unit in which it is a whole number. */
static void put_bytes(const struct printing *p, const char *option, uint64_t bytes)
{
	static const char *const units[] = { "", "K", "M", "G", "T" };
	unsigned int unit = 0;

	for (; bytes && !(bytes % 1024) && unit < 4; unit++)
		bytes /= 1024;
	fprintf(p->out, " %s %" PRIu64 "%s", option, bytes, units[unit]);
}

/* A copy of what a span names, as a string; NULL: nothing. */
static char *copy_span(const struct printing *p, const struct tacho_span *span)
{
	uint32_t bytes;
	const char *text = rule_text(p->file, span, &bytes);

	return text ? xasprintf("%.*s", (int)bytes, text) : NULL;
}

static void put_span(const struct printing *p, const char *option, const struct tacho_span *span)
{
	char *text = copy_span(p, span);

	if (text)
		put_option(p, option, text);
	free(text);
}

/* As one value of a list (lists.h); to be freed. */
static char *list_value(const char *text)
{
	char *value = xcalloc(2 * strlen(text) + 1, 1), *to = value;

	for (; *text; text++) {
		if (*text == ',')
			*to++ = '\\';
		*to++ = *text;
	}
	return value;
}

static void put_list_span(const struct printing *p, const char *option,
			  const struct tacho_span *span)
{
	char *text = copy_span(p, span);
	char *value = text ? list_value(text) : NULL;

	if (value)
		put_option(p, option, value);
	free(value);
	free(text);
}

/* ---- the session and its channels ---- */

/* 0: the session file is damaged */
static uint64_t subbuf_bytes(const struct tacho_channel *channel)
{
	return channel->subbuf_shift > TACHO_SUBBUF_SHIFT_MAX ? 0 : 1ull << channel->subbuf_shift;
}

static uint64_t buffer_bytes(const struct tacho_channel *channel)
{
	return channel->subbuf_count * subbuf_bytes(channel);
}

/* Is it what --buffer gives, or was it asked for part by part? */
static bool has_usual_geometry(const struct tacho_channel *channel)
{
	struct ring_geometry usual;

	return !ring_geometry_init(&usual, buffer_bytes(channel)) &&
	       usual.subbuf_count == channel->subbuf_count &&
	       usual.subbuf_shift == channel->subbuf_shift;
}

static void put_geometry(const struct printing *p, const struct tacho_channel *channel)
{
	if (!has_usual_geometry(channel)) {
		put_bytes(p, "--subbuf-size", subbuf_bytes(channel));
		fprintf(p->out, " --num-subbuf %" PRIu32, channel->subbuf_count);
	} else if (buffer_bytes(channel) != TACHO_RING_BYTES_DEFAULT) {
		put_bytes(p, "--buffer", buffer_bytes(channel));
	}
}

static void put_blocking(const struct printing *p, const struct tacho_channel *channel)
{
	if (channel->block_timeout_ns == UINT64_MAX)
		fputs(" --blocking-timeout inf", p->out);
	else
		fprintf(p->out, " --blocking-timeout %" PRIu64, channel->block_timeout_ns / 1000);
}

static void put_create_mode(const struct printing *p)
{
	const struct tacho_channel *channel = &p->file->first_channel;

	if (!p->file->streaming)
		fputs(" --snapshot", p->out);
	if (!p->file->streaming && channel->mode == TACHO_MODE_DISCARD)
		fputs(" --discard", p->out);
	if (channel->mode == TACHO_MODE_BLOCK)
		put_blocking(p, channel);
}

/* The directory that was asked for is the one above. */
static void put_shm_path(const struct printing *p)
{
	const char *path = p->file->shm_path;
	const char *slash = strrchr(path, '/');
	char *above;

	if (!slash)
		return;
	above = xasprintf("%.*s", slash == path ? 1 : (int)(slash - path), path);
	put_option(p, "--shm-path", above);
	free(above);
}

static void put_create(const struct printing *p)
{
	const struct tacho_session *file = p->file;

	fputs("create", p->out);
	put_create_mode(p);
	put_geometry(p, &file->first_channel);
	if (file->max_bytes)
		put_bytes(p, "--max-size", file->max_bytes);
	if (file->ctf_major == 2)
		put_option(p, "--format", "ctf2");
	put_shm_path(p);
	if (file->output_chosen)
		put_option(p, "--output", file->output);
	put_operand(p, file->name);
}

static void put_mode(const struct printing *p, const struct tacho_channel *channel)
{
	if (channel->mode == TACHO_MODE_DISCARD)
		fputs(" --discard", p->out);
	else if (channel->mode == TACHO_MODE_OVERWRITE)
		fputs(" --overwrite", p->out);
	else
		put_blocking(p, channel);
}

static void put_channel(const struct printing *p, const struct tacho_channel *channel)
{
	fputs("enable-channel", p->out);
	put_mode(p, channel);
	put_geometry(p, channel);
	if (channel->tracefile_bytes)
		put_bytes(p, "--tracefile-size", channel->tracefile_bytes);
	if (channel->tracefile_count)
		fprintf(p->out, " --tracefile-count %" PRIu32, channel->tracefile_count);
	if (channel->ownership == TACHO_OWNERSHIP_PROCESS)
		fputs(" --buffer-ownership process", p->out);
	put_operand(p, channel->name);
}

static void put_contexts(const struct printing *p, const struct tacho_channel *channel)
{
	char room[CONTEXT_PERF_NAME_BYTES];

	if (!channel->contexts)
		return;
	fputs("add-context", p->out);
	put_option(p, "--channel", channel->name);
	for (unsigned int i = 0; i < CONTEXTS_MAX; i++)
		if (channel->contexts >> i & 1 && *session_context_name(p->file, i, room))
			put_option(p, "--type", session_context_name(p->file, i, room));
	fputc('\n', p->out);
}

static void put_channels(const struct printing *p)
{
	for (uint32_t i = 0; i < p->file->channel_count; i++) {
		put_channel(p, &p->file->channel[i]);
		put_contexts(p, &p->file->channel[i]);
	}
}

static void put_domain(const struct printing *p, const struct tacho_channel *channel)
{
	if (channel->domain == TACHO_DOMAIN_KERNEL)
		fputs(" --kernel", p->out);
}

/* Last of all, since nothing can be enabled in a channel before it is. */
static void put_disabled_channels(const struct printing *p)
{
	for (uint32_t i = 0; i < p->file->channel_count; i++) {
		if (!p->file->channel[i].is_disabled)
			continue;
		fputs("disable-channel", p->out);
		put_domain(p, &p->file->channel[i]);
		put_operand(p, p->file->channel[i].name);
	}
}

/* ---- which events, of which processes ---- */

static void put_level(const struct printing *p, const struct tacho_rule *rule)
{
	if (rule->level_match == TACHO_LEVEL_AT_LEAST)
		put_option(p, "--loglevel", level_name(rule->level));
	else if (rule->level_match == TACHO_LEVEL_EXACTLY)
		put_option(p, "--loglevel-only", level_name(rule->level));
}

/* A list with commas; each pattern has a 0 byte behind it. */
static void put_exclusions(const struct printing *p, const struct tacho_rule *rule)
{
	uint32_t bytes;
	const char *text = rule_text(p->file, &rule->exclude, &bytes);
	char *list = NULL;

	for (uint32_t at = 0; text && at < bytes;) {
		size_t length = strnlen(text + at, bytes - at);
		char *pattern = strndup(text + at, length);
		char *value = list_value(pattern ? pattern : "");
		char *longer = xasprintf("%s%s%s", list ? list : "", list ? "," : "", value);

		free(value);
		free(pattern);
		free(list);
		list = longer;
		at += (uint32_t)length + 1;
	}
	if (list)
		put_option(p, "--exclude", list);
	free(list);
}

/* What says which events of which programs; a trigger's condition has it, too. */
static void put_conditions(const struct printing *p, const struct tacho_rule *rule)
{
	put_level(p, rule);
	put_exclusions(p, rule);
	if (!rule_is_probe(rule->kind))
		put_list_span(p, "--exec", &rule->executable);
	if (rule->pid)
		fprintf(p->out, " --pid %" PRIu32, rule->pid);
	put_span(p, "--filter", &rule->filter_text);
}

static void put_kind(const struct printing *p, const struct tacho_rule *rule)
{
	if (rule->kind != TACHO_RULE_EVENT)
		fputs(" --kernel", p->out);
	if (rule->kind == TACHO_RULE_SYSCALL)
		fputs(" --syscall", p->out);
}

/* Where a probe is, and behind a newline what it fetches. */
static void put_probe(const struct printing *p, const struct tacho_rule *rule)
{
	uint32_t bytes;
	const char *text = rule_text(p->file, &rule->executable, &bytes);
	char *place = rule_is_probe(rule->kind) && text ? strndup(text, bytes) : NULL;
	char *fetch = place ? strchr(place, '\n') : NULL;
	char *option = xasprintf("--%s", look_rule_kind_word(rule->kind));

	if (fetch)
		*fetch++ = 0;
	if (place)
		put_option(p, option, place);
	if (fetch)
		put_option(p, "--fetch", fetch);
	free(option);
	free(place);
}

static void put_pattern(const struct printing *p, const struct tacho_rule *rule)
{
	char *value = list_value(rule->pattern);

	put_operand(p, value);
	free(value);
}

/* To disable it would disable those of the same pattern that come before it, as well. */
static void put_rule(const struct printing *p, const struct tacho_rule *rule)
{
	const char *channel = p->file->channel[rule->channel].name;

	fputs("enable-event", p->out);
	put_kind(p, rule);
	put_probe(p, rule);
	put_option(p, "--channel", channel);
	put_conditions(p, rule);
	put_pattern(p, rule);
	if (rule->enabled != TACHO_RULE_DISABLED)
		return;
	fputs("disable-event", p->out);
	put_kind(p, rule);
	put_option(p, "--channel", channel);
	put_pattern(p, rule);
}

static void put_rules_of_state(const struct printing *p, enum tacho_rule_state state)
{
	for (uint32_t i = 0; i < p->file->rule_count; i++) {
		const struct tacho_rule *rule = &p->file->rule[i];

		if (rule->enabled == state && !rule->trigger &&
		    rule->channel < p->file->channel_count)
			put_rule(p, rule);
	}
}

static void put_rules(const struct printing *p)
{
	put_rules_of_state(p, TACHO_RULE_DISABLED);
	put_rules_of_state(p, TACHO_RULE_ENABLED);
}

static const char *const track_options[TACHO_TRACK_KINDS] = {
	[TACHO_TRACK_VPID] = "--vpid",
	[TACHO_TRACK_VUID] = "--vuid",
	[TACHO_TRACK_VGID] = "--vgid",
	[TACHO_TRACK_EXECUTABLE] = "--exec",
	[TACHO_TRACK_DESCENDANTS] = "--descendants",
};

static void put_tracker(const struct printing *p, const struct tacho_tracker *tracker)
{
	fputs("track", p->out);
	if (tracker->kind == TACHO_TRACK_EXECUTABLE)
		put_list_span(p, track_options[tracker->kind], &tracker->executable);
	else
		fprintf(p->out, " %s %" PRIu64, track_options[tracker->kind], tracker->id);
	fputc('\n', p->out);
}

static bool put_trackers_of_kind(const struct printing *p, uint32_t kind)
{
	bool is_any = false;

	for (uint32_t i = 0; i < TACHO_TRACKERS_MAX; i++) {
		const struct tacho_tracker *tracker = &p->file->tracker[i];

		if (!tracker->is_used || tracker->kind != kind)
			continue;
		put_tracker(p, tracker);
		is_any = true;
	}
	return is_any;
}

static void put_trackers(const struct printing *p)
{
	for (uint32_t kind = 0; kind < TACHO_TRACK_KINDS; kind++)
		if (p->file->tracked_kinds >> kind & 1 && !put_trackers_of_kind(p, kind))
			fprintf(p->out, "untrack --all %s\n", track_options[kind]);
}

/* ---- what happens by itself ---- */

static void put_triggers(const struct printing *p)
{
	for (uint32_t i = 0; i < TACHO_TRIGGERS_MAX; i++) {
		if (!p->file->trigger[i].is_used)
			continue;
		trigger_print_command(p->out, p->file, i);
		fputc('\n', p->out);
	}
}

static void put_rotation(const struct printing *p)
{
	const struct tacho_session *file = p->file;

	if (!file->rotate_every_ns && !file->rotate_every_bytes)
		return;
	fputs("enable-rotation", p->out);
	if (file->rotate_every_ns)
		put_option(p, "--timer", duration_text(file->rotate_every_ns).text);
	if (file->rotate_every_bytes)
		put_bytes(p, "--size", file->rotate_every_bytes);
	fputc('\n', p->out);
}

static void put_snapshot_output(const struct printing *p)
{
	const struct tacho_session *file = p->file;

	if (!file->snapshot_output[0])
		return;
	fputs("snapshot add-output", p->out);
	if (file->snapshot_name[0])
		put_option(p, "--name", file->snapshot_name);
	if (file->snapshot_max_bytes)
		put_bytes(p, "--max-size", file->snapshot_max_bytes);
	put_operand(p, file->snapshot_output);
}

/* ---- all of it ---- */

void saved_print(FILE *out, const struct tacho_session *file)
{
	struct printing p = { .out = out, .file = file };

	put_create(&p);
	put_channels(&p);
	put_rules(&p);
	put_trackers(&p);
	put_triggers(&p);
	put_rotation(&p);
	put_snapshot_output(&p);
	put_disabled_channels(&p);
	if (file->state == TACHO_SESSION_ACTIVE)
		fputs("start\n", out);
}

char *saved_directory(const char *kind)
{
	const char *config = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	if (config && *config == '/')
		return xasprintf("%s/tacho/%s", config, kind);
	return home && *home == '/' ? xasprintf("%s/.config/tacho/%s", home, kind) : NULL;
}

char *saved_system_directory(const char *kind)
{
	return xasprintf("/etc/xdg/tacho/%s", kind);
}

char *saved_file_name(const char *session)
{
	char escaped[NAME_ESCAPED_BYTES];

	if (name_escape("session", session, TACHO_SESSION_NAME_BYTES - 1, escaped, NULL))
		return NULL;
	return xasprintf("%s" SAVED_SUFFIX, escaped);
}
