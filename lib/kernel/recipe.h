/* SPDX-License-Identifier: MIT */
/*
 * recipe.h - how an event of the kernel becomes a record's payload (format/record.h): made once
 * from its format, then run for each event without looking at names or types.
 *
 *      format                                  description           steps
 *      char comm[16]      @8  16               comm   array char 16  copy  8, 16 \ one
 *      pid_t pid          @24 4                tid    int32          copy 24,  4 / step
 *      int prio           @28 4                prio   int32          add  28, 4, -100
 *      __data_loc char[]  @32                  name   string         string 32
 *      __data_loc u64[]   @36                  stack  sequence u64   sequence 36, 8
 *
 * System calls' arguments are eight bytes each in the kernel's record; in ours they have their
 * types' sizes.
 */
#ifndef TACHO_KERNEL_RECIPE_H
#define TACHO_KERNEL_RECIPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/event_desc.h"
#include "kernel/event_format.h"
#include "kernel/page.h"

struct kernel_recipe;

/* Of a recipe, for each record. */
struct kernel_recipe_needs {
	uint32_t record_bytes; /* as far as steps that copy look into the record */
	uint32_t copied;       /* bytes by steps that copy; more than those where fields share theirs */
	uint32_t dynamic;      /* strings and sequences */
};

/*
 * kernel_recipe_make() - of an event of tracefs
 * @system: "sched"
 *
 * Return: 0 and a recipe for kernel_recipe_free(); -ENOMEM; -EBADMSG.
 */
int kernel_recipe_make(const char *system, const struct kernel_format *format,
		       struct kernel_recipe **ret_recipe, struct tacho_error *error);
void kernel_recipe_free(struct kernel_recipe *recipe);

/* kernel_recipe_desc() - what the payload is; lives as long as the recipe */
const struct event_desc *kernel_recipe_desc(const struct kernel_recipe *recipe);

struct kernel_recipe_needs kernel_recipe_needs(const struct kernel_recipe *recipe);

/* kernel_recipe_room() - a payload of a record of so many bytes is at most this long */
static inline uint32_t kernel_recipe_room(const struct kernel_recipe_needs *needs,
					  uint32_t record_bytes)
{
	/* Dynamic fields have a length or an end, and may share their bytes, in a record that makes no
	 * sense: each counts. */
	return needs->copied + needs->dynamic * ((uint32_t)sizeof(uint32_t) + record_bytes);
}

/* kernel_recipe_fits() - or is the record shorter than its format says? */
static inline bool kernel_recipe_fits(const struct kernel_recipe_needs *needs,
				      const struct kernel_record *record)
{
	return record->bytes >= needs->record_bytes;
}

/*
 * kernel_recipe_run() - write the payload
 *
 * It must fit. A string or sequence that leads out of the record is empty.
 *
 * Return: the payload's end.
 */
uint8_t *kernel_recipe_run(const struct kernel_recipe *recipe, const struct kernel_record *record,
			   uint8_t *to);

/* kernel_field_is_text() - does it hold characters? */
bool kernel_field_is_text(const struct kernel_field *field);
/* kernel_field_narrow() - of an argument of a system call: give it its type's size and sign */
void kernel_field_narrow(struct kernel_field *field);

#endif
