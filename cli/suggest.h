/* SPDX-License-Identifier: MIT */
/*
 * suggest.h - what somebody may have meant who mistyped a word.
 *
 *	struct suggestion s = suggestion_for("recrod");
 *	suggestion_consider(&s, "record");  ... and so on, for each word that would be right
 *	suggestion_word(&s)                 "record", or NULL if nothing is near
 */
#ifndef TACHO_CLI_SUGGEST_H
#define TACHO_CLI_SUGGEST_H

struct suggestion {
	const char *typed;
	const char *nearest;
	unsigned int distance;
};

struct suggestion suggestion_for(const char *typed);
void suggestion_consider(struct suggestion *s, const char *word);
const char *suggestion_word(const struct suggestion *s);

#endif
