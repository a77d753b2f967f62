/* SPDX-License-Identifier: MIT */
/* module.c - see module.h */
#include "module.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "lines.h"

static const char *trouble_of(int err)
{
	switch (err) {
	case -ENOENT:
	case -ENOTDIR:
		return "the file is not there";
	case -EACCES:
	case -EPERM:
		return "the file may not be read";
	default:
		return "the file is no ELF file that can be read";
	}
}

/* A path is absolute; "[vdso]" and its like are no files. */
static void open_file(struct module *module)
{
	int err = module->path[0] == '/' ? file_open(module->path, &module->file) : -ENOENT;

	if (err) {
		module->trouble = trouble_of(err);
		return;
	}
	if (module->build_id_bytes &&
	    !file_is_build(&module->file, module->build_id, module->build_id_bytes)) {
		module->trouble = "the file is of another build";
		file_close(&module->file);
		return;
	}
	module->first_address = file_first_address(&module->file);
	if (!file_has_section(&module->file, ".debug_info"))
		file_open_debug(module->path, &module->file, &module->debug);
}

struct module *module_new(const char *path, const void *build_id, uint32_t build_id_bytes)
{
	struct module *module = calloc(1, sizeof(*module));

	if (!module)
		return NULL;
	module->file.fd = module->debug.fd = -1;
	module->path = strdup(path);
	module->build_id_bytes = build_id_bytes;
	memcpy(module->build_id, build_id, build_id_bytes);
	if (!module->path) {
		module_free(module);
		return NULL;
	}
	open_file(module);
	return module;
}

void module_free(struct module *module)
{
	if (!module)
		return;
	lines_free(module->lines);
	file_close(&module->debug);
	file_close(&module->file);
	free(module->functions);
	free(module->path);
	free(module);
}

/* ---- functions ---- */

static bool is_function(const GElf_Sym *symbol)
{
	int type = GELF_ST_TYPE(symbol->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->st_shndx != SHN_UNDEF &&
	       symbol->st_value;
}

/* All of a table, as long as there is room. */
static size_t take_symbols(Elf *elf, Elf_Data *data, const GElf_Shdr *header,
			   struct module_function *functions, size_t room)
{
	size_t entries = data->d_size / header->sh_entsize, count = 0;

	for (size_t i = 0; i < entries && count < room; i++) {
		GElf_Sym symbol;
		const char *name;

		if (!gelf_getsym(data, (int)i, &symbol) || !is_function(&symbol))
			continue;
		name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (name && *name)
			functions[count++] = (struct module_function){
				.address = symbol.st_value,
				.bytes = symbol.st_size,
				.name = name,
				.is_global = GELF_ST_BIND(symbol.st_info) != STB_LOCAL,
			};
	}
	return count;
}

static void add_table(struct module *module, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	struct module_function *more;
	size_t entries = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
	size_t room = module->function_count + entries;

	if (!entries || room > SYMBOLS_FUNCTIONS_MAX)
		return;
	more = reallocarray(module->functions, room, sizeof(*more));
	if (!more)
		return;
	module->functions = more;
	module->function_count +=
		take_symbols(elf, data, header, more + module->function_count, entries);
}

static void add_tables(struct module *module, const struct module_file *file)
{
	Elf_Scn *section = NULL;

	while (file->elf && (section = elf_nextscn(file->elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) &&
		    (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
			add_table(module, file->elf, section, &header);
	}
}

/* Of several names of an address, the last one counts: a global one, then the shortest. */
static int by_address(const void *a, const void *b)
{
	const struct module_function *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->is_global != y->is_global)
		return x->is_global ? 1 : -1;
	if (strlen(x->name) != strlen(y->name))
		return strlen(x->name) > strlen(y->name) ? -1 : 1;
	return -strcmp(x->name, y->name);
}

static void find_functions(struct module *module)
{
	module->has_functions = true;
	add_tables(module, &module->file);
	add_tables(module, &module->debug);
	if (module->function_count)
		qsort(module->functions, module->function_count, sizeof(module->functions[0]),
		      by_address);
}

/* One without a size goes on to the next. */
static bool is_in(const struct module_function *function, uint64_t address)
{
	return !function->bytes || address - function->address < function->bytes;
}

const struct module_function *module_function(struct module *module, uint64_t address)
{
	size_t low = 0, high;

	if (!module->has_functions)
		find_functions(module);
	high = module->function_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (module->functions[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || !is_in(&module->functions[low - 1], address))
		return NULL;
	return &module->functions[low - 1];
}

/* ---- lines ---- */

static void find_lines(struct module *module)
{
	module->has_lines = true;
	if (module->debug.elf)
		module->lines = lines_new(module->debug.elf);
	else if (module->file.elf)
		module->lines = lines_new(module->file.elf);
}

void module_find_lines(struct module *module, uint64_t address, struct symbol *symbol)
{
	if (!module->has_lines)
		find_lines(module);
	if (module->lines)
		lines_find(module->lines, address, symbol);
}
