/* SPDX-License-Identifier: MIT */
/* symbols.c - see symbols.h */
#include "symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "map.h"
#include "module.h"
#include "names.h"

#define CACHE_ENTRIES 16384 /* a power of two */

/* What was found for an address of a module lately. */
struct found {
	struct module *module;
	uint64_t address;
	struct symbol symbol;
};

struct symbols {
	struct map map;
	struct module *modules;
	size_t module_count;
	struct names names;
	struct found cache[CACHE_ENTRIES];
};

struct symbols *symbols_new(void)
{
	return calloc(1, sizeof(struct symbols));
}

void symbols_free(struct symbols *symbols)
{
	if (!symbols)
		return;
	while (symbols->modules) {
		struct module *next = symbols->modules->next;

		module_free(symbols->modules);
		symbols->modules = next;
	}
	names_fini(&symbols->names);
	map_free(&symbols->map);
	free(symbols);
}

/* ---- what the trace tells ---- */

int symbols_begin(struct symbols *symbols, struct symbols_process process, uint64_t time_ns)
{
	return map_begin(&symbols->map, process, time_ns);
}

int symbols_load(struct symbols *symbols, struct symbols_process process, uint64_t time_ns,
		 uint64_t base, uint64_t bytes, const char *path)
{
	return map_load(&symbols->map, process, time_ns, base, bytes, path);
}

int symbols_build_id(struct symbols *symbols, struct symbols_process process, uint64_t base,
		     const void *id, size_t bytes)
{
	return map_build_id(&symbols->map, process, base, id, bytes);
}

void symbols_end(struct symbols *symbols, struct symbols_process process)
{
	map_end(&symbols->map, process);
}

void symbols_unload(struct symbols *symbols, struct symbols_process process, uint64_t time_ns,
		    uint64_t base)
{
	map_unload(&symbols->map, process, time_ns, base);
}

size_t symbols_count(const struct symbols *symbols)
{
	return symbols->map.place_count;
}

/* ---- looking ---- */

static bool is_of(const struct module *module, const struct place *place)
{
	return module->build_id_bytes == place->build_id_bytes &&
	       !memcmp(module->build_id, place->build_id, place->build_id_bytes) &&
	       !strcmp(module->path, place->path);
}

/* One for all processes. NULL: too many, or no memory. */
static struct module *module_of(struct symbols *symbols, struct place *place)
{
	struct module *module = symbols->modules;

	if (place->module)
		return place->module;
	while (module && !is_of(module, place))
		module = module->next;
	if (!module && symbols->module_count < SYMBOLS_MODULES_MAX) {
		module = module_new(place->path, place->build_id, place->build_id_bytes);
		if (module) {
			module->next = symbols->modules;
			symbols->modules = module;
			symbols->module_count++;
		}
	}
	place->module = module;
	return module;
}

static void look_up(struct symbols *symbols, struct module *module, uint64_t address,
		    struct symbol *symbol)
{
	const struct module_function *function = module_function(module, address);

	if (function) {
		symbol->function = names_spell(&symbols->names, function->name);
		symbol->function_offset = address - function->address;
	}
	module_find_lines(module, address, symbol);
	for (uint32_t i = 0; i < symbol->inlined_count; i++)
		symbol->inlined[i].function =
			names_spell(&symbols->names, symbol->inlined[i].function);
}

static const struct symbol *look_up_cached(struct symbols *symbols, struct module *module,
					   uint64_t address)
{
	uint64_t hash = (address ^ (uintptr_t)module) * 0x9e3779b97f4a7c15ull;
	struct found *found = &symbols->cache[hash >> 32 & (CACHE_ENTRIES - 1)];

	if (found->module == module && found->address == address)
		return &found->symbol;
	*found = (struct found){ .module = module, .address = address };
	look_up(symbols, module, address, &found->symbol);
	return &found->symbol;
}

bool symbols_find(struct symbols *symbols, struct symbols_process process, uint64_t time_ns,
		  uint64_t address, bool is_return, struct symbol *ret_symbol)
{
	uint64_t back = is_return && address ? 1 : 0;
	struct place *place = map_find(&symbols->map, process, time_ns, address - back);
	struct module *module = place ? module_of(symbols, place) : NULL;

	if (!place)
		return false;
	*ret_symbol = (struct symbol){ .trouble = "there are too many modules" };
	if (module && module->trouble)
		ret_symbol->trouble = module->trouble;
	else if (module)
		*ret_symbol = *look_up_cached(symbols, module,
					      address - back - place->base + module->first_address);
	if (ret_symbol->function)
		ret_symbol->function_offset += back;
	ret_symbol->module = place->path;
	ret_symbol->offset = address - place->base;
	return true;
}
