// SPDX-License-Identifier: MIT OR GPL-2.0-only
/* probe.c - see probe.h */
#include "probe.h"

#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/version.h>

#include <asm/unaligned.h>

#include "fetch.h"
#include "recorder.h"

#if !defined(CONFIG_X86_64)
#error "the module knows how arguments are passed on x86-64 only"
#endif
#if defined(CONFIG_CFI_CLANG) || defined(CONFIG_CFI)
#error "this kernel checks the types of indirect calls: one probe cannot serve all tracepoints"
#endif

#define WORDS_IN_REGISTERS 5
#define NAME_LAST_BYTE     (0xffull << 56)

static_assert(sizeof_field(struct task_struct, comm) == TACHO_THREAD_NAME_BYTES);
static_assert(offsetof(struct task_struct, tgid) ==
	      offsetof(struct task_struct, pid) + sizeof(pid_t));

/* A name that changes meanwhile may be half of each, but ends. The kernel's pid is the tid, and comes first
 * in its structure, but second in ours. */
static __always_inline struct writer_thread describe_current(void)
{
	const struct task_struct *task = current;
	struct writer_thread thread;

	thread.ids = rol64(get_unaligned((const u64 *)&task->pid), 32);
	thread.name[0] = get_unaligned((const u64 *)task->comm);
	thread.name[1] = get_unaligned((const u64 *)(task->comm + 8)) & ~NAME_LAST_BYTE;
	return thread;
}

static __always_inline void record(const struct recorder_event *event, const u64 *words)
{
	struct writer *writer = this_cpu_ptr(event->writers);
	u8 *payload;

	if (!writer_enter(writer))
		return;
	payload = writer_begin(writer, describe_current(), &event->format);
	if (likely(payload))
		fetch_all(event->fetch, words, payload);
	writer_leave(writer);
}

/* From 6.13 on some tracepoints may fault, so their probes are called with preemption. */
static __always_inline void record_here(const struct recorder_event *event, const u64 *words)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	preempt_disable_notrace();
	record(event, words);
	preempt_enable_notrace();
#else
	record(event, words);
#endif
}

static void probe_registers(void *event, u64 a, u64 b, u64 c, u64 d, u64 e)
{
	u64 words[WORDS_IN_REGISTERS] = { a, b, c, d, e };

	record_here(event, words);
}

/* Words that a tracepoint does not have are the stack's of whoever called it, and not looked at. */
static void probe_stack(void *event, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h, u64 i,
			u64 j, u64 k, u64 l)
{
	u64 words[TACHO_WORDS_MAX] = { a, b, c, d, e, f, g, h, i, j, k, l };

	record_here(event, words);
}

void *probe_for(unsigned int word_count)
{
	return word_count <= WORDS_IN_REGISTERS ? (void *)probe_registers : (void *)probe_stack;
}
