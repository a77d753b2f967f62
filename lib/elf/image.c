/* SPDX-License-Identifier: MIT */
#include "elf/image.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fd.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OWN_BYTE_ORDER ELFDATA2LSB
#else
#define OWN_BYTE_ORDER ELFDATA2MSB
#endif

/* Far more than any linker makes; each address is looked up in all of them. */
#define SEGMENTS_MAX 64

/* A processor, and those relocations of its that make pointers in data. */
struct machine {
	unsigned int number;
	const char *name;
	uint32_t relative;
	uint32_t absolute;
};

/* Bytes of the file that will be at an address. */
struct segment {
	uint64_t address;
	uint64_t bytes;
	uint64_t offset; /* in the file */
	Elf_Data *data;  /* since it was first used */
};

struct relocation {
	uint64_t address;
	uint64_t value;
};

struct elf_image {
	char *name;
	int fd;
	uint64_t file_bytes;
	Elf *elf;
	const struct machine *machine;
	struct segment segments[SEGMENTS_MAX];
	size_t segment_count;
	struct relocation *relocations; /* by address */
	size_t relocation_count;
};

static int refuse(const struct elf_image *image, struct tacho_error *error, const char *why)
{
	return error_set(error, -ENOEXEC, "cannot read '%s': %s", image->name, why);
}

static int no_memory(const struct elf_image *image, struct tacho_error *error)
{
	return error_set(error, -ENOMEM, "no memory to read '%s'", image->name);
}

/* ---- what kind of file it is ---- */

static const struct machine *find_machine(unsigned int number)
{
	static const struct machine machines[] = {
		{ EM_X86_64, "x86_64", R_X86_64_RELATIVE, R_X86_64_64 },
		{ EM_AARCH64, "aarch64", R_AARCH64_RELATIVE, R_AARCH64_ABS64 },
	};

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].number == number)
			return &machines[i];
	return NULL;
}

static const char *file_doubt(Elf *elf)
{
	switch (elf_kind(elf)) {
	case ELF_K_ELF:
		return NULL;
	case ELF_K_AR:
		return "it is an archive of object files; look at the program that they are linked "
		       "into";
	default:
		return "it is neither an executable nor a shared library";
	}
}

static const char *type_doubt(unsigned int type)
{
	switch (type) {
	case ET_EXEC:
	case ET_DYN:
		return NULL;
	case ET_REL:
		return "it is an object file; look at the program that it is linked into";
	case ET_CORE:
		return "it is the memory of a program that ended";
	default:
		return "it is neither an executable nor a shared library";
	}
}

static int check_head(struct elf_image *image, struct tacho_error *error)
{
	const char *doubt = file_doubt(image->elf);
	GElf_Ehdr head;

	if (doubt)
		return refuse(image, error, doubt);
	if (!gelf_getehdr(image->elf, &head))
		return refuse(image, error, "its header is damaged");
	if (head.e_ident[EI_CLASS] != ELFCLASS64)
		return refuse(image, error,
			      "it is of 32 bits, and only those of 64 can be read without running "
			      "them; of a process that runs it: tacho list PID");
	if (head.e_ident[EI_DATA] != OWN_BYTE_ORDER)
		return refuse(image, error, "it is for a processor of the other byte order");
	doubt = type_doubt(head.e_type);
	if (doubt)
		return refuse(image, error, doubt);
	image->machine = find_machine(head.e_machine);
	if (!image->machine)
		return error_set(error, -ENOEXEC,
				 "cannot read '%s': it is for processor number %u of ELF's list; "
				 "x86_64 and aarch64 can be read",
				 image->name, head.e_machine);
	return 0;
}

/* ---- segments ---- */

static bool is_loaded(const GElf_Phdr *header)
{
	return header->p_type == PT_LOAD && header->p_filesz &&
	       header->p_filesz <= UINT64_MAX - header->p_vaddr && header->p_offset <= INT64_MAX &&
	       header->p_filesz <= INT64_MAX;
}

static int find_segments(struct elf_image *image, struct tacho_error *error)
{
	GElf_Phdr header;
	size_t count;

	if (elf_getphdrnum(image->elf, &count) || count > INT_MAX)
		return refuse(image, error, "its program headers are damaged");
	for (size_t i = 0; i < count && gelf_getphdr(image->elf, (int)i, &header); i++) {
		if (!is_loaded(&header))
			continue;
		if (image->segment_count == SEGMENTS_MAX)
			return refuse(image, error, "it has too many segments");
		image->segments[image->segment_count++] = (struct segment){
			.address = header.p_vaddr,
			.bytes = header.p_filesz,
			.offset = header.p_offset,
		};
	}
	return 0;
}

/* The bytes from @address to the end of its segment, as many as @ret_bytes says; or NULL. */
static const char *bytes_at(struct elf_image *image, uint64_t address, uint64_t *ret_bytes)
{
	for (size_t i = 0; i < image->segment_count; i++) {
		struct segment *segment = &image->segments[i];
		uint64_t at = address - segment->address;

		if (address < segment->address || at >= segment->bytes)
			continue;
		if (!segment->data)
			segment->data = elf_getdata_rawchunk(image->elf, (int64_t)segment->offset,
							     segment->bytes, ELF_T_BYTE);
		if (!segment->data || !segment->data->d_buf || at >= segment->data->d_size)
			return NULL;
		*ret_bytes = segment->data->d_size - at;
		return (const char *)segment->data->d_buf + at;
	}
	return NULL;
}

/* ---- relocations ---- */

static uint64_t symbol_value(Elf_Data *symbols, uint64_t index, int64_t addend)
{
	GElf_Sym symbol;

	if (!symbols || index > INT_MAX || !gelf_getsym(symbols, (int)index, &symbol) ||
	    symbol.st_shndx == SHN_UNDEF)
		return 0;
	return symbol.st_value + (uint64_t)addend;
}

static void add_relocation(struct elf_image *image, const GElf_Rela *rela, Elf_Data *symbols)
{
	const uint32_t type = (uint32_t)GELF_R_TYPE(rela->r_info);
	struct relocation *added = &image->relocations[image->relocation_count];

	if (type == image->machine->relative)
		added->value = (uint64_t)rela->r_addend;
	else if (type == image->machine->absolute)
		added->value = symbol_value(symbols, GELF_R_SYM(rela->r_info), rela->r_addend);
	else
		return;
	added->address = rela->r_offset;
	image->relocation_count++;
}

static Elf_Data *data_of(Elf *elf, size_t section)
{
	Elf_Scn *scn = elf_getscn(elf, section);

	return scn ? elf_getdata(scn, NULL) : NULL;
}

static int add_relocations(struct elf_image *image, Elf_Scn *section, const GElf_Shdr *header,
			   struct tacho_error *error)
{
	Elf_Data *data = elf_getdata(section, NULL);
	Elf_Data *symbols = data_of(image->elf, header->sh_link);
	size_t count = data && data->d_buf ? data->d_size / sizeof(Elf64_Rela) : 0;
	struct relocation *grown;

	if (!count || count > INT_MAX)
		return 0;
	grown = reallocarray(image->relocations, image->relocation_count + count, sizeof(*grown));
	if (!grown)
		return no_memory(image, error);
	image->relocations = grown;
	for (size_t i = 0; i < count; i++) {
		GElf_Rela rela;

		if (gelf_getrela(data, (int)i, &rela))
			add_relocation(image, &rela, symbols);
	}
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct relocation *left = a, *right = b;

	return (left->address > right->address) - (left->address < right->address);
}

/* Headers that tell of the same bytes again and again could ask for any amount of memory. */
static bool is_too_much(const struct elf_image *image, const GElf_Shdr *header, uint64_t *total)
{
	if (header->sh_size > image->file_bytes)
		return true;
	*total += header->sh_size;
	return *total > image->file_bytes;
}

static int find_relocations(struct elf_image *image, struct tacho_error *error)
{
	Elf_Scn *section = NULL;
	uint64_t total = 0;

	while ((section = elf_nextscn(image->elf, section))) {
		GElf_Shdr header;
		int err;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA ||
		    !(header.sh_flags & SHF_ALLOC))
			continue;
		if (is_too_much(image, &header, &total))
			return refuse(image, error, "its sections are larger than the file");
		err = add_relocations(image, section, &header, error);
		if (err)
			return err;
	}
	if (image->relocation_count)
		qsort(image->relocations, image->relocation_count, sizeof(*image->relocations),
		      by_address);
	return 0;
}

/* ---- open and close ---- */

static int begin(const char *name, struct elf_image **ret_image, struct tacho_error *error)
{
	struct elf_image *image = calloc(1, sizeof(*image));

	if (image)
		image->name = strdup(name);
	if (!image || !image->name) {
		free(image);
		return error_set(error, -ENOMEM, "no memory to read '%s'", name);
	}
	image->fd = -1;
	elf_version(EV_CURRENT);
	*ret_image = image;
	return 0;
}

static int look(struct elf_image *image, struct tacho_error *error)
{
	int err;

	if (!image->elf)
		return refuse(image, error, elf_errmsg(-1));
	err = check_head(image, error);
	if (!err)
		err = find_segments(image, error);
	if (!err)
		err = find_relocations(image, error);
	return err;
}

static int finish(struct elf_image *image, int err, struct elf_image **ret_image)
{
	if (err)
		elf_image_close(image);
	else
		*ret_image = image;
	return err;
}

static int open_file(struct elf_image *image, struct tacho_error *error)
{
	struct stat st;

	image->fd = file_open_linked_at(AT_FDCWD, image->name, O_RDONLY, 0);
	if (image->fd == -EBADMSG)
		return refuse(image, error, "it is not a file");
	if (image->fd < 0)
		return error_set(error, image->fd, "cannot open '%s': %s", image->name,
				 strerror(-image->fd));
	if (fstat(image->fd, &st))
		return error_set(error, -errno, "cannot look at '%s': %m", image->name);
	image->file_bytes = (uint64_t)st.st_size;
	/* Read, not mapped: whoever cuts the file meanwhile would kill us. */
	image->elf = elf_begin(image->fd, ELF_C_READ, NULL);
	return look(image, error);
}

int elf_image_open(const char *path, struct elf_image **ret_image, struct tacho_error *error)
{
	struct elf_image *image;
	int err = begin(path, &image, error);

	return err ? err : finish(image, open_file(image, error), ret_image);
}

int elf_image_open_memory(const char *name, void *bytes, size_t size, struct elf_image **ret_image,
			  struct tacho_error *error)
{
	struct elf_image *image;
	int err = begin(name, &image, error);

	if (err)
		return err;
	image->file_bytes = size;
	image->elf = elf_memory(bytes, size);
	return finish(image, look(image, error), ret_image);
}

void elf_image_close(struct elf_image *image)
{
	if (!image)
		return;
	elf_end(image->elf);
	fd_close(image->fd);
	free(image->relocations);
	free(image->name);
	free(image);
}

/* ---- what is in it ---- */

const char *elf_image_name(const struct elf_image *image)
{
	return image->name;
}

const char *elf_image_machine(const struct elf_image *image)
{
	return image->machine->name;
}

int elf_image_section(const struct elf_image *image, const char *name, uint64_t *ret_address,
		      uint64_t *ret_bytes)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(image->elf, &names))
		return -ENOENT;
	while ((section = elf_nextscn(image->elf, section))) {
		GElf_Shdr header;
		const char *its_name;

		if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC))
			continue;
		its_name = elf_strptr(image->elf, names, header.sh_name);
		if (!its_name || strcmp(its_name, name) != 0)
			continue;
		if (header.sh_type == SHT_NOBITS)
			return -ENODATA;
		*ret_address = header.sh_addr;
		*ret_bytes = header.sh_size;
		return 0;
	}
	return -ENOENT;
}

bool elf_image_has(struct elf_image *image, uint64_t address, uint64_t bytes)
{
	uint64_t there;

	return bytes_at(image, address, &there) && there >= bytes;
}

bool elf_image_read(struct elf_image *image, uint64_t address, void *ret_data, size_t bytes)
{
	uint64_t there;
	const char *data = bytes_at(image, address, &there);

	if (!data || there < bytes)
		return false;
	memcpy(ret_data, data, bytes);
	return true;
}

uint64_t elf_image_pointer(struct elf_image *image, uint64_t address)
{
	const struct relocation key = { .address = address };
	const struct relocation *found = NULL;
	uint64_t value;

	if (image->relocation_count)
		found = bsearch(&key, image->relocations, image->relocation_count,
				sizeof(*image->relocations), by_address);
	if (found)
		return found->value;
	return elf_image_read(image, address, &value, sizeof(value)) ? value : 0;
}

const char *elf_image_string(struct elf_image *image, uint64_t address, size_t bytes_max)
{
	uint64_t there;
	const char *text = bytes_at(image, address, &there);

	if (!text)
		return NULL;
	return memchr(text, 0, there < bytes_max ? there : bytes_max) ? text : NULL;
}
