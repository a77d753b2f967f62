/* SPDX-License-Identifier: MIT */
/*
 * watch.c - a plugin of QEMU's emulator that watches the instructions of a range of the guest: how many
 * each CPU executes, and which lines of physical memory they store to.
 *
 * The guest says what to watch by storing to addresses (watch.h). When it ends a watch, this writes to the
 * file of the plugin's argument out=FILE
 *	WATCH instructions CPU COUNT       for each CPU that executed some
 *	WATCH lines ONE SEVERAL            lines that one CPU stored to, and several
 * A thread's stack goes with it from CPU to CPU, and is not counted: where it is, is known by the
 * instructions that store to it by its own register.
 *
 * QEMU's package has no header for plugins, so what is used of its interface (version 1) is declared
 * here. The CPUs have to run in turn, in one thread: nothing is locked.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "watch.h"

#define EXPORTED __attribute__((visibility("default")))

enum { NO_REGISTERS = 0 };
enum { STORES = 2 };

struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_hwaddr;

typedef void on_block(uint64_t id, struct qemu_plugin_tb *block);
typedef void on_execution(unsigned int cpu, void *data);
typedef void on_access(unsigned int cpu, uint32_t info, uint64_t address, void *data);

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, on_block *call);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *i, on_execution *call,
					    int flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *i, on_access *call, int flags,
				      int kind, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
char *qemu_plugin_insn_disas(const struct qemu_plugin_insn *i);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *i);
bool qemu_plugin_mem_is_store(uint32_t info);
struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(uint32_t info, uint64_t address);
uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *address);

EXPORTED int qemu_plugin_version = 1;

#define LINE_SHIFT 6
#define LINES_BITS 20 /* of the table; the rings of a guest have less than a quarter of them */
#define LINES      (1u << LINES_BITS)

#define STACK_BYTES 16384u /* of a thread, and so it is aligned */

struct line {
	uint64_t number_plus_1; /* 0: the place is free */
	uint64_t cpus;          /* a bit for each that stored */
};

static struct {
	FILE *out;
	uint64_t low, high; /* what is watched */
	uint32_t watch;     /* its number; 0: none */
	uint64_t executed[WATCH_CPUS_MAX];
	uint64_t stack[WATCH_CPUS_MAX]; /* an address on that of whoever runs there */
	struct line lines[LINES];
} state;

static void say(const char *text, uint64_t first, uint64_t second)
{
	fprintf(state.out, "%u %s %llu %llu\n", state.watch, text, (unsigned long long)first,
		(unsigned long long)second);
}

static void report(void)
{
	uint64_t one = 0, several = 0;

	for (unsigned int cpu = 0; cpu < WATCH_CPUS_MAX; cpu++) {
		if (state.executed[cpu])
			say("instructions", cpu, state.executed[cpu]);
	}
	for (uint32_t i = 0; i < LINES; i++) {
		uint64_t cpus = state.lines[i].cpus;

		one += cpus && !(cpus & (cpus - 1));
		several += cpus && (cpus & (cpus - 1));
	}
	say("lines", one, several);
	fflush(state.out);
}

static void begin(uint32_t watch)
{
	if (state.watch)
		report();
	memset(state.executed, 0, sizeof(state.executed));
	memset(state.lines, 0, sizeof(state.lines));
	state.watch = watch;
}

/* Of user space: what the guest says. */
static void hear(unsigned int cpu, uint32_t info, uint64_t address, void *data)
{
	(void)cpu;
	(void)info;
	(void)data;
	if (address >= WATCH_LOW && address < WATCH_LOW + WATCH_BYTES)
		state.low = WATCH_MODULES + (address - WATCH_LOW);
	else if (address >= WATCH_HIGH && address < WATCH_HIGH + WATCH_BYTES)
		state.high = WATCH_MODULES + (address - WATCH_HIGH);
	else if (address >= WATCH_BEGIN && address < WATCH_BEGIN + WATCH_NUMBERS)
		begin((uint32_t)(address - WATCH_BEGIN));
}

static void count(unsigned int cpu, void *data)
{
	(void)data;
	if (state.watch && cpu < WATCH_CPUS_MAX)
		state.executed[cpu]++;
}

/* A table that is full forgets: the lines that are printed would be too few, not too good. */
static struct line *find(uint64_t number)
{
	uint64_t place = number * 0x9e3779b97f4a7c15ull >> (64 - LINES_BITS);

	for (uint32_t i = 0; i < 64; i++) {
		struct line *line = &state.lines[(place + i) % LINES];

		if (!line->number_plus_1)
			line->number_plus_1 = number + 1;
		if (line->number_plus_1 == number + 1)
			return line;
	}
	return NULL;
}

/* QEMU 7.2 calls these for loads as well. */
static void note(unsigned int cpu, uint32_t info, uint64_t address, void *data)
{
	struct qemu_plugin_hwaddr *memory;
	struct line *line;

	(void)data;
	if (!state.watch || cpu >= WATCH_CPUS_MAX || !qemu_plugin_mem_is_store(info) ||
	    (address ^ state.stack[cpu]) < STACK_BYTES)
		return;
	memory = qemu_plugin_get_hwaddr(info, address);
	if (!memory)
		return;
	line = find(qemu_plugin_hwaddr_phys_addr(memory) >> LINE_SHIFT);
	if (line)
		line->cpus |= 1ull << cpu;
}

static void note_stack(unsigned int cpu, uint32_t info, uint64_t address, void *data)
{
	(void)info;
	(void)data;
	if (cpu < WATCH_CPUS_MAX)
		state.stack[cpu] = address;
}

/* Whose store `note` is to hear of. Jumps and returns store nothing, but QEMU 7.2 says that they did what
 * the kernel does behind them. */
static on_access *listener_of(const struct qemu_plugin_insn *i)
{
	char *text = qemu_plugin_insn_disas(i);
	on_access *listener = note;

	if (text && (*text == 'j' || strstr(text, "ret")))
		listener = NULL;
	else if (text && (strstr(text, "push") || strstr(text, "call") || strstr(text, "(%rsp")))
		listener = note_stack;
	free(text);
	return listener;
}

static void translate(uint64_t id, struct qemu_plugin_tb *block)
{
	size_t instructions = qemu_plugin_tb_n_insns(block);

	(void)id;
	for (size_t n = 0; n < instructions; n++) {
		struct qemu_plugin_insn *i = qemu_plugin_tb_get_insn(block, n);
		uint64_t at = qemu_plugin_insn_vaddr(i);

		if (at < WATCH_USER_END) {
			qemu_plugin_register_vcpu_mem_cb(i, hear, NO_REGISTERS, STORES, NULL);
		} else if (at >= state.low && at < state.high) {
			on_access *listener = listener_of(i);

			qemu_plugin_register_vcpu_insn_exec_cb(i, count, NO_REGISTERS, NULL);
			if (listener)
				qemu_plugin_register_vcpu_mem_cb(i, listener, NO_REGISTERS, STORES,
								 NULL);
		}
	}
}

EXPORTED int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
	(void)info;
	if (argc != 1 || strncmp(argv[0], "out=", 4))
		return -1;
	state.out = fopen(argv[0] + 4, "w");
	if (!state.out)
		return -1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	return 0;
}
