#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# fill.sh - what programs and tools need runs out: shared memory before, while and after a program
# attaches, disk and quota while the drain writes, descriptors, address space, sizes of files, inodes. The
# program does what it does untraced; what is missing is counted; tools say what to do.
#
# In a mount namespace of its own, where mounts end with it.
if [ -z "${FILL_INSIDE:-}" ] && unshare -m --propagation private true 2>/dev/null; then
	FILL_INSIDE=1 exec unshare -m --propagation private bash "$(realpath "$0")"
fi
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib-faults.sh"
[ -n "${FILL_INSIDE:-}" ] || skip_all 'only root can mount a small tmpfs, in a mount namespace'

tries=0

small() # NAME OPTIONS: a tmpfs that is the runtime directory from here on
{
	mkdir -p "$TMP/$1"
	mount -t tmpfs -o "mode=700,$2" tmpfs "$TMP/$1" || skip_all 'a tmpfs cannot be mounted here'
	runtime_before=$TACHO_RUNTIME_DIR
	export TACHO_RUNTIME_DIR=$TMP/$1
}

large_again()
{
	umount -l "$TACHO_RUNTIME_DIR"
	export TACHO_RUNTIME_DIR=$runtime_before
}

fill() # DIR: to the last page
{
	dd if=/dev/zero of="$1/filler" bs=4k 2>/dev/null
	dd if=/dev/zero of="$1/filler2" bs=1 2>/dev/null
	:
}

# The program says how many events it meant to record, and what it computed from them. Pipes are no
# files that a limit could be for.
run_counted() # COMMAND..: starts the program
{
	{
		"$@" "$FAULTS/counted" 10000 | cat >"$TMP/ran"
		echo "status ${PIPESTATUS[0]}" >"$TMP/ran.status"
	} 2>&1 | cat >"$TMP/ran.err"
	cat "$TMP/ran.status" >>"$TMP/ran"
}

as_untraced() # CASE COMMAND..
{
	local name=$1
	shift
	TACHO_RUNTIME_DIR=/proc/none run_counted "$@"
	mv "$TMP/ran" "$TMP/untraced"
	mv "$TMP/ran.err" "$TMP/untraced.err"
	run_counted "$@"
	tries=$((tries + 1))
	same "$name: the program does what it does untraced" "$TMP/untraced" "$TMP/ran"
	same "$name: it says nothing more" "$TMP/untraced.err" "$TMP/ran.err"
}

# What the program recorded is in the trace, or is counted.
accounted() # SESSION TRACE
{
	local found
	found=$("$TACHO" view "$2" 2>/dev/null | grep -c 'fault:counted')
	[ $((found + $(lost_of "$1"))) = 10000 ] && return 0
	echo "# $found found, $(lost_of "$1") lost, of 10000"
	"$TACHO" status "$1" | sed 's/^/#   /'
	return 1
}

# ---- shared memory is full before anything is there

small full size=1m
fill "$TACHO_RUNTIME_DIR"
as_untraced 'no memory at all'
expect_case 'create says that there is no memory' 1 "$TACHO" create s --snapshot
check 'and how to have more' grep -qi 'space\|memory\|larger' "$TMP/err"
rm -f "$TACHO_RUNTIME_DIR"/filler*
"$TACHO" create s --snapshot >"$TMP/session.out"
expect_case 'of the default buffers it says that they do not fit' 1 "$TACHO" enable-event -s s '*'
check 'and what they need' has "$TMP/err" 'MiB'
expect_case 'what there is, ends' 0 "$TACHO" destroy s
check 'nothing is left of it' [ -z "$(ls -A "$TACHO_RUNTIME_DIR/sessions")" ]
large_again

# ---- it is full when the program attaches

small attach size=2m
fault_session s --snapshot --buffer 64K || not_ok 'a session begins in 2 MiB' 'see above'
fill "$TACHO_RUNTIME_DIR"
as_untraced 'full when it starts'
rm -f "$TACHO_RUNTIME_DIR"/filler*
"$TACHO" status s >"$TMP/status" 2>&1
check 'status tells of a program that could not be recorded' \
	grep -qi 'not recorded\|unrecorded\|could not be' "$TMP/status"
as_untraced 'when there is room again'
"$TACHO" stop s >"$TMP/stop.out" 2>&1
"$TACHO" snapshot record s -o "$TMP/attach.trace" >"$TMP/stop.out" 2>&1
check 'it is recorded' grep -q fault:counted <("$TACHO" view "$TMP/attach.trace" 2>/dev/null)
"$TACHO" destroy s >"$TMP/end.out" 2>&1
large_again

# ---- it gets full when the rings of another CPU, or of another writer, are to be allocated

small rings size=2m
fault_session s -o "$TMP/rings.trace" --buffer 64K || not_ok 'a session begins' 'see above'
late_begin() # COMMAND..: starts the program, which waits
{
	mkfifo "$TMP/go"
	"$@" "$FAULTS/counted" 10000 wait <"$TMP/go" >"$TMP/traced" 2>"$TMP/traced.err" &
	program=$!
	exec {go}>"$TMP/go"
	wait_until has "$TMP/traced" ready >/dev/null
}
late_end() # CASE
{
	exec {go}>&-
	wait "$program"
	check "$1: the program ends as it does untraced" [ $? = 0 ]
	{ echo ready; TACHO_RUNTIME_DIR=/proc/none "$FAULTS/counted" 10000; } >"$TMP/untraced"
	same "$1: it prints the same" "$TMP/untraced" "$TMP/traced"
	rm -f "$TMP/go"
	tries=$((tries + 1))
}
late_begin env GLIBC_TUNABLES=glibc.pthread.rseq=0
fill "$TACHO_RUNTIME_DIR"
late_end 'full after it began'
rm -f "$TACHO_RUNTIME_DIR"/filler*
"$TACHO" stop s >"$TMP/stop.out" 2>&1
check 'full after it began: all is there or counted' accounted s "$TMP/rings.trace"
"$TACHO" destroy s >"$TMP/end.out" 2>&1
large_again

# ---- no inodes

small inodes size=8m,nr_inodes=24
fault_session s --snapshot --buffer 64K || not_ok 'a session begins with few inodes' 'see above'
while : >"$TACHO_RUNTIME_DIR/$RANDOM$RANDOM.inode"; do :; done 2>/dev/null
as_untraced 'no inode is left'
expect_case 'create says that no file can be made' 1 "$TACHO" create t --snapshot --buffer 64K
rm -f "$TACHO_RUNTIME_DIR"/*.inode
expect_case 'later it can' 0 "$TACHO" create t --snapshot --buffer 64K
"$TACHO" destroy --all >"$TMP/end.out" 2>&1
large_again

# ---- a runtime directory that cannot be written to

small readonly size=4m
fault_session s --snapshot --buffer 64K || not_ok 'a session begins' 'see above'
mount -o remount,ro "$TACHO_RUNTIME_DIR"
as_untraced 'a runtime directory that is read-only'
expect_case 'a command says that it is read-only' 1 "$TACHO" create t --snapshot --buffer 64K
check 'it says read-only' has "$TMP/err" 'ead-only'
mount -o remount,rw "$TACHO_RUNTIME_DIR"
"$TACHO" destroy --all >"$TMP/end.out" 2>&1
large_again

# ---- the disk is full while the drain writes

mkdir "$TMP/disk"
mount -t tmpfs -o size=1m tmpfs "$TMP/disk"
fault_session s -o "$TMP/disk/trace" --buffer 32K || not_ok 'a session begins' 'see above'
fill "$TMP/disk"
as_untraced 'the disk is full'
as_untraced 'the disk is still full'
expect_case 'stop says that the disk is full' 1 timeout 60 "$TACHO" stop s
check 'it says what is full' grep -qi 'space' "$TMP/err"
mount -o remount,size=64m "$TMP/disk"
expect_case 'with more room, stop completes the trace' 0 timeout 60 "$TACHO" stop s
found=$("$TACHO" view "$TMP/disk/trace" 2>/dev/null | grep -c 'fault:counted')
check 'what is missing is counted' [ $((found + $(lost_of s))) = 20000 ]
"$TACHO" destroy s >"$TMP/end.out" 2>&1
umount -l "$TMP/disk"

# ---- a quota is used up while the drain writes: as few kernels have file systems with quotas, its answer
# to each write of the drain is made, until strace ends

is_traced() # PID
{
	! grep -q '^TracerPid:[[:space:]]*0$' "/proc/$1/status" 2>/dev/null
}

quota_is_used_up() # PID of a drain
{
	strace -f -qq -p "$1" -o "$TMP/refused" -e trace=pwrite64,write,copy_file_range \
		-e inject=pwrite64,write,copy_file_range:error=EDQUOT 2>/dev/null &
	strace_pid=$!
	wait_until is_traced "$1" >/dev/null
}

if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	fault_session s -o "$TMP/quota.trace" --buffer 32K || not_ok 'a session begins' 'see above'
	quota_is_used_up "$(fault_drain s)"
	as_untraced 'the quota is used up'
	wait_until has "$TMP/refused" INJECTED >/dev/null
	check 'the drain was told so' has "$TMP/refused" EDQUOT
	kill "$strace_pid"
	wait "$strace_pid"
	expect_case 'with a larger quota, stop completes the trace' 0 timeout 60 "$TACHO" stop s
	check 'what is missing for want of quota is counted' accounted s "$TMP/quota.trace"
	"$TACHO" destroy s >"$TMP/end.out" 2>&1
else
	skip 'a quota is used up' 'strace may not trace here'
fi

# ---- limits of the program

limited() # CASE LIMITS: of the shell that becomes the program
{
	local name=$1 limits=$2
	fault_session s -o "$TMP/limited.trace" || not_ok 'a session begins' 'see above'
	as_untraced "$name" bash -c "$limits; exec \"\$@\"" limits
	"$TACHO" stop s >"$TMP/stop.out" 2>&1
	[ "${3:-}" != all ] || check "$name: all is there or counted" accounted s "$TMP/limited.trace"
	"$TACHO" destroy s >"$TMP/end.out" 2>&1
	rm -rf "$TMP/limited.trace"
}

limited 'no descriptor at all' 'ulimit -n 3'
limited 'four descriptors' 'ulimit -n 4' all
limited 'files of one page at most' 'ulimit -f 4'
limited 'files of no size' 'ulimit -f 0'
limited 'little address space' 'ulimit -v 30000'
limited 'some address space' 'ulimit -v 200000' all
limited 'no locked memory' 'ulimit -l 0' all
limited 'no core file, no stack' 'ulimit -s 64; ulimit -c 0' all

# The limit comes when it runs already, and then a session that wants its events.
late_begin
prlimit --pid "$program" --nofile=3:3
fault_session s -o "$TMP/limited.trace" || not_ok 'a session begins' 'see above'
late_end 'no descriptor is left'
"$TACHO" status s >"$TMP/status" 2>&1
check 'no descriptor is left: status tells of it' grep -q '1 program' "$TMP/status"
show "$TMP/status"
"$TACHO" destroy s >"$TMP/end.out" 2>&1
rm -rf "$TMP/limited.trace"

# ---- limits of the tool

# The dynamic linker needs descriptors itself.
is_told() # STATUS
{
	[ "$1" = 0 ] || { [ "$1" = 1 ] && [ -s "$TMP/err" ]; } ||
		{ [ "$1" = 127 ] && grep -q 'loading shared libraries' "$TMP/err"; }
}

tool_limited() # CASE LIMITS COMMAND..: it works, or says why not; no signal
{
	local name=$1 limits=$2 status
	shift 2
	{
		timeout 60 bash -c "$limits; exec \"\$@\"" limits "$@" </dev/null | cat >"$TMP/out"
		echo "${PIPESTATUS[0]}" >"$TMP/status"
	} 2>&1 | cat >"$TMP/err"
	status=$(cat "$TMP/status")
	tries=$((tries + 1))
	is_told "$status" && return
	wrong="$wrong; tacho ${*:2}: status $status"
	show "$TMP/out" "$TMP/err"
}

for limits in 'ulimit -n 3' 'ulimit -n 5' 'ulimit -n 8' 'ulimit -f 0' 'ulimit -f 16' 'ulimit -v 20000'; do
	wrong=
	tool_limited "$limits" "$limits" "$TACHO" create s -o "$TMP/tool.trace" --buffer 64K
	"$TACHO" list >"$TMP/list.out" 2>&1 ||
		not_ok "$limits: the next command works" "$(cat "$TMP/list.out")"
	"$TACHO" destroy --all >"$TMP/end.out" 2>&1
	rm -rf "$TMP/tool.trace"
	fault_session s -o "$TMP/tool.trace" --buffer 64K || not_ok 'a session begins' 'see above'
	for command in 'list' 'status s' 'enable-event -s s x:*' 'rotate s' \
		'snapshot record s -o tool.shot' 'stop s' 'start s' 'stop s' 'view tool.trace' \
		'stats tool.trace' 'recover s -o tool.rec' 'destroy s'; do
		# shellcheck disable=SC2086
		set -f
		tool_limited "$limits" "$limits" "$TACHO" $command
		set +f
	done
	"$TACHO" destroy --all >"$TMP/end.out" 2>&1
	check "$limits: each command works or says why not${wrong:+ $wrong}" [ -z "$wrong" ]
	check "$limits: nothing stays" [ -z "$(ls -A "$TACHO_RUNTIME_DIR/sessions")" ]
	rm -rf "$TMP/tool.trace" "$TMP"/tool.*
done
tried 'something runs out' "$tries"
