/* SPDX-License-Identifier: MIT */
/* kernel_operand.c - arguments of static probes in the kernel's words. */
#include "kernel/operand.h"

#include <errno.h>

#include "tests/test.h"

static void is(const char *arguments, const char *wanted)
{
	char text[256];

	assert_int_equal(kernel_operands_print(arguments, text, sizeof(text)), 0);
	assert_string_equal(text, wanted);
}

static void registers_are_called_as_the_kernel_calls_them(void **state)
{
	(void)state;
	is("-4@%eax 8@%rdi 2@%bx 1@%sil", " arg1=%ax:s32 arg2=%di:u64 arg3=%bx:u16 arg4=%si:u8");
	is("8@%r12 -4@%r8d 1@%r15b", " arg1=%r12:u64 arg2=%r8:s32 arg3=%r15:u8");
}

static void memory_and_constants(void **state)
{
	(void)state;
	is("8@-24(%rbp) 4@(%rsp) -8@16(%r9)",
	   " arg1=-24(%bp):u64 arg2=+0(%sp):u32 arg3=+16(%r9):s64");
	is("-4@$-5 8@$0x10", " arg1=\\-5:s32 arg2=\\16:u64");
}

static void what_the_kernel_cannot_fetch_is_left_out(void **state)
{
	(void)state;
	is("8@%xmm0 4@%ah 8@16(%rax,%rbx,8) 8@name(%rip) 8f@%rax 4@%ecx junk",
	   " arg6=%cx:u32");
	is("", "");
}

static void too_many_are_refused(void **state)
{
	char text[32];

	(void)state;
	assert_int_equal(kernel_operands_print("8@%rax 8@%rbx 8@%rcx", text, sizeof(text)),
			 -ENAMETOOLONG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_are_called_as_the_kernel_calls_them),
		cmocka_unit_test(memory_and_constants),
		cmocka_unit_test(what_the_kernel_cannot_fetch_is_left_out),
		cmocka_unit_test(too_many_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
