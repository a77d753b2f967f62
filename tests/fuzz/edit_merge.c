/* SPDX-License-Identifier: MIT */
/*
 * Two traces are merged, with times that are added to one of them. An input is the metadata of both, a
 * 0 byte, and the stream's file of the first; the second one's is its last part, from the middle on.
 */
#include "edit_fuzz.h"

static struct edit_correction correct(void *data, size_t input, const struct read_trace *trace)
{
	const struct edit_correction drift = {
		.offset_ns = { -1500000000, 12 },
		.at_ns = { 1700000000000000000, 1700000100000000000 },
	};

	(void)data;
	(void)trace;
	return input ? drift : (struct edit_correction){ 0 };
}

static void make_trace(const char *dir, const uint8_t *metadata, size_t metadata_bytes,
		       const uint8_t *stream, size_t stream_bytes)
{
	if (mkdir(dir, 0700))
		abort();
	edit_fuzz_put(dir, "metadata", metadata, metadata_bytes);
	edit_fuzz_put(dir, "stream", stream, stream_bytes);
}

static void merge(const char *const *inputs, const char *output)
{
	unsigned int events = 0;
	const struct edit_request request = {
		.inputs = inputs,
		.input_count = 2,
		.output = output,
		.correct = correct,
		.is_stopped = edit_fuzz_is_stopped,
		.data = &events,
	};
	struct edit_totals totals;
	struct tacho_error error;

	edit_run(&request, &error, &totals);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	const uint8_t *end = memchr(data, 0, bytes);
	char dir[] = "/tmp/tacho-fuzz-XXXXXX";
	char paths[3][64];
	const char *const inputs[] = { paths[0], paths[1] };
	size_t metadata_bytes, stream_bytes;

	if (!end)
		return 0;
	if (!mkdtemp(dir))
		abort();
	for (int i = 0; i < 3; i++)
		snprintf(paths[i], sizeof(paths[i]), "%s/%d", dir, i);
	metadata_bytes = (size_t)(end - data);
	stream_bytes = bytes - metadata_bytes - 1;
	make_trace(paths[0], data, metadata_bytes, end + 1, stream_bytes);
	make_trace(paths[1], data, metadata_bytes, end + 1 + stream_bytes / 2,
		   stream_bytes - stream_bytes / 2);
	merge(inputs, paths[2]);
	edit_fuzz_remove(dir);
	return 0;
}
