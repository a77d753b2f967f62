/* SPDX-License-Identifier: MIT OR GPL-2.0-only */
/*
 * probe.h - the one probe of all tracepoints.
 *
 * A tracepoint calls its probes as (data, its arguments ..). On x86-64 the first five of them are in
 * registers and the rest on the stack, each in a word of its own, whatever its type; so one function
 * with integers for parameters serves every tracepoint. A kernel that checks the types of indirect calls
 * (kCFI) would not have it: there the module is not built.
 */
#ifndef TACHO_KERNEL_PROBE_H
#define TACHO_KERNEL_PROBE_H

/* probe_for() - the probe that has so many words of its tracepoint at hand. */
void *probe_for(unsigned int word_count);

/* Of the tracepoints sys_enter and sys_exit. @data: events by the number of the system call, NULL where
 * it is not recorded: TACHO_SYSCALLS_MAX of them. */
struct pt_regs;
void probe_syscall_entry(void *data, struct pt_regs *regs, long id);
void probe_syscall_exit(void *data, struct pt_regs *regs, long result);

#endif
