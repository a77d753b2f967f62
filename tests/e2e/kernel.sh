#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# kernel.sh - the kernel's events, recorded on the kernel that runs, where it lets us: beside those of
# programs, by the same clock. What babeltrace2 makes of them is what `tacho view` does.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"

. "$TACHO_SOURCE/tests/lib_kernel.sh"

# ---- listings ----

tacho list -k --fields >fields
check "fields have LTTng's names" grep -A7 '^sched_switch ' fields
check "prev_pid is called prev_tid" sh -c "grep -A7 '^sched_switch ' fields | grep -q 'prev_tid: int32'"
check "the list is JSON with fields" python3 -c '
import json, subprocess
events = json.loads(subprocess.check_output(["tacho", "list", "-k", "--json"]))["events"]
names = {e["name"]: e for e in events}
assert [f["name"] for f in names["sched_switch"]["fields"]][:2] == ["prev_comm", "prev_tid"]
assert names["sched_switch"]["tracefs"] == "sched"'

tacho list -k 'sched_sw*' >some
check "a pattern chooses among them" sh -c 'grep -qx sched_switch some && ! grep -v "^sched_sw" some'
tacho list -k sched:sched_switch >by-perf
check "by the kernel's own names as well" test "$(cat by-perf)" = sched_switch
check "also in JSON" sh -c 'tacho list -k --json sched_switch | jq -e ".events | length == 1"'

# ---- names that the kernel does not have ----

tacho create names -o names >/dev/null
refuse() # NAME WORDS ARGUMENTS..
{
	expect_case "$1" 1 tacho "${@:3}"
	has err "$2" && ok "it says: $2"
}
refuse "an event that is none is refused" 'tacho list -k' enable-event -s names -k 'nosuch*'
refuse "a mistyped event finds its neighbour" "did you mean 'sched_switch'?" \
	enable-event -s names -k sched_swich
refuse "a pattern that leaves nothing is a failure" "did you mean 'sched_switch'?" list -k sched_swich
refuse "perf's spelling finds the event" "did you mean 'sched_switch'?" \
	enable-event -s names -k sched:sched_switch
refuse "of several names each must be one" "'nosuch'" enable-event -s names -k sched_switch,nosuch
refuse "an event is no system call" 'tacho enable-event -k sched_switch' \
	enable-event -s names --syscall sched_switch
if [ -n "${has_syscalls:-}" ]; then
	refuse "a system call is no event" 'tacho enable-event -k --syscall openat' \
		enable-event -s names -k openat
	refuse "a system call that is none is refused" 'tacho list --syscall' \
		enable-event -s names --syscall nosuch_call
fi
check "no rule was made" sh -c '! tacho list names | grep -q nosuch'
tacho destroy names >/dev/null
refuse "record refuses an event that is none" 'tacho list -k' \
	record -k -e 'nosuch*' -o none -- touch was_run
check "before the program runs" test ! -e was_run -a ! -e none

# ---- record: a program, and what the kernel does for it ----

"$TACHO_BUILD/tests/e2e/kernel_pairs" 0 &
stranger=$!
expect_case "record -k ends as the program ended" 3 \
	tacho record -k -o one -- sh -c 'ls / >/dev/null; exit 3'
kill $stranger
wait $stranger
tacho view one >one.txt
check "the program's switches are in the trace" grep -q 'sched_switch.*prev_comm = "ls"' one.txt
check "babeltrace2 reads the trace without a warning" \
	sh -c 'babeltrace2 one >bt.txt 2>bt.err && ! test -s bt.err'
babeltrace2 one | grep -v ' tacho:writer:' >bt.txt
same "view prints what babeltrace2 prints" <(sed 's/(+[0-9.?]*) //' bt.txt) \
	<(tacho view --format babeltrace one | grep -v ' tacho:writer:' | sed 's/(+[0-9.?]*) //')
check "the trace is one of the kernel's" grep -q 'domain = "kernel"' one/kernel/metadata
check "no instance is left in tracefs" no_instance
if [ -n "${has_syscalls:-}" ]; then
	check "its system calls are there, with begin and end" \
		sh -c 'grep -q "(ls) syscall_entry_getdents64" one.txt &&
			grep -q "(ls) syscall_exit_getdents64 ret" one.txt'
	check "other processes' system calls are not" sh -c "! grep -q '/$stranger .*syscall_' one.txt"
fi

# ---- one session, both domains, one clock ----

both()
{
	tacho create both -o both && tacho enable-event -s both 'shop:*' &&
		tacho enable-event -s both --syscall getppid && tacho start both &&
		"$TACHO_BUILD/tests/e2e/kernel_pairs" 10000 && tacho destroy both
}
if [ -n "${has_syscalls:-}" ]; then
	check "a session records programs and the kernel" both
	tacho view --json both >both.json
	check "10,000 events of a program lie between their own system calls' begin and end" \
		python3 "$TACHO_SOURCE/tests/e2e/kernel_pairs.py" 10000 both.json
fi

# ---- the drain is killed, again and again: no event twice, none missing ----

KILLS=8
drain_pid()
{
	tacho list --json |
		python3 -c 'import json, sys; print(json.load(sys.stdin)["sessions"][0]["drain_pid"])'
}
killed()
{
	local writer pid
	tacho create killed -o killed --buffer 64M && tacho enable-event -s killed --syscall getppid &&
		tacho track -s killed --vpid 1 >/dev/null && tacho start killed || return 1
	"$TACHO_BUILD/tests/e2e/kernel_pairs" 0 &
	writer=$!
	tacho track -s killed --vpid $writer >/dev/null
	for ((i = 0; i < KILLS; i++)); do
		pid=$(drain_pid)
		test "$pid" != 0 && kill_and_wait "$pid" && tacho status killed >/dev/null || return 1
	done
	kill $writer
	wait $writer
	tacho destroy killed >destroyed
}
if [ -n "${has_syscalls:-}" ]; then
	check "the drain is killed while the kernel records" killed
	check "nothing is lost" has destroyed "nothing lost"
	tacho view --json killed >killed.json
	check "each system call is there once: begin and end take turns up to the last" \
		python3 "$TACHO_SOURCE/tests/e2e/kernel_turns.py" killed.json
fi

# ---- flight recorder ----

flight()
{
	tacho create flight --snapshot --buffer 64M && tacho enable-event -k -s flight sched_switch &&
		tacho start flight && sh -c 'for i in 1 2 3 4 5 6 7 8 9; do ls / >/dev/null; done' &&
		tacho snapshot record flight -o first && tacho snapshot record flight -o second
}
check "a flight recorder's kernel buffers are in its snapshots" flight
check "a snapshot has the switches" sh -c 'tacho view first | grep -q "sched_switch.*\"ls\""'
check "the next snapshot has them as well" sh -c '
	test "$(tacho view second | grep -c "\"ls\"")" -ge "$(tacho view first | grep -c "\"ls\"")"'
check "while it lives, it has an instance in tracefs" instances

# ---- rules come and go ----

tacho disable-event -k -s flight sched_switch >/dev/null
enabled() { cat "$TMP/tracefs/instances/$(instances | head -n 1)/set_event"; }
check "nothing is enabled any more" test -z "$(enabled)"
tacho enable-event -k -s flight 'irq_*' --exclude irq_handler_exit >/dev/null
check "a pattern enables what it matches" sh -c "echo '$(enabled)' | grep -q irq:irq_handler_entry"
check "an exclusion is left out" sh -c "! echo '$(enabled)' | grep -q irq:irq_handler_exit"

# ---- a session whose directory vanished leaves its instance to the next command ----

rm -rf "${TACHO_RUNTIME_DIR:?}"/sessions/flight "$TACHO_RUNTIME_DIR"/slots/*
tacho status >/dev/null 2>&1
check "the next command removes what was left behind" no_instance

# ---- wrong use ----

expect_case "a level is refused" 2 tacho enable-event -k sched_switch --loglevel info
expect_case "both domains at once are refused" 2 tacho enable-event -k -u sched_switch
tacho create plain -o plain >/dev/null
tacho enable-event -k -s plain sched_switch >/dev/null
tacho destroy plain >/dev/null
check "nothing is left in tracefs" no_instance
