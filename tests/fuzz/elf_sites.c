/* SPDX-License-Identifier: MIT */
/*
 * An executable or library of somebody else's making, whose functions and static probes are looked for.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "elf/sites.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* Each is a file that is read. */
extern const unsigned long fuzz_random_runs;
const unsigned long fuzz_random_runs = 5000;

static void check(int is_true)
{
	if (!is_true)
		abort();
}

static void check_sites(const char *path, size_t bytes)
{
	struct tacho_error error = { 0 };
	struct elf_sites sites;

	if (elf_sites_read(path, &sites, &error)) {
		check(error.code < 0 && error.text[0] && !sites.count);
		return;
	}
	for (size_t i = 0; i < sites.count; i++) {
		const struct elf_site *site = &sites.site[i];

		check(strlen(site->provider) + strlen(site->name) + strlen(site->arguments) < bytes);
		check(site->offset < bytes && site->semaphore < bytes);
	}
	elf_sites_free(&sites);
}

static void check_function(const char *path, size_t bytes)
{
	struct tacho_error error = { 0 };
	uint64_t offset;

	if (elf_find_function(path, "sell", &offset, &error))
		check(error.code < 0 && error.text[0]);
	else
		check(offset < bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	int fd = memfd_create("sites", MFD_CLOEXEC);
	char path[32];

	if (fd < 0)
		return 0;
	if (write(fd, data, bytes) == (ssize_t)bytes) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		check_sites(path, bytes);
		check_function(path, bytes);
	}
	close(fd);
	return 0;
}
