/* SPDX-License-Identifier: MIT */
/*
 * slots.h - the numbers by which traced programs know sessions: symbolic links slots/N. A link that
 * leads nowhere is a free slot. Both functions want the runtime lock.
 */
#ifndef TACHO_SESSION_SLOTS_H
#define TACHO_SESSION_SLOTS_H

#include "session/session.h"

/* slots_clean() - remove links to sessions that are gone, or that have another slot. */
void slots_clean(struct runtime *runtime);

/* slots_find_free() - Return: a number, or -EBUSY with @error when all are taken. */
int slots_find_free(struct runtime *runtime, struct tacho_error *error);

/* slots_link() - make slots/@slot lead to the session directory @escaped, which may come later. */
int slots_link(struct runtime *runtime, int slot, const char *escaped, struct tacho_error *error);

#endif
