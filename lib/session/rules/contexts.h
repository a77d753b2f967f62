/* SPDX-License-Identifier: MIT */
/*
 * contexts.h - what the contexts of a session's channels are called, and whether they work here.
 */
#ifndef TACHO_SESSION_RULES_CONTEXTS_H
#define TACHO_SESSION_RULES_CONTEXTS_H

#include "base/context_name.h"
#include "session/session.h"

/*
 * session_context_name() - what enum tacho_context @number is called, as add-context takes it
 * @room: CONTEXT_PERF_NAME_BYTES, for a counter's
 */
const char *session_context_name(const struct tacho_session *file, unsigned int number, char *room);

/*
 * context_check() - can this context have a value here, as far as this process can tell?
 *
 * Return: 0; a negative errno, with why not: it will be recorded as unavailable.
 */
int context_check(const char *name, struct tacho_error *error);

#endif
