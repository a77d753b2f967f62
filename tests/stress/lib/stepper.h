/* SPDX-License-Identifier: MIT */
/*
 * stepper.h - stop a thread of a child process at one instruction, exactly.
 *
 * A debugger cannot step through a restartable section: each stop aborts it. But it can let the
 * thread run into a hardware breakpoint there, which stops it after the instructions before have
 * been done. A breakpoint at a byte where no instruction starts never fires, so all bytes of a
 * section can be tried without a disassembler.
 */
#ifndef TACHO_STRESS_STEPPER_H
#define TACHO_STRESS_STEPPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A restartable section of this program; the layout is the kernel's. */
struct stepper_section {
	uint32_t version;
	uint32_t flags;
	uint64_t start;
	uint64_t bytes; /* up to behind the commit */
	uint64_t abort;
} __attribute__((aligned(32)));

/* stepper_works() - is this a machine, and are there breakpoints? */
bool stepper_works(void);

/* stepper_sections() - all of this program; returns their number */
size_t stepper_sections(const struct stepper_section **ret_sections);
/* stepper_section_at() - the one that an address is in, or NULL */
const struct stepper_section *stepper_section_at(uint64_t address);

/* stepper_attach_me() - in the child: the calling thread is the one to be stopped */
void stepper_attach_me(void);
/* stepper_mark() - in the child: stop here */
static inline void stepper_mark(void)
{
#if defined(__x86_64__)
	__asm__ volatile("int3" ::: "memory");
#elif defined(__aarch64__)
	__asm__ volatile("brk #0x7ac" ::: "memory");
#endif
}

enum stepper_stop {
	STEPPER_MARK,  /* at stepper_mark() */
	STEPPER_THERE, /* at the breakpoint */
	STEPPER_STEP,  /* after one instruction */
	STEPPER_GONE,  /* it ended */
};

/* stepper_wait() - until it stops. @there: where the breakpoint is, 0 for none */
enum stepper_stop stepper_wait(pid_t pid, uint64_t there);
/* stepper_go() - on, to the breakpoint @there if not 0, with @signal if not 0 */
void stepper_go(pid_t pid, uint64_t there, int signal);
/* stepper_go_any() - on, to the first of @count breakpoints, at most 4 */
void stepper_go_any(pid_t pid, const uint64_t *there, int count, int signal);
/* stepper_step() - one instruction */
void stepper_step(pid_t pid);
/* stepper_at() - where it stopped */
uint64_t stepper_at(pid_t pid);

#endif
