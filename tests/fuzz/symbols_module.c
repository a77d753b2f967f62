/* SPDX-License-Identifier: MIT */
/*
 * An executable or library that a trace names, in which functions and lines are looked up.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/module.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* Each is a file that is mapped and looked through. */
extern const unsigned long fuzz_random_runs;
const unsigned long fuzz_random_runs = 5000;

static void check_place(const char *file, uint32_t line)
{
	if (file && (!strlen(file) || !line))
		abort();
}

static void check_address(struct module *module, uint64_t address)
{
	const struct module_function *function = module_function(module, address);
	struct symbol symbol = { 0 };

	if (function && (!*function->name || address < function->address))
		abort();
	module_find_lines(module, address, &symbol);
	check_place(symbol.file, symbol.line);
	for (uint32_t i = 0; i < symbol.inlined_count; i++) {
		(void)strlen(symbol.inlined[i].function);
		check_place(symbol.inlined[i].file, symbol.inlined[i].line);
	}
}

static void check_module(const char *path)
{
	struct module *module = module_new(path, "", 0);

	if (!module)
		return;
	for (uint64_t address = 0; address < 64; address++) {
		check_address(module, 0x401000 + address);
		check_address(module, address << 58);
	}
	for (size_t i = 0; i < module->function_count; i++) {
		for (uint64_t inside = 0; inside < 32; inside += 4)
			check_address(module, module->functions[i].address + inside);
	}
	module_free(module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	int fd = memfd_create("module", MFD_CLOEXEC);
	char path[32];

	if (fd < 0)
		return 0;
	if (write(fd, data, bytes) == (ssize_t)bytes) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		check_module(path);
	}
	close(fd);
	return 0;
}
