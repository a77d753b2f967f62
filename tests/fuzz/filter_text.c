/* SPDX-License-Identifier: MIT */
/*
 * A filter expression as anybody may type it: what is accepted is a program that passes the check
 * and runs; what is not has a complaint about a place within the text.
 */
#include "filter_event.h"

const unsigned long fuzz_random_runs = 1000000;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static int any_counter(void *data, const char *name)
{
	(void)data;
	return strlen(name) % 2 ? 32 : -1;
}

static void check_complaint(const char *text, const struct filter_complaint *complaint)
{
	char lines[FILTER_EXCERPT_BYTES];

	check(complaint->what[0] && complaint->at <= strlen(text));
	check(filter_column(text, complaint->at) <= strlen(text) + 1);
	filter_excerpt(text, complaint->at, lines);
	check(strchr(lines, '^') != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct filter_complaint warning, error = { 0, "" };
	struct tacho_filter *filter;
	char *text = malloc(bytes + 1);

	check(text != NULL);
	memcpy(text, data, bytes);
	text[bytes] = 0;
	if (!filter_compile(text, any_counter, NULL, &filter, &warning, &error)) {
		check(filter_check(filter, filter->bytes) == 0);
		if (warning.what[0])
			check_complaint(text, &warning);
		event_run(filter);
		free(filter);
	} else {
		check_complaint(text, &error);
	}
	free(text);
	return 0;
}
