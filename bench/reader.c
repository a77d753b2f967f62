/* SPDX-License-Identifier: MIT */
/*
 * reader.c - read a trace in one of the ways that bench/reader measures.
 *
 *	bench-reader count DIR         events, whose fields are passed over
 *	bench-reader decode DIR        events with their fields
 *	bench-reader text DIR          lines for people
 *	bench-reader babeltrace DIR    lines as babeltrace2 prints them
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ctf/print/print.h"
#include "ctf/read/reader.h"

static int count(struct ctf_reader *reader)
{
	const struct ctf_item *item;
	int more;

	while ((more = ctf_reader_next(reader, &item)) > 0)
		;
	return more;
}

static int print(struct ctf_reader *reader, enum ctf_print_format format)
{
	const struct ctf_print_options options = { .fd = STDOUT_FILENO, .format = format };
	const struct ctf_item *item;
	struct ctf_printer *printer;
	int more = ctf_printer_new(&options, &printer);

	if (more)
		return more;
	while ((more = ctf_reader_next(reader, &item)) > 0 && ctf_print_item(printer, item) >= 0)
		;
	if (!more)
		more = ctf_print_flush(printer);
	ctf_printer_free(printer);
	return more;
}

static int run(struct ctf_reader *reader, const char *way)
{
	if (!strcmp(way, "text"))
		return print(reader, CTF_PRINT_TEXT);
	if (!strcmp(way, "babeltrace"))
		return print(reader, CTF_PRINT_BABELTRACE);
	if (!strcmp(way, "count"))
		ctf_reader_skip_fields(reader);
	else if (strcmp(way, "decode"))
		return -EINVAL;
	return count(reader);
}

int main(int argc, char **argv)
{
	struct ctf_reader *reader;
	struct tacho_error error;
	int rc;

	if (argc != 3) {
		fprintf(stderr, "usage: bench-reader count|decode|text|babeltrace DIR\n");
		return 2;
	}
	if (ctf_reader_open(argv[2], &error, &reader)) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	rc = run(reader, argv[1]);
	fprintf(stderr, "%llu\n", (unsigned long long)ctf_reader_totals(reader).events);
	ctf_reader_close(reader);
	return rc != 0;
}
