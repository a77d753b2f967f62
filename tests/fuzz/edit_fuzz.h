/* SPDX-License-Identifier: MIT */
/* edit_fuzz.h - what the fuzz targets of lib/edit have in common: traces in directories of their own. */
#ifndef TACHO_FUZZ_EDIT_FUZZ_H
#define TACHO_FUZZ_EDIT_FUZZ_H

#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctf/read/trace.h"
#include "edit/edit.h"

#define EVENTS_MAX 20000 /* of one input: a small one may hold many tiny events */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* @data: an unsigned int, how often it was asked. */
static inline bool edit_fuzz_is_stopped(void *data)
{
	unsigned int *events = data;

	return (*events)++ >= EVENTS_MAX;
}

static inline void edit_fuzz_put(const char *dir, const char *name, const uint8_t *data,
				 size_t bytes)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, data, bytes) != (ssize_t)bytes)
		abort();
	close(fd);
}

static inline int edit_fuzz_remove_one(const char *path, const struct stat *st, int type,
				       struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void edit_fuzz_remove(const char *dir)
{
	nftw(dir, edit_fuzz_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
