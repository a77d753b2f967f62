/* SPDX-License-Identifier: MIT */
/*
 * follow.h - a trace that a session still writes, as tail -f does it.
 *
 * Traces are whole at every moment (lib/ctf/write/stream_put.c), so the trace is opened again and
 * again, and of each file read on with the packet that something was seen of last; what was shown of
 * that one is passed over (marks.h). After each time there is a pause that is a multiple of what it
 * took.
 *
 * Between looking for traces and reading the last of them, a rotation may move them (marks.h; in full:
 * doc/design/rotation.md). Each chunk is made when the one before it was moved out of its way, and a
 * walk meets a chunk only together with those before it:
 *
 *      traces moved while they were looked for    the reader is opened again (ctf_reader_open())
 *      .. later                                   names lead to none or to other files, which is seen
 *                                                 by what they are: the walk ends there, and the next
 *                                                 one goes on
 *      a file was replaced or removed by a limit  its stream goes on with the next file
 *
 * None of these is damage; what is, the last walk tells, when nobody writes any more.
 *
 * What is newer than VIEW_FOLLOW_HOLD_NS is left for the next time: of each CPU it is written by
 * then, so that events are in order.
 */
#ifndef TACHO_CLI_VIEW_FOLLOW_H
#define TACHO_CLI_VIEW_FOLLOW_H

#include "walk.h"

#define VIEW_FOLLOW_HOLD_NS 300000000ull

/*
 * view_follow_find() - where the trace of a session is, or will be; else as view_find()
 *
 * Return: to be freed; NULL: it was said why not.
 */
char *view_follow_find(const struct command *command, const char *named);

/*
 * view_follow() - walk, as long as a session writes to walk->dir, or until what is wanted has ended
 * @walk: items that were handed over before are not again; `pause` is called after each time
 *
 * Return: as view_walk().
 */
int view_follow(struct view_walk *walk, int *ret_err);

#endif
