/* SPDX-License-Identifier: MIT */
/* libs_image.c - see libs_image.h */
#include "libs_image.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t hash(const char *text)
{
	uint64_t value = 14695981039346656037u; /* FNV-1a */

	for (; *text; text++)
		value = (value ^ (uint8_t)*text) * 1099511628211u;
	return value;
}

/* The part of memory that its segments take, as the file numbers it. */
static void find_extent(const struct dl_phdr_info *info, uint64_t *ret_begin, uint64_t *ret_end)
{
	uint64_t begin = UINT64_MAX, end = 0;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (segment->p_type != PT_LOAD)
			continue;
		if (segment->p_vaddr < begin)
			begin = segment->p_vaddr;
		if (segment->p_vaddr + segment->p_memsz > end)
			end = segment->p_vaddr + segment->p_memsz;
	}
	*ret_begin = begin < end ? begin : end;
	*ret_end = end;
}

static uint64_t padded(uint64_t bytes, uint64_t alignment)
{
	return (bytes + alignment - 1) & ~(alignment - 1);
}

static bool is_build_id(const ElfW(Nhdr) * note)
{
	return note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof(ELF_NOTE_GNU) &&
	       !memcmp(note + 1, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) && note->n_descsz &&
	       note->n_descsz <= BUILD_ID_BYTES_MAX;
}

/* Looks through the notes of a segment, as far as they lie in it. */
static void find_build_id(const char *notes, uint64_t bytes, uint64_t alignment,
			  struct image *image)
{
	while (bytes >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const void *)notes;
		uint64_t description = padded(sizeof(*note) + note->n_namesz, alignment);
		uint64_t next = padded(description + note->n_descsz, alignment);

		if (description + note->n_descsz > bytes)
			return;
		if (is_build_id(note)) {
			image->build_id_bytes = note->n_descsz;
			memcpy(image->build_id, notes + description, note->n_descsz);
			return;
		}
		notes += next;
		bytes = next < bytes ? bytes - next : 0;
	}
}

/* Notes that no segment brings into memory cannot be read. */
static bool is_loaded(const struct dl_phdr_info *info, const ElfW(Phdr) * notes)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (segment->p_type == PT_LOAD && (segment->p_flags & PF_R) &&
		    notes->p_vaddr >= segment->p_vaddr &&
		    notes->p_vaddr + notes->p_memsz <= segment->p_vaddr + segment->p_memsz)
			return true;
	}
	return false;
}

void image_describe(const struct dl_phdr_info *info, struct image *ret_image)
{
	uint64_t begin, end;

	find_extent(info, &begin, &end);
	ret_image->base = info->dlpi_addr + begin;
	ret_image->bytes = end - begin;
	ret_image->is_pic = info->dlpi_addr != 0;
	ret_image->build_id_bytes = 0;
	ret_image->name_hash = hash(info->dlpi_name ? info->dlpi_name : "");
	for (int i = 0; i < info->dlpi_phnum && !ret_image->build_id_bytes; i++) {
		const ElfW(Phdr) *notes = &info->dlpi_phdr[i];

		if (notes->p_type == PT_NOTE && is_loaded(info, notes))
			find_build_id((const char *)(info->dlpi_addr + notes->p_vaddr),
				      notes->p_memsz, notes->p_align == 8 ? 8 : 4, ret_image);
	}
}

void image_find_path(const char *name, struct image *image)
{
	ssize_t n;

	if (name && *name) {
		if (!realpath(name, image->path))
			snprintf(image->path, sizeof(image->path), *name == '/' ? "%s" : "[%s]",
				 name);
		return;
	}
	n = readlink("/proc/self/exe", image->path, sizeof(image->path) - 1);
	image->path[n > 0 ? n : 0] = 0;
}

/* The header of the file is the begin of its first segment. */
static bool find_segments(uintptr_t base, struct dl_phdr_info *info)
{
	const ElfW(Ehdr) *header = (const void *)base;

	if (memcmp(header->e_ident, ELFMAG, SELFMAG) || header->e_phentsize != sizeof(ElfW(Phdr)))
		return false;
	info->dlpi_phdr = (const void *)(base + header->e_phoff);
	info->dlpi_phnum = header->e_phnum;
	return true;
}

bool image_of_handle(void *handle, struct image *ret_image)
{
	struct dl_phdr_info info = { 0 };
	struct link_map *map;
	Dl_info where;

	if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map) || !dladdr(map->l_ld, &where))
		return false;
	info.dlpi_addr = map->l_addr;
	info.dlpi_name = map->l_name;
	if (!find_segments((uintptr_t)where.dli_fbase, &info))
		return false;
	image_describe(&info, ret_image);
	image_find_path(map->l_name, ret_image);
	return true;
}
