/* SPDX-License-Identifier: MIT */
/*
 * words.h - lines of a file as a shell takes them for words, but for everything that is not quoting:
 * nothing is expanded, no character but these is special.
 *
 *	# to the end of the line       a comment, where a word could begin
 *	'..'  "..\".."  $'..\n..'      quoted; the last with the escapes of C: what shell_word() writes
 *	\c                             c itself; at the end of a line: it goes on in the next
 */
#ifndef TACHO_CLI_WORDS_H
#define TACHO_CLI_WORDS_H

#include <stddef.h>

struct words {
	const char **word; /* NULL-terminated, as run() of a command takes them */
	int *line;         /* where each one begins, counted from 1 */
	int *column;       /* in characters of the line, counted from 1 */
	int count;
};

struct words_error {
	int line;
	int column;
	const char *text;
};

/*
 * words_next() - the words of the next line that has some
 * @at: where it begins; moves behind it
 * @line: of *at, counted from 1; moves with it
 *
 * Return: 0; -ENODATA: nothing more; -EINVAL, with @reterr_error.
 */
int words_next(const char **at, int *line, struct words *ret_words,
	       struct words_error *reterr_error);
void words_fini(struct words *words);

#endif
