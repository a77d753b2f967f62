/* SPDX-License-Identifier: MIT */
/*
 * power.c - what a disk has after its power was cut: pages of different moments.
 *
 *	power SEED OLD NEW OUT
 *
 * Of each file in the directory NEW, OUT gets each page as it is there, as it was in OLD, or zeros.
 * What the session's copy says of the machine's run is of another one then.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/session.h"

#define PAGE 4096

static uint64_t state;

static uint32_t random_below(uint32_t limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 33) % limit;
}

static int open_in(const char *dir, const char *name, int flags)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return open(path, flags | O_CLOEXEC, 0600);
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* One page: 80 % new, 15 % old, 5 % never written. Holes stay holes. */
static void mix_page(int old, int new, int out, off_t at)
{
	char page[PAGE] = { 0 };
	uint32_t choice = random_below(100);

	if (choice >= 95)
		return;
	if (pread(choice < 80 ? new : old, page, PAGE, at) > 0 &&
	    pwrite(out, page, PAGE, at) != PAGE)
		fail("pwrite");
}

static void start_again(int session)
{
	off_t at = offsetof(struct tacho_session, boot_uuid);
	uint8_t byte = 0;

	if (pread(session, &byte, 1, at) != 1)
		return;
	byte ^= 0xff;
	if (pwrite(session, &byte, 1, at) != 1)
		fail("pwrite");
}

static void mix_file(const char *old_dir, const char *new_dir, const char *out_dir,
		     const char *name)
{
	int old = open_in(old_dir, name, O_RDONLY), new = open_in(new_dir, name, O_RDONLY);
	int out = open_in(out_dir, name, O_RDWR | O_CREAT | O_TRUNC);
	struct stat st;
	off_t at = 0;

	if (new < 0 || out < 0 || fstat(new, &st) || ftruncate(out, st.st_size))
		fail(name);
	while ((at = lseek(new, at, SEEK_DATA)) >= 0) {
		at -= at % PAGE;
		mix_page(old, new, out, at);
		at += PAGE;
	}
	if (!strcmp(name, "session.copy"))
		start_again(out);
	close(old);
	close(new);
	close(out);
}

int main(int argc, char **argv)
{
	struct dirent *entry;
	DIR *dir;

	if (argc != 5)
		return 2;
	state = strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15ull + 1;
	dir = opendir(argv[3]);
	if (!dir)
		fail(argv[3]);
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] != '.')
			mix_file(argv[2], argv[3], argv[4], entry->d_name);
	}
	closedir(dir);
	return 0;
}
