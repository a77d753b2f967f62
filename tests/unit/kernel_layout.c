/* SPDX-License-Identifier: MIT */
/* kernel_layout.c - from the kernel's types and its description of an event to a recipe for the module. */
#include "kernel/layout.h"

#include <bpf/btf.h>
#include <errno.h>
#include <string.h>

#include "kernel/recipe.h"
#include "tests/test.h"

/* A kernel of a few types:
 *	struct task_struct { unsigned int flags : 3; char comm[16]; pid_t pid; struct { int prio; }; .. }
 *	sched_switch(bool preempt, struct task_struct *prev, struct task_struct *next,
 *		     unsigned int prev_state)
 *	named(const char *what, struct task_struct *task)
 *	odd(struct big by_value)
 */
struct kernel {
	struct kernel_types types;
	int number, word, text, flag, task_pointer;
};

static void add_task(struct kernel *k, struct btf *btf)
{
	int letter = btf__add_int(btf, "char", 1, BTF_INT_SIGNED);
	int name = btf__add_array(btf, k->number, letter, 16);
	int id = btf__add_typedef(btf, "pid_t", k->number);
	int nameless, task;

	k->text = btf__add_ptr(btf, btf__add_const(btf, letter));
	nameless = btf__add_struct(btf, NULL, 4);
	btf__add_field(btf, "prio", k->number, 0, 0);
	task = btf__add_struct(btf, "task_struct", 40);
	btf__add_field(btf, "flags", k->word, 0, 3);
	btf__add_field(btf, "comm", name, 32, 0);
	btf__add_field(btf, "pid", id, 160, 0);
	btf__add_field(btf, "", nameless, 192, 0);
	k->task_pointer = btf__add_ptr(btf, task);
}

static void add_function(struct btf *btf, const char *name, const char *const *parameters,
			 const int *types, int count)
{
	int prototype = btf__add_func_proto(btf, 0);

	btf__add_func_param(btf, "__data", 0);
	for (int i = 0; i < count; i++)
		btf__add_func_param(btf, parameters[i], types[i]);
	btf__add_func(btf, name, BTF_FUNC_STATIC, prototype);
}

static void set_up(struct kernel *k)
{
	struct btf *btf = btf__new_empty();
	int big;

	*k = (struct kernel){ .types = { .kernel = btf, .are_modules_read = true } };
	k->number = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	k->word = btf__add_int(btf, "unsigned int", 4, 0);
	k->flag = btf__add_int(btf, "_Bool", 1, BTF_INT_BOOL);
	/* The order of types is that of their numbers: a structure's fields come right behind it. */
	add_task(k, btf);
	big = btf__add_struct(btf, "big", 16);
	add_function(btf, "__traceiter_sched_switch",
		     (const char *const[]){ "preempt", "prev", "next", "prev_state" },
		     (const int[]){ k->flag, k->task_pointer, k->task_pointer, k->word }, 4);
	add_function(btf, "__traceiter_odd", (const char *const[]){ "by_value" }, &big, 1);
	add_function(btf, "__traceiter_named", (const char *const[]){ "what", "task" },
		     (const int[]){ k->text, k->task_pointer }, 2);
}

static int make(struct kernel *k, const char *system, const char *name, const char *fields,
		struct kernel_layout **ret_layout)
{
	const struct kernel_event event = { system, name, "" };
	struct kernel_format format;
	struct tacho_error error;
	char text[1024];

	snprintf(text, sizeof(text), "name: %s\nID: 7\nformat:\n%s\nprint fmt: \"\"\n", name, fields);
	assert_int_equal(kernel_format_parse(text, &format, &error), 0);
	return kernel_layout_make(&k->types, &event, &format, ret_layout, &error);
}

#define FETCH(i)                layout->event.fetch[i]
#define IS(i, k, w, at, second)                                                                    \
	do {                                                                                       \
		assert_int_equal(FETCH(i).kind, (k));                                              \
		assert_int_equal(FETCH(i).word, (w));                                              \
		assert_int_equal(FETCH(i).offset, (at));                                           \
		assert_int_equal(FETCH(i).second_offset, (second));                                \
	} while (0)

static void fields_of_tracefs_are_found_by_their_paths(void **state)
{
	struct kernel_layout *layout = NULL;
	struct kernel k;

	(void)state;
	set_up(&k);
	assert_int_equal(make(&k, "sched", "sched_switch",
			      "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
			      "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
			      "\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
			      "\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n",
			      &layout),
			 0);
	IS(0, TACHO_FETCH_LOAD_16, 1, 4, 0);
	IS(1, TACHO_FETCH_LOAD_4, 1, 20, 0);
	IS(2, TACHO_FETCH_LOAD_4_ADD, 1, 24, (uint16_t)-100);
	IS(3, TACHO_FETCH_UNLESS, 3, 0, 256);
	IS(4, TACHO_FETCH_END, 0, 0, 0);
	assert_int_equal(layout->event.subject, 3);
	assert_string_equal(layout->event.tracepoint, "sched_switch");
	assert_string_equal(kernel_recipe_desc(layout->recipe)->fields[1].name, "prev_tid");
	kernel_layout_free(layout);
	kernel_types_close(&k.types);
}

static void an_event_with_other_fields_has_its_arguments(void **state)
{
	struct kernel_layout *layout = NULL;
	const struct event_desc *desc;
	struct kernel k;

	(void)state;
	set_up(&k);
	assert_int_equal(make(&k, "other", "named",
			      "\tfield:int computed;\toffset:8;\tsize:4;\tsigned:1;\n", &layout),
			 0);
	IS(0, TACHO_FETCH_KERNEL_STRING, 0, 0, 0);
	IS(1, TACHO_FETCH_WORD_8, 1, 0, 0);
	desc = kernel_recipe_desc(layout->recipe);
	assert_int_equal(desc->field_count, 2);
	assert_int_equal(TACHO_TYPE_KIND(desc->fields[0].type), TACHO_KIND_STRING);
	assert_true(TACHO_TYPE_FLAGS(desc->fields[1].type) & TACHO_FLAG_POINTER);
	kernel_layout_free(layout);
	kernel_types_close(&k.types);
}

static void what_cannot_be_recorded_is_refused(void **state)
{
	struct kernel_layout *layout = NULL;
	struct kernel k;

	(void)state;
	set_up(&k);
	assert_int_equal(make(&k, "other", "odd", "", &layout), -ENOTSUP);
	assert_int_equal(make(&k, "other", "nowhere", "", &layout), -ENOTSUP);
	assert_int_equal(make(&k, "syscalls", "sys_enter_no_such_call", "", &layout), -ENOTSUP);
	kernel_types_close(&k.types);
}

static void names_of_files_are_strings_of_the_program(void **state)
{
	struct kernel_layout *layout = NULL;
	struct kernel k;

	(void)state;
	set_up(&k);
	assert_int_equal(make(&k, "syscalls", "sys_enter_openat",
			      "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
			      "\tfield:int dfd;\toffset:16;\tsize:8;\tsigned:0;\n"
			      "\tfield:const char * filename;\toffset:24;\tsize:8;\tsigned:0;\n",
			      &layout),
			 0);
	assert_int_equal(layout->event.point, TACHO_POINT_SYSCALL_ENTRY);
	assert_string_equal(layout->event.tracepoint, "");
	IS(0, TACHO_FETCH_WORD_4, 0, 0, 0);
	IS(1, TACHO_FETCH_USER_STRING, 1, 0, 0);
	kernel_layout_free(layout);
	kernel_types_close(&k.types);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_of_tracefs_are_found_by_their_paths),
		cmocka_unit_test(an_event_with_other_fields_has_its_arguments),
		cmocka_unit_test(what_cannot_be_recorded_is_refused),
		cmocka_unit_test(names_of_files_are_strings_of_the_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
