/* SPDX-License-Identifier: MIT */
/*
 * replay.c - feed a corpus to a fuzz target, without a fuzzer.
 *
 *	replay DIRECTORY
 *
 * Each file is a case: the target sees it as it is, cut at many lengths, and with many of its
 * bytes changed. What is tried depends on the file only, so a failure repeats. Each input is a heap
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

static int is_input(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
	static uint8_t data[INPUT_MAX_BYTES];
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
		run(data, bytes);
		run_cut(data, bytes);
		run_changed(data, bytes);
		printf("ok %d - %s and its variants are read\n", i + 1, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	printf("1..%d\n", count);
	return 0;
}
