/* SPDX-License-Identifier: MIT */
/* sites.c - see sites.h */
#include "elf/sites.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"

#define FILE_BYTES_MAX (1ull << 30)
#define SITES_MAX      65536u
#define NOTE_TYPE      3 /* NT_STAPSDT */

struct file {
	uint8_t *bytes;
	uint64_t size;
	Elf64_Ehdr head;
	bool has_base; /* looked up once: a file may have as many notes as sections */
	uint64_t base; /* of .stapsdt.base */
};

/* ---- reading ---- */

static const void *at(const struct file *file, uint64_t offset, uint64_t bytes)
{
	return offset <= file->size && bytes <= file->size - offset ? file->bytes + offset : NULL;
}

static int read_all(int fd, struct file *file)
{
	struct stat st;
	uint64_t done = 0;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size > FILE_BYTES_MAX)
		return -ENOEXEC;
	file->bytes = malloc((size_t)st.st_size + 1);
	if (!file->bytes)
		return -ENOMEM;
	while (done < (uint64_t)st.st_size) {
		ssize_t got = read(fd, file->bytes + done, (size_t)st.st_size - done);

		if (got <= 0)
			break;
		done += (uint64_t)got;
	}
	file->size = done;
	file->bytes[done] = 0; /* strings end */
	return 0;
}

static bool is_elf64(struct file *file)
{
	const void *head = at(file, 0, sizeof(file->head));

	if (!head)
		return false;
	memcpy(&file->head, head, sizeof(file->head));
	return !memcmp(file->head.e_ident, ELFMAG, SELFMAG) &&
	       file->head.e_ident[EI_CLASS] == ELFCLASS64;
}

static int open_file(const char *path, struct file *file, struct tacho_error *error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int ret = fd < 0 ? -errno : read_all(fd, file);

	fd_close(fd);
	if (!ret && !is_elf64(file))
		ret = -ENOEXEC;
	if (!ret)
		return 0;
	free(file->bytes);
	file->bytes = NULL;
	return error_set(error, ret, "cannot look for probes in '%s': %s", path,
			 ret == -ENOEXEC ? "it is no executable or library of 64 bits" :
					   strerror(-ret));
}

/* ---- headers ---- */

static bool get_section(const struct file *file, uint32_t index, Elf64_Shdr *ret_section)
{
	const void *from = at(file, file->head.e_shoff + (uint64_t)index * sizeof(*ret_section),
			      sizeof(*ret_section));

	if (!from || index >= file->head.e_shnum || file->head.e_shentsize != sizeof(*ret_section))
		return false;
	memcpy(ret_section, from, sizeof(*ret_section));
	return true;
}

static bool find_section(const struct file *file, const char *name, Elf64_Shdr *ret_section)
{
	Elf64_Shdr names;

	if (!get_section(file, file->head.e_shstrndx, &names))
		return false;
	for (uint32_t i = 0; get_section(file, i, ret_section); i++) {
		const char *text = at(file, names.sh_offset + ret_section->sh_name, strlen(name) + 1);

		if (text && !strcmp(text, name))
			return true;
	}
	return false;
}

/* An address in the file. Return: false: nothing of the file will be there. */
static bool find_offset(const struct file *file, uint64_t address, uint64_t *ret_offset)
{
	for (uint32_t i = 0; i < file->head.e_phnum; i++) {
		const void *from = at(file, file->head.e_phoff + (uint64_t)i * sizeof(Elf64_Phdr),
				      sizeof(Elf64_Phdr));
		Elf64_Phdr part;

		if (!from || file->head.e_phentsize != sizeof(part))
			return false;
		memcpy(&part, from, sizeof(part));
		if (part.p_type != PT_LOAD || address < part.p_vaddr ||
		    address - part.p_vaddr >= part.p_filesz)
			continue;
		*ret_offset = address - part.p_vaddr + part.p_offset;
		return *ret_offset < file->size;
	}
	return false;
}

/* ---- functions ---- */

static bool is_function(const struct file *file, const Elf64_Shdr *names, const Elf64_Sym *symbol,
			const char *name)
{
	const char *text = at(file, names->sh_offset + symbol->st_name, strlen(name) + 1);

	return (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC ||
		ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC) &&
	       symbol->st_shndx != SHN_UNDEF && text && !strcmp(text, name);
}

static bool find_in_table(const struct file *file, const char *table_name, const char *name,
			  uint64_t *ret_offset)
{
	Elf64_Shdr table, names;

	if (!find_section(file, table_name, &table) || !get_section(file, table.sh_link, &names))
		return false;
	for (uint64_t i = 0; i < table.sh_size / sizeof(Elf64_Sym); i++) {
		const void *from = at(file, table.sh_offset + i * sizeof(Elf64_Sym), sizeof(Elf64_Sym));
		Elf64_Sym symbol;

		if (!from)
			return false;
		memcpy(&symbol, from, sizeof(symbol));
		if (is_function(file, &names, &symbol, name))
			return find_offset(file, symbol.st_value, ret_offset);
	}
	return false;
}

int elf_find_function(const char *path, const char *name, uint64_t *ret_offset,
		      struct tacho_error *error)
{
	struct file file = { 0 };
	int ret = open_file(path, &file, error);

	if (ret)
		return ret;
	if (!find_in_table(&file, ".symtab", name, ret_offset) &&
	    !find_in_table(&file, ".dynsym", name, ret_offset))
		ret = error_set(error, -ENOENT,
				"there is no function '%s' in '%s', or its symbols were stripped", name,
				path);
	free(file.bytes);
	return ret;
}

/* ---- static probes ---- */

/* Where a string ends, with its 0 byte; NULL: not before @end. */
static const char *behind(const char *text, const char *end)
{
	const char *zero = text < end ? memchr(text, 0, (size_t)(end - text)) : NULL;

	return zero ? zero + 1 : NULL;
}

/* The note's addresses are those of before prelink, if its base has moved since. */
static bool take_addresses(const struct file *file, const uint8_t *from, struct elf_site *site)
{
	uint64_t address[3], moved = 0; /* of the probe, of .stapsdt.base, of the semaphore */

	memcpy(address, from, sizeof(address));
	if (file->has_base)
		moved = file->base - address[1];
	site->semaphore = 0;
	if (address[2] && !find_offset(file, address[2] + moved, &site->semaphore))
		return false;
	return find_offset(file, address[0] + moved, &site->offset);
}

static bool take_site(const struct file *file, const uint8_t *from, uint64_t bytes,
		      struct elf_site *site)
{
	const char *text = (const char *)from + 3 * sizeof(uint64_t), *end = (const char *)from + bytes;

	if (bytes < 3 * sizeof(uint64_t) || !take_addresses(file, from, site))
		return false;
	site->provider = text;
	site->name = behind(text, end);
	site->arguments = site->name ? behind(site->name, end) : NULL;
	return site->arguments && behind(site->arguments, end);
}

/* Return: what the note takes; 0: it leads out of the section. */
static uint64_t take_note(const struct file *file, uint64_t offset, uint64_t end,
			  struct elf_sites *sites)
{
	const void *from = at(file, offset, sizeof(Elf64_Nhdr));
	uint64_t name_bytes, all;
	const uint8_t *content;
	Elf64_Nhdr note;

	if (!from || end - offset < sizeof(note))
		return 0;
	memcpy(&note, from, sizeof(note));
	name_bytes = (note.n_namesz + 3ull) & ~3ull;
	all = sizeof(note) + name_bytes + ((note.n_descsz + 3ull) & ~3ull);
	content = at(file, offset + sizeof(note) + name_bytes, note.n_descsz);
	if (!content || all > end - offset)
		return 0;
	if (note.n_type == NOTE_TYPE && sites->count < SITES_MAX &&
	    take_site(file, content, note.n_descsz, &sites->site[sites->count]))
		sites->count++;
	return all;
}

static int take_notes(const struct file *file, const Elf64_Shdr *section, struct elf_sites *sites)
{
	uint64_t end = section->sh_offset + section->sh_size, most, took = 1;

	if (!at(file, section->sh_offset, section->sh_size))
		return -EBADMSG;
	most = section->sh_size / (sizeof(Elf64_Nhdr) + 3 * sizeof(uint64_t)) + 1;
	sites->site = calloc(most < SITES_MAX ? most : SITES_MAX, sizeof(*sites->site));
	if (!sites->site)
		return -ENOMEM;
	for (uint64_t offset = section->sh_offset; took && offset < end; offset += took)
		took = sites->count < most ? take_note(file, offset, end, sites) : 0;
	return 0;
}

int elf_sites_read(const char *path, struct elf_sites *ret_sites, struct tacho_error *error)
{
	struct file file = { 0 };
	Elf64_Shdr section = { 0 };
	int ret;

	*ret_sites = (struct elf_sites){ 0 };
	ret = open_file(path, &file, error);
	if (ret)
		return ret;
	ret_sites->file = file.bytes;
	file.has_base = find_section(&file, ".stapsdt.base", &section);
	file.base = section.sh_addr;
	if (find_section(&file, ".note.stapsdt", &section))
		ret = take_notes(&file, &section, ret_sites);
	if (ret)
		elf_sites_free(ret_sites);
	return ret ? error_set(error, ret, "cannot read the static probes of '%s': %s", path,
			       strerror(-ret)) :
		     0;
}

void elf_sites_free(struct elf_sites *sites)
{
	free(sites->site);
	free(sites->file);
	*sites = (struct elf_sites){ 0 };
}
