/* SPDX-License-Identifier: MIT */
/*
 * The packets of a stream, decoded and printed. An input is the metadata, a 0 byte, and the
 * stream's file.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctf/print/print.h"
#include "ctf/read/stream.h"

#define ITEMS_MAX 100000 /* of one input: a small one may hold many tiny events */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void print(struct read_stream *stream, enum ctf_print_format format)
{
	struct ctf_print_options options = {
		.fd = open("/dev/null", O_WRONLY | O_CLOEXEC),
		.format = format,
		.with_writers = true,
		.with_context = true,
	};
	const struct ctf_item *item;
	struct ctf_printer *printer;

	if (ctf_printer_new(&options, &printer))
		abort();
	for (int i = 0; i < ITEMS_MAX && read_stream_next(stream, &item) > 0; i++)
		ctf_print_item(printer, item);
	ctf_print_flush(printer);
	ctf_printer_free(printer);
	close(options.fd);
}

/* Fields that are passed over are a way of their own. */
static void count(const struct read_trace *trace, const char *path)
{
	const struct ctf_item *item;
	struct read_stream *stream;

	if (read_stream_new(trace, path, &stream))
		abort();
	read_stream_skip_fields(stream);
	for (int i = 0; i < ITEMS_MAX && read_stream_next(stream, &item) > 0; i++)
		;
	read_stream_free(stream);
}

static void read_stream(const struct read_trace *trace, const char *path)
{
	struct read_stream *stream;

	for (int format = CTF_PRINT_TEXT; format <= CTF_PRINT_BABELTRACE; format++) {
		if (read_stream_new(trace, path, &stream))
			abort();
		print(stream, (enum ctf_print_format)format);
		read_stream_free(stream);
	}
	count(trace, path);
}

static void read_bytes(const struct read_trace *trace, const uint8_t *data, size_t bytes)
{
	char path[] = "/tmp/tacho-fuzz-XXXXXX";
	int fd = mkstemp(path);

	if (fd < 0 || write(fd, data, bytes) != (ssize_t)bytes)
		abort();
	close(fd);
	read_stream(trace, path);
	unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	const uint8_t *end = memchr(data, 0, bytes);
	struct read_trace *trace = NULL;
	struct tacho_error error;
	char *text = malloc(bytes + 1);

	if (!text || !end) {
		free(text);
		return 0;
	}
	memcpy(text, data, bytes);
	read_trace_parse(text, (size_t)(end - data), &error, &trace);
	if (trace)
		read_bytes(trace, end + 1, bytes - (size_t)(end - data) - 1);
	read_trace_free(trace);
	free(text);
	return 0;
}
