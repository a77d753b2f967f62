/* SPDX-License-Identifier: MIT */
/*
 * probes.c - a program with probes that traces itself, as C and as C++.
 *
 *	probes                          no probe is traced: no value is evaluated
 *	probes ADDRESS ARGUMENTS        the probe many:kinds is, as a kernel would do it: its semaphore is
 *	                                counted up, the instruction at ADDRESS replaced by a trap. Prints
 *	                                the arguments, found as the note says, in each hit
 *
 * It has to be linked without -pie: addresses are those of the file.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define TACHO_SDT 1
#include <tacho/event.h>

extern uint16_t kinds_semaphore __asm__("tacho_sdt.many.TACHO_N_kinds")
	__attribute__((visibility("hidden")));

static const char *arguments;
static int evaluated;

static int counted(int value)
{
	evaluated++;
	return value;
}

static uint64_t base_register(const char *name, const greg_t *registers)
{
	static const char *const names[] = {"%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14", "%r15",
					    "%rdi", "%rsi", "%rbp", "%rbx", "%rdx", "%rax", "%rcx", "%rsp"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(name, names[i], strlen(names[i])) && name[strlen(names[i])] == ')')
			return (uint64_t)registers[i];
	abort();
}

/* "SIZE@OFFSET(%REGISTER)": the only kind there is on this processor. */
static void print_argument(const char *text, const greg_t *registers)
{
	int size, offset, length;
	int64_t value;

	if (sscanf(text, "%d@%d(%n", &size, &offset, &length) != 2 || abs(size) != 8)
		abort();
	memcpy(&value, (const char *)base_register(text + length, registers) + offset, sizeof(value));
	if (size < 0)
		printf(" %lld", (long long)value);
	else
		printf(" %llu", (unsigned long long)value);
}

static void trap(int number, siginfo_t *info, void *context)
{
	const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	const char *at = arguments;

	(void)number;
	(void)info;
	printf("hit");
	for (; at && *at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
		print_argument(at, registers);
	putchar('\n');
}

static void attach(const char *address)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t at = strtoull(address, NULL, 16);
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_sigaction = trap;
	action.sa_flags = SA_SIGINFO;
	if (sigaction(SIGTRAP, &action, NULL) ||
	    mprotect((void *)(at & ~(page - 1)), 2 * page, PROT_READ | PROT_WRITE | PROT_EXEC))
		abort();
	if (*(unsigned char *)at != 0x90)
		abort();
	*(unsigned char *)at = 0xcc;
	kinds_semaphore++;
}

static void hit(void)
{
	static const double list[2] = {1, 2};
	static char text[] = "text";
	const struct {
		unsigned int bits : 5;
	} of = {21};

	tacho_event(many, kinds, "int", counted(-7), "unsigned", 4000000000u, "char", (signed char)-1,
		    "bool", text[0] == 't', "hex", tacho_hex((short)-2), "bits", of.bits, "double", 0.5,
		    "float", 0.5f, "long", -5000000000L, "null", (char *)NULL, "string", text, "array",
		    tacho_array(list, 2), "13th", 13, "14th", 14);
	printf("evaluated %d\n", evaluated);
	tacho_event(many, none);
	printf("text %llu list %llu\n", (unsigned long long)(uintptr_t)text,
	       (unsigned long long)(uintptr_t)list);
}

int main(int argc, char **argv)
{
	if (argc > 2) {
		arguments = argv[2];
		attach(argv[1]);
	}
	hit();
	return 0;
}
