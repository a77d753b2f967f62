/* SPDX-License-Identifier: MIT */
/*
 * perf.c - see perf.h
 *
 * THE TABLE of counters, one per process, mapped when the first is asked for. An entry belongs to
 * the thread that made it; nobody else reads its page.
 *
 *	           make:A  compare and exchange        make:C  owner = me (release)
 *	FREE ------------------------------> BUSY ------------------------------> OWNED
 *	                                      | ^                                   |
 *	                    owner = 0         | |   reap: the owner has ended       |
 *	     <--------------------------------+ +-----------------------------------+
 *
 *	make:B, reap: only who made an entry BUSY touches page, type and config
 *
 * A thread's end is not noticed: that would take a lock or memory of the heap. Instead whoever makes a
 * counter looks at the next REAP_COUNT entries of the table, and gives back those of threads that
 * are gone. So the dead ones' pages are at most what threads make during one round of that, or
 * half of the table. If the number of a dead thread is used again meanwhile, it passes for alive
 * until that one has ended as well.
 *
 * A signal handler that interrupts the making of a counter makes its own; one of the two is found
 * from then on, and the other is given back with the thread.
 */
#include "tracer/perf.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "base/context.h"
#include "tracer/sys.h"
#include "tracer/tracer.h"

#define ENTRIES    4096
#define PROBES     16
#define REAP_COUNT 32
#define PAGE_BYTES 4096

#define BUSY UINT64_MAX

struct counter {
	uint64_t owner; /* number << 32 | tid: no two threads of a process have the same; 0: free */
	uint64_t config;
	uint32_t type;
	uint32_t reserved;
	struct perf_event_mmap_page *page; /* NULL: this one cannot be read */
};

static struct counter *table;
static uint32_t reap_at, last_number;
static __thread uint32_t my_number __attribute__((tls_model("initial-exec")));

/* ---- what system calls tell ---- */

static uint64_t ask_kernel(uint64_t config)
{
	struct sys_usage usage;

	if (config == PERF_COUNT_SW_CPU_CLOCK || config == PERF_COUNT_SW_TASK_CLOCK)
		return sys_thread_time_ns();
	sys_thread_usage(&usage);
	switch (config) {
	case PERF_COUNT_SW_PAGE_FAULTS_MIN:
		return usage.minor_faults;
	case PERF_COUNT_SW_PAGE_FAULTS_MAJ:
		return usage.major_faults;
	case PERF_COUNT_SW_PAGE_FAULTS:
		return usage.minor_faults + usage.major_faults;
	}
	return usage.switches;
}

/* ---- what the processor counts ---- */

/* The kernel changes the page when it switches threads: then `lock` has moved, and again. */
#define READ_TRIES 100

uint64_t perf_page_read(const struct perf_event_mmap_page *page,
			uint64_t (*read_counter)(uint32_t number))
{
	for (int i = 0; i < READ_TRIES; i++) {
		uint32_t lock = tacho_load_acquire(&page->lock);
		uint32_t index = tacho_load_relaxed(&page->index);
		uint64_t count = (uint64_t)tacho_load_relaxed(&page->offset);
		uint32_t width = page->pmc_width;

		if (!page->cap_user_rdpmc || width < 1 || width > 64)
			return TACHO_PERF_UNAVAILABLE;
		if (index) {
			uint64_t raw = read_counter(index - 1) << (64 - width);

			count += (uint64_t)((int64_t)raw >> (64 - width));
		}
		tacho_fence_acquire();
		if (tacho_load_relaxed(&page->lock) == lock)
			return count;
	}
	return TACHO_PERF_UNAVAILABLE;
}

static uint64_t read_pmc(uint32_t number)
{
#ifdef __x86_64__
	uint32_t low, high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(number));
	return (uint64_t)high << 32 | low;
#else
	(void)number;
	return 0;
#endif
}

static uint64_t read_counter(const struct counter *c)
{
	uint64_t value = c->page ? perf_page_read(c->page, read_pmc) : TACHO_PERF_UNAVAILABLE;

	return TACHO_MACHINE == 62 ? value : TACHO_PERF_UNAVAILABLE;
}

static int open_counter(uint32_t type, uint64_t config)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = type, .config = config };
	int fd = sys_perf_event_open(&attr);

	if (fd == -EACCES || fd == -EPERM) { /* what the kernel did may be kept secret */
		attr.exclude_kernel = 1;
		attr.exclude_hv = 1;
		fd = sys_perf_event_open(&attr);
	}
	return fd;
}

static struct perf_event_mmap_page *map_counter(uint32_t type, uint64_t config)
{
	struct perf_event_mmap_page *page;
	int fd = open_counter(type, config);

	if (fd < 0)
		return NULL;
	page = sys_map(NULL, PAGE_BYTES, false, fd);
	sys_close(fd);
	if (page && !page->cap_user_rdpmc) {
		sys_unmap(page, PAGE_BYTES);
		return NULL;
	}
	return page;
}

/* ---- the table ---- */

static struct counter *get_table(void)
{
	struct counter *found = tacho_load_acquire(&table), *made;

	if (found)
		return found;
	made = sys_map(NULL, ENTRIES * sizeof(*made), true, -1);
	if (!made || tacho_cmpxchg_acq_rel(&table, &found, made))
		return made;
	sys_unmap(made, ENTRIES * sizeof(*made));
	return found;
}

static uint64_t me(void)
{
	if (!my_number)
		my_number = tacho_fetch_add_relaxed(&last_number, 1) + 1;
	return (uint64_t)my_number << 32 | tacho_thread.tid;
}

static uint32_t place(uint64_t owner, uint32_t type, uint64_t config)
{
	uint64_t key[] = { owner, type, config };

	return (uint32_t)(tacho_desc_hash(key, sizeof(key)) % ENTRIES);
}

static struct counter *find(struct counter *counters, uint64_t owner, uint32_t type,
			    uint64_t config)
{
	uint32_t at = place(owner, type, config);

	for (uint32_t i = 0; i < PROBES; i++) {
		struct counter *c = &counters[(at + i) % ENTRIES];

		if (tacho_load_acquire(&c->owner) == owner && c->type == type &&
		    c->config == config)
			return c;
	}
	return NULL;
}

/* Make an entry ours alone. */
static bool take(struct counter *c, uint64_t owner)
{
	return tacho_cmpxchg_acq_rel(&c->owner, &owner, BUSY); /* make:A */
}

static void reap(struct counter *c)
{
	uint64_t owner = tacho_load_relaxed(&c->owner);

	if (!owner || owner == BUSY || sys_thread_exists(tacho_tracer.pid, (uint32_t)owner) ||
	    !take(c, owner))
		return;
	if (c->page)
		sys_unmap(c->page, PAGE_BYTES);
	c->page = NULL;
	tacho_store_release(&c->owner, 0);
}

static void reap_some(struct counter *counters)
{
	uint32_t at = tacho_fetch_add_relaxed(&reap_at, REAP_COUNT);

	for (uint32_t i = 0; i < REAP_COUNT; i++)
		reap(&counters[(at + i) % ENTRIES]);
}

static struct counter *make(struct counter *counters, uint64_t owner, uint32_t type,
			    uint64_t config)
{
	uint32_t at = place(owner, type, config);

	reap_some(counters);
	for (uint32_t i = 0; i < PROBES; i++) {
		struct counter *c = &counters[(at + i) % ENTRIES];

		if (!take(c, 0))
			continue;
		c->type = type; /* make:B */
		c->config = config;
		c->page = map_counter(type, config);
		tacho_store_release(&c->owner, owner); /* make:C */
		return c;
	}
	return NULL;
}

void perf_forget(void)
{
	struct counter *found = tacho_load_acquire(&table);

	my_number = 0;
	if (found)
		sys_madvise(found, ENTRIES * sizeof(*found), MADV_DONTNEED);
}

uint64_t perf_read(uint32_t type, uint64_t config)
{
	struct counter *counters, *c;

	if (context_is_kept_by_kernel(type, config))
		return ask_kernel(config);
	/* In a child of vfork() they are its parent's. */
	counters = tacho_thread.in_vfork ? NULL : get_table();
	if (!counters)
		return TACHO_PERF_UNAVAILABLE;
	c = find(counters, me(), type, config);
	if (!c)
		c = make(counters, me(), type, config);
	return c ? read_counter(c) : TACHO_PERF_UNAVAILABLE;
}
