/* SPDX-License-Identifier: MIT */
/*
 * output_owner.h - whose is the directory that a new session is to write to?
 *
 * That it is empty says nothing: a session writes its first byte some time after it was started.
 * Two that wrote to one directory would overwrite each other's trace.
 */
#ifndef TACHO_SESSION_OUTPUT_OWNER_H
#define TACHO_SESSION_OUTPUT_OWNER_H

#include "session/session.h"

/*
 * output_check_free() - is there no session of this runtime directory with the output @path?
 * @path: of a directory that is there, by whatever name
 *
 * Context: below the runtime lock, so that no other session is made meanwhile.
 *
 * Return: 0; -EEXIST says which session has it; or what reading the sessions gave.
 */
int output_check_free(struct runtime *runtime, const char *path, struct tacho_error *error);

#endif
