/* SPDX-License-Identifier: MIT */
/* The metadata of a trace, plain or in packets, up to classes that are ready to decode with. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ctf/read/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct tacho_error error;
	struct read_trace *trace;
	char *text = malloc(bytes + 1);

	if (!text)
		return 0;
	memcpy(text, data, bytes);
	read_trace_parse(text, bytes, &error, &trace);
	read_trace_free(trace);
	free(text);
	return 0;
}
