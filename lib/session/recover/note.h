/* SPDX-License-Identifier: MIT */
/* note.h - tell the caller of recover_session() what could not be recovered. */
#ifndef TACHO_SESSION_RECOVER_NOTE_H
#define TACHO_SESSION_RECOVER_NOTE_H

#include "session/recover/recover.h"

void note(const struct recover_options *options, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
