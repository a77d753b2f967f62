/* SPDX-License-Identifier: MIT */
/* find.c - see find.h */
#include "find.h"

#include <stdio.h>
#include <string.h>

#include "say.h"
#include "suggest.h"

#define NAME_BYTES 64

/* The second word of a command's name, or NULL. */
static const char *second_word(const struct command *command)
{
	const char *space = strchr(command->name, ' ');

	return space ? space + 1 : NULL;
}

static bool begins_with_word(const struct command *command, const char *word)
{
	size_t length = strcspn(command->name, " ");

	return strlen(word) == length && !strncmp(command->name, word, length);
}

/* How many of the words name @command: 0 if they do not. */
static int words_matched(const struct command *command, const char *const *words)
{
	const char *second = second_word(command);

	if (!begins_with_word(command, words[0]))
		return 0;
	if (!second)
		return 1;
	return words[1] && !strcmp(words[1], second) ? 2 : 0;
}

static const struct command *find_alone(const char *const *words)
{
	for (int i = 0; commands[i]; i++)
		if (commands[i]->stands_alone && begins_with_word(commands[i], words[0]))
			return commands[i];
	return NULL;
}

const struct command *find_command(const char *const *words, int *ret_count)
{
	for (int i = 0; commands[i]; i++) {
		*ret_count = words_matched(commands[i], words);
		if (*ret_count)
			return commands[i];
	}
	*ret_count = 1;
	return !words[1] || words[1][0] == '-' ? find_alone(words) : NULL;
}

bool find_is_group(const char *word)
{
	for (int i = 0; commands[i]; i++)
		if (second_word(commands[i]) && begins_with_word(commands[i], word))
			return true;
	return false;
}

/* Of a group, its second words; else all commands, and the groups' first words. */
const char *find_nearest(const char *const *words)
{
	bool in_group = find_is_group(words[0]);
	static char typed[NAME_BYTES], group[NAME_BYTES];
	struct suggestion s = suggestion_for(words[0]);

	if (in_group && words[1]) {
		snprintf(typed, sizeof(typed), "%s %s", words[0], words[1]);
		s = suggestion_for(typed);
	}
	for (int i = 0; commands[i]; i++) {
		if (commands[i]->is_hidden)
			continue;
		suggestion_consider(&s, commands[i]->name);
		if (in_group || !second_word(commands[i]))
			continue;
		snprintf(group, sizeof(group), "%.*s", (int)strcspn(commands[i]->name, " "),
			 commands[i]->name);
		suggestion_consider(&s, group);
		if (s.nearest == group) /* it is written over */
			s.nearest = commands[i]->name;
	}
	return suggestion_word(&s);
}

/* "metadata, statedump" */
static void join_group(const char *word, char *text, size_t size)
{
	size_t at = 0;

	text[0] = 0;
	for (int i = 0; commands[i] && at < size; i++)
		if (second_word(commands[i]) && begins_with_word(commands[i], word))
			at += (size_t)snprintf(text + at, size - at, "%s%s", at ? ", " : "",
					       second_word(commands[i]));
}

static int say_unknown_in_group(const char *const *words)
{
	const char *nearest = words[1] ? find_nearest(words) : NULL;
	char joined[256];

	join_group(words[0], joined, sizeof(joined));
	if (!words[1] || words[1][0] == '-')
		say(SAY_ERROR, "%s: a second word is missing", words[0]);
	else
		say(SAY_ERROR, "there is no command '%s %s'", words[0], words[1]);
	if (nearest)
		say(SAY_PLAIN, "did you mean: tacho %s", nearest);
	else
		say(SAY_PLAIN, "behind '%s' there may be: %s", words[0], joined);
	return STATUS_WRONG_USE;
}

/* What lttng takes before a command, and what does it here. */
static const struct {
	const char *name;
	const char *letter;
	const char *instead;
} lttng_options[] = {
	{ "--mi", "-m",
	  "for programs, commands that list something take --json: tacho list --json" },
	{ "--list-commands", "", "for programs: tacho help --json" },
	{ "--list-options", "", "for programs: tacho help --json" },
	{ "--quiet", "-q", "leave it out, or add >/dev/null: errors are said all the same" },
	{ "--verbose", "-v", "leave it out; what may be wrong with this machine: tacho doctor" },
	{ "--group", "-g", "leave it out: who runs a program may record it" },
	{ "--no-sessiond", "-n", "leave it out: there is no daemon" },
	{ "--sessiond-path", "", "leave it out: there is no daemon" },
	{ "--relayd-path", "", "leave it out: there is no daemon" },
};

/* NULL: it is none of lttng's. */
static const char *find_instead(const char *word)
{
	size_t length = strcspn(word, "=");

	for (size_t i = 0; i < sizeof(lttng_options) / sizeof(lttng_options[0]); i++)
		if ((strlen(lttng_options[i].name) == length &&
		     !strncmp(lttng_options[i].name, word, length)) ||
		    !strcmp(lttng_options[i].letter, word))
			return lttng_options[i].instead;
	return NULL;
}

static int say_unknown_option(const char *word)
{
	const char *instead = find_instead(word);

	say(SAY_ERROR, "there is no option %s before a command", word);
	say(SAY_PLAIN, "%s", instead ? instead : "the commands there are: tacho help");
	return STATUS_WRONG_USE;
}

int find_say_unknown(const char *const *words)
{
	const char *nearest;

	if (find_is_group(words[0]))
		return say_unknown_in_group(words);
	if (words[0][0] == '-')
		return say_unknown_option(words[0]);
	nearest = find_nearest(words);
	say(SAY_ERROR, "there is no command '%s'", words[0]);
	if (nearest)
		say(SAY_PLAIN, "did you mean: tacho %s", nearest);
	else
		say(SAY_PLAIN, "the commands there are: tacho help");
	return STATUS_WRONG_USE;
}
