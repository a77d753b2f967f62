/* SPDX-License-Identifier: MIT */
/*
 * A trace is repaired, in its own format and in the other ones. An input is the metadata, a 0 byte,
 * and the stream's file.
 */
#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "edit/edit.h"

#define EVENTS_MAX 20000 /* of one input: a small one may hold many tiny events */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static bool is_stopped(void *data)
{
	unsigned int *events = data;

	return (*events)++ >= EVENTS_MAX;
}

static enum edit_verdict every_other(void *data, const struct ctf_item *item)
{
	(void)item;
	return *(unsigned int *)data % 2 ? EDIT_KEEP : EDIT_DROP;
}

static void put(const char *dir, const char *name, const uint8_t *data, size_t bytes)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, data, bytes) != (ssize_t)bytes)
		abort();
	close(fd);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
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
		.is_stopped = is_stopped,
		.data = &events,
	};
	struct edit_totals totals;
	struct tacho_error error;

	if (!edit_run(&request, &error, &totals))
		nftw(output, remove_one, 16, FTW_DEPTH | FTW_PHYS);
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
	put(dir, "metadata", data, (size_t)(end - data));
	put(dir, "stream", end + 1, bytes - (size_t)(end - data) - 1);
	edit(dir, output, EDIT_AS_IS, false);
	edit(dir, output, EDIT_CTF2, true);
	edit(dir, output, EDIT_CTF1, false);
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return 0;
}
