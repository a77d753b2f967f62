/* SPDX-License-Identifier: MIT */
/*
 * sites.h - places in a program's file where the kernel can put a probe: functions, and the static
 * probes (USDT, <sys/sdt.h>) that are noted in its section .note.stapsdt.
 *
 * Places are offsets in the file, since that is what the kernel takes. The file is hostile: it is read
 * once into memory of ours, and nothing beyond it is looked at.
 */
#ifndef TACHO_ELF_SITES_H
#define TACHO_ELF_SITES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* elf_find_function() - where its first instruction is in the file
 * Return: 0; -ENOENT: there is none of this name; -ENOEXEC: it is no such file; or what open() gave. */
int elf_find_function(const char *path, const char *name, uint64_t *ret_offset,
		      struct tacho_error *error);

/* A static probe. The strings live until elf_sites_free(). */
struct elf_site {
	const char *provider;
	const char *name;
	const char *arguments; /* "-4@%eax 8@-24(%rbp)": size, sign and place of each */
	uint64_t offset;
	uint64_t semaphore; /* offset of a word that is not 0 while somebody records; 0: there is none */
};

struct elf_sites {
	void *file;
	struct elf_site *site;
	size_t count;
};

/* elf_sites_read() - all of them. Return: as above; 0 also where there are none. */
int elf_sites_read(const char *path, struct elf_sites *ret_sites, struct tacho_error *error);
void elf_sites_free(struct elf_sites *sites);

#endif
