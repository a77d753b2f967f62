/* SPDX-License-Identifier: MIT */
/* statedump_image.c - see statedump.h */
#include <elf.h>
#include <link.h>
#include <string.h>

#include "tracer/statedump.h"
#include "tracer/sys.h"

#define SEGMENTS_MAX   64
#define NOTE_BYTES_MAX 2048
#define PAGE_MASK      4095u

static bool read_all(int fd, uint64_t at, void *buffer, size_t bytes)
{
	return sys_read_at(fd, buffer, bytes, at) == (long)bytes;
}

static uint64_t padded(uint64_t bytes, uint64_t alignment)
{
	return (bytes + alignment - 1) & ~(alignment - 1);
}

static bool is_build_id(const ElfW(Nhdr) * note)
{
	return note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof(ELF_NOTE_GNU) &&
	       !memcmp(note + 1, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) && note->n_descsz &&
	       note->n_descsz <= STATEDUMP_BUILD_ID_MAX;
}

static void find_build_id(const char *notes, uint64_t bytes, uint64_t alignment,
			  struct statedump_image *image)
{
	while (bytes >= sizeof(ElfW(Nhdr)) + sizeof(ELF_NOTE_GNU)) {
		const ElfW(Nhdr) *note = (const void *)notes;
		uint64_t at = padded(sizeof(*note) + (uint64_t)note->n_namesz, alignment);
		uint64_t next = padded(at + note->n_descsz, alignment);

		if (at + note->n_descsz > bytes)
			return;
		if (is_build_id(note)) {
			image->build_id_bytes = note->n_descsz;
			memcpy(image->build_id, notes + at, note->n_descsz);
			return;
		}
		if (next >= bytes)
			return;
		notes += next;
		bytes -= next;
	}
}

static void read_notes(int fd, uint64_t at, const ElfW(Phdr) * notes, struct statedump_image *image)
{
	char buffer[NOTE_BYTES_MAX] __attribute__((aligned(8)));
	uint64_t bytes = notes->p_memsz < sizeof(buffer) ? notes->p_memsz : sizeof(buffer);

	if (!image->build_id_bytes && read_all(fd, at, buffer, bytes))
		find_build_id(buffer, bytes, notes->p_align == 8 ? 8 : 4, image);
}

/* As the file numbers it: where its first segment begins, and where its last one ends. */
static bool find_extent(const ElfW(Phdr) * segment, uint32_t count, uint64_t *ret_begin,
			uint64_t *ret_end)
{
	uint64_t begin = UINT64_MAX, end = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (segment[i].p_type != PT_LOAD)
			continue;
		if (segment[i].p_vaddr < begin)
			begin = segment[i].p_vaddr;
		if (segment[i].p_vaddr + segment[i].p_memsz > end)
			end = segment[i].p_vaddr + segment[i].p_memsz;
	}
	*ret_begin = begin;
	*ret_end = end;
	return begin < end;
}

bool statedump_describe(int memory_fd, struct statedump_image *image)
{
	ElfW(Phdr) segment[SEGMENTS_MAX];
	ElfW(Ehdr) header;
	uint64_t begin, end, bias;

	if (!read_all(memory_fd, image->begin, &header, sizeof(header)) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_phentsize != sizeof(*segment) ||
	    header.e_phnum > SEGMENTS_MAX ||
	    !read_all(memory_fd, image->begin + header.e_phoff, segment,
		      header.e_phnum * sizeof(*segment)) ||
	    !find_extent(segment, header.e_phnum, &begin, &end))
		return false;
	bias = image->begin - (begin & ~(uint64_t)PAGE_MASK);
	image->is_pic = bias != 0;
	image->begin = bias + begin;
	image->end = bias + end;
	image->build_id_bytes = 0;
	for (uint32_t i = 0; i < header.e_phnum; i++)
		if (segment[i].p_type == PT_NOTE)
			read_notes(memory_fd, bias + segment[i].p_vaddr, &segment[i], image);
	return true;
}
