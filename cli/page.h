/* SPDX-License-Identifier: MIT */
/*
 * page.h - the manual page of a command.
 */
#ifndef TACHO_CLI_PAGE_H
#define TACHO_CLI_PAGE_H

#include "cmd.h"

/* page_name() - "tacho-snapshot": commands of two words share the page of their first. */
const char *page_name(const struct command *command);

/* page_show() - open it in man(1). Return: could it be shown? */
bool page_show(const struct command *command);

#endif
