/* SPDX-License-Identifier: MIT */
/* alive.h - is a session really over? While it is not, there is a better way to its events. */
#ifndef TACHO_SESSION_RECOVER_ALIVE_H
#define TACHO_SESSION_RECOVER_ALIVE_H

#include "session/recover/remains.h"

/*
 * alive_check() - nobody writes its trace, and no program that runs records for it
 *
 * From then on there is no drain as long as @remains is open.
 *
 * Return: 0; -EBUSY, with the command to use instead.
 */
int alive_check(struct remains *remains, struct tacho_error *error);

#endif
