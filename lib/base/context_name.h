/* SPDX-License-Identifier: MIT */
/*
 * context_name.h - how people call contexts: "vpid", "perf:thread:cpu-cycles",
 * "perf:thread:raw:r1c2:mine". For the tools.
 */
#ifndef TACHO_BASE_CONTEXT_NAME_H
#define TACHO_BASE_CONTEXT_NAME_H

#include "base/context.h"
#include "base/error.h"

#define CONTEXT_PERF_NAME_BYTES sizeof(((struct tacho_perf *)0)->name)

/* A context by its name. */
struct context_wish {
	unsigned int number;    /* enum tacho_context; TACHO_CONTEXT_PERF of every counter */
	struct tacho_perf perf; /* of a counter; is_used is set */
};

/* context_parse() - Return: 0; -EINVAL, with words, where there is no such context. */
int context_parse(const char *name, struct context_wish *ret_wish, struct tacho_error *error);

/* context_name_at() - all names, raw counters apart; NULL behind the last. */
const char *context_name_at(size_t i);

/*
 * context_perf_field() - what a counter's field in a trace is called: as LTTng calls it
 * @name: of a counter, need not end; @ret_field: as large as @name
 */
void context_perf_field(const char name[CONTEXT_PERF_NAME_BYTES],
			char ret_field[CONTEXT_PERF_NAME_BYTES]);

#endif
