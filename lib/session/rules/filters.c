/* SPDX-License-Identifier: MIT */
/* filters.c - see filters.h */
#include "session/rules/filters.h"

#include <errno.h>
#include <stdlib.h>
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

static bool can_link(const struct tacho_filter *filter, const struct tacho_desc *desc)
{
	size_t bytes = filter_linked_bytes(filter, desc);
	void *memory = malloc(bytes);
	bool can = !memory || filter_link(filter, desc, memory, bytes);

	free(memory);
	return can;
}

/* The description is made again what it was in the program. */
static bool can_be_true(const struct tacho_filter *filter, const struct event_desc *desc)
{
	struct tacho_desc *built = malloc(TACHO_DESC_BYTES_MAX);
	bool can = !built || event_desc_build(desc, built, TACHO_DESC_BYTES_MAX) < 0 ||
		   can_link(filter, built);

	free(built);
	return can;
}

bool session_filter_may_match(const void *code, size_t bytes, const struct event_desc *desc)
{
	struct tacho_filter *filter = bytes <= TACHO_FILTER_BYTES_MAX ? malloc(bytes) : NULL;
	bool may;

	if (!filter)
		return bytes <= TACHO_FILTER_BYTES_MAX;
	memcpy(filter, code, bytes);
	may = !filter_check(filter, bytes) && can_be_true(filter, desc);
	free(filter);
	return may;
}
