#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The wrapper of tacho record --malloc in difficult company: other allocators, a dynamic linker that
# allocates, programs that close everything, threads that nobody waits for; and what is looked at
# without a session.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need python3 cc nm

programs=$TACHO_BUILD/tests/e2e
module=$(realpath "$TACHO_BUILD/preload/libtacho-malloc.so")
pairs=$TACHO_SOURCE/tests/e2e/malloc_pairs.py

library() # NAME: compile the program text on standard input
{
	cc -shared -fPIC -fno-builtin -O1 -D_GNU_SOURCE -Wl,-Bsymbolic -o "$TMP/$1" -x c -
}

value() { sed -n "s/^$2 //p" "$TMP/$1.pairs"; } # RUN NUMBER

record() # NAME PROGRAM ARGS..: with what PRELOAD names behind the wrapper
{
	local name=$1
	shift
	expect_exit 0 env LD_PRELOAD="${PRELOAD:-}" "$TACHO" record --malloc -o "$TMP/$name" -- "$@" &&
		count "$name"
}

count() # NAME: of the trace
{
	"$TACHO" view --json "$TMP/$1" 2>"$TMP/view.err" | python3 "$pairs" --mark 70001 >"$TMP/$1.pairs"
}

# ---- nobody records

expect_case 'without_a_session_programs_run' 0 env LD_PRELOAD="$module" "$programs/malloc_calls" 10
expect_case 'without_a_session_a_stressed_program_runs' 0 \
	env LD_PRELOAD="$module" "$programs/malloc_stress" 4 500 2
expect_case 'without_a_runtime_directory_programs_run' 0 \
	env LD_PRELOAD="$module" TACHO_RUNTIME_DIR=/proc/none "$programs/malloc_calls" 10
expect_case 'without_rseq_programs_run' 0 \
	env LD_PRELOAD="$module" GLIBC_TUNABLES=glibc.pthread.rseq=0 "$programs/malloc_calls" 10
expect_exit 0 env LD_PRELOAD="$module" ls -l /proc/self/fd
grep -c ' -> ' "$TMP/out" >"$TMP/fds.preloaded"
expect_exit 0 ls -l /proc/self/fd
grep -c ' -> ' "$TMP/out" >"$TMP/fds.plain"
same 'the_wrapper_opens_no_descriptor' "$TMP/fds.plain" "$TMP/fds.preloaded"
expect_exit 0 env LD_PRELOAD="$module" ls /proc/self/task
check 'the_wrapper_starts_no_thread' test "$(wc -l <"$TMP/out")" = 1

# ---- another allocator: its blocks may come back to nobody else

library other.so <<'END' || skip_all 'the compiler makes no shared library'
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MAGIC 0x6f74686572ull

struct head {
	uint64_t magic, bytes, start, pad;
};

static char *next, *end;
static int lock;

static char *grab(size_t bytes)
{
	char *at;

	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		;
	if ((size_t)(end - next) < bytes) {
		size_t chunk = bytes > (64 << 20) ? bytes : 64 << 20;

		next = mmap(0, chunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		end = next + chunk;
	}
	at = next;
	next += bytes;
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
	return at;
}

void *memalign(size_t alignment, size_t size)
{
	struct head *head;
	char *at;

	if (size > (1u << 30)) {
		errno = ENOMEM;
		return 0;
	}
	if (alignment < 16)
		alignment = 16;
	at = grab((size + sizeof(*head) + alignment + 31) & ~15ull);
	at = (char *)(((uintptr_t)at + sizeof(*head) + alignment - 1) & ~(alignment - 1));
	head = (struct head *)at - 1;
	head->magic = MAGIC;
	head->bytes = size;
	return at;
}

void free(void *ptr)
{
	struct head *head = (struct head *)ptr - 1;

	if (!ptr)
		return;
	if (head->magic != MAGIC)
		abort();
	head->magic = 0;
}

void *malloc(size_t size)
{
	return memalign(16, size);
}

void *calloc(size_t nmemb, size_t size)
{
	void *ptr;

	if (__builtin_mul_overflow(nmemb, size, &size))
		size = SIZE_MAX;
	ptr = malloc(size);
	return ptr ? memset(ptr, 0, size) : 0;
}

void *realloc(void *ptr, size_t size)
{
	struct head *head = (struct head *)ptr - 1;
	void *moved;

	if (ptr && !size) {
		free(ptr);
		return 0;
	}
	moved = malloc(size);
	if (ptr && moved) {
		memcpy(moved, ptr, head->bytes < size ? head->bytes : size);
		free(ptr);
	}
	return moved;
}

int posix_memalign(void **ret, size_t alignment, size_t size)
{
	if (alignment % sizeof(void *) || alignment & (alignment - 1))
		return EINVAL;
	*ret = memalign(alignment, size);
	return *ret ? 0 : ENOMEM;
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return memalign(alignment, size);
}

void *valloc(size_t size)
{
	return memalign(4096, size);
}

void *pvalloc(size_t size)
{
	return memalign(4096, (size + 4095) & ~4095ull);
}

size_t malloc_usable_size(void *ptr)
{
	return ptr ? ((struct head *)ptr - 1)->bytes : 0;
}
END
PRELOAD=$TMP/other.so record other "$programs/malloc_calls" 100
check 'another_allocator_is_recorded' test "$(value other malloc)" = 400
check 'another_allocator_gets_back_what_it_gave' test "$(value other unknown)/$(value other twice)" = 0/0
expect_case 'threads_of_another_allocator_run' 0 \
	env LD_PRELOAD="$module:$TMP/other.so" "$programs/malloc_stress" 4 500 2
expect_case 'another_allocator_in_front_hides_the_wrapper' 0 \
	env LD_PRELOAD="$TMP/other.so:$module" "$programs/malloc_calls" 10

# ---- looking up the real functions allocates, and what it took is given back late

library lookup.so <<'END'
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static char *kept[64];
static int count;

void *dlsym(void *handle, const char *name)
{
	void *(*real)(void *, const char *) = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
	char *block = calloc(3, 10), *aligned = aligned_alloc(256, 10);

	if (!real)
		real = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
	for (int i = 0; i < 30; i++) {
		if (block[i])
			abort();
	}
	if ((unsigned long)aligned % 256)
		abort();
	strcpy(block, "kept");
	block = realloc(block, 100);
	free(malloc(10));
	free(aligned);
	if (count < 64)
		kept[count++] = block;
	return real(handle, name);
}

__attribute__((destructor)) static void give_back(void)
{
	while (count--) {
		char *moved = realloc(kept[count], 1000);

		if (strcmp(moved, "kept"))
			abort();
		free(moved);
	}
}
END
expect_case 'a_lookup_that_allocates_does_not_recurse' 0 \
	env LD_PRELOAD="$module:$TMP/lookup.so" "$programs/malloc_calls" 10
expect_case 'a_lookup_that_allocates_does_no_harm_to_another_allocator' 0 \
	env LD_PRELOAD="$module:$TMP/lookup.so:$TMP/other.so" "$programs/malloc_calls" 10

# ---- constructors that run before anybody else's, destructors after

library early.so <<'END'
#include <stdlib.h>

static void *block;

__attribute__((constructor(101))) static void begin(void)
{
	block = malloc(70001);
}

__attribute__((destructor(101))) static void end(void)
{
	free(block);
}
END
PRELOAD=$TMP/early.so record early "$programs/malloc_calls" 1
check 'the_first_constructor_is_recorded' test "$(value early mark)" = 1
check 'the_last_destructor_is_recorded' test "$(value early unfreed)" = 0

# ---- programs that close everything, change directory, replace themselves

python=$(python3 -c 'import sys; print(sys.executable)')
cat >"$TMP/closing.py" <<'END'
import os
import sys

os.closerange(0, 1024)
os.chdir('/')
os.environ['TACHO_RUNTIME_DIR'] = '/nonexistent'
blocks = [bytearray(70001 - 57) for _ in range(1000)]
del blocks
if os.fork() == 0:
    os.execv(sys.argv[1], [sys.argv[1], '7'])
os._exit(os.waitstatus_to_exitcode(os.wait()[1]))
END
record closing "$python" "$TMP/closing.py" "$programs/malloc_calls"
check 'a_program_that_closes_everything_is_recorded' test "$(value closing malloc)" -gt 1000

# ---- a session that comes late, and goes early

cat >"$TMP/waiting.py" <<'END'
import sys

for line in sys.stdin:
    blocks = [bytearray(70001 - 1) for _ in range(100)]
    print('done', flush=True)
END
coproc LD_PRELOAD="$module" exec "$python" "$TMP/waiting.py"
round() { echo go >&"${COPROC[1]}" && read -r _ <&"${COPROC[0]}"; }
pid=$COPROC_PID
round
"$TACHO" create -o "$TMP/late" late >"$TMP/create.out"
"$TACHO" enable-event 'malloc:malloc' >"$TMP/enable.out"
"$TACHO" start >"$TMP/start.out"
round
"$TACHO" stop >"$TMP/stop.out"
round
"$TACHO" destroy >"$TMP/destroy.out"
round
eval "exec ${COPROC[1]}>&-"
wait "$pid"
check 'the_program_does_not_notice_a_session' test $? = 0
count late
check 'a_running_program_is_recorded_from_start_to_stop' test "$(value late mark)" = 100

# ---- nothing below an event may come back to the heap

# What the library takes from the C library. Whatever is new in it belongs into this list, provided
# that it does not allocate. vsnprintf() does not, with the conversions that are used in it;
# __register_atfork() is called once.
# (dlsym() is for pthread_setname_np() only, not below an event; tacho_libs_dump() is that of
# libtacho-libs.so, where that is loaded.)
cat >"$TMP/may" <<'END'
_ITM_deregisterTMCloneTable
_ITM_registerTMCloneTable
__cxa_finalize
__errno_location
__gmon_start__
__register_atfork
__rseq_offset
__rseq_size
__stack_chk_fail
__tls_get_addr
bcmp
clock_gettime
dlsym
getauxval
geteuid
memchr
memcmp
memcpy
memmove
memset
pthread_self
secure_getenv
snprintf
strchr
strchrnul
strcmp
strcspn
strlen
strncmp
strnlen
strrchr
strspn
strstr
strtoul
strtoull
syscall
tacho_libs_dump
vsnprintf
END
nm -D --undefined-only "$TACHO_BUILD/lib/tracer/libtacho.so" | sed 's/.* //; s/@.*//' | sort >"$TMP/imports"
sort "$TMP/may" | comm -13 - "$TMP/imports" >"$TMP/not"
check 'libtacho_takes_nothing_that_allocates' test ! -s "$TMP/not"
show "$TMP/not"
nm -D --defined-only "$module" | sed -n 's/.* T //p' | sort >"$TMP/exports"
printf '%s\n' aligned_alloc calloc free malloc memalign posix_memalign pvalloc realloc reallocarray valloc \
	pthread_setname_np setuid seteuid setreuid setresuid setgid setegid setregid setresgid setns unshare \
	prctl |
	sort >"$TMP/heap"
same 'the_wrapper_exports_functions_of_the_heap_of_names_of_ids_and_prctl_only' \
	"$TMP/heap" "$TMP/exports"
