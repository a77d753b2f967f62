#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# life.sh - what happens in the lives of programs (life.c), each untraced, recorded from its start, and
# the same with the portable writer: it does what it does untraced, and all of its events are there.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib-faults.sh"
need cc

tries=0

# What does not depend on time. Pipes, since some end later than their parents.
run() # OUT COMMAND..
{
	local out=$1
	shift
	{
		timeout 120 "$@" </dev/null 2>&1 | cat >"$out"
		echo "status ${PIPESTATUS[0]}" >"$out.status"
	} 2>"$out.shell"
	grep '^events ' "$out" >"$out.events"
	grep -v '^events ' "$out" >"$out.rest"
	cat "$out.status" >>"$out.rest"
}

# Events that the program says it has recorded; in the trace, or counted as lost.
judge() # CASE TRACE: is each there?
{
	local said found
	said=$(sed -n 's/^events //p' "$TMP/traced.events" | tail -1)
	found=$("$TACHO" view "$2" 2>"$TMP/view.err" | grep -c 'fault:life')
	[ "$((found + $(lost_of s)))" = "${said:-none}" ] && return 0
	echo "# $1: it says ${said:-nothing}; $found are there, $(lost_of s) lost"
	return 1
}

lives() # CASE COMMAND..
{
	local name=$1
	shift
	TACHO_RUNTIME_DIR=/proc/none run "$TMP/untraced" "$@"
	for writer in rseq portable; do
		local tunables=
		[ "$writer" = rseq ] || tunables=GLIBC_TUNABLES=glibc.pthread.rseq=0
		fault_session s -o "$TMP/trace" --buffer 8M || not_ok "$name: a session begins" 'see above'
		run "$TMP/traced" env $tunables "$@"
		"$TACHO" stop s >"$TMP/stop.out" 2>&1
		same "$name, $writer: it does what it does untraced" "$TMP/untraced.rest" "$TMP/traced.rest"
		check "$name, $writer: each event is there" judge "$name" "$TMP/trace"
		"$TACHO" destroy s >"$TMP/end.out" 2>&1
		rm -rf "$TMP/trace"
		tries=$((tries + 1))
	done
}

life=$FAULTS/life
lives 'a storm of forks' "$life" fork-storm "$(times 50 2000)"
lives 'forks in a signal handler' "$life" fork-in-handler "$(times 10 500)"
lives 'vfork' "$life" vfork "$(times 10 500)"
lives 'clone without a handler' "$life" clone "$(times 50 2000)"
lives 'vfork, and exec fails' "$life" vfork-in-vain "$(times 10 500)"
lives 'clone on the same memory' "$life" clone-memory "$(times 50 2000)"
lives 'forks in a handler below the first event' "$life" fork-in-first "$(times 30 600)"
lives 'posix_spawn' "$life" spawn "$(times 10 300)"
lives 'a daemon that closes everything' "$life" close-all 100
lives 'exec in place' "$life" exec "$(times 10 500)"
lives 'threads with TLS destructors' "$life" threads "$(times 20 1000)"
lives 'alternate stacks' "$life" alternate-stack "$(times 50 2000)"
lives 'abort' "$life" abort 100
lives 'from CPU to CPU' "$life" affinity "$(times 100 5000)"
lives 'all system calls given up but three' "$life" seccomp 100
lives 'seccomp in strict mode' "$life" strict 100
if unshare -T --monotonic 1000000 --boottime 1000000 true 2>/dev/null; then
	lives 'clocks that are elsewhere' unshare -T --monotonic 1000000 --boottime 1000000 \
		"$life" threads 10
else
	skip 'clocks that are elsewhere' 'there are no time namespaces here'
fi
if command -v strace >/dev/null; then
	lives 'watched by strace' strace -f -o /dev/null "$life" fork-storm 10
else
	skip 'watched by strace' 'strace is not installed'
fi
if [ "$(id -u)" = 0 ]; then
	lives 'chroot' "$life" chroot 100
	lives 'setuid' "$life" setuid 100
	lives 'another mount namespace' "$life" mount-namespace 10
	lives 'another pid namespace' "$life" pid-namespace 10
	lives 'another user namespace' "$life" user-namespace 10
else
	skip 'programs that root changes' 'needs root'
fi

# ---- a session that begins when a program has given up what it takes to be recorded

mkfifo "$TMP/go"
"$life" seccomp 100 <"$TMP/go" >"$TMP/locked.out" 2>&1 &
program=$!
exec {go}>"$TMP/go"
wait_until has "$TMP/locked.out" 'locked in' >/dev/null
fault_session s -o "$TMP/trace" || not_ok 'a session begins' 'see above'
exec {go}>&-
wait "$program"
check 'a program that gave up system calls is not killed by a session that begins' [ $? = 0 ]
"$TACHO" status s >"$TMP/status"
check 'it is said that it is not recorded' has "$TMP/status" 'given up system calls'
"$TACHO" destroy s >"$TMP/end.out" 2>&1
rm -rf "$TMP/trace"

# ---- libraries

libtacho=$TACHO_BUILD/lib/tracer
build() # OUT OPTIONS..
{
	cc -fPIC -shared -I"$TACHO_SOURCE/include" -I"$TACHO_SOURCE" -o "$@" \
		"$TACHO_SOURCE/tests/faults/library.c" -L"$libtacho" -ltacho
}

if build "$TMP/library.so"; then
	for i in $(seq 0 31); do
		build "$TMP/libraries.$i" -DLIBRARY_NUMBER="$i" || break
	done
	lives 'dlopen and dlclose, again and again' "$life" dlopen "$(times 200 10000)" "$TMP/library.so"
	lives '32 libraries' "$life" libraries 32 "$TMP/libraries"
else
	not_ok 'a library is built' 'the compiler failed'
fi

# ---- programs of other kinds

cat >"$TMP/plain.c" <<'EOF'
#include <stdio.h>
#include <unistd.h>
#include <sys/wait.h>
#include <tacho/event.h>
int main(void)
{
	for (int i = 0; i < 1000; i++)
		tacho_event(fault, life, "where", "plain", "number", i);
	if (!fork()) {
		tacho_event(fault, life, "where", "child");
		_exit(0);
	}
	wait(0);
	puts("events 1001");
	return 7;
}
EOF
plain() # CASE COMPILER OPTIONS..: a program is built and lives
{
	local name=$1
	shift
	if "$@" -I"$TACHO_SOURCE/include" -I"$TACHO_SOURCE" -o "$TMP/plain" >"$TMP/cc.out" 2>&1; then
		lives "$name" "$TMP/plain"
	else
		not_ok "$name is built" "$*"
		show "$TMP/cc.out"
	fi
}
plain 'a static program' cc -static "$TMP/plain.c" "$libtacho/libtacho.a" -lpthread
plain 'a static program at any address' cc -static-pie "$TMP/plain.c" "$libtacho/libtacho.a" -lpthread

# With another C library: libtacho's sources, which Meson has listed.
libtacho_sources()
{
	awk -F'"' '/"file":/ { file = $4 } /"output": "lib\/tracer\/libtacho.a.p/ { print file }' \
		"$TACHO_BUILD/compile_commands.json"
}
musl()
{
	(
		cd "$TACHO_BUILD" || exit
		# shellcheck disable=SC2046
		musl-gcc -static -O1 -std=gnu17 -D_GNU_SOURCE -DTACHO_VERSION='"0"' \
			-DTACHO_VERSION_NUMBER=256 -fvisibility=hidden -I"$TACHO_SOURCE" \
			-I"$TACHO_SOURCE/lib" -I"$TACHO_SOURCE/include" -idirafter /usr/include \
			-idirafter "/usr/include/$(gcc -print-multiarch)" $(libtacho_sources) "$@"
	)
}
if command -v musl-gcc >/dev/null; then
	plain 'a static program with musl' musl "$TMP/plain.c"
else
	skip 'a static program with musl' 'musl-gcc is not installed (musl-tools)'
fi

# A program that runs with the rights of another looks at no environment: it has its own directory.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	uid=$((60000 + RANDOM % 5000))
	cc -static -I"$TACHO_SOURCE/include" -I"$TACHO_SOURCE" -o "$TMP/privileged" "$TMP/plain.c" \
		"$libtacho/libtacho.a" -lpthread
	chown "$uid" "$TMP/privileged"
	chmod 4755 "$TMP/privileged"
	mkdir -m 777 "$TMP/mine"
	chmod 711 "$TMP"
	expect_case 'a setuid program does what it does' 7 setpriv --reuid 65533 --clear-groups \
		env TACHO_RUNTIME_DIR="$TMP/mine/runtime" "$TMP/privileged"
	check 'it does not go where the environment says' [ -z "$(ls -A "$TMP/mine")" ]
	rm -rf "/dev/shm/tacho-$uid"
	tries=$((tries + 1))
else
	skip 'a setuid program does what it does' 'needs root and setpriv'
fi

# ---- single steps, and those who watch

if command -v gdb >/dev/null; then
	# Over the first event from its beginning to its end, then on.
	printf '%s\n' 'set pagination off' 'set confirm off' 'break main' run 'python
for i in range(3000): gdb.execute("stepi", to_string=True)' end 'delete' continue quit >"$TMP/gdb.steps"
	cc -g "$TMP/plain.c" -I"$TACHO_SOURCE/include" -I"$TACHO_SOURCE" -o "$TMP/plain" -L"$libtacho" -ltacho
	fault_session s -o "$TMP/trace" || not_ok 'a session begins' 'see above'
	timeout 250 gdb -q -batch -x "$TMP/gdb.steps" "$TMP/plain" >"$TMP/gdb.out" 2>&1 </dev/null
	"$TACHO" stop s >"$TMP/stop.out" 2>&1
	check 'gdb steps through events, and out of them' grep -q 'exited with code 07' "$TMP/gdb.out"
	echo 'events 1001' >"$TMP/traced.events"
	check 'and each is there' judge gdb "$TMP/trace"
	show "$TMP/gdb.out" >"$TMP/gdb.shown"
	"$TACHO" destroy s >"$TMP/end.out" 2>&1
	rm -rf "$TMP/trace"
	tries=$((tries + 1))
else
	skip 'gdb steps through events, and out of them' 'gdb is not installed'
fi
tried 'lives of programs' "$tries"
