#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# kernel_rotation.sh - rotation, clear, limits and recovery of a session that records programs and the
# kernel: both parts of a chunk begin and end together, and no event is lost or twice, also when the drain
# or the tool is killed in between. TACHO_SOAK: more of it.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib_kernel.sh"
test -n "$has_syscalls" || skip_all "this kernel has no events of system calls"

burst=20 kills=6 round=0
test -z "${TACHO_SOAK:-}" || { burst=200 kills=40; }

drain_pid()
{
	tacho list --json |
		python3 -c 'import json, sys; print(json.load(sys.stdin)["sessions"][0]["drain_pid"])'
}

# begin OPTIONS.. - session s, in which a program that is already there is recorded: $writer; on the CPUs
# $cpus, if there are such
begin()
{
	tacho destroy --all >log 2>&1
	rm -rf s go && mkfifo go
	{ read -r _ <go; exec ${cpus:+taskset -c $cpus} "$TACHO_BUILD/tests/e2e/kernel_pairs" 0 $burst; } &
	writer=$!
	{
		tacho create s -o s "$@" && tacho enable-event -s s 'shop:*' &&
			tacho enable-event -s s --syscall getppid &&
			tacho track -s s -k --descendants $writer && tacho start s && echo >go
	} >log || not_ok "a session begins" "$(tail -n 1 log)"
}
end() { kill $writer && wait $writer; }

# Each event of the program lies between its system calls, in all chunks together.
is_whole()
{
	tacho view --json "$@" >all.json && python3 "$TACHO_SOURCE/tests/e2e/kernel_pairs.py" 0 all.json
}
has_both() { ls s/kernel/channel0_* s/ust/uid/0/64-bit/channel0_* >ls.out 2>&1; }
chunks() { find s/archives -mindepth 1 -maxdepth 1 | sort; }
bytes_of() { find "$1" -type f -printf '%b\n' | awk '{ sum += $1 } END { print 512 * sum }'; }

# ---- rotation ----

begin
for _ in 1 2 3 4 5; do
	wait_until has_both
	tacho rotate s >out || not_ok "rotate works" "it does not"
done
end
tacho stop s >stopped
check "nothing is lost" has stopped "nothing lost"
check "five chunks are archived" test "$(chunks | wc -l)" = 5
check "each has both parts, with index files" sh -c '
	for c in s/archives/*; do
		test -s $c/kernel/metadata && test -n "$(ls $c/kernel/index)" &&
			test -d $c/ust/uid/0/64-bit/index || exit 1
	done'
check "each event is in exactly one of them" is_whole s
check "babeltrace2 reads each without a warning" sh -c '
	for c in s/archives/* s; do babeltrace2 $c >bt 2>>bt.err || exit 1; done; ! test -s bt.err'
expect_case "a stopped session is rotated" 0 tacho rotate s
check "then there is no current chunk" sh -c '! test -e s/ust && ! test -e s/kernel'
expect_case "but only once" 1 tacho rotate s
check "all is still there" is_whole s

# ---- the drain is killed while it rotates ----

begin
for i in $(seq $kills); do
	tacho rotate s --no-wait >out 2>&1
	read -r -t "0.00$((i * 3 % 10))" _ <> <(:) || : # another moment each time
	pid=$(drain_pid)
	test "$pid" = 0 || kill -9 "$pid"
	tacho status s >out
done
end
tacho destroy s >destroyed
check "nothing is lost when drains are killed" has destroyed "nothing lost"
check "no event is twice, none is missing" is_whole s

# ---- the tool is killed between the two parts ----

# rotate_until N - a stopped session, whose rotation is killed after it has renamed so many files. On one
# CPU, so that there are as many each time.
rotate_until()
{
	cpus=0 begin
	wait_until has_both
	end
	tacho stop s >out
	"$TACHO_BUILD/tests/faults/kill_at" "$1:rename" "$TACHO" rotate s >out 2>&1
}
has_moved() { ! test -e s/kernel; }
is_archived() { ! test -e s/ust && test "$(chunks | wc -l)" = 1; }
if test -x "$TACHO_BUILD/tests/faults/kill_at" && "$TACHO_BUILD/tests/faults/kill_at" 1 true; [ $? = 9 ]; then
	high=1
	while rotate_until $high; [ $? = 9 ] && ! has_moved && [ $high -lt 30 ]; do
		high=$((high + 1))
	done
	check "it was killed when one part had moved" test -e s/ust/uid/0 -a ! -e s/kernel
	check "the next command moves the other" sh -c 'tacho rotate s >out'
	check "then there is one chunk, of both" is_archived
	check "nothing is missing" is_whole s
	expect_case "and nothing to archive" 1 tacho rotate s
	rotate_until $((high + 1))
	check "it was killed when both had moved" test -e s/archives/.new-* -a ! -e s/kernel
	check "the next command lets the chunk be seen" sh -c 'tacho rotate s >out'
	check "then it is there" is_archived
	check "nothing is missing, either" is_whole s
	rotate_until $((high - 1))
	check "before, nothing had moved" test -e s/ust -a -e s/kernel
	check "then it rotates as if nothing had been" tacho rotate s
	check "nothing is missing then" is_whole s
	tacho destroy s >out
else
	skip "the tool is killed between the two parts" "programs cannot be traced with ptrace here"
fi

# ---- clear ----

begin
wait_until has_both
check "a session that records the kernel is cleared" tacho clear s
cleared=$(date +%s.%N)
check "events come after it as before" wait_until has_both
end
tacho destroy s >destroyed
tacho view --json s >all.json
check "what was before is gone, what came after is there" python3 -c '
import json, sys
times = [json.loads(line)["time_ns"] for line in open("all.json")]
assert times and times[0] > (float(sys.argv[1]) - 5) * 1e9, times[:1]' "$cleared"
check "nothing hidden is left" sh -c '! ls -d s/.cleared* 2>/dev/null'

# ---- clear, while the rings are full and the kernel holds more ----

cpu=$(taskset -cp $$ | sed 's/.*[^0-9]//')
: >askers
ask()
{
	taskset -c "$cpu" python3 -c 'import os; [os.getppid() for _ in range(30000)]' &
	echo $! >>askers
	wait $!
}
kernel_holds_some()
{
	grep -q '^entries: [0-9]\{3,\}' "$TMP/tracefs/instances/$(instances)/per_cpu/cpu$cpu/stats"
}
# Recovery puts into the ring what that has room for.
is_full() { ask && tacho recover s -o "rest$((++round))" >out && kernel_holds_some; }
rm -rf s
{
	tacho create s -o s --buffer 64K && tacho enable-event -s s --syscall getppid && tacho start s
} >log || not_ok "a session of small rings begins" "$(tail -n 1 log)"
kill_and_wait "$(drain_pid)"
check "the ring is full, and the kernel holds more" wait_until is_full
ask
check "such a session is cleared" tacho clear s
tacho destroy s >log 2>&1
tacho view --json s >all.json 2>log
# By thread: of one that has ended the name may be lost.
check "nothing of before the clear is left that the rings had no room for" python3 -c '
import json
askers = {int(line) for line in open("askers")}
left = [event for event in map(json.loads, open("all.json")) if event.get("tid") in askers]
assert askers and not left, (len(left), left[:1])'

# ---- limits ----

burst=200
begin --max-size 600K --buffer 256K
has_dropped() { ls s/kernel/channel0_?_9 >ls.out 2>&1; }
check "its files are many" wait_until has_dropped
end
tacho destroy s >destroyed
check "a trace with the kernel's events keeps to its size" test "$(bytes_of s)" -le 614400
check "it has the newest, of both" sh -c 'tacho view s | grep -q shop:pair &&
	tacho view s | grep -q syscall_entry_getppid'
check "it can be read" sh -c 'babeltrace2 s >bt 2>bt.err && ! test -s bt.err'

begin
tacho enable-rotation -s s --size 100K >out
has_chunks() { test "$(chunks 2>log | wc -l)" -ge 3; }
check "rotation by size counts the kernel's events" wait_until has_chunks
tacho disable-rotation -s s --size >out
check "the metadata are written anew" tacho regenerate metadata -s s
end
tacho destroy s >destroyed
check "they hold all together" is_whole s

# ---- recovery ----

burst=20
begin
wait_until has_both
kill_and_wait "$(drain_pid)"
read -r -t 0.3 _ <> <(:) # what is recorded now nobody takes from the kernel
end
expect_case "what is left of a session that was killed is recovered" 0 tacho recover -o rest
cat out
check "with the kernel's events" sh -c 'tacho view rest | grep -q syscall_entry_getppid'
mkdir both && mv s rest both
check "the trace and what was recovered hold all" is_whole both
tacho destroy --all >log 2>&1
check "nothing is left in tracefs" no_instance
