/* SPDX-License-Identifier: MIT */
/*
 * condition.h - what a comparison of a filter (filter/filter.h) is in the language of tracefs's filters.
 *
 *      ours                      the kernel's
 *      prev_tid == 12            prev_pid == 12
 *      prev_prio == 20           prev_prio == 120            the trace has the kernel's value - 100
 *      comm == "ba*"             comm ~ "\ba*"               globs have ? [ \ of their own
 *      flags & 6 == 4            (flags & 0x4) && !(flags & 0x2)
 *      dfd == -100               dfd == 0xffffff9c || dfd == 0xffffffffffffff9c
 *      small == 300              never                       the kernel would cut 300 to a byte
 *
 * ARGUMENTS of system calls are whole registers in the kernel, in which an int has been widened by the
 * program as it liked; the record has the int.
 *
 * A pattern always has a backslash in front of its first plain byte, which means nothing to a glob:
 * without it the kernel takes simple patterns another way, of which one, "*end", does not work on arrays
 * of chars, and one that begins with a digit is no pattern.
 */
#ifndef TACHO_KERNEL_CONDITION_H
#define TACHO_KERNEL_CONDITION_H

#include "base/error.h"
#include "filter/filter.h"
#include "kernel/event_format.h"

enum kernel_verdict {
	KERNEL_NEVER,
	KERNEL_ALWAYS,
	KERNEL_DEPENDS, /* on the record: there is a text */
};

struct kernel_condition {
	enum kernel_verdict verdict;
	char *text; /* to be freed; NULL unless KERNEL_DEPENDS */
};

enum kernel_operand_kind {
	KERNEL_OPERAND_INTEGER,
	KERNEL_OPERAND_ARGUMENT, /* an integer in a register */
	KERNEL_OPERAND_TEXT,
	KERNEL_OPERAND_OTHER,    /* is no value: an array */
};

/* What a filter reads of an event. */
struct kernel_operand {
	char name[KERNEL_FIELD_NAME_BYTES]; /* the kernel's */
	const char *as_text;                /* behind the name, where it is compared with a string */
	enum kernel_operand_kind kind;
	bool is_text_too; /* an integer that leads to a string */
	bool has_no_bits; /* & is not for it */
	bool is_signed;
	uint32_t bytes;
	int bias;         /* what the trace has more than the kernel */
};

/*
 * kernel_condition_compare() - `operand opcode constant`
 * @opcode: TACHO_FILTER_EQUAL to TACHO_FILTER_GREATER_EQUAL
 * @constant: of any kind
 * @ret_condition: held nothing; to be ended, also after a failure
 *
 * Return: 0; -ENOTSUP: the kernel cannot; -E2BIG: it is too long; -ENOMEM. All with words.
 */
int kernel_condition_compare(const struct kernel_operand *operand, uint32_t opcode,
			     const struct filter_value *constant,
			     struct kernel_condition *ret_condition, struct tacho_error *error);

/* kernel_condition_compare_bits() - `(operand & mask) opcode constant`: EQUAL and UNEQUAL only */
int kernel_condition_compare_bits(const struct kernel_operand *operand, uint64_t mask,
				  uint32_t opcode, const struct filter_value *constant,
				  struct kernel_condition *ret_condition, struct tacho_error *error);

int kernel_condition_not(struct kernel_condition *condition, struct tacho_error *error);
/* kernel_condition_join() - the result is in @a, and @b holds nothing any more
 * @opcode: TACHO_FILTER_AND, TACHO_FILTER_OR
 * Return: 0; -E2BIG or -ENOMEM, and both are as they were. */
int kernel_condition_join(struct kernel_condition *a, uint32_t opcode, struct kernel_condition *b,
			  struct tacho_error *error);
void kernel_condition_end(struct kernel_condition *condition);

#endif
