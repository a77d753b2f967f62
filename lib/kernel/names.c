/* SPDX-License-Identifier: MIT */
/* names.c - see names.h */
#include "kernel/names.h"

#include <string.h>

#include "base/str.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The kernel's MAX_RT_PRIO: priorities from here on are those of nice values. */
#define RT_PRIORITIES 100

struct rename {
	const char *system;
	const char *name; /* "": all of the system that have no line of their own */
	const char *to;   /* with `name` "": what is put in front */
};

static const struct rename events[] = {
	{ "clk", "", "power_" },
	{ "irq", "softirq_entry", "irq_softirq_entry" },
	{ "irq", "softirq_exit", "irq_softirq_exit" },
	{ "irq", "softirq_raise", "irq_softirq_raise" },
	{ "kmem", "", "kmem_" },
	{ "net", "napi_gro_frags_entry", "net_napi_gro_frags_entry" },
	{ "net", "napi_gro_frags_exit", "net_napi_gro_frags_exit" },
	{ "net", "napi_gro_receive_entry", "net_napi_gro_receive_entry" },
	{ "net", "napi_gro_receive_exit", "net_napi_gro_receive_exit" },
	{ "net", "netif_receive_skb", "net_if_receive_skb" },
	{ "net", "netif_receive_skb_entry", "net_if_receive_skb_entry" },
	{ "net", "netif_receive_skb_exit", "net_if_receive_skb_exit" },
	{ "net", "netif_receive_skb_list_entry", "net_if_receive_skb_list_entry" },
	{ "net", "netif_receive_skb_list_exit", "net_if_receive_skb_list_exit" },
	{ "net", "netif_rx", "net_if_rx" },
	{ "net", "netif_rx_entry", "net_if_rx_entry" },
	{ "net", "netif_rx_exit", "net_if_rx_exit" },
	{ "power", "", "power_" },
	{ "preemptirq", "", "preemptirq_" },
	{ "printk", "console", "printk_console" },
	{ "skb", "consume_skb", "skb_consume" },
	{ "skb", "kfree_skb", "skb_kfree" },
	{ "timer", "", "timer_" },
	{ "vmscan", "mm_shrink_slab_end", "mm_vmscan_shrink_slab_end" },
	{ "vmscan", "mm_shrink_slab_start", "mm_vmscan_shrink_slab_start" },
	{ "writeback", "balance_dirty_pages", "writeback_balance_dirty_pages" },
	{ "writeback", "bdi_dirty_ratelimit", "writeback_bdi_dirty_ratelimit" },
	{ "writeback", "global_dirty_state", "writeback_global_dirty_state" },
};

/* What the kernel calls a pid is a thread's. */
static const struct rename fields[] = {
	{ "sched", "pid", "tid" },
	{ "sched", "prev_pid", "prev_tid" },
	{ "sched", "next_pid", "next_tid" },
	{ "sched", "parent_pid", "parent_tid" },
	{ "sched", "child_pid", "child_tid" },
	{ "sched", "old_pid", "old_tid" },
	{ "signal", "pid", "tid" },
	{ "task", "pid", "tid" },
};

/* Of events that sessions make. */
static const struct rename probe_fields[] = {
	{ NULL, "__probe_ip", "ip" },
	{ NULL, "__probe_func", "ip" },
	{ NULL, "__probe_ret_ip", "parent_ip" },
};

static const char *const priorities[] = { "prio", "prev_prio", "next_prio", "oldprio", "newprio" };

static int put(char *ret_name, size_t size, const char *front, const char *name)
{
	/* "kmem_" is not put in front of "kmem_cache_alloc" again. */
	if (!strncmp(name, front, strlen(front)))
		front = "";
	return str_print(ret_name, size, "%s%s", front, name);
}

static int name_syscall(const char *event, char *ret_name, size_t size)
{
	static const char enter[] = "sys_enter_", leave[] = "sys_exit_";

	if (!strncmp(event, enter, strlen(enter)))
		return put(ret_name, size, "syscall_entry_", event + strlen(enter));
	if (!strncmp(event, leave, strlen(leave)))
		return put(ret_name, size, "syscall_exit_", event + strlen(leave));
	return put(ret_name, size, "", event);
}

int kernel_name_event(const char *system, const char *event, char *ret_name, size_t size)
{
	if (!strcmp(system, KERNEL_SYSCALLS))
		return name_syscall(event, ret_name, size);
	for (size_t i = 0; i < COUNT(events); i++) {
		if (strcmp(events[i].system, system))
			continue;
		if (!strcmp(events[i].name, event))
			return put(ret_name, size, "", events[i].to);
		if (!*events[i].name)
			return put(ret_name, size, events[i].to, event);
	}
	return put(ret_name, size, "", event);
}

const char *kernel_name_field(const char *system, const char *field)
{
	if (!strcmp(system, KERNEL_SYSCALLS))
		return strcmp(field, "__syscall_nr") ? field : NULL;
	for (size_t i = 0; i < COUNT(probe_fields); i++)
		if (!strcmp(probe_fields[i].name, field))
			return probe_fields[i].to;
	for (size_t i = 0; i < COUNT(fields); i++)
		if (!strcmp(fields[i].system, system) && !strcmp(fields[i].name, field))
			return fields[i].to;
	return field;
}

int kernel_field_bias(const char *system, const char *field)
{
	for (size_t i = 0; i < COUNT(priorities); i++)
		if (!strcmp(system, "sched") && !strcmp(priorities[i], field))
			return -RT_PRIORITIES;
	return 0;
}
