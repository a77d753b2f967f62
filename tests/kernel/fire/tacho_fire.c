// SPDX-License-Identifier: MIT OR GPL-2.0-only
/*
 * tacho_fire.c - a tracepoint that is hit from every context of every CPU, and counted: what the module must
 * have recorded, or said that it lost.
 *
 * The tracepoint tacho_fire has the words (context, sequence), where sequence counts the hits of this
 * context on this CPU from 0. Writing N to the parameter run_ms hits it for so long:
 *	0 task      a thread bound to the CPU, in a loop; with rests=1 it sleeps now and then
 *	1 softirq   a tasklet
 *	2 irq       a timer
 *	3 NMI       sent by the threads of other CPUs, at any instruction; with send_nmis=0 those only that
 *	            come from outside
 * Reading the parameter `fired` gives a line for each CPU: its number and four counts; `task_offsets`, where
 * comm, pid and prio are in struct task_struct.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/tracepoint.h>

#include <asm/apic.h>
#include <asm/nmi.h>

DECLARE_TRACE(tacho_fire, TP_PROTO(u64 context, u64 sequence), TP_ARGS(context, sequence));
DEFINE_TRACE(tacho_fire, TP_PROTO(u64 context, u64 sequence), TP_ARGS(context, sequence));

#define TIMER_NS       200000
#define HITS_TO_AN_NMI 50
#define HITS_TO_A_REST 200

enum context { TASK, SOFTIRQ, IRQ, NMI, CONTEXTS };

struct firing {
	u64 fired[CONTEXTS];
	struct hrtimer timer;
	struct tasklet_struct tasklet;
	struct task_struct *thread;
};

static DEFINE_PER_CPU(struct firing, firings);
static bool is_running;
static bool send_nmis = true;
static bool rests;

/* With preemption disabled; a context does not interrupt itself. */
static void fire(enum context context)
{
	trace_tacho_fire(context, this_cpu_ptr(&firings)->fired[context]++);
}

static void hit_in_softirq(struct tasklet_struct *tasklet)
{
	preempt_disable();
	fire(SOFTIRQ);
	preempt_enable();
}

static enum hrtimer_restart hit_in_irq(struct hrtimer *timer)
{
	fire(IRQ);
	tasklet_schedule(&this_cpu_ptr(&firings)->tasklet);
	hrtimer_forward_now(timer, ns_to_ktime(TIMER_NS));
	return HRTIMER_RESTART;
}

static int hit_in_nmi(unsigned int type, struct pt_regs *regs)
{
	if (READ_ONCE(is_running))
		fire(NMI);
	return NMI_HANDLED;
}

static void hit_next_cpu(void)
{
	unsigned int cpu = cpumask_next(smp_processor_id(), cpu_online_mask);

	if (cpu >= nr_cpu_ids)
		cpu = cpumask_first(cpu_online_mask);
	apic->send_IPI(cpu, NMI_VECTOR);
}

static int hit_in_task(void *data)
{
	struct firing *f = this_cpu_ptr(&firings);

	hrtimer_start(&f->timer, ns_to_ktime(TIMER_NS), HRTIMER_MODE_REL_PINNED_HARD);
	for (unsigned int i = 0; !kthread_should_stop(); i++) {
		preempt_disable();
		fire(TASK);
		if (send_nmis && i % HITS_TO_AN_NMI == 0)
			hit_next_cpu();
		preempt_enable();
		cond_resched();
		if (rests && i % HITS_TO_A_REST == 0)
			usleep_range(500, 1000);
	}
	hrtimer_cancel(&f->timer);
	tasklet_kill(&f->tasklet);
	return 0;
}

static void start_on(unsigned int cpu)
{
	struct firing *f = per_cpu_ptr(&firings, cpu);

	hrtimer_init(&f->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	f->timer.function = hit_in_irq;
	tasklet_setup(&f->tasklet, hit_in_softirq);
	f->thread = kthread_create_on_cpu(hit_in_task, NULL, cpu, "fire/%u");
	if (!IS_ERR(f->thread))
		wake_up_process(f->thread);
}

/* NMIs that were sent have come when this returns. */
static void run(unsigned int milliseconds)
{
	unsigned int cpu;

	cpus_read_lock();
	WRITE_ONCE(is_running, true);
	for_each_online_cpu(cpu) start_on(cpu);
	msleep(milliseconds);
	for_each_online_cpu(cpu)
	{
		struct task_struct *thread = per_cpu_ptr(&firings, cpu)->thread;

		if (!IS_ERR(thread))
			kthread_stop(thread);
	}
	msleep(20);
	WRITE_ONCE(is_running, false);
	cpus_read_unlock();
}

static int set_run(const char *text, const struct kernel_param *parameter)
{
	unsigned int milliseconds;
	int ret = kstrtouint(text, 0, &milliseconds);

	if (!ret)
		run(milliseconds);
	return ret;
}

static int get_fired(char *buffer, const struct kernel_param *parameter)
{
	unsigned int cpu;
	int at = 0;

	for_each_online_cpu(cpu)
	{
		const u64 *fired = per_cpu_ptr(&firings, cpu)->fired;

		at += scnprintf(buffer + at, PAGE_SIZE - at, "%u %llu %llu %llu %llu\n", cpu,
				fired[TASK], fired[SOFTIRQ], fired[IRQ], fired[NMI]);
	}
	return at;
}

static int get_task_offsets(char *buffer, const struct kernel_param *parameter)
{
	return sprintf(buffer, "%zu %zu %zu\n", offsetof(struct task_struct, comm),
		       offsetof(struct task_struct, pid), offsetof(struct task_struct, prio));
}

static const struct kernel_param_ops offsets_ops = { .get = get_task_offsets };
static const struct kernel_param_ops run_ops = { .set = set_run };
static const struct kernel_param_ops fired_ops = { .get = get_fired };
module_param(send_nmis, bool, 0600);
module_param(rests, bool, 0600);
module_param_cb(run_ms, &run_ops, NULL, 0200);
module_param_cb(fired, &fired_ops, NULL, 0400);
module_param_cb(task_offsets, &offsets_ops, NULL, 0400);

static int __init fire_init(void)
{
	return register_nmi_handler(NMI_LOCAL, hit_in_nmi, 0, "tacho_fire");
}

static void __exit fire_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, "tacho_fire");
}

module_init(fire_init);
module_exit(fire_exit);
MODULE_DESCRIPTION("Hits a tracepoint from every context");
MODULE_LICENSE("Dual MIT/GPL");
