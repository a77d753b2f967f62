/* SPDX-License-Identifier: MIT */
/*
 * traces.h - find traces: the newest one, or that of a session, also of one that is gone.
 *
 *	~/tacho-traces/NAME-DATE            of a streaming session
 *	~/tacho-traces/NAME-snapshot-DATE   of a flight recorder
 *	DIR/snapshot-DATE                   of one that was created with -o DIR
 *
 * A directory without a trace in it is what a session leaves that never recorded: it is passed over.
 */
#ifndef TACHO_CLI_TRACES_H
#define TACHO_CLI_TRACES_H

#include <stdbool.h>

/* traces_home() - where traces go if no directory is named: $HOME/tacho-traces; to be freed. */
char *traces_home(void);

/* trace_is_in() - is there a trace in @dir, or below? */
bool trace_is_in(const char *dir);

/* trace_newest() - of all in traces_home(); to be freed. Return: 0 or -ENOENT. */
int trace_newest(char **ret_dir);

/*
 * trace_of_session() - the trace of a session, or, if it has none, its newest snapshot
 * @name: of one that there is, or that there was
 *
 * Return: 0 and a path, to be freed; -ENOENT.
 */
int trace_of_session(const char *name, char **ret_dir);

#endif
