/* SPDX-License-Identifier: MIT */
/*
 * find.h - which command is meant by the words of a command line.
 */
#ifndef TACHO_CLI_FIND_H
#define TACHO_CLI_FIND_H

#include "cmd.h"

/*
 * find_command() - the command that @words begin with
 * @words: NULL-terminated, at least one
 * @ret_count: how many of them are its name
 *
 * The first word of a name of two stands for the command that stands_alone; what follows it is then
 * an argument, or an option.
 *
 * Return: the command, or NULL.
 */
const struct command *find_command(const char *const *words, int *ret_count);

/* find_is_group() - do commands of two words begin with this one? */
bool find_is_group(const char *word);

/*
 * find_nearest() - the command that may have been meant by @words, which name none
 *
 * Return: its name, or the first word of several; NULL if nothing is near.
 */
const char *find_nearest(const char *const *words);

/* find_say_unknown() - say that @words name no command, and what may be meant. Return: exit status. */
int find_say_unknown(const char *const *words);

#endif
