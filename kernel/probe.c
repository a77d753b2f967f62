// SPDX-License-Identifier: MIT OR GPL-2.0-only
/* probe.c - see probe.h */
#include "probe.h"

#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/version.h>

#include <asm/compat.h>
#include <asm/unaligned.h>

#include "fetch.h"
#include "recorder.h"
#include "whom.h"

#if !defined(CONFIG_X86_64)
#error "the module knows how arguments are passed on x86-64 only"
#endif
#if defined(CONFIG_CFI_CLANG) || defined(CONFIG_CFI)
#error "this kernel checks the types of indirect calls: one probe cannot serve all tracepoints"
#endif

#define WORDS_IN_REGISTERS 5
#define NAME_LAST_BYTE     (0xffull << 56)

/* Kernels set each variable to zeros; here a recipe reads what was written only, which was checked. */
#if __has_attribute(uninitialized)
#define PROBE_NOT_SET __attribute__((uninitialized))
#else
#define PROBE_NOT_SET
#endif

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

/* A switch to a thread, a wakeup of one: it is of interest to whoever looks at that. */
static __always_inline bool is_about_one(const struct recorder_event *event,
					 const struct whom_threads *threads, const u64 *words)
{
	if (!event->subject)
		return false;
	return whom_has(threads, (s32)fetch_load_32(words[event->subject - 1] +
						    offsetof(struct task_struct, pid)));
}

/* Two contexts of a CPU that are both between enter and leave are at different depths. */
static __always_inline u8 *room_of(const struct recorder_event *event, const struct writer *writer)
{
	return this_cpu_ptr(event->rooms)->bytes[writer->depth - 1];
}

/* How long the payload is, is known when it is there: it is made beside the ring. */
static noinline void record_varied(const struct recorder_event *event, u64 *words)
{
	struct writer *writer = this_cpu_ptr(event->writers);
	struct writer_format format;
	u8 *room, *payload;
	u32 bytes;

	if (!writer_enter(writer))
		return;
	room = room_of(event, writer);
	bytes = fetch_varied(event->fetch, words, room) - room;
	writer_format_init(&format, event->format.id, bytes);
	payload = writer_begin(writer, describe_current(), &format);
	if (likely(payload))
		memcpy(payload, room, bytes);
	writer_leave(writer);
}

static __always_inline bool is_wanted(const struct recorder_event *event, const u64 *words)
{
	const struct whom_threads *threads = READ_ONCE(event->whom->threads);

	return !threads || whom_has(threads, current->pid) || is_about_one(event, threads, words);
}

static __always_inline void record_plain(const struct recorder_event *event, u64 *words)
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

static noinline void record_any(const struct recorder_event *event, u64 *words)
{
	if (!is_wanted(event, words))
		return;
	if (event->is_varied)
		record_varied(event, words);
	else
		record_plain(event, words);
}

static __always_inline void record(const struct recorder_event *event, u64 *words)
{
	if (unlikely(!READ_ONCE(event->is_plain)))
		record_any(event, words);
	else
		record_plain(event, words);
}

/* From 6.13 on some tracepoints may fault, so their probes are called with preemption. */
static __always_inline void record_here(const struct recorder_event *event, u64 *words)
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
	u64 words[TACHO_WORDS_MAX] PROBE_NOT_SET;

	/* The others are written before they are read. */
	words[0] = a;
	words[1] = b;
	words[2] = c;
	words[3] = d;
	words[4] = e;
	record_here(event, words);
}

/* Words that a tracepoint does not have are the stack's of whoever called it, and not looked at. */
static void probe_stack(void *event, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h, u64 i,
			u64 j, u64 k, u64 l)
{
	u64 words[TACHO_WORDS_MAX] = { a, b, c, d, e, f, g, h, i, j, k, l };

	record_here(event, words);
}

/* ---- system calls ---- */

/* Numbers of programs of 32 bits mean other calls. */
static __always_inline const struct recorder_event *find_call(struct recorder_event *const *events,
							      const struct pt_regs *regs)
{
	u64 number = regs->orig_ax;

	if (unlikely(number >= TACHO_SYSCALLS_MAX || in_32bit_syscall()))
		return NULL;
	return READ_ONCE(events[number]);
}

void probe_syscall_entry(void *data, struct pt_regs *regs, long id)
{
	struct recorder_event *const *events = data;
	const struct recorder_event *event = find_call(events, regs);
	u64 words[TACHO_WORDS_MAX] PROBE_NOT_SET;

	if (!event)
		return;
	words[0] = regs->di;
	words[1] = regs->si;
	words[2] = regs->dx;
	words[3] = regs->r10;
	words[4] = regs->r8;
	words[5] = regs->r9;
	record_here(event, words);
}

void probe_syscall_exit(void *data, struct pt_regs *regs, long result)
{
	struct recorder_event *const *events = data;
	const struct recorder_event *event = find_call(events, regs);
	u64 words[TACHO_WORDS_MAX] PROBE_NOT_SET;

	if (!event)
		return;
	words[0] = result;
	record_here(event, words);
}

void *probe_for(unsigned int word_count)
{
	return word_count <= WORDS_IN_REGISTERS ? (void *)probe_registers : (void *)probe_stack;
}
