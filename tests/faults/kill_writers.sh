#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# kill_writers.sh - processes are killed at random instants while they record, in all modes, with both
# writers; then their drain as well, and in the end all at once. What was recorded is in the trace, or
# counted as lost, but for the one event in which each was killed.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib-faults.sh"

kills=$(times 40 1250)
seed=$RANDOM
echo "# seed $seed"
all=0

use() # WRITER: for programs from here on
{
	unset GLIBC_TUNABLES
	[ "$1" != portable ] || export GLIBC_TUNABLES=glibc.pthread.rseq=0
}

victims() # NAME: all are killed, and their book is $TMP/NAME.book
{
	"$FAULTS/victims" "$TMP/$1.book" "$kills" "$((seed + all))" >"$TMP/victims.out" 2>&1 || {
		not_ok "$1: the victims live until they are killed" 'see its output'
		show "$TMP/victims.out"
	}
	all=$((all + kills))
}

end_session() # NAME
{
	"$TACHO" destroy "$1" >"$TMP/end.out" 2>&1 || not_ok "$1 ends" "$(cat "$TMP/end.out")"
}

for writer in rseq portable; do
	use "$writer"

	name=roomy-$writer
	fault_session "$name" -o "$TMP/$name" --buffer 32M || not_ok "$name begins" 'see above'
	victims "$name"
	"$TACHO" stop "$name" >"$TMP/stop.out"
	check "$name: nothing is lost" [ "$(lost_of "$name")" = 0 ]
	check "$name: each killed writer's events are there to the last" \
		is_audited "$TMP/$name.book" exact "$TMP/$name"
	end_session "$name"

	name=tight-$writer
	fault_session "$name" -o "$TMP/$name" --buffer 16K || not_ok "$name begins" 'see above'
	victims "$name"
	"$TACHO" stop "$name" >"$TMP/stop.out" 2>&1
	check "$name: what is missing is counted" \
		is_audited "$TMP/$name.book" lossy "$(lost_of "$name")" "$TMP/$name"
	end_session "$name"

	name=waiting-$writer
	fault_session "$name" -o "$TMP/$name" --buffer 16K --blocking-timeout inf ||
		not_ok "$name begins" 'see above'
	victims "$name"
	"$TACHO" stop "$name" >"$TMP/stop.out" 2>&1
	check "$name: who waits loses nothing" is_audited "$TMP/$name.book" exact "$TMP/$name"
	end_session "$name"

	name=recorder-$writer
	fault_session "$name" --snapshot --buffer 64K || not_ok "$name begins" 'see above'
	victims "$name"
	"$TACHO" snapshot record "$name" -o "$TMP/$name" >"$TMP/stop.out" 2>&1
	check "$name: a snapshot has whole events" is_audited "$TMP/$name.book" some "$TMP/$name"
	end_session "$name"
done
use rseq
tried 'writers killed at random instants' "$all"

# ---- the drain as well: every command replaces it

fault_session drains -o "$TMP/drains" --buffer 32M || not_ok 'drains begins' 'see above'
"$FAULTS/victims" "$TMP/drains.book" "$((2 * kills))" "$seed" >"$TMP/victims.out" 2>&1 &
victims_pid=$!
drains=0
while kill -0 "$victims_pid" 2>/dev/null; do
	pid=$(fault_drain drains)
	[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null && drains=$((drains + 1))
done
wait "$victims_pid"
check 'the drain was killed' [ "$drains" -gt 0 ]
"$TACHO" stop drains >"$TMP/stop.out" 2>&1
check 'drains: killed drains lose nothing' is_audited "$TMP/drains.book" exact "$TMP/drains"
end_session drains
tried 'drains killed' "$drains"

# ---- everything at once

has_no_victim() # BOOK
{
	! grep -qsF "$1" /proc/[0-9]*/maps
}

rounds=$(times 5 100)
for round in $(seq "$rounds"); do
	: >"$TMP/once.out"
	fault_session "once-$round" -o "$TMP/once" --buffer 32M || not_ok 'once begins' 'see above'
	"$FAULTS/victims" "$TMP/once.book" 1000 "$((seed + round))" >"$TMP/once.out" 2>&1 &
	victims_pid=$!
	wait_until has "$TMP/once.out" ready >/dev/null
	{
		kill -KILL "$(fault_drain "once-$round")" "$victims_pid"
		wait "$victims_pid"
	} 2>/dev/null
	wait_until has_no_victim "$TMP/once.book"
	expect_exit 0 "$TACHO" recover "once-$round" -o "$TMP/rest" || show "$TMP/err"
	is_audited "$TMP/once.book" exact "$TMP/once" "$TMP/rest" || break
	"$TACHO" destroy "once-$round" >"$TMP/end.out" 2>&1
	rm -rf "$TMP/once" "$TMP/once.out" "$TMP/once.book" "$TMP/rest"
done
check 'killed all at once, nothing is lost' [ ! -e "$TMP/rest" ]
tried 'programs, drain and all killed at once' "$rounds"
