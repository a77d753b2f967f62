/* SPDX-License-Identifier: MIT */
/* helpers.c - see helpers.h */
#include "helpers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "place.h"
#include "say.h"
#include "text.h"

#define OR_WHAT_IT_RAN                                                                             \
	"or what it ran is linked statically, set-user-ID, built with -fsanitize=address, or was " \
	"started without LD_PRELOAD, as by env -i: "

const struct helper helpers[HELPERS_COUNT] = {
	[HELPER_MALLOC] = {
		.option = "--malloc",
		.module = "libtacho-malloc.so",
		.providers = { "malloc:" },
		.subject = "the heap",
		.reasons = "the program called no malloc() or has one of its own, "
			   OR_WHAT_IT_RAN "man tacho-malloc",
	},
	[HELPER_LOCKS] = {
		.option = "--locks",
		.module = "libtacho-locks.so",
		.providers = { "lttng_ust_pthread:" },
		.subject = "locks",
		.reasons = "the program called none of the pthread functions of locks, "
			   OR_WHAT_IT_RAN "man tacho-locks",
	},
	[HELPER_LIBS] = {
		.option = "--libs",
		.module = "libtacho-libs.so",
		.providers = { "lttng_ust_statedump:", "lttng_ust_lib:", "lttng_ust_dl:" },
		.subject = "libraries",
		.reasons = "the library could not be preloaded, " OR_WHAT_IT_RAN "man tacho-libs",
	},
	[HELPER_FUNCTIONS] = {
		.option = "--functions",
		.module = "libtacho-functions.so",
		.providers = { "lttng_ust_cyg_profile:", "function:" },
		.subject = "functions",
		.reasons = "the program is not built with -finstrument-functions or -pg, "
			   OR_WHAT_IT_RAN "man tacho-functions",
	},
};

static int find(const struct helper *helper, char **ret_path)
{
	int err = place_of_module(helper->module, ret_path);

	if (err == -EINVAL)
		return fail("%s: LD_PRELOAD cannot name the directory where %s is, as it has a "
			    "space or a colon; install Tacho elsewhere: make install prefix=DIR",
			    helper->option, helper->module);
	if (err)
		return fail("%s: %s is not where it should be, in ../lib/tacho beside the tacho "
			    "command; install it: make install",
			    helper->option, helper->module);
	return STATUS_DONE;
}

static void append(char **list, char *path)
{
	char *before = *list;

	if (!before) {
		*list = path;
		return;
	}
	*list = xasprintf("%s:%s", before, path);
	free(before);
	free(path);
}

int helpers_find(const int asked[HELPERS_COUNT], char **ret_preload)
{
	char *preload = NULL;

	for (int i = 0; i < HELPERS_COUNT; i++) {
		char *path;

		if (!asked[i])
			continue;
		if (find(&helpers[i], &path)) {
			free(preload);
			return STATUS_FAILED;
		}
		append(&preload, path);
	}
	*ret_preload = preload;
	return STATUS_DONE;
}

bool helper_is_chosen(const struct helper *helper, char *const *patterns)
{
	for (; *patterns; patterns++)
		for (const char *const *provider = helper->providers; *provider; provider++)
			if (!strncmp(*patterns, *provider, strlen(*provider)))
				return true;
	return false;
}
