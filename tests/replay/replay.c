/* SPDX-License-Identifier: MIT */
/*
 * replay.c - feed a corpus to a fuzz target, without a fuzzer.
 *
 *	replay DIRECTORY
 *
 * Each file is a case: the target sees it as it is, cut at many lengths, and with many of its
 * bytes changed. Then come random mixtures of all files, as many as the target wants, or
 * $TACHO_FUZZ_RUNS. What is tried depends on these only, so a failure repeats. Each input is a heap
 * block of exactly its size, for the tools that watch such blocks.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_MAX_BYTES (1u << 20)
#define VARIANTS        512u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* A target may define it: how many mixtures each run tries. */
extern const unsigned long fuzz_random_runs __attribute__((weak));

static void run(const uint8_t *data, size_t bytes)
{
	uint8_t *copy = malloc(bytes ? bytes : 1);

	if (!copy)
		abort();
	memcpy(copy, data, bytes);
	LLVMFuzzerTestOneInput(copy, bytes);
	free(copy);
}

static void run_cut(const uint8_t *data, size_t bytes)
{
	size_t step = bytes / VARIANTS + 1;

	for (size_t cut = 0; cut < bytes; cut += step)
		run(data, cut);
}

static void run_changed(uint8_t *data, size_t bytes)
{
	static const uint8_t masks[] = { 0x01, 0x80, 0xff };
	size_t step = bytes / VARIANTS + 1;

	for (size_t at = 0; at < bytes; at += step) {
		uint8_t mask = masks[at / step % sizeof(masks)];

		data[at] ^= mask;
		run(data, bytes);
		data[at] ^= mask;
	}
}

static size_t read_input(const char *path, uint8_t *data)
{
	FILE *file = fopen(path, "rbe");
	size_t bytes;

	if (!file) {
		perror(path);
		exit(1);
	}
	bytes = fread(data, 1, INPUT_MAX_BYTES, file);
	fclose(file);
	return bytes;
}

/* ---- mixtures ---- */

#define MIXTURE_BYTES 4096u

struct corpus {
	uint8_t *data[256];
	size_t bytes[256];
	size_t count;
};

static uint64_t random_below(uint64_t limit)
{
	static uint64_t state = 0x9e3779b97f4a7c15u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 16) % limit;
}

/* A stretch of a file, at most @max bytes. Return: how many; 0: the file is empty. */
static size_t random_stretch(const struct corpus *corpus, size_t max, const uint8_t **ret_data)
{
	size_t file = random_below(corpus->count), bytes = corpus->bytes[file], begin;

	if (!bytes || !max)
		return 0;
	begin = random_below(4) ? random_below(bytes) : 0;
	*ret_data = corpus->data[file] + begin;
	bytes -= begin;
	bytes = random_below(2) ? bytes : 1 + random_below(bytes);
	return bytes < max ? bytes : max;
}

static size_t insert(const struct corpus *corpus, uint8_t *data, size_t bytes)
{
	size_t at = random_below(bytes + 1);
	const uint8_t *stretch = NULL;
	size_t n = random_stretch(corpus, MIXTURE_BYTES - bytes, &stretch);

	if (!n)
		return bytes;
	memmove(data + at + n, data + at, bytes - at);
	memcpy(data + at, stretch, n);
	return bytes + n;
}

static size_t take_out(uint8_t *data, size_t bytes)
{
	size_t at = random_below(bytes), n = 1 + random_below(bytes - at);

	memmove(data + at, data + at + n, bytes - at - n);
	return bytes - n;
}

static size_t mix_once(const struct corpus *corpus, uint8_t *data, size_t bytes)
{
	switch (bytes ? random_below(5) : 0) {
	case 0:
		return insert(corpus, data, bytes);
	case 1:
		return take_out(data, bytes);
	case 2:
		data[random_below(bytes)] = (uint8_t)random_below(256);
		return bytes;
	case 3:
		data[random_below(bytes)] = (uint8_t)(32 + random_below(95));
		return bytes;
	default:
		data[random_below(bytes)] ^= (uint8_t)(1u << random_below(8));
		return bytes;
	}
}

static void run_mixtures(const struct corpus *corpus, unsigned long runs)
{
	uint8_t data[MIXTURE_BYTES];

	for (unsigned long i = 0; i < runs; i++) {
		size_t bytes = insert(corpus, data, 0);

		for (uint64_t changes = random_below(8); changes; changes--)
			bytes = mix_once(corpus, data, bytes);
		run(data, bytes);
	}
	printf("ok %zu - %lu mixtures are read\n", corpus->count + 1, runs);
}

static unsigned long runs_wanted(void)
{
	const char *text = getenv("TACHO_FUZZ_RUNS");

	if (text)
		return strtoul(text, NULL, 10);
	return &fuzz_random_runs ? fuzz_random_runs : 0;
}

static void keep(struct corpus *corpus, const uint8_t *data, size_t bytes)
{
	if (corpus->count == sizeof(corpus->data) / sizeof(corpus->data[0]))
		return;
	corpus->data[corpus->count] = malloc(bytes ? bytes : 1);
	if (!corpus->data[corpus->count])
		abort();
	memcpy(corpus->data[corpus->count], data, bytes);
	corpus->bytes[corpus->count++] = bytes;
}

static int is_input(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
	static uint8_t data[INPUT_MAX_BYTES];
	struct corpus corpus = { .count = 0 };
	unsigned long runs = runs_wanted();
	struct dirent **entries;
	char path[4096];
	int count = argc == 2 ? scandir(argv[1], &entries, is_input, alphasort) : -1;

	if (count <= 0) {
		puts("no corpus");
		return 77;
	}
	for (int i = 0; i < count; i++) {
		size_t bytes;

		snprintf(path, sizeof(path), "%s/%s", argv[1], entries[i]->d_name);
		bytes = read_input(path, data);
		printf("# %s\n", entries[i]->d_name);
		fflush(stdout);
		keep(&corpus, data, bytes);
		run(data, bytes);
		run_cut(data, bytes);
		run_changed(data, bytes);
		printf("ok %d - %s and its variants are read\n", i + 1, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	if (runs)
		run_mixtures(&corpus, runs);
	for (size_t i = 0; i < corpus.count; i++)
		free(corpus.data[i]);
	printf("1..%d\n", count + (runs != 0));
	return 0;
}
