/* SPDX-License-Identifier: MIT */
/* operand.c - see operand.h */
#include "kernel/operand.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

#define OPERAND_BYTES  96
#define REGISTER_BYTES 8

static const char *type_of(const char *size)
{
	static const struct {
		const char *size, *type;
	} types[] = {
		{ "8", "u64" }, { "-8", "s64" }, { "4", "u32" }, { "-4", "s32" },
		{ "2", "u16" }, { "-2", "s16" }, { "1", "u8" },	 { "-1", "s8" },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(types[i].size, size))
			return types[i].type;
	return NULL;
}

/* "rax", "eax", "ax" and "al" are parts of what the kernel calls "ax". */
static bool take_register(const char *name, char ret_name[REGISTER_BYTES])
{
	static const char *const words[] = { "ax", "bx", "cx", "dx", "si", "di", "bp", "sp" };
	static const char *const bytes[] = { "al", "bl", "cl", "dl", "sil", "dil", "bpl", "spl" };
	const char *word = *name == 'r' || *name == 'e' ? name + 1 : name;
	char end = 0;
	int number;

	for (int i = 0; i < 8; i++)
		if (!strcmp(word, words[i]) || !strcmp(name, bytes[i]))
			return !str_copy(ret_name, REGISTER_BYTES, words[i]);
	if (sscanf(name, "r%d%c", &number, &end) < 1 || number < 8 || number > 15 ||
	    (end && !strchr("bwd", end)))
		return false;
	return !str_print(ret_name, REGISTER_BYTES, "r%d", number);
}

/* "%rax", "-24(%rbp)", "$5" */
static bool take_place(const char *place, char ret_place[OPERAND_BYTES])
{
	char name[16], found[REGISTER_BYTES], behind;
	long long number = 0;
	char *rest;

	if (*place == '$') {
		number = strtoll(place + 1, &rest, 0);
		return rest != place + 1 && !*rest &&
		       !str_print(ret_place, OPERAND_BYTES, "\\%lld", number);
	}
	if (sscanf(place, "%%%15[a-z0-9]%c", name, &behind) == 1)
		return take_register(name, found) &&
		       !str_print(ret_place, OPERAND_BYTES, "%%%s", found);
	number = strtoll(place, &rest, 0);
	return sscanf(rest, "(%%%15[a-z0-9]%c%c", name, &behind, &behind) == 2 && behind == ')' &&
	       take_register(name, found) &&
	       !str_print(ret_place, OPERAND_BYTES, "%+lld(%%%s)", number, found);
}

static int print_operand(char *argument, unsigned int number, char *ret_text, size_t size)
{
	char place[OPERAND_BYTES];
	char *at = strchr(argument, '@');
	const char *type;

	*ret_text = 0;
	if (!at)
		return 0;
	*at = 0;
	type = type_of(argument);
	if (!type || !take_place(at + 1, place))
		return 0;
	return str_print(ret_text, size, " arg%u=%s:%s", number, place, type);
}

int kernel_operands_print(const char *arguments, char *ret_text, size_t size)
{
	char *copy = strdup(arguments), *rest;
	unsigned int number = 0;
	int ret = copy ? 0 : -ENOMEM;

	*ret_text = 0;
	for (char *argument = copy ? strtok_r(copy, " ", &rest) : NULL; !ret && argument;
	     argument = strtok_r(NULL, " ", &rest)) {
		size_t used = strlen(ret_text);

		ret = print_operand(argument, ++number, ret_text + used, size - used);
	}
	free(copy);
	return ret;
}
