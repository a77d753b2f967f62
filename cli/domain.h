/* SPDX-License-Identifier: MIT */
/*
 * domain.h - options that say whose events are meant: as LTTng has them. Only those of programs,
 * --userspace, are there; they are meant as well where nothing is said.
 *
 *	static const struct poptOption options[] = {
 *		..
 *		DOMAIN_ENTRIES,
 *		OPTION_HELP_ENTRY,
 *	};
 */
#ifndef TACHO_CLI_DOMAIN_H
#define TACHO_CLI_DOMAIN_H

#include "cmd.h"

struct domain_asked {
	int userspace;
	int kernel;
	int jul;
	int log4j;
	int python;
};
extern struct domain_asked domain_asked;

/* clang-format off */
#define DOMAIN_HIDDEN_ENTRY(name, letter)                                                          \
	{                                                                                          \
		#name, letter, POPT_ARG_NONE | POPT_ARGFLAG_DOC_HIDDEN, &domain_asked.name, 0,     \
		NULL, NULL                                                                         \
	}
#define DOMAIN_ENTRIES_WITHOUT_PYTHON                                                              \
	{                                                                                          \
		"userspace", 'u', POPT_ARG_NONE, &domain_asked.userspace, 0,                       \
		"Events of programs: there are no others yet, so it may be left out", NULL         \
	},                                                                                         \
	DOMAIN_HIDDEN_ENTRY(kernel, 'k'),                                                          \
	DOMAIN_HIDDEN_ENTRY(jul, 'j'),                                                             \
	DOMAIN_HIDDEN_ENTRY(log4j, 'l')
#define DOMAIN_ENTRIES DOMAIN_ENTRIES_WITHOUT_PYTHON, DOMAIN_HIDDEN_ENTRY(python, 'p')
/* clang-format on */

/* wants_userspace() - says so where another domain was asked for. Return: exit status. */
int wants_userspace(const struct command *command);

#endif
