/* SPDX-License-Identifier: MIT */
/*
 * classify.h - what each word of a command line is, without obeying it: for completion, and to find
 * names in it.
 */
#ifndef TACHO_CLI_CLASSIFY_H
#define TACHO_CLI_CLASSIFY_H

#include "cmd.h"

enum word_kind {
	WORD_OPTION, /* "--session", "-s", "--session=x", "-sx"; "--" too, with no option */
	WORD_VALUE,  /* of the option before it */
	WORD_ARGUMENT,
	WORD_PROGRAM, /* options_end_early: of the program that is run */
};

struct word_class {
	enum word_kind kind;
	const struct poptOption
		*option;    /* WORD_OPTION, WORD_VALUE; NULL: there is none so called */
	const char *value;  /* "x" of "--session=x"; of WORD_VALUE the word; or NULL */
	int argument_index; /* WORD_ARGUMENT: counted from 0 */
};

/*
 * classify() - the words behind a command's name
 * @ret_classes: room for @count
 */
void classify(const struct command *command, const char *const *words, int count,
	      struct word_class *ret_classes);

/* classify_takes_value() - does it? The next word may be its value, then. */
bool classify_takes_value(const struct poptOption *option);

/* classify_find() - an option by its long name, without the dashes. Return: NULL if there is none. */
const struct poptOption *classify_find(const struct command *command, const char *name);

#endif
