/* SPDX-License-Identifier: MIT */
/*
 * find.h - the trace that an argument [DIR|SESSION|last] means. Says what is wrong.
 */
#ifndef TACHO_CLI_VIEW_FIND_H
#define TACHO_CLI_VIEW_FIND_H

#include "cli/cmd.h"

/* view_find() - @named: NULL: the newest. Return: to be freed; NULL. */
char *view_find(const struct command *command, const char *named);

#endif
