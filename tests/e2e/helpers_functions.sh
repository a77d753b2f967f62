#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho record --functions, of programs compiled with -pg: each entry is recorded once, and the program
# does what it would without it, whatever its registers held.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need cc nm python3

preload=$TACHO_SOURCE/preload
source=$TACHO_SOURCE/tests/e2e/helpers_functions.c
summary=$TACHO_SOURCE/tests/e2e/libs_summary.py
machine=$(uname -m)
case $machine in
x86_64 | aarch64) ;;
*) skip_all "-pg is not recorded on $machine" ;;
esac

record() # NAME PROGRAM ARGS..
{
	local name=$1
	shift
	"$TACHO" record --functions --libs --fail-on-loss --buffer 16M -o "$TMP/$name.trace" -- "$@" \
		>"$name.out" 2>"$name.err" </dev/null || return
	nm "$1" >symbols
	"$TACHO" view --json "$TMP/$name.trace" 2>view.err |
		python3 "$summary" --symbols symbols >"$name.summary"
}

calls() # NAME FUNCTION: how often it was entered
{
	sed -n "s/^call $2 from [^ ]* \([0-9]*\)\$/\1/p" "$1.summary" | awk '{ n += $1 } END { print n + 0 }'
}

# ---- each way to compile: every entry, and the same output

counts() # NAME: of all functions of helpers_functions.c that are never inlined, as expected of 500 rounds
{
	local function
	for function in many vary in_memory jump on_signal; do
		[ "$(calls "$1" "$function")" = 500 ] && continue
		printf '# %s: %s, of 500\n' "$function" "$(calls "$1" "$function")"
		return 1
	done
	[ "$(calls "$1" main)" = 1 ]
}

compiled() # NAME COMPILER OPTION..
{
	local name=$1
	shift
	"$@" -o "$name" "$source" 2>cc.err || {
		show cc.err
		return 1
	}
	"./$name" 500 >"$name.plain"
}

entries='-mfentry '
[ "$machine" = x86_64 ] || entries=
for compiler in gcc clang; do
	command -v "$compiler" >/dev/null || {
		skip "functions_of_$compiler" "$compiler is not installed"
		continue
	}
	for options in '-O2 -pie -fPIE' '-O0 -no-pie -fno-pie'; do
		for entry in "$entries" ''; do
			name=$compiler$(echo "$options$entry" | tr -d ' ')
			# shellcheck disable=SC2086
			check "${name}_compiles" compiled "$name" "$compiler" $options -pg $entry
			check "${name}_is_recorded" record "$name" "./$name" 500
			same "${name}_prints_the_same" "$name.plain" "$name.out"
			check "${name}_has_each_entry" counts "$name"
		done
		[ -n "$entries" ] || break
	done
done

# ---- what the C library does at each call is done as well

if command -v gprof >/dev/null; then
	gprof_counts() # NAME: calls of each function, by gmon.out
	{
		gprof -b -p "./$1" gmon.out | awk '$NF ~ /^(many|vary|jump|in_memory)$/ { print $NF, $4 }' |
			sort
		rm gmon.out
	}
	# shellcheck disable=SC2086
	gcc -O1 -pg $entries -o profiled "$source"
	./profiled 300 >/dev/null
	gprof_counts profiled >gprof.plain
	record profiled ./profiled 300
	gprof_counts profiled >gprof.recorded
	check 'gprof_counts_calls' has gprof.plain 'many 300'
	same 'gprof_counts_the_same' gprof.plain gprof.recorded
else
	skip 'gprof_counts_the_same' 'gprof is not installed'
fi

# ---- registers: everything that the recording may change is changed

if [ "$machine" = x86_64 ]; then
	cat >change.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include "functions_pg.h"
static uint32_t state = 1;
void *functions_pg_entry[4] = { &state };
void *functions_pg_real_fentry, *functions_pg_real_mcount;
uint32_t functions_pg_vectors;
static unsigned long called, unaligned;
void fake_report(void) { fprintf(stderr, "%lu %lu\n", called, unaligned); }
static void change(void *frame)
{
	called++;
	unaligned += (uintptr_t)frame % 16 != 0;
	__asm__ volatile(".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
		"pcmpeqd %%xmm\\n, %%xmm\\n\n.endr\n" ::: "memory");
	if (__builtin_cpu_supports("avx"))
		__asm__ volatile("vzeroupper");
	__asm__ volatile("mov $-1, %%rax\nmov %%rax, %%rcx\nmov %%rax, %%rdx\nmov %%rax, %%rsi\n"
		"mov %%rax, %%rdi\nmov %%rax, %%r8\nmov %%rax, %%r9\nmov %%rax, %%r10\nmov %%rax, %%r11\n"
		::: "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory");
}
void functions_pg_entered(void) { change(__builtin_frame_address(0)); }
void functions_pg_called(void) { change(__builtin_frame_address(0)); }
void functions_pg_look(void) { functions_pg_vectors = VECTORS; }
END
	changed() # VECTORS OPTION..: what helpers_functions prints, with all registers changed at each call
	{
		local vectors=$1
		shift
		gcc -O1 -fno-omit-frame-pointer -DVECTORS="$vectors" -I"$preload" -c change.c &&
			gcc -O2 -pg "$@" -DWITH_OWN_MCOUNT -c -o user.o "$source" &&
			gcc -no-pie -o changed user.o change.o \
				-x assembler-with-cpp "$preload/functions_pg-x86_64.S" &&
			./changed 500 >changed.out 2>changed.err
	}
	flags=$(sed -n 's/^flags[^:]*: //p' /proc/cpuinfo | head -n 1)
	for vectors in 128:sse2 256:avx 512:avx512f; do
		for entry in -mfentry -mno-fentry; do
			name=registers_are_kept_${vectors%:*}$entry
			case " $flags " in
			*" ${vectors#*:} "*) ;;
			*)
				skip "$name" "the CPU has no ${vectors#*:}"
				continue
				;;
			esac
			widest=
			[ "${vectors%:*}" != 128 ] || widest=-DNARROW
			[ "${vectors%:*}" != 256 ] || widest=-DNO_512
			check "${name}_runs" changed "VECTORS_${vectors%:*}" "$entry" -fno-pie $widest
			gcc -O2 $widest -o "same" "$source" && ./same 500 >same.out
			same "$name" same.out changed.out
			check "${name}_with_a_stack_that_is_aligned" grep -q '^[1-9][0-9]* 0$' changed.err
		done
	done
fi

# ---- exceptions and backtraces go through recorded functions

cat >unwind.cpp <<'END'
#include <cstdio>
#include <execinfo.h>
#include <stdexcept>
__attribute__((noinline)) int deep(int n)
{
	if (!n)
		throw std::runtime_error("thrown");
	return deep(n - 1) + n;
}
__attribute__((noinline)) int frames()
{
	void *found[64];
	return backtrace(found, 64);
}
__attribute__((noinline)) int nested(int n) { return n ? nested(n - 1) + 0 * n : frames(); }
int main()
{
	int caught = 0;
	for (int i = 0; i < 50; i++)
		try {
			deep(i);
		} catch (const std::exception &) {
			caught++;
		}
	std::printf("%d %d\n", caught, nested(20));
}
END
# shellcheck disable=SC2086
if command -v g++ >/dev/null && g++ -O1 -pg $entries -o unwind unwind.cpp; then
	./unwind >unwind.plain
	check 'a_program_with_exceptions_is_recorded' record unwind ./unwind
	same 'a_program_with_exceptions_prints_the_same' unwind.plain unwind.out
	check 'entries_that_ended_by_an_exception_are_recorded' test "$(calls unwind _Z4deepi)" = 1275
else
	skip 'a_program_with_exceptions_is_recorded' 'no C++ compiler'
fi

# ---- threads, and the call sites

cat >threads.c <<'END'
#include <pthread.h>
__attribute__((noinline)) int leaf(int n) { return n + 1; }
__attribute__((noinline)) void *work(void *arg)
{
	int n = 0;
	for (int i = 0; i < 20000; i++)
		n = leaf(n);
	return n == 20000 ? arg : 0;
}
int main(void)
{
	pthread_t threads[4];
	int done = 0;
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], 0, work, &done);
	for (int i = 0; i < 4; i++) {
		void *result;
		pthread_join(threads[i], &result);
		done += result != 0;
	}
	return done != 4;
}
END
# shellcheck disable=SC2086
gcc -O1 -pg $entries -o threads threads.c -pthread
check 'threads_are_recorded' record threads ./threads
check 'each_entry_of_each_thread_is_recorded_with_its_caller' has threads.summary 'call leaf from work 80000'

# ---- before this module is relocated, and in constructors of libraries

if [ "$machine" = x86_64 ]; then
	cat >early.c <<'END'
static int first(void) { return 1; }
static int (*choose(void))(void) { return first; }
int chosen(void) __attribute__((ifunc("choose")));
static int constructed;
static __attribute__((constructor)) void construct(void) { constructed = 40; }
int early(void) { return chosen() + constructed + 1; }
END
	echo 'int early(void); int main(void) { return early() != 42; }' >late.c
	gcc -O0 -pg -mfentry -shared -fPIC -o libearly.so early.c
	gcc -O0 -pg -mfentry -o late late.c -L. -learly "-Wl,-rpath,$TMP"
	check 'functions_that_run_while_the_program_is_linked_do_no_harm' record late ./late
	check 'those_of_the_program_are_recorded' test "$(calls late main)" = 1
fi

# ---- another architecture

if command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64 >/dev/null; then
	cat >arm.c <<'END'
#include <stdio.h>
#include "functions_pg.c"
static uint32_t state = 1;
static unsigned long entries, bad;
void work_begin(void) { functions_pg_entry.state = &state; }
void tacho_emit_parts(struct tacho_event *event, const struct tacho_part *parts, uint32_t count)
{
	void *const *payload = parts[0].data;
	entries++;
	bad += count != 1 || parts[0].bytes != 16 || event != &functions_pg_entry ||
		!payload[0] || !payload[1];
}
void tacho_object_register(struct tacho_object *object) { (void)object; }
void tacho_object_unregister(struct tacho_object *object) { (void)object; }
void fake_report(void) { fprintf(stderr, "%lu %lu\n", entries, bad); }
static __attribute__((constructor)) void begin(void) { work_begin(); }
END
	arm() # OPTION..
	{
		aarch64-linux-gnu-gcc -std=gnu17 -D_GNU_SOURCE -O2 -fno-builtin -I"$preload" \
			-I"$TACHO_SOURCE" -I"$TACHO_SOURCE/include" -c -o arm.o arm.c &&
			aarch64-linux-gnu-gcc -pg "$@" -DWITH_OWN_MCOUNT -c -o arm-user.o "$source" &&
			aarch64-linux-gnu-gcc -static -o arm arm.o arm-user.o 2>cc.err &&
			aarch64-linux-gnu-gcc "$@" -static -o arm-plain "$source" &&
			qemu-aarch64 ./arm 500 >arm.out 2>arm.err && qemu-aarch64 ./arm-plain 500 >arm.plain
	}
	for level in -O0 -O2; do
		check "aarch64${level}_runs" arm "$level"
		same "aarch64${level}_prints_the_same" arm.plain arm.out
		check "aarch64${level}_has_entries_and_their_callers" grep -qxE '[1-9][0-9]{3} 0' arm.err
	done
else
	skip 'aarch64' 'no cross compiler or no qemu-aarch64'
fi

# ---- what an event brings with it is none of the program's functions

cat >events.c <<'END'
#include <tacho/event.h>
static int __attribute__((noinline)) work(int x)
{
	tacho_event(hooked, three, "text", "some", "x", x, "real", 1.5);
	tacho_event(hooked, one, "x", x);
	return x + 1;
}
int main(void)
{
	return work(work(0)) - 2;
}
END
own_functions_only() # COMPILER OPTIONS..
{
	"$@" -finstrument-functions -I"$TACHO_SOURCE/include" -I"$TACHO_SOURCE" events.c -x none \
		-L"$TACHO_BUILD/lib/tracer" -ltacho -o events && rm -rf events.trace &&
		"$TACHO" record --functions -o events.trace -- ./events 2>err &&
		"$TACHO" view events.trace >events.txt && [ "$(grep -c hooked: events.txt)" = 4 ] &&
		[ "$(grep -c cyg_profile:func_entry events.txt)" = 3 ]
}
for compiler in 'gcc -x c' 'g++ -x c++' 'clang -x c' 'clang++ -x c++'; do
	command -v "${compiler% -x*}" >/dev/null || continue
	for level in -O0 -O2; do
		check "events_bring_no_functions, $compiler $level" own_functions_only $compiler "$level"
	done
done
