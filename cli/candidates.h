/* SPDX-License-Identifier: MIT */
/*
 * candidates.h - words that can stand for something: names of sessions, channels, events, levels.
 */
#ifndef TACHO_CLI_CANDIDATES_H
#define TACHO_CLI_CANDIDATES_H

struct candidates {
	const char *typed;   /* what they must begin with */
	const char *prefix;  /* what is before that in the same word: "--", "--session=", "a,b," */
	const char *session; /* whose channels are meant; NULL: the current one's */
};

/* candidates_offer() - print one, if it begins with what was typed; @meaning may be NULL. */
void candidates_offer(const struct candidates *c, const char *word, const char *meaning);

/*
 * candidates_print() - all for a word of the help
 * @what: "SESSION", "[CHANNEL..]", "FILE|DIR", "USEC|inf": words of capitals are looked up, others
 *        stand for themselves
 */
void candidates_print(const struct candidates *c, const char *what);

#endif
