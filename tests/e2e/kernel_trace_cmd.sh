#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# kernel_trace_cmd.sh - the same work, recorded by tacho and in a second instance of the kernel's tracer,
# which trace-cmd reads: scheduling, interrupts and system calls are the same events with the same values,
# none more and none less.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
need trace-cmd
. "$TACHO_SOURCE/tests/lib_kernel.sh"
test -n "$has_syscalls" || skip_all "this kernel has no events of system calls"

cat >work.py <<'END'
import os, subprocess, time
calls = lambda: [os.getppid() for _ in range(20)]
open("go").read()
calls()
for _ in range(20):
    subprocess.run(["ls", "/"], stdout=subprocess.DEVNULL)
    time.sleep(0.001)
calls()
END

tacho list -k --json >events.json
tacho list --syscall --json >syscalls.json
names=$(jq -r '[.events[] | select(.tracefs == "sched" or .tracefs == "irq") | .name] | join(",")' \
	events.json)
cpu=$(taskset -cp $$ | sed 's/.*[^0-9]//')
judge=$TMP/tracefs/instances/trace-cmd-$TACHO_TEST_ID

by_tacho()
{
	tacho create s --snapshot --buffer 16M && tacho enable-event -s s -k "$names" &&
		tacho enable-event -s s --syscall --all && tacho track -s s -k --descendants $worker &&
		tacho start s
}
by_trace_cmd()
{
	mkdir "$judge" && echo 16384 >"$judge/buffer_size_kb" && echo $worker >"$judge/set_event_pid" &&
		echo 1 >"$judge/options/event-fork" || return 1
	for system in sched irq syscalls; do
		echo 1 >"$judge/events/$system/enable" || return 1
	done
}
# It removes the instance.
read_judge()
{
	trace-cmd extract -B "${judge##*/}" -o dat && trace-cmd report -N -R -i dat
}
record()
{
	local worker status
	rm -rf go snap && mkfifo go
	taskset -c "$cpu" python3 work.py &
	worker=$!
	by_tacho >log && by_trace_cmd
	status=$?
	echo >go
	wait $worker
	test $status = 0 && echo 0 >"$judge/tracing_on" && tacho snapshot record s -o snap >log &&
		tacho destroy s >log && read_judge >report 2>trouble
}
# Of all names of threads, trace-cmd reads the size first, and then the file: where others have added
# some meanwhile, it gives up.
for _ in 1 2 3 4 5 6 7 8; do
	record && ! grep -q 'error in size of file' trouble && break
	tacho destroy --all >log 2>&1
	test ! -d "$judge" || rmdir "$judge"
done
check "both have recorded" test -s report
tacho view --json snap >trace.json
same_as_trace_cmd()
{
	python3 "$TACHO_SOURCE/tests/e2e/kernel_trace_cmd.py" events.json syscalls.json trace.json report \
		"$cpu" >out 2>&1
}
check "the same events with the same values, none more and none less" same_as_trace_cmd
show out
