/* SPDX-License-Identifier: MIT */
/*
 * operand.h - arguments of static probes, as the assembler writes them, in the kernel's words:
 *
 *      -4@%eax           arg1=%ax:s32
 *      8@-24(%rbp)       arg2=-24(%bp):u64
 *      4@$5              arg3=\5:u32
 *
 * What the kernel cannot fetch (indexed addresses, numbers of floating point, addresses relative to the
 * instruction, halves of registers) is left out.
 */
#ifndef TACHO_KERNEL_OPERAND_H
#define TACHO_KERNEL_OPERAND_H

#include <stddef.h>

/* kernel_operands_print() - all of a probe, each with a space in front. Return: 0, -ENAMETOOLONG or
 * -ENOMEM. */
int kernel_operands_print(const char *arguments, char *ret_text, size_t size);

#endif
