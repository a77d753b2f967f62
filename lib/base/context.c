/* SPDX-License-Identifier: MIT */
/* context.c - see context.h. Part of libtacho, too. */
#include "base/context.h"

#include <linux/perf_event.h>

#define SIGNED   TACHO_TYPE(TACHO_KIND_INTEGER, 4, TACHO_FLAG_SIGNED)
#define UNSIGNED TACHO_TYPE(TACHO_KIND_INTEGER, 4, 0)
#define INODE    TACHO_TYPE(TACHO_KIND_INTEGER, 8, 0)
#define ADDRESS  TACHO_TYPE(TACHO_KIND_INTEGER, 8, TACHO_FLAG_HEX)

static const struct event_field fixed[TACHO_CONTEXT_FIXED_COUNT] = {
	[TACHO_CONTEXT_VPID] = { "vpid", SIGNED, 0 },
	[TACHO_CONTEXT_VTID] = { "vtid", SIGNED, 0 },
	[TACHO_CONTEXT_PROCNAME] = { "procname",
				     TACHO_TYPE(TACHO_KIND_ARRAY, 1,
						TACHO_FLAG_SIGNED | TACHO_FLAG_CHAR),
				     TACHO_PROCNAME_BYTES },
	[TACHO_CONTEXT_PTHREAD_ID] = { "pthread_id", ADDRESS, 0 },
	[TACHO_CONTEXT_IP] = { "ip", ADDRESS, 0 },
	[TACHO_CONTEXT_CPU_ID] = { "cpu_id", SIGNED, 0 },
	[TACHO_CONTEXT_VUID] = { "vuid", UNSIGNED, 0 },
	[TACHO_CONTEXT_VEUID] = { "veuid", UNSIGNED, 0 },
	[TACHO_CONTEXT_VSUID] = { "vsuid", UNSIGNED, 0 },
	[TACHO_CONTEXT_VGID] = { "vgid", UNSIGNED, 0 },
	[TACHO_CONTEXT_VEGID] = { "vegid", UNSIGNED, 0 },
	[TACHO_CONTEXT_VSGID] = { "vsgid", UNSIGNED, 0 },
	[TACHO_CONTEXT_CGROUP_NS] = { "cgroup_ns", INODE, 0 },
	[TACHO_CONTEXT_IPC_NS] = { "ipc_ns", INODE, 0 },
	[TACHO_CONTEXT_MNT_NS] = { "mnt_ns", INODE, 0 },
	[TACHO_CONTEXT_NET_NS] = { "net_ns", INODE, 0 },
	[TACHO_CONTEXT_PID_NS] = { "pid_ns", INODE, 0 },
	[TACHO_CONTEXT_TIME_NS] = { "time_ns", INODE, 0 },
	[TACHO_CONTEXT_USER_NS] = { "user_ns", INODE, 0 },
	[TACHO_CONTEXT_UTS_NS] = { "uts_ns", INODE, 0 },
};

const struct event_field *context_field(unsigned int number)
{
	return &fixed[number];
}

uint32_t contexts_bytes(uint64_t mask)
{
	uint32_t bytes = 0;

	for (; mask; mask &= mask - 1)
		bytes += context_bytes((unsigned int)__builtin_ctzll(mask));
	return bytes;
}

bool context_is_kept_by_kernel(uint32_t type, uint64_t config)
{
	return type == PERF_TYPE_SOFTWARE &&
	       (config <= PERF_COUNT_SW_CONTEXT_SWITCHES ||
		config == PERF_COUNT_SW_PAGE_FAULTS_MIN || config == PERF_COUNT_SW_PAGE_FAULTS_MAJ);
}
