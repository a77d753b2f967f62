/* SPDX-License-Identifier: MIT */
/*
 * options.h - a command's options: parsed, and shown as help, from its one table.
 */
#ifndef TACHO_CLI_OPTIONS_H
#define TACHO_CLI_OPTIONS_H

#include "cmd.h"

/*
 * options_run() - parse a command's options, then run it
 * @argv: the command line; argv[0] belongs to the last word of the command's name
 *
 * Return: exit status.
 */
int options_run(const struct command *command, int argc, const char **argv);

void options_print_help(const struct command *command);

/* wrong_use() - say what is wrong and where help is. Return: STATUS_WRONG_USE. */
int wrong_use(const struct command *command, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* option_count() - how many values a POPT_ARG_ARGV option got. Takes NULL. */
int option_count(const char *const *values);

#endif
