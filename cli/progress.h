/* SPDX-License-Identifier: MIT */
/*
 * progress.h - how far long work is, as a bar in the last line of a terminal:
 *
 *	reading [##########----------] 50% 0:07 left
 *
 * It appears once something takes more than a second, and is erased at the end, and before anything
 * else is said. It is for the eye only: there is none unless the standard error output is a terminal,
 * none while the standard output is a pipe (a pager may be behind it), and none where lines are being
 * printed on the same terminal.
 */
#ifndef TACHO_CLI_PROGRESS_H
#define TACHO_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* progress_begin() - @what: a word that stays; @prints: lines go to the standard output meanwhile */
void progress_begin(const char *what, bool prints);

/* progress_show() - so much of so much is done; cheap enough for each few milliseconds */
void progress_show(uint64_t done, uint64_t total);

/* progress_clear() - take the bar away; the next progress_show() brings it again */
void progress_clear(void);
void progress_end(void);

#endif
