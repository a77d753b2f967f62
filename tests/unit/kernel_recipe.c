/* SPDX-License-Identifier: MIT */
/* kernel_recipe.c - from the kernel's description of an event to a record's payload. */
#include "kernel/recipe.h"

#include <errno.h>
#include <string.h>

#include "kernel/names.h"
#include "tests/test.h"

#define COMMON                                                                                     \
	"ID: 372\nformat:\n"                                                                       \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static struct kernel_recipe *make(const char *system, const char *text)
{
	static struct kernel_format format;
	struct kernel_recipe *recipe = NULL;
	struct tacho_error error = { 0 };

	if (kernel_format_parse(text, &format, &error) ||
	    kernel_recipe_make(system, &format, &recipe, &error))
		fail_msg("%s", error.text);
	return recipe;
}

static const struct event_field *field_of(const struct kernel_recipe *recipe, const char *name)
{
	const struct event_desc *desc = kernel_recipe_desc(recipe);

	for (unsigned int i = 0; i < desc->field_count; i++)
		if (!strcmp(desc->fields[i].name, name))
			return &desc->fields[i];
	fail_msg("there is no field %s", name);
	return NULL;
}

static void a_switch_is_what_lttng_makes_of_it(void **state)
{
	struct kernel_recipe *recipe = make(
		"sched", "name: sched_switch\n" COMMON
			 "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
			 "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
			 "\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
			 "\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n");
	uint8_t data[40] = { 0 }, payload[64];
	struct kernel_record record = { .data = data, .bytes = sizeof(data) };
	struct kernel_recipe_needs needs;
	int32_t prio = 120;

	(void)state;
	assert_string_equal(kernel_recipe_desc(recipe)->name, "sched_switch");
	assert_int_equal(kernel_recipe_desc(recipe)->field_count, 4);
	assert_int_equal(field_of(recipe, "prev_tid")->type,
			 TACHO_TYPE(TACHO_KIND_INTEGER, 4, TACHO_FLAG_SIGNED));
	assert_int_equal(field_of(recipe, "prev_comm")->count, 16);
	strcpy((char *)data + 8, "bash");
	memcpy(data + 28, &prio, sizeof(prio));
	data[32] = 1;
	needs = kernel_recipe_needs(recipe);
	assert_true(kernel_recipe_fits(&needs, &record));
	assert_int_equal(kernel_recipe_run(recipe, &record, payload) - payload, 32);
	assert_string_equal((char *)payload, "bash");
	memcpy(&prio, payload + 20, sizeof(prio));
	assert_int_equal(prio, 20);
	assert_int_equal(payload[24], 1);
	record.bytes--;
	assert_false(kernel_recipe_fits(&needs, &record));
	kernel_recipe_free(recipe);
}

static void strings_and_sequences_come_from_where_their_words_say(void **state)
{
	struct kernel_recipe *recipe =
		make("irq", "name: softirq_entry\n" COMMON
			    "\tfield:__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:0;\n"
			    "\tfield:__rel_loc u32[] list;\toffset:12;\tsize:4;\tsigned:0;\n");
	uint8_t data[32] = { 0 }, payload[64];
	struct kernel_record record = { .data = data, .bytes = sizeof(data) };
	uint32_t name = 4u << 16 | 16, list = 8u << 16 | 8, count;

	(void)state;
	assert_string_equal(kernel_recipe_desc(recipe)->name, "irq_softirq_entry");
	memcpy(data + 8, &name, sizeof(name));
	memcpy(data + 12, &list, sizeof(list));
	memcpy(data + 16, "eth", 4);
	memset(data + 24, 7, 8);
	assert_int_equal(kernel_recipe_run(recipe, &record, payload) - payload, 4 + 4 + 8);
	assert_string_equal((char *)payload, "eth");
	memcpy(&count, payload + 4, sizeof(count));
	assert_int_equal(count, 2);
	assert_int_equal(payload[8], 7);
	/* Words that lead out of the record. */
	memset(data + 8, 0xff, 8);
	assert_int_equal(kernel_recipe_run(recipe, &record, payload) - payload, 1 + 4);
	kernel_recipe_free(recipe);
}

static void arguments_of_system_calls_have_their_types_sizes(void **state)
{
	struct kernel_recipe *recipe =
		make("syscalls", "name: sys_enter_openat\n" COMMON
				 "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
				 "\tfield:int dfd;\toffset:16;\tsize:8;\tsigned:0;\n"
				 "\tfield:const char * filename;\toffset:24;\tsize:8;\tsigned:0;\n"
				 "\tfield:umode_t mode;\toffset:32;\tsize:8;\tsigned:0;\n");
	uint8_t data[40], payload[64];
	struct kernel_record record = { .data = data, .bytes = sizeof(data) };
	uint64_t dfd = (uint64_t)-100;
	int32_t value;

	(void)state;
	memset(data, 0, sizeof(data));
	memcpy(data + 16, &dfd, sizeof(dfd));
	assert_string_equal(kernel_recipe_desc(recipe)->name, "syscall_entry_openat");
	assert_int_equal(kernel_recipe_desc(recipe)->field_count, 3);
	assert_true(TACHO_TYPE_FLAGS(field_of(recipe, "filename")->type) & TACHO_FLAG_HEX);
	assert_int_equal(kernel_recipe_run(recipe, &record, payload) - payload, 4 + 8 + 2);
	memcpy(&value, payload, sizeof(value));
	assert_int_equal(value, -100);
	kernel_recipe_free(recipe);
}

static void arguments_whose_types_have_other_names_are_what_they_stand_for(void **state)
{
	struct kernel_recipe *recipe =
		make("syscalls", "name: sys_enter_odd\n" COMMON
				 "\tfield:const enum rule type;\toffset:16;\tsize:8;\tsigned:0;\n"
				 "\tfield:const clockid_t clock;\toffset:24;\tsize:8;\tsigned:0;\n"
				 "\tfield:const cap_user_data_t data;\toffset:32;\tsize:8;\tsigned:0;\n");

	(void)state;
	assert_int_equal(field_of(recipe, "type")->type, TACHO_TYPE(TACHO_KIND_INTEGER, 4, 0));
	assert_int_equal(field_of(recipe, "clock")->type,
			 TACHO_TYPE(TACHO_KIND_INTEGER, 4, TACHO_FLAG_SIGNED));
	assert_true(TACHO_TYPE_FLAGS(field_of(recipe, "data")->type) & TACHO_FLAG_POINTER);
	kernel_recipe_free(recipe);
}

static void what_is_no_number_is_shown_as_its_bytes(void **state)
{
	struct kernel_recipe *recipe =
		make("tcp", "name: tcp_probe\n" COMMON
			    "\tfield:__u8 saddr[28];\toffset:8;\tsize:28;\tsigned:0;\n"
			    "\tfield:struct odd thing;\toffset:36;\tsize:12;\tsigned:0;\n"
			    "\tfield:char gone[];\toffset:48;\tsize:0;\tsigned:0;\n");

	(void)state;
	assert_int_equal(kernel_recipe_desc(recipe)->field_count, 2);
	assert_int_equal(field_of(recipe, "saddr")->count, 28);
	assert_int_equal(field_of(recipe, "thing")->count, 12);
	kernel_recipe_free(recipe);
}

static void what_is_not_understood_is_refused_with_the_line(void **state)
{
	static const char *const texts[] = {
		"", "name: x\n", "ID: 4\n", "name: x\nID: 5\n\tfield:;\toffset:0;\tsize:1;\tsigned:0;\n",
		"name: x\nID: 5\n\tfield:int a;\toffset:zero;\tsize:1;\tsigned:0;\n",
		"name: x\nID: 5\n\tfield:int a;\toffset:70000;\tsize:1;\tsigned:0;\n",
	};
	static struct kernel_format format;
	struct tacho_error error;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(kernel_format_parse(texts[i], &format, &error), -EBADMSG);
}

static void names_are_lttngs(void **state)
{
	static const char *const names[][3] = {
		{ "sched", "sched_wakeup", "sched_wakeup" },
		{ "irq", "irq_handler_entry", "irq_handler_entry" },
		{ "irq", "softirq_raise", "irq_softirq_raise" },
		{ "timer", "hrtimer_start", "timer_hrtimer_start" },
		{ "timer", "timer_start", "timer_start" },
		{ "kmem", "kmalloc", "kmem_kmalloc" },
		{ "kmem", "kmem_cache_alloc", "kmem_cache_alloc" },
		{ "power", "cpu_frequency", "power_cpu_frequency" },
		{ "net", "netif_receive_skb", "net_if_receive_skb" },
		{ "net", "net_dev_xmit", "net_dev_xmit" },
		{ "syscalls", "sys_exit_read", "syscall_exit_read" },
	};
	char name[64];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(kernel_name_event(names[i][0], names[i][1], name, sizeof(name)), 0);
		assert_string_equal(name, names[i][2]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_switch_is_what_lttng_makes_of_it),
		cmocka_unit_test(strings_and_sequences_come_from_where_their_words_say),
		cmocka_unit_test(arguments_of_system_calls_have_their_types_sizes),
		cmocka_unit_test(arguments_whose_types_have_other_names_are_what_they_stand_for),
		cmocka_unit_test(what_is_no_number_is_shown_as_its_bytes),
		cmocka_unit_test(what_is_not_understood_is_refused_with_the_line),
		cmocka_unit_test(names_are_lttngs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
