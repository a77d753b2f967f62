/* SPDX-License-Identifier: MIT */
/* print_trace.c - a trace as JSON lines, by lib/ctf alone: to be compiled for other machines. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "ctf/print/print.h"
#include "ctf/read/ctf2.h"
#include "ctf/read/reader.h"

/* CTF 2 is read with json-c, which there is not for every machine here. */
bool ctf2_is_metadata(const char *text, size_t bytes)
{
	(void)text;
	(void)bytes;
	return false;
}

const char *ctf2_level_name(int32_t level)
{
	(void)level;
	return NULL;
}

int ctf2_parse(const char *text, size_t bytes, struct read_metadata *metadata,
	       struct tacho_error *e)
{
	(void)text;
	(void)bytes;
	(void)metadata;
	return error_set(e, -ENOTSUP, "no CTF 2 here");
}

int main(int argc, char **argv)
{
	struct ctf_print_options options = { .fd = STDOUT_FILENO, .format = CTF_PRINT_JSON };
	struct tacho_error error = { 0 };
	const struct ctf_item *item;
	struct ctf_printer *printer;
	struct ctf_reader *reader;
	int ret;

	if (argc != 2 || ctf_printer_new(&options, &printer))
		return 2;
	ret = ctf_reader_open(argv[1], &error, &reader);
	if (ret) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	while ((ret = ctf_reader_next(reader, &item)) > 0)
		ctf_print_item(printer, item);
	ctf_print_flush(printer);
	ctf_printer_free(printer);
	ctf_reader_close(reader);
	return ret != 0;
}
