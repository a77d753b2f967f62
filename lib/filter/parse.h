/* SPDX-License-Identifier: MIT */
/*
 * parse.h - from the words of an expression to operations. There is no tree: an operation is built
 * as soon as its operands are.
 */
#ifndef TACHO_FILTER_PARSE_H
#define TACHO_FILTER_PARSE_H

#include "filter/build.h"
#include "filter/filter.h"

struct filter_parser {
	const char *text;
	filter_perf_fn perf;
	void *perf_data;
	struct filter_builder *builder;
	struct filter_complaint *warning;
	struct filter_complaint *error;
};

/* parse() - build all but the END. Return: 0, -EINVAL or -E2BIG, with `error` filled. */
int parse(struct filter_parser *parser);

#endif
