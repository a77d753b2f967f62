/* SPDX-License-Identifier: MIT */
#include "stepper.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__aarch64__)
#include <asm/ptrace.h>
#include <elf.h>
#endif

#include "home.h"

/* Made by the linker, where there is such a section. */
extern const struct stepper_section __start___rseq_cs[] __attribute__((weak));
extern const struct stepper_section __stop___rseq_cs[] __attribute__((weak));

size_t stepper_sections(const struct stepper_section **ret_sections)
{
	*ret_sections = __start___rseq_cs;
	return (size_t)(__stop___rseq_cs - __start___rseq_cs);
}

const struct stepper_section *stepper_section_at(uint64_t address)
{
	const struct stepper_section *s;

	for (s = __start___rseq_cs; s < __stop___rseq_cs; s++) {
		if (address >= s->start && address - s->start < s->bytes)
			return s;
	}
	return NULL;
}

void stepper_attach_me(void)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		die("ptrace");
}

#if defined(__x86_64__)

/* The machine does by itself. */
static void leave_breakpoint(pid_t pid)
{
	(void)pid;
}

static long set_debug_register(pid_t pid, int number, uint64_t value)
{
	return ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, u_debugreg[number]), value);
}

/* Bit 2 n of register 7 enables an execution breakpoint at register n. */
void stepper_go_any(pid_t pid, const uint64_t *there, int count, int signal)
{
	uint64_t enable = 0;
	long ret = set_debug_register(pid, 7, 0);

	for (int i = 0; i < count; i++) {
		ret |= set_debug_register(pid, i, there[i]);
		enable |= 1ull << 2 * i;
	}
	if (ret || set_debug_register(pid, 7, enable))
		die("set breakpoints");
	if (ptrace(PTRACE_CONT, pid, NULL, (long)signal))
		die("continue");
}

uint64_t stepper_at(pid_t pid)
{
	errno = 0;
	return (uint64_t)ptrace(PTRACE_PEEKUSER, pid, offsetof(struct user, regs.rip), NULL);
}

/* An int3 is sent by the kernel, as the end of some system calls is; and it is the byte 0xcc, as
 * others may be. */
static bool is_behind_mark(pid_t pid)
{
	uint64_t at = stepper_at(pid);
	siginfo_t info;

	return !ptrace(PTRACE_GETSIGINFO, pid, NULL, &info) && info.si_code == SI_KERNEL &&
	       ((uint64_t)ptrace(PTRACE_PEEKTEXT, pid, at - 1, NULL) & 0xff) == 0xcc;
}

#elif defined(__aarch64__)

#define BREAKPOINTS_MAX    16
/* Four bytes, of user mode, executed. */
#define BREAKPOINT_ENABLED (0xfu << 5 | 2u << 1 | 1u)
#define MARK_INSTRUCTION   0xd420f580u /* brk #0x7ac */

static void set_breakpoints(pid_t pid, const uint64_t *there, int count)
{
	struct user_hwdebug_state state = { 0 };
	struct iovec io = { &state, offsetof(struct user_hwdebug_state, dbg_regs) };
	int set = 0;

	/* No instruction is elsewhere. */
	for (int i = 0; i < count; i++) {
		if (there[i] % 4)
			continue;
		state.dbg_regs[set].addr = there[i];
		state.dbg_regs[set++].ctrl = BREAKPOINT_ENABLED;
	}
	io.iov_len += (size_t)(set ? set : 1) * sizeof(state.dbg_regs[0]);
	if (ptrace(PTRACE_SETREGSET, pid, NT_ARM_HW_BREAK, &io))
		die("set breakpoints");
}

/* It would stop the thread there again and again. */
static void leave_breakpoint(pid_t pid)
{
	set_breakpoints(pid, NULL, 0);
}

void stepper_go_any(pid_t pid, const uint64_t *there, int count, int signal)
{
	set_breakpoints(pid, there, count);
	if (ptrace(PTRACE_CONT, pid, NULL, (long)signal))
		die("continue");
}

static struct user_pt_regs registers(pid_t pid)
{
	struct user_pt_regs regs = { 0 };
	struct iovec io = { &regs, sizeof(regs) };

	if (ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &io))
		die("read registers");
	return regs;
}

uint64_t stepper_at(pid_t pid)
{
	return registers(pid).pc;
}

/* It stops at a brk, and would again. */
static bool is_behind_mark(pid_t pid)
{
	struct user_pt_regs regs = registers(pid);
	struct iovec io = { &regs, sizeof(regs) };

	if ((uint32_t)ptrace(PTRACE_PEEKTEXT, pid, regs.pc, NULL) != MARK_INSTRUCTION)
		return false;
	regs.pc += 4;
	return !ptrace(PTRACE_SETREGSET, pid, NT_PRSTATUS, &io);
}

#else

void stepper_go_any(pid_t pid, const uint64_t *there, int count, int signal)
{
	(void)there;
	(void)count;
	if (ptrace(PTRACE_CONT, pid, NULL, (long)signal))
		die("continue");
}

uint64_t stepper_at(pid_t pid)
{
	(void)pid;
	return 0;
}

static bool is_behind_mark(pid_t pid)
{
	(void)pid;
	return false;
}

static void leave_breakpoint(pid_t pid)
{
	(void)pid;
}

#endif

void stepper_go(pid_t pid, uint64_t there, int signal)
{
	stepper_go_any(pid, &there, there != 0, signal);
}

void stepper_step(pid_t pid)
{
	leave_breakpoint(pid);
	if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL))
		die("step");
}

enum stepper_stop stepper_wait(pid_t pid, uint64_t there)
{
	int status;

	for (;;) {
		while (waitpid(pid, &status, __WALL) < 0) {
			if (errno != EINTR)
				die("wait");
		}
		if (!WIFSTOPPED(status))
			return STEPPER_GONE;
		if (WSTOPSIG(status) == SIGTRAP)
			break;
		ptrace(PTRACE_CONT, pid, NULL, (long)WSTOPSIG(status));
	}
	if (there && stepper_at(pid) == there)
		return STEPPER_THERE;
	return is_behind_mark(pid) ? STEPPER_MARK : STEPPER_STEP;
}

static void __attribute__((noinline)) try_me(void)
{
	__asm__ volatile("");
}

#if defined(__x86_64__) || defined(__aarch64__)
#define HAVE_BREAKPOINTS 1
#else
#define HAVE_BREAKPOINTS 0
#endif

bool stepper_works(void)
{
	enum stepper_stop stop;
	pid_t pid;

	if (!HAVE_BREAKPOINTS)
		return false;
	pid = fork();

	if (!pid) {
		stepper_attach_me();
		stepper_mark();
		try_me();
		_exit(0);
	}
	if (stepper_wait(pid, 0) != STEPPER_MARK)
		return false;
	stepper_go(pid, (uint64_t)try_me, 0);
	stop = stepper_wait(pid, (uint64_t)try_me);
	kill(pid, SIGKILL);
	if (stop != STEPPER_GONE)
		waitpid(pid, NULL, __WALL);
	return stop == STEPPER_THERE;
}
