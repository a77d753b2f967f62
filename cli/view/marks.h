/* SPDX-License-Identifier: MIT */
/*
 * marks.h - what of a growing trace was shown already, when it is read again, and where to go on.
 *
 * A rotation gives files other names, and theirs to new ones; and those that are removed leave their
 * inode to new ones. So a file is known by what it is and when it was born (struct ctf_file_id).
 *
 *      the drain                                   a file's name               the file's mark
 *      writes the current chunk                    ust/uid/UID/../F            grows with it
 *      completes and closes it, cuts the rings     the same                    grows to its end
 *      renames ust/uid/UID (commit:B)              archives/.new-UID/../F      stays
 *      renames archives/.new-UID (commit:D)        archives/BEGIN-END-ID/../F  stays
 *      makes the next chunk                        ust/uid/UID/../F            a new one
 *      clear: renames ust/uid/UID, removes it      .cleared-UID/../F, none     stays, unused
 *      a limit: replaces or removes a file         F is another one, or none   stays, unused
 *
 * Within one file, events only become more, at the end. So of each file is kept when the last event
 * that was shown is, by the raw clock, and how many of that very time there were. (Nanoseconds will
 * not do: what a tick is becomes known better while a session records.) A packet that grows counts
 * what was lost before it, and only the last one does: so of losses it is how many were shown of the
 * last packet. That packet is also where the file is to be read on.
 */
#ifndef TACHO_CLI_VIEW_MARKS_H
#define TACHO_CLI_VIEW_MARKS_H

#include "ctf/read/reader.h"

struct view_marks;

struct view_marks *view_marks_new(void);
void view_marks_free(struct view_marks *marks);

/* view_marks_again() - from here on, items come again: each file's from where view_marks_go() put it,
 * or from its begin */
void view_marks_again(struct view_marks *marks);

/*
 * view_marks_pass() - is an item new? Then it counts as shown.
 * @ret_new: what of it is: of a loss, what came to those that were shown
 */
bool view_marks_pass(struct view_marks *marks, const struct ctf_item *item,
		     struct ctf_item *ret_new);

/* view_marks_go() - put a reader that was just opened to where items may be new. Return: 0, -ENOMEM. */
int view_marks_go(const struct view_marks *marks, struct ctf_reader *reader);

#endif
