/* SPDX-License-Identifier: MIT */
/* wants.c - see wants.h */
#include "wants.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/context_name.h"
#include "filter/filter.h"
#include "look.h"
#include "options.h"
#include "parse.h"
#include "say.h"

int wants_buffer(const struct command *command, const char *text, uint64_t *ret_bytes)
{
	uint64_t bytes = TACHO_RING_BYTES_DEFAULT;
	int err = text ? parse_bytes(text, &bytes) : 0;

	if (err == -EINVAL)
		return wrong_use(command,
				 "--buffer %s is not a number of bytes, like 65536, "
				 "512K, 8M or 1G",
				 text);
	if (err || bytes < TACHO_RING_BYTES_MIN || bytes > TACHO_RING_BYTES_MAX)
		return wrong_use(command, "--buffer %s is out of range: 16K to 16G per CPU", text);
	*ret_bytes = bytes;
	return STATUS_DONE;
}

bool wants_is_url(const char *text)
{
	size_t scheme = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789");

	return scheme && !strncmp(text + scheme, "://", 3);
}

int wants_directory(const struct command *command, const char *text, const char **ret_path)
{
	static const char prefix[] = "file://";
	size_t length = strlen(prefix);

	if (text && wants_is_url(text) && (strncmp(text, prefix, length) || text[length] != '/'))
		return wrong_use(command,
				 "traces go to a directory: DIR or file:///DIR, not '%s'; on "
				 "another machine, mount that one's",
				 text);
	*ret_path = text && wants_is_url(text) ? text + length : text;
	return STATUS_DONE;
}

int wants_format(const struct command *command, const char *text, uint32_t *ret_major)
{
	if (!text)
		return STATUS_DONE;
	if (strcmp(text, "ctf1") && strcmp(text, "ctf2"))
		return wrong_use(command, "--format is ctf1 or ctf2, not '%s'", text);
	*ret_major = strcmp(text, "ctf1") ? 2 : 1;
	return STATUS_DONE;
}

int wants_size(const struct command *command, const char *option, const char *text,
	       uint64_t *ret_bytes)
{
	if (parse_bytes(text, ret_bytes) || !*ret_bytes)
		return wrong_use(command,
				 "%s %s is not a number of bytes, like 65536, 512K, 8M or 1G",
				 option, text);
	return STATUS_DONE;
}

int wants_duration(const struct command *command, const char *option, const char *text,
		   uint64_t unit_ns, uint64_t *ret_ns)
{
	if (!parse_duration_ns(text, unit_ns, ret_ns))
		return STATUS_DONE;
	return wrong_use(command, "%s takes a time like 500ms, 5s, 3m or 2h, not '%s'", option,
			 text);
}

int wants_blocking(const struct command *command, const char *text,
		   struct channel_options *ret_channel)
{
	if (parse_timeout_ns(text, &ret_channel->block_timeout_ns))
		return wrong_use(command,
				 "--blocking-timeout %s is not a number of microseconds, nor inf",
				 text);
	ret_channel->mode = TACHO_MODE_BLOCK;
	return STATUS_DONE;
}

static int wants_level_named(const struct command *command, const char *option, const char *text,
			     enum tacho_level *ret_level)
{
	const char *nearest;

	if (!parse_level(text, ret_level))
		return STATUS_DONE;
	nearest = level_nearest(text);
	if (nearest)
		return wrong_use(command, "%s: there is no level '%s'; did you mean %s?", option,
				 text, nearest);
	return wrong_use(command,
			 "%s: there is no level '%s'; levels are emerg, alert, crit, err, "
			 "warning, notice, info, debug_system .. debug_line, debug, "
			 "or 0 to 14",
			 option, text);
}

int wants_level(const struct command *command, const char *at_least, const char *only,
		struct rule_options *ret_rule)
{
	if (at_least && only)
		return wrong_use(command, "--loglevel and --loglevel-only exclude each other");
	if (at_least) {
		ret_rule->level_match = TACHO_LEVEL_AT_LEAST;
		return wants_level_named(command, "--loglevel", at_least, &ret_rule->level);
	}
	if (only) {
		ret_rule->level_match = TACHO_LEVEL_EXACTLY;
		return wants_level_named(command, "--loglevel-only", only, &ret_rule->level);
	}
	return STATUS_DONE;
}

int wants_pattern(const struct command *command, const char *pattern)
{
	const char *special;

	if (!*pattern)
		return wrong_use(command, "a pattern is empty; all events are '*'");
	if (strlen(pattern) >= TACHO_PATTERN_BYTES)
		return wrong_use(command, "a pattern has %zu bytes; at most %d are possible",
				 strlen(pattern), TACHO_PATTERN_BYTES - 1);
	special = strpbrk(pattern, "?[");
	if (special)
		say(SAY_WARNING, "the '%c' in '%s' stands for itself; only * is special", *special,
		    pattern);
	return STATUS_DONE;
}

/* Any that there could be. */
static int counter_number(void *data, const char *name)
{
	struct context_wish wish;
	int ret = context_parse(name, &wish, NULL);

	(void)data;
	return ret ? ret : TACHO_CONTEXT_PERF;
}

static void show_place(const char *text, const struct filter_complaint *complaint)
{
	char lines[FILTER_EXCERPT_BYTES];

	filter_excerpt(text, complaint->at, lines);
	fputs(lines, stderr);
}

static int wrong_filter(const struct command *command, const char *text,
			const struct filter_complaint *complaint)
{
	say(SAY_ERROR, "%s: --filter, column %zu: %s", command->name,
	    filter_column(text, complaint->at), complaint->what);
	show_place(text, complaint);
	say(SAY_PLAIN, "how to write filters: man tacho-filter");
	return STATUS_WRONG_USE;
}

int wants_filter(const struct command *command, const char *text)
{
	struct filter_complaint warning, complaint = { 0 };
	struct tacho_filter *filter;
	int err = filter_compile(text, counter_number, NULL, &filter, &warning, &complaint);

	if (err == -ENOMEM)
		return fail("no memory for a filter");
	if (err)
		return wrong_filter(command, text, &complaint);
	free(filter);
	if (warning.what[0]) {
		say(SAY_WARNING, "--filter, column %zu: %s", filter_column(text, warning.at),
		    warning.what);
		show_place(text, &warning);
	}
	return STATUS_DONE;
}

uint64_t session_buffer_bytes(const struct tacho_session *file)
{
	return look_buffer_bytes(file->channel_count ? &file->channel[0] : &file->first_channel);
}
