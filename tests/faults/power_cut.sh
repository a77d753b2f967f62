#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# power_cut.sh - buffers on a disk (--shm-path) when the machine ends: some pages are as they were
# last, some of an earlier moment, some were never written. What is whole is recovered: nothing twice,
# and, but for pages of an earlier lap that look right by chance, nothing that nobody recorded.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib-faults.sh"

rounds=$(times 8 500)
TORN_ONE_IN=5000
seed=$RANDOM
echo "# seed $seed"

cut() # SEED: into $TMP/cut
{
	local since
	rm -rf "$TMP/old" "$TMP/new" "$TMP/cut" "$TMP/trace"
	cp -a "$place" "$TMP/old"
	since=$(ticker_done one)
	wait_until ticker_goes_on one $((since + RANDOM))
	cp -a "$place" "$TMP/new"
	mkdir "$TMP/cut"
	"$FAULTS/power" "$1" "$TMP/old" "$TMP/new" "$TMP/cut"
}

# What says what the events are may itself be what was lost.
is_recovered()
{
	expect_exit 0 timeout 60 "$TACHO" recover "$TMP/cut" -o "$TMP/trace" >"$TMP/said" && return 0
	grep -q 'event table\|nothing of a session' "$TMP/err" && return 0
	show "$TMP/said" "$TMP/err"
	return 1
}

is_sound() # SEED
{
	cut "$1" && is_recovered || return 1
	[ -d "$TMP/trace" ] || return 0
	grep -q ': 0 events' "$TMP/out" && return 0
	"$FAULTS/audit" "$TMP/one.book" some "$TMP/trace" >"$TMP/audit.out"
	events=$((events + $(sed -n 's/^found \([0-9]*\) of.*/\1/p' "$TMP/audit.out")))
	torn=$((torn + $(grep -c 'nobody recorded this' "$TMP/audit.out")))
	! grep '^#' "$TMP/audit.out" | grep -v 'nobody recorded this'
}

events=0
torn=0

for writer in rseq portable; do
	unset GLIBC_TUNABLES
	[ "$writer" != portable ] || export GLIBC_TUNABLES=glibc.pthread.rseq=0
	fault_session s --snapshot --buffer 128K --shm-path "$TMP/disk" || not_ok 'it begins' 'see above'
	place=$(echo "$TMP"/disk/s-*)
	ticker_begin one 0
	failed=
	for round in $(seq "$rounds"); do
		is_sound "$((seed + round))" || { failed="round $round"; break; }
	done
	check "$writer: pages of different moments are recovered, as far as they are whole" [ -z "$failed" ]
	check "$writer: the program did not notice" ticker_end one
	"$TACHO" destroy s >"$TMP/end.out" 2>&1
done
# Each time it is more likely than not that they are: that they never are, it is as good as impossible.
check 'events are found' [ "$events" -gt 0 ]
check 'hardly any event is torn' [ $(((torn - 10) * TORN_ONE_IN)) -le "$events" ]
tried 'power cut' "$((2 * rounds)): $events events recovered, $torn of them torn"
