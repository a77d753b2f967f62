/* SPDX-License-Identifier: MIT */
/* exe.c - see exe.h */
#include "exe.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"

#define HEADERS_MAX 64

static const unsigned char own_class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;

/* Somebody else's user or group: what is ours already changes nothing. */
static bool is_set_id(const struct stat *st)
{
	return (st->st_mode & S_ISUID && st->st_uid != getuid()) ||
	       ((st->st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) &&
		st->st_gid != getgid());
}

/* A dynamically linked program names its interpreter: the dynamic linker. */
static enum exe_kind kind_of_headers(int fd, const ElfW(Ehdr) * elf)
{
	ElfW(Phdr) header[HEADERS_MAX];
	size_t bytes = elf->e_phnum * sizeof(header[0]);

	if (elf->e_phnum > HEADERS_MAX || elf->e_phentsize != sizeof(header[0]) ||
	    pread(fd, header, bytes, (off_t)elf->e_phoff) != (ssize_t)bytes)
		return EXE_UNKNOWN;
	for (unsigned int i = 0; i < elf->e_phnum; i++)
		if (header[i].p_type == PT_INTERP)
			return EXE_DYNAMIC;
	return EXE_STATIC;
}

static enum exe_kind kind_of_file(int fd)
{
	ElfW(Ehdr) elf;
	struct stat st;

	if (fstat(fd, &st) || pread(fd, &elf, sizeof(elf), 0) != sizeof(elf) ||
	    memcmp(elf.e_ident, ELFMAG, SELFMAG))
		return EXE_UNKNOWN;
	if (elf.e_ident[EI_CLASS] != own_class)
		return EXE_FOREIGN;
	return is_set_id(&st) ? EXE_SET_ID : kind_of_headers(fd, &elf);
}

enum exe_kind exe_kind(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	enum exe_kind kind = fd < 0 ? EXE_UNKNOWN : kind_of_file(fd);

	fd_close(fd);
	return kind;
}

const char *exe_obstacle(enum exe_kind kind)
{
	static const char *const obstacles[] = {
		[EXE_STATIC] = "is linked statically",
		[EXE_FOREIGN] = "is of another machine type than tacho",
		[EXE_SET_ID] = "is set-user-ID or set-group-ID",
	};

	return kind <= EXE_SET_ID ? obstacles[kind] : NULL;
}
