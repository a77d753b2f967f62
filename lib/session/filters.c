/* SPDX-License-Identifier: MIT */
/* filters.c - see filters.h */
#include "session/filters.h"

#include <errno.h>
#include <string.h>

static int find_counter(void *data, const char *name)
{
	const struct tacho_session *file = data;

	for (int i = 0; i < TACHO_PERF_MAX; i++) {
		const struct tacho_perf *perf = &file->perf[i];

		if (perf->is_used && !strncmp(perf->name, name, sizeof(perf->name)))
			return TACHO_CONTEXT_PERF + i;
	}
	return -ENOENT;
}

int session_filter_compile(const struct tacho_session *file, const char *text,
			   struct tacho_filter **ret_filter, struct tacho_error *error)
{
	struct filter_complaint warning, complaint = { 0 };
	int ret = filter_compile(text, find_counter, (void *)(uintptr_t)file, ret_filter, &warning,
				 &complaint);

	if (ret == -ENOMEM)
		return error_set(error, ret, "no memory for a filter");
	if (ret)
		return error_set(error, ret, "the filter, column %zu: %s",
				 filter_column(text, complaint.at), complaint.what);
	return 0;
}
