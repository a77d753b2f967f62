/* SPDX-License-Identifier: MIT */
/* domain.c - see domain.h */
#include "domain.h"

#include "options.h"

struct domain_asked domain_asked;

int wants_userspace(const struct command *command)
{
	if (domain_asked.kernel)
		return wrong_use(command, "--kernel: events of the kernel cannot be recorded yet; "
					  "those of programs can: leave it out, or --userspace");
	if (domain_asked.jul || domain_asked.log4j || domain_asked.python)
		return wrong_use(command,
				 "--%s: there is nothing for this kind of logger; the "
				 "events of programs are meant without it",
				 domain_asked.jul   ? "jul" :
				 domain_asked.log4j ? "log4j" :
						      "python");
	return STATUS_DONE;
}
