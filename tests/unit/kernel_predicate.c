/* SPDX-License-Identifier: MIT */
/* kernel_predicate.c - our filters in the kernel's language. */
#include "kernel/predicate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "filter/filter.h"
#include "tests/test.h"

#define COMMON "ID: 3\nformat:\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char event_text[] =
	"name: event\n" COMMON "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:u8 small;\toffset:32;\tsize:1;\tsigned:0;\n"
	"\tfield:u64 large;\toffset:40;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] path;\toffset:48;\tsize:4;\tsigned:0;\n"
	"\tfield:u32 list[4];\toffset:52;\tsize:16;\tsigned:0;\n";

static const char call_text[] =
	"name: sys_enter_call\n" COMMON "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:int fd;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:const char * name;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned int flags;\toffset:32;\tsize:8;\tsigned:0;\n";

/* Return: what kernel_predicate_make() gave. */
static int translate(const char *expression, bool is_call, struct kernel_condition *ret_condition)
{
	static struct kernel_format format;
	struct filter_complaint warning, complaint;
	struct tacho_error error = { 0 };
	char lacks[TACHO_NAME_MAX + 1];
	struct tacho_filter *filter;
	int ret;

	*ret_condition = (struct kernel_condition){ KERNEL_NEVER, NULL };
	assert_int_equal(kernel_format_parse(is_call ? call_text : event_text, &format, &error), 0);
	if (filter_compile(expression, NULL, NULL, &filter, &warning, &complaint))
		fail_msg("%s: %s", expression, complaint.what);
	ret = kernel_predicate_make(filter, is_call ? "syscalls" : "sched", &format, ret_condition,
				    lacks, &error);
	if (ret)
		assert_true(*error.text);
	free(filter);
	return ret;
}

static void is(const char *expression, bool is_call, const char *wanted)
{
	static const char *const verdicts[] = { "never", "always" };
	struct kernel_condition condition;

	assert_int_equal(translate(expression, is_call, &condition), 0);
	assert_string_equal(condition.verdict == KERNEL_DEPENDS ? condition.text :
								  verdicts[condition.verdict],
			    wanted);
	kernel_condition_end(&condition);
}

static void is_refused(const char *expression, int err)
{
	struct kernel_condition condition;

	assert_int_equal(translate(expression, false, &condition), err);
	kernel_condition_end(&condition);
}

static void fields_have_the_kernels_names_and_values(void **state)
{
	(void)state;
	is("tid == 12", false, "pid == 12");
	is("12 < tid", false, "pid > 12");
	is("prio <= 20", false, "prio <= 120");
	is("tid", false, "!(pid == 0)");
	is("!tid", false, "!(!(pid == 0))");
	is("tid == -(1 << 3) * 2", false, "pid == -16");
	is("large >= 0xffffffffffffffff", false, "large >= 18446744073709551615");
	is("$ctx.vtid == 3 && $ctx.cpu_id != 1", false, "(common_pid == 3) && (!(CPU == 1))");
}

static void logic_is_kept(void **state)
{
	(void)state;
	is("tid == 1 || tid == 2 && tid == 3", false, "(pid == 1) || ((pid == 2) && (pid == 3))");
	is("(tid == 1 || tid == 2) && tid == 3", false, "((pid == 1) || (pid == 2)) && (pid == 3)");
	is("!(tid == 1 && large)", false, "!((pid == 1) && (!(large == 0)))");
	is("tid == 1 && true", false, "pid == 1");
	is("tid == 1 || 1", false, "always");
	is("tid == 1 && 0 || tid == 2", false, "pid == 2");
}

static void what_cannot_be_is_known_before(void **state)
{
	(void)state;
	is("small == 300", false, "never");
	is("small != 300", false, "always");
	is("small < 256", false, "always");
	is("small < 255", false, "small < 255");
	is("large < 0", false, "never");
	is("large > -1", false, "always");
	is("tid <= 0x7fffffff", false, "always");
	is("missing == 1 || tid", false, "never");
	is("comm == 3", false, "never");
	is("list == 3", false, "never");
}

static void strings_and_patterns(void **state)
{
	(void)state;
	is("comm == \"sh\"", false, "comm == \"sh\"");
	is("comm != \"a\\\"b\"", false, "!(comm == 'a\"b')");
	is("path == \"/etc/*\"", false, "path ~ \"\\/etc/*\"");
	is("comm == \"*sh\"", false, "comm ~ \"*\\sh\"");
	is("comm == \"1*\"", false, "comm ~ \"\\1*\"");
	is("comm == \"*\"", false, "comm ~ \"**\"");
	is("comm == \"[a?\\\\\\**\"", false, "comm ~ \"\\[a\\?\\\\\\**\"");
	is("$ctx.procname == \"x\"", false, "COMM == \"x\"");
}

static void bits(void **state)
{
	(void)state;
	is("large & 6", false, "large & 0x6");
	is("(large & 6) != 0", false, "large & 0x6");
	is("!(tid & 4)", false, "!(pid & 4)");
	is("(large & 6) == 4", false, "(large & 0x4) && (!(large & 0x2))");
	is("(large & 6) == 1", false, "never");
	is("(small & 0x100) == 0", false, "always");
}

static void arguments_are_registers(void **state)
{
	(void)state;
	is("fd == 3", true, "fd == 0x3");
	is("fd == -100", true, "(fd == 0xffffff9c) || (fd == 0xffffffffffffff9c)");
	is("fd < 0", true,
	   "(fd >= 0x80000000 && fd <= 0xffffffff) || "
	   "(fd >= 0xffffffff80000000 && fd <= 0xffffffffffffffff)");
	is("fd >= 3 && fd <= 5", true, "(fd >= 0x3 && fd <= 0x7fffffff) && "
	   "(((fd >= 0x0 && fd <= 0x5) || (fd >= 0x80000000 && fd <= 0xffffffff)) || "
	   "(fd >= 0xffffffff80000000 && fd <= 0xffffffffffffffff))");
	is("flags > 0xfffffffe", true, "(flags == 0xffffffff) || (flags == 0xffffffffffffffff)");
	is("flags == -1", true, "never");
	is("name == \"/etc/*\"", true, "name.ustring ~ \"\\/etc/*\"");
	is("name == 0", true, "name == 0x0");
}

static void what_the_kernel_cannot_do_is_refused(void **state)
{
	char text[8192] = "tid == 1";

	(void)state;
	is_refused("tid == prio", -ENOTSUP);
	is_refused("tid + 1 == 2", -ENOTSUP);
	is_refused("tid == 1.5", -ENOTSUP);
	is_refused("comm[0] == 1", -ENOTSUP);
	is_refused("$ctx.vpid == 1", -ENOTSUP);
	is_refused("(tid & prio) == 1", -ENOTSUP);
	is_refused("(prio & 1) == 1", -ENOTSUP);
	is_refused("(large & 3) < 1", -ENOTSUP);
	is_refused("comm == \"'\\\"\"", -ENOTSUP);
	is_refused("comm == \"a\\0b\"", -ENOTSUP);
	for (int i = 0; i < 200; i++)
		strcat(text, " || tid == 1000000000");
	is_refused(text, -E2BIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_have_the_kernels_names_and_values),
		cmocka_unit_test(logic_is_kept),
		cmocka_unit_test(what_cannot_be_is_known_before),
		cmocka_unit_test(strings_and_patterns),
		cmocka_unit_test(bits),
		cmocka_unit_test(arguments_are_registers),
		cmocka_unit_test(what_the_kernel_cannot_do_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
