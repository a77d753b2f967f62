/* SPDX-License-Identifier: MIT */
/*
 * complete.h - what may stand at the end of a command line, for the completion of shells.
 *
 * Commands and options come from the tables that parse them. What an option or an argument takes is
 * told by the word that its help has for it: where that is SESSION, there are the names of sessions;
 * so a new command completes without a line about it here.
 */
#ifndef TACHO_CLI_COMPLETE_H
#define TACHO_CLI_COMPLETE_H

/*
 * complete_print() - print all words that can follow
 * @words: behind `tacho`; NULL-terminated; the last is what was typed of the word that is wanted,
 *         perhaps ""
 *
 * A line each: the whole word, and perhaps a tab and what it means. A line ":files", ":dirs" or
 * ":programs" asks the shell to do what it can do best; it goes for what is behind a '=' in the last
 * word, if there is one. Prints nothing if there is nothing to say: never an error.
 */
void complete_print(const char *const *words);

#endif
