/* SPDX-License-Identifier: MIT */
/*
 * kernel_wants.h - the kernel tells all events that it has, so a pattern that matches none is a
 * mistake, and would record nothing without a word.
 */
#ifndef TACHO_CLI_KERNEL_WANTS_H
#define TACHO_CLI_KERNEL_WANTS_H

#include "format/session.h"

/*
 * kernel_wants() - does the kernel have what @pattern names?
 * @kind: TACHO_RULE_TRACEPOINT or TACHO_RULE_SYSCALL
 *
 * Return: exit status; STATUS_DONE as well where its list cannot be read: what is missing is said by who
 * records. Else what was meant, perhaps, was said.
 */
int kernel_wants(enum tacho_rule_kind kind, const char *pattern);

#endif
