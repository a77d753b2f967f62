/* SPDX-License-Identifier: MIT */
/* candidates.c - see candidates.h */
#include "candidates.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context_name.h"
#include "base/event_desc.h"
#include "base/fd.h"
#include "base/str.h"
#include "cmd.h"
#include "look.h"
#include "parse.h"
#include "pick.h"
#include "saved.h"
#include "session/current.h"
#include "session/names.h"
#include "text.h"
#include "trigger_names.h"

static void print_text(const char *text)
{
	for (; *text; text++)
		putchar((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text);
}

void candidates_offer(const struct candidates *c, const char *word, const char *meaning)
{
	if (strncmp(word, c->typed, strlen(c->typed)))
		return;
	print_text(c->prefix);
	print_text(word);
	if (meaning) {
		putchar('\t');
		print_text(meaning);
	}
	putchar('\n');
}

static void offer_sessions(const struct candidates *c)
{
	struct runtime runtime;
	char **names;

	if (runtime_open(&runtime, NULL))
		return;
	if (!session_names(&runtime, &names, NULL)) {
		for (char **name = names; *name; name++)
			candidates_offer(c, *name, NULL);
		session_names_free(names);
	}
	runtime_close(&runtime);
}

/* The session whose parts are meant: the one that is named, or the current, or the only one. */
static struct session *open_session(const struct candidates *c, struct runtime *runtime)
{
	char current[TACHO_SESSION_NAME_BYTES];
	struct session *session = NULL;
	char **names;

	if (c->session)
		return session_open(runtime, c->session, &session, NULL) ? NULL : session;
	if (!current_get(runtime, current))
		return session_open(runtime, current, &session, NULL) ? NULL : session;
	if (session_names(runtime, &names, NULL))
		return NULL;
	if (names[0] && !names[1] && session_open(runtime, names[0], &session, NULL))
		session = NULL;
	session_names_free(names);
	return session;
}

/* A copy of its file, in memory of this function; NULL: there is none. */
static const struct tacho_session *look(const struct candidates *c)
{
	static struct tacho_session file; /* large */
	struct runtime runtime;
	struct session *session;

	if (runtime_open(&runtime, NULL))
		return NULL;
	session = open_session(c, &runtime);
	if (session)
		look_session(session, &file);
	session_close(session);
	runtime_close(&runtime);
	return session ? &file : NULL;
}

static void offer_channels(const struct candidates *c)
{
	const struct tacho_session *file = look(c);

	for (uint32_t i = 0; file && i < file->channel_count; i++)
		candidates_offer(c, file->channel[i].name, NULL);
}

/* Files of other names are none of sessions. */
static void offer_file(const struct candidates *c, char *name)
{
	size_t length = strlen(name), suffix = strlen(SAVED_SUFFIX);
	char plain[TACHO_SESSION_NAME_BYTES];

	if (length <= suffix || strcmp(name + length - suffix, SAVED_SUFFIX))
		return;
	name[length - suffix] = 0;
	if (!name_unescape(name, plain, sizeof(plain)))
		candidates_offer(c, plain, NULL);
}

/* Frees @dir. */
static void offer_saved(const struct candidates *c, char *dir)
{
	char **names = NULL;

	if (dir && !dir_list(AT_FDCWD, dir, &names))
		for (char **name = names; *name; name++)
			offer_file(c, *name);
	str_array_free(names);
	free(dir);
}

static void offer_saved_sessions(const struct candidates *c)
{
	offer_saved(c, saved_directory("sessions"));
	offer_saved(c, saved_system_directory("sessions"));
}

static void offer_programs_events(const struct candidates *c, const struct program *program)
{
	for (uint32_t i = 0; i < program->event_count; i++) {
		const struct event_desc *desc = program->events[i].desc;
		char *name = *desc->provider ? xasprintf("%s:%s", desc->provider, desc->name) :
					       xstrdup(desc->name);

		candidates_offer(c, name, NULL);
		free(name);
	}
}

/* What a rule says already, and what there is to be recorded. The shell drops what comes twice. */
static void offer_patterns(const struct candidates *c)
{
	const struct tacho_session *file = look(c);
	struct program *programs;
	struct runtime runtime;
	size_t count;

	for (uint32_t i = 0; file && i < file->rule_count; i++)
		if (file->rule[i].enabled)
			candidates_offer(c, file->rule[i].pattern, NULL);
	if (runtime_open(&runtime, NULL))
		return;
	if (!programs_list(&runtime, &programs, &count, NULL)) {
		for (size_t i = 0; i < count; i++)
			offer_programs_events(c, &programs[i]);
		programs_free(programs, count);
	}
	runtime_close(&runtime);
}

static void offer_pids(const struct candidates *c)
{
	struct program *programs;
	struct runtime runtime;
	size_t count;

	if (runtime_open(&runtime, NULL))
		return;
	if (!programs_list(&runtime, &programs, &count, NULL)) {
		for (size_t i = 0; i < count; i++) {
			char pid[16];

			snprintf(pid, sizeof(pid), "%d", (int)programs[i].pid);
			candidates_offer(c, pid, programs[i].executable);
		}
		programs_free(programs, count);
	}
	runtime_close(&runtime);
}

/* A pattern with a slash is one of paths. */
static void offer_executables(const struct candidates *c)
{
	struct program *programs;
	struct runtime runtime;
	size_t count;

	if (runtime_open(&runtime, NULL))
		return;
	if (!programs_list(&runtime, &programs, &count, NULL)) {
		for (size_t i = 0; i < count; i++) {
			const char *path = programs[i].executable, *slash = strrchr(path, '/');

			candidates_offer(c, strchr(c->typed, '/') || !slash ? path : slash + 1,
					 NULL);
		}
		programs_free(programs, count);
	}
	runtime_close(&runtime);
}

static void offer_levels(const struct candidates *c)
{
	for (uint32_t level = 0; level <= TACHO_LEVEL_MAX; level++)
		candidates_offer(c, level_name(level), NULL);
}

static void offer_contexts(const struct candidates *c)
{
	const char *name;

	for (size_t i = 0; (name = context_name_at(i)); i++)
		candidates_offer(c, name, NULL);
}

static void offer_all(const struct candidates *c, const char *const *words)
{
	for (; *words; words++)
		candidates_offer(c, *words, NULL);
}

static void offer_conditions(const struct candidates *c)
{
	offer_all(c, trigger_conditions);
}

static void offer_actions(const struct candidates *c)
{
	offer_all(c, trigger_actions);
}

static void offer_triggers(const struct candidates *c)
{
	const struct tacho_session *file = look(c);

	for (uint32_t i = 0; file && i < TACHO_TRIGGERS_MAX; i++) {
		const struct tacho_trigger *trigger = &file->trigger[i];
		char *name = trigger->is_used ? trigger_span(file, &trigger->name) : NULL;

		if (name)
			candidates_offer(c, name, trigger_condition(trigger->condition));
		free(name);
	}
}

static void offer_commands(const struct candidates *c)
{
	for (int i = 0; commands[i]; i++)
		if (!commands[i]->is_hidden)
			candidates_offer(c, commands[i]->name, commands[i]->summary);
}

static void ask_for_files(const struct candidates *c)
{
	(void)c;
	puts(":files");
}

static void ask_for_dirs(const struct candidates *c)
{
	(void)c;
	puts(":dirs");
}

static void offer_url(const struct candidates *c)
{
	candidates_offer(c, "file:///", NULL);
}

static const struct {
	const char *word;
	void (*offer)(const struct candidates *c);
} kinds[] = {
	{ "SAVED-SESSION", offer_saved_sessions },
	{ "SESSION", offer_sessions },
	{ "CHANNEL", offer_channels },
	{ "PATTERN", offer_patterns },
	{ "EVENT", offer_patterns },
	{ "PID", offer_pids },
	{ "EXECUTABLE", offer_executables },
	{ "LEVEL", offer_levels },
	{ "TYPE", offer_contexts },
	{ "COMMAND", offer_commands },
	{ "URL", offer_url },
	{ "FILE", ask_for_files },
	{ "DIR", ask_for_dirs },
	{ "TRIGGER", offer_triggers },
	{ "ACTION", offer_actions },
	{ "CONDITION", offer_conditions },
};

/* "inf" of "USEC|inf". */
static void offer_itself(const struct candidates *c, const char *word)
{
	if (islower((unsigned char)*word))
		candidates_offer(c, word, NULL);
}

static void print_word(const struct candidates *c, const char *word)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].word, word))
			continue;
		kinds[i].offer(c);
		return;
	}
	offer_itself(c, word);
}

/* Of "PATTERN[,PATTERN].." the first word says it all; "|" stands between different ones. */
void candidates_print(const struct candidates *c, const char *what)
{
	char *words = xstrdup(what + strspn(what, "["));
	char *rest = words, *word;

	while ((word = strsep(&rest, "|"))) {
		word[strcspn(word, "[],. ")] = 0;
		print_word(c, word);
	}
	free(words);
}
