/* SPDX-License-Identifier: MIT */
/* classify.c - see classify.h */
#include "classify.h"

#include <stddef.h>
#include <string.h>

struct reading {
	const struct command *command;
	const struct poptOption *pending; /* its value comes next */
	bool has_ended;                   /* there are no options any more */
	int arguments;
};

static bool is_last(const struct poptOption *option)
{
	return !option->longName && !option->shortName;
}

bool classify_takes_value(const struct poptOption *option)
{
	return (option->argInfo & POPT_ARG_MASK) != POPT_ARG_NONE;
}

static bool may_lack_value(const struct poptOption *option)
{
	return option->argInfo & POPT_ARGFLAG_OPTIONAL;
}

static const struct poptOption *find_long(const struct command *command, const char *name,
					  size_t length)
{
	for (const struct poptOption *o = command->options; !is_last(o); o++)
		if (o->longName && strlen(o->longName) == length &&
		    !strncmp(o->longName, name, length))
			return o;
	return NULL;
}

const struct poptOption *classify_find(const struct command *command, const char *name)
{
	return find_long(command, name, strlen(name));
}

static const struct poptOption *find_letter(const struct command *command, char letter)
{
	for (const struct poptOption *o = command->options; !is_last(o); o++)
		if (o->shortName == letter)
			return o;
	return NULL;
}

static struct word_class read_long(struct reading *r, const char *name)
{
	size_t length = strcspn(name, "=");
	const struct poptOption *option = find_long(r->command, name, length);

	if (name[length])
		return (struct word_class){ .option = option, .value = name + length + 1 };
	if (option && classify_takes_value(option))
		r->pending = option;
	return (struct word_class){ .option = option };
}

/* "-af": two letters; "-sx", "-s=x": one with its value. */
static struct word_class read_letters(struct reading *r, const char *letters)
{
	const struct poptOption *option = NULL;

	for (; *letters; letters++) {
		option = find_letter(r->command, *letters);
		if (!option || !classify_takes_value(option))
			continue;
		if (!letters[1])
			r->pending = option;
		else
			return (struct word_class){ .option = option,
						    .value = letters + 1 + (letters[1] == '=') };
	}
	return (struct word_class){ .option = option };
}

static struct word_class read_word(struct reading *r, const char *word)
{
	const struct poptOption *pending = r->pending;

	r->pending = NULL;
	if (pending && !(may_lack_value(pending) && word[0] == '-')) {
		return (struct word_class){ WORD_VALUE, pending, word, 0 };
	}
	if (!r->has_ended && word[0] == '-' && word[1]) {
		r->has_ended = !strcmp(word, "--");
		if (r->has_ended)
			return (struct word_class){ 0 };
		return word[1] == '-' ? read_long(r, word + 2) : read_letters(r, word + 1);
	}
	if (r->command->options_end_early)
		r->has_ended = true;
	return (struct word_class){
		.kind = r->command->options_end_early ? WORD_PROGRAM : WORD_ARGUMENT,
		.argument_index = r->arguments++,
	};
}

void classify(const struct command *command, const char *const *words, int count,
	      struct word_class *ret_classes)
{
	struct reading reading = { .command = command };

	for (int i = 0; i < count; i++)
		ret_classes[i] = read_word(&reading, words[i]);
}
