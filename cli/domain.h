/* SPDX-License-Identifier: MIT */
/*
 * domain.h - options that say whose events are meant: as LTTng has them. Where nothing is said, those
 * of programs are, --userspace.
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
#include "format/session.h"

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
#define DOMAIN_USERSPACE_ENTRY                                                                     \
	{                                                                                          \
		"userspace", 'u', POPT_ARG_NONE, &domain_asked.userspace, 0,                       \
		"Events of programs; it may be left out", NULL                                     \
	}
/* Of a command that knows nothing of the kernel. */
#define DOMAIN_ENTRIES_WITHOUT_KERNEL                                                              \
	DOMAIN_USERSPACE_ENTRY, DOMAIN_HIDDEN_ENTRY(kernel, 'k'), DOMAIN_HIDDEN_ENTRY(jul, 'j'),   \
	DOMAIN_HIDDEN_ENTRY(log4j, 'l'), DOMAIN_HIDDEN_ENTRY(python, 'p')
#define DOMAIN_ENTRIES_WITHOUT_PYTHON                                                              \
	DOMAIN_USERSPACE_ENTRY,                                                                    \
	{                                                                                          \
		"kernel", 'k', POPT_ARG_NONE, &domain_asked.kernel, 0, "Events of the kernel",     \
		NULL                                                                               \
	},                                                                                         \
	DOMAIN_HIDDEN_ENTRY(jul, 'j'),                                                             \
	DOMAIN_HIDDEN_ENTRY(log4j, 'l')
#define DOMAIN_ENTRIES DOMAIN_ENTRIES_WITHOUT_PYTHON, DOMAIN_HIDDEN_ENTRY(python, 'p')
/* clang-format on */

/* wants_domain() - of those that there are. Return: exit status. */
int wants_domain(const struct command *command, enum tacho_domain *ret_domain);

/* wants_userspace() - of a command that knows no other. */
int wants_userspace(const struct command *command);

#endif
