/* SPDX-License-Identifier: MIT */
/*
 * saved.h - a session as the commands that make it: what tacho save writes, and load reads.
 *
 *	create work --snapshot --buffer 1M
 *	enable-event -c channel0 --filter 'total > 3' 'shop:*'
 *	start
 *
 * Each line is a command of tacho without the word tacho; those that name no session are about the
 * one that the first line makes. Options that would say what is so anyway are left out. What comes
 * out of load is printed the same again.
 */
#ifndef TACHO_CLI_SAVED_H
#define TACHO_CLI_SAVED_H

#include <stdio.h>

#include "format/session.h"

/* saved_print() - @file: a copy, from look_session() */
void saved_print(FILE *out, const struct tacho_session *file);

/*
 * saved_directory() - where sessions are kept: $XDG_CONFIG_HOME/tacho/KIND; to be freed
 * @kind: "sessions" or "autoload"
 *
 * Return: NULL if there is no home.
 */
char *saved_directory(const char *kind);
/* saved_system_directory() - those of all users: /etc/xdg/tacho/KIND; to be freed. */
char *saved_system_directory(const char *kind);

/* saved_file_name() - of a session's file: its name, escaped, and ".tacho"; to be freed. NULL: it is
 * not a name that a session can have. */
char *saved_file_name(const char *session);
#define SAVED_SUFFIX ".tacho"

#endif
