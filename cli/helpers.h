/* SPDX-License-Identifier: MIT */
/*
 * helpers.h - the libraries that record programs which know nothing of it: what `tacho record`
 * preloads for --malloc, --locks, --libs and --functions.
 */
#ifndef TACHO_CLI_HELPERS_H
#define TACHO_CLI_HELPERS_H

#include <stdbool.h>

#define HELPER_PROVIDERS_MAX 3

struct helper {
	const char *option;
	const char *module;
	const char *providers[HELPER_PROVIDERS_MAX + 1]; /* with the colon */
	const char *subject; /* "no event of .." */
	const char *reasons; /* why there may be none */
};

enum { HELPER_MALLOC, HELPER_LOCKS, HELPER_LIBS, HELPER_FUNCTIONS, HELPERS_COUNT };

extern const struct helper helpers[HELPERS_COUNT];

/*
 * helpers_find() - the value of LD_PRELOAD for those that are asked for; to be freed
 *
 * What cannot be found is said. Return: a status of the command; with STATUS_DONE *@ret_preload is
 * NULL if none is asked for.
 */
int helpers_find(const int asked[HELPERS_COUNT], char **ret_preload);

/* helper_is_chosen() - does one of these patterns choose among its events? */
bool helper_is_chosen(const struct helper *helper, char *const *patterns);

#endif
