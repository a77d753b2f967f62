/* SPDX-License-Identifier: MIT */
/* suggest.c - see suggest.h */
#include "suggest.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#define WORD_MAX 63
/* Letters that make a word recognizable by its beginning. */
#define BEGIN_MIN 3

static unsigned int min2(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Insertions, removals, replacements, and swaps of neighbours that make @b of @a. */
static unsigned int edit_distance(const char *a, const char *b)
{
	unsigned int cost[WORD_MAX + 1][WORD_MAX + 1];
	size_t a_count = strlen(a);
	size_t b_count = strlen(b);

	if (a_count > WORD_MAX || b_count > WORD_MAX)
		return UINT_MAX;
	for (size_t i = 0; i <= a_count; i++)
		cost[i][0] = i;
	for (size_t j = 0; j <= b_count; j++)
		cost[0][j] = j;
	for (size_t i = 1; i <= a_count; i++) {
		for (size_t j = 1; j <= b_count; j++) {
			unsigned int replaced = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			unsigned int shifted = min2(cost[i - 1][j], cost[i][j - 1]) + 1;

			cost[i][j] = min2(replaced, shifted);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				cost[i][j] = min2(cost[i][j], cost[i - 2][j - 2] + 1);
		}
	}
	return cost[a_count][b_count];
}

/* "warn" for "warning", "critical" for "crit". */
static bool is_begin_of(const char *a, const char *b)
{
	size_t a_count = strlen(a), b_count = strlen(b);
	size_t both = a_count < b_count ? a_count : b_count;

	return both >= BEGIN_MIN && !strncmp(a, b, both);
}

struct suggestion suggestion_for(const char *typed)
{
	return (struct suggestion){ .typed = typed, .distance = UINT_MAX };
}

void suggestion_consider(struct suggestion *s, const char *word)
{
	unsigned int distance = edit_distance(s->typed, word);

	if (distance && is_begin_of(s->typed, word))
		distance = 1;
	if (distance >= s->distance)
		return;
	s->distance = distance;
	s->nearest = word;
}

/* Half of the letters wrong is no typing error any more. */
const char *suggestion_word(const struct suggestion *s)
{
	return s->nearest && s->distance <= (strlen(s->typed) + 1) / 3 ? s->nearest : NULL;
}
