/* SPDX-License-Identifier: MIT */
/*
 * catalogue.h - all commands and their options, for programs: from the tables that parse them.
 */
#ifndef TACHO_CLI_CATALOGUE_H
#define TACHO_CLI_CATALOGUE_H

/* catalogue_print_json() - Return: exit status. */
int catalogue_print_json(void);

#endif
