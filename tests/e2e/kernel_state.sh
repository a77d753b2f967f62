#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# kernel_state.sh - the state dump: what processes, files, mounts, interrupts, interfaces and disks there are,
# in the kernel's channel, at the start of a session, in each snapshot and in each chunk.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib_kernel.sh"
need babeltrace2 python3

# A process whose name and file look like something else, and whose file's name is no UTF-8.
cp "$(type -P sleep)" 'a) R 1 (b'
printf 'text' >$'odd\xff\n"name'
'./a) R 1 (b' 1000 <$'odd\xff\n"name' &
odd=$!
wait_until grep -q 'R 1' "/proc/$odd/comm"

count() { tacho view "$1" | grep -c "lttng_statedump_$2"; }
# Is there, in the trace $1, what must be in each dump?
is_whole()
{
	tacho view "$1" >"$1.txt" || return
	test "$(grep -c ' lttng_statedump_start' "$1.txt")" = "$2" &&
		test "$(grep -c ' lttng_statedump_end' "$1.txt")" = "$2" &&
		grep -q "process_state tid = $odd, .* ppid = $$, name = \"a) R 1 (b\", type = 0" "$1.txt" &&
		grep -q "process_pid_ns tid = $odd, " "$1.txt" &&
		grep -q 'lttng_statedump_mount dev = .*mountpoint = "/proc"' "$1.txt" &&
		grep -q 'network_interface name = "lo", address_ipv4 = 0x' "$1.txt"
}

# ---- start, rotation, regenerate ----

tacho list -k --fields >fields
check "it is listed with its fields" \
	sh -c "grep -A7 '^lttng_statedump_process_state' fields | grep -q 'ppid: int32'"
begin() { tacho create s -o s && tacho enable-event -s s -k 'lttng_statedump_*' && tacho start s; }
check "a session asks for it as for other events" begin
check "a rotation has it again" tacho rotate s
check "it can be asked for" tacho regenerate statedump -s s
tacho destroy s >destroyed
check "nothing is lost" has destroyed "nothing lost"
first=$(find s/archives -mindepth 1 -maxdepth 1 | sort | head -n 1)
mv "$first" first
mv s second
check "the first chunk has one, of the start" is_whole first 1
check "the second has that of the rotation, and the other" is_whole second 2
check "babeltrace2 reads it without a warning" \
	sh -c 'babeltrace2 first second >bt 2>bt.err && ! test -s bt.err'
check "a file is told with how it is open" python3 -c '
import json, subprocess
lines = subprocess.check_output(["tacho", "view", "--format", "json", "first"]).decode().splitlines()
events = [json.loads(line) for line in lines if line.startswith("{")]
files = [e["fields"] for e in events if e["event"].endswith("statedump_file_descriptor")]
mine = [f for f in files if f["file_table_address"] == '"$odd"' and f["fd"] == 0]
assert len(mine) == 1 and mine[0]["fmode"] == 1 and mine[0]["flags"] & 3 == 0, mine
assert mine[0]["filename"].endswith("odd\ufffd\n\"name"), mine'
check "time does not go back" python3 -c '
import json, subprocess
lines = subprocess.check_output(["tacho", "view", "--format", "json", "second"]).decode().splitlines()
events = [json.loads(line)["event"] for line in lines if "lttng_statedump" in line]
names = [event.split("statedump_")[-1] for event in events]
assert names[0] == "start" and names[-1] == "end" and names.count("start") == 2'

# ---- some of it ----

tacho create some -o some >log
tacho enable-event -s some -k lttng_statedump_process_state >log
tacho enable-event -s some -k sched_switch >log
tacho start some >log
tacho destroy some >log
check "what is not asked for is not told" test "$(count some process_state)" -gt 1 -a \
	"$(count some file_descriptor)" = 0 -a "$(count some start)" = 0
tacho create no -o no >log
expect_case "it has no filters" 1 tacho enable-event -s no -k 'lttng_statedump_*' --filter 'tid == 1'
check "it says so" has err "cannot be filtered"
expect_case "a filter of all events leaves it out" 0 \
	tacho enable-event -s no -k '*' --filter 'prev_tid == 1'
tacho destroy no >log
tacho record -k -o recorded -- true >log 2>&1
check "record -k has it" test "$(count recorded end)" = 1
check "but of files only those of the program" sh -c '
	tacho view recorded | grep file_descriptor | grep -o "file_table_address = [^,]*" | sort -u >tables
	test "$(wc -l <tables)" = 1'
check "and no system call of tacho before it runs, but the end of what it waits in" sh -c '
	tacho view recorded | grep -v statedump | grep syscall_ | head -n 1 | grep -q syscall_exit_read'

# ---- flight recorder ----

flight()
{
	tacho create flight --snapshot && tacho enable-event -s flight -k 'lttng_statedump_*' &&
		tacho start flight && tacho snapshot record flight -o one && tacho stop flight &&
		tacho snapshot record flight -o two
}
check "snapshots are taken, while it records and when it is stopped" flight
check "the first has those of the start and its own" is_whole one 2
check "that of the stopped one has that of the stop" is_whole two 3
tacho start flight >log
printf 'xxxxxxxxxxxxxxxxxxxxxx' >"$TMP/tracefs/instances/$(instances | head -n 1)/trace_marker_raw"
tacho snapshot record flight -o three >log
check "what others write into the instance is left out" is_whole three 5
tacho destroy flight >log 2>&1
check "and counted" has log "lost 1 event"
check "nothing is left in tracefs" no_instance
kill $odd
