/* SPDX-License-Identifier: MIT */
/* file.c - see file.h */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEBUG_ROOT "/usr/lib/debug"

static int begin_elf(int fd, struct module_file *ret_file)
{
	Elf *elf;

	if (elf_version(EV_CURRENT) == EV_NONE)
		return -ENOEXEC;
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF) {
		elf_end(elf);
		return -ENOEXEC;
	}
	*ret_file = (struct module_file){ fd, elf };
	return 0;
}

/* A name in a trace may be anything: nothing is waited for, and only a file is read. */
int file_open(const char *path, struct module_file *ret_file)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	int err;

	if (fd < 0)
		return -errno;
	err = fstat(fd, &st) ? -errno : 0;
	if (!err && !S_ISREG(st.st_mode))
		err = -ENOEXEC;
	if (!err)
		err = begin_elf(fd, ret_file);
	if (err)
		close(fd);
	return err;
}

void file_close(struct module_file *file)
{
	if (!file->elf)
		return;
	elf_end(file->elf);
	close(file->fd);
	*file = (struct module_file){ .fd = -1 };
}

/* ---- build ids ---- */

static size_t id_of_note(Elf_Data *data, uint8_t ret_id[SYMBOLS_BUILD_ID_MAX])
{
	size_t offset = 0, name_at, id_at;
	GElf_Nhdr note;

	while ((offset = gelf_getnote(data, offset, &note, &name_at, &id_at)) > 0) {
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof(ELF_NOTE_GNU) ||
		    memcmp((char *)data->d_buf + name_at, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)))
			continue;
		if (!note.n_descsz || note.n_descsz > SYMBOLS_BUILD_ID_MAX)
			return 0;
		memcpy(ret_id, (char *)data->d_buf + id_at, note.n_descsz);
		return note.n_descsz;
	}
	return 0;
}

/* Files of what was stripped have no segments to speak of, so it is the sections that are looked at. */
size_t file_build_id(const struct module_file *file, uint8_t ret_id[SYMBOLS_BUILD_ID_MAX])
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(file->elf, section))) {
		GElf_Shdr header;
		Elf_Data *data;
		size_t bytes;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE)
			continue;
		data = elf_getdata(section, NULL);
		bytes = data ? id_of_note(data, ret_id) : 0;
		if (bytes)
			return bytes;
	}
	return 0;
}

bool file_is_build(const struct module_file *file, const uint8_t *id, size_t bytes)
{
	uint8_t found[SYMBOLS_BUILD_ID_MAX];

	return file_build_id(file, found) == bytes && !memcmp(found, id, bytes);
}

/* ---- parts ---- */

uint64_t file_first_address(const struct module_file *file)
{
	uint64_t first = UINT64_MAX;
	size_t count;

	if (elf_getphdrnum(file->elf, &count))
		return 0;
	for (size_t i = 0; i < count && i < INT_MAX; i++) {
		GElf_Phdr segment;

		if (!gelf_getphdr(file->elf, (int)i, &segment))
			break;
		if (segment.p_type == PT_LOAD && segment.p_vaddr < first)
			first = segment.p_vaddr;
	}
	return first == UINT64_MAX ? 0 : first;
}

static Elf_Scn *find_section(const struct module_file *file, const char *name,
			     GElf_Shdr *ret_header)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(file->elf, &names))
		return NULL;
	while ((section = elf_nextscn(file->elf, section))) {
		const char *found;

		if (!gelf_getshdr(section, ret_header))
			continue;
		found = elf_strptr(file->elf, names, ret_header->sh_name);
		if (found && !strcmp(found, name))
			return section;
	}
	return NULL;
}

bool file_has_section(const struct module_file *file, const char *name)
{
	GElf_Shdr header;

	return find_section(file, name, &header) && header.sh_type != SHT_NOBITS && header.sh_size;
}

/* ---- what was stripped ---- */

/* Return: 0 if there is such a file, and it is of the same build. */
static int try_debug(const char *path, const uint8_t *id, size_t id_bytes,
		     struct module_file *ret_debug)
{
	int err = file_open(path, ret_debug);

	if (err || file_is_build(ret_debug, id, id_bytes))
		return err;
	file_close(ret_debug);
	return -ENOENT;
}

static int open_by_id(const uint8_t *id, size_t bytes, struct module_file *ret_debug)
{
	char path[sizeof(DEBUG_ROOT "/.build-id/.debug/") + 2 * SYMBOLS_BUILD_ID_MAX];
	size_t used = (size_t)snprintf(path, sizeof(path), DEBUG_ROOT "/.build-id/%02x/", id[0]);

	for (size_t i = 1; i < bytes; i++)
		used += (size_t)snprintf(path + used, sizeof(path) - used, "%02x", id[i]);
	snprintf(path + used, sizeof(path) - used, ".debug");
	return try_debug(path, id, bytes, ret_debug);
}

/* The name in .gnu_debuglink; NULL: there is none, or it is no plain name. */
static const char *link_of(const struct module_file *file)
{
	GElf_Shdr header;
	Elf_Scn *section = find_section(file, ".gnu_debuglink", &header);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;

	if (!data || !data->d_buf || !memchr(data->d_buf, 0, data->d_size))
		return NULL;
	return *(const char *)data->d_buf && !strchr(data->d_buf, '/') ? data->d_buf : NULL;
}

static int open_by_link(const char *module, const struct module_file *file, const uint8_t *id,
			size_t id_bytes, struct module_file *ret_debug)
{
	static const char *const places[] = { "%.*s/%s", "%.*s/.debug/%s", DEBUG_ROOT "%.*s/%s" };
	const char *name = link_of(file), *slash = strrchr(module, '/');
	int err = -ENOENT;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && err && name && slash; i++) {
		char path[PATH_MAX];

		snprintf(path, sizeof(path), places[i], (int)(slash - module), module, name);
		err = try_debug(path, id, id_bytes, ret_debug);
	}
	return err;
}

int file_open_debug(const char *path, const struct module_file *file, struct module_file *ret_debug)
{
	uint8_t id[SYMBOLS_BUILD_ID_MAX];
	size_t bytes = file_build_id(file, id);
	int err;

	if (bytes < 2)
		return -ENOENT;
	err = open_by_id(id, bytes, ret_debug);
	return err ? open_by_link(path, file, id, bytes, ret_debug) : 0;
}
