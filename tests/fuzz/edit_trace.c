/* SPDX-License-Identifier: MIT */
/*
 * A trace is repaired, in its own format and in the other ones. An input is the metadata, a 0 byte,
 * and the stream's file.
 */
#include "edit_fuzz.h"

static enum edit_verdict every_other(void *data, const struct ctf_item *item)
{
	(void)item;
	return *(unsigned int *)data % 2 ? EDIT_KEEP : EDIT_DROP;
}

static void edit(const char *dir, const char *output, enum edit_format format, bool is_cut)
{
	unsigned int events = 0;
	const struct edit_request request = {
		.inputs = &dir,
		.input_count = 1,
		.output = output,
		.format = format,
		.is_repair = true,
		.judge = is_cut ? every_other : NULL,
		.is_stopped = edit_fuzz_is_stopped,
		.data = &events,
	};
	struct edit_totals totals;
	struct tacho_error error;

	if (!edit_run(&request, &error, &totals))
		edit_fuzz_remove(output);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	const uint8_t *end = memchr(data, 0, bytes);
	char dir[] = "/tmp/tacho-fuzz-XXXXXX";
	char output[64];

	if (!end)
		return 0;
	if (!mkdtemp(dir))
		abort();
	snprintf(output, sizeof(output), "%s.out", dir);
	edit_fuzz_put(dir, "metadata", data, (size_t)(end - data));
	edit_fuzz_put(dir, "stream", end + 1, bytes - (size_t)(end - data) - 1);
	edit(dir, output, EDIT_AS_IS, false);
	edit(dir, output, EDIT_CTF2, true);
	edit(dir, output, EDIT_CTF1, false);
	edit_fuzz_remove(dir);
	return 0;
}
