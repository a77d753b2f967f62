#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# When the drain sleeps, who wakes it, and who does not (doc/design/drain.md).
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib-flood.sh"

export HOME=$TMP/home
mkdir "$HOME"

wakeups() # of the drain so far
{
	sed -n 's/^voluntary_ctxt_switches:[[:space:]]*//p' "/proc/$pid/status"
}

has_woken() # TIMES: since `before`
{
	[ "$(wakeups)" -ge $((before + $1)) ]
}

now_ms()
{
	local now=${EPOCHREALTIME/./}
	echo $((now / 1000))
}

begin() # a session with small buffers, whose drain has come to rest
{
	"$TACHO" create work -o "$TMP/trace" --buffer 64K >/dev/null
	"$TACHO" enable-event '*' >/dev/null
	"$TACHO" start >/dev/null
	pid=$(drain_pid work)
	before=$(wakeups)
	wait_until has_woken 6
}

end()
{
	"$TACHO" destroy --discard >/dev/null
	rm -rf "$TMP/trace"
}

begin
before=$(wakeups)
from=$(now_ms)
wait_until has_woken 5
passed=$(($(now_ms) - from))
# Four whole sleeps at least; more where the machine has no time for the drain.
check 'an_idle_drain_wakes_up_five_times_a_second' test "$passed" -ge 750
from=$(now_ms)
end

# ---- a program that gave up system calls

begin
mkfifo in out
"$TACHO_BUILD/tests/e2e/sandboxed" 200000 <in >out &
program=$!
exec {to}>in {from}<out
read -r -t "$DEADLINE_S" _ <&"$from"
exec {to}>&-
read -r -t "$DEADLINE_S" line <&"$from"
wait "$program"
status=$?
if [ "$status" = 77 ]; then
	skip 'a_program_in_a_sandbox_is_not_killed' 'this kernel has no seccomp filters'
else
	check 'a_program_in_a_sandbox_is_not_killed' test "$status.$line" = 0.done
fi
exec {from}<&-
end
