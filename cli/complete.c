/* SPDX-License-Identifier: MIT */
/* complete.c - see complete.h */
#include "complete.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "candidates.h"
#include "classify.h"
#include "find.h"
#include "text.h"

#define COMMAND_NAME_BYTES 64

static int count_words(const char *const *words)
{
	int count = 0;

	while (words[count])
		count++;
	return count;
}

/* ---- commands ---- */

/* The first words of commands, each once: those of one name stand together. */
static void print_first_words(const char *typed)
{
	char before[COMMAND_NAME_BYTES] = "";
	struct candidates c = { .typed = typed, .prefix = "" };

	for (int i = 0; commands[i]; i++) {
		const struct command *command = commands[i];
		bool is_group = strchr(command->name, ' ');
		char word[COMMAND_NAME_BYTES];

		snprintf(word, sizeof(word), "%.*s", (int)strcspn(command->name, " "),
			 command->name);
		if (!command->is_hidden && strcmp(word, before))
			candidates_offer(&c, word, is_group ? NULL : command->summary);
		memcpy(before, word, sizeof(before));
	}
}

/* "tacho --version" and its like stand where a command does. */
static void print_first_options(const char *typed)
{
	size_t dashes = strspn(typed, "-");
	struct candidates c = { .typed = typed + dashes, .prefix = "--" };

	if (dashes == 1 && typed[1]) /* letters */
		return;
	candidates_offer(&c, "help", "Show what commands there are");
	candidates_offer(&c, "version", "Show which version of tacho this is");
}

static void print_second_words(const char *first, const char *typed)
{
	struct candidates c = { .typed = typed, .prefix = "" };
	size_t length = strlen(first);

	for (int i = 0; commands[i]; i++)
		if (!strncmp(commands[i]->name, first, length) && commands[i]->name[length] == ' ')
			candidates_offer(&c, commands[i]->name + length + 1, commands[i]->summary);
}

/* ---- options and what they take ---- */

static void print_options(const struct command *command, const char *typed)
{
	size_t dashes = strspn(typed, "-");
	struct candidates c = { .typed = typed + dashes, .prefix = "--" };

	if (dashes == 1 && typed[1]) /* letters */
		return;
	for (const struct poptOption *o = command->options; o->longName || o->shortName; o++)
		if (o->longName && !(o->argInfo & POPT_ARGFLAG_DOC_HIDDEN))
			candidates_offer(&c, o->longName, o->descrip);
}

/* "[SESSION..]", "PATTERN[,PATTERN]..", "FILE|DIR": what the word stands for. A list is completed
 * behind its last comma. */
static void print_values(const char *what, const char *session, const char *prefix,
			 const char *typed)
{
	struct candidates c = { .session = session };
	const char *comma = strrchr(typed, ',');
	bool is_list = strchr(what, ',');
	size_t listed = is_list && comma ? (size_t)(comma + 1 - typed) : 0;
	char *whole = xasprintf("%s%.*s", prefix, (int)listed, typed);

	c.prefix = whole;
	c.typed = typed + listed;
	candidates_print(&c, what);
	free(whole);
}

/* "[SESSION | PID]" is one argument; to be freed. */
static char *without_blanks_at_bars(const char *arguments)
{
	char *text = xstrdup(arguments);
	char *bar;

	while ((bar = strstr(text, " | "))) {
		*bar = '|';
		memmove(bar + 1, bar + 3, strlen(bar + 3) + 1);
	}
	return text;
}

/* What the help calls the argument with this index; the last word stands for all that follow. To be
 * freed. */
static char *argument_word(const struct command *command, int index)
{
	char *text = without_blanks_at_bars(command->arguments);
	char *at = text, *next, *word;

	for (; index && (next = strchr(at, ' ')); index--)
		at = next + 1;
	word = index && !strstr(at, "..") ? xstrdup("") :
					    xasprintf("%.*s", (int)strcspn(at, " "), at);
	free(text);
	return word;
}

static const char *find_session(const struct word_class *classes, int count)
{
	for (int i = 0; i < count; i++) {
		const struct poptOption *option = classes[i].option;

		if (option && option->longName && classes[i].value &&
		    !strcmp(option->longName, "session"))
			return classes[i].value;
	}
	return NULL;
}

static void print_argument(const struct command *command, const struct word_class *last,
			   const char *session, const char *typed)
{
	char *what = argument_word(command, last->argument_index);

	print_values(what, session, "", typed);
	if (!*typed || !strcmp(typed, "-"))
		print_options(command, typed);
	free(what);
}

/* The help calls patterns of programs what it calls those of events. */
static const char *value_word(const struct poptOption *option)
{
	const char *word = option->argDescrip ? option->argDescrip : "";

	if (!option->longName || strcmp(option->longName, "exec"))
		return word;
	return strchr(word, ',') ? "EXECUTABLE,.." : "EXECUTABLE";
}

static void print_for(const struct command *command, const struct word_class *classes, int count,
		      const char *typed)
{
	const struct word_class *last = &classes[count - 1];
	const char *session = find_session(classes, count - 1);

	if (last->kind == WORD_PROGRAM) {
		puts(last->argument_index ? ":files" : ":programs");
	} else if (last->option && last->value) {
		char *prefix = xasprintf("%.*s", (int)(strlen(typed) - strlen(last->value)), typed);

		print_values(value_word(last->option), session, prefix, last->value);
		free(prefix);
	} else if (last->kind == WORD_OPTION) {
		print_options(command, typed);
	} else {
		print_argument(command, last, session, typed);
	}
}

static void print_command_line(const char *const *words, int count)
{
	int name_words;
	const struct command *command = find_command(words, &name_words);
	struct word_class *classes;

	if (!command || name_words >= count)
		return;
	classes = xcalloc((size_t)count, sizeof(*classes));
	classify(command, words + name_words, count - name_words, classes);
	print_for(command, classes, count - name_words, words[count - 1]);
	free(classes);
}

/* The command is looked for without the word that is being typed. */
void complete_print(const char *const *words)
{
	int count = count_words(words);

	if (count == 1 && words[0][0] == '-')
		print_first_options(words[0]);
	else if (count < 2)
		print_first_words(count ? words[0] : "");
	else if (count == 2 && find_is_group(words[0]) && words[1][0] != '-')
		print_second_words(words[0], words[1]);
	else
		print_command_line(words, count);
}
