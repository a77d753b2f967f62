/* SPDX-License-Identifier: MIT */
/*
 * context.c - see context.h
 *
 * A thread keeps what it asked with the number of changes that were known before it asked:
 *
 *      who changes ids, any thread        the thread itself
 *      change:A  the system call          know:A  ring_contexts_number  (acquire)
 *      change:B  number++  (release)      know:B  known = 0
 *                                         know:C  ask, and keep
 *                                         know:D  known = number
 *
 *      pairs: change:B with know:A: who sees the new number sees the new ids.
 *
 * A signal handler between know:A and know:D asks for itself, and what it kept is overwritten by the
 * same or by older values; older ones are never said to be known, since their number is older.
 */
#include "tracer/context.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "tracer/perf.h"
#include "tracer/sys.h"
#include "tracer/tracer.h"

#define IDS        6 /* TACHO_CONTEXT_VUID to VSGID */
#define NAMESPACES 8 /* TACHO_CONTEXT_CGROUP_NS to UTS_NS */

/* What ids are that have no name in the user namespace. */
#define OVERFLOW_ID 65534

struct known {
	uint32_t ids_number; /* contexts_number() when they were asked for; 0: not known */
	uint32_t namespaces_number;
	uint32_t ids[IDS];
	uint64_t namespaces[NAMESPACES];
};
static __thread struct known known __attribute__((tls_model("initial-exec")));

/* Skips 0. */
void context_changed(void)
{
	/* change:B pairs with know:A */
	if (tacho_fetch_add_acq_rel(&ring_contexts_number, 1) == UINT32_MAX)
		tacho_fetch_add_acq_rel(&ring_contexts_number, 1);
}

void context_forget(void)
{
	context_changed();
	perf_forget();
}

static bool are_final(const uint32_t *ids)
{
	for (int i = 0; i < IDS; i++) {
		if (ids[i] == OVERFLOW_ID)
			return false;
	}
	return true;
}

static void ask_ids(void)
{
	uint32_t number = contexts_number(); /* know:A pairs with change:B */

	tacho_store_relaxed(&known.ids_number, 0);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	sys_get_ids(known.ids);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (are_final(known.ids) && !tacho_thread.in_vfork)
		tacho_store_relaxed(&known.ids_number, number); /* know:D */
}

static uint32_t id_of(unsigned int number)
{
	if (tacho_load_relaxed(&known.ids_number) != tacho_load_relaxed(&ring_contexts_number))
		ask_ids();
	return known.ids[number - TACHO_CONTEXT_VUID];
}

static uint64_t ask_namespace(unsigned int i)
{
	static const char *const names[NAMESPACES] = { "cgroup", "ipc",  "mnt",  "net",
						       "pid",    "time", "user", "uts" };
	char path[40];

	snprintf(path, sizeof(path), "/proc/thread-self/ns/%s", names[i]);
	return sys_inode(path);
}

static void ask_namespaces(void)
{
	uint32_t number = contexts_number(); /* know:A pairs with change:B */

	tacho_store_relaxed(&known.namespaces_number, 0);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	for (unsigned int i = 0; i < NAMESPACES; i++)
		known.namespaces[i] = ask_namespace(i);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (!tacho_thread.in_vfork)
		tacho_store_relaxed(&known.namespaces_number, number); /* know:D */
}

static uint64_t namespace_of(unsigned int number)
{
	if (tacho_load_relaxed(&known.namespaces_number) !=
	    tacho_load_relaxed(&ring_contexts_number))
		ask_namespaces();
	return known.namespaces[number - TACHO_CONTEXT_CGROUP_NS];
}

static uint64_t counter_of(const struct context_source *source, unsigned int number)
{
	const struct tacho_perf *perf = &source->session->perf[number - TACHO_CONTEXT_PERF];

	return perf_read(tacho_load_relaxed(&perf->type), tacho_load_relaxed(&perf->config));
}

/* Without rseq, it says a number that is no CPU's. */
static uint32_t cpu_id(void)
{
	uint32_t cpu = ring_cpu();

	return cpu < TACHO_CPUS_MAX ? cpu : sys_getcpu();
}

uint64_t context_integer(const struct context_source *source, unsigned int number)
{
	switch (number) {
	case TACHO_CONTEXT_VPID:
		return source->pid;
	case TACHO_CONTEXT_VTID:
		return source->tid;
	case TACHO_CONTEXT_PTHREAD_ID:
		return (uint64_t)(uintptr_t)pthread_self();
	case TACHO_CONTEXT_IP:
		return source->ip;
	case TACHO_CONTEXT_CPU_ID:
		return source->cpu == CONTEXT_CPU_NOW ? cpu_id() : source->cpu;
	}
	if (number >= TACHO_CONTEXT_VUID && number <= TACHO_CONTEXT_VSGID)
		return id_of(number);
	if (number >= TACHO_CONTEXT_CGROUP_NS && number <= TACHO_CONTEXT_UTS_NS)
		return namespace_of(number);
	if (number >= TACHO_CONTEXT_PERF && number < TACHO_CONTEXT_PERF + TACHO_PERF_MAX)
		return counter_of(source, number);
	return 0;
}

static void put_procname(char *to)
{
	memcpy(to, tacho_thread.name, TACHO_THREAD_NAME_BYTES);
	memset(to + TACHO_THREAD_NAME_BYTES, 0, TACHO_PROCNAME_BYTES - TACHO_THREAD_NAME_BYTES);
}

uint32_t contexts_number(void)
{
	return tacho_load_acquire(&ring_contexts_number);
}

#define IDS_MASK (((1ull << IDS) - 1) << TACHO_CONTEXT_VUID)

bool contexts_are_settled(uint64_t mask)
{
	return !(mask & IDS_MASK) || tacho_load_relaxed(&known.ids_number);
}

uint32_t contexts_set(uint64_t mask)
{
	static uint64_t sets[RING_SETS_MAX];

	for (uint32_t i = 0; mask && i < RING_SETS_MAX; i++) {
		uint64_t found = tacho_load_relaxed(&sets[i]);

		if (!found && tacho_cmpxchg_acq_rel(&sets[i], &found, mask))
			return i + 1;
		if (found == mask)
			return i + 1;
	}
	return 0;
}

/* The machine's integers of 4 bytes are the low half of those of 8. */
static void put_integer(char *to, uint64_t value, uint32_t bytes)
{
	uint32_t half = (uint32_t)value;

	if (bytes == sizeof(half))
		memcpy(to, &half, sizeof(half));
	else
		memcpy(to, &value, sizeof(value));
}

uint32_t contexts_fill(const struct context_source *source, uint64_t mask, char *to)
{
	char *at = to;

	for (; mask; mask &= mask - 1) {
		unsigned int number = (unsigned int)__builtin_ctzll(mask);
		uint32_t bytes = context_bytes(number);

		if (number == TACHO_CONTEXT_PROCNAME)
			put_procname(at);
		else
			put_integer(at, context_integer(source, number), bytes);
		at += bytes;
	}
	return (uint32_t)(at - to);
}
