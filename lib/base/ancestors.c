/* SPDX-License-Identifier: MIT */
/*
 * ancestors.c - see ancestors.h
 *
 *	note:A  ancestor[]                            any number of writers, of the same
 *	note:B  ancestors_known = 1 + count           (release)
 *	        pairs with get:A (acquire): the list before the number that says it is there
 */
#include "base/ancestors.h"

#include <string.h>

/* "PID (name) STATE PARENT ...", and the name may hold anything. */
uint32_t ancestors_parent(const char *stat)
{
	const char *p = strrchr(stat, ')');
	uint32_t parent = 0;

	if (!p || strnlen(p, 4) < 4)
		return 0;
	for (p += 4; *p >= '0' && *p <= '9'; p++)
		parent = parent * 10 + (uint32_t)(*p - '0');
	return parent;
}

/* Processes come and go meanwhile; what is walked up may not even end. */
static uint32_t walk(uint32_t pid, uint32_t (*parent_of)(uint32_t pid), uint32_t *ret_list)
{
	uint32_t count = 0;

	while (count < TACHO_ANCESTORS_MAX && (pid = parent_of(pid)) != 0)
		ret_list[count++] = pid;
	return count;
}

static void note(struct tacho_registry *registry, const uint32_t *list, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		tacho_store_relaxed(&registry->ancestor[i], list[i]);
	/* note:B pairs with get:A */
	tacho_store_release(&registry->ancestors_known, 1 + count);
}

static uint32_t read_noted(const struct tacho_registry *registry, uint32_t known,
			   uint32_t *ret_list)
{
	uint32_t count = known - 1 < TACHO_ANCESTORS_MAX ? known - 1 : TACHO_ANCESTORS_MAX;

	for (uint32_t i = 0; i < count; i++)
		ret_list[i] = tacho_load_relaxed(&registry->ancestor[i]);
	return count;
}

uint32_t ancestors_get(struct tacho_registry *registry, uint32_t (*parent_of)(uint32_t pid),
		       uint32_t *ret_list)
{
	/* get:A pairs with note:B */
	uint32_t known = tacho_load_acquire(&registry->ancestors_known);
	uint32_t count;

	if (known)
		return read_noted(registry, known, ret_list);
	count = walk(registry->pid, parent_of, ret_list);
	note(registry, ret_list, count);
	return count;
}

void ancestors_inherit(struct tacho_registry *child, const struct tacho_registry *parent)
{
	uint32_t list[TACHO_ANCESTORS_MAX + 1];
	uint32_t known = tacho_load_acquire(&parent->ancestors_known);
	uint32_t count;

	child->ancestors_known = 0;
	if (!known)
		return;
	list[0] = parent->pid;
	count = 1 + read_noted(parent, known, list + 1);
	note(child, list, count < TACHO_ANCESTORS_MAX ? count : TACHO_ANCESTORS_MAX);
}
