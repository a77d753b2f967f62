// SPDX-License-Identifier: MIT OR GPL-2.0-only
/* whom.c - see whom.h */
#include "whom.h"

#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>

#include "tracepoints.h"

static void set(unsigned long *bits, u32 tid, bool is_set)
{
	if (test_bit(tid, bits) == is_set)
		return;
	if (is_set)
		set_bit(tid, bits);
	else
		clear_bit(tid, bits);
}

static void forks(void *data, struct task_struct *parent, struct task_struct *child)
{
	struct whom_threads *threads = data;
	u32 from = parent->pid, to = child->pid;
	bool inherits;

	if (from >= PID_MAX_LIMIT || to >= PID_MAX_LIMIT)
		return;
	inherits = test_bit(from, threads->inherits);
	set(threads->inherits, to, inherits);
	set(threads->spared, to, false);
	set(threads->recorded, to, inherits || threads->are_others_recorded);
}

static int begin(struct whom *whom)
{
	struct whom_threads *threads;
	int ret;

	if (whom->threads)
		return 0;
	whom->fork = tracepoints_find("sched_process_fork");
	if (!whom->fork)
		return -ENOENT;
	threads = vzalloc(sizeof(*threads));
	if (!threads)
		return -ENOMEM;
	threads->are_others_recorded = true;
	bitmap_fill(threads->recorded, PID_MAX_LIMIT);
	ret = tracepoint_probe_register(whom->fork, forks, threads);
	if (ret) {
		vfree(threads);
		return ret;
	}
	smp_store_release(&whom->threads, threads);
	return 0;
}

/* Return: its id in the first namespace, which is what events see; or a negative errno. */
static int find_tid(u32 tid)
{
	struct pid *pid = find_get_pid(tid);
	int found = pid_nr(pid);

	put_pid(pid);
	return found && found < PID_MAX_LIMIT ? found : -ESRCH;
}

static void record_others(struct whom_threads *threads, bool are_recorded)
{
	if (threads->are_others_recorded == are_recorded)
		return;
	threads->are_others_recorded = are_recorded;
	if (are_recorded)
		bitmap_complement(threads->recorded, threads->spared, PID_MAX_LIMIT);
	else
		bitmap_zero(threads->recorded, PID_MAX_LIMIT);
	bitmap_zero(threads->inherits, PID_MAX_LIMIT);
}

static void spare(struct whom_threads *threads, u32 tid)
{
	set(threads->spared, tid, true);
	set(threads->recorded, tid, false);
}

static void name(struct whom_threads *threads, u32 tid, bool with_descendants)
{
	set(threads->recorded, tid, !test_bit(tid, threads->spared));
	if (with_descendants)
		set(threads->inherits, tid, true);
}

int whom_change(struct whom *whom, const struct tacho_module_whom *change)
{
	bool is_all = change->whom == TACHO_WHOM_ALL;
	int tid = 0, ret;

	if (change->whom > TACHO_WHOM_MAX || change->name.reserved || is_all != !change->tid)
		return -EINVAL;
	if (is_all && !whom->threads)
		return 0;
	if (!is_all)
		tid = find_tid(change->tid);
	if (tid < 0)
		return tid;
	ret = begin(whom);
	if (ret)
		return ret;
	if (change->whom == TACHO_WHOM_SPARE)
		spare(whom->threads, tid);
	else
		record_others(whom->threads, is_all);
	if (change->whom == TACHO_WHOM_THREAD || change->whom == TACHO_WHOM_DESCENDANTS)
		name(whom->threads, tid, change->whom == TACHO_WHOM_DESCENDANTS);
	return 0;
}

void whom_fini(struct whom *whom)
{
	if (!whom->threads)
		return;
	tracepoint_probe_unregister(whom->fork, forks, whom->threads);
	tracepoint_synchronize_unregister();
	vfree(whom->threads);
	whom->threads = NULL;
}
