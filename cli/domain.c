/* SPDX-License-Identifier: MIT */
/* domain.c - see domain.h */
#include "domain.h"

#include "options.h"

struct domain_asked domain_asked;

int wants_domain(const struct command *command, enum tacho_domain *ret_domain)
{
	*ret_domain = domain_asked.kernel ? TACHO_DOMAIN_KERNEL : TACHO_DOMAIN_USER;
	if (domain_asked.kernel && domain_asked.userspace)
		return wrong_use(command, "--kernel and --userspace exclude each other");
	if (domain_asked.jul || domain_asked.log4j || domain_asked.python)
		return wrong_use(command,
				 "--%s: there is nothing for this kind of logger; the "
				 "events of programs are meant without it",
				 domain_asked.jul   ? "jul" :
				 domain_asked.log4j ? "log4j" :
						      "python");
	return STATUS_DONE;
}

int wants_userspace(const struct command *command)
{
	enum tacho_domain domain;

	if (domain_asked.kernel)
		return wrong_use(command, "--kernel: there is no such thing for the kernel's events; "
					  "for those of programs leave it out");
	return wants_domain(command, &domain);
}
